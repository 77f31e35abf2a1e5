/* Ducts and elevated layers (ITU-R P.1812-6, section 4.5). */
#ifndef RCITY_KERNEL_TERRAIN_P1812_P1812_DUCTING_H
#define RCITY_KERNEL_TERRAIN_P1812_P1812_DUCTING_H

#include "kernel/terrain/p1812/p1812_horizons.h"
#include "kernel/terrain/p1812/p1812_link.h"

/* The horizon's shielding of an end, equation (48). */
RCITY_KERNEL rcity_real rcity_p1812_shielding_db(rcity_real horizon_mrad, rcity_real horizon_km, rcity_real f)
{
    rcity_real angle = horizon_mrad - RCITY_REAL(0.1) * horizon_km;
    if (!(angle > RCITY_REAL(0.0))) {
        return RCITY_REAL(0.0);
    }
    return RCITY_REAL(20.0) *
               rcity_real_log10(RCITY_REAL(1.0) + RCITY_REAL(0.361) * angle * rcity_real_sqrt(f * horizon_km)) +
           RCITY_REAL(0.264) * angle * rcity_terrain_cube_root(f);
}

/* What an end near the coast gains from ducts over the sea, equation (49). */
RCITY_KERNEL rcity_real rcity_p1812_coast_db(rcity_real coast_km, rcity_real horizon_km, rcity_real over_sea_m,
                                             rcity_real sea_share)
{
    if (sea_share < RCITY_REAL(0.75) || coast_km > horizon_km || coast_km > RCITY_REAL(5.0)) {
        return RCITY_REAL(0.0);
    }
    /* 1 + tanh(x) is twice what fades from 1 to 0 as -x grows */
    return RCITY_REAL(-6.0) * rcity_real_exp(RCITY_REAL(-0.25) * coast_km * coast_km) *
           rcity_terrain_fade(RCITY_REAL(-0.07) * (RCITY_REAL(50.0) - over_sea_m));
}

/* log10 of the percentage beta that this path has, equations (52) to (56). */
RCITY_KERNEL rcity_real rcity_p1812_log_beta(const rcity_p1812_horizons *at, rcity_real log_beta0, rcity_real tau,
                                             rcity_real distance_km, rcity_real radius_km)
{
    const rcity_real zero = RCITY_REAL(0.0);
    rcity_real alpha = RCITY_REAL(-0.6) - RCITY_REAL(3.5e-9) * rcity_real_pow(distance_km, RCITY_REAL(3.1)) * tau;
    rcity_real roots = rcity_real_sqrt(at->effective_tx_m) + rcity_real_sqrt(at->effective_rx_m);
    rcity_real log_bulk = rcity_real_log10(RCITY_REAL(500.0) / radius_km * rcity_terrain_square(distance_km / roots));
    rcity_real log_mu2 = rcity_terrain_min(rcity_terrain_max(alpha, RCITY_REAL(-3.4)) * log_bulk, zero);
    rcity_real between = rcity_terrain_min(distance_km - at->tx_km - at->rx_km, RCITY_REAL(40.0));
    rcity_real log_mu3 = zero;
    if (at->roughness_m > RCITY_REAL(10.0)) {
        log_mu3 = RCITY_REAL(-0.43429448190325182765) * RCITY_REAL(4.6e-5) * (at->roughness_m - RCITY_REAL(10.0)) *
                  (RCITY_REAL(43.0) + RCITY_REAL(6.0) * between);
    }
    return log_beta0 + log_mu2 + log_mu3;
}

/* How the loss varies with time, equation (53). */
RCITY_KERNEL rcity_real rcity_p1812_duct_time_db(rcity_real time_percent, rcity_real log_beta, rcity_real distance_km)
{
    rcity_real log_ratio = rcity_real_log10(time_percent) - log_beta;
    rcity_real exponent = RCITY_REAL(9.51) - RCITY_REAL(4.8) * log_beta + RCITY_REAL(0.198) * log_beta * log_beta;
    rcity_real gamma = RCITY_REAL(1.076) / rcity_real_pow(RCITY_REAL(2.0058) - log_beta, RCITY_REAL(1.012)) *
                       rcity_real_exp(RCITY_REAL(-1e-6) * exponent * rcity_real_pow(distance_km, RCITY_REAL(1.13)));
    return RCITY_REAL(-12.0) + (RCITY_REAL(1.2) + RCITY_REAL(3.7e-3) * distance_km) * log_ratio +
           RCITY_REAL(12.0) * rcity_terrain_pow10(gamma * log_ratio);
}

/* The loss, equations (46) to (56). */
RCITY_KERNEL rcity_real rcity_p1812_ducting_db(const rcity_p1812_link *link, const rcity_p1812_horizons *at,
                                               const rcity_profile_shape *shape, rcity_real log_beta0, rcity_real tau,
                                               rcity_real radius_km)
{
    rcity_real f = link->frequency_ghz;
    rcity_real d = shape->distance_km;
    rcity_real fixed_db = RCITY_REAL(102.45) + RCITY_REAL(20.0) * rcity_real_log10(f * (at->tx_km + at->rx_km));
    if (f < RCITY_REAL(0.5)) {
        fixed_db += RCITY_REAL(45.375) + f * (RCITY_REAL(92.5) * f - RCITY_REAL(137.0));
    }
    fixed_db += rcity_p1812_shielding_db(at->tx_mrad, at->tx_km, f);
    fixed_db += rcity_p1812_shielding_db(at->rx_mrad, at->rx_km, f);
    fixed_db += rcity_p1812_coast_db(link->tx_coast_km, at->tx_km, shape->tx_m, link->sea_share);
    fixed_db += rcity_p1812_coast_db(link->rx_coast_km, at->rx_km, shape->rx_m, link->sea_share);
    rcity_real angle_mrad = RCITY_REAL(1000.0) * d / radius_km +
                            rcity_terrain_min(at->tx_mrad, RCITY_REAL(0.1) * at->tx_km) +
                            rcity_terrain_min(at->rx_mrad, RCITY_REAL(0.1) * at->rx_km);
    rcity_real log_beta = rcity_p1812_log_beta(at, log_beta0, tau, d, radius_km);
    return fixed_db + RCITY_REAL(5e-5) * radius_km * rcity_terrain_cube_root(f) * angle_mrad +
           rcity_p1812_duct_time_db(link->time_percent, log_beta, d);
}

#endif

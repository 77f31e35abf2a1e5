/* Diffraction over a smooth spherical Earth (ITU-R P.1812-6, sections 4.3.2 and 4.3.3; ITU-R P.526-15, section 3.2). */
#ifndef RCITY_KERNEL_TERRAIN_SMOOTH_EARTH_H
#define RCITY_KERNEL_TERRAIN_SMOOTH_EARTH_H

#include "kernel/terrain/terrain_math.h"

#define RCITY_SMOOTH_LAND_PERMITTIVITY RCITY_REAL(22.0)
#define RCITY_SMOOTH_LAND_S_PER_M      RCITY_REAL(0.003)
#define RCITY_SMOOTH_SEA_PERMITTIVITY  RCITY_REAL(80.0)
#define RCITY_SMOOTH_SEA_S_PER_M       RCITY_REAL(5.0)

/* Two antennas over a smooth Earth. */
typedef struct rcity_smooth_path {
    rcity_real distance_km;
    rcity_real tx_m, rx_m; /* over the smooth surface */
    rcity_real frequency_ghz, wavelength_m;
    rcity_real sea_share; /* of the path */
    rcity_i32 is_vertical;
} rcity_smooth_path;

/* Height gain in dB of an antenna at the normalised height y, equations (35) and (36). */
RCITY_KERNEL rcity_real rcity_smooth_height_gain_db(rcity_real y, rcity_real beta, rcity_real k)
{
    rcity_real b = beta * y;
    rcity_real gain;
    if (b > RCITY_REAL(2.0)) {
        rcity_real over = b - RCITY_REAL(1.1);
        gain = RCITY_REAL(17.6) * rcity_real_sqrt(over) - RCITY_REAL(5.0) * rcity_real_log10(over) - RCITY_REAL(8.0);
    } else {
        gain = RCITY_REAL(20.0) * rcity_real_log10(b + RCITY_REAL(0.1) * b * b * b);
    }
    return rcity_terrain_max(gain, RCITY_REAL(2.0) + RCITY_REAL(20.0) * rcity_real_log10(k));
}

/* The first term of the residue series over one kind of ground, equations (29) to (37). */
RCITY_KERNEL rcity_real rcity_smooth_ground_db(const rcity_smooth_path *path, rcity_real radius_km,
                                               rcity_real permittivity, rcity_real s_per_m)
{
    const rcity_real one = RCITY_REAL(1.0);
    rcity_real f = path->frequency_ghz;
    rcity_real lost = RCITY_REAL(18.0) * s_per_m / f;
    rcity_real size = rcity_terrain_square(permittivity - one) + rcity_terrain_square(lost);
    rcity_real k =
        RCITY_REAL(0.036) / (rcity_terrain_cube_root(radius_km * f) * rcity_real_sqrt(rcity_real_sqrt(size)));
    if (path->is_vertical) {
        k *= rcity_real_sqrt(rcity_terrain_square(permittivity) + rcity_terrain_square(lost));
    }
    rcity_real k2 = k * k;
    rcity_real beta = (one + RCITY_REAL(1.6) * k2 + RCITY_REAL(0.67) * k2 * k2) /
                      (one + RCITY_REAL(4.5) * k2 + RCITY_REAL(1.53) * k2 * k2);
    rcity_real x = RCITY_REAL(21.88) * beta * rcity_terrain_cube_root(f / (radius_km * radius_km)) * path->distance_km;
    rcity_real y = RCITY_REAL(0.9575) * beta * rcity_terrain_cube_root(f * f / radius_km);
    rcity_real gain_db;
    if (x >= RCITY_REAL(1.6)) {
        gain_db = RCITY_REAL(11.0) + RCITY_REAL(10.0) * rcity_real_log10(x) - RCITY_REAL(17.6) * x;
    } else {
        gain_db = RCITY_REAL(-20.0) * rcity_real_log10(x) - RCITY_REAL(5.6488) * rcity_real_pow(x, RCITY_REAL(1.425));
    }
    return -gain_db - rcity_smooth_height_gain_db(y * path->tx_m, beta, k) -
           rcity_smooth_height_gain_db(y * path->rx_m, beta, k);
}

/* The same over a path of land and sea, equation (28). */
RCITY_KERNEL rcity_real rcity_smooth_first_term_db(const rcity_smooth_path *path, rcity_real radius_km)
{
    rcity_real loss_db = RCITY_REAL(0.0);
    if (path->sea_share > RCITY_REAL(0.0)) {
        loss_db += path->sea_share *
                   rcity_smooth_ground_db(path, radius_km, RCITY_SMOOTH_SEA_PERMITTIVITY, RCITY_SMOOTH_SEA_S_PER_M);
    }
    if (path->sea_share < RCITY_REAL(1.0)) {
        loss_db += (RCITY_REAL(1.0) - path->sea_share) *
                   rcity_smooth_ground_db(path, radius_km, RCITY_SMOOTH_LAND_PERMITTIVITY, RCITY_SMOOTH_LAND_S_PER_M);
    }
    return loss_db;
}

/* The diffraction loss, equations (22) to (27): none with enough clearance, the first term beyond the horizon, in between
   that of an Earth on whose horizon the receiver lies, weighted by the clearance. Equation (25) has the cosine of a
   third of an arc cosine; near a right angle, as on short paths, its sine is the same with all its digits. */
RCITY_KERNEL rcity_real rcity_smooth_earth_db(const rcity_smooth_path *path, rcity_real radius_km)
{
    const rcity_real zero = RCITY_REAL(0.0);
    const rcity_real one = RCITY_REAL(1.0);
    const rcity_real half_of = RCITY_REAL(0.5);
    rcity_real d = path->distance_km;
    rcity_real roots = rcity_real_sqrt(path->tx_m) + rcity_real_sqrt(path->rx_m);
    if (d >= rcity_real_sqrt(RCITY_REAL(0.002) * radius_km) * roots) {
        return rcity_smooth_first_term_db(path, radius_km);
    }
    rcity_real sum = path->tx_m + path->rx_m;
    rcity_real c = (path->tx_m - path->rx_m) / sum;
    rcity_real m = RCITY_REAL(250.0) * d * d / (radius_km * sum);
    rcity_real w = RCITY_REAL(1.5) * c * rcity_real_sqrt(RCITY_REAL(3.0) * m / ((m + one) * (m + one) * (m + one)));
    rcity_real angle = rcity_real_atan2(w, rcity_real_sqrt(rcity_terrain_max(one - w * w, zero)));
    rcity_real b =
        RCITY_REAL(2.0) * rcity_real_sqrt((m + one) / (RCITY_REAL(3.0) * m)) * rcity_real_sin(angle / RCITY_REAL(3.0));
    rcity_real first = half_of * d * (one + b);
    rcity_real second = d - first;
    rcity_real bulge = RCITY_REAL(500.0) / radius_km;
    rcity_real clearance_m =
        ((path->tx_m - bulge * first * first) * second + (path->rx_m - bulge * second * second) * first) / d;
    rcity_real needed_m = RCITY_REAL(17.456) * rcity_real_sqrt(first * second * path->wavelength_m / d);
    if (clearance_m > needed_m) {
        return zero;
    }
    rcity_real loss_db = rcity_smooth_first_term_db(path, RCITY_REAL(500.0) * rcity_terrain_square(d / roots));
    return rcity_terrain_max(loss_db, zero) * (one - clearance_m / needed_m);
}

#endif

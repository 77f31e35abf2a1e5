/* What a prediction by ITU-R P.1812 starts from, its limits, and what a climate is to it. The edition is P.1812-6 (2021):
   the published profiles that the tests hold every intermediate value against follow it. What stands on the ground is
   part of the profile (section 3.2.1: not at the two ends), and there is no loss of its own for clutter at the ends. */
#ifndef RCITY_KERNEL_TERRAIN_P1812_P1812_LINK_H
#define RCITY_KERNEL_TERRAIN_P1812_P1812_LINK_H

#include "kernel/terrain/terrain_math.h"

/* The range for which it is published; for the checks of the host, since these are numbers of double precision. */
#define RCITY_P1812_FREQUENCY_MIN_GHZ    0.03
#define RCITY_P1812_FREQUENCY_MAX_GHZ    6.0
#define RCITY_P1812_DISTANCE_MIN_KM      0.25
#define RCITY_P1812_DISTANCE_MAX_KM      3000.0
#define RCITY_P1812_HEIGHT_MIN_M         1.0
#define RCITY_P1812_HEIGHT_MAX_M         3000.0
#define RCITY_P1812_TIME_MIN_PERCENT     1.0
#define RCITY_P1812_TIME_MAX_PERCENT     50.0
#define RCITY_P1812_LOCATION_MIN_PERCENT 1.0
#define RCITY_P1812_LOCATION_MAX_PERCENT 99.0

/* The climate when nobody says which: refractivity falls by 45 N-units in the lowest kilometre and is 325 N-units at the
   sea, the medians of an average year in the middle latitudes of the maps of ITU-R P.1812 (40 to 50 and 310 to 330 in
   most of Europe; the published profiles have 45, 324 and 326). The effective Earth is then 1.40 times the true one. */
#define RCITY_P1812_GRADIENT_DEFAULT     45
#define RCITY_P1812_REFRACTIVITY_DEFAULT 325
#define RCITY_P1812_LATITUDE_DEFAULT_DEG 45
#define RCITY_P1812_FAR_KM               500 /* a coast so far away does not matter */
#define RCITY_P1812_GRADIENT_MIN         0.0 /* the limits are ours: what the maps hold, and no division by zero */
#define RCITY_P1812_GRADIENT_MAX         120.0
#define RCITY_P1812_REFRACTIVITY_MIN     200.0
#define RCITY_P1812_REFRACTIVITY_MAX     450.0

#define RCITY_P1812_EARTH_KM       RCITY_REAL(6371.0)
#define RCITY_P1812_DUCT_RADIUS_KM RCITY_REAL(19113.0) /* 3 Earth radii, equation (7b) */
#define RCITY_P1812_FIELD_AT_1_GHZ RCITY_REAL(199.36)  /* dB(uV/m) of 1 kW e.r.p. at no loss, equation (70) */

/* Numbers only, so that it can be part of a job. */
typedef struct rcity_p1812_link {
    rcity_real frequency_ghz;
    rcity_real tx_height_m, rx_height_m; /* above the ground */
    rcity_real time_percent;             /* of an average year in which the loss is not exceeded */
    rcity_real location_percent;         /* of places near the receiver where it is not exceeded */
    rcity_real location_width_m;         /* of the square these places lie in; 0: they do not differ */
    rcity_real gradient;                 /* by how many N-units refractivity falls in the lowest kilometre */
    rcity_real refractivity;             /* at the sea, N-units */
    rcity_real latitude_deg;             /* of the middle of the path */
    rcity_real sea_share;                /* of the path, 0 to 1 */
    rcity_real land_km, inland_km; /* longest stretch over land, coast included and without it; at most the path */
    rcity_real tx_coast_km, rx_coast_km; /* over land along the path to the coast */
    rcity_real clear_m;                  /* what stands nearer than this to an end does not count; P.1812-6 has 0 */
    rcity_i32 is_vertical;               /* polarization */
} rcity_p1812_link;

/* A link inland in the climate above: half the time, half the places. Frequency and heights are the caller's. */
RCITY_KERNEL rcity_p1812_link rcity_p1812_link_default(void)
{
    rcity_p1812_link link;
    link.frequency_ghz = RCITY_REAL(1.0);
    link.tx_height_m = RCITY_REAL(30.0);
    link.rx_height_m = RCITY_REAL(1.5);
    link.time_percent = RCITY_REAL(50.0);
    link.location_percent = RCITY_REAL(50.0);
    link.location_width_m = RCITY_REAL(0.0);
    link.gradient = (rcity_real)RCITY_P1812_GRADIENT_DEFAULT;
    link.refractivity = (rcity_real)RCITY_P1812_REFRACTIVITY_DEFAULT;
    link.latitude_deg = (rcity_real)RCITY_P1812_LATITUDE_DEFAULT_DEG;
    link.sea_share = RCITY_REAL(0.0);
    link.land_km = RCITY_REAL(3000.0);
    link.inland_km = RCITY_REAL(3000.0);
    link.tx_coast_km = (rcity_real)RCITY_P1812_FAR_KM;
    link.rx_coast_km = (rcity_real)RCITY_P1812_FAR_KM;
    link.clear_m = RCITY_REAL(0.0);
    link.is_vertical = 1;
    return link;
}

/* The radius of the Earth over which the median ray is straight, equations (6) and (7a). */
RCITY_KERNEL rcity_real rcity_p1812_radius_km(rcity_real gradient)
{
    return RCITY_P1812_EARTH_KM * RCITY_REAL(157.0) / (RCITY_REAL(157.0) - gradient);
}

/* What ducts over land, equation (3). */
RCITY_KERNEL rcity_real rcity_p1812_inland(rcity_real inland_km)
{
    return -rcity_real_expm1(RCITY_REAL(-4.12e-4) * rcity_real_pow(inland_km, RCITY_REAL(2.41)));
}

/* log10 of the percentage of time in which refractivity falls by more than 100 N-units in the lowest 100 metres, beta0,
   equations (2) to (5). Logarithms, since what ducting makes of it is too small for single precision. */
RCITY_KERNEL rcity_real rcity_p1812_log_beta0(rcity_real latitude_deg, rcity_real land_km, rcity_real inland_km)
{
    const rcity_real tau = rcity_p1812_inland(inland_km);
    rcity_real latitude = rcity_real_fabs(latitude_deg);
    rcity_real land = rcity_terrain_pow10(-land_km / (RCITY_REAL(16.0) - RCITY_REAL(6.6) * tau)) +
                      rcity_terrain_pow10(RCITY_REAL(-5.0) * (RCITY_REAL(0.496) + RCITY_REAL(0.354) * tau));
    rcity_real log_mu1 = rcity_terrain_min(RCITY_REAL(0.2) * rcity_real_log10(land), RCITY_REAL(0.0));
    if (latitude <= RCITY_REAL(70.0)) {
        rcity_real mu4 = RCITY_REAL(-0.935) + RCITY_REAL(0.0176) * latitude;
        return RCITY_REAL(1.67) - RCITY_REAL(0.015) * latitude + log_mu1 + mu4 * log_mu1;
    }
    return RCITY_REAL(0.62013605497375738) + log_mu1 + RCITY_REAL(0.3) * log_mu1; /* log10 4.17 */
}

/* The value that a standard normal variable exceeds with this probability, by the rational function of attachment 2 to
   annex 1 (Hastings'): within 0.00054 of the true one. It is what the published values have. */
RCITY_KERNEL rcity_real rcity_p1812_exceeded(rcity_real probability)
{
    rcity_real tail = rcity_terrain_min(probability, RCITY_REAL(1.0) - probability);
    rcity_real t = rcity_real_sqrt(RCITY_REAL(-4.60517018598809136804) * rcity_real_log10(tail)); /* sqrt(-2 ln tail) */
    rcity_real above = (RCITY_REAL(0.010328) * t + RCITY_REAL(0.802853)) * t + RCITY_REAL(2.515516698);
    rcity_real below =
        ((RCITY_REAL(0.001308) * t + RCITY_REAL(0.189269)) * t + RCITY_REAL(1.432788)) * t + RCITY_REAL(1.0);
    rcity_real value = t - above / below;
    return probability > RCITY_REAL(0.5) ? -value : value;
}

/* How far the loss at a share of the places lies from that at half of them, section 4.8, equations (64) to (68): none
   over the sea, where nothing differs, and for a receiver 10 metres above what stands around it. */
RCITY_KERNEL rcity_real rcity_p1812_location_db(rcity_p1812_link link, rcity_real cover_m)
{
    if (!(link.location_width_m > RCITY_REAL(0.0)) || !(link.sea_share < RCITY_REAL(1.0))) {
        return RCITY_REAL(0.0);
    }
    rcity_real sigma_db = (RCITY_REAL(0.52) + RCITY_REAL(0.024) * link.frequency_ghz) *
                          rcity_real_pow(link.location_width_m, RCITY_REAL(0.28));
    rcity_real over = RCITY_REAL(0.1) * (link.rx_height_m - cover_m);
    sigma_db *= RCITY_REAL(1.0) - rcity_terrain_min(rcity_terrain_max(over, RCITY_REAL(0.0)), RCITY_REAL(1.0));
    return -rcity_p1812_exceeded(RCITY_REAL(0.01) * link.location_percent) * sigma_db;
}

#endif

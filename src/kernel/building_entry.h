/* Building entry loss, ITU-R P.2109, measured in many buildings. Equations and table are those of Recommendation ITU-R
   P.2109-1 (08/2019), annex 1, section 3; edition 2 has the same. */
#ifndef RCITY_KERNEL_BUILDING_ENTRY_H
#define RCITY_KERNEL_BUILDING_ENTRY_H

#include "kernel/normal_quantile.h"

/* Published range: "between about 80 MHz and 100 GHz", probabilities between 0 and 1, both excluded. */
#define RCITY_P2109_FREQUENCY_MIN_HZ  80e6
#define RCITY_P2109_FREQUENCY_MAX_HZ  100e9
#define RCITY_P2109_ELEVATION_MAX_RAD 1.57079632679489661923 /* up or down */

/* Classes of buildings, by the thermal insulation of their outer walls. Metallised glass and foil-backed panels make a
   building thermally efficient, whatever its age; without them it is traditional. */
#define RCITY_P2109_TRADITIONAL 0
#define RCITY_P2109_EFFICIENT   1

#define RCITY_P2109_ELEVATION_DB_PER_DEG 0.212f  /* equation (10) */
#define RCITY_P2109_FLOOR_DB             (-3.0f) /* C, equation (4) */

/* Table 1, with its letters. */
typedef struct rcity_p2109_row {
    float r, s, t; /* median loss on horizontal paths */
    float u, v;    /* its deviation */
    float w, x;    /* median of a second part, which matters where the first one is small */
    float y, z;    /* its deviation */
} rcity_p2109_row;

RCITY_KERNEL rcity_p2109_row rcity_p2109_find(rcity_i32 building)
{
    rcity_p2109_row traditional = {12.64f, 3.72f, 0.96f, 9.6f, 2.0f, 9.1f, -3.0f, 4.5f, -2.0f};
    rcity_p2109_row efficient = {28.19f, -3.0f, 8.48f, 13.5f, 3.8f, 27.8f, -2.9f, 9.4f, -2.1f};
    return building == RCITY_P2109_EFFICIENT ? efficient : traditional;
}

/* Lh, equation (9): the median of the first part alone, for a horizontal path. */
RCITY_KERNEL float rcity_p2109_horizontal_db(float frequency_ghz, rcity_i32 building)
{
    rcity_p2109_row row = rcity_p2109_find(building);
    float log_f = rcity_log10(frequency_ghz);
    return row.r + row.s * log_f + row.t * log_f * log_f;
}

/* The loss that is not exceeded with a probability, over locations in a building and over buildings of the class;
   equations (1) to (10): the sum of the powers of A = F^-1(P) sigma1 + mu1, of B = F^-1(P) sigma2 + mu2 and of C. The
   elevation is that of the path where it meets the facade; up and down are the same. At 0.5 the loss is a little more
   than the median of A. */
RCITY_KERNEL float rcity_building_entry_loss_db(float frequency_ghz, rcity_i32 building, float probability,
                                                float elevation_rad)
{
    rcity_p2109_row row = rcity_p2109_find(building);
    float log_f = rcity_log10(frequency_ghz);
    float quantile = rcity_normal_quantile(probability);
    float elevation_deg = rcity_fabs(elevation_rad) * (180.0f / RCITY_PI);
    float a_db = rcity_p2109_horizontal_db(frequency_ghz, building) + RCITY_P2109_ELEVATION_DB_PER_DEG * elevation_deg +
                 quantile * (row.u + row.v * log_f);
    float b_db = row.w + row.x * log_f + quantile * (row.y + row.z * log_f);
    return 10.0f * rcity_log10(rcity_pow(10.0f, 0.1f * a_db) + rcity_pow(10.0f, 0.1f * b_db) +
                               rcity_pow(10.0f, 0.1f * RCITY_P2109_FLOOR_DB));
}

#endif

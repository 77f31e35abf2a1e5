/* 3GPP urban macrocell (UMa) and urban microcell in a street canyon (UMi).
   Tables and equations are those of 3GPP TR 38.901, versions 16.1.0 and 17.0.0, section 7.4. */
#ifndef RCITY_KERNEL_TR38901_H
#define RCITY_KERNEL_TR38901_H

#include "kernel/link.h"

/* Published range, table 7.4.1-1 with section 7.2: base stations have one height. */
#define RCITY_TR38901_FREQUENCY_MIN_HZ 0.5e9
#define RCITY_TR38901_FREQUENCY_MAX_HZ 100e9
#define RCITY_TR38901_UMA_TX_HEIGHT_M  25.0
#define RCITY_TR38901_UMI_TX_HEIGHT_M  10.0
#define RCITY_TR38901_RX_HEIGHT_MIN_M  1.5
#define RCITY_TR38901_RX_HEIGHT_MAX_M  22.5
#define RCITY_TR38901_DISTANCE_MIN_M   10.0
#define RCITY_TR38901_DISTANCE_MAX_M   5e3

#define RCITY_TR38901_UMA 0
#define RCITY_TR38901_UMI 1

/* The speed of light that note 1 of the table prints; it sets the breakpoint. */
#define RCITY_TR38901_LIGHT_M_PER_S 3.0e8f

/* UMa receivers above this height have a higher effective environment and a higher probability of line of sight. */
#define RCITY_TR38901_HIGH_RX_M     13.0f
#define RCITY_TR38901_HIGH_RX_MAX_M 23.0f

/* One link in the terms of the tables; the frequency in GHz. */
typedef struct rcity_tr38901_path {
    float frequency_ghz;
    float plan_m;      /* d2D */
    float rise_m;      /* from the receiver up to the antenna: hBS - hUT on flat ground */
    float tx_height_m; /* hBS */
    float rx_height_m; /* hUT */
} rcity_tr38901_path;

/* log10 of d3D. */
RCITY_KERNEL float rcity_tr38901_log_distance(rcity_tr38901_path path)
{
    float distance_m = rcity_sqrt(path.plan_m * path.plan_m + path.rise_m * path.rise_m);
    return rcity_log10(rcity_fmax(distance_m, RCITY_LINK_DISTANCE_MIN_M));
}

/* Line of sight for one effective environment height: PL1 up to the breakpoint d'BP = 4 h'BS h'UT f / c, PL2 beyond it.
   The difference of heights in PL2 is that of the two ends in space. On flat ground this is the same, and on slopes
   both parts still meet. */
RCITY_KERNEL float rcity_tr38901_sight_over_db(rcity_tr38901_path path, rcity_i32 scenario, float environment_m)
{
    float near_db = scenario == RCITY_TR38901_UMA ? 28.0f : 32.4f;
    float near_slope = scenario == RCITY_TR38901_UMA ? 22.0f : 21.0f;
    float break_factor = scenario == RCITY_TR38901_UMA ? 9.0f : 9.5f;
    float tx_m = rcity_fmax(path.tx_height_m - environment_m, RCITY_LINK_HEIGHT_MIN_M);
    float rx_m = rcity_fmax(path.rx_height_m - environment_m, RCITY_LINK_HEIGHT_MIN_M);
    float break_m = 4.0f * tx_m * rx_m * (path.frequency_ghz * 1e9f / RCITY_TR38901_LIGHT_M_PER_S);
    float log_d = rcity_tr38901_log_distance(path);
    float log_f = rcity_log10(path.frequency_ghz);
    if (path.plan_m <= break_m) {
        return near_db + near_slope * log_d + 20.0f * log_f;
    }
    float break_squared = break_m * break_m + path.rise_m * path.rise_m;
    return near_db + 40.0f * log_d + 20.0f * log_f - break_factor * rcity_log10(break_squared);
}

/* C(d2D, hUT) of note 1: the odds, relative to 1 m, that a high UMa receiver has a higher environment. */
RCITY_KERNEL float rcity_tr38901_high_odds(float plan_m, float rx_height_m)
{
    if (rx_height_m < RCITY_TR38901_HIGH_RX_M || plan_m <= 18.0f) {
        return 0.0f;
    }
    float height = 0.1f * (rcity_fmin(rx_height_m, RCITY_TR38901_HIGH_RX_MAX_M) - RCITY_TR38901_HIGH_RX_M);
    float d = 0.01f * plan_m;
    return height * rcity_sqrt(height) * 1.25f * d * d * d * rcity_exp(-plan_m / 150.0f);
}

/* Line of sight, table 7.4.1-1. The environment height is 1 m; for UMa and receivers from 13 m on, note 1 draws it: 1 m
   with probability 1 / (1 + C), else one of 12, 15, ... hUT - 1.5 m. The report does not say how the list ends where
   hUT - 1.5 m is off this grid: here it has 12 m and all 12 + 3k m that fit. A map shows the mean of the losses, not a
   random draw. */
RCITY_KERNEL float rcity_tr38901_sight_loss_db(rcity_tr38901_path path, rcity_i32 scenario)
{
    float low_db = rcity_tr38901_sight_over_db(path, scenario, 1.0f);
    float odds = scenario == RCITY_TR38901_UMA ? rcity_tr38901_high_odds(path.plan_m, path.rx_height_m) : 0.0f;
    if (odds <= 0.0f) {
        return low_db;
    }
    float top_m = rcity_fmin(path.rx_height_m, RCITY_TR38901_HIGH_RX_MAX_M) - 1.5f;
    float sum_db = rcity_tr38901_sight_over_db(path, scenario, 12.0f);
    rcity_i32 count = 1;
    for (; 12.0f + 3.0f * (float)count <= top_m; count++) {
        sum_db += rcity_tr38901_sight_over_db(path, scenario, 12.0f + 3.0f * (float)count);
    }
    return (low_db + odds * (sum_db / (float)count)) / (1.0f + odds);
}

/* Without line of sight, table 7.4.1-1: never less than with it. */
RCITY_KERNEL float rcity_tr38901_shadow_loss_db(rcity_tr38901_path path, rcity_i32 scenario)
{
    float log_d = rcity_tr38901_log_distance(path);
    float log_f = rcity_log10(path.frequency_ghz);
    float over_m = path.rx_height_m - 1.5f;
    float shadow_db = scenario == RCITY_TR38901_UMA ? 13.54f + 39.08f * log_d + 20.0f * log_f - 0.6f * over_m
                                                    : 22.4f + 35.3f * log_d + 21.3f * log_f - 0.3f * over_m;
    return rcity_fmax(shadow_db, rcity_tr38901_sight_loss_db(path, scenario));
}

/* Probability of line of sight, table 7.4.2-1. */
RCITY_KERNEL float rcity_tr38901_sight_probability(float plan_m, float rx_height_m, rcity_i32 scenario)
{
    if (plan_m <= 18.0f) {
        return 1.0f;
    }
    float near = 18.0f / plan_m;
    float reach_m = scenario == RCITY_TR38901_UMA ? 63.0f : 36.0f;
    float probability = near + rcity_exp(-plan_m / reach_m) * (1.0f - near);
    /* the table's factor for high receivers is 1 + C, with the C of the environment height */
    float odds = scenario == RCITY_TR38901_UMA ? rcity_tr38901_high_odds(plan_m, rx_height_m) : 0.0f;
    return rcity_fmin(probability * (1.0f + odds), 1.0f);
}

/* Where the line-of-sight state comes from. */
#define RCITY_TR38901_SIGHT_GIVEN    0 /* given for each receiver: 1 or 0 */
#define RCITY_TR38901_SIGHT_EXPECTED 1 /* the mean loss, weighted with the probability */

/* Numbers only, so that it can be a kernel argument. */
typedef struct rcity_tr38901_job {
    rcity_link_frame frame;
    float frequency_ghz;
    rcity_i32 scenario;
    rcity_i32 sight;
    rcity_i32 padding; /* the struct has the same size for every compiler */
} rcity_tr38901_job;

RCITY_KERNEL float rcity_tr38901_link(rcity_tr38901_job job, rcity_link link, float is_visible)
{
    rcity_tr38901_path path;
    path.frequency_ghz = job.frequency_ghz;
    path.plan_m = link.plan_m;
    path.rise_m = link.rise_m;
    path.tx_height_m = link.tx_height_m;
    path.rx_height_m = link.rx_height_m;
    if (job.sight == RCITY_TR38901_SIGHT_EXPECTED) {
        float p = rcity_tr38901_sight_probability(link.plan_m, link.rx_height_m, job.scenario);
        return p * rcity_tr38901_sight_loss_db(path, job.scenario) +
               (1.0f - p) * rcity_tr38901_shadow_loss_db(path, job.scenario);
    }
    return is_visible != 0.0f ? rcity_tr38901_sight_loss_db(path, job.scenario)
                              : rcity_tr38901_shadow_loss_db(path, job.scenario);
}

/* One cell of a raster; z_m is the receiver's height, NaN where there is none. */
RCITY_KERNEL float rcity_tr38901_cell(rcity_tr38901_job job, float z_m, float is_visible, rcity_i64 cell)
{
    return rcity_isnan(z_m) ? RCITY_NAN : rcity_tr38901_link(job, rcity_link_to_cell(job.frame, z_m, cell), is_visible);
}

/* One receiver of a list of points. */
RCITY_KERNEL float rcity_tr38901_point(rcity_tr38901_job job, rcity_link_point rx, float is_visible)
{
    return rcity_isnan(rx.z_m) ? RCITY_NAN : rcity_tr38901_link(job, rcity_link_to_point(job.frame, rx), is_visible);
}

#endif

/* A receiver while its paths are added, each weighed as it is added: the strongest path with and without the antenna,
   and sums of powers. */
#ifndef RCITY_KERNEL_SHADOW_SHADOW_TALLY_H
#define RCITY_KERNEL_SHADOW_SHADOW_TALLY_H

#include "kernel/antenna.h"
#include "kernel/shadow/shadow_loss.h"

/* The mechanism of a path; numbered as rcity_mechanism, which shadow_weigh.c checks. */
#define RCITY_SHADOW_PATH_NONE    (-1)
#define RCITY_SHADOW_PATH_DIRECT  0
#define RCITY_SHADOW_PATH_WALLS   1
#define RCITY_SHADOW_PATH_CORNER  2
#define RCITY_SHADOW_PATH_ROOF    3
#define RCITY_SHADOW_PATH_DIFFUSE 6

/* Numbers only, so that it can be a kernel argument. */
typedef struct rcity_shadow_weights {
    rcity_shadow_law law;
    rcity_antenna_job antenna;
    float level_dbm;               /* radiated power less the transmitting antenna's gain, plus the receiver's gain */
    rcity_i32 adds_powers;         /* of all paths; otherwise only the strongest counts */
    float receiver_height_m;       /* above the ground, where receivers have no height of their own */
    rcity_surroundings_end source; /* set by the trace that is weighed */
} rcity_shadow_weights;

typedef struct rcity_shadow_tally {
    float loss_db;             /* of the strongest path between isotropic antennas */
    float gained_db;           /* of the strongest with the antenna: loss less gain */
    float power, gained_power; /* sums, where they are requested */
    rcity_i32 mechanism;       /* of the strongest with the antenna */
    rcity_i32 turn_count;
} rcity_shadow_tally;

/* The result at a receiver; NaN and -1 where there is no path. */
typedef struct rcity_shadow_level {
    float loss_db, received_dbm;
    rcity_i32 mechanism, turn_count;
} rcity_shadow_level;

#define RCITY_SHADOW_NEPER 0.230258509f /* ln(10) / 10 */
#define RCITY_SHADOW_FAR   1e30f        /* dB */

RCITY_KERNEL void rcity_shadow_tally_begin(rcity_shadow_tally *tally)
{
    tally->loss_db = RCITY_SHADOW_FAR;
    tally->gained_db = RCITY_SHADOW_FAR;
    tally->power = 0.0f;
    tally->gained_power = 0.0f;
    tally->mechanism = RCITY_SHADOW_PATH_NONE;
    tally->turn_count = -1;
}

/* Does a path of this loss not matter, whatever the antenna's gain in its direction? */
RCITY_KERNEL int rcity_shadow_tally_is_beaten(const rcity_shadow_weights *weights, float loss_db,
                                              const rcity_shadow_tally *tally)
{
    return !weights->adds_powers && loss_db >= tally->loss_db &&
           loss_db - weights->antenna.gain_dbi >= tally->gained_db;
}

/* Adds a path with the antenna's gain in its direction. Of paths with equal loss the first stays. */
RCITY_KERNEL void rcity_shadow_tally_add(const rcity_shadow_weights *weights, float loss_db, float gain_db,
                                         rcity_i32 mechanism, rcity_i32 turn_count, rcity_shadow_tally *tally)
{
    float gained_db = loss_db - gain_db;
    int is_stronger = gained_db < tally->gained_db;
    tally->loss_db = loss_db < tally->loss_db ? loss_db : tally->loss_db;
    tally->gained_db = is_stronger ? gained_db : tally->gained_db;
    tally->mechanism = is_stronger ? mechanism : tally->mechanism;
    tally->turn_count = is_stronger ? turn_count : tally->turn_count;
    if (weights->adds_powers) {
        tally->power += rcity_exp(-RCITY_SHADOW_NEPER * loss_db);
        tally->gained_power += rcity_exp(-RCITY_SHADOW_NEPER * gained_db);
    }
}

/* The same for a path that leaves in a direction: in plan (of length 1), with a rise over a run. */
RCITY_KERNEL void rcity_shadow_tally_take(const rcity_shadow_weights *weights, RCITY_GLOBAL const float *pattern,
                                          rcity_vec3 direction, float loss_db, rcity_i32 mechanism,
                                          rcity_i32 turn_count, rcity_shadow_tally *tally)
{
    if (!rcity_shadow_tally_is_beaten(weights, loss_db, tally)) {
        float gain_db = rcity_antenna_gain(weights->antenna, pattern, direction);
        rcity_shadow_tally_add(weights, loss_db, gain_db, mechanism, turn_count, tally);
    }
}

/* A direction from its azimuth in plan, of length 1, and a slope, rise over run. */
RCITY_KERNEL rcity_vec3 rcity_shadow_direction(float dx, float dy, float slope)
{
    rcity_vec3 direction;
    direction.x = dx;
    direction.y = dy;
    direction.z = slope;
    return direction;
}

/* The same with an elevation; straight up is a direction too. Computed only where it is needed. */
RCITY_KERNEL rcity_vec3 rcity_shadow_direction_at(const rcity_shadow_weights *weights, float dx, float dy,
                                                  float elevation_rad)
{
    rcity_vec3 direction = rcity_shadow_direction(dx, dy, 0.0f);
    if (weights->antenna.kind != RCITY_ANTENNA_KIND_ISOTROPIC) {
        float run = rcity_cos(elevation_rad);
        direction.x *= run;
        direction.y *= run;
        direction.z = rcity_sin(elevation_rad);
    }
    return direction;
}

RCITY_KERNEL rcity_shadow_level rcity_shadow_tally_end(const rcity_shadow_weights *weights,
                                                       const rcity_shadow_tally *tally)
{
    rcity_shadow_level level;
    level.mechanism = tally->mechanism;
    level.turn_count = tally->turn_count;
    if (tally->mechanism == RCITY_SHADOW_PATH_NONE) {
        level.loss_db = RCITY_NAN;
        level.received_dbm = RCITY_NAN;
    } else if (weights->adds_powers) {
        level.loss_db = -10.0f * rcity_log10(tally->power);
        level.received_dbm = weights->level_dbm + 10.0f * rcity_log10(tally->gained_power);
    } else {
        level.loss_db = tally->loss_db;
        level.received_dbm = weights->level_dbm - tally->gained_db;
    }
    return level;
}

#endif

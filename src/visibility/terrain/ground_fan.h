/* The directions of a source in fans of neighbours, ring by ring on the host's threads. */
#ifndef RCITY_VISIBILITY_TERRAIN_GROUND_FAN_H
#define RCITY_VISIBILITY_TERRAIN_GROUND_FAN_H

#include "kernel/visibility/ground/ground_octant.h"
#include "visibility/terrain/ground_sight.h"

#define RCITY_GROUND_FAN_BINS      256 /* directions of a fan */
#define RCITY_GROUND_BINS_PER_RING 2   /* at least 2: no more than one node of a ring lies in a bin */

/* The job of one source. @return false if single precision does not serve it: a source off the grid, a grid too large. */
bool rcity_ground_job_make(const rcity_ground_sight *sight, rcity_grid_point3 source,
                           const rcity_ground_targets *targets, rcity_ground_job *job);

/* What a fan reads and writes. */
typedef struct rcity_ground_field {
    const rcity_ground_job *job;
    const int32_t *nodes;
    const int32_t *x, *y, *z; /* of targets */
    uint8_t *seen;
    float *needed_m, *error_m; /* wanted instead of `seen`, if not NULL: see rcity_ground_sight_needed() */
} rcity_ground_field;

/* Decide the targets in fan `fan` of an octant; RCITY_GROUND_UNDECIDED where the bounds do not. */
void rcity_ground_fan_sweep(const rcity_ground_field *field, int octant, int32_t fan);

#endif

/* The directions of a source in fans of neighbours, ring by ring on the host's threads. */
#ifndef RCITY_VISIBILITY_TERRAIN_GROUND_FAN_H
#define RCITY_VISIBILITY_TERRAIN_GROUND_FAN_H

#include "kernel/visibility/ground/ground_octant.h"
#include "visibility/terrain/ground_sight.h"

#define RCITY_GROUND_FAN_BINS      256 /* directions of a fan */
#define RCITY_GROUND_BINS_PER_RING 2   /* at least 2: no more than one node of a ring lies in a bin */

/* What a fan reads and writes. */
typedef struct rcity_ground_field {
    const rcity_ground_job *job;
    const int32_t *nodes;
    const int32_t *x, *y, *z; /* of targets */
    uint8_t *seen;
} rcity_ground_field;

/* Decide the targets in fan `fan` of an octant; RCITY_GROUND_UNDECIDED where the bounds do not. */
void rcity_ground_fan_sweep(const rcity_ground_field *field, int octant, int32_t fan);

#endif

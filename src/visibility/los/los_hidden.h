/* Directions of a half of the plan that are hidden for good, as intervals, and the gaps between them. */
#ifndef RCITY_VISIBILITY_LOS_LOS_HIDDEN_H
#define RCITY_VISIBILITY_LOS_LOS_HIDDEN_H

#include "visibility/los/los_shade.h"

/* A direction, and the corner it goes through; -1: none. v >= 0. */
typedef struct rcity_los_ray {
    int64_t u, v;
    int32_t corner;
} rcity_los_ray;

/* Directions between two rays, both left out; counter-clockwise from low to high. */
typedef struct rcity_los_hidden {
    rcity_los_ray low, high;
} rcity_los_hidden;

/* Sorted, apart from each other. */
typedef struct rcity_los_darks {
    rcity_los_hidden *items;
    int32_t count;
} rcity_los_darks;

/* Add the directions of a wall that is as high as the source; there is room. */
void rcity_los_darks_add(rcity_los_darks *darks, const rcity_los_shade *shade);

/* The open directions before the index-th interval, 0 to count. @return false when there is nothing in the gap. */
bool rcity_los_darks_get_gap(const rcity_los_darks *darks, int32_t index, rcity_los_ray *low, rcity_los_ray *high);

#endif

/* Directions of a half of the plan in which everything farther away is hidden, as intervals, and the gaps between
   them. */
#ifndef RCITY_VISIBILITY_LOS_LOS_HIDDEN_H
#define RCITY_VISIBILITY_LOS_LOS_HIDDEN_H

#include "visibility/los/los_shade.h"

/* A direction, and the corner it goes through; -1: none. v >= 0. */
typedef struct rcity_los_ray {
    int64_t u, v;
    int32_t corner;
} rcity_los_ray;

/* Directions between two rays, both excluded; counter-clockwise from low to high. */
typedef struct rcity_los_hidden_sector {
    rcity_los_ray low, high;
} rcity_los_hidden_sector;

/* Hidden intervals, sorted and disjoint. */
typedef struct rcity_los_hidden_sectors {
    rcity_los_hidden_sector *items;
    int32_t count;
} rcity_los_hidden_sectors;

/* Add the directions of a wall that is as high as the source; there is room. */
void rcity_los_hidden_sectors_add(rcity_los_hidden_sectors *sectors, const rcity_los_shade *shade);

/* The visible directions before interval `index`, 0 to count. @return false when the gap is empty. */
bool rcity_los_hidden_sectors_get_gap(const rcity_los_hidden_sectors *sectors, int32_t index, rcity_los_ray *low,
                                      rcity_los_ray *high);

#endif

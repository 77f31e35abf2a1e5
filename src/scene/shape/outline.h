/* A polygon while it is being cleaned: rings of grid points, each point with the wall that starts there. */
#ifndef RCITY_SCENE_OUTLINE_H
#define RCITY_SCENE_OUTLINE_H

#include "scene/shape/exact.h"

typedef struct rcity_outline_point {
    rcity_grid_point at;
    int32_t wall; /* number of the wall as read that starts here */
} rcity_outline_point;

/* Growing lists; ring r holds points ring_first[r] .. ring_first[r + 1] - 1. */
typedef struct rcity_outline {
    rcity_outline_point *points;
    size_t point_count, point_capacity;
    int32_t *ring_first; /* ring_count + 1 entries once a ring was added */
    size_t ring_count, ring_capacity;
} rcity_outline;

void rcity_outline_deinit(rcity_context *context, rcity_outline *outline);

/* Remove the rings, keep the memory. */
void rcity_outline_clear(rcity_outline *outline);

/* Append a ring; its points are copied. */
rcity_status rcity_outline_add_ring(rcity_context *context, rcity_outline *outline, const rcity_outline_point *points,
                                    size_t count);

/* Twice the signed area of a ring; positive when it runs counter-clockwise. */
int64_t rcity_ring_area2(const rcity_outline_point *points, size_t count);

#endif

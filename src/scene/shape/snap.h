/* From metres to the scene's grid. */
#ifndef RCITY_SCENE_SNAP_H
#define RCITY_SCENE_SNAP_H

#include <math.h>

#include "scene/draft.h"
#include "scene/shape/outline.h"
#include "scene/shape/ring_clean.h"

/* A plan coordinate in units, not yet an integer, since it may lie anywhere. */
static inline double rcity_snap_plan_far(double value_m, double origin_m, int32_t units_per_m)
{
    return round((value_m - origin_m) * units_per_m);
}

/* The same for a coordinate that is known to lie within the frame. */
static inline int32_t rcity_snap_plan(double value_m, double origin_m, int32_t units_per_m)
{
    return (int32_t)rcity_snap_plan_far(value_m, origin_m, units_per_m);
}

static inline int32_t rcity_snap_height(double height_m)
{
    return (int32_t)lround(height_m * RCITY_HEIGHT_UNITS_PER_M);
}

/* The box of a polygon's rings in units, as rounded doubles: west, south, east, north. */
void rcity_snap_bounds(const rcity_draft_rings *rings, size_t first_ring, size_t ring_count, const rcity_shapes *shapes,
                       double bounds[4]);

/* A polygon's rings on the grid of `shapes`, into `snapped`, which is cleared before; each point starts the wall of the
   same number. The polygon lies within the frame. */
rcity_status rcity_snap_rings(rcity_ring_cleaner *cleaner, const rcity_draft_rings *rings, size_t first_ring,
                              size_t ring_count, const rcity_shapes *shapes, int32_t *next_wall,
                              rcity_outline *snapped);

#endif

/* From metres to the scene's grid. */
#include "scene/shape/snap.h"

void rcity_snap_bounds(const rcity_draft_rings *rings, size_t first_ring, size_t ring_count, const rcity_shapes *shapes,
                       double bounds[4])
{
    bounds[0] = bounds[1] = HUGE_VAL;
    bounds[2] = bounds[3] = -HUGE_VAL;
    for (size_t point = rings->ring_first[first_ring]; point < rings->ring_first[first_ring + ring_count]; point++) {
        double x = rcity_snap_plan_far(rings->xy_m[2 * point], shapes->origin_x_m, shapes->units_per_m);
        double y = rcity_snap_plan_far(rings->xy_m[2 * point + 1], shapes->origin_y_m, shapes->units_per_m);
        bounds[0] = fmin(bounds[0], x);
        bounds[1] = fmin(bounds[1], y);
        bounds[2] = fmax(bounds[2], x);
        bounds[3] = fmax(bounds[3], y);
    }
}

rcity_status rcity_snap_rings(rcity_ring_cleaner *cleaner, const rcity_draft_rings *rings, size_t first_ring,
                              size_t ring_count, const rcity_shapes *shapes, int32_t *next_wall, rcity_outline *snapped)
{
    rcity_context *context = cleaner->context;
    rcity_outline_clear(snapped);
    for (size_t ring = first_ring; ring < first_ring + ring_count; ring++) {
        size_t count = rings->ring_first[ring + 1] - rings->ring_first[ring];
        RCITY_TRY(
            rcity_reserve(context, count, sizeof *cleaner->ring, &cleaner->ring_capacity, "outlines", &cleaner->ring));
        for (size_t i = 0; i < count; i++) {
            const double *xy_m = rings->xy_m + 2 * (rings->ring_first[ring] + i);
            cleaner->ring[i].at.x = rcity_snap_plan(xy_m[0], shapes->origin_x_m, shapes->units_per_m);
            cleaner->ring[i].at.y = rcity_snap_plan(xy_m[1], shapes->origin_y_m, shapes->units_per_m);
            cleaner->ring[i].wall = (*next_wall)++;
        }
        RCITY_TRY(rcity_outline_add_ring(context, snapped, cleaner->ring, count));
    }
    return RCITY_OK;
}

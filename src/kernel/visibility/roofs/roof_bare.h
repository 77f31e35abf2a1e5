/* The bare ground under a line, before any roof is added: what hills take from a path, whatever stands on them. */
#ifndef RCITY_KERNEL_VISIBILITY_ROOFS_ROOF_BARE_H
#define RCITY_KERNEL_VISIBILITY_ROOFS_ROOF_BARE_H

#include "kernel/visibility/roofs/roof_clearance.h"

/* The root_m of ground that is far below the line, or that nobody knows. */
#define RCITY_ROOF_BARE_CLEAR_ROOT_M (-1e3f)

/* The edges of a path as one knife edge where the tangents from both ends meet (Bullington): v times the root of the
   wavelength. With the slopes a and b of the tangents over the straight line, of the length d, it is sqrt(2 d a b). */
RCITY_KERNEL float rcity_roof_bare_root(const rcity_roof_hull *hull, rcity_roof_scale scale)
{
    const float least_m = 1e-3f; /* a leg up a cliff has a slope too */
    rcity_i32 last = hull->count - 1;
    float length_m = rcity_fmax((float)hull->place[last] * scale.place_m, least_m);
    float slope = (float)(hull->height[last] - hull->height[0]) * scale.height_m / length_m;
    float first_m = rcity_fmax((float)hull->place[1] * scale.place_m, least_m);
    float final_m = rcity_fmax((float)(hull->place[last] - hull->place[last - 1]) * scale.place_m, least_m);
    float up = (float)(hull->height[1] - hull->height[0]) * scale.height_m / first_m - slope;
    float down = (float)(hull->height[last - 1] - hull->height[last]) * scale.height_m / final_m + slope;
    return rcity_sqrt(2.0f * length_m * rcity_fmax(up, 0.0f) * rcity_fmax(down, 0.0f));
}

/* Adds the ground to a path that has nothing yet. Returns v times the root of the wavelength of the one edge that stands
   for it: negative where it stays below the line, of ground that comes nearer than `near_root_m`. */
RCITY_KERNEL float rcity_roof_bare_ground(const rcity_roof_view *view, rcity_roof_line line, rcity_roof_scale scale,
                                          float height_unit_m, float near_root_m, rcity_roof_hull *hull)
{
    if (view->map.ground_cells.column_count == 0 || !((float)line.end * scale.place_m > 0.0f)) {
        return RCITY_ROOF_BARE_CLEAR_ROOT_M;
    }
    rcity_roof_walk_ground(view, line, hull);
    if (hull->count > 2) {
        return rcity_roof_bare_root(hull, scale);
    }
    float root_m = rcity_roof_clearance_ground(view, &line, scale, height_unit_m, near_root_m);
    return root_m > -near_root_m ? root_m : RCITY_ROOF_BARE_CLEAR_ROOT_M;
}

#endif

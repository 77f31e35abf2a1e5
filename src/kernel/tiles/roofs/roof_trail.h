/* The path over roofs and hills in metres, with one turn for each diffracting edge. */
#ifndef RCITY_KERNEL_TILES_ROOFS_ROOF_TRAIL_H
#define RCITY_KERNEL_TILES_ROOFS_ROOF_TRAIL_H

#include "kernel/visibility/roofs/roof_hull.h"

/* Edges nearer to each other than this in plan are one. Edges so near to an end stay: a tile lies as near to the roof of
   its own wall. */
#define RCITY_ROOF_TRAIL_JOIN_M 0.05f

/* Metres per unit of a place and of an edge's height, and the wave. */
typedef struct rcity_roof_measure {
    float place_m, height_m;
    float height_units_per_m;
    float wavelength_m;
} rcity_roof_measure;

RCITY_KERNEL rcity_roof_measure rcity_roof_measure_make(const rcity_roof_line *line, float unit_m, float height_unit_m,
                                                        float wavelength_m)
{
    float dx = (float)line->dx;
    float dy = (float)line->dy;
    rcity_roof_measure measure;
    measure.place_m = line->end > 0 ? rcity_sqrt(dx * dx + dy * dy) / (float)line->end * unit_m : 0.0f;
    measure.height_m = height_unit_m / (float)(1 << RCITY_ROOF_HEIGHT_SHIFT);
    measure.height_units_per_m = 1.0f / measure.height_m;
    measure.wavelength_m = wavelength_m;
    return measure;
}

/* Source, turns and target. */
typedef struct rcity_roof_trail {
    rcity_i32 count;                    /* of all of them */
    float at_m[RCITY_ROOF_EDGE_MAX];    /* from the source, in plan */
    float z_m[RCITY_ROOF_EDGE_MAX];     /* over the source */
    float along_m[RCITY_ROOF_EDGE_MAX]; /* from the source, along the path */
} rcity_roof_trail;

RCITY_KERNEL void rcity_roof_trail_add(rcity_roof_trail *trail, float at_m, float z_m)
{
    rcity_i32 i = trail->count++;
    trail->at_m[i] = at_m;
    trail->z_m[i] = z_m;
}

/* A stretch of ground along the path is one edge, where the tangents meet by which the path reaches it and leaves it
   (Bullington; ITU-R P.526-15, section 4.5): edges first to last of the hull. */
RCITY_KERNEL void rcity_roof_trail_add_ground(const rcity_roof_hull *hull, rcity_roof_measure measure, rcity_i32 first,
                                              rcity_i32 last, rcity_roof_trail *trail)
{
    float at_m = (float)hull->place[first] * measure.place_m;
    float z_m = (float)(hull->height[first] - hull->height[0]) * measure.height_m;
    if (last > first) {
        float before = (float)(hull->place[first] - hull->place[first - 1]) * measure.place_m;
        float after = (float)(hull->place[last + 1] - hull->place[last]) * measure.place_m;
        float rise = (float)(hull->height[first] - hull->height[first - 1]) * measure.height_m / before;
        float fall = (float)(hull->height[last] - hull->height[last + 1]) * measure.height_m / after;
        float leg_m = (float)(hull->place[last] - hull->place[first]) * measure.place_m;
        float drop_m = (float)(hull->height[first] - hull->height[last]) * measure.height_m;
        float along_m = rise + fall > 1e-6f ? (fall * leg_m - drop_m) / (rise + fall) : 0.5f * leg_m;
        along_m = rcity_fmin(rcity_fmax(along_m, 0.0f), leg_m);
        at_m += along_m;
        z_m += rise * along_m;
    }
    rcity_roof_trail_add(trail, at_m, z_m);
}

/* Is hull edge i so near to the one before it that the higher of them stands for both? */
RCITY_KERNEL int rcity_roof_trail_is_joined(const rcity_roof_hull *hull, rcity_roof_measure measure, rcity_i32 i)
{
    return i > 1 && i + 1 < hull->count &&
           (float)(hull->place[i] - hull->place[i - 1]) * measure.place_m < RCITY_ROOF_TRAIL_JOIN_M;
}

RCITY_KERNEL void rcity_roof_trail_make(const rcity_roof_hull *hull, rcity_roof_measure measure,
                                        rcity_roof_trail *trail)
{
    trail->count = 0;
    rcity_roof_trail_add(trail, 0.0f, 0.0f);
    for (rcity_i32 i = 1; i < hull->count; i++) {
        float z_m = (float)(hull->height[i] - hull->height[0]) * measure.height_m;
        if (hull->wall[i] == RCITY_ROOF_EDGE_GROUND) {
            rcity_i32 first = i;
            while (hull->wall[i + 1] == RCITY_ROOF_EDGE_GROUND) {
                i++;
            }
            rcity_roof_trail_add_ground(hull, measure, first, i, trail);
        } else if (!rcity_roof_trail_is_joined(hull, measure, i)) {
            rcity_roof_trail_add(trail, (float)hull->place[i] * measure.place_m, z_m);
        } else if (z_m > trail->z_m[trail->count - 1]) {
            trail->count--;
            rcity_roof_trail_add(trail, (float)hull->place[i] * measure.place_m, z_m);
        }
    }
    trail->along_m[0] = 0.0f;
    for (rcity_i32 i = 1; i < trail->count; i++) {
        float run_m = trail->at_m[i] - trail->at_m[i - 1];
        float rise_m = trail->z_m[i] - trail->z_m[i - 1];
        trail->along_m[i] = trail->along_m[i - 1] + rcity_sqrt(run_m * run_m + rise_m * rise_m);
    }
}

#endif

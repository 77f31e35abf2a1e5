/* Hints: the walls that the path over roofs of one pixel goes over. Paths of pixels nearby mostly go over the same
   walls: a hull that begins with them passes nearly all other roofs at a distance. Hints change the time, never the
   path. */
#ifndef RCITY_KERNEL_VISIBILITY_ROOFS_ROOF_HINTS_H
#define RCITY_KERNEL_VISIBILITY_ROOFS_ROOF_HINTS_H

#include "kernel/visibility/roofs/roof_hull.h"
#include "kernel/visibility/roofs/roof_map.h"

/* Begin a hull with hinted walls, where they cross the line. */
RCITY_KERNEL void rcity_roof_hints_take(const rcity_roof_view *view, const rcity_roof_line *line,
                                        RCITY_GLOBAL const rcity_i32 *walls, rcity_i32 count, rcity_roof_hull *hull)
{
    for (rcity_i32 i = 0; i < count; i++) {
        rcity_sight_wall wall = view->walls[walls[i]];
        rcity_roof_crossing crossing;
        if (rcity_roof_cross(line, wall, RCITY_ROOF_CROSS_BOTH, &crossing)) {
            rcity_i32 roof = rcity_sight_roof(view->map.floor, wall) * (1 << RCITY_ROOF_HEIGHT_SHIFT);
            rcity_roof_hull_add(hull, crossing.place, roof, walls[i]);
        }
    }
}

/* Write down the walls of a hull, at most so many; returns their number. */
RCITY_KERNEL rcity_i32 rcity_roof_hints_leave(const rcity_roof_hull *hull, rcity_i32 most,
                                              RCITY_GLOBAL rcity_i32 *walls)
{
    rcity_i32 count = 0;
    for (rcity_i32 i = 1; i + 1 < hull->count && count < most; i++) {
        if (hull->wall[i] >= 0) {
            walls[count++] = hull->wall[i];
        }
    }
    return count;
}

#endif

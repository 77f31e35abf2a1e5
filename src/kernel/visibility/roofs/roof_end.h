/* Roofs straight above an end of the line. A source or receiver that stands on a wall, from where the line runs into
   the building, has the roof's edge straight above it. */
#ifndef RCITY_KERNEL_VISIBILITY_ROOFS_ROOF_END_H
#define RCITY_KERNEL_VISIBILITY_ROOFS_ROOF_END_H

#include "kernel/visibility/roofs/roof_hull.h"
#include "kernel/visibility/roofs/roof_map.h"
#include "kernel/visibility/sight/sight_sweep.h"

/* Is the point on a wall, ends included? */
RCITY_KERNEL int rcity_roof_is_on(rcity_sight_wall wall, rcity_i32 x, rcity_i32 y)
{
    rcity_i64 ex = (wall.qx >> 8) - (wall.px >> 8);
    rcity_i64 ey = (wall.qy >> 8) - (wall.py >> 8);
    rcity_i64 px = x - (wall.px >> 8);
    rcity_i64 py = y - (wall.py >> 8);
    rcity_i64 along = ex * px + ey * py;
    return ex * py == ey * px && along >= 0 && along <= ex * ex + ey * ey;
}

/* Does the building at the corner where a wall starts cover the line `away`, which begins there, on its side `turn`?
   The solid lies from the wall counter-clockwise to the wall before. */
RCITY_KERNEL int rcity_roof_corner_covers(const rcity_sight_line *away, rcity_sight_wall wall, rcity_roof_corner corner,
                                          int turn)
{
    rcity_i64 qx = (wall.qx >> 8) - away->ax;
    rcity_i64 qy = (wall.qy >> 8) - away->ay;
    rcity_i64 ux = corner.x - away->ax;
    rcity_i64 uy = corner.y - away->ay;
    rcity_i64 cross = qx * uy - qy * ux; /* positive: u is left of q */
    int is_left_of_q = rcity_sight_points_left_of(away, qx, qy, turn);
    int is_right_of_u = !rcity_sight_points_left_of(away, ux, uy, turn);
    return cross > 0 ? is_left_of_q && is_right_of_u : cross == 0 ? is_left_of_q : is_left_of_q || is_right_of_u;
}

/* Adds every roof straight above the source, or above the receiver; returns how many. Where a building touches itself
   in that point, each of its corners there is tested by itself. */
RCITY_KERNEL_APART rcity_i32 rcity_roof_rise(const rcity_roof_view *view, const rcity_roof_line *line, int is_source,
                                             rcity_roof_hull *hull)
{
    const rcity_sight_grid *cells = &view->map.cells;
    rcity_sight_line away; /* from the end into the line; from the receiver, left and right are swapped */
    int turn = is_source ? 1 : -1;
    rcity_i32 height = is_source ? line->az : line->bz;
    away.ax = is_source ? line->ax : line->ax + line->dx;
    away.ay = is_source ? line->ay : line->ay + line->dy;
    away.az = height;
    away.dx = is_source ? line->dx : -line->dx;
    away.dy = is_source ? line->dy : -line->dy;
    away.dz = 0;
    rcity_i32 column = (away.ax - cells->west) >> cells->shift;
    rcity_i32 row = (away.ay - cells->south) >> cells->shift;
    rcity_i32 count = 0;
    if (column < 0 || row < 0 || column >= cells->column_count || row >= cells->row_count) {
        return 0;
    }
    rcity_i32 cell = row * cells->column_count + column;
    for (rcity_u32 i = view->first[cell]; i < view->first[cell + 1]; i++) {
        rcity_sight_wall wall = view->walls[i];
        rcity_i32 roof = rcity_sight_roof(view->map.floor, wall);
        rcity_i64 ex = (wall.qx >> 8) - (wall.px >> 8);
        rcity_i64 ey = (wall.qy >> 8) - (wall.py >> 8);
        int is_at_p = (wall.px >> 8) == away.ax && (wall.py >> 8) == away.ay;
        int is_at_q = (wall.qx >> 8) == away.ax && (wall.qy >> 8) == away.ay; /* the next wall's start */
        if (roof > height && !is_at_q && rcity_roof_is_on(wall, away.ax, away.ay) &&
            (is_at_p ? rcity_roof_corner_covers(&away, wall, view->corners[i], turn)
                     : rcity_sight_points_left_of(&away, ex, ey, turn))) {
            rcity_roof_hull_add(hull, is_source ? 0 : line->end, roof * (1 << RCITY_ROOF_HEIGHT_SHIFT), (rcity_i32)i);
            count++;
        }
    }
    return count;
}

#endif

/* Roofs over an end of the line. A source or receiver that stands on a wall, with the line running into the building there, has the
   roof's edge straight above it. */
#ifndef RCITY_KERNEL_SHADOW_ROOF_END_H
#define RCITY_KERNEL_SHADOW_ROOF_END_H

#include "kernel/shadow/roof_hull.h"
#include "kernel/sight/sight_sweep.h"

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

/* Give the string every roof over its source, or over its receiver; returns how many. Where a building touches itself in that very
   point, it rises over it if one of its corners there does. */
RCITY_KERNEL_APART rcity_i32 rcity_roof_rise(const rcity_sight_view *view, const rcity_roof_line *line, int is_source,
                                             rcity_roof_hull *hull)
{
    const rcity_sight_grid *cells = &view->map.cells;
    rcity_sight_line away; /* from the end into the line */
    rcity_i32 side = is_source ? RCITY_SIGHT_LEFT : RCITY_SIGHT_RIGHT;
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
    if (column < 0 || row < 0 || column >= cells->column_count || row >= cells->row_count ||
        view->raster[row * cells->stride + column] == 0) {
        return 0;
    }
    rcity_u32 place = rcity_sight_list(view, (rcity_u32)(row * cells->stride + column));
    rcity_u32 end = place + view->lists[place] / RCITY_SIGHT_REFERENCE_COUNT;
    rcity_i32 is_new = 1; /* the prism has not been counted yet */
    while (place < end) {
        rcity_u32 entry = view->lists[++place];
        rcity_u32 index = RCITY_SIGHT_ENTRY_WALL(entry);
        rcity_sight_wall wall = view->walls[index];
        rcity_i32 roof = rcity_sight_roof(view->map.floor, wall);
        is_new |= (entry & RCITY_SIGHT_ENTRY_BEGINS_PRISM) != 0;
        int is_at_q = (wall.qx >> 8) == away.ax && (wall.qy >> 8) == away.ay;
        if ((entry & RCITY_SIGHT_ENTRY_IS_COVER) != 0 || roof <= height || is_at_q || !is_new ||
            !rcity_roof_is_on(wall, away.ax, away.ay)) {
            continue;
        }
        int is_at_p = (wall.px >> 8) == away.ax && (wall.py >> 8) == away.ay;
        rcity_i32 sides =
            is_at_p ? rcity_sight_corner_sides(view, &away, index, wall) : rcity_sight_wall_sides(&away, wall);
        if ((sides & side) != 0) {
            is_new = 0;
            count++;
            rcity_roof_hull_add(hull, is_source ? 0 : line->end, roof * (1 << RCITY_ROOF_HEIGHT_SHIFT),
                                (rcity_i32)index);
        }
    }
    return count;
}

#endif

/* The ground under a line: its slope changes only where the line crosses rows, columns and diagonals of the elevation
   grid. */
#ifndef RCITY_KERNEL_VISIBILITY_ROOFS_ROOF_GROUND_H
#define RCITY_KERNEL_VISIBILITY_ROOFS_ROOF_GROUND_H

#include "kernel/visibility/roofs/roof_hull.h"
#include "kernel/visibility/roofs/roof_map.h"
#include "kernel/visibility/roofs/roof_walk.h"

/* The elevation grid in the line's coordinates. */
typedef struct rcity_roof_ground {
    rcity_i32 cell;
    rcity_i32 x, y;          /* from the grid's corner to the source */
    rcity_i32 along, across; /* the same along the line's longer axis and across */
    rcity_i32 column_count, row_count;
} rcity_roof_ground;

RCITY_KERNEL rcity_roof_ground rcity_roof_ground_make(const rcity_roof_line *line, const rcity_sight_grid *cells)
{
    rcity_roof_ground ground;
    ground.cell = cells->cell;
    ground.x = line->ax - cells->west;
    ground.y = line->ay - cells->south;
    ground.along = line->is_steep ? ground.y : ground.x;
    ground.across = line->is_steep ? ground.x : ground.y;
    ground.column_count = line->is_steep ? cells->row_count : cells->column_count;
    ground.row_count = line->is_steep ? cells->column_count : cells->row_count;
    return ground;
}

/* The columns that the line passes, in its order; first beyond last where it misses the grid. */
RCITY_KERNEL rcity_roof_columns rcity_roof_ground_columns(const rcity_roof_line *line, const rcity_roof_ground *ground)
{
    rcity_roof_columns columns;
    rcity_i32 most = ground->column_count - 1;
    columns.first = (rcity_i32)rcity_roof_divide(ground->along, ground->cell);
    columns.last = (rcity_i32)rcity_roof_divide(ground->along + line->sign * line->length, ground->cell);
    if (line->sign > 0) {
        columns.first = columns.first < 0 ? 0 : columns.first;
        columns.last = columns.last > most ? most : columns.last;
    } else {
        columns.first = columns.first > most ? most : columns.first;
        columns.last = columns.last < 0 ? 0 : columns.last;
    }
    return columns;
}

/* The height of the ground at a place between the line's ends; returns 0 where the grid does not reach. */
RCITY_KERNEL int rcity_roof_ground_height(const rcity_roof_view *view, const rcity_roof_line *line,
                                          const rcity_roof_ground *ground, rcity_i64 place, rcity_i32 *height_at)
{
    const rcity_sight_grid *cells = &view->map.ground_cells;
    const rcity_sight_grid *blocks = &view->map.ground_blocks;
    if (place <= 0 || place >= line->end) {
        return 0;
    }
    rcity_i64 along = line->sign * place;
    rcity_i64 across = (line->slope * place) >> 32;
    rcity_i64 x = (rcity_i64)ground->x * (1 << RCITY_ROOF_PLACE_SHIFT) + (line->is_steep ? across : along);
    rcity_i64 y = (rcity_i64)ground->y * (1 << RCITY_ROOF_PLACE_SHIFT) + (line->is_steep ? along : across);
    rcity_i64 size = (rcity_i64)ground->cell << RCITY_ROOF_PLACE_SHIFT;
    /* a line along the border may be a unit outside */
    x += x == -1;
    y += y == -1;
    if (x < 0 || y < 0 || x > size * cells->column_count || y > size * cells->row_count) {
        return 0;
    }
    rcity_i64 column = x / size;
    rcity_i64 row = y / size;
    column = column < cells->column_count ? column : cells->column_count - 1;
    row = row < cells->row_count ? row : cells->row_count - 1;
    x -= column * size;
    y -= row * size;
    RCITY_GLOBAL const rcity_i32 *south = view->ground + (blocks->first + blocks->column_count * blocks->row_count) +
                                          row * (cells->column_count + 1) + column;
    RCITY_GLOBAL const rcity_i32 *north = south + cells->column_count + 1;
    rcity_i64 rise = x >= y ? (rcity_i64)(south[1] - south[0]) * x + (rcity_i64)(north[1] - south[1]) * y
                            : (rcity_i64)(north[0] - south[0]) * y + (rcity_i64)(north[1] - north[0]) * x;
    *height_at = (rcity_i32)((rcity_i64)south[0] * (1 << RCITY_ROOF_HEIGHT_SHIFT) +
                             rcity_roof_divide(rise * (1 << RCITY_ROOF_HEIGHT_SHIFT), size));
    return 1;
}

/* Adds the ground at a place, if the grid reaches there. */
RCITY_KERNEL int rcity_roof_add_ground(const rcity_roof_view *view, const rcity_roof_line *line,
                                       const rcity_roof_ground *ground, rcity_i64 place, rcity_roof_hull *hull)
{
    rcity_i32 height;
    return rcity_roof_ground_height(view, line, ground, place, &height) &&
           rcity_roof_hull_add(hull, (rcity_i32)place, height, RCITY_ROOF_EDGE_GROUND);
}

/* Adds the ground where the line crosses a row's border or a diagonal, at the fraction reach / step of the line; `step`
   may be negative. */
RCITY_KERNEL int rcity_roof_add_pass(const rcity_roof_view *view, const rcity_roof_line *line,
                                     const rcity_roof_ground *ground, rcity_i64 reach, rcity_i64 step,
                                     rcity_roof_hull *hull)
{
    reach = step < 0 ? -reach : reach;
    step = step < 0 ? -step : step;
    return reach > 0 && reach < step &&
           rcity_roof_add_ground(view, line, ground, rcity_roof_divide(reach * line->end, step), hull);
}

/* Adds the ground of one cell of a column: where the line crosses the column's borders, the row's borders and the
   diagonal. */
RCITY_KERNEL int rcity_roof_ground_cell(const rcity_roof_view *view, const rcity_roof_line *line,
                                        const rcity_roof_ground *ground, rcity_i32 column, rcity_i32 row,
                                        rcity_roof_hull *hull)
{
    rcity_i64 along = (rcity_i64)column * ground->cell - ground->along;
    rcity_i64 across = (rcity_i64)row * ground->cell - ground->across;
    rcity_i64 diagonal = line->is_steep ? across - along : along - across; /* of x - y */
    rcity_i32 step = line->is_steep ? line->dx : line->dy;
    int is_changed = rcity_roof_add_pass(view, line, ground, diagonal, (rcity_i64)line->dx - line->dy, hull);
    for (int i = 0; i < 2; i++) {
        rcity_i64 place = line->sign * (along + i * ground->cell) * (1 << RCITY_ROOF_PLACE_SHIFT);
        is_changed |= rcity_roof_add_ground(view, line, ground, place, hull);
        is_changed |= rcity_roof_add_pass(view, line, ground, across + i * ground->cell, step, hull);
    }
    return is_changed;
}

/* Adds all of the ground along the line, column by column. */
RCITY_KERNEL void rcity_roof_walk_ground(const rcity_roof_view *view, rcity_roof_line line, rcity_roof_hull *hull)
{
    const rcity_sight_grid *cells = &view->map.ground_cells;
    if (cells->column_count == 0 || line.length == 0) {
        return;
    }
    rcity_roof_ground ground = rcity_roof_ground_make(&line, cells);
    rcity_roof_columns columns = rcity_roof_ground_columns(&line, &ground);
    rcity_roof_leg leg = rcity_roof_leg_begin();
    for (rcity_i32 column = columns.first; (columns.last - column) * line.sign >= 0; column += line.sign) {
        rcity_i32 border = column * ground.cell - ground.along;
        rcity_i32 run = line.sign > 0 ? border : -border - ground.cell;
        rcity_i32 run_end = run + ground.cell;
        run = run > 0 ? run : 0;
        run_end = run_end < line.length ? run_end : line.length;
        rcity_i32 row = (rcity_i32)rcity_roof_divide(ground.across + ((line.slope * run) >> 32), ground.cell);
        rcity_i32 row_end = (rcity_i32)rcity_roof_divide(ground.across + ((line.slope * run_end) >> 32), ground.cell);
        rcity_i32 height = rcity_roof_leg_height(hull, &leg, run << RCITY_ROOF_PLACE_SHIFT);
        rcity_i32 height_end = rcity_roof_leg_height(hull, &leg, run_end << RCITY_ROOF_PLACE_SHIFT);
        height = height < height_end ? height : height_end;
        int is_changed = 0;
        for (int i = 0; i < 2; i++) {
            rcity_i32 here = i == 0 ? row : row_end;
            if ((i == 0 || row_end != row) && here >= 0 && here < ground.row_count) {
                rcity_i32 cell = line.is_steep ? column * cells->stride + here : here * cells->stride + column;
                if (view->ground[cell] * (1 << RCITY_ROOF_HEIGHT_SHIFT) > height) {
                    is_changed |= rcity_roof_ground_cell(view, &line, &ground, column, here, hull);
                }
            }
        }
        if (is_changed) {
            leg = rcity_roof_leg_begin();
        }
    }
}

#endif

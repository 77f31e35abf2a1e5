/* The cheap alternative to an over-roof path: only the number of roofs above the straight line. */
#ifndef RCITY_KERNEL_SHADOW_ROOFS_ROOF_COUNT_H
#define RCITY_KERNEL_SHADOW_ROOFS_ROOF_COUNT_H

#include "kernel/visibility/roofs/roof_walk.h"

/* Counts the walls of a cell between two places of the line, the second excluded. A rising line that is below a roof
   anywhere under it is below it where it enters: one wall per stretch. */
RCITY_KERNEL rcity_i32 rcity_roof_count_cell(const rcity_roof_view *view, const rcity_roof_line *line, rcity_i32 cell,
                                             rcity_i32 height, rcity_i32 begin, rcity_i32 end)
{
    rcity_u32 last = view->first[cell + 1];
    int is_rising = line->bz >= line->az;
    rcity_i32 count = 0;
    for (rcity_u32 i = view->first[cell]; i < last; i++) {
        rcity_sight_wall wall = view->walls[i];
        rcity_i32 roof = rcity_sight_roof(view->map.floor, wall);
        rcity_roof_crossing crossing;
        if (roof * (1 << RCITY_ROOF_HEIGHT_SHIFT) <= height) {
            break;
        }
        if (rcity_roof_cross(line, wall, is_rising, &crossing) && crossing.place >= begin && crossing.place < end) {
            rcity_i64 rise = (rcity_i64)(line->bz - line->az) * crossing.place;
            count += rise < (rcity_i64)(roof - line->az) * line->end;
        }
    }
    return count;
}

/* The place where the line crosses from one row of a column to the next. */
RCITY_KERNEL rcity_i32 rcity_roof_row_place(const rcity_roof_line *line, const rcity_roof_grid *grid, rcity_i32 row,
                                            rcity_i32 row_end)
{
    rcity_i64 border = ((rcity_i64)(row > row_end ? row : row_end) << grid->shift) - grid->across;
    rcity_i32 step = line->is_steep ? line->dx : line->dy;
    border = step < 0 ? -border : border;
    step = step < 0 ? -step : step;
    return (rcity_i32)rcity_roof_divide(border * line->end, step);
}

/* How many roofs stand above the line; each stretch under a roof counts by itself. Each crossing belongs to one
   cell. */
RCITY_KERNEL rcity_i32 rcity_roof_count(const rcity_roof_view *view, rcity_roof_line line)
{
    rcity_i32 count = 0;
    if (view->map.cells.column_count == 0) {
        return 0;
    }
    rcity_roof_walk walk;
    rcity_roof_hull straight;
    rcity_roof_hull_begin(&line, &straight);
    rcity_roof_walk_begin(view, line, &walk);
    const rcity_roof_grid *grid = &walk.cells;
    rcity_roof_columns columns = walk.cell_columns;
    rcity_roof_leg leg = rcity_roof_leg_begin();
    rcity_i32 run = rcity_roof_column_begin(&line, grid, columns.first);
    rcity_i32 row = rcity_roof_row(&line, grid, run);
    rcity_i32 height = rcity_roof_height(&straight, &leg, run);
    for (rcity_i32 column = columns.first; (columns.last - column) * line.sign >= 0; column += line.sign) {
        rcity_i32 run_end = rcity_roof_column_end(&line, grid, column);
        rcity_i32 row_end = rcity_roof_row(&line, grid, run_end);
        rcity_i32 height_end = rcity_roof_height(&straight, &leg, run_end);
        rcity_i32 lowest = height < height_end ? height : height_end;
        rcity_i32 level = rcity_roof_level(&walk, lowest);
        rcity_i32 begin = run << RCITY_ROOF_PLACE_SHIFT;
        rcity_i32 end = run_end << RCITY_ROOF_PLACE_SHIFT;
        int is_high = rcity_roof_rises(view->levels, grid, column, row, level);
        if (row_end == row) {
            count += is_high ? rcity_roof_count_cell(view, &line, column * grid->to_column + row * grid->to_row, lowest,
                                                     begin, end)
                             : 0;
        } else if (is_high || rcity_roof_rises(view->levels, grid, column, row_end, level)) {
            rcity_i32 middle = rcity_roof_row_place(&line, grid, row, row_end);
            middle = middle < begin ? begin : middle > end ? end : middle;
            if (is_high) {
                rcity_i32 cell = column * grid->to_column + row * grid->to_row;
                count += rcity_roof_count_cell(view, &line, cell, lowest, begin, middle);
            }
            if (rcity_roof_rises(view->levels, grid, column, row_end, level)) {
                rcity_i32 cell = column * grid->to_column + row_end * grid->to_row;
                count += rcity_roof_count_cell(view, &line, cell, lowest, middle, end);
            }
        }
        height = height_end;
        run = run_end;
        row = row_end;
    }
    return count;
}

#endif

/* The roofs along a line: a walk over the cells of kernel/visibility/sight, column by column along the line's longer
   axis, that skips cells without a roof above the path found so far. The path only rises, so a skipped cell stays below
   it. */
#ifndef RCITY_KERNEL_VISIBILITY_ROOFS_ROOF_WALK_H
#define RCITY_KERNEL_VISIBILITY_ROOFS_ROOF_WALK_H

#include "kernel/visibility/roofs/roof_hull.h"
#include "kernel/visibility/roofs/roof_map.h"

/* A grid in the line's coordinates: columns along its longer axis, rows across. */
typedef struct rcity_roof_grid {
    rcity_i32 shift;
    rcity_i32 along, across; /* from the grid's corner to the source */
    rcity_i32 column_count, row_count;
    rcity_i32 to_column, to_row; /* index steps from a cell to the next one */
} rcity_roof_grid;

RCITY_KERNEL rcity_roof_grid rcity_roof_grid_make(const rcity_roof_line *line, const rcity_sight_grid *cells,
                                                  rcity_i32 shift)
{
    rcity_i32 part = (1 << shift) - 1;
    rcity_i32 width = (cells->column_count + part) >> shift;
    rcity_i32 depth = (cells->row_count + part) >> shift;
    rcity_roof_grid grid;
    grid.shift = cells->shift + shift;
    grid.along = line->is_steep ? line->ay - cells->south : line->ax - cells->west;
    grid.across = line->is_steep ? line->ax - cells->west : line->ay - cells->south;
    grid.column_count = line->is_steep ? depth : width;
    grid.row_count = line->is_steep ? width : depth;
    grid.to_column = line->is_steep ? width : 1;
    grid.to_row = line->is_steep ? 1 : width;
    return grid;
}

/* How far along the line a column ends, or the line itself. */
RCITY_KERNEL rcity_i32 rcity_roof_column_end(const rcity_roof_line *line, const rcity_roof_grid *grid, rcity_i32 column)
{
    rcity_i32 end =
        line->sign > 0 ? ((column + 1) << grid->shift) - grid->along : grid->along - (column << grid->shift);
    return end < line->length ? end : line->length;
}

/* Where the line enters a column: the column before ends there. */
RCITY_KERNEL rcity_i32 rcity_roof_column_begin(const rcity_roof_line *line, const rcity_roof_grid *grid,
                                               rcity_i32 column)
{
    rcity_i32 begin = rcity_roof_column_end(line, grid, column - line->sign);
    return begin > 0 ? begin : 0;
}

/* The row of the line after `run`: exact to a unit, and walls are listed in all cells that they come within four units
   of. */
RCITY_KERNEL rcity_i32 rcity_roof_row(const rcity_roof_line *line, const rcity_roof_grid *grid, rcity_i32 run)
{
    return (grid->across + (rcity_i32)((line->slope * run) >> 32)) >> grid->shift;
}

/* A range of columns, in the order of the line. */
typedef struct rcity_roof_columns {
    rcity_i32 first, last;
} rcity_roof_columns;

/* The columns that the line passes; first beyond last where it misses the grid. */
RCITY_KERNEL rcity_roof_columns rcity_roof_columns_make(const rcity_roof_line *line, const rcity_roof_grid *grid)
{
    rcity_roof_columns columns;
    columns.first = grid->along >> grid->shift;
    columns.last = (grid->along + line->sign * line->length) >> grid->shift;
    if (line->sign > 0) {
        columns.first = columns.first > 0 ? columns.first : 0;
        columns.last = columns.last < grid->column_count ? columns.last : grid->column_count - 1;
    } else {
        columns.first = columns.first < grid->column_count ? columns.first : grid->column_count - 1;
        columns.last = columns.last > 0 ? columns.last : 0;
    }
    return columns;
}

/* The columns of cells within a column of patches. */
RCITY_KERNEL rcity_roof_columns rcity_roof_columns_in(const rcity_roof_line *line, const rcity_roof_columns *all,
                                                      rcity_i32 patch_column)
{
    rcity_i32 low = patch_column << RCITY_ROOF_PATCH_SHIFT;
    rcity_i32 high = low + (1 << RCITY_ROOF_PATCH_SHIFT) - 1;
    rcity_roof_columns columns;
    if (line->sign > 0) {
        columns.first = low > all->first ? low : all->first;
        columns.last = high < all->last ? high : all->last;
    } else {
        columns.first = high < all->first ? high : all->first;
        columns.last = low > all->last ? low : all->last;
    }
    return columns;
}

/* What a walk knows of its line and the grids. */
typedef struct rcity_roof_walk {
    rcity_roof_line line;
    rcity_roof_grid cells, patches;
    rcity_roof_columns cell_columns;
    rcity_i32 floor; /* of the levels, in units of an edge's height */
    rcity_i32 level_shift;
} rcity_roof_walk;

RCITY_KERNEL void rcity_roof_walk_begin(const rcity_roof_view *view, rcity_roof_line line, rcity_roof_walk *walk)
{
    walk->line = line;
    walk->cells = rcity_roof_grid_make(&line, &view->map.cells, 0);
    walk->patches = rcity_roof_grid_make(&line, &view->map.cells, RCITY_ROOF_PATCH_SHIFT);
    walk->cell_columns = rcity_roof_columns_make(&line, &walk->cells);
    walk->floor = view->map.floor * (1 << RCITY_ROOF_HEIGHT_SHIFT);
    walk->level_shift = view->level_shift + RCITY_ROOF_HEIGHT_SHIFT;
}

/* The level up to which roofs are not above a height; level 0 means no roof. */
RCITY_KERNEL rcity_i32 rcity_roof_level(const rcity_roof_walk *walk, rcity_i32 height)
{
    rcity_i32 level = (height - walk->floor) >> walk->level_shift;
    return level > 0 ? level : 0;
}

/* Is there a roof above a level in the cell? Outside of the grid there is none. */
RCITY_KERNEL int rcity_roof_rises(RCITY_GLOBAL const rcity_u16 *levels, const rcity_roof_grid *grid, rcity_i32 column,
                                  rcity_i32 row, rcity_i32 level)
{
    if ((rcity_u32)row >= (rcity_u32)grid->row_count) {
        return 0;
    }
    return levels[column * grid->to_column + row * grid->to_row] > level;
}

/* Adds the walls of a cell that rise above `height`, a lower bound of the path's height there. Returns 1 when the path
   has changed. */
RCITY_KERNEL int rcity_roof_walk_cell(const rcity_roof_view *view, const rcity_roof_line *line, rcity_i32 cell,
                                      rcity_i32 height, rcity_roof_hull *hull)
{
    rcity_u32 end = view->first[cell + 1];
    int is_changed = 0;
    for (rcity_u32 i = view->first[cell]; i < end; i++) {
        rcity_sight_wall wall = view->walls[i];
        rcity_i32 roof = rcity_sight_roof(view->map.floor, wall) * (1 << RCITY_ROOF_HEIGHT_SHIFT);
        rcity_roof_crossing crossing;
        if (roof <= height) {
            break;
        }
        if (rcity_roof_cross(line, wall, RCITY_ROOF_CROSS_BOTH, &crossing)) {
            is_changed |= rcity_roof_hull_add(hull, crossing.place, roof, (rcity_i32)i);
        }
    }
    return is_changed;
}

RCITY_KERNEL rcity_i32 rcity_roof_height(const rcity_roof_hull *hull, rcity_roof_leg *leg, rcity_i32 run)
{
    return rcity_roof_leg_height(hull, leg, run << RCITY_ROOF_PLACE_SHIFT);
}

/* The cells of one column of patches; `leg` is where the line enters it. The path is concave, so it is lowest at one
   end of a column. */
RCITY_KERNEL int rcity_roof_walk_patch(const rcity_roof_view *view, const rcity_roof_walk *walk,
                                       rcity_roof_columns columns, rcity_roof_leg leg, rcity_roof_hull *hull)
{
    const rcity_roof_line *line = &walk->line;
    const rcity_roof_grid *grid = &walk->cells;
    rcity_i32 run = rcity_roof_column_begin(line, grid, columns.first);
    rcity_i32 row = rcity_roof_row(line, grid, run);
    rcity_i32 height = rcity_roof_height(hull, &leg, run);
    int is_changed = 0;
    for (rcity_i32 column = columns.first; (columns.last - column) * line->sign >= 0; column += line->sign) {
        rcity_i32 run_end = rcity_roof_column_end(line, grid, column);
        rcity_i32 row_end = rcity_roof_row(line, grid, run_end);
        rcity_i32 height_end = rcity_roof_height(hull, &leg, run_end);
        rcity_i32 lowest = height < height_end ? height : height_end;
        rcity_i32 level = rcity_roof_level(walk, lowest);
        int is_high = rcity_roof_rises(view->levels, grid, column, row, level);
        int is_end_high = rcity_roof_rises(view->levels, grid, column, row_end, level);
        if (is_high | is_end_high) { /* rare; the code before has few branches */
            rcity_i32 cell = column * grid->to_column;
            int is_new = is_high && rcity_roof_walk_cell(view, line, cell + row * grid->to_row, lowest, hull);
            if (is_end_high && row_end != row) {
                is_new |= rcity_roof_walk_cell(view, line, cell + row_end * grid->to_row, lowest, hull);
            }
            if (is_new) {
                leg = rcity_roof_leg_begin();
                height_end = rcity_roof_height(hull, &leg, run_end);
            }
            is_changed |= is_new;
        }
        height = height_end;
        row = row_end;
    }
    return is_changed;
}

/* Columns of patches at the receiver with which a walk begins that knows no edges yet; measured. */
#define RCITY_ROOF_AHEAD 4

/* All roofs along the line. `ahead` columns of patches at the receiver come first: a path that already goes over the
   last roof before the receiver leaves the source steeply and clears most other roofs. The order changes the time,
   never the path. */
RCITY_KERNEL void rcity_roof_walk_roofs(const rcity_roof_view *view, rcity_roof_line line, int ahead,
                                        rcity_roof_hull *hull)
{
    if (view->map.cells.column_count == 0 || line.length == 0) {
        return;
    }
    rcity_roof_walk walk;
    rcity_roof_walk_begin(view, line, &walk);
    const rcity_roof_grid *grid = &walk.patches;
    RCITY_GLOBAL const rcity_u16 *levels = view->levels + view->patch_first;
    rcity_roof_columns columns = rcity_roof_columns_make(&line, grid);
    for (int i = 0; i < ahead && (columns.last - columns.first) * line.sign >= i; i++) {
        rcity_roof_columns in = rcity_roof_columns_in(&line, &walk.cell_columns, columns.last - i * line.sign);
        rcity_roof_walk_patch(view, &walk, in, rcity_roof_leg_begin(), hull);
    }
    rcity_roof_leg leg = rcity_roof_leg_begin();
    rcity_i32 run = rcity_roof_column_begin(&line, grid, columns.first);
    rcity_i32 row = rcity_roof_row(&line, grid, run);
    rcity_i32 height = rcity_roof_height(hull, &leg, run);
    for (rcity_i32 column = columns.first; (columns.last - column) * line.sign >= 0; column += line.sign) {
        rcity_roof_leg begun = leg;
        rcity_i32 run_end = rcity_roof_column_end(&line, grid, column);
        rcity_i32 row_end = rcity_roof_row(&line, grid, run_end);
        rcity_i32 height_end = rcity_roof_height(hull, &leg, run_end);
        rcity_i32 level = rcity_roof_level(&walk, height < height_end ? height : height_end);
        if ((rcity_roof_rises(levels, grid, column, row, level) |
             rcity_roof_rises(levels, grid, column, row_end, level)) &&
            rcity_roof_walk_patch(view, &walk, rcity_roof_columns_in(&line, &walk.cell_columns, column), begun, hull)) {
            leg = rcity_roof_leg_begin();
            height_end = rcity_roof_height(hull, &leg, run_end);
        }
        height = height_end;
        row = row_end;
    }
}

#endif

/* The same path as roof_walk.h finds, for work items that run side by side. In that walk an item looks at a roof when
   it comes to it, and items at other places wait for it, column by column. Here the walk has three steps that all items
   take together: the columns of patches with a roof above the hull; of these, the cells with a roof above the hull; of
   these, the walls. Only the last step changes the hull. A hull only rises, so what a step passes stays below it. What
   is gathered may have fallen below the hull when its turn comes: this pays where the hull is nearly complete from the
   beginning (roof_hints.h). */
#ifndef RCITY_KERNEL_VISIBILITY_ROOFS_ROOF_GATHER_H
#define RCITY_KERNEL_VISIBILITY_ROOFS_ROOF_GATHER_H

#include "kernel/visibility/roofs/roof_walk.h"

/* Cells that are gathered before their walls are looked at, and those that a column of patches adds at most. */
#define RCITY_ROOF_GATHER_MAX  24
#define RCITY_ROOF_GATHER_STEP (2 << RCITY_ROOF_PATCH_SHIFT)

typedef struct rcity_roof_gathered {
    rcity_i32 cell[RCITY_ROOF_GATHER_MAX];
    rcity_i32 lowest[RCITY_ROOF_GATHER_MAX]; /* a height that the hull is not below there */
    rcity_i32 count;
    rcity_roof_leg leg; /* where the hull was followed to */
} rcity_roof_gathered;

/* Is one end of a wall to the left of the line, the other not? */
RCITY_KERNEL int rcity_roof_is_across(const rcity_roof_line *line, rcity_sight_wall wall)
{
    rcity_i32 px = (wall.px >> 8) - line->ax;
    rcity_i32 py = (wall.py >> 8) - line->ay;
    rcity_i32 qx = (wall.qx >> 8) - line->ax;
    rcity_i32 qy = (wall.qy >> 8) - line->ay;
    return ((rcity_i64)line->dx * py > (rcity_i64)line->dy * px) !=
           ((rcity_i64)line->dx * qy > (rcity_i64)line->dy * qx);
}

/* The last step: the walls of the gathered cells. Each round finds the next wall that rises above the hull and is
   across the line; then all items take theirs together. */
RCITY_KERNEL void rcity_roof_gather_walls(const rcity_roof_view *view, const rcity_roof_line *line,
                                          rcity_roof_gathered *gathered, rcity_roof_hull *hull)
{
    rcity_i32 next = 0; /* cell */
    rcity_i32 lowest = 0;
    rcity_u32 i = 0;
    rcity_u32 end = 0;
    int is_across = 1;
    while (is_across) {
        rcity_sight_wall wall;
        rcity_i32 roof = 0;
        is_across = 0;
        while (!is_across && (i < end || next < gathered->count)) {
            if (i == end) {
                rcity_i32 cell = gathered->cell[next];
                lowest = gathered->lowest[next++];
                i = view->first[cell];
                end = view->first[cell + 1];
            }
            if (i < end) {
                wall = view->walls[i++];
                roof = rcity_sight_roof(view->map.floor, wall) * (1 << RCITY_ROOF_HEIGHT_SHIFT);
                is_across = roof > lowest && rcity_roof_is_across(line, wall);
                i = roof > lowest ? i : end; /* the highest come first */
            }
        }
        rcity_roof_crossing crossing;
        if (is_across && rcity_roof_cross(line, wall, RCITY_ROOF_CROSS_BOTH, &crossing)) {
            rcity_roof_hull_add(hull, crossing.place, roof, (rcity_i32)i - 1);
        }
    }
    gathered->count = 0;
    gathered->leg = rcity_roof_leg_begin();
}

/* The second step: the cells of one column of patches. */
RCITY_KERNEL void rcity_roof_gather_cells(const rcity_roof_view *view, const rcity_roof_walk *walk,
                                          rcity_i32 patch_column, const rcity_roof_hull *hull,
                                          rcity_roof_gathered *gathered)
{
    const rcity_roof_line *line = &walk->line;
    const rcity_roof_grid *grid = &walk->cells;
    rcity_roof_columns columns = rcity_roof_columns_in(line, &walk->cell_columns, patch_column);
    rcity_i32 run = rcity_roof_column_begin(line, grid, columns.first);
    rcity_i32 row = rcity_roof_row(line, grid, run);
    rcity_i32 height = rcity_roof_height(hull, &gathered->leg, run);
    for (rcity_i32 column = columns.first; (columns.last - column) * line->sign >= 0; column += line->sign) {
        rcity_i32 run_end = rcity_roof_column_end(line, grid, column);
        rcity_i32 row_end = rcity_roof_row(line, grid, run_end);
        rcity_i32 height_end = rcity_roof_height(hull, &gathered->leg, run_end);
        rcity_i32 lowest = height < height_end ? height : height_end;
        rcity_i32 level = rcity_roof_level(walk, lowest);
        rcity_i32 cell = column * grid->to_column;
        if (rcity_roof_rises(view->levels, grid, column, row, level)) {
            gathered->cell[gathered->count] = cell + row * grid->to_row;
            gathered->lowest[gathered->count++] = lowest;
        }
        if (row_end != row && rcity_roof_rises(view->levels, grid, column, row_end, level)) {
            gathered->cell[gathered->count] = cell + row_end * grid->to_row;
            gathered->lowest[gathered->count++] = lowest;
        }
        height = height_end;
        row = row_end;
    }
}

/* The first step: which of up to 64 columns of patches, from `column` on, have a roof above the hull; the first one is
   the highest bit. */
RCITY_KERNEL rcity_u64 rcity_roof_gather_patches(const rcity_roof_view *view, const rcity_roof_walk *walk,
                                                 rcity_i32 column, rcity_i32 count, const rcity_roof_hull *hull)
{
    const rcity_roof_line *line = &walk->line;
    const rcity_roof_grid *grid = &walk->patches;
    RCITY_GLOBAL const rcity_u16 *levels = view->levels + view->patch_first;
    rcity_roof_leg leg = rcity_roof_leg_begin();
    rcity_i32 run = rcity_roof_column_begin(line, grid, column);
    rcity_i32 row = rcity_roof_row(line, grid, run);
    rcity_i32 height = rcity_roof_height(hull, &leg, run);
    rcity_u64 rising = 0;
    for (rcity_i32 k = 0; k < count && k < 64; k++) {
        rcity_i32 run_end = rcity_roof_column_end(line, grid, column);
        rcity_i32 row_end = rcity_roof_row(line, grid, run_end);
        rcity_i32 height_end = rcity_roof_height(hull, &leg, run_end);
        rcity_i32 level = rcity_roof_level(walk, height < height_end ? height : height_end);
        rcity_u64 rises = (rcity_u64)(rcity_roof_rises(levels, grid, column, row, level) |
                                      rcity_roof_rises(levels, grid, column, row_end, level));
        rising |= rises << (63 - k);
        height = height_end;
        row = row_end;
        column += line->sign;
    }
    return rising;
}

/* As rcity_roof_walk_roofs(). */
RCITY_KERNEL void rcity_roof_gather_roofs(const rcity_roof_view *view, rcity_roof_line line, int ahead,
                                          rcity_roof_hull *hull)
{
    if (view->map.cells.column_count == 0 || line.length == 0) {
        return;
    }
    rcity_roof_walk walk;
    rcity_roof_gathered gathered;
    rcity_roof_walk_begin(view, line, &walk);
    rcity_roof_columns columns = rcity_roof_columns_make(&line, &walk.patches);
    rcity_i32 count = (columns.last - columns.first) * line.sign + 1;
    rcity_i32 first = ahead < count ? count - ahead : 0; /* those at the receiver come before all */
    rcity_u64 rising = ahead > 0 && count > 0 ? ~(rcity_u64)0 << (64 - (count - first)) : 0;
    rcity_i32 next = 0;
    gathered.count = 0;
    gathered.leg = rcity_roof_leg_begin();
    while (rising != 0 || next < count) {
        if (rising == 0) {
            first = next;
            rising = rcity_roof_gather_patches(view, &walk, columns.first + first * line.sign, count - first, hull);
            next += 64;
        }
        while (rising != 0 && gathered.count <= RCITY_ROOF_GATHER_MAX - RCITY_ROOF_GATHER_STEP) {
            rcity_i32 k = rcity_leading_zeros(rising);
            rising &= ~((rcity_u64)1 << (63 - k));
            rcity_roof_gather_cells(view, &walk, columns.first + (first + k) * line.sign, hull, &gathered);
        }
        rcity_roof_gather_walls(view, &line, &gathered, hull);
    }
}

#endif

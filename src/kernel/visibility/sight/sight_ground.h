/* A line against the terrain. The ground is linear between crossings with rows, columns and diagonals of the elevation
   grid, so exact comparisons of heights at the crossings decide for the whole line. */
#ifndef RCITY_KERNEL_VISIBILITY_SIGHT_SIGHT_GROUND_H
#define RCITY_KERNEL_VISIBILITY_SIGHT_SIGHT_GROUND_H

#include "kernel/visibility/sight/sight_line.h"

/* A cell's width times the length of a line in plan must be below this, otherwise the host's plain test decides: then
   its products with heights (less than 2^22 apart) fit 64 bits. */
#define RCITY_SIGHT_GROUND_LIMIT ((rcity_i64)1 << 38)

/* A line relative to a cell of the terrain, with the heights of the cell's corners relative to the south-west one. */
typedef struct rcity_sight_patch {
    rcity_i64 x, y, z;
    rcity_i64 cell;
    rcity_i64 south_east, north_east, north_west;
} rcity_sight_patch;

/* Is the line below the ground at the fraction num / den, if that lies on the line and in the cell? */
RCITY_KERNEL int rcity_sight_patch_covers(const rcity_sight_line *line, rcity_sight_patch patch, rcity_i64 num,
                                          rcity_i64 den)
{
    rcity_i64 size = patch.cell * den;
    rcity_i64 x = patch.x * den + line->dx * num;
    rcity_i64 y = patch.y * den + line->dy * num;
    if (num < 0 || num > den || x < 0 || x > size || y < 0 || y > size) {
        return 0;
    }
    rcity_i64 ground = x >= y ? patch.south_east * x + (patch.north_east - patch.south_east) * y
                              : patch.north_west * y + (patch.north_east - patch.north_west) * x;
    return (patch.z * den + line->dz * num) * patch.cell < ground;
}

/* The same at the crossing with the column, row or diagonal that the coordinate reaches after `course`, moving by
   `step`. */
RCITY_KERNEL int rcity_sight_patch_covers_at(const rcity_sight_line *line, rcity_sight_patch patch, rcity_i64 course,
                                             rcity_i64 step)
{
    return step != 0 && rcity_sight_patch_covers(line, patch, step > 0 ? course : -course, step > 0 ? step : -step);
}

/* The patch of a cell. */
RCITY_KERNEL rcity_sight_patch rcity_sight_patch_make(const rcity_sight_view *view, const rcity_sight_line *line,
                                                      rcity_i32 column, rcity_i32 row)
{
    const rcity_sight_grid *cells = &view->map.ground_cells;
    const rcity_sight_grid *blocks = &view->map.ground_blocks;
    rcity_u32 node_stride = (rcity_u32)cells->column_count + 1;
    rcity_u32 node_first = (rcity_u32)(blocks->first + blocks->column_count * blocks->row_count);
    RCITY_GLOBAL const rcity_i32 *south = view->ground + node_first + (rcity_u32)row * node_stride + (rcity_u32)column;
    RCITY_GLOBAL const rcity_i32 *north = south + node_stride;
    rcity_i64 south_west = south[0];
    rcity_sight_patch patch;
    patch.cell = cells->cell;
    patch.x = (rcity_i64)line->ax - cells->west - column * patch.cell;
    patch.y = (rcity_i64)line->ay - cells->south - row * patch.cell;
    patch.z = line->az - south_west;
    patch.south_east = south[1] - south_west;
    patch.north_east = north[1] - south_west;
    patch.north_west = north[0] - south_west;
    return patch;
}

/* Is the line below the ground anywhere in a cell: where it enters or crosses the diagonal, and with `is_end` where it
   ends or leaves? */
RCITY_KERNEL int rcity_sight_patch_blocks(const rcity_sight_line *line, const rcity_sight_patch *patch, int is_end)
{
    rcity_i64 near_x = line->dx >= 0 ? 0 : patch->cell;
    rcity_i64 near_y = line->dy >= 0 ? 0 : patch->cell;
    if (rcity_sight_patch_covers_at(line, *patch, near_x - patch->x, line->dx) ||
        rcity_sight_patch_covers_at(line, *patch, near_y - patch->y, line->dy) ||
        rcity_sight_patch_covers_at(line, *patch, patch->y - patch->x, (rcity_i64)line->dx - line->dy)) {
        return 1;
    }
    return is_end && (rcity_sight_patch_covers_at(line, *patch, patch->cell - near_x - patch->x, line->dx) ||
                      rcity_sight_patch_covers_at(line, *patch, patch->cell - near_y - patch->y, line->dy) ||
                      rcity_sight_patch_covers(line, *patch, 0, 1) || rcity_sight_patch_covers(line, *patch, 1, 1));
}

/* The lowest whole height on or above the ground at a place. @return 0 where there is no ground: outside the grid. */
RCITY_KERNEL int rcity_sight_ground_height(const rcity_sight_view *view, rcity_i32 x, rcity_i32 y, rcity_i32 *height)
{
    const rcity_sight_grid *cells = &view->map.ground_cells;
    rcity_sight_line at;
    at.ax = x;
    at.ay = y;
    at.az = 0;
    at.dx = at.dy = at.dz = 0;
    if (cells->column_count == 0 || x < cells->west || y < cells->south || x - cells->west > cells->width ||
        y - cells->south > cells->depth) {
        return 0;
    }
    rcity_i32 column = (x - cells->west) / cells->cell;
    rcity_i32 row = (y - cells->south) / cells->cell;
    column = column < cells->column_count ? column : cells->column_count - 1;
    row = row < cells->row_count ? row : cells->row_count - 1;
    rcity_sight_patch patch = rcity_sight_patch_make(view, &at, column, row);
    rcity_i64 rise = patch.x >= patch.y ? patch.south_east * patch.x + (patch.north_east - patch.south_east) * patch.y
                                        : patch.north_west * patch.y + (patch.north_east - patch.north_west) * patch.x;
    rcity_i64 whole = rise / patch.cell;                                  /* rounded towards 0 */
    *height = (rcity_i32)(whole + (whole * patch.cell < rise) - patch.z); /* patch.z is the south-west node, negative */
    return 1;
}

/* Is the line short enough for comparisons in 64 bits? */
RCITY_KERNEL int rcity_sight_ground_is_narrow(const rcity_sight_view *view, const rcity_sight_line *line)
{
    rcity_i64 length = rcity_sight_size(line->dx) + rcity_sight_size(line->dy) + 1;
    return length * view->map.ground_cells.cell < RCITY_SIGHT_GROUND_LIMIT;
}

/* Does the ground rise above the line anywhere on these steps? */
RCITY_KERNEL int rcity_sight_ground_steps_block(const rcity_sight_view *view, const rcity_sight_line *line,
                                                rcity_sight_steps steps)
{
    rcity_i32 stride = view->map.ground_cells.stride;
    int is_first = 1;
    for (; steps.left >= 0; steps = rcity_sight_steps_next(steps)) {
        if (view->ground[steps.cell] > rcity_sight_steps_height(steps) >> 16) {
            rcity_sight_patch patch = rcity_sight_patch_make(view, line, steps.cell % stride, steps.cell / stride);
            if (rcity_sight_patch_blocks(line, &patch, is_first || steps.left == 0)) {
                return 1;
            }
        }
        is_first = 0;
    }
    return 0;
}

/* The steps through the next block with ground that is high enough; none are left at the end. */
RCITY_KERNEL rcity_sight_steps rcity_sight_ground_block(const rcity_sight_view *view, const rcity_sight_line *line,
                                                        rcity_sight_steps *blocks)
{
    rcity_sight_steps cells = *blocks;
    for (cells.left = -1; blocks->left >= 0 && cells.left < 0; *blocks = rcity_sight_steps_next(*blocks)) {
        if (view->ground[blocks->cell] > rcity_sight_steps_height(*blocks) >> 16) {
            rcity_sight_grid grid =
                rcity_sight_block_grid(&view->map.ground_cells, &view->map.ground_blocks, blocks->cell);
            cells = rcity_sight_steps_begin(line, &grid, 0);
        }
    }
    return cells;
}

/* Does the ground rise above the line anywhere? */
RCITY_KERNEL_APART rcity_sight_answer rcity_sight_ground_blocks(const rcity_sight_view *view,
                                                                const rcity_sight_line *line)
{
    const rcity_sight_grid *grid = &view->map.ground_cells;
    if (grid->column_count == 0) {
        return RCITY_SIGHT_FREE;
    }
    if (!rcity_sight_ground_is_narrow(view, line)) {
        return RCITY_SIGHT_LOOK_CLOSELY;
    }
    rcity_sight_steps blocks;
    rcity_sight_steps cells = rcity_sight_steps_begin(line, grid, 0);
    blocks.left = -1;
    if (cells.left > RCITY_SIGHT_FAR_STEPS) {
        blocks = rcity_sight_steps_begin(line, &view->map.ground_blocks, 0);
        cells = rcity_sight_ground_block(view, line, &blocks);
    }
    while (cells.left >= 0) {
        if (rcity_sight_ground_steps_block(view, line, cells)) {
            return RCITY_SIGHT_BLOCKED;
        }
        cells = rcity_sight_ground_block(view, line, &blocks);
    }
    return RCITY_SIGHT_FREE;
}

#endif

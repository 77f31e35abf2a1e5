/* Is a segment free? One item of the batch. The answer is the same on every device, whichever end comes first. */
#ifndef RCITY_KERNEL_VISIBILITY_SIGHT_SIGHT_WALK_H
#define RCITY_KERNEL_VISIBILITY_SIGHT_SIGHT_WALK_H

#include "kernel/visibility/sight/sight_ground.h"
#include "kernel/visibility/sight/sight_walls.h"

/* Begins the walk of a line through the cells; a vertical one has none. */
RCITY_KERNEL rcity_sight_steps rcity_sight_walk_begin(const rcity_sight_view *view, const rcity_sight_line *line)
{
    rcity_sight_steps steps;
    steps.left = -1;
    if ((line->dx | line->dy) != 0 && line->az < view->map.top) {
        steps = rcity_sight_steps_begin(line, &view->map.cells, 1);
        steps.height -= (rcity_i64)view->map.floor * 65536;
    }
    return steps;
}

/* Advances past the next cell with walls that are high enough for the line to meet them, and returns it; -1 when there
   is none. */
RCITY_KERNEL rcity_i32 rcity_sight_walk_on(const rcity_sight_view *view, rcity_sight_steps *walk)
{
    RCITY_GLOBAL const rcity_u8 *levels = view->raster;
    int shift = 16 + view->map.level_shift;
    rcity_sight_steps steps = *walk;
    rcity_i32 found = -1;
    while (steps.left >= 0 && found < 0) {
        rcity_i32 level = levels[steps.cell];
        if (level != 0 && level > rcity_sight_steps_height(steps) >> shift) {
            found = steps.cell;
        }
        steps = rcity_sight_steps_next(steps);
    }
    walk->cell = steps.cell;
    walk->left = steps.left;
    walk->balance = steps.balance;
    return found;
}

/* Do walls in a cell block the line? */
RCITY_KERNEL rcity_sight_answer rcity_sight_walk_cell(const rcity_sight_view *view, const rcity_sight_line *line,
                                                      const rcity_sight_steps *walk, rcity_i32 cell)
{
    return walk->per_column + walk->per_row <= view->map.narrow ? rcity_sight_cell_blocks(view, line, (rcity_u32)cell)
                                                                : rcity_sight_cell_closely(view, line, (rcity_u32)cell);
}

/* Is the line long, and its upper end higher than most roofs? */
RCITY_KERNEL int rcity_sight_walk_is_far(const rcity_sight_view *view, const rcity_sight_line *line,
                                         const rcity_sight_steps *walk)
{
    return walk->left > RCITY_SIGHT_FAR_STEPS && line->az + line->dz > view->map.crowd;
}

/* The walls along a far line: block by block, without blocks whose roofs are all below it. `met` as in
   rcity_sight_walk(). */
RCITY_KERNEL_APART rcity_sight_answer rcity_sight_walk_far(const rcity_sight_view *view, const rcity_sight_line *line,
                                                           rcity_i32 *met)
{
    rcity_i64 floor = (rcity_i64)view->map.floor * 65536;
    int shift = 16 + view->map.level_shift;
    rcity_sight_steps blocks = rcity_sight_steps_begin(line, &view->map.blocks, 1);
    rcity_sight_answer answer = RCITY_SIGHT_FREE;
    for (; blocks.left >= 0 && answer == RCITY_SIGHT_FREE; blocks = rcity_sight_steps_next(blocks)) {
        rcity_i32 level = view->raster[blocks.cell];
        if (level == 0 || level <= (rcity_sight_steps_height(blocks) - floor) >> shift) {
            continue;
        }
        rcity_sight_grid grid = rcity_sight_block_grid(&view->map.cells, &view->map.blocks, blocks.cell);
        rcity_sight_steps walk = rcity_sight_steps_begin(line, &grid, 1);
        walk.height -= floor;
        rcity_i32 cell = rcity_sight_walk_on(view, &walk);
        while (cell >= 0 && answer == RCITY_SIGHT_FREE) {
            answer = rcity_sight_walk_cell(view, line, &walk, cell);
            *met = cell;
            cell = rcity_sight_walk_on(view, &walk);
        }
    }
    return answer;
}

/* The remaining tests when no wall blocks the line: the point where the line starts, and the ground. */
RCITY_KERNEL rcity_sight_answer rcity_sight_walk_end(const rcity_sight_view *view, const rcity_sight_line *line)
{
    rcity_sight_answer answer = RCITY_SIGHT_FREE;
    if (line->az < view->map.top) {
        answer = rcity_sight_start_blocks(view, line);
    }
    if (answer == RCITY_SIGHT_FREE && line->az < view->map.ground_top) {
        answer = rcity_sight_ground_blocks(view, line);
    }
    return answer;
}

/* Do a few points on the line lie inside buildings? Most blocked lines are detected here, without a branch. The points
   are off by less than 3 units; levels are rounded up. */
RCITY_KERNEL int rcity_sight_probes_block(const rcity_sight_view *view, const rcity_sight_line *line)
{
    const rcity_i32 width = view->map.probes.width;
    const rcity_i32 depth = view->map.probes.depth;
    const rcity_i32 shift = view->map.probes.shift;
    const rcity_i32 stride = view->map.probes.stride;
    RCITY_GLOBAL const rcity_u8 *solids = view->raster + view->map.probes.first;
    rcity_i32 x = line->ax - view->map.probes.west;
    rcity_i32 y = line->ay - view->map.probes.south;
    rcity_i32 x_end = x + line->dx;
    rcity_i32 y_end = y + line->dy;
    if ((x | y | x_end | y_end) < 0 || x >= width || x_end >= width || y >= depth || y_end >= depth) {
        return 0;
    }
    rcity_i32 z = (line->az - view->map.floor + 3) >> view->map.level_shift;
    rcity_i32 z1 = line->dz >> view->map.level_shift;
    z = z > 0 ? z + 2 : 2; /* nothing is solid up to level 0 */
    rcity_i32 x2 = line->dx >> 1;
    rcity_i32 y2 = line->dy >> 1;
    rcity_i32 z2 = z1 >> 1;
    rcity_i32 x4 = x2 >> 1;
    rcity_i32 y4 = y2 >> 1;
    rcity_i32 z4 = z2 >> 1;
    rcity_i32 x8 = x4 >> 1;
    rcity_i32 y8 = y4 >> 1;
    rcity_i32 z8 = z4 >> 1;
    int is_hit = z + z2 < solids[((y + y2) >> shift) * stride + ((x + x2) >> shift)];
    is_hit |= z + z4 < solids[((y + y4) >> shift) * stride + ((x + x4) >> shift)];
    is_hit |= z + z8 < solids[((y + y8) >> shift) * stride + ((x + x8) >> shift)];
    x += x2;
    y += y2;
    z += z2;
    is_hit |= z + z4 < solids[((y + y4) >> shift) * stride + ((x + x4) >> shift)];
    is_hit |= z + z8 < solids[((y + y8) >> shift) * stride + ((x + x8) >> shift)];
    return is_hit;
}

/* The rest of a walk after a cell with walls (-1: there is none). `met` as in rcity_sight_walk(). */
RCITY_KERNEL rcity_sight_answer rcity_sight_walk_from(const rcity_sight_view *view, const rcity_sight_line *line,
                                                      rcity_sight_steps *walk, rcity_i32 cell, rcity_i32 *met)
{
    rcity_sight_answer answer = RCITY_SIGHT_FREE;
    while (cell >= 0 && answer == RCITY_SIGHT_FREE) {
        answer = rcity_sight_walk_cell(view, line, walk, cell);
        *met = cell;
        cell = answer == RCITY_SIGHT_FREE ? rcity_sight_walk_on(view, walk) : -1;
    }
    return answer == RCITY_SIGHT_FREE ? rcity_sight_walk_end(view, line) : answer;
}

/* The whole walk. Where walls block the line, *met is their cell; otherwise it is a cell or unchanged. */
RCITY_KERNEL rcity_sight_answer rcity_sight_walk(const rcity_sight_view *view, const rcity_sight_line *line,
                                                 rcity_i32 *met)
{
    rcity_sight_steps walk = rcity_sight_walk_begin(view, line);
    if (rcity_sight_walk_is_far(view, line, &walk)) {
        rcity_sight_answer answer = rcity_sight_walk_far(view, line, met);
        return answer == RCITY_SIGHT_FREE ? rcity_sight_walk_end(view, line) : answer;
    }
    rcity_i32 cell = rcity_sight_walk_on(view, &walk);
    return rcity_sight_walk_from(view, line, &walk, cell, met);
}

RCITY_KERNEL rcity_sight_answer rcity_sight_test(const rcity_sight_view *view, rcity_sight_segment segment)
{
    rcity_sight_line line = rcity_sight_line_make(segment);
    rcity_i32 met = -1;
    return rcity_sight_probes_block(view, &line) ? RCITY_SIGHT_BLOCKED : rcity_sight_walk(view, &line, &met);
}

#endif

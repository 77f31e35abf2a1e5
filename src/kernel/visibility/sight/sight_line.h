/* A line through a grid of square cells, cell by cell, in exact integers. */
#ifndef RCITY_KERNEL_VISIBILITY_SIGHT_SIGHT_LINE_H
#define RCITY_KERNEL_VISIBILITY_SIGHT_SIGHT_LINE_H

#include "kernel/visibility/sight/sight_map.h"
#include "kernel/visibility/sight/wide.h"

/* A segment from its lower end upward, so that the line is lowest where it enters anything. */
typedef struct rcity_sight_line {
    rcity_i32 ax, ay, az;
    rcity_i32 dx, dy, dz; /* dz >= 0 */
} rcity_sight_line;

RCITY_KERNEL rcity_sight_line rcity_sight_line_make(rcity_sight_segment s)
{
    int is_up = s.az != s.bz ? s.az < s.bz : s.ax != s.bx ? s.ax < s.bx : s.ay <= s.by;
    rcity_sight_line line;
    line.ax = is_up ? s.ax : s.bx;
    line.ay = is_up ? s.ay : s.by;
    line.az = is_up ? s.az : s.bz;
    line.dx = is_up ? s.bx - s.ax : s.ax - s.bx;
    line.dy = is_up ? s.by - s.ay : s.ay - s.by;
    line.dz = is_up ? s.bz - s.az : s.az - s.bz;
    return line;
}

/* The state of a walk. After `left` more steps it is in the line's last cell of the grid. */
typedef struct rcity_sight_steps {
    rcity_i32 cell;
    rcity_i32 left;              /* negative: the line misses the grid */
    rcity_i32 to_column, to_row; /* index steps to the next column, to the next row */
    rcity_i64 balance;           /* negative: the next column begins before the next row */
    rcity_i64 per_column, per_row;
    /* Times 65536: with `left` steps to go, the line is not below height - left * gain from there on. */
    rcity_i64 height;
    rcity_i64 gain;
} rcity_sight_steps;

/* A line in the coordinates of a grid whose origin is the corner that the line comes from: both coordinates grow or are
   constant. */
typedef struct rcity_sight_course {
    rcity_i32 x, y, dx, dy;
} rcity_sight_course;

RCITY_KERNEL_WITHIN rcity_sight_course rcity_sight_course_of(const rcity_sight_line *line, const rcity_sight_grid *grid)
{
    rcity_i32 is_west = line->dx >> 31; /* all bits or none */
    rcity_i32 is_south = line->dy >> 31;
    rcity_sight_course course;
    course.dx = (line->dx ^ is_west) - is_west;
    course.dy = (line->dy ^ is_south) - is_south;
    course.x = ((line->ax - grid->west) ^ is_west) - is_west + (grid->width & is_west);
    course.y = ((line->ay - grid->south) ^ is_south) - is_south + (grid->depth & is_south);
    return course;
}

/* The later of two fractions of a line. */
RCITY_KERNEL void rcity_sight_later(rcity_i64 num, rcity_i64 den, rcity_i64 *latest_num, rcity_i64 *latest_den)
{
    if (num * *latest_den > *latest_num * den) {
        *latest_num = num;
        *latest_den = den;
    }
}

/* The cell at the fraction num / den of the course. On a border between two cells, `is_upper` chooses. A course that
   only touches the grid, or runs along its border, may have to be moved into it. */
RCITY_KERNEL rcity_i32 rcity_sight_cell_at(rcity_i32 start, rcity_i32 step, rcity_i64 num, rcity_i64 den,
                                           rcity_i32 cell, int is_upper, rcity_i32 count)
{
    rcity_i64 moved = step * num;
    rcity_i64 whole = moved / den;
    rcity_i64 at = start + whole - (!is_upper && whole * den == moved);
    at = at < 0 ? 0 : at / cell;
    return at < count ? (rcity_i32)at : count - 1;
}

/* The first and last cell (column, row) of a course that is partly outside of its grid; returns 0 when it misses the
   grid. */
RCITY_KERNEL_APART int rcity_sight_clip(rcity_sight_course course, const rcity_sight_grid *grid, rcity_i32 *cells,
                                        rcity_i64 *in_num, rcity_i64 *in_den)
{
    rcity_i64 width = (rcity_i64)grid->column_count * grid->cell;
    rcity_i64 depth = (rcity_i64)grid->row_count * grid->cell;
    rcity_i64 x_end = (rcity_i64)course.x + course.dx;
    rcity_i64 y_end = (rcity_i64)course.y + course.dy;
    if (course.x > width || course.y > depth || x_end < 0 || y_end < 0) {
        return 0;
    }
    rcity_i64 out_num = 0; /* counted back from the far end */
    rcity_i64 out_den = 1;
    if (course.dx > 0) {
        rcity_sight_later(-(rcity_i64)course.x, course.dx, in_num, in_den);
        rcity_sight_later(x_end - width, course.dx, &out_num, &out_den);
    }
    if (course.dy > 0) {
        rcity_sight_later(-(rcity_i64)course.y, course.dy, in_num, in_den);
        rcity_sight_later(y_end - depth, course.dy, &out_num, &out_den);
    }
    if (*in_num * out_den + out_num * *in_den > *in_den * out_den) {
        return 0;
    }
    out_num = out_den - out_num;
    cells[0] = rcity_sight_cell_at(course.x, course.dx, *in_num, *in_den, grid->cell, 1, grid->column_count);
    cells[1] = rcity_sight_cell_at(course.y, course.dy, *in_num, *in_den, grid->cell, 1, grid->row_count);
    cells[2] =
        rcity_sight_cell_at(course.x, course.dx, out_num, out_den, grid->cell, course.dx == 0, grid->column_count);
    cells[3] = rcity_sight_cell_at(course.y, course.dy, out_num, out_den, grid->cell, course.dy == 0, grid->row_count);
    return 1;
}

/* The part of a line's steps that follows from its first and last cell. */
RCITY_KERNEL_WITHIN rcity_sight_steps rcity_sight_steps_from(const rcity_sight_line *line, const rcity_sight_grid *grid,
                                                             rcity_sight_course course, rcity_i32 column, rcity_i32 row,
                                                             rcity_i32 left)
{
    rcity_i32 is_west = line->dx >> 31; /* all bits or none */
    rcity_i32 is_south = line->dy >> 31;
    rcity_i64 column_gap = (rcity_i64)(column + 1) * grid->cell - course.x;
    rcity_i64 row_gap = (rcity_i64)(row + 1) * grid->cell - course.y;
    column = (column ^ is_west) - is_west + ((grid->column_count - 1) & is_west);
    row = (row ^ is_south) - is_south + ((grid->row_count - 1) & is_south);
    rcity_sight_steps steps;
    steps.left = left;
    steps.cell = grid->first + row * grid->stride + column;
    steps.to_column = 1 | is_west;
    steps.to_row = (grid->stride ^ is_south) - is_south;
    steps.balance = column_gap * course.dy - row_gap * course.dx;
    steps.per_column = (rcity_i64)course.dy * grid->cell;
    steps.per_row = (rcity_i64)course.dx * grid->cell;
    rcity_i64 gain = (rcity_i64)((float)line->dz / (float)((course.dx + course.dy) | 1) * grid->gain);
    rcity_i64 rise = (rcity_i64)line->dz * 65536;
    steps.gain = gain < rise ? gain : rise; /* for a line shorter than a cell */
    steps.height = (rcity_i64)line->az * 65536 + (left - 2) * steps.gain;
    return steps;
}

/* A line that is partly outside of the grid, or ends on its border. */
RCITY_KERNEL_APART rcity_sight_steps rcity_sight_steps_cut(const rcity_sight_line *line, const rcity_sight_grid *grid,
                                                           rcity_sight_course course)
{
    rcity_i32 cells[4] = {0, 0, 0, 0};
    rcity_i64 in_num = 0;
    rcity_i64 in_den = 1;
    int is_met = rcity_sight_clip(course, grid, cells, &in_num, &in_den);
    /* a course that only touches the grid may count back */
    rcity_i32 columns = cells[2] > cells[0] ? cells[2] - cells[0] : 0;
    rcity_i32 rows = cells[3] > cells[1] ? cells[3] - cells[1] : 0;
    rcity_sight_steps steps =
        rcity_sight_steps_from(line, grid, course, cells[0], cells[1], is_met ? columns + rows : -1);
    float begun = (float)line->dz * ((float)in_num / (float)in_den);
    steps.height += (rcity_i64)(begun * (65536.0f * (1.0f - 1.0f / 1048576.0f)));
    steps.balance = course.dy == 0 ? -1 : steps.balance; /* along the border: columns only */
    return steps;
}

/* Starts in the first cell that the line passes: on a border, the one it enters. Borders are crossed in their order
   along the line, compared exactly, so that every point of the line within the grid lies in one of the closed cells
   that the walk visits. The last cell is the one the line enters at its end, or, where the line is clipped, the one it
   comes from. So no border in between is missed and none beyond is crossed.

   Heights: after k steps the line has crossed borders at least k - 2 cells apart along both axes together, so it has
   covered at least that many cell widths of |dx| + |dy|. Floats are off by less than 2^-20 of the gain; the product of
   gain and steps stays below the line's rise. `is_shifted` says that the grid's cell is a power of two. */
RCITY_KERNEL_WITHIN rcity_sight_steps rcity_sight_steps_begin(const rcity_sight_line *line,
                                                              const rcity_sight_grid *grid, int is_shifted)
{
    rcity_sight_course course = rcity_sight_course_of(line, grid);
    rcity_i32 x_end = course.x + course.dx;
    rcity_i32 y_end = course.y + course.dy;
    if ((course.x | course.y) < 0 || x_end >= grid->width || y_end >= grid->depth) {
        return rcity_sight_steps_cut(line, grid, course);
    }
    rcity_i32 column = is_shifted ? course.x >> grid->shift : course.x / grid->cell;
    rcity_i32 row = is_shifted ? course.y >> grid->shift : course.y / grid->cell;
    rcity_i32 column_end = is_shifted ? x_end >> grid->shift : x_end / grid->cell;
    rcity_i32 row_end = is_shifted ? y_end >> grid->shift : y_end / grid->cell;
    return rcity_sight_steps_from(line, grid, course, column, row, column_end - column + row_end - row);
}

/* The next cell; a line through a corner also visits one of the two cells beside it. Without branches. */
RCITY_KERNEL rcity_sight_steps rcity_sight_steps_next(rcity_sight_steps steps)
{
    rcity_i64 is_column = steps.balance >> 63; /* all bits or none */
    steps.balance += ((steps.per_column + steps.per_row) & is_column) - steps.per_row;
    steps.cell += ((steps.to_column ^ steps.to_row) & (rcity_i32)is_column) ^ steps.to_row;
    steps.left--;
    return steps;
}

/* A lower bound of the line's height from this cell on, times 65536. */
RCITY_KERNEL rcity_i64 rcity_sight_steps_height(rcity_sight_steps steps)
{
    return steps.height - steps.left * steps.gain;
}

/* With more steps than this a line is walked block by block. */
#define RCITY_SIGHT_FAR_STEPS 64

/* The cells of one block, as a grid of their own. */
RCITY_KERNEL rcity_sight_grid rcity_sight_block_grid(const rcity_sight_grid *cells, const rcity_sight_grid *blocks,
                                                     rcity_i32 block)
{
    rcity_i32 number = block - blocks->first;
    rcity_i32 row = number / blocks->stride * RCITY_SIGHT_BLOCK_CELLS;
    rcity_i32 column = number % blocks->stride * RCITY_SIGHT_BLOCK_CELLS;
    rcity_i32 columns = cells->column_count - column;
    rcity_i32 rows = cells->row_count - row;
    rcity_sight_grid grid = *cells;
    grid.west += column * cells->cell;
    grid.south += row * cells->cell;
    grid.column_count = columns < RCITY_SIGHT_BLOCK_CELLS ? columns : RCITY_SIGHT_BLOCK_CELLS;
    grid.row_count = rows < RCITY_SIGHT_BLOCK_CELLS ? rows : RCITY_SIGHT_BLOCK_CELLS;
    grid.width = grid.column_count * cells->cell;
    grid.depth = grid.row_count * cells->cell;
    grid.first += row * cells->stride + column;
    return grid;
}

#endif

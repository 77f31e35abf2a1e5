/* The crossings of a ray's ground track with the lines of a grid: columns, rows and the diagonals that split the cells
   from south-west to north-east. Each family of lines gives an arithmetic sequence; the three are merged as they come,
   without a list. Which crossing is next is decided exactly, in integers. */
#ifndef RCITY_KERNEL_TERRAIN_RAYS_RAY_WALK_H
#define RCITY_KERNEL_TERRAIN_RAYS_RAY_WALK_H

#include "kernel/portable.h"

/* Limits under which nothing below overflows. A direction is a vector of two integers, at most RCITY_RAY_ONE
   each; the larger one is at least half of that, or times overflow on large grids. */
#define RCITY_RAY_ONE_BITS   20
#define RCITY_RAY_ONE        (1 << RCITY_RAY_ONE_BITS)
#define RCITY_RAY_EXTENT_MAX (1 << 22) /* of a grid to each side, in units; so is a cell */
#define RCITY_RAY_NODE_MAX   (1 << 14) /* nodes of a grid to each side */

/* Time along a ray in 1 / 2^18: after the time 1 a ray has moved by its direction / RCITY_RAY_ONE, in cells. */
#define RCITY_RAY_TIME_BITS 18

/* The families, as bits. */
#define RCITY_RAY_COLUMN   1
#define RCITY_RAY_ROW      2
#define RCITY_RAY_DIAGONAL 4

/* The next crossing with one family. */
typedef struct rcity_ray_lines {
    rcity_i64 rest;              /* from the start to the line, along the axis of the family, in units; above 0 */
    rcity_i64 time, time_step;   /* in 1 / 2^32 */
    rcity_i64 place, place_step; /* where on the line: the other coordinate in cells, in 1 / 2^32 */
    rcity_i32 speed;             /* along the axis, its size; 0: no line is ever crossed */
    rcity_i32 turn;              /* +1, -1, or 0 */
    rcity_i32 index;             /* of the strip between two lines that the ray is in */
    rcity_i32 padding;
} rcity_ray_lines;

typedef struct rcity_ray_walk {
    rcity_ray_lines column, row, diagonal; /* the diagonal coordinate is x - y */
    rcity_i64 cell;                        /* units */
    rcity_i64 time;                        /* of the crossing, in 1 / 2^18; never falls */
    rcity_i32 meets;                       /* families that cross here: several at a node */
    rcity_i32 padding;
} rcity_ray_walk;

RCITY_KERNEL rcity_i64 rcity_ray_floor_divide(rcity_i64 value, rcity_i64 by)
{
    rcity_i64 quotient = value / by;
    return quotient * by > value ? quotient - 1 : quotient;
}

/* value / by in 1 / 2^32, rounded down; `by` is below 2^46. */
RCITY_KERNEL rcity_i64 rcity_ray_divide(rcity_i64 value, rcity_i64 by)
{
    rcity_i64 whole = rcity_ray_floor_divide(value, by);
    rcity_i64 rest = (value - whole * by) * 65536;
    rcity_i64 high = rest / by;
    rcity_i64 low = (rest - high * by) * 65536 / by;
    return (whole * 65536 + high) * 65536 + low;
}

/* One family: the start and the speed along its axis, and those along the other coordinate. */
RCITY_KERNEL rcity_ray_lines rcity_ray_lines_make(rcity_i64 start, rcity_i32 speed, rcity_i64 cell, rcity_i64 other,
                                                  rcity_i32 other_speed)
{
    rcity_ray_lines lines;
    rcity_i64 index = rcity_ray_floor_divide(start, cell);
    rcity_i64 past = start - index * cell;
    lines.padding = 0;
    lines.turn = (speed > 0) - (speed < 0);
    lines.speed = speed < 0 ? -speed : speed;
    lines.rest = 1;
    lines.time = 0;
    lines.time_step = 0;
    lines.place = 0;
    lines.place_step = 0;
    if (speed < 0 && past == 0) { /* it leaves its line into the strip before it */
        index--;
        past = cell;
    }
    if (speed != 0) {
        rcity_i64 scale = lines.speed * cell;
        lines.rest = speed > 0 ? cell - past : past;
        lines.time = rcity_ray_divide(lines.rest * RCITY_RAY_ONE, scale);
        lines.time_step = rcity_ray_divide(RCITY_RAY_ONE, lines.speed);
        lines.place = rcity_ray_divide(other * lines.speed + other_speed * lines.rest, scale);
        lines.place_step = rcity_ray_divide(other_speed, lines.speed);
    }
    lines.index = (rcity_i32)index;
    return lines;
}

/* A ray from (x, y) on, in units from the grid's south-west node, in a direction that is not 0. A ray along a line of the
   grid belongs to the strip north or east of it, and along the last one to the strip before; a ray along a diagonal to
   the triangle below. */
RCITY_KERNEL rcity_ray_walk rcity_ray_walk_start(rcity_i64 x, rcity_i64 y, rcity_i64 cell, rcity_i32 dx, rcity_i32 dy,
                                                 rcity_i32 column_count, rcity_i32 row_count)
{
    rcity_ray_walk walk;
    walk.cell = cell;
    walk.column = rcity_ray_lines_make(x, dx, cell, y, dy);
    walk.row = rcity_ray_lines_make(y, dy, cell, x, dx);
    walk.diagonal = rcity_ray_lines_make(x - y, dx - dy, cell, x, dx);
    if (dx == 0 && walk.column.index == column_count - 1) {
        walk.column.index--;
    }
    if (dy == 0 && walk.row.index == row_count - 1) {
        walk.row.index--;
    }
    walk.time = 0;
    walk.meets = 0;
    walk.padding = 0;
    return walk;
}

/* Is the ray still over the grid? */
RCITY_KERNEL int rcity_ray_walk_is_inside(const rcity_ray_walk *walk, rcity_i32 column_count, rcity_i32 row_count)
{
    return walk->column.index >= 0 && walk->column.index < column_count - 1 && walk->row.index >= 0 &&
           walk->row.index < row_count - 1;
}

/* Find the next crossing; the strips are still those before it. rest / speed is compared by products. */
RCITY_KERNEL void rcity_ray_walk_find(rcity_ray_walk *walk)
{
    const rcity_ray_lines *x = &walk->column;
    const rcity_ray_lines *y = &walk->row;
    const rcity_ray_lines *z = &walk->diagonal;
    rcity_i64 xy = x->rest * y->speed - y->rest * x->speed;
    rcity_i64 xz = x->rest * z->speed - z->rest * x->speed;
    rcity_i64 yz = y->rest * z->speed - z->rest * y->speed;
    int is_x = xy <= 0 && xz <= 0;
    int is_y = xy >= 0 && yz <= 0;
    int is_z = xz >= 0 && yz >= 0;
    rcity_i64 time = (is_x ? x->time : is_y ? y->time : z->time) >> (32 - RCITY_RAY_TIME_BITS);
    walk->meets = (is_x ? RCITY_RAY_COLUMN : 0) | (is_y ? RCITY_RAY_ROW : 0) | (is_z ? RCITY_RAY_DIAGONAL : 0);
    time = time < 2 ? 2 : time; /* so that the middle of the first segment is not at the start */
    walk->time = time > walk->time ? time : walk->time;
}

RCITY_KERNEL void rcity_ray_lines_pass(rcity_ray_lines *lines, rcity_i64 cell)
{
    lines->rest += cell;
    lines->time += lines->time_step;
    lines->place += lines->place_step;
    lines->index += lines->turn;
}

/* Go over the crossing that was found. */
RCITY_KERNEL void rcity_ray_walk_pass(rcity_ray_walk *walk)
{
    if (walk->meets & RCITY_RAY_COLUMN) {
        rcity_ray_lines_pass(&walk->column, walk->cell);
    }
    if (walk->meets & RCITY_RAY_ROW) {
        rcity_ray_lines_pass(&walk->row, walk->cell);
    }
    if (walk->meets & RCITY_RAY_DIAGONAL) {
        rcity_ray_lines_pass(&walk->diagonal, walk->cell);
    }
}

#endif

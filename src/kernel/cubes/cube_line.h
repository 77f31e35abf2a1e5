/* The discrete line from the centre of a cube to that of another: Bresenham's, in three dimensions, in whole numbers.

   With n the largest difference of the coordinates, the line has a cube for each step k = 0 .. n; in each coordinate it is
   the one nearest to the straight line, floor(from + k (to - from) / n + 1/2). Half-way cases go to the greater coordinate
   whatever the direction of the line, so that both ends give the same cubes; an error term that starts at zero would round
   them away from its own end.

   A cube at step k is on the lines to step n whose slopes are in [(2 c - 1) / 2k, (2 c + 1) / 2k) in both minor
   coordinates c: an interval of width 1 / k. The targets at the distance R lie 1 / R apart in slope, so every such interval
   with k <= R holds one of them. Hence lines to all cubes of the surface of the box of half-edge R around the source hit
   every cube in the box, and with targets further apart some cube at the distance R itself is missed. That is
   24 R^2 + 2 lines in space, 8 R in a plane. Seen from the source a cube at the distance R is narrowest at the corners of
   the box, about 0.41 / R in space and 0.5 / R in a plane: a fan of equal angles needs steps that small everywhere. */
#ifndef RCITY_KERNEL_CUBES_CUBE_LINE_H
#define RCITY_KERNEL_CUBES_CUBE_LINE_H

#include "kernel/cubes/cube_map.h"

/* Columns, rows and layers of a map, at most: products of two coordinates and 4 fit 32 bits. */
#define RCITY_CUBE_LINE_MAX 16384

/* floor((numerator0 + k slope) / denominator) for k = 0, 1, 2 ..., without a division for each. */
typedef struct rcity_cube_axis {
    rcity_i32 place;
    rcity_i32 rest; /* of the division, 0 .. denominator - 1 */
    rcity_i32 whole, part;
} rcity_cube_axis;

typedef struct rcity_cube_line {
    rcity_cube_axis x, y, z;
    rcity_i32 denominator;
    rcity_i32 step, length; /* the last cube is that of step `length` */
} rcity_cube_line;

RCITY_KERNEL rcity_i32 rcity_floor_divide(rcity_i32 numerator, rcity_i32 denominator)
{
    rcity_i32 quotient = numerator / denominator;
    return quotient * denominator > numerator ? quotient - 1 : quotient;
}

/* How far a line of `length` steps, not 0, with this difference of a coordinate has come in it at a step. */
RCITY_KERNEL rcity_i32 rcity_cube_place(rcity_i32 difference, rcity_i32 step, rcity_i32 length)
{
    return rcity_floor_divide(2 * step * difference + length, 2 * length);
}

RCITY_KERNEL rcity_cube_axis rcity_cube_axis_start(rcity_i32 numerator, rcity_i32 slope, rcity_i32 denominator)
{
    rcity_cube_axis axis;
    axis.place = rcity_floor_divide(numerator, denominator);
    axis.rest = numerator - axis.place * denominator;
    axis.whole = rcity_floor_divide(slope, denominator);
    axis.part = slope - axis.whole * denominator;
    return axis;
}

/* One step on; or several, when `whole` and `part` are those of several. */
RCITY_KERNEL void rcity_cube_axis_move(rcity_cube_axis *axis, rcity_i32 whole, rcity_i32 part, rcity_i32 denominator)
{
    rcity_i32 rest = axis->rest + part;
    rcity_i32 carry = rest >= denominator;
    axis->place += whole + carry;
    axis->rest = carry ? rest - denominator : rest;
}

RCITY_KERNEL rcity_i32 rcity_cube_magnitude(rcity_i32 value)
{
    return value < 0 ? -value : value;
}

/* The number of steps between two cubes. */
RCITY_KERNEL rcity_i32 rcity_cube_distance(rcity_cube from, rcity_cube to)
{
    rcity_i32 x = rcity_cube_magnitude(to.column - from.column);
    rcity_i32 y = rcity_cube_magnitude(to.row - from.row);
    rcity_i32 z = rcity_cube_magnitude(to.layer - from.layer);
    rcity_i32 plan = x > y ? x : y;
    return plan > z ? plan : z;
}

/* The line between two cubes, at a step of it. */
RCITY_KERNEL rcity_cube_line rcity_cube_line_start(rcity_cube from, rcity_cube to, rcity_i32 step)
{
    rcity_cube_line line;
    rcity_i32 x = to.column - from.column, y = to.row - from.row, z = to.layer - from.layer;
    rcity_i32 length = rcity_cube_distance(from, to);
    rcity_i32 unit = length > 0 ? length : 1;
    line.denominator = 2 * unit;
    line.step = step;
    line.length = length;
    line.x = rcity_cube_axis_start(2 * step * x + unit, 2 * x, 2 * unit);
    line.y = rcity_cube_axis_start(2 * step * y + unit, 2 * y, 2 * unit);
    line.z = rcity_cube_axis_start(2 * step * z + unit, 2 * z, 2 * unit);
    line.x.place += from.column;
    line.y.place += from.row;
    line.z.place += from.layer;
    return line;
}

RCITY_KERNEL void rcity_cube_line_next(rcity_cube_line *line)
{
    rcity_cube_axis_move(&line->x, line->x.whole, line->x.part, line->denominator);
    rcity_cube_axis_move(&line->y, line->y.whole, line->y.part, line->denominator);
    rcity_cube_axis_move(&line->z, line->z.whole, line->z.part, line->denominator);
    line->step++;
}

RCITY_KERNEL rcity_cube rcity_cube_line_cube(const rcity_cube_line *line)
{
    rcity_cube cube;
    cube.column = line->x.place;
    cube.row = line->y.place;
    cube.layer = line->z.place;
    return cube;
}

/* Is no cube of these steps of a line filled? `end` is the first step that does not count. */
RCITY_KERNEL int rcity_cube_steps_are_free(rcity_cube_map map, RCITY_GLOBAL const rcity_u32 *words, rcity_cube from,
                                           rcity_cube to, rcity_i32 begin, rcity_i32 end)
{
    if (begin >= end) {
        return 1;
    }
    rcity_cube_line line = rcity_cube_line_start(from, to, begin);
    while (line.step < end) {
        if (rcity_cube_is_filled(map, words, rcity_cube_line_cube(&line))) {
            return 0;
        }
        rcity_cube_line_next(&line);
    }
    return 1;
}

/* Do two cubes see each other along the discrete line? The cubes that hold the two ends do not count. */
RCITY_KERNEL int rcity_cube_line_is_free(rcity_cube_map map, RCITY_GLOBAL const rcity_u32 *words, rcity_cube from,
                                         rcity_cube to)
{
    return rcity_cube_steps_are_free(map, words, from, to, 1, rcity_cube_distance(from, to));
}

#endif

/* The ground under a ray: heights at crossings, triangles, and which of two points looks higher from the transmitter. */
#ifndef RCITY_KERNEL_TERRAIN_RAYS_RAY_GROUND_H
#define RCITY_KERNEL_TERRAIN_RAYS_RAY_GROUND_H

#include "kernel/terrain/rays/ray_walk.h"

/* Heights along a ray are counted in 1 / 2^10 of the grid's unit, 1/64 m, from the transmitter's height. */
#define RCITY_RAY_HEIGHT_BITS     10
#define RCITY_RAY_HEIGHT_UNIT_M   (1.0f / 65536.0f)
#define RCITY_RAY_HEIGHT_SPAN_MAX (1 << 20) /* of heights in the grid's units, antenna included */

typedef struct rcity_ray_grid {
    rcity_i32 column_count, row_count; /* nodes */
    rcity_i32 source_height;           /* heights of the grid are relative to this one, in its units */
    rcity_i32 highest;                 /* of the ground, likewise */
} rcity_ray_grid;

/* A point over or on the track, as the transmitter sees it. */
typedef struct rcity_ray_point {
    rcity_i64 time, height;
} rcity_ray_point;

/* Does `a` look higher from the transmitter than `b`? A point at the time 0 with a negative height is below all. */
RCITY_KERNEL int rcity_ray_is_higher(rcity_ray_point a, rcity_ray_point b)
{
    return a.height * b.time > b.height * a.time;
}

/* The ground at a crossing that was found and not passed, on the line of its first family. */
RCITY_KERNEL rcity_i64 rcity_ray_ground_at(rcity_ray_grid grid, RCITY_GLOBAL const rcity_i32 *height,
                                           const rcity_ray_walk *walk)
{
    rcity_i64 column = walk->column.index;
    rcity_i64 row = walk->row.index;
    rcity_i64 to; /* the other end of the edge */
    rcity_i64 part;
    if (walk->meets & RCITY_RAY_COLUMN) {
        column += walk->column.turn > 0;
        to = grid.column_count;
        part = walk->column.place - row * ((rcity_i64)1 << 32);
    } else if (walk->meets & RCITY_RAY_ROW) {
        row += walk->row.turn > 0;
        to = 1;
        part = walk->row.place - column * ((rcity_i64)1 << 32);
    } else {
        to = grid.column_count + 1;
        part = walk->diagonal.place - column * ((rcity_i64)1 << 32);
    }
    part = part < 0 ? 0 : part > ((rcity_i64)1 << 32) ? ((rcity_i64)1 << 32) : part;
    RCITY_GLOBAL const rcity_i32 *from = height + row * grid.column_count + column;
    rcity_i64 rise = ((from[to] - (rcity_i64)from[0]) * part) >> (32 - RCITY_RAY_HEIGHT_BITS);
    return (from[0] - (rcity_i64)grid.source_height) * (1 << RCITY_RAY_HEIGHT_BITS) + rise;
}

/* The triangle under the segment that ends at the next crossing: 2 times the number of its cell, rows from the south,
   plus 1 for the one above the diagonal. */
RCITY_KERNEL rcity_i32 rcity_ray_triangle(rcity_ray_grid grid, const rcity_ray_walk *walk)
{
    rcity_i32 cell = walk->row.index * (grid.column_count - 1) + walk->column.index;
    return 2 * cell + (walk->diagonal.index != walk->column.index - walk->row.index);
}

/* How the ground of a triangle rises to the east and to the north, per cell, in the grid's units. */
RCITY_KERNEL void rcity_ray_gradient(rcity_ray_grid grid, RCITY_GLOBAL const rcity_i32 *height, rcity_i32 triangle,
                                     rcity_i32 *east, rcity_i32 *north)
{
    rcity_i32 cell = triangle / 2;
    rcity_i32 row = cell / (grid.column_count - 1);
    RCITY_GLOBAL const rcity_i32 *low =
        height + (rcity_i64)row * grid.column_count + (cell - row * (grid.column_count - 1));
    RCITY_GLOBAL const rcity_i32 *high = low + grid.column_count;
    if (triangle & 1) {
        *east = high[1] - high[0];
        *north = high[0] - low[0];
    } else {
        *east = low[1] - low[0];
        *north = high[1] - low[1];
    }
}

#endif

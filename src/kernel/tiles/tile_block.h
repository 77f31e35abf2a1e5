/* Blocks of 32 consecutive tiles, or points in the air: bounds that tell for two whole blocks that no tile of one faces any of the other. */
#ifndef RCITY_KERNEL_TILES_TILE_BLOCK_H
#define RCITY_KERNEL_TILES_TILE_BLOCK_H

#include "kernel/tiles/tile.h"

#define RCITY_TILE_BLOCK_SHIFT 5
#define RCITY_TILE_BLOCK       (1 << RCITY_TILE_BLOCK_SHIFT)

/* The bounds of its places and of its fronts. */
typedef struct rcity_tile_block {
    rcity_tile_place least, most;
    rcity_tile_front front_least, front_most;
} rcity_tile_block;

/* The largest product of a difference and a front. Conversion and product are rounded, which keeps order, so that no
   rounded product of numbers within the bounds is larger. */
RCITY_KERNEL float rcity_tile_bound_product(rcity_i32 least, rcity_i32 most, float front_least, float front_most)
{
    float low = (float)least;
    float high = (float)most;
    float a = low * front_least;
    float b = low * front_most;
    float c = high * front_least;
    float d = high * front_most;
    a = a > b ? a : b;
    c = c > d ? c : d;
    return a > c ? a : c;
}

/* May a place of `to` be in front of a tile of `at`? 0 only where rcity_tile_faces() is 0 for all of them: the sums are
   in its order, and rounding keeps their order too. */
RCITY_KERNEL int rcity_tile_block_may_face(const rcity_tile_block *at, const rcity_tile_block *to)
{
    float x = rcity_tile_bound_product(to->least.x - at->most.x, to->most.x - at->least.x, at->front_least.nx,
                                       at->front_most.nx);
    float y = rcity_tile_bound_product(to->least.y - at->most.y, to->most.y - at->least.y, at->front_least.ny,
                                       at->front_most.ny);
    float z = rcity_tile_bound_product(to->least.z - at->most.z, to->most.z - at->least.z, at->front_least.nz,
                                       at->front_most.nz);
    return x + y + z + at->front_most.all_m > RCITY_TILE_FRONT_M;
}

/* Distances are compared exactly, in the common part of plan and height units. */
typedef struct rcity_tile_range {
    rcity_i64 square; /* of the largest distance; negative: there is none */
    rcity_i32 plan_scale, height_scale;
} rcity_tile_range;

RCITY_KERNEL rcity_i64 rcity_tile_square(rcity_tile_range range, rcity_i32 dx, rcity_i32 dy, rcity_i32 dz)
{
    rcity_i64 x = (rcity_i64)dx * range.plan_scale;
    rcity_i64 y = (rcity_i64)dy * range.plan_scale;
    rcity_i64 z = (rcity_i64)dz * range.height_scale;
    return x * x + y * y + z * z;
}

RCITY_KERNEL int rcity_tile_is_near(rcity_tile_range range, rcity_tile_place a, rcity_tile_place b)
{
    return range.square < 0 || rcity_tile_square(range, a.x - b.x, a.y - b.y, a.z - b.z) <= range.square;
}

/* The gap between two intervals; 0 where they overlap. */
RCITY_KERNEL rcity_i32 rcity_tile_gap(rcity_i32 a_least, rcity_i32 a_most, rcity_i32 b_least, rcity_i32 b_most)
{
    rcity_i32 above = b_least - a_most;
    rcity_i32 below = a_least - b_most;
    rcity_i32 gap = above > below ? above : below;
    return gap > 0 ? gap : 0;
}

RCITY_KERNEL int rcity_tile_block_is_near(rcity_tile_range range, const rcity_tile_block *a, const rcity_tile_block *b)
{
    return range.square < 0 ||
           rcity_tile_square(range, rcity_tile_gap(a->least.x, a->most.x, b->least.x, b->most.x),
                             rcity_tile_gap(a->least.y, a->most.y, b->least.y, b->most.y),
                             rcity_tile_gap(a->least.z, a->most.z, b->least.z, b->most.z)) <= range.square;
}

#endif

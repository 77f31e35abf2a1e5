/* Two blocks of tiles: which tiles of one see which of the other. */
#ifndef RCITY_KERNEL_TILES_TILE_PAIR_H
#define RCITY_KERNEL_TILES_TILE_PAIR_H

#include "kernel/tiles/tile_block.h"
#include "kernel/tiles/tile_segment.h"
#include "kernel/visibility/sight/sight_occluder.h"

typedef struct rcity_tile_pair_job {
    rcity_sight_map map;
    rcity_tile_range range;
    rcity_i32 wall_first; /* the first occluder that is a wall */
    rcity_i32 has_near;   /* are occluders known near each tile? */
} rcity_tile_pair_job;

/* An item: two blocks, and which of their tiles may see one of the other block. */
typedef struct rcity_tile_pair {
    rcity_i32 a, b;
    rcity_u32 tiles_a, tiles_b; /* bit i: tile i of the block */
} rcity_tile_pair;

/* Bit j of sees[i]: tile i of block a and tile j of block b see each other. */
typedef struct rcity_tile_pair_answer {
    rcity_u32 sees[RCITY_TILE_BLOCK];
    rcity_u32 deferred; /* bit i: the host decides all of sees[i] */
    rcity_u32 ray_count;
    rcity_u32 walk_count; /* rays that no occluder decided; may differ from run to run on a device */
} rcity_tile_pair_answer;

/* Is a line between two tiles to be tested? */
RCITY_KERNEL int rcity_tile_pair_faces(rcity_tile_range range, rcity_tile_front front_a, rcity_tile_place a,
                                       rcity_tile_front front_b, rcity_tile_place b)
{
    return rcity_tile_faces(front_a, a, b) && rcity_tile_faces(front_b, b, a) && rcity_tile_is_near(range, a, b);
}

#endif

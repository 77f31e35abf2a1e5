/* The tiles of a tiling in blocks of 32, and which pairs of blocks need a closer look. */
#ifndef RCITY_VISIBILITY_TILES_TILE_BLOCKS_H
#define RCITY_VISIBILITY_TILES_TILE_BLOCKS_H

#include "kernel/tiles/tile_pair.h"
#include "scene/tiles/tiling.h"

typedef struct rcity_tile_blocks {
    int32_t tile_count, block_count;
    const rcity_tile_place *places; /* Borrowed. */
    rcity_tile_front *fronts;
    rcity_tile_block *blocks;
    rcity_tile_range range;
} rcity_tile_blocks;

/* Pairs of tiles, each counted once, by what became of them. */
typedef struct rcity_tile_cull {
    int64_t facing, range, horizon; /* left out, blocks or tiles at a time */
    int64_t left;                   /* those that are tested one by one */
} rcity_tile_cull;

/* `range_m` is the largest distance; 0: none. Places are borrowed.
   @return RCITY_ERR_ARGUMENT for more than 2^31 - 32 tiles. */
rcity_status rcity_tile_blocks_init(rcity_context *context, const rcity_tiling *tiling, double range_m,
                                    rcity_tile_blocks *blocks);
void rcity_tile_blocks_deinit(rcity_context *context, rcity_tile_blocks *blocks);

/* Which tiles of a block there are: all of them, or fewer in the last block. */
uint32_t rcity_tile_blocks_mask(const rcity_tile_blocks *blocks, int32_t block);

/* The pairs of block a and blocks b >= a that facing and range leave, in their order.
   @return how many; `pairs` has room for block_count - a. */
int32_t rcity_tile_blocks_pair(const rcity_tile_blocks *blocks, int32_t a, rcity_tile_pair *pairs,
                               rcity_tile_cull *cull);

#endif

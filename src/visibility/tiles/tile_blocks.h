/* The tiles of a tiling in blocks of 32, and which pairs of blocks need a closer look. Points in the air may follow, in
   blocks of their own. */
#ifndef RCITY_VISIBILITY_TILES_TILE_BLOCKS_H
#define RCITY_VISIBILITY_TILES_TILE_BLOCKS_H

#include "kernel/tiles/tile_pair.h"
#include "scene/tiles/tiling.h"

/* Widen a box of places by one more. */
static inline void rcity_tile_box_add(rcity_tile_place *least, rcity_tile_place *most, rcity_tile_place place)
{
    least->x = place.x < least->x ? place.x : least->x;
    least->y = place.y < least->y ? place.y : least->y;
    least->z = place.z < least->z ? place.z : least->z;
    most->x = place.x > most->x ? place.x : most->x;
    most->y = place.y > most->y ? place.y : most->y;
    most->z = place.z > most->z ? place.z : most->z;
}

typedef struct rcity_tile_blocks {
    int32_t tile_count, point_count;
    int32_t tile_block_count; /* blocks of tiles; those of points follow */
    int32_t block_count;      /* of both */
    int32_t place_count;      /* with those that fill up the last block of tiles where points follow */
    rcity_tile_place *places;
    rcity_tile_front *fronts;
    rcity_tile_block *blocks;
    rcity_tile_range range;
} rcity_tile_blocks;

/* Pairs of tiles, each counted once, by what became of them. */
typedef struct rcity_tile_cull {
    int64_t facing, range, horizon; /* left out, blocks or some tiles at a time */
} rcity_tile_cull;

#define RCITY_TILE_RANGE_MIN_M 1.0
#define RCITY_TILE_RANGE_MAX_M 100000.0

/* Can blocks be made? @return RCITY_ERR_ARGUMENT for a range out of its limits, and for 2^31 - 64 tiles and points or
   more. */
rcity_status rcity_tile_blocks_check(rcity_context *context, const rcity_tiling *tiling, double range_m,
                                     int64_t point_count);

/* `range_m` is the largest distance; 0: none. `points` may be NULL. @return as rcity_tile_blocks_check(). */
rcity_status rcity_tile_blocks_init(rcity_context *context, const rcity_tiling *tiling, double range_m,
                                    int64_t point_count, const rcity_tile_place *points, rcity_tile_blocks *blocks);
void rcity_tile_blocks_deinit(rcity_context *context, rcity_tile_blocks *blocks);

/* Which tiles, or points, of a block there are: all of them, or fewer in the last block of each kind. */
uint32_t rcity_tile_blocks_mask(const rcity_tile_blocks *blocks, int32_t block);

/* The pairs of a block a of tiles and blocks begin ... end - 1 that facing and range leave, in their order.
   @return how many; `pairs` has room for end - begin. */
int32_t rcity_tile_blocks_pair(const rcity_tile_blocks *blocks, int32_t a, int32_t begin, int32_t end,
                               rcity_tile_pair *pairs, rcity_tile_cull *cull);

#endif

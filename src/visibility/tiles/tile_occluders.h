/* What is likely to hide a tile: for each sector around it an occluder, the first one at its height. */
#ifndef RCITY_VISIBILITY_TILES_TILE_OCCLUDERS_H
#define RCITY_VISIBILITY_TILES_TILE_OCCLUDERS_H

#include "visibility/sight/sight_occluders.h"
#include "visibility/tiles/tile_blocks.h"

typedef struct rcity_tile_occluders {
    rcity_sight_occluders all;
    int32_t *near;      /* for each place and sector the number of an occluder, or -1 */
    int64_t near_count; /* 0 where they would take more memory than there may be */
} rcity_tile_occluders;

/* `near` takes at most `most_bytes`. @return RCITY_ERR_MEMORY. */
rcity_status rcity_tile_occluders_init(rcity_context *context, const rcity_sight *sight,
                                       const rcity_tile_blocks *blocks, uint64_t most_bytes,
                                       rcity_tile_occluders *occluders);
void rcity_tile_occluders_deinit(rcity_context *context, rcity_tile_occluders *occluders);

#endif

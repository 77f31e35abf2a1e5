/* Which tiles see which receivers: for each tile the receivers in front of it that a free line joins to its place. */
#ifndef RCITY_VISIBILITY_TILES_TILE_VIEWS_H
#define RCITY_VISIBILITY_TILES_TILE_VIEWS_H

#include "device/device.h"
#include "kernel/tiles/tile_row.h"
#include "scene/tiles/tiling.h"
#include "visibility/sight/sight.h"
#include "visibility/tiles/tile_blocks.h"

/* The bit above the numbers of receivers says by which tile they are seen (kernel/tiles/tile_row.h). */
#define RCITY_TILE_VIEW_RECEIVERS_MAX RCITY_TILE_VIEW_BESIDE

/* How views were made. */
typedef struct rcity_tile_views_effort {
    rcity_tile_cull cull;     /* pairs of a tile and a receiver */
    int64_t covered_count;    /* receivers inside buildings or under ground: none sees anything */
    int64_t block_pair_count; /* pairs of blocks, and those of them that were tested */
    int64_t tested_block_pair_count;
    int64_t ray_count;
    double seconds;
    double cull_s, test_s, row_s; /* parts of them */
} rcity_tile_views_effort;

typedef struct rcity_tile_views {
    int32_t tile_count;
    int64_t receiver_count;
    uint64_t *row_first; /* tile_count + 1: the receivers that tile t sees are receiver[row_first[t]] and those after */
    int32_t *receiver;   /* of each row, increasing; after rcity_tile_views_widen() entries as tile_row.h has them */
    rcity_tile_views_effort effort;
} rcity_tile_views;

/* Which of `count` receivers, points in the air, each tile of a tiling sees; `sight` is that of its scene. `range_m` is
   the largest distance; 0: none. The same on every device and for every number of threads. Owned by the caller; release
   with rcity_tile_views_deinit().
   @return RCITY_ERR_ARGUMENT for a range out of its limits or more than RCITY_TILE_VIEW_RECEIVERS_MAX receivers,
   RCITY_ERR_MEMORY, RCITY_ERR_CANCELLED, and as rcity_device_run(). On failure `*views` is empty. */
rcity_status rcity_tile_views_build(rcity_context *context, rcity_device *device, const rcity_sight *sight,
                                    const rcity_tiling *tiling, double range_m, int64_t count,
                                    const rcity_tile_place *receivers, rcity_tile_views *views);

/* Add to each row the receivers that the tiles at its sides see. @return RCITY_ERR_MEMORY; then `*views` is as before.
   */
rcity_status rcity_tile_views_widen(rcity_context *context, const rcity_tiling *tiling, rcity_tile_views *views);
void rcity_tile_views_deinit(rcity_context *context, rcity_tile_views *views);

#endif

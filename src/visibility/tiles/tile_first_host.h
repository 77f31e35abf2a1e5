/* What transmitters see directly, on the host's threads. */
#ifndef RCITY_VISIBILITY_TILES_TILE_FIRST_HOST_H
#define RCITY_VISIBILITY_TILES_TILE_FIRST_HOST_H

#include "kernel/tiles/tile_first_item.h"
#include "visibility/sight/sight_occluders.h"

/* All is borrowed. */
typedef struct rcity_tile_first_host {
    rcity_tile_first_job job;
    rcity_tile_first_view view;
    const rcity_tile_block *blocks; /* by word of tiles */
    rcity_sight_occluders occluders;
    const rcity_tile_place *from; /* of each transmitter */
    rcity_tile_first_answer *answers;
} rcity_tile_first_host;

/* The answers of the kernel rcity_tile_first for `count` transmitters. */
void rcity_tile_first_run_host(rcity_context *context, const rcity_tile_first_host *host, int32_t count);

#endif

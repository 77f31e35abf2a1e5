/* Scattered power that goes on over roofs: rough tiles that rays have illuminated, and what they send to places that
   neither they nor the transmitter see. */
#ifndef RCITY_METHOD_TILES_SENDERS_TILE_SENDERS_H
#define RCITY_METHOD_TILES_SENDERS_TILE_SENDERS_H

#include "method/tiles/tiles_run.h"

/* The illuminated rough tiles of a run. */
typedef struct rcity_tile_senders {
    int64_t count;
    int32_t *tile;          /* increasing */
    rcity_tile_glow *glows; /* [sender][cell]; what all rays to the tile brought, of all depths */
} rcity_tile_senders;

/* Does a run send anything over roofs? */
bool rcity_tile_senders_are_wanted(const rcity_tiles_run *run);

/* List them, after the bounces and before paths over roofs reach tiles: a path goes over roofs before it is scattered or
   after, not both. Owned by the caller. */
rcity_status rcity_tile_senders_list(const rcity_tiles_run *run, rcity_tile_senders *senders);

/* The same from glows that a device has made; [cell][tile]. */
rcity_status rcity_tile_senders_pick(const rcity_tiles_run *run, const rcity_tile_glow *glows,
                                     rcity_tile_senders *senders);
void rcity_tile_senders_deinit(rcity_context *context, rcity_tile_senders *senders);

/* Add what they send to the sums of hidden receivers and, where sums of tiles are kept, of hidden tiles. The last stage:
   it asks what each place has got so far. */
rcity_status rcity_tile_senders_send(rcity_tiles_run *run, const rcity_tile_senders *senders);

#endif

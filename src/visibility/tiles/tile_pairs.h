/* Pairs of blocks of tiles, tested on any device: facing first, then the walk of sight. */
#ifndef RCITY_VISIBILITY_TILES_TILE_PAIRS_H
#define RCITY_VISIBILITY_TILES_TILE_PAIRS_H

#include "device/device.h"
#include "visibility/sight/sight_occluders.h"
#include "visibility/tiles/tile_blocks.h"

typedef struct rcity_tile_pairs rcity_tile_pairs;

/* Send what the tests read to a device; all is borrowed until close. @return as rcity_resident_create(). */
rcity_status rcity_tile_pairs_open(rcity_context *context, rcity_device *device, const rcity_sight *sight,
                                   const rcity_tile_blocks *blocks, rcity_tile_pairs **pairs);
void rcity_tile_pairs_close(rcity_tile_pairs **pairs);

/* The occluders of the scene; borrowed until close. */
const rcity_sight_occluders *rcity_tile_pairs_occluders(const rcity_tile_pairs *pairs);

/* Which tiles see each other, the same on every device; `deferred` is 0 in all answers. @return as
   rcity_device_run(). */
rcity_status rcity_tile_pairs_test(rcity_tile_pairs *pairs, int64_t count, const rcity_tile_pair *items,
                                   rcity_tile_pair_answer *answers);

#endif

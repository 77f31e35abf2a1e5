/* What transmitters see directly: tiles from in front of them, and receivers; many transmitters at once, on any device. */
#ifndef RCITY_VISIBILITY_TILES_TILE_FIRST_H
#define RCITY_VISIBILITY_TILES_TILE_FIRST_H

#include "device/device.h"
#include "kernel/tiles/tile_first_item.h"
#include "scene/tiles/tiling.h"
#include "visibility/sight/sight.h"

typedef struct rcity_tile_first rcity_tile_first;

/* Send what the tests read to a device, `sight` being that of the tiling's scene. All is borrowed until close.
   @return RCITY_ERR_MEMORY, RCITY_ERR_NO_DEVICE, and RCITY_ERR_ARGUMENT for too many tiles or receivers. */
rcity_status rcity_tile_first_open(rcity_context *context, rcity_device *device, const rcity_sight *sight,
                                   const rcity_tiling *tiling, int64_t receiver_count,
                                   const rcity_tile_place *receivers, rcity_tile_first **first);
void rcity_tile_first_close(rcity_tile_first **first);

/* The words of a transmitter: of tiles, and in all. Those of receivers are last; bits that belong to none are 0. */
int32_t rcity_tile_first_tile_words(const rcity_tile_first *first);
int32_t rcity_tile_first_words(const rcity_tile_first *first);

/* How many transmitters to ask for at once, so that answers take little memory. */
int32_t rcity_tile_first_most(const rcity_tile_first *first);

/* The sight structure on the device, in the order of rcity_sight_array. Borrowed until close. */
rcity_resident *const *rcity_tile_first_sight(const rcity_tile_first *first);

/* What a run writes on the device, for one thread at a time; empty at first, then as large as the largest run. */
typedef struct rcity_tile_first_buffers {
    rcity_resident *from, *answers;
} rcity_tile_first_buffers;

void rcity_tile_first_buffers_deinit(rcity_tile_first_buffers *buffers);

/* What transmitters at some places see: all words of the first one, then those of the next; `deferred` is 0. One copy to
   the device, one launch, one copy back. On the host `buffers` may be NULL. The same on every device.
   @return as rcity_device_run(). */
rcity_status rcity_tile_first_run(rcity_context *context, const rcity_tile_first *first,
                                  rcity_tile_first_buffers *buffers, int32_t count, const rcity_tile_place *from,
                                  rcity_tile_first_answer *answers);

#endif

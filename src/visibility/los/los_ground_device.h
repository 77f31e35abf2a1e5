/* What the terrain hides of the rasters of views whose masks are on a device: the host's vectors find it, the device
   tests the rest. */
#ifndef RCITY_VISIBILITY_LOS_LOS_GROUND_DEVICE_H
#define RCITY_VISIBILITY_LOS_LOS_GROUND_DEVICE_H

#include "visibility/los/los_batch_data.h"

/* Limit of the answers at a time: enough views for all threads and for a device. */
#define RCITY_LOS_GROUND_MAX_BYTES ((int64_t)32 << 20)

typedef struct rcity_los_ground {
    const rcity_los_batch *batch; /* Borrowed. */
    bool is_used;
    int64_t room;             /* views of one launch; tests make it smaller */
    rcity_resident *seen_dev; /* a byte for each pixel of some views, or one in all */
    uint8_t *seen;
    size_t capacity;
} rcity_los_ground;

/* Prepare a plane. Not used where no terrain is prepared for it, and not on GPUs: the host's threads would have to keep up
   with one. On failure call rcity_los_ground_close() as well. @return RCITY_ERR_MEMORY. */
rcity_status rcity_los_ground_open(const rcity_los_batch *batch, rcity_los_ground *ground);
void rcity_los_ground_close(rcity_los_ground *ground);

/* Views that the bounds of directions serve become RCITY_LOS_GROUND. */
void rcity_los_ground_choose(const rcity_los_ground *ground, rcity_los_item *views, int64_t count);

/* Queue: what the ground hides of these views, `room` at most. */
rcity_status rcity_los_ground_look(rcity_los_ground *ground, const rcity_los_item *views, int64_t count);

#endif

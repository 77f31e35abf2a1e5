/* Many segments against one scene, on any device: the structures are sent there once and stay. */
#ifndef RCITY_VISIBILITY_SIGHT_BATCH_H
#define RCITY_VISIBILITY_SIGHT_BATCH_H

#include "device/device.h"
#include "visibility/sight/sight_data.h"

typedef struct rcity_sight_batch rcity_sight_batch;

/* Send structures to a device; all are borrowed until close. `trees` may be NULL: then nothing can be measured.
   @return RCITY_ERR_MEMORY when the device has no room for them, RCITY_ERR_NO_DEVICE. */
rcity_status rcity_sight_batch_open(rcity_context *context, rcity_device *device, const rcity_sight *sight,
                                    const rcity_sight *trees, rcity_sight_batch **batch);
void rcity_sight_batch_close(rcity_sight_batch **batch);

/* Is each segment free? 1 or 0 in `is_free`, the same on every device and for every number of threads.
   @return as rcity_device_run(). */
rcity_status rcity_sight_batch_test(rcity_sight_batch *batch, int64_t count, const rcity_sight_segment *segments,
                                    uint8_t *is_free);

/* What each segment meets; is_deferred is 0 in all answers. @return as rcity_device_run(). */
rcity_status rcity_sight_batch_measure(rcity_sight_batch *batch, int64_t count, const rcity_sight_segment *segments,
                                       rcity_sight_measure *measures);

/* How many segments of all calls so far the host had to test closely. */
int64_t rcity_sight_batch_close_count(const rcity_sight_batch *batch);

#endif

/* Many segments against one scene, on any device: the structure is sent there once and stays. */
#ifndef RCITY_METHOD_SIGHT_BATCH_H
#define RCITY_METHOD_SIGHT_BATCH_H

#include "device/device.h"
#include "scene/sight/sight_data.h"

typedef struct rcity_sight_batch rcity_sight_batch;

/* Send a structure to a device; both are borrowed until close.
   @return RCITY_ERR_MEMORY when the device has no room for it, RCITY_ERR_NO_DEVICE. */
rcity_status rcity_sight_batch_open(rcity_context *context, rcity_device *device, const rcity_sight *sight,
                                    rcity_sight_batch **batch);
void rcity_sight_batch_close(rcity_sight_batch **batch);

/* Is each segment free? 1 or 0 in `is_free`, the same on every device and for every number of threads.
   @return as rcity_device_run(). */
rcity_status rcity_sight_batch_test(rcity_sight_batch *batch, int64_t count, const rcity_sight_segment *segments,
                                    uint8_t *is_free);

/* How many segments of all tests so far the host had to look at closely. */
int64_t rcity_sight_batch_close_count(const rcity_sight_batch *batch);

#endif

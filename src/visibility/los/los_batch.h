/* Rasters of sight of many sources over one plane, on the host's threads or on a device, to which the plane is sent
   once. */
#ifndef RCITY_VISIBILITY_LOS_LOS_BATCH_H
#define RCITY_VISIBILITY_LOS_LOS_BATCH_H

#include "device/device.h"
#include "visibility/los/los_plane.h"

typedef struct rcity_los_batch rcity_los_batch;

/* Send a plane to a device; both are borrowed until close.
   @return RCITY_ERR_MEMORY when there is no room for it, RCITY_ERR_NO_DEVICE. */
rcity_status rcity_los_batch_open(rcity_context *context, rcity_device *device, const rcity_los_plane *plane,
                                  rcity_los_batch **batch);
void rcity_los_batch_close(rcity_los_batch **batch);

/* What each source sees: masks as from rcity_los_trace(), one after the other. The same bits on every device and for
   every number of threads. @return RCITY_ERR_MEMORY, or as rcity_device_run(). */
rcity_status rcity_los_batch_trace(rcity_los_batch *batch, int64_t count, const rcity_grid_point3 *sources,
                                   uint64_t *masks);

/* What a device did, in all calls so far; on the host nothing is counted. */
typedef struct rcity_los_effort {
    int64_t source_count;
    int64_t wall_count;     /* walls whose shadow was drawn */
    int64_t span_count;     /* rows of these shadows */
    int64_t near_count;     /* those that needed exact arithmetic */
    int64_t asked_count;    /* pixels tested one by one */
    int64_t retraced_count; /* sources that the host had to do */
    int strip_count;        /* of a raster */
} rcity_los_effort;

rcity_los_effort rcity_los_batch_get_effort(const rcity_los_batch *batch);

/* For tests: cut the raster into strips. No work-group has more local memory than this. On the host it makes threads
   run the device's kernel. */
void rcity_los_batch_limit_local(rcity_los_batch *batch, size_t bytes);

#endif

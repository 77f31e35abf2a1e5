/* The inside of a batch of rasters, shared with launches over views. */
#ifndef RCITY_VISIBILITY_LOS_LOS_BATCH_DATA_H
#define RCITY_VISIBILITY_LOS_LOS_BATCH_DATA_H

#include "kernel/visibility/los/los_view.h"
#include "visibility/los/los_batch.h"
#include "visibility/los/los_raster.h"

/* Work items of a group. A group waits for its longest shadow: with few items it would be idle for long, and with many
   they share the bits. */
#define RCITY_LOS_GROUP_ITEMS 512

/* The kernels' buffers: items, masks, tallies, then those that stay on the device. */
#define RCITY_LOS_RESIDENT_FIRST 3

enum {
    RCITY_LOS_PLACES, /* x of columns, y of rows, pixels on walls, heights of pixels */
    RCITY_LOS_INDOORS,
    RCITY_LOS_LINES,
    RCITY_LOS_ROOFS,
    RCITY_LOS_SIGHT_RASTER,
    RCITY_LOS_SIGHT_LISTS,
    RCITY_LOS_SIGHT_WALLS,
    RCITY_LOS_SIGHT_DETAILS,
    RCITY_LOS_SIGHT_GROUND,
    RCITY_LOS_RESIDENT_COUNT
};

struct rcity_los_batch {
    rcity_context *context; /* Borrowed, as the next two. */
    rcity_device *device;
    const rcity_los_plane *plane;
    rcity_kernel kernel;
    rcity_los_job job;
    int32_t strip_count; /* 0: the host's own method */

    /* Owned: the plane as the kernel reads it. */
    int32_t *places;
    rcity_los_line *lines;
    int32_t *roofs;
    rcity_resident *resident[RCITY_LOS_RESIDENT_COUNT];
    int64_t extent; /* distance from the west and south of everything to its east and north */

    /* One per thread. */
    rcity_los_worker *workers;
    int worker_count;
    rcity_los_effort effort;
};

/* How to process a source, with the whole raster as one strip. */
rcity_los_item rcity_los_batch_item(const rcity_los_batch *batch, rcity_grid_point3 source);

/* One item by the kernel's steps, on the calling thread; `notes` are those of a view, or NULL, and `ground` is what the
   terrain hides of it. */
void rcity_los_run_item(const rcity_los_job *raster, rcity_los_item item, const rcity_launch_buffer *buffers,
                        const uint32_t *notes, const uint8_t *ground, uint32_t *mask, rcity_los_tally *tally);

#endif

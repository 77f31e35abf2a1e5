/* Ways around corners found on a device: views look around there, the host makes chains of what they see, and the lists of
   chains that light each word of the raster stay there. */
#ifndef RCITY_METHOD_SHADOW_CANYON_DEVICE_H
#define RCITY_METHOD_SHADOW_CANYON_DEVICE_H

#include "kernel/shadow/corner_item.h"
#include "kernel/shadow/way_lists.h"
#include "method/shadow/corners/canyon.h"
#include "method/shadow/los/los_views.h"

/* What the trace of every source of a plane needs; one trace at a time. */
typedef struct rcity_canyon_device {
    rcity_context *context; /* Borrowed, as the next two. */
    rcity_device *device;
    const rcity_los_plane *plane;
    rcity_los_views views;
    rcity_canyon_corners corners;

    /* Corners that are open to the air, in the order of walls. */
    int32_t corner_count, block_count;
    int32_t *points;
    rcity_corner_place *places;
    rcity_resident *places_dev;

    rcity_resident *bits_dev; /* of what views see */
    uint32_t *bits;
    size_t bit_capacity;
    rcity_corner_chain *chains;
    size_t chain_capacity;
    int64_t close_count; /* corners that only the host's test knew, over all traces */
} rcity_canyon_device;

/* What is found of a source; it stays when the next is traced. */
typedef struct rcity_canyon_lists {
    int64_t raster_count, chain_count;
    uint32_t totals[RCITY_WAY_TOTAL_COUNT];
    rcity_resident *chains_dev;  /* rcity_corner_chain */
    rcity_resident *lists_dev;   /* rcity_way_list of each word of 32 pixels */
    rcity_resident *entries_dev; /* rcity_way_entry */
    rcity_resident *lit_dev;     /* words of what the source sees */
    rcity_resident *totals_dev;
} rcity_canyon_lists;

/* Make a plane ready; all are borrowed until deinit. @return as rcity_los_views_init(). */
rcity_status rcity_canyon_device_init(rcity_context *context, rcity_device *device, const rcity_los_plane *plane,
                                      rcity_canyon_device *canyon);
void rcity_canyon_device_deinit(rcity_canyon_device *canyon);

/* Something that the host does meanwhile. */
typedef struct rcity_canyon_task {
    rcity_status (*run)(void *user); /* or NULL */
    void *user;
} rcity_canyon_task;

/* Trace a source to `order` corners. The lists are queued; then rcity_canyon_device_fetch(), rcity_device_finish() and
   rcity_canyon_device_settle(). `task` is done once, while the device has the most to do. @return as rcity_device_run(), or
   what the task returns. */
rcity_status rcity_canyon_device_trace(rcity_canyon_device *canyon, rcity_grid_point3 source, int order,
                                       rcity_canyon_task task, rcity_canyon_lists *lists);

/* Queue, behind other kernels: fetch the totals. */
rcity_status rcity_canyon_device_fetch(const rcity_canyon_device *canyon, rcity_canyon_lists *lists);

/* Where the lists found no room, make them again with more, and wait. */
rcity_status rcity_canyon_device_settle(rcity_canyon_device *canyon, rcity_canyon_lists *lists);

void rcity_canyon_lists_deinit(rcity_canyon_lists *lists);

#endif

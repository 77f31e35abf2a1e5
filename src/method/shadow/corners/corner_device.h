/* Paths around corners on a device. The masks of views stay there, and so do the lists of the chains that reach each
   word of the raster. Many sources are traced together, round by round: the host waits once per round for all of
   them. */
#ifndef RCITY_METHOD_SHADOW_CORNERS_CORNER_DEVICE_H
#define RCITY_METHOD_SHADOW_CORNERS_CORNER_DEVICE_H

#include "kernel/shadow/corners/corner_item.h"
#include "kernel/shadow/corners/corner_lists.h"
#include "method/shadow/corners/corner_store.h"
#include "method/shadow/corners/corner_tracer.h"
#include "visibility/los/los_views.h"

/* A source while it is traced, with memory that is reused for the next. */
typedef struct rcity_corner_source {
    rcity_corner_chains chains;
    rcity_corner_paths found; /* its chains */
    int32_t *view_of;
    size_t first_view;  /* of the last round */
    size_t first_chain; /* among those of all sources */
} rcity_corner_source;

/* What the traces of all sources of a plane need; one call at a time. */
typedef struct rcity_corner_device {
    rcity_context *context; /* Borrowed, as the next two. */
    rcity_device *device;
    const rcity_los_plane *plane;
    rcity_los_views views;
    rcity_corner_table corners;

    /* Corners with open air around them, in the order of walls. */
    int32_t corner_count, block_count;
    int32_t *points;
    rcity_corner_place *places;
    rcity_resident *places_dev;

    /* What corners see, also for later traces; the index of a place is that of its view. */
    rcity_corner_store store;
    rcity_corner_view *looks; /* of the last round */
    size_t look_capacity, first_look;
    uint32_t *bits;
    size_t bit_capacity;
    rcity_corner_fan *fans; /* of the last round */
    size_t fan_capacity;
    rcity_resident *looks_dev, *bits_dev, *fans_dev;
    atomic_int status;
    atomic_int_fast64_t close_count; /* corners deferred to the host's test, over all traces */

    rcity_corner_source *sources;
    size_t source_room;
    rcity_corner_chain *chains;
    size_t chain_capacity;
    rcity_path_source *path_sources;
    size_t path_source_capacity;
} rcity_corner_device;

/* How much was found for a source. */
typedef struct rcity_corner_effort {
    int64_t raster_count, chain_count;
} rcity_corner_effort;

/* The results of sources that were traced together; they stay when others are traced. */
typedef struct rcity_corner_lists {
    rcity_context *context; /* Borrowed. */
    int source_count;
    int64_t chain_count;
    rcity_corner_effort *efforts;
    size_t effort_capacity;
    uint32_t *totals; /* as in rcity_corner_list_place() */
    size_t total_capacity;
    rcity_resident *sources_dev; /* rcity_path_source */
    rcity_resident *chains_dev;  /* rcity_corner_chain */
    rcity_resident *lists_dev;   /* rcity_corner_list of each word of 32 pixels, source by source */
    rcity_resident *entries_dev; /* rcity_corner_list_entry */
    rcity_resident *visible_dev; /* words of what the sources see */
    rcity_resident *totals_dev;
} rcity_corner_lists;

/* Prepares a plane; all are borrowed until deinit. @return as rcity_los_views_init(). */
rcity_status rcity_corner_device_init(rcity_context *context, rcity_device *device, const rcity_los_plane *plane,
                                      rcity_corner_device *corner_device);
void rcity_corner_device_deinit(rcity_corner_device *corner_device);

/* Work for the device while the host processes what the views of a round saw: queued after them, once per round. From
   the first corner on, what the sources see is on the device, in rcity_corner_lists. */
typedef struct rcity_corner_task {
    rcity_status (*run)(void *user, int turn); /* `turn` corners, from 0 to the last */
    void *user;
} rcity_corner_task;

/* Traces sources to `max-corners` corners. The lists are queued; then call rcity_corner_device_fetch(),
   rcity_device_finish() and rcity_corner_device_decide(). @return as rcity_device_run(), or what the task returns. */
rcity_status rcity_corner_device_trace(rcity_corner_device *corner_device, int source_count,
                                       const rcity_grid_point3 *sources, int order, rcity_corner_task task,
                                       rcity_corner_lists *lists);

/* Drops what corners see, which later traces would reuse. */
void rcity_corner_device_forget(rcity_corner_device *corner_device);

/* corner_lists.c: queues what the sources see, after the first round. */
rcity_status rcity_corner_lists_copy_visible(rcity_corner_device *corner_device, int source_count,
                                             rcity_corner_lists *lists);

/* corner_lists.c: stores the chains, source by source, and queues the lists. */
rcity_status rcity_corner_lists_make(rcity_corner_device *corner_device, int source_count, rcity_corner_lists *lists);

/* Queues the copy of the totals to the host, after other kernels. */
rcity_status rcity_corner_device_fetch(const rcity_corner_device *corner_device, rcity_corner_lists *lists);

/* Where the lists had too little room, makes them again with more, and waits. Before the next trace. */
rcity_status rcity_corner_device_decide(rcity_corner_device *corner_device, rcity_corner_lists *lists);

void rcity_corner_lists_deinit(rcity_corner_lists *lists);

#endif

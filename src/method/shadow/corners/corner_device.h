/* Paths around corners on a device: what views see stays there, and so do the lists of chains that light each word of the raster.
   Many sources are traced together, round by round: the host waits once a round for all of them. */
#ifndef RCITY_METHOD_SHADOW_CORNERS_CORNER_DEVICE_H
#define RCITY_METHOD_SHADOW_CORNERS_CORNER_DEVICE_H

#include "kernel/shadow/corners/corner_item.h"
#include "kernel/shadow/corners/corner_lists.h"
#include "method/shadow/corners/corner_store.h"
#include "method/shadow/corners/corner_tracer.h"
#include "visibility/los/los_views.h"

/* A source while it is traced, and room that stays for the next. */
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

    /* Corners that are open to the air, in the order of walls. */
    int32_t corner_count, block_count;
    int32_t *points;
    rcity_corner_place *places;
    rcity_resident *places_dev;

    /* What corners see, also for later traces: the numbers of places are those of views. */
    rcity_corner_store store;
    rcity_corner_view *looks; /* of the last round */
    size_t look_capacity, first_look;
    uint32_t *bits;
    size_t bit_capacity;
    rcity_resident *looks_dev, *bits_dev;
    atomic_int status;
    atomic_int_fast64_t close_count; /* corners that only the host's test knew, over all traces */

    rcity_corner_source *sources;
    size_t source_room;
    rcity_corner_chain *chains;
    size_t chain_capacity;
    rcity_path_source *path_sources;
    size_t path_source_capacity;
} rcity_corner_device;

/* How much was found of a source. */
typedef struct rcity_corner_effort {
    int64_t raster_count, chain_count;
} rcity_corner_effort;

/* What is found of sources that were traced together; it stays when others are traced. */
typedef struct rcity_corner_lists {
    rcity_context *context; /* Borrowed. */
    int source_count;
    int64_t chain_count;
    rcity_corner_effort *efforts;
    size_t effort_capacity;
    uint32_t *totals; /* as of rcity_corner_list_place() */
    size_t total_capacity;
    rcity_resident *sources_dev; /* rcity_path_source */
    rcity_resident *chains_dev;  /* rcity_corner_chain */
    rcity_resident *lists_dev;   /* rcity_corner_list of each word of 32 pixels, source by source */
    rcity_resident *entries_dev; /* rcity_corner_list_entry */
    rcity_resident *visible_dev; /* words of what the sources see */
    rcity_resident *totals_dev;
} rcity_corner_lists;

/* Make a plane ready; all are borrowed until deinit. @return as rcity_los_views_init(). */
rcity_status rcity_corner_device_init(rcity_context *context, rcity_device *device, const rcity_los_plane *plane,
                                      rcity_corner_device *corner_device);
void rcity_corner_device_deinit(rcity_corner_device *corner_device);

/* Something that the host does meanwhile. */
typedef struct rcity_corner_task {
    rcity_status (*run)(void *user); /* or NULL */
    void *user;
} rcity_corner_task;

/* Trace sources to `max-corners` corners. The lists are queued; then rcity_corner_device_fetch(), rcity_device_finish() and
   rcity_corner_device_decide(). `task` is done once, while the device has the most to do. @return as rcity_device_run(), or
   what the task returns. */
rcity_status rcity_corner_device_trace(rcity_corner_device *corner_device, int source_count,
                                       const rcity_grid_point3 *sources, int order, rcity_corner_task task,
                                       rcity_corner_lists *lists);

/* Forget what corners see, which later traces would not look at again. */
void rcity_corner_device_forget(rcity_corner_device *corner_device);

/* corner_lists.c: chains that are found, source by source, and the lists queued. */
rcity_status rcity_corner_lists_make(rcity_corner_device *corner_device, int source_count, rcity_corner_lists *lists);

/* Queue, behind other kernels: fetch the totals. */
rcity_status rcity_corner_device_fetch(const rcity_corner_device *corner_device, rcity_corner_lists *lists);

/* Where the lists found no room, make them again with more, and wait. Before the next trace. */
rcity_status rcity_corner_device_decide(rcity_corner_device *corner_device, rcity_corner_lists *lists);

void rcity_corner_lists_deinit(rcity_corner_lists *lists);

#endif

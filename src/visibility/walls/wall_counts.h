/* The number of walls on the straight line to every pixel of a flat plane, by shadows added up on a device, where the
   numbers stay; several sources in the same launches. */
#ifndef RCITY_VISIBILITY_WALLS_WALL_COUNTS_H
#define RCITY_VISIBILITY_WALLS_WALL_COUNTS_H

#include "kernel/visibility/walls/count_rows.h"
#include "visibility/deferred_pixels.h"
#include "visibility/walls/wall_shadows.h"

/* Deferred pixels of a source that are tested one by one; with more, counting all of them on the host is faster. */
#define RCITY_WALL_COUNTS_ASK_MAX 1024

/* What a plane needs for any source; one trace at a time. */
typedef struct rcity_wall_counts {
    rcity_context *context; /* Borrowed, as the next two. */
    rcity_device *device;
    const rcity_los_plane *plane;
    rcity_wall_shadows shadows; /* the same on the host */
    int32_t *host_counts;       /* its counts, to be sent to the device; NULL until they are needed */
    int32_t *places;
    rcity_count_piece *pieces;
    rcity_count_corner *corners;
    rcity_resident *places_dev, *pieces_dev, *corners_dev, *ends_dev;
    rcity_deferred_pixels deferred;
    int64_t ask_max;

    /* Of the last trace. */
    int source_count;
    rcity_count_source *sources;
    size_t source_capacity;
    int64_t *deferred_counts; /* deferred pixels of each source */
    size_t deferred_count_capacity;
    rcity_resident *sources_dev, *sheets_dev;
    int64_t asked_count;   /* deferred pixels that were tested, over all sources */
    int64_t counted_count; /* sources that the host counted for */
} rcity_wall_counts;

/* Prepare a plane without heights on a device; all are borrowed until deinit. @return as rcity_resident_create(). */
rcity_status rcity_wall_counts_init(rcity_context *context, rcity_device *device, const rcity_los_plane *plane,
                                    rcity_wall_counts *counts);
void rcity_wall_counts_deinit(rcity_wall_counts *counts);

/* Queue: fill `numbers`, source by source one int32_t per pixel, as rcity_walls_trace() counts without visible pixels;
   deferred pixels are not filled. */
rcity_status rcity_wall_counts_trace(rcity_wall_counts *counts, int source_count, const rcity_grid_point3 *sources,
                                     rcity_resident *numbers);

/* Queue, after other kernels: fetch which pixels were deferred. */
rcity_status rcity_wall_counts_fetch(rcity_wall_counts *counts);

/* After rcity_device_finish(): decide the deferred pixels here and queue them for the numbers. Not again before the
   next rcity_device_finish(). */
rcity_status rcity_wall_counts_decide(rcity_wall_counts *counts, rcity_resident *numbers);

#endif

/* The data of over-roof paths, shared by the files that trace them and keep them on a device. */
#ifndef RCITY_METHOD_SHADOW_ROOF_TRACE_DATA_H
#define RCITY_METHOD_SHADOW_ROOF_TRACE_DATA_H

#define RCITY_ROOF_EDGE_MAX 1024 /* on the host */

#include "kernel/shadow/roofs/roof_tile.h"
#include "method/shadow/roofs/roof_trace.h"
#include "visibility/deferred_pixels.h"
#include "visibility/roofs/roof_map.h"
#include "visibility/sight/sight_data.h"

/* Buffers of the kernel: paths, visible pixels, and those that stay on the device. */
#define RCITY_ROOFS_RESIDENT_FIRST 2
#define RCITY_ROOFS_RESIDENT_COUNT 8
#define RCITY_ROOFS_BUFFER_COUNT   (RCITY_ROOFS_RESIDENT_FIRST + RCITY_ROOFS_RESIDENT_COUNT)

struct rcity_roofs {
    rcity_context *context; /* Borrowed, as the next two. */
    rcity_device *device;
    const rcity_los_plane *plane;
    uint64_t *masks; /* pixels inside buildings, then those on walls */
    int32_t *xy;
    rcity_roof_map map;
    rcity_resident *resident[RCITY_ROOFS_RESIDENT_COUNT];
    int64_t close_count;

    /* For paths that stay on a device. */
    rcity_roof_job job; /* of the last trace, except its sources */
    rcity_roof_source *sources;
    size_t source_capacity;
    rcity_resident *sources_dev;
    rcity_resident *hints_dev; /* rcity_roof_tile_run() */
    rcity_deferred_pixels deferred;
};

/* The kernel, one item per pixel, and its buffers as walks read them. */
extern const rcity_kernel rcity_roofs_kernel;
void rcity_roofs_make_views(const rcity_roof_job *job, const rcity_launch_buffer *buffers, rcity_roof_view *view,
                            rcity_roof_plane *plane);

rcity_roof_job rcity_roofs_make_job(const rcity_roofs *roofs, rcity_grid_point3 source, rcity_roof_mode mode,
                                    bool has_visible);

/* The plane as the host's walks read it. */
void rcity_roofs_host_views(const rcity_roofs *roofs, const uint64_t *visible, rcity_roof_view *view,
                            rcity_roof_plane *plane);

/* Is the source inside a building? */
bool rcity_roofs_is_enclosed(const rcity_sight *sight, rcity_grid_point3 source);

/* `bad` is the first pixel with more edges than the host has room for; pixel_count: there is none. */
rcity_status rcity_roofs_check_edges(const rcity_roofs *roofs, int64_t bad, int64_t pixel_count);

#endif

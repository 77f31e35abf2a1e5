/* The over-roof path in the vertical plane: for one source and every pixel of a plane the shortest path over roofs and
   hills, on any device. The data of the plane is copied to the device once and stays there. */
#ifndef RCITY_METHOD_SHADOW_ROOF_TRACE_H
#define RCITY_METHOD_SHADOW_ROOF_TRACE_H

#include "device/device.h"
#include "method/shadow/shadow_candidate.h"
#include "visibility/los/los_plane.h"

typedef struct rcity_roofs rcity_roofs;

/* Copies a plane to a device; context, device and plane are borrowed until close. @return as
   rcity_resident_create(). */
rcity_status rcity_roofs_open(rcity_context *context, rcity_device *device, const rcity_los_plane *plane,
                              rcity_roofs **roofs);
void rcity_roofs_close(rcity_roofs **roofs);

typedef enum rcity_roof_mode {
    RCITY_ROOF_EDGES, /* the over-roof path with a turn at each diffracting edge */
    RCITY_ROOF_COUNT, /* only the number of roofs above the straight line, its length and elevation; angles are 0 */
} rcity_roof_mode;

/* Traces a source to every pixel, row by row from the north. Pixels whose bit in `visible` is set (a mask as from
   rcity_los_trace(); NULL for none) get the straight line. The edges are the same on every device and for every number
   of threads.

   A turn is a diffracting edge on the upper convex hull over both ends of every stretch under a roof and over the
   points where the slope of the ground changes. Points on a line between other edges do not count. Successive edges of
   the ground are one turn, where their tangents meet; edges within 5 cm are one turn, where the higher one is.

   @return as rcity_device_run(); RCITY_ERR_UNSUPPORTED when a path has more than 1022 edges. */
rcity_status rcity_roofs_trace(rcity_roofs *roofs, rcity_grid_point3 source, rcity_roof_mode mode,
                               const uint64_t *visible, rcity_shadow_roof *paths);

/* The state of a point relative to a source and to the buildings around it. */
typedef enum rcity_roof_receiver {
    RCITY_ROOF_RECEIVER_HIDDEN,
    RCITY_ROOF_RECEIVER_ON_WALL, /* of a building that is higher there */
    RCITY_ROOF_RECEIVER_VISIBLE, /* gets the straight line */
    RCITY_ROOF_RECEIVER_INDOORS, /* inside a building: gets no path */
} rcity_roof_receiver;

/* The same for points with their positions, on the host's threads: a point gets what a pixel there would get. @return
   RCITY_ERR_MEMORY, RCITY_ERR_UNSUPPORTED as above. */
rcity_status rcity_roofs_trace_points(rcity_context *context, const rcity_sight *sight, rcity_grid_point3 source,
                                      rcity_roof_mode mode, int64_t count, const rcity_grid_point3 *places,
                                      const rcity_roof_receiver *receivers, rcity_shadow_roof *paths);

/* The same for several sources, queued, with the words (of 32) of visible pixels and the paths, one rcity_shadow_roof
   per pixel, on the device, source by source. `has_paths`, one per source, is false for a source inside a building:
   there are no paths, and nothing was written. */
rcity_status rcity_roofs_trace_on_device(rcity_roofs *roofs, int source_count, const rcity_grid_point3 *sources,
                                         rcity_roof_mode mode, const rcity_resident *visible, rcity_resident *paths,
                                         bool *has_paths);

/* The same in parts: first the data of all sources, then some of them at a time, each source once. */
rcity_status rcity_roofs_begin_on_device(rcity_roofs *roofs, int source_count, const rcity_grid_point3 *sources,
                                         rcity_roof_mode mode, bool *has_paths);
rcity_status rcity_roofs_queue_on_device(rcity_roofs *roofs, int source_first, int source_count,
                                         const rcity_resident *visible, rcity_resident *paths);

/* Queues the copy of the list of deferred pixels to the host, after other kernels. */
rcity_status rcity_roofs_fetch_from_device(rcity_roofs *roofs);

/* After rcity_device_finish(): computes the deferred pixels on the host and queues their paths for the device. Not
   again before the next rcity_device_finish(). @return as rcity_roofs_trace(). */
rcity_status rcity_roofs_decide_on_device(rcity_roofs *roofs, rcity_resident *paths);

/* How many pixels of all calls so far had more edges than the device has room for, and were done on the host. */
int64_t rcity_roofs_close_count(const rcity_roofs *roofs);

/* The edges of one pixel's path, ends included, for tests: places along the line and heights as in kernel/shadow. Each
   array has room for `capacity`. @return how many, 0 for a pixel inside a building, -1 when there are more. */
int rcity_roofs_find_edges(const rcity_roofs *roofs, rcity_grid_point3 source, int32_t column, int32_t row,
                           int capacity, int32_t *place, int32_t *height);

#endif

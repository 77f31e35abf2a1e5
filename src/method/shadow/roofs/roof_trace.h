/* The path over everything in the vertical plane: for one source and every pixel of a plane the string pulled tight
   over roofs and hills, on any device. What the plane needs there is sent once and stays. */
#ifndef RCITY_METHOD_SHADOW_ROOF_TRACE_H
#define RCITY_METHOD_SHADOW_ROOF_TRACE_H

#include "device/device.h"
#include "method/shadow/shadow_candidate.h"
#include "visibility/los/los_plane.h"

typedef struct rcity_roofs rcity_roofs;

/* Send a plane to a device; context, device and plane are borrowed until close. @return as rcity_resident_create(). */
rcity_status rcity_roofs_open(rcity_context *context, rcity_device *device, const rcity_los_plane *plane,
                              rcity_roofs **roofs);
void rcity_roofs_close(rcity_roofs **roofs);

typedef enum rcity_roof_mode {
    RCITY_ROOF_EDGES, /* the string: turns are its tops */
    RCITY_ROOF_COUNT, /* only the number of roofs above the straight line, its length and elevation; angles are 0 */
} rcity_roof_mode;

/* Trace a source to every pixel, row by row from the north. Pixels whose bit in `visible` is set (a mask as
   rcity_los_trace() makes it; NULL for none) get the straight line. The same tops on every device and for every number
   of threads.

   A turn is a top of the upper hull over both ends of every stretch under a roof and over the bends of the ground.
   Tops on a line between others are none. Tops of the ground that follow each other are one turn, where their tangents
   meet; tops within 5 cm are one, where the higher is.

   @return as rcity_device_run(); RCITY_ERR_UNSUPPORTED when a string has more than 1022 tops. */
rcity_status rcity_roofs_trace(rcity_roofs *roofs, rcity_grid_point3 source, rcity_roof_mode mode,
                               const uint64_t *visible, rcity_shadow_roof *paths);

/* What a point is to a source and to the buildings around it. */
typedef enum rcity_roof_receiver {
    RCITY_ROOF_RECEIVER_HIDDEN,
    RCITY_ROOF_RECEIVER_ON_WALL, /* of a building that is higher there */
    RCITY_ROOF_RECEIVER_VISIBLE, /* gets the straight line */
    RCITY_ROOF_RECEIVER_INDOORS, /* inside a building: gets no way */
} rcity_roof_receiver;

/* The same for points, each with its place, on the host's threads: what a pixel there gets. @return RCITY_ERR_MEMORY,
   RCITY_ERR_UNSUPPORTED as above. */
rcity_status rcity_roofs_trace_points(rcity_context *context, const rcity_sight *sight, rcity_grid_point3 source,
                                      rcity_roof_mode mode, int64_t count, const rcity_grid_point3 *places,
                                      const rcity_roof_receiver *receivers, rcity_shadow_roof *paths);

/* The same for several sources, queued, with the visible pixels' words (of 32) and the paths, one rcity_shadow_roof a pixel, on the
   device, source by source. `has_paths`, one a source, is false where there is none, and nothing was written: the source is
   inside a building. */
rcity_status rcity_roofs_trace_on_device(rcity_roofs *roofs, int source_count, const rcity_grid_point3 *sources,
                                         rcity_roof_mode mode, const rcity_resident *visible, rcity_resident *paths,
                                         bool *has_paths);

/* Queue, behind other kernels: fetch which pixels the device deferred. */
rcity_status rcity_roofs_fetch_from_device(rcity_roofs *roofs);

/* After rcity_device_finish(): the pixels that the device deferred are done here and queued for the paths. Not again before the
   next rcity_device_finish(). @return as rcity_roofs_trace(). */
rcity_status rcity_roofs_decide_on_device(rcity_roofs *roofs, rcity_resident *paths);

/* How many pixels of all calls so far had more tops than the device has room for, and were done on the host. */
int64_t rcity_roofs_close_count(const rcity_roofs *roofs);

/* The tops of one pixel's string, ends included, for tests: places along the line and heights as in kernel/shadow.
   Each array has room for `capacity`. @return how many, 0 for a pixel inside a building, -1 when they are more. */
int rcity_roofs_find_edges(const rcity_roofs *roofs, rcity_grid_point3 source, int32_t column, int32_t row,
                           int capacity, int32_t *place, int32_t *height);

#endif

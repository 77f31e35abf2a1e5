/* Paths around corners to points, each at its own place and height. */
#ifndef RCITY_METHOD_SHADOW_CORNERS_CORNER_POINTS_H
#define RCITY_METHOD_SHADOW_CORNERS_CORNER_POINTS_H

#include "method/shadow/shadow_weigh.h"

/* Trace a source, to `max-corners` corners, to the points that are hidden by their states (rcity_shadow_state); the others get no
   way. A point gets what a pixel at its place gets from rcity_corner_tracer_trace(), way by way in the same order; chains that
   no point can use may be among the nodes. `corner_paths` is empty before. The result does not depend on the number of
   threads. */
rcity_status rcity_corner_points_trace(rcity_context *context, const rcity_sight *sight, rcity_grid_point3 source,
                                       int order, int64_t count, const rcity_grid_point3 *places, const uint8_t *states,
                                       rcity_corner_paths *corner_paths);

#endif

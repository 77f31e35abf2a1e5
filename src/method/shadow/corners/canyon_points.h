/* Ways around corners to points, each at its own place and height. */
#ifndef RCITY_METHOD_SHADOW_CANYON_POINTS_H
#define RCITY_METHOD_SHADOW_CANYON_POINTS_H

#include "method/shadow/shadow_weigh.h"

/* Trace a source, to `order` corners, to the points that are dark by their states (rcity_shadow_state); the others get no
   way. A point gets what a pixel at its place gets from rcity_canyon_trace(), way by way in the same order; chains that
   no point can use may be among the nodes. `canyon` is empty before. The result does not depend on the number of
   threads. */
rcity_status rcity_canyon_trace_points(rcity_context *context, const rcity_sight *sight, rcity_grid_point3 source,
                                       int order, int64_t count, const rcity_grid_point3 *places, const uint8_t *states,
                                       rcity_canyon *canyon);

#endif

/* Paths around corners to points, each with its own position and height. */
#ifndef RCITY_METHOD_SHADOW_CORNERS_CORNER_POINTS_H
#define RCITY_METHOD_SHADOW_CORNERS_CORNER_POINTS_H

#include "method/shadow/shadow_weigh.h"

/* Traces a source, to `max-corners` corners, to the points whose states (rcity_shadow_state) are hidden; the others get
   no path. A point gets what a pixel at its position gets from rcity_corner_tracer_trace(), path by path in the same
   order; the nodes may contain chains that no point uses. `corner_paths` is empty before. The result does not depend on
   the number of threads. */
rcity_status rcity_corner_points_trace(rcity_context *context, const rcity_sight *sight, rcity_grid_point3 source,
                                       int order, int64_t count, const rcity_grid_point3 *places, const uint8_t *states,
                                       rcity_corner_paths *corner_paths);

#endif

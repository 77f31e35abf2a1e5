/* Paths from one source to points, each with its own position and height: the same as for a pixel there
   (shadow_tracer.h). For measured routes and single links. */
#ifndef RCITY_METHOD_SHADOW_TRACE_SHADOW_POINTS_H
#define RCITY_METHOD_SHADOW_TRACE_SHADOW_POINTS_H

#include "method/shadow/shadow_choice.h"
#include "method/shadow/shadow_weigh.h"

typedef struct rcity_shadow_points rcity_shadow_points;

/* Finds the paths, all of them on the host's threads. `sight` is that of the shapes; the context is borrowed until
   destroy, all else until the call returns. Off the terrain there is no ground: a point's height counts from 0 there.
   @return RCITY_ERR_MEMORY; RCITY_ERR_UNSUPPORTED as for rcity_roofs_trace(). */
rcity_status rcity_shadow_points_trace(rcity_context *context, const rcity_shapes *shapes, const rcity_sight *sight,
                                       const rcity_shadow_choice *choice, rcity_grid_point3 source, int64_t count,
                                       const rcity_grid_point3 *places, rcity_shadow_points **points);
void rcity_shadow_points_destroy(rcity_shadow_points **points);

/* Sets the heights of the points above the ground, which the clutter loss needs; borrowed until destroy. Without them
   all points have the height in the weights. */
void rcity_shadow_points_set_heights(rcity_shadow_points *points, const float *heights_m);

/* Levels of all points for one set of weights: rcity_shadow_weigh(). */
RCITY_MUST_CHECK rcity_status rcity_shadow_points_weigh(const rcity_shadow_points *points,
                                                        const rcity_shadow_weights *weights, const float *pattern,
                                                        const rcity_shadow_bands *bands);

/* The candidates themselves, which a calibration reads. Borrowed until destroy. */
const rcity_shadow_paths *rcity_shadow_points_paths(const rcity_shadow_points *points);

#endif

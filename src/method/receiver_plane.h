/* Receivers of a raster: where they stand, and which of them are indoors. */
#ifndef RCITY_METHOD_RECEIVER_PLANE_H
#define RCITY_METHOD_RECEIVER_PLANE_H

#include "kernel/link.h"
#include "method/method.h"
#include "radiocity/rays.h"

/* Height of each receiver of one plane in scene height; NAN inside a building, and outside the terrain where there is
   one. `roof_m` comes from rcity_raster_cover(). */
void rcity_receiver_plane_fill(rcity_context *context, const rcity_shapes *shapes, const rcity_raster *raster,
                               double height_m, const float *roof_m, float *z_m);

/* How formulas see the cells of the job's raster from an antenna, which is the origin in plan. */
rcity_link_frame rcity_receiver_plane_frame(const rcity_job *job, const rcity_tx *tx, double height_m);

/* Exact line of sight from one place to every receiver of a plane: 1, 0, or NAN where there is no receiver. */
rcity_status rcity_receiver_plane_test_sight(const rcity_job *job, const rcity_point *tx, const float *z_m,
                                             float *is_visible);

/* The same for the job's points; `positions` come from rcity_receiver_points_fill(). */
rcity_status rcity_receiver_points_test_sight(const rcity_job *job, const rcity_point *tx, const rcity_point *positions,
                                              float *is_visible);

/* Where the job's points stand (in the scene's CRS, z in scene height, NAN off the terrain), and whether they are in a
   building or off the terrain. All others are RCITY_RECEIVER_NO_PATH, since no paths were searched for yet.
   @return RCITY_ERR_ARGUMENT for a point that is not finite or far outside the scene. */
rcity_status rcity_receiver_points_locate(const rcity_job *job, rcity_point *positions, rcity_receiver_state *states);

/* Where a cell of the job's raster has its receiver, and its state, as rcity_receiver_points_locate() says it of points.
   */
void rcity_receiver_cell_locate(const rcity_job *job, double height_m, int64_t cell, rcity_point *position,
                                rcity_receiver_state *state);

/* Points in local coordinates from the first antenna; z is NAN inside a building, and outside the terrain where there
   is one. @return RCITY_ERR_ARGUMENT for a point that is not finite or far outside the scene. */
rcity_status rcity_receiver_points_fill(const rcity_job *job, const rcity_point *tx, rcity_point *positions);

#endif

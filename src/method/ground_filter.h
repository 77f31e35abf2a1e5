/* What the ground hides of a raster of receivers, before buildings are looked at. */
#ifndef RCITY_METHOD_GROUND_FILTER_H
#define RCITY_METHOD_GROUND_FILTER_H

#include "method/method.h"
#include "visibility/terrain/ground_sight.h"

/* For each cell of the job's raster a byte as rcity_ground_sight_fill() gives it, exactly; `z` has the receivers' heights in
   height units. NULL where there is no ground, and where cells are finer than the plan's grid. Owned by the caller, who
   releases it. */
rcity_status rcity_ground_filter_make(const rcity_job *job, rcity_grid_point3 tx, const int32_t *z, uint8_t **seen);

/* The cells of the job's raster as targets `height` above the ground. `coordinates` becomes what they borrow, owned by the
   caller. Neither is made, without an error, where there is no ground or where cells are finer than the plan's grid. */
rcity_status rcity_ground_filter_list(const rcity_job *job, int32_t height, int32_t **coordinates,
                                      rcity_ground_targets *targets);

/* The bytes that filter and heights take for each cell. */
double rcity_ground_filter_bytes(const rcity_job *job);

#endif

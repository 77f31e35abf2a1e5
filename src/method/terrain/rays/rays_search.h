/* The method over terrain with rays instead of profiles. */
#ifndef RCITY_METHOD_TERRAIN_RAYS_SEARCH_H
#define RCITY_METHOD_TERRAIN_RAYS_SEARCH_H

#include "method/method.h"

/* Are rays asked for? */
bool rcity_rays_search_is_on(const rcity_job *job);

/* Refuse losses that have no rays, and scenes without terrain. */
rcity_status rcity_rays_search_check(const rcity_job *job);

/* Bytes that rays need, and seconds of one thread, for one plane of receivers. */
void rcity_rays_search_estimate(const rcity_job *job, uint64_t *memory_bytes, double *seconds);

/* Add the bands of one plane of receivers: path_loss, which is the last argument too, and line_of_sight. `z_m` is NAN where there
   is no receiver. */
rcity_status rcity_rays_search_plane(const rcity_job *job, const rcity_tx *tx, double height_m, const float *z_m,
                                     rcity_map *map, float **path_loss_db);

/* Levels at the job's points; the triangle is that of the point's place, the height its own. */
rcity_status rcity_rays_search_points(const rcity_job *job, const rcity_tx *tx, const rcity_point_levels *levels);

#endif

/* What the triangles of the ground say of a raster: exact sight, the height that a receiver needs, clearance. */
#ifndef RCITY_METHOD_TERRAIN_SIGHT_H
#define RCITY_METHOD_TERRAIN_SIGHT_H

#include "method/method.h"

/* Make the line of sight of a plane of receivers exact, mechanisms with it, and add the bands that the options ask for.
   `is_visible` and `mechanism` have what the profiles say and NAN where there is no receiver; `has_cover`: profiles have more
   than ground on them, and only they know it. */
rcity_status rcity_terrain_sight_add(const rcity_job *job, const rcity_tx *tx, double height_m, bool has_cover,
                                     rcity_map *map, float *is_visible, float *mechanism);

/* Bytes that this takes at most, beside bands. */
double rcity_terrain_sight_bytes(const rcity_job *job);

#endif

/* Are the legs of rays free? */
#ifndef RCITY_METHOD_TILES_LEGS_H
#define RCITY_METHOD_TILES_LEGS_H

#include "kernel/tiles/tile_legs.h"
#include "method/tiles/tiles_run.h"

/* The grid of a scene. */
rcity_tile_snap rcity_tiles_snap_of(const rcity_tiles_prepared *prepared);

/* Do all legs of a path from a run's transmitter to a place run through air? Exact on the scene's grid. */
bool rcity_tiles_legs_are_free(const rcity_tiles_run *run, const rcity_tube *tube, const rcity_tile_path *path,
                               rcity_tile_place to);

#endif

/* A coarser elevation grid. */
#ifndef RCITY_METHOD_TERRAIN_RAYS_GRID_H
#define RCITY_METHOD_TERRAIN_RAYS_GRID_H

#include "method/terrain/rays/terrain_rays.h"

/* A grid of every `coarsen`-th node from the south-west on; what is left over in the east and north is not covered. With a
   factor of 1 the heights are borrowed. @return RCITY_ERR_ARGUMENT when less than one cell is left. */
rcity_status rcity_rays_grid_init(rcity_context *context, const rcity_terrain_grid *terrain, int coarsen,
                                  rcity_terrain_rays_coarsening coarsening, rcity_terrain_grid *grid);
void rcity_rays_grid_deinit(rcity_context *context, const rcity_terrain_grid *terrain, rcity_terrain_grid *grid);

#endif

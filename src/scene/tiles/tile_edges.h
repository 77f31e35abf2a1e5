/* Diffracting edges cut into pieces between tiles. */
#ifndef RCITY_SCENE_TILES_TILE_EDGES_H
#define RCITY_SCENE_TILES_TILE_EDGES_H

#include "scene/tiles/tile_grid.h"

/* Fill the edges of a tiling whose tiles are numbered: tops of walls, corners, ridges of the terrain. */
rcity_status rcity_tile_edges_cut(rcity_context *context, const rcity_tile_grids *grids, rcity_tiling *tiling);

#endif

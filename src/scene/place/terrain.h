/* The elevation grid: exact heights between its nodes, and where it blocks a line. */
#ifndef RCITY_SCENE_TERRAIN_H
#define RCITY_SCENE_TERRAIN_H

#include "scene/place/segment_test.h"
#include "scene/shapes.h"

/* Is the place inside the grid, its border included? */
bool rcity_terrain_contains(const rcity_terrain_grid *terrain, int32_t x, int32_t y);

/* The lowest and the highest node, found by all threads; the grid must not be empty. */
void rcity_terrain_bound(rcity_context *context, const rcity_terrain_grid *terrain, int32_t *lowest, int32_t *highest);

/* Height of the ground in height units, 0 without terrain; inside the grid only. */
double rcity_terrain_height(const rcity_terrain_grid *terrain, int32_t x, int32_t y);

/* A height on the grid of heights: rounded, but a point on or above the ground is never put below it. `z` and the
   result are height units; outside the grid there is no ground. */
int32_t rcity_terrain_snap_height(const rcity_terrain_grid *terrain, int32_t x, int32_t y, double z);

/* Lowest ground under a prism's footprint, rounded down to whole height units; 0 without terrain. */
int32_t rcity_terrain_lowest_under(const rcity_terrain_grid *terrain, const rcity_shapes *shapes,
                                   const rcity_prism *prism);

/* Does the ground rise above the line somewhere? Exact; outside the grid there is no ground. */
bool rcity_terrain_blocks(const rcity_terrain_grid *terrain, rcity_grid_point3 from, rcity_grid_point3 to);

#endif

/* Exact comparisons of a line with the ground, flat earth or curved. */
#ifndef RCITY_VISIBILITY_TERRAIN_GROUND_EXACT_H
#define RCITY_VISIBILITY_TERRAIN_GROUND_EXACT_H

#include "visibility/terrain/ground_sight.h"

/* Is the line below the ground anywhere in one cell (column, row), its border included? A cell off the grid has no
   ground. */
bool rcity_ground_cell_blocks(const rcity_ground_sight *sight, rcity_grid_point3 from, rcity_grid_point3 to,
                              int64_t column, int64_t row);

#endif

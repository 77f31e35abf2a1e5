/* Buildings whose walls cross beside a point of the grid: so near to it that their crossing may be rounded to it. */
#ifndef RCITY_TEST_CROSSING_WALLS_H
#define RCITY_TEST_CROSSING_WALLS_H

#include "scene/shapes.h"

/* Two triangles, counter-clockwise. */
typedef struct crossing_walls {
    rcity_grid_point corners[2][3];
} crossing_walls;

/* The i-th pair of a seed. Their first walls cross, each passing the point `at` by `miss` over its own length, which is
   half of `size` to 1.5 times as long. All corners are within 4 times `size`. `miss` is not 0. */
crossing_walls crossing_walls_make(uint64_t seed, uint64_t i, int32_t size, int32_t miss, rcity_grid_point at);

#endif

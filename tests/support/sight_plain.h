/* What a line meets, plainly: all stretches of all prisms, the ground at every crossing, foliage by sampling. */
#ifndef RCITY_TEST_SIGHT_PLAIN_H
#define RCITY_TEST_SIGHT_PLAIN_H

#include "visibility/sight/sight_data.h"

/* As rcity_sight_measure; fractions count from `from`. */
typedef struct sight_plain {
    double in_buildings, in_foliage, in_foliage_tolerance;
    double building_hit, ground_hit; /* 2: none */
    int building_kind;
    int wall_count;
} sight_plain;

sight_plain sight_plain_measure(const rcity_shapes *shapes, rcity_grid_point3 from, rcity_grid_point3 to);

#endif

/* Ways around corners, plainly: a recursion over all corners and all receivers. */
#ifndef RCITY_TEST_CANYON_PLAIN_H
#define RCITY_TEST_CANYON_PLAIN_H

#include "method/shadow/corners/canyon.h"
#include "rcity_test.h"

typedef struct canyon_plain_way {
    int64_t receiver;
    double length_m, angle_sum, square_sum, last_angle;
} canyon_plain_way;

typedef struct canyon_plain {
    const rcity_sight *sight;
    const rcity_shapes *shapes; /* those of sight */
    int32_t level;              /* of the receivers above ground */
    int64_t receiver_count;
    const rcity_grid_point3 *receivers;
    canyon_plain_way *ways;
    size_t way_count, way_capacity;
} canyon_plain;

/* Find all ways of a source to `order` corners; those before are forgotten. The ways are freed by the caller. */
void canyon_plain_find(canyon_plain *plain, rcity_grid_point3 source, int order);

/* What was traced is what was found; `numbers` are those of the receivers in the canyon, NULL: the same. */
void canyon_plain_compare(canyon_plain *plain, const rcity_canyon *canyon, const int64_t *numbers);

#endif

/* The way over roofs and hills, plainly: every stretch under every roof, every bend of the ground, sorted, and the
   upper hull by Andrew's monotone chain. */
#ifndef RCITY_TEST_ROOF_PLAIN_H
#define RCITY_TEST_ROOF_PLAIN_H

#include "method/shadow/roofs/roof_trace.h"

/* A top on the grid of kernel/shadow/roof_line.h. */
typedef struct roof_plain_top {
    int32_t place, height;
    bool is_ground;
} roof_plain_top;

typedef struct roof_plain {
    roof_plain_top *tops; /* the hull, ends included; the memory grows as needed */
    int count;
    size_t capacity;
    double length_m, angle_sum, angle_square_sum, log_way_sum, elevation;
    int turn_count;
    int roof_count; /* stretches under roofs above the straight line */
} roof_plain;

void roof_plain_find(const rcity_shapes *shapes, rcity_grid_point3 from, rcity_grid_point3 to, roof_plain *plain);
void roof_plain_free(roof_plain *plain);

#endif

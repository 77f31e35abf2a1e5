/* The path over roofs and hills, plainly: every stretch under every roof, every edge of the ground, sorted, and the
   upper hull by Andrew's monotone chain. */
#ifndef RCITY_TEST_ROOF_PLAIN_H
#define RCITY_TEST_ROOF_PLAIN_H

#include "method/shadow/roofs/roof_trace.h"

/* A diffracting edge on the grid of kernel/visibility/roofs/roof_line.h. */
typedef struct roof_plain_edge {
    int32_t place, height;
    bool is_ground;
} roof_plain_edge;

typedef struct roof_plain {
    roof_plain_edge *edges; /* the hull, ends included; the memory grows as needed */
    int count;
    size_t capacity;
    double length_m, angle_sum, angle_square_sum, log_distance_sum, elevation;
    int turn_count;
    int roof_count; /* stretches under roofs above the straight line */
} roof_plain;

void roof_plain_find(const rcity_shapes *shapes, rcity_grid_point3 from, rcity_grid_point3 to, roof_plain *plain);

/* Sums over the turns of a hull that is there already, in metres of the vertical plane; they are 0 before. `plan_m` is
   the line's length in plan. */
void roof_plain_sum_up(double plan_m, roof_plain *plain);

/* How far a length in floats may be off by their rounding alone, in steps of 2^-24 of itself. A ground turn's ratio
   takes 3 (two numbers, a quotient), its place and height 2 more, and a turn moved by that much of a leg changes two
   legs: 10. A leg takes 12: a difference 1, its scale 7 (root, quotient, products), their product, squares, sum and
   root the rest. The sum takes 1 for each leg. */
double roof_plain_float_error_m(const roof_plain *plain);

void roof_plain_free(roof_plain *plain);

#endif

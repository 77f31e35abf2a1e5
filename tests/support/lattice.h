/* A second, independent model of a city: boxes on an integer lattice as a height for each unit cell. Answers are exact
   and share no code with the library: cells instead of polygons. */
#ifndef RCITY_TEST_LATTICE_H
#define RCITY_TEST_LATTICE_H

#include "rcity_test.h"

#define LATTICE_SIZE 24

typedef struct lattice {
    int height[LATTICE_SIZE][LATTICE_SIZE]; /* [y][x], 0 in the open */
} lattice;

/* A random city of boxes with corners on the lattice, as both models. A box of 1 x 1 m stands in each far corner, so
   that the scene always spans the lattice. */
rcity_scene *lattice_make(rcity_context *context, uint64_t seed, int box_count, lattice *cells);

/* Is the segment between two points free? Coordinates in quarters of a metre. */
bool lattice_segment_is_free(const lattice *cells, const int from_q[3], const int to_q[3]);

/* Total area of all walls open to the air, in m2. */
double lattice_wall_area(const lattice *cells);

#endif

/* How densely and how high a city is built, as means over some hundred metres: what a prediction may rely on where the
   map's details are wrong. kernel/surroundings/surroundings_lattice.h reads it. */
#ifndef RCITY_METHOD_SURROUNDINGS_BUILT_UP_H
#define RCITY_METHOD_SURROUNDINGS_BUILT_UP_H

#include "kernel/surroundings/surroundings_lattice.h"
#include "scene/place/segment_test.h"
#include "scene/shapes.h"

/* Read-only once made; for any number of threads. */
typedef struct rcity_built_up {
    const rcity_shapes *shapes; /* Borrowed. */
    rcity_surroundings_lattice lattice;
    rcity_surroundings_node *nodes; /* row by row from the south */
} rcity_built_up;

/* A node is the mean over a square of this half width around it. */
#define RCITY_BUILT_UP_REACH_M 200.0

rcity_status rcity_built_up_create(rcity_context *context, const rcity_shapes *shapes, rcity_built_up **built_up);
void rcity_built_up_destroy(rcity_context *context, rcity_built_up **built_up);

size_t rcity_built_up_node_count(const rcity_built_up *built_up);

/* What lies under the straight lines from a place to all nodes. Hills count between the roofs around both ends, or the
   place itself where it is higher. The result does not depend on the number of threads. */
void rcity_built_up_measure(rcity_context *context, const rcity_built_up *built_up, rcity_grid_point3 from,
                            rcity_surroundings_line *lines);

/* Of a place on the grid with its height. */
rcity_surroundings_node rcity_built_up_at(const rcity_built_up *built_up, int32_t x, int32_t y);
float rcity_built_up_height(const rcity_shapes *shapes, int32_t x, int32_t y, int32_t z);

#endif

/* A path over many diffracting edges in the vertical plane: the field over them, and the over-roof path. */
#ifndef RCITY_METHOD_IMAGES_FIELD_PATH_CHAIN_H
#define RCITY_METHOD_IMAGES_FIELD_PATH_CHAIN_H

#include "method/images/path/trace_path.h"

/* Does the path go over roofs? All it meets before the first diffracting edge and after the last one are mirrors. */
bool rcity_path_is_chain(const rcity_trace_path *path);

/* The over-roof path: the path with only the diffracting edges that the shortest path touches. Edges below it change
   the field where they are near, but neither length nor directions. A path that is no chain is returned unchanged. */
rcity_trace_path rcity_path_over_roofs(const rcity_facet_table *world, const rcity_trace_path *path);

typedef struct rcity_chain_field {
    rcity_phasor field; /* relative to a wave that has travelled the length in free space */
    double length_m;    /* of the over-roof path, unfolded at its mirrors */
} rcity_chain_field;

/* The field over the diffracting edges by kernel/wave/roof_chain.h, as knife edges, with the flat roofs between them,
   without the effect of the mirrors at the ends; `component` 0 theta, 1 phi. Where the over-roof path touches no edge, it
   is the field of the straight ray, changed by the edges below it. */
rcity_chain_field rcity_path_chain_field(const rcity_facet_table *world, const rcity_trace_path *path, int component);

#endif

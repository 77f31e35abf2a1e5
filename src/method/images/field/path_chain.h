/* A path over many tops in the vertical plane: the field over them, and the shortest path over them. */
#ifndef RCITY_METHOD_IMAGES_FIELD_PATH_CHAIN_H
#define RCITY_METHOD_IMAGES_FIELD_PATH_CHAIN_H

#include "method/images/path/trace_path.h"

/* Does it go over tops? What it meets before the first and after the last of them are mirrors. */
bool rcity_path_is_chain(const rcity_trace_path *path);

/* The over-roof path: the path with only those tops that the string touches. The others count in the field where they come
   near, but not in length and directions. A path that is no chain comes back as it is. */
rcity_trace_path rcity_path_tauten(const rcity_facet_table *world, const rcity_trace_path *path);

typedef struct rcity_chain_field {
    rcity_phasor field; /* over that of a wave that has run the length in free space */
    double length_m;    /* of the over-roof path, unfolded at its mirrors */
} rcity_chain_field;

/* The field over the tops by kernel/wave/roof_chain.h, as knife edges: the same for both polarizations. What the mirrors do to
   it is not in it. Where the string touches no top, it is that of the straight ray and what the tops below change. */
rcity_chain_field rcity_path_chain_field(const rcity_facet_table *world, const rcity_trace_path *path);

#endif

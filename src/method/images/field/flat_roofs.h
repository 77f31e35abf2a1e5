/* Flat roofs in a chain over roofs, by polarization and material; `component` 0 is theta, 1 phi. In double precision:
   define RCITY_REAL_IS_DOUBLE before including it.

   A path that runs along a roof, from one of its edges to the other: the roof is joined in the integral of
   kernel/wave/roof_chain.h. The rays that count leave it at about u = 1 / sqrt(k s), s the distance of the edges
   (kernel/wave/wedge_pair.h), so its reflection is taken at that grazing angle: near -1 for phi, along the edges; larger
   for theta, the more the shorter the roof is; +1 for theta on metal.

   A path that comes from above and touches the edge behind: the roof mirrors the source, and the mirrored ray is
   diffracted at the same edge. This takes over as the edge in front leaves the Fresnel zone. */
#ifndef RCITY_METHOD_IMAGES_FIELD_FLAT_ROOFS_H
#define RCITY_METHOD_IMAGES_FIELD_FLAT_ROOFS_H

#include "kernel/wave/roof_chain.h"
#include "method/images/path/trace_path.h"

/* Is an edge of a flat roof among those of a chain? Then its field depends on the polarization. */
bool rcity_flat_roofs_are_in(const rcity_trace_path *path);

/* Join the edges of the flat roofs of a path in its chain. */
void rcity_flat_roofs_join(const rcity_facet_table *world, const rcity_trace_path *path, int component,
                           rcity_roof_chain *chain);

/* The factor on the field of the joined chain by rays that roofs mirror before their last or after their first edge. */
rcity_complex rcity_flat_roofs_mirror(const rcity_facet_table *world, const rcity_trace_path *path, int component,
                                      const rcity_roof_chain *chain);

#endif

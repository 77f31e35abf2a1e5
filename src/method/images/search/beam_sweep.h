/* What a beam's source sees of walls and vertical edges, from near to far. Boxes of the trees that the horizon hides
   are never opened, so in a street the far side of the city costs nothing. */
#ifndef RCITY_METHOD_IMAGES_SEARCH_BEAM_SWEEP_H
#define RCITY_METHOD_IMAGES_SEARCH_BEAM_SWEEP_H

#include "method/images/search/beam_tree.h"

/* Sweep around a beam: visible walls go into reach->walls, visible vertical edges (on request) into
   reach->vertical_edges. A source that is not a point, or that sees through walls, hides nothing. */
rcity_status rcity_sweep_run(rcity_context *context, const rcity_reach_world *reach_world, const rcity_beam *beam,
                             const rcity_region *region, double z, bool with_vertical_edges, rcity_reach *reach);

/* Does part of a segment lie in front of a beam's window? What lies in its plane is behind every ray that the window
   reflects. */
bool rcity_sweep_lies_beyond(const rcity_facet_table *world, const rcity_beam *beam, const rcity_plan_segment *s);

#endif

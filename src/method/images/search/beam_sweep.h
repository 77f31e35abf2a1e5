/* What a beam's source sees of walls and posts, from near to far. Boxes of the trees that the horizon hides are never
   opened, so in a street the far side of the city costs nothing. */
#ifndef RCITY_METHOD_IMAGES_SEARCH_BEAM_SWEEP_H
#define RCITY_METHOD_IMAGES_SEARCH_BEAM_SWEEP_H

#include "method/images/search/beam_tree.h"

/* Look around from a beam: walls into reach->walls, vertical bends (on request) into reach->posts, hidden ones left
   out. A source that is no point, and one that sees through walls, hides nothing. */
rcity_status rcity_sweep_look(rcity_context *context, const rcity_reach_world *reach_world, const rcity_beam *beam,
                              const rcity_region *region, double z, bool looks_at_posts, rcity_reach *reach);

/* Does part of a segment lie in front of a beam's window? What lies in its plane is behind every ray that comes off it.
 */
bool rcity_sweep_lies_beyond(const rcity_facet_table *world, const rcity_beam *beam, const rcity_plan_segment *s);

#endif

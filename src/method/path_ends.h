/* The two ends of paths where tests tie. On round coordinates a ray meets the end of a wall, a corner or the height of
   a roof exactly, and each test would break the tie on its own: a path could be missing that exists on both sides, or
   be found that exists on neither. So whether a path exists is tested for ends that are moved aside by micrometres, the
   same for all tests, in directions that no city is built along. The paths found are then consistent: those of one
   neighbouring place. Where a path runs is solved for the original ends. */
#ifndef RCITY_METHOD_PATH_ENDS_H
#define RCITY_METHOD_PATH_ENDS_H

#include "scene/facets/facet_table.h"
#include "scene/shape/plan_index.h"

/* The place at which a transmitter or a receiver is tested. Both are moved, in different directions, so that no line
   between them ties. A receiver has several sides that it can be moved to; the first is used unless there is a reason
   for another. */
#define RCITY_PATH_END_SIDES 8
rcity_place3 rcity_path_end_tx_aside(rcity_place3 tx);
rcity_place3 rcity_path_end_rx_aside(rcity_place3 rx, int side);

/* An end that touches a wall, a roof or the ground is moved off it, to a distance of a millimetre: then it stands in
   the air, and its reflection in what it touches has a direction. Any other end stays where it is. */
rcity_place3 rcity_path_end_in_air(const rcity_facet_table *world, const rcity_plan_index *prism_index,
                                   rcity_place3 end);

#endif

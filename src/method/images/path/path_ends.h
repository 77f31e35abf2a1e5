/* The two ends of paths where they tie. On round coordinates a ray meets the end of a wall, a corner or a roof's height
   exactly, and each question about it would be answered by itself: a path could be missing that stands on both sides,
   or be there that stands on neither. So whether a path is there is asked for ends that are moved aside by micrometres,
   the same for all questions, in directions that no city is built along: its paths are those of one neighbour, all of
   them. Where it runs is then solved for the ends as they are. */
#ifndef RCITY_METHOD_IMAGES_PATH_PATH_ENDS_H
#define RCITY_METHOD_IMAGES_PATH_PATH_ENDS_H

#include "scene/facets/facet_table.h"
#include "scene/shape/plan_index.h"

/* The place a transmitter or a receiver is asked for. Both are moved, and not alike: then no line between them ties. A
   receiver has several sides to be moved to; the first will do unless a reason wants another. */
#define RCITY_PATH_END_SIDES 8
rcity_place3 rcity_path_end_tx_aside(rcity_place3 tx);
rcity_place3 rcity_path_end_rx_aside(rcity_place3 rx, int side);

/* An end that touches a wall, a roof or the ground is moved off it, to a distance of a millimetre: it stands in the
   air, and its reflection in what it touches has a direction. Any other end stays where it is. */
rcity_place3 rcity_path_end_in_air(const rcity_facet_table *world, const rcity_plan_index *prism_index,
                                   rcity_place3 end);

#endif

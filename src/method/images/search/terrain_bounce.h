/* Reflection off ground that is not flat: off one triangle of the terrain, straight from the transmitter and on to the
   receiver. Combined with walls and edges the ground reflects only where it is flat. */
#ifndef RCITY_METHOD_IMAGES_SEARCH_TERRAIN_BOUNCE_H
#define RCITY_METHOD_IMAGES_SEARCH_TERRAIN_BOUNCE_H

#include "method/images/search/path_search.h"

/* Add the paths that are real, in the order of the triangles. `rx_aside` is the receiver's place that is asked for.
   `found` has room for all walls. With a tree in the search only blocks that may reflect are looked at; without, every
   triangle. */
rcity_status rcity_terrain_bounce_find(rcity_context *context, const rcity_search *search, int32_t *found,
                                       rcity_place3 rx_aside, rcity_place3 rx, rcity_path_list *list);

#endif

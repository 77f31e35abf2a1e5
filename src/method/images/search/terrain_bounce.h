/* Reflection off ground that is not flat: off one triangle of the terrain, directly from the transmitter to the
   receiver. In combination with walls and edges, only flat ground reflects. */
#ifndef RCITY_METHOD_IMAGES_SEARCH_TERRAIN_BOUNCE_H
#define RCITY_METHOD_IMAGES_SEARCH_TERRAIN_BOUNCE_H

#include "method/images/search/path_search.h"

/* Add the valid paths, in the order of the triangles. `rx_aside` is the place at which the receiver is tested. `found`
   has room for all walls. With a tree in the search only blocks that may reflect are searched; without it, every
   triangle. */
rcity_status rcity_terrain_bounce_find(rcity_context *context, const rcity_search *search, int32_t *found,
                                       rcity_place3 rx_aside, rcity_place3 rx, rcity_path_list *list);

#endif

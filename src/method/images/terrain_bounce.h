/* Reflections off the ground where it is not flat: off one triangle of the terrain, straight from the transmitter and
   on to the receiver. Combined with walls and edges the ground reflects only where it is flat. */
#ifndef RCITY_METHOD_IMAGES_TERRAIN_BOUNCE_H
#define RCITY_METHOD_IMAGES_TERRAIN_BOUNCE_H

#include "method/images/path_search.h"

/* Try every triangle; add the paths that are real. `found` has room for all walls. */
rcity_status rcity_terrain_bounce_find(rcity_context *context, const rcity_search *search, int32_t *found,
                                       rcity_place3 rx, rcity_path_list *list);

#endif

/* At the border of a shadow a ray ends and its edge's ray takes over: the ray past the edge, and the rays off its two
   faces. The edge's field switches at the exact angle; sight decides on points moved and snapped by a centimetre, ties
   for ends aside. Where they disagree, a ray would be missing beside its edge's lit field, or stand beside the
   shadow's: 6 dB wrong in a strip a centimetre wide. There the angle decides. */
#ifndef RCITY_METHOD_IMAGES_SEARCH_SHADOW_BOUNDARY_H
#define RCITY_METHOD_IMAGES_SEARCH_SHADOW_BOUNDARY_H

#include "method/images/search/path_search.h"

/* Find all paths to a receiver: search, then settle. For each path that bends at an edge beside a boundary, the ray
   that ends there is added when all edges beside it leave it free, and so is the rest of its way, and taken out when
   one does not. Where an edge has a boundary at the very place, the receiver is moved aside (path_ends.h), to the side
   where most rays that tie are lit: `*rx` is where it then stands, and the list, which is emptied first, holds the
   paths of that neighbour. */
rcity_status rcity_boundary_search(rcity_context *context, const rcity_search *search, rcity_searcher *searcher,
                                   rcity_place3 *rx, rcity_path_list *list);

#endif

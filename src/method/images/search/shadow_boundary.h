/* At a shadow boundary a ray ends and the diffracted ray of the edge takes over. There is one boundary for the ray past
   the edge, and one for the ray off each of its two faces. The diffracted field switches at the exact angle. Sight,
   however, is tested between points that were moved and snapped by a centimetre, and ties are tested for ends moved
   aside. Where they disagree, a ray would be missing beside the diffracted field of the visible side, or be present
   beside that of the shadow: 6 dB wrong in a strip a centimetre wide. In that strip the angle decides. */
#ifndef RCITY_METHOD_IMAGES_SEARCH_SHADOW_BOUNDARY_H
#define RCITY_METHOD_IMAGES_SEARCH_SHADOW_BOUNDARY_H

#include "method/images/search/path_search.h"

/* Find all paths to a receiver: search, then decide the rays at boundaries. For each path that an edge diffracts beside
   a boundary, the ray that ends there is added when all edges beside it and the rest of its legs leave it free, and
   removed when one does not. Where an edge has a boundary exactly at the receiver, the receiver is moved aside
   (path_ends.h), to the side on which most tied rays are visible. `*rx` is then that place, and the list, which is
   emptied first, holds its paths. */
rcity_status rcity_boundary_search(rcity_context *context, const rcity_search *search, rcity_searcher *searcher,
                                   rcity_place3 *rx, rcity_path_list *list);

#endif

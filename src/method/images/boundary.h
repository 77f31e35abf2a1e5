/* At the border of a shadow a ray ends and its edge's ray takes over. The edge's field switches at the exact angle, to
   the last bit; sight decides on points moved and snapped by a centimetre. Where the two disagree, a ray would be
   missing beside its edge's lit field, or stand beside the shadow's: 6 dB wrong in a strip a centimetre wide. There the
   angle decides. */
#ifndef RCITY_METHOD_IMAGES_BOUNDARY_H
#define RCITY_METHOD_IMAGES_BOUNDARY_H

#include "method/images/path_search.h"

/* Settle a receiver's paths: for each that bends at an edge it hardly turns at, the path that goes straight there is
   added when the edge leaves it free and taken out when not. */
rcity_status rcity_boundary_settle(rcity_context *context, const rcity_search *search, rcity_place3 rx,
                                   rcity_path_list *list);

#endif

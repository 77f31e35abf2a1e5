/* Ground, roofs and vegetation under the line between two places. */
#ifndef RCITY_API_LINK_GROUND_H
#define RCITY_API_LINK_GROUND_H

#include "result/link_profile_data.h"

/* Fill distance, ground, top and kind of the points of a profile whose ends are set: a point wherever the line crosses an
   edge of the ground or an outline, and enough between. */
rcity_status rcity_link_ground_fill(rcity_context *context, const rcity_scene *scene, rcity_link_profile *profile);

#endif

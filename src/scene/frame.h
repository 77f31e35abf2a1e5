/* The frame of a committed scene: local origin and plan grid. */
#ifndef RCITY_SCENE_FRAME_H
#define RCITY_SCENE_FRAME_H

#include "scene/draft.h"

/* Plan units per metre in a scene of this width: a power of two, 128 up to 16 km; 0 for a scene that is too wide. */
int32_t rcity_plan_units_per_m(double extent_m);

/* Set origin and units of `shapes` from everything that was added.
   @return RCITY_ERR_ARGUMENT for an empty draft and for one that is too wide, RCITY_ERR_GEOMETRY when all of it was
   dropped before. */
rcity_status rcity_frame_choose(rcity_context *context, const rcity_draft *draft, bool drop_invalid,
                                rcity_shapes *shapes);

#endif

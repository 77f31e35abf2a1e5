/* The pieces of wall that are open to the air. */
#ifndef RCITY_SCENE_FACADES_H
#define RCITY_SCENE_FACADES_H

#include "scene/shape/plan_index.h"
#include "scene/shapes.h"

/* Index the prisms of shapes by their boxes. */
rcity_status rcity_shapes_index_prisms(rcity_context *context, const rcity_shapes *shapes, rcity_plan_index *index);

/* Cut the facades, and count outer walls and nested buildings. A piece of wall beside another prism is covered up to
   that prism's roof; the strip above it stays. `point_wall` gives for each edge its wall as read. */
rcity_status rcity_facades_build(rcity_context *context, const rcity_plan_index *prism_index, const int32_t *point_wall,
                                 rcity_shapes *shapes);

#endif

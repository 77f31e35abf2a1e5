/* Vegetation, land cover and materials of a draft become shapes. */
#ifndef RCITY_SCENE_CLUTTER_COMMIT_H
#define RCITY_SCENE_CLUTTER_COMMIT_H

#include "scene/draft.h"
#include "scene/shape/ring_clean.h"

/* Is every building's material known to the scene or to the built-in table? @return RCITY_ERR_ARGUMENT with both. */
rcity_status rcity_clutter_check_materials(rcity_context *context, const rcity_draft *draft);

/* Snap and clean the vegetation, and find the ground under it; the frame and the terrain of `shapes` are set already.
   @return RCITY_ERR_GEOMETRY for one that cannot be repaired or lies far outside, unless `drop_invalid`: then it is
   counted and left out. */
rcity_status rcity_clutter_clean_vegetation(rcity_ring_cleaner *cleaner, const rcity_draft *draft, bool drop_invalid,
                                            rcity_shapes *shapes);

#endif

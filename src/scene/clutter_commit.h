/* Vegetation, land cover and materials of a draft become shapes. */
#ifndef RCITY_SCENE_CLUTTER_COMMIT_H
#define RCITY_SCENE_CLUTTER_COMMIT_H

#include "scene/draft.h"
#include "scene/shape/ring_clean.h"

/* Is every building's material one that the scene or the built-in table knows? @return RCITY_ERR_ARGUMENT with both. */
rcity_status rcity_clutter_check_materials(rcity_context *context, const rcity_draft *draft);

/* Snap and clean the vegetation, and measure the ground under it; the frame and the terrain of `shapes` stand.
   @return RCITY_ERR_GEOMETRY for one that cannot be repaired or lies far outside, unless `drop_invalid`: then it is
   counted and left out. */
rcity_status rcity_clutter_clean_vegetation(rcity_ring_cleaner *cleaner, const rcity_draft *draft, bool drop_invalid,
                                            rcity_shapes *shapes);

#endif

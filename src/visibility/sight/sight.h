/* Sight: the fast, exact segment test, and what else a walk along a line finds. The answers equal those of the plain
   rcity_segment_is_free(), on the scene's integer grid, without scratch memory, so threads can share it. */
#ifndef RCITY_VISIBILITY_SIGHT_SIGHT_H
#define RCITY_VISIBILITY_SIGHT_SIGHT_H

#include "scene/place/segment_test.h"
#include "scene/shapes.h"

typedef struct rcity_sight rcity_sight;

/* Build the walk's structure for committed shapes, which it borrows. */
rcity_status rcity_sight_create(rcity_context *context, const rcity_shapes *shapes, rcity_sight **sight);
void rcity_sight_destroy(rcity_context *context, rcity_sight **sight);

/* Is the straight line free? Always equal to rcity_segment_is_free(). */
bool rcity_sight_is_free(const rcity_sight *sight, rcity_grid_point3 from, rcity_grid_point3 to);

#endif

/* The plain, exact segment test: is the straight line between two points free? The oracle of everything faster. */
#ifndef RCITY_SCENE_SEGMENT_TEST_H
#define RCITY_SCENE_SEGMENT_TEST_H

#include "scene/shape/plan_index.h"
#include "scene/shape/side_cover.h"
#include "scene/shapes.h"

/* A point on the scene's grid: plan units and height units. */
typedef struct rcity_grid_point3 {
    int32_t x, y, z;
} rcity_grid_point3;

/* Working memory of the test, one per thread. */
typedef struct rcity_segment_scratch {
    rcity_span *left, *right;
    int32_t *along; /* prisms that have an edge on the line */
    int32_t along_count;
    uint32_t *seen; /* for each prism the last segment it was tested for, since an index may yield it twice */
    uint32_t segment;
} rcity_segment_scratch;

rcity_status rcity_segment_scratch_init(rcity_context *context, const rcity_shapes *shapes,
                                        rcity_segment_scratch *scratch);
void rcity_segment_scratch_deinit(rcity_context *context, rcity_segment_scratch *scratch);

/* Snap a point to the scene's grid. @return RCITY_ERR_ARGUMENT when not finite or far outside. */
rcity_status rcity_shapes_snap(rcity_context *context, const rcity_shapes *shapes, const rcity_point *point,
                               rcity_grid_point3 *snapped);

/* The rules are those of rcity_scene_test_segment(). */
bool rcity_segment_is_free(const rcity_shapes *shapes, rcity_segment_scratch *scratch, rcity_grid_point3 from,
                           rcity_grid_point3 to);

/* The same answer, testing only the prisms whose cells of the scene's prism index the line passes. */
bool rcity_segment_is_free_indexed(const rcity_shapes *shapes, const rcity_plan_index *prism_index,
                                   rcity_segment_scratch *scratch, rcity_grid_point3 from, rcity_grid_point3 to);

#endif

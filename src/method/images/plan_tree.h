/* A tree of boxes over plan segments, to find those that reach into a wedge of the plan. */
#ifndef RCITY_METHOD_IMAGES_PLAN_TREE_H
#define RCITY_METHOD_IMAGES_PLAN_TREE_H

#include <stdint.h>

#include "base/base.h"

typedef struct rcity_plan_segment {
    double x1, y1, x2, y2;
} rcity_plan_segment;

/* All p with x * p.x + y * p.y + c >= 0 for each side: a convex region, open or not. */
#define RCITY_REGION_SIDE_MAX 3
typedef struct rcity_region {
    int side_count;
    struct {
        double x, y, c;
    } side[RCITY_REGION_SIDE_MAX];
} rcity_region;

typedef struct rcity_plan_tree {
    struct rcity_plan_tree_node *nodes;
    int32_t node_count;
    int32_t *items; /* in the order of the leaves */
} rcity_plan_tree;

rcity_status rcity_plan_tree_init(rcity_context *context, int32_t count, const rcity_plan_segment *segments,
                                  rcity_plan_tree *tree);
void rcity_plan_tree_deinit(rcity_context *context, rcity_plan_tree *tree);

/* Segments whose boxes may meet the region, into `found`, which has room for all. Some may miss it. */
int32_t rcity_plan_tree_find(const rcity_plan_tree *tree, const rcity_region *region, int32_t *found);

/* The part of a segment in a region, as fractions of it, widened by a hair so that nothing on the rim is lost.
   @return false when there is none. */
bool rcity_region_clip(const rcity_region *region, const rcity_plan_segment *segment, double *from, double *to);

#endif

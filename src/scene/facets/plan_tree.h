/* A tree of boxes over plan segments, to find those that reach into a wedge of the plan. */
#ifndef RCITY_SCENE_FACETS_PLAN_TREE_H
#define RCITY_SCENE_FACETS_PLAN_TREE_H

#include <stdint.h>

#include "base/base.h"

typedef struct rcity_plan_segment {
    double x1, y1, x2, y2;
} rcity_plan_segment;

/* The part of a segment between two fractions. */
static inline rcity_plan_segment rcity_plan_segment_part(const rcity_plan_segment *s, double from, double to)
{
    rcity_plan_segment part = {s->x1 + from * (s->x2 - s->x1), s->y1 + from * (s->y2 - s->y1),
                               s->x1 + to * (s->x2 - s->x1), s->y1 + to * (s->y2 - s->y1)};
    return part;
}

/* All p with x * p.x + y * p.y + c >= 0 for each side: a convex region, bounded or not. */
#define RCITY_REGION_SIDE_MAX 3
typedef struct rcity_region {
    int side_count;
    struct {
        double x, y, c;
    } side[RCITY_REGION_SIDE_MAX];
} rcity_region;

typedef struct rcity_plan_tree_node {
    float x_min, y_min, x_max, y_max; /* rounded outward */
    float top;                        /* of the highest item in it, rounded up */
    int32_t first, count;             /* of a leaf: items; of an inner node: count 0, children at first and first + 1 */
} rcity_plan_tree_node;

typedef struct rcity_plan_tree {
    rcity_plan_tree_node *nodes; /* the first is the root */
    int32_t node_count;
    int32_t *items; /* in the order of the leaves */
} rcity_plan_tree;

/* Capacity of the stack for a traversal: no child has more than three quarters of its parent's items, so 2^31 items
   make 75 levels. */
#define RCITY_PLAN_TREE_STACK 96

rcity_status rcity_plan_tree_init(rcity_context *context, int32_t count, const rcity_plan_segment *segments,
                                  const float *tops, rcity_plan_tree *tree);
void rcity_plan_tree_deinit(rcity_context *context, rcity_plan_tree *tree);

/* May a node's box meet the region? */
bool rcity_plan_tree_may_meet(const rcity_plan_tree_node *node, const rcity_region *region);

/* Segments whose boxes may meet the region, into `found`, which has room for all. Some of them may miss it. */
int32_t rcity_plan_tree_find(const rcity_plan_tree *tree, const rcity_region *region, int32_t *found);

/* The part of a segment in a region, as fractions of it, slightly widened so that nothing on the border is lost.
   @return false when there is none. */
bool rcity_region_clip(const rcity_region *region, const rcity_plan_segment *segment, double *from, double *to);

#endif

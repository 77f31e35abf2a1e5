/* A uniform grid over the plan that finds boxes near a place. */
#ifndef RCITY_SCENE_PLAN_INDEX_H
#define RCITY_SCENE_PLAN_INDEX_H

#include "base/base.h"

/* A box in plan units, its border included. */
typedef struct rcity_plan_box {
    int32_t x_min, y_min, x_max, y_max;
} rcity_plan_box;

typedef struct rcity_plan_index {
    rcity_plan_box bounds;
    int32_t cell;
    int32_t column_count, row_count;
    int64_t *cell_first; /* column_count * row_count + 1 */
    int32_t *items;
} rcity_plan_index;

/* Boxes item by item, for building. */
typedef rcity_plan_box (*rcity_plan_box_function)(const void *user, int32_t item);

/* Index `item_count` boxes; the cell size is chosen so that a cell has few of them. */
rcity_status rcity_plan_index_build(rcity_context *context, int32_t item_count, rcity_plan_box_function box,
                                    const void *user, rcity_plan_index *index);
void rcity_plan_index_deinit(rcity_context *context, rcity_plan_index *index);

/* A traversal of the items whose cells meet a box. An item may come more than once; see rcity_plan_walk_is_first(). */
typedef struct rcity_plan_walk {
    const rcity_plan_index *index;
    int32_t column_begin, column_end, row_begin, row_end; /* ends included */
    int32_t column, row;
    int64_t next, end;
} rcity_plan_walk;

void rcity_plan_walk_init(const rcity_plan_index *index, rcity_plan_box box, rcity_plan_walk *walk);

/* The next item, or -1 at the end. */
int32_t rcity_plan_walk_next(rcity_plan_walk *walk);

/* Is this the first cell of the walk that an item with this box lies in? True once for each item. */
bool rcity_plan_walk_is_first(const rcity_plan_walk *walk, rcity_plan_box item_box);

static inline bool rcity_plan_boxes_meet(rcity_plan_box a, rcity_plan_box b)
{
    return a.x_min <= b.x_max && b.x_min <= a.x_max && a.y_min <= b.y_max && b.y_min <= a.y_max;
}

#endif

/* The tree: boxes are split at the middle of their longer side until few segments are left. */
#include "scene/facets/plan_tree.h"

#include <math.h>
#include <string.h>

#define LEAF_ITEMS 6

/* Regions are widened by this: coordinates are kilometres with 16 digits. */
#define RIM_M 1e-7

static float round_down(double value)
{
    float rounded = (float)value;
    return (double)rounded > value ? nextafterf(rounded, -HUGE_VALF) : rounded;
}

static float round_up(double value)
{
    float rounded = (float)value;
    return (double)rounded < value ? nextafterf(rounded, HUGE_VALF) : rounded;
}

static void bound(rcity_plan_tree_node *node, const rcity_plan_segment *segments, const float *tops,
                  const int32_t *items)
{
    node->top = -HUGE_VALF;
    double box[4] = {HUGE_VAL, HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
    for (int32_t i = 0; i < node->count; i++) {
        const rcity_plan_segment *s = &segments[items[i]];
        node->top = fmaxf(node->top, tops[items[i]]);
        box[0] = fmin(box[0], fmin(s->x1, s->x2));
        box[1] = fmin(box[1], fmin(s->y1, s->y2));
        box[2] = fmax(box[2], fmax(s->x1, s->x2));
        box[3] = fmax(box[3], fmax(s->y1, s->y2));
    }
    node->x_min = round_down(box[0]);
    node->y_min = round_down(box[1]);
    node->x_max = round_up(box[2]);
    node->y_max = round_up(box[3]);
}

/* Put the items whose middle lies before the node's middle first. @return how many they are. */
static int32_t part(const rcity_plan_tree_node *node, const rcity_plan_segment *segments, int32_t *items)
{
    bool by_x = node->x_max - node->x_min > node->y_max - node->y_min;
    double middle = by_x ? (double)node->x_min + (double)node->x_max : (double)node->y_min + (double)node->y_max;
    int32_t low = 0;
    for (int32_t i = 0; i < node->count; i++) {
        const rcity_plan_segment *s = &segments[items[i]];
        double place = by_x ? s->x1 + s->x2 : s->y1 + s->y2;
        if (place < middle) {
            int32_t swap = items[low];
            items[low++] = items[i];
            items[i] = swap;
        }
    }
    /* long segments around one middle split badly: halves of any kind keep the tree low */
    return low >= node->count / 4 && low <= node->count - node->count / 4 ? low : node->count / 2;
}

rcity_status rcity_plan_tree_init(rcity_context *context, int32_t count, const rcity_plan_segment *segments,
                                  const float *tops, rcity_plan_tree *tree)
{
    memset(tree, 0, sizeof *tree);
    rcity_status status;
    RCITY_TRY_DONE(rcity_alloc(context, (size_t)count + 1, sizeof *tree->items, "the tree of walls", &tree->items));
    RCITY_TRY_DONE(rcity_alloc(context, 2 * (size_t)count + 1, sizeof *tree->nodes, "the tree of walls", &tree->nodes));
    for (int32_t i = 0; i < count; i++) {
        tree->items[i] = i;
    }
    tree->nodes[0].count = count;
    tree->node_count = count > 0 ? 1 : 0;
    for (int32_t i = 0; i < tree->node_count; i++) {
        rcity_plan_tree_node *node = &tree->nodes[i];
        int32_t *items = tree->items + node->first;
        bound(node, segments, tops, items);
        if (node->count > LEAF_ITEMS) {
            int32_t low = part(node, segments, items);
            rcity_plan_tree_node *children = &tree->nodes[tree->node_count];
            children[0].first = node->first;
            children[0].count = low;
            children[1].first = node->first + low;
            children[1].count = node->count - low;
            node->first = tree->node_count;
            node->count = 0;
            tree->node_count += 2;
        }
    }
done:
    if (status != RCITY_OK) {
        rcity_plan_tree_deinit(context, tree);
    }
    return status;
}

void rcity_plan_tree_deinit(rcity_context *context, rcity_plan_tree *tree)
{
    rcity_release(context, tree->items);
    rcity_release(context, tree->nodes);
    memset(tree, 0, sizeof *tree);
}

bool rcity_plan_tree_may_meet(const rcity_plan_tree_node *node, const rcity_region *region)
{
    for (int k = 0; k < region->side_count; k++) {
        double x = region->side[k].x;
        double y = region->side[k].y;
        double most = (x > 0.0 ? x * (double)node->x_max : x * (double)node->x_min) +
                      (y > 0.0 ? y * (double)node->y_max : y * (double)node->y_min) + region->side[k].c;
        if (most < -RIM_M) {
            return false;
        }
    }
    return true;
}

int32_t rcity_plan_tree_find(const rcity_plan_tree *tree, const rcity_region *region, int32_t *found)
{
    int32_t stack[RCITY_PLAN_TREE_STACK];
    int depth = 0;
    int32_t count = 0;
    if (tree->node_count > 0) {
        stack[depth++] = 0;
    }
    while (depth > 0) {
        const rcity_plan_tree_node *node = &tree->nodes[stack[--depth]];
        if (!rcity_plan_tree_may_meet(node, region)) {
            continue;
        }
        if (node->count > 0) {
            memcpy(found + count, tree->items + node->first, (size_t)node->count * sizeof *found);
            count += node->count;
        } else {
            stack[depth++] = node->first;
            stack[depth++] = node->first + 1;
        }
    }
    return count;
}

bool rcity_region_clip(const rcity_region *region, const rcity_plan_segment *segment, double *from, double *to)
{
    double begin = 0.0;
    double end = 1.0;
    for (int k = 0; k < region->side_count; k++) {
        double at_1 = region->side[k].x * segment->x1 + region->side[k].y * segment->y1 + region->side[k].c + RIM_M;
        double at_2 = region->side[k].x * segment->x2 + region->side[k].y * segment->y2 + region->side[k].c + RIM_M;
        if (at_1 < 0.0 && at_2 < 0.0) {
            return false;
        }
        if (at_1 < 0.0) {
            begin = fmax(begin, at_1 / (at_1 - at_2));
        } else if (at_2 < 0.0) {
            end = fmin(end, at_1 / (at_1 - at_2));
        }
    }
    *from = begin;
    *to = end;
    return begin <= end;
}

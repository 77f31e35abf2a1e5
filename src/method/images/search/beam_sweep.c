/* The sweep: a heap yields nodes, walls and vertical edges by their nearest point. A wall raises the horizon once the
   sweep has passed its farthest point. */
#include "method/images/search/beam_sweep.h"

#include <math.h>

enum { SWEEP_WALL_NODE, SWEEP_EDGE_NODE, SWEEP_WALL, SWEEP_EDGE };

#define FRONT_MIN_M 1e-6 /* a place this near to a plane counts as in it */

static bool comes_before(const rcity_sweep_entry *a, const rcity_sweep_entry *b)
{
    if (a->distance_m != b->distance_m) {
        return a->distance_m < b->distance_m;
    }
    return a->kind != b->kind ? a->kind < b->kind : a->extent.item < b->extent.item;
}

static rcity_status push(rcity_context *context, rcity_sweep_heap *heap, rcity_sweep_entry entry)
{
    RCITY_TRY(
        rcity_reserve(context, heap->count + 1, sizeof *heap->entries, &heap->capacity, "a sweep", &heap->entries));
    size_t at = heap->count++;
    while (at > 0 && comes_before(&entry, &heap->entries[(at - 1) / 2])) {
        heap->entries[at] = heap->entries[(at - 1) / 2];
        at = (at - 1) / 2;
    }
    heap->entries[at] = entry;
    return RCITY_OK;
}

static rcity_sweep_entry pop(rcity_sweep_heap *heap)
{
    rcity_sweep_entry first = heap->entries[0];
    rcity_sweep_entry last = heap->entries[--heap->count];
    size_t at = 0;
    for (size_t child = 1; child < heap->count; child = 2 * at + 1) {
        child += child + 1 < heap->count && comes_before(&heap->entries[child + 1], &heap->entries[child]);
        if (!comes_before(&heap->entries[child], &last)) {
            break;
        }
        heap->entries[at] = heap->entries[child];
        at = child;
    }
    if (heap->count > 0) {
        heap->entries[at] = last;
    }
    return first;
}

bool rcity_sweep_lies_beyond(const rcity_facet_table *world, const rcity_beam *beam, const rcity_plan_segment *s)
{
    if (beam->wall < 0) {
        return true;
    }
    const rcity_mirror *wall = &world->mirrors[beam->wall];
    return wall->normal.x * s->x1 + wall->normal.y * s->y1 - wall->offset > FRONT_MIN_M ||
           wall->normal.x * s->x2 + wall->normal.y * s->y2 - wall->offset > FRONT_MIN_M;
}

/* Does a place lie outside the region's sides by more than the slack? The front side, the plane of the window, is not
   tested. */
static bool lies_far_outside(const rcity_region *region, double slack_m, double x, double y)
{
    for (int k = 1; k < region->side_count; k++) {
        if (region->side[k].x * x + region->side[k].y * y + region->side[k].c < -2.0 * slack_m) {
            return true;
        }
    }
    return false;
}

/* One sweep while it runs. */
typedef struct sweep {
    rcity_context *context;
    const rcity_reach_world *reach_world;
    const rcity_beam *beam;
    const rcity_region *region;
    rcity_reach *reach;
} sweep;

static rcity_status push_node(const sweep *s, int kind, int32_t index)
{
    const rcity_plan_tree *tree =
        kind == SWEEP_WALL_NODE ? &s->reach_world->wall_tree : &s->reach_world->vertical_edge_tree;
    if (index >= tree->node_count || !rcity_plan_tree_may_meet(&tree->nodes[index], s->region)) {
        return RCITY_OK;
    }
    rcity_sweep_entry entry = {0.0, kind, rcity_horizon_measure_box(&s->reach->horizon, &tree->nodes[index])};
    entry.distance_m = entry.extent.near_m;
    entry.extent.item = index;
    return push(s->context, &s->reach->waiting, entry);
}

static rcity_status push_wall(const sweep *s, int32_t wall)
{
    const rcity_plan_segment *segment = &s->reach_world->walls[wall];
    double from, to;
    if (!rcity_sweep_lies_beyond(s->reach_world->world, s->beam, segment) ||
        !rcity_region_clip(s->region, segment, &from, &to)) {
        return RCITY_OK;
    }
    rcity_sweep_entry entry = {
        0.0, SWEEP_WALL,
        rcity_horizon_measure(&s->reach->horizon, rcity_plan_segment_part(segment, from, to),
                              lies_far_outside(s->region, s->reach->horizon.slack_m, segment->x1, segment->y1),
                              lies_far_outside(s->region, s->reach->horizon.slack_m, segment->x2, segment->y2),
                              s->reach_world->world->mirrors[wall].top, wall)};
    entry.distance_m = entry.extent.near_m;
    return push(s->context, &s->reach->waiting, entry);
}

static rcity_status push_vertical_edge(const sweep *s, int32_t vertical_edge)
{
    const rcity_plan_segment *segment = &s->reach_world->vertical_edges[vertical_edge];
    int32_t facet_edge = (int32_t)s->reach_world->world->roof_edge_count + vertical_edge;
    double from, to;
    if (!rcity_region_clip(s->region, segment, &from, &to)) {
        return RCITY_OK;
    }
    rcity_sweep_entry entry = {0.0, SWEEP_EDGE,
                               rcity_horizon_measure(&s->reach->horizon, *segment, false, false,
                                                     s->reach_world->world->edges[facet_edge].b.z, facet_edge)};
    entry.distance_m = entry.extent.near_m;
    return push(s->context, &s->reach->waiting, entry);
}

static rcity_status open_node(const sweep *s, const rcity_sweep_entry *entry)
{
    bool is_wall_node = entry->kind == SWEEP_WALL_NODE;
    const rcity_plan_tree *tree = is_wall_node ? &s->reach_world->wall_tree : &s->reach_world->vertical_edge_tree;
    const rcity_plan_tree_node *node = &tree->nodes[entry->extent.item];
    for (int32_t i = 0; i < node->count; i++) {
        int32_t item = tree->items[node->first + i];
        RCITY_TRY(is_wall_node ? push_wall(s, item) : push_vertical_edge(s, item));
    }
    if (node->count == 0) {
        RCITY_TRY(push_node(s, entry->kind, node->first));
        RCITY_TRY(push_node(s, entry->kind, node->first + 1));
    }
    return RCITY_OK;
}

/* Everything in the region, in any order: nothing hides anything. */
static void take_all(const sweep *s, bool with_vertical_edges)
{
    rcity_reach *reach = s->reach;
    double from, to;
    int32_t found = rcity_plan_tree_find(&s->reach_world->wall_tree, s->region, reach->found);
    for (int32_t i = 0; i < found; i++) {
        const rcity_plan_segment *segment = &s->reach_world->walls[reach->found[i]];
        if (rcity_sweep_lies_beyond(s->reach_world->world, s->beam, segment) &&
            rcity_region_clip(s->region, segment, &from, &to)) {
            reach->walls[reach->wall_count++] = reach->found[i];
        }
    }
    found =
        with_vertical_edges ? rcity_plan_tree_find(&s->reach_world->vertical_edge_tree, s->region, reach->found) : 0;
    for (int32_t i = 0; i < found; i++) {
        if (rcity_region_clip(s->region, &s->reach_world->vertical_edges[reach->found[i]], &from, &to)) {
            reach->vertical_edges[reach->vertical_edge_count++] =
                (int32_t)s->reach_world->world->roof_edge_count + reach->found[i];
        }
    }
}

static rcity_status sweep_outward(const sweep *s, bool with_vertical_edges)
{
    rcity_reach *reach = s->reach;
    RCITY_TRY(push_node(s, SWEEP_WALL_NODE, 0));
    if (with_vertical_edges) {
        RCITY_TRY(push_node(s, SWEEP_EDGE_NODE, 0));
    }
    while (reach->waiting.count > 0) {
        rcity_sweep_entry entry = pop(&reach->waiting);
        while (reach->passing.count > 0 && reach->passing.entries[0].distance_m <= entry.distance_m) {
            rcity_sweep_entry passed = pop(&reach->passing);
            rcity_horizon_raise(&reach->horizon, &passed.extent);
        }
        if (rcity_horizon_hides(&reach->horizon, &entry.extent)) {
            continue;
        }
        if (entry.kind == SWEEP_WALL) {
            reach->walls[reach->wall_count++] = entry.extent.item;
            entry.distance_m = entry.extent.far_m;
            RCITY_TRY(push(s->context, &reach->passing, entry));
        } else if (entry.kind == SWEEP_EDGE) {
            reach->vertical_edges[reach->vertical_edge_count++] = entry.extent.item;
        } else {
            RCITY_TRY(open_node(s, &entry));
        }
    }
    return RCITY_OK;
}

rcity_status rcity_sweep_run(rcity_context *context, const rcity_reach_world *reach_world, const rcity_beam *beam,
                             const rcity_region *region, double z, bool with_vertical_edges, rcity_reach *reach)
{
    sweep s = {context, reach_world, beam, region, reach};
    reach->wall_count = 0;
    reach->vertical_edge_count = 0;
    reach->waiting.count = 0;
    reach->passing.count = 0;
    bool is_point = beam->source.x1 == beam->source.x2 && beam->source.y1 == beam->source.y2;
    if (!is_point || reach_world->sees_through) {
        take_all(&s, with_vertical_edges);
        return RCITY_OK;
    }
    if (beam->wall < 0) {
        rcity_horizon_init_circle(&reach->horizon, beam->source.x1, beam->source.y1, z);
    } else {
        rcity_horizon_init_window(&reach->horizon, beam->source.x1, beam->source.y1, z, beam->window);
    }
    if (reach->eye.behind_m > 0.0) {
        rcity_horizon_step_back(&reach->horizon, reach->eye.behind_m, reach->eye.slope_least, reach->eye.slope_most);
    }
    return sweep_outward(&s, with_vertical_edges);
}

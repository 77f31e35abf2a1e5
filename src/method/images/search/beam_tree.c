/* The tree of beams: find the walls and vertical edges in a beam's region, drop those that the horizon hides, mirror
   the rest. */
#include "method/images/search/beam_tree.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "method/images/search/beam_sweep.h"

#define FRONT_MIN_M 1e-6 /* a source nearer than this to a wall's plane only grazes it */

#define PAUSE_BEAMS 256 /* beams between two pauses: some milliseconds */

static const rcity_reach_eye no_eye = {0.0, 0.0, -HUGE_VAL, HUGE_VAL};

rcity_status rcity_reach_world_init(rcity_context *context, const rcity_facet_table *world, bool sees_through,
                                    rcity_reach_world *reach_world)
{
    memset(reach_world, 0, sizeof *reach_world);
    reach_world->world = world;
    reach_world->sees_through = sees_through;
    int32_t wall_count = (int32_t)world->wall_count;
    int32_t vertical_edge_count = (int32_t)(world->edge_count - world->roof_edge_count);
    float *wall_tops = NULL;
    float *vertical_edge_tops = NULL;
    rcity_status status;
    RCITY_TRY_DONE(rcity_alloc(context, (size_t)wall_count + 1, sizeof *wall_tops, "the tops of walls", &wall_tops));
    RCITY_TRY_DONE(rcity_alloc(context, (size_t)vertical_edge_count + 1, sizeof *vertical_edge_tops,
                               "the tops of edges", &vertical_edge_tops));
    RCITY_TRY_DONE(rcity_alloc(context, (size_t)wall_count + 1, sizeof *reach_world->walls, "the plan of walls",
                               &reach_world->walls));
    RCITY_TRY_DONE(rcity_alloc(context, (size_t)vertical_edge_count + 1, sizeof *reach_world->vertical_edges,
                               "the plan of edges", &reach_world->vertical_edges));
    for (int32_t i = 0; i < wall_count; i++) {
        const rcity_mirror *wall = &world->mirrors[i];
        reach_world->walls[i] = (rcity_plan_segment){wall->x1, wall->y1, wall->x2, wall->y2};
        wall_tops[i] = nextafterf((float)wall->top, HUGE_VALF);
    }
    for (int32_t i = 0; i < vertical_edge_count; i++) {
        const rcity_facet_edge *facet_edge = &world->edges[world->roof_edge_count + i];
        reach_world->vertical_edges[i] =
            (rcity_plan_segment){facet_edge->a.x, facet_edge->a.y, facet_edge->a.x, facet_edge->a.y};
        vertical_edge_tops[i] = nextafterf((float)facet_edge->b.z, HUGE_VALF);
    }
    RCITY_TRY_DONE(rcity_plan_tree_init(context, wall_count, reach_world->walls, wall_tops, &reach_world->wall_tree));
    RCITY_TRY_DONE(rcity_plan_tree_init(context, vertical_edge_count, reach_world->vertical_edges, vertical_edge_tops,
                                        &reach_world->vertical_edge_tree));
done:
    rcity_release(context, vertical_edge_tops);
    rcity_release(context, wall_tops);
    if (status != RCITY_OK) {
        rcity_reach_world_deinit(context, reach_world);
    }
    return status;
}

void rcity_reach_world_deinit(rcity_context *context, rcity_reach_world *reach_world)
{
    rcity_plan_tree_deinit(context, &reach_world->vertical_edge_tree);
    rcity_plan_tree_deinit(context, &reach_world->wall_tree);
    rcity_release(context, reach_world->vertical_edges);
    rcity_release(context, reach_world->walls);
    memset(reach_world, 0, sizeof *reach_world);
}

rcity_status rcity_reach_init(rcity_context *context, const rcity_reach_world *reach_world, rcity_reach *reach)
{
    memset(reach, 0, sizeof *reach);
    reach->horizon.slack_m = rcity_horizon_slack_m(reach_world->world->shapes);
    reach->eye = no_eye;
    size_t walls = (size_t)reach_world->world->wall_count + 1;
    size_t vertical_edges = (size_t)(reach_world->world->edge_count - reach_world->world->roof_edge_count) + 1;
    rcity_status status;
    RCITY_TRY_DONE(rcity_alloc(context, walls > vertical_edges ? walls : vertical_edges, sizeof *reach->found, "beams",
                               &reach->found));
    RCITY_TRY_DONE(rcity_alloc(context, walls, sizeof *reach->walls, "beams", &reach->walls));
    RCITY_TRY_DONE(
        rcity_alloc(context, vertical_edges, sizeof *reach->vertical_edges, "beams", &reach->vertical_edges));
done:
    if (status != RCITY_OK) {
        rcity_reach_deinit(context, reach);
    }
    return status;
}

void rcity_reach_deinit(rcity_context *context, rcity_reach *reach)
{
    rcity_release(context, reach->vertical_edges);
    rcity_release(context, reach->walls);
    rcity_release(context, reach->passing.entries);
    rcity_release(context, reach->waiting.entries);
    rcity_release(context, reach->found);
    rcity_release(context, reach->meetings);
    rcity_release(context, reach->beams);
    memset(reach, 0, sizeof *reach);
}

static double cross(double ax, double ay, double bx, double by)
{
    return ax * by - ay * bx;
}

/* The half-plane to the left of a line. */
static void add_left(rcity_region *region, double x1, double y1, double x2, double y2)
{
    double dx = x2 - x1;
    double dy = y2 - y1;
    double length = hypot(dx, dy);
    double nx = -dy / length;
    double ny = dx / length;
    region->side[region->side_count].x = nx;
    region->side[region->side_count].y = ny;
    region->side[region->side_count].c = -(nx * x1 + ny * y1);
    region->side_count++;
}

rcity_region rcity_beam_region(const rcity_facet_table *world, const rcity_beam *beam)
{
    rcity_region region;
    memset(&region, 0, sizeof region);
    if (beam->wall < 0) {
        return region;
    }
    const rcity_mirror *wall = &world->mirrors[beam->wall];
    region.side[0].x = wall->normal.x;
    region.side[0].y = wall->normal.y;
    region.side[0].c = -wall->offset;
    region.side_count = 1;
    /* for an extended source: the end that opens the beam wider, on each side */
    const rcity_plan_segment *s = &beam->source;
    const rcity_plan_segment *w = &beam->window;
    bool right_by_2 = cross(w->x1 - s->x1, w->y1 - s->y1, w->x1 - s->x2, w->y1 - s->y2) < 0.0;
    bool left_by_2 = cross(w->x2 - s->x1, w->y2 - s->y1, w->x2 - s->x2, w->y2 - s->y2) > 0.0;
    add_left(&region, right_by_2 ? s->x2 : s->x1, right_by_2 ? s->y2 : s->y1, w->x1, w->y1);
    add_left(&region, w->x2, w->y2, left_by_2 ? s->x2 : s->x1, left_by_2 ? s->y2 : s->y1);
    return region;
}

bool rcity_beam_contains(const rcity_facet_table *world, const rcity_beam *beam, double x, double y)
{
    rcity_region region = rcity_beam_region(world, beam);
    rcity_plan_segment point = {x, y, x, y};
    double from, to;
    return rcity_region_clip(&region, &point, &from, &to);
}

int rcity_beam_walls(const rcity_beam *beams, int32_t beam, int32_t walls[RCITY_REFLECTION_MAX])
{
    int depth = beams[beam].depth;
    for (int i = depth - 1; i >= 0; i--) {
        walls[i] = beams[beam].wall;
        beam = beams[beam].parent;
    }
    return depth;
}

static rcity_status add_beam(rcity_context *context, rcity_reach *reach, const rcity_beam *beam)
{
    RCITY_TRY(rcity_reserve(context, reach->beam_count + 1, sizeof *reach->beams, &reach->beam_capacity,
                            "the tree of beams", &reach->beams));
    reach->beams[reach->beam_count++] = *beam;
    return RCITY_OK;
}

static rcity_status add_meeting(rcity_context *context, rcity_reach *reach, int32_t facet_edge, size_t beam)
{
    RCITY_TRY(rcity_reserve(context, reach->meeting_count + 1, sizeof *reach->meetings, &reach->meeting_capacity,
                            "the edges that beams meet", &reach->meetings));
    rcity_meeting meeting = {facet_edge, (int32_t)beam};
    reach->meetings[reach->meeting_count++] = meeting;
    return RCITY_OK;
}

static bool is_wanted(const rcity_reach_filter *filter, int32_t facet_edge, int depth)
{
    return filter == NULL || filter->depth[facet_edge] >= depth;
}

static void mirror_point(const rcity_mirror *wall, double *x, double *y)
{
    double distance = wall->normal.x * *x + wall->normal.y * *y - wall->offset;
    *x -= 2.0 * distance * wall->normal.x;
    *y -= 2.0 * distance * wall->normal.y;
}

static double distance_in_front(const rcity_mirror *wall, double x, double y)
{
    return wall->normal.x * x + wall->normal.y * y - wall->offset;
}

/* The part of a source in front of a wall: only that part can be reflected. @return false when there is none. */
static bool keep_in_front(const rcity_mirror *wall, rcity_plan_segment *source)
{
    double at_1 = distance_in_front(wall, source->x1, source->y1);
    double at_2 = distance_in_front(wall, source->x2, source->y2);
    if (at_1 <= FRONT_MIN_M && at_2 <= FRONT_MIN_M) {
        return false;
    }
    double cut = (at_1 - FRONT_MIN_M) / (at_1 - at_2);
    if (at_1 < FRONT_MIN_M) {
        *source = rcity_plan_segment_part(source, cut, 1.0);
    } else if (at_2 < FRONT_MIN_M) {
        *source = rcity_plan_segment_part(source, 0.0, cut);
    }
    return true;
}

bool rcity_beam_reflect(const rcity_reach_world *reach_world, const rcity_beam *beam, int32_t beam_index,
                        int32_t wall_index, const rcity_region *region, rcity_beam *child)
{
    const rcity_mirror *wall = &reach_world->world->mirrors[wall_index];
    rcity_plan_segment source = beam->source;
    double from, to;
    if (wall_index == beam->wall || !keep_in_front(wall, &source) ||
        !rcity_region_clip(region, &reach_world->walls[wall_index], &from, &to)) {
        return false;
    }
    *child = (rcity_beam){source, rcity_plan_segment_part(&reach_world->walls[wall_index], from, to), wall_index,
                          beam_index, beam->depth + 1};
    mirror_point(wall, &child->source.x1, &child->source.y1);
    mirror_point(wall, &child->source.x2, &child->source.y2);
    return true;
}

rcity_status rcity_reach_expand(rcity_context *context, const rcity_reach_world *reach_world, size_t beam_index,
                                double z, int max_depth, bool meets_edges, const rcity_reach_filter *filter,
                                rcity_reach *reach)
{
    rcity_beam beam = reach->beams[beam_index];
    rcity_region region = rcity_beam_region(reach_world->world, &beam);
    RCITY_TRY(rcity_sweep_run(context, reach_world, &beam, &region, z, meets_edges, reach));
    for (int32_t i = 0; i < reach->wall_count; i++) {
        int32_t wall = reach->walls[i];
        if (meets_edges && is_wanted(filter, wall, beam.depth)) {
            RCITY_TRY(add_meeting(context, reach, wall, beam_index));
        }
        if (beam.depth < max_depth) {
            rcity_beam child;
            if (rcity_beam_reflect(reach_world, &beam, (int32_t)beam_index, wall, &region, &child)) {
                RCITY_TRY(add_beam(context, reach, &child));
            }
        }
    }
    for (int32_t i = 0; i < reach->vertical_edge_count; i++) {
        if (is_wanted(filter, reach->vertical_edges[i], beam.depth)) {
            RCITY_TRY(add_meeting(context, reach, reach->vertical_edges[i], beam_index));
        }
    }
    return RCITY_OK;
}

const rcity_plan_segment *rcity_reach_edge_plan(const rcity_reach_world *reach_world, int32_t facet_edge)
{
    int64_t roof_edge_count = reach_world->world->roof_edge_count;
    return facet_edge < roof_edge_count ? &reach_world->walls[facet_edge]
                                        : &reach_world->vertical_edges[facet_edge - roof_edge_count];
}

/* Meet the wanted edges of one leaf of their tree. */
static rcity_status meet_leaf(rcity_context *context, const rcity_reach_world *reach_world, size_t beam_index,
                              const rcity_region *region, const rcity_reach_filter *filter,
                              const rcity_plan_tree_node *leaf, rcity_reach *reach)
{
    int depth = reach->beams[beam_index].depth;
    double from, to;
    for (int32_t i = 0; i < leaf->count; i++) {
        int32_t facet_edge = filter->listed[filter->listed_tree->items[leaf->first + i]];
        if (filter->depth[facet_edge] >= depth &&
            rcity_region_clip(region, rcity_reach_edge_plan(reach_world, facet_edge), &from, &to)) {
            RCITY_TRY(add_meeting(context, reach, facet_edge, beam_index));
        }
    }
    return RCITY_OK;
}

/* The last beams of a filtered tree: testing the wanted edges is cheaper than a sweep. */
static rcity_status meet_listed(rcity_context *context, const rcity_reach_world *reach_world, size_t beam_index,
                                const rcity_reach_filter *filter, rcity_reach *reach)
{
    rcity_region region = rcity_beam_region(reach_world->world, &reach->beams[beam_index]);
    const rcity_plan_tree *tree = filter->listed_tree;
    int32_t stack[RCITY_PLAN_TREE_STACK];
    int depth = 0;
    if (tree->node_count > 0) {
        stack[depth++] = 0;
    }
    while (depth > 0) {
        const rcity_plan_tree_node *node = &tree->nodes[stack[--depth]];
        if (!rcity_plan_tree_may_meet(node, &region)) {
            continue;
        }
        if (node->count > 0) {
            RCITY_TRY(meet_leaf(context, reach_world, beam_index, &region, filter, node, reach));
        } else {
            stack[depth++] = node->first;
            stack[depth++] = node->first + 1;
        }
    }
    return RCITY_OK;
}

static int compare_meetings(const void *left, const void *right)
{
    const rcity_meeting *a = left;
    const rcity_meeting *b = right;
    if (a->facet_edge != b->facet_edge) {
        return a->facet_edge < b->facet_edge ? -1 : 1;
    }
    return (a->beam > b->beam) - (a->beam < b->beam);
}

void rcity_reach_sort_meetings(rcity_reach *reach)
{
    if (reach->meeting_count > 0) {
        qsort(reach->meetings, reach->meeting_count, sizeof *reach->meetings, compare_meetings);
    }
}

rcity_status rcity_reach_build_behind(rcity_context *context, const rcity_reach_world *reach_world, double x, double y,
                                      const rcity_reach_eye *eye, int depth, rcity_reach *reach)
{
    rcity_plan_segment source = {x, y, x, y};
    reach->eye = *eye;
    rcity_status status = rcity_reach_build(context, reach_world, source, eye->z, depth, false, NULL, reach);
    reach->eye = no_eye;
    return status;
}

rcity_status rcity_reach_build(rcity_context *context, const rcity_reach_world *reach_world, rcity_plan_segment source,
                               double z, int depth, bool meets_edges, const rcity_reach_filter *filter,
                               rcity_reach *reach)
{
    reach->beam_count = 0;
    reach->meeting_count = 0;
    rcity_beam root = {source, {0.0, 0.0, 0.0, 0.0}, -1, -1, 0};
    RCITY_TRY(add_beam(context, reach, &root));
    for (size_t i = 0; i < reach->beam_count; i++) {
        if (i % PAUSE_BEAMS == 0 && reach->pause != NULL) {
            RCITY_TRY(reach->pause(reach->pause_user, (double)i, (double)reach->beam_count));
        }
        if (reach->beams[i].depth < depth || (meets_edges && filter == NULL)) {
            RCITY_TRY(rcity_reach_expand(context, reach_world, i, z, depth, meets_edges, filter, reach));
        } else if (meets_edges) {
            RCITY_TRY(meet_listed(context, reach_world, i, filter, reach));
        }
    }
    rcity_reach_sort_meetings(reach);
    return RCITY_OK;
}

void rcity_reach_find(const rcity_reach *reach, int32_t facet_edge, size_t *first, size_t *end)
{
    size_t low = 0;
    size_t high = reach->meeting_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (reach->meetings[middle].facet_edge < facet_edge) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    *first = low;
    while (low < reach->meeting_count && reach->meetings[low].facet_edge == facet_edge) {
        low++;
    }
    *end = low;
}

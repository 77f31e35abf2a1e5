/* Growing the trees: walls that the edge's cone meets and that no building core hides are mirrored one after the
   other. */
#include "method/images/edges/edge_tree.h"

#include <math.h>
#include <stdatomic.h>
#include <string.h>

#include "base/parallel.h"
#include "method/images/search/beam_sweep.h"

typedef struct forest_work {
    rcity_context *context;
    const rcity_reach_world *reach_world;
    rcity_edge_forest *forest;
    rcity_reach *reaches; /* working memory of each thread */
    int max_reflections;
    bool reports;
    double lowest; /* no facet lies lower */
    atomic_int status;
    atomic_llong done;
} forest_work;

static rcity_status add_beam(rcity_context *context, rcity_edge_tree *tree, const rcity_beam *beam, rcity_place3 eye)
{
    RCITY_TRY(rcity_reserve(context, tree->beam_count + 1, sizeof *tree->beams, &tree->beam_capacity,
                            "the beams between edges", &tree->beams));
    RCITY_TRY(rcity_reserve(context, tree->beam_count + 1, sizeof *tree->eyes, &tree->eye_capacity,
                            "the beams between edges", &tree->eyes));
    tree->beams[tree->beam_count] = *beam;
    tree->eyes[tree->beam_count++] = eye;
    return RCITY_OK;
}

rcity_edge_cone rcity_edge_tree_cone(const rcity_edge_tree *tree, size_t beam, const rcity_facet_edge *facet_edge,
                                     const rcity_edge_end *end)
{
    if (facet_edge->is_vertical) { /* mirrors change neither heights nor the eye's distance from the edge */
        rcity_edge_cone cone = rcity_edge_cone_vertical(facet_edge->a, facet_edge->b.z - facet_edge->a.z);
        rcity_edge_cone_set_eye(&cone, end->image);
        cone.origin.x = tree->beams[beam].source.x1;
        cone.origin.y = tree->beams[beam].source.y1;
        return cone;
    }
    rcity_edge_cone cone = rcity_edge_cone_level(tree->beams[beam].source, facet_edge->b.z);
    rcity_edge_cone_set_eye(&cone, tree->eyes[beam]);
    return cone;
}

/* Into how many pieces a segment must be cut so that a disc of the core's reach covers each. */
static int piece_count(const rcity_solid_core *core, const rcity_plan_segment *s)
{
    return (int)(hypot(s->x2 - s->x1, s->y2 - s->y1) / (2.0 * core->reach_m)) + 1;
}

static rcity_place3 piece_middle(const rcity_plan_segment *s, int piece, int count, double z)
{
    double part = (piece + 0.5) / count;
    return (rcity_place3){s->x1 + part * (s->x2 - s->x1), s->y1 + part * (s->y2 - s->y1), z};
}

/* From which fraction on the line from a beam's source to a place is real, together with everything within the core's
   reach of it. Before that it runs behind the window. @return false when no part of it is real. */
static bool find_real_path(const rcity_facet_table *world, const rcity_beam *beam, double reach_m, rcity_place3 from,
                           rcity_place3 to, double *begin)
{
    *begin = 0.0;
    if (beam->wall < 0) {
        return true;
    }
    const rcity_mirror *window = &world->mirrors[beam->wall];
    double behind = -rcity_mirror_distance(window, from);
    double before = rcity_mirror_distance(window, to);
    *begin = (behind + reach_m + rcity_horizon_slack_m(world->shapes)) / (behind + before);
    return *begin >= 0.0 && *begin < 1.0;
}

bool rcity_beam_is_hidden(const rcity_reach_world *reach_world, const rcity_solid_core *core, const rcity_beam *beam,
                          const rcity_plan_segment *source, double z, const rcity_plan_segment *target, double top)
{
    if (core->column_count == 0 || reach_world->sees_through) {
        return false;
    }
    int source_count = piece_count(core, source);
    int target_count = piece_count(core, target);
    for (int i = 0; i < source_count; i++) {
        rcity_place3 from = piece_middle(source, i, source_count, z);
        for (int k = 0; k < target_count; k++) {
            rcity_place3 to = piece_middle(target, k, target_count, top);
            double begin;
            if (!find_real_path(reach_world->world, beam, core->reach_m, from, to, &begin) ||
                !rcity_solid_core_blocks(core, from, to, begin)) {
                return false;
            }
        }
    }
    return true;
}

/* Reflect a beam of a roof edge off a wall, if it reaches the wall. */
static rcity_status reflect(const forest_work *work, size_t beam_index, const rcity_edge_cone *cone,
                            const rcity_region *region, int32_t wall_index, rcity_edge_tree *tree)
{
    const rcity_facet_table *world = work->reach_world->world;
    const rcity_mirror *wall = &world->mirrors[wall_index];
    const rcity_beam *beam = &tree->beams[beam_index];
    double z = cone->origin.z;
    rcity_beam narrow = *beam;
    rcity_beam child;
    double from, to;
    if (!rcity_sweep_lies_beyond(world, beam, &work->reach_world->walls[wall_index]) ||
        !rcity_region_clip(region, &work->reach_world->walls[wall_index], &from, &to)) {
        return RCITY_OK;
    }
    /* only a part of the edge reaches the wall, and only a part of the wall is reached from there */
    rcity_plan_segment visible = rcity_plan_segment_part(&work->reach_world->walls[wall_index], from, to);
    if (!rcity_edge_cone_narrow(cone, &visible, wall->bottom, wall->top, &from, &to)) {
        return RCITY_OK;
    }
    narrow.source = rcity_plan_segment_part(&beam->source, from, to);
    rcity_region narrow_region = rcity_beam_region(world, &narrow);
    if (!rcity_beam_reflect(work->reach_world, &narrow, (int32_t)beam_index, wall_index, &narrow_region, &child) ||
        rcity_beam_is_hidden(work->reach_world, &work->forest->core, beam, &narrow.source, z, &child.window,
                             wall->top)) {
        return RCITY_OK;
    }
    rcity_place3 eye = tree->eyes[beam_index];
    double twice = 2.0 * (wall->normal.x * eye.x + wall->normal.y * eye.y - wall->offset);
    eye.x -= twice * wall->normal.x;
    eye.y -= twice * wall->normal.y;
    return add_beam(work->context, tree, &child, eye);
}

/* All walls that a beam of a roof edge may meet. */
static rcity_status expand(const forest_work *work, size_t beam_index, const rcity_facet_edge *facet_edge,
                           const rcity_edge_end *end, rcity_edge_tree *tree)
{
    const rcity_plan_tree *walls = &work->reach_world->wall_tree;
    rcity_region region = rcity_beam_region(work->reach_world->world, &tree->beams[beam_index]);
    rcity_edge_cone cone = rcity_edge_tree_cone(tree, beam_index, facet_edge, end);
    int32_t stack[RCITY_PLAN_TREE_STACK];
    int depth = 0;
    if (walls->node_count > 0) {
        stack[depth++] = 0;
    }
    while (depth > 0) {
        const rcity_plan_tree_node *node = &walls->nodes[stack[--depth]];
        if (!rcity_plan_tree_may_meet(node, &region) ||
            !rcity_edge_cone_meets_box(&cone, node, work->lowest, (double)node->top)) {
            continue;
        }
        for (int32_t i = 0; i < node->count; i++) {
            RCITY_TRY(reflect(work, beam_index, &cone, &region, walls->items[node->first + i], tree));
        }
        if (node->count == 0) {
            stack[depth++] = node->first;
            stack[depth++] = node->first + 1;
        }
    }
    return RCITY_OK;
}

static rcity_status grow_from_roof(const forest_work *work, const rcity_facet_edge *facet_edge, rcity_edge_tree *tree)
{
    rcity_plan_segment source = {facet_edge->a.x, facet_edge->a.y, facet_edge->b.x, facet_edge->b.y};
    for (size_t i = 0; i < tree->end_count; i++) {
        const rcity_edge_end *end = &work->forest->tx_ends.ends[tree->end_first + i];
        rcity_beam root = {source, {0.0, 0.0, 0.0, 0.0}, -1, -1, 0};
        size_t next = tree->beam_count;
        RCITY_TRY(add_beam(work->context, tree, &root, end->image));
        for (; next < tree->beam_count; next++) {
            if (tree->beams[next].depth < work->max_reflections - end->spent) {
                RCITY_TRY(expand(work, next, facet_edge, end, tree));
            }
        }
    }
    return RCITY_OK;
}

/* Slopes of the rays from an eye that pass a vertical edge between its ends, slightly wider than exact. */
static rcity_reach_eye look_behind(const rcity_facet_table *world, const rcity_facet_edge *facet_edge,
                                   rcity_place3 image)
{
    double slack_m = rcity_horizon_slack_m(world->shapes);
    double behind_m = hypot(image.x - facet_edge->a.x, image.y - facet_edge->a.y);
    rcity_reach_eye eye = {image.z, behind_m, -HUGE_VAL, HUGE_VAL};
    if (behind_m > slack_m) {
        double rise[2] = {facet_edge->a.z - image.z - slack_m, facet_edge->b.z - image.z + slack_m};
        double near_m = behind_m - slack_m;
        double far_m = behind_m + slack_m;
        eye.slope_least = rise[0] / (rise[0] < 0.0 ? near_m : far_m);
        eye.slope_most = rise[1] / (rise[1] > 0.0 ? near_m : far_m);
    }
    return eye;
}

static rcity_status grow_from_vertical_edge(const forest_work *work, rcity_reach *reach,
                                            const rcity_facet_edge *facet_edge, rcity_edge_tree *tree)
{
    for (size_t i = 0; i < tree->end_count; i++) {
        const rcity_edge_end *end = &work->forest->tx_ends.ends[tree->end_first + i];
        rcity_reach_eye eye = look_behind(work->reach_world->world, facet_edge, end->image);
        RCITY_TRY(rcity_reach_build_behind(work->context, work->reach_world, facet_edge->a.x, facet_edge->a.y, &eye,
                                           work->max_reflections - end->spent, reach));
        RCITY_TRY(rcity_reserve(work->context, tree->beam_count + reach->beam_count, sizeof *tree->beams,
                                &tree->beam_capacity, "the beams between edges", &tree->beams));
        for (size_t k = 0; k < reach->beam_count; k++) {
            rcity_beam beam = reach->beams[k];
            beam.parent += beam.parent >= 0 ? (int32_t)(tree->beam_count - k) : 0;
            tree->beams[tree->beam_count++] = beam;
        }
    }
    return RCITY_OK;
}

static void grow_trees(void *user, int64_t begin, int64_t end, int thread_index)
{
    forest_work *work = user;
    for (int64_t i = begin; i < end && atomic_load(&work->status) == RCITY_OK; i++) {
        rcity_edge_tree *tree = &work->forest->trees[i];
        const rcity_facet_edge *facet_edge =
            &work->reach_world->world->edges[work->forest->tx_ends.ends[tree->end_first].facet_edge];
        rcity_status status = facet_edge->is_vertical
                                  ? grow_from_vertical_edge(work, &work->reaches[thread_index], facet_edge, tree)
                                  : grow_from_roof(work, facet_edge, tree);
        long long done = atomic_fetch_add(&work->done, 1) + 1;
        if (status == RCITY_OK && work->reports && thread_index == 0) { /* callbacks run on the caller's thread */
            status =
                rcity_progress(work->context, "beams between edges", (double)done, (double)work->forest->tree_count);
        }
        int none = RCITY_OK;
        if (status != RCITY_OK) {
            atomic_compare_exchange_strong(&work->status, &none, (int)status);
        }
    }
}

/* One tree for each edge in the list of ends. */
static rcity_status plant(rcity_context *context, rcity_edge_forest *forest)
{
    const rcity_edge_ends *ends = &forest->tx_ends;
    for (size_t i = 0; i < ends->count; i++) {
        forest->tree_count += i == 0 || ends->ends[i].facet_edge != ends->ends[i - 1].facet_edge;
    }
    RCITY_TRY(
        rcity_alloc(context, forest->tree_count + 1, sizeof *forest->trees, "the beams between edges", &forest->trees));
    rcity_edge_tree *tree = forest->trees - 1;
    for (size_t i = 0; i < ends->count; i++) {
        if (i == 0 || ends->ends[i].facet_edge != ends->ends[i - 1].facet_edge) {
            tree++;
            tree->end_first = i;
        }
        tree->end_count++;
    }
    return RCITY_OK;
}

rcity_status rcity_edge_forest_grow(rcity_context *context, const rcity_reach_world *reach_world, int max_reflections,
                                    bool reports, rcity_edge_forest *forest)
{
    const rcity_facet_table *world = reach_world->world;
    int thread_count = rcity_context_thread_count(context);
    forest_work work = {.context = context,
                        .reach_world = reach_world,
                        .forest = forest,
                        .max_reflections = max_reflections,
                        .reports = reports,
                        .lowest = HUGE_VAL};
    for (int64_t i = 0; i < world->wall_count; i++) {
        work.lowest = fmin(work.lowest, world->mirrors[i].bottom);
    }
    atomic_init(&work.status, RCITY_OK);
    atomic_init(&work.done, 0);
    rcity_status status;
    RCITY_TRY_DONE(rcity_solid_core_init(context, world->shapes, &forest->core));
    RCITY_TRY_DONE(plant(context, forest));
    RCITY_TRY_DONE(rcity_alloc(context, (size_t)thread_count, sizeof *work.reaches, "beams", &work.reaches));
    for (int i = 0; i < thread_count; i++) {
        RCITY_TRY_DONE(rcity_reach_init(context, reach_world, &work.reaches[i]));
    }
    rcity_parallel(context, (int64_t)forest->tree_count, 1, grow_trees, &work);
    status = (rcity_status)atomic_load(&work.status);
done:
    for (int i = 0; work.reaches != NULL && i < thread_count; i++) {
        rcity_reach_deinit(context, &work.reaches[i]);
    }
    rcity_release(context, work.reaches);
    if (status != RCITY_OK) {
        rcity_edge_forest_deinit(context, forest);
    }
    return status;
}

void rcity_edge_forest_deinit(rcity_context *context, rcity_edge_forest *forest)
{
    for (size_t i = 0; i < forest->tree_count && forest->trees != NULL; i++) {
        rcity_release(context, forest->trees[i].eyes);
        rcity_release(context, forest->trees[i].beams);
    }
    rcity_release(context, forest->trees);
    rcity_solid_core_deinit(context, &forest->core);
    rcity_release(context, forest->tx_ends.ends);
    memset(forest, 0, sizeof *forest);
}

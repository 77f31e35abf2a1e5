/* The trees are grown in rounds: that of the transmitter, then those of the edges that it meets, then those of the edges
   that these meet. */
#include "method/beams/tree/beams_forest.h"

#include <math.h>
#include <stdatomic.h>
#include <string.h>

#include "base/parallel.h"
#include "method/beams/tree/beam_loss.h"
#include "method/beams/tree/beam_trim.h"

void rcity_beams_forest_deinit(rcity_context *context, rcity_beams_forest *forest)
{
    for (int32_t i = 0; forest->trees != NULL && i < forest->tree_count; i++) {
        rcity_beams_tree_deinit(context, &forest->trees[i]);
    }
    rcity_release(context, forest->arrival_order);
    rcity_release(context, forest->arrival_first);
    rcity_release(context, forest->arrivals);
    rcity_release(context, forest->tree_of);
    rcity_release(context, forest->trees);
    memset(forest, 0, sizeof *forest);
}

static rcity_status add_arrival(rcity_context *context, const rcity_beams_forest_limits *limits,
                                const rcity_beams_arrival *arrival, rcity_beams_forest *forest)
{
    double loss_db = arrival->loss_db + rcity_beam_spread_db(forest->growth.facets, arrival->plan_m);
    if (arrival->plan_m > forest->growth.range_m) {
        forest->cuts.by_range++;
        return RCITY_OK;
    }
    if (loss_db > forest->growth.loss_limit_db || forest->arrival_count >= limits->arrival_max) {
        forest->cuts.by_loss += loss_db > forest->growth.loss_limit_db;
        forest->cuts.by_count += loss_db <= forest->growth.loss_limit_db;
        rcity_beams_cuts_note(&forest->cuts, loss_db);
        return RCITY_OK;
    }
    RCITY_TRY(rcity_reserve(context, forest->arrival_count + 1, sizeof *forest->arrivals, &forest->arrival_capacity,
                            "ways to edges", &forest->arrivals));
    forest->arrivals[forest->arrival_count++] = *arrival;
    return RCITY_OK;
}

/* The edge of an arrival. */
static int32_t edge_of(const rcity_beams_forest *forest, const rcity_beams_arrival *arrival)
{
    return forest->trees[arrival->tree].meetings[arrival->meeting].facet_edge;
}

/* Does a beam come to an edge through the air? Corners of several buildings share their place in plan. */
static bool comes_through_air(const rcity_facet_edge *edge, const rcity_beams_node *node, double rim_m)
{
    double off_m;
    rcity_place3 from = {node->x, node->y, edge->a.z};
    double phi_rad = rcity_facet_edge_angle(edge, edge->a, from, &off_m);
    double into_rad = phi_rad < 0.0 ? -phi_rad : phi_rad - edge->exterior_rad;
    return into_rad * off_m <= rim_m;
}

/* Which receivers rays may come to that come to an edge by a beam, `at_m` from the beam's source: none nearer than one
   length, none farther than the other, both from the transmitter. */
static void range_arrival(const rcity_beams_forest *forest, const rcity_beams_meeting *meeting,
                          const rcity_beams_arrival *before, const rcity_beams_tree *tree, double at_m, double *least_m,
                          double *most_m)
{
    const rcity_beams_growth *growth = &forest->growth;
    const rcity_facet_edge *edge = &growth->world->facets->edges[meeting->facet_edge];
    const rcity_beams_node *node = &tree->nodes[meeting->node];
    rcity_beam_heights heights = {growth->tx_height_m, growth->low_m, growth->high_m, before->plan_m, before->plan_m};
    rcity_beam_frame frame;
    *least_m = before->least_m;
    *most_m = before->plan_m + fmin(node->reach_m, rcity_beam_heights_most_m(&heights, at_m, edge->b.z));
    if (meeting->hit >= 0 && rcity_beams_node_frame(node, &frame)) {
        const rcity_beam_hit *hit = &tree->hits[meeting->hit];
        rcity_beam_limits limits = {node->stop_m, tree->height_m, node->least_m, node->reach_m, node->wall, heights};
        double across = rcity_beam_frame_view(&frame, rcity_beam_frame_offset(&frame, edge->a.x, edge->a.y)).across;
        double over_m = rcity_beam_trim_least_m(growth->world, &frame, &limits, tree->passed + hit->passed_first,
                                                hit->passed_count, across, across);
        *least_m = fmax(*least_m, before->plan_m + over_m);
    }
    *least_m = fmax(*least_m, before->plan_m + rcity_beam_heights_least_m(&heights, at_m, edge->a.z));
}

/* Arrivals by the beams of a tree, after `before`; NULL for the transmitter's. */
static rcity_status add_arrivals(rcity_context *context, const rcity_beams_forest_limits *limits, int32_t tree_index,
                                 int32_t before_index, rcity_beams_forest *forest)
{
    const rcity_beams_tree *tree = &forest->trees[tree_index];
    rcity_beams_arrival before = {0, 0, -1, 0, 0, 0, 0.0, 0.0, 0.0, HUGE_VAL};
    if (before_index >= 0) {
        before = forest->arrivals[before_index];
    }
    for (size_t i = 0; i < tree->meeting_count; i++) {
        const rcity_beams_node *node = &tree->nodes[tree->meetings[i].node];
        if (tree->meetings[i].facet_edge < 0) {
            continue;
        }
        const rcity_facet_edge *edge = &forest->growth.world->facets->edges[tree->meetings[i].facet_edge];
        bool runs_along = tree->meetings[i].hit < 0; /* by walls whose corners lie on the scene's grid */
        bool stays = tree->meetings[i].facet_edge == tree->facet_edge && node->depth == 0;
        if (!rcity_beams_arrival_goes_on(&forest->orders, &before, node) || stays ||
            !comes_through_air(edge, node, runs_along ? 2.0 / forest->growth.facets->shapes->units_per_m : 1e-7)) {
            continue;
        }
        double at_m = rcity_beam_length_m(edge->a.x - node->x, edge->a.y - node->y);
        double least_m, most_m;
        range_arrival(forest, &tree->meetings[i], &before, tree, at_m, &least_m, &most_m);
        if (least_m > most_m) {
            continue; /* no ray is low enough */
        }
        rcity_beams_arrival arrival = {tree_index,
                                       (int32_t)i,
                                       before_index,
                                       (int16_t)(before.reflections + node->depth),
                                       (int16_t)(before.diffractions + 1),
                                       (int16_t)(before.transmissions + node->transmissions),
                                       before.plan_m + at_m,
                                       before.loss_db + (double)node->loss_db,
                                       least_m,
                                       most_m};
        RCITY_TRY(add_arrival(context, limits, &arrival, forest));
    }
    return RCITY_OK;
}

/* Trees for the edges of arrivals from a number on, where there are none. */
static rcity_status plant_trees(rcity_context *context, size_t first, rcity_beams_forest *forest)
{
    for (size_t i = first; i < forest->arrival_count; i++) {
        int32_t facet_edge = edge_of(forest, &forest->arrivals[i]);
        if (forest->tree_of[facet_edge] < 0) {
            RCITY_TRY(
                rcity_beams_tree_plant_edge(context, &forest->growth, facet_edge, &forest->trees[forest->tree_count]));
            forest->tree_of[facet_edge] = forest->tree_count++;
        }
    }
    return RCITY_OK;
}

/* What the ways to an edge may bring that leave as many reflections as a beam of each depth has. Arrivals with few
   reflections come first: they count for all depths. */
static rcity_status measure_strength(rcity_context *context, const rcity_beams_forest *forest, int32_t index,
                                     rcity_beams_tree *tree)
{
    const rcity_facet_edge *edge = &forest->growth.world->facets->edges[tree->facet_edge];
    int depth = forest->orders.max_reflections;
    RCITY_TRY(rcity_alloc(context, (size_t)depth + 1, sizeof *tree->strength, "the trees of edges", &tree->strength));
    rcity_beam_strength_init(edge->exterior_rad, &tree->strength[depth]);
    for (int32_t i = forest->arrival_first[index]; i < forest->arrival_first[index + 1]; i++) {
        const rcity_beams_arrival *arrival = &forest->arrivals[forest->arrival_order[i]];
        const rcity_beams_tree *from = &forest->trees[arrival->tree];
        const rcity_beams_node *node = &from->nodes[from->meetings[arrival->meeting].node];
        double off_m;
        double phi_rad = rcity_facet_edge_angle(edge, edge->a, (rcity_place3){node->x, node->y, edge->a.z}, &off_m);
        for (; depth > forest->orders.max_reflections - arrival->reflections; depth--) {
            tree->strength[depth - 1] = tree->strength[depth];
        }
        rcity_beam_strength_add(&(rcity_beam_strength_way){phi_rad, arrival->plan_m, arrival->loss_db},
                                &tree->strength[depth]);
    }
    for (; depth > 0; depth--) {
        tree->strength[depth - 1] = tree->strength[depth];
    }
    return RCITY_OK;
}

/* Growing the trees of edges on all threads, a tree at a time. */
typedef struct forest_run {
    rcity_context *context;
    rcity_beams_forest *forest;
    const int *depth;  /* for each tree */
    atomic_int status; /* the first failure of any thread */
} forest_run;

static void grow_trees(void *user, int64_t begin, int64_t end, int thread_index)
{
    (void)thread_index;
    forest_run *run = user;
    for (int64_t i = begin; i < end && atomic_load(&run->status) == RCITY_OK; i++) {
        rcity_beams_tree *tree = &run->forest->trees[i];
        rcity_status status = RCITY_OK;
        if (run->forest->orders.max_diffractions == 1 && i > 0) { /* no later round brings more ways */
            status = measure_strength(run->context, run->forest, (int32_t)i, tree);
        }
        if (status == RCITY_OK) {
            status = rcity_beams_tree_grow(run->context, &run->forest->growth, run->depth[i], false, tree);
        }
        int none = RCITY_OK;
        if (status != RCITY_OK) {
            atomic_compare_exchange_strong(&run->status, &none, (int)status);
        }
    }
}

/* One more way to an edge. */
static void add_before(const rcity_beams_arrival *arrival, rcity_beams_before *before)
{
    before->shortest_m = fmin(before->shortest_m, arrival->plan_m);
    before->longest_m = fmax(before->longest_m, arrival->plan_m);
    before->loss_db = fmin(before->loss_db, arrival->loss_db);
    before->least_m = fmin(before->least_m, fmax(arrival->least_m - arrival->plan_m, 0.0));
    before->most_m = fmax(before->most_m, arrival->most_m - arrival->plan_m);
}

/* What is known of the ways to each edge, and how deep its tree grows: as any of them leaves reflections. */
static void measure_before(const rcity_beams_forest *forest, int *depth)
{
    const rcity_beams_before none = {HUGE_VAL, 0.0, HUGE_VAL, HUGE_VAL, 0.0};
    for (int32_t i = 1; i < forest->tree_count; i++) {
        for (int k = 0; k <= RCITY_BEAMS_REFLECTION_MAX; k++) {
            forest->trees[i].before[k] = none;
        }
    }
    for (size_t i = 0; i < forest->arrival_count; i++) {
        const rcity_beams_arrival *arrival = &forest->arrivals[i];
        int left = forest->orders.max_reflections - arrival->reflections;
        int32_t index = forest->tree_of[edge_of(forest, arrival)];
        depth[index] = left > depth[index] ? left : depth[index];
        int passes = forest->orders.max_transmissions - arrival->transmissions;
        int *most = &forest->trees[index].max_transmissions;
        *most = passes > *most ? passes : *most;
        for (int k = 0; k <= left; k++) {
            add_before(arrival, &forest->trees[index].before[k]);
        }
    }
    for (int32_t i = 1; i < forest->tree_count && forest->orders.max_diffractions > 1; i++) {
        rcity_beams_tree *tree = &forest->trees[i];
        /* a later round may find shorter ways, but none shorter than straight, and ways through fewer walls */
        double straight_m = rcity_beam_length_m(tree->x - forest->trees[0].x, tree->y - forest->trees[0].y);
        for (int k = 0; k <= RCITY_BEAMS_REFLECTION_MAX; k++) {
            tree->before[k] = (rcity_beams_before){straight_m, straight_m, 0.0, 0.0, HUGE_VAL};
        }
        tree->max_transmissions = forest->orders.max_transmissions;
    }
}

/* Grow the trees of edges. */
static rcity_status grow_edges(rcity_context *context, rcity_beams_forest *forest)
{
    int *depth = NULL;
    rcity_status status;
    RCITY_TRY_DONE(rcity_alloc(context, (size_t)forest->tree_count, sizeof *depth, "the trees of edges", &depth));
    measure_before(forest, depth);
    forest_run run = {context, forest, depth, RCITY_OK};
    rcity_parallel(context, forest->tree_count, 1, grow_trees, &run);
    status = (rcity_status)atomic_load(&run.status);
done:
    rcity_release(context, depth);
    return status;
}

/* The arrivals of each tree, those with few reflections first. */
static rcity_status sort_arrivals(rcity_context *context, rcity_beams_forest *forest)
{
    RCITY_TRY(rcity_alloc(context, (size_t)forest->tree_count + 1, sizeof *forest->arrival_first, "ways to edges",
                          &forest->arrival_first));
    RCITY_TRY(rcity_alloc(context, forest->arrival_count + 1, sizeof *forest->arrival_order, "ways to edges",
                          &forest->arrival_order));
    for (size_t i = 0; i < forest->arrival_count; i++) {
        forest->arrival_first[forest->tree_of[edge_of(forest, &forest->arrivals[i])] + 1]++;
    }
    for (int32_t i = 0; i < forest->tree_count; i++) {
        forest->arrival_first[i + 1] += forest->arrival_first[i];
    }
    for (int reflections = 0; reflections <= forest->orders.max_reflections; reflections++) {
        for (size_t i = 0; i < forest->arrival_count; i++) {
            if (forest->arrivals[i].reflections == reflections) {
                forest->arrival_order[forest->arrival_first[forest->tree_of[edge_of(forest, &forest->arrivals[i])]]++] =
                    (int32_t)i;
            }
        }
    }
    for (int32_t i = forest->tree_count; i > 0; i--) { /* each first has moved to the next one's place */
        forest->arrival_first[i] = forest->arrival_first[i - 1];
    }
    forest->arrival_first[0] = 0;
    return RCITY_OK;
}

rcity_status rcity_beams_forest_grow(rcity_context *context, const rcity_beams_growth *growth,
                                     const rcity_beams_orders *orders, const rcity_beams_forest_limits *limits,
                                     double x, double y, double height_m, rcity_beams_forest *forest)
{
    memset(forest, 0, sizeof *forest);
    forest->growth = *growth;
    forest->growth.meets_edges = orders->max_diffractions > 0;
    forest->growth.is_final = true;
    forest->orders = *orders;
    if (orders->max_transmissions > 0) {
        forest->growth.high_m = HUGE_VAL; /* what rays have not passed over they may have gone through */
    }
    if (orders->max_diffractions > 1) {
        forest->growth.low_m = -HUGE_VAL; /* a tree may be grown before the longest way to its edge is known */
    }
    forest->cuts.least_db = HUGE_VAL;
    if (growth->range_m < HUGE_VAL) { /* of all that is longer, also what no beam was grown for */
        rcity_beams_cuts_note(&forest->cuts, rcity_beam_spread_db(growth->facets, growth->range_m));
    }
    size_t edge_count = (size_t)growth->world->facets->edge_count;
    rcity_status status;
    RCITY_TRY_DONE(rcity_alloc(context, edge_count + 1, sizeof *forest->trees, "the trees of edges", &forest->trees));
    RCITY_TRY_DONE(
        rcity_alloc(context, edge_count + 1, sizeof *forest->tree_of, "the trees of edges", &forest->tree_of));
    memset(forest->tree_of, -1, (edge_count + 1) * sizeof *forest->tree_of);
    RCITY_TRY_DONE(rcity_beams_tree_plant(context, &forest->growth, x, y, height_m, &forest->trees[0]));
    forest->trees[0].max_transmissions = orders->max_transmissions;
    forest->tree_count = 1;
    RCITY_TRY_DONE(rcity_beams_tree_grow(context, &forest->growth, orders->max_reflections, true, &forest->trees[0]));
    size_t first = 0;
    for (int round = 0; round < orders->max_diffractions; round++) {
        size_t end = forest->arrival_count;
        if (round == 0) {
            RCITY_TRY_DONE(add_arrivals(context, limits, 0, -1, forest));
        }
        for (size_t i = first; i < end; i++) {
            int32_t tree = forest->tree_of[edge_of(forest, &forest->arrivals[i])];
            RCITY_TRY_DONE(add_arrivals(context, limits, tree, (int32_t)i, forest));
        }
        first = end;
        RCITY_TRY_DONE(plant_trees(context, first, forest));
        if (round + 1 == orders->max_diffractions) {
            RCITY_TRY_DONE(sort_arrivals(context, forest));
        }
        forest->growth.meets_edges = round + 1 < orders->max_diffractions;
        forest->growth.is_final = !forest->growth.meets_edges;
        RCITY_TRY_DONE(grow_edges(context, forest));
    }
    if (orders->max_diffractions == 0) {
        RCITY_TRY_DONE(sort_arrivals(context, forest));
    }
    for (int32_t i = 0; i < forest->tree_count; i++) {
        rcity_beams_cuts_add(&forest->cuts, &forest->trees[i].cuts);
    }
done:
    if (status != RCITY_OK) {
        rcity_beams_forest_deinit(context, forest);
    }
    return status;
}

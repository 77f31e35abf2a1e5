/* The trees are grown in rounds: that of the transmitter, then those of the edges that it meets, then those of the edges
   that these meet. */
#include "method/beams/tree/beams_forest.h"

#include <math.h>
#include <stdatomic.h>
#include <string.h>

#include "base/parallel.h"
#include "method/beams/tree/beam_loss.h"

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

/* Arrivals by the beams of a tree, after `before`; NULL for the transmitter's. */
static rcity_status add_arrivals(rcity_context *context, const rcity_beams_forest_limits *limits, int32_t tree_index,
                                 int32_t before_index, rcity_beams_forest *forest)
{
    const rcity_beams_tree *tree = &forest->trees[tree_index];
    rcity_beams_arrival before = {0, 0, -1, 0, 0, 0, 0.0, 0.0};
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
        rcity_beams_arrival arrival = {tree_index,
                                       (int32_t)i,
                                       before_index,
                                       (int16_t)(before.reflections + node->depth),
                                       (int16_t)(before.diffractions + 1),
                                       (int16_t)(before.transmissions + node->transmissions),
                                       before.plan_m + rcity_beam_length_m(edge->a.x - node->x, edge->a.y - node->y),
                                       before.loss_db + (double)node->loss_db};
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

/* What the ways to an edge may bring. */
static rcity_status measure_strength(rcity_context *context, const rcity_beams_forest *forest, int32_t index,
                                     rcity_beams_tree *tree)
{
    const rcity_facet_edge *edge = &forest->growth.world->facets->edges[tree->facet_edge];
    RCITY_TRY(rcity_alloc(context, 1, sizeof *tree->strength, "the trees of edges", &tree->strength));
    rcity_beam_strength_init(edge->exterior_rad, tree->strength);
    for (int32_t i = forest->arrival_first[index]; i < forest->arrival_first[index + 1]; i++) {
        const rcity_beams_arrival *arrival = &forest->arrivals[forest->arrival_order[i]];
        const rcity_beams_tree *from = &forest->trees[arrival->tree];
        const rcity_beams_node *node = &from->nodes[from->meetings[arrival->meeting].node];
        double off_m;
        double phi_rad = rcity_facet_edge_angle(edge, edge->a, (rcity_place3){node->x, node->y, edge->a.z}, &off_m);
        rcity_beam_strength_add(&(rcity_beam_strength_way){phi_rad, arrival->plan_m, arrival->loss_db}, tree->strength);
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

/* Grow the trees of edges as deep as any of their arrivals leaves reflections. */
static rcity_status grow_edges(rcity_context *context, rcity_beams_forest *forest)
{
    int *depth = NULL;
    rcity_status status;
    RCITY_TRY_DONE(rcity_alloc(context, (size_t)forest->tree_count, sizeof *depth, "the trees of edges", &depth));
    for (int32_t i = 1; i < forest->tree_count; i++) {
        forest->trees[i].before_m = forest->trees[i].before_db = HUGE_VAL;
    }
    for (size_t i = 0; i < forest->arrival_count; i++) {
        const rcity_beams_arrival *arrival = &forest->arrivals[i];
        int left = forest->orders.max_reflections - arrival->reflections;
        int32_t index = forest->tree_of[edge_of(forest, arrival)];
        rcity_beams_tree *tree = &forest->trees[index];
        depth[index] = left > depth[index] ? left : depth[index];
        int passes = forest->orders.max_transmissions - arrival->transmissions;
        tree->max_transmissions = passes > tree->max_transmissions ? passes : tree->max_transmissions;
        tree->before_m = fmin(tree->before_m, arrival->plan_m);
        tree->longest_before_m = fmax(tree->longest_before_m, arrival->plan_m);
        tree->before_db = fmin(tree->before_db, arrival->loss_db);
    }
    for (int32_t i = 1; i < forest->tree_count && forest->orders.max_diffractions > 1; i++) {
        rcity_beams_tree *tree =
            &forest->trees[i]; /* a later round may find shorter ways, but none shorter than straight */
        tree->before_m = rcity_beam_length_m(tree->x - forest->trees[0].x, tree->y - forest->trees[0].y);
        tree->before_db = 0.0;
        tree->max_transmissions = forest->orders.max_transmissions; /* and ways through fewer walls */
    }
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
    forest->orders = *orders;
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
    forest->growth.meets_edges = orders->max_diffractions > 1; /* what edges meet matters where a path may go on */
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

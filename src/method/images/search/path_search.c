/* The search: reflections from the transmitter's beams, single edges where beams of both ends meet, pairs of edges. */
#include "method/images/search/path_search.h"

#include <math.h>
#include <string.h>

#include "method/images/edges/two_edges.h"
#include "method/images/search/level_table.h"
#include "method/images/search/terrain_bounce.h"
#include "method/path_ends.h"

void rcity_path_list_deinit(rcity_context *context, rcity_path_list *list)
{
    rcity_release(context, list->events);
    rcity_release(context, list->event_end);
    memset(list, 0, sizeof *list);
}

rcity_status rcity_path_list_add(rcity_context *context, rcity_path_list *list, const rcity_trace_path *path)
{
    size_t count = (size_t)path->event_count;
    RCITY_TRY(rcity_reserve(context, list->path_count + 1, sizeof *list->event_end, &list->path_capacity, "the paths",
                            &list->event_end));
    RCITY_TRY(rcity_reserve(context, list->event_count + count, sizeof *list->events, &list->event_capacity,
                            "the paths", &list->events));
    for (size_t i = 0; i < count; i++) {
        list->events[list->event_count++] = path->event[i];
    }
    list->event_end[list->path_count++] = list->event_count;
    return RCITY_OK;
}

void rcity_path_list_get(const rcity_path_list *list, size_t index, rcity_place3 tx, rcity_place3 rx,
                         rcity_trace_path *path)
{
    size_t first = index > 0 ? list->event_end[index - 1] : 0;
    path->tx = tx;
    path->rx = rx;
    path->event_count = (int)(list->event_end[index] - first);
    for (int i = 0; i < path->event_count; i++) {
        path->event[i] = list->events[first + (size_t)i];
    }
}

/* A tree over the listed edges. */
static rcity_status plant_listed(rcity_context *context, int32_t count, rcity_search *search)
{
    rcity_plan_segment *segments = NULL;
    float *tops = NULL;
    rcity_status status;
    RCITY_TRY_DONE(rcity_alloc(context, (size_t)count + 1, sizeof *segments, "the edges met", &segments));
    RCITY_TRY_DONE(rcity_alloc(context, (size_t)count + 1, sizeof *tops, "the edges met", &tops));
    for (int32_t i = 0; i < count; i++) {
        segments[i] = *rcity_reach_edge_plan(search->reach_world, search->rx_listed[i]);
    }
    status = rcity_plan_tree_init(context, count, segments, tops, &search->rx_listed_tree);
done:
    rcity_release(context, tops);
    rcity_release(context, segments);
    return status;
}

/* List the edges that the transmitter meets, and how many reflections each leaves for the receiver's side. */
static rcity_status list_for_receivers(rcity_context *context, rcity_search *search)
{
    const rcity_reach *reach = &search->tx_reach;
    memset(search->rx_depth, -1, (size_t)search->world->edge_count);
    for (size_t i = 0; i < reach->meeting_count; i++) {
        int8_t *depth = &search->rx_depth[reach->meetings[i].facet_edge];
        int left = search->orders.max_reflections - reach->beams[reach->meetings[i].beam].depth;
        *depth = left > *depth ? (int8_t)left : *depth;
    }
    int32_t count = 0;
    for (int32_t facet_edge = 0; facet_edge < search->world->edge_count; facet_edge++) {
        if (search->rx_depth[facet_edge] >= 0) {
            search->rx_listed[count++] = facet_edge;
        }
    }
    return plant_listed(context, count, search);
}

/* The transmitter's own tree is built on the caller's thread, which can cancel it. */
static rcity_status report_beams(void *user, double done, double total)
{
    return rcity_progress(user, "beams", done, total);
}

static rcity_status build_trees(rcity_context *context, const rcity_reach_world *reach_world,
                                const rcity_path_checker *checker, const rcity_search_orders *orders, rcity_place3 tx,
                                bool reports, rcity_search *search)
{
    memset(search, 0, sizeof *search);
    search->world = reach_world->world;
    search->reach_world = reach_world;
    search->checker = *checker;
    search->orders = *orders;
    search->tx = tx;
    search->tx_aside = rcity_path_end_tx_aside(tx);
    tx = search->tx_aside;
    search->lowest_roof = HUGE_VAL;
    for (int64_t i = 0; i < search->world->roof_count; i++) {
        search->lowest_roof = fmin(search->lowest_roof, search->world->mirrors[search->world->wall_count + i].offset);
    }
    rcity_plan_segment source = {tx.x, tx.y, tx.x, tx.y};
    size_t edges = (size_t)search->world->edge_count + 1;
    rcity_status status;
    RCITY_TRY_DONE(rcity_alloc(context, edges, sizeof *search->rx_depth, "the edges met", &search->rx_depth));
    RCITY_TRY_DONE(rcity_alloc(context, edges, sizeof *search->rx_listed, "the edges met", &search->rx_listed));
    RCITY_TRY_DONE(rcity_reach_init(context, reach_world, &search->tx_reach));
    search->tx_reach.pause = reports ? report_beams : NULL;
    search->tx_reach.pause_user = context;
    bool meets_edges = orders->max_diffractions > 0;
    RCITY_TRY_DONE(reports ? rcity_reach_build_wide(context, reach_world, source, tx.z, orders->max_reflections,
                                                    meets_edges, &search->tx_reach)
                           : rcity_reach_build(context, reach_world, source, tx.z, orders->max_reflections, meets_edges,
                                               NULL, &search->tx_reach));
    RCITY_TRY_DONE(rcity_level_table_build(context, search, tx, &search->tx_reach, &search->tx_levels));
    RCITY_TRY_DONE(list_for_receivers(context, search));
    if (orders->max_diffractions > 1) {
        RCITY_TRY_DONE(rcity_two_edges_list(context, tx, &search->tx_reach, &search->tx_levels, search->world,
                                            &search->forest.tx_ends));
        RCITY_TRY_DONE(rcity_edge_forest_grow(context, reach_world, orders->max_reflections, reports, &search->forest));
    }
done:
    if (status != RCITY_OK) {
        rcity_search_deinit(context, search);
    }
    return status;
}

rcity_status rcity_search_init(rcity_context *context, const rcity_reach_world *reach_world,
                               const rcity_path_checker *checker, const rcity_search_orders *orders, rcity_place3 tx,
                               rcity_search *search)
{
    return build_trees(context, reach_world, checker, orders, tx, true, search);
}

rcity_status rcity_search_init_source(rcity_context *context, const rcity_reach_world *reach_world,
                                      const rcity_path_checker *checker, const rcity_search_orders *orders,
                                      rcity_place3 tx, const rcity_route_source *source, rcity_search *search)
{
    rcity_search_orders own_orders = *orders;
    own_orders.max_reflections = orders->max_reflections < 1 ? orders->max_reflections : 1;
    own_orders.max_diffractions = 0;
    RCITY_TRY(build_trees(context, reach_world, checker, &own_orders, tx, true, search));
    search->orders = *orders;
    search->source = *source;
    return RCITY_OK;
}

rcity_status rcity_search_init_from(rcity_context *context, const rcity_search *like, rcity_place3 place,
                                    rcity_search *search)
{
    RCITY_TRY(build_trees(context, like->reach_world, &like->checker, &like->orders, place, false, search));
    search->terrain_tree = like->terrain_tree;
    return RCITY_OK;
}

void rcity_search_deinit(rcity_context *context, rcity_search *search)
{
    rcity_edge_forest_deinit(context, &search->forest);
    rcity_level_table_deinit(context, &search->tx_levels);
    rcity_reach_deinit(context, &search->tx_reach);
    rcity_plan_tree_deinit(context, &search->rx_listed_tree);
    rcity_release(context, search->rx_listed);
    rcity_release(context, search->rx_depth);
    memset(search, 0, sizeof *search);
}

rcity_status rcity_searcher_init(rcity_context *context, const rcity_search *search, rcity_searcher *searcher)
{
    memset(searcher, 0, sizeof *searcher);
    rcity_status status;
    RCITY_TRY_DONE(rcity_reach_init(context, search->reach_world, &searcher->rx_reach));
    searcher->level_capacity = (size_t)search->world->roof_count + 2;
    RCITY_TRY_DONE(
        rcity_alloc(context, searcher->level_capacity, sizeof *searcher->levels, "levels", &searcher->levels));
done:
    if (status != RCITY_OK) {
        rcity_searcher_deinit(context, searcher);
    }
    return status;
}

void rcity_searcher_deinit(rcity_context *context, rcity_searcher *searcher)
{
    rcity_release(context, searcher->levels);
    rcity_release(context, searcher->rx_ends.ends);
    rcity_level_table_deinit(context, &searcher->rx_levels);
    rcity_reach_deinit(context, &searcher->rx_reach);
    memset(searcher, 0, sizeof *searcher);
}

rcity_status rcity_search_propose(rcity_context *context, const rcity_search *search, const rcity_searcher *searcher,
                                  rcity_place3 rx, const rcity_route *route, rcity_path_list *list)
{
    rcity_trace_path path, exact;
    if (!rcity_path_solve(search->world, search->tx_aside, rx, route, &path) ||
        !rcity_path_check(&search->checker, searcher->rx_reach.found, &path)) {
        return RCITY_OK;
    }
    if (rcity_path_solve(search->world, search->tx, searcher->rx, route, &exact)) {
        (void)rcity_path_move(search->world, &exact,
                              &path); /* where they differ there is a tie: the path follows the neighbouring place */
    }
    return rcity_path_list_add(context, list, &path);
}

void rcity_stretch_fill(const rcity_beam *beams, int32_t beam, bool is_forward, rcity_stretch *stretch)
{
    int32_t walls[RCITY_REFLECTION_MAX];
    stretch->wall_count = rcity_beam_walls(beams, beam, walls);
    for (int i = 0; i < stretch->wall_count; i++) {
        stretch->wall[i] = walls[is_forward ? i : stretch->wall_count - 1 - i];
    }
}

/* Paths without edges: the receiver lies in a beam of the transmitter. */
static rcity_status search_reflections(rcity_context *context, const rcity_search *search, rcity_searcher *searcher,
                                       rcity_place3 rx, rcity_path_list *list)
{
    const rcity_reach *reach = &search->tx_reach;
    for (size_t i = 0; i < reach->beam_count; i++) {
        if (!rcity_beam_contains(search->world, &reach->beams[i], rx.x, rx.y)) {
            continue;
        }
        rcity_route route;
        route.edge_count = 0;
        rcity_stretch_fill(reach->beams, (int32_t)i, true, &route.stretch[0]);
        route.stretch[0].level = -1;
        RCITY_TRY(rcity_search_propose(context, search, searcher, rx, &route, list));
        if (reach->beams[i].depth < search->orders.max_reflections) {
            int32_t count = rcity_levels_to_place(search, search->tx_aside, &route.stretch[0], rx, searcher->levels);
            for (int32_t k = 0; k < count; k++) {
                route.stretch[0].level = searcher->levels[k];
                RCITY_TRY(rcity_search_propose(context, search, searcher, rx, &route, list));
            }
        }
    }
    return RCITY_OK;
}

/* A level of one meeting; index -1 means none. */
static int32_t level_of(const rcity_level_table *table, size_t meeting, int64_t index)
{
    return index < 0 ? -1 : table->level[table->first[meeting] + (size_t)index];
}

static int64_t level_count(const rcity_level_table *table, size_t meeting)
{
    return (int64_t)(table->first[meeting + 1] - table->first[meeting]);
}

/* All paths over a given middle part, with all levels of both ends. `spent` reflections lie in the middle part. */
static rcity_status join(rcity_context *context, const rcity_search *search, const rcity_searcher *searcher,
                         rcity_place3 rx, size_t tx_meeting, size_t rx_meeting, int spent, rcity_route *route,
                         rcity_path_list *list)
{
    rcity_stretch *first = &route->stretch[0];
    rcity_stretch *last = &route->stretch[route->edge_count];
    rcity_stretch_fill(search->tx_reach.beams, search->tx_reach.meetings[tx_meeting].beam, true, first);
    rcity_stretch_fill(searcher->rx_reach.beams, searcher->rx_reach.meetings[rx_meeting].beam, false, last);
    int left = search->orders.max_reflections - spent - first->wall_count - last->wall_count;
    if (left < 0) {
        return RCITY_OK;
    }
    int64_t tx_count = left > 0 ? level_count(&search->tx_levels, tx_meeting) : 0;
    int64_t rx_count = left > 0 ? level_count(&searcher->rx_levels, rx_meeting) : 0;
    for (int64_t i = -1; i < tx_count; i++) {
        first->level = level_of(&search->tx_levels, tx_meeting, i);
        for (int64_t j = -1; j < (i >= 0 && left < 2 ? 0 : rx_count); j++) {
            last->level = level_of(&searcher->rx_levels, rx_meeting, j);
            RCITY_TRY(rcity_search_propose(context, search, searcher, rx, route, list));
        }
    }
    return RCITY_OK;
}

/* Paths over one edge. */
static rcity_status search_one_edge(rcity_context *context, const rcity_search *search, const rcity_searcher *searcher,
                                    rcity_place3 rx, rcity_path_list *list)
{
    const rcity_reach *tx_reach = &search->tx_reach;
    const rcity_reach *rx_reach = &searcher->rx_reach;
    rcity_route route;
    route.edge_count = 1;
    for (size_t j = 0; j < rx_reach->meeting_count; j++) {
        route.facet_edge[0] = rx_reach->meetings[j].facet_edge;
        size_t first, end;
        rcity_reach_find(tx_reach, route.facet_edge[0], &first, &end);
        for (size_t i = first; i < end; i++) {
            RCITY_TRY(join(context, search, searcher, rx, i, j, 0, &route, list));
        }
    }
    return RCITY_OK;
}

rcity_status rcity_search_run(rcity_context *context, const rcity_search *search, rcity_searcher *searcher,
                              rcity_place3 rx, rcity_path_list *list)
{
    searcher->rx = rx;
    rx = rcity_path_end_rx_aside(rx, searcher->side);
    if (search->source.propose == NULL) {
        RCITY_TRY(search_reflections(context, search, searcher, rx, list));
    }
    if (search->orders.ground_reflects && search->orders.max_reflections > 0) {
        RCITY_TRY(rcity_terrain_bounce_find(context, search, searcher->rx_reach.found, rx, searcher->rx, list));
    }
    if (search->source.propose != NULL) {
        return search->source.propose(search->source.user, context, search, searcher, rx, list);
    }
    if (search->orders.max_diffractions == 0) {
        return RCITY_OK;
    }
    rcity_plan_segment source = {rx.x, rx.y, rx.x, rx.y};
    rcity_reach_filter filter = {search->rx_depth, search->rx_listed, &search->rx_listed_tree};
    const rcity_reach_filter *wanted = search->orders.max_diffractions == 1 ? &filter : NULL;
    RCITY_TRY(rcity_reach_build(context, search->reach_world, source, rx.z, search->orders.max_reflections, true,
                                wanted, &searcher->rx_reach));
    RCITY_TRY(rcity_level_table_build(context, search, rx, &searcher->rx_reach, &searcher->rx_levels));
    RCITY_TRY(search_one_edge(context, search, searcher, rx, list));
    if (search->orders.max_diffractions > 1) {
        RCITY_TRY(rcity_two_edges_find(context, search, searcher, rx, list));
    }
    return RCITY_OK;
}

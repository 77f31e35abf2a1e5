/* A way is solved as a route, then its heights are held against the walls that its beams meet and pass. */
#include "method/beams/points/beams_ways.h"

#include <math.h>
#include <string.h>

#include "method/beams/points/beams_walls.h"
#include "method/beams/tree/beam_loss.h"

static void fill_stretch(const rcity_beams_tree *tree, int32_t node, rcity_stretch *stretch)
{
    stretch->wall_count = rcity_beams_node_walls(tree, node, stretch->wall);
    stretch->level = -1;
}

/* The arrivals of a way, the last one first. @return how many. */
static int list_arrivals(const rcity_beams_forest *forest, int32_t arrival, int32_t arrivals[RCITY_ROUTE_EDGE_MAX])
{
    int count = 0;
    for (; arrival >= 0; arrival = forest->arrivals[arrival].before) {
        arrivals[count++] = arrival;
    }
    return count;
}

void rcity_beams_route_fill(const rcity_beams_forest *forest, int32_t tree, int32_t node, int32_t arrival,
                            rcity_route *route)
{
    int32_t arrivals[RCITY_ROUTE_EDGE_MAX];
    int count = list_arrivals(forest, arrival, arrivals);
    route->edge_count = count;
    for (int i = 0; i < count; i++) {
        const rcity_beams_arrival *at = &forest->arrivals[arrivals[count - 1 - i]];
        const rcity_beams_meeting *meeting = &forest->trees[at->tree].meetings[at->meeting];
        fill_stretch(&forest->trees[at->tree], meeting->node, &route->stretch[i]);
        route->facet_edge[i] = meeting->facet_edge;
    }
    fill_stretch(&forest->trees[tree], node, &route->stretch[count]);
}

bool rcity_beams_path_turns_into_shadow(const rcity_facet_table *facets, const rcity_trace_path *path)
{
    for (int i = 0; i < path->event_count; i++) {
        if (path->event[i].kind != RCITY_EVENT_DIFFRACTION) {
            continue;
        }
        const rcity_facet_edge *edge = &facets->edges[path->event[i].object];
        double off_m;
        double before = rcity_facet_edge_angle(edge, path->event[i].point, rcity_trace_path_point(path, i - 1), &off_m);
        double after = rcity_facet_edge_angle(edge, path->event[i].point, rcity_trace_path_point(path, i + 1), &off_m);
        if (fabs(after - before) <= RCITY_TRACE_PI) {
            return false;
        }
    }
    return true;
}

bool rcity_beams_way_is_cut(const rcity_beams_forest *forest, const rcity_beams_node *node,
                            const rcity_beams_arrival *arrival, double x, double y)
{
    double plan_m = hypot(x - node->x, y - node->y) + (arrival != NULL ? arrival->plan_m : 0.0);
    double loss_db = (double)node->loss_db + (arrival != NULL ? arrival->loss_db : 0.0);
    bool is_straight = arrival == NULL && node->depth == 0;
    return (!is_straight && plan_m > forest->growth.range_m) ||
           loss_db + rcity_beam_spread_db(forest->growth.facets, plan_m) > forest->growth.loss_limit_db;
}

/* Where a leg in plan, from one event of a path to another with bounces between, crosses a wall. @return false where it does
   not, or misses the wall's ends by more than `rim_m`. */
static bool find_crossing(const rcity_mirror *wall, const rcity_trace_path *path, int from, int to, double rim_m,
                          rcity_beams_passage *at, double *height_m)
{
    double length_m = hypot(wall->x2 - wall->x1, wall->y2 - wall->y1);
    for (int i = from; i < to; i++) {
        rcity_place3 a = rcity_trace_path_point(path, i);
        rcity_place3 b = rcity_trace_path_point(path, i + 1);
        double at_a = wall->normal.x * a.x + wall->normal.y * a.y - wall->offset;
        double at_b = wall->normal.x * b.x + wall->normal.y * b.y - wall->offset;
        if ((at_a > 0.0) == (at_b > 0.0)) {
            continue;
        }
        double part = at_a / (at_a - at_b);
        double along_m = (a.y + part * (b.y - a.y) - wall->y1) * wall->normal.x -
                         (a.x + part * (b.x - a.x) - wall->x1) * wall->normal.y;
        if (along_m >= -rim_m && along_m <= length_m + rim_m) {
            at->leg = i + 1;
            at->part = part;
            *height_m = a.z + part * (b.z - a.z);
            return true;
        }
    }
    return false;
}

static bool passes_over(const rcity_mirror *wall, const rcity_trace_path *path, int from, int to)
{
    rcity_beams_passage at;
    double height_m;
    return !find_crossing(wall, path, from, to, 0.0, &at, &height_m) || height_m >= wall->top;
}

/* The beam says that a leg crosses the wall; rounding may put it beside. Below the wall is the inside of a lower building. */
static bool goes_through(const rcity_facet_table *facets, int32_t wall_index, const rcity_trace_path *path, int from,
                         int to, rcity_beams_walls *walls)
{
    const double rim_m = 1e-6;
    const rcity_mirror *wall = &facets->mirrors[wall_index];
    rcity_beams_passage at = {0, 0.0, wall_index};
    double height_m;
    if (!find_crossing(wall, path, from, to, rim_m, &at, &height_m) || height_m >= wall->top) {
        return false;
    }
    if (height_m >= wall->bottom) {
        rcity_beams_walls_add(walls, &at);
    }
    return true;
}

static bool passes_over_all(const rcity_beams_forest *forest, const rcity_beams_tree *tree, int32_t first,
                            int32_t count, const rcity_trace_path *path, int from, int to)
{
    for (int32_t i = first; i < first + count; i++) {
        if (!passes_over(&forest->growth.world->facets->mirrors[tree->passed[i]], path, from, to)) {
            return false;
        }
    }
    return true;
}

/* The event before an event, bounces off the ground left out. */
static int before_event(const rcity_facet_table *facets, const rcity_trace_path *path, int event)
{
    event--;
    while (event >= 0 && path->event[event].kind == RCITY_EVENT_REFLECTION &&
           path->event[event].object >= facets->wall_count) {
        event--;
    }
    return event;
}

/* Do the legs of one stretch clear what they pass, and go through the other walls that they should? The stretch ends at
   `*event` with these walls passed on its last leg; then `*event` is where it begins. Walls are added to those that the
   path goes through. */
static bool clears_stretch(const rcity_beams_forest *forest, const rcity_beams_tree *tree, int32_t node,
                           int32_t passed_first, int32_t passed_count, const rcity_trace_path *path, int *event,
                           rcity_beams_walls *walls)
{
    const rcity_facet_table *facets = forest->growth.world->facets;
    for (;;) {
        int from = before_event(facets, path, *event);
        if (!passes_over_all(forest, tree, passed_first, passed_count, path, from, *event)) {
            return false;
        }
        if (tree->nodes[node].parent < 0) {
            *event = from;
            return true;
        }
        if (!tree->nodes[node].passes) {
            *event = from;
        } else if (!goes_through(facets, tree->nodes[node].wall, path, from, *event, walls)) {
            return false;
        }
        passed_first = tree->hits[tree->nodes[node].hit].passed_first;
        passed_count = tree->hits[tree->nodes[node].hit].passed_count;
        node = tree->nodes[node].parent;
    }
}

/* The same of all stretches. */
static bool clears_all(const rcity_beams_forest *forest, const rcity_beams_way_end *end, int32_t arrival,
                       const rcity_trace_path *path, rcity_beams_walls *walls)
{
    const rcity_beams_tree *tree = &forest->trees[end->tree];
    const rcity_beam_part *part = &tree->parts[end->part];
    int event = path->event_count;
    if (!clears_stretch(forest, tree, end->node, part->passed_first, part->passed_count, path, &event, walls)) {
        return false;
    }
    for (; arrival >= 0; arrival = forest->arrivals[arrival].before) {
        const rcity_beams_arrival *at = &forest->arrivals[arrival];
        tree = &forest->trees[at->tree];
        const rcity_beams_meeting *meeting = &tree->meetings[at->meeting];
        const rcity_beam_hit *hit = &tree->hits[meeting->hit];
        if (!clears_stretch(forest, tree, meeting->node, hit->passed_first, hit->passed_count, path, &event, walls)) {
            return false;
        }
    }
    return true;
}

/* Does a way run along a wall between two edges? No beam has looked there. */
static bool runs_along_wall(const rcity_beams_forest *forest, int32_t arrival)
{
    for (; arrival >= 0; arrival = forest->arrivals[arrival].before) {
        const rcity_beams_arrival *at = &forest->arrivals[arrival];
        if (forest->trees[at->tree].meetings[at->meeting].hit < 0) {
            return true;
        }
    }
    return false;
}

/* Is a path there? Over flat ground the beams have decided that, but for heights; hills may hide anything. Walls and roofs
   that it goes through become events of it. */
static bool exists(const rcity_beams_ways *ways, const rcity_beams_way_end *end, int32_t arrival,
                   rcity_trace_path *path)
{
    const rcity_path_checker *checker = ways->checker;
    bool has_terrain = checker->world->shapes->terrain.column_count > 0;
    bool passes = checker->max_transmissions > 0;
    rcity_beams_walls walls;
    walls.count = 0;
    if (ways->forest->growth.turns_into_shadow_only && !rcity_beams_path_turns_into_shadow(checker->world, path)) {
        return false;
    }
    if (has_terrain) { /* a path through walls is that of one beam, and passes over the walls that others go through */
        return (!passes || clears_all(ways->forest, end, arrival, path, &walls)) &&
               rcity_path_check(checker, ways->found, path);
    }
    if (runs_along_wall(ways->forest, arrival)) {
        return rcity_path_check(checker, ways->found, path);
    }
    return rcity_path_is_sound(checker, path, -1) && clears_all(ways->forest, end, arrival, path, &walls) &&
           (!passes || rcity_beams_walls_insert(checker, ways->found, &walls, path));
}

/* A route with and without bounces on each of its stretches. */
static rcity_status list_bounces(const rcity_beams_ways *ways, const rcity_beams_way_end *end, int32_t arrival,
                                 int reflections, rcity_place3 rx, rcity_route *route, rcity_beams_listener listener,
                                 void *user)
{
    const rcity_facet_table *facets = ways->checker->world;
    int32_t ground = (int32_t)(facets->wall_count + facets->roof_count);
    bool has_ground = ways->ground_reflects && ground < facets->mirror_count;
    int left = has_ground ? ways->forest->orders.max_reflections - reflections : 0;
    for (unsigned bounces = 0; bounces < 1u << (route->edge_count + 1); bounces++) {
        rcity_trace_path path;
        int count = 0;
        for (int i = 0; i <= route->edge_count; i++) {
            bool does_bounce = (bounces >> i & 1u) != 0;
            route->stretch[i].level = does_bounce ? ground : -1;
            count += does_bounce;
        }
        if (count <= left && rcity_path_solve(facets, ways->tx, rx, route, &path) &&
            exists(ways, end, arrival, &path)) {
            RCITY_TRY(listener(user, &path));
        }
    }
    return RCITY_OK;
}

rcity_status rcity_beams_ways_list(const rcity_beams_ways *ways, const rcity_beams_way_end *end, rcity_place3 rx,
                                   rcity_beams_listener listener, void *user)
{
    const rcity_beams_forest *forest = ways->forest;
    const rcity_beams_node *node = &forest->trees[end->tree].nodes[end->node];
    int depth = node->depth;
    rcity_route route;
    if (end->tree == 0) {
        if (rcity_beams_way_is_cut(forest, node, NULL, rx.x, rx.y)) {
            return RCITY_OK;
        }
        rcity_beams_route_fill(forest, 0, end->node, -1, &route);
        return list_bounces(ways, end, -1, depth, rx, &route, listener, user);
    }
    for (int32_t k = forest->arrival_first[end->tree]; k < forest->arrival_first[end->tree + 1]; k++) {
        int32_t arrival = forest->arrival_order[k];
        int reflections = forest->arrivals[arrival].reflections + depth;
        if (reflections > forest->orders.max_reflections) {
            break; /* those with few reflections come first */
        }
        if (!rcity_beams_arrival_goes_on(&forest->orders, &forest->arrivals[arrival], node) ||
            rcity_beams_way_is_cut(forest, node, &forest->arrivals[arrival], rx.x, rx.y)) {
            continue;
        }
        rcity_beams_route_fill(forest, end->tree, end->node, arrival, &route);
        RCITY_TRY(list_bounces(ways, end, arrival, reflections, rx, &route, listener, user));
    }
    return RCITY_OK;
}

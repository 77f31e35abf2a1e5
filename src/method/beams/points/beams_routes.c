/* The beams that the index lists for a place, or all beams, are asked one by one. */
#include "method/beams/points/beams_routes.h"

#include <math.h>

#include "method/beams/points/beams_ways.h"

#define SLACK_UNITS 7.68 /* sight is tested between points that were moved and snapped by less: 6 cm */

double rcity_beams_slack_m(const rcity_shapes *shapes)
{
    return SLACK_UNITS / shapes->units_per_m;
}

static double cross(double ax, double ay, double bx, double by)
{
    return ax * by - ay * bx;
}

/* Is a place far outside the edges of a beam? Quick, and on the safe side. */
static bool lies_outside(const rcity_beams_node *node, double x, double y, double slack_m)
{
    double dx = x - node->x;
    double dy = y - node->y;
    double right_x = node->window.x1 - node->x;
    double right_y = node->window.y1 - node->y;
    double left_x = node->window.x2 - node->x;
    double left_y = node->window.y2 - node->y;
    return cross(right_x, right_y, dx, dy) < -slack_m * (fabs(right_x) + fabs(right_y)) ||
           cross(dx, dy, left_x, left_y) < -slack_m * (fabs(left_x) + fabs(left_y));
}

bool rcity_beams_node_holds(const rcity_beams_tree *tree, const rcity_beams_world *world, int32_t node_index, double x,
                            double y, double slack_m)
{
    const rcity_beams_node *node = &tree->nodes[node_index];
    rcity_beam_frame frame;
    double away_m = rcity_beam_length_m(x - node->x, y - node->y);
    if (away_m < node->least_m - slack_m || away_m > node->reach_m + slack_m || lies_outside(node, x, y, slack_m) ||
        !rcity_beams_node_frame(node, &frame)) {
        return false;
    }
    rcity_beam_offset at = rcity_beam_frame_offset(&frame, x, y);
    if (at.forward <= slack_m) {
        return hypot(at.forward, at.left) <= slack_m || at.forward > 0.0;
    }
    rcity_beam_view view = rcity_beam_frame_view(&frame, at);
    double slack = 2.0 * slack_m * frame.scale * view.nearness; /* across; beams are at most a quarter turn wide */
    double far_nearness = 1.0 / (at.forward + 2.0 * slack_m);
    double base =
        fmax(rcity_beam_line_at(frame.base, view.across - slack), rcity_beam_line_at(frame.base, view.across + slack));
    if (far_nearness > base) {
        return false;
    }
    for (int32_t i = node->part_first; i < node->part_first + node->part_count; i++) {
        const rcity_beam_part *part = &tree->parts[i];
        if (part->right > view.across + slack || part->left < view.across - slack) {
            continue;
        }
        if (part->wall < 0) {
            return true;
        }
        const rcity_plan_segment *wall = &world->walls[part->wall];
        rcity_beam_offset a = rcity_beam_frame_offset(&frame, wall->x1, wall->y1);
        rcity_beam_offset b = rcity_beam_frame_offset(&frame, wall->x2, wall->y2);
        /* the place lies on the source's side of the wall's line, or hardly beyond it */
        double length_m = hypot(b.forward - a.forward, b.left - a.left);
        double beyond = cross(b.forward - a.forward, b.left - a.left, at.forward - a.forward, at.left - a.left);
        double source = cross(b.forward - a.forward, b.left - a.left, -a.forward, -a.left);
        if (beyond * source >= 0.0 || fabs(beyond) <= 2.0 * slack_m * length_m) {
            return true;
        }
    }
    return false;
}

/* Is the last path of a list there already? Walls that several beams meet give the same path several times. */
static void drop_repeated(size_t first_path, rcity_path_list *list)
{
    size_t last = list->path_count - 1;
    size_t begin = last > 0 ? list->event_end[last - 1] : 0;
    size_t count = list->event_end[last] - begin;
    for (size_t i = first_path; i < last; i++) {
        size_t first = i > 0 ? list->event_end[i - 1] : 0;
        bool is_same = list->event_end[i] - first == count;
        for (size_t k = 0; k < count && is_same; k++) {
            const rcity_trace_event *a = &list->events[first + k];
            const rcity_trace_event *b = &list->events[begin + k];
            is_same = a->kind == b->kind && a->object == b->object;
        }
        if (is_same) {
            list->path_count--;
            list->event_count -= count;
            return;
        }
    }
}

static rcity_status propose_once(rcity_context *context, const rcity_search *search, rcity_searcher *searcher,
                                 rcity_place3 rx, size_t first_path, const rcity_route *route, rcity_path_list *list)
{
    size_t before = list->path_count;
    size_t before_event = list->event_count;
    RCITY_TRY(rcity_search_propose(context, search, searcher, rx, route, list));
    if (list->path_count > before) {
        rcity_trace_path path;
        const rcity_beams_routes *routes = search->source.user;
        rcity_path_list_get(list, before, search->tx, searcher->rx, &path);
        if (routes->forest->growth.turns_into_shadow_only &&
            !rcity_beams_path_turns_into_shadow(search->world, &path)) {
            list->path_count = before;
            list->event_count = before_event;
            return RCITY_OK;
        }
        drop_repeated(first_path, list);
    }
    return RCITY_OK;
}

/* A route, and the same with bounces off flat ground on its stretches, as reflections are left for them. */
static rcity_status propose_route(rcity_context *context, const rcity_search *search, rcity_searcher *searcher,
                                  rcity_place3 rx, size_t first_path, int reflections, rcity_route *route,
                                  rcity_path_list *list)
{
    const rcity_facet_table *world = search->world;
    int32_t ground = (int32_t)(world->wall_count + world->roof_count);
    bool has_ground = search->orders.ground_reflects && ground < world->mirror_count;
    int left = has_ground ? search->orders.max_reflections - reflections : 0;
    for (unsigned bounces = 0; bounces < 1u << (route->edge_count + 1); bounces++) {
        int count = 0;
        for (int i = 0; i <= route->edge_count; i++) {
            bool does_bounce = (bounces >> i & 1u) != 0;
            route->stretch[i].level = does_bounce ? ground : -1;
            count += does_bounce;
        }
        if (count <= left) {
            RCITY_TRY(propose_once(context, search, searcher, rx, first_path, route, list));
        }
    }
    return RCITY_OK;
}

/* The routes of a beam that may hold a place. */
static rcity_status propose_beam(rcity_context *context, const rcity_search *search, rcity_searcher *searcher,
                                 rcity_place3 rx, size_t first_path, rcity_beams_index_beam beam, rcity_path_list *list)
{
    const rcity_beams_routes *routes = search->source.user;
    const rcity_beams_forest *forest = routes->forest;
    const rcity_beams_node *node = &forest->trees[beam.tree].nodes[beam.node];
    rcity_route route;
    if (beam.tree == 0) {
        if (rcity_beams_way_is_cut(forest, node, NULL, rx.x, rx.y)) {
            return RCITY_OK;
        }
        rcity_beams_route_fill(forest, 0, beam.node, -1, &route);
        return propose_route(context, search, searcher, rx, first_path, node->depth, &route, list);
    }
    for (int32_t k = forest->arrival_first[beam.tree]; k < forest->arrival_first[beam.tree + 1]; k++) {
        const rcity_beams_arrival *arrival = &forest->arrivals[forest->arrival_order[k]];
        int reflections = arrival->reflections + node->depth;
        if (reflections > forest->orders.max_reflections) {
            break; /* those with few reflections come first */
        }
        if (!rcity_beams_arrival_goes_on(&forest->orders, arrival, node) ||
            rcity_beams_way_is_cut(forest, node, arrival, rx.x, rx.y)) {
            continue;
        }
        rcity_beams_route_fill(forest, beam.tree, beam.node, forest->arrival_order[k], &route);
        RCITY_TRY(propose_route(context, search, searcher, rx, first_path, reflections, &route, list));
    }
    return RCITY_OK;
}

rcity_status rcity_beams_propose(const void *user, rcity_context *context, const rcity_search *search,
                                 rcity_searcher *searcher, rcity_place3 rx, rcity_path_list *list)
{
    const rcity_beams_routes *routes = user;
    const rcity_beams_forest *forest = routes->forest;
    const rcity_beams_index_beam *beams;
    int64_t count;
    double slack_m = rcity_beams_slack_m(search->world->shapes);
    size_t first_path = list->path_count;
    if (routes->index != NULL && rcity_beams_index_find(routes->index, rx.x, rx.y, &beams, &count)) {
        for (int64_t i = 0; i < count; i++) {
            if (rcity_beams_node_holds(&forest->trees[beams[i].tree], forest->growth.world, beams[i].node, rx.x, rx.y,
                                       slack_m)) {
                RCITY_TRY(propose_beam(context, search, searcher, rx, first_path, beams[i], list));
            }
        }
        return RCITY_OK;
    }
    for (int32_t t = 0; t < forest->tree_count; t++) {
        const rcity_beams_tree *tree = &forest->trees[t];
        for (size_t n = 0; n < tree->node_count; n++) {
            if (rcity_beams_node_holds(tree, forest->growth.world, (int32_t)n, rx.x, rx.y, slack_m)) {
                rcity_beams_index_beam beam = {t, (int32_t)n};
                RCITY_TRY(propose_beam(context, search, searcher, rx, first_path, beam, list));
            }
        }
    }
    return RCITY_OK;
}

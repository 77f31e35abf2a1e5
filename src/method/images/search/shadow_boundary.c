/* Paths at shadow boundaries, decided by the angle at the edge, not by the grid. */
#include "method/images/search/shadow_boundary.h"

#include <math.h>
#include <string.h>

#include "method/path_ends.h"

#define STRIP_UNITS 5.12 /* how far from a boundary sight may be wrong, with some margin: 4 cm */
#define TIE_RAD     1e-9 /* RCITY_WEDGE_TIE_RAD of the fields: nearer to a boundary counts as on it, and visible */
#define ASIDE_M     1e-4 /* more than moving an end aside may change */
#define NOT_AT_ALL  SIZE_MAX

/* The rays that end at an edge: the straight ray, and the reflections off its two faces. */
typedef enum boundary_kind { BOUNDARY_STRAIGHT, BOUNDARY_MIRROR_O, BOUNDARY_MIRROR_N, BOUNDARY_KINDS } boundary_kind;

/* On which side of a boundary a path meets an edge. */
typedef struct boundary_side {
    bool can_be_seen;
    bool is_tie; /* so near to it that ends moved aside may be on the other side */
} boundary_side;

/* Does the path meet one of its edges within the strip along a boundary? */
static bool lies_in_strip(const rcity_facet_table *world, const rcity_trace_path *path, int event, boundary_kind kind,
                          boundary_side *side)
{
    const rcity_facet_edge *facet_edge = &world->edges[path->event[event].object];
    double before_m, after_m;
    double before = rcity_facet_edge_angle(facet_edge, path->event[event].point,
                                           rcity_trace_path_point(path, event - 1), &before_m);
    double after =
        rcity_facet_edge_angle(facet_edge, path->event[event].point, rcity_trace_path_point(path, event + 1), &after_m);
    double shadow = kind == BOUNDARY_STRAIGHT   ? fabs(after - before) - RCITY_TRACE_PI
                    : kind == BOUNDARY_MIRROR_O ? before + after - RCITY_TRACE_PI
                                                : 2.0 * facet_edge->exterior_rad - RCITY_TRACE_PI - before - after;
    double beside_m = fabs(shadow) * fmin(before_m, after_m);
    side->can_be_seen = shadow <= TIE_RAD;
    side->is_tie = beside_m < ASIDE_M;
    return fabs(shadow) < 0.5 && beside_m < STRIP_UNITS / world->shapes->units_per_m;
}

/* The wall that is a face of a vertical edge at a height: it starts or ends at the edge. */
static int32_t find_face_wall(const rcity_search *search, int32_t *found, const rcity_facet_edge *facet_edge,
                              bool is_face_o, double z)
{
    const rcity_facet_table *world = search->world;
    double near_m = 1.0 / world->shapes->units_per_m;
    rcity_region around = {3, {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {-1.0, -1.0, 0.0}}}; /* a triangle around the edge */
    around.side[0].c = near_m - facet_edge->a.x;
    around.side[1].c = near_m - facet_edge->a.y;
    around.side[2].c = near_m + facet_edge->a.x + facet_edge->a.y;
    int32_t count = rcity_plan_tree_find(&search->reach_world->wall_tree, &around, found);
    for (int32_t i = 0; i < count; i++) {
        const rcity_mirror *wall = &world->mirrors[found[i]];
        /* along +z the air lies left of face o, which is the wall that ends at the edge; face n starts there */
        double x = is_face_o ? wall->x2 : wall->x1;
        double y = is_face_o ? wall->y2 : wall->y1;
        double in_face_x = is_face_o ? wall->normal.y : -wall->normal.y;
        double in_face_y = is_face_o ? -wall->normal.x : wall->normal.x;
        double turn = atan2(in_face_x * facet_edge->normal_o.x + in_face_y * facet_edge->normal_o.y,
                            in_face_x * facet_edge->in_face_o.x + in_face_y * facet_edge->in_face_o.y);
        double angle = is_face_o ? 0.0 : facet_edge->exterior_rad;
        if (fabs(x - facet_edge->a.x) < near_m && fabs(y - facet_edge->a.y) < near_m && z >= wall->bottom &&
            z < wall->top && fabs(sin(0.5 * (turn - angle))) < 1e-6) {
            return found[i];
        }
    }
    return -1;
}

/* The mirror that is a face of the edge that diffracts a path; -1 for none. */
static int32_t find_face(const rcity_search *search, int32_t *found, const rcity_trace_event *event, boundary_kind kind)
{
    const rcity_facet_table *world = search->world;
    const rcity_facet_edge *facet_edge = &world->edges[event->object];
    if (facet_edge->is_vertical) {
        return find_face_wall(search, found, facet_edge, kind == BOUNDARY_MIRROR_O, event->point.z);
    }
    if (kind == BOUNDARY_MIRROR_O) {
        return event->object; /* the top of wall i is edge i */
    }
    return search->orders.roofs_reflect ? (int32_t)world->wall_count + facet_edge->prism : -1;
}

/* The ray that ends at the boundary: the path without that edge, or reflected off its face instead. @return false when
   no route describes that ray, or it meets something besides it. */
static bool solve_ray(const rcity_search *search, int32_t *found, rcity_place3 rx, const rcity_trace_path *path,
                      int at_edge, boundary_kind kind, rcity_trace_path *ray)
{
    rcity_route route;
    memset(&route, 0, sizeof route);
    rcity_stretch *stretch = &route.stretch[0];
    stretch->level = -1;
    int mirror_count = 0;
    for (int i = 0; i < path->event_count; i++) {
        rcity_trace_event event = path->event[i];
        if (i == at_edge) {
            event.kind = RCITY_EVENT_REFLECTION;
            event.object = kind == BOUNDARY_STRAIGHT ? -1 : find_face(search, found, &path->event[i], kind);
            if (kind == BOUNDARY_STRAIGHT) {
                continue;
            }
        }
        if (event.kind == RCITY_EVENT_DIFFRACTION) {
            route.facet_edge[route.edge_count++] = event.object;
            stretch = &route.stretch[route.edge_count];
            stretch->level = -1;
            continue;
        }
        bool is_level = event.object >= search->world->wall_count;
        if (event.kind != RCITY_EVENT_REFLECTION || event.object < 0 || event.object >= search->world->mirror_count ||
            ++mirror_count > search->orders.max_reflections ||
            (is_level && stretch->level >= 0)) { /* the last: bounces off a level on both sides of the edge */
            return false;
        }
        if (is_level) {
            stretch->level = event.object;
        } else {
            stretch->wall[stretch->wall_count++] = event.object;
        }
    }
    return rcity_path_solve(search->world, search->tx, rx, &route, ray) &&
           rcity_path_is_sound(&search->checker, ray, kind == BOUNDARY_STRAIGHT ? -1 : at_edge);
}

static bool is_same_event(const rcity_trace_event *a, const rcity_trace_event *b)
{
    return a->kind == b->kind && a->object == b->object;
}

/* Which event of a path is an edge that does not diffract the ray, while both share all other events? @return -1 when
   there is no such event. */
static int find_edge_beside(const rcity_trace_event *events, int count, const rcity_trace_path *ray)
{
    int at = 0;
    while (at < ray->event_count && at < count && is_same_event(&events[at], &ray->event[at])) {
        at++;
    }
    if (at == count || events[at].kind != RCITY_EVENT_DIFFRACTION ||
        (count == ray->event_count && ray->event[at].kind != RCITY_EVENT_REFLECTION)) {
        return -1;
    }
    int skipped = count - ray->event_count; /* 1: the ray goes straight past the edge; 0: it reflects there */
    for (int i = at + 1; i < count; i++) {
        if (!is_same_event(&events[i], &ray->event[i - skipped])) {
            return -1;
        }
    }
    return at;
}

static size_t first_event(const rcity_path_list *list, size_t path)
{
    return path > 0 ? list->event_end[path - 1] : 0;
}

static bool meets_the_same(const rcity_trace_event *events, int count, const rcity_trace_path *ray)
{
    for (int i = 0; i < count && count == ray->event_count; i++) {
        if (!is_same_event(&events[i], &ray->event[i])) {
            return false;
        }
    }
    return count == ray->event_count;
}

static size_t find_path(const rcity_path_list *list, const rcity_trace_path *wanted)
{
    for (size_t i = 0; i < list->path_count; i++) {
        size_t first = first_event(list, i);
        if (meets_the_same(list->events + first, (int)(list->event_end[i] - first), wanted)) {
            return i;
        }
    }
    return NOT_AT_ALL;
}

static void remove_path(rcity_path_list *list, size_t index)
{
    size_t first = first_event(list, index);
    size_t count = list->event_end[index] - first;
    memmove(list->events + first, list->events + first + count,
            (list->event_count - first - count) * sizeof *list->events);
    list->event_count -= count;
    for (size_t i = index; i + 1 < list->path_count; i++) {
        list->event_end[i] = list->event_end[i + 1] - count;
    }
    list->path_count--;
}

/* What all edges of a list say about one ray: it is visible when each edge whose boundary it runs along leaves it
   visible. Edges that it goes straight past are collected as detours for sight. */
static boundary_side ask_all(const rcity_search *search, int32_t *found, rcity_place3 rx, const rcity_path_list *list,
                             const rcity_trace_path *ray, rcity_path_detours *detours)
{
    boundary_side all = {true, false};
    detours->count = 0;
    for (size_t i = 0; i < list->path_count; i++) {
        const rcity_trace_event *events = list->events + first_event(list, i);
        int count = (int)(list->event_end[i] - first_event(list, i));
        bool is_past = count == ray->event_count + 1;
        int at = is_past || count == ray->event_count ? find_edge_beside(events, count, ray) : -1;
        for (int kind = is_past ? 0 : 1; at >= 0 && kind < (is_past ? 1 : BOUNDARY_KINDS); kind++) {
            rcity_trace_path path;
            boundary_side side;
            rcity_path_list_get(list, i, search->tx, rx, &path);
            if (lies_in_strip(search->world, &path, at, (boundary_kind)kind, &side) &&
                (is_past || find_face(search, found, &path.event[at], (boundary_kind)kind) == ray->event[at].object)) {
                all.can_be_seen = all.can_be_seen && side.can_be_seen;
                all.is_tie = all.is_tie || side.is_tie;
                if (is_past) {
                    rcity_path_detour_add(detours, at, &path.event[at]);
                }
            }
        }
    }
    return all;
}

/* Decide one ray. `*index` is the path that asked; it moves when a path before it is removed. */
static rcity_status decide_ray(rcity_context *context, const rcity_search *search, int32_t *found, rcity_place3 rx,
                               const rcity_trace_path *ray, size_t *index, rcity_path_list *list, int *tie_count)
{
    rcity_path_detours detours;
    boundary_side side = ask_all(search, found, rx, list, ray, &detours);
    size_t at = find_path(list, ray);
    if (side.can_be_seen && at == NOT_AT_ALL && rcity_path_is_free(&search->checker, ray, &detours)) {
        *tie_count += side.is_tie;
        return rcity_path_list_add(context, list, ray);
    }
    if (!side.can_be_seen && at != NOT_AT_ALL) {
        *tie_count += side.is_tie;
        remove_path(list, at);
        *index -= at < *index;
    }
    return RCITY_OK;
}

/* Decide a receiver's paths. `*ties` says whether an edge has a boundary exactly there; `*tie_count` counts rays ending
   at one whose result differs from that of the ends moved aside. */
static rcity_status decide(rcity_context *context, const rcity_search *search, int32_t *found, rcity_place3 rx,
                           rcity_path_list *list, bool *ties, int *tie_count)
{
    *ties = false;
    *tie_count = 0;
    for (size_t i = 0; i < list->path_count; i++) {
        rcity_trace_path path, ray;
        rcity_path_list_get(list, i, search->tx, rx, &path);
        for (int event = 0; event < path.event_count; event++) {
            for (int kind = 0; kind < BOUNDARY_KINDS; kind++) {
                boundary_side side;
                if (path.event[event].kind != RCITY_EVENT_DIFFRACTION ||
                    !lies_in_strip(search->world, &path, event, (boundary_kind)kind, &side)) {
                    continue;
                }
                *ties = *ties || side.is_tie;
                if (solve_ray(search, found, rx, &path, event, (boundary_kind)kind, &ray)) {
                    RCITY_TRY(decide_ray(context, search, found, rx, &ray, &i, list, tie_count));
                }
            }
        }
    }
    return RCITY_OK;
}

/* Search and decide for a receiver at its place, tested on one of its sides. */
static rcity_status search_side(rcity_context *context, const rcity_search *search, rcity_searcher *searcher,
                                rcity_place3 rx, int side, rcity_path_list *list, bool *ties, int *tie_count)
{
    list->path_count = 0;
    list->event_count = 0;
    searcher->side = side;
    RCITY_TRY(rcity_search_run(context, search, searcher, rx, list));
    return decide(context, search, searcher->rx_reach.found, rx, list, ties, tie_count);
}

rcity_status rcity_boundary_search(rcity_context *context, const rcity_search *search, rcity_searcher *searcher,
                                   rcity_place3 *rx, rcity_path_list *list)
{
    bool ties;
    int tie_count;
    RCITY_TRY(search_side(context, search, searcher, *rx, 0, list, &ties, &tie_count));
    if (!ties) {
        return RCITY_OK;
    }
    int best = 0;
    int least = tie_count;
    for (int side = 1; side < RCITY_PATH_END_SIDES && least > 0; side++) {
        RCITY_TRY(search_side(context, search, searcher, *rx, side, list, &ties, &tie_count));
        best = tie_count < least ? side : best;
        least = tie_count < least ? tie_count : least;
    }
    *rx = rcity_path_end_rx_aside(*rx, best);
    return search_side(context, search, searcher, *rx, best, list, &ties, &tie_count);
}

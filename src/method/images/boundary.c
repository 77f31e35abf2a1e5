/* Paths at shadow boundaries: the angle at the edge decides, not the grid. */
#include "method/images/boundary.h"

#include <math.h>
#include <string.h>

#define STRIP_M    0.04 /* how far beside the boundary sight may be wrong, and a little */
#define NOT_AT_ALL SIZE_MAX

/* Does the path run straight over one of its edges, within the strip? Then `*is_lit` says on which side. */
static bool lies_in_strip(const rcity_trace_world *world, const rcity_trace_path *path, int event, bool *is_lit)
{
    const rcity_bend *bend = &world->bends[path->event[event].object];
    double before_m, after_m;
    double before =
        rcity_bend_angle(bend, path->event[event].point, rcity_trace_path_point(path, event - 1), &before_m);
    double after = rcity_bend_angle(bend, path->event[event].point, rcity_trace_path_point(path, event + 1), &after_m);
    double turn = fabs(after - before) - RCITY_TRACE_PI;
    *is_lit = turn <= 0.0;
    return fabs(turn) < 0.5 && fabs(turn) * fmin(before_m, after_m) < STRIP_M;
}

/* The path without one of its edges. @return false when it is none a route can tell. */
static bool solve_without(const rcity_search *search, rcity_place3 rx, const rcity_trace_path *path, int without,
                          rcity_trace_path *straight)
{
    rcity_route route;
    memset(&route, 0, sizeof route);
    rcity_stretch *stretch = &route.stretch[0];
    stretch->level = -1;
    for (int i = 0; i < path->event_count; i++) {
        int32_t object = path->event[i].object;
        if (i == without) {
            continue;
        }
        if (path->event[i].kind == RCITY_EVENT_DIFFRACTION) {
            route.bend[route.bend_count++] = object;
            stretch = &route.stretch[route.bend_count];
            stretch->level = -1;
            continue;
        }
        bool is_level = object >= search->world->wall_count;
        if (path->event[i].kind != RCITY_EVENT_REFLECTION || object >= search->world->mirror_count ||
            (is_level && stretch->level >= 0)) { /* the last: bounced off a level on both sides of the edge */
            return false;
        }
        if (is_level) {
            stretch->level = object;
        } else {
            stretch->wall[stretch->wall_count++] = object;
        }
    }
    return rcity_path_solve(search->world, search->tx, rx, &route, straight) &&
           rcity_path_is_sound(&search->checker, straight);
}

static bool meets_the_same(const rcity_trace_path *a, const rcity_trace_path *b)
{
    for (int i = 0; i < a->event_count && a->event_count == b->event_count; i++) {
        if (a->event[i].kind != b->event[i].kind || a->event[i].object != b->event[i].object) {
            return false;
        }
    }
    return a->event_count == b->event_count;
}

static size_t find_path(const rcity_path_list *list, const rcity_search *search, rcity_place3 rx,
                        const rcity_trace_path *wanted)
{
    rcity_trace_path path;
    for (size_t i = 0; i < list->path_count; i++) {
        rcity_path_list_get(list, i, search->tx, rx, &path);
        if (meets_the_same(&path, wanted)) {
            return i;
        }
    }
    return NOT_AT_ALL;
}

static void remove_path(rcity_path_list *list, size_t index)
{
    size_t first = index > 0 ? list->event_end[index - 1] : 0;
    size_t count = list->event_end[index] - first;
    memmove(list->events + first, list->events + first + count,
            (list->event_count - first - count) * sizeof *list->events);
    list->event_count -= count;
    for (size_t i = index; i + 1 < list->path_count; i++) {
        list->event_end[i] = list->event_end[i + 1] - count;
    }
    list->path_count--;
}

rcity_status rcity_boundary_settle(rcity_context *context, const rcity_search *search, rcity_place3 rx,
                                   rcity_path_list *list)
{
    for (size_t i = 0; i < list->path_count; i++) {
        rcity_trace_path path, straight;
        rcity_path_list_get(list, i, search->tx, rx, &path);
        for (int event = 0; event < path.event_count; event++) {
            bool is_lit;
            if (path.event[event].kind != RCITY_EVENT_DIFFRACTION ||
                !lies_in_strip(search->world, &path, event, &is_lit) ||
                !solve_without(search, rx, &path, event, &straight)) {
                continue;
            }
            size_t found = find_path(list, search, rx, &straight);
            if (is_lit && found == NOT_AT_ALL) {
                RCITY_TRY(rcity_path_list_add(context, list, &straight));
            } else if (!is_lit && found != NOT_AT_ALL) {
                remove_path(list, found);
                i -= found < i;
            }
        }
    }
    return RCITY_OK;
}

/* Checking a path: cheap tests first, sight last. */
#include "method/images/path/path_check.h"

#include <math.h>
#include <string.h>

#include "scene/place/terrain.h"
#include "scene/shape/prism.h"

#define OFF_SURFACE_UNITS 1.5  /* more than rounding moves a point, so it never ends up inside */
#define LEG_MIN_UNITS     1.28 /* places that the grid cannot distinguish count as one */
#define IN_FACE_M         1e-9 /* no more than rounding: a place this far inside a face counts as on it */

static double leg_min_m(const rcity_path_checker *checker)
{
    return LEG_MIN_UNITS / checker->world->shapes->units_per_m;
}

rcity_grid_point3 rcity_path_snap(const rcity_shapes *shapes, rcity_place3 point, const rcity_place3 *outward)
{
    double x = point.x * shapes->units_per_m;
    double y = point.y * shapes->units_per_m;
    if (outward != NULL) {
        x += OFF_SURFACE_UNITS * outward->x;
        y += OFF_SURFACE_UNITS * outward->y;
    }
    rcity_grid_point3 at = {(int32_t)round(x), (int32_t)round(y), 0};
    at.z = rcity_terrain_snap_height(&shapes->terrain, at.x, at.y, point.z * RCITY_HEIGHT_UNITS_PER_M);
    return at;
}

bool rcity_roof_is_open(const rcity_shapes *shapes, const rcity_plan_index *prism_index, int32_t prism,
                        rcity_grid_point at)
{
    if (!rcity_prism_owns(shapes, &shapes->prisms[prism], at)) {
        return false;
    }
    int32_t roof = shapes->prisms[prism].roof;
    rcity_plan_box box = {at.x, at.y, at.x, at.y};
    rcity_plan_walk walk;
    rcity_plan_walk_init(prism_index, box, &walk);
    for (int32_t other = rcity_plan_walk_next(&walk); other >= 0; other = rcity_plan_walk_next(&walk)) {
        int32_t other_roof = shapes->prisms[other].roof;
        if ((other_roof > roof || (other_roof == roof && other < prism)) &&
            rcity_prism_owns(shapes, &shapes->prisms[other], at)) {
            return false;
        }
    }
    return true;
}

/* Half-open, so that pieces of one wall share no point. */
static bool lies_on_wall(const rcity_mirror *wall, rcity_place3 p)
{
    double length = hypot(wall->x2 - wall->x1, wall->y2 - wall->y1);
    double along = (p.y - wall->y1) * wall->normal.x - (p.x - wall->x1) * wall->normal.y;
    return along >= 0.0 && along < length && p.z >= wall->bottom && p.z < wall->top;
}

/* Does a building with a roof higher than this stand at a place? In units of heights. */
static bool is_built_over(const rcity_path_checker *checker, rcity_place3 p, double above)
{
    const rcity_shapes *shapes = checker->world->shapes;
    rcity_grid_point3 at = rcity_path_snap(shapes, p, NULL);
    rcity_grid_point plan = {at.x, at.y};
    rcity_plan_box box = {at.x, at.y, at.x, at.y};
    rcity_plan_walk walk;
    rcity_plan_walk_init(checker->prism_index, box, &walk);
    for (int32_t i = rcity_plan_walk_next(&walk); i >= 0; i = rcity_plan_walk_next(&walk)) {
        if ((double)shapes->prisms[i].roof > above && rcity_prism_owns(shapes, &shapes->prisms[i], plan)) {
            return true;
        }
    }
    return false;
}

bool rcity_path_is_inside(const rcity_path_checker *checker, rcity_place3 place)
{
    return is_built_over(checker, place, place.z * RCITY_HEIGHT_UNITS_PER_M);
}

static bool lies_on_mirror(const rcity_path_checker *checker, const rcity_mirror *mirror, rcity_place3 p)
{
    if (mirror->kind == RCITY_MIRROR_WALL) {
        return lies_on_wall(mirror, p);
    }
    if (mirror->kind == RCITY_MIRROR_ROOF) {
        const rcity_shapes *shapes = checker->world->shapes;
        rcity_grid_point3 at = rcity_path_snap(shapes, p, NULL);
        rcity_grid_point plan = {at.x, at.y};
        return rcity_roof_is_open(shapes, checker->prism_index, mirror->prism, plan);
    }
    /* indoors there is a floor, not the ground; without transmissions a leg would be blocked there anyway */
    return checker->max_transmissions == 0 || !is_built_over(checker, p, -HUGE_VAL);
}

static bool lies_on_edge(const rcity_facet_edge *facet_edge, rcity_place3 p)
{
    double length = (facet_edge->b.x - facet_edge->a.x) * facet_edge->along.x +
                    (facet_edge->b.y - facet_edge->a.y) * facet_edge->along.y +
                    (facet_edge->b.z - facet_edge->a.z) * facet_edge->along.z;
    double at = (p.x - facet_edge->a.x) * facet_edge->along.x + (p.y - facet_edge->a.y) * facet_edge->along.y +
                (p.z - facet_edge->a.z) * facet_edge->along.z;
    return at >= 0.0 && at < length;
}

/* Does the direction to a place leave the edge into the air? */
static bool leaves_into_air(const rcity_facet_edge *facet_edge, rcity_place3 at, rcity_place3 to)
{
    double off_m;
    double phi = rcity_facet_edge_angle(facet_edge, at, to, &off_m);
    double into = phi < 0.0 ? -phi : phi - facet_edge->exterior_rad;
    return into * off_m <= IN_FACE_M;
}

static bool diffracts_at(const rcity_trace_path *path, int index)
{
    return index >= 0 && index < path->event_count && path->event[index].kind == RCITY_EVENT_DIFFRACTION;
}

bool rcity_path_is_sound(const rcity_path_checker *checker, const rcity_trace_path *path, int but)
{
    /* between edges that meet in a corner no leg is possible; between mirrors, and to an end, any leg will do */
    for (int i = -1; i < path->event_count; i++) {
        rcity_place3 a = rcity_trace_path_point(path, i);
        rcity_place3 b = rcity_trace_path_point(path, i + 1);
        if ((diffracts_at(path, i) || diffracts_at(path, i + 1)) &&
            fabs(a.x - b.x) + fabs(a.y - b.y) + fabs(a.z - b.z) < leg_min_m(checker)) {
            return false;
        }
    }
    for (int i = 0; i < path->event_count; i++) {
        const rcity_trace_event *event = &path->event[i];
        rcity_place3 before = rcity_trace_path_point(path, i - 1);
        rcity_place3 after = rcity_trace_path_point(path, i + 1);
        if (i != but && event->kind == RCITY_EVENT_REFLECTION && event->object < checker->world->mirror_count &&
            !lies_on_mirror(checker, &checker->world->mirrors[event->object], event->point)) {
            return false;
        }
        if (event->kind == RCITY_EVENT_DIFFRACTION) {
            const rcity_facet_edge *facet_edge = &checker->world->edges[event->object];
            if (!lies_on_edge(facet_edge, event->point) || !leaves_into_air(facet_edge, event->point, before) ||
                !leaves_into_air(facet_edge, event->point, after)) {
                return false;
            }
        }
    }
    return true;
}

rcity_grid_point3 rcity_path_snap_event(const rcity_path_checker *checker, const rcity_trace_path *path, int index)
{
    const rcity_facet_table *world = checker->world;
    const rcity_place3 *outward = NULL;
    if (index >= 0 && index < path->event_count) {
        const rcity_trace_event *event = &path->event[index];
        if (event->kind == RCITY_EVENT_DIFFRACTION) {
            outward = &world->edges[event->object].outward;
        } else if (event->object < world->wall_count) {
            outward = &world->mirrors[event->object].normal;
        }
    }
    return rcity_path_snap(world->shapes, rcity_trace_path_point(path, index), outward);
}

void rcity_path_detour_add(rcity_path_detours *detours, int leg, const rcity_trace_event *edge)
{
    if (detours->count < RCITY_PATH_DETOUR_MAX) {
        detours->leg[detours->count] = leg;
        detours->edge[detours->count++] = *edge;
    }
}

static double distance_m(rcity_place3 a, rcity_place3 b)
{
    return hypot(hypot(a.x - b.x, a.y - b.y), a.z - b.z);
}

/* The next edge to go around on a leg: the nearest to its start beyond a distance. @return -1 when there is none. */
static int next_detour(const rcity_path_detours *detours, int leg, rcity_place3 start, double beyond_m)
{
    int next = -1;
    double next_m = HUGE_VAL;
    for (int i = 0; i < detours->count; i++) {
        double at_m = distance_m(start, detours->edge[i].point);
        if (detours->leg[i] == leg && at_m > beyond_m && at_m < next_m) {
            next = i;
            next_m = at_m;
        }
    }
    return next;
}

/* The place where a leg passes an edge, moved out as far as a point on the edge would be and no farther, so that other
   obstacles there are not missed. */
static rcity_grid_point3 snap_beside(const rcity_path_checker *checker, rcity_place3 a, rcity_place3 b,
                                     const rcity_trace_event *edge)
{
    const rcity_facet_table *world = checker->world;
    rcity_place3 to_edge = {edge->point.x - a.x, edge->point.y - a.y, edge->point.z - a.z};
    rcity_place3 leg = {b.x - a.x, b.y - a.y, b.z - a.z};
    double part = (to_edge.x * leg.x + to_edge.y * leg.y + to_edge.z * leg.z) /
                  fmax(leg.x * leg.x + leg.y * leg.y + leg.z * leg.z, 1e-12);
    rcity_place3 at = {a.x + part * leg.x, a.y + part * leg.y, a.z + part * leg.z};
    double units = distance_m(at, edge->point) * world->shapes->units_per_m;
    double share = fmax(1.0 - units / OFF_SURFACE_UNITS, 0.0);
    rcity_place3 outward = world->edges[edge->object].outward;
    outward = (rcity_place3){share * outward.x, share * outward.y, 0.0};
    return rcity_path_snap(world->shapes, at, &outward);
}

bool rcity_path_is_free(const rcity_path_checker *checker, const rcity_trace_path *path,
                        const rcity_path_detours *detours)
{
    rcity_grid_point3 from = rcity_path_snap_event(checker, path, -1);
    for (int leg = 0; leg <= path->event_count; leg++) {
        rcity_place3 start = rcity_trace_path_point(path, leg - 1);
        for (int i = next_detour(detours, leg, start, -1.0); i >= 0;) {
            const rcity_trace_event *edge = &detours->edge[i];
            rcity_grid_point3 round = snap_beside(checker, start, rcity_trace_path_point(path, leg), edge);
            if (!rcity_sight_is_free(checker->sight, from, round)) {
                return false;
            }
            from = round;
            i = next_detour(detours, leg, start, distance_m(start, edge->point));
        }
        rcity_grid_point3 to = rcity_path_snap_event(checker, path, leg);
        if (!rcity_sight_is_free(checker->sight, from, to)) {
            return false;
        }
        from = to;
    }
    return true;
}

/* One passage of a leg through a surface. */
typedef struct passage {
    double part; /* fraction of the leg */
    int32_t mirror;
} passage;

typedef struct passages {
    int count;
    passage at[RCITY_RAY_EVENT_MAX];
} passages;

/* Insert a passage in order along the leg; those beyond the room are only counted. */
static void add_passage(passages *all, double part, int32_t mirror)
{
    if (all->count < RCITY_RAY_EVENT_MAX) {
        int i = all->count;
        while (i > 0 && all->at[i - 1].part > part) {
            all->at[i] = all->at[i - 1];
            i--;
        }
        all->at[i] = (passage){part, mirror};
    }
    all->count++;
}

/* Where a leg goes through a plane, away from the leg's ends, which lie on surfaces of their own. */
static bool passes_plane(const rcity_mirror *mirror, rcity_place3 a, rcity_place3 b, double end_m, double *part)
{
    double at_a = rcity_mirror_distance(mirror, a);
    double at_b = rcity_mirror_distance(mirror, b);
    *part = at_a / (at_a - at_b);
    return (at_a > end_m && at_b < -end_m) || (at_a < -end_m && at_b > end_m);
}

static rcity_place3 between(rcity_place3 a, rcity_place3 b, double part)
{
    return (rcity_place3){a.x + part * (b.x - a.x), a.y + part * (b.y - a.y), a.z + part * (b.z - a.z)};
}

static void find_wall_passages(const rcity_path_checker *checker, int32_t *found, rcity_place3 a, rcity_place3 b,
                               passages *all)
{
    double dx = b.x - a.x;
    double dy = b.y - a.y;
    double length = hypot(dx, dy);
    if (length < leg_min_m(checker)) {
        return; /* a vertical leg passes no wall */
    }
    rcity_region strip = {2, {{-dy / length, dx / length, 0.0}, {dy / length, -dx / length, 0.0}}};
    strip.side[0].c = -(strip.side[0].x * a.x + strip.side[0].y * a.y);
    strip.side[1].c = -strip.side[0].c;
    int32_t count = rcity_plan_tree_find(checker->wall_tree, &strip, found);
    for (int32_t i = 0; i < count; i++) {
        const rcity_mirror *wall = &checker->world->mirrors[found[i]];
        double part;
        if (passes_plane(wall, a, b, leg_min_m(checker), &part) && lies_on_wall(wall, between(a, b, part))) {
            add_passage(all, part, found[i]);
        }
    }
}

static void find_roof_passages(const rcity_path_checker *checker, rcity_place3 a, rcity_place3 b, passages *all)
{
    const rcity_shapes *shapes = checker->world->shapes;
    rcity_grid_point3 from = rcity_path_snap(shapes, a, NULL);
    rcity_grid_point3 to = rcity_path_snap(shapes, b, NULL);
    rcity_grid_point p = {from.x, from.y};
    rcity_grid_point q = {to.x, to.y};
    rcity_plan_walk walk;
    rcity_plan_walk_init(checker->prism_index, rcity_edge_box(p, q), &walk);
    for (int32_t i = rcity_plan_walk_next(&walk); i >= 0; i = rcity_plan_walk_next(&walk)) {
        const rcity_prism *prism = &shapes->prisms[i];
        rcity_plan_box box = {prism->x_min, prism->y_min, prism->x_max, prism->y_max};
        int32_t mirror = (int32_t)checker->world->wall_count + i;
        double part;
        if (rcity_plan_walk_is_first(&walk, box) &&
            passes_plane(&checker->world->mirrors[mirror], a, b, leg_min_m(checker), &part) &&
            lies_on_mirror(checker, &checker->world->mirrors[mirror], between(a, b, part))) {
            add_passage(all, part, mirror);
        }
    }
}

/* Put the passages of leg `leg` into the path before the event it leads to. */
static void insert_passages(rcity_trace_path *path, int leg, const passages *all)
{
    rcity_place3 a = rcity_trace_path_point(path, leg - 1);
    rcity_place3 b = rcity_trace_path_point(path, leg);
    memmove(&path->event[leg + all->count], &path->event[leg], (size_t)(path->event_count - leg) * sizeof *path->event);
    for (int i = 0; i < all->count; i++) {
        path->event[leg + i] =
            (rcity_trace_event){RCITY_EVENT_TRANSMISSION, all->at[i].mirror, between(a, b, all->at[i].part)};
    }
    path->event_count += all->count;
}

/* Find the passages of leg `leg` and put them into the path. @return false where they are more than are left. */
static bool add_passages(const rcity_path_checker *checker, int32_t *found, int left, int leg, rcity_trace_path *path,
                         int *passed)
{
    passages all;
    all.count = 0;
    find_wall_passages(checker, found, rcity_trace_path_point(path, leg - 1), rcity_trace_path_point(path, leg), &all);
    find_roof_passages(checker, rcity_trace_path_point(path, leg - 1), rcity_trace_path_point(path, leg), &all);
    if (all.count > left || path->event_count + all.count > RCITY_RAY_EVENT_MAX) {
        return false;
    }
    insert_passages(path, leg, &all);
    *passed = all.count;
    return true;
}

/* May a leg that is not free go through what blocks it? Never through ground. */
static bool pass_through(const rcity_path_checker *checker, int32_t *found, rcity_grid_point3 from,
                         rcity_grid_point3 to, int left, int leg, rcity_trace_path *path, int *passed)
{
    return left > 0 && !rcity_terrain_blocks(&checker->world->shapes->terrain, from, to) &&
           add_passages(checker, found, left, leg, path, passed) && *passed > 0;
}

bool rcity_path_pass(const rcity_path_checker *checker, int32_t *found, rcity_trace_path *path)
{
    int left = checker->max_transmissions;
    for (int i = 0; i <= path->event_count; i++) {
        int passed = 0;
        if (!add_passages(checker, found, left, i, path, &passed)) {
            return false;
        }
        left -= passed;
        i += passed;
    }
    return true;
}

bool rcity_path_enters(const rcity_facet_table *world, const rcity_trace_path *path, int index)
{
    rcity_place3 normal = world->mirrors[path->event[index].object].normal; /* into the air */
    rcity_place3 a = rcity_trace_path_point(path, index - 1);
    rcity_place3 b = rcity_trace_path_point(path, index + 1);
    return normal.x * (b.x - a.x) + normal.y * (b.y - a.y) + normal.z * (b.z - a.z) < 0.0;
}

static bool is_passage(const rcity_trace_path *path, int index)
{
    return index >= 0 && index < path->event_count && path->event[index].kind == RCITY_EVENT_TRANSMISSION;
}

double rcity_path_inside_m(const rcity_facet_table *world, const rcity_trace_path *path)
{
    double inside_m = 0.0;
    for (int i = 0; i <= path->event_count; i++) {
        if ((is_passage(path, i - 1) && rcity_path_enters(world, path, i - 1)) ||
            (is_passage(path, i) && !rcity_path_enters(world, path, i))) {
            inside_m += distance_m(rcity_trace_path_point(path, i - 1), rcity_trace_path_point(path, i));
        }
    }
    return inside_m;
}

bool rcity_path_check(const rcity_path_checker *checker, int32_t *found, rcity_trace_path *path)
{
    if (!rcity_path_is_sound(checker, path, -1)) {
        return false;
    }
    int left = checker->max_transmissions;
    rcity_grid_point3 from = rcity_path_snap_event(checker, path, -1);
    for (int i = 0; i <= path->event_count; i++) {
        rcity_grid_point3 to = rcity_path_snap_event(checker, path, i);
        if (!rcity_sight_is_free(checker->sight, from, to)) {
            int passed = 0;
            if (!pass_through(checker, found, from, to, left, i, path, &passed)) {
                return false;
            }
            left -= passed;
            i += passed;
        }
        from = to;
    }
    return true;
}

/* The first event from an index on that is no passage. */
static int skip_passages(const rcity_trace_path *path, int index)
{
    while (index < path->event_count && path->event[index].kind == RCITY_EVENT_TRANSMISSION) {
        index++;
    }
    return index;
}

bool rcity_path_move(const rcity_facet_table *world, const rcity_trace_path *exact, rcity_trace_path *path)
{
    int at = 0;
    for (int i = skip_passages(path, 0); i < path->event_count; i = skip_passages(path, i + 1), at++) {
        if (at >= exact->event_count || path->event[i].kind != exact->event[at].kind ||
            path->event[i].object != exact->event[at].object) {
            return false;
        }
    }
    if (at != exact->event_count) {
        return false;
    }
    path->tx = exact->tx;
    path->rx = exact->rx;
    at = 0;
    for (int i = 0; i < path->event_count; i++) {
        if (path->event[i].kind != RCITY_EVENT_TRANSMISSION) {
            path->event[i].point = exact->event[at++].point;
            continue;
        }
        const rcity_mirror *surface = &world->mirrors[path->event[i].object];
        rcity_place3 a = rcity_trace_path_point(exact, at - 1);
        rcity_place3 b = rcity_trace_path_point(exact, at);
        double over_a = rcity_mirror_distance(surface, a);
        path->event[i].point = between(a, b, over_a / (over_a - rcity_mirror_distance(surface, b)));
    }
    return true;
}

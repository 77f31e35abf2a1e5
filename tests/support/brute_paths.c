/* Brute force: sequences by recursion, images in space, edges by halving the slope of the length. */
#include "brute_paths.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#define OBJECTS_MAX 512

typedef struct brute_object {
    bool is_edge;
    bool is_wall;
    int building; /* -1: ground */
    /* mirror: unit normal and offset; wall: corner, direction, length */
    double normal[3], offset;
    double start[3], along[3], length; /* edge: start, direction, length; wall: its foot */
    double outward[2];
} brute_object;

typedef struct brute_run {
    const brute_city *city;
    const double *tx, *rx;
    int max_mirrors, max_edges;
    brute_object object[OBJECTS_MAX];
    int object_count;
    brute_sight sight;
    void *sight_user;
    brute_listener listener;
    void *listener_user;
    int sequence[BRUTE_EVENTS];
} brute_run;

static double dot3(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static bool is_inside(const brute_building *b, double x, double y)
{
    bool inside = false;
    for (int i = 0, j = b->corner_count - 1; i < b->corner_count; j = i++) {
        if ((b->y[i] > y) != (b->y[j] > y) && x < (b->x[j] - b->x[i]) * (y - b->y[i]) / (b->y[j] - b->y[i]) + b->x[i]) {
            inside = !inside;
        }
    }
    return inside;
}

/* Distance to the outline. */
static double to_outline(const brute_building *b, double x, double y)
{
    double least = HUGE_VAL;
    for (int i = 0; i < b->corner_count; i++) {
        int j = (i + 1) % b->corner_count;
        double dx = b->x[j] - b->x[i];
        double dy = b->y[j] - b->y[i];
        double t = ((x - b->x[i]) * dx + (y - b->y[i]) * dy) / (dx * dx + dy * dy);
        t = fmin(fmax(t, 0.0), 1.0);
        least = fmin(least, hypot(b->x[i] + t * dx - x, b->y[i] + t * dy - y));
    }
    return least;
}

static void add_wall_objects(brute_run *run, int index)
{
    const brute_building *b = &run->city->building[index];
    for (int i = 0; i < b->corner_count; i++) {
        int j = (i + 1) % b->corner_count;
        int h = (i + b->corner_count - 1) % b->corner_count;
        double dx = b->x[j] - b->x[i];
        double dy = b->y[j] - b->y[i];
        double length = hypot(dx, dy);
        dx /= length;
        dy /= length;
        brute_object wall = {
            false,         true,   index,    {dy, -dx, 0.0}, b->x[i] * dy - b->y[i] * dx, {b->x[i], b->y[i], 0.0},
            {dx, dy, 0.0}, length, {dy, -dx}};
        run->object[run->object_count++] = wall;
        /* the tracer's roof edges run the other way, and their ends are half-open */
        brute_object roof_edge = {
            true,   false,    index, {0.0, 0.0, 0.0}, 0.0, {b->x[j], b->y[j], b->height}, {-dx, -dy, 0.0},
            length, {dy, -dx}};
        run->object[run->object_count++] = roof_edge;
        double ex = b->x[i] - b->x[h];
        double ey = b->y[i] - b->y[h];
        double before = hypot(ex, ey);
        ex /= before;
        ey /= before;
        if (ex * dy - ey * dx > 1e-12) { /* a convex corner */
            double ox = ey + dy;
            double oy = -ex - dx;
            double size = hypot(ox, oy);
            brute_object corner = {true,
                                   false,
                                   index,
                                   {0.0, 0.0, 0.0},
                                   0.0,
                                   {b->x[i], b->y[i], 0.0},
                                   {0.0, 0.0, 1.0},
                                   b->height,
                                   {ox / size, oy / size}};
            run->object[run->object_count++] = corner;
        }
    }
    brute_object roof = {false,           false,           index, {0.0, 0.0, 1.0}, b->height,
                         {0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}, 0.0,   {0.0, 0.0}};
    run->object[run->object_count++] = roof;
}

static void mirror(const brute_object *m, double p[3])
{
    double twice = 2.0 * (dot3(m->normal, p) - m->offset);
    for (int k = 0; k < 3; k++) {
        p[k] -= twice * m->normal[k];
    }
}

/* Slope of |p - x(t)| along an edge. */
static double slope(const brute_object *facet_edge, double t, const double p[3])
{
    double d[3];
    for (int k = 0; k < 3; k++) {
        d[k] = facet_edge->start[k] + t * facet_edge->along[k] - p[k];
    }
    return dot3(d, facet_edge->along) / sqrt(dot3(d, d));
}

static double halve(const brute_object *facet_edge, const double a[3], const double b[3])
{
    double low = -1000.0;
    double high = 1000.0;
    for (int i = 0; i < 64; i++) {
        double middle = 0.5 * (low + high);
        if (slope(facet_edge, middle, a) + slope(facet_edge, middle, b) < 0.0) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return 0.5 * (low + high);
}

static void place_on(const brute_object *facet_edge, double t, double p[3])
{
    for (int k = 0; k < 3; k++) {
        p[k] = facet_edge->start[k] + t * facet_edge->along[k];
    }
}

/* Image of a place through the mirrors sequence[first] .. sequence[last - 1], walked forward or back. */
static void image(const brute_run *run, int first, int last, bool is_forward, double p[3])
{
    for (int i = 0; i < last - first; i++) {
        mirror(&run->object[run->sequence[is_forward ? first + i : last - 1 - i]], p);
    }
}

/* The points between two known ends: backwards from the far end, towards the images of the near one. */
static bool trace_back(const brute_run *run, int first, int last, const double from[3], const double to[3],
                       brute_path *path)
{
    double target[3] = {to[0], to[1], to[2]};
    for (int i = last - 1; i >= first; i--) {
        const brute_object *m = &run->object[run->sequence[i]];
        double source[3] = {from[0], from[1], from[2]};
        image(run, first, i + 1, true, source);
        double behind = dot3(m->normal, source) - m->offset;
        double ahead = dot3(m->normal, target) - m->offset;
        if (!(behind < -1e-6 && ahead > 1e-6)) {
            return false;
        }
        double part = behind / (behind - ahead);
        for (int k = 0; k < 3; k++) {
            target[k] = source[k] + part * (target[k] - source[k]);
            path->point[i][k] = target[k];
        }
    }
    return true;
}

/* Along the second of two edges, where the path from a place on the first is shortest. */
static double follow(const brute_run *run, const int at[2], double t_first, const double to[3])
{
    double seen[3];
    place_on(&run->object[run->sequence[at[0]]], t_first, seen);
    image(run, at[0] + 1, at[1], true, seen);
    return halve(&run->object[run->sequence[at[1]]], seen, to);
}

/* Two edges: each in turn, as the other stands. Edges near each other, seen from far, creep; then the first is halved
   while the second follows, which is slow and always ends. */
static void find_pair(const brute_run *run, const int at[2], const double from[3], const double to[3], double t[2])
{
    const brute_object *first = &run->object[run->sequence[at[0]]];
    const brute_object *second = &run->object[run->sequence[at[1]]];
    double seen[3];
    t[1] = 0.5 * second->length;
    t[0] = 0.5 * first->length;
    for (int round = 0; round < 400; round++) {
        place_on(second, t[1], seen);
        image(run, at[0] + 1, at[1], false, seen);
        double t0 = halve(first, from, seen);
        double t1 = follow(run, at, t0, to);
        double change = fabs(t0 - t[0]) + fabs(t1 - t[1]);
        t[0] = t0;
        t[1] = t1;
        if (change < 1e-12 || fabs(t0) > 900.0 || fabs(t1) > 900.0) {
            return;
        }
    }
    double low = -997.3; /* never halved at a corner, where the edges may meet and there is no slope */
    double high = 1000.0;
    for (int i = 0; i < 64; i++) {
        t[0] = 0.5 * (low + high);
        t[1] = follow(run, at, t[0], to);
        place_on(second, t[1], seen);
        image(run, at[0] + 1, at[1], false, seen);
        if (slope(first, t[0], from) + slope(first, t[0], seen) < 0.0) {
            low = t[0];
        } else {
            high = t[0];
        }
    }
}

static bool solve(const brute_run *run, int count, brute_path *path)
{
    int at[2] = {count, count};
    int edges = 0;
    for (int i = 0; i < count; i++) {
        if (run->object[run->sequence[i]].is_edge) {
            at[edges++] = i;
        }
    }
    double from[3] = {run->tx[0], run->tx[1], run->tx[2]};
    double to[3] = {run->rx[0], run->rx[1], run->rx[2]};
    double x[2][3];
    if (edges == 1) {
        const brute_object *facet_edge = &run->object[run->sequence[at[0]]];
        image(run, 0, at[0], true, from);
        image(run, at[0] + 1, count, false, to);
        place_on(facet_edge, halve(facet_edge, from, to), x[0]);
    } else if (edges == 2) {
        const brute_object *first = &run->object[run->sequence[at[0]]];
        const brute_object *second = &run->object[run->sequence[at[1]]];
        image(run, 0, at[0], true, from);
        image(run, at[1] + 1, count, false, to);
        double t[2];
        find_pair(run, at, from, to, t);
        place_on(first, t[0], x[0]);
        place_on(second, t[1], x[1]);
    }
    const double *start = run->tx;
    int first = 0;
    for (int b = 0; b <= edges; b++) {
        int last = b < edges ? at[b] : count;
        const double *end = b < edges ? x[b] : run->rx;
        if (!trace_back(run, first, last, start, end, path)) {
            return false;
        }
        if (b < edges) {
            memcpy(path->point[last], x[b], sizeof x[b]);
        }
        start = end;
        first = last + 1;
    }
    return true;
}

/* Does the leg from an edge towards a point start inside the building? */
static bool starts_inside(const brute_run *run, const brute_object *facet_edge, const double at[3],
                          const double towards[3])
{
    const brute_building *b = &run->city->building[facet_edge->building];
    double d[3] = {towards[0] - at[0], towards[1] - at[1], towards[2] - at[2]};
    double size = sqrt(dot3(d, d));
    double x = at[0] + 1e-3 * d[0] / size;
    double y = at[1] + 1e-3 * d[1] / size;
    double z = at[2] + 1e-3 * d[2] / size;
    return is_inside(b, x, y) && to_outline(b, x, y) > 1e-12 && z < b->height - 1e-12;
}

static bool lies_on(const brute_run *run, const brute_object *object, const double p[3])
{
    if (object->is_edge || object->is_wall) {
        double along = (p[0] - object->start[0]) * object->along[0] + (p[1] - object->start[1]) * object->along[1] +
                       (p[2] - object->start[2]) * object->along[2];
        bool is_within = along >= 0.0 && along < object->length;
        return is_within && (object->is_edge || (p[2] >= 0.0 && p[2] < run->city->building[object->building].height));
    }
    return object->building < 0 || is_inside(&run->city->building[object->building], p[0], p[1]);
}

/* Into the air by one and a half grid units, then to the grid: the rule of the tracer. */
static void to_grid(const brute_run *run, const brute_object *object, const double p[3], double snapped[3])
{
    for (int k = 0; k < 2; k++) {
        double off = object == NULL ? 0.0 : 1.5 * object->outward[k];
        snapped[k] = round(p[k] * run->city->units_per_m + off) / run->city->units_per_m;
    }
    snapped[2] = round(p[2] * 64.0) / 64.0;
}

static bool is_real(const brute_run *run, int count, const brute_path *path)
{
    for (int i = 0; i < count; i++) {
        const brute_object *object = &run->object[run->sequence[i]];
        const double *before = i > 0 ? path->point[i - 1] : run->tx;
        const double *after = i + 1 < count ? path->point[i + 1] : run->rx;
        if (!lies_on(run, object, path->point[i])) {
            return false;
        }
        if (object->is_edge &&
            (starts_inside(run, object, path->point[i], before) || starts_inside(run, object, path->point[i], after))) {
            return false;
        }
    }
    /* no leg of an edge shorter than a centimetre, or what the grid has for it: edges that meet in a corner */
    for (int i = 0; i <= count; i++) {
        const double *a = i > 0 ? path->point[i - 1] : run->tx;
        const double *b = i < count ? path->point[i] : run->rx;
        bool has_edge = (i > 0 && run->object[run->sequence[i - 1]].is_edge) ||
                        (i < count && run->object[run->sequence[i]].is_edge);
        if (has_edge && fabs(a[0] - b[0]) + fabs(a[1] - b[1]) + fabs(a[2] - b[2]) < 1.28 / run->city->units_per_m) {
            return false;
        }
    }
    double from[3], to[3];
    to_grid(run, NULL, run->tx, from);
    for (int i = 0; i <= count; i++) {
        const brute_object *object = i < count ? &run->object[run->sequence[i]] : NULL;
        to_grid(run, object, i < count ? path->point[i] : run->rx, to);
        if (!run->sight(run->sight_user, from, to)) {
            return false;
        }
        memcpy(from, to, sizeof from);
    }
    return true;
}

static void extend(brute_run *run, int count, int mirrors, int edges)
{
    if (count > BRUTE_EVENTS) {
        return;
    }
    brute_path path;
    memset(&path, 0, sizeof path);
    path.event_count = count;
    if (solve(run, count, &path) && is_real(run, count, &path)) {
        for (int i = 0; i < count; i++) {
            path.is_edge[i] = run->object[run->sequence[i]].is_edge;
        }
        run->listener(run->listener_user, &path);
    }
    for (int i = 0; i < run->object_count && count < BRUTE_EVENTS; i++) {
        bool is_edge = run->object[i].is_edge;
        if ((count > 0 && run->sequence[count - 1] == i) ||
            (is_edge ? edges == run->max_edges : mirrors == run->max_mirrors)) {
            continue;
        }
        run->sequence[count] = i;
        extend(run, count + 1, mirrors + !is_edge, edges + is_edge);
    }
}

void brute_paths_find(const brute_city *city, const double tx[3], const double rx[3], int max_mirrors, int max_edges,
                      brute_sight sight, void *sight_user, brute_listener listener, void *listener_user)
{
    static brute_run run; /* too large for a stack; tests have one thread */
    memset(&run, 0, sizeof run);
    run.city = city;
    run.tx = tx;
    run.rx = rx;
    run.max_mirrors = max_mirrors;
    run.max_edges = max_edges;
    run.sight = sight;
    run.sight_user = sight_user;
    run.listener = listener;
    run.listener_user = listener_user;
    for (int i = 0; i < city->building_count; i++) {
        add_wall_objects(&run, i);
    }
    brute_object ground = {false, false, -1, {0.0, 0.0, 1.0}, 0.0, {0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}, 0.0, {0.0, 0.0}};
    run.object[run.object_count++] = ground;
    extend(&run, 0, 0, 0);
}

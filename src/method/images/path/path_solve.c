/* Solving routes: images through mirrors, the shortest path over one edge in closed form, over two by Newton's
   method. */
#include "method/images/path/path_solve.h"

#include <math.h>
#include <string.h>

#define LENGTH_MIN_M 1e-6 /* of a leg */
/* Step between trial directions; no slope changes by more than 3 per radian. */
#define STEP_RAD (RCITY_TRACE_PI / 180.0)

static rcity_place3 mirrored(const rcity_mirror *mirror, rcity_place3 p)
{
    double twice = 2.0 * (mirror->normal.x * p.x + mirror->normal.y * p.y + mirror->normal.z * p.z - mirror->offset);
    return (rcity_place3){p.x - twice * mirror->normal.x, p.y - twice * mirror->normal.y,
                          p.z - twice * mirror->normal.z};
}

/* The image of a place through all mirrors of a stretch, at whose start (forward) or end it lies. Levels and walls
   commute. */
static rcity_place3 image_through(const rcity_facet_table *world, const rcity_stretch *stretch, rcity_place3 p,
                                  bool is_forward)
{
    for (int i = 0; i < stretch->wall_count; i++) {
        int k = is_forward ? i : stretch->wall_count - 1 - i;
        p = mirrored(&world->mirrors[stretch->wall[k]], p);
    }
    return stretch->level >= 0 ? mirrored(&world->mirrors[stretch->level], p) : p;
}

static rcity_place3 minus(rcity_place3 a, rcity_place3 b)
{
    return (rcity_place3){a.x - b.x, a.y - b.y, a.z - b.z};
}

static double dot(rcity_place3 a, rcity_place3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static rcity_place3 along(rcity_place3 from, rcity_place3 direction, double t)
{
    return (rcity_place3){from.x + t * direction.x, from.y + t * direction.y, from.z + t * direction.z};
}

/* A place relative to a line: how far along it, and how far off it. */
static void project(rcity_place3 p, rcity_place3 origin, rcity_place3 direction, double *t, double *off)
{
    rcity_place3 d = minus(p, origin);
    *t = dot(d, direction);
    rcity_place3 across = along(d, direction, -*t);
    *off = sqrt(dot(across, across));
}

/* One edge: unfolded around it, the path is straight. @return false when both ends lie on its line. */
static bool edge_once(const rcity_facet_edge *facet_edge, rcity_place3 from, rcity_place3 to, double *t)
{
    double t_from, off_from, t_to, off_to;
    project(from, facet_edge->a, facet_edge->along, &t_from, &off_from);
    project(to, facet_edge->a, facet_edge->along, &t_to, &off_to);
    if (off_from + off_to < LENGTH_MIN_M) {
        return false;
    }
    *t = (t_from * off_to + t_to * off_from) / (off_from + off_to);
    return true;
}

/* Two edges: f(t1, t2) = |from - x1| + |x1 - y2| + |x2 - to|, with x1 on the first edge, x2 on the second, and y2 the
   image of x2 through the mirrors between them. */
typedef struct two_edges {
    rcity_place3 from, to;
    rcity_place3 origin_1, along_1; /* first edge */
    rcity_place3 origin_2, along_2; /* second */
    rcity_place3 image_2, image_along_2;
} two_edges;

typedef struct two_value {
    double f, g1, g2, h11, h12, h22;
} two_value;

static bool measure_two(const two_edges *two, double t1, double t2, two_value *value)
{
    rcity_place3 x1 = along(two->origin_1, two->along_1, t1);
    rcity_place3 first = minus(x1, two->from);
    rcity_place3 last = minus(along(two->origin_2, two->along_2, t2), two->to);
    rcity_place3 middle = minus(x1, along(two->image_2, two->image_along_2, t2));
    double r1 = sqrt(dot(first, first));
    double r2 = sqrt(dot(middle, middle));
    double r3 = sqrt(dot(last, last));
    if (r1 < LENGTH_MIN_M || r2 < LENGTH_MIN_M || r3 < LENGTH_MIN_M) {
        return false;
    }
    double a = dot(first, two->along_1) / r1;
    double b = dot(middle, two->along_1) / r2;
    double c = -dot(middle, two->image_along_2) / r2;
    double d = dot(last, two->along_2) / r3;
    double between = dot(two->along_1, two->image_along_2);
    value->f = r1 + r2 + r3;
    value->g1 = a + b;
    value->g2 = c + d;
    value->h11 = (1.0 - a * a) / r1 + (1.0 - b * b) / r2;
    value->h22 = (1.0 - c * c) / r2 + (1.0 - d * d) / r3;
    value->h12 = (-between - b * c) / r2;
    return true;
}

/* Where the two lines cross, if they do: the length has a kink there and is smooth everywhere else. */
static bool find_crossing(const two_edges *two, double *t1, double *t2)
{
    rcity_place3 between = minus(two->image_2, two->origin_1);
    double cosine = dot(two->along_1, two->image_along_2);
    double sine_2 = 1.0 - cosine * cosine;
    if (sine_2 < 1e-12) {
        return false;
    }
    double b1 = dot(between, two->along_1);
    double b2 = dot(between, two->image_along_2);
    *t1 = (b1 - cosine * b2) / sine_2;
    *t2 = (cosine * b1 - b2) / sine_2;
    rcity_place3 gap = minus(along(two->origin_1, two->along_1, *t1), along(two->image_2, two->image_along_2, *t2));
    return dot(gap, gap) < LENGTH_MIN_M * LENGTH_MIN_M;
}

/* How the length changes with a step from the crossing in a direction of (t1, t2): the legs to the ends, and the leg
   between. */
static double slope_at(double a, double d, double cosine, double angle)
{
    double c = cos(angle);
    double s = sin(angle);
    return a * c + d * s + sqrt(fmax(1.0 - 2.0 * c * s * cosine, 0.0));
}

/* Step from the crossing in the steepest descending direction, until the length is less than at the crossing.
   @return false when no direction descends: the shortest path passes the crossing itself, and is no path over two
   edges. */
static bool leave_crossing(const two_edges *two, double *t1, double *t2)
{
    rcity_place3 first = minus(along(two->origin_1, two->along_1, *t1), two->from);
    rcity_place3 last = minus(along(two->origin_2, two->along_2, *t2), two->to);
    double r1 = sqrt(dot(first, first));
    double r3 = sqrt(dot(last, last));
    double cosine = dot(two->along_1, two->image_along_2);
    if (r1 < LENGTH_MIN_M || r3 < LENGTH_MIN_M) {
        return false;
    }
    double a = dot(first, two->along_1) / r1;
    double d = dot(last, two->along_2) / r3;
    double best = 0.0;
    double least = HUGE_VAL;
    for (int i = 0; i < 360; i++) {
        double slope = slope_at(a, d, cosine, i * STEP_RAD);
        best = slope < least ? i * STEP_RAD : best;
        least = slope < least ? slope : least;
    }
    /* the length is convex, so the descending directions form one sector, which may be narrower than a step */
    double low = best - STEP_RAD;
    double high = best + STEP_RAD;
    for (int i = 0; i < 60 && least >= 0.0 && least < 4.0 * STEP_RAD; i++) {
        double left = low + (high - low) / 3.0;
        double right = high - (high - low) / 3.0;
        bool is_left = slope_at(a, d, cosine, left) < slope_at(a, d, cosine, right);
        low = is_left ? low : left;
        high = is_left ? right : high;
        best = 0.5 * (low + high);
        least = fmin(least, slope_at(a, d, cosine, best));
    }
    double step_1 = cos(best);
    double step_2 = sin(best);
    two_value value;
    for (double scale = 0.25 * (r1 < r3 ? r1 : r3); least < 0.0 && scale > 1e-9; scale *= 0.5) {
        if (measure_two(two, *t1 + scale * step_1, *t2 + scale * step_2, &value) && value.f < r1 + r3) {
            *t1 += scale * step_1;
            *t2 += scale * step_2;
            return true;
        }
    }
    return false;
}

/* Newton's step where the curvature allows it, else a step down the slope. */
static void choose_step(const two_value *at, double *step_1, double *step_2)
{
    double determinant = at->h11 * at->h22 - at->h12 * at->h12;
    double trace = at->h11 + at->h22;
    if (determinant > 1e-12 * trace * trace) {
        *step_1 = -(at->h22 * at->g1 - at->h12 * at->g2) / determinant;
        *step_2 = -(at->h11 * at->g2 - at->h12 * at->g1) / determinant;
    } else {
        *step_1 = -at->g1 / (trace + 1e-12);
        *step_2 = -at->g2 / (trace + 1e-12);
    }
}

/* Steps are halved until the length shrinks clearly; where rounding prevents that, until its slope shrinks. */
static bool edge_twice(const two_edges *two, double *t1, double *t2)
{
    double corner_1, corner_2;
    if (find_crossing(two, &corner_1, &corner_2)) {
        if (!leave_crossing(two, &corner_1, &corner_2)) {
            return false;
        }
        *t1 = corner_1;
        *t2 = corner_2;
    }
    two_value at;
    if (!measure_two(two, *t1, *t2, &at)) {
        return false;
    }
    for (int round = 0; round < 100 && fabs(at.g1) + fabs(at.g2) > 1e-13; round++) {
        double size = fabs(at.g1) + fabs(at.g2);
        double step_1, step_2;
        choose_step(&at, &step_1, &step_2);
        double descent = 1e-4 * (at.g1 * step_1 + at.g2 * step_2);
        two_value next;
        bool is_better = false;
        double scale = 2.0;
        while (!is_better && scale > 1e-12) {
            scale *= 0.5;
            is_better = measure_two(two, *t1 + scale * step_1, *t2 + scale * step_2, &next) &&
                        (next.f < at.f + scale * descent ||
                         (next.f < at.f * (1.0 + 1e-14) && fabs(next.g1) + fabs(next.g2) < 0.9 * size));
        }
        if (!is_better) {
            break; /* at the limit of precision */
        }
        *t1 += scale * step_1;
        *t2 += scale * step_2;
        at = next;
    }
    return fabs(at.g1) + fabs(at.g2) < 1e-9;
}

static void add_event(rcity_trace_path *path, rcity_event_kind kind, int32_t object, rcity_place3 point)
{
    rcity_trace_event *event = &path->event[path->event_count++];
    event->kind = kind;
    event->object = object;
    event->point = point;
}

/* The points of one stretch between its real ends, and the bounce off its level where the path reaches that height. */
static bool fill_stretch(const rcity_facet_table *world, const rcity_stretch *stretch, rcity_place3 from,
                         rcity_place3 to, rcity_trace_path *path)
{
    rcity_place3 image[RCITY_REFLECTION_MAX + 1];
    rcity_place3 point[RCITY_REFLECTION_MAX];
    double share[RCITY_REFLECTION_MAX + 1]; /* fraction of the unfolded path at each wall */
    image[0] = from;
    for (int i = 0; i < stretch->wall_count; i++) {
        image[i + 1] = mirrored(&world->mirrors[stretch->wall[i]], image[i]);
    }
    double start_z = from.z;
    if (stretch->level >= 0) {
        double level = world->mirrors[stretch->level].offset;
        start_z = 2.0 * level - from.z;
        if (from.z <= level || to.z <= level) {
            return false;
        }
    }
    rcity_place3 target = to;
    double left = 1.0;
    for (int i = stretch->wall_count - 1; i >= 0; i--) {
        const rcity_mirror *wall = &world->mirrors[stretch->wall[i]];
        double before = dot(wall->normal, image[i + 1]) - wall->offset;
        double behind = dot(wall->normal, target) - wall->offset;
        if (!(before < -LENGTH_MIN_M && behind > LENGTH_MIN_M)) {
            return false;
        }
        double part = before / (before - behind); /* from the image to the wall */
        point[i].x = image[i + 1].x + part * (target.x - image[i + 1].x);
        point[i].y = image[i + 1].y + part * (target.y - image[i + 1].y);
        left *= part;
        share[i] = left;
        point[i].z = start_z + left * (to.z - start_z);
        target = point[i];
        target.z = 0.0;
    }
    double bounce = stretch->level >= 0 ? (world->mirrors[stretch->level].offset - start_z) / (to.z - start_z) : -1.0;
    double level = stretch->level >= 0 ? world->mirrors[stretch->level].offset : 0.0;
    rcity_place3 last = from;
    double last_share = 0.0;
    for (int i = 0; i <= stretch->wall_count; i++) {
        rcity_place3 next = i < stretch->wall_count ? point[i] : to;
        double next_share = i < stretch->wall_count ? share[i] : 1.0;
        if (bounce > last_share && bounce <= next_share) {
            double part = (bounce - last_share) / (next_share - last_share);
            rcity_place3 at = {last.x + part * (next.x - last.x), last.y + part * (next.y - last.y), level};
            add_event(path, RCITY_EVENT_REFLECTION, stretch->level, at);
        }
        if (i < stretch->wall_count) {
            next.z = next_share < bounce ? 2.0 * level - next.z : next.z;
            add_event(path, RCITY_EVENT_REFLECTION, stretch->wall[i], next);
        }
        last = next;
        last_share = next_share;
    }
    return true;
}

/* Where the path meets its edges. */
static bool place_edges(const rcity_facet_table *world, rcity_place3 tx, rcity_place3 rx, const rcity_route *route,
                        rcity_place3 points[RCITY_ROUTE_EDGE_MAX])
{
    rcity_place3 from = image_through(world, &route->stretch[0], tx, true);
    rcity_place3 to = image_through(world, &route->stretch[route->edge_count], rx, false);
    const rcity_facet_edge *first = &world->edges[route->facet_edge[0]];
    double t1, t2;
    if (route->edge_count == 1) {
        if (!edge_once(first, from, to, &t1)) {
            return false;
        }
        points[0] = along(first->a, first->along, t1);
        return true;
    }
    const rcity_facet_edge *second = &world->edges[route->facet_edge[1]];
    /* relative to the first edge: far from the origin rounding would hide the last steps of Newton's method */
    rcity_place3 here = first->a;
    rcity_place3 image_2 = image_through(world, &route->stretch[1], second->a, false);
    two_edges two = {minus(from, here),      minus(to, here), {0.0, 0.0, 0.0},      first->along,
                     minus(second->a, here), second->along,   minus(image_2, here), second->along};
    two.image_along_2 =
        minus(image_through(world, &route->stretch[1], along(second->a, second->along, 1.0), false), image_2);
    t1 = 0.5 * dot(minus(first->b, first->a), first->along);
    t2 = 0.5 * dot(minus(second->b, second->a), second->along);
    if (!edge_twice(&two, &t1, &t2)) {
        return false;
    }
    points[0] = along(first->a, first->along, t1);
    points[1] = along(second->a, second->along, t2);
    return true;
}

bool rcity_path_solve(const rcity_facet_table *world, rcity_place3 tx, rcity_place3 rx, const rcity_route *route,
                      rcity_trace_path *path)
{
    rcity_place3 edges[RCITY_ROUTE_EDGE_MAX];
    path->tx = tx;
    path->rx = rx;
    path->event_count = 0;
    if (route->edge_count > 0 && !place_edges(world, tx, rx, route, edges)) {
        return false;
    }
    rcity_place3 from = tx;
    for (int i = 0; i <= route->edge_count; i++) {
        rcity_place3 to = i < route->edge_count ? edges[i] : rx;
        if (!fill_stretch(world, &route->stretch[i], from, to, path)) {
            return false;
        }
        if (i < route->edge_count) {
            add_event(path, RCITY_EVENT_DIFFRACTION, route->facet_edge[i], to);
        }
        from = to;
    }
    return true;
}

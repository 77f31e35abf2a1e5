/* The upper hull over a profile, and the tops below it that still count. */
#define RCITY_REAL_IS_DOUBLE

#include "method/images/over_roofs.h"

#include <math.h>
#include <string.h>

#include "kernel/wave/roof_chain.h"

#define TOP_GAP_M 0.05 /* tops nearer to each other are one */

/* p of tops below the string. From -1.25 down they no longer change the field over it; but each alone as an edge, first order
   by first order, would still add a tenth of the direct field, and a row of them several times the whole. So edges are told by
   the string down to TOLD_LOWEST, and come up as paths of their own from there to ZONE_LOWEST. */
#define TOLD_LOWEST (-2.5)
#define ZONE_LOWEST (-4.5)

/* Does b lie below the line from a to c? */
static bool lies_under(const rcity_profile_point *a, const rcity_profile_point *b, const rcity_profile_point *c)
{
    double above = (b->z - a->z) * (c->distance_m - a->distance_m) - (c->z - a->z) * (b->distance_m - a->distance_m);
    return above <= 1e-9;
}

/* How high b rises over the line from a to c. */
static double rise_over(const rcity_profile_point *a, const rcity_profile_point *b, const rcity_profile_point *c)
{
    double left = b->distance_m - a->distance_m;
    double right = c->distance_m - b->distance_m;
    return b->z - (a->z * right + c->z * left) / (left + right);
}

/* The same in the measure of the Fresnel zone that kernel/wave calls p. */
static double reach_over(const rcity_trace_world *world, const rcity_profile_point *a, const rcity_profile_point *b,
                         const rcity_profile_point *c)
{
    double left = b->distance_m - a->distance_m;
    double right = c->distance_m - b->distance_m;
    return rise_over(a, b, c) * sqrt(RCITY_TRACE_PI / world->wavelength_m * (left + right) / (left * right));
}

static int remove_at(rcity_profile_point *tops, int count, int index)
{
    memmove(&tops[index], &tops[index + 1], (size_t)(count - index - 1) * sizeof *tops);
    return count - 1;
}

/* A point of the profile, as far along as the line counts. */
static rcity_profile_point point_at(const rcity_profile *profile, const rcity_roof_span *span, size_t index)
{
    rcity_profile_point p = profile->points[index];
    p.distance_m += span->lead_m;
    p.reach = HUGE_VAL;
    return p;
}

/* The string: the upper hull from end to end, both ends included. */
static int pull_string(const rcity_profile *profile, const rcity_roof_span *span, rcity_profile_point *hull)
{
    rcity_profile_point start = {0.0, span->start_z, RCITY_PROFILE_END, HUGE_VAL};
    rcity_profile_point end = {span->length_m, span->end_z, RCITY_PROFILE_END, HUGE_VAL};
    int count = 0;
    hull[count++] = start;
    for (size_t i = 0; i <= profile->count; i++) {
        rcity_profile_point next = i < profile->count ? point_at(profile, span, i) : end;
        while (count > 1 && lies_under(&hull[count - 2], &hull[count - 1], &next)) {
            count--;
        }
        hull[count++] = next;
    }
    return count;
}

/* Tops at an end or beside each other: the higher of the two stays. */
static int join_neighbours(rcity_profile_point *tops, int count)
{
    for (int i = 1; i + 1 < count;) {
        bool is_near_next = tops[i + 1].distance_m - tops[i].distance_m < TOP_GAP_M;
        bool is_near_last = tops[i].distance_m - tops[i - 1].distance_m < TOP_GAP_M;
        if (is_near_last || (is_near_next && i + 2 == count)) {
            count = remove_at(tops, count, i);
        } else if (is_near_next) {
            count = remove_at(tops, count, tops[i].z >= tops[i + 1].z ? i + 1 : i);
        } else {
            i++;
        }
    }
    return count;
}

/* Where the string comes to a hill and where it leaves it, its tangents meet: that is the hill's edge. */
static int join_ground(rcity_profile_point *hull, int count)
{
    for (int i = 1; i + 1 < count; i++) {
        int last = i;
        while (hull[i].prism == RCITY_PROFILE_GROUND && hull[last + 1].prism == RCITY_PROFILE_GROUND) {
            last++;
        }
        if (last == i) {
            continue;
        }
        const rcity_profile_point *before = &hull[i - 1];
        const rcity_profile_point *after = &hull[last + 1];
        double rise = (hull[i].z - before->z) / (hull[i].distance_m - before->distance_m);
        double fall = (hull[last].z - after->z) / (after->distance_m - hull[last].distance_m);
        double way_m = hull[last].distance_m - hull[i].distance_m;
        double along_m = (hull[last].z - hull[i].z + fall * way_m) / (rise + fall); /* convex: rise + fall > 0 */
        hull[i].distance_m += along_m;
        hull[i].z += rise * along_m;
        memmove(&hull[i + 1], &hull[last + 1], (size_t)(count - last - 1) * sizeof *hull);
        count -= last - i;
    }
    return count;
}

/* The summit below a string without hills that comes nearest to it; profile->count: none. On a slope or a plain, which
   reflect, no point rises over its neighbours as seen along the string. */
static size_t find_summit(const rcity_trace_world *world, const rcity_profile *profile, const rcity_roof_span *span,
                          const rcity_profile_point *hull, int count)
{
    size_t best = profile->count;
    double best_reach = ZONE_LOWEST;
    int next = 1; /* end of the leg of the string */
    for (size_t i = 1; i + 1 < profile->count; i++) {
        rcity_profile_point p = point_at(profile, span, i);
        while (next + 1 < count && hull[next].distance_m < p.distance_m) {
            next++;
        }
        const rcity_profile_point *from = &hull[next - 1];
        const rcity_profile_point *to = &hull[next];
        rcity_profile_point left = point_at(profile, span, i - 1);
        rcity_profile_point right = point_at(profile, span, i + 1);
        bool is_inside = left.distance_m > from->distance_m && right.distance_m < to->distance_m;
        if (p.prism == RCITY_PROFILE_GROUND && is_inside && rise_over(from, &p, to) >= rise_over(from, &left, to) &&
            rise_over(from, &p, to) > rise_over(from, &right, to) && reach_over(world, from, &p, to) > best_reach) {
            best = i;
            best_reach = reach_over(world, from, &p, to);
        }
    }
    return best;
}

static bool has_ground(const rcity_profile_point *tops, int count)
{
    for (int i = 1; i + 1 < count; i++) {
        if (tops[i].prism == RCITY_PROFILE_GROUND) {
            return true;
        }
    }
    return false;
}

/* Tops below the string that reach into its zone join it; merged from profile and hull, in order. */
static int add_near_tops(const rcity_trace_world *world, const rcity_profile *profile, const rcity_roof_span *span,
                         int hull_count, rcity_profile_point *tops)
{
    size_t summit = has_ground(tops, hull_count) ? profile->count : find_summit(world, profile, span, tops, hull_count);
    int count = hull_count;
    int next = 1; /* bend of the string not before the point */
    rcity_profile_point last = tops[0];
    for (size_t i = 0; i < profile->count; i++) {
        rcity_profile_point p = point_at(profile, span, i);
        while (next + 1 < count && tops[next].distance_m < p.distance_m) {
            last = tops[next++];
        }
        bool is_apart =
            p.distance_m - tops[next - 1].distance_m >= TOP_GAP_M && tops[next].distance_m - p.distance_m >= TOP_GAP_M;
        bool is_top = p.prism != RCITY_PROFILE_GROUND || i == summit;
        p.reach = is_apart && is_top ? reach_over(world, &last, &p, &tops[next]) : ZONE_LOWEST;
        if (p.reach > ZONE_LOWEST) {
            memmove(&tops[next + 1], &tops[next], (size_t)(count - next) * sizeof *tops);
            tops[next++] = p;
            count++;
        }
    }
    return count;
}

int rcity_over_roofs_gather(const rcity_trace_world *world, const rcity_profile *profile, const rcity_roof_span *span,
                            rcity_profile_point *tops)
{
    int count = join_ground(tops, join_neighbours(tops, pull_string(profile, span, tops)));
    return add_near_tops(world, profile, span, count, tops);
}

int rcity_over_roofs_limit(const rcity_trace_world *world, rcity_profile_point *tops, int count)
{
    while (count - 2 > RCITY_TRACE_TOP_MAX) {
        int least = 1;
        for (int i = 2; i + 1 < count; i++) {
            double reach = reach_over(world, &tops[i - 1], &tops[i], &tops[i + 1]);
            least = reach < reach_over(world, &tops[least - 1], &tops[least], &tops[least + 1]) ? i : least;
        }
        count = remove_at(tops, count, least);
    }
    return count;
}

bool rcity_over_roofs_bends(const rcity_profile_point *tops, int count)
{
    for (int i = 1; i + 1 < count; i++) {
        if (!lies_under(&tops[0], &tops[i], &tops[count - 1])) {
            return true;
        }
    }
    return false;
}

/* The share with which an edge counts by itself, for all that the tops tell of it. */
static double share_of(const rcity_trace_world *world, const rcity_profile_point *tops, int count,
                       const rcity_bend *bend)
{
    double reach = ZONE_LOWEST;
    for (int i = 1; i + 1 < count && !bend->is_vertical; i++) {
        if (tops[i].prism >= 0 && world->roof_of[tops[i].prism] == world->roof_of[bend->prism]) {
            reach = fmax(reach, tops[i].reach);
        }
    }
    return rcity_roof_fade(-reach, -TOLD_LOWEST, -ZONE_LOWEST);
}

double rcity_over_roofs_share(const rcity_trace_world *world, const rcity_profile_point *tops, int count,
                              const rcity_trace_path *path)
{
    double share = 0.0;
    for (int i = 0; i < path->event_count; i++) {
        if (path->event[i].kind == RCITY_EVENT_DIFFRACTION) {
            share = fmax(share, share_of(world, tops, count, &world->bends[path->event[i].object]));
        }
    }
    return share;
}

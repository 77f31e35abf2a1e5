/* The over-roof path as the upper hull of a profile, and the diffracting edges below it that still count. */
#define RCITY_REAL_IS_DOUBLE

#include "method/images/roofs/over_roofs.h"

#include <math.h>
#include <string.h>

#include "kernel/wave/roof_chain.h"

#define EDGE_GAP_M 0.05 /* diffracting edges nearer to each other count as one */

/* Limits of p, the clearance of diffracting edges below the over-roof path (kernel/wave/roof_chain.h). From -1.25 down
   they no longer change the field over it. But each as an edge of its own, to first order, would still add a tenth of
   the direct field, and a row of them several times the whole. So the over-roof path covers edges down to
   COVERED_LOWEST; from there to ZONE_LOWEST they are faded in as paths of their own. */
#define COVERED_LOWEST (-2.5)
#define ZONE_LOWEST    (-4.5)

/* Does b lie below the line from a to c, or on it? */
static bool lies_under(const rcity_profile_point *a, const rcity_profile_point *b, const rcity_profile_point *c)
{
    double above = (b->z - a->z) * (c->distance_m - a->distance_m) - (c->z - a->z) * (b->distance_m - a->distance_m);
    return above <= 1e-9;
}

/* How far b rises above the line from a to c. */
static double rise_over(const rcity_profile_point *a, const rcity_profile_point *b, const rcity_profile_point *c)
{
    double left = b->distance_m - a->distance_m;
    double right = c->distance_m - b->distance_m;
    return b->z - (a->z * right + c->z * left) / (left + right);
}

/* The same relative to the Fresnel zone: p of kernel/wave. */
static double reach_over(const rcity_facet_table *world, const rcity_profile_point *a, const rcity_profile_point *b,
                         const rcity_profile_point *c)
{
    double left = b->distance_m - a->distance_m;
    double right = c->distance_m - b->distance_m;
    return rise_over(a, b, c) * sqrt(RCITY_TRACE_PI / world->wavelength_m * (left + right) / (left * right));
}

static int remove_at(rcity_profile_point *edges, int count, int index)
{
    memmove(&edges[index], &edges[index + 1], (size_t)(count - index - 1) * sizeof *edges);
    return count - 1;
}

/* A point of the profile, its distance measured from the start of the line. */
static rcity_profile_point point_at(const rcity_profile *profile, const rcity_roof_span *span, size_t index)
{
    rcity_profile_point p = profile->points[index];
    p.distance_m += span->lead_m;
    p.reach = HUGE_VAL;
    return p;
}

/* The over-roof path: the upper hull from end to end, both ends included. */
static int make_over_roof_path(const rcity_profile *profile, const rcity_roof_span *span, rcity_profile_point *hull)
{
    rcity_profile_point start = {0.0, span->start_z, RCITY_PROFILE_END, HUGE_VAL, false};
    rcity_profile_point end = {span->length_m, span->end_z, RCITY_PROFILE_END, HUGE_VAL, false};
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

/* Of two edges closer than EDGE_GAP_M the higher one stays; an edge that close to an end is removed. */
static int join_neighbours(rcity_profile_point *edges, int count)
{
    for (int i = 1; i + 1 < count;) {
        bool is_near_next = edges[i + 1].distance_m - edges[i].distance_m < EDGE_GAP_M;
        bool is_near_last = edges[i].distance_m - edges[i - 1].distance_m < EDGE_GAP_M;
        if (is_near_last || (is_near_next && i + 2 == count)) {
            count = remove_at(edges, count, i);
        } else if (is_near_next) {
            count = remove_at(edges, count, edges[i].z >= edges[i + 1].z ? i + 1 : i);
        } else {
            i++;
        }
    }
    return count;
}

/* A hill's edge lies where the two tangents meet: those along which the path reaches the hill and leaves it. */
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
        double leg_m = hull[last].distance_m - hull[i].distance_m;
        double along_m = (hull[last].z - hull[i].z + fall * leg_m) / (rise + fall); /* convex: rise + fall > 0 */
        hull[i].distance_m += along_m;
        hull[i].z += rise * along_m;
        memmove(&hull[i + 1], &hull[last + 1], (size_t)(count - last - 1) * sizeof *hull);
        count -= last - i;
    }
    return count;
}

/* The summit that comes nearest to an over-roof path without hills; profile->count if there is none. On a slope or a
   plain, which reflect, no point rises above its neighbours as seen along the path. */
static size_t find_summit(const rcity_facet_table *world, const rcity_profile *profile, const rcity_roof_span *span,
                          const rcity_profile_point *hull, int count)
{
    size_t best = profile->count;
    double best_reach = ZONE_LOWEST;
    int next = 1; /* end of the current leg of the path */
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

static bool has_ground(const rcity_profile_point *edges, int count)
{
    for (int i = 1; i + 1 < count; i++) {
        if (edges[i].prism == RCITY_PROFILE_GROUND) {
            return true;
        }
    }
    return false;
}

/* Add the edges below the over-roof path that reach into its Fresnel zone; `edges` stays in order. */
static int add_near_edges(const rcity_facet_table *world, const rcity_profile *profile, const rcity_roof_span *span,
                          int hull_count, rcity_profile_point *edges)
{
    size_t summit =
        has_ground(edges, hull_count) ? profile->count : find_summit(world, profile, span, edges, hull_count);
    int count = hull_count;
    int next = 1; /* first edge of the path that is not before the point */
    rcity_profile_point last = edges[0];
    for (size_t i = 0; i < profile->count; i++) {
        rcity_profile_point p = point_at(profile, span, i);
        while (next + 1 < count && edges[next].distance_m < p.distance_m) {
            last = edges[next++];
        }
        bool is_apart = p.distance_m - edges[next - 1].distance_m >= EDGE_GAP_M &&
                        edges[next].distance_m - p.distance_m >= EDGE_GAP_M;
        bool is_edge = p.prism != RCITY_PROFILE_GROUND || i == summit;
        p.reach = is_apart && is_edge ? reach_over(world, &last, &p, &edges[next]) : ZONE_LOWEST;
        if (p.reach > ZONE_LOWEST) {
            memmove(&edges[next + 1], &edges[next], (size_t)(count - next) * sizeof *edges);
            edges[next++] = p;
            count++;
        }
    }
    return count;
}

int rcity_over_roofs_gather(const rcity_facet_table *world, const rcity_profile *profile, const rcity_roof_span *span,
                            rcity_profile_point *edges)
{
    int count = join_ground(edges, join_neighbours(edges, make_over_roof_path(profile, span, edges)));
    return add_near_edges(world, profile, span, count, edges);
}

int rcity_over_roofs_limit(const rcity_facet_table *world, rcity_profile_point *edges, int count)
{
    while (count - 2 > RCITY_TRACE_EDGE_MAX) {
        int least = 1;
        for (int i = 2; i + 1 < count; i++) {
            double reach = reach_over(world, &edges[i - 1], &edges[i], &edges[i + 1]);
            least = reach < reach_over(world, &edges[least - 1], &edges[least], &edges[least + 1]) ? i : least;
        }
        count = remove_at(edges, count, least);
    }
    return count;
}

bool rcity_over_roofs_edges(const rcity_profile_point *edges, int count)
{
    for (int i = 1; i + 1 < count; i++) {
        if (!lies_under(&edges[0], &edges[i], &edges[count - 1])) {
            return true;
        }
    }
    return false;
}

/* The weight of one edge as a path of its own, beside the over-roof path. */
static double share_of(const rcity_facet_table *world, const rcity_profile_point *edges, int count,
                       const rcity_facet_edge *facet_edge)
{
    double reach = ZONE_LOWEST;
    for (int i = 1; i + 1 < count && !facet_edge->is_vertical; i++) {
        if (edges[i].prism >= 0 && world->roof_of[edges[i].prism] == world->roof_of[facet_edge->prism]) {
            reach = fmax(reach, edges[i].reach);
        }
    }
    return rcity_roof_fade(-reach, -COVERED_LOWEST, -ZONE_LOWEST);
}

double rcity_over_roofs_share(const rcity_facet_table *world, const rcity_profile_point *edges, int count,
                              const rcity_trace_path *path)
{
    double share = 0.0;
    for (int i = 0; i < path->event_count; i++) {
        if (path->event[i].kind == RCITY_EVENT_DIFFRACTION) {
            share = fmax(share, share_of(world, edges, count, &world->edges[path->event[i].object]));
        }
    }
    return share;
}

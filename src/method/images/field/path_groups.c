/* Which groups a path belongs to, and the sum over groups. */
#define RCITY_REAL_IS_DOUBLE

#include "method/images/field/path_groups.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "kernel/wave/wedge.h"

#define TWO_PI          6.28318530717958647692
#define ENDING_RAYS     3     /* at an edge: past it, off face o, off face n */
#define SHARE_MIN       1e-4  /* of the field; less is left out */
#define BOUNDARY_MIN    1e-12 /* sine of half an angle: nearer to a boundary is on it */
#define NORMAL_PER_UNIT 1e9   /* mirrors in one plane have equal normals and offsets to these digits */
#define OFFSET_PER_M    1e6
#define FAR_APART       40.0 /* exponent beyond which two fields add in power */
#define GROUND_CODE     UINT64_C(0x9e3779b97f4a7c15)

/* Mix a number into a code: the finaliser of MurmurHash3, by A. Appleby. */
static uint64_t mixed(uint64_t code, uint64_t number)
{
    code = (code ^ number) * UINT64_C(0xff51afd7ed558ccd);
    code = (code ^ (code >> 33)) * UINT64_C(0xc4ceb9fe1a85ec53);
    return code ^ (code >> 33);
}

/* The plane of a mirror. Pieces of a wall lie in one; the ground is one, whatever triangle of the terrain reflects. */
static uint64_t plane_code(const rcity_facet_table *world, int32_t object)
{
    if (object >= world->mirror_count || world->mirrors[object].kind == RCITY_MIRROR_GROUND) {
        return GROUND_CODE;
    }
    const rcity_mirror *mirror = &world->mirrors[object];
    uint64_t code = mixed(RCITY_GROUP_DIRECT, (uint64_t)llround(mirror->normal.x * NORMAL_PER_UNIT));
    code = mixed(code, (uint64_t)llround(mirror->normal.y * NORMAL_PER_UNIT));
    return mixed(code, (uint64_t)llround(mirror->offset * OFFSET_PER_M));
}

/* How near the ray at an edge is to where each of the three rays ends: the sine of half the angle to it, which is the
   transition parameter of the wedge's term but for a factor that all have in common. */
static void measure_boundaries(const rcity_facet_edge *facet_edge, const rcity_trace_path *path, int at,
                               double off[ENDING_RAYS])
{
    double off_m;
    rcity_wedge wedge;
    rcity_wedge_ray ray;
    memset(&wedge, 0, sizeof wedge);
    memset(&ray, 0, sizeof ray);
    rcity_place3 point = path->event[at].point;
    wedge.exterior_rad = facet_edge->exterior_rad;
    ray.phi_in_rad = rcity_facet_edge_angle(facet_edge, point, rcity_trace_path_point(path, at - 1), &off_m);
    ray.phi_out_rad = rcity_facet_edge_angle(facet_edge, point, rcity_trace_path_point(path, at + 1), &off_m);
    double of_term[RCITY_WEDGE_TERMS];
    for (int term = 0; term < RCITY_WEDGE_TERMS; term++) {
        of_term[term] = fmax(fabs(sin(0.5 * rcity_wedge_shadow_rad(wedge, ray, term))), BOUNDARY_MIN);
    }
    off[0] = fmin(of_term[RCITY_WEDGE_PAST_N], of_term[RCITY_WEDGE_PAST_O]);
    off[1] = of_term[RCITY_WEDGE_MIRROR_O];
    off[2] = of_term[RCITY_WEDGE_MIRROR_N];
}

uint64_t rcity_group_code_next(const rcity_facet_table *world, uint64_t code, int32_t mirror)
{
    return mixed(code, plane_code(world, mirror));
}

void rcity_group_divide(const double off[ENDING_RAYS], double factor[ENDING_RAYS])
{
    double nearest = fmin(off[0], fmin(off[1], off[2]));
    double square = 0.0;
    for (int i = 0; i < ENDING_RAYS; i++) {
        factor[i] = nearest * nearest / (off[i] * off[i]);
        square += factor[i] * factor[i];
    }
    for (int i = 0; i < ENDING_RAYS; i++) {
        factor[i] /= sqrt(square);
    }
}

/* Divide what the shares have so far among the rays that end at an edge, by the inverse squares of `off`. */
static void divide_at_edge(const rcity_facet_table *world, const rcity_trace_path *path, int at,
                           rcity_group_shares *shares)
{
    const rcity_facet_edge *facet_edge = &world->edges[path->event[at].object];
    double off[ENDING_RAYS];
    double factor[ENDING_RAYS];
    measure_boundaries(facet_edge, path, at, off);
    rcity_group_divide(off, factor);
    const uint64_t planes[ENDING_RAYS] = {0, plane_code(world, facet_edge->mirror_o),
                                          plane_code(world, facet_edge->mirror_n)};
    rcity_group_shares made = {0};
    for (int k = 0; k < shares->count; k++) {
        for (int i = 0; i < ENDING_RAYS; i++) {
            double share = shares->share[k].factor * factor[i];
            uint64_t group = shares->share[k].group;
            if (share >= SHARE_MIN && made.count < RCITY_GROUP_SHARE_MAX) {
                made.share[made.count++] = (rcity_group_share){i == 0 ? group : mixed(group, planes[i]), share};
            }
        }
    }
    *shares = made;
}

rcity_group_shares rcity_path_group(const rcity_facet_table *world, const rcity_trace_path *path)
{
    rcity_group_shares shares = {.count = 1, .share = {{RCITY_GROUP_DIRECT, 1.0}}};
    for (int i = 0; i < path->event_count; i++) {
        const rcity_trace_event *event = &path->event[i];
        if (event->kind == RCITY_EVENT_DIFFRACTION) {
            divide_at_edge(world, path, i, &shares);
        } else if (event->kind == RCITY_EVENT_REFLECTION) {
            uint64_t plane = plane_code(world, event->object);
            for (int k = 0; k < shares.count; k++) {
                shares.share[k].group = mixed(shares.share[k].group, plane);
            }
        }
    }
    return shares;
}

static int compare_items(const void *left, const void *right)
{
    const rcity_group_item *a = left;
    const rcity_group_item *b = right;
    if (a->group != b->group) {
        return a->group < b->group ? -1 : 1;
    }
    return a->order < b->order ? -1 : a->order > b->order ? 1 : 0;
}

static double product(rcity_phasor a, rcity_phasor b)
{
    return a.re * b.re + a.im * b.im;
}

static double square_apart(rcity_place3 a, rcity_place3 b)
{
    double x = a.x - b.x;
    double y = a.y - b.y;
    double z = a.z - b.z;
    return x * x + y * y + z * z;
}

/* The mean of exp(j k (a - b) . r) over places r of either end, normally distributed. */
static double coherence(const rcity_group_item *a, const rcity_group_item *b)
{
    const double per_unit = 0.5 * TWO_PI * TWO_PI * RCITY_GROUP_EXTENT_WAVELENGTHS * RCITY_GROUP_EXTENT_WAVELENGTHS;
    double exponent = per_unit * (square_apart(a->departure, b->departure) + square_apart(a->arrival, b->arrival));
    return exponent < FAR_APART ? exp(-exponent) : 0.0;
}

double rcity_groups_pair(const rcity_group_item *a, const rcity_group_item *b)
{
    double part = product(a->amplitude, b->amplitude) + product(a->cross_amplitude, b->cross_amplitude);
    return part * (a == b ? 1.0 : 2.0 * coherence(a, b));
}

/* The mean power of one group: the sum over all pairs of its items, each pair by its coherence. */
static void add_group(const rcity_group_item *items, size_t count, rcity_group_sum *sum)
{
    double gain = 0.0;
    double isotropic_gain = 0.0;
    for (size_t i = 0; i < count; i++) {
        const rcity_group_item *a = &items[i];
        for (size_t k = 0; k <= i; k++) {
            const rcity_group_item *b = &items[k];
            double part = rcity_groups_pair(a, b);
            gain += part;
            isotropic_gain += part * a->isotropic_factor * b->isotropic_factor;
        }
    }
    sum->gain += fmax(gain, 0.0);
    sum->isotropic_gain += fmax(isotropic_gain, 0.0);
}

void rcity_groups_sort(rcity_group_item *items, size_t count)
{
    if (count > 0) {
        qsort(items, count, sizeof *items, compare_items);
    }
}

rcity_group_sum rcity_groups_add(rcity_group_item *items, size_t count)
{
    rcity_group_sum sum = {0.0, 0.0};
    rcity_groups_sort(items, count);
    for (size_t first = 0, next; first < count; first = next) {
        for (next = first + 1; next < count && items[next].group == items[first].group;) {
            next++;
        }
        add_group(&items[first], next - first, &sum);
    }
    return sum;
}

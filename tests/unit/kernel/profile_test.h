/* Edges in the vertical plane, for the tests of two and more edges: all rays over them, and the exact integral of
   Fresnel and Kirchhoff over two screens. */
#ifndef RCITY_TESTS_PROFILE_TEST_H
#define RCITY_TESTS_PROFILE_TEST_H

#include "wedge_test.h"

#include "kernel/wave/wedge_pair.h"

typedef struct spot {
    double x, z;
} spot;

typedef enum edge_kind { EDGE_SCREEN, EDGE_FRONT, EDGE_BACK } edge_kind; /* of a building: its first or second edge */

/* Two edges in a row between a source on the left and a receiver on the right. Two edges of one building are EDGE_FRONT
   and EDGE_BACK at one height. */
typedef struct two_edges {
    spot source, edge[2], receiver;
    edge_kind kind[2];
    rcity_face face;
    double wavenumber_per_m;
} two_edges;

static inline double spot_distance(spot a, spot b)
{
    return hypot(b.x - a.x, b.z - a.z);
}

/* Angle around an edge: a screen and a front count from the wall that looks to the source, a back from its roof. */
static inline double angle_at(edge_kind kind, spot edge, spot to)
{
    double dx = to.x - edge.x;
    double dz = to.z - edge.z;
    double phi = kind == EDGE_BACK ? atan2(dz, -dx) : atan2(-dx, -dz);
    double exterior = kind == EDGE_SCREEN ? 2.0 * PI : 1.5 * PI;
    phi = phi < -1e-12 ? phi + 2.0 * PI : fmax(phi, 0.0);
    return fmin(phi, exterior);
}

static inline rcity_wedge wedge_at(const two_edges *at, int i)
{
    return wedge_of(at->kind[i] == EDGE_SCREEN ? 2.0 * PI : 1.5 * PI, at->face, at->face);
}

/* How far b sticks out over the line from a to c. */
static inline double rise(spot a, spot b, spot c)
{
    return b.z - a.z - (c.z - a.z) * (b.x - a.x) / (c.x - a.x);
}

static inline double complex over_one(const two_edges *at, int i, int pol)
{
    double before = spot_distance(at->source, at->edge[i]);
    double after = spot_distance(at->edge[i], at->receiver);
    double straight = spot_distance(at->source, at->receiver);
    rcity_wedge_ray ray = ray_of(at->wavenumber_per_m, 0.5 * PI, angle_at(at->kind[i], at->edge[i], at->source),
                                 angle_at(at->kind[i], at->edge[i], at->receiver), before * after / (before + after));
    rcity_dyad d = rcity_wedge_diffract(wedge_at(at, i), ray);
    return -from_kernel(d.m[pol][pol]) * straight / sqrt(before * after * (before + after)) *
           cexp(-J * at->wavenumber_per_m * (before + after - straight));
}

static inline rcity_wedge_pair pair_of(const two_edges *at)
{
    rcity_wedge_pair pair;
    const double k = at->wavenumber_per_m;
    pair.first = wedge_at(at, 0);
    pair.second = wedge_at(at, 1);
    pair.at_first = ray_of(k, 0.5 * PI, angle_at(at->kind[0], at->edge[0], at->source),
                           angle_at(at->kind[0], at->edge[0], at->edge[1]), 0.0);
    pair.at_second = ray_of(k, 0.5 * PI, angle_at(at->kind[1], at->edge[1], at->edge[0]),
                            angle_at(at->kind[1], at->edge[1], at->receiver), 0.0);
    pair.before_m = (rcity_real)spot_distance(at->source, at->edge[0]);
    pair.between_m = (rcity_real)spot_distance(at->edge[0], at->edge[1]);
    pair.after_m = (rcity_real)spot_distance(at->edge[1], at->receiver);
    /* one vector along both edges: what leaves the first along phi^ comes to the second against it */
    pair.between = rcity_wedge_nothing();
    pair.between.m[0][0] = rcity_complex_make(RCITY_REAL(-1.0), RCITY_REAL(0.0));
    pair.between.m[1][1] = pair.between.m[0][0];
    pair.cos_twist = RCITY_REAL(-1.0);
    pair.is_joined = at->kind[0] == EDGE_FRONT && at->kind[1] == EDGE_BACK;
    return pair;
}

static inline double complex over_two(const two_edges *at, int pol)
{
    rcity_dyad p = rcity_wedge_pair_diffract(pair_of(at));
    double straight = spot_distance(at->source, at->receiver);
    double sum = spot_distance(at->source, at->edge[0]) + spot_distance(at->edge[0], at->edge[1]) +
                 spot_distance(at->edge[1], at->receiver);
    return -from_kernel(p.m[pol][pol]) * straight / sum * cexp(-J * at->wavenumber_per_m * (sum - straight));
}

#define TOUCH_M 1e-9

/* All rays over the edges, over the field without edges; rays that touch are there. Rays reflected between the edges of
   one building lie in its roof and count with the pair. */
static inline double complex all_rays(const two_edges *at, int pol)
{
    double complex sum = over_two(at, pol);
    bool sees_second = rise(at->source, at->edge[0], at->edge[1]) <= TOUCH_M;
    bool first_sees = rise(at->edge[0], at->edge[1], at->receiver) <= TOUCH_M;
    sum += sees_second ? over_one(at, 1, pol) : 0.0;
    sum += first_sees ? over_one(at, 0, pol) : 0.0;
    if (rise(at->source, at->edge[0], at->receiver) <= TOUCH_M &&
        rise(at->source, at->edge[1], at->receiver) <= TOUCH_M) {
        sum += 1.0;
    }
    return sum;
}

/* sqrt(j / pi) times the integral from x to infinity of exp(-j t^2) dt, along a rotated path; Simpson's rule. */
static inline double complex tail_truth(double x)
{
    const int steps = 4000;
    double step = 7.0 / (1.0 + 0.3 * fabs(x)) / steps;
    double complex slope = -2.0 * fabs(x) * cexp(J * PI / 4.0);
    double complex sum = 0.0;
    for (int i = 0; i <= steps; i++) {
        double y = i * step;
        double weight = i == 0 || i == steps ? 1.0 : i % 2 == 1 ? 4.0 : 2.0;
        sum += weight * cexp(slope * y - y * y);
    }
    double complex tail = sum * step / (3.0 * sqrt(PI)) * cexp(-J * x * x);
    return x < 0.0 ? 1.0 - tail : tail;
}

/* The field behind two openings x > v1, y > v2 of Fresnel's integral with a coupling rho: the product of both at rho =
   0, and its derivative in rho is exp(-j (v1^2 - 2 rho v1 v2 + v2^2) / (1 - rho^2)) / (2 pi sqrt(1 - rho^2)) (Plackett
   1954, for the normal distribution; here with imaginary variance). */
static inline double complex openings_truth(double v1, double v2, double rho)
{
    const int steps = 20000;
    double top = asin(rho);
    double complex sum = 0.0;
    for (int i = 0; i <= steps; i++) {
        double weight = i == 0 || i == steps ? 1.0 : i % 2 == 1 ? 4.0 : 2.0;
        double sine = sin(top * i / steps);
        sum += weight * cexp(-J * (v1 * v1 - 2.0 * sine * v1 * v2 + v2 * v2) / (1.0 - sine * sine));
    }
    return tail_truth(v1) * tail_truth(v2) + sum * top / (6.0 * PI * steps);
}

#endif

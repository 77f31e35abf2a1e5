/* Diffraction at two edges, one after the other. Conventions for each edge as in wedge.h.

   The product of two single coefficients is right only where neither edge lies in the other's transition region. Here
   each of the sixteen products of their terms gets the transition function of two edges (edge_transition.h), so the
   field is continuous where single and double rays begin and end, alone or all at once; it holds in line with both
   edges, and it contains slope diffraction of all orders. For half-planes the leading part is the exact
   Fresnel-Kirchhoff integral over both openings.

   With s1, s2, s3 the unfolded lengths before, between and after the edges and S their sum:
       rho^2 = cos^2(twist) s1 s3 / ((s1 + s2) (s2 + s3)),
       L1 = s1 (s2 + s3) / S (1 - rho^2) sin^2(beta1),   L2 = (s1 + s2) s3 / S (1 - rho^2) sin^2(beta2).
   twist is the angle between the planes through the ray between the edges and each edge: 0 for parallel edges and for
   two edges of one face, a right angle for a vertical and a horizontal edge where the ray is perpendicular to both. L
   follows Kouyoumjian and Pathak's equation (32) with the two radii, s1 + s2 and s2, of the wave that arrives at the
   second edge; the spreading sqrt(s1 / ...) that goes with it is in the result.

   Edges of one face. The ray between them runs in the face (is_joined), and the face's mirror image of it is the same
   ray. The first edge's field there is the sum of both, so only half of it counts (Kouyoumjian and Pathak, section on
   grazing incidence): that half is in the result, the caller adds no factor. On a lossy face, and on a conductor for E
   along it, the field vanishes but its slope does not; it is the odd part of the two transition functions.

   Valid as wedge.h, for s2 > 0. As s2 goes to 0 the result tends to that of one edge, within 0.3 dB. Not valid for
   three edges in a row. */
#ifndef RCITY_KERNEL_WAVE_WEDGE_PAIR_H
#define RCITY_KERNEL_WAVE_WEDGE_PAIR_H

#include "kernel/wave/wedge.h"

typedef struct rcity_wedge_pair {
    rcity_wedge first, second;
    rcity_wedge_ray at_first, at_second; /* distance_m of both is not read: L is computed as above */
    rcity_real before_m, between_m, after_m;

    /* From the components (beta, phi) that leave the first edge to those that arrive at the second, without spreading
       and phase: a rotation, times the reflections at faces between them. */
    rcity_dyad between;

    /* cos(twist), with its sign: phi_out^ of the first edge . phi_in^ of the second. Where faces reflect the ray
       between them, each of them mirrors the first vector. Without reflections it is between.m[1][1]. */
    rcity_real cos_twist;

    /* The ray between the edges runs in a face that both belong to: phi_out at the first and phi_in at the second are 0
       or exterior_rad there. */
    rcity_i32 is_joined;
} rcity_wedge_pair;

/* One of the two edges: its four terms. `turn` is the sense in which a term's boundary turns with the ray between the
   edges. */
typedef struct rcity_wedge_side {
    rcity_real shadow_rad[RCITY_WEDGE_TERMS];
    rcity_real shape[RCITY_WEDGE_TERMS];
    rcity_real p[RCITY_WEDGE_TERMS];
    rcity_real turn[RCITY_WEDGE_TERMS];
    rcity_wedge_weights weights;
} rcity_wedge_side;

/* The first edge's outgoing ray goes to the other edge, the second edge's incident ray comes from there. */
RCITY_KERNEL rcity_wedge_side rcity_wedge_side_make(rcity_wedge wedge, rcity_wedge_ray ray, rcity_i32 is_first)
{
    rcity_wedge_side side;
    side.weights = rcity_wedge_weigh(wedge, ray);
    for (rcity_i32 term = 0; term < RCITY_WEDGE_TERMS; term++) {
        side.shadow_rad[term] = rcity_wedge_shadow_rad(wedge, ray, term);
        side.shape[term] = rcity_wedge_shape(wedge, side.shadow_rad[term]);
        side.p[term] = rcity_wedge_parameter(ray, side.shadow_rad[term]);
        side.turn[term] = term == RCITY_WEDGE_MIRROR_N ? RCITY_REAL(-1.0) : RCITY_REAL(1.0);
    }
    side.turn[is_first ? RCITY_WEDGE_PAST_O : RCITY_WEDGE_PAST_N] = RCITY_REAL(-1.0);
    return side;
}

/* On a joined face the terms come in pairs that share a shadow angle: an incident term and its mirror image, which turn
   in opposite senses. A pair has the mean of their weights, which multiplies the field on the face, and half their
   difference, which multiplies its slope. */
#define RCITY_WEDGE_FAMILIES 2

typedef struct rcity_wedge_family {
    rcity_real sign, p; /* sign: before or behind the boundary; p: how far */
    rcity_dyad even, odd;
} rcity_wedge_family;

/* (a + factor b) scale */
RCITY_KERNEL rcity_dyad rcity_wedge_mix(rcity_dyad a, rcity_real factor, rcity_dyad b, rcity_real scale)
{
    rcity_dyad sum = rcity_wedge_add(a, rcity_complex_make(factor, RCITY_REAL(0.0)), b);
    return rcity_dyad_scale(sum, rcity_complex_make(scale, RCITY_REAL(0.0)));
}

/* How fast the mean weight of a joined face rises with the angle off the face, `rise` per radian, for the rays that
   count. They leave the face at about u, u^2 = 1 / (j k s2 sin(beta1) sin(beta2)). Over that angle the weight, m = u /
   (u + 1 / rise), changes from its tangent to its final value 1, as 1 + R does between a face that cancels the field
   and one that keeps it. Returns m / u = rise (1 + u rise)^-1. */
RCITY_KERNEL rcity_dyad rcity_wedge_secant(rcity_dyad rise, rcity_complex u)
{
    rcity_dyad below = rcity_dyad_scale(rise, u);
    below.m[0][0].re += RCITY_REAL(1.0);
    below.m[1][1].re += RCITY_REAL(1.0);
    rcity_complex det = rcity_complex_subtract(rcity_complex_multiply(below.m[0][0], below.m[1][1]),
                                               rcity_complex_multiply(below.m[0][1], below.m[1][0]));
    rcity_dyad inverse;
    inverse.m[0][0] = rcity_complex_divide(below.m[1][1], det);
    inverse.m[1][1] = rcity_complex_divide(below.m[0][0], det);
    inverse.m[0][1] = rcity_complex_scale(rcity_complex_divide(below.m[0][1], det), RCITY_REAL(-1.0));
    inverse.m[1][0] = rcity_complex_scale(rcity_complex_divide(below.m[1][0], det), RCITY_REAL(-1.0));
    return rcity_dyad_multiply(rise, inverse);
}

/* The transition functions treat a term as a pole, 1 / sin(y / 2). Its slope across the face differs in two ways: the
   cotangent falls as 1 / sin^2(y / 2n), and a lossy face's weight changes with the angle off the face. Both are
   included as factors, which are 1 and 0 on the boundary. */
RCITY_KERNEL rcity_wedge_family rcity_wedge_family_make(rcity_wedge wedge, rcity_wedge_ray ray, rcity_complex spread,
                                                        rcity_i32 is_first, rcity_i32 index)
{
#ifdef RCITY_REAL_IS_DOUBLE
    const rcity_real step = 1e-6;
#else
    const rcity_real step = 1e-3f;
#endif
    const rcity_real mean_of = RCITY_REAL(0.5);
    rcity_wedge_side side = rcity_wedge_side_make(wedge, ray, is_first);
    rcity_i32 plus = is_first ? RCITY_WEDGE_PAST_N : RCITY_WEDGE_PAST_O; /* its boundary turns with the ray */
    rcity_i32 minus = RCITY_WEDGE_MIRROR_N;
    if (index > 0) {
        plus = RCITY_WEDGE_MIRROR_O;
        minus = is_first ? RCITY_WEDGE_PAST_O : RCITY_WEDGE_PAST_N;
    }
    rcity_real phi = is_first ? ray.phi_out_rad : ray.phi_in_rad;
    rcity_real off_face = phi < RCITY_REAL(0.5) * wedge.exterior_rad ? RCITY_REAL(1.0) : RCITY_REAL(-1.0);
    rcity_wedge_ray lifted_ray = ray;
    if (is_first) {
        lifted_ray.phi_out_rad = phi + off_face * step;
    } else {
        lifted_ray.phi_in_rad = phi + off_face * step;
    }
    rcity_wedge_weights lifted = rcity_wedge_weigh(wedge, lifted_ray);
    rcity_dyad mean = rcity_wedge_mix(side.weights.of[plus], RCITY_REAL(1.0), side.weights.of[minus], mean_of);
    rcity_dyad high = rcity_wedge_mix(lifted.of[plus], RCITY_REAL(1.0), lifted.of[minus], mean_of);
    rcity_dyad gap = rcity_wedge_mix(side.weights.of[plus], RCITY_REAL(-1.0), side.weights.of[minus], mean_of);
    rcity_dyad rise = rcity_wedge_mix(high, RCITY_REAL(-1.0), mean, RCITY_REAL(1.0) / step);

    rcity_real n = wedge.exterior_rad / RCITY_REAL_PI;
    rcity_real sine = rcity_real_sin(RCITY_REAL(0.5) * side.shadow_rad[plus]);
    rcity_real part = rcity_real_sin(RCITY_REAL(0.5) * side.shadow_rad[plus] / n);
    rcity_real size = rcity_real_fabs(side.shape[plus]);
    rcity_real steep = RCITY_REAL(1.0);
    if (rcity_real_fabs(side.shadow_rad[plus]) > RCITY_WEDGE_TIE_RAD) {
        steep = sine * sine / (n * n * part * part);
    }
    rcity_wedge_family family;
    family.sign = side.shape[plus] < RCITY_REAL(0.0) ? RCITY_REAL(-1.0) : RCITY_REAL(1.0);
    family.p = side.p[plus];
    family.even = rcity_wedge_mix(mean, RCITY_REAL(0.0), mean, size);
    family.odd =
        rcity_wedge_mix(rcity_wedge_mix(gap, RCITY_REAL(0.0), gap, steep), RCITY_REAL(-2.0) * off_face * sine * size,
                        rcity_wedge_secant(rise, spread), RCITY_REAL(1.0));
    return family;
}

/* What both kinds of pairs need. */
typedef struct rcity_wedge_overlap {
    rcity_wedge_ray at_first, at_second; /* with L set */
    rcity_real rho, complement;          /* rho with the sign of cos(twist); sqrt(1 - rho^2) */
} rcity_wedge_overlap;

RCITY_KERNEL rcity_wedge_overlap rcity_wedge_overlap_make(rcity_wedge_pair pair)
{
    rcity_wedge_overlap overlap;
    rcity_real s1 = pair.before_m;
    rcity_real s2 = pair.between_m;
    rcity_real s3 = pair.after_m;
    rcity_real sum = s1 + s2 + s3;
    rcity_real along = pair.cos_twist * pair.cos_twist;
    rcity_real across = rcity_real_fmax(RCITY_REAL(1.0) - along, RCITY_REAL(0.0));
    rcity_real below = (s1 + s2) * (s2 + s3);
    rcity_real rest = (s2 * sum + s1 * s3 * across) / below; /* 1 - rho^2 */
    rcity_real sin_first = rcity_real_sin(pair.at_first.beta_rad);
    rcity_real sin_second = rcity_real_sin(pair.at_second.beta_rad);
    overlap.rho = pair.cos_twist * rcity_real_sqrt(s1 * s3 / below);
    overlap.complement = rcity_real_sqrt(rest);
    overlap.at_first = pair.at_first;
    overlap.at_second = pair.at_second;
    overlap.at_first.distance_m = s1 * (s2 + s3) / sum * rest * sin_first * sin_first;
    overlap.at_second.distance_m = (s1 + s2) * s3 / sum * rest * sin_second * sin_second;
    return overlap;
}

/* second . between . first, times factor, added to sum. */
RCITY_KERNEL rcity_dyad rcity_wedge_chain(rcity_dyad sum, rcity_complex factor, rcity_dyad second, rcity_dyad between,
                                          rcity_dyad first)
{
    return rcity_wedge_add(sum, factor, rcity_dyad_multiply(second, rcity_dyad_multiply(between, first)));
}

RCITY_KERNEL rcity_dyad rcity_wedge_pair_joined(rcity_wedge_pair pair, rcity_wedge_overlap overlap)
{
    const rcity_real root = RCITY_REAL(0.70710678118654752440);
    rcity_real sines = rcity_real_sin(pair.at_first.beta_rad) * rcity_real_sin(pair.at_second.beta_rad);
    rcity_real size = root / rcity_real_sqrt(pair.at_first.wavenumber_per_m * pair.between_m * sines);
    rcity_complex spread = rcity_complex_make(size, -size);
    rcity_dyad sum = rcity_wedge_nothing();
    for (rcity_i32 i = 0; i < RCITY_WEDGE_FAMILIES; i++) {
        rcity_wedge_family first = rcity_wedge_family_make(pair.first, overlap.at_first, spread, 1, i);
        for (rcity_i32 j = 0; j < RCITY_WEDGE_FAMILIES; j++) {
            rcity_wedge_family second = rcity_wedge_family_make(pair.second, overlap.at_second, spread, 0, j);
            rcity_real sign = first.sign * second.sign;
            rcity_real rho = sign * overlap.rho;
            rcity_complex with = rcity_edge_pair_field(first.p, second.p, rho, overlap.complement);
            rcity_complex against = rcity_edge_pair_field(first.p, second.p, -rho, overlap.complement);
            sum = rcity_wedge_chain(sum, rcity_complex_scale(rcity_complex_add(with, against), sign), second.even,
                                    pair.between, first.even);
            rcity_complex odd = rcity_edge_pair_odd(first.p, second.p, rho, overlap.complement);
            sum = rcity_wedge_chain(sum, rcity_complex_scale(odd, sign), second.odd, pair.between, first.odd);
        }
    }
    return sum;
}

/* The field after both edges relative to the field that arrives at the first:
       E_out = P E_in s1 / (s1 + s2 + s3) exp(-j k (s2 + s3)),
   E_in is that of a point source (or its image) s1 before the first edge. Reversing the path gives S P^T S. */
RCITY_KERNEL rcity_dyad rcity_wedge_pair_diffract(rcity_wedge_pair pair)
{
    rcity_wedge_overlap overlap = rcity_wedge_overlap_make(pair);
    if (pair.is_joined) {
        return rcity_wedge_pair_joined(pair, overlap);
    }
    rcity_wedge_side first = rcity_wedge_side_make(pair.first, overlap.at_first, 1);
    rcity_wedge_side second = rcity_wedge_side_make(pair.second, overlap.at_second, 0);
    rcity_dyad sum = rcity_wedge_nothing();
    for (rcity_i32 i = 0; i < RCITY_WEDGE_TERMS; i++) {
        for (rcity_i32 j = 0; j < RCITY_WEDGE_TERMS; j++) {
            rcity_real shape = first.shape[i] * second.shape[j];
            rcity_real rho = first.turn[i] * second.turn[j] * overlap.rho;
            rho = shape < RCITY_REAL(0.0) ? -rho : rho; /* before one boundary, behind the other */
            rcity_complex field = rcity_edge_pair_field(first.p[i], second.p[j], rho, overlap.complement);
            sum = rcity_wedge_chain(sum, rcity_complex_scale(field, shape), second.weights.of[j], pair.between,
                                    first.weights.of[i]);
        }
    }
    return sum;
}

#endif

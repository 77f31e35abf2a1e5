/* Diffraction at the edge of a wedge by the uniform theory of Kouyoumjian and Pathak (Proc. IEEE 62, 1974), for
   conductors and for lossy faces. Two edges in a row: wedge_pair.h. Many in the vertical plane: roof_chain.h.

   Angles. A wedge is seen along its edge, t the unit vector along it: phi counts counter-clockwise around t from the
   face o (phi = 0) through the air to the face n (phi = exterior_rad). beta is the angle between the ray's direction of
   travel and t; Keller's cone keeps it.

   Fields. With s_in, s_out the directions of travel, components are (beta, phi) along
       phi_in^  = -(t x s_in)  / |t x s_in|,   beta_in^  = phi_in^ x s_in,
       phi_out^ =  (t x s_out) / |t x s_out|,  beta_out^ = phi_out^ x s_out:
   phi^ points to growing phi on both sides, and beta^, phi^, s are right-handed. In these bases a ray that goes
   straight on has the dyad -1 (not +1), and the reversed ray has D_rev = S D^T S with S = diag(1, -1).

   Distance parameter L (Kouyoumjian and Pathak, equation (32)), s' before and s after the edge, both unfolded lengths:
   a reflection between source, edge and receiver keeps the source and only lengthens s' or s.
       point source            L = s s' sin^2(beta) / (s + s')
       plane wave              L = s sin^2(beta)
       line source along t     L = s s' / (s + s') with distances from the edge in the plane across it, beta = pi / 2
   Another edge before or after this one: take wedge_pair.h, which has its own.

   Boundaries. D is finite everywhere. Where a ray ends (the incident one behind the wedge, the reflected ones at the
   end of their faces) D jumps by what the ray had there, so the sum is continuous. On the boundary itself the ray
   counts as present, as in the line-of-sight tests: touching does not block.

   Grazing. D is continuous as phi_in or phi_out goes to 0 or exterior_rad. E_in is the field of the source in free
   space, not the sum with its reflection by the face: then no factor 1/2 is needed, not even on the face itself. A
   lossy face gives D = 0 there (it reflects with -1), as a conductor does for E along t.

   Valid for exterior angles over pi (convex edges), beta not 0 or pi, and k L above about 1: from one wavelength on,
   the error is within 0.6 % of the incident field at a right-angled conductor. Errors: docs/methods/physics.md. */
#ifndef RCITY_KERNEL_WAVE_WEDGE_H
#define RCITY_KERNEL_WAVE_WEDGE_H

#include "kernel/wave/edge_transition.h"
#include "kernel/wave/face.h"

typedef struct rcity_wedge {
    rcity_real exterior_rad; /* angle of the air: 2 pi for a half-plane, 3 pi / 2 for a right-angled corner */
    rcity_face face_o, face_n;
} rcity_wedge;

/* One ray at the edge. */
typedef struct rcity_wedge_ray {
    rcity_real wavenumber_per_m;
    rcity_real beta_rad;    /* between 0 and pi, both excluded */
    rcity_real phi_in_rad;  /* phi of the direction back to the source */
    rcity_real phi_out_rad; /* phi of the direction of travel after the edge */
    rcity_real distance_m;  /* the parameter L */
} rcity_wedge_ray;

/* Rays closer to a boundary than this are taken to lie on it: angles are not known better. */
#ifdef RCITY_REAL_IS_DOUBLE
#define RCITY_WEDGE_TIE_RAD 1e-9
#else
#define RCITY_WEDGE_TIE_RAD 2e-6f
#endif

/* The four terms of D; each belongs to a ray that ends at a boundary. */
#define RCITY_WEDGE_TERMS    4
#define RCITY_WEDGE_PAST_N   0 /* the incident ray, hidden by the face n: ends at phi_out = phi_in + pi */
#define RCITY_WEDGE_PAST_O   1 /* the incident ray, hidden by the face o: phi_out = phi_in - pi */
#define RCITY_WEDGE_MIRROR_O 2 /* the ray reflected by the face o: phi_out = pi - phi_in */
#define RCITY_WEDGE_MIRROR_N 3 /* the ray reflected by the face n: phi_out = 2 exterior - pi - phi_in */

/* How far the outgoing ray lies behind a term's boundary, negative before it; between -exterior and exterior. */
RCITY_KERNEL rcity_real rcity_wedge_shadow_rad(rcity_wedge wedge, rcity_wedge_ray ray, rcity_i32 term)
{
    rcity_real turn = RCITY_REAL(2.0) * wedge.exterior_rad;
    rcity_real angle = ray.phi_out_rad - ray.phi_in_rad - RCITY_REAL_PI;
    if (term == RCITY_WEDGE_PAST_O) {
        angle = ray.phi_in_rad - ray.phi_out_rad - RCITY_REAL_PI;
    } else if (term == RCITY_WEDGE_MIRROR_O) {
        angle = ray.phi_in_rad + ray.phi_out_rad - RCITY_REAL_PI;
    } else if (term == RCITY_WEDGE_MIRROR_N) {
        angle = turn - RCITY_REAL_PI - ray.phi_in_rad - ray.phi_out_rad;
    }
    if (angle > wedge.exterior_rad) {
        angle -= turn;
    } else if (angle < -wedge.exterior_rad) {
        angle += turn;
    }
    return angle;
}

/* p of a term: sqrt(2 k L) |sin(y / 2)|, which is the root of Kouyoumjian and Pathak's k L a. */
RCITY_KERNEL rcity_real rcity_wedge_parameter(rcity_wedge_ray ray, rcity_real shadow_rad)
{
    return rcity_real_sqrt(RCITY_REAL(2.0) * ray.wavenumber_per_m * ray.distance_m) *
           rcity_real_fabs(rcity_real_sin(RCITY_REAL(0.5) * shadow_rad));
}

/* cot(y / 2n) |sin(y / 2)| / n with n = exterior / pi: +1 just behind the boundary, -1 just before and on it. */
RCITY_KERNEL rcity_real rcity_wedge_shape(rcity_wedge wedge, rcity_real shadow_rad)
{
    rcity_real n = wedge.exterior_rad / RCITY_REAL_PI;
    rcity_real half_rad = RCITY_REAL(0.5) * rcity_real_fabs(shadow_rad);
    rcity_real size = RCITY_REAL(1.0);
    if (half_rad > RCITY_REAL(0.5) * RCITY_WEDGE_TIE_RAD) {
        rcity_real part = half_rad / n;
        size = rcity_real_fabs(rcity_real_sin(half_rad)) * rcity_real_cos(part) / (n * rcity_real_sin(part));
    }
    return shadow_rad > RCITY_WEDGE_TIE_RAD ? size : -size;
}

/* How a face reflects, in the bases (beta, phi) with their sign: diag(-1, +1) for a conductor. With te, tm the face's
   coefficients and e^ across the plane of incidence, e^ = a beta_in^ + b phi_in^ and e^ = -a beta_out^ + b phi_out^, so
   the matrix is, with a^2 + b^2 = 1,
       te - b^2 (te + tm)    a b (te + tm)
       -a b (te + tm)        tm - b^2 (te + tm).
   For an incident ray at azimuth psi to the face, c = sin(beta) sin(psi) is its cosine to the normal, b^2 = cos^2(beta)
   sin^2(psi) / (1 - c^2) and a b = -cos(beta) sin(psi) cos(psi) / (1 - c^2). That is geometry on the reflection
   boundary. Off it psi is a choice, which must not change when source and receiver are swapped: sin(psi) is that of the
   ray nearer to the face, cos(psi) becomes sin((phi_out - phi_in) / 2), the same for both faces, odd under the swap,
   and right on both boundaries. */
typedef struct rcity_wedge_facing {
    rcity_real sin_psi, cos_incidence; /* c */
    rcity_face_response response;
} rcity_wedge_facing;

/* What depends on the ray nearer to the face alone. */
RCITY_KERNEL rcity_wedge_facing rcity_wedge_face(rcity_face face, rcity_wedge_ray ray, rcity_real face_angle_rad)
{
    rcity_wedge_facing facing;
    facing.sin_psi = rcity_real_fabs(rcity_real_sin(face_angle_rad));
    facing.cos_incidence = rcity_real_sin(ray.beta_rad) * facing.sin_psi;
    facing.response = rcity_face_reflect(face, ray.wavenumber_per_m, facing.cos_incidence);
    return facing;
}

RCITY_KERNEL rcity_dyad rcity_wedge_mirror(rcity_wedge_facing facing, rcity_wedge_ray ray)
{
    const rcity_real tiny = RCITY_REAL(1e-6); /* at normal incidence te + tm is 0 and any plane is one of incidence */
    rcity_face_response response = facing.response;
    rcity_real cos_psi = rcity_real_sin(RCITY_REAL(0.5) * (ray.phi_out_rad - ray.phi_in_rad));
    rcity_real c = facing.cos_incidence;
    rcity_real lean = rcity_real_cos(ray.beta_rad) * facing.sin_psi;
    rcity_complex twist = rcity_complex_scale(rcity_complex_add(response.te, response.tm),
                                              lean / rcity_real_fmax(RCITY_REAL(1.0) - c * c, tiny));
    rcity_dyad mirror;
    mirror.m[0][0] = rcity_complex_subtract(response.te, rcity_complex_scale(twist, lean));
    mirror.m[0][1] = rcity_complex_scale(twist, -cos_psi);
    mirror.m[1][0] = rcity_complex_scale(twist, cos_psi);
    mirror.m[1][1] = rcity_complex_subtract(response.tm, rcity_complex_scale(twist, lean));
    return mirror;
}

/* The factors of the terms. */
typedef struct rcity_wedge_weights {
    rcity_dyad of[RCITY_WEDGE_TERMS];
} rcity_wedge_weights;

/* Holm's weights (IEEE Trans. AP 48, 2000): 1 for the incident ray on the side that the wedge hides, each face's own
   reflection for its mirror term, and the product of both for the incident ray on the other side, which has met both
   faces. His angles depend on which end is the source; these do not (docs/adr/0018-wedge-heuristic.md). */
RCITY_KERNEL rcity_wedge_weights rcity_wedge_weigh_by(rcity_wedge_facing facing_o, rcity_wedge_facing facing_n,
                                                      rcity_wedge_ray ray)
{
    rcity_wedge_weights weights;
    rcity_dyad one;
    for (int i = 0; i < 2; i++) {
        for (int j = 0; j < 2; j++) {
            one.m[i][j] = rcity_complex_make(i == j ? RCITY_REAL(1.0) : RCITY_REAL(0.0), RCITY_REAL(0.0));
        }
    }
    rcity_dyad by_o = rcity_wedge_mirror(facing_o, ray);
    rcity_dyad by_n = rcity_wedge_mirror(facing_n, ray);
    weights.of[RCITY_WEDGE_MIRROR_O] = by_o;
    weights.of[RCITY_WEDGE_MIRROR_N] = by_n;
    if (ray.phi_out_rad < ray.phi_in_rad) { /* the ray meets the face n first, then the face o */
        weights.of[RCITY_WEDGE_PAST_O] = one;
        weights.of[RCITY_WEDGE_PAST_N] = rcity_dyad_multiply(by_o, by_n);
    } else {
        weights.of[RCITY_WEDGE_PAST_N] = one;
        weights.of[RCITY_WEDGE_PAST_O] = rcity_dyad_multiply(by_n, by_o);
    }
    return weights;
}

/* The angles of the rays nearer to each face, from that face on. */
RCITY_KERNEL rcity_real rcity_wedge_angle_o(rcity_wedge_ray ray)
{
    return rcity_real_fmin(ray.phi_in_rad, ray.phi_out_rad);
}

RCITY_KERNEL rcity_real rcity_wedge_angle_n(rcity_wedge wedge, rcity_wedge_ray ray)
{
    return wedge.exterior_rad - rcity_real_fmax(ray.phi_in_rad, ray.phi_out_rad);
}

RCITY_KERNEL rcity_wedge_weights rcity_wedge_weigh(rcity_wedge wedge, rcity_wedge_ray ray)
{
    return rcity_wedge_weigh_by(rcity_wedge_face(wedge.face_o, ray, rcity_wedge_angle_o(ray)),
                                rcity_wedge_face(wedge.face_n, ray, rcity_wedge_angle_n(wedge, ray)), ray);
}

/* a + factor b */
RCITY_KERNEL rcity_dyad rcity_wedge_add(rcity_dyad a, rcity_complex factor, rcity_dyad b)
{
    for (int i = 0; i < 2; i++) {
        for (int j = 0; j < 2; j++) {
            a.m[i][j] = rcity_complex_add(a.m[i][j], rcity_complex_multiply(factor, b.m[i][j]));
        }
    }
    return a;
}

RCITY_KERNEL rcity_dyad rcity_wedge_nothing(void)
{
    rcity_dyad none;
    for (int i = 0; i < 2; i++) {
        for (int j = 0; j < 2; j++) {
            none.m[i][j] = rcity_complex_make(RCITY_REAL(0.0), RCITY_REAL(0.0));
        }
    }
    return none;
}

/* The coefficient D, the field that leaves the edge relative to the incident field:
       E_out(s) = D E_in sqrt(s' / (s (s' + s))) exp(-j k s).
   Each of Kouyoumjian and Pathak's terms, equations (25) to (28), -exp(-j pi / 4) cot() F() / (2 n sqrt(2 pi k)
   sin(beta)), is sqrt(L) / sin(beta) shape W(p): the pole of the cotangent and the zero of F are taken together. For a
   conductor D = diag(-D_soft, -D_hard). */
RCITY_KERNEL rcity_dyad rcity_wedge_diffract(rcity_wedge wedge, rcity_wedge_ray ray)
{
    rcity_wedge_weights weights = rcity_wedge_weigh(wedge, ray);
    rcity_real scale = -rcity_real_sqrt(ray.distance_m) / rcity_real_sin(ray.beta_rad);
    rcity_dyad sum = rcity_wedge_nothing();
    for (rcity_i32 term = 0; term < RCITY_WEDGE_TERMS; term++) {
        rcity_real shadow_rad = rcity_wedge_shadow_rad(wedge, ray, term);
        rcity_complex field = rcity_edge_field(rcity_wedge_parameter(ray, shadow_rad));
        field = rcity_complex_scale(field, scale * rcity_wedge_shape(wedge, shadow_rad));
        sum = rcity_wedge_add(sum, field, weights.of[term]);
    }
    return sum;
}

/* d shape / dy, with the sign of y in it: the same on both sides of the boundary. */
RCITY_KERNEL rcity_real rcity_wedge_shape_slope(rcity_wedge wedge, rcity_real shadow_rad)
{
    rcity_real n = wedge.exterior_rad / RCITY_REAL_PI;
    rcity_real half_rad = RCITY_REAL(0.5) * rcity_real_fabs(shadow_rad);
    if (half_rad < RCITY_REAL(0.003)) { /* sin(n b) cot(b) / n = 1 - b^2 (n^2 + 2) / 6 + ..., b = y / 2n */
        return -half_rad * (n * n + RCITY_REAL(2.0)) / (RCITY_REAL(6.0) * n * n);
    }
    rcity_real part = half_rad / n;
    rcity_real sine = rcity_real_sin(part);
    rcity_real size = rcity_real_cos(half_rad) * rcity_real_cos(part) - rcity_real_sin(half_rad) / (n * sine);
    return RCITY_REAL(0.5) * size / (n * sine);
}

/* dD / dphi_in with L and everything else constant. The derivative of the faces' weights is a difference quotient that
   stays on one side of their kink at phi_in = phi_out. */
RCITY_KERNEL rcity_dyad rcity_wedge_turn(rcity_wedge wedge, rcity_wedge_ray ray)
{
#ifdef RCITY_REAL_IS_DOUBLE
    const rcity_real step = 1e-5;
#else
    const rcity_real step = 4e-3f;
#endif
    rcity_wedge_ray low = ray;
    rcity_wedge_ray high = ray;
    low.phi_in_rad = rcity_real_fmax(ray.phi_in_rad - step, RCITY_REAL(0.0));
    high.phi_in_rad = rcity_real_fmin(ray.phi_in_rad + step, wedge.exterior_rad);
    if (ray.phi_in_rad < ray.phi_out_rad) {
        high.phi_in_rad = rcity_real_fmin(high.phi_in_rad, ray.phi_out_rad);
    } else if (ray.phi_in_rad > ray.phi_out_rad) {
        low.phi_in_rad = rcity_real_fmax(low.phi_in_rad, ray.phi_out_rad);
    }
    rcity_real per_rad = RCITY_REAL(1.0) / (high.phi_in_rad - low.phi_in_rad);
    rcity_wedge_weights weights = rcity_wedge_weigh(wedge, ray);
    rcity_wedge_weights weights_low = rcity_wedge_weigh(wedge, low);
    rcity_wedge_weights weights_high = rcity_wedge_weigh(wedge, high);
    rcity_real scale = -rcity_real_sqrt(ray.distance_m) / rcity_real_sin(ray.beta_rad);
    rcity_real reach = rcity_real_sqrt(RCITY_REAL(2.0) * ray.wavenumber_per_m * ray.distance_m);
    rcity_dyad sum = rcity_wedge_nothing();
    for (rcity_i32 term = 0; term < RCITY_WEDGE_TERMS; term++) {
        rcity_real turn = term == RCITY_WEDGE_PAST_O || term == RCITY_WEDGE_MIRROR_O ? scale : -scale; /* dy/dphi_in */
        rcity_real shadow_rad = rcity_wedge_shadow_rad(wedge, ray, term);
        rcity_real half_rad = RCITY_REAL(0.5) * rcity_real_fabs(shadow_rad);
        rcity_real shape = rcity_wedge_shape(wedge, shadow_rad);
        rcity_real p = rcity_wedge_parameter(ray, shadow_rad);
        rcity_complex field = rcity_edge_field(p);
        /* d|p|/dy and the shape both have the sign of y, so their product has none */
        rcity_real p_slope = RCITY_REAL(0.5) * reach * rcity_real_cos(half_rad) * rcity_real_fabs(shape);
        rcity_complex slope = rcity_complex_scale(rcity_edge_field_slope(p), p_slope);
        slope = rcity_complex_add(slope, rcity_complex_scale(field, rcity_wedge_shape_slope(wedge, shadow_rad)));
        sum = rcity_wedge_add(sum, rcity_complex_scale(slope, turn), weights.of[term]);
        rcity_complex change = rcity_complex_scale(field, scale * shape * per_rad);
        sum = rcity_wedge_add(sum, change, weights_high.of[term]);
        sum = rcity_wedge_add(sum, rcity_complex_scale(change, RCITY_REAL(-1.0)), weights_low.of[term]);
    }
    return sum;
}

/* The slope coefficient, which multiplies the derivative of the incident field across the ray:
       E_out(s) += D_slope (dE_in/dn) sqrt(s' / (s (s' + s))) exp(-j k s),  n along phi_in^.
   D_slope = dD/dphi_in / (j k sin(beta)): a field with a slope is a sum of rays from slightly different directions
   (Hwang and Kouyoumjian 1974). E_in vanishes on a lossy face while its slope does not. */
RCITY_KERNEL rcity_dyad rcity_wedge_slope(rcity_wedge wedge, rcity_wedge_ray ray)
{
    rcity_real share = RCITY_REAL(-1.0) / (ray.wavenumber_per_m * rcity_real_sin(ray.beta_rad));
    return rcity_dyad_scale(rcity_wedge_turn(wedge, ray), rcity_complex_make(RCITY_REAL(0.0), share));
}

#endif

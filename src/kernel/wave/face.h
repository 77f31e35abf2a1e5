/* How a plane face of a material reflects, and how a wall transmits: Fresnel's coefficients of a half-space, and those
   of a slab (ITU-R P.2040-3). Fields are split into a part across the plane of incidence (te) and one in it (tm). With
   e the unit vector across that plane, the same on every ray, and s a ray's direction, tm is counted along e x s. */
#ifndef RCITY_KERNEL_WAVE_FACE_H
#define RCITY_KERNEL_WAVE_FACE_H

#include "kernel/wave/complex.h"

/* A face at one frequency. */
typedef struct rcity_face {
    rcity_complex permittivity; /* relative; imaginary part 0 or less */
    rcity_real thickness_m;     /* of the wall; 0: a half-space */
    rcity_i32 is_conductor;     /* a perfect one: permittivity and thickness are not used */
    rcity_real rough_loss; /* share of the reflected field that a rough face scatters away (roughness.h); 0: smooth */
} rcity_face;

typedef struct rcity_face_response {
    rcity_complex te, tm;
} rcity_face_response;

/* Closer to grazing than this a face responds as at this angle: -1 and 0 to within 1e-12, and no 0 / 0 in float. */
#define RCITY_FACE_COS_MIN RCITY_REAL(1e-12)

/* One boundary between air and the material, for one polarization. With c = cos(theta), eta the permittivity and n =
   sqrt(eta - sin^2(theta)), the half-space's coefficient is R' = (x - y) / (x + y): x = c, y = n across the plane of
   incidence, x = eta c, y = n in it (ITU-R P.2040-3, equations (37a) and (37b)). */
typedef struct rcity_face_boundary {
    rcity_complex reflected; /* R' */
    rcity_complex passed;    /* 1 - R'^2 = 4 x y / (x + y)^2: into the wall and out of it again */
} rcity_face_boundary;

/* `left` times `right` is x^2 - y^2. Divided by (x + y)^2 it keeps the digits that x - y loses near air's permittivity
   and near Brewster's angle; two quotients, because the square of a metal's x + y exceeds the range of float. */
RCITY_KERNEL rcity_face_boundary rcity_face_boundary_make(rcity_complex x, rcity_complex y, rcity_complex left,
                                                          rcity_complex right)
{
    rcity_complex sum = rcity_complex_add(x, y);
    rcity_face_boundary boundary;
    boundary.reflected = rcity_complex_multiply(rcity_complex_divide(left, sum), rcity_complex_divide(right, sum));
    boundary.passed = rcity_complex_scale(
        rcity_complex_multiply(rcity_complex_divide(x, sum), rcity_complex_divide(y, sum)), RCITY_REAL(4.0));
    return boundary;
}

/* What both functions below need to know of a face and a ray. */
typedef struct rcity_face_ray {
    rcity_real cos_incidence;     /* at least RCITY_FACE_COS_MIN */
    rcity_complex susceptibility; /* eta - 1 */
    rcity_complex normal_index;   /* n, imaginary part 0 or less: fields decay inwards */
    rcity_face_boundary te, tm;
} rcity_face_ray;

RCITY_KERNEL rcity_face_ray rcity_face_ray_make(rcity_face face, rcity_real cos_incidence)
{
    rcity_face_ray ray;
    rcity_real c = rcity_real_fmax(rcity_real_fabs(cos_incidence), RCITY_FACE_COS_MIN);
    rcity_complex one = rcity_complex_make(RCITY_REAL(1.0), RCITY_REAL(0.0));
    ray.cos_incidence = c;
    ray.susceptibility = rcity_complex_subtract(face.permittivity, one);
    ray.normal_index = rcity_complex_sqrt(rcity_complex_make(ray.susceptibility.re + c * c, ray.susceptibility.im));
    /* c^2 - n^2 = 1 - eta; (eta c)^2 - n^2 = (eta - 1) ((eta + 1) c^2 - 1) */
    ray.te = rcity_face_boundary_make(rcity_complex_make(c, RCITY_REAL(0.0)), ray.normal_index,
                                      rcity_complex_scale(ray.susceptibility, RCITY_REAL(-1.0)), one);
    rcity_complex brewster = rcity_complex_scale(rcity_complex_add(face.permittivity, one), c * c);
    ray.tm = rcity_face_boundary_make(rcity_complex_scale(face.permittivity, c), ray.normal_index, ray.susceptibility,
                                      rcity_complex_subtract(brewster, one));
    return ray;
}

/* 1 - exp(-j 2 q) for q = k d n, the round trip inside the wall. With q = a - j b it is (1 - e^-2b) + e^-2b 2 sin(a)
   (sin(a) + j cos(a)): thin walls keep their digits, thick ones give 1. */
RCITY_KERNEL rcity_complex rcity_face_round_trip(rcity_face face, rcity_real wavenumber_per_m, rcity_complex n)
{
    rcity_real twice_b = RCITY_REAL(-2.0) * wavenumber_per_m * face.thickness_m * n.im;
    rcity_real a = wavenumber_per_m * face.thickness_m * n.re;
    rcity_real sine = rcity_real_sin(a);
    rcity_real swing = RCITY_REAL(2.0) * rcity_real_exp(-twice_b) * sine;
    return rcity_complex_make(swing * sine - rcity_real_expm1(-twice_b), swing * rcity_real_cos(a));
}

/* 1 - R'^2 exp(-j 2 q) = (1 - R'^2) + R'^2 (1 - exp(-j 2 q)): both terms small at grazing, neither a difference. */
RCITY_KERNEL rcity_complex rcity_face_echoes(rcity_face_boundary boundary, rcity_complex round_trip)
{
    rcity_complex square = rcity_complex_multiply(boundary.reflected, boundary.reflected);
    return rcity_complex_add(boundary.passed, rcity_complex_multiply(square, round_trip));
}

/* Reflection: the reflected field relative to the incident field, on the surface. A conductor has te = -1, tm = +1.
   cos_incidence is relative to the normal: 1 at normal incidence, 0 at grazing; its sign, which says from which side,
   does not matter. Half-space: R'. Slab, ITU-R P.2040-3, equations (43a) and (44), q = k d n:
       R' (1 - exp(-j 2 q)) / (1 - R'^2 exp(-j 2 q)). */
RCITY_KERNEL rcity_face_response rcity_face_reflect(rcity_face face, rcity_real wavenumber_per_m,
                                                    rcity_real cos_incidence)
{
    rcity_face_response response;
    rcity_real kept = RCITY_REAL(1.0) - face.rough_loss;
    if (face.is_conductor) {
        response.te = rcity_complex_make(-kept, RCITY_REAL(0.0));
        response.tm = rcity_complex_make(kept, RCITY_REAL(0.0));
        return response;
    }
    rcity_face_ray ray = rcity_face_ray_make(face, cos_incidence);
    response.te = ray.te.reflected;
    response.tm = ray.tm.reflected;
    if (face.thickness_m > RCITY_REAL(0.0)) {
        rcity_complex trip = rcity_face_round_trip(face, wavenumber_per_m, ray.normal_index);
        response.te = rcity_complex_multiply(response.te, rcity_complex_divide(trip, rcity_face_echoes(ray.te, trip)));
        response.tm = rcity_complex_multiply(response.tm, rcity_complex_divide(trip, rcity_face_echoes(ray.tm, trip)));
    }
    response.te = rcity_complex_scale(response.te, kept);
    response.tm = rcity_complex_scale(response.tm, kept);
    return response;
}

/* Transmission through the wall. The phase of the wall is included and that of the air in its place is removed, so that
   the straight ray continues with exp(-j k s). 0 for a conductor, and for a face without thickness. ITU-R P.2040-3,
   equation (43b): (1 - R'^2) exp(-j q) / (1 - R'^2 exp(-j 2 q)), between points opposite each other on the two
   surfaces. The straight ray would have k d cos(theta) between the phase planes through them, hence exp(-j (q - k d
   c)); and n - c = (eta - 1) / (n + c), exact where the wall is nearly air. */
RCITY_KERNEL rcity_face_response rcity_face_transmit(rcity_face face, rcity_real wavenumber_per_m,
                                                     rcity_real cos_incidence)
{
    rcity_face_response response;
    response.te = rcity_complex_make(RCITY_REAL(0.0), RCITY_REAL(0.0));
    response.tm = response.te;
    if (face.is_conductor || !(face.thickness_m > RCITY_REAL(0.0))) {
        return response;
    }
    rcity_face_ray ray = rcity_face_ray_make(face, cos_incidence);
    rcity_complex n = ray.normal_index;
    rcity_complex trip = rcity_face_round_trip(face, wavenumber_per_m, n);
    rcity_complex slower = rcity_complex_divide(ray.susceptibility, rcity_complex_make(n.re + ray.cos_incidence, n.im));
    rcity_real depth = wavenumber_per_m * face.thickness_m;
    rcity_complex leg = rcity_complex_exp(rcity_complex_make(depth * slower.im, -depth * slower.re));
    response.te = rcity_complex_multiply(leg, rcity_complex_divide(ray.te.passed, rcity_face_echoes(ray.te, trip)));
    response.tm = rcity_complex_multiply(leg, rcity_complex_divide(ray.tm.passed, rcity_face_echoes(ray.tm, trip)));
    return response;
}

#endif

/* The 2 x 2 field that is followed along a ray, through faces and around edges. Its rows refer to two unit vectors
   across the ray, its columns to the two polarizations with which it left. */
#ifndef RCITY_KERNEL_WAVE_RAY_FIELD_H
#define RCITY_KERNEL_WAVE_RAY_FIELD_H

#include "kernel/wave/face.h"
#include "kernel/wave/polarization.h"
#include "kernel/wave/space.h"
#include "kernel/wave/wedge_pair.h"

/* Sine of an angle below which two directions span no plane. */
#ifdef RCITY_REAL_IS_DOUBLE
#define RCITY_RAY_CROSS_MIN 1e-12
#else
#define RCITY_RAY_CROSS_MIN 1e-6f
#endif

/* A ray this near to a face runs along it: 10 micrometres over a roof. */
#define RCITY_RAY_FACE_TIE_RAD RCITY_REAL(1e-6)

typedef struct rcity_ray_field {
    rcity_real3 axis[2];
    rcity_dyad field;
} rcity_ray_field;

/* A ray at an edge. */
typedef struct rcity_edge_ray {
    rcity_wedge wedge;
    rcity_wedge_ray ray; /* distance_m is not set */
    rcity_real sin_beta;
    rcity_real3 in_axis[2], out_axis[2]; /* beta^, phi^ */
} rcity_edge_ray;

/* The plane of an edge: the unit vector along it, the normal of its face o into the air, and the direction in face o
   away from the edge. */
typedef struct rcity_edge_frame {
    rcity_real3 along, normal_o, in_face_o;
} rcity_edge_frame;

RCITY_KERNEL rcity_real3 rcity_real3_mirror(rcity_real3 v, rcity_real3 normal)
{
    return rcity_real3_subtract(v, rcity_real3_scale(normal, RCITY_REAL(2.0) * rcity_real3_dot(v, normal)));
}

/* Any unit vector perpendicular to a unit vector. */
RCITY_KERNEL rcity_real3 rcity_real3_any_across(rcity_real3 v)
{
    rcity_real3 other = rcity_real_fabs(v.z) < RCITY_REAL(0.5)
                            ? rcity_real3_make(RCITY_REAL(0.0), RCITY_REAL(0.0), RCITY_REAL(1.0))
                            : rcity_real3_make(RCITY_REAL(1.0), RCITY_REAL(0.0), RCITY_REAL(0.0));
    return rcity_real3_unit(rcity_real3_cross(other, v));
}

/* The unit vector along a x b; where they are parallel, one perpendicular to b. */
RCITY_KERNEL rcity_real3 rcity_real3_unit_cross(rcity_real3 a, rcity_real3 b)
{
    rcity_real3 cross = rcity_real3_cross(a, b);
    rcity_real size = rcity_real3_length(cross);
    return size < RCITY_RAY_CROSS_MIN ? rcity_real3_any_across(b) : rcity_real3_scale(cross, RCITY_REAL(1.0) / size);
}

RCITY_KERNEL rcity_dyad rcity_dyad_diagonal(rcity_complex first, rcity_complex second)
{
    rcity_dyad dyad;
    dyad.m[0][0] = first;
    dyad.m[0][1] = rcity_complex_make(RCITY_REAL(0.0), RCITY_REAL(0.0));
    dyad.m[1][0] = dyad.m[0][1];
    dyad.m[1][1] = second;
    return dyad;
}

RCITY_KERNEL rcity_dyad rcity_dyad_identity(void)
{
    rcity_complex one = rcity_complex_make(RCITY_REAL(1.0), RCITY_REAL(0.0));
    return rcity_dyad_diagonal(one, one);
}

/* Express the same field in other axes. */
RCITY_KERNEL void rcity_ray_turn(rcity_ray_field *ray, rcity_real3 first, rcity_real3 second)
{
    rcity_dyad turn;
    for (int j = 0; j < 2; j++) {
        turn.m[0][j] = rcity_complex_make(rcity_real3_dot(first, ray->axis[j]), RCITY_REAL(0.0));
        turn.m[1][j] = rcity_complex_make(rcity_real3_dot(second, ray->axis[j]), RCITY_REAL(0.0));
    }
    ray->field = rcity_dyad_multiply(turn, ray->field);
    ray->axis[0] = first;
    ray->axis[1] = second;
}

/* Express it in the upright frame of a direction of travel. */
RCITY_KERNEL void rcity_ray_turn_upright(rcity_ray_field *ray, rcity_real3 travel)
{
    rcity_upright upright = rcity_upright_of(travel);
    rcity_ray_turn(ray, upright.theta, upright.phi);
}

/* A ray that leaves with both polarizations, in the upright frame. */
RCITY_KERNEL rcity_ray_field rcity_ray_field_make(rcity_real3 travel)
{
    rcity_ray_field ray;
    rcity_upright upright = rcity_upright_of(travel);
    ray.axis[0] = upright.theta;
    ray.axis[1] = upright.phi;
    ray.field = rcity_dyad_identity();
    return ray;
}

/* Reflection off a face, or passage through the wall behind it. Incoming and outgoing directions are averaged for the
   angle and the plane of incidence, so that rounding is the same in both directions of travel. */
RCITY_KERNEL void rcity_ray_meet_face(rcity_face face, rcity_real wavenumber_per_m, rcity_real3 normal, int passes,
                                      rcity_real3 in, rcity_real3 out, rcity_ray_field *ray)
{
    rcity_real3 change = passes ? rcity_real3_add(in, out) : rcity_real3_subtract(in, out);
    rcity_real cos_incidence =
        rcity_real_fmin(RCITY_REAL(0.5) * rcity_real_fabs(rcity_real3_dot(change, normal)), RCITY_REAL(1.0));
    rcity_face_response response = passes ? rcity_face_transmit(face, wavenumber_per_m, cos_incidence)
                                          : rcity_face_reflect(face, wavenumber_per_m, cos_incidence);
    rcity_real3 across = rcity_real3_unit_cross(rcity_real3_add(in, out), normal);
    rcity_ray_turn(ray, across, rcity_real3_cross(across, in));
    ray->field = rcity_dyad_multiply(rcity_dyad_diagonal(response.te, response.tm), ray->field);
    ray->axis[1] = rcity_real3_cross(across, out);
}

/* The angle around an edge, from face o. A direction that rounding puts into the solid counts as in the nearer face. */
RCITY_KERNEL rcity_real rcity_edge_angle_around(rcity_edge_frame frame, rcity_real exterior_rad, rcity_real3 direction)
{
    const rcity_real turn = RCITY_REAL(2.0) * RCITY_REAL_PI;
    rcity_real phi_rad =
        rcity_real_atan2(rcity_real3_dot(direction, frame.normal_o), rcity_real3_dot(direction, frame.in_face_o));
    if (phi_rad < RCITY_REAL(0.0)) {
        phi_rad += turn;
    }
    if (phi_rad > exterior_rad) {
        phi_rad = phi_rad - exterior_rad < turn - phi_rad ? exterior_rad : RCITY_REAL(0.0);
    }
    return phi_rad;
}

RCITY_KERNEL rcity_edge_ray rcity_edge_ray_make(rcity_edge_frame frame, rcity_wedge wedge, rcity_real wavenumber_per_m,
                                                rcity_real3 in, rcity_real3 out)
{
    rcity_edge_ray edge;
    edge.wedge = wedge;
    rcity_real cos_beta = RCITY_REAL(0.5) * rcity_real3_dot(rcity_real3_add(in, out), frame.along);
    edge.sin_beta = rcity_real_sqrt(rcity_real_fmax(RCITY_REAL(1.0) - cos_beta * cos_beta, RCITY_RAY_CROSS_MIN));
    edge.ray.wavenumber_per_m = wavenumber_per_m;
    edge.ray.beta_rad = rcity_real_atan2(edge.sin_beta, cos_beta);
    edge.ray.phi_in_rad = rcity_edge_angle_around(frame, wedge.exterior_rad, rcity_real3_scale(in, RCITY_REAL(-1.0)));
    edge.ray.phi_out_rad = rcity_edge_angle_around(frame, wedge.exterior_rad, out);
    edge.ray.distance_m = RCITY_REAL(0.0);
    edge.in_axis[1] = rcity_real3_unit_cross(in, frame.along);
    edge.in_axis[0] = rcity_real3_cross(edge.in_axis[1], in);
    edge.out_axis[1] = rcity_real3_unit_cross(frame.along, out);
    edge.out_axis[0] = rcity_real3_cross(edge.out_axis[1], out);
    return edge;
}

/* Does the ray at an edge run along one of its faces? */
RCITY_KERNEL int rcity_edge_ray_is_in_face(const rcity_edge_ray *edge, rcity_real phi_rad)
{
    return phi_rad < RCITY_RAY_FACE_TIE_RAD || phi_rad > edge->wedge.exterior_rad - RCITY_RAY_FACE_TIE_RAD;
}

/* Put an edge's coefficient onto the field, which is then along the edge's outgoing axes. */
RCITY_KERNEL void rcity_ray_leave_edge(const rcity_edge_ray *edge, rcity_dyad coefficient, rcity_ray_field *ray)
{
    ray->field = rcity_dyad_multiply(coefficient, ray->field);
    ray->axis[0] = edge->out_axis[0];
    ray->axis[1] = edge->out_axis[1];
}

/* Diffraction at one edge between the unfolded lengths before and after it.
   @return the spreading, which is 1 / r in free space. */
RCITY_KERNEL rcity_real rcity_ray_meet_edge(rcity_edge_ray edge, rcity_real before_m, rcity_real after_m,
                                            rcity_ray_field *ray)
{
    rcity_real total_m = before_m + after_m;
    edge.ray.distance_m = before_m * after_m / total_m * edge.sin_beta * edge.sin_beta;
    rcity_ray_turn(ray, edge.in_axis[0], edge.in_axis[1]);
    rcity_ray_leave_edge(&edge, rcity_wedge_diffract(edge.wedge, edge.ray), ray);
    return RCITY_REAL(1.0) / rcity_real_sqrt(before_m * after_m * total_m);
}

#endif

/* What the tests of wedges share: an edge along z in space, and the rays of geometrical optics beside it, worked out
   from vectors and not from the wedge's own bases. */
#ifndef RCITY_TESTS_WEDGE_TEST_H
#define RCITY_TESTS_WEDGE_TEST_H

#include "wave_test.h"

#include "kernel/wave/wedge.h"

/* A field vector. */
typedef struct field3 {
    double complex x, y, z;
} field3;

typedef struct point3 {
    double x, y, z;
} point3;

static inline point3 point3_of(double x, double y, double z)
{
    return (point3){x, y, z};
}

static inline point3 point3_less(point3 a, point3 b)
{
    return point3_of(a.x - b.x, a.y - b.y, a.z - b.z);
}

static inline double point3_dot(point3 a, point3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline point3 point3_cross(point3 a, point3 b)
{
    return point3_of(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}

static inline point3 point3_unit(point3 a)
{
    double size = sqrt(point3_dot(a, a));
    return point3_of(a.x / size, a.y / size, a.z / size);
}

static inline double complex field3_along(field3 e, point3 axis)
{
    return e.x * axis.x + e.y * axis.y + e.z * axis.z;
}

static inline field3 field3_make(double complex a, point3 along_a, double complex b, point3 along_b)
{
    return (field3){a * along_a.x + b * along_b.x, a * along_a.y + b * along_b.y, a * along_a.z + b * along_b.z};
}

static inline field3 field3_add(field3 a, field3 b)
{
    return (field3){a.x + b.x, a.y + b.y, a.z + b.z};
}

static inline double field3_size(field3 e)
{
    return sqrt(pow(cabs(e.x), 2) + pow(cabs(e.y), 2) + pow(cabs(e.z), 2));
}

static inline rcity_face lossy_face(double complex permittivity, double thickness_m)
{
    rcity_face face;
    face.permittivity = to_kernel(permittivity);
    face.thickness_m = (rcity_real)thickness_m;
    face.is_conductor = 0;
    face.rough_loss = 0;
    return face;
}

static inline rcity_face conducting_face(void)
{
    rcity_face face = lossy_face(1.0, 0.0);
    face.is_conductor = 1;
    return face;
}

static inline rcity_wedge wedge_of(double exterior_rad, rcity_face face_o, rcity_face face_n)
{
    rcity_wedge wedge;
    wedge.exterior_rad = (rcity_real)exterior_rad;
    wedge.face_o = face_o;
    wedge.face_n = face_n;
    return wedge;
}

static inline rcity_wedge_ray ray_of(double wavenumber_per_m, double beta_rad, double phi_in_rad, double phi_out_rad,
                                     double distance_m)
{
    rcity_wedge_ray ray;
    ray.wavenumber_per_m = (rcity_real)wavenumber_per_m;
    ray.beta_rad = (rcity_real)beta_rad;
    ray.phi_in_rad = (rcity_real)phi_in_rad;
    ray.phi_out_rad = (rcity_real)phi_out_rad;
    ray.distance_m = (rcity_real)distance_m;
    return ray;
}

#endif

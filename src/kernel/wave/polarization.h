/* The direction of an antenna's field: unit vectors across a ray, and the pair of components (a Jones vector) that an
   antenna sends into a direction or receives from it. After 3GPP TR 38.901, section 7.1. */
#ifndef RCITY_KERNEL_WAVE_POLARIZATION_H
#define RCITY_KERNEL_WAVE_POLARIZATION_H

#include "kernel/antenna.h"
#include "kernel/wave/complex.h"
#include "kernel/wave/space.h"

/* The vertical frame of a direction r away from an antenna: theta^ down, phi^ counter-clockwise seen from above; theta^
   x phi^ = r. The opposite direction has the same theta^ and the other phi^. */
typedef struct rcity_upright {
    rcity_real3 theta, phi;
} rcity_upright;

/* The direction has length 1. Straight up and down, where the frame is ambiguous, phi^ is the y axis. */
RCITY_KERNEL rcity_upright rcity_upright_of(rcity_real3 direction)
{
    rcity_upright frame;
    rcity_real level = rcity_real_sqrt(direction.x * direction.x + direction.y * direction.y);
    rcity_real east = level > RCITY_REAL(0.0) ? direction.x / level : RCITY_REAL(1.0);
    rcity_real north = level > RCITY_REAL(0.0) ? direction.y / level : RCITY_REAL(0.0);
    frame.theta = rcity_real3_make(direction.z * east, direction.z * north, -level);
    frame.phi = rcity_real3_make(-north, east, RCITY_REAL(0.0));
    return frame;
}

/* An antenna with its mounting and polarization. */
typedef struct rcity_mount {
    rcity_real sin_azimuth, cos_azimuth; /* where it looks, clockwise from the y axis */
    rcity_real sin_tilt, cos_tilt;       /* mechanical tilt, down positive */
    rcity_real sin_slant, cos_slant;     /* zeta: 0 vertical, pi/2 horizontal, pi/4 slant */
} rcity_mount;

RCITY_KERNEL rcity_mount rcity_mount_make(rcity_real azimuth_rad, rcity_real tilt_rad, rcity_real slant_rad)
{
    rcity_mount mount;
    mount.sin_azimuth = rcity_real_sin(azimuth_rad);
    mount.cos_azimuth = rcity_real_cos(azimuth_rad);
    mount.sin_tilt = rcity_real_sin(tilt_rad);
    mount.cos_tilt = rcity_real_cos(tilt_rad);
    mount.sin_slant = rcity_real_sin(slant_rad);
    mount.cos_slant = rcity_real_cos(slant_rad);
    return mount;
}

/* Components of a field along theta^ and phi^ of its direction. */
typedef struct rcity_jones {
    rcity_real theta, phi;
} rcity_jones;

/* The polarization into a direction of length 1, itself of length 1. In the antenna's own frame it is (cos zeta, sin
   zeta) at every direction (TR 38.901, equations (7.3-4) and (7.3-5), model 2); equation (7.1-11) turns it into the
   scene's by the angle psi, whose cosine and sine are theta^ and phi^ times the antenna's own theta^ (7.1-12). */
RCITY_KERNEL rcity_jones rcity_mount_jones(rcity_mount mount, rcity_real3 direction)
{
    rcity_upright scene = rcity_upright_of(direction);
    /* front, left and up of the antenna: x, y and z of its own frame */
    rcity_real3 front =
        rcity_real3_make(mount.cos_tilt * mount.sin_azimuth, mount.cos_tilt * mount.cos_azimuth, -mount.sin_tilt);
    rcity_real3 left = rcity_real3_make(-mount.cos_azimuth, mount.sin_azimuth, RCITY_REAL(0.0));
    rcity_real3 up =
        rcity_real3_make(mount.sin_tilt * mount.sin_azimuth, mount.sin_tilt * mount.cos_azimuth, mount.cos_tilt);
    rcity_upright own = rcity_upright_of(rcity_real3_make(
        rcity_real3_dot(direction, front), rcity_real3_dot(direction, left), rcity_real3_dot(direction, up)));
    rcity_real3 turned =
        rcity_real3_add(rcity_real3_add(rcity_real3_scale(front, own.theta.x), rcity_real3_scale(left, own.theta.y)),
                        rcity_real3_scale(up, own.theta.z));
    rcity_real cos_psi = rcity_real3_dot(scene.theta, turned);
    rcity_real sin_psi = rcity_real3_dot(scene.phi, turned);
    rcity_jones jones;
    jones.theta = cos_psi * mount.cos_slant - sin_psi * mount.sin_slant;
    jones.phi = sin_psi * mount.cos_slant + cos_psi * mount.sin_slant;
    return jones;
}

/* The same times the square root of the gain: the field of the antenna over that of an isotropic one of the same power.
   `antenna` and its table as in kernel/antenna.h; its azimuth and tilt must be the mount's. */
RCITY_KERNEL rcity_jones rcity_mount_field(rcity_mount mount, rcity_antenna_job antenna,
                                           RCITY_GLOBAL const float *table, rcity_real3 direction)
{
    rcity_vec3 single;
    single.x = (float)direction.x;
    single.y = (float)direction.y;
    single.z = (float)direction.z;
    rcity_real gain_dbi = (rcity_real)rcity_antenna_gain(antenna, table, single);
    rcity_real amplitude = rcity_real_pow(RCITY_REAL(10.0), gain_dbi / RCITY_REAL(20.0));
    rcity_jones jones = rcity_mount_jones(mount, direction);
    jones.theta *= amplitude;
    jones.phi *= amplitude;
    return jones;
}

/* Polarizations of a receiver: the numbers of rcity_rx_polarization. */
#define RCITY_RX_VERTICAL    0
#define RCITY_RX_HORIZONTAL  1
#define RCITY_RX_SLANT       2
#define RCITY_RX_SLANT_MINUS 3
#define RCITY_RX_BOTH        4

/* What the receiver's one or two ports take of a field (theta, phi) in the frame of the direction of travel. The
   receiver looks in the opposite direction, where theta^ is the same and phi^ is reversed: its slant to the right leans
   to the left of the ray. */
RCITY_KERNEL void rcity_receive(rcity_i32 polarization, rcity_complex theta, rcity_complex phi, rcity_complex port[2])
{
    const rcity_real root_half = RCITY_REAL(0.70710678118654752440);
    port[0] = theta;
    port[1] = rcity_complex_make(RCITY_REAL(0.0), RCITY_REAL(0.0));
    if (polarization == RCITY_RX_HORIZONTAL) {
        port[0] = phi;
    } else if (polarization == RCITY_RX_SLANT) {
        port[0] = rcity_complex_scale(rcity_complex_subtract(theta, phi), root_half);
    } else if (polarization == RCITY_RX_SLANT_MINUS) {
        port[0] = rcity_complex_scale(rcity_complex_add(theta, phi), root_half);
    } else if (polarization == RCITY_RX_BOTH) {
        port[1] = phi;
    }
}

#endif

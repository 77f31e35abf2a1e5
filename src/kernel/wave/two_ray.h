/* Two rays over flat ground: the direct one and the one reflected by the ground. */
#ifndef RCITY_KERNEL_WAVE_TWO_RAY_H
#define RCITY_KERNEL_WAVE_TWO_RAY_H

#include "kernel/wave/face.h"

typedef struct rcity_two_ray {
    rcity_real plan_m;                   /* distance between the ends, on the ground */
    rcity_real tx_height_m, rx_height_m; /* above the ground; not both 0 when plan_m is 0 */
    rcity_real wavenumber_per_m;
    rcity_face ground;
} rcity_two_ray;

/* The sum of both fields relative to the direct one, 1 + R (r1 / r2) exp(-j k (r2 - r1)): te for horizontal, tm for
   vertical polarization, for isotropic antennas. r2 - r1 is computed as 4 h1 h2 / (r1 + r2), which is exact where the
   two paths are nearly equal. */
RCITY_KERNEL rcity_face_response rcity_two_ray_field(rcity_two_ray link)
{
    rcity_real below = link.tx_height_m + link.rx_height_m;
    rcity_real rise = link.tx_height_m - link.rx_height_m;
    rcity_real direct_m = rcity_real_sqrt(link.plan_m * link.plan_m + rise * rise);
    rcity_real ground_m = rcity_real_sqrt(link.plan_m * link.plan_m + below * below);
    rcity_real more_m = RCITY_REAL(4.0) * link.tx_height_m * link.rx_height_m / (direct_m + ground_m);
    rcity_complex leg = rcity_complex_polar(direct_m / ground_m, -link.wavenumber_per_m * more_m);
    rcity_complex one = rcity_complex_make(RCITY_REAL(1.0), RCITY_REAL(0.0));
    rcity_face_response field = rcity_face_reflect(link.ground, link.wavenumber_per_m, below / ground_m);
    field.te = rcity_complex_add(one, rcity_complex_multiply(field.te, leg));
    field.tm = rcity_complex_add(one, rcity_complex_multiply(field.tm, leg));
    return field;
}

#endif

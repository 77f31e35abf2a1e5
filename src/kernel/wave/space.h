/* Directions and positions in space, in the precision of the wave physics. */
#ifndef RCITY_KERNEL_WAVE_SPACE_H
#define RCITY_KERNEL_WAVE_SPACE_H

#include "kernel/wave/real.h"

typedef struct rcity_real3 {
    rcity_real x, y, z;
} rcity_real3;

RCITY_KERNEL rcity_real3 rcity_real3_make(rcity_real x, rcity_real y, rcity_real z)
{
    rcity_real3 v;
    v.x = x;
    v.y = y;
    v.z = z;
    return v;
}

RCITY_KERNEL rcity_real3 rcity_real3_add(rcity_real3 a, rcity_real3 b)
{
    return rcity_real3_make(a.x + b.x, a.y + b.y, a.z + b.z);
}

RCITY_KERNEL rcity_real3 rcity_real3_subtract(rcity_real3 a, rcity_real3 b)
{
    return rcity_real3_make(a.x - b.x, a.y - b.y, a.z - b.z);
}

RCITY_KERNEL rcity_real3 rcity_real3_scale(rcity_real3 a, rcity_real factor)
{
    return rcity_real3_make(a.x * factor, a.y * factor, a.z * factor);
}

RCITY_KERNEL rcity_real rcity_real3_dot(rcity_real3 a, rcity_real3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

RCITY_KERNEL rcity_real3 rcity_real3_cross(rcity_real3 a, rcity_real3 b)
{
    return rcity_real3_make(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}

RCITY_KERNEL rcity_real rcity_real3_length(rcity_real3 a)
{
    return rcity_real_sqrt(rcity_real3_dot(a, a));
}

/* Of length 1; a must not be 0. */
RCITY_KERNEL rcity_real3 rcity_real3_unit(rcity_real3 a)
{
    return rcity_real3_scale(a, RCITY_REAL(1.0) / rcity_real3_length(a));
}

#endif

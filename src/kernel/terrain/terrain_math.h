/* Mathematics that formulas over terrain need beside kernel/wave/real.h, in both precisions and in the common part of C
   and OpenCL C. */
#ifndef RCITY_KERNEL_TERRAIN_TERRAIN_MATH_H
#define RCITY_KERNEL_TERRAIN_TERRAIN_MATH_H

#include "kernel/wave/real.h"

/* Of numbers that are never NaN: an instruction each, where fmax() of C is a call. */
RCITY_KERNEL rcity_real rcity_terrain_max(rcity_real a, rcity_real b)
{
    return a > b ? a : b;
}

RCITY_KERNEL rcity_real rcity_terrain_min(rcity_real a, rcity_real b)
{
    return a < b ? a : b;
}

RCITY_KERNEL rcity_real rcity_terrain_square(rcity_real x)
{
    return x * x;
}

/* 10^x. */
RCITY_KERNEL rcity_real rcity_terrain_pow10(rcity_real x)
{
    return rcity_real_exp(RCITY_REAL(2.30258509299404568402) * x);
}

RCITY_KERNEL rcity_real rcity_terrain_cube_root(rcity_real x)
{
    return rcity_real_pow(x, RCITY_REAL(1.0) / RCITY_REAL(3.0));
}

/* 1 far below zero, 1/2 at it, 0 far above it: 1 - (1 + tanh(x)) / 2, as the blending weights have it, without the
   difference of two numbers near each other. */
RCITY_KERNEL rcity_real rcity_terrain_fade(rcity_real x)
{
    return RCITY_REAL(1.0) /
           (RCITY_REAL(1.0) + rcity_real_exp(rcity_terrain_min(RCITY_REAL(2.0) * x, RCITY_REAL(80.0))));
}

/* -n log10(10^(-a / n) + 10^(-b / n)): two losses whose powers add up, for n = 10. The smaller one leads, so that no
   power overflows. */
RCITY_KERNEL rcity_real rcity_terrain_join_db(rcity_real a_db, rcity_real b_db, rcity_real n)
{
    rcity_real least = rcity_terrain_min(a_db, b_db);
    rcity_real more = rcity_terrain_max(a_db, b_db) - least;
    return least -
           n * rcity_real_log10(RCITY_REAL(1.0) + rcity_terrain_pow10(rcity_terrain_max(-more / n, RCITY_REAL(-30.0))));
}

#endif

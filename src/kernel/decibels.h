/* Logarithm and exponential of positive numbers without branches or calls: levels take a handful of them for each
   receiver, and the same arithmetic runs on every device. Within some units in the last place of libm's: test_shadow_edges. */
#ifndef RCITY_KERNEL_DECIBELS_H
#define RCITY_KERNEL_DECIBELS_H

#include "kernel/portable.h"

/* Of numbers that are never NaN: an instruction each, where fmax() of C is a call. */
RCITY_KERNEL float rcity_max(float a, float b)
{
    return a > b ? a : b;
}

RCITY_KERNEL float rcity_min(float a, float b)
{
    return a < b ? a : b;
}

#define RCITY_ROOT_HALF_BITS 0x3f3504f3 /* bits of sqrt(1/2) in single precision */

/* 10 log10 of a normal number above 0. With x = m 2^e, m from sqrt(1/2) to sqrt(2), and s = (m - 1) / (m + 1): ln m =
   2 (s + s^3 / 3 + s^5 / 5 + ...). */
RCITY_KERNEL_WITHIN float rcity_decibels(float x)
{
    rcity_i32 over = (rcity_i32)rcity_float_bits(x) - RCITY_ROOT_HALF_BITS;
    rcity_i32 exponent = over >> 23;
    float m = rcity_bits_float((rcity_u32)((over & 0x7fffff) + RCITY_ROOT_HALF_BITS));
    float s = (m - 1.0f) / (m + 1.0f);
    float s2 = s * s;
    float series = s * (8.68588964f + s2 * (2.89529655f + s2 * (1.73717793f + s2 * (1.24084138f + s2 * 0.965098848f))));
    return (float)exponent * 3.01029996f + series;
}

/* 10^(db / 10), from -370 to 370 dB, beyond as at the ends. With db / 10 log2(10) = e + f, e whole and |f| up to 1/2:
   2^f = exp(f ln 2) by its series. */
RCITY_KERNEL_WITHIN float rcity_decibel_ratio(float db)
{
    float x = rcity_min(rcity_max(db, -370.0f), 370.0f) * 0.332192809f;
    rcity_i32 whole = (rcity_i32)(x + 128.5f) - 128; /* to the nearest: x + 128 is above 0 */
    float y = (x - (float)whole) * 0.693147181f;
    float series =
        1.0f +
        y * (1.0f + y * (0.5f + y * (0.166666667f + y * (0.0416666667f + y * (0.00833333333f + y * 0.00138888889f)))));
    return series * rcity_bits_float((rcity_u32)((whole + 127) << 23));
}

#endif

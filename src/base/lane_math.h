/* Logarithm and angle without branches or calls, so that the compiler can vectorise loops over arrays. As accurate as
   libm in single precision to a few units in the last place: test_lane_math. */
#ifndef RCITY_BASE_LANE_MATH_H
#define RCITY_BASE_LANE_MATH_H

#include <stdint.h>
#include <string.h>

#define RCITY_LANE_ROOT_HALF_BITS 0x3f3504f3 /* bits of sqrt(1/2) in single precision */

/* log10 of a normal number above 0. With x = m 2^e, m from sqrt(1/2) to sqrt(2), and s = (m - 1) / (m + 1):
   ln m = 2 (s + s^3 / 3 + s^5 / 5 + ...). */
static inline float rcity_lane_log10(float x)
{
    int32_t bits;
    memcpy(&bits, &x, sizeof bits);
    int32_t over = bits - RCITY_LANE_ROOT_HALF_BITS;
    int32_t exponent = over >> 23;
    int32_t mantissa = (over & 0x7fffff) + RCITY_LANE_ROOT_HALF_BITS;
    float m;
    memcpy(&m, &mantissa, sizeof m);
    float s = (m - 1.0f) / (m + 1.0f);
    float s2 = s * s;
    float series =
        s * (0.868588964f + s2 * (0.289529655f + s2 * (0.173717793f + s2 * (0.124084138f + s2 * 0.0965098848f))));
    return (float)exponent * 0.301029996f + series;
}

/* The angle of (x, y) from the x axis, for y >= 0: 0 to pi, and 0 where both are 0. It is computed from the ratio of
   the smaller to the larger; above tan(pi / 8), from the difference to pi / 4, so that the series needs seven terms. */
static inline float rcity_lane_angle(float y, float x)
{
    float ax = x < 0.0f ? -x : x;
    float small = ax < y ? ax : y;
    float large = ax < y ? y : ax;
    large = large > 1e-30f ? large : 1e-30f;
    int is_wide = small > 0.414213562f * large;
    float above = is_wide ? small - large : small;
    float below = is_wide ? small + large : large;
    float a = above / below;
    float a2 = a * a;
    float series =
        a *
        (1.0f +
         a2 * (-0.333333333f +
               a2 * (0.2f + a2 * (-0.142857143f + a2 * (0.111111111f + a2 * (-0.0909090909f + a2 * 0.0769230769f))))));
    float angle = series + (is_wide ? 0.785398163f : 0.0f);
    angle = ax < y ? 1.57079633f - angle : angle;
    return x < 0.0f ? 3.14159265f - angle : angle;
}

#endif

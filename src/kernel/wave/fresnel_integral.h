/* Fresnel's integral, the field behind a straight edge: F(x) = integral from x to infinity of exp(-j t^2) dt. */
#ifndef RCITY_KERNEL_WAVE_FRESNEL_INTEGRAL_H
#define RCITY_KERNEL_WAVE_FRESNEL_INTEGRAL_H

#include "kernel/wave/complex.h"
#include "kernel/wave/fresnel_table.h"

/* F(x) oscillates ever faster, G(x) = exp(j x^2) F(x) does not: (x + 2) G(x) is a smooth function of u = -4 / (x + 2),
   which maps x from 0 to infinity to u from -2 to 0, and ends at -j / 2. So it is -j / 2 plus u times a Chebyshev
   series in 1 + u, one for all x, as long as the precision requires. */
#ifdef RCITY_REAL_IS_DOUBLE
#define RCITY_FRESNEL_SCALED_TERMS    38
#define RCITY_FRESNEL_SHORTFALL_TERMS 44
#else
#define RCITY_FRESNEL_SCALED_TERMS    21
#define RCITY_FRESNEL_SHORTFALL_TERMS 25
#endif

/* -j / 2 + u (sum of c_i T_i(1 + u)) from the last term to the first: Clenshaw's sum in Reinsch's form, which uses u
   instead of 1 + u and keeps the digits at large x, where u is small. */
RCITY_KERNEL rcity_complex rcity_fresnel_series(RCITY_CONSTANT rcity_real *table, rcity_i32 count, rcity_real u)
{
    rcity_complex sum = rcity_complex_make(RCITY_REAL(0.0), RCITY_REAL(0.0));
    rcity_complex step = sum;
    for (rcity_i32 i = count - 1; i > 0; i--) {
        step.re += table[2 * i] + RCITY_REAL(2.0) * u * sum.re;
        step.im += table[2 * i + 1] + RCITY_REAL(2.0) * u * sum.im;
        sum = rcity_complex_add(sum, step);
    }
    return rcity_complex_make(u * (table[0] + u * sum.re + step.re),
                              u * (table[1] + u * sum.im + step.im) - RCITY_REAL(0.5));
}

/* G(x) = exp(j x^2) F(x) for x of 0 or more: sqrt(pi / 8) (1 - j) at 0, -j / (2 x) for large x. The transition function
   of Kouyoumjian and Pathak is F(X) = 2 j x G(x) with X = x^2. */
RCITY_KERNEL rcity_complex rcity_fresnel_scaled(rcity_real x)
{
    rcity_real share = RCITY_REAL(1.0) / (x + RCITY_REAL(2.0));
    rcity_complex sum =
        rcity_fresnel_series(rcity_fresnel_scaled_table, RCITY_FRESNEL_SCALED_TERMS, RCITY_REAL(-4.0) * share);
    return rcity_complex_scale(sum, share);
}

/* 1 - 2 j x G(x) for x of 0 or more: 1 less the transition function. It is -j / (2 x^2) for large x, where a difference
   would lose all digits. It is minus the derivative of G. */
RCITY_KERNEL rcity_complex rcity_fresnel_shortfall(rcity_real x)
{
    rcity_real share = RCITY_REAL(1.0) / (x + RCITY_REAL(2.0));
    rcity_complex sum =
        rcity_fresnel_series(rcity_fresnel_shortfall_table, RCITY_FRESNEL_SHORTFALL_TERMS, RCITY_REAL(-4.0) * share);
    return rcity_complex_scale(sum, share * share);
}

/* F(x) for any x: sqrt(pi/2) (1 - j) at minus infinity, half of it at 0, 0 at infinity. */
RCITY_KERNEL rcity_complex rcity_fresnel_tail(rcity_real x)
{
    const rcity_real whole = RCITY_REAL(1.25331413731550025121); /* sqrt(pi / 2) */
    rcity_complex phase = rcity_complex_polar(RCITY_REAL(1.0), -x * x);
    rcity_complex tail = rcity_complex_multiply(phase, rcity_fresnel_scaled(rcity_real_fabs(x)));
    return x < RCITY_REAL(0.0) ? rcity_complex_make(whole - tail.re, -whole - tail.im) : tail;
}

#endif

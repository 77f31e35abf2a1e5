/* The number the wave physics is written in: one source, two precisions. It is float, as on devices, unless the file
   that includes this defines RCITY_REAL_IS_DOUBLE before its first include; then it is double, which exact methods and
   the tests use. All functions are static, so each file has its own; types that hold rcity_real must not pass between a
   file of one precision and a file of the other. */
#ifndef RCITY_KERNEL_WAVE_REAL_H
#define RCITY_KERNEL_WAVE_REAL_H

#include "kernel/portable.h"

#ifdef RCITY_REAL_IS_DOUBLE

typedef double rcity_real;
#define RCITY_REAL(x)          x /* a constant, written 0.5 or 1e-3 */
#define rcity_real_sqrt(x)     sqrt(x)
#define rcity_real_exp(x)      exp(x)
#define rcity_real_expm1(x)    expm1(x)
#define rcity_real_pow(x, y)   pow(x, y)
#define rcity_real_log10(x)    log10(x)
#define rcity_real_sin(x)      sin(x)
#define rcity_real_cos(x)      cos(x)
#define rcity_real_fabs(x)     fabs(x)
#define rcity_real_floor(x)    floor(x)
#define rcity_real_atan2(y, x) atan2(y, x)
#define rcity_real_acos(x)     acos(x)
#define rcity_real_hypot(x, y) hypot(x, y)
#define rcity_real_fmin(a, b)  fmin(a, b)
#define rcity_real_fmax(a, b)  fmax(a, b)

#else

typedef float rcity_real;
#define RCITY_REAL(x)          x##f
#define rcity_real_sqrt(x)     rcity_sqrt(x)
#define rcity_real_exp(x)      rcity_exp(x)
#define rcity_real_expm1(x)    rcity_expm1(x)
#define rcity_real_pow(x, y)   rcity_pow(x, y)
#define rcity_real_log10(x)    rcity_log10(x)
#define rcity_real_sin(x)      rcity_sin(x)
#define rcity_real_cos(x)      rcity_cos(x)
#define rcity_real_fabs(x)     rcity_fabs(x)
#define rcity_real_floor(x)    rcity_floor(x)
#define rcity_real_atan2(y, x) rcity_atan2(y, x)
#define rcity_real_acos(x)     rcity_acos(x)
#define rcity_real_hypot(x, y) rcity_hypot(x, y)
#define rcity_real_fmin(a, b)  rcity_fmin(a, b)
#define rcity_real_fmax(a, b)  rcity_fmax(a, b)

#endif

#define RCITY_REAL_PI RCITY_REAL(3.14159265358979323846)

#endif

/* Complex numbers, and the 2 x 2 matrices that turn one polarized field into another. Time goes as exp(+j omega t), so
   a wave that has travelled s carries exp(-j k s) and lossy permittivities have a negative imaginary part. */
#ifndef RCITY_KERNEL_WAVE_COMPLEX_H
#define RCITY_KERNEL_WAVE_COMPLEX_H

#include "kernel/wave/real.h"

typedef struct rcity_complex {
    rcity_real re, im;
} rcity_complex;

/* Rows: components of the field that leaves; columns: components of the incident field. */
typedef struct rcity_dyad {
    rcity_complex m[2][2];
} rcity_dyad;

RCITY_KERNEL rcity_complex rcity_complex_make(rcity_real re, rcity_real im)
{
    rcity_complex z;
    z.re = re;
    z.im = im;
    return z;
}

/* magnitude * exp(j angle) */
RCITY_KERNEL rcity_complex rcity_complex_polar(rcity_real magnitude, rcity_real angle_rad)
{
    return rcity_complex_make(magnitude * rcity_real_cos(angle_rad), magnitude * rcity_real_sin(angle_rad));
}

RCITY_KERNEL rcity_complex rcity_complex_add(rcity_complex a, rcity_complex b)
{
    return rcity_complex_make(a.re + b.re, a.im + b.im);
}

RCITY_KERNEL rcity_complex rcity_complex_subtract(rcity_complex a, rcity_complex b)
{
    return rcity_complex_make(a.re - b.re, a.im - b.im);
}

RCITY_KERNEL rcity_complex rcity_complex_multiply(rcity_complex a, rcity_complex b)
{
    return rcity_complex_make(a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re);
}

RCITY_KERNEL rcity_complex rcity_complex_scale(rcity_complex a, rcity_real factor)
{
    return rcity_complex_make(a.re * factor, a.im * factor);
}

RCITY_KERNEL rcity_real rcity_complex_square(rcity_complex a)
{
    return a.re * a.re + a.im * a.im;
}

RCITY_KERNEL rcity_complex rcity_complex_divide(rcity_complex a, rcity_complex b)
{
    rcity_real scale = RCITY_REAL(1.0) / rcity_complex_square(b);
    return rcity_complex_make((a.re * b.re + a.im * b.im) * scale, (a.im * b.re - a.re * b.im) * scale);
}

/* The root with a real part of 0 or more. The larger part is computed first: the smaller one is then a quotient and
   keeps its digits. A difference of nearly equal numbers would lose the small imaginary part of a good insulator. */
RCITY_KERNEL rcity_complex rcity_complex_sqrt(rcity_complex a)
{
    rcity_real size = rcity_real_sqrt(rcity_complex_square(a));
    rcity_real larger = rcity_real_sqrt(RCITY_REAL(0.5) * (size + rcity_real_fabs(a.re)));
    rcity_real smaller = larger > RCITY_REAL(0.0) ? RCITY_REAL(0.5) * rcity_real_fabs(a.im) / larger : larger;
    rcity_real re = a.re < RCITY_REAL(0.0) ? smaller : larger;
    rcity_real im = a.re < RCITY_REAL(0.0) ? larger : smaller;
    return rcity_complex_make(re, a.im < RCITY_REAL(0.0) ? -im : im);
}

RCITY_KERNEL rcity_complex rcity_complex_exp(rcity_complex a)
{
    return rcity_complex_polar(rcity_real_exp(a.re), a.im);
}

RCITY_KERNEL rcity_dyad rcity_dyad_multiply(rcity_dyad a, rcity_dyad b)
{
    rcity_dyad product;
    for (int i = 0; i < 2; i++) {
        for (int j = 0; j < 2; j++) {
            product.m[i][j] = rcity_complex_add(rcity_complex_multiply(a.m[i][0], b.m[0][j]),
                                                rcity_complex_multiply(a.m[i][1], b.m[1][j]));
        }
    }
    return product;
}

RCITY_KERNEL rcity_dyad rcity_dyad_scale(rcity_dyad a, rcity_complex factor)
{
    for (int i = 0; i < 2; i++) {
        for (int j = 0; j < 2; j++) {
            a.m[i][j] = rcity_complex_multiply(a.m[i][j], factor);
        }
    }
    return a;
}

#endif

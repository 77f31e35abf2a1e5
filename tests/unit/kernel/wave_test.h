/* What the tests of kernel/wave share. Each of them is compiled twice, in single precision and, with
   RCITY_REAL_IS_DOUBLE, in double; the truth they hold it against is written in double with C's own complex numbers. */
#ifndef RCITY_TESTS_WAVE_TEST_H
#define RCITY_TESTS_WAVE_TEST_H

#include "rcity_test.h"

#include <complex.h>

#include "kernel/wave/complex.h"

/* A tolerance for each precision. */
#ifdef RCITY_REAL_IS_DOUBLE
#define EITHER(single, twice) (twice)
#define PRECISION             "double"
#else
#define EITHER(single, twice) (single)
#define PRECISION             "single"
#endif

#define PI 3.14159265358979323846
#define J  CMPLX(0.0, 1.0) /* C's I is a float */

#ifndef CMPLX /* glibc has it for gcc alone */
static inline double complex complex_of(double re, double im)
{
    const double parts[2] = {re, im};
    double complex z;
    memcpy(&z, parts, sizeof z);
    return z;
}
#define CMPLX(re, im) complex_of(re, im)
#endif

static inline double complex from_kernel(rcity_complex z)
{
    return CMPLX((double)z.re, (double)z.im);
}

static inline rcity_complex to_kernel(double complex z)
{
    return rcity_complex_make((rcity_real)creal(z), (rcity_real)cimag(z));
}

#define assert_complex_near(actual, expected, tolerance)                                                               \
    do {                                                                                                               \
        double complex test_actual_ = from_kernel(actual);                                                             \
        double complex test_expected_ = (expected);                                                                    \
        if (!(cabs(test_actual_ - test_expected_) <= (tolerance))) {                                                   \
            print_error("%s is %.10g%+.10gj, expected %.10g%+.10gj within %g\n", #actual, creal(test_actual_),         \
                        cimag(test_actual_), creal(test_expected_), cimag(test_expected_), (double)(tolerance));       \
            fail();                                                                                                    \
        }                                                                                                              \
    } while (0)

#endif

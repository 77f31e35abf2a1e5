/* The functions of kernel/wave with random inputs for each: what the test of parity runs. */
#ifndef RCITY_TESTS_WAVE_CASES_H
#define RCITY_TESTS_WAVE_CASES_H

#include <stdint.h>

/* As wave.cl has them; wave_single.c, which sees both, holds them together. */
#define WAVE_IN  16
#define WAVE_OUT 8

typedef enum wave_function {
    WAVE_REFLECT,
    WAVE_TRANSMIT,
    WAVE_PERMITTIVITY,
    WAVE_FRESNEL,
    WAVE_KNIFE_EDGE,
    WAVE_TWO_RAY,
    WAVE_ROUGHNESS,
    WAVE_POLARIZATION,
    WAVE_WEDGE,
    WAVE_WEDGE_SLOPE,
    WAVE_WEDGE_PAIR,
    WAVE_ROOF_CHAIN,
} wave_function;

/* How an input is drawn between its bounds. */
typedef enum wave_draw {
    WAVE_UNIFORM,
    WAVE_LOGARITHMIC,
    WAVE_WHOLE,     /* a whole number */
    WAVE_SOMETIMES, /* the upper bound every sixth time, else the lower */
} wave_draw;

typedef struct wave_input {
    wave_draw draw;
    double low, high;
} wave_input;

/* Outputs stand in groups (a complex number, a dyad): an error counts against the length of its group, or against 1
   where the group is shorter than that. */
typedef struct wave_case {
    const char *name;
    wave_function function;
    int out_count, group;
    double single_tolerance; /* single against double precision on the host, over the inputs below */
    double device_tolerance; /* an OpenCL device against the host, both in single precision */
    wave_input input[WAVE_IN];
} wave_case;

int wave_case_count(void);
const wave_case *wave_case_get(int index);

/* The inputs of item i: the same for every precision. */
void wave_case_draw(const wave_case *wave, uint64_t seed, int64_t item, float in[WAVE_IN]);

/* The largest error among the outputs of an item; NaN on one side only is infinite. */
double wave_case_error(const wave_case *wave, const double *actual, const double *expected);

/* One item. */
void wave_single(wave_function function, const float *in, float *out);
void wave_double(wave_function function, const double *in, double *out);

#endif

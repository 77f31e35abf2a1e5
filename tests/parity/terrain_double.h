/* The formulas over terrain in double precision, for the test in single precision. */
#ifndef RCITY_TESTS_TERRAIN_DOUBLE_H
#define RCITY_TESTS_TERRAIN_DOUBLE_H

#include <stdint.h>

/* Item `item` of profiles that lie side by side; numbers as terrain.cl has them. */
void terrain_double(int64_t profile_count, const double *in, const float *height_m, const float *cover_m,
                    const float *distance_m, int64_t item, double *out);

#endif

/* The functions of kernel/wave in double precision. */
#define RCITY_REAL_IS_DOUBLE

#include "wave.cl"
#include "wave_cases.h"

void wave_double(wave_function function, const double *in, double *out)
{
    rcity_wave_item((rcity_i32)function, in, out);
}

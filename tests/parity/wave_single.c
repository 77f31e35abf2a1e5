/* The functions of kernel/wave in single precision. */
#include "wave.cl"
#include "wave_cases.h"

_Static_assert(WAVE_IN == RCITY_WAVE_IN && WAVE_OUT == RCITY_WAVE_OUT, "wave.cl has room for other numbers");
_Static_assert((int)WAVE_REFLECT == RCITY_WAVE_REFLECT && (int)WAVE_TRANSMIT == RCITY_WAVE_TRANSMIT &&
                   (int)WAVE_PERMITTIVITY == RCITY_WAVE_PERMITTIVITY && (int)WAVE_FRESNEL == RCITY_WAVE_FRESNEL &&
                   (int)WAVE_KNIFE_EDGE == RCITY_WAVE_KNIFE_EDGE && (int)WAVE_TWO_RAY == RCITY_WAVE_TWO_RAY &&
                   (int)WAVE_ROUGHNESS == RCITY_WAVE_ROUGHNESS && (int)WAVE_POLARIZATION == RCITY_WAVE_POLARIZATION &&
                   (int)WAVE_WEDGE == RCITY_WAVE_WEDGE && (int)WAVE_WEDGE_SLOPE == RCITY_WAVE_WEDGE_SLOPE &&
                   (int)WAVE_WEDGE_PAIR == RCITY_WAVE_WEDGE_PAIR && (int)WAVE_ROOF_CHAIN == RCITY_WAVE_ROOF_CHAIN,
               "wave.cl counts its functions otherwise");

void wave_single(wave_function function, const float *in, float *out)
{
    rcity_wave_item((rcity_i32)function, in, out);
}

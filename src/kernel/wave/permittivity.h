/* The complex permittivity of a material at a frequency, in the precision of the wave physics. */
#ifndef RCITY_KERNEL_WAVE_PERMITTIVITY_H
#define RCITY_KERNEL_WAVE_PERMITTIVITY_H

#include "kernel/wave/complex.h"

/* 1 / (2 pi epsilon_0 1 GHz) in ohm metres, CODATA 2018: the 17.98 that ITU-R P.2040-3 prints. */
#define RCITY_PERMITTIVITY_OHM_M RCITY_REAL(17.9751035845)

/* The law of ITU-R P.2040-3: real part a f^b, conductivity c f^d in S/m, f in GHz. */
typedef struct rcity_material_law {
    rcity_real a, b, c, d;
    rcity_real min_ghz, max_ghz; /* the range it is valid for */
} rcity_material_law;

/* Relative permittivity a f^b - j 17.98 c f^d / f (ITU-R P.2040-3, section 3). Outside the range it agrees with
   rcity_material_evaluate(): the real part stays that of the nearest end; the conductivity above the range stays that
   of the upper end, and below the range follows the law. */
RCITY_KERNEL rcity_complex rcity_material_law_at(rcity_material_law law, rcity_real frequency_ghz)
{
    rcity_real lossy_ghz = rcity_real_fmin(frequency_ghz, law.max_ghz);
    rcity_real nearest_ghz = rcity_real_fmax(lossy_ghz, law.min_ghz);
    rcity_real conductivity_s_per_m = law.c * rcity_real_pow(lossy_ghz, law.d);
    return rcity_complex_make(law.a * rcity_real_pow(nearest_ghz, law.b),
                              -RCITY_PERMITTIVITY_OHM_M * conductivity_s_per_m / frequency_ghz);
}

#endif

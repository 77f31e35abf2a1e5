/* The speed of light in vacuum, in double precision, which phases over kilometres need. */
#ifndef RCITY_BASE_LIGHT_H
#define RCITY_BASE_LIGHT_H

#define RCITY_LIGHT_EXACT_M_PER_S 299792458.0

static inline double rcity_light_wavelength_m(double frequency_hz)
{
    return RCITY_LIGHT_EXACT_M_PER_S / frequency_hz;
}

#endif

/* Diffraction at a single knife edge (ITU-R P.526-15, section 4.1). */
#ifndef RCITY_KERNEL_WAVE_KNIFE_EDGE_H
#define RCITY_KERNEL_WAVE_KNIFE_EDGE_H

#include "kernel/wave/fresnel_integral.h"

/* Below this v the approximation has no loss: the Recommendation's -0.78. */
#define RCITY_KNIFE_EDGE_FREE RCITY_REAL(-0.78)

/* The parameter v, equation (26): the edge's height over the straight line, negative below it, from the wavelength and
   the distances to the two ends. */
RCITY_KERNEL rcity_real rcity_knife_edge_parameter(rcity_real height_m, rcity_real before_m, rcity_real behind_m,
                                                   rcity_real wavelength_m)
{
    return height_m *
           rcity_real_sqrt(RCITY_REAL(2.0) / wavelength_m * (RCITY_REAL(1.0) / before_m + RCITY_REAL(1.0) / behind_m));
}

/* J(v) in dB by the approximation, equation (31), within 0.13 dB of the exact loss; 0 below -0.78. */
RCITY_KERNEL rcity_real rcity_knife_edge_loss_db(rcity_real v)
{
    rcity_real w = v - RCITY_REAL(0.1);
    if (!(v > RCITY_KNIFE_EDGE_FREE)) {
        return RCITY_REAL(0.0);
    }
    return RCITY_REAL(6.9) + RCITY_REAL(20.0) * rcity_real_log10(rcity_real_sqrt(w * w + RCITY_REAL(1.0)) + w);
}

/* The field behind the edge relative to that without it: (1 + j) / 2 times the integral from v to infinity of exp(-j pi
   t^2 / 2) dt, whose modulus is what equation (30) takes the logarithm of. It is 1 for an edge far below the line, 1/2
   for one on the line and 0 deep in the shadow; its phase is that of the path over the edge relative to the straight
   line. */
RCITY_KERNEL rcity_complex rcity_knife_edge_field(rcity_real v)
{
    const rcity_real stretch = RCITY_REAL(1.25331413731550025121); /* sqrt(pi / 2): from v to the integral's variable */
    const rcity_real share = RCITY_REAL(0.39894228040143267794);   /* 1 / (2 sqrt(pi / 2)) */
    rcity_complex tail = rcity_fresnel_tail(stretch * v);
    return rcity_complex_make(share * (tail.re - tail.im), share * (tail.re + tail.im));
}

/* J(v) in dB, exact, equation (30). In the shadow the modulus is computed without the phase, which loses its digits
   deep in the shadow. */
RCITY_KERNEL rcity_real rcity_knife_edge_exact_loss_db(rcity_real v)
{
    const rcity_real stretch = RCITY_REAL(1.25331413731550025121);
    rcity_complex field = rcity_knife_edge_field(v);
    rcity_real square = rcity_complex_square(field);
    if (v > RCITY_REAL(0.0)) {
        square = rcity_complex_square(rcity_fresnel_scaled(stretch * v)) / RCITY_REAL_PI;
    }
    return RCITY_REAL(-10.0) * rcity_real_log10(square);
}

#endif

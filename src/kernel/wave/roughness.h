/* Scattering off rough walls after the effective-roughness model: V. Degli-Esposti, F. Fuschini, E. M. Vitucci, G.
   Falciasecca, "Measurement and modelling of scattering from buildings", IEEE Transactions on Antennas and Propagation
   55(1), 2007. Power only: scattered rays have no phase that could be added. */
#ifndef RCITY_KERNEL_WAVE_ROUGHNESS_H
#define RCITY_KERNEL_WAVE_ROUGHNESS_H

#include "kernel/wave/space.h"

/* Largest exponent of a lobe; at it a lobe is 19 degrees wide at half power. */
#define RCITY_ROUGHNESS_LOBE_MAX 100

typedef struct rcity_roughness {
    rcity_real scattering;    /* S, 0 to 1: the scattered field relative to the field reflected by a smooth face */
    rcity_i32 lobe;           /* alpha_R, around the specular direction; 0: Lambertian */
    rcity_i32 back_lobe;      /* alpha_i, around the direction back to the source; used with forward_share below 1 */
    rcity_real forward_share; /* Lambda, 0 to 1: share of the first lobe; 1: the single-lobe directive model */
} rcity_roughness;

/* The factor of the specular field: with it, the specular and the scattered field together keep the power of a smooth
   face. */
RCITY_KERNEL rcity_real rcity_roughness_specular(rcity_roughness rough)
{
    return rcity_real_sqrt(RCITY_REAL(1.0) - rough.scattering * rough.scattering);
}

/* F_alpha: the integral of the lobe ((1 + cos psi) / 2)^alpha over all directions off the wall, in steradian, its axis
   at cos_axis from the normal. The paper's, with I_j the integral of cos^j psi:
       F = 2^-alpha sum over j of binomial(alpha, j) I_j,   I_j = 2 pi / (j + 1) for even j, and for odd j that times
       cos_axis sum over w = 0 ... (j - 1) / 2 of binomial(2 w, w) (sin_axis / 2)^(2 w). */
RCITY_KERNEL rcity_real rcity_roughness_lobe_sr(rcity_i32 alpha, rcity_real cos_axis)
{
    rcity_real sine_square = RCITY_REAL(1.0) - cos_axis * cos_axis;
    rcity_real binomial = rcity_real_exp(RCITY_REAL(-0.69314718055994530942) * (rcity_real)alpha); /* / 2^alpha */
    rcity_real odd_term = cos_axis;
    rcity_real odd_sum = RCITY_REAL(0.0);
    rcity_real sum = RCITY_REAL(0.0);
    for (rcity_i32 j = 0; j <= alpha; j++) {
        rcity_real share = RCITY_REAL(1.0);
        if (j % 2 == 1) {
            rcity_real next = (rcity_real)(j + 1) / RCITY_REAL(2.0); /* w + 1 */
            odd_sum += odd_term;
            odd_term *= sine_square * (next - RCITY_REAL(0.5)) / next;
            share = odd_sum;
        }
        sum += binomial * share / (rcity_real)(j + 1);
        binomial *= (rcity_real)(alpha - j) / (rcity_real)(j + 1);
    }
    return RCITY_REAL(2.0) * RCITY_REAL_PI * sum;
}

/* ((1 + cos psi) / 2)^alpha */
RCITY_KERNEL rcity_real rcity_roughness_lobe(rcity_i32 alpha, rcity_real cos_psi)
{
    rcity_real base = rcity_real_fmax(RCITY_REAL(0.5) + RCITY_REAL(0.5) * cos_psi, RCITY_REAL(0.0));
    return alpha > 0 ? rcity_real_pow(base, (rcity_real)alpha) : RCITY_REAL(1.0);
}

/* How the scattered power spreads over the directions off the wall, per steradian: its integral is 1. All vectors have
   length 1; `normal` on the side the ray comes from, `in` and `out` directions of travel. 0 into the wall. */
RCITY_KERNEL rcity_real rcity_roughness_pattern_per_sr(rcity_roughness rough, rcity_real3 normal, rcity_real3 in,
                                                       rcity_real3 out)
{
    rcity_real cos_in = -rcity_real3_dot(normal, in);
    rcity_real cos_out = rcity_real3_dot(normal, out);
    if (!(cos_in > RCITY_REAL(0.0) && cos_out > RCITY_REAL(0.0))) {
        return RCITY_REAL(0.0);
    }
    if (rough.lobe == 0) {
        return cos_out / RCITY_REAL_PI;
    }
    rcity_real along = rcity_real3_dot(in, out);
    rcity_real cos_specular = along + RCITY_REAL(2.0) * cos_in * cos_out; /* mirrored: in + 2 cos_in normal */
    rcity_real share = rough.forward_share;
    rcity_real lobe = share * rcity_roughness_lobe(rough.lobe, cos_specular);
    rcity_real whole_sr = share * rcity_roughness_lobe_sr(rough.lobe, cos_in);
    if (share < RCITY_REAL(1.0)) {
        rcity_real rest = RCITY_REAL(1.0) - share;
        lobe += rest * rcity_roughness_lobe(rough.back_lobe, -along);
        whole_sr += rest * rcity_roughness_lobe_sr(rough.back_lobe, cos_in);
    }
    return lobe / whole_sr;
}

/* Power density at distance_m from a surface element relative to the incident power density (both per square metre
   across the ray): S^2 |Gamma|^2 cos(theta_i) dS pattern / r^2: the paper's models with |K / r_i|^2 taken out.
   `reflectance` is |Gamma|^2 of the smooth face for the incident field. */
RCITY_KERNEL rcity_real rcity_roughness_scatter(rcity_roughness rough, rcity_real reflectance, rcity_real cos_in,
                                                rcity_real pattern_per_sr, rcity_real area_m2, rcity_real distance_m)
{
    return rough.scattering * rough.scattering * reflectance * cos_in * area_m2 * pattern_per_sr /
           (distance_m * distance_m);
}

#endif

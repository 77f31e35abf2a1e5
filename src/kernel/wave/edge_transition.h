/* The field behind one straight edge, and behind two in a row, near their shadow boundaries: the transition functions
   that the wedges of wedge.h and wedge_pair.h share.

   An edge is given by its parameter p, 0 or more: p^2 is the phase, in radians, by which the ray over the edge is
   longer than the straight one, and p = 0 lies on the boundary. */
#ifndef RCITY_KERNEL_WAVE_EDGE_TRANSITION_H
#define RCITY_KERNEL_WAVE_EDGE_TRANSITION_H

#include "kernel/wave/fresnel_integral.h"

/* Nodes and weights of the Gauss-Legendre rule for the integral from 0 to 1, and of the Gauss-Laguerre rule for the
   integral from 0 to infinity with exp(-t). */
#define RCITY_EDGE_NODES 16
/* clang-format off */
static RCITY_CONSTANT rcity_real rcity_edge_legendre[RCITY_EDGE_NODES][2] = {
    {RCITY_REAL(5.29953250417503370e-3), RCITY_REAL(1.35762297058770474e-2)},
    {RCITY_REAL(2.77124884633837120e-2), RCITY_REAL(3.11267619693239464e-2)},
    {RCITY_REAL(6.71843988060841281e-2), RCITY_REAL(4.75792558412463924e-2)},
    {RCITY_REAL(0.122297795822498483), RCITY_REAL(6.23144856277669360e-2)},
    {RCITY_REAL(0.191061877798678126), RCITY_REAL(7.47979944082883660e-2)},
    {RCITY_REAL(0.270991611171386307), RCITY_REAL(8.45782596975012691e-2)},
    {RCITY_REAL(0.359198224610370543), RCITY_REAL(9.13017075224617944e-2)},
    {RCITY_REAL(0.452493745081181280), RCITY_REAL(9.47253052275342481e-2)},
    {RCITY_REAL(0.547506254918818720), RCITY_REAL(9.47253052275342481e-2)},
    {RCITY_REAL(0.640801775389629457), RCITY_REAL(9.13017075224617944e-2)},
    {RCITY_REAL(0.729008388828613693), RCITY_REAL(8.45782596975012691e-2)},
    {RCITY_REAL(0.808938122201321874), RCITY_REAL(7.47979944082883660e-2)},
    {RCITY_REAL(0.877702204177501517), RCITY_REAL(6.23144856277669360e-2)},
    {RCITY_REAL(0.932815601193915872), RCITY_REAL(4.75792558412463924e-2)},
    {RCITY_REAL(0.972287511536616288), RCITY_REAL(3.11267619693239464e-2)},
    {RCITY_REAL(0.994700467495824966), RCITY_REAL(1.35762297058770474e-2)},
};
static RCITY_CONSTANT rcity_real rcity_edge_laguerre[RCITY_EDGE_NODES][2] = {
    {RCITY_REAL(8.76494104789278404e-2), RCITY_REAL(0.206151714957800994)},
    {RCITY_REAL(0.462696328915080832), RCITY_REAL(0.331057854950884166)},
    {RCITY_REAL(1.14105777483122686), RCITY_REAL(0.265795777644214153)},
    {RCITY_REAL(2.12928364509838062), RCITY_REAL(0.136296934296377540)},
    {RCITY_REAL(3.43708663389320665), RCITY_REAL(4.73289286941252190e-2)},
    {RCITY_REAL(5.07801861454976791), RCITY_REAL(1.12999000803394532e-2)},
    {RCITY_REAL(7.07033853504823413), RCITY_REAL(1.84907094352631086e-3)},
    {RCITY_REAL(9.43831433639193878), RCITY_REAL(2.04271915308278460e-4)},
    {RCITY_REAL(12.2142233688661587), RCITY_REAL(1.48445868739812988e-5)},
    {RCITY_REAL(15.4415273687816171), RCITY_REAL(6.82831933087119956e-7)},
    {RCITY_REAL(19.1801568567531349), RCITY_REAL(1.88102484107967321e-8)},
    {RCITY_REAL(23.5159056939919085), RCITY_REAL(2.86235024297388162e-10)},
    {RCITY_REAL(28.5787297428821404), RCITY_REAL(2.12707903322410297e-12)},
    {RCITY_REAL(34.5833987022866258), RCITY_REAL(6.29796700251786779e-15)},
    {RCITY_REAL(41.9404526476883326), RCITY_REAL(5.05047370003551282e-18)},
    {RCITY_REAL(51.7011603395433184), RCITY_REAL(4.16146237037285519e-22)},
};
/* clang-format on */

/* exp(j pi / 4) / sqrt(pi) times z. */
RCITY_KERNEL rcity_complex rcity_edge_norm(rcity_complex z)
{
    const rcity_real root = RCITY_REAL(0.39894228040143267794); /* 1 / sqrt(2 pi) */
    return rcity_complex_make(root * (z.re - z.im), root * (z.re + z.im));
}

/* W(p) = exp(j p^2) sqrt(j / pi) (integral from p to infinity of exp(-j t^2) dt): 1/2 at 0, 1 / (2 sqrt(j pi) p) for
   large p. The field behind an edge is W(p) times that of the ray over it. The transition function of Kouyoumjian and
   Pathak is F(p^2) = 2 sqrt(j pi) p W(p). */
RCITY_KERNEL rcity_complex rcity_edge_field(rcity_real p)
{
    return rcity_edge_norm(rcity_fresnel_scaled(p));
}

/* dW/dp = -exp(j pi / 4) / sqrt(pi) (1 - F(p^2)). */
RCITY_KERNEL rcity_complex rcity_edge_field_slope(rcity_real p)
{
    return rcity_complex_scale(rcity_edge_norm(rcity_fresnel_shortfall(p)), RCITY_REAL(-1.0));
}

/* From here on the nodes above are enough for the integrals along t^2 = x^2 - j s, where the integrand falls as exp(-s)
   and does not oscillate: to 1e-12. */
#define RCITY_EDGE_FAR RCITY_REAL(2.75)

/* G(x, y) = y / (2 pi) exp(j x^2) (integral from x to infinity of exp(-j t^2) / (t^2 + y^2) dt), the generalised
   Fresnel integral of Clemmow and Senior (1953), for y of 0 or more and large x. */
RCITY_KERNEL rcity_complex rcity_edge_sector_far(rcity_real x, rcity_real y)
{
    rcity_complex sum = rcity_complex_make(RCITY_REAL(0.0), RCITY_REAL(0.0));
    for (int i = 0; i < RCITY_EDGE_NODES; i++) {
        rcity_real s = rcity_edge_laguerre[i][0];
        rcity_complex root = rcity_complex_sqrt(rcity_complex_make(x * x, -s));
        rcity_complex below = rcity_complex_multiply(root, rcity_complex_make(x * x + y * y, -s));
        rcity_complex weight = rcity_complex_make(RCITY_REAL(0.0), -rcity_edge_laguerre[i][1]);
        sum = rcity_complex_add(sum, rcity_complex_divide(weight, below));
    }
    return rcity_complex_scale(sum, RCITY_REAL(0.25) * y / RCITY_REAL_PI);
}

/* The same for 0 <= x <= y, y > 0, x not large: the integral from 0 to infinity, pi / y W(y), less that from 0 to x. */
RCITY_KERNEL rcity_complex rcity_edge_sector_near(rcity_real x, rcity_real y)
{
    rcity_complex sum = rcity_complex_scale(rcity_edge_field(y), RCITY_REAL(0.5));
    rcity_real share = RCITY_REAL(-0.5) / RCITY_REAL_PI * x * y;
    for (int i = 0; i < RCITY_EDGE_NODES; i++) {
        rcity_real t = x * rcity_edge_legendre[i][0];
        rcity_real weight = share * rcity_edge_legendre[i][1] / (t * t + y * y);
        sum = rcity_complex_add(sum, rcity_complex_polar(weight, -t * t));
    }
    return rcity_complex_multiply(sum, rcity_complex_polar(RCITY_REAL(1.0), x * x));
}

/* G(x, y) for x > 0 and any y: odd in y, and G(x, y) + G(y, x) = W(x) W(y). */
RCITY_KERNEL rcity_complex rcity_edge_sector(rcity_real x, rcity_real y)
{
    rcity_real size = rcity_real_fabs(y);
    rcity_complex sector;
    if (x >= RCITY_EDGE_FAR) {
        sector = rcity_edge_sector_far(x, size);
    } else if (size < x) {
        sector = rcity_complex_subtract(rcity_complex_multiply(rcity_edge_field(x), rcity_edge_field(size)),
                                        rcity_edge_sector_near(size, x));
    } else {
        sector = rcity_edge_sector_near(x, size);
    }
    return y < RCITY_REAL(0.0) ? rcity_complex_scale(sector, RCITY_REAL(-1.0)) : sector;
}

/* The field behind two edges relative to that of the ray over both:

       W(p1, p2; rho) = sqrt(1 - rho^2) / pi  (integral over a, b from 0 to infinity of
                        exp(-a^2 - b^2 + 2 rho a b - 2 sqrt(j) (p1 a + p2 b)) da db),

   with p1, p2 of 0 or more, each counted with the other edge as source or receiver, and -1 < rho < 1 the share of the
   Fresnel zone that both cut. complement = sqrt(1 - rho^2), separately because rho may be near 1. It is the corner of a
   quarter-plane in Fresnel's integral in two dimensions, hence a sum of two sectors (Albani, Capolino, Maci and Tiberio
   1997 use the same function for wedges). It is W(p1) W(p2) where rho = 0, 1/4 + asin(rho) / (2 pi) where p1 = p2 = 0,
   and tends to complement / (4 pi j p1 p2) for large p1 and p2. */
RCITY_KERNEL rcity_complex rcity_edge_pair_field(rcity_real p1, rcity_real p2, rcity_real rho, rcity_real complement)
{
    const rcity_real tiny = RCITY_REAL(1e-12); /* at 0, 0 the sum of the sectors is defined, each of them is not */
    rcity_real x1 = rcity_real_fmax(p1, tiny);
    rcity_real x2 = rcity_real_fmax(p2, tiny);
    return rcity_complex_add(rcity_edge_sector(x2, (x1 + rho * x2) / complement),
                             rcity_edge_sector(x1, (x2 + rho * x1) / complement));
}

/* W(p1, p2; rho) - W(p1, p2; -rho): what is left on a face where the field vanishes and its slope does not. For large
   p1 and p2 it is rho / (p1 p2) of W, and a difference would lose all digits; there, with r_i = sqrt(p_i^2 - j s) and
   with Q = (p1^2 + p2^2 +- 2 rho p1 p2) / complement^2, the difference is taken inside the integral. */
RCITY_KERNEL rcity_complex rcity_edge_pair_odd(rcity_real p1, rcity_real p2, rcity_real rho, rcity_real complement)
{
    if (!(p1 >= RCITY_EDGE_FAR && p2 >= RCITY_EDGE_FAR)) {
        return rcity_complex_subtract(rcity_edge_pair_field(p1, p2, rho, complement),
                                      rcity_edge_pair_field(p1, p2, -rho, complement));
    }
    rcity_real rest = complement * complement;
    rcity_real squares = (p1 * p1 + p2 * p2) / rest;
    rcity_real cross = RCITY_REAL(2.0) * rho * p1 * p2 / rest;
    rcity_real gap = (p1 - p2) * (p1 + p2);
    rcity_complex sum = rcity_complex_make(RCITY_REAL(0.0), RCITY_REAL(0.0));
    for (int i = 0; i < RCITY_EDGE_NODES; i++) {
        rcity_real s = rcity_edge_laguerre[i][0];
        rcity_complex r1 = rcity_complex_sqrt(rcity_complex_make(p1 * p1, -s));
        rcity_complex r2 = rcity_complex_sqrt(rcity_complex_make(p2 * p2, -s));
        rcity_complex arms = rcity_complex_add(rcity_complex_scale(r1, p2), rcity_complex_scale(r2, p1));
        rcity_complex ratio = rcity_complex_divide(rcity_complex_make(gap * gap, RCITY_REAL(0.0)), arms);
        rcity_complex above = rcity_complex_add(ratio, rcity_complex_scale(arms, rest));
        /* divided one by one: their product exceeds the range of float */
        above = rcity_complex_divide(above, rcity_complex_make(squares + cross, -s));
        above = rcity_complex_divide(above, rcity_complex_make(squares - cross, -s));
        above = rcity_complex_divide(rcity_complex_divide(above, r1), r2);
        rcity_real weight = rcity_edge_laguerre[i][1] * s;
        sum = rcity_complex_add(sum, rcity_complex_scale(above, weight));
    }
    return rcity_complex_scale(sum, RCITY_REAL(-0.5) * rho / (RCITY_REAL_PI * rest * complement));
}

#endif

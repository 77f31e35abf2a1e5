/* The inverse of the normal distribution. */
#ifndef RCITY_KERNEL_NORMAL_QUANTILE_H
#define RCITY_KERNEL_NORMAL_QUANTILE_H

#include "kernel/portable.h"

/* M. J. Wichura, "Algorithm AS 241: The percentage points of the normal distribution", Applied Statistics 37(3), 1988,
   pp. 477-484, routine PPND7: made for single precision, good to about 1 part in 10^7. The middle is a rational
   function of 0.425^2 - (P - 1/2)^2, the tails are two of sqrt(-ln(tail)). */
#define RCITY_NORMAL_MIDDLE 0.425f
#define RCITY_NORMAL_FAR    5.0f

/* The z >= 0 that a standard normal variable exceeds with the probability `tail`, which is at most 0.075. */
RCITY_KERNEL float rcity_normal_tail_quantile(float tail)
{
    float root = rcity_sqrt(-2.302585093f * rcity_log10(tail)); /* of -ln(tail) */
    if (root <= RCITY_NORMAL_FAR) {
        float r = root - 1.6f;
        return (((1.7023821103e-1f * r + 1.3067284816f) * r + 2.7568153900f) * r + 1.4234372777f) /
               ((1.2021132975e-1f * r + 7.3700164250e-1f) * r + 1.0f);
    }
    float r = root - RCITY_NORMAL_FAR;
    return (((1.7337203997e-2f * r + 4.2868294337e-1f) * r + 3.0812263860f) * r + 6.6579051150f) /
           ((1.2258202635e-2f * r + 2.4197894225e-1f) * r + 1.0f);
}

/* The value that a standard normal variable does not exceed with a probability between 0 and 1. NaN at 0 and 1, where
   the tail's root is infinite, and beyond them, where it is not a number. */
RCITY_KERNEL float rcity_normal_quantile(float probability)
{
    float q = probability - 0.5f;
    if (rcity_fabs(q) <= RCITY_NORMAL_MIDDLE) {
        float r = RCITY_NORMAL_MIDDLE * RCITY_NORMAL_MIDDLE - q * q;
        return q * (((5.9109374720e1f * r + 1.5929113202e2f) * r + 5.0434271938e1f) * r + 3.3871327179f) /
               (((6.7187563600e1f * r + 7.8757757664e1f) * r + 1.7895169469e1f) * r + 1.0f);
    }
    return q < 0.0f ? -rcity_normal_tail_quantile(probability) : rcity_normal_tail_quantile(1.0f - probability);
}

#endif

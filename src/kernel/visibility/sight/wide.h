/* Comparing products of 64-bit integers, which take 128 bits. */
#ifndef RCITY_KERNEL_VISIBILITY_SIGHT_WIDE_H
#define RCITY_KERNEL_VISIBILITY_SIGHT_WIDE_H

#include "kernel/portable.h"

/* Is a * b < c * d? */
RCITY_KERNEL int rcity_product_is_less(rcity_i64 a, rcity_i64 b, rcity_i64 c, rcity_i64 d)
{
    rcity_i64 left = rcity_mul_hi(a, b);
    rcity_i64 right = rcity_mul_hi(c, d);
    if (left != right) {
        return left < right;
    }
    return (rcity_u64)a * (rcity_u64)b < (rcity_u64)c * (rcity_u64)d;
}

RCITY_KERNEL rcity_i64 rcity_sight_size(rcity_i64 value)
{
    return value < 0 ? -value : value;
}

#endif

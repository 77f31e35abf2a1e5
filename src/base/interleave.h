/* Numbers whose bits take turns: keys along G. M. Morton's curve, which leaves no neighbourhood before it has seen all
   of it ("A computer oriented geodetic data base and a new technique in file sequencing", IBM, 1966). */
#ifndef RCITY_BASE_INTERLEAVE_H
#define RCITY_BASE_INTERLEAVE_H

#include <stdint.h>

/* The lowest bits of a number with room for `step - 1` bits of others between them. */
static inline uint64_t rcity_spread_bits(uint64_t value, int bits, int step)
{
    uint64_t spread = 0;
    for (int i = 0; i < bits; i++) {
        spread |= (value >> i & 1) << (step * i);
    }
    return spread;
}

#endif

/* Numbers that look random and are the same in every run: SplitMix64, G. L. Steele Jr. et al., "Fast splittable
   pseudorandom number generators", OOPSLA 2014. */
#ifndef RCITY_BASE_UNIFORM_H
#define RCITY_BASE_UNIFORM_H

#include <stdint.h>

/* A number in [0, 1), by its place in the sequence. */
static inline double rcity_uniform(uint64_t place)
{
    uint64_t z = (place + 1) * 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return (double)((z ^ z >> 31) >> 11) * 0x1p-53;
}

#endif

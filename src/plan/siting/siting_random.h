/* Random numbers of a search by their place: which move, and which number within it. */
#ifndef RCITY_PLAN_SITING_RANDOM_H
#define RCITY_PLAN_SITING_RANDOM_H

#include <math.h>
#include <stdint.h>

#include "base/uniform.h"

typedef struct rcity_siting_random {
    uint64_t key;
    uint64_t drawn;
} rcity_siting_random;

/* Streams of different seeds, purposes or moves have nothing to do with each other. */
static inline rcity_siting_random rcity_siting_random_make(uint64_t seed, uint64_t purpose, uint64_t move)
{
    uint64_t z = seed * 0x9e3779b97f4a7c15u + purpose * 0xd1b54a32d192ed03u + move * 0x8cb92ba72f3d8dd7u;
    z = (z ^ z >> 32) * 0xd6e8feb86659fd93u;
    z = (z ^ z >> 32) * 0xd6e8feb86659fd93u;
    return (rcity_siting_random){z ^ z >> 32, 0};
}

/* The next number in [0, 1). */
static inline double rcity_siting_draw(rcity_siting_random *random)
{
    return rcity_uniform(random->key + random->drawn++);
}

/* A whole number below `count`. */
static inline int64_t rcity_siting_draw_index(rcity_siting_random *random, int64_t count)
{
    int64_t index = (int64_t)(rcity_siting_draw(random) * (double)count);
    return index < count ? index : count - 1;
}

/* Two independent numbers of the standard normal distribution, by Box and Muller. */
static inline void rcity_siting_draw_normal(rcity_siting_random *random, double normal[2])
{
    double radius = sqrt(-2.0 * log(1.0 - rcity_siting_draw(random)));
    double angle = 2.0 * 3.14159265358979323846 * rcity_siting_draw(random);
    normal[0] = radius * cos(angle);
    normal[1] = radius * sin(angle);
}

#endif

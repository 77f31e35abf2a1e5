/* Counter-based random numbers: value = f(key, step), with a key for every item of the city. There is no state and no
   stream, so one item more or less does not change the others. */
#ifndef RCITY_CITY_RANDOM_H
#define RCITY_CITY_RANDOM_H

#include <stdbool.h>
#include <stdint.h>

/* The finalizer of splitmix64 (Steele, Lea, Flood 2014): every bit of the result depends on every bit of x. */
static inline uint64_t rcity_city_mix(uint64_t x)
{
    x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
    return x ^ (x >> 31);
}

/* The key of an item within its parent, which is another key or the seed. */
static inline uint64_t rcity_city_key(uint64_t parent, int64_t item)
{
    return rcity_city_mix(rcity_city_mix(parent + UINT64_C(0x9e3779b97f4a7c15)) ^
                          ((uint64_t)item * UINT64_C(0xd1342543de82ef95) + UINT64_C(0x632be59bd9b4e019)));
}

/* A number in [0, 1). */
static inline double rcity_city_uniform(uint64_t key, int step)
{
    return (double)(rcity_city_key(key, step) >> 11) * 0x1p-53;
}

/* A number in [low, high). */
static inline double rcity_city_between(uint64_t key, int step, double low, double high)
{
    return low + (high - low) * rcity_city_uniform(key, step);
}

/* One of 0 .. count - 1. */
static inline int rcity_city_pick(uint64_t key, int step, int count)
{
    return (int)(rcity_city_uniform(key, step) * count);
}

static inline bool rcity_city_chance(uint64_t key, int step, double chance)
{
    return rcity_city_uniform(key, step) < chance;
}

#endif

/* A stream of random numbers for tests that draw as they go: set random_state to the seed. Where a number has an index,
   test_uniform() is the plainer choice. */
#ifndef RCITY_TEST_RANDOM_NUMBER_H
#define RCITY_TEST_RANDOM_NUMBER_H

#include <stdint.h>

/* splitmix64 */
static uint64_t random_state;

static double random_number(double low, double high)
{
    random_state += 0x9e3779b97f4a7c15u;
    uint64_t z = random_state;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    z ^= z >> 31;
    return low + (high - low) * ((double)(z >> 11) / 9007199254740992.0);
}

#endif

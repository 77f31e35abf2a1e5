/* Runs of bits in a row of a mask. */
#ifndef RCITY_VISIBILITY_LOS_LOS_BITS_H
#define RCITY_VISIBILITY_LOS_LOS_BITS_H

#include <stdint.h>

static inline void rcity_los_set_bits(uint64_t *words, int32_t begin, int32_t end)
{
    if (begin >= end) {
        return;
    }
    int32_t first = begin / 64;
    int32_t last = (end - 1) / 64;
    uint64_t head = ~(uint64_t)0 << (begin % 64);
    uint64_t tail = ~(uint64_t)0 >> (63 - (end - 1) % 64);
    if (first == last) {
        words[first] |= head & tail;
        return;
    }
    words[first] |= head;
    for (int32_t i = first + 1; i < last; i++) {
        words[i] = ~(uint64_t)0;
    }
    words[last] |= tail;
}

static inline void rcity_los_clear_bits(uint64_t *words, int32_t begin, int32_t end)
{
    if (begin >= end) {
        return;
    }
    int32_t first = begin / 64;
    int32_t last = (end - 1) / 64;
    uint64_t head = ~(uint64_t)0 << (begin % 64);
    uint64_t tail = ~(uint64_t)0 >> (63 - (end - 1) % 64);
    if (first == last) {
        words[first] &= ~(head & tail);
        return;
    }
    words[first] &= ~head;
    for (int32_t i = first + 1; i < last; i++) {
        words[i] = 0;
    }
    words[last] &= ~tail;
}

#endif

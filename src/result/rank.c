/* Selection by counting: the bits of a float, mapped so that they sort as unsigned integers, are counted by their upper
   half; then the half that contains the wanted rank is counted by its lower half. */
#include "result/rank.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#define HALF_COUNT 65536

static uint32_t sortable_bits(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return (bits & 0x80000000u) != 0 ? ~bits : bits | 0x80000000u;
}

static float value_of_bits(uint32_t sortable)
{
    uint32_t bits = (sortable & 0x80000000u) != 0 ? sortable & 0x7fffffffu : ~sortable;
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* The half that contains a rank, and the rank within it. */
static uint32_t pick_half(const int64_t *count, int64_t *rank)
{
    uint32_t half = 0;
    while (half < HALF_COUNT - 1 && *rank >= count[half]) {
        *rank -= count[half];
        half++;
    }
    assert(*rank < count[half]);
    return half;
}

static void count_upper_halves(const float *value, int64_t value_count, int64_t *count)
{
    for (int64_t i = 0; i < value_count; i++) {
        if (isfinite(value[i])) {
            count[sortable_bits(value[i]) >> 16]++;
        }
    }
}

static void count_lower_halves(const float *value, int64_t value_count, uint32_t upper, int64_t *count)
{
    memset(count, 0, HALF_COUNT * sizeof *count);
    for (int64_t i = 0; i < value_count; i++) {
        uint32_t bits = sortable_bits(value[i]);
        if (bits >> 16 == upper && isfinite(value[i])) {
            count[bits & 0xffffu]++;
        }
    }
}

int64_t rcity_rank_count(const float *value, int64_t value_count)
{
    int64_t finite_count = 0;
    for (int64_t i = 0; i < value_count; i++) {
        finite_count += isfinite(value[i]) ? 1 : 0;
    }
    return finite_count;
}

rcity_status rcity_rank_find(rcity_context *context, const float *value, int64_t value_count, int rank_count,
                             const int64_t *ranks, float *found)
{
    int64_t *upper_count = NULL;
    RCITY_TRY(rcity_alloc(context, 2 * (size_t)HALF_COUNT, sizeof *upper_count, "counters of ranks", &upper_count));
    int64_t *lower_count = upper_count + HALF_COUNT;
    uint32_t counted = HALF_COUNT; /* the upper half whose lower halves are counted; none yet */
    count_upper_halves(value, value_count, upper_count);
    for (int i = 0; i < rank_count; i++) {
        int64_t rank = ranks[i];
        uint32_t upper = pick_half(upper_count, &rank);
        if (upper != counted) {
            count_lower_halves(value, value_count, upper, lower_count);
            counted = upper;
        }
        found[i] = value_of_bits(upper << 16 | pick_half(lower_count, &rank));
    }
    rcity_release(context, upper_count);
    return RCITY_OK;
}

/* Numbers by their place in a sequence, and numbers whose bits take turns. */
#include "base/interleave.h"
#include "base/uniform.h"
#include "rcity_test.h"

#define COUNT 100000

/* SplitMix64 begins with 0xe220a8397b1dcdaf from the state 0 (Steele et al. 2014, the authors' code). */
static void test_the_sequence_is_that_of_the_source(void **state)
{
    (void)state;
    assert_near(rcity_uniform(0), (double)(UINT64_C(0xe220a8397b1dcdaf) >> 11) * 0x1p-53, 0.0);
    double sum = 0.0;
    for (uint64_t i = 0; i < COUNT; i++) {
        double value = rcity_uniform(i);
        assert_true(value >= 0.0 && value < 1.0);
        sum += value;
    }
    assert_near(sum / COUNT, 0.5, 0.004);
}

static void test_bits_are_spread(void **state)
{
    (void)state;
    assert_int_equal(rcity_spread_bits(11, 4, 3), 1 + 8 + 512);
    assert_int_equal(rcity_spread_bits(11, 2, 3), 1 + 8); /* the lowest two */
    for (uint64_t i = 0; i < 1000; i++) {
        uint64_t a = test_random(1, i) & 0xfffff;
        uint64_t b = test_random(2, i) & 0xfffff;
        uint64_t key = rcity_spread_bits(a, 20, 2) | rcity_spread_bits(b, 20, 2) << 1;
        for (int bit = 0; bit < 20; bit++) {
            assert_int_equal(key >> 2 * bit & 1, a >> bit & 1);
            assert_int_equal(key >> (2 * bit + 1) & 1, b >> bit & 1);
        }
    }
}

TEST_SUITE(sequence)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_sequence_is_that_of_the_source),
        cmocka_unit_test(test_bits_are_spread),
    };
    return cmocka_run_group_tests_name("sequence", tests, NULL, NULL);
}

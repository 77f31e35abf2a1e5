/* Bins of histograms from entries in any order, against sums in double precision bin by bin. */
#include "rcity_test.h"

#include "kernel/beams/beam_entries.h"

#define ENTRIES 200
#define BINS    40
#define BIN_M   6.0f
#define TRIALS  200

static const uint64_t seed = 20270212;

/* Some paths have no weight; weights differ by many orders. @return how many entries there are. */
static rcity_i32 make_entries(uint64_t trial, rcity_beam_entry *entries)
{
    uint64_t at = trial * 1000;
    rcity_i32 count = (rcity_i32)(test_random(seed, at) % (ENTRIES + 1));
    for (rcity_i32 i = 0; i < count; i++) {
        uint64_t own = at + 1 + 3 * (uint64_t)i;
        bool is_none = test_random(seed, own) % 5 == 0;
        entries[i] = rcity_beam_entry_make((float)test_uniform(seed, own + 1, 0.0, (double)(BINS * BIN_M) - 0.1), BIN_M,
                                           is_none ? 0.0f : (float)pow(10.0, test_uniform(seed, own + 2, -20.0, -6.0)));
    }
    return count;
}

/* As a device does it: gains first, then each bin to its place. @return how many bins there are. */
static int pack(const rcity_beam_entry *entries, rcity_i32 count, rcity_i32 *bins, float *packed)
{
    float gains[ENTRIES];
    int bin_count = 0;
    for (rcity_i32 i = 0; i < count; i++) {
        gains[i] = rcity_beam_entry_gain(entries, count, i);
        bin_count += gains[i] > 0.0f;
    }
    for (rcity_i32 i = 0; i < count; i++) {
        if (gains[i] > 0.0f) {
            rcity_i32 rank = rcity_beam_entry_rank(entries, gains, count, i);
            assert_in_range(rank, 0, bin_count - 1);
            bins[rank] = entries[i].bin;
            packed[rank] = gains[i];
        }
    }
    return bin_count;
}

static void test_bins_have_their_sums(void **state)
{
    (void)state;
    print_message("seed %llu\n", (unsigned long long)seed);
    for (uint64_t trial = 0; trial < TRIALS; trial++) {
        rcity_beam_entry entries[ENTRIES];
        rcity_i32 bins[ENTRIES];
        float gains[ENTRIES];
        double sums[BINS] = {0.0};
        rcity_i32 count = make_entries(trial, entries);
        for (rcity_i32 i = 0; i < count; i++) {
            if (entries[i].weight > 0.0f) {
                sums[entries[i].bin] += (double)entries[i].weight;
            }
        }
        int bin_count = pack(entries, count, bins, gains);
        int at = 0;
        for (int bin = 0; bin < BINS; bin++) {
            if (sums[bin] > 0.0) {
                assert_true(at < bin_count);
                assert_int_equal(bins[at], bin);
                assert_true(fabs((double)gains[at] - sums[bin]) <= 3e-7 * sums[bin]);
                at++;
            }
        }
        assert_int_equal(at, bin_count);
    }
}

/* The same entries the other way round: every bit is the same. */
static void test_order_does_not_matter(void **state)
{
    (void)state;
    for (uint64_t trial = 0; trial < TRIALS; trial++) {
        rcity_beam_entry entries[ENTRIES], other[ENTRIES];
        rcity_i32 bins[2][ENTRIES];
        float gains[2][ENTRIES];
        rcity_i32 count = make_entries(trial, entries);
        for (rcity_i32 i = 0; i < count; i++) {
            other[count - 1 - i] = entries[i];
        }
        int bin_count = pack(entries, count, bins[0], gains[0]);
        assert_int_equal(pack(other, count, bins[1], gains[1]), bin_count);
        if (bin_count > 0) {
            assert_memory_equal(bins[0], bins[1], (size_t)bin_count * sizeof bins[0][0]);
            assert_memory_equal(gains[0], gains[1], (size_t)bin_count * sizeof gains[0][0]);
        }
    }
}

static void test_one_entry_keeps_its_weight(void **state)
{
    (void)state;
    const rcity_beam_entry entries[] = {{7, 1.2345e-30f}, {RCITY_BEAM_NO_BIN, 0.0f}, {3, 0.1f}};
    assert_true(rcity_beam_entry_gain(entries, 3, 0) == 1.2345e-30f);
    assert_true(rcity_beam_entry_gain(entries, 3, 1) == 0.0f);
    assert_true(rcity_beam_entry_gain(entries, 3, 2) == 0.1f);
}

TEST_SUITE(beam_entries)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bins_have_their_sums),
        cmocka_unit_test(test_order_does_not_matter),
        cmocka_unit_test(test_one_entry_keeps_its_weight),
    };
    return cmocka_run_group_tests_name("beam_entries", tests, NULL, NULL);
}

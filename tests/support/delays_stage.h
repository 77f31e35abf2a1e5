/* What the tests of delays share: random histograms over a small raster. */
#ifndef RCITY_TEST_DELAYS_STAGE_H
#define RCITY_TEST_DELAYS_STAGE_H

#include "rcity_test.h"
#include "result/delays_data.h"

#define STAGE_ENTRIES 40 /* of a cell, at most */

static const rcity_raster stage_raster = {5, 4, 691000.0, 5334020.0, 5.0};

/* The entries of a cell from a seed: every third cell has none; gains from 1 down to what a float just holds. */
static inline int64_t stage_entries(uint64_t seed, int64_t cell, int32_t bins[STAGE_ENTRIES],
                                    float gains[STAGE_ENTRIES])
{
    uint64_t at = (uint64_t)cell * 1000;
    int64_t count = test_random(seed, at) % 3 == 0 ? 0 : 1 + (int64_t)(test_random(seed, at + 1) % STAGE_ENTRIES);
    int32_t bin = -1;
    for (int64_t i = 0; i < count; i++) {
        bin += 1 + (int32_t)(test_random(seed, at + 10 + 2 * (uint64_t)i) % 100);
        bins[i] = bin;
        gains[i] = (float)pow(10.0, test_uniform(seed, at + 11 + 2 * (uint64_t)i, -44.0, 0.0));
    }
    return count;
}

static inline rcity_status stage_delays_try(rcity_context *context, uint64_t seed, rcity_delays **delays)
{
    int32_t bins[STAGE_ENTRIES];
    float gains[STAGE_ENTRIES];
    RCITY_TRY(rcity_delays_create(context, &stage_raster, "EPSG:32632", 1.5, 1e-7, 2e-8, delays));
    RCITY_TRY(rcity_notes_add(rcity_delays_notes(*delays), "method", "%s", "made by hand"));
    RCITY_TRY(rcity_notes_add(rcity_delays_notes(*delays), "tx_name", "Tower \"A\"\nsecond line, caf\xc3\xa9"));
    RCITY_TRY(rcity_notes_add(rcity_delays_notes(*delays), "empty", "%s", ""));
    for (int64_t cell = 0; cell < stage_raster.column_count * stage_raster.row_count; cell++) {
        int64_t count = stage_entries(seed, cell, bins, gains);
        if (count > 0) {
            RCITY_TRY(rcity_delays_add_cell(*delays, cell, count, bins, gains));
        }
    }
    return rcity_delays_finish(*delays);
}

static inline rcity_delays *stage_delays(rcity_context *context, uint64_t seed)
{
    rcity_delays *delays = NULL;
    assert_ok(context, stage_delays_try(context, seed, &delays));
    return delays;
}

/* Both have the same of everything, bit by bit. */
static inline void stage_compare(rcity_context *context, const rcity_delays *a, const rcity_delays *b)
{
    rcity_delays_info first, second;
    assert_ok(context, rcity_delays_describe(a, &first));
    assert_ok(context, rcity_delays_describe(b, &second));
    assert_string_equal(first.crs, second.crs);
    second.crs = first.crs;
    assert_memory_equal(&first, &second, sizeof first);
    for (int64_t cell = 0; cell < first.cell_count; cell++) {
        rcity_delay_cell one, other;
        assert_ok(context, rcity_delays_get_cell(a, cell, &one));
        assert_ok(context, rcity_delays_get_cell(b, cell, &other));
        assert_int_equal(one.entry_count, other.entry_count);
        if (one.entry_count > 0) {
            assert_memory_equal(one.bin, other.bin, (size_t)one.entry_count * sizeof *one.bin);
            assert_memory_equal(one.gain, other.gain, (size_t)one.entry_count * sizeof *one.gain);
        }
    }
    assert_int_equal(rcity_delays_note_count(a), rcity_delays_note_count(b));
    for (int i = 0; i < rcity_delays_note_count(a); i++) {
        const char *keys[2];
        const char *values[2];
        assert_ok(context, rcity_delays_get_note(a, i, &keys[0], &values[0]));
        assert_ok(context, rcity_delays_get_note(b, i, &keys[1], &values[1]));
        assert_string_equal(keys[0], keys[1]);
        assert_string_equal(values[0], values[1]);
    }
}

#endif

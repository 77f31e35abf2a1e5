/* Delays: rows of bins and gains come back, places find their cells, figures are those worked out by hand. */
#include "delays_stage.h"

#define BIN_S 2e-8

static rcity_delay_summary figures(int64_t count, const int32_t *bins, const float *gains, double threshold_db)
{
    rcity_delay_summary summary;
    rcity_delay_summary_fill(1e-7, BIN_S, count, bins, gains, threshold_db, &summary);
    return summary;
}

static void test_entries_come_back(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    for (uint64_t seed = 1; seed <= 20; seed++) {
        rcity_delays *delays = stage_delays(context, seed);
        rcity_delays_info info;
        rcity_delay_cell cell;
        int64_t entry_count = 0, reached_count = 0, bin_count = 0;
        for (int64_t i = 0; i < 20; i++) {
            int32_t bins[STAGE_ENTRIES];
            float gains[STAGE_ENTRIES];
            int64_t count = stage_entries(seed, i, bins, gains);
            assert_ok(context, rcity_delays_get_cell(delays, i, &cell));
            assert_int_equal(cell.entry_count, count);
            assert_int_equal(cell.row, i / 5);
            assert_int_equal(cell.column, i % 5);
            assert_near(cell.x_m, 691000.0 + 5.0 * (double)(i % 5) + 2.5, 0.0);
            assert_near(cell.y_m, 5334020.0 - 5.0 * (double)(i / 5) - 2.5, 0.0);
            assert_int_equal(cell.bin != NULL, count > 0);
            for (int64_t k = 0; k < count; k++) {
                assert_int_equal(cell.bin[k], bins[k]);
                assert_true(cell.gain[k] == gains[k]);
                bin_count = bins[k] >= bin_count ? bins[k] + 1 : bin_count;
            }
            entry_count += count;
            reached_count += count > 0;
        }
        assert_ok(context, rcity_delays_describe(delays, &info));
        assert_int_equal(info.entry_count, entry_count);
        assert_int_equal(info.reached_count, reached_count);
        assert_int_equal(info.bin_count, bin_count);
        assert_int_equal(info.cell_count, 20);
        assert_string_equal(info.crs, "EPSG:32632");
        assert_true(info.rx_height_m == 1.5 && info.first_s == 1e-7 && info.bin_s == 2e-8);
        assert_int_equal(info.raster.column_count, 5);
        assert_int_equal(rcity_delays_note_count(delays), 3);
        assert_string_equal(rcity_delays_find_note(delays, "method"), "made by hand");
        assert_null(rcity_delays_find_note(delays, "colour"));
        rcity_delays_destroy(&delays);
        assert_null(delays);
    }
    rcity_delays_destroy(NULL);
    assert_int_equal(rcity_context_memory_used(context), 0);
    rcity_context_destroy(&context);
}

/* Many threads may fill the rows at once. */
static void test_rows_filled_at_once(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    rcity_delays *delays = NULL;
    rcity_delay_rows rows;
    rcity_delay_cell cell;
    assert_ok(context, rcity_delays_create(context, &stage_raster, NULL, 1.5, 0.0, BIN_S, &delays));
    assert_ok(context, rcity_delays_allot(delays, 40, &rows));
    for (int64_t i = 0; i < 20; i++) {
        rows.first[i] = 2 * i;
        rows.bin[2 * i] = (int32_t)i;
        rows.bin[2 * i + 1] = (int32_t)i + 3;
        rows.gain[2 * i] = rows.gain[2 * i + 1] = 0.5f;
    }
    assert_ok(context, rcity_delays_check_rows(delays));
    assert_ok(context, rcity_delays_get_cell(delays, 19, &cell));
    assert_int_equal(cell.entry_count, 2);
    assert_int_equal(cell.bin[1], 22);
    rows.bin[7] = 3; /* as the one before */
    assert_status(context, rcity_delays_check_rows(delays), RCITY_ERR_FORMAT);
    assert_message(context, "cell 3 of 20: its bins do not ascend");
    rows.bin[7] = 6;
    rows.gain[9] = NAN;
    assert_status(context, rcity_delays_check_rows(delays), RCITY_ERR_FORMAT);
    assert_message(context, "cell 4 of 20: a gain");
    rows.gain[9] = -0.5f;
    assert_status(context, rcity_delays_check_rows(delays), RCITY_ERR_FORMAT);
    rows.gain[9] = INFINITY;
    assert_status(context, rcity_delays_check_rows(delays), RCITY_ERR_FORMAT);
    rows.gain[9] = 0.0f;
    assert_ok(context, rcity_delays_check_rows(delays));
    rows.first[11] = 19;
    assert_status(context, rcity_delays_check_rows(delays), RCITY_ERR_FORMAT);
    assert_message(context, "cell 10 of 20: its entries");
    rows.first[11] = 41;
    assert_status(context, rcity_delays_check_rows(delays), RCITY_ERR_FORMAT);
    rows.first[11] = 22;
    rows.first[0] = 1;
    assert_status(context, rcity_delays_check_rows(delays), RCITY_ERR_FORMAT);
    assert_message(context, "the first cell's entries start at 1");
    rcity_delays_destroy(&delays);
    rcity_context_destroy(&context);
}

/* Many cells at once, some of them again after they were cut: the same as one by one. */
static void test_cells_added_at_once(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    for (uint64_t seed = 1; seed <= 20; seed++) {
        rcity_delays *plain = stage_delays(context, seed);
        rcity_delays *delays = NULL;
        assert_ok(context, rcity_delays_create(context, &stage_raster, "EPSG:32632", 1.5, 1e-7, BIN_S, &delays));
        assert_ok(context, rcity_notes_copy(rcity_delays_notes(plain), rcity_delays_notes(delays)));
        for (int64_t cell = 0, cells, turn = 0; cell < 20; cell += cells, turn++) {
            int32_t bins[20][STAGE_ENTRIES];
            float gains[20][STAGE_ENTRIES];
            int32_t counts[20];
            rcity_delay_rows rows;
            cells = 1 + (int64_t)(test_random(seed, (uint64_t)(90000 + turn)) % 9);
            cells = cells < 20 - cell ? cells : 20 - cell;
            for (int64_t i = 0; i < cells; i++) {
                counts[i] = (int32_t)stage_entries(seed, cell + i, bins[i], gains[i]);
            }
            if (turn % 2 == 0) { /* the first attempt is forgotten */
                assert_ok(context, rcity_delays_add_cells(delays, cell, 1, &(int32_t){7}, &rows));
                rcity_delays_cut(delays, cell);
            }
            assert_ok(context, rcity_delays_add_cells(delays, cell, cells, counts, &rows));
            for (int64_t i = 0; i < cells && rows.bin != NULL; i++) {
                memcpy(rows.bin + (rows.first[i] - rows.first[0]), bins[i], (size_t)counts[i] * sizeof *rows.bin);
                memcpy(rows.gain + (rows.first[i] - rows.first[0]), gains[i], (size_t)counts[i] * sizeof *rows.gain);
            }
        }
        assert_ok(context, rcity_delays_finish(delays));
        stage_compare(context, plain, delays);
        rcity_delays_destroy(&delays);
        rcity_delays_destroy(&plain);
    }
    assert_int_equal(rcity_context_memory_used(context), 0);
    rcity_context_destroy(&context);
}

/* Cells between have no entries; without memory nothing changes. */
static void test_cells_between_and_no_memory(void **state)
{
    (void)state;
    rcity_context_options options = rcity_context_options_default();
    options.memory_bytes = 1000000;
    rcity_context *context = NULL;
    assert_int_equal(rcity_context_create(&options, &context), RCITY_OK);
    rcity_delays *delays = NULL;
    rcity_delay_rows rows;
    rcity_delays_info info;
    assert_ok(context, rcity_delays_create(context, &stage_raster, NULL, 1.5, 0.0, BIN_S, &delays));
    assert_ok(context, rcity_delays_add_cells(delays, 2, 2, (const int32_t[]){1, 0}, &rows));
    rows.bin[0] = 4;
    rows.gain[0] = 0.5f;
    assert_status(context, rcity_delays_add_cells(delays, 9, 1, &(int32_t){INT32_MAX}, &rows), RCITY_ERR_MEMORY);
    assert_ok(context, rcity_delays_add_cells(delays, 19, 1, &(int32_t){0}, &rows));
    assert_ok(context, rcity_delays_finish(delays));
    assert_ok(context, rcity_delays_describe(delays, &info));
    assert_int_equal(info.entry_count, 1);
    assert_int_equal(info.reached_count, 1);
    assert_int_equal(info.bin_count, 5);
    rcity_delays_destroy(&delays);
    rcity_context_destroy(&context);
}

static void test_what_cannot_be_made(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    rcity_delays *delays = NULL;
    static const rcity_raster rasters[] = {{0, 4, 0, 0, 5},
                                           {4, -1, 0, 0, 5},
                                           {4, 4, (double)NAN, 0, 5},
                                           {4, 4, 0, 0, 0},
                                           {4, 4, 0, (double)INFINITY, 5},
                                           {INT64_MAX, 2, 0, 0, 5}};
    static const double bins_s[] = {0.0, -1e-9, (double)NAN, (double)INFINITY, 1e-13, 0.1};
    for (size_t i = 0; i < sizeof rasters / sizeof rasters[0]; i++) {
        assert_status(context, rcity_delays_create(context, &rasters[i], NULL, 1.5, 0.0, BIN_S, &delays),
                      RCITY_ERR_ARGUMENT);
    }
    for (size_t i = 0; i < sizeof bins_s / sizeof bins_s[0]; i++) {
        assert_status(context, rcity_delays_create(context, &stage_raster, NULL, 1.5, 0.0, bins_s[i], &delays),
                      RCITY_ERR_ARGUMENT);
        assert_message(context, "1e-12 to 0.001 s");
    }
    assert_status(context, rcity_delays_create(context, &stage_raster, NULL, 1.5, (double)NAN, BIN_S, &delays),
                  RCITY_ERR_ARGUMENT);
    assert_status(context, rcity_delays_create(context, &stage_raster, NULL, (double)NAN, 0.0, BIN_S, &delays),
                  RCITY_ERR_ARGUMENT);
    assert_null(delays);
    rcity_context_destroy(&context);
}

static void test_places_find_their_cells(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    rcity_delays *delays = stage_delays(context, 7);
    int64_t found = -1;
    for (int64_t i = 0; i < 1000; i++) {
        double x_m = test_uniform(3, 2 * (uint64_t)i, 691000.0, 691025.0);
        double y_m = test_uniform(3, 2 * (uint64_t)i + 1, 5334000.0, 5334020.0);
        rcity_delay_cell cell;
        assert_ok(context, rcity_delays_find_cell(context, delays, x_m, y_m, &found));
        assert_ok(context, rcity_delays_get_cell(delays, found, &cell));
        assert_true(fabs(cell.x_m - x_m) <= 2.5 && fabs(cell.y_m - y_m) <= 2.5);
    }
    assert_ok(context, rcity_delays_find_cell(context, delays, 691005.0, 5334015.0, &found));
    assert_int_equal(found, 6); /* between four cells: the one in the south-east */
    assert_ok(context, rcity_delays_find_cell(context, delays, 691000.0, 5334020.0, &found));
    assert_int_equal(found, 0);
    assert_ok(context, rcity_delays_find_cell(context, delays, 691025.0, 5334000.0, &found));
    assert_int_equal(found, 19);
    static const double outside_m[][2] = {{690999.9, 5334010.0},
                                          {691025.1, 5334010.0},
                                          {691010.0, 5333999.9},
                                          {691010.0, 5334020.1},
                                          {(double)NAN, 5334010.0}};
    for (size_t i = 0; i < sizeof outside_m / sizeof outside_m[0]; i++) {
        found = 77;
        assert_status(context, rcity_delays_find_cell(context, delays, outside_m[i][0], outside_m[i][1], &found),
                      RCITY_ERR_ARGUMENT);
        assert_message(context, "reach from x 691000 to 691025 and from y 5334000 to 5334020");
        assert_int_equal(found, 77);
    }
    rcity_delays_destroy(&delays);
    rcity_context_destroy(&context);
}

static void test_out_of_range(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    rcity_delays *delays = stage_delays(context, 7);
    rcity_delay_cell cell = {.row = 77};
    rcity_delay_summary summary = {.entry_count = 77};
    const char *text = "untouched";
    const int64_t wrong[] = {-1, 20, INT64_MAX};
    for (int i = 0; i < 3; i++) {
        assert_int_equal(rcity_delays_get_cell(delays, wrong[i], &cell), RCITY_ERR_ARGUMENT);
        assert_status(context, rcity_delays_summarize(context, delays, wrong[i], 20.0, &summary), RCITY_ERR_ARGUMENT);
        assert_message(context, "the delays have 20, from 0");
    }
    const double thresholds_db[] = {-0.1, 300.1, (double)INFINITY};
    for (int i = 0; i < 3; i++) {
        assert_status(context, rcity_delays_summarize(context, delays, 0, thresholds_db[i], &summary),
                      RCITY_ERR_ARGUMENT);
        assert_message(context, "`threshold-db` is");
    }
    assert_int_equal(rcity_delays_get_note(delays, 3, &text, &text), RCITY_ERR_ARGUMENT);
    assert_int_equal(rcity_delays_get_note(delays, -1, &text, &text), RCITY_ERR_ARGUMENT);
    assert_true(cell.row == 77 && summary.entry_count == 77 && strcmp(text, "untouched") == 0);
    assert_ok(context, rcity_delays_summarize(context, delays, 1, (double)NAN, &summary));
    assert_true(summary.threshold_db == RCITY_DELAY_THRESHOLD_DB);
    assert_int_equal(rcity_delays_note_count(NULL), 0);
    rcity_delays_destroy(&delays);
    rcity_context_destroy(&context);
}

/* Two equal paths dt apart: the mean lies between them, the spread is dt / 2, each is as strong as the rest. */
static void test_two_equal_paths(void **state)
{
    (void)state;
    static const float gains[] = {0.25e-9f, 0.25e-9f};
    for (int32_t apart = 1; apart < 1000; apart += 37) {
        const int32_t bins[] = {5, 5 + apart};
        rcity_delay_summary summary = figures(2, bins, gains, 20.0);
        assert_true(summary.delay_spread_s == 0.5 * apart * BIN_S);
        assert_near(summary.mean_delay_s, 1e-7 + (5.5 + 0.5 * apart) * BIN_S, 1e-18);
        assert_near(summary.gain_db, 10.0 * log10(0.5e-9), 1e-5);
        assert_near(summary.strongest_db, 10.0 * log10(0.25e-9), 1e-5);
        assert_near(summary.strongest_s, 1e-7 + 5.5 * BIN_S, 1e-18);
        assert_near(summary.k_factor_db, 0.0, 1e-12);
        assert_true(summary.excess_delay_s == apart * BIN_S);
        assert_near(summary.coherence_hz, 1.0 / (5.0 * 0.5 * apart * BIN_S), 1e-3);
        assert_int_equal(summary.entry_count, 2);
    }
}

static void test_one_path_and_none(void **state)
{
    (void)state;
    const int32_t bins[] = {1999999999, 2000000001};
    static const float gains[] = {3.3e-13f, 0.0f};
    rcity_delay_summary summary = figures(1, bins, gains, 20.0);
    assert_true(summary.delay_spread_s == 0.0 && summary.excess_delay_s == 0.0);
    assert_true(summary.coherence_hz == (double)HUGE_VAL && isnan(summary.k_factor_db));
    assert_near(summary.mean_delay_s, 1e-7 + 1999999999.5 * BIN_S, 1e-12);
    summary = figures(2, bins, gains, 300.0); /* the second one has no power */
    assert_true(summary.delay_spread_s == 0.0 && summary.excess_delay_s == 0.0 && isnan(summary.k_factor_db));
    summary = figures(1, bins, gains + 1, 20.0);
    assert_true(isnan(summary.gain_db) && isnan(summary.delay_spread_s) && summary.entry_count == 1);
    summary = figures(0, NULL, NULL, 20.0);
    assert_true(isnan(summary.gain_db) && isnan(summary.strongest_s) && isnan(summary.mean_delay_s) &&
                isnan(summary.excess_delay_s) && isnan(summary.coherence_hz) && summary.entry_count == 0);
}

/* Gains q^k from k = 0 on: geometric sums, mean q / (1 - q) bins, spread sqrt(q) / (1 - q) bins. */
static void test_exponential_profile(void **state)
{
    (void)state;
    static int32_t bins[2000];
    static float gains[2000];
    const double q = 0.96875; /* no power of which is rounded much */
    for (int i = 0; i < 2000; i++) {
        bins[i] = 40 + i;
        gains[i] = (float)(1e-7 * pow(q, i));
    }
    rcity_delay_summary summary = figures(2000, bins, gains, 25.0);
    assert_near(summary.gain_db, 10.0 * log10(1e-7 / (1.0 - q)), 1e-6);
    assert_near((summary.mean_delay_s - 1e-7) / BIN_S - 40.5, q / (1.0 - q), 1e-5);
    assert_near(summary.delay_spread_s / BIN_S, sqrt(q) / (1.0 - q), 1e-5);
    assert_near(summary.k_factor_db, 10.0 * log10((1.0 - q) / q), 1e-6);
    double last = floor(2.5 / -log10(q)); /* the last k with q^k >= 10^-2.5 */
    assert_near(summary.excess_delay_s / BIN_S, last, 1e-9);
    assert_near(summary.last_s - summary.first_s, summary.excess_delay_s, 1e-18);
    assert_near(summary.coherence_hz, (1.0 - q) / (5.0 * sqrt(q) * BIN_S), 10.0);
}

/* Bins below the threshold before the first and after the last that reach it do not count. */
static void test_threshold_of_the_excess_delay(void **state)
{
    (void)state;
    static const int32_t bins[] = {0, 10, 15, 20, 30};
    static const float gains[] = {1e-12f, 1e-10f, 1e-15f, 1e-11f, 2e-12f};
    static const struct {
        double threshold_db;
        int32_t first, last;
    } cases[] = {{0.0, 10, 10}, {9.99, 10, 10}, {10.01, 10, 20}, {17.1, 10, 30}, {20.01, 0, 30}, {300.0, 0, 30}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        rcity_delay_summary summary = figures(5, bins, gains, cases[i].threshold_db);
        assert_near(summary.excess_delay_s, (cases[i].last - cases[i].first) * BIN_S, 1e-18);
        assert_near(summary.first_s, 1e-7 + (cases[i].first + 0.5) * BIN_S, 1e-18);
        assert_near(summary.last_s, 1e-7 + (cases[i].last + 0.5) * BIN_S, 1e-18);
        assert_near(summary.strongest_s, 1e-7 + 10.5 * BIN_S, 1e-18);
        assert_near(summary.k_factor_db, 10.0 * log10(1e-10 / (1e-12 + 1e-15 + 1e-11 + 2e-12)), 1e-6);
    }
}

static void test_memory_gives_out(void **state)
{
    (void)state;
    rcity_status status = RCITY_ERR_MEMORY;
    long n = 0;
    while (status != RCITY_OK) {
        failing_allocator failing = {.fail_at = ++n};
        rcity_context *context = test_context_failing(&failing, 1);
        rcity_delays *delays = NULL;
        status = stage_delays_try(context, 7, &delays);
        assert_true(status == RCITY_OK || status == RCITY_ERR_MEMORY);
        rcity_delays_destroy(&delays);
        assert_int_equal(rcity_context_memory_used(context), 0);
        failing.fail_at = 0;
        rcity_context_destroy(&context);
        assert_int_equal(failing.live_count, 0);
        assert_true(n < 500);
    }
    assert_true(n > 15);
}

TEST_SUITE(delays)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_entries_come_back),
        cmocka_unit_test(test_rows_filled_at_once),
        cmocka_unit_test(test_cells_added_at_once),
        cmocka_unit_test(test_cells_between_and_no_memory),
        cmocka_unit_test(test_what_cannot_be_made),
        cmocka_unit_test(test_places_find_their_cells),
        cmocka_unit_test(test_out_of_range),
        cmocka_unit_test(test_two_equal_paths),
        cmocka_unit_test(test_one_path_and_none),
        cmocka_unit_test(test_exponential_profile),
        cmocka_unit_test(test_threshold_of_the_excess_delay),
        cmocka_unit_test(test_memory_gives_out),
    };
    return cmocka_run_group_tests_name("delays", tests, NULL, NULL);
}

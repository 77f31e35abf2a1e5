/* Coverage of known maps: counts, areas, fractions, fading; losses the other way round; refusals. */
#include "rcity_test.h"

static rcity_map *make_map(rcity_context *context, int64_t columns, int64_t rows, double cell_m, rcity_band_kind kind,
                           const char *name, float **value)
{
    rcity_raster raster = {columns, rows, 0.0, 0.0, cell_m};
    rcity_map *map = NULL;
    assert_ok(context, rcity_map_create(context, &raster, "none", &map));
    assert_ok(context, rcity_map_add_band(map, kind, name, "dBm", "", 1.5, value));
    return map;
}

static void test_counts_and_areas(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    float *value = NULL;
    rcity_map *map = make_map(context, 5, 2, 50.0, RCITY_BAND_POWER, "received_power", &value);
    const float levels[] = {-60.0f, -70.0f, -80.0f, -90.0f, -100.0f, NAN, -80.0f, -79.999f, -80.001f, NAN};
    memcpy(value, levels, sizeof levels);
    rcity_coverage coverage;
    assert_ok(context, rcity_map_get_coverage(context, map, 0, -80.0, 0.0, &coverage));
    assert_true(coverage.threshold == -80.0);
    assert_int_equal(coverage.receiver_count, 8);
    assert_int_equal(coverage.covered_count, 5); /* at the threshold counts */
    assert_near(coverage.receiver_km2, 8 * 0.0025, 1e-15);
    assert_near(coverage.covered_km2, 5 * 0.0025, 1e-15);
    assert_near(coverage.covered_fraction, 0.625, 1e-15);
    assert_true(isnan(coverage.fading_fraction));
    rcity_map_destroy(&map);
    rcity_context_destroy(&context);
}

/* Half of the cells one sigma above, half of them two below: the mean of two table values. */
static void test_covered_fraction_under_fading_follows_table(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    float *value = NULL;
    rcity_map *map = make_map(context, 100, 60, 10.0, RCITY_BAND_POWER, "received_power", &value);
    for (int i = 0; i < 6000; i++) {
        value[i] = i % 2 == 0 ? -72.0f : -96.0f;
    }
    rcity_coverage coverage;
    assert_ok(context, rcity_map_get_coverage(context, map, 0, -80.0, 8.0, &coverage));
    assert_near(coverage.covered_fraction, 0.5, 1e-15);
    assert_near(coverage.fading_fraction, 0.5 * (0.841344746068543 + 1.0 - 0.977249868051821), 1e-13);
    /* the same map as a loss is covered where it was not: less loss is more signal */
    rcity_map *losses = make_map(context, 100, 60, 10.0, RCITY_BAND_LOSS, "path_loss", &value);
    for (int i = 0; i < 6000; i++) {
        value[i] = i % 3 == 0 ? 112.0f : 136.0f;
    }
    assert_ok(context, rcity_map_get_coverage(context, losses, 0, 120.0, 8.0, &coverage));
    assert_int_equal(coverage.covered_count, 2000);
    assert_near(coverage.fading_fraction, (0.841344746068543 + 2.0 * (1.0 - 0.977249868051821)) / 3.0, 1e-13);
    assert_ok(context, rcity_map_get_coverage(context, losses, 0, 112.0, 0.0, &coverage));
    assert_int_equal(coverage.covered_count, 2000);
    rcity_map_destroy(&losses);
    rcity_map_destroy(&map);
    rcity_context_destroy(&context);
}

static void test_nothing_to_cover(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    float *value = NULL;
    rcity_map *map = make_map(context, 3, 3, 10.0, RCITY_BAND_POWER, "received_power", &value);
    rcity_coverage coverage;
    assert_ok(context, rcity_map_get_coverage(context, map, 0, -80.0, 8.0, &coverage));
    assert_int_equal(coverage.receiver_count, 0);
    assert_true(coverage.receiver_km2 == 0.0 && coverage.covered_km2 == 0.0);
    assert_true(isnan(coverage.covered_fraction) && isnan(coverage.fading_fraction));
    rcity_map_destroy(&map);
    rcity_context_destroy(&context);
}

/* Cells in degrees have no area in km2; their number still tells the fraction. */
static void test_cells_in_degrees(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    float *value = NULL;
    rcity_map *map = make_map(context, 2, 1, 0.001, RCITY_BAND_POWER, "received_power", &value);
    value[0] = -70.0f;
    value[1] = -90.0f;
    assert_ok(context, rcity_map_add_note(map, "cell_unit", "degree"));
    rcity_coverage coverage;
    assert_ok(context, rcity_map_get_coverage(context, map, 0, -80.0, 0.0, &coverage));
    assert_true(isnan(coverage.receiver_km2) && isnan(coverage.covered_km2));
    assert_near(coverage.covered_fraction, 0.5, 0.0);
    rcity_map_destroy(&map);
    rcity_context_destroy(&context);
}

/* As a band: the mean of its values is the fraction under fading; its name tells the threshold. */
static void test_probability_band(void **state)
{
    (void)state;
    rcity_context *context = test_context(2);
    float *value = NULL;
    rcity_map *map = make_map(context, 300, 200, 10.0, RCITY_BAND_POWER, "received_power", &value);
    for (int i = 0; i < 60000; i++) {
        value[i] = i % 7 == 0 ? NAN : (float)test_uniform(11, (uint64_t)i, -110.0, -60.0);
    }
    assert_ok(context, rcity_map_add_probability(map, 0, -87.5, 6.0));
    rcity_band band;
    rcity_coverage coverage;
    assert_ok(context, rcity_map_get_band(map, 1, &band));
    assert_ok(context, rcity_map_get_coverage(context, map, 0, -87.5, 6.0, &coverage));
    assert_string_equal(band.name, "coverage_probability_-87.5_dbm");
    assert_string_equal(band.unit, "");
    assert_non_null(strstr(band.text, "reaches -87.5 dBm"));
    assert_true(band.rx_height_m == 1.5);
    double sum = 0.0;
    for (int i = 0; i < 60000; i++) {
        assert_true(isnan(value[i]) == isnan(band.value[i]));
        sum += isnan(band.value[i]) ? 0.0 : (double)band.value[i];
    }
    assert_near(sum / (double)coverage.receiver_count, coverage.fading_fraction, 1e-7);
    assert_status(context, rcity_map_add_probability(map, 0, -87.5, 9.0), RCITY_ERR_ARGUMENT);
    assert_message(context, "coverage_probability_-87.5_dbm already");
    assert_status(context, rcity_map_add_probability(map, 2, -80.0, 6.0), RCITY_ERR_ARGUMENT);
    assert_message(context, "no band 2");
    assert_status(context, rcity_map_add_probability(map, 0, -80.0, 0.0), RCITY_ERR_ARGUMENT);
    assert_message(context, "above 0 and at most 50 dB");
    assert_status(context, rcity_map_add_probability(map, 0, HUGE_VAL, 6.0), RCITY_ERR_ARGUMENT);
    assert_int_equal(rcity_map_band_count(map), 2);
    rcity_map_destroy(&map);
    /* a loss that must stay below */
    map = make_map(context, 1, 1, 10.0, RCITY_BAND_LOSS, "path_loss", &value);
    value[0] = 112.0f;
    assert_ok(context, rcity_map_add_probability(map, 0, 120.0, 8.0));
    assert_ok(context, rcity_map_get_band(map, 1, &band));
    assert_near((double)band.value[0], 0.841344746068543, 1e-7);
    rcity_map_destroy(&map);
    rcity_context_destroy(&context);
}

static void test_bad_band_threshold_and_fading_are_refused(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    float *value = NULL;
    rcity_map *map = make_map(context, 3, 3, 10.0, RCITY_BAND_POWER, "received_power", &value);
    rcity_coverage coverage = {.receiver_count = 77};
    assert_status(context, rcity_map_get_coverage(context, map, 1, -80.0, 0.0, &coverage), RCITY_ERR_ARGUMENT);
    assert_message(context, "no band 1");
    assert_status(context, rcity_map_get_coverage(context, map, -1, -80.0, 0.0, &coverage), RCITY_ERR_ARGUMENT);
    assert_status(context, rcity_map_get_coverage(context, map, 0, (double)NAN, 0.0, &coverage), RCITY_ERR_ARGUMENT);
    assert_message(context, "threshold");
    assert_status(context, rcity_map_get_coverage(context, map, 0, -80.0, -0.5, &coverage), RCITY_ERR_ARGUMENT);
    assert_message(context, "-0.5 dB, must be 0 to 50 dB");
    assert_status(context, rcity_map_get_coverage(context, map, 0, -80.0, (double)NAN, &coverage), RCITY_ERR_ARGUMENT);
    assert_status(context, rcity_map_get_coverage(context, map, 0, -80.0, 50.5, &coverage), RCITY_ERR_ARGUMENT);
    assert_int_equal(coverage.receiver_count, 77);
    rcity_map_destroy(&map);
    rcity_context_destroy(&context);
}

/* The kind decides, whatever the name says: of a loss the cells below the threshold are covered, of a power those
   above it; a probability goes the same way. */
static void test_kind_not_name_decides(void **state)
{
    (void)state;
    static const struct {
        rcity_band_kind kind;
        const char *name;
        int covered_count;
    } cases[] = {
        {RCITY_BAND_LOSS, "attenuation", 2}, {RCITY_BAND_POWER, "loss_of_a_name", 3}, {RCITY_BAND_OTHER, "loss", 3}};
    rcity_context *context = test_context(1);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        float *value = NULL;
        rcity_coverage coverage;
        rcity_band probability;
        rcity_map *map = make_map(context, 4, 1, 10.0, cases[i].kind, cases[i].name, &value);
        const float values[] = {100.0f, 110.0f, 120.0f, 130.0f};
        memcpy(value, values, sizeof values);
        assert_ok(context, rcity_map_get_coverage(context, map, 0, 110.0, 0.0, &coverage));
        assert_int_equal(coverage.covered_count, cases[i].covered_count);
        assert_ok(context, rcity_map_add_probability(map, 0, 110.0, 8.0));
        assert_ok(context, rcity_map_get_band(map, 1, &probability));
        assert_int_equal(probability.kind, RCITY_BAND_PROBABILITY);
        assert_int_equal(probability.value[0] > 0.5f, cases[i].kind == RCITY_BAND_LOSS);
        rcity_map_destroy(&map);
    }
    rcity_context_destroy(&context);
}

TEST_SUITE(coverage)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_kind_not_name_decides),
        cmocka_unit_test(test_counts_and_areas),
        cmocka_unit_test(test_covered_fraction_under_fading_follows_table),
        cmocka_unit_test(test_nothing_to_cover),
        cmocka_unit_test(test_cells_in_degrees),
        cmocka_unit_test(test_probability_band),
        cmocka_unit_test(test_bad_band_threshold_and_fading_are_refused),
    };
    return cmocka_run_group_tests_name("coverage", tests, NULL, NULL);
}

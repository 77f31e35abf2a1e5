/* Differences of known maps, and of random ones against sums made another way; refusals that say how maps differ. */
#include "rcity_test.h"

static rcity_map *make_map(rcity_context *context, rcity_raster raster, const char *crs, const char *unit,
                           float **value)
{
    rcity_map *map = NULL;
    assert_ok(context, rcity_map_create(context, &raster, crs, &map));
    assert_ok(context, rcity_map_add_band(map, RCITY_BAND_POWER, "received_power", unit, "", 1.5, value));
    assert_ok(context, rcity_map_add_note(map, "version", "9.9.9"));
    return map;
}

static void test_known_difference(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    rcity_raster raster = {3, 2, 100.0, 500.0, 10.0};
    float *a = NULL;
    float *b = NULL;
    rcity_map *first = make_map(context, raster, "EPSG:32632", "dBm", &a);
    rcity_map *second = make_map(context, raster, "EPSG:32632", "dBm", &b);
    const float first_values[] = {-80.0f, -81.0f, NAN, -90.0f, -70.0f, NAN};
    const float second_values[] = {-79.0f, -81.0f, -60.0f, NAN, -74.0f, NAN};
    memcpy(a, first_values, sizeof first_values);
    memcpy(b, second_values, sizeof second_values);
    rcity_map_difference difference;
    rcity_map *made = NULL;
    assert_ok(context, rcity_map_compare(context, first, 0, second, 0, &difference, &made));
    assert_int_equal(difference.both_count, 3);
    assert_int_equal(difference.only_first_count, 1);
    assert_int_equal(difference.only_second_count, 1);
    assert_near(difference.mean, -1.0, 1e-15); /* 1, 0, -4 */
    assert_near(difference.root_mean_square, sqrt(17.0 / 3.0), 1e-15);
    assert_near(difference.standard_deviation, sqrt(14.0 / 3.0), 1e-15);
    assert_near(difference.minimum, -4.0, 0.0);
    assert_near(difference.maximum, 1.0, 0.0);
    assert_near(difference.largest_x_m, 115.0, 0.0);
    assert_near(difference.largest_y_m, 485.0, 0.0);
    rcity_band band;
    assert_int_equal(rcity_map_band_count(made), 1);
    assert_ok(context, rcity_map_get_band(made, 0, &band));
    assert_string_equal(band.name, "difference");
    assert_string_equal(band.unit, "dB"); /* levels in dBm differ by dB */
    assert_string_equal(rcity_map_crs(made), "EPSG:32632");
    const float expected[] = {1.0f, 0.0f, NAN, NAN, -4.0f, NAN};
    for (int i = 0; i < 6; i++) {
        assert_true(isnan(expected[i]) ? isnan(band.value[i]) : band.value[i] == expected[i]);
    }
    assert_string_equal(test_find_note(made, "first_version"), "9.9.9");
    assert_string_equal(test_find_note(made, "second_band"), "received_power");
    rcity_map_destroy(&made);
    assert_ok(context, rcity_map_compare(context, first, 0, first, 0, &difference, NULL)); /* with itself, no map */
    assert_int_equal(difference.both_count, 4);
    assert_true(difference.minimum == 0.0 && difference.maximum == 0.0 && difference.root_mean_square == 0.0);
    rcity_map_destroy(&second);
    rcity_map_destroy(&first);
    rcity_context_destroy(&context);
}

/* The same figures from integers: values are multiples of 1/8, so that every sum is exact. */
static void test_random_differences(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        rcity_context *context = test_context(1);
        rcity_raster raster = {1 + (int64_t)(test_random(seed, 0) % 90), 1 + (int64_t)(test_random(seed, 1) % 90), 0.0,
                               0.0, 1.0};
        float *a = NULL;
        float *b = NULL;
        rcity_map *first = make_map(context, raster, "none", "dB", &a);
        rcity_map *second = make_map(context, raster, "none", "dB", &b);
        int64_t count = 0;
        int64_t sum = 0;
        int64_t square_sum = 0;
        int64_t low = INT64_MAX;
        int64_t high = INT64_MIN;
        for (int64_t i = 0; i < raster.column_count * raster.row_count; i++) {
            uint64_t random = test_random(seed, 100 + (uint64_t)i);
            int64_t first_eighths = (int64_t)(random % 2000);
            int64_t second_eighths = (int64_t)(random / 2000 % 2000);
            bool has_first = random / 4000000 % 5 != 0;
            bool has_second = random / 20000000 % 5 != 0;
            a[i] = has_first ? (float)first_eighths / 8.0f : NAN;
            b[i] = has_second ? (float)second_eighths / 8.0f : NAN;
            if (has_first && has_second) {
                int64_t difference = second_eighths - first_eighths;
                count++;
                sum += difference;
                square_sum += difference * difference;
                low = difference < low ? difference : low;
                high = difference > high ? difference : high;
            }
        }
        rcity_map_difference found;
        assert_ok(context, rcity_map_compare(context, first, 0, second, 0, &found, NULL));
        if (found.both_count != count) {
            print_error("seed %llu: %lld cells, expected %lld\n", (unsigned long long)seed, (long long)found.both_count,
                        (long long)count);
            fail();
        }
        if (count > 0) {
            double mean = (double)sum / 8.0 / (double)count;
            double mean_square = (double)square_sum / 64.0 / (double)count;
            assert_near(found.mean, mean, 1e-12);
            assert_near(found.root_mean_square, sqrt(mean_square), 1e-10);
            assert_near(found.standard_deviation, sqrt(mean_square - mean * mean), 1e-10);
            assert_near(found.minimum, (double)low / 8.0, 0.0);
            assert_near(found.maximum, (double)high / 8.0, 0.0);
        } else {
            assert_true(isnan(found.mean) && isnan(found.maximum) && isnan(found.largest_x_m));
        }
        rcity_map_destroy(&second);
        rcity_map_destroy(&first);
        rcity_context_destroy(&context);
    }
}

static void check_refused(rcity_context *context, const rcity_map *first, rcity_raster raster, const char *crs,
                          const char *unit, const char *words, const char *more_words)
{
    float *value = NULL;
    rcity_map *second = make_map(context, raster, crs, unit, &value);
    rcity_map_difference difference = {.both_count = 77};
    rcity_map *made = NULL;
    assert_status(context, rcity_map_compare(context, first, 0, second, 0, &difference, &made), RCITY_ERR_ARGUMENT);
    assert_message(context, words);
    assert_message(context, more_words);
    assert_int_equal(difference.both_count, 77);
    assert_null(made);
    rcity_map_destroy(&second);
}

static void test_differing_maps_are_refused_with_the_difference(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    rcity_raster raster = {30, 20, 100.0, 500.0, 10.0};
    float *value = NULL;
    rcity_map *first = make_map(context, raster, "EPSG:32632", "dBm", &value);
    check_refused(context, first, (rcity_raster){31, 20, 100.0, 500.0, 10.0}, "EPSG:32632", "dBm", "differ in size",
                  "30 x 20 and 31 x 20");
    check_refused(context, first, (rcity_raster){30, 20, 100.0, 500.0, 10.1}, "EPSG:32632", "dBm",
                  "differ in their cells", "10 and 10.1");
    check_refused(context, first, (rcity_raster){30, 20, 105.0, 500.0, 10.0}, "EPSG:32632", "dBm", "differ in place",
                  "(100, 500) and (105, 500)");
    check_refused(context, first, (rcity_raster){30, 20, 100.0, 499.0, 10.0}, "EPSG:32632", "dBm", "differ in place",
                  "(100, 499)");
    check_refused(context, first, raster, "EPSG:32633", "dBm", "differ in CRS", "'EPSG:32632' and 'EPSG:32633'");
    check_refused(context, first, raster, "none", "dBm", "differ in CRS", "'none'");
    check_refused(context, first, raster, "EPSG:32632", "dB", "differ in unit", "'dBm'");
    /* a hair beside is not another place */
    rcity_map *near =
        make_map(context, (rcity_raster){30, 20, 100.0 + 1e-7, 500.0, 10.0 - 1e-9}, "EPSG:32632", "dBm", &value);
    rcity_map_difference difference;
    assert_ok(context, rcity_map_compare(context, first, 0, near, 0, &difference, NULL));
    assert_status(context, rcity_map_compare(context, first, 1, near, 0, &difference, NULL), RCITY_ERR_ARGUMENT);
    assert_message(context, "no band 1");
    assert_status(context, rcity_map_compare(context, first, 0, near, 5, &difference, NULL), RCITY_ERR_ARGUMENT);
    assert_message(context, "no band 5");
    rcity_map_destroy(&near);
    rcity_map_destroy(&first);
    rcity_context_destroy(&context);
}

static void test_every_allocation_fails_once(void **state)
{
    (void)state;
    rcity_context *plenty = test_context(1);
    rcity_raster raster = {3, 2, 100.0, 500.0, 10.0};
    float *value = NULL;
    rcity_map *map = make_map(plenty, raster, "EPSG:32632", "dBm", &value);
    long n = 0;
    bool has_failed;
    do {
        n++;
        failing_allocator failing = {n, 0, 0};
        rcity_context *context = test_context_failing(&failing, 1);
        rcity_map *made = NULL;
        rcity_map_difference difference = {.both_count = 77};
        rcity_status status = rcity_map_compare(context, map, 0, map, 0, &difference, &made);
        has_failed = failing.call_count >= n;
        assert_int_equal(status, has_failed ? RCITY_ERR_MEMORY : RCITY_OK);
        assert_true((made == NULL) == has_failed);
        assert_true((difference.both_count == 77) == has_failed);
        rcity_map_destroy(&made);
        assert_int_equal(rcity_context_memory_used(context), 0);
        rcity_context_destroy(&context);
        assert_int_equal(failing.live_count, 0);
    } while (has_failed);
    assert_true(n > 5);
    rcity_map_destroy(&map);
    rcity_context_destroy(&plenty);
}

TEST_SUITE(compare)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_known_difference),
        cmocka_unit_test(test_random_differences),
        cmocka_unit_test(test_differing_maps_are_refused_with_the_difference),
        cmocka_unit_test(test_every_allocation_fails_once),
    };
    return cmocka_run_group_tests_name("compare", tests, NULL, NULL);
}

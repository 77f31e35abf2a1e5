/* Published ranges: every limit of every method, just inside and just outside, and the three policies. */
#include "empirical_world.h"

/* The loss at one point east of the transmitter, which stands free at (20, 50). */
static rcity_status predict_one(const world *made, const method_case *method, rcity_range_policy policy, float *loss_db)
{
    double xyh_m[3] = {20.0 + method->distance_m, 50.0, method->rx_height_m};
    rcity_request request = rcity_request_default();
    request.method = method->name;
    request.transmitter.x_m = 20;
    request.transmitter.y_m = 50;
    request.transmitter.height_m = method->tx_height_m;
    request.transmitter.frequency_hz = method->frequency_hz;
    request.receivers.point_count = 1;
    request.receivers.xyh_m = xyh_m;
    request.range_policy = policy;
    return rcity_predict_points(made->context, made->scene, made->device, &request, loss_db, NULL);
}

/* A changed case is inside its range, or outside with these words in the message. */
static void check_case(world *made, const method_case *method, const char *outside_words)
{
    float loss_db = -1.0f;
    if (outside_words == NULL) {
        assert_ok(made->context, predict_one(made, method, RCITY_RANGE_FAIL, &loss_db));
        assert_true(isfinite(loss_db));
        assert_int_equal(made->log_count, 0);
        return;
    }
    assert_status(made->context, predict_one(made, method, RCITY_RANGE_FAIL, &loss_db), RCITY_ERR_ARGUMENT);
    assert_near((double)loss_db, -1.0, 0.0);
    assert_message(made->context, outside_words);
    char name[64];
    snprintf(name, sizeof name, "method %s: ", method->name);
    assert_message(made->context, name);
    assert_message(made->context, "`extrapolate`");
    assert_ok(made->context, predict_one(made, method, RCITY_RANGE_EXTRAPOLATE, &loss_db));
    assert_true(isfinite(loss_db));
    assert_int_equal(made->log_count, 1);
    assert_non_null(strstr(made->log[0], "extrapolated: "));
    made->log_count = 0;
}

static void test_every_published_limit_is_enforced(void **state)
{
    (void)state;
    world made;
    begin(&made, 1);
    for (int c = 0; c < CASE_COUNT; c++) {
        check_case(&made, &cases[c], NULL);
        for (int side = 0; side < 2; side++) {
            double in = side == 0 ? 1.0 + 1e-12 : 1.0 - 1e-12;
            double out = side == 0 ? 0.99 : 1.01;
            method_case changed = cases[c];
            changed.frequency_hz = cases[c].frequency_hz_range[side] * in;
            check_case(&made, &changed, NULL);
            changed.frequency_hz = cases[c].frequency_hz_range[side] * out;
            check_case(&made, &changed, "the frequency is ");
            changed = cases[c];
            changed.tx_height_m = cases[c].tx_height_m_range[side] * in;
            check_case(&made, &changed, NULL);
            changed.tx_height_m = cases[c].tx_height_m_range[side] * out;
            check_case(&made, &changed, "the transmitter's height above ground is ");
            changed = cases[c];
            changed.rx_height_m = cases[c].rx_height_m_range[side] * in;
            check_case(&made, &changed, NULL);
            changed.rx_height_m = cases[c].rx_height_m_range[side] * out;
            check_case(&made, &changed, "receiver 0 is ");
            changed = cases[c];
            changed.distance_m = cases[c].distance_m_range[side] * in;
            check_case(&made, &changed, NULL);
            changed.distance_m = cases[c].distance_m_range[side] * out;
            check_case(&made, &changed, "the only receiver lies outside the published distances");
        }
    }
    end(&made);
}

/* P.1411 has a range for each row of its tables; where the scene decides, that of both rows. Heights are free. */
static void test_p1411_range_follows_its_options(void **state)
{
    (void)state;
    world made;
    begin(&made, 1);
    static const struct {
        const char *environment, *sight;
        double frequency_hz[2], distance_m[2];
    } rows[] = {
        {"high-rise", "los", {0.8e9, 82e9}, {5, 660}},          {"high-rise", "nlos", {0.8e9, 82e9}, {30, 715}},
        {"high-rise", "exact", {0.8e9, 82e9}, {30, 660}},       {"low-rise", "los", {0.8e9, 82e9}, {5, 660}},
        {"low-rise", "nlos", {10e9, 73e9}, {30, 250}},          {"low-rise", "exact", {10e9, 73e9}, {30, 250}},
        {"above-roofs", "los", {2.2e9, 73e9}, {55, 1200}},      {"above-roofs", "nlos", {2.2e9, 66.5e9}, {260, 1200}},
        {"above-roofs", "exact", {2.2e9, 66.5e9}, {260, 1200}},
    };
    static const char *const names[] = {"environment", "line-of-sight"};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const char *values[] = {rows[i].environment, rows[i].sight};
        for (int trial = 0; trial < 8; trial++) {
            bool is_outside = (trial & 1) != 0;
            int side = trial >> 1 & 1;
            double factor = !is_outside ? 1.0 : side == 0 ? 0.99 : 1.01;
            bool is_frequency = trial < 4;
            double distance_m =
                is_frequency ? sqrt(rows[i].distance_m[0] * rows[i].distance_m[1]) : rows[i].distance_m[side] * factor;
            const double xyh_m[] = {20, 50 - distance_m, 97.0};
            rcity_request request =
                raster_request("p1411",
                               is_frequency ? rows[i].frequency_hz[side] * factor
                                            : sqrt(rows[i].frequency_hz[0] * rows[i].frequency_hz[1]),
                               83);
            request.receivers.point_count = 1;
            request.receivers.xyh_m = xyh_m;
            request.option_count = 2;
            request.option_name = names;
            request.option_value = values;
            float loss_db = -1.0f;
            assert_status(made.context,
                          rcity_predict_points(made.context, made.scene, made.device, &request, &loss_db, NULL),
                          is_outside ? RCITY_ERR_ARGUMENT : RCITY_OK);
            if (is_outside) {
                assert_message(made.context, is_frequency ? "the frequency is " : "outside the published distances");
                request.range_policy = RCITY_RANGE_EXTRAPOLATE;
                assert_ok(made.context,
                          rcity_predict_points(made.context, made.scene, made.device, &request, &loss_db, NULL));
                assert_int_equal(made.log_count, 1);
                assert_null(strstr(made.log[0], "inf"));
                made.log_count = 0;
            }
            assert_true(loss_db > 0.0f);
        }
    }
    end(&made);
}

static void test_range_messages_name_limits_and_remedies(void **state)
{
    (void)state;
    world made;
    begin(&made, 1);
    float loss_db;
    method_case changed = cases[0];
    changed.frequency_hz = 3500e6;
    assert_status(made.context, predict_one(&made, &changed, RCITY_RANGE_FAIL, &loss_db), RCITY_ERR_ARGUMENT);
    assert_message(made.context, "method hata: the frequency is 3500 MHz, published for 150 to 1500 MHz; `extrapolate` "
                                 "uses it all the same");
    /* skipping is about receivers: the frequency still fails */
    assert_status(made.context, predict_one(&made, &changed, RCITY_RANGE_SKIP, &loss_db), RCITY_ERR_ARGUMENT);
    changed = cases[3];
    changed.tx_height_m = 30;
    assert_status(made.context, predict_one(&made, &changed, RCITY_RANGE_FAIL, &loss_db), RCITY_ERR_ARGUMENT);
    assert_message(made.context, "height above ground is 30 m, published for 25 m;");
    changed = cases[0];
    changed.distance_m = 500;
    assert_status(made.context, predict_one(&made, &changed, RCITY_RANGE_FAIL, &loss_db), RCITY_ERR_ARGUMENT);
    assert_message(made.context,
                   "1 km to 20 km: the nearest is at 500 m, the farthest at 500 m; `extrapolate` predicts "
                   "them too, `skip-out-of-range` leaves them out");
    assert_ok(made.context, predict_one(&made, &changed, RCITY_RANGE_SKIP, &loss_db));
    assert_true(isnan(loss_db));
    assert_int_equal(made.log_count, 1);
    assert_string_equal(made.log[0], "method hata skipped: 1 of 1 receivers, published for 1 km to 20 km and 1 to 10 m "
                                     "above ground");
    changed = cases[0];
    changed.rx_height_m = 40;
    assert_ok(made.context, predict_one(&made, &changed, RCITY_RANGE_SKIP, &loss_db));
    assert_true(isnan(loss_db));
    end(&made);
}

/* Rasters: the count of what lies outside is that of a plain loop, and the policies differ there alone. */
static void test_raster_policies(void **state)
{
    (void)state;
    world made;
    begin(&made, 2);
    rcity_request request = raster_request("walfisch-ikegami", 900e6, 20);
    const double heights_m[] = {1.5, 2.5};
    request.receivers.height_count = 2;
    request.receivers.height_m = heights_m;
    request.transmitter.x_m = 505; /* some cells are nearer than 20 m, none is farther than 5 km */
    rcity_map *extrapolated = NULL;
    rcity_map *skipped = NULL;
    rcity_map *failed = NULL;
    assert_status(made.context, rcity_predict(made.context, made.scene, made.device, &request, &failed),
                  RCITY_ERR_ARGUMENT);
    assert_null(failed);
    request.range_policy = RCITY_RANGE_EXTRAPOLATE;
    assert_ok(made.context, rcity_predict(made.context, made.scene, made.device, &request, &extrapolated));
    request.range_policy = RCITY_RANGE_SKIP;
    assert_ok(made.context, rcity_predict(made.context, made.scene, made.device, &request, &skipped));
    rcity_raster raster = rcity_map_raster(skipped);
    int outside_count = 0;
    int receiver_count = 0;
    assert_int_equal(rcity_map_band_count(skipped), 4);
    for (int plane = 0; plane < 2; plane++) {
        rcity_band all;
        rcity_band some;
        assert_ok(made.context, rcity_map_get_band(extrapolated, 2 * plane, &all));
        assert_ok(made.context, rcity_map_get_band(skipped, 2 * plane, &some));
        assert_string_equal(all.name, "path_loss");
        for (int64_t cell = 0; cell < raster.column_count * raster.row_count; cell++) {
            double x = raster.west_m + raster.cell_m * ((double)(cell % raster.column_count) + 0.5) - 505.0;
            double y = raster.north_m - raster.cell_m * ((double)(cell / raster.column_count) + 0.5) - 50.0;
            bool is_outside = sqrt(x * x + y * y) < 20.0;
            if (isnan(all.value[cell])) {
                assert_true(isnan(some.value[cell]));
                continue;
            }
            receiver_count++;
            outside_count += is_outside;
            assert_int_equal(isnan(some.value[cell]) != 0, is_outside);
            assert_true(is_outside || some.value[cell] == all.value[cell]);
        }
    }
    char words[128];
    snprintf(words, sizeof words, "%d of %d receivers, published for 20 m to 5 km and 1 to 3 m above ground",
             outside_count, receiver_count);
    assert_string_equal(test_find_note(extrapolated, "extrapolated"), words);
    assert_string_equal(test_find_note(skipped, "skipped"), words);
    assert_null(test_find_note(skipped, "extrapolated"));
    assert_int_equal(made.log_count, 2);
    rcity_map_destroy(&skipped);
    rcity_map_destroy(&extrapolated);
    end(&made);
}

TEST_SUITE(range)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_every_published_limit_is_enforced),
                                       cmocka_unit_test(test_p1411_range_follows_its_options),
                                       cmocka_unit_test(test_range_messages_name_limits_and_remedies),
                                       cmocka_unit_test(test_raster_policies)};
    return cmocka_run_group_tests_name("range", tests, NULL, NULL);
}

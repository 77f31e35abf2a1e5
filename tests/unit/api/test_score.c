/* Scores through the whole chain: measurements are made from predictions and known errors, which must come out
   again. */
#include "fit_items.h"
#include "result/coefficients.h"
#include "score_world.h"

/* The errors put in are those that come out, of all points and of the parts, and each part is what it says. */
static void test_known_errors(void **state)
{
    (void)state;
    rcity_context *context = test_context(2);
    score_world w;
    score_world_open(&w, context, "shadow", 5);
    score_world_predict(&w, "shadow", w.loss_db, NULL);
    rcity_measurements *measurements = score_world_measure(&w, RCITY_MEASURED_LOSS, w.loss_db, 1.0);
    rcity_score *score = score_world_score(&w, measurements, NULL);
    double sum[3] = {0.0, 0.0, 0.0}; /* all, in sight, not in sight */
    double square = 0.0;
    int64_t count[3] = {0, 0, 0};
    int64_t in_building_count = 0;
    rcity_point tx;
    assert_ok(context, rcity_transmitter_locate(context, w.scene, &w.request.transmitter, &tx));
    for (uint64_t i = 0; i < SCORE_POINT_COUNT; i++) {
        rcity_score_point point = score_point_at(score, (int64_t)i);
        rcity_point rx = {w.xyh_m[3 * i], w.xyh_m[3 * i + 1], 1.5};
        rcity_cover cover;
        bool is_free;
        assert_ok(context, rcity_scene_get_cover(context, w.scene, rx.x_m, rx.y_m, &cover));
        assert_ok(context, rcity_scene_test_segment(context, w.scene, &tx, &rx, &is_free));
        assert_int_equal(point.is_in_building, cover.is_covered);
        assert_int_equal(point.is_in_sight, is_free);
        assert_int_equal(strcmp(point.mechanism, "direct") == 0, is_free && !cover.is_covered);
        assert_string_equal(point.left_out, cover.is_covered ? "inside a building" : "");
        assert_near(point.distance_m, sqrt(pow(rx.x_m - tx.x_m, 2.0) + pow(rx.y_m - tx.y_m, 2.0) + 26.5 * 26.5), 1e-9);
        in_building_count += cover.is_covered;
        if (!cover.is_covered) {
            assert_near(rcity_score_predicted_db(score, 0)[i], (double)w.loss_db[i], 0.0);
            sum[0] += score_world_error(i);
            sum[is_free ? 1 : 2] += score_world_error(i);
            square += score_world_error(i) * score_world_error(i);
            count[0]++;
            count[is_free ? 1 : 2]++;
        }
    }
    assert_true(in_building_count > 10 && count[1] > 5 && count[2] > 5); /* the case has some of each */
    rcity_score_figures all = score_figures_at(score, 0, 0);
    rcity_score_figures sight = score_figures_at(score, 0, score_find_group(score, "line of sight"));
    rcity_score_figures hidden = score_figures_at(score, 0, score_find_group(score, "no line of sight"));
    assert_int_equal(all.count, count[0]);
    assert_int_equal(sight.count, count[1]);
    assert_int_equal(hidden.count, count[2]);
    assert_near(all.mean_db, sum[0] / (double)count[0], 1e-9);
    assert_near(sight.mean_db, sum[1] / (double)count[1], 1e-9);
    assert_near(hidden.mean_db, sum[2] / (double)count[2], 1e-9);
    assert_near(all.rmse_db, sqrt(square / (double)count[0]), 1e-9);
    assert_int_equal(score_group_at(score, 0).count, SCORE_POINT_COUNT);
    assert_int_equal(score_find_group(score, "loop"), -1); /* the only route is all there is */
    rcity_score_destroy(&score);
    rcity_measurements_destroy(&measurements);
    score_world_close(&w);
    rcity_context_destroy(&context);
}

/* Baselines are what the methods of these names say, on the same points. */
static void test_baselines_equal_the_methods_they_name(void **state)
{
    (void)state;
    static const struct {
        const char *model, *method;
        double frequency_hz;
        bool is_extrapolated;
    } cases[] = {
        {"free space", "free-space", 947e6, false},
        {"Hata", "hata", 947e6, true}, /* nearer than a kilometre */
        {"COST 231-Hata", "cost231-hata", 1800e6, true},
        {"Walfisch-Ikegami", "walfisch-ikegami", 947e6, false},
        {"Walfisch-Ikegami", "walfisch-ikegami", 3500e6, true},
    };
    rcity_context *context = test_context(1);
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        score_world w;
        score_world_open(&w, context, "shadow", 6);
        for (uint64_t i = 0; i < SCORE_POINT_COUNT; i++) { /* Walfisch-Ikegami was published from 20 m on */
            w.xyh_m[3 * i] += w.xyh_m[3 * i] > 40.0 && w.xyh_m[3 * i] < 100.0 ? 60.0 : 0.0;
        }
        w.request.transmitter.frequency_hz = cases[k].frequency_hz;
        score_world_predict(&w, cases[k].method, w.loss_db, NULL);
        rcity_measurements *measurements = score_world_measure(&w, RCITY_MEASURED_LOSS, w.loss_db, 1.0);
        rcity_score *score = score_world_score(&w, measurements, NULL);
        int model = score_find_model(score, cases[k].model, "");
        assert_true(model > 0);
        for (int i = 0; i < SCORE_POINT_COUNT; i++) {
            bool is_in = score_point_at(score, i).is_in_building;
            assert_int_equal(isnan(rcity_score_predicted_db(score, model)[i]), is_in);
            if (!is_in) {
                assert_near(rcity_score_predicted_db(score, model)[i], (double)w.loss_db[i], 0.0);
            }
        }
        assert_int_equal(score_model_at(score, model).is_extrapolated, cases[k].is_extrapolated);
        rcity_score_figures by_offset =
            score_figures_at(score, score_find_model(score, "free space + offset", "these points"), 0);
        rcity_score_figures by_constant =
            score_figures_at(score, score_find_model(score, "constant", "these points"), 0);
        rcity_score_figures by_log =
            score_figures_at(score, score_find_model(score, "log-distance", "these points"), 0);
        assert_near(by_offset.mean_db, 0.0, 1e-9);
        assert_near(by_constant.mean_db, 0.0, 1e-9);
        assert_near(by_log.mean_db, 0.0, 1e-9);
        assert_true(by_log.rmse_db <= by_constant.rmse_db && isnan(by_constant.correlation));
        rcity_score_destroy(&score);
        rcity_measurements_destroy(&measurements);
        score_world_close(&w);
    }
    rcity_context_destroy(&context);
}

/* Received powers behind a turned sector antenna: what predicts them without error has none here either. */
static void test_received_powers_give_the_known_errors(void **state)
{
    (void)state;
    static const char *const methods[] = {"shadow", "free-space", "walfisch-ikegami"};
    rcity_context *context = test_context(2);
    rcity_antenna *antenna = NULL;
    assert_ok(context, rcity_antenna_open(context, "3gpp", RCITY_SYNTHESIS_PROJECTION, &antenna));
    for (size_t k = 0; k < sizeof methods / sizeof methods[0]; k++) {
        score_world w;
        score_world_open(&w, context, methods[k], 8);
        w.request.range_policy = RCITY_RANGE_EXTRAPOLATE;
        w.request.receivers.gain_dbi = 2.5;
        w.request.transmitter.antenna = antenna;
        w.request.transmitter.azimuth_deg = 70.0;
        w.request.transmitter.mechanical_tilt_deg = 6.0;
        w.request.transmitter.power_kind = RCITY_POWER_CONDUCTED;
        w.request.transmitter.power_dbm = 43.0;
        w.request.transmitter.cable_loss_db = 1.0;
        score_world_predict(&w, methods[k], w.loss_db, w.received_dbm);
        rcity_measurements *measurements = score_world_measure(&w, RCITY_MEASURED_POWER, w.received_dbm, -1.0);
        rcity_score *score = score_world_score(&w, measurements, NULL);
        for (uint64_t i = 0; i < SCORE_POINT_COUNT; i++) {
            if (!isnan(w.received_dbm[i])) {
                double error_db = rcity_score_measured_db(score)[i] - rcity_score_predicted_db(score, 0)[i];
                assert_near(error_db, score_world_error(i), 1e-4);
            }
        }
        assert_false(score_says(rcity_score_warning, score, "no power"));
        rcity_score_figures known = score_figures_at(score, 0, 0);
        rcity_score_destroy(&score);
        rcity_measurements_destroy(&measurements);

        w.request.transmitter.power_dbm = (double)NAN; /* nobody knows: the shape of the errors stays */
        measurements = score_world_measure(&w, RCITY_MEASURED_POWER, w.received_dbm, -1.0);
        score = score_world_score(&w, measurements, NULL);
        assert_true(score_says(rcity_score_warning, score, "'mast' states no power"));
        rcity_score_figures unknown = score_figures_at(score, 0, 0);
        assert_int_equal(unknown.count, known.count);
        assert_near(unknown.standard_deviation_db, known.standard_deviation_db, 1e-4);
        assert_near(unknown.correlation, known.correlation, 1e-5);
        rcity_score_destroy(&score);
        rcity_measurements_destroy(&measurements);
        score_world_close(&w);
    }
    rcity_antenna_destroy(&antenna);
    rcity_context_destroy(&context);
}

/* Two routes, two transmitters: a group each, every measurement held against its own transmitter. */
static void test_routes_and_transmitters(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    score_world w;
    score_world_open(&w, context, "shadow", 9);
    score_world_predict(&w, "shadow", w.loss_db, NULL);
    rcity_measurements *both = score_world_measure(&w, RCITY_MEASURED_LOSS, w.loss_db, 1.0);
    w.request.transmitter.name = "other";
    w.request.transmitter.x_m = 150.0;
    float other_db[SCORE_POINT_COUNT];
    score_world_predict(&w, "shadow", other_db, NULL);
    rcity_measurements *more = score_world_measure(&w, RCITY_MEASURED_LOSS, other_db, -1.0);
    assert_ok(context, rcity_measurements_append(context, &both, more));
    w.request.transmitter.x_m = 0.0; /* the request's own does not count */
    rcity_score *score = score_world_score(&w, both, NULL);
    int mast = score_find_group(score, "mast");
    int other = score_find_group(score, "other");
    assert_true(mast > 0 && other > 0);
    assert_string_equal(score_group_at(score, mast).kind, "transmitter");
    assert_string_equal(score_group_at(score, 1).kind, "route");
    rcity_score_figures first = score_figures_at(score, 0, mast);
    rcity_score_figures second = score_figures_at(score, 0, other);
    assert_int_equal(first.count + second.count, score_figures_at(score, 0, 0).count);
    assert_near(first.mean_db, -second.mean_db, 1e-9);
    assert_near(first.rmse_db, second.rmse_db, 1e-9);
    rcity_score_destroy(&score);
    rcity_measurements_destroy(&more);
    rcity_measurements_destroy(&both);
    score_world_close(&w);
    rcity_context_destroy(&context);
}

static void test_coefficients_are_used_unless_options_override(void **state)
{
    (void)state;
    static const char *const name[] = {"roof-path-db", "line-of-sight-offset-db"};
    static const char *const value[] = {"14", "7.25"};
    rcity_context *context = test_context(1);
    score_world w;
    score_world_open(&w, context, "shadow", 10);
    rcity_coefficients *coefficients = NULL;
    assert_ok(context, rcity_coefficients_create(context, "shadow", "METRO200", &coefficients));
    assert_ok(context, rcity_notes_add(&coefficients->options, name[0], "%s", value[0]));
    assert_ok(context, rcity_notes_add(&coefficients->options, name[1], "1"));
    for (int i = 0; i < 2; i++) {
        rcity_coefficient fitted = {.name = name[i], .unit = "dB", .value = i == 0 ? 14.0 : 1.0, .is_fitted = true};
        assert_ok(context, rcity_coefficients_add(coefficients, &fitted));
    }
    coefficients->baselines = (rcity_baseline_fit){111.0, 12.0, 30.0, 40.0};
    coefficients->summary.frequency_min_hz = coefficients->summary.frequency_max_hz = 947e6;
    w.request.option_count = 2;
    w.request.option_name = name;
    w.request.option_value = value;
    score_world_predict(&w, "shadow", w.loss_db, NULL);
    rcity_measurements *measurements = score_world_measure(&w, RCITY_MEASURED_LOSS, w.loss_db, 1.0);
    w.request.option_count = 1; /* its offset wins over that of the coefficients; the loss of roofs comes from there */
    w.request.option_name = name + 1;
    w.request.option_value = value + 1;
    float plain_db[SCORE_POINT_COUNT];
    score_world_predict(&w, "shadow", plain_db, NULL); /* without the coefficients */
    rcity_score *score = score_world_score(&w, measurements, coefficients);
    assert_int_equal(score_find_model(score, "shadow", ""), 1);
    int constant = score_find_model(score, "constant", "METRO200");
    int offset = score_find_model(score, "free space + offset", "METRO200");
    int line = score_find_model(score, "log-distance", "METRO200");
    int free_space = score_find_model(score, "free space", "");
    assert_true(constant > 0 && offset > 0 && line > 0 && score_find_model(score, "constant", "these points") > 0);
    assert_string_equal(score_model_at(score, 0).fitted_on, "METRO200");
    assert_false(score_model_at(score, 0).is_extrapolated);
    int differing_count = 0;
    for (int i = 0; i < SCORE_POINT_COUNT; i++) {
        rcity_score_point point = score_point_at(score, i);
        if (point.left_out[0] == '\0') {
            assert_near(rcity_score_predicted_db(score, 0)[i], (double)w.loss_db[i], 0.0);
            assert_near(rcity_score_predicted_db(score, 1)[i], (double)plain_db[i], 0.0);
            differing_count += plain_db[i] != w.loss_db[i];
            assert_near(rcity_score_predicted_db(score, constant)[i], 111.0, 0.0);
            assert_near(rcity_score_predicted_db(score, offset)[i],
                        rcity_score_predicted_db(score, free_space)[i] + 12.0, 1e-12);
            assert_near(rcity_score_predicted_db(score, line)[i], 30.0 + 40.0 * log10(point.distance_m), 1e-9);
        }
    }
    assert_true(differing_count > 0);
    rcity_score_destroy(&score);
    coefficients->baselines.log_decade_db = (double)NAN; /* a file may lack it */
    score = score_world_score(&w, measurements, coefficients);
    assert_int_equal(score_find_model(score, "log-distance", "METRO200"), -1);
    assert_true(score_find_model(score, "constant", "METRO200") > 0);
    rcity_score_destroy(&score);
    w.request.method = "hata";
    assert_status(context,
                  rcity_score_create(context, w.scene, w.device, &w.request, coefficients, measurements, &score),
                  RCITY_ERR_ARGUMENT);
    assert_message(context, "of method 'shadow'");
    assert_null(score);
    rcity_measurements_destroy(&measurements);
    rcity_coefficients_destroy(&coefficients);
    score_world_close(&w);
    rcity_context_destroy(&context);
}

/* Each quantity that leaves what the coefficients were fitted on is named, with its values and the span. */
static void test_spans_of_the_fit_are_checked(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    score_world w;
    score_world_open(&w, context, "shadow", 10);
    score_world_predict(&w, "shadow", w.loss_db, NULL);
    rcity_measurements *measurements = score_world_measure(&w, RCITY_MEASURED_LOSS, w.loss_db, 1.0);
    const rcity_transmitter *tx = &w.request.transmitter;
    const double wide[8] = {tx->frequency_hz, tx->frequency_hz, 1.0, 1e5, -90.0, 90.0, tx->height_m, tx->height_m};
    static const struct {
        int bound;
        double factor, added;
        const char *words;
    } cases[] = {
        {-1, 1.0, 0.0, NULL},
        {0, 1.09, 0.0, NULL}, /* a tenth more is the same */
        {0, 1.2, 0.0, "at a frequency of"},
        {1, 0.8, 0.0, "at a frequency of"},
        {3, 1e-4, 0.0, "at a distance of 1 to 10 m"},
        {2, 9e4, 0.0, "(100 % of the receivers lie outside)"},
        {4, 0.0, 80.0, "at an elevation angle of 80 to 90 degrees"},
        {5, 0.0, -80.0, "at an elevation angle of -90 to -80 degrees"},
        {6, 1.2, 0.0, "at a transmitter height of"},
        {7, 0.8, 0.0, "at a transmitter height of"},
        {7, (double)NAN, 0.0, NULL}, /* not known */
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        rcity_coefficients *coefficients = NULL;
        double span[8];
        assert_ok(context, rcity_coefficients_create(context, "shadow", "METRO200", &coefficients));
        memcpy(span, wide, sizeof span);
        if (cases[i].bound >= 0) {
            span[cases[i].bound] = wide[cases[i].bound] * cases[i].factor + cases[i].added;
        }
        rcity_fit_summary *summary = &coefficients->summary;
        memcpy(&summary->frequency_min_hz, span, 4 * sizeof *span); /* four members in a row, twice */
        memcpy(&summary->elevation_min_deg, span + 4, 4 * sizeof *span);
        rcity_score *score = score_world_score(&w, measurements, coefficients);
        assert_true(score_model_at(score, 0).is_extrapolated == (cases[i].words != NULL));
        assert_true(score_says(rcity_score_warning, score, "were fitted at") == (cases[i].words != NULL));
        assert_true(cases[i].words == NULL || score_says(rcity_score_warning, score, cases[i].words));
        assert_true(cases[i].words == NULL || score_says(rcity_score_remark, score, "were not fitted at this"));
        rcity_score_destroy(&score);
        rcity_coefficients_destroy(&coefficients);
    }
    rcity_measurements_destroy(&measurements);
    score_world_close(&w);
    rcity_context_destroy(&context);
}

/* The mechanism of `images` is that of its strongest path. */
static void test_mechanism_is_that_of_strongest_path(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    score_world w;
    score_world_open(&w, context, "images", 15);
    score_world_predict(&w, "images", w.loss_db, NULL);
    rcity_measurements *measurements = score_world_measure(&w, RCITY_MEASURED_LOSS, w.loss_db, 1.0);
    rcity_score *score = score_world_score(&w, measurements, NULL);
    rcity_request request = w.request;
    request.receivers.point_count = SCORE_POINT_COUNT;
    request.receivers.xyh_m = w.xyh_m;
    rcity_rays *rays = NULL;
    assert_ok(context, rcity_rays_find(context, w.scene, NULL, &request, &rays));
    int direct_count = 0;
    int other_count = 0;
    for (int64_t i = 0; i < SCORE_POINT_COUNT; i++) {
        rcity_receiver_summary summary;
        const char *expected = "";
        assert_ok(context, rcity_rays_get_receiver(rays, i, &summary));
        if (summary.path_count > 0) {
            rcity_path path;
            char word[RCITY_PATH_WORD_BYTES];
            assert_ok(context, rcity_rays_get_path(rays, summary.path_first, &path));
            rcity_path_describe(&path, word);
            expected = strcmp(word, "direct") == 0 ? "direct"
                       : strchr(word, 'O') != NULL ? "roof"
                       : strchr(word, 'D') != NULL ? "diffraction"
                                                   : "reflection";
        }
        direct_count += strcmp(expected, "direct") == 0;
        other_count += expected[0] != '\0' && strcmp(expected, "direct") != 0;
        assert_string_equal(score_point_at(score, i).mechanism, expected);
    }
    assert_true(direct_count > 5 && other_count > 5);
    rcity_rays_destroy(&rays);
    rcity_score_destroy(&score);
    rcity_measurements_destroy(&measurements);
    score_world_close(&w);
    rcity_context_destroy(&context);
}

TEST_SUITE(score)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_known_errors),
        cmocka_unit_test(test_baselines_equal_the_methods_they_name),
        cmocka_unit_test(test_received_powers_give_the_known_errors),
        cmocka_unit_test(test_routes_and_transmitters),
        cmocka_unit_test(test_coefficients_are_used_unless_options_override),
        cmocka_unit_test(test_spans_of_the_fit_are_checked),
        cmocka_unit_test(test_mechanism_is_that_of_strongest_path),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

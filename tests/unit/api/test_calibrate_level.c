/* Levels of transmitters in a calibration: fitted, their spread estimated or assumed, left out on request. The truth is a
   law of log-distance and a level drawn for each mast. */
#include "rcity_test.h"

#include "fit_items.h"
#include "result/measurements.h"

#define EACH     150
#define MAST_MAX 41
#define NOISE_DB 5.0

typedef struct world {
    rcity_context *context;
    rcity_scene *scene;
    rcity_device *device;
} world;

/* A plain; the method knows no walls. */
static void open_world(world *w)
{
    rcity_scene_options options = rcity_scene_options_default();
    w->context = test_context(1);
    w->scene = NULL;
    w->device = NULL;
    assert_ok(w->context, rcity_scene_create(w->context, &options, &w->scene));
    test_add_box(w->context, w->scene, 1, (test_box){0, 0, 10, 10, 5});
    test_add_box(w->context, w->scene, 2, (test_box){3990, 3990, 4000, 4000, 5});
    assert_ok(w->context, rcity_scene_commit(w->scene));
    assert_ok(w->context, rcity_device_open(w->context, "host", &w->device));
}

static void close_world(world *w)
{
    test_close(&w->context, &w->scene, &w->device);
}

static double normal(uint64_t seed, uint64_t i)
{
    double a = test_uniform(seed, 2 * i, 1e-12, 1.0), b = test_uniform(seed, 2 * i + 1, 0.0, 6.283185307179586);
    return sqrt(-2.0 * log(a)) * cos(b);
}

/* The losses of masts: the request's own law, levels of `level_db`, and noise. */
static rcity_measurements *measure(const world *w, uint64_t seed, int mast_count, const double *level_db)
{
    static char names[MAST_MAX][16];
    static double xyh_m[3 * EACH];
    static float loss_db[EACH];
    rcity_measurements *made = NULL;
    assert_ok(w->context, rcity_measurements_create(w->context, RCITY_MEASURED_LOSS, &made));
    for (int mast = 0; mast < mast_count; mast++) {
        uint64_t draw = seed * 100 + (uint64_t)mast;
        rcity_request request = rcity_request_default();
        int transmitter = -1, route = -1;
        snprintf(names[mast], sizeof names[mast], "mast%d", mast);
        request.method = "log-distance";
        request.transmitter.name = names[mast];
        request.transmitter.x_m = test_uniform(draw, 0, 500.0, 3500.0);
        request.transmitter.y_m = test_uniform(draw, 1, 500.0, 3500.0);
        request.transmitter.height_m = 30.0;
        request.transmitter.frequency_hz = 1.8e9;
        for (int i = 0; i < EACH; i++) {
            xyh_m[3 * i] = test_uniform(draw, 10 + 2 * (uint64_t)i, 20.0, 3980.0);
            xyh_m[3 * i + 1] = test_uniform(draw, 11 + 2 * (uint64_t)i, 20.0, 3980.0);
            xyh_m[3 * i + 2] = 1.5;
        }
        request.receivers.point_count = EACH;
        request.receivers.xyh_m = xyh_m;
        assert_ok(w->context, rcity_predict_points(w->context, w->scene, w->device, &request, loss_db, NULL));
        assert_ok(w->context, rcity_measurements_add_transmitter(made, &request.transmitter, &transmitter));
        assert_ok(w->context, rcity_measurements_add_route(made, names[mast], &route));
        for (int i = 0; i < EACH; i++) {
            rcity_measurement one = {.x_m = xyh_m[3 * i],
                                     .y_m = xyh_m[3 * i + 1],
                                     .height_m = 1.5,
                                     .value = (double)loss_db[i] + level_db[mast] +
                                              NOISE_DB * normal(draw + 5000000, (uint64_t)i),
                                     .time_s = (double)NAN,
                                     .route = route,
                                     .transmitter = transmitter,
                                     .sample_count = 1,
                                     .row = i + 1};
            assert_ok(w->context, rcity_measurements_add(made, &one));
        }
    }
    assert_ok(w->context, rcity_measurements_arrange(made));
    return made;
}

static rcity_coefficients *calibrate(const world *w, const rcity_measurements *made,
                                     const rcity_calibrate_options *options)
{
    rcity_request request = rcity_request_default();
    rcity_coefficients *found = NULL;
    request.method = "log-distance";
    assert_ok(w->context, rcity_calibrate(w->context, w->scene, w->device, &request, made, options, &found));
    return found;
}

/* Eight masts tell by how much their levels differ, whether more or less than is assumed; each level is found. */
static void test_spread_of_levels_is_estimated(void **state)
{
    (void)state;
    enum { MASTS = 8, SEEDS = 12 };
    static const double spread_db[2] = {1.5, 9.0};
    world w;
    open_world(&w);
    double mean_db[2] = {0.0, 0.0}, expected_db[2] = {0.0, 0.0};
    for (int k = 0; k < 2; k++) {
        for (uint64_t seed = 1; seed <= SEEDS; seed++) {
            double level_db[MASTS], common_db = 0.0;
            for (int i = 0; i < MASTS; i++) {
                level_db[i] = spread_db[k] * normal(90 + seed, (uint64_t)i);
                common_db += level_db[i] / MASTS;
            }
            double squares = 4.0 * 4.0 * 4.0; /* the 4 dB that are assumed weigh like four masts */
            for (int i = 0; i < MASTS; i++) {
                squares += (level_db[i] - common_db) * (level_db[i] - common_db);
            }
            expected_db[k] += sqrt(squares / (4.0 + MASTS - 1.0)) / SEEDS;
            rcity_measurements *made = measure(&w, seed, MASTS, level_db);
            rcity_calibrate_options options = rcity_calibrate_options_default();
            rcity_coefficients *found = calibrate(&w, made, &options);
            rcity_fit_summary summary = rcity_coefficients_summary(found);
            assert_true(summary.is_level_spread_estimated);
            mean_db[k] += summary.level_spread_db / SEEDS;
            /* masts that were left out are predicted without their levels, those that were not with them */
            assert_true(summary.training.rmse_db < 1.15 * NOISE_DB);
            assert_true(k == 0 || summary.crossed.rmse_db > 1.3 * NOISE_DB);
            for (int i = 0; i < MASTS; i++) {
                rcity_coefficient level = coefficient_at(found, 2 + i);
                assert_true(strncmp(level.name, "level mast", 10) == 0);
                assert_true(fabs(level.value - (level_db[i] - common_db)) < (k == 0 ? 3.0 : 5.0));
            }
            rcity_coefficients_destroy(&found);
            rcity_measurements_destroy(&made);
        }
        print_message("levels of %.1f dB are said to differ by %.2f dB (mean of seeds 1 to %d)\n", spread_db[k],
                      mean_db[k], SEEDS);
        assert_near(mean_db[k], expected_db[k], 0.3);
    }
    close_world(&w);
}

/* With one mast the spread is assumed; what was stated is used; 0 gives the level to the coefficients. */
static void test_one_mast_and_stated_spreads(void **state)
{
    (void)state;
    static const double level_db[1] = {12.0};
    static const double stated_db[3] = {(double)NAN, 8.0, 0.0}, used_db[3] = {4.0, 8.0, 0.0};
    world w;
    open_world(&w);
    rcity_measurements *made = measure(&w, 3, 1, level_db);
    double moved_db[3];
    for (int k = 0; k < 3; k++) {
        rcity_calibrate_options options = rcity_calibrate_options_default();
        options.level_spread_db = stated_db[k];
        options.fixed_count = 1;
        options.fixed = (const char *const[]){"exponent"};
        rcity_coefficients *found = calibrate(&w, made, &options);
        rcity_fit_summary summary = rcity_coefficients_summary(found);
        assert_near(summary.level_spread_db, used_db[k], 1e-12);
        assert_false(summary.is_level_spread_estimated);
        assert_int_equal(rcity_coefficients_count(found), k < 2 ? 3 : 2);
        /* pieces of its route are predicted with its own level */
        assert_true(fabs(summary.crossed.mean_db) < 1.0 && summary.crossed.rmse_db < 1.2 * NOISE_DB);
        moved_db[k] = summary.before.mean_db;
        for (int i = 0; i < rcity_coefficients_count(found); i++) {
            rcity_coefficient c = coefficient_at(found, i);
            if (strcmp(c.name, "reference-loss-db") == 0) {
                moved_db[k] = c.value;
            }
        }
        rcity_coefficients_destroy(&found);
    }
    double start_db = moved_db[2] - 12.0; /* the whole level */
    /* of 12 dB the coefficient, known to 15 dB, takes its share of the variance: 225 / (225 + 16), 225 / (225 + 64) */
    assert_near(moved_db[0] - start_db, 12.0 * 225.0 / 241.0, 0.6);
    assert_near(moved_db[1] - start_db, 12.0 * 225.0 / 289.0, 0.6);
    rcity_measurements_destroy(&made);
    close_world(&w);
}

/* So many masts that their levels average out are fitted without; a spread that makes no sense is refused. */
static void test_many_masts_and_refusals(void **state)
{
    (void)state;
    static const double level_db[MAST_MAX] = {0.0};
    world w;
    open_world(&w);
    rcity_measurements *made = measure(&w, 4, MAST_MAX, level_db);
    rcity_calibrate_options options = rcity_calibrate_options_default();
    options.block_count = 0;
    rcity_coefficients *found = calibrate(&w, made, &options);
    assert_int_equal(rcity_coefficients_count(found), 2);
    assert_true(rcity_coefficients_summary(found).level_spread_db == 0.0);
    rcity_coefficients_destroy(&found);
    rcity_request request = rcity_request_default();
    request.method = "log-distance";
    options.level_spread_db = -1.0;
    assert_int_equal(rcity_calibrate(w.context, w.scene, w.device, &request, made, &options, &found),
                     RCITY_ERR_ARGUMENT);
    options = rcity_calibrate_options_default();
    options.fixed_count = 2;
    options.fixed = (const char *const[]){"exponent", "reference-loss-db"};
    assert_int_equal(rcity_calibrate(w.context, w.scene, w.device, &request, made, &options, &found),
                     RCITY_ERR_ARGUMENT); /* a level alone is no calibration */
    rcity_measurements_destroy(&made);
    close_world(&w);
}

TEST_SUITE(calibrate_level)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_spread_of_levels_is_estimated),
        cmocka_unit_test(test_one_mast_and_stated_spreads),
        cmocka_unit_test(test_many_masts_and_refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

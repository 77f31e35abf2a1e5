/* Calibration of log-distance against a synthetic truth: exponent and reference loss are found back, from losses and
   from powers; remarks of the method are heard once, however often a transmitter is moved. */
#include "heard_log.h"
#include "rcity_test.h"

#include "fit_items.h"
#include "result/measurements.h"

#define POINT_COUNT   400
#define SEED_COUNT    20
#define NOISE_DB      6.0
#define OUTLIER_SHARE 0.05

typedef struct world {
    rcity_context *context;
    rcity_scene *scene;
    rcity_device *device;
    rcity_antenna *antenna;
    heard_log heard;
} world;

/* A plain with land cover over half of it; no walls, as the method knows none. */
static void open_world(world *w)
{
    w->context = heard_log_context(&w->heard);
    rcity_scene_options options = rcity_scene_options_default();
    w->scene = NULL;
    w->device = NULL;
    w->antenna = NULL;
    assert_ok(w->context, rcity_scene_create(w->context, &options, &w->scene));
    test_add_box(w->context, w->scene, 1, (test_box){0, 0, 10, 10, 5});
    test_add_box(w->context, w->scene, 2, (test_box){3990, 3990, 4000, 4000, 5});
    const uint8_t code[] = {1, 2, 2, 1};
    const rcity_land_class classes[] = {{1, "field", 0.0, 0.0}, {2, "forest", 15.0, 9.0}};
    const rcity_land_cover cover = {2, 2, 0.0, 0.0, 1000.0, code, 2, classes};
    assert_ok(w->context, rcity_scene_set_land_cover(w->scene, &cover));
    assert_ok(w->context, rcity_scene_commit(w->scene));
    assert_ok(w->context, rcity_device_open(w->context, "host", &w->device));
    assert_ok(w->context, rcity_antenna_create(w->context, "3gpp", &w->antenna));
}

static void close_world(world *w)
{
    rcity_antenna_destroy(&w->antenna);
    test_close(&w->context, &w->scene, &w->device);
}

static double normal(uint64_t seed, uint64_t i)
{
    double a = test_uniform(seed, 2 * i, 1e-12, 1.0), b = test_uniform(seed, 2 * i + 1, 0.0, 6.283185307179586);
    return sqrt(-2.0 * log(a)) * cos(b);
}

static rcity_request ask(const char *const *names, const char *const *values, int count)
{
    rcity_request request = rcity_request_default();
    request.method = "log-distance";
    request.option_count = count;
    request.option_name = names;
    request.option_value = values;
    return request;
}

/* What a drive would have measured with a truth, receivers far from each other so that errors are independent. */
static rcity_measurements *measure(const world *w, uint64_t seed, bool measures_power, const char *exponent,
                                   const char *loss)
{
    static const char *const names[] = {"exponent", "reference-loss-db", "land-cover"};
    const char *values[] = {exponent, loss, "add"};
    rcity_request request = ask(names, values, 3);
    static double xyh_m[3 * POINT_COUNT];
    static float loss_db[POINT_COUNT], received_dbm[POINT_COUNT];
    for (int i = 0; i < POINT_COUNT; i++) {
        xyh_m[3 * i] = test_uniform(seed, 2 * (uint64_t)i, 20.0, 3980.0);
        xyh_m[3 * i + 1] = test_uniform(seed, 2 * (uint64_t)i + 1, 20.0, 3980.0);
        xyh_m[3 * i + 2] = 1.5;
    }
    request.transmitter.name = "mast";
    request.transmitter.x_m = 1800.0;
    request.transmitter.y_m = 2100.0;
    request.transmitter.height_m = 30.0;
    request.transmitter.frequency_hz = 1.8e9;
    request.transmitter.power_dbm = 46.0;
    request.transmitter.antenna = measures_power ? w->antenna : NULL;
    request.transmitter.azimuth_deg = 30.0;
    request.receivers.point_count = POINT_COUNT;
    request.receivers.xyh_m = xyh_m;
    assert_ok(w->context, rcity_predict_points(w->context, w->scene, w->device, &request, loss_db, received_dbm));
    rcity_measurements *made = NULL;
    rcity_measured_kind kind = measures_power ? RCITY_MEASURED_POWER : RCITY_MEASURED_LOSS;
    int transmitter = -1, route = -1;
    assert_ok(w->context, rcity_measurements_create(w->context, kind, &made));
    assert_ok(w->context, rcity_measurements_add_transmitter(made, &request.transmitter, &transmitter));
    assert_ok(w->context, rcity_measurements_add_route(made, "drive", &route));
    for (int i = 0; i < POINT_COUNT; i++) {
        double error_db = NOISE_DB * normal(seed + 1000, (uint64_t)i);
        if (test_uniform(seed + 2000, (uint64_t)i, 0.0, 1.0) < OUTLIER_SHARE) {
            error_db = test_uniform(seed + 3000, (uint64_t)i, 20.0, 45.0);
        }
        rcity_measurement one = {.x_m = xyh_m[3 * i],
                                 .y_m = xyh_m[3 * i + 1],
                                 .height_m = 1.5,
                                 .value = measures_power ? (double)received_dbm[i] - error_db
                                                         : (double)loss_db[i] + error_db,
                                 .time_s = (double)NAN,
                                 .route = route,
                                 .transmitter = transmitter,
                                 .sample_count = 1,
                                 .row = i + 1};
        assert_ok(w->context, rcity_measurements_add(made, &one));
    }
    assert_ok(w->context, rcity_measurements_arrange(made));
    return made;
}

/* True coefficients lie within their bounds as often as these say. */
static void test_true_coefficients_lie_within_their_bounds(void **state)
{
    (void)state;
    world w;
    open_world(&w);
    int inside = 0;
    double widest[2] = {0.0, 0.0};
    for (uint64_t seed = 1; seed <= SEED_COUNT; seed++) {
        char texts[2][32];
        /* free space takes 77.5 dB to the reference distance of 100 m, and no city gives */
        double truth[2] = {test_uniform(77, 2 * seed, 2.2, 5.0), test_uniform(77, 2 * seed + 1, 77.5, 100.0)};
        snprintf(texts[0], sizeof texts[0], "%.9g", truth[0]);
        snprintf(texts[1], sizeof texts[1], "%.9g", truth[1]);
        rcity_measurements *made = measure(&w, seed, seed % 2 == 0, texts[0], texts[1]);
        static const char *const names[] = {"land-cover"};
        static const char *const values[] = {"add"};
        rcity_request request = ask(names, values, 1);
        rcity_calibrate_options options = rcity_calibrate_options_default();
        options.block_count = seed == 1 ? 5 : 0;
        options.level_spread_db = 0.0; /* the truth is that of this one mast */
        rcity_coefficients *found = NULL;
        assert_ok(w.context, rcity_calibrate(w.context, w.scene, w.device, &request, made, &options, &found));
        static const char *const coefficients[2] = {"exponent", "reference-loss-db"};
        for (int k = 0; k < 2; k++) {
            rcity_coefficient c = coefficient_at(found, k);
            bool is_inside = truth[k] >= c.low && truth[k] <= c.high;
            assert_string_equal(c.name, coefficients[k]);
            assert_true(c.is_fitted && c.is_known && !c.is_at_bound && c.low <= c.value && c.value <= c.high);
            widest[k] = fmax(widest[k], c.high - c.low);
            inside += is_inside;
            if (!is_inside) {
                print_message("seed %d: %s is %.3f, found %.3f (%.3f to %.3f)\n", (int)seed, c.name, truth[k], c.value,
                              c.low, c.high);
            }
        }
        rcity_fit_summary summary = rcity_coefficients_summary(found);
        assert_int_equal(summary.training.count, POINT_COUNT);
        assert_true(summary.training.median_absolute_db < 6.0); /* of 6 dB's errors it is 4 */
        rcity_coefficients_destroy(&found);
        rcity_measurements_destroy(&made);
    }
    print_message(
        "%d seeds: %d of %d true coefficients within their bounds; exponents to %.2f, losses to %.1f dB wide\n",
        SEED_COUNT, inside, 2 * SEED_COUNT, widest[0], widest[1]);
    assert_true(inside * 100 >= 2 * SEED_COUNT * 90);
    assert_true(widest[0] < 1.5 && widest[1] < 16.0); /* not by being wide */
    close_world(&w);
}

/* Half of the receivers lie beyond the land cover: said once, though every place that is tried asks the method
   again. */
static void test_warning_of_moved_transmitter_comes_once(void **state)
{
    (void)state;
    world w;
    open_world(&w);
    rcity_measurements *made = measure(&w, 5, false, "3.2", "80");
    static const char *const names[] = {"land-cover"};
    static const char *const values[] = {"add"};
    rcity_request request = ask(names, values, 1);
    rcity_calibrate_options options = rcity_calibrate_options_default();
    options.block_count = 0;
    options.position_max_m = 50.0;
    rcity_coefficients *found = NULL;
    w.heard.count = 0;
    assert_ok(w.context, rcity_calibrate(w.context, w.scene, w.device, &request, made, &options, &found));
    assert_non_null(strstr(w.heard.text, "beyond the land cover"));
    assert_int_equal(w.heard.count, 1);
    rcity_coefficients_destroy(&found);
    rcity_measurements_destroy(&made);
    close_world(&w);
}

/* A method without coefficients is told which have some. */
static void test_method_without_coefficients_is_refused(void **state)
{
    (void)state;
    world w;
    open_world(&w);
    rcity_measurements *made = measure(&w, 5, false, "3.2", "80");
    rcity_request request = ask(NULL, NULL, 0);
    request.method = "hata";
    rcity_calibrate_options options = rcity_calibrate_options_default();
    rcity_coefficients *found = NULL;
    assert_status(w.context, rcity_calibrate(w.context, w.scene, w.device, &request, made, &options, &found),
                  RCITY_ERR_UNSUPPORTED);
    assert_message(w.context, "'hata' has no coefficients");
    assert_message(w.context, "log-distance, shadow");
    assert_null(found);
    rcity_measurements_destroy(&made);
    close_world(&w);
}

TEST_SUITE(calibrate_log_distance)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_true_coefficients_lie_within_their_bounds),
        cmocka_unit_test(test_warning_of_moved_transmitter_comes_once),
        cmocka_unit_test(test_method_without_coefficients_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

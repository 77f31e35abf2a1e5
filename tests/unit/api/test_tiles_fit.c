/* What a calibration reads of the method `tiles`: losses as predictions have them, slopes as differences say. */
#include "rcity_test.h"

#include "api/predictor.h"
#include "method/method_fit.h"

#define POINT_COUNT 120
#define TRIAL_COUNT 5
#define COUNT       8 /* coefficients: five classes, then the surroundings */
#define CLASSES     5
#define DIFFUSE     5
#define ROOF_M      6
#define DOUBT       7

static const uint64_t seed = 20261118;

typedef struct world {
    rcity_context *context;
    rcity_scene *scene;
    rcity_device *device;
    rcity_antenna *antenna;
    const rcity_method *method;
    double xyh_m[3 * POINT_COUNT];
    char texts[COUNT][32];
    const char *names[COUNT + 6], *values[COUNT + 6];
} world;

static void open_world(world *w)
{
    memset(w, 0, sizeof *w);
    w->context = test_context(2);
    rcity_city_options options = rcity_city_options_default();
    options.seed = 5;
    options.area_km2 = 0.1;
    assert_ok(w->context, rcity_city_make(w->context, &options, &w->scene));
    assert_ok(w->context, rcity_device_open(w->context, "host", &w->device));
    assert_ok(w->context, rcity_antenna_create(w->context, "3gpp", &w->antenna));
    assert_ok(w->context, rcity_method_find(w->context, "tiles", &w->method));
    assert_int_equal(w->method->fit->coefficient_count, COUNT);
    for (int i = 0; i < POINT_COUNT; i++) {
        w->xyh_m[3 * i] = test_uniform(seed, (uint64_t)(3 * i), -30.0, 330.0);
        w->xyh_m[3 * i + 1] = test_uniform(seed, (uint64_t)(3 * i + 1), -30.0, 330.0);
        w->xyh_m[3 * i + 2] = test_uniform(seed, (uint64_t)(3 * i + 2), 0.5, 8.0);
    }
}

static void close_world(world *w)
{
    rcity_antenna_destroy(&w->antenna);
    test_close(&w->context, &w->scene, &w->device);
}

static void add_word(world *w, rcity_request *request, const char *name, const char *value)
{
    w->names[request->option_count] = name;
    w->values[request->option_count++] = value;
}

static rcity_request ask(world *w, uint64_t trial)
{
    rcity_request request = rcity_request_default();
    rcity_transmitter *tx = &request.transmitter;
    request.method = "tiles";
    request.receivers.point_count = POINT_COUNT;
    request.receivers.xyh_m = w->xyh_m;
    request.receivers.gain_dbi = 2.0;
    request.option_name = w->names;
    request.option_value = w->values;
    tx->x_m = tx->y_m = 150.0;
    tx->height_m = trial % 2 == 0 ? 45.0 : 25.0;
    tx->is_absolute = true;
    tx->frequency_hz = 2.1e9;
    tx->power_dbm = 40.0;
    tx->antenna = trial % 2 == 0 ? w->antenna : NULL;
    tx->azimuth_deg = 30.0;
    add_word(w, &request, "max-bounces", "2");
    add_word(w, &request, "tile-area-m2", "200");
    return request;
}

/* Within bounds, as options too. */
static void draw_coefficients(world *w, uint64_t trial, rcity_request *request, double *coefficients)
{
    for (int k = 0; k < COUNT; k++) {
        const rcity_method_coefficient *info = &w->method->fit->coefficients[k];
        const rcity_method_option *option = &w->method->options[info->option];
        assert_true(info->low >= option->minimum && info->high <= option->maximum && info->spread > 0.0);
        coefficients[k] = (double)(float)test_uniform(seed, 5000 + 100 * trial + (uint64_t)k, fmax(info->low, -10.0),
                                                      fmin(info->high, k == ROOF_M ? 100.0 : 15.0));
        snprintf(w->texts[k], sizeof w->texts[k], "%.9g", coefficients[k]);
        add_word(w, request, option->name, w->texts[k]);
    }
}

typedef struct tally {
    long compared, absent, mechanism_count[RCITY_MECHANISM_COUNT];
    double worst_db, worst_slope;
} tally;

static void compare_slopes(const world *w, const void *listed, const double *coefficients, tally *to)
{
    static double loss_db[POINT_COUNT], moved_db[2][POINT_COUNT], slopes[POINT_COUNT * COUNT];
    const rcity_method_fit *fit = w->method->fit;
    fit->weigh(listed, coefficients, false, loss_db, slopes, NULL);
    for (int k = 0; k < COUNT; k++) {
        const double step = 1e-4;
        for (int side = 0; side < 2; side++) {
            double moved[COUNT];
            memcpy(moved, coefficients, sizeof moved);
            moved[k] += side == 0 ? -step : step;
            fit->weigh(listed, moved, false, moved_db[side], NULL, NULL);
        }
        for (int i = 0; i < POINT_COUNT; i++) {
            double slope = slopes[i * COUNT + k];
            if (!isnan(loss_db[i])) {
                double difference = (moved_db[1][i] - moved_db[0][i]) / (2.0 * step);
                to->worst_slope = fmax(to->worst_slope, fabs(slope - difference) / (1.0 + fabs(slope)));
                to->compared++;
            }
        }
    }
}

/* Losses and powers of what was listed are those of a prediction with the same numbers as options. */
static void compare_levels(const world *w, const void *listed, const double *coefficients, const float *loss_db,
                           const float *received_dbm, tally *to)
{
    static double found_db[2][POINT_COUNT];
    static int8_t mechanisms[POINT_COUNT];
    const rcity_method_fit *fit = w->method->fit;
    fit->weigh(listed, coefficients, false, found_db[0], NULL, mechanisms);
    fit->weigh(listed, coefficients, true, found_db[1], NULL, NULL);
    for (int i = 0; i < POINT_COUNT; i++) {
        assert_int_equal(isnan(found_db[0][i]), isnan(loss_db[i]));
        assert_int_equal(isnan(found_db[1][i]), isnan(received_dbm[i]));
        assert_int_equal(mechanisms[i] < 0, isnan(loss_db[i]));
        if (isnan(loss_db[i])) {
            to->absent++;
            continue;
        }
        to->mechanism_count[mechanisms[i]]++;
        to->worst_db = fmax(to->worst_db, fabs(found_db[0][i] - (double)loss_db[i]));
        double level_dbm = (double)received_dbm[i] + found_db[1][i]; /* the same everywhere: into the antenna */
        to->worst_db = fmax(to->worst_db, fabs(level_dbm - (double)received_dbm[0] - found_db[1][0]));
    }
}

static void test_losses_and_slopes_agree(void **state)
{
    (void)state;
    world w;
    tally found = {0};
    open_world(&w);
    for (uint64_t trial = 0; trial < TRIAL_COUNT; trial++) {
        static float loss_db[POINT_COUNT], received_dbm[POINT_COUNT];
        double coefficients[COUNT], start[COUNT];
        rcity_request request = ask(&w, trial);
        rcity_predictor *predictor = NULL;
        void *listed = NULL;
        draw_coefficients(&w, trial, &request, coefficients);
        bool is_on = trial != 3;
        add_word(&w, &request, "surroundings", is_on ? "on" : "off");
        assert_ok(w.context, rcity_predict_points(w.context, w.scene, w.device, &request, loss_db, received_dbm));
        assert_ok(w.context, rcity_predictor_open_once(w.context, w.scene, w.device, &request, &predictor));
        rcity_method_start made = {start, 0};
        assert_ok(w.context, rcity_predictor_start_fit(predictor, w.context, RCITY_PREDICTOR_ONLY, &made));
        uint64_t without = is_on ? 0 : UINT64_C(1) << DIFFUSE | UINT64_C(1) << DOUBT;
        assert_int_equal(made.on_request, without | UINT64_C(1) << ROOF_M);
        for (int k = 0; k < COUNT; k++) {
            assert_near(start[k], coefficients[k], 1e-6);
        }
        assert_ok(w.context, rcity_predictor_list_fit(predictor, w.context, RCITY_PREDICTOR_ONLY, &listed));
        compare_levels(&w, listed, coefficients, loss_db, received_dbm, &found);
        compare_slopes(&w, listed, coefficients, &found);
        w.method->fit->release(w.context, listed);
        rcity_predictor_close(&predictor);
    }
    print_message(
        "seed %llu: losses and powers within %.6f dB, slopes within %.7f; %ld slopes, %ld points absent; direct "
        "%ld, reflection %ld, diffraction %ld, diffuse %ld\n",
        (unsigned long long)seed, found.worst_db, found.worst_slope, found.compared, found.absent,
        found.mechanism_count[RCITY_MECHANISM_DIRECT], found.mechanism_count[RCITY_MECHANISM_REFLECTION],
        found.mechanism_count[RCITY_MECHANISM_DIFFRACTION], found.mechanism_count[RCITY_MECHANISM_DIFFUSE]);
    assert_true(found.worst_db < 1e-3 && found.worst_slope < 1e-5);
    assert_true(found.compared > 1000 && found.absent > 50);
    assert_true(found.mechanism_count[RCITY_MECHANISM_DIRECT] > 2 &&
                found.mechanism_count[RCITY_MECHANISM_REFLECTION] > 10 &&
                found.mechanism_count[RCITY_MECHANISM_DIFFUSE] > 5);
    close_world(&w);
}

/* Fields added with their phases have no weights of classes. */
static void test_coherent_sums_are_refused(void **state)
{
    (void)state;
    world w;
    double start[COUNT];
    rcity_method_start made = {start, 0};
    rcity_predictor *predictor = NULL;
    open_world(&w);
    rcity_request request = ask(&w, 0);
    add_word(&w, &request, "sum", "coherent");
    assert_ok(w.context, rcity_predictor_open_once(w.context, w.scene, w.device, &request, &predictor));
    assert_status(w.context, rcity_predictor_start_fit(predictor, w.context, RCITY_PREDICTOR_ONLY, &made),
                  RCITY_ERR_ARGUMENT);
    assert_message(w.context, "`sum` is coherent");
    rcity_predictor_close(&predictor);
    close_world(&w);
}

static void test_listing_survives_failed_allocations(void **state)
{
    (void)state;
    for (long fail_at = 1;; fail_at++) {
        failing_allocator failing = {0, 0, 0};
        rcity_context *context = test_context_failing(&failing, 1);
        const test_box boxes[] = {{20.0, 20.0, 40.0, 40.0, 10.0}};
        rcity_scene *scene = test_scene(context, boxes, 1);
        rcity_device *device = NULL;
        assert_ok(context, rcity_device_open(context, "host", &device));
        const double xyh_m[] = {10.0, 10.0, 1.5, 30.0, 30.0, 1.5, 30.0, 45.0, 1.5};
        rcity_request request = rcity_request_default();
        request.method = "tiles";
        request.transmitter.x_m = 50.0;
        request.transmitter.y_m = 5.0;
        request.transmitter.frequency_hz = 1e9;
        request.receivers.point_count = 3;
        request.receivers.xyh_m = xyh_m;
        rcity_predictor *predictor = NULL;
        assert_ok(context, rcity_predictor_open_once(context, scene, device, &request, &predictor));
        failing.fail_at = failing.call_count + fail_at;
        void *listed = NULL;
        const rcity_method_fit *fit = predictor->job.method->fit;
        rcity_status status = rcity_predictor_list_fit(predictor, context, RCITY_PREDICTOR_ONLY, &listed);
        failing.fail_at = 0;
        assert_true(status == RCITY_OK ? listed != NULL : status == RCITY_ERR_MEMORY && listed == NULL);
        fit->release(context, listed);
        rcity_predictor_close(&predictor);
        test_close(&context, &scene, &device);
        assert_int_equal(failing.live_count, 0);
        if (status == RCITY_OK) {
            assert_true(fail_at > 15);
            break;
        }
    }
}

TEST_SUITE(tiles_fit)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_losses_and_slopes_agree),
        cmocka_unit_test(test_coherent_sums_are_refused),
        cmocka_unit_test(test_listing_survives_failed_allocations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* What a calibration reads of the method `shadow`: losses as predictions have them, slopes as differences say. */
#include "rcity_test.h"

#include "api/predictor.h"
#include "method/method_fit.h"

#define POINT_COUNT 200
#define TRIAL_COUNT 6

static uint64_t seed = 20261116;

typedef struct world {
    rcity_context *context;
    rcity_scene *scene;
    rcity_device *device;
    rcity_antenna *antenna;
    double xyh_m[3 * POINT_COUNT];
    char values[40][32];
    const char *value[40], *name[40];
} world;

static void open_world(world *w, rcity_city_kind kind, int thread_count)
{
    memset(w, 0, sizeof *w);
    w->context = test_context(thread_count);
    rcity_city_options options = rcity_city_options_default();
    options.kind = kind;
    options.seed = 5;
    options.area_km2 = 0.3;
    assert_ok(w->context, rcity_city_make(w->context, &options, &w->scene));
    assert_ok(w->context, rcity_device_open(w->context, "host", &w->device));
    for (int i = 0; i < POINT_COUNT; i++) {
        w->xyh_m[3 * i] = test_uniform(seed, (uint64_t)(3 * i), 0.0, 540.0);
        w->xyh_m[3 * i + 1] = test_uniform(seed, (uint64_t)(3 * i + 1), 0.0, 540.0);
        w->xyh_m[3 * i + 2] = test_uniform(seed, (uint64_t)(3 * i + 2), 0.5, 12.0);
    }
}

static void close_world(world *w)
{
    test_close(&w->context, &w->scene, &w->device);
}

static rcity_request ask(world *w, uint64_t trial)
{
    rcity_request request = rcity_request_default();
    rcity_transmitter *tx = &request.transmitter;
    tx->x_m = tx->y_m = 270.0;
    tx->height_m = 60.0;
    tx->is_absolute = true;
    tx->height_m = trial % 2 == 0 ? 90.0 : 140.0;
    tx->frequency_hz = 2.1e9;
    tx->power_dbm = 40.0;
    tx->azimuth_deg = 0.0;
    request.receivers.point_count = POINT_COUNT;
    request.receivers.xyh_m = w->xyh_m;
    request.option_name = w->name;
    request.option_value = w->value;
    return request;
}

static void set_option(world *w, rcity_request *request, const char *name, double value)
{
    int i = request->option_count++;
    snprintf(w->values[i], sizeof w->values[i], "%.9g", value);
    w->name[i] = name;
    w->value[i] = w->values[i];
}

/* Coefficients within their bounds and constraints, as options too. */
static void draw_coefficients(world *w, const rcity_method *method, uint64_t trial, rcity_request *request,
                              double *coefficients)
{
    const rcity_method_fit *fit = method->fit;
    for (int k = 0; k < fit->coefficient_count; k++) {
        const rcity_method_coefficient *info = &fit->coefficients[k];
        const rcity_method_option *option = &method->options[info->option];
        assert_true(info->low >= option->minimum && info->high <= option->maximum && info->spread > 0.0);
        double part = test_uniform(seed, 5000 + 100 * trial + (uint64_t)k, 0.0, 1.0);
        double low = fmax(info->low, -10.0);
        double high = fmin(info->high, 10.0 * info->spread > 15.0 ? 15.0 : 10.0 * info->spread);
        coefficients[k] = (double)(float)(low + part * (high - low));
        set_option(w, request, option->name, coefficients[k]);
    }
}

/* Losses, mechanisms and slopes of one city, with the strongest path and with powers added. */
static void check_city(rcity_city_kind kind)
{
    world w;
    open_world(&w, kind, 2);
    rcity_context *context = w.context;
    long compared = 0;
    long kinks = 0;
    long mechanism_count[RCITY_MECHANISM_COUNT] = {0};
    double worst_db = 0.0;
    double worst_slope = 0.0;
    for (uint64_t trial = 0; trial < TRIAL_COUNT; trial++) {
        rcity_request request = ask(&w, trial);
        rcity_predictor *predictor = NULL;
        const rcity_method *method = NULL;
        assert_ok(context, rcity_method_find(context, "shadow", &method));
        const rcity_method_fit *fit = method->fit;
        int count = fit->coefficient_count;
        double coefficients[64], start[64];
        draw_coefficients(&w, method, trial, &request, coefficients);
        bool adds_powers = trial % 3 == 2;
        w.name[request.option_count] = "sum";
        w.value[request.option_count++] = adds_powers ? "power" : "strongest";
        bool has_edges = trial % 2 == 0;
        w.name[request.option_count] = "law";
        w.value[request.option_count++] = has_edges ? "edges" : "paper";
        float loss_db[POINT_COUNT], received_dbm[POINT_COUNT];
        assert_ok(context, rcity_predict_points(context, w.scene, w.device, &request, loss_db, received_dbm));
        assert_ok(context, rcity_predictor_open_once(context, w.scene, w.device, &request, &predictor));
        void *listed = NULL;
        rcity_method_start made = {start, 0};
        assert_ok(context, rcity_predictor_start_fit(predictor, context, RCITY_PREDICTOR_ONLY, &made));
        for (int k = 0; k < count; k++) { /* terms of angles with one law, those of the surroundings with the other */
            const char *name = method->options[fit->coefficients[k].option].name;
            bool is_term = strstr(name, "-per-rad") != NULL || strstr(name, "-per-decade") != NULL ||
                           strcmp(name, "corner-db") == 0 || strcmp(name, "roof-edge-db") == 0;
            bool is_mean = strncmp(name, "diffuse", 7) == 0 || strcmp(name, "map-doubt") == 0;
            bool is_clutter = strncmp(name, "clutter", 7) == 0 || strcmp(name, "diffuse-roof-m") == 0;
            assert_int_equal(made.on_request >> k & 1, is_clutter || (has_edges ? is_term : is_mean));
        }
        assert_ok(context, rcity_predictor_list_fit(predictor, context, RCITY_PREDICTOR_ONLY, &listed));
        static double found_db[POINT_COUNT], moved_db[2][POINT_COUNT], slopes[POINT_COUNT * 64];
        static int8_t mechanisms[POINT_COUNT], moved_to[2][POINT_COUNT];
        fit->weigh(listed, coefficients, true, found_db, NULL, NULL);
        for (int i = 0; i < POINT_COUNT; i++) {
            assert_int_equal(isnan(found_db[i]), isnan(received_dbm[i]));
            worst_db =
                isnan(found_db[i]) ? worst_db : fmax(worst_db, fabs(40.0 - found_db[i] - (double)received_dbm[i]));
        }
        fit->weigh(listed, coefficients, false, found_db, slopes, mechanisms);
        for (int k = 0; k < count; k++) {
            assert_near(start[k], coefficients[k], 1e-6);
            const double step = 1e-4;
            for (int side = 0; side < 2; side++) {
                double moved[64];
                memcpy(moved, coefficients, sizeof moved);
                moved[k] += side == 0 ? -step : step;
                fit->weigh(listed, moved, false, moved_db[side], NULL, moved_to[side]);
            }
            for (int i = 0; i < POINT_COUNT; i++) {
                if (isnan(found_db[i])) {
                    continue;
                }
                double left = (found_db[i] - moved_db[0][i]) / step;
                double right = (moved_db[1][i] - found_db[i]) / step;
                double slope = slopes[i * count + k];
                if (fabs(left - right) > 0.01 * (1.0 + fabs(left))) {
                    kinks++; /* another path, or a law cut off at 0 */
                } else {
                    worst_slope = fmax(worst_slope, fabs(slope - 0.5 * (left + right)) / (1.0 + fabs(slope)));
                    compared++;
                }
            }
        }
        for (int i = 0; i < POINT_COUNT; i++) {
            assert_int_equal(isnan(found_db[i]), isnan(loss_db[i]));
            worst_db = isnan(found_db[i]) ? worst_db : fmax(worst_db, fabs(found_db[i] - (double)loss_db[i]));
            assert_int_equal(isnan(found_db[i]), mechanisms[i] < 0);
            mechanism_count[mechanisms[i] < 0 ? 0 : mechanisms[i]] += mechanisms[i] >= 0;
        }
        fit->release(context, listed);
        rcity_predictor_close(&predictor);
    }
    print_message("fit row, seed %llu: losses within %.6f dB, slopes within %.6f; %ld compared, %ld kinks; direct %ld, "
                  "walls %ld, corners %ld, roof %ld, diffuse %ld\n",
                  (unsigned long long)seed, worst_db, worst_slope, compared, kinks, mechanism_count[0],
                  mechanism_count[1], mechanism_count[2], mechanism_count[3], mechanism_count[RCITY_MECHANISM_DIFFUSE]);
    assert_true(worst_db < 1e-3);
    assert_true(worst_slope < 1e-3);
    assert_true(compared > 100 * kinks);
    for (int i = 0; i < 4; i++) {
        assert_true(mechanism_count[i] > 5);
    }
    assert_true(mechanism_count[RCITY_MECHANISM_DIFFUSE] > 5);
    close_world(&w);
}

static void test_losses_and_slopes_agree_in_core_city(void **state)
{
    (void)state;
    check_city(RCITY_CITY_CORE);
}

static void test_losses_and_slopes_agree_in_highrise_city(void **state)
{
    (void)state;
    check_city(RCITY_CITY_HIGHRISE);
}

static void test_listing_survives_failed_allocations(void **state)
{
    (void)state;
    for (long fail_at = 1;; fail_at++) {
        failing_allocator failing = {0, 0, 0};
        rcity_context *context = test_context_failing(&failing, 1);
        const test_box boxes[] = {{20.0, 20.0, 40.0, 40.0, 10.0}, {60.0, 20.0, 80.0, 50.0, 15.0}};
        rcity_scene *scene = test_scene(context, boxes, 2);
        rcity_device *device = NULL;
        assert_ok(context, rcity_device_open(context, "host", &device));
        const double xyh_m[] = {10.0, 10.0, 1.5, 50.0, 30.0, 1.5, 30.0, 45.0, 1.5};
        rcity_request request = rcity_request_default();
        request.transmitter.x_m = 50.0;
        request.transmitter.y_m = 5.0;
        request.transmitter.height_m = 5.0;
        request.transmitter.frequency_hz = 1e9;
        request.receivers.point_count = 3;
        request.receivers.xyh_m = xyh_m;
        rcity_predictor *predictor = NULL;
        assert_ok(context, rcity_predictor_open_once(context, scene, device, &request, &predictor));
        failing.fail_at = failing.call_count + fail_at;
        void *listed = NULL;
        rcity_status status = rcity_predictor_list_fit(predictor, context, RCITY_PREDICTOR_ONLY, &listed);
        failing.fail_at = 0;
        assert_true(status == RCITY_OK || status == RCITY_ERR_MEMORY);
        predictor->job.method->fit->release(context, listed);
        rcity_predictor_close(&predictor);
        test_close(&context, &scene, &device);
        assert_int_equal(failing.live_count, 0);
        if (status == RCITY_OK) {
            assert_true(fail_at > 10);
            break;
        }
    }
}

TEST_SUITE(shadow_fit)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_losses_and_slopes_agree_in_core_city),
        cmocka_unit_test(test_losses_and_slopes_agree_in_highrise_city),
        cmocka_unit_test(test_listing_survives_failed_allocations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

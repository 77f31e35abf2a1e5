/* What a calibration reads of the method `log-distance`: losses as predictions have them, slopes as differences say. */
#include "rcity_test.h"

#include "api/predictor.h"
#include "method/method_fit.h"

#define POINT_COUNT 600
#define TRIAL_COUNT 24
#define EXPONENT    0 /* coefficients in the order of the row */
#define LOSS        1
#define COUNT       2

static const uint64_t seed = 20261117;

typedef struct world {
    rcity_context *context;
    rcity_scene *scene;
    rcity_device *device;
    rcity_antenna *antenna;
    const rcity_method_fit *fit;
    double xyh_m[3 * POINT_COUNT];
    char texts[4][32];
    const char *names[4], *values[4];
} world;

/* Hills, some houses, land cover over a part; receivers also in the houses, off the terrain and at the antenna. */
static void open_world(world *w)
{
    memset(w, 0, sizeof *w);
    w->context = test_context(2);
    rcity_scene_options options = rcity_scene_options_default();
    assert_ok(w->context, rcity_scene_create(w->context, &options, &w->scene));
    for (int i = 0; i < 16; i++) {
        double x = 100.0 + 200.0 * (i % 4), y = 100.0 + 200.0 * (double)(i / 4);
        test_add_box(w->context, w->scene, i + 1, (test_box){x, y, x + 80.0, y + 60.0, 12.0});
    }
    float height_m[36];
    for (int i = 0; i < 36; i++) {
        height_m[i] = (float)test_uniform(seed, 900000 + (uint64_t)i, 100.0, 140.0);
    }
    const rcity_terrain terrain = {6, 6, 0.0, 0.0, 200.0, height_m};
    assert_ok(w->context, rcity_scene_set_terrain(w->scene, &terrain));
    const uint8_t code[] = {1, 2, 2, 1};
    const rcity_land_class classes[] = {{1, "field", 0.0, 0.75}, {2, "forest", 15.0, 12.5}};
    const rcity_land_cover cover = {2, 2, 0.0, 0.0, 350.0, code, 2, classes};
    assert_ok(w->context, rcity_scene_set_land_cover(w->scene, &cover));
    assert_ok(w->context, rcity_scene_commit(w->scene));
    assert_ok(w->context, rcity_device_open(w->context, "host", &w->device));
    assert_ok(w->context, rcity_antenna_create(w->context, "3gpp", &w->antenna));
    const rcity_method *method = NULL;
    assert_ok(w->context, rcity_method_find(w->context, "log-distance", &method));
    w->fit = method->fit;
    assert_int_equal(w->fit->coefficient_count, COUNT);
    for (int k = 0; k < COUNT; k++) {
        const rcity_method_coefficient *info = &w->fit->coefficients[k];
        const rcity_method_option *option = &method->options[info->option];
        assert_string_equal(option->name, k == EXPONENT ? "exponent" : "reference-loss-db");
        assert_true(info->low >= option->minimum && info->high <= option->maximum && info->spread > 0.0);
    }
    for (int i = 0; i < POINT_COUNT; i++) {
        double *at = w->xyh_m + 3 * i;
        bool is_near = i % 3 == 0;
        at[0] = is_near ? test_uniform(seed, 3 * (uint64_t)i, 560.0, 600.0)
                        : test_uniform(seed, 3 * (uint64_t)i, -100.0, 1100.0);
        at[1] = is_near ? test_uniform(seed, 3 * (uint64_t)i + 1, 560.0, 600.0)
                        : test_uniform(seed, 3 * (uint64_t)i + 1, -100.0, 1100.0);
        at[2] = test_uniform(seed, 3 * (uint64_t)i + 2, 0.0, 20.0);
    }
    const double antenna[] = {580.0, 580.0, 25.0}; /* nearer than 1 m */
    memcpy(w->xyh_m, antenna, sizeof antenna);
}

static void close_world(world *w)
{
    rcity_antenna_destroy(&w->antenna);
    test_close(&w->context, &w->scene, &w->device);
}

static void set_option(world *w, rcity_request *request, const char *name, double value)
{
    int i = request->option_count++;
    snprintf(w->texts[i], sizeof w->texts[i], "%.9g", value);
    w->names[i] = name;
    w->values[i] = w->texts[i];
}

/* Options and an antenna by chance; the loss at the reference distance is the word in every third trial. */
static rcity_request ask(world *w, uint64_t trial, double values[COUNT], double *reference_m)
{
    rcity_request request = rcity_request_default();
    uint64_t at = 1000 * (trial + 1) * 10;
    rcity_transmitter *tx = &request.transmitter;
    request.method = "log-distance";
    request.receivers.point_count = POINT_COUNT;
    request.receivers.xyh_m = w->xyh_m;
    request.receivers.gain_dbi = test_uniform(seed, at++, 0.0, 5.0);
    request.option_name = w->names;
    request.option_value = w->values;
    tx->x_m = tx->y_m = 580.0;
    tx->height_m = trial % 2 == 0 ? 25.3 : 60.0;
    tx->frequency_hz = test_uniform(seed, at++, 4e8, 6e9);
    tx->power_dbm = 43.0;
    tx->power_kind = RCITY_POWER_CONDUCTED;
    tx->cable_loss_db = 2.0;
    tx->antenna = trial % 4 < 3 ? w->antenna : NULL;
    tx->azimuth_deg = test_uniform(seed, at++, 0.0, 360.0);
    tx->mechanical_tilt_deg = test_uniform(seed, at++, 0.0, 8.0);
    tx->electrical_tilt_deg = test_uniform(seed, at++, 0.0, 8.0);
    values[EXPONENT] = (double)(float)test_uniform(seed, at++, 1.0, 8.0);
    *reference_m = (double)(float)pow(10.0, test_uniform(seed, at++, 0.0, 3.0));
    set_option(w, &request, "exponent", values[EXPONENT]);
    set_option(w, &request, "reference-distance-m", *reference_m);
    if (trial % 3 == 0) {
        values[LOSS] = 20.0 * log10(4.0 * 3.14159265358979 * *reference_m * tx->frequency_hz / 299792458.0);
    } else {
        values[LOSS] = (double)(float)test_uniform(seed, at++, 0.0, 300.0);
        set_option(w, &request, "reference-loss-db", values[LOSS]);
    }
    w->names[request.option_count] = "land-cover";
    w->values[request.option_count++] = trial % 4 == 1 ? "ignore" : "add";
    return request;
}

static void *list(world *w, const rcity_request *request, rcity_predictor **predictor, double start[COUNT])
{
    void *listed = NULL;
    assert_ok(w->context, rcity_predictor_open_once(w->context, w->scene, w->device, request, predictor));
    rcity_method_start made = {start, 0};
    assert_ok(w->context, rcity_predictor_start_fit(*predictor, w->context, RCITY_PREDICTOR_ONLY, &made));
    assert_int_equal(made.on_request, 0);
    assert_ok(w->context, rcity_predictor_list_fit(*predictor, w->context, RCITY_PREDICTOR_ONLY, &listed));
    return listed;
}

/* Largest distance of the slopes from differences; the law is linear, so that any step will do. */
static double compare_slopes(const world *w, const void *listed, const double values[COUNT], long *flat_count)
{
    static double slopes[POINT_COUNT * COUNT], moved_db[2][POINT_COUNT], loss_db[POINT_COUNT];
    double worst = 0.0;
    w->fit->weigh(listed, values, false, loss_db, slopes, NULL);
    for (int k = 0; k < COUNT; k++) {
        for (int side = 0; side < 2; side++) {
            double moved[COUNT] = {values[EXPONENT], values[LOSS]};
            moved[k] += side == 0 ? -0.5 : 0.5;
            w->fit->weigh(listed, moved, false, moved_db[side], NULL, NULL);
        }
        for (int i = 0; i < POINT_COUNT; i++) {
            double slope = slopes[i * COUNT + k];
            worst = isnan(loss_db[i]) ? worst : fmax(worst, fabs(slope - (moved_db[1][i] - moved_db[0][i])));
            *flat_count += !isnan(loss_db[i]) && k == EXPONENT && slope == 0.0;
        }
    }
    return worst;
}

/* Listed with the options of one trial, weighed with those of others: losses and powers are those of a prediction. */
static void test_weighed_losses_equal_those_of_predictions(void **state)
{
    (void)state;
    world w;
    open_world(&w);
    double worst_db = 0.0, worst_slope = 0.0, worst_start = 0.0;
    long compared = 0, absent = 0, flat = 0;
    for (uint64_t trial = 0; trial < TRIAL_COUNT; trial++) {
        static float loss_db[POINT_COUNT], received_dbm[POINT_COUNT];
        static double found_db[2][POINT_COUNT];
        static int8_t mechanisms[POINT_COUNT];
        double values[COUNT], start[COUNT], reference_m;
        rcity_request request = ask(&w, trial, values, &reference_m);
        rcity_predictor *predictor = NULL;
        assert_ok(w.context, rcity_predict_points(w.context, w.scene, w.device, &request, loss_db, received_dbm));
        void *listed = list(&w, &request, &predictor, start);
        worst_start = fmax(worst_start, fmax(fabs(start[0] - values[0]), fabs(start[1] - values[1])));
        worst_slope = fmax(worst_slope, compare_slopes(&w, listed, values, &flat));
        w.fit->release(w.context, listed);
        rcity_predictor_close(&predictor);
        /* the coefficients that it was listed with play no role */
        char given[2][32] = {"2.5", "77"};
        rcity_request other = request;
        const char *names[5] = {"exponent", "reference-loss-db", "reference-distance-m", "land-cover", NULL};
        const char *texts[5] = {given[0], given[1], w.values[1], w.values[request.option_count - 1], NULL};
        other.option_count = 4;
        other.option_name = names;
        other.option_value = texts;
        listed = list(&w, &other, &predictor, start);
        w.fit->weigh(listed, values, false, found_db[0], NULL, mechanisms);
        w.fit->weigh(listed, values, true, found_db[1], NULL, NULL);
        double level_dbm = 43.0 - 2.0 + request.receivers.gain_dbi; /* into the antenna */
        for (int i = 0; i < POINT_COUNT; i++) {
            assert_int_equal(mechanisms[i], -1);
            assert_int_equal(isnan(found_db[0][i]), isnan(loss_db[i]));
            assert_int_equal(isnan(found_db[1][i]), isnan(loss_db[i]));
            if (isnan(loss_db[i])) {
                absent++;
                continue;
            }
            compared++;
            worst_db = fmax(worst_db, fabs(found_db[0][i] - (double)loss_db[i]));
            worst_db = fmax(worst_db, fabs(level_dbm - found_db[1][i] - (double)received_dbm[i]));
        }
        w.fit->release(w.context, listed);
        rcity_predictor_close(&predictor);
    }
    print_message(
        "seed %llu: %ld losses and powers within %.6f dB, %ld absent; starts within %.6f, slopes within %.9f, "
        "%ld flat in the exponent\n",
        (unsigned long long)seed, compared, worst_db, absent, worst_start, worst_slope, flat);
    assert_true(worst_db < 1e-3 && worst_start < 1e-4 && worst_slope < 1e-9);
    assert_true(compared > 5000 && absent > 1000 && flat > 1000);
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
        request.method = "log-distance";
        request.transmitter.x_m = 50.0;
        request.transmitter.y_m = 5.0;
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
            assert_true(fail_at > 6); /* four of its own, three of the method's */
            break;
        }
    }
}

TEST_SUITE(log_distance_fit)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_weighed_losses_equal_those_of_predictions),
        cmocka_unit_test(test_listing_survives_failed_allocations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Calibration against a synthetic truth: measurements made from known coefficients, with noise and outliers;
   transmitters that stand elsewhere; what cannot be calibrated with. `long` runs more seeds and points. */
#include "rcity_test.h"

#include "fit_items.h"
#include "method/method_fit.h"
#include "result/measurements.h"

#define NOISE_DB      6.0
#define OUTLIER_SHARE 0.05
#define OPTION_MAX    40

static bool is_long;

typedef struct world {
    rcity_context *context;
    rcity_scene *scene;
    rcity_device *device;
    const rcity_method *method;
    int64_t count;
    double *xyh_m;
    double truth[64];
    char texts[OPTION_MAX][32];
    const char *names[OPTION_MAX], *values[OPTION_MAX];
} world;

static double normal(uint64_t seed, uint64_t i)
{
    double a = test_uniform(seed, 2 * i, 1e-12, 1.0), b = test_uniform(seed, 2 * i + 1, 0.0, 6.283185307179586);
    return sqrt(-2.0 * log(a)) * cos(b);
}

/* Receivers in the open, each far from the one before: no route, so that errors are independent. */
static void open_world(world *w, int thread_count, int64_t count)
{
    memset(w, 0, sizeof *w);
    w->context = test_context(thread_count);
    rcity_city_options options = rcity_city_options_default();
    options.kind = RCITY_CITY_CORE;
    options.seed = 11;
    options.area_km2 = 0.6;
    assert_ok(w->context, rcity_city_make(w->context, &options, &w->scene));
    assert_ok(w->context, rcity_device_open(w->context, "host", &w->device));
    assert_ok(w->context, rcity_method_find(w->context, "shadow", &w->method));
    w->xyh_m = malloc((size_t)count * 3 * sizeof *w->xyh_m);
    assert_non_null(w->xyh_m);
    rcity_scene_info info;
    assert_ok(w->context, rcity_scene_describe(w->scene, &info));
    for (uint64_t i = 0; w->count < count; i++) {
        double *at = w->xyh_m + 3 * w->count;
        rcity_cover cover;
        at[0] = test_uniform(7, 2 * i, info.x_min_m + 1.0, info.x_max_m - 1.0);
        at[1] = test_uniform(7, 2 * i + 1, info.y_min_m + 1.0, info.y_max_m - 1.0);
        at[2] = 1.5;
        assert_ok(w->context, rcity_scene_get_cover(w->context, w->scene, at[0], at[1], &cover));
        w->count += cover.is_covered ? 0 : 1;
    }
}

static void close_world(world *w)
{
    free(w->xyh_m);
    test_close(&w->context, &w->scene, &w->device);
}

/* Two masts, so that all mechanisms occur from low and from high. */
static rcity_transmitter mast(int index)
{
    rcity_transmitter tx = rcity_transmitter_default();
    tx.name = index == 0 ? "low" : "high";
    tx.x_m = index == 0 ? 390.0 : 180.0;
    tx.y_m = index == 0 ? 380.0 : 600.0;
    tx.height_m = index == 0 ? 12.0 : 35.0;
    tx.frequency_hz = 1.8e9;
    return tx;
}

/* Move a mast out of the building it may stand in. */
static rcity_transmitter place_mast(const world *w, int index)
{
    rcity_transmitter tx = mast(index);
    rcity_point at;
    for (int i = 0; rcity_transmitter_locate(w->context, w->scene, &tx, &at) != RCITY_OK; i++) {
        assert_true(i < 100);
        tx.x_m += 3.0;
    }
    return tx;
}

/* The truth is drawn from what is said to be known beforehand, within bounds and constraints; narrower than that, or
   losses of hundreds of dB come of it. */
static void draw_truth(world *w, uint64_t seed, double share)
{
    const rcity_method_fit *fit = w->method->fit;
    for (int k = 0; k < fit->coefficient_count; k++) {
        const rcity_method_coefficient *info = &fit->coefficients[k];
        double start = atof(w->method->options[info->option].default_value);
        if (strcmp(w->method->options[info->option].name, "wall-db") == 0) {
            start = 14.9; /* as the wall's material at this frequency; any would do */
        }
        double value;
        uint64_t draw = 0;
        do {
            value = start + share * info->spread * normal(seed * 1000 + (uint64_t)k, draw++);
        } while (value < info->low || value > info->high);
        w->truth[k] = value;
    }
    for (int i = 0; i < fit->constraint_count; i++) {
        const rcity_method_constraint *law = &fit->constraints[i];
        double left = 0.0;
        for (int k = 0; k < law->term_count; k++) {
            left += law->factor[k] * w->truth[law->coefficient[k]];
        }
        if (left < 0.0) { /* lift the last term until it holds */
            w->truth[law->coefficient[law->term_count - 1]] -= 1.01 * left / law->factor[law->term_count - 1];
        }
    }
}

static rcity_request ask(world *w, const double *coefficients)
{
    rcity_request request = rcity_request_default();
    const rcity_method_fit *fit = w->method->fit;
    for (int k = 0; coefficients != NULL && k < fit->coefficient_count; k++) {
        snprintf(w->texts[k], sizeof w->texts[k], "%.9g", coefficients[k]);
        w->names[k] = w->method->options[fit->coefficients[k].option].name;
        w->values[k] = w->texts[k];
        request.option_count = k + 1;
    }
    request.option_name = w->names;
    request.option_value = w->values;
    return request;
}

/* Fit all coefficients, those on request too; the names are those of the last ask() with coefficients. */
static rcity_calibrate_options ask_for_all(const world *w)
{
    rcity_calibrate_options options = rcity_calibrate_options_default();
    options.requested_count = w->method->fit->coefficient_count;
    options.requested = w->names;
    return options;
}

/* Append what a transmitter would be measured as, with noise and outliers; `stated` is where it is said to stand. */
static void measure(world *w, uint64_t seed, const rcity_transmitter *tx, const rcity_transmitter *stated,
                    double added_db, rcity_measurements *made)
{
    rcity_request request = ask(w, w->truth);
    float *loss_db = malloc((size_t)w->count * sizeof *loss_db);
    assert_non_null(loss_db);
    int index = -1, route = -1;
    request.transmitter = *tx;
    request.receivers.point_count = w->count;
    request.receivers.xyh_m = w->xyh_m;
    assert_ok(w->context, rcity_predict_points(w->context, w->scene, w->device, &request, loss_db, NULL));
    assert_ok(w->context, rcity_measurements_add_transmitter(made, stated, &index));
    assert_ok(w->context, rcity_measurements_add_route(made, stated->name, &route));
    for (int64_t i = 0; i < w->count; i++) {
        uint64_t at = (uint64_t)i + 100000 * (uint64_t)index;
        double error_db = NOISE_DB * normal(seed + 1, at);
        if (test_uniform(seed + 2, at, 0.0, 1.0) < OUTLIER_SHARE) {
            error_db = test_uniform(seed + 3, at, 20.0, 45.0);
        }
        if (!isnan(loss_db[i])) {
            rcity_measurement one = {.x_m = w->xyh_m[3 * i],
                                     .y_m = w->xyh_m[3 * i + 1],
                                     .height_m = w->xyh_m[3 * i + 2],
                                     .value = (double)loss_db[i] + error_db + added_db,
                                     .time_s = (double)NAN,
                                     .route = route,
                                     .transmitter = index,
                                     .sample_count = 1,
                                     .row = i + 1};
            assert_ok(w->context, rcity_measurements_add(made, &one));
        }
    }
    assert_ok(w->context, rcity_measurements_arrange(made));
    free(loss_db);
}

/* True coefficients lie within their bounds as often as these say. */
static void test_true_coefficients_lie_within_their_bounds(void **state)
{
    (void)state;
    world w;
    open_world(&w, 2, is_long ? 2500 : 900);
    int seeds = is_long ? 20 : 5;
    long inside = 0, total = 0, known_inside = 0, known = 0;
    double worst_rmse_db = 0.0;
    for (uint64_t seed = 1; seed <= (uint64_t)seeds; seed++) {
        draw_truth(&w, seed, 0.4);
        rcity_measurements *made = NULL;
        assert_ok(w.context, rcity_measurements_create(w.context, RCITY_MEASURED_LOSS, &made));
        for (int i = 0; i < 2; i++) {
            rcity_transmitter tx = place_mast(&w, i);
            measure(&w, 100 * seed + 10 * (uint64_t)i, &tx, &tx, 0.0, made);
        }
        rcity_request request = ask(&w, NULL);
        rcity_calibrate_options options = ask_for_all(&w);
        options.block_count = seed == 1 ? 5 : 0;
        rcity_coefficients *found = NULL;
        assert_ok(w.context, rcity_calibrate(w.context, w.scene, w.device, &request, made, &options, &found));
        for (int k = 0; k < w.method->fit->coefficient_count; k++) {
            rcity_coefficient c = coefficient_at(found, k);
            bool is_inside = w.truth[k] >= c.low && w.truth[k] <= c.high;
            assert_true(c.is_fitted && c.low <= c.value && c.value <= c.high);
            total++;
            inside += is_inside;
            known += c.is_known;
            known_inside += c.is_known && is_inside;
            if (!is_inside) {
                print_message("seed %d: %s is %.3f, found %.3f (%.3f to %.3f)%s%s\n", (int)seed, c.name, w.truth[k],
                              c.value, c.low, c.high, c.is_known ? "" : ", hardly told",
                              c.is_at_bound ? ", bound" : "");
            }
        }
        rcity_fit_summary summary = rcity_coefficients_summary(found);
        assert_true(summary.outlier_count > summary.point_count / 50);
        worst_rmse_db = fmax(worst_rmse_db, summary.training.median_absolute_db);
        if (seed == 1) { /* blocks that were not seen are met as well as those that were */
            assert_int_equal(summary.crossed.count, summary.training.count);
            assert_true(summary.crossed.median_absolute_db < summary.training.median_absolute_db + 0.5);
        }
        rcity_coefficients_destroy(&found);
        rcity_measurements_destroy(&made);
    }
    print_message(
        "%d seeds: %ld of %ld true coefficients within their bounds (%.1f %%), of %ld that are well told %.1f "
        "%%; median error at most %.2f dB\n",
        seeds, inside, total, 100.0 * (double)inside / (double)total, known,
        100.0 * (double)known_inside / (double)known, worst_rmse_db);
    assert_true(inside * 100 >= total * (is_long ? 90 : 85));
    assert_true(known_inside * 100 >= known * (is_long ? 90 : 85));
    assert_true(worst_rmse_db < 5.0); /* the median of 6 dB's errors is 4 */
    close_world(&w);
}

/* The index of a coefficient by its name. */
static int find_coefficient(const world *w, const char *name)
{
    const rcity_method_fit *fit = w->method->fit;
    for (int k = 0; k < fit->coefficient_count; k++) {
        if (strcmp(w->method->options[fit->coefficients[k].option].name, name) == 0) {
            return k;
        }
    }
    fail_msg("no coefficient %s", name);
    return -1;
}

/* A transmitter whose place is stated 5 m off is found back, where the map is not doubted and nothing is diffuse: what a
   map says of single places is all that tells. */
static void test_misplaced_transmitter_is_moved_back(void **state)
{
    (void)state;
    static const char *const sure_name[] = {"map-doubt", "diffuse-db"}, *const sure_value[] = {"0", "60"};
    world w;
    open_world(&w, 2, is_long ? 2500 : 1200);
    int seeds = is_long ? 20 : 2;
    int within = 0;
    for (uint64_t seed = 1; seed <= (uint64_t)seeds; seed++) {
        draw_truth(&w, 50 + seed, 0.1);
        w.truth[find_coefficient(&w, "map-doubt")] = 0.0;
        w.truth[find_coefficient(&w, "diffuse-db")] = 60.0;
        rcity_transmitter tx = place_mast(&w, 0);
        tx.height_m = 60.0; /* its shadows are those of roofs: streets blur what corners tell */
        rcity_transmitter stated = tx;
        rcity_point at;
        uint64_t draw = 0;
        double angle;
        do {
            angle = test_uniform(900 + seed, draw++, 0.0, 6.283185307179586);
            stated.x_m = tx.x_m + 5.0 * cos(angle);
            stated.y_m = tx.y_m + 5.0 * sin(angle);
        } while (rcity_transmitter_locate(w.context, w.scene, &stated, &at) != RCITY_OK);
        rcity_measurements *made = NULL;
        assert_ok(w.context, rcity_measurements_create(w.context, RCITY_MEASURED_LOSS, &made));
        measure(&w, 7000 + 10 * seed, &tx, &stated, 0.0, made);
        rcity_request request = ask(&w, NULL);
        request.option_count = 2;
        request.option_name = sure_name;
        request.option_value = sure_value;
        rcity_calibrate_options options = ask_for_all(&w);
        options.block_count = 0;
        options.position_max_m = 10.0;
        rcity_coefficients *found = NULL;
        assert_ok(w.context, rcity_calibrate(w.context, w.scene, w.device, &request, made, &options, &found));
        int first = w.method->fit->coefficient_count + 1; /* after the mast's level */
        rcity_coefficient x = coefficient_at(found, first), y = coefficient_at(found, first + 1);
        double off_m = hypot(x.value + 5.0 * cos(angle), y.value + 5.0 * sin(angle));
        print_message("seed %d: moved back by (%.2f, %.2f) m, true (%.2f, %.2f); %.2f m off; x within %.2f to %.2f, y "
                      "within %.2f to %.2f\n",
                      (int)seed, x.value, y.value, -5.0 * cos(angle), -5.0 * sin(angle), off_m, x.low, x.high, y.low,
                      y.high);
        assert_string_equal(x.name, "x low");
        assert_string_equal(y.name, "y low");
        assert_true(off_m < 1.5);
        within += x.low <= -5.0 * cos(angle) && -5.0 * cos(angle) <= x.high;
        within += y.low <= -5.0 * sin(angle) && -5.0 * sin(angle) <= y.high;
        assert_true(x.low <= x.value && x.value <= x.high && x.high - x.low < 8.0);
        rcity_coefficients_destroy(&found);
        rcity_measurements_destroy(&made);
    }
    assert_true(within >= 2 * seeds - seeds / 3);
    close_world(&w);
}

/* A power that is not what was stated: offset and first terms stay within what is said of them, though they hardly tell
   apart. */
static void test_unknown_offset_lies_within_its_bounds(void **state)
{
    (void)state;
    const double missing_db = 12.0;
    world w;
    open_world(&w, 2, is_long ? 2500 : 900);
    int seeds = is_long ? 20 : 5;
    long inside = 0, total = 0, offset_inside = 0;
    for (uint64_t seed = 1; seed <= (uint64_t)seeds; seed++) {
        draw_truth(&w, 200 + seed, 0.4);
        rcity_transmitter tx = place_mast(&w, 0);
        rcity_measurements *made = NULL;
        assert_ok(w.context, rcity_measurements_create(w.context, RCITY_MEASURED_LOSS, &made));
        measure(&w, 9000 + 10 * seed, &tx, &tx, missing_db, made);
        rcity_request request = ask(&w, NULL);
        rcity_calibrate_options options = ask_for_all(&w);
        options.block_count = 0;
        options.fits_offset = true;
        rcity_coefficients *found = NULL;
        assert_ok(w.context, rcity_calibrate(w.context, w.scene, w.device, &request, made, &options, &found));
        int last = w.method->fit->coefficient_count;
        for (int k = 0; k <= last; k++) {
            rcity_coefficient c = coefficient_at(found, k);
            double truth = k < last ? w.truth[k] : missing_db;
            bool is_inside = truth >= c.low && truth <= c.high;
            total++;
            inside += is_inside;
            offset_inside += k == last && is_inside;
            if (!is_inside || k == last) {
                print_message("seed %d: %s is %.3f, found %.3f (%.3f to %.3f)%s\n", (int)seed, c.name, truth, c.value,
                              c.low, c.high, is_inside ? "" : ", outside");
            }
        }
        rcity_coefficients_destroy(&found);
        rcity_measurements_destroy(&made);
    }
    print_message("%d seeds: %ld of %ld true numbers within their bounds, %ld offsets\n", seeds, inside, total,
                  offset_inside);
    assert_true(inside * 100 >= total * (is_long ? 90 : 85));
    assert_true(offset_inside * 100 >= seeds * (is_long ? 85 : 80));
    close_world(&w);
}

TEST_SUITE(calibrate)
{
    is_long = test_is_called_with("long");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_true_coefficients_lie_within_their_bounds),
        cmocka_unit_test(test_unknown_offset_lies_within_its_bounds),
        cmocka_unit_test(test_misplaced_transmitter_is_moved_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Scores through the whole chain: measurements are made from predictions and known errors, which must come out again. */
#include "rcity_test.h"
#include "result/coefficients.h"
#include "result/measurements.h"

#define POINT_COUNT 120

static const test_box boxes[] = {
    {0.0, 0.0, 60.0, 60.0, 18.0},    {80.0, 0.0, 140.0, 60.0, 25.0},    {160.0, 0.0, 220.0, 60.0, 15.0},
    {0.0, 80.0, 60.0, 140.0, 22.0},  {80.0, 80.0, 140.0, 140.0, 19.0},  {160.0, 80.0, 220.0, 140.0, 30.0},
    {0.0, 160.0, 60.0, 220.0, 12.0}, {80.0, 160.0, 140.0, 220.0, 21.0}, {160.0, 160.0, 220.0, 220.0, 17.0},
};

/* What a test works with. The transmitter stands in a street, points all over the place, some of them in buildings. */
typedef struct world {
    rcity_context *context;
    rcity_scene *scene;
    rcity_device *device;
    rcity_request request;
    double xyh_m[3 * POINT_COUNT];
    float loss_db[POINT_COUNT], received_dbm[POINT_COUNT];
} world;

static void open_world(world *w, rcity_context *context, const char *method, uint64_t seed)
{
    memset(w, 0, sizeof *w);
    w->context = context;
    w->scene = test_scene(context, boxes, sizeof boxes / sizeof boxes[0]);
    assert_ok(context, rcity_device_open(context, "host", &w->device));
    w->request = rcity_request_default();
    w->request.method = method;
    w->request.transmitter.name = "mast";
    w->request.transmitter.x_m = 70.0;
    w->request.transmitter.y_m = 71.0;
    w->request.transmitter.height_m = 28.0;
    w->request.transmitter.frequency_hz = 947e6;
    for (uint64_t i = 0; i < POINT_COUNT; i++) {
        w->xyh_m[3 * i] = test_uniform(seed, 2 * i, -20.0, 240.0);
        w->xyh_m[3 * i + 1] = test_uniform(seed, 2 * i + 1, -20.0, 240.0);
        w->xyh_m[3 * i + 2] = 1.5;
    }
}

static void close_world(world *w)
{
    rcity_device_close(&w->device);
    rcity_scene_destroy(&w->scene);
}

/* What the library predicts at the points, by a plain call. */
static void predict(world *w, const char *method, float *loss_db, float *received_dbm)
{
    rcity_request request = w->request;
    request.method = method;
    request.range_policy = RCITY_RANGE_EXTRAPOLATE;
    request.receivers.point_count = POINT_COUNT;
    request.receivers.xyh_m = w->xyh_m;
    assert_ok(w->context, rcity_predict_points(w->context, w->scene, w->device, &request, loss_db, received_dbm));
}

static double error_of(uint64_t i)
{
    return test_uniform(99, i, -8.0, 12.0);
}

/* Measurements of the request's transmitter: the values plus errors; those without a value get one nobody compares. */
static rcity_measurements *measure(world *w, rcity_measured_kind kind, const float *values, double sign)
{
    rcity_measurements *made = NULL;
    int route = 0;
    int transmitter = 0;
    assert_ok(w->context, rcity_measurements_create(w->context, kind, &made));
    assert_ok(w->context, rcity_measurements_add_route(made, "loop", &route));
    assert_ok(w->context, rcity_measurements_add_transmitter(made, &w->request.transmitter, &transmitter));
    for (uint64_t i = 0; i < POINT_COUNT; i++) {
        double value = isnan(values[i]) ? 100.0 : (double)values[i] + sign * error_of(i);
        rcity_measurement one = {.x_m = w->xyh_m[3 * i],
                                 .y_m = w->xyh_m[3 * i + 1],
                                 .height_m = 1.5,
                                 .value = value,
                                 .time_s = (double)NAN,
                                 .route = route,
                                 .transmitter = transmitter,
                                 .sample_count = 1,
                                 .row = (int64_t)i + 1};
        assert_ok(w->context, rcity_measurements_add(made, &one));
    }
    assert_ok(w->context, rcity_measurements_arrange(made));
    return made;
}

static rcity_score *score_of(world *w, const rcity_measurements *measurements, const rcity_coefficients *coefficients)
{
    rcity_score *score = NULL;
    assert_ok(w->context,
              rcity_score_create(w->context, w->scene, w->device, &w->request, coefficients, measurements, &score));
    return score;
}

static int find_group(const rcity_score *score, const char *name)
{
    for (int i = 0; i < rcity_score_group_count(score); i++) {
        if (strcmp(rcity_score_get_group(score, i).name, name) == 0) {
            return i;
        }
    }
    return -1;
}

static int find_model(const rcity_score *score, const char *name, const char *fitted_on)
{
    for (int i = 0; i < rcity_score_model_count(score); i++) {
        rcity_score_model model = rcity_score_get_model(score, i);
        if (strcmp(model.name, name) == 0 && strcmp(model.fitted_on, fitted_on) == 0) {
            return i;
        }
    }
    return -1;
}

static bool says(const char *(*sentence)(const rcity_score *, int), const rcity_score *score, const char *words)
{
    for (int i = 0; sentence(score, i) != NULL; i++) {
        if (strstr(sentence(score, i), words) != NULL) {
            return true;
        }
    }
    return false;
}

/* The errors put in are those that come out, of all points and of the parts, and each part is what it says. */
static void test_known_errors(void **state)
{
    (void)state;
    rcity_context *context = test_context(2);
    world w;
    open_world(&w, context, "shadow", 5);
    predict(&w, "shadow", w.loss_db, NULL);
    rcity_measurements *measurements = measure(&w, RCITY_MEASURED_LOSS, w.loss_db, 1.0);
    rcity_score *score = score_of(&w, measurements, NULL);
    double sum[3] = {0.0, 0.0, 0.0}; /* all, in sight, not in sight */
    double square = 0.0;
    int64_t count[3] = {0, 0, 0};
    int64_t in_building_count = 0;
    rcity_point tx;
    assert_ok(context, rcity_transmitter_locate(context, w.scene, &w.request.transmitter, &tx));
    for (uint64_t i = 0; i < POINT_COUNT; i++) {
        rcity_score_point point = rcity_score_get_point(score, (int64_t)i);
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
            sum[0] += error_of(i);
            sum[is_free ? 1 : 2] += error_of(i);
            square += error_of(i) * error_of(i);
            count[0]++;
            count[is_free ? 1 : 2]++;
        }
    }
    assert_true(in_building_count > 10 && count[1] > 5 && count[2] > 5); /* the case has some of each */
    rcity_score_figures all = rcity_score_get_figures(score, 0, 0);
    rcity_score_figures sight = rcity_score_get_figures(score, 0, find_group(score, "line of sight"));
    rcity_score_figures hidden = rcity_score_get_figures(score, 0, find_group(score, "no line of sight"));
    assert_int_equal(all.count, count[0]);
    assert_int_equal(sight.count, count[1]);
    assert_int_equal(hidden.count, count[2]);
    assert_near(all.mean_db, sum[0] / (double)count[0], 1e-9);
    assert_near(sight.mean_db, sum[1] / (double)count[1], 1e-9);
    assert_near(hidden.mean_db, sum[2] / (double)count[2], 1e-9);
    assert_near(all.mse_db, sqrt(square / (double)count[0]), 1e-9);
    assert_int_equal(rcity_score_get_group(score, 0).count, POINT_COUNT);
    assert_int_equal(find_group(score, "loop"), -1); /* the only route is all there is */
    rcity_score_destroy(&score);
    rcity_measurements_destroy(&measurements);
    close_world(&w);
    rcity_context_destroy(&context);
}

/* Baselines are what the methods of these names say, on the same points. */
static void test_baselines(void **state)
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
        world w;
        open_world(&w, context, "shadow", 6);
        for (uint64_t i = 0; i < POINT_COUNT; i++) { /* Walfisch-Ikegami was published from 20 m on */
            w.xyh_m[3 * i] += w.xyh_m[3 * i] > 40.0 && w.xyh_m[3 * i] < 100.0 ? 60.0 : 0.0;
        }
        w.request.transmitter.frequency_hz = cases[k].frequency_hz;
        predict(&w, cases[k].method, w.loss_db, NULL);
        rcity_measurements *measurements = measure(&w, RCITY_MEASURED_LOSS, w.loss_db, 1.0);
        rcity_score *score = score_of(&w, measurements, NULL);
        int model = find_model(score, cases[k].model, "");
        assert_true(model > 0);
        for (int i = 0; i < POINT_COUNT; i++) {
            bool is_in = rcity_score_get_point(score, i).is_in_building;
            assert_int_equal(isnan(rcity_score_predicted_db(score, model)[i]), is_in);
            if (!is_in) {
                assert_near(rcity_score_predicted_db(score, model)[i], (double)w.loss_db[i], 0.0);
            }
        }
        assert_int_equal(rcity_score_get_model(score, model).is_extrapolated, cases[k].is_extrapolated);
        rcity_score_figures by_offset =
            rcity_score_get_figures(score, find_model(score, "free space + offset", "these points"), 0);
        rcity_score_figures by_constant =
            rcity_score_get_figures(score, find_model(score, "constant", "these points"), 0);
        rcity_score_figures by_log =
            rcity_score_get_figures(score, find_model(score, "log-distance", "these points"), 0);
        assert_near(by_offset.mean_db, 0.0, 1e-9);
        assert_near(by_constant.mean_db, 0.0, 1e-9);
        assert_near(by_log.mean_db, 0.0, 1e-9);
        assert_true(by_log.mse_db <= by_constant.mse_db && isnan(by_constant.correlation));
        rcity_score_destroy(&score);
        rcity_measurements_destroy(&measurements);
        close_world(&w);
    }
    rcity_context_destroy(&context);
}

/* Received powers behind a turned sector antenna: what predicts them without error has none here either. */
static void test_powers(void **state)
{
    (void)state;
    static const char *const methods[] = {"shadow", "free-space", "walfisch-ikegami"};
    rcity_context *context = test_context(2);
    rcity_antenna *antenna = NULL;
    assert_ok(context, rcity_antenna_open(context, "3gpp", RCITY_SYNTHESIS_PROJECTION, &antenna));
    for (size_t k = 0; k < sizeof methods / sizeof methods[0]; k++) {
        world w;
        open_world(&w, context, methods[k], 8);
        w.request.range_policy = RCITY_RANGE_EXTRAPOLATE;
        w.request.receivers.gain_dbi = 2.5;
        w.request.transmitter.antenna = antenna;
        w.request.transmitter.azimuth_deg = 70.0;
        w.request.transmitter.mechanical_tilt_deg = 6.0;
        w.request.transmitter.power_kind = RCITY_POWER_CONDUCTED;
        w.request.transmitter.power_dbm = 43.0;
        w.request.transmitter.cable_loss_db = 1.0;
        predict(&w, methods[k], w.loss_db, w.received_dbm);
        rcity_measurements *measurements = measure(&w, RCITY_MEASURED_POWER, w.received_dbm, -1.0);
        rcity_score *score = score_of(&w, measurements, NULL);
        for (uint64_t i = 0; i < POINT_COUNT; i++) {
            if (!isnan(w.received_dbm[i])) {
                double error_db = rcity_score_measured_db(score)[i] - rcity_score_predicted_db(score, 0)[i];
                assert_near(error_db, error_of(i), 1e-4);
            }
        }
        assert_false(says(rcity_score_warning, score, "no power"));
        rcity_score_figures known = rcity_score_get_figures(score, 0, 0);
        rcity_score_destroy(&score);
        rcity_measurements_destroy(&measurements);

        w.request.transmitter.power_dbm = (double)NAN; /* nobody knows: the shape of the errors stays */
        measurements = measure(&w, RCITY_MEASURED_POWER, w.received_dbm, -1.0);
        score = score_of(&w, measurements, NULL);
        assert_true(says(rcity_score_warning, score, "'mast' states no power"));
        rcity_score_figures unknown = rcity_score_get_figures(score, 0, 0);
        assert_int_equal(unknown.count, known.count);
        assert_near(unknown.standard_deviation_db, known.standard_deviation_db, 1e-4);
        assert_near(unknown.correlation, known.correlation, 1e-5);
        rcity_score_destroy(&score);
        rcity_measurements_destroy(&measurements);
        close_world(&w);
    }
    rcity_antenna_destroy(&antenna);
    rcity_context_destroy(&context);
}

/* Two routes, two transmitters: a group each, every measurement held against its own transmitter. */
static void test_routes_and_transmitters(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    world w;
    open_world(&w, context, "shadow", 9);
    predict(&w, "shadow", w.loss_db, NULL);
    rcity_measurements *both = measure(&w, RCITY_MEASURED_LOSS, w.loss_db, 1.0);
    w.request.transmitter.name = "other";
    w.request.transmitter.x_m = 150.0;
    float other_db[POINT_COUNT];
    predict(&w, "shadow", other_db, NULL);
    rcity_measurements *more = measure(&w, RCITY_MEASURED_LOSS, other_db, -1.0);
    assert_ok(context, rcity_measurements_append(context, &both, more));
    w.request.transmitter.x_m = 0.0; /* the request's own does not count */
    rcity_score *score = score_of(&w, both, NULL);
    int mast = find_group(score, "mast");
    int other = find_group(score, "other");
    assert_true(mast > 0 && other > 0);
    assert_string_equal(rcity_score_get_group(score, mast).kind, "transmitter");
    assert_string_equal(rcity_score_get_group(score, 1).kind, "route");
    rcity_score_figures first = rcity_score_get_figures(score, 0, mast);
    rcity_score_figures second = rcity_score_get_figures(score, 0, other);
    assert_int_equal(first.count + second.count, rcity_score_get_figures(score, 0, 0).count);
    assert_near(first.mean_db, -second.mean_db, 1e-9);
    assert_near(first.mse_db, second.mse_db, 1e-9);
    rcity_score_destroy(&score);
    rcity_measurements_destroy(&more);
    rcity_measurements_destroy(&both);
    close_world(&w);
    rcity_context_destroy(&context);
}

static void test_coefficients(void **state)
{
    (void)state;
    static const char *const name[] = {"roof-first", "direct-offset"};
    static const char *const value[] = {"14", "7.25"};
    rcity_context *context = test_context(1);
    world w;
    open_world(&w, context, "shadow", 10);
    rcity_coefficients *coefficients = NULL;
    assert_ok(context, rcity_coefficients_create(context, "shadow", "METRO200", &coefficients));
    assert_ok(context, rcity_notes_add(&coefficients->options, name[0], "%s", value[0]));
    assert_ok(context, rcity_notes_add(&coefficients->options, name[1], "1"));
    coefficients->baselines = (rcity_baseline_fit){111.0, 12.0, 30.0, 40.0};
    coefficients->summary.frequency_min_hz = coefficients->summary.frequency_max_hz = 947e6;
    w.request.option_count = 2;
    w.request.option_name = name;
    w.request.option_value = value;
    predict(&w, "shadow", w.loss_db, NULL);
    rcity_measurements *measurements = measure(&w, RCITY_MEASURED_LOSS, w.loss_db, 1.0);
    w.request.option_count = 1; /* its offset wins over that of the coefficients; the loss of roofs comes from there */
    w.request.option_name = name + 1;
    w.request.option_value = value + 1;
    rcity_score *score = score_of(&w, measurements, coefficients);
    int constant = find_model(score, "constant", "METRO200");
    int offset = find_model(score, "free space + offset", "METRO200");
    int line = find_model(score, "log-distance", "METRO200");
    int free_space = find_model(score, "free space", "");
    assert_true(constant > 0 && offset > 0 && line > 0 && find_model(score, "constant", "these points") > 0);
    assert_string_equal(rcity_score_get_model(score, 0).fitted_on, "METRO200");
    assert_false(rcity_score_get_model(score, 0).is_extrapolated);
    for (int i = 0; i < POINT_COUNT; i++) {
        rcity_score_point point = rcity_score_get_point(score, i);
        if (point.left_out[0] == '\0') {
            assert_near(rcity_score_predicted_db(score, 0)[i], (double)w.loss_db[i], 0.0);
            assert_near(rcity_score_predicted_db(score, constant)[i], 111.0, 0.0);
            assert_near(rcity_score_predicted_db(score, offset)[i],
                        rcity_score_predicted_db(score, free_space)[i] + 12.0, 1e-12);
            assert_near(rcity_score_predicted_db(score, line)[i], 30.0 + 40.0 * log10(point.distance_m), 1e-9);
        }
    }
    rcity_score_destroy(&score);
    coefficients->baselines.log_decade_db = (double)NAN; /* a file may lack it */
    score = score_of(&w, measurements, coefficients);
    assert_int_equal(find_model(score, "log-distance", "METRO200"), -1);
    assert_true(find_model(score, "constant", "METRO200") > 0);
    rcity_score_destroy(&score);
    w.request.method = "hata";
    assert_status(context,
                  rcity_score_create(context, w.scene, w.device, &w.request, coefficients, measurements, &score),
                  RCITY_ERR_ARGUMENT);
    assert_message(context, "of method 'shadow'");
    assert_null(score);
    rcity_measurements_destroy(&measurements);
    rcity_coefficients_destroy(&coefficients);
    close_world(&w);
    rcity_context_destroy(&context);
}

/* The mechanism of `images` is that of its strongest path. */
static void test_images(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    world w;
    open_world(&w, context, "images", 15);
    predict(&w, "images", w.loss_db, NULL);
    rcity_measurements *measurements = measure(&w, RCITY_MEASURED_LOSS, w.loss_db, 1.0);
    rcity_score *score = score_of(&w, measurements, NULL);
    rcity_request request = w.request;
    request.receivers.point_count = POINT_COUNT;
    request.receivers.xyh_m = w.xyh_m;
    rcity_rays *rays = NULL;
    assert_ok(context, rcity_rays_find(context, w.scene, &request, &rays));
    int direct_count = 0;
    int other_count = 0;
    for (int64_t i = 0; i < POINT_COUNT; i++) {
        rcity_receiver_summary summary;
        const char *expected = "";
        assert_ok(context, rcity_rays_get_receiver(rays, i, &summary));
        if (summary.path_count > 0) {
            rcity_path path;
            char word[RCITY_PATH_WORD_BYTES];
            assert_ok(context, rcity_rays_get_path(rays, summary.path_first, &path));
            rcity_path_describe(&path, word);
            expected = strcmp(word, "direct") == 0 ? "direct"
                       : strchr(word, 'O') != NULL ? "over roofs"
                       : strchr(word, 'D') != NULL ? "diffraction"
                                                   : "reflection";
        }
        direct_count += strcmp(expected, "direct") == 0;
        other_count += expected[0] != '\0' && strcmp(expected, "direct") != 0;
        assert_string_equal(rcity_score_get_point(score, i).mechanism, expected);
    }
    assert_true(direct_count > 5 && other_count > 5);
    rcity_rays_destroy(&rays);
    rcity_score_destroy(&score);
    rcity_measurements_destroy(&measurements);
    close_world(&w);
    rcity_context_destroy(&context);
}

/* Nonsense is named. */
static void test_doubts(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    world w;
    open_world(&w, context, "shadow", 11);
    float losses_db[POINT_COUNT];
    predict(&w, "shadow", w.loss_db, NULL);
    rcity_measurements *measurements = measure(&w, RCITY_MEASURED_LOSS, w.loss_db, 0.0);
    rcity_score *score = score_of(&w, measurements, NULL);
    assert_true(says(rcity_score_warning, score, "inside buildings")); /* more than one in five */
    assert_false(says(rcity_score_warning, score, "correlation") || says(rcity_score_warning, score, "mean error") ||
                 says(rcity_score_warning, score, "only") || says(rcity_score_warning, score, "values are the same"));
    rcity_score_destroy(&score);
    rcity_measurements_destroy(&measurements);

    for (int i = 0; i < POINT_COUNT; i++) { /* a power taken for a loss */
        losses_db[i] = -w.loss_db[i];
    }
    measurements = measure(&w, RCITY_MEASURED_LOSS, losses_db, 0.0);
    score = score_of(&w, measurements, NULL);
    assert_true(says(rcity_score_warning, score, "correlation") && says(rcity_score_warning, score, "mean error"));
    rcity_score_destroy(&score);
    rcity_measurements_destroy(&measurements);

    for (int i = 0; i < POINT_COUNT; i++) {
        losses_db[i] = 100.0f;
    }
    measurements = measure(&w, RCITY_MEASURED_LOSS, losses_db, 0.0);
    measurements->count = 40; /* few */
    score = score_of(&w, measurements, NULL);
    assert_true(says(rcity_score_warning, score, "all measured values are the same"));
    assert_true(says(rcity_score_warning, score, "can be compared"));
    rcity_score_destroy(&score);
    rcity_measurements_destroy(&measurements);

    w.request.transmitter.x_m = 1220.0; /* a kilometre east of the last wall */
    measurements = measure(&w, RCITY_MEASURED_LOSS, w.loss_db, 1.0);
    score = score_of(&w, measurements, NULL);
    assert_true(says(rcity_score_remark, score, "stands 1000 m outside the building map"));
    assert_true(says(rcity_score_remark, score, "the way is free (no terrain there)"));
    assert_true(says(rcity_score_remark, score, "Hata is extrapolated"));
    rcity_score_destroy(&score);
    rcity_measurements_destroy(&measurements);
    close_world(&w);
    rcity_context_destroy(&context);
}

static void test_refused(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    world w;
    rcity_score *score = NULL;
    open_world(&w, context, "shadow", 12);
    rcity_measurements *measurements = measure(&w, RCITY_MEASURED_LOSS, w.loss_db, 1.0);
    measurements->list[7].transmitter = -1;
    assert_status(context, rcity_score_create(context, w.scene, w.device, &w.request, NULL, measurements, &score),
                  RCITY_ERR_ARGUMENT);
    assert_message(context, "which transmitter");
    measurements->list[7].transmitter = 0;
    for (size_t i = 0; i < measurements->count; i++) {
        measurements->list[i].x_m = 30.0 + 0.1 * (double)i;
        measurements->list[i].y_m = 100.0;
    }
    assert_status(context, rcity_score_create(context, w.scene, w.device, &w.request, NULL, measurements, &score),
                  RCITY_ERR_ARGUMENT);
    assert_message(context, "none of the 120 measurements can be predicted: 120 lie inside buildings");
    w.request.method = "hata"; /* nearer than it was published for, and nobody said --extrapolate */
    assert_status(context, rcity_score_create(context, w.scene, w.device, &w.request, NULL, measurements, &score),
                  RCITY_ERR_ARGUMENT);
    assert_null(score);
    rcity_measurements_destroy(&measurements);
    close_world(&w);
    rcity_context_destroy(&context);
}

/* The same bits for any number of threads. */
static void test_threads(void **state)
{
    (void)state;
    rcity_score *scores[2] = {NULL, NULL};
    world worlds[2];
    for (int k = 0; k < 2; k++) {
        rcity_context *context = test_context(k == 0 ? 1 : 7);
        open_world(&worlds[k], context, "shadow", 13);
        predict(&worlds[k], "shadow", worlds[k].loss_db, NULL);
        rcity_measurements *measurements = measure(&worlds[k], RCITY_MEASURED_LOSS, worlds[k].loss_db, 1.0);
        scores[k] = score_of(&worlds[k], measurements, NULL);
        rcity_measurements_destroy(&measurements);
    }
    assert_int_equal(rcity_score_model_count(scores[0]), rcity_score_model_count(scores[1]));
    assert_int_equal(rcity_score_group_count(scores[0]), rcity_score_group_count(scores[1]));
    for (int model = 0; model < rcity_score_model_count(scores[0]); model++) {
        assert_memory_equal(rcity_score_predicted_db(scores[0], model), rcity_score_predicted_db(scores[1], model),
                            POINT_COUNT * sizeof(double));
        for (int group = 0; group < rcity_score_group_count(scores[0]); group++) {
            rcity_score_figures a = rcity_score_get_figures(scores[0], model, group);
            rcity_score_figures b = rcity_score_get_figures(scores[1], model, group);
            assert_memory_equal(&a, &b, sizeof a);
        }
    }
    for (int k = 0; k < 2; k++) {
        rcity_score_destroy(&scores[k]);
        close_world(&worlds[k]);
        rcity_context_destroy(&worlds[k].context);
    }
}

/* Any allocation may fail; nothing is lost then, and no score half made. */
static void test_memory(void **state)
{
    (void)state;
    bool is_done = false;
    long fail_at = 1;
    while (!is_done) {
        failing_allocator failing = {0, 0, 0};
        rcity_context *context = test_context_failing(&failing, 1);
        world w;
        open_world(&w, context, "free-space", 14);
        rcity_measurements *measurements = measure(&w, RCITY_MEASURED_LOSS, w.loss_db, 1.0);
        rcity_score *score = NULL;
        failing.call_count = 0;
        failing.fail_at = fail_at;
        rcity_status status = rcity_score_create(context, w.scene, w.device, &w.request, NULL, measurements, &score);
        is_done = failing.call_count < fail_at;
        failing.fail_at = 0;
        assert_int_equal(status, is_done ? RCITY_OK : RCITY_ERR_MEMORY);
        assert_int_equal(score != NULL, is_done);
        rcity_score_destroy(&score);
        rcity_measurements_destroy(&measurements);
        close_world(&w);
        rcity_context_destroy(&context);
        assert_int_equal(failing.live_count, 0);
        fail_at += fail_at < 40 ? 1 : fail_at / 20; /* each of the first, then fewer */
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_known_errors), cmocka_unit_test(test_baselines),
        cmocka_unit_test(test_powers),       cmocka_unit_test(test_routes_and_transmitters),
        cmocka_unit_test(test_coefficients), cmocka_unit_test(test_images),
        cmocka_unit_test(test_doubts),       cmocka_unit_test(test_refused),
        cmocka_unit_test(test_threads),      cmocka_unit_test(test_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

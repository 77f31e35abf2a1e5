/* A predictor gives, after any change, exactly what a fresh one gives, and works only for what has changed. */
#include "api/predictor.h"
#include "rcity_test.h"

#include <pthread.h>

#define POINT_COUNT 30
#define ROOM_BYTES  200000 /* of a predictor beside what its method takes */

static uint64_t seed = 20261113;

typedef struct world {
    rcity_context *context;
    rcity_scene *scene;
    rcity_device *device;
    rcity_antenna *antenna;
    double xyh_m[3 * POINT_COUNT];
} world;

static world open_world(int thread_count)
{
    world w;
    memset(&w, 0, sizeof w);
    w.context = test_context(thread_count);
    rcity_city_options options = rcity_city_options_default();
    options.kind = RCITY_CITY_CORE;
    options.seed = 3;
    options.area_km2 = 0.1;
    assert_ok(w.context, rcity_city_make(w.context, &options, &w.scene));
    assert_ok(w.context, rcity_device_open(w.context, "host", &w.device));
    assert_ok(w.context, rcity_antenna_create(w.context, "3gpp", &w.antenna));
    for (int i = 0; i < POINT_COUNT; i++) {
        w.xyh_m[3 * i] = test_uniform(seed, (uint64_t)(3 * i), 0.0, 300.0);
        w.xyh_m[3 * i + 1] = test_uniform(seed, (uint64_t)(3 * i + 1), 0.0, 300.0);
        w.xyh_m[3 * i + 2] = 1.5;
    }
    return w;
}

static void close_world(world *w)
{
    rcity_antenna_destroy(&w->antenna);
    test_close(&w->context, &w->scene, &w->device);
}

/* A mast of the world, above all roofs: models with ranges are extrapolated. */
static rcity_request ask(const world *w, const char *method, bool has_points)
{
    rcity_request request = rcity_request_default();
    request.method = method;
    request.range_policy = RCITY_RANGE_EXTRAPOLATE;
    request.receivers.cell_m = 45.0;
    request.receivers.point_count = has_points ? POINT_COUNT : 0;
    request.receivers.xyh_m = has_points ? w->xyh_m : NULL;
    rcity_transmitter *tx = &request.transmitter;
    tx->x_m = tx->y_m = 101.0;
    tx->height_m = 60.0;
    tx->is_absolute = true;
    tx->frequency_hz = 1.8e9;
    tx->power_dbm = 40.0;
    tx->antenna = w->antenna;
    tx->azimuth_deg = 30.0;
    return request;
}

static void assert_same_maps(const rcity_map *a, const rcity_map *b)
{
    rcity_raster raster = rcity_map_raster(a);
    size_t bytes = (size_t)(raster.column_count * raster.row_count) * sizeof(float);
    assert_int_equal(rcity_map_band_count(a), rcity_map_band_count(b));
    for (int i = 0; i < rcity_map_band_count(a); i++) {
        rcity_band left, right;
        assert_int_equal(rcity_map_get_band(a, i, &left), RCITY_OK);
        assert_int_equal(rcity_map_get_band(b, i, &right), RCITY_OK);
        assert_string_equal(left.name, right.name);
        assert_memory_equal(left.value, right.value, bytes);
    }
    const char *key[2], *value[2];
    for (int i = 0;; i++) {
        bool has_left = rcity_map_get_note(a, i, &key[0], &value[0]) == RCITY_OK;
        bool has_right = rcity_map_get_note(b, i, &key[1], &value[1]) == RCITY_OK;
        assert_int_equal(has_left, has_right);
        if (!has_left) {
            break;
        }
        assert_string_equal(key[0], key[1]);
        assert_string_equal(value[0], value[1]);
    }
}

/* The map or the losses of the predictor are those of a fresh prediction. */
static void assert_fresh(const world *w, rcity_predictor *predictor, int index, const rcity_request *request)
{
    if (request->receivers.point_count == 0) {
        rcity_map *kept = NULL;
        rcity_map *fresh = NULL;
        assert_ok(w->context, rcity_predictor_evaluate_raster(predictor, w->context, index, &kept));
        assert_ok(w->context, rcity_predict(w->context, w->scene, w->device, request, &fresh));
        assert_same_maps(kept, fresh);
        rcity_map_destroy(&kept);
        rcity_map_destroy(&fresh);
        return;
    }
    rcity_point_result results[POINT_COUNT];
    float loss_db[POINT_COUNT], received_dbm[POINT_COUNT];
    assert_ok(w->context, rcity_predictor_evaluate_points(predictor, w->context, index, sizeof results[0], results));
    assert_ok(w->context, rcity_predict_points(w->context, w->scene, w->device, request, loss_db, received_dbm));
    for (int i = 0; i < POINT_COUNT; i++) {
        assert_memory_equal(&results[i].loss_db, &loss_db[i], sizeof(float));
        assert_memory_equal(&results[i].received_dbm, &received_dbm[i], sizeof(float));
        assert_int_equal(results[i].state == RCITY_RECEIVER_REACHED, !isnan(loss_db[i]));
    }
}

/* Another value of an option: the last of its words, or a number between its default and an end of its range. */
static void draw_value(const rcity_method_option *option, char value[64])
{
    if (option->choices != NULL) {
        const char *last = strrchr(option->choices, '|');
        snprintf(value, 64, "%s", last != NULL ? last + 1 : option->choices);
        if (strcmp(value, option->default_value) == 0 && last != NULL) {
            snprintf(value, 64, "%.*s", (int)strcspn(option->choices, "|"), option->choices);
        } else if (strcmp(value, option->default_value) == 0) { /* its only word: a number besides */
            snprintf(value, 64, "%.9g", fmin(fmax(option->minimum, 100.0), option->maximum));
        }
        return;
    }
    double number = strtod(option->default_value, NULL);
    double moved = number + 1.0 <= option->maximum ? number + 1.0 : option->minimum;
    snprintf(value, 64, "%.9g", moved);
}

/* Settings that keep a method quick, for those of them that it has: put before the option that is changed. */
#define QUICK_COUNT 4
static const char *const quick_name[QUICK_COUNT] = {"max-reflections", "max-diffractions", "tile-area-m2",
                                                    "loss-limit-db"};
static const char *const quick_value[QUICK_COUNT] = {"1", "1", "900", "75"};

static bool has_option(int method, const rcity_method_info *info, const char *name)
{
    rcity_method_option option;
    for (int i = 0; i < info->option_count && rcity_method_get_option(method, i, &option) == RCITY_OK; i++) {
        if (strcmp(option.name, name) == 0) {
            return true;
        }
    }
    return false;
}

/* Also what another option is refused without. */
static int list_quick(int method, const rcity_method_info *info, const char *changed, const char **name,
                      const char **value)
{
    int count = 0;
    for (int k = 0; k < QUICK_COUNT; k++) {
        if (has_option(method, info, quick_name[k])) {
            name[count] = quick_name[k];
            value[count++] = quick_value[k];
        }
    }
    if (strcmp(changed, "indoor") == 0 && has_option(method, info, "max-transmissions")) {
        name[count] = "max-transmissions";
        value[count++] = "1";
    }
    return count;
}

static bool costs_too_much(const char *method, const char *option)
{
    return strcmp(method, "images") == 0 && strncmp(option, "max-", 4) == 0;
}

/* Every option of every method, changed and changed back: weights trace nothing, and results are those of a fresh
   run. The short form takes each weight on a raster or at points, by turns. */
static void test_changed_options_equal_a_fresh_prediction(void **state)
{
    (void)state;
    world w = open_world(2);
    rcity_method_info info;
    long changed = 0;
    long weights = 0;
    for (int m = 0; rcity_method_get(m, &info) == RCITY_OK; m++) {
        for (int has_points = 0; has_points < 2; has_points++) {
            rcity_request request = ask(&w, info.name, has_points != 0);
            rcity_predictor *predictor = NULL;
            int index;
            assert_ok(w.context, rcity_predictor_open(w.context, w.scene, w.device, &request, &predictor));
            assert_ok(w.context, rcity_predictor_add_transmitter(predictor, w.context, &request.transmitter, &index));
            for (int i = 0; i < info.option_count; i++) {
                rcity_method_option option;
                assert_int_equal(rcity_method_get_option(m, i, &option), RCITY_OK);
                const char *name[QUICK_COUNT + 2];
                const char *value[QUICK_COUNT + 2];
                char drawn[64];
                draw_value(&option, drawn);
                bool is_refused = (strcmp(drawn, "add") == 0 && strcmp(option.name, "land-cover") == 0) ||
                                  (strcmp(option.name, "indoor") == 0 && has_points != 0) ||
                                  strcmp(option.name, "search") == 0; /* needs hills: test_terrain_rays_search.c */
                bool is_weight = (rcity_method_option_uses(m, i) & RCITY_OPTION_IS_WEIGHT) != 0;
                bool is_left_out = is_weight && (i + has_points) % 2 != 0 && !test_is_called_with("long");
                if (is_refused || is_left_out || costs_too_much(info.name, option.name)) {
                    continue;
                }
                int quick_count = list_quick(m, &info, option.name, name, value);
                name[quick_count] = option.name;
                value[quick_count] = drawn;
                request.option_count = quick_count + 1;
                request.option_name = name;
                request.option_value = value;
                rcity_status status = rcity_predictor_set_options(predictor, w.context, request.option_count - 1,
                                                                  request.option_name, request.option_value, NULL);
                assert_ok(w.context, status);
                rcity_point_result ignored[POINT_COUNT];
                rcity_map *map = NULL;
                if (has_points != 0) {
                    assert_ok(w.context,
                              rcity_predictor_evaluate_points(predictor, w.context, index, sizeof ignored[0], ignored));
                } else {
                    assert_ok(w.context, rcity_predictor_evaluate_raster(predictor, w.context, index, &map));
                }
                rcity_map_destroy(&map);
                rcity_predictor_effort before = rcity_predictor_get_effort(predictor);
                assert_ok(w.context, rcity_predictor_set_options(predictor, w.context, request.option_count,
                                                                 request.option_name, request.option_value, NULL));
                assert_fresh(&w, predictor, index, &request);
                rcity_predictor_effort after = rcity_predictor_get_effort(predictor);
                if (is_weight) {
                    assert_int_equal(after.trace_count, before.trace_count);
                    assert_int_equal(after.prepare_count, before.prepare_count);
                    weights++;
                }
                changed++;
            }
            rcity_predictor_close(&predictor);
        }
    }
    print_message("%ld options changed, %ld of them weights\n", changed, weights);
    assert_true(changed > 80 && weights > 60);
    close_world(&w);
}

/* What a transmitter's change costs: nothing for power, antenna and azimuth; a trace for a place. */
static void check_transmitter(world *w, const char *method, bool traces_frequency)
{
    rcity_request request = ask(w, method, false);
    static const char *const name = "max-reflections";
    static const char *const value = "1";
    request.option_count = traces_frequency ? 1 : 0;
    request.option_name = &name;
    request.option_value = &value;
    rcity_predictor *predictor = NULL;
    int index;
    assert_ok(w->context, rcity_predictor_open(w->context, w->scene, w->device, &request, &predictor));
    assert_ok(w->context, rcity_predictor_add_transmitter(predictor, w->context, &request.transmitter, &index));
    assert_fresh(w, predictor, index, &request);
    assert_int_equal(rcity_predictor_get_effort(predictor).trace_count, 1);
    for (int step = 0; step < 6; step++) {
        rcity_transmitter *tx = &request.transmitter;
        int64_t traced = rcity_predictor_get_effort(predictor).trace_count;
        switch (step) {
        case 0:
            tx->azimuth_deg = 200.0;
            tx->mechanical_tilt_deg = 8.0;
            break;
        case 1:
            tx->power_dbm = 31.0;
            tx->polarization = RCITY_POLARIZATION_HORIZONTAL;
            break;
        case 2:
            tx->antenna = NULL;
            break;
        case 3:
            tx->frequency_hz = 2.4e9;
            traced += traces_frequency ? 1 : 0;
            break;
        case 4:
            tx->x_m += 3.0;
            traced++;
            break;
        default:
            tx->height_m -= 2.0;
            traced++;
            break;
        }
        assert_ok(w->context, rcity_predictor_set_transmitter(predictor, w->context, index, tx));
        assert_fresh(w, predictor, index, &request);
        assert_int_equal(rcity_predictor_get_effort(predictor).trace_count, traced);
        assert_int_equal(rcity_predictor_get_effort(predictor).prepare_count, 1);
        assert_int_equal(rcity_predictor_get_effort(predictor).kept_count, 1);
    }
    rcity_predictor_close(&predictor);
}

static void test_a_changed_transmitter_costs_what_changed(void **state)
{
    (void)state;
    world w = open_world(2);
    check_transmitter(&w, "shadow", false);
    check_transmitter(&w, "images", true);
    close_world(&w);
}

/* Three sectors of one mast and one of another: two traces, made as one batch or one after the other. */
static void test_sectors_of_a_mast_share_a_trace(void **state)
{
    (void)state;
    world w = open_world(2);
    static const char *const methods[] = {"shadow", "images"};
    for (int m = 0; m < 2; m++) {
        rcity_request request = ask(&w, methods[m], true);
        for (int is_batch = 0; is_batch < 2; is_batch++) {
            rcity_predictor *predictor = NULL;
            int index[4];
            assert_ok(w.context, rcity_predictor_open(w.context, w.scene, w.device, &request, &predictor));
            for (int i = 0; i < 4; i++) {
                rcity_transmitter sector = request.transmitter;
                sector.azimuth_deg = 120.0 * i;
                sector.x_m += i == 3 ? 10.0 : 0.0;
                assert_ok(w.context, rcity_predictor_add_transmitter(predictor, w.context, &sector, &index[i]));
                assert_int_equal(index[i], i);
            }
            if (is_batch != 0) {
                assert_ok(w.context, rcity_predictor_trace(predictor, w.context));
                assert_int_equal(rcity_predictor_get_effort(predictor).trace_count, 2);
            }
            for (int i = 0; i < 4; i++) {
                rcity_request one = request;
                one.transmitter.azimuth_deg = 120.0 * i;
                one.transmitter.x_m += i == 3 ? 10.0 : 0.0;
                assert_fresh(&w, predictor, i, &one);
            }
            assert_int_equal(rcity_predictor_get_effort(predictor).trace_count, 2);
            assert_ok(w.context, rcity_predictor_remove_transmitter(predictor, w.context, 3));
            rcity_point_result results[POINT_COUNT];
            assert_status(w.context,
                          rcity_predictor_evaluate_points(predictor, w.context, 3, sizeof results[0], results),
                          RCITY_ERR_ARGUMENT);
            assert_message(w.context, "no transmitter of index 3");
            rcity_predictor_close(&predictor);
        }
    }
    close_world(&w);
}

static void test_new_receivers_are_prepared(void **state)
{
    (void)state;
    world w = open_world(1);
    rcity_request request = ask(&w, "shadow", false);
    rcity_predictor *predictor = NULL;
    int index;
    assert_ok(w.context, rcity_predictor_open(w.context, w.scene, w.device, &request, &predictor));
    assert_ok(w.context, rcity_predictor_add_transmitter(predictor, w.context, &request.transmitter, &index));
    assert_fresh(&w, predictor, index, &request);
    rcity_request points = ask(&w, "shadow", true);
    assert_ok(w.context, rcity_predictor_set_receivers(predictor, w.context, &points.receivers));
    assert_fresh(&w, predictor, index, &points);
    rcity_receivers bad = request.receivers;
    bad.cell_m = -1.0;
    assert_status(w.context, rcity_predictor_set_receivers(predictor, w.context, &bad), RCITY_ERR_ARGUMENT);
    assert_fresh(&w, predictor, index, &points); /* as it was */
    rcity_map *map = NULL;
    assert_status(w.context, rcity_predictor_evaluate_raster(predictor, w.context, index, &map), RCITY_ERR_ARGUMENT);
    assert_null(map);
    rcity_predictor_close(&predictor);
    close_world(&w);
}

/* What is refused changes nothing. */
static void test_refused_changes_leave_all_as_it_was(void **state)
{
    (void)state;
    world w = open_world(1);
    rcity_request request = ask(&w, "shadow", true);
    rcity_predictor *predictor = NULL;
    int index;
    assert_ok(w.context, rcity_predictor_open(w.context, w.scene, w.device, &request, &predictor));
    assert_ok(w.context, rcity_predictor_add_transmitter(predictor, w.context, &request.transmitter, &index));
    rcity_transmitter far = request.transmitter;
    far.x_m = 1e6;
    assert_status(w.context, rcity_predictor_set_transmitter(predictor, w.context, index, &far), RCITY_ERR_ARGUMENT);
    static const char *const name = "max-corners";
    static const char *const value = "2.5";
    assert_status(w.context, rcity_predictor_set_options(predictor, w.context, 1, &name, &value, NULL),
                  RCITY_ERR_ARGUMENT);
    assert_fresh(&w, predictor, index, &request);
    assert_status(w.context, rcity_predictor_set_transmitter(predictor, w.context, 7, &far), RCITY_ERR_ARGUMENT);
    assert_status(w.context, rcity_predictor_remove_transmitter(predictor, w.context, -1), RCITY_ERR_ARGUMENT);
    rcity_predictor_close(&predictor);
    request.method = "none such";
    assert_status(w.context, rcity_predictor_open(w.context, w.scene, w.device, &request, &predictor),
                  RCITY_ERR_ARGUMENT);
    assert_null(predictor);
    request.method = "shadow";
    rcity_map *map = NULL;
    request.receivers.point_count = 0;
    assert_ok(w.context, rcity_predictor_open(w.context, w.scene, NULL, &request, &predictor));
    assert_ok(w.context, rcity_predictor_add_transmitter(predictor, w.context, &request.transmitter, &index));
    assert_status(w.context, rcity_predictor_evaluate_raster(predictor, w.context, index, &map), RCITY_ERR_STATE);
    rcity_predictor_close(&predictor);
    close_world(&w);
}

/* Points say why they have no value, and whether they see the transmitter. */
static void test_points_say_why_they_are_empty(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    const test_box boxes[] = {
        {40.0, 40.0, 60.0, 60.0, 20.0}, {0.0, 0.0, 5.0, 5.0, 3.0}, {95.0, 95.0, 100.0, 100.0, 3.0}};
    rcity_scene *scene = test_scene(context, boxes, 3);
    rcity_device *device = NULL;
    assert_ok(context, rcity_device_open(context, "host", &device));
    const double xyh_m[] = {50.0, 50.0, 1.5, 50.0, 20.0, 1.5, 50.0, 80.0, 1.5, 50.0, 10.01, 10.0};
    rcity_request request = rcity_request_default();
    static const char *const names[] = {"max-reflections", "max-diffractions", "over-roofs", "ground", "roofs"};
    static const char *const values[] = {"0", "0", "off", "off", "off"};
    request.method = "images";
    request.option_count = 5;
    request.option_name = names;
    request.option_value = values;
    request.transmitter.x_m = 50.0;
    request.transmitter.y_m = 10.0;
    request.transmitter.height_m = 10.0;
    request.transmitter.frequency_hz = 1e9;
    request.receivers.point_count = 4;
    request.receivers.xyh_m = xyh_m;
    rcity_predictor *predictor = NULL;
    rcity_point_result results[4];
    int index;
    assert_ok(context, rcity_predictor_open(context, scene, device, &request, &predictor));
    assert_ok(context, rcity_predictor_add_transmitter(predictor, context, &request.transmitter, &index));
    assert_ok(context, rcity_predictor_evaluate_points(predictor, context, index, sizeof results[0], results));
    const rcity_receiver_state expected[] = {RCITY_RECEIVER_IN_BUILDING, RCITY_RECEIVER_REACHED, RCITY_RECEIVER_NO_PATH,
                                             RCITY_RECEIVER_NEAR_FIELD};
    const bool is_visible[] = {false, true, false, true};
    for (int i = 0; i < 4; i++) {
        assert_int_equal(results[i].state, expected[i]);
        assert_int_equal(results[i].is_visible, is_visible[i]);
        assert_int_equal(results[i].mechanism, i == 1 ? 0 : -1);
        assert_int_equal(isnan(results[i].loss_db), i != 1);
    }
    /* a caller whose struct ends sooner: rows lie closer, and nothing behind them is touched */
    float pairs[2 * 4 + 1];
    pairs[8] = 77.0f;
    rcity_point_result *narrow = (rcity_point_result *)(void *)pairs;
    assert_ok(context, rcity_predictor_evaluate_points(predictor, context, index, 2 * sizeof(float), narrow));
    assert_near((double)pairs[2], (double)results[1].loss_db, 0.0);
    assert_near((double)pairs[8], 77.0, 0.0);
    rcity_predictor_close(&predictor);
    test_close(&context, &scene, &device);
}

typedef struct thread_work {
    world *w;
    const rcity_request *request;
    rcity_predictor *predictor;
    int index;
    const rcity_map *expected;
    bool is_same;
} thread_work;

/* A thread with a context of its own: evaluates, and moves its own transmitter to and fro between. */
static void *run_thread(void *user)
{
    thread_work *work = user;
    rcity_context_options options = rcity_context_options_default();
    options.thread_count = 1;
    rcity_context *context = NULL;
    work->is_same = rcity_context_create(&options, &context) == RCITY_OK;
    for (int i = 0; i < 4 && work->is_same; i++) {
        rcity_transmitter moved = work->request->transmitter;
        moved.x_m += 5.0 + work->index;
        rcity_map *map = NULL;
        rcity_raster raster = rcity_map_raster(work->expected);
        size_t bytes = (size_t)(raster.column_count * raster.row_count) * sizeof(float);
        rcity_band left, right;
        work->is_same = rcity_predictor_evaluate_raster(work->predictor, context, work->index, &map) == RCITY_OK &&
                        rcity_map_get_band(map, 0, &left) == RCITY_OK &&
                        rcity_map_get_band(work->expected, 0, &right) == RCITY_OK &&
                        memcmp(left.value, right.value, bytes) == 0;
        rcity_map_destroy(&map);
        work->is_same = work->is_same &&
                        rcity_predictor_set_transmitter(work->predictor, context, work->index, &moved) == RCITY_OK &&
                        rcity_predictor_evaluate_raster(work->predictor, context, work->index, &map) == RCITY_OK &&
                        rcity_predictor_set_transmitter(work->predictor, context, work->index,
                                                        &work->request->transmitter) == RCITY_OK;
        rcity_map_destroy(&map);
    }
    rcity_context_destroy(&context);
    return NULL;
}

static void share_predictor(const char *method)
{
    world w = open_world(1);
    rcity_request request = ask(&w, method, false);
    const char *name[QUICK_COUNT];
    const char *value[QUICK_COUNT];
    rcity_method_info info;
    int m = 0;
    while (rcity_method_get(m, &info) == RCITY_OK && strcmp(info.name, method) != 0) {
        m++;
    }
    request.option_count = list_quick(m, &info, "", name, value);
    request.option_name = name;
    request.option_value = value;
    rcity_predictor *predictor = NULL;
    rcity_map *expected = NULL;
    thread_work work[2];
    pthread_t threads[2];
    assert_ok(w.context, rcity_predict(w.context, w.scene, w.device, &request, &expected));
    assert_ok(w.context, rcity_predictor_open(w.context, w.scene, w.device, &request, &predictor));
    for (int i = 0; i < 2; i++) {
        work[i] = (thread_work){&w, &request, predictor, 0, expected, false};
        assert_ok(w.context,
                  rcity_predictor_add_transmitter(predictor, w.context, &request.transmitter, &work[i].index));
    }
    for (int i = 0; i < 2; i++) {
        assert_int_equal(pthread_create(&threads[i], NULL, run_thread, &work[i]), 0);
    }
    for (int i = 0; i < 2; i++) {
        assert_int_equal(pthread_join(threads[i], NULL), 0);
        assert_true(work[i].is_same);
    }
    rcity_predictor_close(&predictor);
    rcity_map_destroy(&expected);
    close_world(&w);
}

static void test_two_threads_share_a_predictor(void **state)
{
    (void)state;
    share_predictor("shadow");
    share_predictor("tiles");
}

/* With little memory the oldest traces go; results stay. */
static void test_traces_make_room_for_others(void **state)
{
    (void)state;
    world w = open_world(1);
    rcity_request request = ask(&w, "shadow", false);
    request.receivers.cell_m = 2.0;
    uint64_t before = rcity_context_memory_used(w.context);
    rcity_map *map = NULL;
    assert_ok(w.context, rcity_predict(w.context, w.scene, w.device, &request, &map));
    rcity_map_destroy(&map);
    uint64_t peak = rcity_context_memory_peak(w.context) - before;
    rcity_context_options options = rcity_context_options_default();
    options.thread_count = 1;
    options.memory_bytes = 3 * peak;
    rcity_context *small = NULL;
    assert_int_equal(rcity_context_create(&options, &small), RCITY_OK);
    rcity_predictor *predictor = NULL;
    assert_ok(small, rcity_predictor_open(small, w.scene, w.device, &request, &predictor));
    for (int round = 0; round < 2; round++) {
        for (int i = 0; i < 8; i++) {
            rcity_request one = request;
            one.transmitter.x_m += 4.0 * i;
            int index = i;
            if (round == 0) {
                assert_ok(small, rcity_predictor_add_transmitter(predictor, small, &one.transmitter, &index));
            }
            rcity_map *fresh = NULL;
            assert_ok(small, rcity_predictor_evaluate_raster(predictor, small, index, &map));
            assert_ok(w.context, rcity_predict(w.context, w.scene, w.device, &one, &fresh));
            assert_same_maps(map, fresh);
            rcity_map_destroy(&map);
            rcity_map_destroy(&fresh);
        }
    }
    rcity_predictor_effort effort = rcity_predictor_get_effort(predictor);
    print_message("%lld of 8 traces kept, %lld made\n", (long long)effort.kept_count, (long long)effort.trace_count);
    assert_true(effort.kept_count < 8 && effort.trace_count > 8);
    rcity_predictor_close(&predictor);
    assert_int_equal(rcity_context_memory_used(small), 0);
    rcity_context_destroy(&small);
    close_world(&w);
}

static int estimate_calls;
static const rcity_method *estimated_method;

/* An `estimate` of a method that counts its calls. */
static rcity_status count_estimate(const rcity_job *job, uint64_t *memory_bytes, double *seconds)
{
    estimate_calls++;
    return estimated_method->estimate(job, memory_bytes, seconds);
}

/* The method is asked once for all transmitters, until an option or the receivers are others. */
static void test_an_estimate_is_kept(void **state)
{
    (void)state;
    world w = open_world(1);
    rcity_request request = ask(&w, "tiles", false);
    static const char *const names[] = {"tile-area-m2", "max-bounces"};
    static const char *const bounces[] = {"900", "1"};
    static const char *const areas[] = {"400", "1"};
    request.option_count = 1;
    request.option_name = names;
    request.option_value = bounces;
    rcity_predictor *predictor = NULL;
    rcity_estimate estimate[6];
    int index[2];
    assert_ok(w.context, rcity_predictor_open(w.context, w.scene, w.device, &request, &predictor));
    estimated_method = predictor->job.method;
    rcity_method counted = *estimated_method;
    counted.estimate = count_estimate;
    predictor->job.method = &counted;
    estimate_calls = 0;
    for (int i = 0; i < 2; i++) {
        rcity_transmitter tx = request.transmitter;
        tx.x_m += 20.0 * i;
        assert_ok(w.context, rcity_predictor_add_transmitter(predictor, w.context, &tx, &index[i]));
        assert_ok(w.context, rcity_predictor_estimate(predictor, w.context, index[i], &estimate[i]));
        assert_near(estimate[i].transmitter.x_m, tx.x_m, 0.0);
    }
    rcity_map *map = NULL;
    assert_ok(w.context, rcity_predictor_evaluate_raster(predictor, w.context, index[0], &map));
    rcity_map_destroy(&map);
    assert_int_equal(estimate_calls, 1);
    assert_int_equal(estimate[0].memory_bytes, estimate[1].memory_bytes);
    for (int i = 0; i < 3; i++) { /* the same options; a weight; tiles of another size */
        assert_ok(w.context, rcity_predictor_set_options(predictor, w.context, i == 0 ? 1 : 2, names,
                                                         i < 2 ? bounces : areas, NULL));
        assert_ok(w.context, rcity_predictor_estimate(predictor, w.context, index[0], &estimate[2 + i]));
        assert_int_equal(estimate_calls, 1 + i);
    }
    assert_int_equal(estimate[2].memory_bytes, estimate[0].memory_bytes);
    assert_true(estimate[3].memory_bytes < estimate[2].memory_bytes);
    assert_true(estimate[4].memory_bytes > estimate[3].memory_bytes);
    rcity_receivers points = ask(&w, "tiles", true).receivers;
    assert_ok(w.context, rcity_predictor_set_receivers(predictor, w.context, &points));
    assert_ok(w.context, rcity_predictor_estimate(predictor, w.context, index[1], &estimate[5]));
    assert_int_equal(estimate_calls, 4);
    assert_int_equal(estimate[5].receiver_count, POINT_COUNT);
    predictor->job.method = estimated_method;
    rcity_predictor_close(&predictor);
    close_world(&w);
}

/* What was prepared is part of every transmitter's estimate: memory for one is enough for many. */
static void test_what_is_prepared_counts_once(void **state)
{
    (void)state;
    world w = open_world(1);
    rcity_request request = ask(&w, "tiles", false);
    rcity_estimate estimate;
    rcity_context *small = NULL;
    rcity_predictor *predictor = NULL;
    assert_ok(w.context, rcity_predict_estimate(w.context, w.scene, &request, &estimate));
    rcity_context_options options = rcity_context_options_default();
    options.thread_count = 1;
    options.memory_bytes = estimate.memory_bytes + ROOM_BYTES;
    assert_int_equal(rcity_context_create(&options, &small), RCITY_OK);
    assert_ok(small, rcity_predictor_open(small, w.scene, w.device, &request, &predictor));
    for (int i = 0; i < 3; i++) {
        rcity_transmitter tx = request.transmitter;
        rcity_map *map = NULL;
        int index;
        tx.x_m += 20.0 * i;
        assert_ok(small, rcity_predictor_add_transmitter(predictor, small, &tx, &index));
        assert_ok(small, rcity_predictor_evaluate_raster(predictor, small, index, &map));
        rcity_map_destroy(&map);
    }
    assert_int_equal(rcity_predictor_get_effort(predictor).prepare_count, 1);
    assert_true(predictor->prepared_bytes > ROOM_BYTES);
    rcity_predictor_close(&predictor);
    assert_int_equal(rcity_context_memory_used(small), 0);
    rcity_context_destroy(&small);
    close_world(&w);
}

/* One call after another fails: nothing is lost, and what is there still works. */
static void test_failing_allocations_lose_nothing(void **state)
{
    (void)state;
    for (long fail_at = 1;; fail_at += 1 + fail_at / 24) {
        failing_allocator failing = {0, 0, 0};
        rcity_context *context = test_context_failing(&failing, 1);
        const test_box boxes[] = {{20.0, 20.0, 40.0, 40.0, 10.0}, {0.0, 0.0, 8.0, 8.0, 5.0}};
        rcity_scene *scene = test_scene(context, boxes, 2);
        rcity_device *device = NULL;
        assert_ok(context, rcity_device_open(context, "host", &device));
        rcity_request request = rcity_request_default();
        request.transmitter.x_m = 30.0;
        request.transmitter.y_m = 4.0;
        request.receivers.cell_m = 5.0;
        failing.fail_at = failing.call_count + fail_at;
        rcity_predictor *predictor = NULL;
        rcity_map *map = NULL;
        int index = 0;
        rcity_status status = rcity_predictor_open(context, scene, device, &request, &predictor);
        bool is_open = status == RCITY_OK;
        if (status == RCITY_OK) {
            status = rcity_predictor_add_transmitter(predictor, context, &request.transmitter, &index);
        }
        bool is_there = status == RCITY_OK;
        if (status == RCITY_OK) {
            status = rcity_predictor_trace(predictor, context);
        }
        if (status == RCITY_OK) {
            status = rcity_predictor_evaluate_raster(predictor, context, index, &map);
        }
        failing.fail_at = 0;
        assert_true(status == RCITY_OK || status == RCITY_ERR_MEMORY);
        assert_true((status == RCITY_OK) == (map != NULL));
        if (is_open && is_there && map == NULL) {
            assert_ok(context, rcity_predictor_evaluate_raster(predictor, context, index, &map));
        }
        rcity_map_destroy(&map);
        rcity_predictor_close(&predictor);
        test_close(&context, &scene, &device);
        assert_int_equal(failing.live_count, 0);
        if (status == RCITY_OK) {
            print_message("%ld allocations\n", fail_at - 1);
            assert_true(fail_at > 50);
            break;
        }
    }
}

TEST_SUITE(predictor)
{
    print_message("seed %llu\n", (unsigned long long)seed);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_changed_options_equal_a_fresh_prediction),
        cmocka_unit_test(test_a_changed_transmitter_costs_what_changed),
        cmocka_unit_test(test_sectors_of_a_mast_share_a_trace),
        cmocka_unit_test(test_new_receivers_are_prepared),
        cmocka_unit_test(test_refused_changes_leave_all_as_it_was),
        cmocka_unit_test(test_points_say_why_they_are_empty),
        cmocka_unit_test(test_two_threads_share_a_predictor),
        cmocka_unit_test(test_traces_make_room_for_others),
        cmocka_unit_test(test_an_estimate_is_kept),
        cmocka_unit_test(test_what_is_prepared_counts_once),
        cmocka_unit_test(test_failing_allocations_lose_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

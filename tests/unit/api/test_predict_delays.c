/* Predictions of delays: the stage that a method fills, in the hands of a predictor; what is refused, and with which
   words. The method of these tests is free space with one bin a cell, put under a predictor from inside. */
#include "rcity_test.h"

#include "api/predictor.h"
#include "result/delays_data.h"

#define BIN_S 2e-8

/* What the method of these tests is told to do. */
typedef struct trial {
    bool fails; /* after it has made delays */
    int evaluate_count, prepare_count;
} trial;

static trial told; /* a row has no place for it */

static rcity_status estimate(const rcity_job *job, uint64_t *memory_bytes, double *seconds)
{
    (void)job;
    *memory_bytes = 1000;
    *seconds = 0.0;
    return RCITY_OK;
}

static rcity_status prepare(const rcity_job *job, void **prepared)
{
    (void)job;
    *prepared = NULL;
    told.prepare_count++;
    return RCITY_OK;
}

static void release_prepared(rcity_context *context, void *prepared)
{
    (void)context;
    (void)prepared;
}

static rcity_status evaluate_delays(const rcity_job *job, const void *prepared, const void *trace, const rcity_tx *tx,
                                    int height_index, double bin_s, rcity_map *map, rcity_delays **delays)
{
    (void)prepared;
    (void)trace;
    const rcity_raster *raster = &job->raster;
    double height_m = job->receivers->height_m[height_index];
    told.evaluate_count++;
    float *loss_db = NULL;
    RCITY_TRY(rcity_delays_create(job->context, raster, rcity_scene_crs(job->scene), height_m, 0.0, bin_s, delays));
    if (map != NULL) {
        RCITY_TRY(rcity_map_add_band(map, RCITY_BAND_LOSS, "path_loss", "dB", "as told", height_m, &loss_db));
    }
    for (int64_t cell = 0; cell < raster->column_count * raster->row_count; cell++) {
        double x_m = raster->west_m + ((double)(cell % raster->column_count) + 0.5) * raster->cell_m;
        double y_m = raster->north_m - ((double)(cell / raster->column_count) + 0.5) * raster->cell_m;
        double distance_m = hypot(hypot(x_m - tx->position.x_m, y_m - tx->position.y_m), height_m - tx->position.z_m);
        const int32_t bin = (int32_t)(distance_m / 3e8 / bin_s);
        const float gain = (float)(1e-4 / (distance_m * distance_m));
        RCITY_TRY(rcity_delays_add_cell(*delays, cell, 1, &bin, &gain));
        if (map != NULL) {
            loss_db[cell] = -10.0f * log10f(gain);
        }
    }
    RCITY_TRY(rcity_notes_add(rcity_delays_notes(*delays), "cut_beams", "%d", 7));
    RCITY_TRY(rcity_progress(job->context, "delays", 1.0, 1.0));
    RCITY_CHECK(job->context, !told.fails, RCITY_ERR_STATE, "as told");
    return rcity_delays_finish(*delays);
}

typedef struct world {
    rcity_context *context;
    rcity_scene *scene;
    rcity_device *device;
    rcity_method row;
    rcity_predictor *predictor;
    int transmitter_index;
} world;

static const double heights_m[] = {1.5, 10.0};

static rcity_request ask(void)
{
    rcity_request request = rcity_request_default();
    request.method = "free-space";
    request.transmitter.x_m = request.transmitter.y_m = -20.0;
    request.transmitter.height_m = 30.0;
    request.transmitter.frequency_hz = 3e9;
    request.transmitter.name = "mast";
    request.transmitter.power_dbm = 30.0;
    request.receivers.height_count = 2;
    request.receivers.height_m = heights_m;
    return request;
}

static void open_scene(rcity_context *context, world *w)
{
    static const test_box boxes[] = {{0, 0, 20, 20, 10}};
    memset(w, 0, sizeof *w);
    told = (trial){.fails = false};
    w->context = context;
    w->scene = test_scene_in(context, "EPSG:32632", boxes, 1);
    assert_ok(context, rcity_device_open(context, "host", &w->device));
}

/* A predictor whose method serves delays. */
static rcity_status open_predictor(world *w)
{
    rcity_request request = ask();
    RCITY_TRY(rcity_predictor_open(w->context, w->scene, w->device, &request, &w->predictor));
    RCITY_TRY(rcity_predictor_add_transmitter(w->predictor, w->context, &request.transmitter, &w->transmitter_index));
    const rcity_method *like = w->predictor->job.method;
    w->row = (rcity_method){.info = like->info,
                            .options = like->options,
                            .estimate = estimate,
                            .prepare = prepare,
                            .release_prepared = release_prepared,
                            .evaluate_delays = evaluate_delays};
    w->row.info.serves |= RCITY_SERVES_DELAYS;
    w->predictor->job.method = &w->row;
    return RCITY_OK;
}

static void close_world(world *w)
{
    rcity_predictor_close(&w->predictor);
    test_close(&w->context, &w->scene, &w->device);
}

static rcity_status evaluate(world *w, int height_index, double bin_s, rcity_delays **delays)
{
    return rcity_predictor_evaluate_delays(w->predictor, w->context, w->transmitter_index, height_index, bin_s, NULL,
                                           delays);
}

static rcity_status evaluate_both(world *w, rcity_map **map, rcity_delays **delays)
{
    return rcity_predictor_evaluate_delays(w->predictor, w->context, w->transmitter_index, 0, BIN_S, map, delays);
}

static const char *note_of(const rcity_delays *delays, const char *wanted, int *place)
{
    const char *key = NULL;
    const char *value = NULL;
    for (*place = 0; rcity_delays_get_note(delays, *place, &key, &value) == RCITY_OK; (*place)++) {
        if (strcmp(key, wanted) == 0) {
            return value;
        }
    }
    return NULL;
}

static void test_delays_with_notes(void **state)
{
    (void)state;
    world w;
    int place = 0;
    int before = 0;
    rcity_delays *delays = NULL;
    rcity_delays_info info;
    rcity_delay_cell cell;
    open_scene(test_context(2), &w);
    assert_ok(w.context, open_predictor(&w));
    assert_ok(w.context, evaluate(&w, 1, BIN_S, &delays));
    rcity_predictor_close(&w.predictor); /* the delays do not need it any more */
    assert_ok(w.context, rcity_delays_describe(delays, &info));
    assert_true(info.rx_height_m == 10.0 && info.bin_s == BIN_S);
    assert_string_equal(info.crs, "EPSG:32632");
    assert_int_equal(info.raster.column_count, 4);
    assert_int_equal(info.entry_count, 16);
    assert_ok(w.context, rcity_delays_get_cell(delays, 12, &cell)); /* in the south-west, at (2.5, 2.5) */
    assert_int_equal(cell.bin[0], (int)(hypot(22.5 * sqrt(2.0), 20.0) / 3e8 / BIN_S));
    assert_string_equal(note_of(delays, "version", &place), rcity_version());
    assert_int_equal(place, 0);
    assert_string_equal(note_of(delays, "method", &place), "free-space");
    assert_string_equal(note_of(delays, "rx_height_m", &place), "1.5,10");
    assert_string_equal(note_of(delays, "tx_name", &before), "mast");
    assert_string_equal(note_of(delays, "cut_beams", &place), "7"); /* the method's own come last */
    assert_true(place > before && place == rcity_delays_note_count(delays) - 1);
    rcity_delays_destroy(&delays);
    close_world(&w);
}

/* The map comes from the same call of the method, with its notes, and the received power of a method that does not know
   antennas. */
static void test_map_beside_delays(void **state)
{
    (void)state;
    world w;
    rcity_delays *delays = NULL;
    rcity_map *map = NULL;
    rcity_band loss, power;
    rcity_delay_cell cell;
    open_scene(test_context(2), &w);
    assert_ok(w.context, open_predictor(&w));
    assert_ok(w.context, evaluate_both(&w, &map, &delays));
    assert_int_equal(told.evaluate_count, 1);
    rcity_predictor_close(&w.predictor);
    assert_int_equal(rcity_map_band_count(map), 2);
    assert_ok(w.context, rcity_map_get_band(map, 0, &loss));
    assert_ok(w.context, rcity_map_get_band(map, 1, &power));
    assert_string_equal(loss.name, "path_loss");
    assert_int_equal(power.kind, RCITY_BAND_POWER);
    assert_ok(w.context, rcity_delays_get_cell(delays, 12, &cell));
    assert_near(loss.value[12], -10.0 * log10((double)cell.gain[0]), 1e-4);
    assert_near(power.value[12], 30.0 - (double)loss.value[12], 1e-3);
    int place = 0;
    assert_string_equal(note_of(delays, "method", &place), "free-space");
    assert_string_equal(rcity_map_find_note(map, "tx_name"), "mast");
    assert_null(rcity_map_find_note(map, "cut_beams")); /* the delays' own */
    rcity_map_destroy(&map);
    rcity_delays_destroy(&delays);
    close_world(&w);
}

/* On failure the method's delays and the map go, and the caller's pointers are untouched. */
static void test_failure_leaves_nothing(void **state)
{
    (void)state;
    world w;
    rcity_delays *delays = NULL;
    open_scene(test_context(1), &w);
    assert_ok(w.context, open_predictor(&w));
    told.fails = true;
    uint64_t used = rcity_context_memory_used(w.context);
    assert_status(w.context, evaluate(&w, 0, BIN_S, &delays), RCITY_ERR_STATE);
    assert_message(w.context, "as told");
    rcity_map *map = NULL;
    assert_status(w.context, evaluate_both(&w, &map, &delays), RCITY_ERR_STATE);
    assert_true(delays == NULL && map == NULL);
    assert_true(rcity_context_memory_used(w.context) <= used + 1000); /* roofs of the raster stay */
    assert_status(w.context, rcity_predictor_evaluate_delays(w.predictor, w.context, 7, 0, BIN_S, NULL, &delays),
                  RCITY_ERR_ARGUMENT);
    assert_message(w.context, "no transmitter of index 7");
    close_world(&w);
}

/* What cannot be is refused before anything is prepared. */
static void test_refused_before_the_work(void **state)
{
    (void)state;
    world w;
    static const double xyh_m[3] = {30.0, 5.0, 1.5};
    static const double bins_s[] = {0.0, -2e-8, (double)NAN, (double)INFINITY, 1e-13, 0.01};
    rcity_delays *delays = NULL;
    rcity_receivers receivers = ask().receivers;
    open_scene(test_context(1), &w);
    assert_ok(w.context, open_predictor(&w));
    for (size_t i = 0; i < sizeof bins_s / sizeof bins_s[0]; i++) {
        assert_status(w.context, evaluate(&w, 0, bins_s[i], &delays), RCITY_ERR_ARGUMENT);
        assert_message(w.context, "must be 1e-12 to 0.001");
    }
    assert_status(w.context, evaluate(&w, 2, BIN_S, &delays), RCITY_ERR_ARGUMENT);
    assert_message(w.context, "no receiver height of index 2; the request has 2");
    assert_status(w.context, evaluate(&w, -1, BIN_S, &delays), RCITY_ERR_ARGUMENT);
    receivers.point_count = 1;
    receivers.xyh_m = xyh_m;
    assert_ok(w.context, rcity_predictor_set_receivers(w.predictor, w.context, &receivers));
    assert_status(w.context, evaluate(&w, 0, BIN_S, &delays), RCITY_ERR_ARGUMENT);
    assert_message(w.context, "delays are of a raster, and the request is for points");
    assert_int_equal(told.prepare_count, 0);
    assert_null(delays);
    close_world(&w);
}

/* The public calls, with the methods that there are. */
static void test_methods_that_do_not_serve_delays(void **state)
{
    (void)state;
    world w;
    rcity_method_info info;
    rcity_delays *delays = NULL;
    char servers[256];
    rcity_request request = ask();
    open_scene(test_context(1), &w);
    rcity_method_list_delay_servers(servers, sizeof servers);
    for (int i = 0; rcity_method_get(i, &info) == RCITY_OK; i++) {
        request.method = info.name;
        assert_int_equal((info.serves & RCITY_SERVES_DELAYS) != 0, strstr(servers, info.name) != NULL);
        if ((info.serves & RCITY_SERVES_DELAYS) == 0) {
            assert_status(w.context,
                          rcity_predict_delays(w.context, w.scene, w.device, &request, 0, BIN_S, NULL, &delays),
                          RCITY_ERR_UNSUPPORTED);
            assert_message(w.context, "does not serve delays");
            assert_message(w.context, servers[0] != '\0' ? servers : "no other does");
        }
    }
    request.method = "free-space";
    assert_status(w.context,
                  rcity_predict_delays(w.context, w.scene, w.device, &request, 0, (double)NAN, NULL, &delays),
                  RCITY_ERR_ARGUMENT);
    assert_message(w.context, "bins of delays are nan s wide");
    assert_status(w.context, rcity_predict_delays(w.context, w.scene, NULL, &request, 0, BIN_S, NULL, &delays),
                  RCITY_ERR_ARGUMENT);
    assert_message(w.context, "`device` is NULL");
    assert_null(delays);
    close_world(&w);
}

static void test_memory_gives_out(void **state)
{
    (void)state;
    rcity_status status = RCITY_ERR_MEMORY;
    for (long n = 1; status != RCITY_OK; n++) {
        world w;
        failing_allocator failing = {.fail_at = 0};
        open_scene(test_context_failing(&failing, 1), &w);
        rcity_delays *delays = NULL;
        rcity_map *map = NULL;
        failing.fail_at = failing.call_count + n;
        status = open_predictor(&w);
        if (status == RCITY_OK) {
            status = evaluate_both(&w, &map, &delays);
        }
        assert_true(status == RCITY_OK || status == RCITY_ERR_MEMORY);
        assert_int_equal(status == RCITY_OK, delays != NULL);
        assert_int_equal(status == RCITY_OK, map != NULL);
        failing.fail_at = 0;
        rcity_map_destroy(&map);
        rcity_delays_destroy(&delays);
        close_world(&w);
        assert_int_equal(failing.live_count, 0);
        assert_true(n < 500);
    }
}

TEST_SUITE(predict_delays)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_delays_with_notes),
        cmocka_unit_test(test_map_beside_delays),
        cmocka_unit_test(test_failure_leaves_nothing),
        cmocka_unit_test(test_refused_before_the_work),
        cmocka_unit_test(test_methods_that_do_not_serve_delays),
        cmocka_unit_test(test_memory_gives_out),
    };
    return cmocka_run_group_tests_name("predict_delays", tests, NULL, NULL);
}

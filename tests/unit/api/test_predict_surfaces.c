/* Predictions on surfaces: the stage that a method fills, in the hands of a predictor; what is refused, and with which
   words. The method of these tests is free space with three tiles, put under a predictor from inside. */
#include "rcity_test.h"

#include "api/predictor.h"
#include "result/surfaces_data.h"

#define TILE_COUNT 3

/* What the method of these tests is told to do. */
typedef struct trial {
    bool fails;         /* after it has made surfaces */
    int64_t tile_count; /* that it estimates */
    int evaluate_count;
} trial;

static trial told; /* a row has no place for it */

static rcity_status count_tiles(const rcity_job *job, int64_t *tile_count)
{
    (void)job;
    *tile_count = told.tile_count;
    return RCITY_OK;
}

static rcity_status estimate(const rcity_job *job, uint64_t *memory_bytes, double *seconds)
{
    (void)job;
    *memory_bytes = 1000;
    *seconds = 0.0;
    return RCITY_OK;
}

static rcity_status evaluate_surfaces(const rcity_job *job, const void *prepared, const void *trace, const rcity_tx *tx,
                                      rcity_surfaces **surfaces)
{
    (void)prepared;
    (void)trace;
    assert_null(job->roof_m); /* of rasters */
    told.evaluate_count++;
    const rcity_surfaces_setup setup = {.transmitter = tx->position,
                                        .frequency_hz = tx->stated.frequency_hz,
                                        .crs = rcity_scene_crs(job->scene),
                                        .tile_count = TILE_COUNT};
    float *loss_db = NULL;
    float *mechanism = NULL;
    RCITY_TRY(rcity_surfaces_create(job->context, &setup, surfaces));
    RCITY_TRY(rcity_surfaces_add_band(*surfaces, RCITY_BAND_LOSS, "path_loss", "dB", "in free space", &loss_db));
    RCITY_TRY(rcity_surfaces_add_band(*surfaces, RCITY_BAND_CLASS, "mechanism", "", NULL, &mechanism));
    for (int i = 0; i < TILE_COUNT; i++) {
        rcity_surface_tile *tile = &rcity_surfaces_edit_tiles(*surfaces)[i];
        *tile = (rcity_surface_tile){.centre = {10.0 * i, 0.0, 0.0}, .kind = RCITY_SURFACE_GROUND, .building_id = -1};
        loss_db[i] = (float)(20.0 * log10(1.0 + 10.0 * i) + tx->stated.frequency_hz * 1e-9);
        mechanism[i] = 0.0f;
    }
    const rcity_mechanism known[] = {RCITY_MECHANISM_DIRECT, RCITY_MECHANISM_REFLECTION};
    rcity_method row = *job->method;
    row.mechanism_count = 2;
    row.mechanisms = known;
    RCITY_TRY(rcity_method_name_surface_mechanisms(&row, *surfaces));
    RCITY_TRY(rcity_notes_add(rcity_surfaces_notes(*surfaces), "dropped_walls", "%d", 7));
    RCITY_TRY(rcity_progress(job->context, "tiles", 1.0, 1.0));
    RCITY_CHECK(job->context, !told.fails, RCITY_ERR_STATE, "as told");
    return RCITY_OK;
}

typedef struct world {
    rcity_context *context;
    rcity_scene *scene;
    rcity_device *device;
    rcity_method row;
    rcity_predictor *predictor;
    int transmitter_index;
} world;

static rcity_request ask(void)
{
    rcity_request request = rcity_request_default();
    request.method = "free-space";
    request.transmitter.x_m = request.transmitter.y_m = -20.0;
    request.transmitter.height_m = 30.0;
    request.transmitter.frequency_hz = 3e9;
    request.transmitter.name = "mast";
    return request;
}

static void open_scene(rcity_context *context, world *w)
{
    static const test_box boxes[] = {{0, 0, 20, 20, 10}};
    memset(w, 0, sizeof *w);
    told = (trial){.tile_count = TILE_COUNT};
    w->context = context;
    w->scene = test_scene_in(context, "EPSG:32632", boxes, 1);
    assert_ok(context, rcity_device_open(context, "host", &w->device));
}

/* A predictor whose method serves surfaces. */
static rcity_status open_predictor(world *w)
{
    rcity_request request = ask();
    rcity_receivers receivers = rcity_receivers_default();
    receivers.on_surfaces = true;
    RCITY_TRY(rcity_predictor_open(w->context, w->scene, w->device, &request, &w->predictor));
    RCITY_TRY(rcity_predictor_add_transmitter(w->predictor, w->context, &request.transmitter, &w->transmitter_index));
    const rcity_method *like = w->predictor->job.method;
    w->row = (rcity_method){.info = like->info,
                            .options = like->options,
                            .estimate = estimate,
                            .count_tiles = count_tiles,
                            .evaluate_surfaces = evaluate_surfaces};
    w->row.info.serves |= RCITY_SERVES_SURFACES;
    w->predictor->job.method = &w->row;
    return rcity_predictor_set_receivers(w->predictor, w->context, &receivers);
}

static void close_world(world *w)
{
    rcity_predictor_close(&w->predictor);
    test_close(&w->context, &w->scene, &w->device);
}

static const char *note_of(const rcity_surfaces *surfaces, const char *wanted, int *place)
{
    const char *key = NULL;
    const char *value = NULL;
    for (*place = 0; rcity_surfaces_get_note(surfaces, *place, &key, &value) == RCITY_OK; (*place)++) {
        if (strcmp(key, wanted) == 0) {
            return value;
        }
    }
    return NULL;
}

static void test_surfaces_with_notes(void **state)
{
    (void)state;
    world w;
    int place = 0;
    int before = 0;
    rcity_band band;
    rcity_surfaces *surfaces = NULL;
    open_scene(test_context(2), &w);
    assert_ok(w.context, open_predictor(&w));
    assert_ok(w.context, rcity_predictor_evaluate_surfaces(w.predictor, w.context, w.transmitter_index, &surfaces));
    rcity_predictor_close(&w.predictor); /* the surfaces do not need it any more */
    assert_int_equal(rcity_surfaces_tile_count(surfaces), TILE_COUNT);
    assert_string_equal(rcity_surfaces_crs(surfaces), "EPSG:32632");
    assert_near(rcity_surfaces_transmitter(surfaces).z_m, 30.0, 0.0);
    assert_ok(w.context, rcity_surfaces_get_band(surfaces, 1, &band));
    assert_int_equal(band.class_count, RCITY_MECHANISM_REFLECTION + 1);
    assert_string_equal(band.class_names[RCITY_MECHANISM_REFLECTION], "by reflection");
    assert_string_equal(band.class_names[RCITY_MECHANISM_ROOF], "");
    assert_string_equal(note_of(surfaces, "version", &place), rcity_version());
    assert_int_equal(place, 0);
    assert_string_equal(note_of(surfaces, "method", &place), "free-space");
    assert_int_equal(strlen(note_of(surfaces, "scene_hash", &place)), 64);
    assert_string_equal(note_of(surfaces, "tx_name", &before), "mast");
    assert_string_equal(note_of(surfaces, "dropped_walls", &place), "7"); /* the method's own come last */
    assert_true(place > before && place == rcity_surfaces_note_count(surfaces) - 1);
    assert_null(note_of(surfaces, "cell_m", &place));
    assert_null(note_of(surfaces, "rx_height_m", &place));
    rcity_surfaces_destroy(&surfaces);
    close_world(&w);
}

static void test_estimate_counts_tiles(void **state)
{
    (void)state;
    world w;
    rcity_estimate few, many;
    rcity_surfaces *surfaces = NULL;
    open_scene(test_context(1), &w);
    assert_ok(w.context, open_predictor(&w));
    assert_ok(w.context, rcity_predictor_estimate(w.predictor, w.context, w.transmitter_index, &few));
    assert_int_equal(few.receiver_count, TILE_COUNT);
    assert_int_equal(few.raster.column_count, 0);
    rcity_predictor_close(&w.predictor);
    told.tile_count = 1000000;
    assert_ok(w.context, open_predictor(&w));
    assert_ok(w.context, rcity_predictor_estimate(w.predictor, w.context, w.transmitter_index, &many));
    assert_true(many.memory_bytes - few.memory_bytes > 1000000 * (sizeof(rcity_surface_tile) + sizeof(float)));
    rcity_predictor_close(&w.predictor);
    told.tile_count = (int64_t)1 << 50;
    assert_ok(w.context, open_predictor(&w));
    assert_status(w.context, rcity_predictor_evaluate_surfaces(w.predictor, w.context, w.transmitter_index, &surfaces),
                  RCITY_ERR_MEMORY);
    assert_message(w.context, "tiles of surfaces needs");
    assert_message(w.context, "use larger tiles or raise `memory`");
    assert_int_equal(told.evaluate_count, 0);
    assert_null(surfaces);
    close_world(&w);
}

/* On failure the method's surfaces go, and the caller's pointer is untouched. */
static void test_failure_leaves_nothing(void **state)
{
    (void)state;
    world w;
    rcity_surfaces *surfaces = NULL;
    open_scene(test_context(1), &w);
    assert_ok(w.context, open_predictor(&w));
    told.fails = true;
    uint64_t used = rcity_context_memory_used(w.context);
    assert_status(w.context, rcity_predictor_evaluate_surfaces(w.predictor, w.context, w.transmitter_index, &surfaces),
                  RCITY_ERR_STATE);
    assert_message(w.context, "as told");
    assert_null(surfaces);
    assert_int_equal(rcity_context_memory_used(w.context), used);
    assert_status(w.context, rcity_predictor_evaluate_surfaces(w.predictor, w.context, 7, &surfaces),
                  RCITY_ERR_ARGUMENT);
    assert_message(w.context, "no transmitter of index 7");
    close_world(&w);
}

static void test_one_kind_of_receivers_for_one_call(void **state)
{
    (void)state;
    world w;
    static const double xyh_m[3] = {30.0, 5.0, 1.5};
    rcity_surfaces *surfaces = NULL;
    rcity_map *map = NULL;
    rcity_point_result result;
    rcity_receivers receivers = rcity_receivers_default();
    open_scene(test_context(1), &w);
    assert_ok(w.context, open_predictor(&w));
    assert_status(w.context, rcity_predictor_evaluate_raster(w.predictor, w.context, 0, &map), RCITY_ERR_ARGUMENT);
    assert_message(w.context, "use rcity_predict_surfaces()");
    assert_status(w.context, rcity_predictor_evaluate_points(w.predictor, w.context, 0, sizeof result, &result),
                  RCITY_ERR_ARGUMENT);
    assert_message(w.context, "the request has no points");
    assert_ok(w.context, rcity_predictor_set_receivers(w.predictor, w.context, &receivers));
    assert_status(w.context, rcity_predictor_evaluate_surfaces(w.predictor, w.context, 0, &surfaces),
                  RCITY_ERR_ARGUMENT);
    assert_message(w.context, "the request is not for surfaces");
    receivers.on_surfaces = true;
    receivers.point_count = 1;
    receivers.xyh_m = xyh_m;
    assert_status(w.context, rcity_predictor_set_receivers(w.predictor, w.context, &receivers), RCITY_ERR_ARGUMENT);
    assert_message(w.context, "the request has points and is for surfaces");
    close_world(&w);
}

/* The public calls, with the methods that there are. */
static void test_requests_that_are_refused(void **state)
{
    (void)state;
    world w;
    rcity_method_info info;
    rcity_surfaces *surfaces = NULL;
    rcity_map *map = NULL;
    rcity_network_options options = rcity_network_options_default();
    char servers[256];
    rcity_request request = ask();
    open_scene(test_context(1), &w);
    assert_status(w.context, rcity_predict_surfaces(w.context, w.scene, w.device, &request, &surfaces),
                  RCITY_ERR_ARGUMENT);
    assert_message(w.context, "the request is not for surfaces");
    request.receivers.on_surfaces = true;
    assert_status(w.context, rcity_predict(w.context, w.scene, w.device, &request, &map), RCITY_ERR_ARGUMENT);
    assert_message(w.context, "use rcity_predict_surfaces()");
    assert_status(
        w.context,
        rcity_predict_network(w.context, w.scene, w.device, &request, 1, &request.transmitter, &options, &map),
        RCITY_ERR_ARGUMENT);
    assert_message(w.context, "use rcity_predict_surfaces() for each transmitter");
    rcity_method_list_surface_servers(servers, sizeof servers);
    for (int i = 0; rcity_method_get(i, &info) == RCITY_OK; i++) {
        request.method = info.name;
        assert_int_equal((info.serves & RCITY_SERVES_SURFACES) != 0, strstr(servers, info.name) != NULL);
        if ((info.serves & RCITY_SERVES_SURFACES) == 0) {
            assert_status(w.context, rcity_predict_surfaces(w.context, w.scene, w.device, &request, &surfaces),
                          RCITY_ERR_UNSUPPORTED);
            assert_message(w.context, "does not serve surfaces");
            assert_message(w.context, servers);
        }
    }
    assert_status(w.context, rcity_predict_surfaces(w.context, w.scene, NULL, &request, &surfaces), RCITY_ERR_ARGUMENT);
    assert_message(w.context, "`device` is NULL");
    assert_null(surfaces);
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
        rcity_surfaces *surfaces = NULL;
        failing.fail_at = failing.call_count + n;
        status = open_predictor(&w);
        if (status == RCITY_OK) {
            status = rcity_predictor_evaluate_surfaces(w.predictor, w.context, w.transmitter_index, &surfaces);
        }
        assert_true(status == RCITY_OK || status == RCITY_ERR_MEMORY);
        assert_int_equal(status == RCITY_OK, surfaces != NULL);
        failing.fail_at = 0;
        rcity_surfaces_destroy(&surfaces);
        close_world(&w);
        assert_int_equal(failing.live_count, 0);
        assert_true(n < 500);
    }
}

TEST_SUITE(predict_surfaces)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_surfaces_with_notes),       cmocka_unit_test(test_estimate_counts_tiles),
        cmocka_unit_test(test_failure_leaves_nothing),    cmocka_unit_test(test_one_kind_of_receivers_for_one_call),
        cmocka_unit_test(test_requests_that_are_refused), cmocka_unit_test(test_memory_gives_out),
    };
    return cmocka_run_group_tests_name("predict_surfaces", tests, NULL, NULL);
}

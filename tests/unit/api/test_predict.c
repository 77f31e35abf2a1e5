/* Predictions through the whole chain on the host: the formula, nodata, bands, notes, refusals, memory. */
#include "rcity_test.h"

typedef struct world {
    rcity_context *context;
    rcity_scene *scene;
    rcity_device *device;
} world;

static world make_world(int thread_count)
{
    world made = {test_context(thread_count), NULL, NULL};
    const test_box boxes[] = {{0, 0, 10, 10, 20}, {40, 40, 60, 60, 15}, {190, 290, 200, 300, 8}};
    made.scene = test_scene(made.context, boxes, 3);
    assert_ok(made.context, rcity_device_open(made.context, "host", &made.device));
    return made;
}

static void end_world(world *made)
{
    test_close(&made->context, &made->scene, &made->device);
}

static rcity_request make_request(void)
{
    rcity_request request = rcity_request_default();
    request.method = "free-space";
    request.transmitter.x_m = 30;
    request.transmitter.y_m = 30;
    request.transmitter.height_m = 25;
    request.transmitter.frequency_hz = 947e6;
    request.receivers.cell_m = 3;
    return request;
}

/* ITU-R P.525 in the form with numbers: 32.447783 + 20 log10(f in MHz) + 20 log10(d in km). */
static double formula_db(double frequency_mhz, double distance_m)
{
    return 32.447783 + 20.0 * log10(frequency_mhz) + 20.0 * log10(distance_m / 1000.0);
}

static void test_loss_map_follows_free_space_formula(void **state)
{
    (void)state;
    world made = make_world(2);
    rcity_request request = make_request();
    const double heights_m[] = {1.5, 17.0};
    request.receivers.height_count = 2;
    request.receivers.height_m = heights_m;
    rcity_map *map = NULL;
    assert_ok(made.context, rcity_predict(made.context, made.scene, made.device, &request, &map));
    assert_int_equal(rcity_map_band_count(map), 2);
    rcity_raster raster = rcity_map_raster(map);
    assert_int_equal(raster.column_count, 67);
    assert_int_equal(raster.row_count, 100);
    for (int plane = 0; plane < 2; plane++) {
        rcity_band band;
        assert_ok(made.context, rcity_map_get_band(map, plane, &band));
        assert_string_equal(band.name, "path_loss");
        assert_string_equal(band.unit, "dB");
        assert_near(band.rx_height_m, heights_m[plane], 0.0);
        for (int64_t cell = 0; cell < raster.column_count * raster.row_count; cell++) {
            double x = raster.west_m + raster.cell_m * ((double)(cell % raster.column_count) + 0.5);
            double y = raster.north_m - raster.cell_m * ((double)(cell / raster.column_count) + 0.5);
            rcity_cover cover;
            assert_ok(made.context, rcity_scene_get_cover(made.context, made.scene, x, y, &cover));
            bool is_indoors = cover.is_covered && cover.roof_m > heights_m[plane];
            assert_int_equal(isnan(band.value[cell]) != 0, is_indoors);
            if (!is_indoors) {
                double distance_m = sqrt((x - 30) * (x - 30) + (y - 30) * (y - 30) + pow(25 - heights_m[plane], 2));
                assert_near((double)band.value[cell], formula_db(947, distance_m), 0.001);
            }
        }
    }
    rcity_map_destroy(&map);
    end_world(&made);
}

static void test_line_of_sight(void **state)
{
    (void)state;
    world made = make_world(2);
    rcity_request request = make_request();
    static const char *const names[] = {"line-of-sight"};
    static const char *const values[] = {"exact"};
    request.option_count = 1;
    request.option_name = names;
    request.option_value = values;
    rcity_map *map = NULL;
    assert_ok(made.context, rcity_predict(made.context, made.scene, made.device, &request, &map));
    assert_int_equal(rcity_map_band_count(map), 2);
    rcity_band loss;
    rcity_band sight;
    assert_ok(made.context, rcity_map_get_band(map, 0, &loss));
    assert_ok(made.context, rcity_map_get_band(map, 1, &sight));
    assert_string_equal(sight.name, "line_of_sight");
    rcity_raster raster = rcity_map_raster(map);
    int seen = 0;
    int hidden = 0;
    for (int64_t cell = 0; cell < raster.column_count * raster.row_count; cell++) {
        if (isnan(sight.value[cell])) {
            assert_true(isnan(loss.value[cell]));
            continue;
        }
        rcity_point tx = {30, 30, 25};
        rcity_point rx = {raster.west_m + raster.cell_m * ((double)(cell % raster.column_count) + 0.5),
                          raster.north_m - raster.cell_m * ((double)(cell / raster.column_count) + 0.5), 1.5};
        bool is_free;
        assert_ok(made.context, rcity_scene_test_segment(made.context, made.scene, &tx, &rx, &is_free));
        assert_int_equal(sight.value[cell] == 1.0f, is_free);
        assert_int_equal(isnan(loss.value[cell]) == 0, is_free);
        seen += is_free;
        hidden += !is_free;
    }
    assert_true(seen > 1000 && hidden > 50);
    rcity_map_destroy(&map);
    end_world(&made);
}

static void test_map_notes_say_how_it_was_made(void **state)
{
    (void)state;
    world made = make_world(1);
    rcity_request request = make_request();
    rcity_map *map = NULL;
    assert_ok(made.context, rcity_predict(made.context, made.scene, made.device, &request, &map));
    const char *key;
    const char *value;
    int found = 0;
    for (int i = 0; rcity_map_get_note(map, i, &key, &value) == RCITY_OK; i++) {
        found += strcmp(key, "method") == 0 && strcmp(value, "free-space") == 0;
        found += strcmp(key, "frequency_mhz") == 0 && strcmp(value, "947") == 0;
        found += strcmp(key, "line_of_sight") == 0 && strcmp(value, "ignore") == 0;
        found += strcmp(key, "scene_hash") == 0 && strlen(value) == 64;
    }
    assert_int_equal(found, 4);
    rcity_map_destroy(&map);
    end_world(&made);
}

static void test_bad_method_options_and_place_are_refused(void **state)
{
    (void)state;
    world made = make_world(1);
    rcity_map *map = NULL;
    rcity_request request = make_request();
    request.method = "magic";
    assert_status(made.context, rcity_predict(made.context, made.scene, made.device, &request, &map),
                  RCITY_ERR_ARGUMENT);
    assert_message(made.context, "'magic'; there are: free-space");
    request = make_request();
    static const char *const names[] = {"bounces"};
    static const char *const values[] = {"3"};
    request.option_count = 1;
    request.option_name = names;
    request.option_value = values;
    assert_status(made.context, rcity_predict(made.context, made.scene, made.device, &request, &map),
                  RCITY_ERR_ARGUMENT);
    assert_message(made.context, "no option `bounces`; it has: `line-of-sight`");
    static const char *const known[] = {"line-of-sight"};
    request.option_name = known;
    assert_status(made.context, rcity_predict(made.context, made.scene, made.device, &request, &map),
                  RCITY_ERR_ARGUMENT);
    assert_message(made.context, "must be one of ignore|exact");
    request = make_request();
    request.transmitter.x_m = 50;
    request.transmitter.y_m = 50;
    request.transmitter.height_m = 14;
    assert_status(made.context, rcity_predict(made.context, made.scene, made.device, &request, &map),
                  RCITY_ERR_ARGUMENT);
    assert_message(made.context, "inside building 2");
    assert_null(map);
    end_world(&made);
}

static void test_memory_limit(void **state)
{
    (void)state;
    rcity_context_options options = rcity_context_options_default();
    options.memory_bytes = 2000000;
    rcity_context *context = NULL;
    assert_int_equal(rcity_context_create(&options, &context), RCITY_OK);
    const test_box boxes[] = {{0, 0, 10, 10, 20}, {1990, 1990, 2000, 2000, 15}};
    rcity_scene *scene = test_scene(context, boxes, 2);
    rcity_device *device = NULL;
    assert_ok(context, rcity_device_open(context, "host", &device));
    rcity_request request = make_request();
    rcity_map *map = NULL;
    request.receivers.cell_m = 2;
    assert_status(context, rcity_predict(context, scene, device, &request, &map), RCITY_ERR_MEMORY);
    assert_message(context, "1e+06 receivers needs 16.0 MB, the limit is 2.0 MB");
    request.receivers.cell_m = 0.01;
    assert_status(context, rcity_predict(context, scene, device, &request, &map), RCITY_ERR_MEMORY);
    rcity_estimate estimate;
    request.receivers.cell_m = 10;
    assert_ok(context, rcity_predict_estimate(context, scene, &request, &estimate));
    assert_int_equal(estimate.receiver_count, 40000);
    uint64_t before = rcity_context_memory_used(context);
    assert_ok(context, rcity_predict(context, scene, device, &request, &map));
    assert_true(rcity_context_memory_peak(context) - before <= estimate.memory_bytes + 10000); /* the estimate holds */
    rcity_map_destroy(&map);
    test_close(&context, &scene, &device);
}

static void test_loss_at_points_follows_the_formula(void **state)
{
    (void)state;
    world made = make_world(1);
    rcity_request request = make_request();
    const double xyh_m[] = {130, 30, 25, 30, 30, 1.5, 50, 50, 1.5, 50, 50, 20};
    request.receivers.point_count = 4;
    request.receivers.xyh_m = xyh_m;
    float loss_db[4] = {-1, -1, -1, -1};
    assert_ok(made.context, rcity_predict_points(made.context, made.scene, made.device, &request, loss_db, NULL));
    assert_near((double)loss_db[0], formula_db(947, 100), 0.001);
    assert_near((double)loss_db[1], formula_db(947, 23.5), 0.001);
    assert_true(isnan(loss_db[2]));    /* indoors */
    assert_true(isfinite(loss_db[3])); /* above the roof */
    const double bad[] = {130, 30, -1};
    request.receivers.point_count = 1;
    request.receivers.xyh_m = bad;
    loss_db[0] = 7;
    assert_status(made.context, rcity_predict_points(made.context, made.scene, made.device, &request, loss_db, NULL),
                  RCITY_ERR_ARGUMENT);
    assert_near((double)loss_db[0], 7.0, 0.0);
    end_world(&made);
}

static bool stop_at_once(void *user, const char *task, double done, double total)
{
    (void)user;
    (void)task;
    (void)done;
    (void)total;
    return false;
}

static void test_cancelled_prediction_leaves_no_map(void **state)
{
    (void)state;
    world made = make_world(1);
    rcity_context_options options = rcity_context_options_default();
    options.progress = stop_at_once;
    rcity_context *context = NULL;
    assert_int_equal(rcity_context_create(&options, &context), RCITY_OK);
    rcity_device *device = NULL;
    assert_ok(context, rcity_device_open(context, "host", &device));
    rcity_request request = make_request();
    rcity_map *map = NULL;
    assert_status(context, rcity_predict(context, made.scene, device, &request, &map), RCITY_ERR_CANCELLED);
    assert_null(map);
    rcity_device_close(&device);
    assert_int_equal(rcity_context_memory_used(context), 0);
    rcity_context_destroy(&context);
    end_world(&made);
}

TEST_SUITE(predict)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_loss_map_follows_free_space_formula),
        cmocka_unit_test(test_line_of_sight),
        cmocka_unit_test(test_map_notes_say_how_it_was_made),
        cmocka_unit_test(test_bad_method_options_and_place_are_refused),
        cmocka_unit_test(test_memory_limit),
        cmocka_unit_test(test_loss_at_points_follows_the_formula),
        cmocka_unit_test(test_cancelled_prediction_leaves_no_map),
    };
    return cmocka_run_group_tests_name("predict", tests, NULL, NULL);
}

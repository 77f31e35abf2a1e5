/* How the empirical methods run: the same bits on any number of threads, memory as estimated, memory that runs out. */
#include "empirical_world.h"

static rcity_status run_walfisch(rcity_context *context, int thread_count, rcity_map **map)
{
    (void)thread_count;
    rcity_scene *scene = NULL;
    rcity_device *device = NULL;
    rcity_city_options options = rcity_city_options_default();
    options.kind = RCITY_CITY_CORE;
    options.area_km2 = 0.1;
    rcity_request request = raster_request("walfisch-ikegami", 900e6, 20);
    request.transmitter.x_m = 150;
    request.transmitter.y_m = 150;
    request.transmitter.height_m = 45;
    request.range_policy = RCITY_RANGE_EXTRAPOLATE;
    rcity_status status = rcity_city_make(context, &options, &scene);
    if (status == RCITY_OK) {
        status = rcity_device_open(context, "host", &device);
    }
    if (status == RCITY_OK) {
        status = rcity_predict(context, scene, device, &request, map);
    }
    rcity_device_close(&device);
    rcity_scene_destroy(&scene);
    return status;
}

static void test_map_is_equal_for_any_thread_count(void **state)
{
    (void)state;
    rcity_map *first = NULL;
    rcity_context *first_context = test_context(1);
    assert_ok(first_context, run_walfisch(first_context, 1, &first));
    rcity_raster raster = rcity_map_raster(first);
    for (int threads = 2; threads <= 7; threads += 5) {
        rcity_context *context = test_context(threads);
        rcity_map *map = NULL;
        assert_ok(context, run_walfisch(context, threads, &map));
        for (int i = 0; i < 2; i++) {
            rcity_band a;
            rcity_band b;
            assert_ok(context, rcity_map_get_band(first, i, &a));
            assert_ok(context, rcity_map_get_band(map, i, &b));
            assert_memory_equal(a.value, b.value, (size_t)(raster.column_count * raster.row_count) * sizeof *a.value);
        }
        rcity_map_destroy(&map);
        rcity_context_destroy(&context);
    }
    rcity_map_destroy(&first);
    rcity_context_destroy(&first_context);
}

/* The estimate is a promise, for every method. */
static void test_prediction_memory_stays_within_its_estimate(void **state)
{
    (void)state;
    for (int c = 0; c < CASE_COUNT; c++) {
        world made;
        begin(&made, 2);
        rcity_request request = raster_request(cases[c].name, cases[c].frequency_hz, 25);
        request.range_policy = RCITY_RANGE_EXTRAPOLATE;
        request.receivers.cell_m = 2;
        rcity_estimate estimate;
        assert_ok(made.context, rcity_predict_estimate(made.context, made.scene, &request, &estimate));
        uint64_t before = rcity_context_memory_used(made.context);
        rcity_map *map = NULL;
        assert_ok(made.context, rcity_predict(made.context, made.scene, made.device, &request, &map));
        uint64_t taken = rcity_context_memory_peak(made.context) - before;
        print_message("%s: estimated %llu bytes, taken %llu\n", cases[c].name,
                      (unsigned long long)estimate.memory_bytes, (unsigned long long)taken);
        assert_true(taken <= estimate.memory_bytes + 10000);
        rcity_map_destroy(&map);
        end(&made);
    }
}

/* Everything again with memory that runs out at the n-th block. */
static rcity_status run_points(rcity_context *context)
{
    rcity_scene *scene = NULL;
    rcity_device *device = NULL;
    rcity_scene_options options = rcity_scene_options_default();
    const double xyh_m[] = {300, 50, 1.5, 500, 60, 1.5};
    float loss_db[2] = {-1.0f, -1.0f};
    rcity_request request = raster_request("walfisch-ikegami", 900e6, 20);
    request.receivers.point_count = 2;
    request.receivers.xyh_m = xyh_m;
    rcity_status status = rcity_scene_create(context, &options, &scene);
    for (int i = 0; i < 4 && status == RCITY_OK; i++) {
        const double xy_m[] = {boxes[i].x0_m, boxes[i].y0_m, boxes[i].x1_m, boxes[i].y0_m,
                               boxes[i].x1_m, boxes[i].y1_m, boxes[i].x0_m, boxes[i].y1_m};
        const int point_count[] = {4};
        rcity_building building = rcity_building_default();
        building.id = i;
        building.ring_count = 1;
        building.ring_point_count = point_count;
        building.xy_m = xy_m;
        building.height_m = boxes[i].height_m;
        status = rcity_scene_add_building(scene, &building);
    }
    if (status == RCITY_OK) {
        status = rcity_scene_commit(scene);
    }
    if (status == RCITY_OK) {
        status = rcity_device_open(context, "host", &device);
    }
    if (status == RCITY_OK) {
        status = rcity_predict_points(context, scene, device, &request, loss_db, NULL);
        assert_true((status == RCITY_OK) == (loss_db[0] > 0.0f));
    }
    rcity_device_close(&device);
    rcity_scene_destroy(&scene);
    return status;
}

static rcity_status run_raster(rcity_context *context)
{
    rcity_map *map = NULL;
    rcity_status status = run_walfisch(context, 2, &map);
    assert_true((status == RCITY_OK) == (map != NULL));
    rcity_map_destroy(&map);
    return status;
}

static void fail_every_allocation(rcity_status (*work)(rcity_context *context), long first, const char *name)
{
    long n = first - 1;
    bool has_failed;
    do {
        n++;
        failing_allocator failing = {n, 0, 0};
        rcity_context *context = test_context_failing(&failing, 2);
        rcity_status status = work(context);
        has_failed = failing.call_count >= n;
        assert_int_equal(status, has_failed ? RCITY_ERR_MEMORY : RCITY_OK);
        assert_int_equal(rcity_context_memory_used(context), 0);
        rcity_context_destroy(&context);
        assert_int_equal(failing.live_count, 0);
    } while (has_failed);
    print_message("%s: allocations %ld to %ld failed once each\n", name, first, n - 1);
    assert_true(n > first);
}

static void test_allocation_failure(void **state)
{
    (void)state;
    fail_every_allocation(run_points, 1, "points");
    /* making the city is tested elsewhere: begin shortly before the prediction does */
    failing_allocator counting = {0, 0, 0};
    rcity_context *context = test_context_failing(&counting, 2);
    assert_ok(context, run_raster(context));
    rcity_context_destroy(&context);
    fail_every_allocation(run_raster, counting.call_count - 60, "raster");
}

TEST_SUITE(empirical_run)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_map_is_equal_for_any_thread_count),
                                       cmocka_unit_test(test_prediction_memory_stays_within_its_estimate),
                                       cmocka_unit_test(test_allocation_failure)};
    return cmocka_run_group_tests_name("empirical_run", tests, NULL, NULL);
}

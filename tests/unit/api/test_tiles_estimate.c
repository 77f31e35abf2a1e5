/* What a dry run of `tiles` says of memory, held against the peak of the run: neither less nor half as much again. */
#include "base/base.h"
#include "munich.h"

#define RATIO_MAX   1.5
#define COUNT_ERROR 0.1

/* A prediction: a raster over all of a scene, with tiles of some area. */
static void check(const char *name, rcity_context *context, rcity_scene *scene, const char *tile_m2, double cell_m)
{
    const char *const names[] = {"tile-area-m2"};
    const char *const values[] = {tile_m2};
    rcity_scene_info info;
    rcity_estimate estimate;
    rcity_map *map = NULL;
    rcity_request request = rcity_request_default();
    assert_ok(context, rcity_scene_describe(scene, &info));
    request.method = "tiles";
    request.transmitter.x_m = 0.5 * (info.x_min_m + info.x_max_m);
    request.transmitter.y_m = 0.5 * (info.y_min_m + info.y_max_m);
    request.transmitter.height_m = 90.0;
    request.transmitter.frequency_hz = 2e9;
    request.receivers.cell_m = cell_m;
    request.option_count = 1;
    request.option_name = names;
    request.option_value = values;
    rcity_device *device = NULL;
    assert_ok(context, rcity_device_open(context, "host", &device));
    uint64_t before = rcity_context_memory_used(context);
    double start_s = rcity_clock_s();
    assert_ok(context, rcity_predict_estimate(context, scene, &request, &estimate));
    double estimate_s = rcity_clock_s() - start_s;
    assert_ok(context, rcity_predict(context, scene, device, &request, &map));
    double peak = (double)(rcity_context_memory_peak(context) - before);
    double ratio = (double)estimate.memory_bytes / peak;
    print_message("%s, tiles of %s m2: %.4g MB estimated in %.2g s, peak %.4g MB, ratio %.3f\n", name, tile_m2,
                  1e-6 * (double)estimate.memory_bytes, estimate_s, 1e-6 * peak, ratio);
    rcity_map_destroy(&map);
    rcity_device_close(&device);
    assert_true(ratio >= 1.0 && ratio <= RATIO_MAX);
}

/* One thread: lists of several grow differently from run to run. */
static void check_city(rcity_city_kind kind, double area_km2, const char *tile_m2, double cell_m)
{
    rcity_context *context = test_context(area_km2 < 1.0 ? 1 : 2);
    rcity_scene *scene = NULL;
    rcity_city_options options = rcity_city_options_default();
    options.kind = kind;
    options.area_km2 = area_km2;
    assert_ok(context, rcity_city_make(context, &options, &scene));
    check(rcity_city_kind_name(kind), context, scene, tile_m2, cell_m);
    test_close(&context, &scene, NULL);
}

static void test_the_peak_of_made_cities(void **state)
{
    (void)state;
    check_city(RCITY_CITY_CORE, 0.1, "100", 10.0);
    if (test_is_called_with("long")) {
        check_city(RCITY_CITY_GRID, 0.3, "100", 10.0);
        check_city(RCITY_CITY_CORE, 0.5, "100", 5.0); /* the town of `radiocity demo` */
        check_city(RCITY_CITY_HIGHRISE, 2.0, "100", 20.0);
        check_city(RCITY_CITY_CORE, 2.0, "100", 20.0);
    }
}

static void test_the_peak_of_munich(void **state)
{
    (void)state;
    static const char *const tiles_m2[] = {"400", "100"};
    for (int i = 0; test_is_called_with("long") && i < 2; i++) {
        rcity_scene *scene = NULL;
        rcity_context *context = test_munich_open(2, &scene);
        check("munich", context, scene, tiles_m2[i], 20.0);
        test_close(&context, &scene, NULL);
    }
}

/* A few blocks on terrain that reaches `margin_m` beyond them. */
static rcity_scene *make_town(rcity_context *context, double margin_m)
{
    rcity_scene *scene = NULL;
    rcity_scene_options options = rcity_scene_options_default();
    assert_ok(context, rcity_scene_create(context, &options, &scene));
    enum { BLOCKS = 6, PITCH_M = 50, NODE_M = 25, NODES_MOST = 200 };
    static float height_m[NODES_MOST * NODES_MOST];
    int nodes = (int)((BLOCKS * PITCH_M + 2.0 * margin_m) / NODE_M) + 1;
    assert_true(nodes <= NODES_MOST);
    for (int i = 0; i < nodes * nodes; i++) {
        height_m[i] = (float)test_uniform(7, (uint64_t)i, 0.0, 4.0);
    }
    rcity_terrain terrain = {nodes, nodes, -margin_m, -margin_m, NODE_M, height_m};
    assert_ok(context, rcity_scene_set_terrain(scene, &terrain));
    for (int i = 0; i < BLOCKS * BLOCKS; i++) {
        double x_m = i % BLOCKS * PITCH_M + 10.0;
        int row = i / BLOCKS;
        double y_m = row * PITCH_M + 10.0;
        test_add_box(context, scene, i + 1,
                     (test_box){x_m, y_m, x_m + 30.0, y_m + 30.0, test_uniform(8, (uint64_t)i, 8.0, 25.0)});
    }
    assert_ok(context, rcity_scene_commit(scene));
    return scene;
}

/* How many tiles a dry run counts, over how many the scene is cut into. */
static double count_tiles(const char *name, rcity_context *context, rcity_scene *scene, const char *axis_deg)
{
    const char *const names[] = {"tile-area-m2", "ground-axis-deg"};
    const char *const values[] = {"50", axis_deg};
    rcity_estimate estimate;
    rcity_tile_visibility_info made;
    rcity_request request = rcity_request_default();
    request.method = "tiles";
    request.transmitter.height_m = 90.0;
    request.receivers.on_surfaces = true;
    request.option_count = 2;
    request.option_name = names;
    request.option_value = values;
    assert_ok(context, rcity_predict_estimate(context, scene, &request, &estimate));
    rcity_tile_visibility_options options = rcity_tile_visibility_options_default();
    options.option_count = 2;
    options.option_name = names;
    options.option_value = values;
    options.only_tiles = true;
    rcity_device *device = NULL;
    assert_ok(context, rcity_device_open(context, "host", &device));
    assert_ok(context, rcity_tile_visibility_build(context, scene, device, &options, NULL, &made));
    rcity_device_close(&device);
    print_message("%s, ground at %s deg: %lld tiles estimated, %lld made, %lld of them ground\n", name, axis_deg,
                  (long long)estimate.receiver_count, (long long)made.tile_count, (long long)made.ground_tile_count);
    return (double)estimate.receiver_count / (double)made.tile_count;
}

/* Ground is cut around the buildings, however far the terrain reaches, and as far as it does. */
static void test_ground_is_counted_where_it_is_cut(void **state)
{
    (void)state;
    static const double margins_m[] = {25.0, 100.0, 2000.0};
    static const char *const axes_deg[] = {"0", "45", "-20"};
    for (int i = 0; i < 3; i++) {
        rcity_context *context = test_context(1);
        rcity_scene *scene = make_town(context, margins_m[i]);
        for (int k = 0; k < 3; k++) {
            char name[32];
            snprintf(name, sizeof name, "terrain of %g m", margins_m[i]);
            assert_near(count_tiles(name, context, scene, axes_deg[k]), 1.0, COUNT_ERROR);
        }
        test_close(&context, &scene, NULL);
    }
    rcity_context *context = test_context(1);
    const test_box boxes[] = {{0.0, 0.0, 60.0, 40.0, 10.0}, {250.0, 100.0, 280.0, 120.0, 12.0}};
    rcity_scene *scene = test_scene(context, boxes, 2);
    assert_near(count_tiles("flat ground", context, scene, "45"), 1.0, COUNT_ERROR);
    test_close(&context, &scene, NULL);
}

static void test_the_peak_on_wide_terrain(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    rcity_scene *scene = make_town(context, 2000.0);
    check("town on wide terrain", context, scene, "50", 40.0);
    test_close(&context, &scene, NULL);
}

TEST_SUITE(tiles_estimate)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_peak_of_made_cities),
        cmocka_unit_test(test_the_peak_on_wide_terrain),
        cmocka_unit_test(test_ground_is_counted_where_it_is_cut),
        cmocka_unit_test(test_the_peak_of_munich),
    };
    return cmocka_run_group_tests_name("tiles_estimate", tests, NULL, NULL);
}

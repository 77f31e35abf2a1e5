/* The method `cubes`: laws on simple scenes, every place hit, the same bits for any number of threads, bad input. */
#include "tiles_trial.h"

static const uint64_t seed = 20271121;

static ask ask_cubes(double x_m, double y_m, double height_m)
{
    ask made;
    memset(&made, 0, sizeof made);
    made.method = "cubes";
    made.tx = rcity_transmitter_default();
    made.tx.x_m = x_m;
    made.tx.y_m = y_m;
    made.tx.height_m = height_m;
    made.tx.frequency_hz = 1e9;
    ask_set(&made, "surroundings", "off");
    ask_set(&made, "over-roofs", "off");
    return made;
}

static rcity_map *map_of(rcity_context *context, const rcity_scene *scene, const ask *asked, double cell_m)
{
    rcity_device *device = NULL;
    rcity_map *map = NULL;
    rcity_request request = ask_request(asked, 0, NULL);
    request.receivers.cell_m = cell_m;
    assert_ok(context, rcity_device_open(context, "host", &device));
    assert_ok(context, rcity_predict(context, scene, device, &request, &map));
    rcity_device_close(&device);
    return map;
}

static double distance_m(const ask *asked, const double *xyh_m)
{
    return hypot(hypot(xyh_m[0] - asked->tx.x_m, xyh_m[1] - asked->tx.y_m), xyh_m[2] - asked->tx.height_m);
}

/* From low transmitters in an open place every receiver is hit, near and far, whatever the cubes. */
static void test_every_place_is_hit(void **state)
{
    static const char *const edges[] = {"1", "5", "17.3"};
    const test_box boxes[] = {{0.0, 0.0, 1.0, 1.0, 1.0}, {699.0, 499.0, 700.0, 500.0, 1.0}};
    double xyh_m[3 * 400];
    float loss_db[400];
    rcity_context *context = test_context(0);
    rcity_scene *scene = test_scene(context, boxes, 2);
    (void)state;
    print_message("seed %llu\n", (unsigned long long)seed);
    for (int k = 0; k < 3; k++) {
        ask asked = ask_cubes(30.0 + 111.0 * k, 40.0 + 97.0 * k, 6.0);
        ask_set(&asked, "cube-edge-m", edges[k]);
        for (int i = 0; i < 400; i++) {
            xyh_m[3 * i] = test_uniform(seed, (uint64_t)(1000 * k + 2 * i), 3.0, 697.0);
            xyh_m[3 * i + 1] = test_uniform(seed, (uint64_t)(1000 * k + 2 * i + 1), 3.0, 497.0);
            xyh_m[3 * i + 2] = 1.5 + 0.05 * i;
        }
        ask_points(context, scene, &asked, 400, xyh_m, loss_db, NULL);
        for (int i = 0; i < 400; i++) {
            double free_db = free_space_db(distance_m(&asked, &xyh_m[3 * i]), asked.tx.frequency_hz);
            assert_true((double)loss_db[i] > free_db - 0.01 && (double)loss_db[i] < free_db + 6.1);
        }
    }
    test_close(&context, &scene, NULL);
}

/* A screen hides the receiver; a long wall beside both mirrors the transmitter. */
static void test_a_wall_mirrors(void **state)
{
    const test_box boxes[] = {{-300.0, 40.0, 300.0, 50.0, 30.0}, {-5.0, -200.0, 5.0, 20.0, 30.0}};
    rcity_context *context = test_context(0);
    rcity_scene *scene = test_scene(context, boxes, 2);
    (void)state;
    for (int i = 0; i < 20; i++) {
        double tx_x = -test_uniform(seed, (uint64_t)(i * 4), 30.0, 60.0);
        double xyh_m[3] = {-tx_x, 0.0, 1.5};
        float loss_db;
        ask asked = ask_cubes(tx_x, 0.0, 5.0);
        ask_set(&asked, "max-vertical", "0");
        ask_set(&asked, "max-horizontal", "0");
        ask_set(&asked, "reflection-normal-db", "8");
        ask_set(&asked, "reflection-db", "1.5");
        ask_points(context, scene, &asked, 1, xyh_m, &loss_db, NULL);
        double plan_m = hypot(2.0 * tx_x, 80.0);
        double expected_db = free_space_db(hypot(plan_m, 3.5), 1e9) + 1.5 + 8.0 * 80.0 / plan_m;
        assert_near(loss_db, expected_db, 0.1); /* its direction is that of the nearest ray */
    }
    test_close(&context, &scene, NULL);
}

/* Over the edge of a screen: one knife edge, with the angle and the lengths of the string. */
static void test_a_roof_bends(void **state)
{
    const test_box boxes[] = {{0.0, -400.0, 0.5, 400.0, 20.0}};
    rcity_context *context = test_context(0);
    rcity_scene *scene = test_scene(context, boxes, 1);
    double xyh_m[3] = {60.0, 3.0, 1.5};
    float loss_db;
    (void)state;
    ask asked = ask_cubes(-80.0, 3.0, 10.0);
    ask_set(&asked, "max-horizontal", "2");
    ask_set(&asked, "max-vertical", "0");
    ask_points(context, scene, &asked, 1, xyh_m, &loss_db, NULL);
    double before_m = hypot(80.0, 10.0), after_m = hypot(59.5, 18.5);
    double angle = atan2(10.0, 80.0) + atan2(18.5, 59.5);
    double v = 2.0 * sin(0.5 * angle) * sqrt(2.0 * before_m * after_m / (before_m + after_m) * 1e9 / LIGHT);
    double edge_db = 6.9 + 20.0 * log10(sqrt((v - 0.1) * (v - 0.1) + 1.0) + v - 0.1);
    double expected_db = free_space_db(before_m + after_m, 1e9) + edge_db;
    assert_near(loss_db, expected_db, 0.3); /* the two edges of a thin screen are as one */
    test_close(&context, &scene, NULL);
}

/* The same bytes with one thread and with three; and twice. */
static void test_threads(void **state)
{
    rcity_map *maps[2];
    rcity_context *contexts[2];
    rcity_scene *scenes[2];
    (void)state;
    for (int k = 0; k < 2; k++) {
        rcity_city_options options = rcity_city_options_default();
        options.kind = RCITY_CITY_CORE;
        options.area_km2 = 0.1;
        options.seed = 5;
        contexts[k] = test_context(k == 0 ? 1 : 3);
        assert_ok(contexts[k], rcity_city_make(contexts[k], &options, &scenes[k]));
        ask asked = ask_cubes(150.0, 150.0, 28.0);
        asked.option_count = 0;
        ask_set(&asked, "max-vertical", "2");
        ask_set(&asked, "vertical-range-m", "150");
        asked.tx.height_m = 60.0;
        maps[k] = map_of(contexts[k], scenes[k], &asked, 5.0);
    }
    for (int i = 0; i < rcity_map_band_count(maps[0]); i++) {
        rcity_band one, three;
        rcity_raster raster = rcity_map_raster(maps[0]);
        assert_int_equal(rcity_map_get_band(maps[0], i, &one), RCITY_OK);
        assert_int_equal(rcity_map_get_band(maps[1], i, &three), RCITY_OK);
        assert_memory_equal(one.value, three.value,
                            (size_t)(raster.column_count * raster.row_count) * sizeof *one.value);
    }
    for (int k = 0; k < 2; k++) {
        rcity_map_destroy(&maps[k]);
        test_close(&contexts[k], &scenes[k], NULL);
    }
}

static void assert_refused(rcity_context *context, const rcity_scene *scene, const char *name, const char *value,
                           rcity_status expected, const char *words)
{
    rcity_device *device = NULL;
    float loss_db;
    const double xyh_m[3] = {50.0, 50.0, 1.5};
    ask asked = ask_cubes(-20.0, -20.0, 10.0);
    ask_set(&asked, name, value);
    rcity_request request = ask_request(&asked, 1, xyh_m);
    assert_ok(context, rcity_device_open(context, "host", &device));
    assert_status(context, rcity_predict_points(context, scene, device, &request, &loss_db, NULL), expected);
    assert_message(context, words);
    rcity_device_close(&device);
}

static void test_bad_input(void **state)
{
    const test_box boxes[] = {{0.0, 0.0, 40.0, 40.0, 20.0}, {3000.0, 3000.0, 3040.0, 3040.0, 20.0}};
    rcity_context_options options = rcity_context_options_default();
    rcity_context *context = NULL;
    options.memory_bytes = 64u << 20;
    assert_int_equal(rcity_context_create(&options, &context), RCITY_OK);
    rcity_scene *scene = test_scene(context, boxes, 2);
    (void)state;
    assert_refused(context, scene, "max-reflections", "1.5", RCITY_ERR_ARGUMENT, "must be a whole number");
    assert_refused(context, scene, "cube-edge-m", "0.1", RCITY_ERR_ARGUMENT, "cube-edge-m");
    assert_refused(context, scene, "cube-edge-m", "0.5", RCITY_ERR_MEMORY, "or raise `memory`");
    test_close(&context, &scene, NULL);
}

/* Each allocation fails once: nothing is lost. */
static void test_allocation(void **state)
{
    const test_box boxes[] = {{10.0, 10.0, 30.0, 30.0, 12.0}, {50.0, 0.0, 60.0, 40.0, 9.0}};
    const double xyh_m[6] = {40.0, 20.0, 1.5, 70.0, 10.0, 1.5};
    rcity_status status = RCITY_ERR_MEMORY;
    (void)state;
    for (long n = 1; status != RCITY_OK; n++) {
        failing_allocator failing = {0, 0, 0};
        rcity_context *context = test_context_failing(&failing, 1);
        rcity_scene *scene = test_scene(context, boxes, 2);
        rcity_device *device = NULL;
        float loss_db[2] = {-1.0f, -1.0f};
        ask asked = ask_cubes(5.0, 5.0, 6.0);
        asked.option_count = 0;
        ask_set(&asked, "vertical-range-m", "50");
        rcity_request request = ask_request(&asked, 2, xyh_m);
        assert_ok(context, rcity_device_open(context, "host", &device));
        failing.fail_at = failing.call_count + n;
        status = rcity_predict_points(context, scene, device, &request, loss_db, NULL);
        failing.fail_at = 0;
        assert_true(status == RCITY_OK || status == RCITY_ERR_MEMORY);
        assert_true(status == RCITY_OK || loss_db[0] == -1.0f);
        test_close(&context, &scene, &device);
    }
}

TEST_SUITE(cubes)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_place_is_hit), cmocka_unit_test(test_a_wall_mirrors),
        cmocka_unit_test(test_a_roof_bends),       cmocka_unit_test(test_threads),
        cmocka_unit_test(test_bad_input),          cmocka_unit_test(test_allocation),
    };
    return cmocka_run_group_tests_name("cubes", tests, NULL, NULL);
}

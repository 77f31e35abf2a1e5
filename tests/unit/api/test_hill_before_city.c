/* A hill between a mast and a city: in the methods of cities it costs within 1 dB what it costs over its profile. */
#include "rcity_test.h"

#include "kernel/surroundings/surroundings_ground.h"
#include "method/surroundings/built_up.h"

#define COLUMNS     201
#define ROWS        41
#define NODE_M      30.0
#define RIDGE_X_M   2000.0
#define POINT_COUNT 5

/* Houses from 4000 to 4600 m in the east, a ridge across the way to them. */
static rcity_scene *make_scene(rcity_context *context, double top_m)
{
    static float height_m[COLUMNS * ROWS];
    rcity_scene_options options = rcity_scene_options_default();
    rcity_scene *scene = NULL;
    for (int i = 0; i < COLUMNS * ROWS; i++) {
        double from_ridge = (NODE_M * (i % COLUMNS) - RIDGE_X_M) / 250.0;
        height_m[i] = (float)(top_m * exp(-from_ridge * from_ridge));
    }
    assert_ok(context, rcity_scene_create(context, &options, &scene));
    const rcity_terrain terrain = {.column_count = COLUMNS, .row_count = ROWS, .cell_m = NODE_M, .height_m = height_m};
    assert_ok(context, rcity_scene_set_terrain(scene, &terrain));
    for (int i = 0; i < 100; i++) {
        double x_m = 4000.0 + 60.0 * (i % 10);
        double y_m = 300.0 + 60.0 * (i / 10);
        test_add_box(context, scene, i + 1, (test_box){x_m, y_m, x_m + 40.0, y_m + 40.0, 12.0});
    }
    assert_ok(context, rcity_scene_commit(scene));
    return scene;
}

/* Losses at places before and in the city. */
static void predict(rcity_context *context, rcity_device *device, double top_m, const char *method, double loss_db[])
{
    static const double xyh_m[3 * POINT_COUNT] = {3500, 590,  1.5, 3900, 590,  1.5, 3990, 590,
                                                  1.5,  4050, 590, 1.5,  4290, 590, 1.5};
    rcity_scene *scene = make_scene(context, top_m);
    rcity_request request = rcity_request_default();
    float values[POINT_COUNT];
    request.method = method;
    request.transmitter.x_m = 300.0;
    request.transmitter.y_m = 600.0;
    request.transmitter.height_m = 30.0;
    request.transmitter.frequency_hz = 900e6;
    request.receivers.point_count = POINT_COUNT;
    request.receivers.xyh_m = xyh_m;
    assert_ok(context, rcity_predict_points(context, scene, device, &request, values, NULL));
    for (int i = 0; i < POINT_COUNT; i++) {
        loss_db[i] = (double)values[i];
    }
    rcity_scene_destroy(&scene);
}

static void test_a_hill_costs_before_a_city_too(void **state)
{
    (void)state;
    rcity_context *context = test_context(2);
    rcity_device *device = NULL;
    assert_ok(context, rcity_device_open(context, "host", &device));
    double with_db[POINT_COUNT], without_db[POINT_COUNT], profile_with_db[POINT_COUNT], profile_without_db[POINT_COUNT];
    predict(context, device, 100.0, "shadow", with_db);
    predict(context, device, 0.0, "shadow", without_db);
    predict(context, device, 100.0, "terrain", profile_with_db);
    predict(context, device, 0.0, "terrain", profile_without_db);
    for (int i = 0; i < POINT_COUNT; i++) {
        double cost_db = with_db[i] - without_db[i];
        double profile_db = profile_with_db[i] - profile_without_db[i];
        print_message("place %d: %.1f dB without the hill, over the profile %.1f; it costs %.1f, %.1f\n", i,
                      without_db[i], profile_without_db[i], cost_db, profile_db);
        assert_true(cost_db > 15.0);
        assert_near(cost_db, profile_db, 1.0);
    }
    rcity_device_close(&device);
    rcity_context_destroy(&context);
}

/* The strongest hill under a line is that of its profile; a plain has none. */
static void test_hills_under_lines(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    for (int has_ridge = 0; has_ridge < 2; has_ridge++) {
        rcity_scene *scene = make_scene(context, 100.0 * has_ridge);
        const rcity_shapes *shapes = rcity_scene_shapes(scene);
        rcity_built_up *built_up = NULL;
        const rcity_point mast = {300.0, 600.0, 30.0};
        const rcity_point place = {5000.0, 600.0, 1.5};
        rcity_grid_point3 from, at;
        assert_ok(context, rcity_built_up_create(context, shapes, &built_up));
        assert_ok(context, rcity_shapes_snap(context, shapes, &mast, &from));
        assert_ok(context, rcity_shapes_snap(context, shapes, &place, &at));
        rcity_surroundings_line *lines = malloc(rcity_built_up_node_count(built_up) * sizeof *lines);
        assert_non_null(lines);
        rcity_built_up_measure(context, built_up, from, lines);
        rcity_surroundings_line line = rcity_surroundings_line_at(
            &built_up->lattice, lines, rcity_surroundings_locate(&built_up->lattice, at.x, at.y));
        double rise_m = 100.0 - (30.0 + (1700.0 / 4700.0) * (10.0 - 30.0)); /* no roof is near: 10 m count */
        double root = rise_m * sqrt(2.0 * 4700.0 / (1700.0 * 3000.0));
        double v = root / sqrt(0.333);
        double edge_db = 6.9 + 20.0 * log10(sqrt((v - 0.1) * (v - 0.1) + 1.0) + v - 0.1);
        float found_db = rcity_surroundings_edge_db(line.hill_root_m, (float)(1.0 / sqrt(0.333)));
        if (has_ridge) {
            assert_near(line.hill_root_m, root, 0.02 * root);
            assert_near(line.hill_slope, 90.0 / 3000.0, 0.002);
            assert_near(found_db, edge_db, 0.2);
        } else {
            assert_true(line.hill_root_m < 0.0f);
            assert_near(line.hill_slope, 0.0, 0.0);
            assert_near(found_db, 0.0, 0.5);
            assert_near(rcity_surroundings_edge_db(RCITY_SURROUNDINGS_NO_HILL, 1.0f), 0.0, 0.0);
        }
        free(lines);
        rcity_built_up_destroy(context, &built_up);
        rcity_scene_destroy(&scene);
    }
    rcity_context_destroy(&context);
}

TEST_SUITE(hill_before_city)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_hill_costs_before_a_city_too),
        cmocka_unit_test(test_hills_under_lines),
    };
    return cmocka_run_group_tests_name("hill_before_city", tests, NULL, NULL);
}

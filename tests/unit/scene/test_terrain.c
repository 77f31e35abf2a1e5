/* Terrain: heights between nodes, buildings on it, and lines over it against clipping to every triangle. */
#include "rcity_test.h"

#define NODES  9
#define CELL_M 10.0

static rcity_scene *make_hills(rcity_context *context, uint64_t seed, float height_m[NODES * NODES])
{
    for (int i = 0; i < NODES * NODES; i++) {
        height_m[i] = (float)(int)(test_random(seed, (uint64_t)i) % 40);
    }
    rcity_scene_options options = rcity_scene_options_default();
    rcity_scene *scene = NULL;
    assert_ok(context, rcity_scene_create(context, &options, &scene));
    rcity_terrain terrain = {NODES, NODES, 100.0, 200.0, CELL_M, height_m};
    assert_ok(context, rcity_scene_set_terrain(scene, &terrain));
    assert_ok(context, rcity_scene_commit(scene));
    return scene;
}

/* Height on one triangle given by three corners, at a place. */
static double plane_height(const double corner[3][3], double x, double y)
{
    double ux = corner[1][0] - corner[0][0];
    double uy = corner[1][1] - corner[0][1];
    double vx = corner[2][0] - corner[0][0];
    double vy = corner[2][1] - corner[0][1];
    double det = ux * vy - uy * vx;
    double s = ((x - corner[0][0]) * vy - (y - corner[0][1]) * vx) / det;
    double t = (ux * (y - corner[0][1]) - uy * (x - corner[0][0])) / det;
    return corner[0][2] + s * (corner[1][2] - corner[0][2]) + t * (corner[2][2] - corner[0][2]);
}

/* Smallest clearance of the line over one triangle: clip it to the triangle's three sides, look at both ends. */
static double clearance_over(const double corner[3][3], rcity_point a, rcity_point b)
{
    double t0 = 0.0;
    double t1 = 1.0;
    for (int side = 0; side < 3; side++) {
        const double *p = corner[side];
        const double *q = corner[(side + 1) % 3];
        double ex = q[0] - p[0];
        double ey = q[1] - p[1];
        double at_a = ex * (a.y_m - p[1]) - ey * (a.x_m - p[0]);
        double at_b = ex * (b.y_m - p[1]) - ey * (b.x_m - p[0]);
        if (at_a < 0.0 && at_b < 0.0) {
            return HUGE_VAL;
        }
        if (at_a < 0.0 || at_b < 0.0) {
            double t = at_a / (at_a - at_b);
            t0 = at_a < 0.0 ? fmax(t0, t) : t0;
            t1 = at_b < 0.0 ? fmin(t1, t) : t1;
        }
    }
    if (t0 > t1) {
        return HUGE_VAL;
    }
    double least = HUGE_VAL;
    const double ends[2] = {t0, t1};
    for (int i = 0; i < 2; i++) {
        double x = a.x_m + ends[i] * (b.x_m - a.x_m);
        double y = a.y_m + ends[i] * (b.y_m - a.y_m);
        double z = a.z_m + ends[i] * (b.z_m - a.z_m);
        least = fmin(least, z - plane_height(corner, x, y));
    }
    return least;
}

static double clearance(const float *height_m, rcity_point a, rcity_point b)
{
    double least = HUGE_VAL;
    for (int row = 0; row + 1 < NODES; row++) {
        for (int column = 0; column + 1 < NODES; column++) {
            double x = 100.0 + CELL_M * column;
            double y = 200.0 + CELL_M * row;
            const float *south = height_m + row * NODES + column;
            double sw[3] = {x, y, (double)south[0]};
            double se[3] = {x + CELL_M, y, (double)south[1]};
            double nw[3] = {x, y + CELL_M, (double)south[NODES]};
            double ne[3] = {x + CELL_M, y + CELL_M, (double)south[NODES + 1]};
            double lower[3][3];
            double upper[3][3];
            memcpy(lower[0], sw, sizeof sw);
            memcpy(lower[1], se, sizeof se);
            memcpy(lower[2], ne, sizeof ne);
            memcpy(upper[0], sw, sizeof sw);
            memcpy(upper[1], ne, sizeof ne);
            memcpy(upper[2], nw, sizeof nw);
            least = fmin(least, fmin(clearance_over((const double(*)[3])lower, a, b),
                                     clearance_over((const double(*)[3])upper, a, b)));
        }
    }
    return least;
}

static void test_lines_over_terrain(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    long blocked_count = 0;
    long grazing_count = 0;
    for (uint64_t seed = 1; seed <= 10; seed++) {
        float height_m[NODES * NODES];
        rcity_scene *scene = make_hills(context, seed, height_m);
        for (uint64_t i = 0; i < 400; i++) {
            double step = i % 2 == 0 ? 2.5 : 1.0 / 128.0; /* half of them hit nodes and grid lines */
            rcity_point ends[2];
            for (int end = 0; end < 2; end++) {
                uint64_t draw = 5000 + i * 6 + (uint64_t)end * 3;
                ends[end].x_m = 100.0 + floor(test_uniform(seed, draw, -4.0, 84.0) / step) * step;
                ends[end].y_m = 200.0 + floor(test_uniform(seed, draw + 1, -4.0, 84.0) / step) * step;
                ends[end].z_m = floor(test_uniform(seed, draw + 2, 5.0, 60.0) * 4.0) / 4.0;
            }
            double least = clearance(height_m, ends[0], ends[1]);
            bool forth;
            bool back;
            assert_ok(context, rcity_scene_test_segment(context, scene, &ends[0], &ends[1], &forth));
            assert_ok(context, rcity_scene_test_segment(context, scene, &ends[1], &ends[0], &back));
            assert_int_equal(forth, back);
            if (fabs(least) < 1e-9) {
                grazing_count++;
            } else if (forth != (least > 0.0)) {
                print_error("seed %llu, line %llu: clearance %g, but the test says %s\n", (unsigned long long)seed,
                            (unsigned long long)i, least, forth ? "free" : "blocked");
                fail();
            }
            blocked_count += !forth;
        }
        rcity_scene_destroy(&scene);
    }
    print_message("4000 lines, %ld blocked, %ld grazing, seeds 1 to 10\n", blocked_count, grazing_count);
    assert_true(blocked_count > 800 && blocked_count < 3600);
    rcity_context_destroy(&context);
}

static void test_ground_height_is_exact_at_nodes(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    float height_m[NODES * NODES];
    rcity_scene *scene = make_hills(context, 3, height_m);
    double ground_m;
    for (int row = 0; row < NODES; row++) {
        for (int column = 0; column < NODES; column++) {
            assert_ok(context,
                      rcity_scene_get_ground(context, scene, 100.0 + CELL_M * column, 200.0 + CELL_M * row, &ground_m));
            assert_near(ground_m, (double)height_m[row * NODES + column], 0.0);
        }
    }
    /* on the diagonal the height is the mean of its ends */
    assert_ok(context, rcity_scene_get_ground(context, scene, 105.0, 205.0, &ground_m));
    assert_near(ground_m, 0.5 * ((double)height_m[0] + (double)height_m[NODES + 1]), 1e-12);
    assert_status(context, rcity_scene_get_ground(context, scene, 99.0, 205.0, &ground_m), RCITY_ERR_ARGUMENT);
    rcity_scene_destroy(&scene);
    rcity_context_destroy(&context);
}

/* A building on a slope stands on the lowest ground under it, and its roof counts from there. */
static void test_building_on_slope(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    float height_m[4] = {10.0f, 20.0f, 10.0f, 20.0f}; /* rises to the east, 1 in 10 */
    rcity_scene_options options = rcity_scene_options_default();
    rcity_scene *scene = NULL;
    assert_ok(context, rcity_scene_create(context, &options, &scene));
    rcity_terrain terrain = {2, 2, 0.0, 0.0, 100.0, height_m};
    assert_ok(context, rcity_scene_set_terrain(scene, &terrain));
    test_add_box(context, scene, 1, (test_box){40, 40, 60, 60, 12});
    assert_ok(context, rcity_scene_commit(scene));
    rcity_cover cover;
    assert_ok(context, rcity_scene_get_cover(context, scene, 50, 50, &cover));
    assert_true(cover.is_covered);
    assert_near(cover.roof_m, 14.0 + 12.0, 0.0);
    rcity_scene_destroy(&scene);

    assert_ok(context, rcity_scene_create(context, &options, &scene));
    assert_ok(context, rcity_scene_set_terrain(scene, &terrain));
    test_add_box(context, scene, 7, (test_box){90, 40, 110, 60, 12});
    assert_status(context, rcity_scene_commit(scene), RCITY_ERR_GEOMETRY);
    assert_message(context, "building 7");
    rcity_scene_destroy(&scene);
    rcity_context_destroy(&context);
}

/* Receivers on the ground itself see what receivers a little above it see: rounding must not bury them. */
static void test_receivers_on_the_ground(void **state)
{
    (void)state;
    rcity_context *context = test_context(2);
    rcity_city_options options = rcity_city_options_default();
    options.kind = RCITY_CITY_HILLS;
    options.seed = 3;
    options.area_km2 = 0.3;
    rcity_scene *scene = NULL;
    rcity_device *device = NULL;
    assert_ok(context, rcity_city_make(context, &options, &scene));
    assert_ok(context, rcity_device_open(context, "host", &device));
    static const char *const names[] = {"line-of-sight"};
    static const char *const values[] = {"exact"};
    int64_t seen[2];
    for (int i = 0; i < 2; i++) {
        const double height_m[] = {i == 0 ? 0.0 : 0.05};
        rcity_request request = rcity_request_default();
        request.method = "free-space";
        request.transmitter.x_m = 250;
        request.transmitter.y_m = 250;
        request.transmitter.height_m = 1000;
        request.receivers.cell_m = 7.3;
        request.receivers.height_m = height_m;
        request.option_count = 1;
        request.option_name = names;
        request.option_value = values;
        rcity_map *map = NULL;
        rcity_band_summary summary;
        assert_ok(context, rcity_predict(context, scene, device, &request, &map));
        assert_ok(context, rcity_map_summarize(context, map, 0, &summary));
        seen[i] = summary.value_count;
        rcity_map_destroy(&map);
    }
    assert_true(seen[1] > 1000);
    assert_int_equal(seen[0], seen[1]);
    test_close(&context, &scene, &device);
}

/* A point at the very height of the ground, wherever between two units it lies, sees what is above it. */
static void test_points_on_the_ground(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    float height_m[NODES * NODES];
    rcity_scene *scene = make_hills(context, 5, height_m);
    for (uint64_t i = 0; i < 2000; i++) {
        rcity_point foot = {100.0 + floor(test_uniform(7, 2 * i, 0.0, 80.0) * 128.0) / 128.0,
                            200.0 + floor(test_uniform(7, 2 * i + 1, 0.0, 80.0) * 128.0) / 128.0, 0.0};
        assert_ok(context, rcity_scene_get_ground(context, scene, foot.x_m, foot.y_m, &foot.z_m));
        rcity_point above = {foot.x_m, foot.y_m, foot.z_m + 50.0};
        rcity_point below = {foot.x_m, foot.y_m, foot.z_m - 0.05};
        bool is_free;
        assert_ok(context, rcity_scene_test_segment(context, scene, &foot, &above, &is_free));
        assert_true(is_free);
        assert_ok(context, rcity_scene_test_segment(context, scene, &below, &above, &is_free));
        assert_false(is_free);
    }
    rcity_scene_destroy(&scene);
    rcity_context_destroy(&context);
}

static void test_bad_terrain(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    rcity_scene_options options = rcity_scene_options_default();
    rcity_scene *scene = NULL;
    float height_m[4] = {0.0f, 0.0f, 0.0f, 0.0f};
    assert_ok(context, rcity_scene_create(context, &options, &scene));
    rcity_terrain terrain = {1, 2, 0.0, 0.0, 10.0, height_m};
    assert_status(context, rcity_scene_set_terrain(scene, &terrain), RCITY_ERR_ARGUMENT);
    terrain.column_count = 2;
    height_m[3] = NAN;
    assert_status(context, rcity_scene_set_terrain(scene, &terrain), RCITY_ERR_ARGUMENT);
    assert_message(context, "node (1, 1)");
    height_m[3] = -32768.0f;
    assert_status(context, rcity_scene_set_terrain(scene, &terrain), RCITY_ERR_ARGUMENT);
    height_m[3] = 0.0f;
    terrain.cell_m = 30.8741;
    assert_ok(context, rcity_scene_set_terrain(scene, &terrain));
    assert_status(context, rcity_scene_commit(scene), RCITY_ERR_ARGUMENT);
    assert_message(context, "multiple of 1/128");
    rcity_scene_destroy(&scene);
    rcity_context_destroy(&context);
}

TEST_SUITE(terrain)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ground_height_is_exact_at_nodes),
        cmocka_unit_test(test_lines_over_terrain),
        cmocka_unit_test(test_building_on_slope),
        cmocka_unit_test(test_receivers_on_the_ground),
        cmocka_unit_test(test_points_on_the_ground),
        cmocka_unit_test(test_bad_terrain),
    };
    return cmocka_run_group_tests_name("terrain", tests, NULL, NULL);
}

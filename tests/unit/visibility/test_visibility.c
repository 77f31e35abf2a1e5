/* Lines of sight through the public interface: points in metres, answers, metres, and what is said when they do not
   fit. */
#include "rcity_test.h"
#include "sight_cases.h"

#define LINE_COUNT 500

static rcity_device *open_host(rcity_context *context)
{
    rcity_device *device = NULL;
    assert_ok(context, rcity_device_open(context, "host", &device));
    return device;
}

/* Two houses, a park between them. */
static rcity_scene *make_street(rcity_context *context)
{
    rcity_scene_options options = rcity_scene_options_default();
    rcity_scene *scene = NULL;
    assert_ok(context, rcity_scene_create(context, &options, &scene));
    test_add_box(context, scene, 11, (test_box){10, 0, 20, 40, 12});
    test_add_box(context, scene, 22, (test_box){60, 0, 70, 40, 30});
    const double park_m[] = {30, 0, 50, 0, 50, 40, 30, 40};
    const int park_count = 4;
    rcity_vegetation park = {
        .id = 3, .ring_count = 1, .ring_point_count = &park_count, .xy_m = park_m, .height_m = 8.0};
    assert_ok(context, rcity_scene_add_vegetation(scene, &park));
    return scene;
}

static void test_lines_report_obstacles_walls_and_metres(void **state)
{
    (void)state;
    rcity_context *context = test_context(2);
    rcity_scene *scene = make_street(context);
    assert_ok(context, rcity_scene_commit(scene));
    rcity_device *device = open_host(context);
    rcity_visibility *visibility = NULL;
    assert_ok(context, rcity_visibility_open(context, scene, device, &visibility));
    const rcity_point from[] = {{0, 20, 5}, {80, 20, 20}, {25, 20, 2}, {65, 20, 40}};
    const rcity_point to[] = {{80, 20, 5}, {0, 20, 20}, {55, 20, 2}, {65, 20, 10}};
    rcity_line_measure measures[4];
    bool is_free[4];
    assert_ok(context, rcity_visibility_measure(visibility, 4, from, to, measures));
    assert_ok(context, rcity_visibility_test(visibility, 4, from, to, is_free));
    assert_int_equal(measures[0].hit_kind, RCITY_HIT_WALL);
    assert_int_equal(measures[0].building_id, 11);
    assert_near(measures[0].hit_m, 10.0, 1e-3);
    assert_int_equal(measures[0].wall_count, 4);
    assert_near(measures[0].buildings_m, 20.0, 1e-3);
    assert_near(measures[0].foliage_m, 20.0, 1e-3);
    assert_near(measures[0].length_m, 80.0, 1e-9);
    assert_int_equal(measures[1].building_id, 22);
    assert_near(measures[1].hit_m, 10.0, 1e-3);
    assert_int_equal(measures[1].wall_count, 2);
    assert_int_equal(measures[2].hit_kind, RCITY_HIT_NONE);
    assert_true(isnan(measures[2].hit_m) && measures[2].building_id == 0);
    assert_near(measures[2].foliage_m, 20.0, 1e-3);
    assert_int_equal(measures[3].hit_kind, RCITY_HIT_ROOF); /* straight down onto the higher house */
    assert_near(measures[3].hit_m, 10.0, 1e-3);
    assert_near(measures[3].buildings_m, 20.0, 1e-3);
    for (int i = 0; i < 4; i++) {
        assert_int_equal(is_free[i], measures[i].hit_kind == RCITY_HIT_NONE);
    }
    assert_string_equal(rcity_hit_kind_name(RCITY_HIT_GROUND), "ground");
    assert_null(rcity_hit_kind_name(RCITY_HIT_KIND_COUNT));
    assert_ok(context, rcity_visibility_test(visibility, 0, NULL, NULL, NULL));
    rcity_visibility_close(&visibility);
    assert_null(visibility);
    rcity_visibility_close(&visibility);
    rcity_visibility_close(NULL);
    test_close(&context, &scene, &device);
}

/* Many at once say what the plain test says one by one. */
static void test_many_lines_equal_single_tests(void **state)
{
    (void)state;
    rcity_context *context = test_context(2);
    rcity_scene *scene = sight_city(context, RCITY_CITY_HIGHRISE, 3, 0.1);
    rcity_scene_info info;
    assert_ok(context, rcity_scene_describe(scene, &info));
    static rcity_point from[LINE_COUNT];
    static rcity_point to[LINE_COUNT];
    static bool is_free[LINE_COUNT];
    for (uint64_t i = 0; i < LINE_COUNT; i++) {
        from[i].x_m = test_uniform(7, 6 * i, info.x_min_m, info.x_max_m);
        from[i].y_m = test_uniform(7, 6 * i + 1, info.y_min_m, info.y_max_m);
        from[i].z_m = test_uniform(7, 6 * i + 2, info.ground_min_m, info.ground_max_m + 100.0);
        to[i].x_m = test_uniform(7, 6 * i + 3, info.x_min_m, info.x_max_m);
        to[i].y_m = test_uniform(7, 6 * i + 4, info.y_min_m, info.y_max_m);
        to[i].z_m = test_uniform(7, 6 * i + 5, info.ground_min_m, info.ground_max_m + 100.0);
    }
    rcity_device *device = open_host(context);
    assert_ok(context, rcity_scene_test_segments(context, scene, device, LINE_COUNT, from, to, is_free));
    int free_count = 0;
    for (int i = 0; i < LINE_COUNT; i++) {
        bool expected = false;
        assert_ok(context, rcity_scene_test_segment(context, scene, &from[i], &to[i], &expected));
        assert_int_equal(is_free[i], expected);
        free_count += expected;
    }
    assert_true(free_count > LINE_COUNT / 20 && free_count < LINE_COUNT * 19 / 20);
    from[77].z_m = (double)NAN;
    to[200].x_m = 1e9;
    assert_status(context, rcity_scene_test_segments(context, scene, device, LINE_COUNT, from, to, is_free),
                  RCITY_ERR_ARGUMENT);
    assert_message(context, "line 77: the point (");
    test_close(&context, &scene, &device);
}

static void test_uncommitted_scene_is_refused(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    rcity_scene *scene = make_street(context);
    rcity_device *device = open_host(context);
    rcity_visibility *visibility = NULL;
    assert_status(context, rcity_visibility_open(context, scene, device, &visibility), RCITY_ERR_STATE);
    assert_null(visibility);
    test_close(&context, &scene, &device);
}

static void test_allocation_failure(void **state)
{
    (void)state;
    const rcity_point from = {0, 20, 5};
    const rcity_point to = {80, 20, 5};
    bool is_done = false;
    for (long n = 1; !is_done; n++) {
        failing_allocator failing = {.fail_at = 0};
        rcity_context *context = test_context_failing(&failing, 1);
        rcity_scene *scene = make_street(context);
        assert_ok(context, rcity_scene_commit(scene));
        rcity_device *device = open_host(context);
        long live_count = failing.live_count;
        bool is_free = true;
        failing.call_count = 0;
        failing.fail_at = n;
        rcity_status status = rcity_scene_test_segments(context, scene, device, 1, &from, &to, &is_free);
        failing.fail_at = 0;
        is_done = status == RCITY_OK;
        assert_true(is_done ? !is_free : status == RCITY_ERR_MEMORY);
        assert_int_equal(failing.live_count, live_count);
        test_close(&context, &scene, &device);
    }
}

TEST_SUITE(visibility)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lines_report_obstacles_walls_and_metres),
        cmocka_unit_test(test_many_lines_equal_single_tests),
        cmocka_unit_test(test_uncommitted_scene_is_refused),
        cmocka_unit_test(test_allocation_failure),
    };
    return cmocka_run_group_tests_name("visibility", tests, NULL, NULL);
}

/* Facades: known cases, then the area of all open walls against the lattice city. */
#include "lattice.h"

#include "scene/shapes.h"

static double facade_area(const rcity_scene *scene)
{
    const rcity_shapes *shapes = rcity_scene_shapes(scene);
    double area = 0.0;
    for (int64_t i = 0; i < shapes->facade_count; i++) {
        const rcity_facade *facade = &shapes->facades[i];
        area += hypot((double)facade->x2_m - (double)facade->x1_m, (double)facade->y2_m - (double)facade->y1_m) *
                ((double)facade->top_m - (double)facade->bottom_m);
    }
    return area;
}

static void test_two_houses(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    const test_box boxes[] = {{0, 0, 10, 10, 8}, {10, 0, 20, 10, 12}};
    rcity_scene *scene = test_scene(context, boxes, 2);
    rcity_scene_info info;
    assert_ok(context, rcity_scene_describe(scene, &info));
    assert_int_equal(info.wall_count, 8);
    assert_int_equal(info.outer_wall_count, 7); /* the lower one's wall is covered, the higher one's shows above */
    assert_int_equal(info.facade_count, 7);
    assert_near(facade_area(scene), 3 * 10 * 8 + 3 * 10 * 12 + 10 * 4, 1e-3);
    rcity_scene_destroy(&scene);
    rcity_context_destroy(&context);
}

/* A tower on a podium shows above its roof; a shed inside a hall does not show at all, but counts as outer. */
static void test_nested_buildings_show_only_above_roofs(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    const test_box boxes[] = {{0, 0, 40, 40, 10}, {10, 10, 20, 20, 30}, {25, 25, 30, 30, 5}};
    rcity_scene *scene = test_scene(context, boxes, 3);
    rcity_scene_info info;
    assert_ok(context, rcity_scene_describe(scene, &info));
    assert_int_equal(info.nested_building_count, 2);
    assert_int_equal(info.outer_wall_count, 12);
    assert_int_equal(info.exposed_wall_count, 8);
    assert_near(facade_area(scene), 160 * 10 + 40 * 20, 1e-3);
    rcity_scene_destroy(&scene);
    rcity_context_destroy(&context);
}

/* A hole along the outline is a notch: where the two run together there is no wall. */
static void test_hole_along_the_outline_is_a_notch(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    rcity_scene_options options = rcity_scene_options_default();
    rcity_scene *scene = NULL;
    assert_ok(context, rcity_scene_create(context, &options, &scene));
    const double xy_m[] = {0, 0, 10, 0, 10, 10, 0, 10, 10, 2, 10, 8, 4, 8, 4, 2};
    const int counts[] = {4, 4};
    rcity_building building = rcity_building_default();
    building.ring_count = 2;
    building.ring_point_count = counts;
    building.xy_m = xy_m;
    building.height_m = 10;
    assert_ok(context, rcity_scene_add_building(scene, &building));
    assert_ok(context, rcity_scene_commit(scene));
    assert_near(facade_area(scene), (30 + 4 + 3 * 6) * 10.0, 1e-3);
    rcity_point inside_notch = {7, 5, 1};
    rcity_point outside = {20, 5, 1};
    bool is_free;
    assert_ok(context, rcity_scene_test_segment(context, scene, &inside_notch, &outside, &is_free));
    assert_true(is_free);
    rcity_scene_destroy(&scene);
    rcity_context_destroy(&context);
}

/* Facades look outward: one step to the right of each lies in the open air just above its lower rim. */
static void test_facades_look_outward(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    lattice cells;
    rcity_scene *scene = lattice_make(context, 11, 15, &cells);
    const rcity_shapes *shapes = rcity_scene_shapes(scene);
    assert_true(shapes->facade_count > 10);
    for (int64_t i = 0; i < shapes->facade_count; i++) {
        const rcity_facade *facade = &shapes->facades[i];
        double dx = (double)facade->x2_m - (double)facade->x1_m;
        double dy = (double)facade->y2_m - (double)facade->y1_m;
        double length = hypot(dx, dy);
        double x = shapes->origin_x_m + 0.5 * ((double)facade->x1_m + (double)facade->x2_m) + 0.25 * dy / length;
        double y = shapes->origin_y_m + 0.5 * ((double)facade->y1_m + (double)facade->y2_m) - 0.25 * dx / length;
        rcity_cover outside;
        assert_ok(context, rcity_scene_get_cover(context, scene, x, y, &outside));
        assert_true(!outside.is_covered || outside.roof_m <= (double)facade->bottom_m);
    }
    rcity_scene_destroy(&scene);
    rcity_context_destroy(&context);
}

static void test_area_against_lattice(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    for (uint64_t seed = 1; seed <= 100; seed++) {
        lattice cells;
        rcity_scene *scene = lattice_make(context, seed, 3 + (int)(seed % 25), &cells);
        double expected = lattice_wall_area(&cells);
        double actual = facade_area(scene);
        if (fabs(actual - expected) > 1e-3) {
            print_error("seed %llu: facades have %.6g m2, the lattice %.6g\n", (unsigned long long)seed, actual,
                        expected);
            fail();
        }
        rcity_scene_destroy(&scene);
    }
    rcity_context_destroy(&context);
}

TEST_SUITE(facades)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_two_houses),
        cmocka_unit_test(test_nested_buildings_show_only_above_roofs),
        cmocka_unit_test(test_hole_along_the_outline_is_a_notch),
        cmocka_unit_test(test_facades_look_outward),
        cmocka_unit_test(test_area_against_lattice),
    };
    return cmocka_run_group_tests_name("facades", tests, NULL, NULL);
}

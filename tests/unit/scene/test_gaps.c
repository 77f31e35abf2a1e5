/* Closing small gaps: afterwards nothing passes between the buildings, and nothing else has changed. */
#include "rcity_test.h"

static rcity_scene *make(rcity_context *context, double gap_m, const test_box *boxes, int count)
{
    rcity_scene_options options = rcity_scene_options_default();
    options.gap_m = gap_m;
    rcity_scene *scene = NULL;
    assert_ok(context, rcity_scene_create(context, &options, &scene));
    for (int i = 0; i < count; i++) {
        test_add_box(context, scene, i + 1, boxes[i]);
    }
    assert_ok(context, rcity_scene_commit(scene));
    return scene;
}

static bool passes(rcity_context *context, const rcity_scene *scene, double x0, double y0, double x1, double y1)
{
    rcity_point a = {x0, y0, 1.0};
    rcity_point b = {x1, y1, 1.0};
    bool is_free;
    assert_ok(context, rcity_scene_test_segment(context, scene, &a, &b, &is_free));
    return is_free;
}

static void test_parallel_walls(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    const test_box boxes[] = {{0, 0, 20, 10, 10}, {0, 10.25, 20, 20, 10}};
    rcity_scene *scene = make(context, 0.5, boxes, 2);
    rcity_scene_info info;
    assert_ok(context, rcity_scene_describe(scene, &info));
    assert_int_equal(info.repair_count[RCITY_REPAIR_CLOSED_GAPS], 2);
    assert_int_equal(info.repair_count[RCITY_REPAIR_KEPT_GAPS], 0);
    assert_false(passes(context, scene, -5, 10.125, 25, 10.125));
    assert_int_equal(info.outer_wall_count, 6); /* the two that face each other are covered: equal height */
    rcity_scene_destroy(&scene);

    scene = make(context, 0.0, boxes, 2); /* not asked for */
    assert_ok(context, rcity_scene_describe(scene, &info));
    assert_int_equal(info.repair_count[RCITY_REPAIR_CLOSED_GAPS], 0);
    assert_true(passes(context, scene, -5, 10.125, 25, 10.125));
    rcity_scene_destroy(&scene);

    const test_box wide[] = {{0, 0, 20, 10, 10}, {0, 10.6, 20, 20, 10}};
    scene = make(context, 0.5, wide, 2); /* wider than that */
    assert_true(passes(context, scene, -5, 10.3, 25, 10.3));
    rcity_scene_destroy(&scene);
    rcity_context_destroy(&context);
}

/* Walls that overlap in part: each corner moves onto the other's wall, and both share the stretch between. */
static void test_shifted_walls(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    const test_box boxes[] = {{0, 0, 20, 10, 10}, {8, 10.25, 30, 20, 14}};
    rcity_scene *scene = make(context, 0.5, boxes, 2);
    rcity_scene_info info;
    assert_ok(context, rcity_scene_describe(scene, &info));
    assert_int_equal(info.repair_count[RCITY_REPAIR_CLOSED_GAPS], 2);
    for (double y = 9.5; y <= 10.75; y += 1.0 / 64.0) {
        assert_false(passes(context, scene, -5, y, 35, y));
    }
    for (double y = 9.9; y <= 10.35; y += 1.0 / 128.0) {
        assert_false(passes(context, scene, 7, y, 21, 10.25 + (y - 9.9)));
    }
    assert_near(info.built_area_km2 * 1e6, 200.0 + 22.0 * 9.75, 6.0); /* the corners moved by a quarter of a metre */
    rcity_scene_destroy(&scene);
    rcity_context_destroy(&context);
}

/* A corner that ends just before a long wall, as in T-junctions of digitised maps. */
static void test_corner_before_wall(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    const test_box boxes[] = {{0, 0, 50, 10, 10}, {20, 10.3, 30, 25, 10}, {20.2, -20, 30.2, -0.3, 10}};
    rcity_scene *scene = make(context, 0.5, boxes, 3);
    rcity_scene_info info;
    assert_ok(context, rcity_scene_describe(scene, &info));
    assert_int_equal(info.repair_count[RCITY_REPAIR_CLOSED_GAPS], 4);
    assert_false(passes(context, scene, 15, 10.15, 35, 10.15));
    assert_false(passes(context, scene, 15, -0.15, 35, -0.15));
    assert_true(passes(context, scene, 15, 10.15, 19, 10.15));
    assert_int_equal(info.edge_count, 4 + 4 + 4 + 4); /* the long walls received two corners each */
    rcity_scene_destroy(&scene);
    rcity_context_destroy(&context);
}

/* A building thinner than the gap would collapse: it stays as it is. */
static void test_thin_building_stays(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    const test_box boxes[] = {{0, 0, 50, 10, 10}, {10, 10.1, 40, 10.3, 3}};
    rcity_scene *scene = make(context, 0.5, boxes, 2);
    rcity_scene_info info;
    assert_ok(context, rcity_scene_describe(scene, &info));
    assert_int_equal(info.building_count, 2);
    assert_true(info.repair_count[RCITY_REPAIR_KEPT_GAPS] >= 1);
    rcity_cover cover;
    assert_ok(context, rcity_scene_get_cover(context, scene, 25, 10.2, &cover));
    assert_true(cover.is_covered);
    rcity_scene_destroy(&scene);
    rcity_context_destroy(&context);
}

/* Grids of quads whose corners are jittered by more than the gap: no solid is lost, and no wall moves further than the
   gap. */
static void test_random_quads(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    int64_t closed = 0;
    for (uint64_t seed = 1; seed <= 100; seed++) {
        rcity_scene *scenes[2];
        double perimeter_m = 0.0;
        for (int pass = 0; pass < 2; pass++) {
            rcity_scene_options options = rcity_scene_options_default();
            options.gap_m = pass == 0 ? 0.0 : 0.5;
            assert_ok(context, rcity_scene_create(context, &options, &scenes[pass]));
            for (int i = 0; i < 36; i++) {
                double corner[8] = {0, 0, 8, 0, 8, 8, 0, 8};
                const int count[] = {4};
                for (int k = 0; k < 8; k++) {
                    double base = k % 2 == 0 ? 8.0 * (i % 6) : 8.0 * (i / 6);
                    corner[k] += base + test_uniform(seed, 8 * (uint64_t)i + (uint64_t)k, -0.3, 0.3);
                }
                rcity_building building = rcity_building_default();
                building.id = i;
                building.ring_count = 1;
                building.ring_point_count = count;
                building.xy_m = corner;
                building.height_m = 5 + i % 7;
                assert_ok(context, rcity_scene_add_building(scenes[pass], &building));
                perimeter_m += pass == 0 ? 34.0 : 0.0;
            }
            assert_ok(context, rcity_scene_commit(scenes[pass]));
        }
        rcity_scene_info before;
        rcity_scene_info after;
        assert_ok(context, rcity_scene_describe(scenes[0], &before));
        assert_ok(context, rcity_scene_describe(scenes[1], &after));
        assert_int_equal(after.prism_count, 36);
        assert_near(after.built_area_km2 * 1e6, before.built_area_km2 * 1e6, 0.5 * perimeter_m);
        closed += after.repair_count[RCITY_REPAIR_CLOSED_GAPS];
        rcity_scene_destroy(&scenes[0]);
        rcity_scene_destroy(&scenes[1]);
    }
    print_message("%lld corners moved, seeds 1 to 100\n", (long long)closed);
    assert_true(closed > 1000);
    rcity_context_destroy(&context);
}

/* Closing one gap does not open another: C stands exactly on B's wall, whose end moves to A. */
static void test_pinned_wall(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    const test_box boxes[] = {{0, 0.3, 8, 12, 10}, {8.3, 0, 16, 12, 10}, {10, -10, 14, 0, 10}};
    for (int pass = 0; pass < 2; pass++) {
        rcity_scene *scene = make(context, pass == 0 ? 0.0 : 0.5, boxes, 3);
        assert_false(passes(context, scene, 9, 0.1, 15, 0.02));
        rcity_scene_destroy(&scene);
    }
    rcity_context_destroy(&context);
}

/* A corner that two houses share moves for both, or a wedge would stay before the third. */
static void test_shared_corner(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    const test_box boxes[] = {{0, 0, 8, 12, 10}, {8.3, 0, 16, 6, 10}, {8.3, 6, 16, 12, 10}};
    rcity_scene *scene = make(context, 0.5, boxes, 3);
    rcity_scene_info info;
    assert_ok(context, rcity_scene_describe(scene, &info));
    assert_false(passes(context, scene, 8.15, 3, 8.15, 9));
    assert_false(passes(context, scene, 8.15, -1, 8.15, 13));
    assert_int_equal(info.outer_wall_count, 7);
    assert_near(info.built_area_km2 * 1e6, 16.0 * 12.0, 1e-6);
    rcity_scene_destroy(&scene);
    rcity_context_destroy(&context);
}

/* A tower near the rim of its podium has no gap to close: its corners lie inside the podium. */
static void test_inside_is_no_gap(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    const test_box boxes[] = {{0, 0, 30, 30, 10}, {0.4, 0.4, 20, 20, 40}};
    rcity_scene *scene = make(context, 0.5, boxes, 2);
    rcity_scene_info info;
    assert_ok(context, rcity_scene_describe(scene, &info));
    assert_int_equal(info.repair_count[RCITY_REPAIR_CLOSED_GAPS], 0);
    assert_near(info.built_area_km2 * 1e6, 900.0 + 19.6 * 19.6, 0.5);
    rcity_scene_destroy(&scene);
    rcity_context_destroy(&context);
}

/* Random blocks of touching houses whose shared corners are jittered by up to 0.2 m: no line slips through a block. */
static void test_jittered_rows(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    for (uint64_t seed = 1; seed <= 30; seed++) {
        test_box boxes[12];
        for (int i = 0; i < 12; i++) {
            double jitter_m = test_uniform(seed, (uint64_t)i, 0.0, 0.2);
            double x0 = i == 0 ? 0.0 : boxes[i - 1].x1_m + jitter_m;
            boxes[i] = (test_box){x0, 0, x0 + 8.0, 12.0, 10.0};
        }
        rcity_scene *scene = make(context, 0.5, boxes, 12);
        for (int i = 1; i < 12; i++) {
            double middle = 0.5 * (boxes[i - 1].x1_m + boxes[i].x0_m);
            for (int shift = -40; shift <= 40; shift++) {
                double x = middle + shift / 128.0;
                if (passes(context, scene, x, -3, x, 15)) {
                    print_error("seed %llu: a line passes at x %g\n", (unsigned long long)seed, x);
                    fail();
                }
            }
        }
        rcity_scene_destroy(&scene);
    }
    rcity_context_destroy(&context);
}

TEST_SUITE(gaps)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_parallel_walls),     cmocka_unit_test(test_shifted_walls),
        cmocka_unit_test(test_corner_before_wall), cmocka_unit_test(test_thin_building_stays),
        cmocka_unit_test(test_jittered_rows),      cmocka_unit_test(test_pinned_wall),
        cmocka_unit_test(test_random_quads),       cmocka_unit_test(test_shared_corner),
        cmocka_unit_test(test_inside_is_no_gap),
    };
    return cmocka_run_group_tests_name("gaps", tests, NULL, NULL);
}

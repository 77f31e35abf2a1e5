/* Cleaning of rings, seen from outside: what goes in, what the committed scene holds, and what was counted. */
#include "rcity_test.h"

typedef struct outcome {
    rcity_status status;
    rcity_scene_info info;
    double area_m2;
} outcome;

/* Commit one building of several rings and look at it. */
static outcome commit_rings(rcity_context *context, const double *xy_m, const int *counts, int ring_count, bool drops)
{
    rcity_scene_options options = rcity_scene_options_default();
    options.drop_invalid = drops;
    rcity_scene *scene = NULL;
    assert_ok(context, rcity_scene_create(context, &options, &scene));
    test_add_box(context, scene, 99, (test_box){900, 900, 910, 910, 5}); /* so that a dropped building leaves a scene */
    rcity_building building = rcity_building_default();
    building.id = 1;
    building.ring_count = ring_count;
    building.ring_point_count = counts;
    building.xy_m = xy_m;
    building.height_m = 10;
    outcome result;
    memset(&result, 0, sizeof result);
    result.status = rcity_scene_add_building(scene, &building);
    if (result.status == RCITY_OK) {
        result.status = rcity_scene_commit(scene);
    }
    if (result.status == RCITY_OK) {
        assert_ok(context, rcity_scene_describe(scene, &result.info));
        result.area_m2 = result.info.built_area_km2 * 1e6 - 100.0;
    }
    rcity_scene_destroy(&scene);
    return result;
}

#define COMMIT(...)                                                                                                    \
    commit_rings(context, (const double[]){__VA_ARGS__},                                                               \
                 (const int[]){(int)(sizeof((const double[]){__VA_ARGS__}) / sizeof(double) / 2)}, 1, false)

static void test_ring_repairs_are_counted(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    /* the closing point is no repair */
    outcome result = COMMIT(0, 0, 10, 0, 10, 10, 0, 10, 0, 0);
    assert_int_equal(result.status, RCITY_OK);
    assert_near(result.area_m2, 100.0, 1e-6);
    for (int i = 0; i < RCITY_REPAIR_COUNT; i++) {
        assert_int_equal(result.info.repair_count[i], 0);
    }
    /* clockwise */
    result = COMMIT(0, 0, 0, 10, 10, 10, 10, 0);
    assert_int_equal(result.info.repair_count[RCITY_REPAIR_REVERSED_RINGS], 1);
    assert_near(result.area_m2, 100.0, 1e-6);
    /* repeated points, also after snapping to the grid */
    result = COMMIT(0, 0, 10, 0, 10, 0, 10, 10, 10.001, 10.001, 0, 10);
    assert_int_equal(result.info.repair_count[RCITY_REPAIR_DUPLICATE_POINTS], 2);
    assert_near(result.area_m2, 100.0, 1e-6);
    /* a spike out of a wall and back */
    result = COMMIT(0, 0, 10, 0, 10, 5, 30, 5, 10, 5, 10, 10, 0, 10);
    assert_true(result.info.repair_count[RCITY_REPAIR_SPIKES] >= 1);
    assert_near(result.area_m2, 100.0, 1e-6);
    /* two lobes that meet in a point become two solids of one building */
    result = COMMIT(0, 0, 10, 0, 10, 10, 20, 10, 20, 20, 10, 20, 10, 10, 0, 10);
    assert_int_equal(result.status, RCITY_OK);
    assert_int_equal(result.info.repair_count[RCITY_REPAIR_SPLIT_RINGS], 1);
    assert_int_equal(result.info.building_count, 2);
    assert_int_equal(result.info.prism_count, 3);
    assert_near(result.area_m2, 200.0, 1e-6);
    rcity_context_destroy(&context);
}

/* A courtyard reached through a cut without width becomes a hole. */
static void test_keyhole_becomes_a_courtyard(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    outcome result = COMMIT(0, 0, 30, 0, 30, 30, 0, 30, 0, 0, 10, 10, 10, 20, 20, 20, 20, 10, 10, 10);
    assert_int_equal(result.status, RCITY_OK);
    assert_near(result.area_m2, 900.0 - 100.0, 1e-6);
    assert_int_equal(result.info.prism_count, 2);
    rcity_context_destroy(&context);
}

static void test_bad_holes_are_repaired_or_dropped(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    const int counts[] = {4, 4, 4, 3};
    /* a good hole running the wrong way, one outside, one without area */
    const double xy_m[] = {0,  0,  30, 0,  30, 30, 0,  30, /* outline */
                           10, 10, 20, 10, 20, 20, 10, 20, /* hole, counter-clockwise */
                           50, 50, 60, 50, 60, 60, 50, 60, /* outside */
                           5,  5,  6,  6,  7,  7};         /* no area */
    outcome result = commit_rings(context, xy_m, counts, 4, false);
    assert_int_equal(result.status, RCITY_OK);
    assert_near(result.area_m2, 800.0, 1e-6);
    assert_int_equal(result.info.repair_count[RCITY_REPAIR_REVERSED_RINGS], 1);
    assert_int_equal(result.info.repair_count[RCITY_REPAIR_STRAY_HOLES], 1);
    assert_int_equal(result.info.repair_count[RCITY_REPAIR_SLIVERS], 1);
    rcity_context_destroy(&context);
}

static void test_crossing_rings_are_refused_or_dropped(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    const double bow_tie[] = {0, 0, 10, 10, 10, 0, 0, 10};
    const double flat[] = {0, 0, 10, 0, 20, 0};
    const double crossing_hole[] = {0, 0, 30, 0, 30, 30, 0, 30, 20, 10, 20, 20, 40, 20, 40, 10};
    const int four[] = {4, 4};
    const int three[] = {3};
    outcome result = commit_rings(context, bow_tie, four, 1, false);
    assert_int_equal(result.status, RCITY_ERR_GEOMETRY);
    assert_message(context, "building 1 crosses itself");
    result = commit_rings(context, flat, three, 1, false);
    assert_int_equal(result.status, RCITY_ERR_GEOMETRY);
    assert_message(context, "has no area");
    result = commit_rings(context, crossing_hole, four, 2, false);
    assert_int_equal(result.status, RCITY_ERR_GEOMETRY);
    /* with drop_invalid they are counted and left out */
    result = commit_rings(context, bow_tie, four, 1, true);
    assert_int_equal(result.status, RCITY_OK);
    assert_int_equal(result.info.repair_count[RCITY_REPAIR_DROPPED_BUILDINGS], 1);
    assert_int_equal(result.info.building_count, 1);
    assert_int_equal(result.info.wall_count, 4);
    rcity_context_destroy(&context);
}

/* Rings that meet in corners: which lies around which cannot be told from one corner. */
static void test_rings_that_touch(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    /* two overlapping squares traced in one go, crossing at listed corners */
    const double woven[] = {10, 5, 10, 10, 5, 10, 0, 10, 0, 0, 10, 0, 10, 5, 5, 5, 5, 10, 5, 15, 15, 15, 15, 5};
    const int twelve[] = {12};
    outcome result = commit_rings(context, woven, twelve, 1, false);
    assert_int_equal(result.status, RCITY_ERR_GEOMETRY);
    assert_message(context, "crosses itself");
    /* rings in the wrong order: the hole lies around the outline */
    const double swapped[] = {10, 10, 20, 10, 20, 20, 10, 20, 0, 0, 30, 0, 30, 30, 0, 30};
    const int fours[] = {4, 4};
    result = commit_rings(context, swapped, fours, 2, false);
    assert_int_equal(result.status, RCITY_ERR_GEOMETRY);
    /* a diamond whose four corners lie on the outline leaves four triangles */
    const double diamond[] = {0, 0, 10, 0, 10, 10, 0, 10, 5, 0, 10, 5, 5, 10, 0, 5};
    result = commit_rings(context, diamond, fours, 2, false);
    assert_int_equal(result.status, RCITY_OK);
    assert_near(result.area_m2, 50.0, 1e-6);
    assert_int_equal(result.info.repair_count[RCITY_REPAIR_STRAY_HOLES], 0);
    /* a hole that leaves its building through two corners, started at either end */
    const double leaving[] = {0, 0, 10, 0, 10, 10, 0, 10, 5, 3, 10, 3, 15, 5, 10, 7, 5, 7};
    const double entering[] = {0, 0, 10, 0, 10, 10, 0, 10, 15, 5, 10, 7, 5, 7, 5, 3, 10, 3};
    const int counts[] = {4, 5};
    assert_int_equal(commit_rings(context, leaving, counts, 2, false).status, RCITY_ERR_GEOMETRY);
    assert_int_equal(commit_rings(context, entering, counts, 2, false).status, RCITY_ERR_GEOMETRY);
    rcity_context_destroy(&context);
}

/* An outline of a hundred thousand points that runs out and back takes no time to speak of. */
static void test_long_spike(void **state)
{
    (void)state;
    enum { STEPS = 50000 };
    rcity_context *context = test_context(1);
    double *xy_m = malloc((2 * STEPS + 3) * 2 * sizeof *xy_m);
    assert_non_null(xy_m);
    int count = 0;
    for (int i = 0; i <= 2 * STEPS; i++, count++) {
        xy_m[2 * count] = 0.0625 * (i <= STEPS ? i : 2 * STEPS - i);
        xy_m[2 * count + 1] = 0.0;
    }
    xy_m[2 * count] = -10.0;
    xy_m[2 * count++ + 1] = 0.0;
    xy_m[2 * count] = -10.0;
    xy_m[2 * count++ + 1] = 10.0;
    outcome result = commit_rings(context, xy_m, &count, 1, false);
    assert_int_equal(result.status, RCITY_OK);
    assert_near(result.area_m2, 50.0, 1e-6);
    free(xy_m);
    rcity_context_destroy(&context);
}

static void test_bad_numbers(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    rcity_scene_options options = rcity_scene_options_default();
    rcity_scene *scene = NULL;
    assert_ok(context, rcity_scene_create(context, &options, &scene));
    double xy_m[] = {0, 0, 10, 0, 10, 10, 0, 10};
    const int counts[] = {4};
    rcity_building building = rcity_building_default();
    building.id = 5;
    building.ring_count = 1;
    building.ring_point_count = counts;
    building.xy_m = xy_m;
    const double bad_heights[] = {0.0, -3.0, 9999.0, (double)NAN, (double)INFINITY};
    for (size_t i = 0; i < sizeof bad_heights / sizeof bad_heights[0]; i++) {
        building.height_m = bad_heights[i];
        assert_status(context, rcity_scene_add_building(scene, &building), RCITY_ERR_GEOMETRY);
        assert_message(context, "building 5");
    }
    building.height_m = 10;
    xy_m[3] = (double)NAN;
    assert_status(context, rcity_scene_add_building(scene, &building), RCITY_ERR_GEOMETRY);
    assert_message(context, "point 1 of ring 0 of building 5");
    assert_status(context, rcity_scene_commit(scene), RCITY_ERR_ARGUMENT); /* nothing was added */
    rcity_scene_destroy(&scene);
    rcity_context_destroy(&context);
}

/* Star-shaped rings around a centre are simple: they keep their area and points, whichever way they run. */
static void test_sound_rings_stay(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    for (uint64_t seed = 1; seed <= 200; seed++) {
        int count = 3 + (int)(test_random(seed, 0) % 30);
        double xy_m[80];
        double area2 = 0.0;
        for (int i = 0; i < count; i++) {
            int place = seed % 2 == 0 ? i : count - 1 - i;
            double angle_rad = 2.0 * 3.14159265358979 * place / count;
            double radius_m = test_uniform(seed, (uint64_t)place + 1, 10.0, 50.0);
            xy_m[2 * i] = round(radius_m * cos(angle_rad) * 128.0) / 128.0;
            xy_m[2 * i + 1] = round(radius_m * sin(angle_rad) * 128.0) / 128.0;
        }
        for (int i = 0; i < count; i++) {
            int next = (i + 1) % count;
            area2 += xy_m[2 * i] * xy_m[2 * next + 1] - xy_m[2 * next] * xy_m[2 * i + 1];
        }
        outcome result = commit_rings(context, xy_m, &count, 1, false);
        if (result.status != RCITY_OK) {
            print_error("seed %llu: %s\n", (unsigned long long)seed, rcity_context_message(context));
            fail();
        }
        assert_near(result.area_m2, 0.5 * fabs(area2), 1e-6);
        assert_int_equal(result.info.edge_count, count + 4);
        assert_int_equal(result.info.repair_count[RCITY_REPAIR_REVERSED_RINGS], seed % 2);
    }
    rcity_context_destroy(&context);
}

TEST_SUITE(ring_clean)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ring_repairs_are_counted),
        cmocka_unit_test(test_keyhole_becomes_a_courtyard),
        cmocka_unit_test(test_bad_holes_are_repaired_or_dropped),
        cmocka_unit_test(test_crossing_rings_are_refused_or_dropped),
        cmocka_unit_test(test_rings_that_touch),
        cmocka_unit_test(test_long_spike),
        cmocka_unit_test(test_bad_numbers),
        cmocka_unit_test(test_sound_rings_stay),
    };
    return cmocka_run_group_tests_name("ring_clean", tests, NULL, NULL);
}

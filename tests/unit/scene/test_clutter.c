/* Vegetation of a scene: found where it is, refused where it is wrong; buildings and trees on terrain. */
#include "rcity_test.h"

#include "scene/shapes.h"

static rcity_scene *open_scene(rcity_context *context, bool drop_invalid)
{
    rcity_scene_options options = rcity_scene_options_default();
    options.drop_invalid = drop_invalid;
    rcity_scene *scene = NULL;
    assert_ok(context, rcity_scene_create(context, &options, &scene));
    return scene;
}

/* A rectangle of trees, with a rectangular hole unless its east is not beyond its west. */
static rcity_status add_wood(rcity_scene *scene, int64_t id, test_box box, test_box hole)
{
    const int counts[2] = {4, 4};
    const double xy_m[16] = {box.x0_m,  box.y0_m,  box.x1_m,  box.y0_m,  box.x1_m,  box.y1_m,  box.x0_m,  box.y1_m,
                             hole.x0_m, hole.y0_m, hole.x1_m, hole.y0_m, hole.x1_m, hole.y1_m, hole.x0_m, hole.y1_m};
    rcity_vegetation vegetation = {id, hole.x1_m > hole.x0_m ? 2 : 1, counts, xy_m, box.height_m};
    return rcity_scene_add_vegetation(scene, &vegetation);
}

static const test_box no_hole = {0, 0, 0, 0, 0};

static double vegetation_m(rcity_context *context, const rcity_scene *scene, double x_m, double y_m)
{
    rcity_ground_cover cover;
    assert_ok(context, rcity_scene_get_ground_cover(context, scene, x_m, y_m, &cover));
    return cover.vegetation_m;
}

static void test_highest_vegetation_counts(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    rcity_scene *scene = open_scene(context, false);
    test_add_box(context, scene, 1, (test_box){0, 0, 100, 80, 10});
    assert_ok(context, add_wood(scene, 7, (test_box){10, 10, 60, 60, 12.5}, (test_box){20, 20, 40, 40, 0}));
    assert_ok(context, add_wood(scene, 8, (test_box){50, 50, 200, 70, 20}, no_hole));
    assert_ok(context, rcity_scene_commit(scene));
    assert_near(vegetation_m(context, scene, 15, 15), 12.5, 0);
    assert_near(vegetation_m(context, scene, 30, 30), 0, 0);
    assert_near(vegetation_m(context, scene, 55, 55), 20, 0); /* both: the higher */
    assert_near(vegetation_m(context, scene, 55, 45), 12.5, 0);
    assert_near(vegetation_m(context, scene, 150, 60), 20, 0); /* beyond the bounds */
    assert_near(vegetation_m(context, scene, 5, 5), 0, 0);
    rcity_scene_info info;
    assert_ok(context, rcity_scene_describe(scene, &info));
    assert_int_equal(info.vegetation_count, 2);
    assert_near(info.vegetation_area_km2, (50 * 50 - 20 * 20 + 150 * 20) * 1e-6, 1e-12);
    assert_near(info.x_max_m, 100, 0); /* vegetation does not widen the scene */
    assert_near(info.y_max_m, 80, 0);
    assert_int_equal(info.prism_count, 1);
    assert_near(vegetation_m(context, scene, -1e4, 60), 0, 0);
    rcity_ground_cover cover;
    assert_status(context, rcity_scene_get_ground_cover(context, scene, (double)NAN, 0, &cover), RCITY_ERR_ARGUMENT);
    assert_status(context, add_wood(scene, 9, (test_box){0, 0, 1, 1, 5}, no_hole), RCITY_ERR_STATE);
    rcity_scene_destroy(&scene);
    rcity_context_destroy(&context);
}

/* A star of random radii around a place, which never crosses itself. */
typedef struct star {
    double x_m, y_m, height_m;
    int point_count;
    double xy_m[2 * 24];
} star;

static star make_star(uint64_t seed, uint64_t index)
{
    star made = {.x_m = test_uniform(seed, 100 * index, 0, 900),
                 .y_m = test_uniform(seed, 100 * index + 1, 0, 900),
                 .height_m = floor(test_uniform(seed, 100 * index + 2, 1, 40)),
                 .point_count = 3 + (int)(index % 22)};
    for (int i = 0; i < made.point_count; i++) {
        double angle = 6.283185307179586 * i / made.point_count;
        double radius_m = test_uniform(seed, 100 * index + 10 + (uint64_t)i, 4, 60);
        made.xy_m[2 * i] = round((made.x_m + radius_m * cos(angle)) * 128) / 128;
        made.xy_m[2 * i + 1] = round((made.y_m + radius_m * sin(angle)) * 128) / 128;
    }
    return made;
}

/* The plain oracle: how often the outline winds around the point, by angles; and how near the outline comes. */
static bool winds_around(const star *shape, double x_m, double y_m, double *nearest_m)
{
    double turned = 0;
    for (int i = 0; i < shape->point_count; i++) {
        const double *p = shape->xy_m + 2 * i;
        const double *q = shape->xy_m + 2 * ((i + 1) % shape->point_count);
        double ax = p[0] - x_m;
        double ay = p[1] - y_m;
        double bx = q[0] - x_m;
        double by = q[1] - y_m;
        turned += atan2(ax * by - ay * bx, ax * bx + ay * by);
        double dx = q[0] - p[0];
        double dy = q[1] - p[1];
        double t = fmin(fmax(-(ax * dx + ay * dy) / (dx * dx + dy * dy), 0), 1);
        *nearest_m = fmin(*nearest_m, hypot(ax + t * dx, ay + t * dy));
    }
    return fabs(turned) > 3;
}

static void test_vegetation_equals_the_winding_oracle(void **state)
{
    (void)state;
    enum { STAR_COUNT = 300, POINT_COUNT = 4000 };
    const uint64_t seed = 20240601;
    print_message("seed %llu\n", (unsigned long long)seed);
    static star stars[STAR_COUNT];
    rcity_context *context = test_context(1);
    rcity_scene *scene = open_scene(context, false);
    for (int i = 0; i < STAR_COUNT; i++) {
        stars[i] = make_star(seed, (uint64_t)i);
        rcity_vegetation vegetation = {i, 1, &stars[i].point_count, stars[i].xy_m, stars[i].height_m};
        assert_ok(context, rcity_scene_add_vegetation(scene, &vegetation));
    }
    assert_ok(context, rcity_scene_commit(scene)); /* no building, no terrain */
    int checked = 0;
    int covered = 0;
    for (uint64_t i = 0; i < POINT_COUNT; i++) {
        double x_m = round(test_uniform(seed + 1, 2 * i, -50, 950) * 128) / 128;
        double y_m = round(test_uniform(seed + 1, 2 * i + 1, -50, 950) * 128) / 128;
        double highest_m = 0;
        double nearest_m = 1;
        for (int k = 0; k < STAR_COUNT; k++) {
            if (winds_around(&stars[k], x_m, y_m, &nearest_m)) {
                highest_m = fmax(highest_m, stars[k].height_m);
            }
        }
        if (nearest_m < 0.02) {
            continue; /* on a rim: the oracle cannot tell */
        }
        assert_near(vegetation_m(context, scene, x_m, y_m), highest_m, 0);
        checked++;
        covered += highest_m > 0;
    }
    print_message("%d places, %d under trees\n", checked, covered);
    assert_true(checked > POINT_COUNT * 9 / 10 && covered > POINT_COUNT / 10);
    rcity_scene_info info;
    assert_ok(context, rcity_scene_describe(scene, &info));
    assert_true(info.x_min_m < 10 && info.x_max_m > 890 && info.building_count == 0);
    rcity_scene_destroy(&scene);
    rcity_context_destroy(&context);
}

/* Two that share a border: each place belongs to exactly one. */
static void test_point_on_shared_border_has_one_owner(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    rcity_scene *scene = open_scene(context, false);
    assert_ok(context, add_wood(scene, 1, (test_box){0, 0, 10, 10, 5}, no_hole));
    assert_ok(context, add_wood(scene, 2, (test_box){10, 0, 20, 10, 3}, no_hole));
    assert_ok(context, rcity_scene_commit(scene));
    assert_near(vegetation_m(context, scene, 10, 5), 3, 0); /* a point on the border belongs to the one east of it */
    assert_near(vegetation_m(context, scene, 0, 0), 5, 0);
    assert_near(vegetation_m(context, scene, 20, 5), 0, 0);
    rcity_scene_destroy(&scene);
    rcity_context_destroy(&context);
}

static void test_bad_vegetation(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    rcity_scene *scene = open_scene(context, false);
    assert_status(context, add_wood(scene, 4, (test_box){0, 0, 9, 9, 151}, no_hole), RCITY_ERR_GEOMETRY);
    assert_message(context, "vegetation 4 is 151 m high");
    assert_status(context, add_wood(scene, 4, (test_box){0, 0, 9, 9, (double)NAN}, no_hole), RCITY_ERR_GEOMETRY);
    assert_status(context, add_wood(scene, 4, (test_box){0, 0, (double)NAN, 9, 5}, no_hole), RCITY_ERR_GEOMETRY);
    assert_message(context, "of vegetation 4");
    test_add_box(context, scene, 1, (test_box){0, 0, 10, 10, 5});
    const int count = 4;
    const double crossing[8] = {0, 0, 10, 10, 10, 0, 0, 10};
    rcity_vegetation bow = {12, 1, &count, crossing, 5};
    assert_ok(context, rcity_scene_add_vegetation(scene, &bow));
    assert_status(context, rcity_scene_commit(scene), RCITY_ERR_GEOMETRY);
    assert_message(context, "vegetation 12 crosses itself");
    rcity_scene_destroy(&scene);
    scene = open_scene(context, false);
    test_add_box(context, scene, 1, (test_box){0, 0, 10, 10, 5});
    assert_ok(context, add_wood(scene, 5, (test_box){0, 0, 9e6, 9, 5}, no_hole));
    assert_status(context, rcity_scene_commit(scene), RCITY_ERR_GEOMETRY);
    assert_message(context, "vegetation 5 reaches");
    rcity_scene_destroy(&scene);

    scene = open_scene(context, true); /* all of that again, left out and counted */
    test_add_box(context, scene, 1, (test_box){0, 0, 10, 10, 5});
    assert_ok(context, add_wood(scene, 4, (test_box){0, 0, 9, 9, 151}, no_hole));
    assert_ok(context, add_wood(scene, 4, (test_box){0, 0, (double)NAN, 9, 5}, no_hole));
    assert_ok(context, rcity_scene_add_vegetation(scene, &bow));
    assert_ok(context, add_wood(scene, 5, (test_box){0, 0, 9e6, 9, 5}, no_hole));
    assert_ok(context, add_wood(scene, 6, (test_box){0, 0, 20, 9, 5}, no_hole));
    assert_ok(context, rcity_scene_commit(scene));
    rcity_scene_info info;
    assert_ok(context, rcity_scene_describe(scene, &info));
    assert_int_equal(info.repair_count[RCITY_REPAIR_DROPPED_VEGETATION], 4);
    assert_int_equal(info.repair_count[RCITY_REPAIR_DROPPED_BUILDINGS], 0);
    assert_int_equal(info.vegetation_count, 1);
    rcity_scene_destroy(&scene);

    scene = open_scene(context, true);
    assert_ok(context, rcity_scene_add_vegetation(scene, &bow));
    assert_status(context, rcity_scene_commit(scene), RCITY_ERR_GEOMETRY);
    assert_message(context, "all 1 buildings and vegetation were dropped");
    rcity_scene_destroy(&scene);
    rcity_context_destroy(&context);
}

/* Repairs that buildings get: a doubled point, a spike, a ring that runs the wrong way and touches itself. */
static void test_vegetation_rings_are_repaired(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    rcity_scene *scene = open_scene(context, false);
    const int count = 10;
    const double xy_m[20] = {0, 0, 0, 0, 0, 10, 10, 10, 10, 0, 20, 0, 20, -10, 10, -10, 10, 0, 5, 0};
    rcity_vegetation vegetation = {3, 1, &count, xy_m, 8};
    assert_ok(context, rcity_scene_add_vegetation(scene, &vegetation));
    assert_ok(context, rcity_scene_commit(scene));
    rcity_scene_info info;
    assert_ok(context, rcity_scene_describe(scene, &info));
    assert_int_equal(info.vegetation_count, 2); /* the two squares that touch in a corner */
    assert_near(info.vegetation_area_km2, 200e-6, 1e-12);
    assert_int_equal(info.repair_count[RCITY_REPAIR_DUPLICATE_POINTS], 1);
    assert_near(vegetation_m(context, scene, 15, -5), 8, 0);
    assert_near(vegetation_m(context, scene, 15, 5), 0, 0);
    rcity_scene_destroy(&scene);
    rcity_context_destroy(&context);
}

/* Buildings beyond the terrain fail, or are dropped and counted; a stray one far away costs no precision then. */
static void test_beyond_terrain(void **state)
{
    (void)state;
    static const float height_m[4] = {10, 20, 30, 40};
    const rcity_terrain terrain = {2, 2, 1000, 2000, 100, height_m};
    rcity_context *context = test_context(1);
    rcity_scene *scene = open_scene(context, false);
    assert_ok(context, rcity_scene_set_terrain(scene, &terrain));
    test_add_box(context, scene, 1, (test_box){1000, 2000, 1010, 2010, 5});
    test_add_box(context, scene, 2, (test_box){1090, 2000, 1101, 2010, 5});
    assert_status(context, rcity_scene_commit(scene), RCITY_ERR_GEOMETRY);
    assert_message(context, "building 2 near (1090.0, 2000.0) lies outside the terrain");
    rcity_scene_destroy(&scene);

    scene = open_scene(context, true);
    assert_ok(context, rcity_scene_set_terrain(scene, &terrain));
    test_add_box(context, scene, 1, (test_box){1000, 2000, 1010, 2010, 5});
    test_add_box(context, scene, 2, (test_box){1090, 2000, 1101, 2010, 5});
    test_add_box(context, scene, 3, (test_box){0, 0, 10, 10, 5});
    test_add_box(context, scene, 4, (test_box){5e6, 0, 5e6 + 10, 10, 5});
    test_add_box(context, scene, 5, (test_box){1090, 2090, 1100, 2100, 5}); /* on the rim */
    assert_ok(context, rcity_scene_commit(scene));
    rcity_scene_info info;
    assert_ok(context, rcity_scene_describe(scene, &info));
    assert_int_equal(info.building_count, 2);
    assert_int_equal(info.wall_count, 8);
    assert_int_equal(info.repair_count[RCITY_REPAIR_DROPPED_BUILDINGS], 3);
    assert_near(info.plan_unit_m, 1.0 / 128, 0);
    assert_near(info.x_max_m, 1100, 0);
    rcity_cover cover;
    assert_ok(context, rcity_scene_get_cover(context, scene, 1095, 2095, &cover));
    assert_int_equal(cover.building_id, 5);
    rcity_scene_destroy(&scene);
    rcity_context_destroy(&context);
}

/* Trees on a slope know ground that is no higher than any under them. */
static void test_ground_under(void **state)
{
    (void)state;
    static const float height_m[9] = {10, 20, 30, 15, 25, 35, 22, 33, 44};
    const rcity_terrain terrain = {3, 3, 0, 0, 50, height_m};
    rcity_context *context = test_context(1);
    rcity_scene *scene = open_scene(context, false);
    assert_ok(context, rcity_scene_set_terrain(scene, &terrain));
    assert_ok(context, add_wood(scene, 1, (test_box){60, 60, 90, 90, 5}, no_hole));
    assert_ok(context, add_wood(scene, 2, (test_box){-900, 60, 90, 90, 5}, no_hole));
    assert_ok(context, add_wood(scene, 3, (test_box){500, 500, 600, 600, 5}, no_hole));
    assert_ok(context, rcity_scene_commit(scene));
    const rcity_shapes *shapes = rcity_scene_shapes(scene);
    assert_int_equal(shapes->vegetation[0].ground, 25 * RCITY_HEIGHT_UNITS_PER_M);
    assert_int_equal(shapes->vegetation[1].ground, 15 * RCITY_HEIGHT_UNITS_PER_M);
    assert_int_equal(shapes->vegetation[2].ground, 44 * RCITY_HEIGHT_UNITS_PER_M);
    rcity_scene_destroy(&scene);

    static const float falling_m[9] = {44, 33, 22, 35, 25, 15, 30, 20, 10}; /* lowest to the north-east */
    const rcity_terrain falling = {3, 3, 0, 0, 50, falling_m};
    scene = open_scene(context, false);
    assert_ok(context, rcity_scene_set_terrain(scene, &falling));
    assert_ok(context, add_wood(scene, 1, (test_box){10, 10, 40, 40, 5}, no_hole));
    assert_ok(context, add_wood(scene, 2, (test_box){10, 10, 50, 50, 5}, no_hole));
    assert_ok(context, add_wood(scene, 3, (test_box){10, 10, 50.5, 40, 5}, no_hole));
    assert_ok(context, rcity_scene_commit(scene));
    shapes = rcity_scene_shapes(scene);
    assert_int_equal(shapes->vegetation[0].ground, 25 * RCITY_HEIGHT_UNITS_PER_M);
    assert_int_equal(shapes->vegetation[1].ground, 25 * RCITY_HEIGHT_UNITS_PER_M);
    assert_int_equal(shapes->vegetation[2].ground, 15 * RCITY_HEIGHT_UNITS_PER_M);
    rcity_scene_destroy(&scene);
    rcity_context_destroy(&context);
}

TEST_SUITE(clutter)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_highest_vegetation_counts),
        cmocka_unit_test(test_vegetation_equals_the_winding_oracle),
        cmocka_unit_test(test_point_on_shared_border_has_one_owner),
        cmocka_unit_test(test_bad_vegetation),
        cmocka_unit_test(test_vegetation_rings_are_repaired),
        cmocka_unit_test(test_beyond_terrain),
        cmocka_unit_test(test_ground_under),
    };
    return cmocka_run_group_tests_name("clutter", tests, NULL, NULL);
}

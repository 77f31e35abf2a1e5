/* COST 231 wall lists. */
#include "rcity_test.h"

#include "io/res.h"

#define SQUARE(x, y, height, id)                                                                                       \
#x "0 " #y "0 " #x "9 " #y "0 " height " " id " 1 500\n" #x "9 " #y "0 " #x "9 " #y "9 " height " " id             \
       " 1 500\n" #x "9 " #y "9 " #x "0 " #y "9 " height " " id " 1 500\n" #x "0 " #y "9 " #x "0 " #y "0 " height      \
       " " id " 1 500\n"

static rcity_status read_text(rcity_context *context, const char *text, bool drops, rcity_scene_info *info)
{
    rcity_scene_options options = rcity_scene_options_default();
    options.drop_invalid = drops;
    rcity_scene *scene = NULL;
    rcity_status status = rcity_res_read(context, "folder/test.res", text, strlen(text), &options, &scene);
    if (status == RCITY_OK) {
        assert_ok(context, rcity_scene_describe(scene, info));
        assert_string_equal(info->source, "test.res");
        info->source = info->crs = NULL; /* they go with the scene */
    } else {
        assert_null(scene);
    }
    rcity_scene_destroy(&scene);
    assert_int_equal(rcity_context_memory_used(context), 0);
    return status;
}

static void test_wall_lists_are_read(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    rcity_scene_info info = {0};
    assert_ok(context, read_text(context, SQUARE(1, 1, "12", "1") SQUARE(3, 1, "18.5", "2"), false, &info));
    assert_int_equal(info.building_count, 2);
    assert_int_equal(info.wall_count, 8);
    assert_near(info.height_max_m, 18.5, 0.0);
    assert_near(info.x_min_m, 10.0, 0.0);
    /* line ends of other systems, blank lines, tabs, the old end-of-file mark */
    assert_ok(context, read_text(context, "\r\n 0\t0 9 0 5 1 1 0\r\n9 0 9 9 5 1 1 0\r\n9 9 0 0 5 1 1 0\r\n\r\n\x1a",
                                 false, &info));
    assert_int_equal(info.wall_count, 3);
    /* no line end at the end */
    assert_ok(context, read_text(context, "0 0 9 0 5 1 1 0\n9 0 9 9 5 1 1 0\n9 9 0 0 5 1 1 0", false, &info));
    rcity_context_destroy(&context);
}

/* A clockwise ring after the first is a courtyard, a counter-clockwise one another part. */
static void test_clockwise_ring_is_a_courtyard(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    rcity_scene_info info = {0};
    const char *courtyard = "0 0 30 0 9 1 1 0\n30 0 30 30 9 1 1 0\n30 30 0 30 9 1 1 0\n0 30 0 0 9 1 1 0\n"
                            "10 10 10 20 9 1 1 0\n10 20 20 20 9 1 1 0\n20 20 20 10 9 1 1 0\n20 10 10 10 9 1 1 0\n";
    assert_ok(context, read_text(context, courtyard, false, &info));
    assert_int_equal(info.building_count, 1);
    assert_near(info.built_area_km2, 800e-6, 1e-12);
    assert_ok(context, read_text(context, SQUARE(1, 1, "9", "1") SQUARE(5, 5, "9", "1"), false, &info));
    assert_int_equal(info.building_count, 2);
    rcity_context_destroy(&context);
}

static void test_bad_walls_are_refused_or_dropped(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    static const struct {
        const char *text;
        rcity_status status;
        const char *message;
    } cases[] = {
        {"", RCITY_ERR_FORMAT, "no wall"},
        {"\n\n", RCITY_ERR_FORMAT, "no wall"},
        {"0 0 9 0 5 1 1\n", RCITY_ERR_FORMAT, "line 1 has 7 fields"},
        {"0 0 9 0 5 1 1 0 3\n", RCITY_ERR_FORMAT, "more than 8 fields"},
        {"0 0 9 0 5 1 1 0\n9 0 9 x 5 1 1 0\n", RCITY_ERR_FORMAT, "line 2: 'x' is not a number for y2"},
        {"nan 0 9 0 5 1 1 0\n", RCITY_ERR_FORMAT, "'nan' is not a number for x1"},
        {"1e999 0 9 0 5 1 1 0\n", RCITY_ERR_FORMAT, "'1e999' is not a number for x1"},
        {"0 0 9 0 5 1.5 1 0\n", RCITY_ERR_FORMAT, "building id 1.5"},
        {"0 0 9 0 5 1 1 0\n9 0 9 9 5 1 1 0\n", RCITY_ERR_GEOMETRY, "ring of building 1 that starts at line 1"},
        {"0 0 9 0 5 1 1 0\n8 0 9 9 5 1 1 0\n", RCITY_ERR_GEOMETRY,
         "line 2: building 1 has a wall that starts at (8, 0)"},
        {"0 0 9 0 5 1 1 0\n9 0 9 9 6 1 1 0\n", RCITY_ERR_GEOMETRY, "changes its height from 5 to 6"},
        {"0 0 9 9 5 1 1 0\n9 9 9 0 5 1 1 0\n9 0 0 9 5 1 1 0\n0 9 0 0 5 1 1 0\n", RCITY_ERR_GEOMETRY, "crosses itself"},
        {"0 0 9 0 5 1 1 0\n9 0 5 0 5 1 1 0\n5 0 0 0 5 1 1 0\n", RCITY_ERR_GEOMETRY, "has no area"},
        {"0 0 9 0 5 1 1 0\n9 0 0 0 5 1 1 0\n", RCITY_ERR_GEOMETRY, "has 2 points"},
        {SQUARE(1, 1, "0", "7"), RCITY_ERR_GEOMETRY, "building 7 is 0 m high"},
        {SQUARE(1, 1, "9999", "7"), RCITY_ERR_GEOMETRY, "building 7 is 9999 m high"},
        {"1e12 0 9 0 5 1 1 0\n9 0 9 9 5 1 1 0\n9 9 1e12 0 5 1 1 0\n", RCITY_ERR_GEOMETRY, "within 1e+08 m"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        rcity_scene_info info;
        assert_status(context, read_text(context, cases[i].text, false, &info), cases[i].status);
        assert_message(context, cases[i].message);
        assert_message(context, "test.res");
        assert_null(strchr(rcity_context_message(context), '\n'));
        /* beside a sound building the faulty one can be left out, when it is the geometry that is wrong */
        if (cases[i].status != RCITY_ERR_FORMAT) {
            char both[2000];
            snprintf(both, sizeof both, "%s%s", cases[i].text, SQUARE(4, 4, "9", "77"));
            assert_ok(context, read_text(context, both, true, &info));
            assert_int_equal(info.building_count, 1);
            assert_int_equal(info.wall_count, 4);
            assert_int_equal(info.repair_count[RCITY_REPAIR_DROPPED_BUILDINGS], 1);
        }
    }
    rcity_context_destroy(&context);
}

static void test_munich_has_the_published_counts(void **state)
{
    (void)state;
    const char *path = test_data("munich_cost231/Munich_buildings.res");
    if (path == NULL) {
        skip();
    }
    rcity_context *context = test_context(1);
    rcity_scene_options options = rcity_scene_options_default();
    rcity_scene *scene = NULL;
    rcity_scene_info info;
    assert_ok(context, rcity_res_load(context, path, &options, &scene));
    assert_ok(context, rcity_scene_describe(scene, &info));
    assert_int_equal(info.building_count, 2088);
    assert_int_equal(info.wall_count, 17445);
    /* 1147 walls are shared by two buildings, 36 of them of equal height: 1111 + 2 * 36 are covered */
    assert_int_equal(info.outer_wall_count, 17445 - 1111 - 2 * 36);
    assert_near(info.height_median_m, 18.0, 0.0);
    rcity_scene_destroy(&scene);
    rcity_context_destroy(&context);
}

TEST_SUITE(res)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_wall_lists_are_read),
        cmocka_unit_test(test_clockwise_ring_is_a_courtyard),
        cmocka_unit_test(test_bad_walls_are_refused_or_dropped),
        cmocka_unit_test(test_munich_has_the_published_counts),
    };
    return cmocka_run_group_tests_name("res", tests, NULL, NULL);
}

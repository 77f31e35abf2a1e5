/* The life cycle of a scene, and what makes two scenes equal. */
#include "rcity_test.h"

#include "heard_log.h"

static void test_order_of_calls(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    rcity_scene_options options = rcity_scene_options_default();
    options.gap_m = 6.0;
    rcity_scene *scene = NULL;
    assert_status(context, rcity_scene_create(context, &options, &scene), RCITY_ERR_ARGUMENT);
    assert_null(scene);
    options = rcity_scene_options_default();
    assert_ok(context, rcity_scene_create(context, &options, &scene));
    rcity_scene_info info;
    double ground_m;
    rcity_cover cover;
    assert_status(context, rcity_scene_describe(scene, &info), RCITY_ERR_STATE);
    assert_status(context, rcity_scene_get_ground(context, scene, 0, 0, &ground_m), RCITY_ERR_STATE);
    assert_status(context, rcity_scene_get_cover(context, scene, 0, 0, &cover), RCITY_ERR_STATE);
    assert_status(context, rcity_scene_save(context, scene, test_path("x.rcity")), RCITY_ERR_STATE);
    assert_status(context, rcity_scene_commit(scene), RCITY_ERR_ARGUMENT); /* empty */
    test_add_box(context, scene, 1, (test_box){0, 0, 10, 10, 10});         /* still open after the failure */
    assert_ok(context, rcity_scene_commit(scene));
    assert_status(context, rcity_scene_commit(scene), RCITY_ERR_STATE);
    assert_status(context, rcity_scene_set_source(scene, "x"), RCITY_ERR_STATE);
    const rcity_building building = rcity_building_default();
    assert_status(context, rcity_scene_add_building(scene, &building), RCITY_ERR_STATE);
    rcity_scene_destroy(&scene);
    rcity_scene_destroy(&scene);
    rcity_scene_destroy(NULL);
    assert_int_equal(rcity_context_memory_used(context), 0);
    rcity_context_destroy(&context);
}

static void test_source_line(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    rcity_scene_options options = rcity_scene_options_default();
    options.crs = "EPSG:32632";
    rcity_scene *scene = NULL;
    assert_ok(context, rcity_scene_create(context, &options, &scene));
    assert_status(context, rcity_scene_set_source(scene, "two\nlines"), RCITY_ERR_ARGUMENT);
    char longer[300];
    memset(longer, 'x', sizeof longer - 1);
    longer[sizeof longer - 1] = '\0';
    assert_status(context, rcity_scene_set_source(scene, longer), RCITY_ERR_ARGUMENT);
    assert_ok(context, rcity_scene_set_source(scene, "first"));
    assert_ok(context, rcity_scene_set_source(scene, "second"));
    test_add_box(context, scene, 1, (test_box){0, 0, 10, 10, 10});
    assert_ok(context, rcity_scene_commit(scene));
    rcity_scene_info info;
    assert_ok(context, rcity_scene_describe(scene, &info));
    assert_string_equal(info.source, "second");
    assert_string_equal(info.crs, "EPSG:32632");
    rcity_scene_destroy(&scene);
    rcity_context_destroy(&context);
}

static void hash_of(rcity_context *context, const test_box *boxes, int count, char hash[65])
{
    rcity_scene *scene = test_scene(context, boxes, count);
    rcity_scene_info info;
    assert_ok(context, rcity_scene_describe(scene, &info));
    memcpy(hash, info.hash, 65);
    rcity_scene_destroy(&scene);
}

/* Equal scenes have equal hashes; every change of geometry shows. */
static void test_hash_shows_every_change_of_geometry(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    const test_box base[] = {{0, 0, 10, 10, 10}, {20, 0, 30, 10, 12}};
    char hash[65];
    char other[65];
    hash_of(context, base, 2, hash);
    hash_of(context, base, 2, other);
    assert_string_equal(hash, other);
    const test_box tiny[] = {{0, 0, 10, 10, 10}, {20.001, 0, 30, 10, 12}}; /* less than the grid */
    hash_of(context, tiny, 2, other);
    assert_string_equal(hash, other);
    const test_box moved[] = {{0, 0, 10, 10, 10}, {20.01, 0, 30, 10, 12}};
    hash_of(context, moved, 2, other);
    assert_string_not_equal(hash, other);
    const test_box higher[] = {{0, 0, 10, 10, 10}, {20, 0, 30, 10, 12.02}};
    hash_of(context, higher, 2, other);
    assert_string_not_equal(hash, other);
    hash_of(context, base, 1, other);
    assert_string_not_equal(hash, other);
    rcity_context_destroy(&context);
}

/* Large scenes take a coarser grid, too large ones are refused. */
static void test_large_scenes_have_a_coarser_grid(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    rcity_scene_info info;
    const test_box far[] = {{0, 0, 10, 10, 10}, {40000, 0, 40010, 10, 10}};
    rcity_scene *scene = test_scene(context, far, 2);
    assert_ok(context, rcity_scene_describe(scene, &info));
    assert_near(info.plan_unit_m, 1.0 / 32.0, 0.0);
    rcity_scene_destroy(&scene);
    rcity_scene_options options = rcity_scene_options_default();
    assert_ok(context, rcity_scene_create(context, &options, &scene));
    test_add_box(context, scene, 1, (test_box){0, 0, 10, 10, 10});
    test_add_box(context, scene, 2, (test_box){5e6, 0, 5e6 + 10, 10, 10});
    assert_status(context, rcity_scene_commit(scene), RCITY_ERR_ARGUMENT);
    assert_message(context, "5000 km wide");
    rcity_scene_destroy(&scene);
    rcity_context_destroy(&context);
}

/* A coarse grid is warned of, with the reason: buildings far apart, or terrain that is wide by itself. */
static void test_width_warning(void **state)
{
    (void)state;
    static const float height_m[9] = {1, 2, 3, 4, 5, 6, 7, 8, 9};
    const rcity_terrain wide = {3, 3, 0, 0, 10000, height_m};
    const rcity_terrain narrow = {3, 3, 0, 0, 100, height_m};
    const struct {
        const rcity_terrain *terrain;
        bool has_houses;
        const char *words;
        bool blames_buildings;
    } cases[] = {
        {&wide, false, "the scene is 20.0 km wide, so the grid is coarse: corners are snapped to 1/64 m", false},
        {&wide, true, "the scene is 20.0 km wide", false},
        {NULL, true, "the scene spans 18.0 km", true},
        {&narrow, false, "", false},
    };
    heard_log heard;
    rcity_context *context = heard_log_context(&heard);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        rcity_scene_options options = rcity_scene_options_default();
        rcity_scene *scene = NULL;
        assert_ok(context, rcity_scene_create(context, &options, &scene));
        if (cases[i].terrain != NULL) {
            assert_ok(context, rcity_scene_set_terrain(scene, cases[i].terrain));
        }
        if (cases[i].has_houses) {
            test_add_box(context, scene, 1, (test_box){0, 0, 10, 10, 10});
            test_add_box(context, scene, 2, (test_box){18000, 0, 18010, 10, 10});
        }
        memset(&heard, 0, sizeof heard);
        assert_ok(context, rcity_scene_commit(scene));
        assert_int_equal(heard.count, cases[i].words[0] != '\0');
        assert_non_null(strstr(heard.text, cases[i].words));
        assert_int_equal(strstr(heard.text, "stray building") != NULL, cases[i].blames_buildings);
        rcity_scene_destroy(&scene);
    }
    rcity_context_destroy(&context);
}

/* Two scenes in one process do not know of each other. */
static void test_two_scenes(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    rcity_context *second = test_context(1);
    const test_box low[] = {{0, 0, 10, 10, 5}};
    const test_box high[] = {{0, 0, 10, 10, 50}};
    rcity_scene *a = test_scene(context, low, 1);
    rcity_scene *b = test_scene(second, high, 1);
    rcity_point from = {-5, 5, 20};
    rcity_point to = {15, 5, 20};
    bool a_free;
    bool b_free;
    assert_ok(context, rcity_scene_test_segment(context, a, &from, &to, &a_free));
    assert_ok(second, rcity_scene_test_segment(second, b, &from, &to, &b_free));
    assert_true(a_free);
    assert_false(b_free);
    rcity_scene_destroy(&a);
    rcity_scene_destroy(&b);
    rcity_context_destroy(&context);
    rcity_context_destroy(&second);
}

/* Ground that the data give is kept with its building, also behind one that was left out. */
static void test_given_ground(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    rcity_scene_options options = rcity_scene_options_default();
    options.drop_invalid = true;
    rcity_scene *scene = NULL;
    assert_ok(context, rcity_scene_create(context, &options, &scene));
    const double bow_tie[] = {0, 0, 10, 10, 10, 0, 0, 10};
    const double box[] = {20, 0, 30, 0, 30, 10, 20, 10};
    const double other[] = {40, 0, 50, 0, 50, 10, 40, 10};
    const double *const outlines[] = {bow_tie, box, bow_tie, other};
    const int count[] = {4};
    for (int i = 0; i < 4; i++) {
        rcity_building building = rcity_building_default();
        building.id = i;
        building.ring_count = 1;
        building.ring_point_count = count;
        building.xy_m = outlines[i];
        building.height_m = 10;
        building.ground_m = 100.0 * i;
        assert_ok(context, rcity_scene_add_building(scene, &building));
    }
    assert_ok(context, rcity_scene_commit(scene));
    rcity_cover cover;
    assert_ok(context, rcity_scene_get_cover(context, scene, 25, 5, &cover));
    assert_int_equal(cover.building_id, 1);
    assert_near(cover.roof_m, 110.0, 0.0);
    assert_ok(context, rcity_scene_get_cover(context, scene, 45, 5, &cover));
    assert_int_equal(cover.building_id, 3);
    assert_near(cover.roof_m, 310.0, 0.0);
    rcity_scene_destroy(&scene);
    rcity_context_destroy(&context);
}

static void test_repair_names(void **state)
{
    (void)state;
    assert_string_equal(rcity_repair_name(RCITY_REPAIR_CLOSED_GAPS), "closed_gaps");
    assert_non_null(rcity_repair_text(RCITY_REPAIR_SPIKES));
    assert_null(rcity_repair_name(RCITY_REPAIR_COUNT));
    assert_null(rcity_repair_text(RCITY_REPAIR_COUNT));
}

TEST_SUITE(scene)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_order_of_calls),
        cmocka_unit_test(test_source_line),
        cmocka_unit_test(test_hash_shows_every_change_of_geometry),
        cmocka_unit_test(test_large_scenes_have_a_coarser_grid),
        cmocka_unit_test(test_width_warning),
        cmocka_unit_test(test_two_scenes),
        cmocka_unit_test(test_repair_names),
        cmocka_unit_test(test_given_ground),
    };
    return cmocka_run_group_tests_name("scene", tests, NULL, NULL);
}

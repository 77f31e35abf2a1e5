/* Heights in feet: by option, by the name of the field, by a unit of their own; what is refused and what is warned
   of. */
#include "import_test.h"

#include "heard_log.h"
#include "io/import/height_unit.h"

static void test_field_names_tell_feet(void **state)
{
    (void)state;
    static const char *const feet[] = {"HEIGHT_FT",  "height_ft", "heightFt", "Height_Feet",
                                       "HeightFeet", "roof-foot", "ft",       "height (ft)",
                                       "feet",       "h2ft",      "z.FT",     "HEIGHT FT"};
    static const char *const metres[] = {"height",   "loft", "Loft", "SHAFT", "height_m", "ft_height",
                                         "barefoot", "",     "()",   "craft", "_"};
    for (size_t i = 0; i < sizeof feet / sizeof feet[0]; i++) {
        if (!rcity_height_unit_says_feet(feet[i])) {
            fail_msg("'%s' says feet", feet[i]);
        }
    }
    for (size_t i = 0; i < sizeof metres / sizeof metres[0]; i++) {
        if (rcity_height_unit_says_feet(metres[i])) {
            fail_msg("'%s' says nothing of feet", metres[i]);
        }
    }
}

#define HOUSE(properties) JSON(JSON_CRS("32632"), BOX(properties, "691000", "5334000", "691020", "5334015"))

static void test_building_heights_follow_the_unit(void **state)
{
    (void)state;
    static const struct {
        const char *text, *field, *unit;
        double height_m; /* 0: refused */
    } cases[] = {
        {HOUSE("\"height_ft\":100"), "height_ft", NULL, 0.0},
        {HOUSE("\"height_ft\":100"), "height_ft", "ft", 30.48},
        {HOUSE("\"height_ft\":100"), "height_ft", "m", 100.0},
        {HOUSE("\"heightFt\":\"100\""), "heightFt", NULL, 0.0},
        {HOUSE("\"height\":100"), NULL, "ft", 30.48},
        {HOUSE("\"height\":\"100\""), NULL, "ft", 30.48},
        {HOUSE("\"height\":\"40 ft\""), NULL, "m", 12.192}, /* a unit of its own stays */
        {HOUSE("\"height\":\"40 ft\""), NULL, "ft", 12.192},
        {HOUSE("\"height\":\"12 m\""), NULL, "ft", 12.0},
        {HOUSE("\"height\":100"), NULL, NULL, 100.0},
        {HOUSE("\"levels\":4"), NULL, "ft", 12.0}, /* a floor is given in metres */
    };
    rcity_context *context = test_context(1);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        rcity_import_options options = rcity_import_options_default();
        options.height_field = cases[i].field;
        options.height_unit = cases[i].unit;
        rcity_scene_info info = {0};
        rcity_status status = import_text(context, cases[i].text, &options, &info, NULL);
        if (cases[i].height_m > 0.0) {
            assert_ok(context, status);
            assert_near(info.height_max_m, cases[i].height_m, 1.0 / 128.0);
        } else {
            assert_status(context, status, RCITY_ERR_ARGUMENT);
            assert_message(context, cases[i].field);
            assert_message(context, "look like feet; give `height-unit=ft`");
        }
    }
    rcity_import_options options = rcity_import_options_default();
    options.height_unit = "yd";
    assert_status(context, import_text(context, HOUSE("\"height\":10"), &options, NULL, NULL), RCITY_ERR_ARGUMENT);
    assert_message(context, "'yd', must be m or ft");
    /* the ground under a building counts in the same unit */
    options.height_unit = "ft";
    options.ground_field = "ground";
    rcity_scene *scene = NULL;
    const char *path = save_text("ground.geojson", HOUSE("\"height\":10,\"ground\":1.6"));
    assert_ok(context, import_file(context, path, &options, &scene, NULL));
    assert_int_equal(rcity_scene_shapes(scene)->prisms[0].ground, lround(1.6 * 0.3048 * 64));
    rcity_scene_destroy(&scene);
    rcity_context_destroy(&context);
}

static void test_vegetation_heights_follow_the_unit(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    rcity_import_options options = rcity_import_options_default();
    rcity_scene *scene = NULL;
    rcity_ground_cover cover;
    options.vegetation_path = save_text(
        "trees.geojson", JSON(JSON_CRS("32632"), BOX("\"crown_ft\":50", "691030", "5334000", "691040", "5334010")));
    options.vegetation_height_field = "crown_ft";
    const char *path = save_text("house.geojson", HOUSE("\"height\":30"));
    assert_status(context, import_file(context, path, &options, &scene, NULL), RCITY_ERR_ARGUMENT);
    assert_message(context, "'crown_ft' of");
    assert_message(context, "look like feet");
    options.height_unit = "ft";
    assert_ok(context, import_file(context, path, &options, &scene, NULL));
    assert_ok(context, rcity_scene_get_ground_cover(context, scene, 691035, 5334005, &cover));
    assert_near(cover.vegetation_m, 15.24, 0.02);
    rcity_scene_destroy(&scene);
    rcity_context_destroy(&context);
}

/* Coordinates in feet make heights in feet likely: one warning, unless the unit is said. */
static void test_feet_coordinates_cause_one_warning(void **state)
{
    (void)state;
    static const char feet[] =
        JSON(JSON_CRS("2263"), BOX("\"height\":9,\"g\":0", "987000", "211000", "987100", "211100"));
    heard_log heard;
    rcity_context *context = heard_log_context(&heard);
    rcity_import_options options = rcity_import_options_default();
    options.ground_field = "g";
    assert_ok(context, import_text(context, feet, &options, NULL, NULL));
    assert_int_equal(heard.count, 1);
    assert_non_null(strstr(heard.text, "counts in feet"));
    assert_non_null(strstr(heard.text, "`height-unit=ft`"));
    options.height_unit = "m";
    assert_ok(context, import_text(context, feet, &options, NULL, NULL));
    assert_int_equal(heard.count, 1);
    assert_ok(context, import_text(context, HOUSE("\"height\":9"), NULL, NULL, NULL));
    assert_int_equal(heard.count, 1);
    rcity_context_destroy(&context);
}

TEST_SUITE(height_unit)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_field_names_tell_feet),
        cmocka_unit_test(test_building_heights_follow_the_unit),
        cmocka_unit_test(test_vegetation_heights_follow_the_unit),
        cmocka_unit_test(test_feet_coordinates_cause_one_warning),
    };
    return cmocka_run_group_tests_name("height unit", tests, NULL, NULL);
}

/* Buildings that cannot be used as they are: ground without terrain, what is left out and what is said of it. */
#include "import_test.h"

#include "heard_log.h"

#define HOUSE(properties, x0, x1) BOX(properties, x0, "0", x1, "10")

/* Without terrain the ground lies at 0, and a building on ground at 200 m would be a tower. */
static void test_ground_heights_need_a_terrain(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    rcity_import_options options = rcity_import_options_default();
    options.ground_field = "ground_m";
    const char *high = JSON(JSON_CRS("32632"), HOUSE("\"height\":10,\"ground_m\":0.5", "0",
                                                     "10") "," HOUSE("\"height\":10,\"ground_m\":200", "20", "30"));
    for (int drops = 0; drops < 2; drops++) { /* it is no fault of the building */
        options.scene.drop_invalid = drops != 0;
        assert_status(context, import_text(context, high, &options, NULL, NULL), RCITY_ERR_ARGUMENT);
        assert_message(context, "feature 1: its ground in 'ground_m' is at 200 m");
        assert_message(context, "`terrain`, or leave `ground-field` out");
    }
    const char *low = JSON(JSON_CRS("32632"), HOUSE("\"height\":10,\"ground_m\":-3", "0", "10"));
    assert_status(context, import_text(context, low, &options, NULL, NULL), RCITY_ERR_ARGUMENT);
    assert_message(context, "-3 m");
    const char *flat = JSON(JSON_CRS("32632"), HOUSE("\"height\":10,\"ground_m\":0", "0",
                                                     "10") "," HOUSE("\"height\":10,\"ground_m\":null", "20", "30"));
    rcity_scene_info info = {0};
    assert_ok(context, import_text(context, flat, &options, &info, NULL));
    assert_int_equal(info.building_count, 2);
    /* with terrain it stands where it says */
    const char *plain = save_text("plain.asc", "ncols 4\nnrows 4\nxllcorner -10\nyllcorner -10\ncellsize 20\n"
                                               "199 199 199 199\n199 199 199 199\n199 199 199 199\n199 199 199 199\n");
    const char *house = JSON(JSON_CRS("32632"), HOUSE("\"height\":10,\"ground_m\":200", "20", "30"));
    options.input_crs = "EPSG:32632";
    options.terrain_path_count = 1;
    options.terrain_paths = &plain;
    rcity_scene *scene = NULL;
    assert_ok(context, import_file(context, save_text("house.geojson", house), &options, &scene, NULL));
    rcity_cover cover;
    assert_ok(context, rcity_scene_get_cover(context, scene, 25, 5, &cover));
    assert_near(cover.roof_m, 210.0, 0.0);
    rcity_scene_destroy(&scene);
    rcity_context_destroy(&context);
}

/* Nothing is left: the sentence adds up. */
static void test_none_left(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    rcity_import_options options = rcity_import_options_default();
    options.scene.drop_invalid = true;
    options.drop_without_height = true;
    options.height_field = "height";
    const char *text =
        JSON(JSON_CRS("32632"), HOUSE("\"height\":\"tall\"", "0", "10") "," HOUSE(
                                    "\"height\":\"high\"", "20", "30") "," HOUSE("\"height\":null", "40", "50"));
    assert_status(context, import_text(context, text, &options, NULL, NULL), RCITY_ERR_FORMAT);
    assert_message(context, "none of 3 buildings can be used: 1 were left out for want of a height");
    assert_message(context, "2 for values or shapes that are wrong (`bad-buildings=drop`)");
    rcity_context_destroy(&context);
}

/* Degrees that are read as metres leave slivers alone; others have no such excuse. */
static void test_degrees_as_metres(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    rcity_import_options options = rcity_import_options_default();
    const char *degrees = JSON("", BOX("\"height\":9", "11.567", "48.130", "11.568", "48.131"));
    static const char *const crs[] = {"EPSG:32632", "none"};
    for (int i = 0; i < 2; i++) {
        options.input_crs = crs[i];
        assert_status(context, import_text(context, degrees, &options, NULL, NULL), RCITY_ERR_FORMAT);
        assert_message(context, "1 rings are slivers; are these longitudes and latitudes?");
    }
    const char *thin = JSON(JSON_CRS("32632"), BOX("\"height\":9", "691000", "5334000", "691010", "5334000.01"));
    assert_status(context, import_text(context, thin, NULL, NULL, NULL), RCITY_ERR_FORMAT);
    assert_message(context, "1 rings are slivers");
    assert_null(strstr(rcity_context_message(context), "longitudes"));
    rcity_context_destroy(&context);
}

/* Words where numbers of buildings should be: without the field all is well, so dropping them is no advice. */
static void test_non_integer_ids_are_refused(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    rcity_import_options options = rcity_import_options_default();
    options.id_field = "n";
    static const char *const values[] = {"\"A-17\"", "2.5", "\"1e30\""};
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
        char text[600];
        snprintf(text, sizeof text, JSON(JSON_CRS("32632"), HOUSE("\"height\":9,\"n\":%s", "0", "10")), values[i]);
        assert_status(context, import_text(context, text, &options, NULL, NULL), RCITY_ERR_FORMAT);
        assert_message(context, "in the field 'n' is not a whole number; leave `id-field` out");
        assert_null(strstr(rcity_context_message(context), "`bad"));
    }
    rcity_context_destroy(&context);
}

static void test_losing_most_buildings_causes_a_warning(void **state)
{
    (void)state;
    heard_log heard;
    rcity_context *context = heard_log_context(&heard);
    rcity_import_options options = rcity_import_options_default();
    options.scene.drop_invalid = true;
    options.drop_without_height = true;
    const char *most =
        JSON(JSON_CRS("32632"), HOUSE("\"height\":\"9\"", "0", "10") "," HOUSE(
                                    "\"height\":\"tall\"", "20", "30") "," HOUSE("\"height\":null", "40", "50"));
    assert_ok(context, import_text(context, most, &options, NULL, NULL));
    assert_int_equal(heard.count, 1);
    assert_string_equal(heard.text, "more than half of the buildings were left out: 2, and 1 was kept");
    const char *half =
        JSON(JSON_CRS("32632"), HOUSE("\"height\":\"9\"", "0", "10") "," HOUSE("\"height\":\"tall\"", "20", "30"));
    assert_ok(context, import_text(context, half, &options, NULL, NULL));
    assert_int_equal(heard.count, 1);
    assert_non_null(strstr(rcity_repair_text(RCITY_REPAIR_DROPPED_BUILDINGS), "or lie outside the terrain"));
    rcity_context_destroy(&context);
}

TEST_SUITE(import_buildings)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ground_heights_need_a_terrain),
        cmocka_unit_test(test_none_left),
        cmocka_unit_test(test_degrees_as_metres),
        cmocka_unit_test(test_non_integer_ids_are_refused),
        cmocka_unit_test(test_losing_most_buildings_causes_a_warning),
    };
    return cmocka_run_group_tests_name("import buildings", tests, NULL, NULL);
}

/* Vegetation, and vectors together with terrain. */
#include "import_test.h"

#define HOUSE JSON(JSON_CRS("32632"), BOX("\"height\":9", "691000", "5334000", "691100", "5334100"))

static rcity_status import_both(rcity_context *context, const char *vegetation, rcity_import_options *options,
                                rcity_scene **scene, rcity_import_report *report)
{
    options->vegetation_path = save_text("trees.geojson", vegetation);
    return import_file(context, save_text("house.geojson", HOUSE), options, scene, report);
}

static void test_vegetation_takes_field_or_default_height(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    rcity_import_options options = rcity_import_options_default();
    rcity_scene *scene = NULL;
    rcity_scene_info info = {0};
    rcity_import_report report = {0};
    const char *trees =
        JSON(JSON_CRS("32632"), BOX("\"tree_height\":\"12 m\"", "691110", "5334000", "691150", "5334050") "," BOX(
                                    "\"tree_height\":null", "691160", "5334000", "691200", "5334050"));
    assert_status(context, import_both(context, trees, &options, &scene, &report), RCITY_ERR_FORMAT);
    assert_message(context, "1 of 2 polygons of '");
    assert_message(context, "feature 1");
    assert_message(context, "`vegetation-height-m=METRES`");
    options.vegetation_height_m = 7.0;
    assert_ok(context, import_both(context, trees, &options, &scene, &report));
    assert_ok(context, rcity_scene_describe(scene, &info));
    assert_int_equal(report.vegetation_count, 2);
    assert_int_equal(report.vegetation_default_count, 1);
    assert_int_equal(info.vegetation_count, 2);
    assert_near(info.vegetation_area_km2, 2 * 40 * 50 * 1e-6, 1e-9);
    rcity_ground_cover cover;
    assert_ok(context, rcity_scene_get_ground_cover(context, scene, 691120, 5334020, &cover));
    assert_near(cover.vegetation_m, 12.0, 0.01);
    assert_ok(context, rcity_scene_get_ground_cover(context, scene, 691180, 5334020, &cover));
    assert_near(cover.vegetation_m, 7.0, 0.01);
    assert_string_equal(info.source, "house.geojson; vegetation trees.geojson");
    rcity_scene_destroy(&scene);
    options.vegetation_height_field = "crown";
    assert_status(context, import_both(context, trees, &options, &scene, &report), RCITY_ERR_ARGUMENT);
    assert_message(context, "'crown' for `vegetation-height-field`");
    assert_int_equal(rcity_context_memory_used(context), 0);
    rcity_context_destroy(&context);
}

static void test_bad_vegetation_is_refused_or_dropped(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    rcity_scene *scene = NULL;
    rcity_import_report report = {0};
    static const struct {
        const char *text;
        rcity_status status;
        const char *message;
    } cases[] = {
        {JSON(JSON_CRS("32632"), BOX("\"name\":1", "691110", "5334000", "691150", "5334050")), RCITY_ERR_ARGUMENT,
         "`vegetation-height-field`"},
        {JSON(JSON_CRS("32632"), BOX("\"height\":\"high\"", "691110", "5334000", "691150", "5334050")),
         RCITY_ERR_ARGUMENT, "and numbers in it; name one with `vegetation-height-field`"},
        {JSON(JSON_CRS("32632"), BOX("\"height\":\"high\"", "691110", "5334000", "691150",
                                     "5334050") "," BOX("\"height\":\"5\"", "691210", "5334000", "691250", "5334050")),
         RCITY_ERR_FORMAT, "'high'"},
        {JSON(JSON_CRS("32632"), BOX("\"vegetation\":3", "691110", "5334000", "691150", "5334050")), /* a class */
         RCITY_ERR_ARGUMENT, "`vegetation-height-field`"},
        /* found when all is put together: of the trees, not of the house */
        {JSON(JSON_CRS("32632"), ITEM("\"height\":5", "Polygon",
                                      "[[[691110,5334000],[691150,5334050],[691150,5334000],[691110,5334050],[691110,"
                                      "5334000]]]")),
         RCITY_ERR_GEOMETRY, "trees.geojson': the outline of vegetation 0 crosses itself"},
        {JSON(JSON_CRS("32632"), BOX("\"height\":5", "891110", "5334000", "891150", "5334050")), RCITY_ERR_ARGUMENT,
         "200 km from the inputs before it"},
        {JSON(JSON_CRS("32632"), BOX("\"height\":500", "691110", "5334000", "691150", "5334050")), RCITY_ERR_GEOMETRY,
         "trees.geojson"},
        {JSON("", BOX("\"height\":5", "48.13", "11.56", "48.131", "11.561")), RCITY_ERR_ARGUMENT, "swapped"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        rcity_import_options options = rcity_import_options_default();
        assert_status(context, import_both(context, cases[i].text, &options, &scene, &report), cases[i].status);
        assert_message(context, cases[i].message);
    }
    /* one bad among good ones can be left out */
    rcity_import_options options = rcity_import_options_default();
    options.scene.drop_invalid = true;
    assert_ok(context, import_both(context,
                                   JSON(JSON_CRS("32632"),
                                        BOX("\"height\":\"high\"", "691110", "5334000", "691150", "5334050") "," BOX(
                                            "\"height\":\"5\"", "691210", "5334000", "691250", "5334050")),
                                   &options, &scene, &report));
    assert_int_equal(report.vegetation_count, 1);
    rcity_scene_info info = {0};
    assert_ok(context, rcity_scene_describe(scene, &info));
    assert_int_equal(info.repair_count[RCITY_REPAIR_DROPPED_VEGETATION], 1);
    rcity_scene_destroy(&scene);
    assert_int_equal(rcity_context_memory_used(context), 0);
    rcity_context_destroy(&context);
}

/* A slope of 100 m around Munich in degrees, rising to the east: 500 m + 1000 m per degree. */
static const char *make_slope(void)
{
    GDALAllRegister();
    const char *path = test_path("slope.tif");
    enum { SIZE = 60 };
    GDALDatasetH dataset = GDALCreate(GDALGetDriverByName("GTiff"), path, SIZE, SIZE, 1, GDT_Float32, NULL);
    assert_non_null(dataset);
    double place[6] = {11.5, 0.002, 0.0, 48.2, 0.0, -0.002};
    assert_int_equal(GDALSetGeoTransform(dataset, place), CE_None);
    OGRSpatialReferenceH crs = OSRNewSpatialReference(NULL);
    OSRImportFromEPSG(crs, 4326);
    assert_int_equal(GDALSetSpatialRef(dataset, crs), CE_None);
    OSRDestroySpatialReference(crs);
    static float height_m[SIZE * SIZE];
    for (int i = 0; i < SIZE * SIZE; i++) {
        height_m[i] = 500.0f + 1000.0f * 0.002f * (0.5f + (float)(i % SIZE));
    }
    assert_int_equal(GDALRasterIO(GDALGetRasterBand(dataset, 1), GF_Write, 0, 0, SIZE, SIZE, height_m, SIZE, SIZE,
                                  GDT_Float32, 0, 0),
                     CE_None);
    GDALClose(dataset);
    return path;
}

/* Buildings stand on the ground under them, whatever CRS each came in; swapped ones lie elsewhere than the terrain. */
static void test_buildings_stand_on_the_terrain(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    const char *slope = make_slope();
    rcity_import_options options = rcity_import_options_default();
    options.terrain_path_count = 1;
    options.terrain_paths = &slope;
    rcity_scene *scene = NULL;
    rcity_scene_info info = {0};
    assert_ok(context, import_file(context, save_text("house.geojson", HOUSE), &options, &scene, NULL));
    assert_ok(context, rcity_scene_describe(scene, &info));
    assert_true(info.has_terrain);
    assert_string_equal(info.crs, "EPSG:32632");
    assert_string_equal(info.source, "house.geojson; terrain slope.tif");
    double west[2] = {691000, 5334000}; /* its lowest corner */
    assert_ok(context, rcity_crs_transform(context, "EPSG:32632", RCITY_CRS_LONLAT, 1, west));
    rcity_cover cover;
    assert_ok(context, rcity_scene_get_cover(context, scene, 691050, 5334050, &cover));
    assert_near(cover.roof_m, 500.0 + 1000.0 * (west[0] - 11.5) + 9.0, 0.1);
    rcity_scene_destroy(&scene);
    const char *swapped = JSON("", BOX("\"height\":9", "48.13", "11.566", "48.131", "11.567"));
    assert_status(context, import_file(context, save_text("swapped.geojson", swapped), &options, &scene, NULL),
                  RCITY_ERR_ARGUMENT);
    assert_message(context, "far from the terrain");
    assert_message(context, "swapped");
    assert_message(context, "longitude comes first");
    /* elsewhere altogether */
    const char *far = JSON("", BOX("\"height\":9", "13.4", "52.5", "13.401", "52.501"));
    assert_status(context, import_file(context, save_text("far.geojson", far), &options, &scene, NULL),
                  RCITY_ERR_ARGUMENT);
    /* terrain alone takes the UTM zone of its middle */
    assert_ok(context, rcity_scene_import(context, &options, &scene, NULL));
    assert_ok(context, rcity_scene_describe(scene, &info));
    assert_string_equal(info.crs, "EPSG:32632");
    assert_int_equal(info.building_count, 0);
    assert_near(info.ground_max_m - info.ground_min_m, 1000.0 * 0.002 * 59, 3.0);
    rcity_scene_destroy(&scene);
    assert_int_equal(rcity_context_memory_used(context), 0);
    rcity_context_destroy(&context);
}

TEST_SUITE(import_vegetation)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_vegetation_takes_field_or_default_height),
        cmocka_unit_test(test_bad_vegetation_is_refused_or_dropped),
        cmocka_unit_test(test_buildings_stand_on_the_terrain),
    };
    return cmocka_run_group_tests_name("import vegetation", tests, NULL, NULL);
}

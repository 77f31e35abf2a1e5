/* Rasters as they come: tiles, units, CRS, and what is none. */
#include "raster_stage.h"

#include "heard_log.h"

static float elsewhere_value(const void *user, int column, int row)
{
    return tile_value(user, column, row) + 1000.0f;
}

static void commit_and_hash(raster_stage *stage, char hash[65])
{
    rcity_scene_info info;
    assert_ok(stage->context, rcity_scene_commit(stage->import.scene));
    assert_ok(stage->context, rcity_scene_describe(stage->import.scene, &info));
    memcpy(hash, info.hash, 65);
}

/* A raster and its four parts give the same scene, in its own CRS and in another; the first of two that overlap
   counts. */
static void test_tiles_equal_the_whole_raster(void **state)
{
    (void)state;
    static const char *const crs[2] = {"EPSG:32632", "EPSG:25833"};
    for (int k = 0; k < 2; k++) {
        char whole_hash[65];
        char tile_hash[65];
        raster_stage stage;
        raster_recipe recipe = small_recipe("whole.tif");
        open_stage(&stage, crs[k]);
        add_terrain(&stage, make_raster(&recipe));
        read_terrain(&stage);
        commit_and_hash(&stage, whole_hash);
        close_stage(&stage);

        open_stage(&stage, crs[k]);
        static const int parts[4][4] = {{17, 11, 23, 19}, {0, 0, 17, 11}, {17, 0, 23, 11}, {0, 11, 17, 19}};
        static const char *const names[4] = {"p0.tif", "p1.tif", "p2.tif", "p3.tif"};
        for (int i = 0; i < 4; i++) {
            tile_part part = {parts[i][0], parts[i][1]};
            add_terrain(&stage, make_part(names[i], part, parts[i][2], parts[i][3]));
        }
        tile_part under = {5, 3}; /* the last in the list, over all of them, with other heights */
        raster_recipe last = small_recipe("p4.tif");
        last.columns = 20;
        last.rows = 15;
        last.to_place[0] += 50;
        last.to_place[3] -= 30;
        last.value = elsewhere_value;
        last.user = &under;
        add_terrain(&stage, make_raster(&last));
        read_terrain(&stage);
        commit_and_hash(&stage, tile_hash);
        assert_string_equal(whole_hash, tile_hash);
        close_stage(&stage);

        open_stage(&stage, crs[k]); /* and the first in the list, it wins */
        add_terrain(&stage, test_path("p4.tif"));
        add_terrain(&stage, test_path("whole.tif"));
        const rcity_terrain *terrain = read_terrain(&stage);
        float highest = 0.0f;
        for (int i = 0; i < terrain->column_count * terrain->row_count; i++) {
            highest = fmaxf(highest, terrain->height_m[i]);
        }
        assert_true(highest > 1000.0f);
        close_stage(&stage);
    }
}

static float feet_value(const void *user, int column, int row)
{
    (void)user;
    return 1000.0f + 10.0f * (float)column + (float)row;
}

static float himalaya_in_feet(const void *user, int column, int row)
{
    (void)user;
    return 15000.0f + (float)column + (float)row;
}

static void test_undeclared_feet_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *unit, *wanted;
        double unit_m;
    } cases[] = {{"ft", "ft", 0.3048},
                 {"feet", "ft", 0.3048},
                 {"US survey foot", "us-ft", 1200.0 / 3937.0},
                 {"us_survey_foot", "us-ft", 1200.0 / 3937.0}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        raster_recipe recipe = small_recipe("feet.tif");
        recipe.unit = cases[i].unit;
        recipe.value = feet_value;
        raster_stage stage;
        open_stage(&stage, utm32);
        add_terrain(&stage, make_raster(&recipe));
        char words[64];
        snprintf(words, sizeof words, "`terrain-unit=%s`", cases[i].wanted);
        refuse_terrain(&stage, RCITY_ERR_ARGUMENT, words);
        stage.options.terrain_unit = cases[i].wanted;
        const rcity_terrain *terrain = read_terrain(&stage);
        assert_near((double)terrain->height_m[0], 1029 * cases[i].unit_m, 1e-4);
        stage.options.terrain_unit = "furlong";
        assert_status(stage.context, rcity_import_terrain(&stage.import), RCITY_ERR_ARGUMENT);
        assert_message(stage.context, "'furlong', must be m, ft or us-ft");
        close_stage(&stage);
    }
    raster_recipe recipe = small_recipe("centimetres.tif");
    recipe.unit = "cm";
    raster_stage stage;
    open_stage(&stage, utm32);
    add_terrain(&stage, make_raster(&recipe));
    refuse_terrain(&stage, RCITY_ERR_ARGUMENT, "are in 'cm', not in metres");
    close_stage(&stage);

    recipe = small_recipe("vertical.tif"); /* NAVD88 in US survey feet */
    recipe.crs = "EPSG:32632+6360";
    open_stage(&stage, utm32);
    add_terrain(&stage, make_raster(&recipe));
    refuse_terrain(&stage, RCITY_ERR_ARGUMENT, "`terrain-unit=us-ft`");
    stage.options.terrain_unit = "us-ft";
    read_terrain(&stage);
    close_stage(&stage);

    recipe = small_recipe("undeclared.tif");
    recipe.value = himalaya_in_feet;
    open_stage(&stage, utm32);
    add_terrain(&stage, make_raster(&recipe));
    refuse_terrain(&stage, RCITY_ERR_ARGUMENT, "heights up to 15068 m, higher than any on Earth");
    assert_message(stage.context, "`terrain-unit=ft`");
    stage.options.terrain_fill = RCITY_FILL_VALUE; /* not even then: the mountains would be flat */
    stage.options.terrain_fill_m = 0;
    refuse_terrain(&stage, RCITY_ERR_ARGUMENT, "heights up to 15068 m");
    stage.options.terrain_unit = "ft";
    const rcity_terrain *terrain = read_terrain(&stage);
    assert_near((double)terrain->height_m[0], 15029 * 0.3048, 1e-3);
    assert_int_equal(stage.import.report.filled_node_count, 0);
    close_stage(&stage);
}

static void write_text(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static void count_warning(void *user, rcity_log_level level, const char *text)
{
    if (level == RCITY_LOG_WARNING && strstr(text, "has 2 bands; the first is read") != NULL) {
        ++*(int *)user;
    }
}

static void test_bad_files(void **state)
{
    (void)state;
    raster_stage stage;
    open_stage(&stage, utm32);
    add_terrain(&stage, test_path("nowhere.tif"));
    refuse_terrain(&stage, RCITY_ERR_FILE, "nowhere.tif");
    const char *text = test_path("text.tif");
    write_text(text, "this is no raster\n");
    stage.paths[0] = text;
    refuse_terrain(&stage, RCITY_ERR_FORMAT, "text.tif' is not a raster that GDAL can read");

    raster_recipe recipe = small_recipe("picture.tif");
    recipe.type = GDT_Byte;
    recipe.band_count = 3;
    stage.paths[0] = make_raster(&recipe);
    GDALDatasetH dataset = GDALOpen(stage.paths[0], GA_Update);
    for (int i = 0; i < 3; i++) {
        GDALSetRasterColorInterpretation(GDALGetRasterBand(dataset, i + 1), (GDALColorInterp)(GCI_RedBand + i));
    }
    GDALClose(dataset);
    refuse_terrain(&stage, RCITY_ERR_FORMAT, "picture.tif' looks like a picture");

    recipe = small_recipe("palette.tif");
    recipe.type = GDT_Byte;
    stage.paths[0] = make_raster(&recipe);
    dataset = GDALOpen(stage.paths[0], GA_Update);
    GDALColorTableH colours = GDALCreateColorTable(GPI_RGB);
    const GDALColorEntry red = {255, 0, 0, 255};
    GDALSetColorEntry(colours, 1, &red);
    GDALSetRasterColorTable(GDALGetRasterBand(dataset, 1), colours);
    GDALDestroyColorTable(colours);
    GDALClose(dataset);
    refuse_terrain(&stage, RCITY_ERR_FORMAT, "palette.tif' looks like a picture");

    recipe = small_recipe("placeless.tif");
    memset(recipe.to_place, 0, sizeof recipe.to_place);
    stage.paths[0] = make_raster(&recipe);
    refuse_terrain(&stage, RCITY_ERR_FORMAT, "does not say where it lies");

    recipe = small_recipe("unsaid.tif");
    recipe.crs = NULL;
    stage.paths[0] = make_raster(&recipe);
    refuse_terrain(&stage, RCITY_ERR_ARGUMENT, "unsaid.tif' does not state its CRS; say it with `crs`");
    stage.options.input_crs = utm32;
    read_terrain(&stage);
    close_stage(&stage);

    open_stage(&stage, "none"); /* plain metres on both sides */
    add_terrain(&stage, test_path("unsaid.tif"));
    assert_int_equal(read_terrain(&stage)->column_count, 40);
    stage.paths[0] = test_path("placeless.tif");
    close_stage(&stage);
    open_stage(&stage, "none");
    recipe = small_recipe("stated.tif");
    add_terrain(&stage, make_raster(&recipe));
    refuse_terrain(&stage, RCITY_ERR_ARGUMENT, "has a CRS, but the scene is to have none");
    close_stage(&stage);

    int warning_count = 0;
    rcity_context_options options = rcity_context_options_default();
    options.log = count_warning;
    options.log_user = &warning_count;
    rcity_context *context = NULL;
    assert_int_equal(rcity_context_create(&options, &context), RCITY_OK);
    open_stage_in(&stage, context, utm32, false);
    recipe = small_recipe("bands.tif");
    recipe.band_count = 2;
    add_terrain(&stage, make_raster(&recipe));
    read_terrain(&stage);
    assert_int_equal(warning_count, 1);
    close_stage(&stage);
}

static const char drawing_crs[] = "LOCAL_CS[\"a drawing\",UNIT[\"metre\",1]]";

/* As with vectors: a lone raster that states its CRS contradicts another --crs, among several inputs it keeps its own;
   and a CRS that says there is none is none. */
static void test_given_crs(void **state)
{
    (void)state;
    raster_recipe recipe = small_recipe("given.tif");
    raster_stage stage;
    heard_log heard;
    open_stage_in(&stage, heard_log_context(&heard), utm32, false);
    add_terrain(&stage, make_raster(&recipe));
    stage.options.input_crs = "EPSG:25833";
    refuse_terrain(&stage, RCITY_ERR_ARGUMENT, "given.tif' states its CRS, EPSG:32632, but `crs` says EPSG:25833");
    char *text = NULL;
    double lonlat[2];
    assert_status(stage.context, rcity_import_peek_raster(&stage.import, test_path("given.tif"), &text, lonlat),
                  RCITY_ERR_ARGUMENT);
    assert_null(text);
    assert_int_equal(heard.count, 0);
    stage.options.vegetation_path = "trees.gpkg"; /* which may be the one that is meant */
    read_terrain(&stage);
    assert_int_equal(heard.count, 1);
    assert_non_null(strstr(heard.text, "EPSG:32632, and keeps it; `crs=EPSG:25833` counts for inputs that state none"));
    stage.options.vegetation_path = NULL;
    stage.options.input_crs = "+proj=utm +zone=32 +datum=WGS84"; /* the same, in other words */
    read_terrain(&stage);
    close_stage(&stage);

    recipe = small_recipe("drawing.tif");
    recipe.crs = drawing_crs;
    const char *path = make_raster(&recipe);
    open_stage(&stage, utm32);
    add_terrain(&stage, path);
    refuse_terrain(&stage, RCITY_ERR_ARGUMENT, "drawing.tif' does not state its CRS; say it with `crs`");
    stage.options.input_crs = utm32;
    assert_near(read_terrain(&stage)->west_m, 500005, 0);
    close_stage(&stage);
    open_stage(&stage, "none");
    add_terrain(&stage, path);
    stage.options.input_crs = "none";
    assert_int_equal(read_terrain(&stage)->column_count, 40);
    close_stage(&stage);
}

static void test_raster_tells_its_crs_and_place(void **state)
{
    (void)state;
    raster_recipe recipe = small_recipe("peek.tif");
    raster_stage stage;
    char *text = NULL;
    double lonlat[2] = {7, 8};
    open_stage(&stage, utm32);
    assert_ok(stage.context, rcity_import_peek_raster(&stage.import, make_raster(&recipe), &text, lonlat));
    assert_string_equal(text, "EPSG:32632");
    assert_near(lonlat[0], 9.0, 0.01); /* the zone's middle, 45 degrees north */
    assert_near(lonlat[1], 45.15, 0.02);
    rcity_release(stage.context, text);
    recipe.name = "silent.tif";
    recipe.crs = NULL;
    lonlat[0] = 7;
    assert_ok(stage.context, rcity_import_peek_raster(&stage.import, make_raster(&recipe), &text, lonlat));
    assert_string_equal(text, "");
    assert_near(lonlat[0], 7, 0);
    rcity_release(stage.context, text);
    stage.options.input_crs = "EPSG:25833"; /* said for those that do not */
    assert_ok(stage.context, rcity_import_peek_raster(&stage.import, test_path("silent.tif"), &text, lonlat));
    assert_string_equal(text, "EPSG:25833");
    assert_near(lonlat[0], 15.0, 0.01);
    rcity_release(stage.context, text);
    text = NULL;
    assert_status(stage.context, rcity_import_peek_raster(&stage.import, "/nowhere", &text, lonlat), RCITY_ERR_FILE);
    assert_null(text);
    close_stage(&stage);
}

TEST_SUITE(raster_source)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tiles_equal_the_whole_raster),
        cmocka_unit_test(test_undeclared_feet_are_refused),
        cmocka_unit_test(test_bad_files),
        cmocka_unit_test(test_given_crs),
        cmocka_unit_test(test_raster_tells_its_crs_and_place),
    };
    return cmocka_run_group_tests_name("raster_source", tests, NULL, NULL);
}

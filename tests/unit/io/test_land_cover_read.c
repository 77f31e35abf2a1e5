/* Land cover out of a raster and a table, materials out of a table. */
#include "raster_stage.h"

#include "io/import/import_crs.h"
#include "io/raster/land_products.h"

static const char *write_table(const char *name, const char *text)
{
    const char *path = test_path(name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
    return path;
}

static const char good_table[] = "code,name,height_m,loss_db\n"
                                 "1,water,0,-1.5\n"
                                 "2,\"grass, mown\",0.2,0\n"
                                 "3,forest,18,11\n"
                                 "255,unclassified,,\n";

static float class_value(const void *user, int column, int row)
{
    (void)user;
    return column == 30 && row == 20 ? 255.0f : (float)(1 + (column / 5 + row / 4) % 3);
}

static raster_recipe class_recipe(const char *name)
{
    return (raster_recipe){.name = name,
                           .columns = 60,
                           .rows = 40,
                           .to_place = {500003, 7.5, 0, 5000307, 0, -7.5},
                           .crs = utm32,
                           .type = GDT_Byte,
                           .nodata = 255,
                           .value = class_value};
}

static void read_cover(raster_stage *stage, const char *raster, const char *table)
{
    stage->options.land_cover_path = raster;
    stage->options.land_cover_table = table;
    assert_ok(stage->context, rcity_import_land_cover(&stage->import));
}

static void refuse(raster_stage *stage, rcity_status expected, const char *words)
{
    assert_status(stage->context, rcity_import_land_cover(&stage->import), expected);
    assert_message(stage->context, words);
}

/* The scene's own CRS: every pixel under the scene as it is, cut to it. */
static void test_land_classes_are_read_pixel_by_pixel(void **state)
{
    (void)state;
    raster_stage stage;
    raster_recipe recipe = class_recipe("classes.tif");
    open_stage(&stage, utm32);
    add_house(&stage, 1, 500100, 5000100, 500110, 5000110);
    add_house(&stage, 2, 500300, 5000200, 500310, 5000210);
    read_cover(&stage, make_raster(&recipe), write_table("classes.csv", good_table));
    assert_ok(stage.context, rcity_scene_commit(stage.import.scene));
    rcity_scene_info info;
    assert_ok(stage.context, rcity_scene_describe(stage.import.scene, &info));
    assert_int_equal(info.land_class_count, 4);
    assert_near(info.land_cover_cell_m, 7.5, 0);
    assert_true(info.land_cover_column_count >= 28 && info.land_cover_column_count <= 30);
    assert_true(info.land_cover_row_count >= 15 && info.land_cover_row_count <= 17);
    for (uint64_t i = 0; i < 500; i++) {
        double x_m = test_uniform(5, 2 * i, 500100, 500310);
        double y_m = test_uniform(5, 2 * i + 1, 5000100, 5000210);
        rcity_ground_cover cover;
        assert_ok(stage.context, rcity_scene_get_ground_cover(stage.context, stage.import.scene, x_m, y_m, &cover));
        int column = (int)floor((x_m - 500003) / 7.5);
        int row = (int)floor((5000307 - y_m) / 7.5);
        assert_int_equal(cover.land_class_code, (int)class_value(NULL, column, row));
    }
    rcity_ground_cover cover;
    double x_m = 500003 + 7.5 * 20.5;
    double y_m = 5000307 - 7.5 * 25.5;
    assert_ok(stage.context, rcity_scene_get_ground_cover(stage.context, stage.import.scene, x_m, y_m, &cover));
    assert_int_equal(cover.land_class_code, 2);
    assert_string_equal(cover.land_class_name, "grass, mown");
    assert_near(cover.land_class_height_m, 0.2, 0);
    assert_near(cover.land_class_loss_db, 0, 0);
    close_stage(&stage);
}

/* Another CRS: each cell has the class of the pixel its centre lies in. */
static void test_reprojected_cells_take_the_nearest_class(void **state)
{
    (void)state;
    raster_stage stage;
    raster_recipe recipe = {.name = "degrees.tif",
                            .columns = 60,
                            .rows = 40,
                            .to_place = {11.5, 0.0004, 0, 48.1, 0, -0.0003},
                            .crs = "EPSG:4326",
                            .type = GDT_Byte,
                            .value = class_value};
    open_stage(&stage, utm32);
    float height_m[4] = {1, 2, 3, 4};
    rcity_terrain terrain = {2, 2, 686500, 5329400, 700, height_m};
    assert_ok(stage.context, rcity_scene_set_terrain(stage.import.scene, &terrain));
    read_cover(&stage, make_raster(&recipe), write_table("classes.csv", good_table));
    assert_ok(stage.context, rcity_scene_commit(stage.import.scene));
    const rcity_land_grid *land = &rcity_scene_shapes(stage.import.scene)->land_cover;
    assert_near(land->cell_m, 30, 0); /* 0.0004 degrees of longitude are 29.8 m there */
    assert_true(land->column_count >= 23 && land->row_count >= 23);
    OGRCoordinateTransformationH to_lonlat = NULL;
    assert_ok(stage.context, rcity_crs_open_lonlat(&stage.call, stage.import.crs, &to_lonlat));
    int checked = 0;
    for (int i = 0; i < land->column_count * land->row_count; i++) {
        double lonlat[2];
        double x_m = land->west_m + (i % land->column_count + 0.5) * land->cell_m;
        double y_m = land->south_m + (i / land->column_count + 0.5) * land->cell_m;
        assert_true(rcity_crs_place(to_lonlat, x_m, y_m, lonlat));
        int column = (int)floor((lonlat[0] - 11.5) / 0.0004);
        int row = (int)floor((48.1 - lonlat[1]) / 0.0003);
        assert_int_equal(land->code[i], (int)class_value(NULL, column, row));
        checked++;
    }
    assert_true(checked > 500);
    OCTDestroyCoordinateTransformation(to_lonlat);
    close_stage(&stage);
}

static void test_bad_tables_and_rasters_are_refused(void **state)
{
    (void)state;
    raster_stage stage;
    raster_recipe recipe = class_recipe("classes.tif");
    open_stage(&stage, utm32);
    assert_ok(stage.context, rcity_import_land_cover(&stage.import)); /* none asked for */
    add_house(&stage, 1, 500100, 5000100, 500110, 5000110);
    add_house(&stage, 2, 500300, 5000200, 500310, 5000210);
    stage.options.land_cover_path = make_raster(&recipe);
    refuse(&stage, RCITY_ERR_ARGUMENT, "needs the table");
    stage.options.land_cover_table = write_table("short.csv", "code,name\n1,a\n3,c\n255,d\n");
    refuse(&stage, RCITY_ERR_FORMAT, "have the code 2, for which");
    assert_message(stage.context, "short.csv' has no row");
    int64_t count = 0;
    assert_int_equal(sscanf(rcity_context_message(stage.context), "%ld cells of", &count), 1);
    assert_true(count > 100 && count < 300);
    stage.options.land_cover_table = write_table("codeless.csv", "klass,name\n1,a\n");
    refuse(&stage, RCITY_ERR_FORMAT, "has no column 'code'");
    stage.options.land_cover_table = write_table("wrong.csv", "code,name\n1,a\n2.5,b\n");
    refuse(&stage, RCITY_ERR_FORMAT, "line 3");
    assert_message(stage.context, "'2.5', must be a whole number from 0 to 255");
    stage.options.land_cover_table = write_table("words.csv", "code,name,height_m\n1,a,high\n");
    refuse(&stage, RCITY_ERR_FORMAT, "high");
    stage.options.land_cover_table = write_table("twice.csv", "code,name\n1,a\n2,b\n3,c\n255,d\n2,e\n");
    refuse(&stage, RCITY_ERR_FORMAT, "twice.csv': the land class 2 stands in the table twice");
    stage.options.land_cover_table = write_table("loud.csv", "code,name,loss_db\n1,a,0\n2,b,500\n3,c,0\n255,d,0\n");
    refuse(&stage, RCITY_ERR_FORMAT, "loud.csv': land class 2 adds 500 dB");
    stage.options.land_cover_table = test_path("absent.csv");
    refuse(&stage, RCITY_ERR_FILE, "absent.csv");
    stage.options.land_cover_table = write_table("classes.csv", good_table);
    stage.options.land_cover_path = test_path("absent.tif");
    refuse(&stage, RCITY_ERR_FILE, "absent.tif");
    raster_recipe heights = class_recipe("heights.tif");
    heights.type = GDT_Float32;
    heights.to_place[1] = 7.25; /* not the only odd thing: values between whole numbers */
    heights.user = NULL;
    stage.options.land_cover_path = make_raster(&heights);
    GDALDatasetH dataset = GDALOpen(stage.options.land_cover_path, GA_Update);
    float half = 1.5f;
    assert_int_equal(
        GDALRasterIO(GDALGetRasterBand(dataset, 1), GF_Write, 20, 20, 1, 1, &half, 1, 1, GDT_Float32, 0, 0), CE_None);
    GDALClose(dataset);
    refuse(&stage, RCITY_ERR_FORMAT, "has the value 1.5 at");
    raster_recipe silent =
        class_recipe("silent.tif"); /* a mark of missing values that is no code: the way out is said */
    silent.type = GDT_Int16;
    silent.nodata = -9999;
    stage.options.land_cover_path = make_raster(&silent);
    dataset = GDALOpen(stage.options.land_cover_path, GA_Update);
    float missing = -9999.0f;
    assert_int_equal(
        GDALRasterIO(GDALGetRasterBand(dataset, 1), GF_Write, 20, 20, 1, 1, &missing, 1, 1, GDT_Float32, 0, 0),
        CE_None);
    GDALClose(dataset);
    refuse(&stage, RCITY_ERR_FORMAT, "silent.tif' has no value at (500156.8, 5000153.2), where it says -9999");
    assert_message(stage.context, "gdalwarp -ot Byte -dstnodata 255, and the code a row in '");
    assert_message(stage.context, "classes.csv'");
    recipe.name = "elsewhere.tif";
    recipe.to_place[0] = 700000;
    stage.options.land_cover_path = make_raster(&recipe);
    refuse(&stage, RCITY_ERR_ARGUMENT, "do not overlap");
    close_stage(&stage);
}

static void test_materials_are_read_from_a_table(void **state)
{
    (void)state;
    raster_stage stage;
    open_stage(&stage, utm32);
    assert_ok(stage.context, rcity_import_materials(&stage.import)); /* none asked for */
    stage.options.materials_path =
        write_table("materials.csv", "name;a;b;c;d;thickness_m;scattering;frequency_min_ghz;frequency_max_ghz\n"
                                     "Larch Wall;2.5;0;0.005;1.1;0.08;0.25;0.5;40\n"
                                     "brick;4.4;0;0.02;0.2;0.3;0.35;;\n");
    assert_ok(stage.context, rcity_import_materials(&stage.import));
    add_house(&stage, 1, 500100, 5000100, 500110, 5000110);
    assert_ok(stage.context, rcity_scene_commit(stage.import.scene));
    rcity_material material;
    assert_ok(stage.context,
              rcity_scene_get_material(stage.context, stage.import.scene, "larch wall", RCITY_SURFACE_WALL, &material));
    assert_near(material.a, 2.5, 0);
    assert_near(material.c, 0.005, 1e-12);
    assert_near(material.d, 1.1, 1e-12);
    assert_near(material.thickness_m, 0.08, 1e-12);
    assert_near(material.scattering, 0.25, 0);
    assert_near(material.frequency_min_hz, 0.5e9, 1e-3);
    assert_near(material.frequency_max_hz, 40e9, 1e-3);
    assert_ok(stage.context,
              rcity_scene_get_material(stage.context, stage.import.scene, "brick", RCITY_SURFACE_WALL, &material));
    assert_near(material.a, 4.4, 0);
    assert_near(material.frequency_min_hz, 1e9, 1e-3); /* where the table does not say */
    assert_near(material.frequency_max_hz, 100e9, 1e-3);
    close_stage(&stage);

    static const struct {
        const char *text, *words;
        rcity_status status;
    } wrong[] = {
        {"name,a,b,c,d,thickness_m\nx,1,2,3,4,5\n", "have no column 'scattering'", RCITY_ERR_FORMAT},
        {"a,b,c,d,thickness_m,scattering\n1,2,3,4,5,6\n", "have no column 'name'", RCITY_ERR_FORMAT},
        {"name,a,b,c,d,thickness_m,scattering\nx,2,0,0,0,0.1,1.5\n",
         "line 2: the scattering coefficient of material 'x' is 1.5", RCITY_ERR_FORMAT},
        {"name,a,b,c,d,thickness_m,scattering,frequency_min_ghz,frequency_max_ghz\nx,2,0,0,0,0.1,0,100,1\n",
         "line 2: the highest frequency in GHz of material 'x' is 1, must be 100 to 10000", RCITY_ERR_FORMAT},
        {"name,a,b,c,d,thickness_m,scattering\nx,2,0,0,0,,0\n", "line 2: the material 'x' has no thickness_m",
         RCITY_ERR_FORMAT},
        {"name,a,b,c,d,thickness_m,scattering\nx,two,0,0,0,1,0\n", "two", RCITY_ERR_FORMAT},
        {"name,a,b,c,d,thickness_m,scattering\n,2,0,0,0,1,0\n", "must have 1 to 31 bytes", RCITY_ERR_FORMAT},
        {"name,a,b,c,d,thickness_m,scattering\nx,2,0,0,0,1,0\nX,2,0,0,0,1,0\n",
         "line 3: the material 'X' was added already", RCITY_ERR_FORMAT},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        open_stage(&stage, utm32);
        stage.options.materials_path = write_table("wrong.csv", wrong[i].text);
        assert_status(stage.context, rcity_import_materials(&stage.import), wrong[i].status);
        assert_message(stage.context, wrong[i].words);
        assert_message(stage.context, "wrong.csv");
        close_stage(&stage);
    }
}

static void test_allocation_failure(void **state)
{
    (void)state;
    raster_recipe recipe = class_recipe("classes.tif");
    make_raster(&recipe);
    write_table("classes.csv", good_table);
    write_table("materials.csv", "name,a,b,c,d,thickness_m,scattering\nx,2,0,0,0,1,0\n");
    long n = 0;
    bool has_failed = true;
    while (has_failed) {
        failing_allocator failing = {0, 0, 0};
        raster_stage stage;
        open_stage_in(&stage, test_context_failing(&failing, 1), utm32, false);
        add_house(&stage, 1, 500100, 5000100, 500110, 5000110);
        stage.options.land_cover_path = test_path("classes.tif");
        stage.options.land_cover_table = test_path("classes.csv");
        stage.options.materials_path = test_path("materials.csv");
        failing.fail_at = failing.call_count + ++n;
        rcity_status status = rcity_import_materials(&stage.import);
        status = status == RCITY_OK ? rcity_import_land_cover(&stage.import) : status;
        has_failed = failing.call_count >= failing.fail_at;
        assert_status(stage.context, status, has_failed ? RCITY_ERR_MEMORY : RCITY_OK);
        failing.fail_at = 0;
        close_stage(&stage);
        assert_int_equal(failing.live_count, 0);
    }
    print_message("each of %ld allocations failed once\n", n - 1);
    assert_true(n > 10);
}

static float product_value(const void *user, int column, int row)
{
    (void)row;
    const int *codes = user;
    return (float)codes[column >= 30 ? 1 : 0];
}

/* Built-in tables by name: each code once, heights of ITU-R P.1812-6 table 2 and no others; a code that the product does
   not have is refused. */
static void test_built_in_tables(void **state)
{
    (void)state;
    const struct {
        const char *name;
        int count, codes[2];
        double heights_m[2];
    } products[] = {{"worldcover", 12, {10, 50}, {15.0, 10.0}},
                    {"corine", 45, {1, 41}, {20.0, 0.0}},
                    {"NLCD", 22, {24, 22}, {15.0, 10.0}}};
    for (size_t i = 0; i < sizeof products / sizeof products[0]; i++) {
        raster_stage stage;
        raster_recipe recipe = class_recipe("product.tif");
        int count = 0;
        const rcity_land_class *classes = rcity_land_product_find(products[i].name, &count);
        assert_non_null(classes);
        assert_int_equal(count, products[i].count);
        for (int k = 0; k < count; k++) {
            double height_m = classes[k].height_m;
            assert_true(k == 0 || classes[k].code > classes[k - 1].code);
            assert_true(height_m == 0.0 || height_m == 10.0 || height_m == 15.0 || height_m == 20.0);
            assert_near(classes[k].loss_db, 0.0, 0.0);
        }
        recipe.value = product_value;
        recipe.user = products[i].codes;
        open_stage(&stage, utm32);
        add_house(&stage, 1, 500100, 5000100, 500400, 5000210);
        read_cover(&stage, make_raster(&recipe), products[i].name);
        assert_ok(stage.context, rcity_scene_commit(stage.import.scene));
        for (int k = 0; k < 2; k++) {
            rcity_ground_cover cover;
            assert_ok(stage.context, rcity_scene_get_ground_cover(stage.context, stage.import.scene,
                                                                  k == 0 ? 500110 : 500390, 5000150, &cover));
            assert_int_equal(cover.land_class_code, products[i].codes[k]);
            assert_near(cover.land_class_height_m, products[i].heights_m[k], 0.0);
        }
        close_stage(&stage);
    }
    int count = 0;
    assert_null(rcity_land_product_find("worldcove", &count));
    raster_stage stage;
    raster_recipe recipe = class_recipe("unknown.tif");
    const int codes[2] = {10, 7};
    recipe.value = product_value;
    recipe.user = codes;
    open_stage(&stage, utm32);
    add_house(&stage, 1, 500100, 5000100, 500400, 5000210);
    stage.options.land_cover_path = make_raster(&recipe);
    stage.options.land_cover_table = "worldcover";
    refuse(&stage, RCITY_ERR_FORMAT, "have the code 7, for which 'worldcover' has no row; give a table of your own");
    close_stage(&stage);
}

TEST_SUITE(land_cover_read)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_land_classes_are_read_pixel_by_pixel),
        cmocka_unit_test(test_reprojected_cells_take_the_nearest_class),
        cmocka_unit_test(test_bad_tables_and_rasters_are_refused),
        cmocka_unit_test(test_built_in_tables),
        cmocka_unit_test(test_materials_are_read_from_a_table),
        cmocka_unit_test(test_allocation_failure),
    };
    return cmocka_run_group_tests_name("land_cover_read", tests, NULL, NULL);
}

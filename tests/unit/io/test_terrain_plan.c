/* Which part of a raster becomes terrain; and what is said when it and the buildings lie apart. */
#include "raster_stage.h"

static void check_unique(const rcity_terrain *terrain, int west_column, int south_row)
{
    for (int row = 0; row < terrain->row_count; row++) {
        for (int column = 0; column < terrain->column_count; column++) {
            float expected = unique_value(NULL, west_column + column, south_row - row);
            if (terrain->height_m[row * terrain->column_count + column] != expected) {
                print_error("node (%d, %d)\n", column, row);
            }
            assert_near((double)terrain->height_m[row * terrain->column_count + column], (double)expected, 0);
        }
    }
}

/* Only what lies within the margin of the buildings is kept, and all that lies under them. */
static void test_terrain_is_cut_to_the_margin(void **state)
{
    (void)state;
    raster_stage stage;
    raster_recipe recipe = small_recipe("margin.tif");
    open_stage(&stage, utm32);
    add_terrain(&stage, make_raster(&recipe));
    add_house(&stage, 1, 500101, 5000102, 500148, 5000133);
    stage.options.terrain_margin_m = 25;
    const rcity_terrain *terrain = read_terrain(&stage); /* nodes from 500085 to 500165, 5000085 to 5000155 */
    assert_near(terrain->west_m, 500085, 0);
    assert_near(terrain->south_m, 5000085, 0);
    assert_int_equal(terrain->column_count, 9);
    assert_int_equal(terrain->row_count, 8);
    check_unique(terrain, 8, 21);
    assert_ok(stage.context, rcity_scene_commit(stage.import.scene));
    close_stage(&stage);

    open_stage(&stage, utm32); /* no margin at all: the cells under the house */
    add_terrain(&stage, test_path("margin.tif"));
    add_house(&stage, 1, 500101, 5000102, 500148, 5000133);
    stage.options.terrain_margin_m = 0;
    terrain = read_terrain(&stage);
    assert_near(terrain->west_m, 500095, 0);
    assert_int_equal(terrain->column_count, 7);
    assert_near(terrain->south_m, 5000095, 0);
    assert_int_equal(terrain->row_count, 5);
    assert_ok(stage.context, rcity_scene_commit(stage.import.scene));
    rcity_scene_info info;
    assert_ok(stage.context, rcity_scene_describe(stage.import.scene, &info));
    assert_int_equal(info.building_count, 1);
    close_stage(&stage);
}

static void test_terrain_apart_from_buildings_is_refused(void **state)
{
    (void)state;
    raster_recipe recipe = small_recipe("apart.tif");
    raster_stage stage;
    open_stage(&stage, utm32);
    add_terrain(&stage, make_raster(&recipe));
    add_house(&stage, 1, 600000, 5000000, 600010, 5000010);
    refuse_terrain(&stage, RCITY_ERR_ARGUMENT, "the terrain and the buildings do not overlap");
    assert_message(stage.context, "covers x 500000 to 500400, y 5000000 to 5000300, the buildings x 600000 to 600010");
    stage.options.terrain_fill = RCITY_FILL_NEAREST; /* not even then */
    refuse_terrain(&stage, RCITY_ERR_ARGUMENT, "do not overlap");
    stage.options.terrain_margin_m = 100;
    refuse_terrain(&stage, RCITY_ERR_ARGUMENT, "do not overlap");
    close_stage(&stage);

    open_stage_in(&stage, test_context(1), utm32, true); /* and not when strays may be dropped: it would be all */
    add_terrain(&stage, test_path("apart.tif"));
    add_house(&stage, 1, 600000, 5000000, 600010, 5000010);
    refuse_terrain(&stage, RCITY_ERR_ARGUMENT, "do not overlap");
    close_stage(&stage);

    open_stage(&stage, utm32);
    add_terrain(&stage, test_path("apart.tif"));
    add_house(&stage, 1, 5000100, 500100, 5000110, 500110);
    refuse_terrain(&stage, RCITY_ERR_ARGUMENT, "with x and y swapped they would");
    close_stage(&stage);

    raster_recipe swapped = {.name = "swapped.tif", /* latitude first, by mistake */
                             .columns = 20,
                             .rows = 20,
                             .to_place = {48.1, 0.001, 0, 11.6, 0, -0.001},
                             .crs = "EPSG:4326",
                             .value = unique_value};
    open_stage(&stage, utm32);
    add_terrain(&stage, make_raster(&swapped));
    add_house(&stage, 1, 690000, 5334000, 690010, 5334010);
    refuse_terrain(&stage, RCITY_ERR_ARGUMENT, "longitude and latitude of one of them are swapped");
    close_stage(&stage);

    raster_recipe south = {.name = "south.tif",
                           .columns = 20,
                           .rows = 20,
                           .to_place = {11.58, 0.001, 0, -48.1, 0, -0.001},
                           .crs = "EPSG:4326",
                           .value = unique_value};
    open_stage(&stage, utm32);
    add_terrain(&stage, make_raster(&south));
    add_house(&stage, 1, 690000, 5334000, 690010, 5334010);
    refuse_terrain(&stage, RCITY_ERR_ARGUMENT, "one lies north and one south of the equator");
    close_stage(&stage);
}

/* Buildings that reach beyond the raster: refused with both boxes, or filled, or dropped. */
static void test_partly_covered(void **state)
{
    (void)state;
    raster_recipe recipe = small_recipe("partly.tif");
    raster_stage stage;
    open_stage(&stage, utm32);
    add_terrain(&stage, make_raster(&recipe));
    add_house(&stage, 1, 500101, 5000102, 500148, 5000133);
    add_house(&stage, 2, 500381, 5000102, 500428, 5000133);
    stage.options.terrain_margin_m = 50;
    refuse_terrain(&stage, RCITY_ERR_ARGUMENT, "the terrain covers x 500000 to 500400");
    assert_message(stage.context, "reach from x 500101 to 500428");
    assert_message(stage.context, "the first at (500405.0, 5000095.0)");
    stage.options.terrain_fill = RCITY_FILL_NEAREST;
    const rcity_terrain *terrain = read_terrain(&stage);
    assert_true(stage.import.report.filled_node_count > 0);
    assert_near(terrain->west_m + (terrain->column_count - 1) * terrain->cell_m, 500435, 0);
    assert_ok(stage.context, rcity_scene_commit(stage.import.scene));
    close_stage(&stage);

    open_stage_in(&stage, test_context(1), utm32, true);
    add_terrain(&stage, test_path("partly.tif"));
    add_house(&stage, 1, 500101, 5000102, 500148, 5000133);
    add_house(&stage, 2, 500381, 5000102, 500428, 5000133);
    read_terrain(&stage);
    assert_int_equal(stage.import.report.filled_node_count, 0);
    assert_ok(stage.context, rcity_scene_commit(stage.import.scene));
    rcity_scene_info info;
    assert_ok(stage.context, rcity_scene_describe(stage.import.scene, &info));
    assert_int_equal(info.building_count, 1);
    assert_int_equal(info.repair_count[RCITY_REPAIR_DROPPED_BUILDINGS], 1);
    close_stage(&stage);
}

static void test_terrain_cell_and_margin_are_checked(void **state)
{
    (void)state;
    raster_recipe recipe = small_recipe("options.tif");
    raster_stage stage;
    open_stage(&stage, utm32);
    add_terrain(&stage, make_raster(&recipe));
    stage.options.terrain_cell_m = 0.3;
    refuse_terrain(&stage, RCITY_ERR_ARGUMENT, "is to be 0.3 m, must be a multiple of 1/128 m");
    stage.options.terrain_cell_m = -1;
    refuse_terrain(&stage, RCITY_ERR_ARGUMENT, "is to be -1 m");
    stage.options.terrain_cell_m = (double)NAN;
    stage.options.terrain_margin_m = -2;
    refuse_terrain(&stage, RCITY_ERR_ARGUMENT, "is to reach -2 m");
    stage.options.terrain_margin_m = (double)NAN;
    stage.options.terrain_cell_m = 2.5; /* finer than the raster: bilinear between its nodes */
    const rcity_terrain *terrain = read_terrain(&stage);
    assert_near(terrain->cell_m, 2.5, 0);
    assert_near(fmod(terrain->west_m, 2.5), 0, 0);
    assert_near(terrain->west_m, 500005, 0);
    assert_int_equal(terrain->column_count, 39 * 4 + 1);
    for (int part = 0; part <= 4; part++) {
        double between =
            (double)unique_value(NULL, 3, 29) * (4 - part) / 4 + (double)unique_value(NULL, 4, 29) * part / 4;
        assert_near((double)terrain->height_m[3 * 4 + part], between, 1e-4);
    }
    assert_ok(stage.context, rcity_scene_commit(stage.import.scene));
    close_stage(&stage);

    recipe = small_recipe("odd.tif"); /* pixels of 0.3 m: nodes on plan units, near that */
    recipe.to_place[1] = 0.3;
    recipe.to_place[5] = -0.3;
    open_stage(&stage, utm32);
    add_terrain(&stage, make_raster(&recipe));
    terrain = read_terrain(&stage);
    assert_near(terrain->cell_m, 38.0 / 128, 0);
    assert_ok(stage.context, rcity_scene_commit(stage.import.scene));
    close_stage(&stage);
}

static float falling_value(const void *user, int column, int row)
{
    (void)user;
    return (float)(column + row);
}

/* Nodes far apart in a raster too large to be read at once. */
static void test_coarse_cell(void **state)
{
    (void)state;
    raster_recipe recipe = {.name = "fine.tif",
                            .columns = 4500,
                            .rows = 4500,
                            .to_place = {500000, 10, 0, 5045000, 0, -10},
                            .crs = utm32,
                            .type = GDT_Int16,
                            .value = falling_value};
    raster_stage stage;
    open_stage(&stage, utm32);
    const char *path = make_raster(&recipe);
    add_terrain(&stage, path);
    stage.options.terrain_cell_m = 1000;
    const rcity_terrain *terrain = read_terrain(&stage);
    assert_near(terrain->west_m, 501000, 0);
    assert_near(terrain->south_m, 5001000, 0);
    assert_int_equal(terrain->column_count, 44);
    assert_int_equal(terrain->row_count, 44);
    for (int i = 0; i < 44 * 44; i++) {
        double x_m = terrain->west_m + i % 44 * 1000.0;
        double y_m = terrain->south_m + i / 44 * 1000.0;
        double expected_m = ((x_m - 500000) / 10 - 0.5) + ((5045000 - y_m) / 10 - 0.5);
        assert_near((double)terrain->height_m[i], expected_m, 1e-3);
    }
    print_message("at most %.0f MB of a raster of 81 MB\n", (double)rcity_context_memory_peak(stage.context) / 1e6);
    assert_true(rcity_context_memory_peak(stage.context) < 70000000);
    close_stage(&stage);
    unlink(path);
}

/* 20000 x 20000 pixels: what does not fit is said before anything is read; a part of it is read as it is. */
static void test_large_raster_is_refused_before_reading(void **state)
{
    (void)state;
    const char *path = test_path("large.tif");
    GDALAllRegister();
    char sparse[] = "SPARSE_OK=TRUE";
    char tiled[] = "TILED=YES";
    char *options[] = {sparse, tiled, NULL};
    GDALDatasetH dataset = GDALCreate(GDALGetDriverByName("GTiff"), path, 20000, 20000, 1, GDT_Int16, options);
    assert_non_null(dataset);
    double to_place[6] = {500000, 10, 0, 5200000, 0, -10};
    OGRSpatialReferenceH crs = OSRNewSpatialReference(NULL);
    assert_int_equal(OSRSetFromUserInput(crs, utm32), OGRERR_NONE);
    GDALSetGeoTransform(dataset, to_place);
    GDALSetSpatialRef(dataset, crs);
    OSRDestroySpatialReference(crs);
    GDALClose(dataset);
    rcity_context_options context_options = rcity_context_options_default();
    context_options.memory_bytes = 100 << 20;
    rcity_context *context = NULL;
    assert_int_equal(rcity_context_create(&context_options, &context), RCITY_OK);
    raster_stage stage;
    open_stage_in(&stage, context, utm32, false);
    add_terrain(&stage, path);
    refuse_terrain(&stage, RCITY_ERR_MEMORY, "the terrain of 20000 x 20000 nodes needs");
    assert_message(stage.context, "`terrain-margin-m`");
    assert_true(rcity_context_memory_peak(context) < 10 << 20);
    add_house(&stage, 1, 550000, 5100000, 550100, 5100050);
    stage.options.terrain_margin_m = 1000;
    read_terrain(&stage);
    assert_ok(stage.context, rcity_scene_commit(stage.import.scene));
    close_stage(&stage);
    unlink(path);
}

TEST_SUITE(terrain_plan)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_terrain_is_cut_to_the_margin),
        cmocka_unit_test(test_terrain_apart_from_buildings_is_refused),
        cmocka_unit_test(test_partly_covered),
        cmocka_unit_test(test_terrain_cell_and_margin_are_checked),
        cmocka_unit_test(test_coarse_cell),
        cmocka_unit_test(test_large_raster_is_refused_before_reading),
    };
    return cmocka_run_group_tests_name("terrain_plan", tests, NULL, NULL);
}

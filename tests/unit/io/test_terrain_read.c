/* Terrain out of rasters: exact where it can be, bilinear where it must. */
#include "raster_stage.h"

#include "io/import/import_crs.h"

/* A plane in the scene's CRS over pixels of some other. */
typedef struct plane {
    double height_m, slope_x, slope_y, x_m, y_m;
    const double *to_place;
    OGRCoordinateTransformationH to_scene; /* NULL: the same */
} plane;

static double plane_at(const plane *flat, double x_m, double y_m)
{
    return flat->height_m + flat->slope_x * (x_m - flat->x_m) + flat->slope_y * (y_m - flat->y_m);
}

static float plane_value(const void *user, int column, int row)
{
    const plane *flat = user;
    double x = flat->to_place[0] + flat->to_place[1] * (column + 0.5);
    double y = flat->to_place[3] + flat->to_place[5] * (row + 0.5);
    double place[2] = {x, y};
    if (flat->to_scene != NULL) {
        assert_true(rcity_crs_place(flat->to_scene, x, y, place));
    }
    return (float)plane_at(flat, place[0], place[1]);
}

static OGRCoordinateTransformationH open_transformation(raster_stage *stage, const char *from)
{
    OGRSpatialReferenceH crs = NULL;
    assert_ok(stage->context, rcity_gdal_read_crs(&stage->call, from, &crs));
    OGRCoordinateTransformationH to_scene = OCTNewCoordinateTransformation(crs, stage->import.crs);
    assert_non_null(to_scene);
    OSRDestroySpatialReference(crs);
    return to_scene;
}

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

static void test_heights_on_the_grid_are_exact(void **state)
{
    (void)state;
    raster_stage stage;
    raster_recipe recipe = small_recipe("exact.tif");
    open_stage(&stage, utm32);
    add_terrain(&stage, make_raster(&recipe));
    const rcity_terrain *terrain = read_terrain(&stage);
    assert_int_equal(terrain->column_count, 40);
    assert_int_equal(terrain->row_count, 30);
    assert_near(terrain->west_m, 500005, 0);
    assert_near(terrain->south_m, 5000005, 0);
    assert_near(terrain->cell_m, 10, 0);
    check_unique(terrain, 0, 29);
    assert_ok(stage.context, rcity_scene_commit(stage.import.scene));
    double ground_m;
    assert_ok(stage.context, rcity_scene_get_ground(stage.context, stage.import.scene, 500025, 5000295, &ground_m));
    assert_near(ground_m, (double)unique_value(NULL, 2, 0), 0);
    close_stage(&stage);
}

/* A raster whose corner lies anywhere, as real ones do, and one stored from the south. */
static void test_exact_anywhere(void **state)
{
    (void)state;
    raster_stage stage;
    raster_recipe recipe = small_recipe("anywhere.tif");
    recipe.to_place[0] = 376313.655454263498541;
    recipe.to_place[3] = 3807917.827628375496715;
    open_stage(&stage, utm32);
    add_terrain(&stage, make_raster(&recipe));
    const rcity_terrain *terrain = read_terrain(&stage);
    assert_near(terrain->west_m, 376318.655454263498541, 1e-6);
    check_unique(terrain, 0, 29);
    assert_ok(stage.context, rcity_scene_commit(stage.import.scene));
    close_stage(&stage);

    raster_recipe turned = small_recipe("from_south.tif");
    turned.to_place[3] = 5000000;
    turned.to_place[5] = 10;
    open_stage(&stage, utm32);
    add_terrain(&stage, make_raster(&turned));
    terrain = read_terrain(&stage);
    assert_near(terrain->south_m, 5000005, 0);
    assert_near((double)terrain->height_m[3 * 40 + 7], (double)unique_value(NULL, 7, 3), 0);
    close_stage(&stage);
}

/* A plane in the scene's CRS, stored in degrees: bilinear gives it back. */
static void test_plane_survives_reprojection(void **state)
{
    (void)state;
    raster_stage stage;
    open_stage(&stage, utm32);
    plane flat = {800, 0.11, -0.07, 690000, 5336000, NULL, open_transformation(&stage, "EPSG:4326")};
    raster_recipe recipe = {.name = "degrees.tif",
                            .columns = 150,
                            .rows = 120,
                            .to_place = {11.5, 0.0005, 0, 48.2, 0, -0.0004},
                            .crs = "EPSG:4326",
                            .value = plane_value,
                            .user = &flat};
    flat.to_place = recipe.to_place;
    add_terrain(&stage, make_raster(&recipe));
    const rcity_terrain *terrain = read_terrain(&stage);
    /* a pixel is 37 m wide and 44 m high; the whole is 5.57 by 5.34 km, turned by some 1.9 degrees */
    assert_near(terrain->cell_m, 37, 0);
    assert_true(terrain->column_count > 140 && terrain->column_count < 151);
    assert_true(terrain->row_count > 130 && terrain->row_count < 145);
    assert_near(fmod(terrain->west_m, 37), 0, 0);
    double worst_m = 0;
    for (int row = 0; row < terrain->row_count; row++) {
        for (int column = 0; column < terrain->column_count; column++) {
            double expected_m =
                plane_at(&flat, terrain->west_m + column * terrain->cell_m, terrain->south_m + row * terrain->cell_m);
            double height_m = (double)terrain->height_m[row * terrain->column_count + column];
            worst_m = fmax(worst_m, fabs(height_m - expected_m));
        }
    }
    print_message("largest error of a plane: %.2g m\n", worst_m);
    assert_true(worst_m < 0.002);
    assert_int_equal(stage.import.report.filled_node_count, 0);
    OCTDestroyCoordinateTransformation(flat.to_scene);
    assert_ok(stage.context, rcity_scene_commit(stage.import.scene));
    close_stage(&stage);
}

/* Longitudes that count from 0 to 360. */
static void test_turned_longitude(void **state)
{
    (void)state;
    raster_stage stage;
    open_stage(&stage, "EPSG:32611");
    plane flat = {800, 0.11, -0.07, 390000, 3800000, NULL, open_transformation(&stage, "EPSG:4326")};
    raster_recipe recipe = {.name = "turned.tif",
                            .columns = 60,
                            .rows = 60,
                            .to_place = {-118.2 + 360, 0.001, 0, 34.4, 0, -0.001},
                            .crs = "EPSG:4326",
                            .value = plane_value,
                            .user = &flat};
    flat.to_place = recipe.to_place;
    add_terrain(&stage, make_raster(&recipe));
    const rcity_terrain *terrain = read_terrain(&stage);
    assert_true(terrain->column_count > 55);
    assert_near((double)terrain->height_m[0], plane_at(&flat, terrain->west_m, terrain->south_m), 0.01);
    OCTDestroyCoordinateTransformation(flat.to_scene);
    close_stage(&stage);
}

/* Tiles of two UTM zones that overlap a little: one plane. */
static void test_two_zones(void **state)
{
    (void)state;
    raster_stage stage;
    open_stage(&stage, utm32);
    plane west = {400, 0.05, 0.02, 720000, 5330000, NULL, NULL};
    plane east = west;
    raster_recipe left = {.name = "zone32.tif",
                          .columns = 60,
                          .rows = 60,
                          .to_place = {718000, 50, 0, 5333000, 0, -50},
                          .crs = utm32,
                          .value = plane_value,
                          .user = &west};
    west.to_place = left.to_place;
    add_terrain(&stage, make_raster(&left));
    east.to_scene = open_transformation(&stage, "EPSG:32633");
    raster_recipe right = {.name = "zone33.tif",
                           .columns = 80,
                           .rows = 120,
                           .to_place = {273900, 50, 0, 5335000, 0, -50},
                           .crs = "EPSG:32633",
                           .value = plane_value,
                           .user = &east};
    east.to_place = right.to_place;
    add_terrain(&stage, make_raster(&right));
    add_house(&stage, 1, 720500, 5331000, 721500, 5332000); /* half on each */
    stage.options.terrain_margin_m = 300;
    const rcity_terrain *terrain = read_terrain(&stage);
    assert_true(terrain->west_m < 720250 && terrain->west_m + terrain->column_count * terrain->cell_m > 721700);
    for (int row = 0; row < terrain->row_count; row++) {
        for (int column = 0; column < terrain->column_count; column++) {
            double x_m = terrain->west_m + column * terrain->cell_m;
            double expected_m = plane_at(&west, x_m, terrain->south_m + row * terrain->cell_m);
            double height_m = (double)terrain->height_m[row * terrain->column_count + column];
            assert_near(height_m, expected_m, fabs(x_m - 721000) < 60 ? 1.5 : 0.01); /* the rim's heights go on */
        }
    }
    OCTDestroyCoordinateTransformation(east.to_scene);
    assert_ok(stage.context, rcity_scene_commit(stage.import.scene));
    close_stage(&stage);
}

/* An SRTM tile as NASA stores it: posts on whole steps, the first in the north-west corner, big-endian. */
static void test_srtm_tile_is_read_at_its_posts(void **state)
{
    (void)state;
    const char *path = test_path("N47E011.hgt");
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    for (int row = 0; row < 1201; row++) {
        unsigned char line[2402];
        for (int column = 0; column < 1201; column++) {
            int height = 300 + column + 2 * (1200 - row); /* linear in longitude and latitude */
            line[2 * column] = (unsigned char)(height >> 8);
            line[2 * column + 1] = (unsigned char)(height & 255);
        }
        assert_int_equal(fwrite(line, 1, sizeof line, file), sizeof line);
    }
    fclose(file);
    raster_stage stage;
    open_stage(&stage, utm32);
    add_terrain(&stage, path);
    add_house(&stage, 1, 680000, 5280000, 680100, 5280050);
    stage.options.terrain_margin_m = 5000;
    const rcity_terrain *terrain = read_terrain(&stage);
    assert_near(terrain->cell_m, 63, 0); /* 3 arc seconds of longitude there */
    OGRCoordinateTransformationH to_lonlat = NULL;
    assert_ok(stage.context, rcity_crs_open_lonlat(&stage.call, stage.import.crs, &to_lonlat));
    for (int i = 0; i < terrain->column_count * terrain->row_count; i += 17) {
        double lonlat[2];
        double x_m = terrain->west_m + (i % terrain->column_count) * terrain->cell_m;
        double y_m = terrain->south_m + (i / terrain->column_count) * terrain->cell_m;
        assert_true(rcity_crs_place(to_lonlat, x_m, y_m, lonlat));
        double expected_m = 300 + 1200 * (lonlat[0] - 11) + 2400 * (lonlat[1] - 47);
        assert_near((double)terrain->height_m[i], expected_m, 0.002);
    }
    OCTDestroyCoordinateTransformation(to_lonlat);
    assert_ok(stage.context, rcity_scene_commit(stage.import.scene));
    close_stage(&stage);
    unlink(path);
}

/* Every pixel's value of a raster, as GDAL reads it. */
static float *read_all(const char *path, int *columns, int *rows, double to_place[6])
{
    GDALAllRegister();
    GDALDatasetH dataset = GDALOpen(path, GA_ReadOnly);
    assert_non_null(dataset);
    *columns = GDALGetRasterXSize(dataset);
    *rows = GDALGetRasterYSize(dataset);
    assert_int_equal(GDALGetGeoTransform(dataset, to_place), CE_None);
    float *value = malloc((size_t)*columns * (size_t)*rows * sizeof *value);
    assert_non_null(value);
    assert_int_equal(GDALRasterIO(GDALGetRasterBand(dataset, 1), GF_Read, 0, 0, *columns, *rows, value, *columns, *rows,
                                  GDT_Float32, 0, 0),
                     CE_None);
    GDALClose(dataset);
    return value;
}

/* A house on a slope stands on the lowest ground that a fine search under it finds. */
static void check_house(raster_stage *stage, double west_m, double south_m, double east_m, double north_m)
{
    double lowest_m = HUGE_VAL;
    for (int i = 0; i <= 60; i++) {
        for (int k = 0; k <= 60; k++) {
            double ground_m;
            assert_ok(stage->context,
                      rcity_scene_get_ground(stage->context, stage->import.scene, west_m + (east_m - west_m) * i / 60,
                                             south_m + (north_m - south_m) * k / 60, &ground_m));
            lowest_m = fmin(lowest_m, ground_m);
        }
    }
    rcity_cover cover;
    assert_ok(stage->context, rcity_scene_get_cover(stage->context, stage->import.scene, 0.5 * (west_m + east_m),
                                                    0.5 * (south_m + north_m), &cover));
    assert_true(cover.is_covered);
    assert_near(cover.roof_m - 10, lowest_m, 0.02); /* heights are kept in 1/64 m, rounded down */
}

static void test_big_tujunga(void **state)
{
    (void)state;
    const char *path = test_data("terrain/bigtujunga.tif");
    if (path == NULL) {
        return;
    }
    int columns, rows;
    double to_place[6];
    float *value = read_all(path, &columns, &rows, to_place);
    raster_stage stage;
    open_stage(&stage, "EPSG:32611");
    add_terrain(&stage, path);
    add_house(&stage, 1, 390000, 3798000, 390070, 3798045);
    const rcity_terrain *terrain = read_terrain(&stage);
    assert_int_equal(terrain->column_count, columns);
    assert_int_equal(terrain->row_count, rows);
    assert_ok(stage.context, rcity_scene_commit(stage.import.scene));
    const rcity_shapes *shapes = rcity_scene_shapes(stage.import.scene);
    for (int row = 0; row < rows; row++) {
        for (int column = 0; column < columns; column++) {
            double height_m =
                (double)shapes->terrain.height[(rows - 1 - row) * columns + column] / RCITY_HEIGHT_UNITS_PER_M;
            assert_near(height_m, (double)value[row * columns + column], 1.0 / 128);
        }
    }
    double unit_m = 1.0 / shapes->units_per_m;
    assert_near(shapes->origin_x_m + shapes->terrain.west * unit_m, to_place[0] + 0.5 * to_place[1], 0.51 * unit_m);
    check_house(&stage, 390000, 3798000, 390070, 3798045);
    free(value);
    close_stage(&stage);
}

static void test_white_mountains(void **state)
{
    (void)state;
    const char *path = test_data("terrain/N44W072.hgt");
    if (path == NULL) {
        return;
    }
    int columns, rows;
    double to_place[6];
    float *value = read_all(path, &columns, &rows, to_place);
    raster_stage stage;
    open_stage(&stage, "EPSG:32619");
    add_terrain(&stage, path);
    double began_s = rcity_clock_s();
    const rcity_terrain *terrain = read_terrain(&stage);
    print_message("%d x %d nodes of %g m in %.2f s\n", terrain->column_count, terrain->row_count, terrain->cell_m,
                  rcity_clock_s() - began_s);
    assert_true(terrain->column_count * terrain->cell_m > 75000 && terrain->row_count * terrain->cell_m > 108000);
    OGRCoordinateTransformationH to_lonlat = NULL;
    assert_ok(stage.context, rcity_crs_open_lonlat(&stage.call, stage.import.crs, &to_lonlat));
    for (int i = 0; i < terrain->column_count * terrain->row_count; i += 101) {
        double lonlat[2];
        double x_m = terrain->west_m + (i % terrain->column_count) * terrain->cell_m;
        double y_m = terrain->south_m + (i / terrain->column_count) * terrain->cell_m;
        assert_true(rcity_crs_place(to_lonlat, x_m, y_m, lonlat));
        double u = (lonlat[0] - to_place[0]) / to_place[1] - 0.5; /* from the first post */
        double v = (lonlat[1] - to_place[3]) / to_place[5] - 0.5;
        int c = (int)fmin(fmax(floor(u), 0), columns - 2);
        int r = (int)fmin(fmax(floor(v), 0), rows - 2);
        const float *at = value + (size_t)r * (size_t)columns + c;
        double expected_m = ((double)at[0] * (1 - (u - c)) + (double)at[1] * (u - c)) * (1 - (v - r)) +
                            ((double)at[columns] * (1 - (u - c)) + (double)at[columns + 1] * (u - c)) * (v - r);
        assert_near((double)terrain->height_m[i], expected_m, 0.01);
    }
    OCTDestroyCoordinateTransformation(to_lonlat);
    close_stage(&stage);

    open_stage(&stage, "EPSG:32619");
    add_terrain(&stage, test_data("terrain/N44W072.hgt"));
    add_house(&stage, 1, 316000, 4905000, 316090, 4905060);
    stage.options.terrain_margin_m = 3000;
    read_terrain(&stage);
    assert_ok(stage.context, rcity_scene_commit(stage.import.scene));
    check_house(&stage, 316000, 4905000, 316090, 4905060);
    free(value);
    close_stage(&stage);
}

TEST_SUITE(terrain_read)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_heights_on_the_grid_are_exact),
        cmocka_unit_test(test_exact_anywhere),
        cmocka_unit_test(test_plane_survives_reprojection),
        cmocka_unit_test(test_turned_longitude),
        cmocka_unit_test(test_two_zones),
        cmocka_unit_test(test_srtm_tile_is_read_at_its_posts),
        cmocka_unit_test(test_big_tujunga),
        cmocka_unit_test(test_white_mountains),
    };
    return cmocka_run_group_tests_name("terrain_read", tests, NULL, NULL);
}

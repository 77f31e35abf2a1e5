/* Terrain of regions: tiles of one degree by their names, folders and patterns of them, areas, tiles that are missing. */
#include "raster_stage.h"

#include <glob.h>
#include <sys/stat.h>

#include "heard_log.h"
#include "io/raster/degree_tile.h"

enum { COARSE = 1201, FINE = 3601 };

/* A folder of its own for every case; its files are removed with it. */
static void make_folder(char folder[300])
{
    static int count;
    char name[32];
    snprintf(name, sizeof name, "tiles%d", count++);
    snprintf(folder, 300, "%s", test_path(name));
    assert_int_equal(mkdir(folder, 0700), 0);
}

static void remove_tiles(const char *folder)
{
    char pattern[320];
    glob_t found;
    snprintf(pattern, sizeof pattern, "%s/*", folder);
    if (glob(pattern, 0, NULL, &found) == 0) {
        for (size_t i = 0; i < found.gl_pathc; i++) {
            unlink(found.gl_pathv[i]);
        }
    }
    globfree(&found);
    rmdir(folder);
}

/* The ground of all tiles: a plane, with a step for those that are to be told apart. */
static double plane_m(double lon, double lat)
{
    return 700.0 + 150.0 * (lon - 11.0) + 90.0 * (lat - 47.0);
}

/* A tile of posts, `lift_m` above the plane; `void_column` and `void_row` are a column and a row without heights, or
   -1. */
static const char *make_hgt(const char *folder, const char *name, int posts, double lift_m, int void_column,
                            int void_row)
{
    static char path[400];
    rcity_degree_tile tile;
    snprintf(path, sizeof path, "%s/%s", folder, name);
    assert_true(rcity_degree_tile_read(path, &tile));
    unsigned char *line = malloc(2 * (size_t)posts);
    FILE *file = fopen(path, "wb");
    assert_non_null(line);
    assert_non_null(file);
    for (int row = 0; row < posts; row++) {
        double lat = tile.south_deg + 1.0 - (double)row / (posts - 1);
        for (int column = 0; column < posts; column++) {
            double lon = tile.west_deg + (double)column / (posts - 1);
            bool is_void = column == void_column || row == void_row;
            int height = is_void ? -32768 : (int)lround(plane_m(lon, lat) + lift_m);
            line[2 * column] = (unsigned char)((unsigned)height >> 8 & 255u);
            line[2 * column + 1] = (unsigned char)((unsigned)height & 255u);
        }
        assert_int_equal(fwrite(line, 2, (size_t)posts, file), (size_t)posts);
    }
    fclose(file);
    free(line);
    return path;
}

static rcity_status import_terrain(rcity_context *context, rcity_import_options *options, const char *path,
                                   rcity_scene **scene)
{
    options->terrain_path_count = 1;
    options->terrain_paths = &path;
    *scene = NULL;
    return rcity_scene_import(context, options, scene, NULL);
}

static rcity_import_options area_options(double west, double south, double east, double north)
{
    rcity_import_options options = rcity_import_options_default();
    const double area[4] = {west, south, east, north};
    memcpy(options.terrain_area_lonlat, area, sizeof area);
    return options;
}

static void refuse(rcity_context *context, rcity_import_options options, const char *path, rcity_status expected,
                   const char *words)
{
    rcity_scene *scene = NULL;
    assert_status(context, import_terrain(context, &options, path, &scene), expected);
    assert_message(context, words);
    assert_null(scene);
    assert_int_equal(rcity_context_memory_used(context), 0);
}

/* Every node lies in the area and on the plane, within half a metre of posts and a grid of 1/64 m. */
static void check_plane(rcity_context *context, const rcity_scene *scene, const double area[4], double lift_m)
{
    const rcity_shapes *shapes = rcity_scene_shapes(scene);
    const rcity_terrain_grid *terrain = &shapes->terrain;
    int64_t count = (int64_t)terrain->column_count * terrain->row_count;
    double *xy = malloc(2 * (size_t)count * sizeof *xy);
    assert_non_null(xy);
    for (int64_t i = 0; i < count; i++) {
        int64_t x = terrain->west + i % terrain->column_count * terrain->cell;
        int64_t y = terrain->south + i / terrain->column_count * terrain->cell;
        xy[2 * i] = shapes->origin_x_m + (double)x / shapes->units_per_m;
        xy[2 * i + 1] = shapes->origin_y_m + (double)y / shapes->units_per_m;
    }
    assert_ok(context, rcity_crs_transform(context, rcity_scene_crs(scene), RCITY_CRS_LONLAT, count, xy));
    for (int64_t i = 0; i < count; i++) {
        assert_true(xy[2 * i] >= area[0] - 1e-9 && xy[2 * i] <= area[2] + 1e-9);
        assert_true(xy[2 * i + 1] >= area[1] - 1e-9 && xy[2 * i + 1] <= area[3] + 1e-9);
        assert_near(terrain->height[i] / 64.0, plane_m(xy[2 * i], xy[2 * i + 1]) + lift_m, 0.52);
    }
    free(xy);
}

static void test_names_of_tiles(void **state)
{
    (void)state;
    rcity_degree_tile tile;
    char name[RCITY_DEGREE_NAME_BYTES];
    for (int south = -90; south <= 89; south++) {
        for (int west = -180; west <= 179; west++) {
            const rcity_degree_tile made = {west, south};
            const char *like = (south + west) % 2 == 0 ? "/a.b/N01E002.hgt" : "s10w020_1arc.tif";
            rcity_degree_tile_write(made, like, name);
            assert_true(rcity_degree_tile_read(name, &tile));
            assert_int_equal(tile.west_deg, west);
            assert_int_equal(tile.south_deg, south);
        }
    }
    assert_string_equal(rcity_degree_tile_write((rcity_degree_tile){-72, 44}, "x/S01E002.SRTMGL1.hgt", name),
                        "N44W072.SRTMGL1.hgt");
    const char *const bad[] = {"",
                               "N44",
                               "N44W07",
                               "N44W0721.hgt",
                               "M44W072.hgt",
                               "N4aW072.hgt",
                               "N91W072.hgt",
                               "N44X072.hgt",
                               "N44W181.hgt",
                               "N44W072/x.hgt",
                               "xN44W072.hgt",
                               "N-4W072.hgt"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        assert_false(rcity_degree_tile_read(bad[i], &tile));
    }
    assert_true(rcity_is_hgt("a/N44W072.HGT"));
    assert_false(rcity_is_hgt(".hgt"));
}

/* Around the corner of four tiles: a folder, a pattern and a list give the same scene, without a seam. */
static void test_four_tiles(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    char folder[300], pattern[320];
    char paths[4][400];
    const char *const names[4] = {"N46E010.hgt", "N46E011.hgt", "N47E010.hgt", "N47E011.hgt"};
    const char *list[4];
    rcity_scene *scenes[3] = {NULL, NULL, NULL};
    rcity_scene_info infos[3];
    make_folder(folder);
    for (int i = 0; i < 4; i++) {
        snprintf(paths[i], sizeof paths[i], "%s", make_hgt(folder, names[i], COARSE, 0.0, -1, -1));
        list[i] = paths[i];
    }
    make_hgt(folder, "S03W060.hgt", 3, 0.0, -1, -1); /* elsewhere, and no such file: it is not even opened */
    snprintf(pattern, sizeof pattern, "%s/N4?E01*.hgt", folder);
    rcity_import_options options = area_options(10.96, 46.97, 11.04, 47.03);
    assert_ok(context, import_terrain(context, &options, folder, &scenes[0]));
    assert_ok(context, import_terrain(context, &options, pattern, &scenes[1]));
    options.terrain_path_count = 4;
    options.terrain_paths = list;
    assert_ok(context, rcity_scene_import(context, &options, &scenes[2], NULL));
    for (int i = 0; i < 3; i++) {
        assert_ok(context, rcity_scene_describe(scenes[i], &infos[i]));
        assert_string_equal(infos[i].hash, infos[0].hash);
    }
    assert_string_equal(infos[0].crs, "EPSG:32632");
    assert_true(infos[0].area_km2 > 0.9 * 40.6 && infos[0].area_km2 < 40.6); /* of 6.08 x 6.67 km */
    check_plane(context, scenes[0], options.terrain_area_lonlat, 0.0);
    for (int i = 0; i < 3; i++) {
        rcity_scene_destroy(&scenes[i]);
    }
    unlink(paths[3]);
    unlink(paths[1]);
    options = area_options(10.96, 46.97, 11.04, 47.03);
    refuse(context, options, folder, RCITY_ERR_ARGUMENT,
           "2 tiles of the area are missing: N46E011.hgt, N47E011.hgt; give");
    refuse(context, area_options(10.96, 46.97, 11.0, 48.01), folder, RCITY_ERR_ARGUMENT,
           "1 tile of the area is missing: N48E010.hgt; give it");
    refuse(context, area_options(20, 46, 30, 47), folder, RCITY_ERR_ARGUMENT,
           "10 tiles of the area are missing: N46E020.hgt,");
    refuse(context, area_options(20, 46, 30, 47), folder, RCITY_ERR_ARGUMENT, ", ...; give them");
    options.terrain_fill = RCITY_FILL_NEAREST;
    assert_ok(context, import_terrain(context, &options, folder, &scenes[0]));
    rcity_scene_destroy(&scenes[0]);
    options = area_options(10.96, 46.97, 10.999, 47.03);
    assert_ok(context, import_terrain(context, &options, folder, &scenes[0]));
    check_plane(context, scenes[0], options.terrain_area_lonlat, 0.0);
    rcity_scene_destroy(&scenes[0]);
    remove_tiles(folder);
    rcity_context_destroy(&context);
}

/* Tiles beside a raster that is none: the missing one is named after the rasters were looked at. */
static void test_missing_among_others(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    char folder[300];
    rcity_import_options options = area_options(10.98, 46.5, 11.02, 46.53);
    make_folder(folder);
    char tile[400];
    snprintf(tile, sizeof tile, "%s", make_hgt(folder, "N46E010.hgt", COARSE, 0.0, -1, -1));
    const raster_recipe other = {.name = "far.tif",
                                 .columns = 20,
                                 .rows = 20,
                                 .to_place = {12.0, 0.001, 0, 46.6, 0, -0.001},
                                 .crs = "EPSG:4326"};
    const char *list[2] = {tile, make_raster(&other)};
    rcity_scene *scene = NULL;
    options.terrain_path_count = 2;
    options.terrain_paths = list;
    assert_status(context, rcity_scene_import(context, &options, &scene, NULL), RCITY_ERR_ARGUMENT);
    assert_message(context, "(a tile is missing: N46E011.hgt)");
    assert_null(scene);
    refuse(context, area_options(12.05, 46.585, 12.1, 46.595), list[1], RCITY_ERR_ARGUMENT, "lies in the area");
    refuse(context, area_options(11.9, 46.585, 11.95, 46.595), list[1], RCITY_ERR_ARGUMENT, "lies in the area");
    remove_tiles(folder);
    rcity_context_destroy(&context);
}

/* Posts of 1 and 3 arc seconds side by side, and one above the other: the finer one counts. */
static void test_mixed_resolutions(void **state)
{
    (void)state;
    rcity_context *context = test_context(2);
    char fine[300], coarse[300], pattern[340];
    rcity_scene *scene = NULL;
    make_folder(coarse);
    make_folder(fine);
    make_hgt(coarse, "N46E010.hgt", COARSE, 0.0, -1, -1);
    make_hgt(fine, "N46E011.hgt", FINE, 0.0, -1, -1);
    snprintf(pattern, sizeof pattern, "%.*s/tiles*/N46*.hgt", (int)(strrchr(coarse, '/') - coarse), coarse);
    rcity_import_options options = area_options(10.99, 46.5, 11.01, 46.51);
    assert_ok(context, import_terrain(context, &options, pattern, &scene));
    check_plane(context, scene, options.terrain_area_lonlat, 0.0);
    rcity_scene_info info;
    assert_ok(context, rcity_scene_describe(scene, &info));
    assert_true(info.terrain_cell_m < 25.0); /* a second of longitude is 21 m here */
    rcity_scene_destroy(&scene);
    make_hgt(coarse, "N46E011.hgt", COARSE, 300.0, -1, -1);
    options = area_options(11.01, 46.5, 11.02, 46.51);
    assert_ok(context, import_terrain(context, &options, pattern, &scene));
    check_plane(context, scene, options.terrain_area_lonlat, 0.0);
    rcity_scene_destroy(&scene);
    remove_tiles(fine);
    remove_tiles(coarse);
    rcity_context_destroy(&context);
}

/* Neighbours share a row of posts: a void in it is filled from the other tile; voids of both are an error. */
static void test_voids_at_borders(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    char folder[300];
    rcity_scene *scene = NULL;
    rcity_import_options options = area_options(10.98, 46.5, 11.02, 46.53);
    make_folder(folder);
    make_hgt(folder, "N46E010.hgt", COARSE, 0.0, COARSE - 1, -1);
    make_hgt(folder, "N46E011.hgt", COARSE, 0.0, -1, -1);
    assert_ok(context, import_terrain(context, &options, folder, &scene));
    check_plane(context, scene, options.terrain_area_lonlat, 0.0);
    rcity_scene_destroy(&scene);
    make_hgt(folder, "N46E011.hgt", COARSE, 0.0, 0, -1);
    refuse(context, options, folder, RCITY_ERR_ARGUMENT, "(voids, or tiles that are missing)");
    options.terrain_fill = RCITY_FILL_INTERPOLATE;
    assert_ok(context, import_terrain(context, &options, folder, &scene));
    rcity_scene_destroy(&scene);
    remove_tiles(folder);
    rcity_context_destroy(&context);
}

/* The area decides how far the terrain reaches; a building outside is refused, or left out. */
static void test_buildings_and_an_area(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    char folder[300];
    const char *houses = test_path("houses.geojson");
    FILE *file = fopen(houses, "w");
    assert_non_null(file);
    fputs("{\"type\":\"FeatureCollection\",\"features\":[", file);
    for (int i = 0; i < 2; i++) {
        double lon = i == 0 ? 10.5 : 10.53;
        fprintf(file,
                "%s{\"type\":\"Feature\",\"properties\":{\"height\":10},\"geometry\":{\"type\":\"Polygon\","
                "\"coordinates\":[[[%.4f,46.5],[%.4f,46.5],[%.4f,46.5003],[%.4f,46.5]]]}}",
                i > 0 ? "," : "", lon, lon + 0.0003, lon + 0.0003, lon);
    }
    fputs("]}", file);
    fclose(file);
    make_folder(folder);
    make_hgt(folder, "N46E010.hgt", COARSE, 0.0, -1, -1);
    rcity_import_options options = area_options(10.49, 46.49, 10.51, 46.51);
    options.building_path_count = 1;
    options.building_paths = &houses;
    refuse(context, options, folder, RCITY_ERR_GEOMETRY, "lies outside the terrain");
    options.scene.drop_invalid = true;
    rcity_scene *scene = NULL;
    rcity_scene_info info;
    assert_ok(context, import_terrain(context, &options, folder, &scene));
    assert_ok(context, rcity_scene_describe(scene, &info));
    assert_int_equal(info.building_count, 1);
    check_plane(context, scene, options.terrain_area_lonlat, 0.0);
    rcity_scene_destroy(&scene);
    remove_tiles(folder);
    rcity_context_destroy(&context);
}

static void test_bad_lists(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    char folder[300], text[400];
    make_folder(folder);
    const rcity_import_options none = rcity_import_options_default();
    refuse(context, none, folder, RCITY_ERR_FILE, "holds no elevation rasters");
    snprintf(text, sizeof text, "%s/*.hgt", folder);
    refuse(context, none, text, RCITY_ERR_FILE, "no file matches");
    snprintf(text, sizeof text, "%s/north.hgt", folder);
    assert_int_equal(rename(make_hgt(folder, "N46E010.hgt", 3, 0.0, -1, -1), text), 0);
    refuse(context, none, folder, RCITY_ERR_FORMAT, "named by its south-west corner");
    refuse(context, none, text, RCITY_ERR_FORMAT, "named by its south-west corner");
    const double areas[][4] = {{11, 46, 10, 47}, {10, 47, 11, 46},       {-200, 0, 1, 1},
                               {0, -91, 1, 1},   {0, 0, 1, (double)NAN}, {0, 0, 361, 1}};
    for (size_t i = 0; i < sizeof areas / sizeof areas[0]; i++) {
        refuse(context, area_options(areas[i][0], areas[i][1], areas[i][2], areas[i][3]), folder, RCITY_ERR_ARGUMENT,
               "must be west, south, east and north in degrees");
    }
    rcity_import_options options = area_options(10, 46, 11, 47);
    options.terrain_margin_m = 100.0;
    refuse(context, options, folder, RCITY_ERR_ARGUMENT, "exclude each other");
    const raster_recipe plain = {.name = "plain.tif", .columns = 9, .rows = 9, .to_place = {0, 10, 0, 90, 0, -10}};
    options = area_options(10, 46, 11, 47);
    options.input_crs = "none";
    refuse(context, options, make_raster(&plain), RCITY_ERR_ARGUMENT, "longitudes and latitudes have no place in it");
    remove_tiles(folder);
    rcity_context_destroy(&context);
}

/* The account stays near what the plan says: 8.25 bytes a node beside the blocks that are read. */
static void test_memory_of_an_import(void **state)
{
    (void)state;
    const raster_recipe wide = {.name = "wide.tif",
                                .columns = 2000,
                                .rows = 1500,
                                .to_place = {400000, 30, 0, 5100000, 0, -30},
                                .crs = "EPSG:32632",
                                .value = NULL};
    const char *path = make_raster(&wide);
    rcity_context *context = test_context(1);
    rcity_import_options options = rcity_import_options_default();
    rcity_scene *scene = NULL;
    assert_ok(context, import_terrain(context, &options, path, &scene));
    double node_count = 2000.0 * 1500.0;
    assert_true((double)rcity_context_memory_peak(context) < 8.25 * node_count + 1e7);
    assert_true((double)rcity_context_memory_used(context) < 4.1 * node_count);
    rcity_scene_destroy(&scene);
    rcity_context_destroy(&context);
}

/* A surface model is said to be one, and warned of where something else stands on it. */
static void test_surface_model(void **state)
{
    (void)state;
    heard_log heard;
    rcity_context *context = heard_log_context(&heard);
    const raster_recipe tops = {.name = "tops.tif",
                                .columns = 40,
                                .rows = 40,
                                .to_place = {500000, 10, 0, 5000400, 0, -10},
                                .crs = "EPSG:32632"};
    const char *path = make_raster(&tops);
    const char *houses = test_path("house.geojson");
    rcity_import_options options = rcity_import_options_default();
    rcity_scene *scene = NULL;
    rcity_scene_info info;
    options.terrain_is_surface = true;
    assert_ok(context, import_terrain(context, &options, path, &scene));
    assert_ok(context, rcity_scene_describe(scene, &info));
    assert_string_equal(info.source, "surface model tops.tif");
    assert_int_equal(heard.count, 0);
    rcity_scene_destroy(&scene);
    FILE *file = fopen(houses, "w");
    assert_non_null(file);
    fputs("{\"type\":\"FeatureCollection\",\"features\":[{\"type\":\"Feature\",\"properties\":{\"height\":10},"
          "\"geometry\":"
          "{\"type\":\"Polygon\",\"coordinates\":[[[500100,5000100],[500120,5000100],[500120,5000120],[500100,5000100]]"
          "]}}]}",
          file);
    fclose(file);
    options.input_crs = "EPSG:32632";
    options.building_path_count = 1;
    options.building_paths = &houses;
    assert_ok(context, import_terrain(context, &options, path, &scene));
    assert_true(heard.count > 0);
    assert_non_null(strstr(heard.text, "surface model: buildings stand on tops"));
    assert_ok(context, rcity_scene_describe(scene, &info));
    assert_string_equal(info.source, "house.geojson; surface model tops.tif");
    rcity_scene_destroy(&scene);
    rcity_context_destroy(&context);
}

/* The n-th allocation fails, in lists of folders and patterns too. */
static void test_failing_allocations(void **state)
{
    (void)state;
    const raster_recipe recipe = {.name = "N46E010.tif",
                                  .columns = 11,
                                  .rows = 11,
                                  .to_place = {9.95, 0.1, 0, 47.05, 0, -0.1},
                                  .crs = "EPSG:4326"};
    make_raster(&recipe);
    const char *patterns[2] = {test_path("N4?E*.tif"), test_path("N46E010.tif")};
    rcity_status status = RCITY_ERR_MEMORY;
    for (long n = 1; status != RCITY_OK; n++) {
        failing_allocator failing = {0};
        rcity_context *context = test_context_failing(&failing, 1);
        long live_count = failing.live_count;
        rcity_import_options options = area_options(10.2, 46.3, 10.4, 46.5);
        rcity_scene *scene = NULL;
        options.terrain_path_count = 2;
        options.terrain_paths = patterns;
        failing.fail_at = n;
        status = rcity_scene_import(context, &options, &scene, NULL);
        assert_true(status == RCITY_OK || status == RCITY_ERR_MEMORY);
        assert_int_equal(scene != NULL, status == RCITY_OK);
        rcity_scene_destroy(&scene);
        assert_int_equal(failing.live_count, live_count);
        assert_int_equal(rcity_context_memory_used(context), 0);
        rcity_context_destroy(&context);
    }
}

TEST_SUITE(terrain_region)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names_of_tiles),        cmocka_unit_test(test_four_tiles),
        cmocka_unit_test(test_missing_among_others),  cmocka_unit_test(test_mixed_resolutions),
        cmocka_unit_test(test_voids_at_borders),      cmocka_unit_test(test_bad_lists),
        cmocka_unit_test(test_buildings_and_an_area), cmocka_unit_test(test_memory_of_an_import),
        cmocka_unit_test(test_surface_model),         cmocka_unit_test(test_failing_allocations),
    };
    return cmocka_run_group_tests_name("terrain_region", tests, NULL, NULL);
}

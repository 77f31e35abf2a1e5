/* Terrain out of rasters that follow each other on different grids: a seam is not a rim. */
#include "raster_stage.h"

#include "heard_log.h"

#define ARC_S (1.0 / 3600.0)

/* Heights that are a plane over longitude and latitude, which bilinear sampling gives back whatever the pixel's
   size. */
typedef struct lonlat_plane {
    double slope_lon, slope_lat;
    const double *to_place;
} lonlat_plane;

static float lonlat_value(const void *user, int column, int row)
{
    const lonlat_plane *plane = user;
    double lon = plane->to_place[0] + plane->to_place[1] * (column + 0.5);
    double lat = plane->to_place[3] + plane->to_place[5] * (row + 0.5);
    return (float)(300.0 + plane->slope_lon * (lon - 9.0) + plane->slope_lat * (lat - 50.0));
}

static const char *make_lonlat(const char *name, double west, double width, double north, int columns, int rows,
                               lonlat_plane plane)
{
    raster_recipe recipe = {.name = name,
                            .columns = columns,
                            .rows = rows,
                            .to_place = {west, width, 0, north, 0, -ARC_S},
                            .crs = "EPSG:4326",
                            .value = lonlat_value,
                            .user = &plane};
    plane.to_place = recipe.to_place;
    return make_raster(&recipe);
}

/* Two tiles that meet north of 50 degrees as those of Copernicus do: pixel centres on whole degrees, and pixels half as
   wide again in the north. `turn_deg` counts their longitudes from another meridian. */
static void add_two_tiles(raster_stage *stage, lonlat_plane plane, double turn_deg)
{
    double seam = 50.0 + 0.5 * ARC_S;
    plane.slope_lon *= turn_deg == 0.0 ? 1.0 : 0.0;
    add_terrain(stage, make_lonlat("seam_south.tif", turn_deg + 9.0 - 0.5 * ARC_S, ARC_S, seam, 240, 120, plane));
    add_terrain(stage, make_lonlat("seam_north.tif", turn_deg + 9.0 - 0.75 * ARC_S, 1.5 * ARC_S, seam + 120 * ARC_S,
                                   160, 120, plane));
}

/* Houses 1 km south and north of the seam, and a margin that all sides have. */
static void add_two_houses(raster_stage *stage)
{
    add_house(stage, 1, 502000, 5537600, 502030, 5537640);
    add_house(stage, 2, 502100, 5539600, 502130, 5539640);
    stage->options.terrain_margin_m = 800;
    stage->options.terrain_cell_m = 20;
}

static void check_margin(const rcity_terrain *terrain)
{
    double east_m = terrain->west_m + (terrain->column_count - 1) * terrain->cell_m;
    double north_m = terrain->south_m + (terrain->row_count - 1) * terrain->cell_m;
    assert_true(terrain->west_m <= 502000 - 780 && terrain->south_m <= 5537600 - 780);
    assert_true(east_m >= 502130 + 780 && north_m >= 5539640 + 780);
}

/* All of a terrain, copied. */
static float *copy_heights(const rcity_terrain *terrain)
{
    size_t bytes = (size_t)terrain->column_count * (size_t)terrain->row_count * sizeof(float);
    float *copy = malloc(bytes);
    assert_non_null(copy);
    memcpy(copy, terrain->height_m, bytes);
    return copy;
}

/* The two tiles give what one raster would, buildings on both sides or not, kept or dropped. */
static void test_seam_as_one(void **state)
{
    (void)state;
    const lonlat_plane plane = {3000.0, 0.0, NULL};
    raster_stage stage;
    heard_log heard;
    open_stage(&stage, utm32);
    add_terrain(&stage, make_lonlat("seam_none.tif", 9.0 - 0.5 * ARC_S, ARC_S, 50.0 + 120.5 * ARC_S, 240, 240, plane));
    add_two_houses(&stage);
    const rcity_terrain *terrain = read_terrain(&stage);
    check_margin(terrain);
    rcity_terrain one = *terrain;
    float *one_m = copy_heights(terrain);
    close_stage(&stage);

    for (int drops = 0; drops < 2; drops++) {
        open_stage_in(&stage, heard_log_context(&heard), utm32, drops == 1);
        add_two_tiles(&stage, plane, 0.0);
        add_two_houses(&stage);
        terrain = read_terrain(&stage);
        check_margin(terrain);
        assert_near(terrain->west_m, one.west_m, 0);
        assert_near(terrain->south_m, one.south_m, 0);
        assert_int_equal(terrain->column_count, one.column_count);
        assert_int_equal(terrain->row_count, one.row_count);
        for (int i = 0; i < one.column_count * one.row_count; i++) {
            assert_near((double)terrain->height_m[i], (double)one_m[i], 1e-3);
        }
        assert_int_equal(stage.import.report.filled_node_count, 0);
        assert_int_equal(heard.count, 0);
        assert_ok(stage.context, rcity_scene_commit(stage.import.scene));
        rcity_scene_info info;
        assert_ok(stage.context, rcity_scene_describe(stage.import.scene, &info));
        assert_int_equal(info.building_count, 2);
        close_stage(&stage);
    }
    free(one_m);
}

/* Across the seam each tile's last heights go on for half a pixel, and nowhere else is anything off. */
static void test_seam_slope(void **state)
{
    (void)state;
    const lonlat_plane plane = {0.0, 3600.0, NULL}; /* 1 m a pixel */
    raster_stage stage;
    open_stage(&stage, utm32);
    add_two_tiles(&stage, plane, 0.0);
    const rcity_terrain *terrain =
        read_terrain(&stage); /* without buildings: all there is, 7.4 km from south to north */
    assert_true((terrain->row_count - 1) * terrain->cell_m > 7300);
    assert_true((terrain->column_count - 1) * terrain->cell_m > 4600);
    double worst_m = 0.0;
    for (int row = 1; row < terrain->row_count; row++) {
        const float *here = terrain->height_m + row * terrain->column_count + terrain->column_count / 2;
        worst_m = fmax(worst_m, fabs((double)(here[0] - here[-terrain->column_count]) - terrain->cell_m / 30.89));
    }
    print_message("largest error of a step from row to row: %.2f m\n", worst_m);
    assert_true(worst_m < 1.01); /* half a pixel on each side */
    close_stage(&stage);
}

/* The same where longitudes count from 0 to 360: both sides of the seam are found. */
static void test_seam_turned(void **state)
{
    (void)state;
    const lonlat_plane plane = {0.0, 100.0, NULL};
    raster_stage stage;
    open_stage(&stage, utm32);
    add_two_tiles(&stage, plane, 360.0);
    add_two_houses(&stage);
    check_margin(read_terrain(&stage));
    close_stage(&stage);
}

/* Nodes on the seam of two pixel sizes in the scene's own CRS, where a rounding lies between the two rectangles: the
   left one ends before 500400, the right one begins behind it. */
static void test_seam_on_nodes(void **state)
{
    (void)state;
    raster_recipe left = small_recipe("nodes_left.tif");
    left.to_place[0] = 500067 - 5e-7;
    left.to_place[1] = 3.33;
    left.to_place[5] = -3.33;
    left.columns = left.rows = 100;
    raster_recipe right = left;
    right.name = "nodes_right.tif";
    right.to_place[0] = 500400 + 5e-7;
    right.to_place[1] = 1.1;
    right.to_place[5] = -1.1;
    right.columns = right.rows = 300;
    raster_stage stage;
    open_stage(&stage, utm32);
    add_terrain(&stage, make_raster(&left));
    add_terrain(&stage, make_raster(&right));
    stage.options.terrain_cell_m = 20;
    const rcity_terrain *terrain = read_terrain(&stage);
    assert_near(terrain->west_m, 500080, 0);
    assert_int_equal(terrain->column_count, (500720 - 500080) / 20 + 1);
    assert_int_equal(stage.import.report.filled_node_count, 0);
    close_stage(&stage);
}

/* Layers far apart stay apart: what lies between them is not covered. */
static void test_gap_is_no_seam(void **state)
{
    (void)state;
    raster_stage stage;
    open_stage(&stage, utm32);
    raster_recipe left = small_recipe("gap_left.tif");
    raster_recipe right = small_recipe("gap_right.tif");
    right.to_place[0] += 400 + 21; /* two pixels, and off the grid */
    add_terrain(&stage, make_raster(&left));
    add_terrain(&stage, make_raster(&right));
    stage.options.terrain_cell_m = 2;
    const rcity_terrain *terrain = read_terrain(&stage);
    assert_true((terrain->column_count - 1) * terrain->cell_m <= 400);
    close_stage(&stage);
}

/* A margin beyond the rasters is said, with how far they reach. */
static void test_margin_cut(void **state)
{
    (void)state;
    raster_recipe recipe = small_recipe("margin_cut.tif");
    raster_stage stage;
    heard_log heard;
    open_stage_in(&stage, heard_log_context(&heard), utm32, false);
    add_terrain(&stage, make_raster(&recipe));
    add_house(&stage, 1, 500105, 5000105, 500145, 5000135);
    stage.options.terrain_margin_m = 120;
    const rcity_terrain *terrain = read_terrain(&stage);
    assert_near(terrain->west_m, 500005, 0);
    assert_int_equal(heard.count, 1);
    assert_non_null(strstr(heard.text, "is to reach 120 m"));
    assert_non_null(strstr(heard.text, "100 m west, 100 m south, 120 m east and 120 m north"));
    close_stage(&stage);

    open_stage_in(&stage, heard_log_context(&heard), utm32, false);
    add_terrain(&stage, test_path("margin_cut.tif"));
    add_house(&stage, 1, 500105, 5000105, 500145, 5000135);
    stage.options.terrain_margin_m = 98;
    read_terrain(&stage);
    assert_int_equal(heard.count, 0);
    close_stage(&stage);
}

TEST_SUITE(raster_region)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_seam_as_one),   cmocka_unit_test(test_seam_slope),     cmocka_unit_test(test_seam_turned),
        cmocka_unit_test(test_seam_on_nodes), cmocka_unit_test(test_gap_is_no_seam), cmocka_unit_test(test_margin_cut),
    };
    return cmocka_run_group_tests_name("raster_region", tests, NULL, NULL);
}

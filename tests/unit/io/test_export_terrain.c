/* Terrain out as an elevation model: heights and their places as GDAL reads them; what cannot be written is said. */
#include "rcity_test.h"

#include <cpl_string.h>
#include <cpl_vsi.h>
#include <gdal.h>
#include <ogr_srs_api.h>
#include <unistd.h>

#include "base/base.h"
#include "radiocity/import.h"

#define COLUMNS 7
#define ROWS    4

/* Heights of sixty-fourths of a metre, which a scene keeps as they are; a number for each node. */
static float height_of(int column, int row)
{
    return (float)(-40 + 13 * column + 100 * row) + (float)((5 * column + 3 * row) % 64) / 64.0f;
}

static rcity_scene *make_scene(rcity_context *context, const char *crs)
{
    float height_m[ROWS * COLUMNS];
    for (int i = 0; i < ROWS * COLUMNS; i++) {
        height_m[i] = height_of(i % COLUMNS, i / COLUMNS);
    }
    const rcity_terrain terrain = {COLUMNS, ROWS, 691012.5, 5334007.25, 12.5, height_m};
    rcity_scene_options options = rcity_scene_options_default();
    options.crs = crs;
    rcity_scene *scene = NULL;
    assert_ok(context, rcity_scene_create(context, &options, &scene));
    assert_ok(context, rcity_scene_set_terrain(scene, &terrain));
    return scene;
}

static void check_file(const char *path, const char *crs)
{
    GDALDatasetH dataset = GDALOpen(path, GA_ReadOnly);
    assert_non_null(dataset);
    assert_int_equal(GDALGetRasterXSize(dataset), COLUMNS);
    assert_int_equal(GDALGetRasterYSize(dataset), ROWS);
    assert_int_equal(GDALGetRasterCount(dataset), 1);
    double place[6];
    assert_int_equal(GDALGetGeoTransform(dataset, place), CE_None);
    GDALRasterBandH band = GDALGetRasterBand(dataset, 1);
    assert_string_equal(GDALGetRasterUnitType(band), "m");
    assert_string_equal(GDALGetDescription(band), "elevation");
    float value[ROWS * COLUMNS];
    assert_int_equal(GDALRasterIO(band, GF_Read, 0, 0, COLUMNS, ROWS, value, COLUMNS, ROWS, GDT_Float32, 0, 0),
                     CE_None);
    for (int row = 0; row < ROWS; row++) {
        for (int column = 0; column < COLUMNS; column++) {
            /* the middle of the pixel is the node */
            assert_near(place[0] + (column + 0.5) * place[1], 691012.5 + 12.5 * column, 1e-9);
            assert_near(place[3] + (row + 0.5) * place[5], 5334007.25 + 12.5 * (ROWS - 1 - row), 1e-9);
            assert_near((double)value[row * COLUMNS + column], (double)height_of(column, ROWS - 1 - row), 0);
        }
    }
    OGRSpatialReferenceH found = GDALGetSpatialRef(dataset);
    assert_true((found != NULL) == (crs != NULL));
    if (crs != NULL) {
        assert_string_equal(OSRGetAuthorityCode(found, NULL), crs + strlen("EPSG:"));
    }
    GDALClose(dataset);
}

static void test_heights_and_places(void **state)
{
    (void)state;
    static const char *const crs[] = {"EPSG:32632", NULL};
    for (int i = 0; i < 2; i++) {
        rcity_context *context = test_context(1);
        rcity_scene *scene = make_scene(context, crs[i]);
        assert_ok(context, rcity_scene_commit(scene));
        assert_ok(context, rcity_scene_export_terrain(context, scene, test_path("nodes.tif")));
        check_file(test_path("nodes.tif"), crs[i]);
        rcity_scene_destroy(&scene);
        assert_int_equal(rcity_context_memory_used(context), 0);
        rcity_context_destroy(&context);
    }
    char **left = VSIReadDirRecursive("/vsimem/"); /* nothing stays in GDAL's memory, whatever it made */
    assert_int_equal(CSLCount(left), 0);
    CSLDestroy(left);
}

static void test_scene_without_terrain_is_refused(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    const char *path = test_path("never.tif");
    rcity_scene *scene = make_scene(context, "EPSG:32632");
    assert_status(context, rcity_scene_export_terrain(context, scene, path), RCITY_ERR_STATE);
    assert_message(context, "not committed");
    assert_ok(context, rcity_scene_commit(scene));
    assert_status(context, rcity_scene_export_terrain(context, scene, "/nowhere/at/all.tif"), RCITY_ERR_FILE);
    assert_message(context, "/nowhere/at/all.tif");
    rcity_scene_destroy(&scene);
    rcity_scene_options options = rcity_scene_options_default();
    assert_ok(context, rcity_scene_create(context, &options, &scene));
    test_add_box(context, scene, 1, (test_box){0, 0, 10, 10, 5});
    assert_ok(context, rcity_scene_commit(scene));
    assert_status(context, rcity_scene_export_terrain(context, scene, path), RCITY_ERR_ARGUMENT);
    assert_message(context, "never.tif': the scene has no terrain");
    assert_int_not_equal(access(path, F_OK), 0);
    rcity_scene_destroy(&scene);
    assert_int_equal(rcity_context_memory_used(context), 0);
    rcity_context_destroy(&context);
}

/* Room for the scene and its commit, and not for the file beside it. */
static void test_memory_is_asked_first(void **state)
{
    (void)state;
    enum { SIDE = 1000 };
    rcity_context_options context_options = rcity_context_options_default();
    context_options.memory_bytes = 40000000;
    rcity_context *context = NULL;
    assert_int_equal(rcity_context_create(&context_options, &context), RCITY_OK);
    float *height_m = calloc((size_t)SIDE * SIDE, sizeof *height_m);
    assert_non_null(height_m);
    const rcity_terrain terrain = {SIDE, SIDE, 0, 0, 1, height_m};
    rcity_scene_options options = rcity_scene_options_default();
    rcity_scene *scene = NULL;
    assert_ok(context, rcity_scene_create(context, &options, &scene));
    assert_ok(context, rcity_scene_set_terrain(scene, &terrain));
    free(height_m);
    assert_ok(context, rcity_scene_commit(scene));
    char *taken = NULL;
    size_t taken_bytes = 40000000 - (size_t)rcity_context_memory_used(context) - 3900000;
    assert_ok(context, rcity_alloc(context, taken_bytes, 1, "the test's share", &taken));
    const char *path = test_path("large.tif");
    assert_status(context, rcity_scene_export_terrain(context, scene, path), RCITY_ERR_MEMORY);
    assert_message(context, "large.tif' may take 4.0 MB beside the");
    assert_message(context, "the limit is 40.0 MB; raise `memory`");
    assert_int_not_equal(access(path, F_OK), 0);
    rcity_release(context, taken);
    assert_ok(context, rcity_scene_export_terrain(context, scene, path));
    rcity_scene_destroy(&scene);
    rcity_context_destroy(&context);
    unlink(path);
}

TEST_SUITE(export_terrain)
{
    GDALAllRegister();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_heights_and_places),
        cmocka_unit_test(test_scene_without_terrain_is_refused),
        cmocka_unit_test(test_memory_is_asked_first),
    };
    return cmocka_run_group_tests_name("export_terrain", tests, NULL, NULL);
}

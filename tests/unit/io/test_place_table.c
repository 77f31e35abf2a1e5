/* Places with columns, as files of a GIS. */
#include "rcity_test.h"

#include <gdal.h>
#include <ogr_api.h>

#include "radiocity/io.h"

static const double xy[] = {691100.0, 5334200.0, 691200.5, 5334300.25};
static const double numbers[] = {-71.5, NAN};
static const char *const texts[] = {"a \"b\", c", NULL};

static rcity_status save(rcity_context *context, const char *crs, const char *path)
{
    rcity_place_table *table = NULL;
    rcity_status status = rcity_place_table_create(context, crs, 2, xy, &table);
    status = status == RCITY_OK ? rcity_place_table_add_texts(table, "name", texts) : status;
    status = status == RCITY_OK ? rcity_place_table_add_numbers(table, "level dbm", numbers) : status;
    status = status == RCITY_OK ? rcity_place_table_save(table, path) : status;
    rcity_place_table_destroy(&table);
    assert_null(table);
    return status;
}

/* Both formats, with a CRS and without: the same values come back, and what is absent is absent. */
static void test_values_come_back(void **state)
{
    (void)state;
    static const struct {
        const char *name, *crs;
        double x, y, tolerance;
    } cases[] = {
        {"places.gpkg", "EPSG:32632", 691200.5, 5334300.25, 1e-6},
        {"places.gpkg", "none", 691200.5, 5334300.25, 1e-6},
        {"places.geojson", "none", 691200.5, 5334300.25, 1e-3},
        {"places.geojson", "EPSG:32632", 11.56987955, 48.13320898, 1e-4},
    };
    GDALAllRegister();
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        rcity_context *context = test_context(1);
        const char *path = test_path(cases[i].name);
        assert_ok(context, save(context, cases[i].crs, path));
        GDALDatasetH dataset = GDALOpenEx(path, GDAL_OF_VECTOR, NULL, NULL, NULL);
        assert_non_null(dataset);
        OGRLayerH layer = GDALDatasetGetLayer(dataset, 0);
        assert_int_equal(OGR_L_GetFeatureCount(layer, TRUE), 2);
        OGRFeatureH first = OGR_L_GetNextFeature(layer);
        OGRFeatureH second = OGR_L_GetNextFeature(layer);
        assert_string_equal(OGR_F_GetFieldAsString(first, 0), texts[0]);
        assert_near(OGR_F_GetFieldAsDouble(first, 1), -71.5, 1e-9);
        assert_false(OGR_F_IsFieldSetAndNotNull(second, 0));
        assert_false(OGR_F_IsFieldSetAndNotNull(second, 1));
        OGRGeometryH point = OGR_F_GetGeometryRef(second);
        assert_near(OGR_G_GetX(point, 0), cases[i].x, cases[i].tolerance);
        assert_near(OGR_G_GetY(point, 0), cases[i].y, cases[i].tolerance);
        OGR_F_Destroy(first);
        OGR_F_Destroy(second);
        GDALClose(dataset);
        assert_int_equal(rcity_context_memory_used(context), 0);
        rcity_context_destroy(&context);
    }
}

static void test_bad_requests(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    assert_status(context, save(context, "EPSG:32632", test_path("places.kml")), RCITY_ERR_ARGUMENT);
    assert_message(context, "must end in .gpkg or .geojson");
    assert_status(context, save(context, "EPSG:99999999", test_path("places.geojson")), RCITY_ERR_ARGUMENT);
    assert_status(context, save(context, "EPSG:32632", test_path("absent/places.gpkg")), RCITY_ERR_FILE);
    rcity_place_table *table = NULL;
    assert_status(context, rcity_place_table_create(context, "none", 2, NULL, &table), RCITY_ERR_ARGUMENT);
    assert_null(table);
    rcity_place_table_destroy(&table);
    rcity_place_table_destroy(NULL);
    rcity_context_destroy(&context);
}

/* The n-th allocation fails: nothing stays behind. */
static void test_no_memory(void **state)
{
    (void)state;
    bool is_done = false;
    for (long n = 1; !is_done; n++) {
        failing_allocator failing = {.fail_at = 0};
        rcity_context *context = test_context_failing(&failing, 1);
        failing.fail_at = failing.call_count + n;
        rcity_status status = save(context, "EPSG:32632", test_path("memory.geojson"));
        is_done = status == RCITY_OK;
        assert_true(is_done || status == RCITY_ERR_MEMORY);
        failing.fail_at = 0;
        rcity_context_destroy(&context);
        assert_int_equal(failing.live_count, 0);
    }
}

TEST_SUITE(place_table)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_values_come_back),
        cmocka_unit_test(test_bad_requests),
        cmocka_unit_test(test_no_memory),
    };
    return cmocka_run_group_tests_name("place_table", tests, NULL, NULL);
}

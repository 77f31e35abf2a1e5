/* Coverage as GeoJSON, read back with OGR: valid polygons, areas equal to the cells to the last one, right-hand rule,
   holes and corners; the place through an own transformation; transmitters with all their properties. */
#include "rcity_test.h"

#include <gdal.h>
#include <ogr_api.h>
#include <ogr_srs_api.h>

#include "radiocity/crs.h"

static rcity_map *make_map(rcity_context *context, rcity_raster raster, const char *crs, rcity_band_kind kind,
                           const char *name, float **value)
{
    rcity_map *map = NULL;
    assert_ok(context, rcity_map_create(context, &raster, crs, &map));
    assert_ok(context, rcity_map_add_band(map, kind, name, "dBm", "", 1.5, value));
    assert_ok(context, rcity_map_add_note(map, "scene_hash", "abc\"def"));
    return map;
}

static GDALDatasetH open_layer(const char *path, OGRLayerH *layer)
{
    GDALDatasetH dataset = GDALOpenEx(path, GDAL_OF_VECTOR, NULL, NULL, NULL);
    assert_non_null(dataset);
    *layer = GDALDatasetGetLayer(dataset, 0);
    assert_non_null(*layer);
    return dataset;
}

static double field(OGRFeatureH feature, const char *name)
{
    int index = OGR_F_GetFieldIndex(feature, name);
    assert_true(index >= 0);
    return OGR_F_GetFieldAsDouble(feature, index);
}

static double signed_area(OGRGeometryH ring)
{
    double sum = 0.0;
    int count = OGR_G_GetPointCount(ring);
    for (int i = 0; i + 1 < count; i++) {
        sum += OGR_G_GetX(ring, i) * OGR_G_GetY(ring, i + 1) - OGR_G_GetX(ring, i + 1) * OGR_G_GetY(ring, i);
    }
    assert_true(OGR_G_GetX(ring, 0) == OGR_G_GetX(ring, count - 1) &&
                OGR_G_GetY(ring, 0) == OGR_G_GetY(ring, count - 1));
    return 0.5 * sum;
}

/* Valid, and the rings turn as RFC 7946 wants: outer ones counter-clockwise. Returns the area. */
static double check_geometry(OGRGeometryH geometry)
{
    double area = 0.0;
    assert_true(OGR_G_IsValid(geometry));
    for (int i = 0; i < OGR_G_GetGeometryCount(geometry); i++) {
        OGRGeometryH polygon = OGR_G_GetGeometryRef(geometry, i);
        for (int k = 0; k < OGR_G_GetGeometryCount(polygon); k++) {
            double ring_area = signed_area(OGR_G_GetGeometryRef(polygon, k));
            assert_true((ring_area > 0.0) == (k == 0));
            area += ring_area;
        }
    }
    return area;
}

/* Random levels in metres: the polygons' area is the number of cells, exactly, and they hold the right centres. */
static void test_areas_are_cells(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    for (uint64_t seed = 1; seed <= 12; seed++) {
        rcity_raster raster = {20 + (int64_t)(seed % 7), 15 + (int64_t)(seed % 5), 1000.0, 3000.0, 2.0};
        float *value = NULL;
        rcity_map *map = make_map(context, raster, "none", RCITY_BAND_POWER, "received_power", &value);
        int64_t count = raster.column_count * raster.row_count;
        int64_t value_count = 0;
        for (int64_t i = 0; i < count; i++) {
            value[i] = test_random(seed, (uint64_t)i) % 9 == 0
                           ? NAN
                           : (float)test_uniform(seed, (uint64_t)(i + 10000), -100.0, -60.0);
            value_count += isnan(value[i]) ? 0 : 1;
        }
        static const double thresholds[] = {-70.0, -90.0, -80.0};
        static const double sorted[] = {-90.0, -80.0, -70.0};
        assert_ok(context, rcity_map_save_coverage(context, map, 0, 3, thresholds, test_path("areas.geojson")));
        OGRLayerH layer;
        GDALDatasetH dataset = open_layer(test_path("areas.geojson"), &layer);
        assert_int_equal(OGR_L_GetFeatureCount(layer, 1), 3);
        for (int k = 0; k < 3; k++) { /* the largest area first */
            OGRFeatureH feature = OGR_L_GetNextFeature(layer);
            OGRGeometryH geometry = OGR_F_GetGeometryRef(feature);
            int64_t covered = 0;
            assert_near(field(feature, "threshold"), sorted[k], 0.0);
            for (int64_t i = 0; i < count; i++) {
                bool is_covered = (double)value[i] >= sorted[k];
                covered += is_covered ? 1 : 0;
                OGRGeometryH centre = OGR_G_CreateGeometry(wkbPoint);
                OGR_G_SetPoint_2D(centre, 0, 1001.0 + 2.0 * (double)(i % raster.column_count),
                                  2999.0 - 2.0 * (double)(i / raster.column_count));
                if (i % 7 == 0) {
                    assert_true(OGR_G_Contains(geometry, centre) == is_covered);
                }
                OGR_G_DestroyGeometry(centre);
            }
            assert_near(check_geometry(geometry), 4.0 * (double)covered, 0.0);
            assert_near(field(feature, "area_km2"), 4e-6 * (double)covered, 1e-12);
            assert_near(field(feature, "fraction"), (double)covered / (double)value_count, 1e-9);
            assert_string_equal(OGR_F_GetFieldAsString(feature, OGR_F_GetFieldIndex(feature, "unit")), "dBm");
            OGR_F_Destroy(feature);
        }
        GDALClose(dataset);
        rcity_map_destroy(&map);
    }
    rcity_context_destroy(&context);
}

/* With a CRS: longitude and latitude, in the right place, the same area on the ground. */
static void test_polygons_lie_in_place_in_lonlat(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    rcity_raster raster = {600, 40, 690000.0, 5335000.0, 5.0};
    float *value = NULL;
    rcity_map *map = make_map(context, raster, "EPSG:32632", RCITY_BAND_LOSS, "path_loss", &value);
    for (int i = 0; i < 600 * 40; i++) {
        value[i] = i / 600 >= 10 && i / 600 < 30 && i % 600 >= 20 ? 90.0f : 150.0f; /* a bar of 580 x 20 cells */
    }
    const double threshold = 120.0; /* of a loss: at or below */
    assert_ok(context, rcity_map_save_coverage(context, map, 0, 1, &threshold, test_path("place.geojson")));
    OGRLayerH layer;
    GDALDatasetH dataset = open_layer(test_path("place.geojson"), &layer);
    assert_string_equal(OSRGetAuthorityCode(OGR_L_GetSpatialRef(layer), NULL), "4326");
    OGRFeatureH feature = OGR_L_GetNextFeature(layer);
    OGRGeometryH geometry = OGR_F_GetGeometryRef(feature);
    check_geometry(geometry);
    assert_string_equal(OGR_F_GetFieldAsString(feature, OGR_F_GetFieldIndex(feature, "relation")), "at or below");
    OGRGeometryH ring = OGR_G_GetGeometryRef(OGR_G_GetGeometryRef(geometry, 0), 0);
    int count = OGR_G_GetPointCount(ring);
    assert_int_equal(count, 3 + 1 + 3 + 1 + 1); /* the long sides are cut in three */
    double xy[32];
    for (int i = 0; i < count; i++) {
        xy[2 * i] = OGR_G_GetX(ring, i);
        xy[2 * i + 1] = OGR_G_GetY(ring, i);
        assert_true(xy[2 * i] > 11.5 && xy[2 * i] < 11.7 && xy[2 * i + 1] > 48.1 && xy[2 * i + 1] < 48.2);
    }
    assert_ok(context, rcity_crs_transform(context, RCITY_CRS_LONLAT, "EPSG:32632", count, xy));
    for (int i = 0; i < count; i++) { /* back in metres every point lies on the bar's sides, to the millimetre */
        bool is_on_side = fabs(xy[2 * i] - 690100.0) < 2e-3 || fabs(xy[2 * i] - 693000.0) < 2e-3 ||
                          fabs(xy[2 * i + 1] - 5334950.0) < 2e-3 || fabs(xy[2 * i + 1] - 5334850.0) < 2e-3;
        assert_true(is_on_side);
    }
    OGR_F_Destroy(feature);
    GDALClose(dataset);
    rcity_map_destroy(&map);
    rcity_context_destroy(&context);
}

static void test_empty_coverage_has_no_geometry(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    float *value = NULL;
    rcity_map *map =
        make_map(context, (rcity_raster){4, 3, 0.0, 0.0, 1.0}, "none", RCITY_BAND_POWER, "received_power", &value);
    const double high = 0.0;
    OGRLayerH layer;
    assert_ok(context, rcity_map_save_coverage(context, map, 0, 1, &high, test_path("none.geojson"))); /* no values */
    GDALDatasetH dataset = open_layer(test_path("none.geojson"), &layer);
    OGRFeatureH feature = OGR_L_GetNextFeature(layer);
    assert_non_null(feature);
    assert_null(OGR_F_GetGeometryRef(feature));
    assert_near(field(feature, "area_km2"), 0.0, 0.0);
    OGR_F_Destroy(feature);
    GDALClose(dataset);
    const double bad[] = {-80.0, (double)NAN};
    assert_status(context, rcity_map_save_coverage(context, map, 0, 2, bad, test_path("bad.geojson")),
                  RCITY_ERR_ARGUMENT);
    assert_message(context, "threshold 2");
    assert_status(context, rcity_map_save_coverage(context, map, 0, 0, bad, test_path("bad.geojson")),
                  RCITY_ERR_ARGUMENT);
    assert_message(context, "0 thresholds");
    assert_status(context, rcity_map_save_coverage(context, map, 1, 1, bad, test_path("bad.geojson")),
                  RCITY_ERR_ARGUMENT);
    assert_message(context, "no band 1");
    assert_status(context, rcity_map_save_coverage(context, map, 0, 1, bad, test_path("absent/bad.geojson")),
                  RCITY_ERR_FILE);
    rcity_map_destroy(&map);
    map = make_map(context, (rcity_raster){400, 4, 720000.0, 8000000.0, 500.0}, "EPSG:32760", RCITY_BAND_POWER,
                   "received_power", &value);
    for (int i = 0; i < 1600; i++) {
        value[i] = 1.0f;
    }
    assert_status(context, rcity_map_save_coverage(context, map, 0, 1, &high, test_path("bad.geojson")),
                  RCITY_ERR_ARGUMENT);
    assert_message(context, "date line");
    FILE *file = fopen(test_path("bad.geojson"), "rb");
    assert_null(file);
    rcity_map_destroy(&map);
    assert_int_equal(rcity_context_memory_used(context), 0);
    rcity_context_destroy(&context);
}

static const char *word(OGRFeatureH feature, const char *name)
{
    int index = OGR_F_GetFieldIndex(feature, name);
    assert_true(index >= 0);
    return OGR_F_IsFieldSetAndNotNull(feature, index) ? OGR_F_GetFieldAsString(feature, index) : "(null)";
}

static void test_transmitters_are_saved_as_points(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    rcity_transmitter transmitters[2] = {rcity_transmitter_default(), rcity_transmitter_default()};
    transmitters[0].name = "Tower \"A\"/1";
    transmitters[0].x_m = 691250.0;
    transmitters[0].y_m = 5334250.0;
    transmitters[0].height_m = 32.5;
    transmitters[0].frequency_hz = 2.1e9;
    transmitters[0].power_kind = RCITY_POWER_ERP;
    transmitters[0].power_dbm = 50.0;
    transmitters[0].azimuth_deg = 120.0;
    transmitters[0].mechanical_tilt_deg = 2.0;
    transmitters[0].electrical_tilt_deg = 6.0;
    transmitters[1].x_m = 691000.0;
    transmitters[1].y_m = 5334000.0;
    transmitters[1].is_absolute = true;
    assert_ok(context, rcity_transmitters_save(context, "EPSG:32632", 2, transmitters, test_path("tx.geojson")));
    OGRLayerH layer;
    GDALDatasetH dataset = open_layer(test_path("tx.geojson"), &layer);
    assert_int_equal(OGR_L_GetFeatureCount(layer, 1), 2);
    OGRFeatureH feature = OGR_L_GetNextFeature(layer);
    double lonlat[2] = {OGR_G_GetX(OGR_F_GetGeometryRef(feature), 0), OGR_G_GetY(OGR_F_GetGeometryRef(feature), 0)};
    assert_ok(context, rcity_crs_transform(context, RCITY_CRS_LONLAT, "EPSG:32632", 1, lonlat));
    assert_near(lonlat[0], 691250.0, 2e-3);
    assert_near(lonlat[1], 5334250.0, 2e-3);
    assert_string_equal(word(feature, "name"), "Tower \"A\"/1");
    assert_string_equal(word(feature, "power_kind"), "erp");
    assert_string_equal(word(feature, "antenna"), "isotropic");
    assert_string_equal(word(feature, "height_from"), "ground");
    assert_string_equal(word(feature, "polarization"), "vertical");
    assert_near(field(feature, "height_m"), 32.5, 0.0);
    assert_near(field(feature, "frequency_mhz"), 2100.0, 1e-9);
    assert_near(field(feature, "eirp_dbm"), 52.15, 1e-9);
    assert_near(field(feature, "azimuth_deg"), 120.0, 0.0);
    assert_near(field(feature, "electrical_tilt_deg"), 6.0, 0.0);
    OGR_F_Destroy(feature);
    feature = OGR_L_GetNextFeature(layer);
    assert_string_equal(word(feature, "name"), "Tx");
    assert_string_equal(word(feature, "height_from"), "datum");
    assert_string_equal(word(feature, "power_dbm"), "(null)");
    assert_string_equal(word(feature, "eirp_dbm"), "(null)");
    assert_string_equal(word(feature, "electrical_tilt_deg"), "(null)");
    OGR_F_Destroy(feature);
    GDALClose(dataset);
    assert_ok(context, rcity_transmitters_save(context, "none", 1, transmitters, test_path("tx.geojson"))); /* metres */
    dataset = open_layer(test_path("tx.geojson"), &layer);
    feature = OGR_L_GetNextFeature(layer);
    assert_near(OGR_G_GetX(OGR_F_GetGeometryRef(feature), 0), 691250.0, 0.0);
    OGR_F_Destroy(feature);
    GDALClose(dataset);
    assert_ok(context, rcity_transmitters_save(context, "none", 0, NULL, test_path("tx.geojson"))); /* none at all */
    assert_status(context, rcity_transmitters_save(context, "nonsense", 1, transmitters, test_path("tx2.geojson")),
                  RCITY_ERR_ARGUMENT);
    assert_message(context, "nonsense");
    assert_int_equal(rcity_context_memory_used(context), 0);
    rcity_context_destroy(&context);
}

static void test_every_allocation_fails_once(void **state)
{
    (void)state;
    rcity_context *plenty = test_context(1);
    float *value = NULL;
    rcity_map *map = make_map(plenty, (rcity_raster){4, 3, 690000.0, 5335000.0, 5.0}, "EPSG:32632", RCITY_BAND_POWER,
                              "received_power", &value);
    const double threshold = 1.0;
    rcity_transmitter transmitter = rcity_transmitter_default();
    transmitter.x_m = 690000.0;
    transmitter.y_m = 5335000.0;
    for (int i = 0; i < 12; i++) {
        value[i] = (float)(i % 2);
    }
    long n = 0;
    bool has_failed;
    do {
        n++;
        failing_allocator failing = {n, 0, 0};
        rcity_context *context = test_context_failing(&failing, 1);
        rcity_status status = rcity_map_save_coverage(context, map, 0, 1, &threshold, test_path("failing.geojson"));
        if (status == RCITY_OK) {
            status = rcity_transmitters_save(context, "EPSG:32632", 1, &transmitter, test_path("failing2.geojson"));
        }
        has_failed = failing.call_count >= n;
        assert_int_equal(status, has_failed ? RCITY_ERR_MEMORY : RCITY_OK);
        assert_int_equal(rcity_context_memory_used(context), 0);
        rcity_context_destroy(&context);
        assert_int_equal(failing.live_count, 0);
    } while (has_failed);
    assert_true(n > 15);
    rcity_map_destroy(&map);
    rcity_context_destroy(&plenty);
}

TEST_SUITE(coverage_polygons)
{
    GDALAllRegister();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_areas_are_cells),
        cmocka_unit_test(test_polygons_lie_in_place_in_lonlat),
        cmocka_unit_test(test_empty_coverage_has_no_geometry),
        cmocka_unit_test(test_transmitters_are_saved_as_points),
        cmocka_unit_test(test_every_allocation_fails_once),
    };
    return cmocka_run_group_tests_name("coverage polygons", tests, NULL, NULL);
}

/* A KMZ taken apart: doc.kml first, what it refers to inside, the overlay's pixels where the box says, transparency,
   coordinates; the same bytes each time; refusals. The schema is checked by tests/cli/check_kmz.py. */
#include "rcity_test.h"

#include <cpl_vsi.h>
#include <gdal.h>
#include <ogr_api.h>

#include "comma_locale.h"
#include "io/picture/picture_values.h"
#include "radiocity/crs.h"

static const rcity_raster city = {120, 80, 691000.0, 5334400.0, 5.0};

/* North-west strong, south-east weak, a hole in the middle. */
static float level_at(int64_t column, int64_t row)
{
    bool is_hole = column >= 50 && column < 70 && row >= 30 && row < 50;
    return is_hole ? NAN : -60.0f - 0.2f * (float)column - 0.3f * (float)row;
}

static rcity_map *make_map(rcity_context *context, const char *crs)
{
    rcity_map *map = NULL;
    float *value = NULL;
    assert_ok(context, rcity_map_create(context, &city, crs, &map));
    assert_ok(context, rcity_map_add_band(map, RCITY_BAND_POWER, "received_power", "dBm", "Level & more", 1.5, &value));
    for (int64_t i = 0; i < city.column_count * city.row_count; i++) {
        value[i] = level_at(i % city.column_count, i / city.column_count);
    }
    assert_ok(context, rcity_map_add_note(map, "version", "0.1.0"));
    return map;
}

static rcity_status save(rcity_context *context, const rcity_map *map, const char *path)
{
    static const double thresholds[] = {-80.0, -90.0};
    rcity_transmitter transmitters[2] = {rcity_transmitter_default(), rcity_transmitter_default()};
    transmitters[0].name = "A & \"B\" <1>";
    transmitters[0].x_m = 691200.0;
    transmitters[0].y_m = 5334200.0;
    transmitters[0].height_m = 24.5;
    transmitters[0].power_dbm = 50.0;
    transmitters[1].x_m = 691400.0;
    transmitters[1].y_m = 5334100.0;
    transmitters[1].is_absolute = true;
    return rcity_map_save_kmz(context, map, 0, 2, thresholds, 2, transmitters, path);
}

static char document[1 << 20];

/* A file of the archive, through GDAL's own reader of zip files. */
static size_t read_inside(const char *archive, const char *name, char *bytes, size_t room)
{
    char path[600];
    snprintf(path, sizeof path, "/vsizip/{%s}/%s", archive, name);
    VSILFILE *file = VSIFOpenL(path, "rb");
    assert_non_null(file);
    size_t count = VSIFReadL(bytes, 1, room - 1, file);
    VSIFCloseL(file);
    bytes[count] = '\0';
    return count;
}

static double element(const char *text, const char *name)
{
    char open[40];
    snprintf(open, sizeof open, "<%s>", name);
    const char *found = strstr(text, open);
    assert_non_null(found);
    return strtod(found + strlen(open), NULL);
}

/* Every pixel of the overlay: the colour of the map's cell under its middle, transparent where there is none. */
static void check_overlay(rcity_context *context, const rcity_map *map, const char *archive)
{
    char path[600];
    snprintf(path, sizeof path, "/vsizip/{%s}/overlay.png", archive);
    GDALDatasetH dataset = GDALOpen(path, GA_ReadOnly);
    assert_non_null(dataset);
    int width = GDALGetRasterXSize(dataset);
    int height = GDALGetRasterYSize(dataset);
    assert_int_equal(GDALGetRasterCount(dataset), 4);
    unsigned char *pixels = malloc((size_t)width * (size_t)height * 4);
    double *xy = malloc((size_t)width * (size_t)height * 2 * sizeof *xy);
    assert_non_null(pixels);
    assert_non_null(xy);
    assert_int_equal(GDALDatasetRasterIO(dataset, GF_Read, 0, 0, width, height, pixels, width, height, GDT_Byte, 4,
                                         NULL, 4, 4 * width, 1),
                     CE_None);
    double north = element(document, "north"), south = element(document, "south");
    double east = element(document, "east"), west = element(document, "west");
    assert_true(north > south && east > west);
    for (int i = 0; i < width * height; i++) {
        xy[2 * i] = west + (east - west) * (i % width + 0.5) / width;
        xy[2 * i + 1] = north + (south - north) * (i / width + 0.5) / height;
    }
    assert_ok(context, rcity_crs_transform(context, RCITY_CRS_LONLAT, "EPSG:32632", width * height, xy));
    rcity_band band;
    rcity_picture_values values = {.has_any = false};
    assert_ok(context, rcity_map_get_band(map, 0, &band));
    assert_ok(context, rcity_picture_measure_band(context, &band, city.column_count * city.row_count, (double)NAN,
                                                  (double)NAN, &values));
    int clear_count = 0, coloured_count = 0;
    for (int i = 0; i < width * height; i++) {
        double column = (xy[2 * i] - city.west_m) / city.cell_m;
        double row = (city.north_m - xy[2 * i + 1]) / city.cell_m;
        if (fabs(column - floor(column + 0.5)) < 0.01 || fabs(row - floor(row + 0.5)) < 0.01) {
            continue; /* on the side of a cell either is right */
        }
        bool is_inside = column > 0.0 && column < 120.0 && row > 0.0 && row < 80.0;
        float level = is_inside ? level_at((int64_t)column, (int64_t)row) : NAN;
        const unsigned char *pixel = pixels + 4 * i;
        if (isnan(level)) {
            assert_int_equal(pixel[3], 0);
            clear_count++;
        } else {
            uint32_t expected = rcity_colour_pack(rcity_picture_value_colour(&values, (double)level));
            assert_true(pixel[3] > 150);
            assert_int_equal((uint32_t)pixel[0] << 16 | (uint32_t)pixel[1] << 8 | pixel[2], expected);
            coloured_count++;
        }
    }
    assert_true(coloured_count > 8000 && clear_count > 300);
    free(xy);
    free(pixels);
    GDALClose(dataset);
}

static void test_archive_holds_document_and_pictures(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    rcity_map *map = make_map(context, "EPSG:32632");
    const char *path = test_path("map.kmz");
    assert_ok(context, save(context, map, path));
    char start[64];
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    assert_int_equal(fread(start, 1, sizeof start, file), sizeof start);
    fclose(file);
    assert_memory_equal(start, "PK\x03\x04", 4);
    assert_memory_equal(start + 30, "doc.kml", 7); /* the first file */
    read_inside(path, "doc.kml", document, sizeof document);
    assert_non_null(strstr(document, "<kml xmlns=\"http://www.opengis.net/kml/2.2\">"));
    assert_non_null(strstr(document, "<name>A &amp; &quot;B&quot; &lt;1&gt;</name>"));
    assert_non_null(strstr(document, "<name>Received power, dBm</name>"));
    static char bytes[1 << 20];
    assert_true(read_inside(path, "transmitter.png", bytes, sizeof bytes) > 60);
    if (rcity_build_features_get().has_pictures) {
        assert_non_null(strstr(document, "<href>legend.png</href>"));
        assert_true(read_inside(path, "legend.png", bytes, sizeof bytes) > 500);
    } else {
        assert_null(strstr(document, "legend.png"));
    }
    check_overlay(context, map, path);
    rcity_map_destroy(&map);
    assert_int_equal(rcity_context_memory_used(context), 0);
    rcity_context_destroy(&context);
}

/* Read by a stranger: OGR finds the areas and the transmitters where they are. */
static void test_read_by_ogr(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    rcity_map *map = make_map(context, "EPSG:32632");
    assert_ok(context, save(context, map, test_path("read.kmz")));
    char path[600];
    snprintf(path, sizeof path, "/vsizip/{%s}/doc.kml", test_path("read.kmz"));
    GDALDatasetH dataset = GDALOpenEx(path, GDAL_OF_VECTOR, NULL, NULL, NULL);
    assert_non_null(dataset);
    OGRLayerH areas = GDALDatasetGetLayerByName(dataset, "Coverage");
    OGRLayerH places = GDALDatasetGetLayerByName(dataset, "Transmitters");
    assert_true(areas != NULL && places != NULL);
    assert_int_equal(OGR_L_GetFeatureCount(areas, 1), 2);
    assert_int_equal(OGR_L_GetFeatureCount(places, 1), 2);
    OGR_L_ResetReading(places);
    OGRFeatureH place = OGR_L_GetNextFeature(places);
    OGRGeometryH point = OGR_F_GetGeometryRef(place);
    double xy[2] = {OGR_G_GetX(point, 0), OGR_G_GetY(point, 0)};
    assert_ok(context, rcity_crs_transform(context, RCITY_CRS_LONLAT, "EPSG:32632", 1, xy));
    assert_near(xy[0], 691200.0, 2e-3);
    assert_near(xy[1], 5334200.0, 2e-3);
    assert_near(OGR_G_GetZ(point, 0), 24.5, 1e-9);
    OGR_F_Destroy(place);
    OGR_L_ResetReading(areas);
    OGRFeatureH area = OGR_L_GetNextFeature(areas);
    assert_true(OGR_G_IsValid(OGR_F_GetGeometryRef(area)));
    assert_string_equal(OGR_F_GetFieldAsString(area, OGR_F_GetFieldIndex(area, "Name")), "-90 dBm"); /* larger first */
    OGR_F_Destroy(area);
    GDALClose(dataset);
    rcity_map_destroy(&map);
    rcity_context_destroy(&context);
}

static void test_same_bytes(void **state)
{
    (void)state;
    static char bytes[2][1 << 18];
    size_t counts[2];
    for (int i = 0; i < 2; i++) {
        rcity_context *context = test_context(1 + 2 * i);
        rcity_map *map = make_map(context, "EPSG:32632");
        assert_ok(context, save(context, map, test_path("same.kmz")));
        FILE *file = fopen(test_path("same.kmz"), "rb");
        assert_non_null(file);
        counts[i] = fread(bytes[i], 1, sizeof bytes[i], file);
        fclose(file);
        rcity_map_destroy(&map);
        rcity_context_destroy(&context);
    }
    assert_int_equal(counts[0], counts[1]);
    assert_memory_equal(bytes[0], bytes[1], counts[0]);
}

/* The document of a caller whose locale writes commas is the same; in the legend's picture it may have them. */
static void test_same_document_with_commas(void **state)
{
    (void)state;
    static char with_points[sizeof document];
    rcity_context *context = test_context(1);
    rcity_map *map = make_map(context, "EPSG:32632");
    assert_ok(context, save(context, map, test_path("point.kmz")));
    read_inside(test_path("point.kmz"), "doc.kml", with_points, sizeof with_points);
    assert_non_null(strstr(with_points, " km2, "));
    assert_non_null(strstr(with_points, "MHz&#10;24.5 m above ground"));
    if (comma_locale_enter()) {
        assert_ok(context, save(context, map, test_path("comma.kmz")));
        comma_locale_leave();
        read_inside(test_path("comma.kmz"), "doc.kml", document, sizeof document);
        assert_string_equal(document, with_points);
    }
    rcity_map_destroy(&map);
    rcity_context_destroy(&context);
}

/* An overlay of more pixels than a globe takes is made coarser, in the same box. */
static void test_large_map(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    rcity_raster raster = {6000, 50, 691000.0, 5334400.0, 5.0};
    rcity_map *map = NULL;
    float *value = NULL;
    assert_ok(context, rcity_map_create(context, &raster, "EPSG:32632", &map));
    assert_ok(context, rcity_map_add_band(map, RCITY_BAND_SERVER, "best_server", "", "", 1.5, &value));
    for (int i = 0; i < 300000; i++) {
        value[i] = (float)(1 + i % 6000 / 200);
    }
    assert_ok(context, rcity_map_save_kmz(context, map, 0, 0, NULL, 0, NULL, test_path("large.kmz")));
    char path[600];
    snprintf(path, sizeof path, "/vsizip/{%s}/overlay.png", test_path("large.kmz"));
    GDALDatasetH dataset = GDALOpen(path, GA_ReadOnly);
    assert_non_null(dataset);
    assert_true(GDALGetRasterXSize(dataset) >= 4095 && GDALGetRasterXSize(dataset) <= 4097);
    GDALClose(dataset);
    read_inside(test_path("large.kmz"), "doc.kml", document, sizeof document);
    double corner[2] = {691000.0 + 30000.0, 5334400.0};
    assert_ok(context, rcity_crs_transform(context, "EPSG:32632", RCITY_CRS_LONLAT, 1, corner));
    assert_near(element(document, "east"), corner[0], 2e-4); /* a pixel is 1e-4 degrees */
    assert_null(strstr(document, "<Folder>"));
    rcity_map_destroy(&map);
    rcity_context_destroy(&context);
}

/* The legend of mechanisms has a swatch of each, also of those that occur nowhere. */
static void test_mechanism_legend(void **state)
{
    (void)state;
    static const uint32_t expected[] = {0xf0e442, 0xd55e00, 0x56b4e9, 0x0b4f8a};
    static uint8_t bytes[3][400 * 400];
    rcity_context *context = test_context(1);
    rcity_raster raster = {10, 10, 691000.0, 5334400.0, 5.0};
    rcity_map *map = NULL;
    float *value = NULL;
    assert_ok(context, rcity_map_create(context, &raster, "EPSG:32632", &map));
    static const char *const names[] = {"direct", "through walls", "around corners", "over roofs"};
    assert_ok(context, rcity_map_add_band(map, RCITY_BAND_CLASS, "mechanism", "", "", 1.5, &value));
    assert_ok(context, rcity_map_set_classes(map, 0, 4, names));
    for (int i = 0; i < 100; i++) {
        value[i] = (float)(i % 2);
    }
    assert_ok(context, rcity_map_save_kmz(context, map, 0, 0, NULL, 0, NULL, test_path("mechanisms.kmz")));
    char path[600];
    snprintf(path, sizeof path, "/vsizip/{%s}/legend.png", test_path("mechanisms.kmz"));
    GDALDatasetH dataset = GDALOpen(path, GA_ReadOnly);
    if (dataset != NULL) { /* there is none without Cairo */
        int width = GDALGetRasterXSize(dataset);
        int height = GDALGetRasterYSize(dataset);
        assert_true(width * height <= 400 * 400);
        for (int band = 0; band < 3; band++) {
            assert_int_equal(GDALRasterIO(GDALGetRasterBand(dataset, band + 1), GF_Read, 0, 0, width, height,
                                          bytes[band], width, height, GDT_Byte, 0, 0),
                             CE_None);
        }
        int last_row = 0;
        for (int kind = 0; kind < 4; kind++) { /* one below the other */
            int i = last_row * width;
            while (i < width * height &&
                   ((uint32_t)bytes[0][i] << 16 | (uint32_t)bytes[1][i] << 8 | bytes[2][i]) != expected[kind]) {
                i++;
            }
            assert_true(i < width * height);
            assert_true(kind == 0 || i / width > last_row);
            last_row = i / width;
        }
        GDALClose(dataset);
    }
    rcity_map_destroy(&map);
    rcity_context_destroy(&context);
}

static void test_map_without_crs_is_refused(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    rcity_map *map = make_map(context, "none");
    assert_status(context, save(context, map, test_path("bad.kmz")), RCITY_ERR_ARGUMENT);
    assert_message(context, "no CRS");
    assert_message(context, "`crs`");
    rcity_map_destroy(&map);
    map = make_map(context, "EPSG:32632");
    const double bad = (double)NAN;
    assert_status(context, rcity_map_save_kmz(context, map, 0, 1, &bad, 0, NULL, test_path("bad.kmz")),
                  RCITY_ERR_ARGUMENT);
    assert_status(context, rcity_map_save_kmz(context, map, 3, 0, NULL, 0, NULL, test_path("bad.kmz")),
                  RCITY_ERR_ARGUMENT);
    assert_message(context, "no band 3");
    assert_status(context, save(context, map, test_path("absent/bad.kmz")), RCITY_ERR_FILE);
    FILE *file = fopen(test_path("bad.kmz"), "rb");
    assert_null(file);
    rcity_map_destroy(&map);
    assert_int_equal(rcity_context_memory_used(context), 0);
    rcity_context_destroy(&context);
}

static void test_every_allocation_fails_once(void **state)
{
    (void)state;
    rcity_context *plenty = test_context(1);
    rcity_map *map = make_map(plenty, "EPSG:32632");
    long n = 0;
    bool has_failed;
    do {
        n++;
        failing_allocator failing = {n, 0, 0};
        rcity_context *context = test_context_failing(&failing, 1);
        rcity_status status = save(context, map, test_path("failing.kmz"));
        has_failed = failing.call_count >= n;
        assert_int_equal(status, has_failed ? RCITY_ERR_MEMORY : RCITY_OK);
        assert_int_equal(rcity_context_memory_used(context), 0);
        rcity_context_destroy(&context);
        assert_int_equal(failing.live_count, 0);
    } while (has_failed);
    assert_true(n > 40);
    rcity_map_destroy(&map);
    rcity_context_destroy(&plenty);
}

TEST_SUITE(kmz)
{
    GDALAllRegister();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_archive_holds_document_and_pictures),
        cmocka_unit_test(test_read_by_ogr),
        cmocka_unit_test(test_same_bytes),
        cmocka_unit_test(test_same_document_with_commas),
        cmocka_unit_test(test_large_map),
        cmocka_unit_test(test_mechanism_legend),
        cmocka_unit_test(test_map_without_crs_is_refused),
        cmocka_unit_test(test_every_allocation_fails_once),
    };
    return cmocka_run_group_tests_name("kmz", tests, NULL, NULL);
}

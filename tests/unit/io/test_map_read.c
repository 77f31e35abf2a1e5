/* Rasters as maps: our own come back whole; others with their scale, mask and unit; what is no map is refused. */
#include "rcity_test.h"

#include <cpl_conv.h>
#include <cpl_string.h>
#include <gdal.h>
#include <ogr_srs_api.h>
#include <unistd.h>

#include "io/gis/ground_scale.h"
#include "result/map_data.h"

static void test_own_maps_come_back(void **state)
{
    (void)state;
    rcity_context *context = test_context(2);
    rcity_raster raster = {31, 17, 691000.5, 5334000.25, 2.5};
    rcity_map *map = NULL;
    rcity_map *loaded = NULL;
    float *values[3];
    assert_ok(context, rcity_map_create(context, &raster, "EPSG:32632", &map));
    assert_ok(context, rcity_map_add_band(map, RCITY_BAND_LOSS, "path_loss", "dB", "Loss & <more>", 1.5, &values[0]));
    assert_ok(context,
              rcity_map_add_band(map, RCITY_BAND_LOSS, "path_loss", "dB", "Loss higher up", 10.25, &values[1]));
    assert_ok(context, rcity_map_add_band(map, RCITY_BAND_SERVER, "best_server", "", "", 1.5, &values[2]));
    for (int i = 0; i < 31 * 17; i++) {
        values[0][i] = i % 5 == 0 ? NAN : (float)i * 0.37f;
        values[1][i] = (float)-i;
        values[2][i] = (float)(i % 3 + 1);
    }
    assert_ok(context, rcity_map_add_note(map, "version", "0.1.0"));
    assert_ok(context, rcity_map_add_note(map, "server_1", "Tower = \"A\" & Sons/1"));
    assert_ok(context, rcity_map_save_geotiff(context, map, NULL, test_path("own.tif")));
    assert_ok(context, rcity_map_load_geotiff(context, test_path("own.tif"), &loaded));
    rcity_raster found = rcity_map_raster(loaded);
    assert_int_equal(found.column_count, 31);
    assert_int_equal(found.row_count, 17);
    assert_true(found.west_m == raster.west_m && found.north_m == raster.north_m && found.cell_m == raster.cell_m);
    assert_string_equal(rcity_map_crs(loaded), "EPSG:32632");
    assert_string_equal(test_find_note(loaded, "version"), "0.1.0");
    assert_string_equal(test_find_note(loaded, "server_1"), "Tower = \"A\" & Sons/1");
    assert_null(test_find_note(loaded, "cell_unit"));
    assert_int_equal(rcity_map_band_count(loaded), 3);
    for (int b = 0; b < 3; b++) {
        rcity_band before, after;
        assert_ok(context, rcity_map_get_band(map, b, &before));
        assert_ok(context, rcity_map_get_band(loaded, b, &after));
        assert_string_equal(before.name, after.name);
        assert_string_equal(before.unit, after.unit);
        assert_string_equal(before.text, after.text);
        assert_true(before.rx_height_m == after.rx_height_m);
        assert_int_equal(before.kind, after.kind);
        for (int i = 0; i < 31 * 17; i++) {
            assert_true(isnan(before.value[i]) ? isnan(after.value[i]) : before.value[i] == after.value[i]);
        }
    }
    /* and saved again they are the same file */
    assert_ok(context, rcity_map_save_geotiff(context, loaded, NULL, test_path("second.tif")));
    rcity_map *second = NULL;
    assert_ok(context, rcity_map_load_geotiff(context, test_path("second.tif"), &second));
    assert_string_equal(test_find_note(second, "server_1"), "Tower = \"A\" & Sons/1");
    rcity_map_destroy(&second);
    rcity_map_destroy(&loaded);
    rcity_map_destroy(&map);
    assert_int_equal(rcity_context_memory_used(context), 0);
    rcity_context_destroy(&context);
}

/* Bands of all kinds with names that would mislead a guess, and classes with and without names. */
static void test_kinds_come_back(void **state)
{
    (void)state;
#define KIND(code, value, word, sense, text) code,
    static const rcity_band_kind kinds[] = {RCITY_BAND_KIND_LIST(KIND)};
#undef KIND
    const int kind_count = (int)(sizeof kinds / sizeof kinds[0]);
    static const char *const names[] = {"", "Tower = \"A\" & <Sons>/1", NULL, "\u00d6st/2"};
    rcity_context *context = test_context(1);
    rcity_raster raster = {4, 3, 691000.0, 5334000.0, 5.0};
    rcity_map *map = NULL;
    rcity_map *loaded = NULL;
    float *value = NULL;
    assert_ok(context, rcity_map_create(context, &raster, "EPSG:32632", &map));
    for (int i = 0; i < kind_count; i++) {
        assert_ok(context, rcity_map_add_band(map, kinds[i], "path_loss", "dBm", "", 1.0 + i, &value));
        if (kinds[i] == RCITY_BAND_CLASS || kinds[i] == RCITY_BAND_SERVER) {
            assert_ok(context, rcity_map_set_classes(map, i, 4, names));
        }
    }
    assert_ok(context, rcity_map_save_geotiff(context, map, NULL, test_path("kinds.tif")));
    assert_ok(context, rcity_map_load_geotiff(context, test_path("kinds.tif"), &loaded));
    for (int i = 0; i < kind_count; i++) {
        rcity_band band;
        assert_ok(context, rcity_map_get_band(loaded, i, &band));
        assert_int_equal(band.kind, kinds[i]);
        assert_string_equal(band.unit, "dBm");
        bool has_classes = kinds[i] == RCITY_BAND_CLASS || kinds[i] == RCITY_BAND_SERVER;
        assert_int_equal(band.class_count, has_classes ? 4 : 0);
        for (int k = 0; k < band.class_count; k++) {
            assert_string_equal(band.class_names[k], names[k] != NULL ? names[k] : "");
        }
    }
    rcity_map_destroy(&loaded);
    rcity_map_destroy(&map);
    assert_int_equal(rcity_context_memory_used(context), 0);
    rcity_context_destroy(&context);
}

/* Files that state no kind, of others and of version 0.1: name and unit decide, the notes name the sectors. */
static void test_kinds_are_guessed(void **state)
{
    (void)state;
    static const struct {
        const char *name, *unit, *word;
        rcity_band_kind kind;
        int class_count;
    } cases[] = {
        {"best_server", "", NULL, RCITY_BAND_SERVER, 3},
        {"mechanism", "", NULL, RCITY_BAND_CLASS, 4},
        {"some loss", "dB", NULL, RCITY_BAND_LOSS, 0},
        {"level", "dBm", NULL, RCITY_BAND_POWER, 0},
        {"height", "m", NULL, RCITY_BAND_OTHER, 0},
        {"some loss", "dB", "of a later version", RCITY_BAND_OTHER, 0},
        {"some loss", "dB", "power", RCITY_BAND_POWER, 0},
    };
    const int count = (int)(sizeof cases / sizeof cases[0]);
    double transform[6] = {2600000.0, 25.0, 0.0, 1200000.0, 0.0, -25.0};
    GDALDatasetH dataset =
        GDALCreate(GDALGetDriverByName("GTiff"), test_path("foreign.tif"), 3, 2, count, GDT_Float32, NULL);
    assert_non_null(dataset);
    assert_int_equal(GDALSetGeoTransform(dataset, transform), CE_None);
    assert_int_equal(GDALSetMetadataItem(dataset, "RADIOCITY_SERVER_1", "North", NULL), CE_None);
    assert_int_equal(GDALSetMetadataItem(dataset, "RADIOCITY_SERVER_2", "South", NULL), CE_None);
    for (int i = 0; i < count; i++) {
        GDALRasterBandH band = GDALGetRasterBand(dataset, i + 1);
        GDALSetDescription(band, cases[i].name);
        assert_int_equal(GDALSetRasterUnitType(band, cases[i].unit), CE_None);
        if (cases[i].word != NULL) {
            assert_int_equal(GDALSetMetadataItem(band, "KIND", cases[i].word, NULL), CE_None);
        }
    }
    GDALClose(dataset);
    rcity_context *context = test_context(1);
    rcity_map *map = NULL;
    rcity_band bands[sizeof cases / sizeof cases[0]];
    assert_ok(context, rcity_map_load_geotiff(context, test_path("foreign.tif"), &map));
    for (int i = 0; i < count; i++) {
        assert_ok(context, rcity_map_get_band(map, i, &bands[i]));
        assert_int_equal(bands[i].kind, cases[i].kind);
        assert_int_equal(bands[i].class_count, cases[i].class_count);
    }
    assert_string_equal(bands[0].class_names[0], "");
    assert_string_equal(bands[0].class_names[2], "South");
    assert_string_equal(bands[1].class_names[3], "over roofs");
    rcity_map_destroy(&map);
    assert_int_equal(rcity_context_memory_used(context), 0);
    rcity_context_destroy(&context);
}

static void test_bad_class_counts(void **state)
{
    (void)state;
    static const char *const counts[] = {"0", "-3", "2.5", "1e300", "two", "1000001"};
    rcity_context *context = test_context(1);
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        double transform[6] = {0.0, 25.0, 0.0, 0.0, 0.0, -25.0};
        GDALDatasetH dataset =
            GDALCreate(GDALGetDriverByName("GTiff"), test_path("bad.tif"), 3, 2, 1, GDT_Float32, NULL);
        GDALRasterBandH band = GDALGetRasterBand(dataset, 1);
        assert_int_equal(GDALSetGeoTransform(dataset, transform), CE_None);
        assert_int_equal(GDALSetMetadataItem(band, "KIND", "class", NULL), CE_None);
        assert_int_equal(GDALSetMetadataItem(band, "CLASS_COUNT", counts[i], NULL), CE_None);
        GDALClose(dataset);
        rcity_map *map = NULL;
        assert_int_equal(rcity_map_load_geotiff(context, test_path("bad.tif"), &map), RCITY_ERR_FORMAT);
        assert_non_null(strstr(rcity_context_message(context), "classes"));
        assert_null(map);
    }
    assert_int_equal(rcity_context_memory_used(context), 0);
    rcity_context_destroy(&context);
}

/* A file made with GDAL alone. */
typedef struct raster_recipe {
    const char *path, *crs;
    GDALDataType type;
    double transform[6];
    double nodata, scale, offset;
    bool has_nodata, has_scale;
} raster_recipe;

static void make_raster(const raster_recipe *recipe)
{
    static const double values[6] = {1.0, 2.0, 3.0, 4.0, 5.0, 6.0};
    GDALDatasetH dataset = GDALCreate(GDALGetDriverByName("GTiff"), recipe->path, 3, 2, 1, recipe->type, NULL);
    assert_non_null(dataset);
    if (recipe->transform[1] != 0.0) {
        double transform[6];
        memcpy(transform, recipe->transform, sizeof transform);
        assert_int_equal(GDALSetGeoTransform(dataset, transform), CE_None);
    }
    if (recipe->crs != NULL) {
        OGRSpatialReferenceH reference = OSRNewSpatialReference(NULL);
        assert_int_equal(OSRSetFromUserInput(reference, recipe->crs), OGRERR_NONE);
        assert_int_equal(GDALSetSpatialRef(dataset, reference), CE_None);
        OSRDestroySpatialReference(reference);
    }
    GDALRasterBandH band = GDALGetRasterBand(dataset, 1);
    if (recipe->has_nodata) {
        assert_int_equal(GDALSetRasterNoDataValue(band, recipe->nodata), CE_None);
    }
    if (recipe->has_scale) {
        assert_int_equal(GDALSetRasterScale(band, recipe->scale), CE_None);
        assert_int_equal(GDALSetRasterOffset(band, recipe->offset), CE_None);
    }
    double copy[6];
    memcpy(copy, values, sizeof copy);
    assert_int_equal(GDALRasterIO(band, GF_Write, 0, 0, 3, 2, copy, 3, 2, GDT_Float64, 0, 0), CE_None);
    GDALClose(dataset);
}

static void test_rasters_of_others(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    raster_recipe recipe = {.path = test_path("other.tif"),
                            .crs = "EPSG:2056",
                            .type = GDT_Int16,
                            .transform = {2600000.0, 25.0, 0.0, 1200000.0, 0.0, -25.0},
                            .nodata = 4.0,
                            .has_nodata = true,
                            .scale = 0.5,
                            .offset = -100.0,
                            .has_scale = true};
    make_raster(&recipe);
    rcity_map *map = NULL;
    rcity_band band;
    assert_ok(context, rcity_map_load_geotiff(context, recipe.path, &map));
    assert_string_equal(rcity_map_crs(map), "EPSG:2056");
    assert_ok(context, rcity_map_get_band(map, 0, &band));
    assert_string_equal(band.name, "band_1");
    assert_string_equal(band.unit, "");
    assert_true(isnan(band.rx_height_m));
    const float expected[6] = {-99.5f, -99.0f, -98.5f, NAN, -97.5f, -97.0f};
    for (int i = 0; i < 6; i++) {
        assert_true(isnan(expected[i]) ? isnan(band.value[i]) : band.value[i] == expected[i]);
    }
    /* an unknown height does not become one on the way out */
    assert_ok(context, rcity_map_save_geotiff(context, map, NULL, test_path("out.tif")));
    rcity_map_destroy(&map);
    assert_ok(context, rcity_map_load_geotiff(context, test_path("out.tif"), &map));
    assert_ok(context, rcity_map_get_band(map, 0, &band));
    assert_true(isnan(band.rx_height_m));
    rcity_map_destroy(&map);
    recipe.crs = NULL; /* no CRS, no scale, all values */
    recipe.has_nodata = recipe.has_scale = false;
    make_raster(&recipe);
    assert_ok(context, rcity_map_load_geotiff(context, recipe.path, &map));
    assert_string_equal(rcity_map_crs(map), "none");
    assert_ok(context, rcity_map_get_band(map, 0, &band));
    assert_true(band.value[3] == 4.0f);
    rcity_map_destroy(&map);
    recipe.crs = "EPSG:2263"; /* feet */
    make_raster(&recipe);
    assert_ok(context, rcity_map_load_geotiff(context, recipe.path, &map));
    assert_non_null(strstr(test_find_note(map, "cell_unit"), "foot"));
    rcity_map_destroy(&map);
    recipe.crs = "+proj=tmerc +lat_0=48 +lon_0=11.5 +ellps=GRS80 +units=m"; /* no code: its WKT */
    make_raster(&recipe);
    assert_ok(context, rcity_map_load_geotiff(context, recipe.path, &map));
    assert_non_null(strstr(rcity_map_crs(map), "PROJCRS["));
    assert_ok(context, rcity_crs_check(context, rcity_map_crs(map)));
    rcity_map_destroy(&map);
    rcity_context_destroy(&context);
}

/* Areas on the ground, against those of the sphere and the projections' own formulas. */
static void test_ground_scale(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    const double rad = acos(-1.0) / 180.0;
    const double mercator_m = 6378137.0; /* EPSG:3857 is a sphere's Mercator over the ellipsoid's latitudes */
    rcity_gdal_call call;
    rcity_gdal_open(context, "test", &call);
    OGRSpatialReferenceH crs = NULL;
    assert_ok(context, rcity_gdal_read_crs(&call, "EPSG:3857", &crs));
    for (double lat = -80.0; lat <= 80.0; lat += 20.0) {
        double y = mercator_m * log(tan((45.0 + 0.5 * lat) * rad));
        double w2 = 1.0 - 0.00669437999014 * sin(lat * rad) * sin(lat * rad);
        double expected = cos(lat * rad) * cos(lat * rad) * (1.0 - 0.00669437999014) / (w2 * w2);
        assert_near(rcity_ground_area_m2(&call, crs, 1.3e6, y), expected, 1e-5 * expected);
    }
    OSRDestroySpatialReference(crs);
    assert_ok(context, rcity_gdal_read_crs(&call, "EPSG:32632", &crs));
    assert_near(rcity_ground_area_m2(&call, crs, 500000, 5334000), 1.0 / (0.9996 * 0.9996), 1e-6);
    OSRDestroySpatialReference(crs);
    assert_ok(context, rcity_gdal_read_crs(&call, "EPSG:3035", &crs)); /* of equal area, whatever its angles */
    assert_near(rcity_ground_area_m2(&call, crs, 2800000, 3200000), 1.0, 1e-5);
    OSRDestroySpatialReference(crs);
    rcity_gdal_close(&call);

    static const struct {
        const char *crs;
        double west, north;
        bool is_ground;
    } cases[] = {{"EPSG:32632", 691000, 5334000, true},
                 {"EPSG:3035", 2800000, 3200000, true},
                 {"EPSG:3857", 1290000, 6130000, false},
                 {"EPSG:3857", 1290000, 10000, true}}; /* on the equator */
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        raster_recipe recipe = {.path = test_path("scale.tif"),
                                .crs = cases[i].crs,
                                .type = GDT_Float32,
                                .transform = {cases[i].west, 5.0, 0.0, cases[i].north, 0.0, -5.0}};
        make_raster(&recipe);
        rcity_map *map = NULL;
        assert_ok(context, rcity_map_load_geotiff(context, recipe.path, &map));
        assert_true((test_find_note(map, "cell_unit") == NULL) == cases[i].is_ground);
        double cell_km2 = rcity_map_cell_km2(map);
        assert_true(cases[i].is_ground ? fabs(cell_km2 - 25e-6) < 1e-15 : isnan(cell_km2));
        assert_ok(context, rcity_map_save_geotiff(context, map, NULL, test_path("scale_out.tif")));
        rcity_map_destroy(&map);
        assert_ok(context, rcity_map_load_geotiff(context, test_path("scale_out.tif"), &map));
        assert_true((test_find_note(map, "cell_unit") == NULL) == cases[i].is_ground);
        rcity_map_destroy(&map);
    }
    assert_int_equal(rcity_context_memory_used(context), 0);
    rcity_context_destroy(&context);
}

static void check_refused(rcity_context *context, const char *path, rcity_status expected, const char *words)
{
    rcity_map *map = NULL;
    assert_status(context, rcity_map_load_geotiff(context, path, &map), expected);
    assert_message(context, words);
    assert_message(context, path);
    assert_null(map);
    assert_int_equal(rcity_context_memory_used(context), 0);
}

static void test_rasters_that_are_no_map_are_refused(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    check_refused(context, test_path("absent.tif"), RCITY_ERR_FILE, "No such file");
    const char *text_path = test_path("words.tif");
    FILE *file = fopen(text_path, "wb");
    assert_non_null(file);
    fputs("these are words\n", file);
    fclose(file);
    check_refused(context, text_path, RCITY_ERR_FORMAT, "not a raster");
    raster_recipe recipe = {.path = test_path("odd.tif"), .type = GDT_Float32};
    make_raster(&recipe);
    check_refused(context, recipe.path, RCITY_ERR_FORMAT, "does not say where it lies");
    const struct {
        double transform[6];
        const char *words;
    } odd[] = {{{0.0, 5.0, 0.0, 0.0, 0.0, 5.0}, "does not run from the north-west"},
               {{0.0, -5.0, 0.0, 0.0, 0.0, -5.0}, "does not run from the north-west"},
               {{0.0, 5.0, 0.5, 0.0, 0.5, -5.0}, "is turned"},
               {{0.0, 5.0, 0.0, 0.0, 0.0, -4.0}, "5 x 4, which are not square"}};
    for (size_t i = 0; i < sizeof odd / sizeof odd[0]; i++) {
        memcpy(recipe.transform, odd[i].transform, sizeof recipe.transform);
        make_raster(&recipe);
        check_refused(context, recipe.path, RCITY_ERR_FORMAT, odd[i].words);
    }
    const double upright[6] = {0.0, 5.0, 0.0, 0.0, 0.0, -5.0};
    memcpy(recipe.transform, upright, sizeof upright);
    recipe.type = GDT_CFloat32;
    make_raster(&recipe);
    check_refused(context, recipe.path, RCITY_ERR_FORMAT, "complex numbers");
    rcity_context_destroy(&context);
}

/* Cut short at every length a map is refused or, where only its tail was lost, read; never more. */
static void test_cut_files(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    rcity_raster raster = {40, 30, 0.0, 0.0, 1.0};
    rcity_map *map = NULL;
    float *value = NULL;
    assert_ok(context, rcity_map_create(context, &raster, "EPSG:32632", &map));
    assert_ok(context, rcity_map_add_band(map, RCITY_BAND_LOSS, "path_loss", "dB", "", 1.5, &value));
    for (int i = 0; i < 1200; i++) {
        value[i] = (float)test_uniform(3, (uint64_t)i, 50.0, 150.0);
    }
    assert_ok(context, rcity_map_save_geotiff(context, map, NULL, test_path("whole.tif")));
    static char bytes[1 << 16];
    FILE *file = fopen(test_path("whole.tif"), "rb");
    assert_non_null(file);
    size_t count = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    rcity_map_destroy(&map);
    int refused_count = 0;
    for (size_t length = 0; length < count; length += 97) {
        file = fopen(test_path("cut.tif"), "wb");
        assert_non_null(file);
        assert_int_equal(fwrite(bytes, 1, length, file), length);
        fclose(file);
        rcity_status status = rcity_map_load_geotiff(context, test_path("cut.tif"), &map);
        assert_true(status == RCITY_OK || status == RCITY_ERR_FORMAT || status == RCITY_ERR_FILE);
        refused_count += status != RCITY_OK;
        rcity_map_destroy(&map);
    }
    assert_true(refused_count > 20);
    rcity_context_destroy(&context);
}

static void test_memory_is_asked_first(void **state)
{
    (void)state;
    GDALDatasetH dataset = GDALCreate(GDALGetDriverByName("GTiff"), test_path("huge.tif"), 40000, 40000, 3, GDT_Byte,
                                      (char *[]){(char *)"SPARSE_OK=TRUE", (char *)"TILED=YES", NULL});
    assert_non_null(dataset);
    double transform[6] = {0.0, 1.0, 0.0, 0.0, 0.0, -1.0};
    assert_int_equal(GDALSetGeoTransform(dataset, transform), CE_None);
    GDALClose(dataset);
    rcity_context_options options = rcity_context_options_default();
    options.memory_bytes = 100000000;
    rcity_context *context = NULL;
    assert_int_equal(rcity_context_create(&options, &context), RCITY_OK);
    check_refused(context, test_path("huge.tif"), RCITY_ERR_MEMORY, "needs 19.2 GB, the limit is 100.0 MB");
    rcity_context_destroy(&context);
}

static void test_every_allocation_fails_once(void **state)
{
    (void)state;
    raster_recipe recipe = {.path = test_path("small.tif"),
                            .crs = "EPSG:4326",
                            .type = GDT_Float32,
                            .transform = {11.0, 0.1, 0.0, 48.0, 0.0, -0.1}};
    make_raster(&recipe);
    long n = 0;
    bool has_failed;
    do {
        n++;
        failing_allocator failing = {n, 0, 0};
        rcity_context *context = test_context_failing(&failing, 1);
        rcity_map *map = NULL;
        rcity_status status = rcity_map_load_geotiff(context, recipe.path, &map);
        has_failed = failing.call_count >= n;
        assert_int_equal(status, has_failed ? RCITY_ERR_MEMORY : RCITY_OK);
        assert_true((map == NULL) == has_failed);
        rcity_map_destroy(&map);
        assert_int_equal(rcity_context_memory_used(context), 0);
        rcity_context_destroy(&context);
        assert_int_equal(failing.live_count, 0);
    } while (has_failed);
    assert_true(n > 8);
}

/* A file that claims a code and describes another CRS is believed in what it describes: this zone begins 100 km farther
   west than EPSG:32632. */
static void test_false_code(void **state)
{
    (void)state;
    rcity_context_options options = rcity_context_options_default();
    options.allow_network = true; /* for GDAL's driver VRT */
    rcity_context *context = NULL;
    assert_int_equal(rcity_context_create(&options, &context), RCITY_OK);
    const char *path = test_path("claims.vrt");
    assert_ok(context, rcity_text_save(
                           context, path,
                           "<VRTDataset rasterXSize=\"2\" rasterYSize=\"2\"><SRS>PROJCS[\"mine\",GEOGCS[\"WGS "
                           "84\",DATUM[\"WGS_1984\",SPHEROID[\"WGS 84\",6378137,298.257223563]],PRIMEM[\"Greenwich\","
                           "0],UNIT[\"degree\",0.0174532925199433]],PROJECTION[\"Transverse_Mercator\"],PARAMETER["
                           "\"latitude_of_origin\",0],PARAMETER[\"central_meridian\",9],PARAMETER[\"scale_factor\","
                           "0.9996],PARAMETER[\"false_easting\",600000],PARAMETER[\"false_northing\",0],UNIT["
                           "\"metre\",1],AUTHORITY[\"EPSG\",\"32632\"]]</SRS><GeoTransform>791000, 10, 0, 5334000, 0, "
                           "-10</GeoTransform><VRTRasterBand dataType=\"Float32\" band=\"1\"/></VRTDataset>"));
    rcity_map *map = NULL;
    assert_ok(context, rcity_map_load_geotiff(context, path, &map));
    double place[2] = {600000.0, 0.0};
    assert_ok(context, rcity_crs_transform(context, rcity_map_crs(map), RCITY_CRS_LONLAT, 1, place));
    assert_near(place[0], 9.0, 1e-6);
    rcity_map_destroy(&map);
    assert_int_equal(rcity_context_memory_used(context), 0);
    rcity_context_destroy(&context);
}

TEST_SUITE(map_read)
{
    GDALAllRegister();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_own_maps_come_back),
        cmocka_unit_test(test_kinds_come_back),
        cmocka_unit_test(test_kinds_are_guessed),
        cmocka_unit_test(test_bad_class_counts),
        cmocka_unit_test(test_rasters_of_others),
        cmocka_unit_test(test_ground_scale),
        cmocka_unit_test(test_false_code),
        cmocka_unit_test(test_rasters_that_are_no_map_are_refused),
        cmocka_unit_test(test_cut_files),
        cmocka_unit_test(test_memory_is_asked_first),
        cmocka_unit_test(test_every_allocation_fails_once),
    };
    return cmocka_run_group_tests_name("map read", tests, NULL, NULL);
}

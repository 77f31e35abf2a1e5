/* GeoTIFF read back with GDAL: every value, the names, the place; the same bytes each time; nothing left on failure. */
#include "rcity_test.h"

#include <cpl_conv.h>
#include <cpl_error.h>
#include <gdal.h>
#include <math.h>
#include <ogr_srs_api.h>

#include "comma_locale.h"
#include "output_folder.h"
#include "radiocity/io.h"
#include "result/map_data.h"

static const char utm32[] = "EPSG:32632";

/* A value that differs from cell to cell and band to band; every seventh cell has none. */
static float value_at(int64_t cell, int band)
{
    return cell % 7 == 3 ? NAN : (float)(60.0 + fmod((double)cell * 0.618, 80.0) + 1000.0 * (double)band);
}

static float *add_band(rcity_map *map, int band)
{
    static const char *const names[] = {"path_loss", "line_of_sight", "path_loss"};
    static const rcity_band_kind kinds[] = {RCITY_BAND_LOSS, RCITY_BAND_SIGHT, RCITY_BAND_LOSS};
    static const char *const units[] = {"dB", "", "dB"};
    static const char *const texts[] = {"Loss & <more> \"quoted\"", "1 where the line is free", "Loss higher up"};
    static const double heights_m[] = {1.5, 1.5, 10.0};
    float *value = NULL;
    assert_int_equal(
        rcity_map_add_band(map, kinds[band], names[band], units[band], texts[band], heights_m[band], &value), RCITY_OK);
    return value;
}

static rcity_map *make_map(rcity_context *context, int64_t columns, int64_t rows, int band_count, const char *crs)
{
    rcity_raster raster = {columns, rows, 690000.5, 5339000.25, 2.5};
    rcity_map *map = NULL;
    assert_int_equal(rcity_map_create(context, &raster, crs, &map), RCITY_OK);
    for (int band = 0; band < band_count; band++) {
        float *value = add_band(map, band);
        for (int64_t cell = 0; cell < columns * rows; cell++) {
            value[cell] = value_at(cell, band);
        }
    }
    assert_int_equal(rcity_map_add_note(map, "version", "0.1.0"), RCITY_OK);
    assert_int_equal(rcity_map_add_note(map, "line-of-sight", "exact"), RCITY_OK);
    return map;
}

static void check_values(GDALDatasetH dataset, int band_index, int columns, int rows)
{
    GDALRasterBandH band = GDALGetRasterBand(dataset, band_index + 1);
    assert_int_equal(GDALGetRasterDataType(band), GDT_Float32);
    int has_nodata = 0;
    assert_true(isnan(GDALGetRasterNoDataValue(band, &has_nodata)));
    assert_true(has_nodata);
    float *row = malloc((size_t)columns * sizeof *row);
    assert_non_null(row);
    for (int i = 0; i < rows; i++) {
        assert_int_equal(GDALRasterIO(band, GF_Read, 0, i, columns, 1, row, columns, 1, GDT_Float32, 0, 0), CE_None);
        for (int k = 0; k < columns; k++) {
            float expected = value_at((int64_t)i * columns + k, band_index);
            assert_true(isnan(expected) ? isnan(row[k]) : row[k] == expected);
        }
    }
    free(row);
}

static void check_place(GDALDatasetH dataset, const char *crs)
{
    double transform[6];
    assert_int_equal(GDALGetGeoTransform(dataset, transform), CE_None);
    const double expected[6] = {690000.5, 2.5, 0.0, 5339000.25, 0.0, -2.5};
    for (int i = 0; i < 6; i++) {
        assert_true(transform[i] == expected[i]);
    }
    OGRSpatialReferenceH found = GDALGetSpatialRef(dataset);
    if (crs == NULL) {
        assert_null(found);
        return;
    }
    assert_non_null(found);
    assert_string_equal(GDALGetMetadataItem(dataset, "AREA_OR_POINT", NULL),
                        "Area"); /* GDAL stores it with a CRS only */
    assert_string_equal(OSRGetAuthorityCode(found, NULL), strchr(crs, ':') + 1);
}

/* Overviews exist down to one block and hold values of the map, or none where it has none. */
static void check_overviews(GDALDatasetH dataset, int columns, int rows)
{
    GDALRasterBandH band = GDALGetRasterBand(dataset, 1);
    int count = GDALGetOverviewCount(band);
    if (columns <= 512 && rows <= 512) {
        return;
    }
    assert_true(count >= 1);
    GDALRasterBandH smallest = GDALGetOverview(band, count - 1);
    int width = GDALGetRasterBandXSize(smallest);
    int height = GDALGetRasterBandYSize(smallest);
    assert_true(width <= 512 && height <= 512);
    float *value = malloc((size_t)width * (size_t)height * sizeof *value);
    assert_non_null(value);
    assert_int_equal(GDALRasterIO(smallest, GF_Read, 0, 0, width, height, value, width, height, GDT_Float32, 0, 0),
                     CE_None);
    int missing_count = 0;
    for (int i = 0; i < width * height; i++) {
        missing_count += isnan(value[i]) ? 1 : 0;
        assert_true(isnan(value[i]) || (value[i] >= 60.0f && value[i] < 140.0f));
    }
    assert_true(missing_count > width * height / 14); /* a seventh in the map: averaging would leave none */
    free(value);
}

static void check_file(const char *path, int columns, int rows, int band_count, const char *crs)
{
    GDALDatasetH dataset = GDALOpen(path, GA_ReadOnly);
    assert_non_null(dataset);
    assert_int_equal(GDALGetRasterXSize(dataset), columns);
    assert_int_equal(GDALGetRasterYSize(dataset), rows);
    assert_int_equal(GDALGetRasterCount(dataset), band_count);
    assert_string_equal(GDALGetMetadataItem(dataset, "LAYOUT", "IMAGE_STRUCTURE"), "COG");
    assert_string_equal(GDALGetMetadataItem(dataset, "COMPRESSION", "IMAGE_STRUCTURE"), "DEFLATE");
    assert_string_equal(GDALGetMetadataItem(dataset, "RADIOCITY_VERSION", NULL), "0.1.0");
    assert_string_equal(GDALGetMetadataItem(dataset, "RADIOCITY_LINE_OF_SIGHT", NULL), "exact");
    assert_null(GDALGetMetadataItem(dataset, "TIFFTAG_DATETIME", NULL));
    check_place(dataset, crs);
    for (int band = 0; band < band_count; band++) {
        check_values(dataset, band, columns, rows);
    }
    check_overviews(dataset, columns, rows);
    GDALClose(dataset);
}

static void test_files_read_back(void **state)
{
    (void)state;
    static const int sizes[][2] = {{1, 1}, {3, 700}, {700, 3}, {481, 679}, {3000, 2000}};
    rcity_context *context = make_context(NULL, 0, 0);
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        for (int band_count = 1; band_count <= 3; band_count += 2) {
            const char *crs = (i + (size_t)band_count) % 4 < 2 ? utm32 : NULL;
            rcity_map *map = make_map(context, sizes[i][0], sizes[i][1], band_count, crs);
            assert_int_equal(rcity_map_save_geotiff(context, map, NULL, output_path("map.tif")), RCITY_OK);
            check_file(output_path("map.tif"), sizes[i][0], sizes[i][1], band_count, crs);
            assert_int_equal(count_outputs(false), 1); /* no side files */
            rcity_map_destroy(&map);
        }
    }
    rcity_context_destroy(&context);
    count_outputs(true);
}

static void test_band_descriptions(void **state)
{
    (void)state;
    rcity_context *context = make_context(NULL, 0, 0);
    rcity_map *map = make_map(context, 4, 3, 3, utm32);
    assert_int_equal(rcity_map_save_geotiff(context, map, NULL, output_path("map.tif")), RCITY_OK);
    GDALDatasetH dataset = GDALOpen(output_path("map.tif"), GA_ReadOnly);
    assert_non_null(dataset);
    assert_string_equal(GDALGetDescription(GDALGetRasterBand(dataset, 1)), "path_loss @ 1.5 m");
    assert_string_equal(GDALGetDescription(GDALGetRasterBand(dataset, 2)), "line_of_sight");
    assert_string_equal(GDALGetDescription(GDALGetRasterBand(dataset, 3)), "path_loss @ 10 m");
    assert_string_equal(GDALGetRasterUnitType(GDALGetRasterBand(dataset, 1)), "dB");
    assert_string_equal(GDALGetRasterUnitType(GDALGetRasterBand(dataset, 2)), "");
    assert_string_equal(GDALGetMetadataItem(GDALGetRasterBand(dataset, 1), "TEXT", NULL), "Loss & <more> \"quoted\"");
    assert_string_equal(GDALGetMetadataItem(GDALGetRasterBand(dataset, 1), "RX_HEIGHT_M", NULL), "1.5");
    assert_string_equal(GDALGetMetadataItem(GDALGetRasterBand(dataset, 3), "RX_HEIGHT_M", NULL), "10");
    GDALClose(dataset);
    rcity_map_destroy(&map);
    rcity_context_destroy(&context);
    count_outputs(true);
}

/* The same bytes on every run, whatever the number of threads. */
static void test_same_bytes(void **state)
{
    (void)state;
    static const int threads[] = {1, 2, 7};
    for (int i = 0; i < 3; i++) {
        rcity_context *context = make_context(NULL, threads[i], 0);
        rcity_map *map = make_map(context, 1500, 1300, 2, utm32);
        assert_int_equal(rcity_map_save_geotiff(context, map, NULL, output_path(i == 0 ? "first.tif" : "next.tif")),
                         RCITY_OK);
        if (i > 0) {
            assert_true(same_outputs(output_path("first.tif"), output_path("next.tif")));
        }
        rcity_map_destroy(&map);
        rcity_context_destroy(&context);
    }
    count_outputs(true);
}

/* A caller whose locale writes commas gets the same files. */
static void test_same_bytes_with_commas(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) {
        if (i == 1 && !comma_locale_enter()) {
            count_outputs(true);
            return;
        }
        rcity_context *context = make_context(NULL, 1, 0);
        rcity_map *map = make_map(context, 40, 30, 3, utm32);
        assert_int_equal(rcity_map_note(map, "tx_height_m", "%.10g", 12.25), RCITY_OK);
        assert_string_equal(rcity_map_find_note(map, "tx_height_m"), "12.25");
        rcity_geotiff_options options = rcity_geotiff_options_default();
        options.crs = "EPSG:4326";
        assert_int_equal(rcity_map_save_geotiff(context, map, NULL, output_path(i == 0 ? "point.tif" : "comma.tif")),
                         RCITY_OK);
        assert_int_equal(
            rcity_map_save_geotiff(context, map, &options, output_path(i == 0 ? "point4326.tif" : "comma4326.tif")),
            RCITY_OK);
        rcity_map_destroy(&map);
        rcity_context_destroy(&context);
    }
    comma_locale_leave();
    assert_true(same_outputs(output_path("point.tif"), output_path("comma.tif")));
    assert_true(same_outputs(output_path("point4326.tif"), output_path("comma4326.tif")));
    count_outputs(true);
}

static void check_refused(rcity_context *context, const rcity_map *map, const char *path, rcity_status expected,
                          const char *words)
{
    assert_int_equal(rcity_map_save_geotiff(context, map, NULL, path), expected);
    assert_non_null(strstr(rcity_context_message(context), words));
    assert_int_equal(count_outputs(false), 0);
}

static void test_unknown_crs_and_bad_paths_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *crs, *words;
    } bad[] = {{"EPSG:999999", "EPSG:999999"}, {"nonsense", "nonsense"}};
    rcity_context *context = make_context(NULL, 0, 0);
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        rcity_map *map = make_map(context, 4, 4, 1, bad[i].crs);
        check_refused(context, map, output_path("map.tif"), RCITY_ERR_ARGUMENT, bad[i].words);
        rcity_map_destroy(&map);
    }
    rcity_map *map = make_map(context, 4, 4, 1, NULL);
    check_refused(context, map, output_path("absent/map.tif"), RCITY_ERR_FILE, "absent/map.tif");
    check_refused(context, map, output_folder, RCITY_ERR_FILE, "not a plain file");
    rcity_map *empty = make_map(context, 4, 4, 0, NULL);
    check_refused(context, empty, output_path("map.tif"), RCITY_ERR_ARGUMENT, "no bands");
    rcity_map_destroy(&empty);
    rcity_map_destroy(&map);
    rcity_context_destroy(&context);
}

/* An older file survives a failure. */
static void test_failure_keeps_the_old_file(void **state)
{
    (void)state;
    rcity_context *context = make_context(NULL, 0, 0);
    rcity_map *good = make_map(context, 4, 4, 1, utm32);
    rcity_map *bad = make_map(context, 4, 4, 1, "nonsense");
    assert_int_equal(rcity_map_save_geotiff(context, good, NULL, output_path("map.tif")), RCITY_OK);
    assert_int_equal(rcity_map_save_geotiff(context, bad, NULL, output_path("map.tif")), RCITY_ERR_ARGUMENT);
    check_file(output_path("map.tif"), 4, 4, 1, utm32);
    rcity_map_destroy(&bad);
    rcity_map_destroy(&good);
    rcity_context_destroy(&context);
    count_outputs(true);
}

static bool stop_half_way(void *user, const char *task, double done, double total)
{
    (void)task;
    int *call_count = user;
    ++*call_count;
    return done < 0.5 * total;
}

static void test_caller_can_stop_it(void **state)
{
    (void)state;
    int call_count = 0;
    rcity_context_options options = rcity_context_options_default();
    options.progress = stop_half_way;
    options.progress_user = &call_count;
    rcity_context *context = NULL;
    assert_int_equal(rcity_context_create(&options, &context), RCITY_OK);
    rcity_map *map = make_map(context, 1500, 1300, 1, NULL);
    check_refused(context, map, output_path("map.tif"), RCITY_ERR_CANCELLED, "stopped");
    assert_true(call_count > 1);
    rcity_map_destroy(&map);
    rcity_context_destroy(&context);
}

static void test_memory_limit(void **state)
{
    (void)state;
    rcity_context *context = make_context(NULL, 0, 3000000);
    rcity_map *map = make_map(context, 700, 700, 1, NULL); /* 2 MB, and 3 MB more at worst */
    check_refused(context, map, output_path("map.tif"), RCITY_ERR_MEMORY, "`memory`");
    rcity_map_destroy(&map);
    rcity_context_destroy(&context);
}

/* The public number is the one by which the writer refuses, to the byte, and noise does not need more of it. */
static void test_stated_bytes_decide(void **state)
{
    (void)state;
    rcity_context *context = make_context(NULL, 0, 0);
    rcity_map *map = make_map(context, 600, 700, 0, NULL);
    float *first = add_band(map, 0);
    float *second = add_band(map, 1);
    for (int64_t cell = 0; cell < 600 * 700; cell++) {
        first[cell] = (float)test_uniform(8, (uint64_t)cell, -200.0, 200.0);
        second[cell] = (float)test_uniform(9, (uint64_t)cell, -200.0, 200.0);
    }
    double stated = rcity_geotiff_bytes(600 * 700, 2, false);
    assert_int_equal(rcity_map_save_geotiff(context, map, NULL, output_path("map.tif")), RCITY_OK);
    struct stat found;
    assert_int_equal(stat(output_path("map.tif"), &found), 0);
    assert_true((double)found.st_size < stated && (double)found.st_size > 0.5 * stated);
    assert_true(rcity_geotiff_bytes(600 * 700, 2, true) >= stated + 2.0 * 4.0 * 600.0 * 700.0);
    uint64_t used = rcity_context_memory_used(context);
    rcity_map_destroy(&map);
    rcity_context_destroy(&context);
    for (int short_bytes = 0; short_bytes < 2; short_bytes++) {
        context = make_context(NULL, 0, used + (uint64_t)ceil(stated) - (uint64_t)short_bytes);
        map = make_map(context, 600, 700, 2, NULL);
        rcity_status status = rcity_map_save_geotiff(context, map, NULL, output_path("map.tif"));
        assert_int_equal(status, short_bytes > 0 ? RCITY_ERR_MEMORY : RCITY_OK);
        rcity_map_destroy(&map);
        rcity_context_destroy(&context);
    }
    count_outputs(true);
}

static void test_memory_gives_out(void **state)
{
    (void)state;
    short_memory memory = {.left = -1};
    rcity_context *context = make_context(&memory, 1, 0);
    rcity_map *map = make_map(context, 20, 20, 1, NULL);
    uint64_t used = rcity_context_memory_used(context);
    int failures = 0;
    for (;;) {
        memory.left = failures;
        rcity_status status = rcity_map_save_geotiff(context, map, NULL, output_path("map.tif"));
        assert_int_equal(rcity_context_memory_used(context), used);
        if (status == RCITY_OK) {
            break;
        }
        assert_int_equal(status, RCITY_ERR_MEMORY);
        assert_int_equal(count_outputs(false), 0);
        failures++;
        assert_true(failures < 100);
    }
    assert_true(failures >= 1);
    rcity_map_destroy(&map);
    rcity_context_destroy(&context);
    count_outputs(true);
}

TEST_SUITE(geotiff)
{
    GDALAllRegister();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_files_read_back),
        cmocka_unit_test(test_band_descriptions),
        cmocka_unit_test(test_same_bytes),
        cmocka_unit_test(test_same_bytes_with_commas),
        cmocka_unit_test(test_unknown_crs_and_bad_paths_are_refused),
        cmocka_unit_test(test_memory_limit),
        cmocka_unit_test(test_stated_bytes_decide),
        cmocka_unit_test(test_caller_can_stop_it),
        cmocka_unit_test(test_memory_gives_out),
        cmocka_unit_test(test_failure_keeps_the_old_file),
    };
    return cmocka_run_group_tests(tests, open_output_folder, close_output_folder);
}

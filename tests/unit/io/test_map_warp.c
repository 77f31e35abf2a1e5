/* Maps written in another CRS: every new cell has the value of the old cell its centre lies in, found by transforming
   that centre alone; names and notes travel; the same bytes each time; what cannot be warped is refused. */
#include "rcity_test.h"

#include "radiocity/crs.h"

#define BAND_COUNT 2

static const rcity_raster city = {83, 61, 690000.5, 5339000.25, 2.5};

/* A value that tells its cell; some cells have none. */
static float value_at(int64_t cell, int band)
{
    return cell % 11 == 5 ? NAN : (float)(cell + 100000 * band);
}

static rcity_map *make_map(rcity_context *context, const rcity_raster *raster, const char *crs)
{
    static const char *const names[BAND_COUNT] = {"path_loss", "received_power"};
    static const char *const units[BAND_COUNT] = {"dB", "dBm"};
    static const rcity_band_kind kinds[BAND_COUNT] = {RCITY_BAND_LOSS, RCITY_BAND_POWER};
    rcity_map *map = NULL;
    assert_ok(context, rcity_map_create(context, raster, crs, &map));
    for (int band = 0; band < BAND_COUNT; band++) {
        float *value = NULL;
        assert_ok(context,
                  rcity_map_add_band(map, kinds[band], names[band], units[band], "a sentence", 1.5 + band, &value));
        for (int64_t cell = 0; cell < raster->column_count * raster->row_count; cell++) {
            value[cell] = value_at(cell, band);
        }
    }
    assert_ok(context, rcity_map_add_note(map, "version", "0.1.0"));
    assert_ok(context, rcity_map_add_note(map, "scene_hash", "abcdef"));
    return map;
}

static rcity_map *warp_through_file(rcity_context *context, const rcity_map *map, const char *crs)
{
    rcity_geotiff_options options = rcity_geotiff_options_default();
    options.crs = crs;
    rcity_map *loaded = NULL;
    assert_ok(context, rcity_map_save_geotiff(context, map, &options, test_path("warped.tif")));
    assert_ok(context, rcity_map_load_geotiff(context, test_path("warped.tif"), &loaded));
    return loaded;
}

/* Where the centre of every new cell lies in the old map, one at a time and exactly. Centres within a hundredth of
   a cell of a side may fall on either. */
static void check_cells(rcity_context *context, const char *from_crs, const rcity_raster *from, const rcity_map *warped,
                        const char *to_crs)
{
    rcity_raster to = rcity_map_raster(warped);
    size_t count = (size_t)(to.column_count * to.row_count);
    double *xy = malloc(2 * count * sizeof *xy);
    assert_non_null(xy);
    for (size_t i = 0; i < count; i++) {
        xy[2 * i] = to.west_m + ((double)(i % (size_t)to.column_count) + 0.5) * to.cell_m;
        xy[2 * i + 1] = to.north_m - ((double)(i / (size_t)to.column_count) + 0.5) * to.cell_m;
    }
    assert_ok(context, rcity_crs_transform(context, to_crs, from_crs, (int64_t)count, xy));
    size_t checked_count = 0;
    char *is_seen = calloc((size_t)(from->column_count * from->row_count), 1);
    assert_non_null(is_seen);
    for (size_t i = 0; i < count; i++) {
        double column = (xy[2 * i] - from->west_m) / from->cell_m;
        double row = (from->north_m - xy[2 * i + 1]) / from->cell_m;
        if (fabs(column - floor(column + 0.5)) < 0.01 || fabs(row - floor(row + 0.5)) < 0.01) {
            continue;
        }
        checked_count++;
        bool is_inside =
            column > 0.0 && column < (double)from->column_count && row > 0.0 && row < (double)from->row_count;
        int64_t cell = is_inside ? (int64_t)row * from->column_count + (int64_t)column : -1;
        if (cell >= 0) {
            is_seen[cell] = 1;
        }
        for (int b = 0; b < BAND_COUNT; b++) {
            rcity_band band;
            assert_ok(context, rcity_map_get_band(warped, b, &band));
            float expected = cell >= 0 ? value_at(cell, b) : NAN;
            if (isnan(expected) ? !isnan(band.value[i]) : band.value[i] != expected) {
                print_error("%s, cell %zu, band %d: %g, expected %g\n", to_crs, i, b, (double)band.value[i],
                            (double)expected);
                fail();
            }
        }
    }
    assert_true(checked_count > count * 9 / 10);
    size_t seen_count = 0;
    for (int64_t i = 0; i < from->column_count * from->row_count; i++) {
        seen_count += is_seen[i] ? 1 : 0;
    }
    /* hardly an old cell is lost: new ones are no larger */
    assert_true((double)seen_count > 0.9 * (double)(from->column_count * from->row_count));
    free(is_seen);
    free(xy);
}

static void test_every_cell_is_in_place(void **state)
{
    (void)state;
    static const char *const targets[] = {"EPSG:4326",
                                          "EPSG:32633",
                                          "EPSG:3857",
                                          "EPSG:3035",
                                          "EPSG:25833",
                                          "EPSG:4258",
                                          "+proj=tmerc +lat_0=48 +lon_0=11.5 +ellps=GRS80 +units=m"};
    rcity_context *context = test_context(2);
    rcity_map *map = make_map(context, &city, "EPSG:32632");
    for (size_t i = 0; i < sizeof targets / sizeof targets[0]; i++) {
        rcity_map *warped = warp_through_file(context, map, targets[i]);
        check_cells(context, "EPSG:32632", &city, warped, targets[i]);
        rcity_map_destroy(&warped);
    }
    rcity_map_destroy(&map);
    rcity_context_destroy(&context);
}

/* A longer map, where the quick transformer takes long steps. */
static void test_wide_map(void **state)
{
    (void)state;
    rcity_raster wide = {700, 300, 400000.0, 7600000.0, 250.0}; /* 175 km across, at 68 degrees north */
    rcity_context *context = test_context(2);
    rcity_map *map = make_map(context, &wide, "EPSG:32633");
    rcity_map *warped = warp_through_file(context, map, "EPSG:4326");
    check_cells(context, "EPSG:32633", &wide, warped, "EPSG:4326");
    rcity_map_destroy(&warped);
    rcity_map_destroy(&map);
    rcity_context_destroy(&context);
}

/* A street's map, long and thin: turned by some degrees its box holds many times its cells, and that is no tear. */
static void test_long_map(void **state)
{
    (void)state;
    rcity_context *context = test_context(2);
    const rcity_raster street = {20010, 10, 280000.0, 5330000.0, 2.0};
    rcity_map *map = make_map(context, &street, "EPSG:32633");
    rcity_map *warped = warp_through_file(context, map, "EPSG:32632");
    rcity_raster found = rcity_map_raster(warped);
    assert_true(found.row_count > 1000); /* 3 degrees on each side of the middle at 48 north: 4.4 degrees in all */
    rcity_band_summary summary;
    assert_ok(context, rcity_map_summarize(context, warped, 0, &summary));
    assert_near((double)summary.value_count, 20010 * 10 * 10 / 11.0, 2000);
    rcity_map_destroy(&warped);
    rcity_map_destroy(&map);
    rcity_context_destroy(&context);
}

static void test_notes_and_band_texts_are_kept(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    rcity_map *map = make_map(context, &city, "EPSG:32632");
    rcity_map *warped = warp_through_file(context, map, "EPSG:4326");
    assert_string_equal(rcity_map_crs(warped), "EPSG:4326");
    assert_string_equal(test_find_note(warped, "cell_unit"), "degree");
    assert_string_equal(test_find_note(warped, "scene_hash"), "abcdef");
    assert_string_equal(test_find_note(warped, "warped_from_crs"), "EPSG:32632");
    assert_string_equal(test_find_note(warped, "warped_from_cell"), "2.5");
    rcity_band band;
    assert_ok(context, rcity_map_get_band(warped, 1, &band));
    assert_string_equal(band.name, "received_power");
    assert_string_equal(band.unit, "dBm");
    assert_string_equal(band.text, "a sentence");
    assert_true(band.rx_height_m == 2.5);
    rcity_raster raster = rcity_map_raster(warped);
    /* 2.5 m in degrees of latitude (a meridian's degree is 111.2 km here), the narrower side of a cell */
    assert_near(raster.cell_m, 2.5 / 111200.0, 1e-7);
    /* a map in degrees is written again as it is, and compared */
    assert_ok(context, rcity_map_save_geotiff(context, warped, NULL, test_path("again.tif")));
    rcity_map *again = NULL;
    rcity_map_difference difference;
    assert_ok(context, rcity_map_load_geotiff(context, test_path("again.tif"), &again));
    assert_ok(context, rcity_map_compare(context, warped, 0, again, 0, &difference, NULL));
    assert_true(difference.both_count > 4000 && difference.only_first_count == 0 && difference.maximum == 0.0 &&
                difference.minimum == 0.0);
    rcity_map_destroy(&again);
    rcity_map_destroy(&warped);
    /* between projected systems the cell keeps its size */
    warped = warp_through_file(context, map, "EPSG:32633");
    assert_true(rcity_map_raster(warped).cell_m == 2.5);
    assert_null(test_find_note(warped, "cell_unit"));
    rcity_map_destroy(&warped);
    rcity_map_destroy(&map);
    rcity_context_destroy(&context);
}

static char *load_bytes(const char *path, size_t *count)
{
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    char *bytes = malloc(1 << 22);
    assert_non_null(bytes);
    *count = fread(bytes, 1, 1 << 22, file);
    fclose(file);
    return bytes;
}

static void check_same_bytes(const char *first_path, const char *second_path, bool is_same)
{
    size_t first_count, second_count;
    char *first = load_bytes(first_path, &first_count);
    char *second = load_bytes(second_path, &second_count);
    assert_true((first_count == second_count && memcmp(first, second, first_count) == 0) == is_same);
    free(second);
    free(first);
}

/* The same bytes for every number of threads; the map's own CRS, by whatever name, changes nothing. */
static void test_same_bytes(void **state)
{
    (void)state;
    for (int threads = 1; threads <= 4; threads += 3) {
        rcity_context *context = test_context(threads);
        rcity_map *map = make_map(context, &city, "EPSG:32632");
        rcity_geotiff_options options = rcity_geotiff_options_default();
        options.crs = "EPSG:4326";
        assert_ok(context, rcity_map_save_geotiff(context, map, &options,
                                                  test_path(threads == 1 ? "warped1.tif" : "warped4.tif")));
        assert_ok(context, rcity_map_save_geotiff(context, map, NULL, test_path("own.tif")));
        options.crs = "EPSG:32632";
        assert_ok(context, rcity_map_save_geotiff(context, map, &options, test_path("named.tif")));
        check_same_bytes(test_path("own.tif"), test_path("named.tif"), true);
        rcity_map_destroy(&map);
        rcity_context_destroy(&context);
    }
    check_same_bytes(test_path("warped1.tif"), test_path("warped4.tif"), true);
    check_same_bytes(test_path("warped1.tif"), test_path("own.tif"), false);
}

static void check_refused(rcity_context *context, const rcity_map *map, const char *crs, const char *words)
{
    rcity_geotiff_options options = rcity_geotiff_options_default();
    options.crs = crs;
    const char *path = test_path("refused.tif");
    assert_status(context, rcity_map_save_geotiff(context, map, &options, path), RCITY_ERR_ARGUMENT);
    assert_message(context, words);
    FILE *file = fopen(path, "rb");
    assert_null(file);
}

static void test_impossible_target_crs_is_refused(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    rcity_map *map = make_map(context, &city, "EPSG:32632");
    rcity_map *plain = make_map(context, &city, "none");
    check_refused(context, map, "EPSG:99999999", "'EPSG:99999999' is not known");
    check_refused(context, map, "nonsense", "'nonsense' is not known");
    check_refused(context, map, "none", "cannot be transformed into 'none'");
    check_refused(context, map, "EPSG:4978", "geocentric");
    check_refused(context, plain, "EPSG:4326", "the map has no CRS");
    rcity_raster date_line = {400, 400, 720000.0, 8020000.0, 500.0}; /* from 179 degrees east to 179 west */
    rcity_map *torn = make_map(context, &date_line, "EPSG:32760");
    check_refused(context, torn, "EPSG:4326", "across that CRS's edge");
    rcity_map_destroy(&torn);
    rcity_map_destroy(&plain);
    rcity_map_destroy(&map);
    rcity_context_destroy(&context);
}

static void test_every_allocation_fails_once(void **state)
{
    (void)state;
    rcity_raster small = {9, 7, 690000.0, 5339000.0, 2.5};
    rcity_context *plenty = test_context(1);
    rcity_map *map = make_map(plenty, &small, "EPSG:32632");
    rcity_geotiff_options options = rcity_geotiff_options_default();
    options.crs = "EPSG:4326";
    long n = 0;
    bool has_failed;
    do {
        n++;
        failing_allocator failing = {n, 0, 0};
        rcity_context *context = test_context_failing(&failing, 1);
        rcity_status status = rcity_map_save_geotiff(context, map, &options, test_path("failing.tif"));
        has_failed = failing.call_count >= n;
        assert_int_equal(status, has_failed ? RCITY_ERR_MEMORY : RCITY_OK);
        assert_int_equal(rcity_context_memory_used(context), 0);
        rcity_context_destroy(&context);
        assert_int_equal(failing.live_count, 0);
    } while (has_failed);
    assert_true(n > 12);
    rcity_map_destroy(&map);
    rcity_context_destroy(&plenty);
}

TEST_SUITE(map_warp)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_cell_is_in_place),
        cmocka_unit_test(test_wide_map),
        cmocka_unit_test(test_long_map),
        cmocka_unit_test(test_notes_and_band_texts_are_kept),
        cmocka_unit_test(test_same_bytes),
        cmocka_unit_test(test_impossible_target_crs_is_refused),
        cmocka_unit_test(test_every_allocation_fails_once),
    };
    return cmocka_run_group_tests_name("map warp", tests, NULL, NULL);
}

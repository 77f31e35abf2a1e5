/* Best server against a search over all sectors; ties, cells without value, refusals, memory that fails. */
#include "rcity_test.h"

#include "plan/best_server.h"

#define SECTOR_MAX 9

static const double heights_m[] = {1.5, 10.0};

/* Few different levels, so that ties are common; a third of the cells have none. */
static float level_at(uint64_t seed, int sector, int height, int64_t cell)
{
    uint64_t random = test_random(seed, (uint64_t)cell * 64 + (uint64_t)(sector * 2 + height));
    return random % 3 == 0 ? NAN : -100.0f + (float)(random / 3 % 7) * 2.5f;
}

/* A sector's map: path loss first, then received power, a pair for each height. */
static rcity_map *make_sector(rcity_context *context, const rcity_raster *raster, uint64_t seed, int sector,
                              int height_count)
{
    rcity_map *map = NULL;
    assert_ok(context, rcity_map_create(context, raster, "EPSG:32632", &map));
    for (int height = 0; height < height_count; height++) {
        float *loss = NULL;
        float *level = NULL;
        assert_ok(context, rcity_map_add_band(map, RCITY_BAND_LOSS, "path_loss", "dB", "", heights_m[height], &loss));
        assert_ok(context,
                  rcity_map_add_band(map, RCITY_BAND_POWER, "received_power", "dBm", "", heights_m[height], &level));
        for (int64_t cell = 0; cell < raster->column_count * raster->row_count; cell++) {
            level[cell] = level_at(seed, sector, height, cell);
            loss[cell] = 30.0f - level[cell];
        }
    }
    return map;
}

/* All levels of one cell: the highest, the first sector that has it, and the highest of the others. */
static void search_cell(uint64_t seed, int sector_count, int height, int64_t cell, float *best, float *server,
                        float *margin, float *other)
{
    int found = -1;
    *other = NAN;
    float second = NAN;
    for (int sector = 0; sector < sector_count; sector++) {
        float level = level_at(seed, sector, height, cell);
        if (!isnan(level) && (found < 0 || level > level_at(seed, found, height, cell))) {
            found = sector;
        }
    }
    for (int sector = 0; sector < sector_count; sector++) {
        float level = level_at(seed, sector, height, cell);
        if (sector != found && !isnan(level) && (isnan(second) || level > second)) {
            second = level;
            *other = (float)(sector + 1);
        }
    }
    *best = found >= 0 ? level_at(seed, found, height, cell) : NAN;
    *server = found >= 0 ? (float)(found + 1) : NAN;
    *margin = *best - second;
}

static bool is_same(float a, float b)
{
    return isnan(a) ? isnan(b) : a == b;
}

static rcity_map *finish(rcity_context *context, const rcity_raster *raster, rcity_best_server *best,
                         int threshold_count, const double *thresholds, double sigma_db)
{
    rcity_map *map = NULL;
    assert_ok(context, rcity_map_create(context, raster, "EPSG:32632", &map));
    assert_ok(context, rcity_best_server_finish(best, threshold_count, thresholds, sigma_db, map));
    return map;
}

static void check_case(uint64_t seed, int sector_count, int thread_count)
{
    rcity_context *context = test_context(thread_count);
    rcity_raster raster = {1 + (int64_t)(test_random(seed, 1) % 400), 1 + (int64_t)(test_random(seed, 2) % 400), 0.0,
                           100.0, 5.0};
    rcity_best_server *best = NULL;
    assert_ok(context, rcity_best_server_create(context, &raster, 2, heights_m, NULL, &best));
    for (int sector = 0; sector < sector_count; sector++) {
        rcity_map *map = make_sector(context, &raster, seed, sector, 2);
        assert_ok(context, rcity_best_server_add(best, sector, map));
        rcity_map_destroy(&map);
    }
    rcity_map *map = finish(context, &raster, best, 0, NULL, 0.0);
    rcity_best_server_destroy(&best);
    assert_null(best);
    assert_int_equal(rcity_map_band_count(map), 8);
    for (int height = 0; height < 2; height++) {
        rcity_band bands[4];
        for (int i = 0; i < 4; i++) {
            assert_ok(context, rcity_map_get_band(map, i < 3 ? 3 * height + i : 6 + height, &bands[i]));
            assert_true(bands[i].rx_height_m == heights_m[height]);
        }
        assert_string_equal(bands[0].name, "received_power");
        assert_string_equal(bands[0].unit, "dBm");
        assert_string_equal(bands[1].name, "best_server");
        assert_string_equal(bands[1].unit, "");
        assert_string_equal(bands[2].name, "server_margin");
        assert_string_equal(bands[2].unit, "dB");
        assert_string_equal(bands[3].name, "second_server");
        for (int64_t cell = 0; cell < raster.column_count * raster.row_count; cell++) {
            float expected[4];
            search_cell(seed, sector_count, height, cell, &expected[0], &expected[1], &expected[2], &expected[3]);
            for (int i = 0; i < 4; i++) {
                if (!is_same(bands[i].value[cell], expected[i])) {
                    print_error("seed %llu, %d sectors, cell %lld, %s: %g, expected %g\n", (unsigned long long)seed,
                                sector_count, (long long)cell, bands[i].name, (double)bands[i].value[cell],
                                (double)expected[i]);
                    fail();
                }
            }
        }
    }
    rcity_map_destroy(&map);
    assert_int_equal(rcity_context_memory_used(context), 0);
    rcity_context_destroy(&context);
}

static void test_search_over_all_sectors(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 12; seed++) {
        check_case(seed, (int)(seed % (SECTOR_MAX + 1)), 1 + (int)(seed % 3));
    }
}

/* Of equal levels the sector that came first wins, and the margin is 0. */
static void test_first_of_equal_sectors_serves(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    rcity_raster raster = {1, 1, 0.0, 0.0, 1.0};
    rcity_best_server *best = NULL;
    assert_ok(context, rcity_best_server_create(context, &raster, 1, heights_m, NULL, &best));
    for (int sector = 4; sector >= 2; sector--) { /* whatever their numbers */
        rcity_map *map = NULL;
        float *level = NULL;
        assert_ok(context, rcity_map_create(context, &raster, "none", &map));
        assert_ok(context, rcity_map_add_band(map, RCITY_BAND_POWER, "received_power", "dBm", "", 1.5, &level));
        level[0] = -80.0f;
        assert_ok(context, rcity_best_server_add(best, sector, map));
        rcity_map_destroy(&map);
    }
    assert_ok(context, rcity_best_server_set_name(best, 4, "old"));
    assert_ok(context, rcity_best_server_set_name(best, 4, "North/5"));
    rcity_map *map = finish(context, &raster, best, 0, NULL, 0.0);
    rcity_band server, margin;
    assert_ok(context, rcity_map_get_band(map, 1, &server));
    assert_ok(context, rcity_map_get_band(map, 2, &margin));
    assert_true(server.value[0] == 5.0f);
    assert_true(margin.value[0] == 0.0f);
    assert_true(server.kind == RCITY_BAND_SERVER && margin.kind == RCITY_BAND_DIFFERENCE);
    assert_int_equal(server.class_count, 6); /* the classes are the sectors, numbered as the values are */
    assert_string_equal(server.class_names[5], "North/5");
    assert_string_equal(server.class_names[4], "");
    rcity_map_destroy(&map);
    rcity_best_server_destroy(&best);
    rcity_context_destroy(&context);
}

static void test_probability_bands(void **state)
{
    (void)state;
    static const double thresholds[] = {-95.0, -87.5};
    const double sigma_db = 8.0;
    rcity_context *context = test_context(2);
    rcity_raster raster = {37, 23, 0.0, 0.0, 1.0};
    rcity_best_server *best = NULL;
    assert_ok(context, rcity_best_server_create(context, &raster, 2, heights_m, NULL, &best));
    rcity_map *sector = make_sector(context, &raster, 3, 0, 2);
    assert_ok(context, rcity_best_server_add(best, 0, sector));
    rcity_map *map = finish(context, &raster, best, 2, thresholds, sigma_db);
    assert_int_equal(rcity_map_band_count(map), 12);
    static const char *const names[] = {"coverage_probability_-95_dbm", "coverage_probability_-87.5_dbm"};
    for (int height = 0; height < 2; height++) {
        rcity_band level;
        assert_ok(context, rcity_map_get_band(map, 5 * height, &level));
        for (int i = 0; i < 2; i++) {
            rcity_band band;
            assert_ok(context, rcity_map_get_band(map, 5 * height + 3 + i, &band));
            assert_string_equal(band.name, names[i]);
            assert_string_equal(band.unit, "");
            assert_true(band.rx_height_m == heights_m[height]);
            for (int64_t cell = 0; cell < 37 * 23; cell++) {
                double margin_db = (double)level.value[cell] - thresholds[i];
                assert_true(isnan(margin_db) == isnan(band.value[cell]));
                if (!isnan(margin_db)) { /* the integral of the normal density, spelled with erf */
                    assert_near((double)band.value[cell], 0.5 * (1.0 + erf(margin_db / (sigma_db * sqrt(2.0)))), 1e-7);
                }
            }
        }
    }
    rcity_map_destroy(&map);
    map = finish(context, &raster, best, 2, thresholds, 0.0);
    assert_int_equal(rcity_map_band_count(map), 8); /* no fading, no probabilities */
    rcity_map_destroy(&map);
    rcity_map_destroy(&sector);
    rcity_best_server_destroy(&best);
    rcity_context_destroy(&context);
}

static void test_differing_rasters_and_thresholds_are_refused(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    rcity_raster raster = {4, 3, 10.0, 20.0, 5.0};
    rcity_best_server *best = NULL;
    assert_ok(context, rcity_best_server_create(context, &raster, 2, heights_m, NULL, &best));
    const rcity_raster others[] = {
        {5, 3, 10.0, 20.0, 5.0}, {4, 2, 10.0, 20.0, 5.0}, {4, 3, 11.0, 20.0, 5.0},
        {4, 3, 10.0, 21.0, 5.0}, {4, 3, 10.0, 20.0, 4.0},
    };
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        rcity_map *map = make_sector(context, &others[i], 1, 0, 2);
        assert_status(context, rcity_best_server_add(best, 2, map), RCITY_ERR_ARGUMENT);
        assert_message(context, "sector 3");
        assert_message(context, "4 x 3 of 5 m from (10.00, 20.00)");
        rcity_map_destroy(&map);
    }
    rcity_map *low = make_sector(context, &raster, 1, 0, 1); /* a band for the lower height only */
    assert_status(context, rcity_best_server_add(best, 0, low), RCITY_ERR_ARGUMENT);
    assert_message(context, "no band received_power at 10 m");
    rcity_map_destroy(&low);
    rcity_map *map = finish(context, &raster, best, 0, NULL, 0.0);
    rcity_band band;
    assert_ok(context, rcity_map_get_band(map, 1, &band));
    for (int i = 0; i < 12; i++) {
        assert_true(isnan(band.value[i])); /* what was refused left no trace */
    }
    const double twice[] = {-95.0, -85.0, -95.0};
    const double bad[] = {-95.0, (double)NAN};
    double many[RCITY_THRESHOLD_COUNT_MAX + 1];
    for (int i = 0; i <= RCITY_THRESHOLD_COUNT_MAX; i++) {
        many[i] = -i;
    }
    assert_status(context, rcity_best_server_finish(best, 3, twice, 8.0, map), RCITY_ERR_ARGUMENT);
    assert_message(context, "-95 dBm is given twice");
    assert_status(context, rcity_best_server_finish(best, 2, bad, 8.0, map), RCITY_ERR_ARGUMENT);
    assert_message(context, "threshold 2 is");
    assert_status(context, rcity_best_server_finish(best, RCITY_THRESHOLD_COUNT_MAX + 1, many, 8.0, map),
                  RCITY_ERR_ARGUMENT);
    assert_message(context, "17 thresholds");
    assert_ok(context, rcity_best_server_check_thresholds(context, RCITY_THRESHOLD_COUNT_MAX, many));
    assert_status(context, rcity_best_server_finish(best, 1, twice, -1.0, map), RCITY_ERR_ARGUMENT);
    assert_message(context, "-1 dB, must be 0 to 50 dB");
    assert_int_equal(rcity_map_band_count(map), 8);
    rcity_map_destroy(&map);
    rcity_best_server_destroy(&best);
    rcity_best_server_destroy(&best);
    rcity_best_server_destroy(NULL);
    rcity_context_destroy(&context);
}

static rcity_status run_network(rcity_context *context)
{
    static const double thresholds[] = {-90.0};
    rcity_raster raster = {4, 3, 10.0, 20.0, 5.0};
    rcity_best_server *best = NULL;
    rcity_map *sector = NULL;
    rcity_map *map = NULL;
    float *level = NULL;
    rcity_status status = rcity_best_server_create(context, &raster, 1, heights_m, NULL, &best);
    assert_true((status == RCITY_OK) == (best != NULL));
    if (status == RCITY_OK) {
        status = rcity_map_create(context, &raster, "none", &sector);
    }
    if (status == RCITY_OK) {
        status = rcity_map_add_band(sector, RCITY_BAND_POWER, "received_power", "dBm", "", heights_m[0], &level);
    }
    if (status == RCITY_OK) {
        status = rcity_best_server_add(best, 0, sector);
    }
    if (status == RCITY_OK) {
        status = rcity_map_create(context, &raster, "none", &map);
    }
    if (status == RCITY_OK) {
        status = rcity_best_server_finish(best, 1, thresholds, 6.0, map);
    }
    rcity_map_destroy(&map);
    rcity_map_destroy(&sector);
    rcity_best_server_destroy(&best);
    return status;
}

static void test_every_allocation_fails_once(void **state)
{
    (void)state;
    long n = 0;
    bool has_failed;
    do {
        n++;
        failing_allocator failing = {n, 0, 0};
        rcity_context *context = test_context_failing(&failing, 2);
        rcity_status status = run_network(context);
        has_failed = failing.call_count >= n;
        assert_int_equal(status, has_failed ? RCITY_ERR_MEMORY : RCITY_OK);
        assert_int_equal(rcity_context_memory_used(context), 0);
        rcity_context_destroy(&context);
        assert_int_equal(failing.live_count, 0);
    } while (has_failed);
    assert_true(n > 10);
}

TEST_SUITE(best_server)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_search_over_all_sectors),
        cmocka_unit_test(test_first_of_equal_sectors_serves),
        cmocka_unit_test(test_probability_bands),
        cmocka_unit_test(test_differing_rasters_and_thresholds_are_refused),
        cmocka_unit_test(test_every_allocation_fails_once),
    };
    return cmocka_run_group_tests_name("best server", tests, NULL, NULL);
}

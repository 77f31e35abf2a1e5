/* SINR against plain sums over all sectors; closed cases; weak beside strong; refusals; memory that fails. */
#include "rcity_test.h"

#include "plan/best_server.h"
#include "plan/interference.h"

#define SECTOR_MAX   11
#define HEIGHT_COUNT 2

static const double heights_m[HEIGHT_COUNT] = {1.5, 10.0};

/* Sectors of a trial: carriers that are the same, overlap in part, touch, and lie apart, in bandwidths of 10 MHz. */
static void make_sectors(uint64_t seed, int sector_count, rcity_transmitter *sectors)
{
    static const double carriers_hz[] = {1800e6, 1807e6, 1810e6, 2100e6};
    for (int i = 0; i < sector_count; i++) {
        sectors[i] = rcity_transmitter_default();
        sectors[i].frequency_hz = carriers_hz[test_random(seed, 1000 + (uint64_t)i) % 4];
        uint64_t random = test_random(seed, 2000 + (uint64_t)i) % 4;
        sectors[i].load = random == 0 ? (double)NAN : random == 1 ? 0.0 : test_uniform(seed, 3000 + (uint64_t)i, 0, 1);
    }
}

/* Over 130 dB, some of them alike, a third of the cells without. */
static float level_at(uint64_t seed, int sector, int height, int64_t cell)
{
    uint64_t item = (uint64_t)cell * 64 + (uint64_t)(sector * HEIGHT_COUNT + height);
    uint64_t random = test_random(seed, item);
    return random % 3 == 0 ? NAN : random % 7 == 0 ? -70.0f : (float)test_uniform(seed ^ 0x5eed, item, -150.0, -20.0);
}

static rcity_map *make_map(rcity_context *context, const rcity_raster *raster, uint64_t seed, int sector)
{
    rcity_map *map = NULL;
    assert_ok(context, rcity_map_create(context, raster, "none", &map));
    for (int height = 0; height < HEIGHT_COUNT; height++) {
        float *level = NULL;
        assert_ok(context,
                  rcity_map_add_band(map, RCITY_BAND_POWER, "received_power", "dBm", "", heights_m[height], &level));
        for (int64_t cell = 0; cell < raster->column_count * raster->row_count; cell++) {
            level[cell] = level_at(seed, sector, height, cell);
        }
    }
    return map;
}

/* The definition, written out: the first of the strongest sectors over noise and what the others put into its
   channel. */
static double plain_sinr_db(uint64_t seed, int sector_count, const rcity_transmitter *sectors,
                            const rcity_network_options *options, int height, int64_t cell)
{
    int server = -1;
    for (int i = 0; i < sector_count; i++) {
        float level = level_at(seed, i, height, cell);
        if (!isnan(level) && (server < 0 || level > level_at(seed, server, height, cell))) {
            server = i;
        }
    }
    if (server < 0) {
        return (double)NAN;
    }
    double sum_w = 1.380649e-23 * 290.0 * options->bandwidth_hz * pow(10.0, options->noise_figure_db / 10.0);
    for (int i = 0; i < sector_count; i++) {
        double apart_hz = fabs(sectors[i].frequency_hz - sectors[server].frequency_hz);
        float level = level_at(seed, i, height, cell);
        if (i != server && !isnan(level) && apart_hz < options->bandwidth_hz) {
            double load = isnan(sectors[i].load) ? options->load : sectors[i].load;
            sum_w += load * (1.0 - apart_hz / options->bandwidth_hz) * pow(10.0, ((double)level - 30.0) / 10.0);
        }
    }
    return (double)level_at(seed, server, height, cell) - 30.0 - 10.0 * log10(sum_w);
}

/* A whole run; the map is the caller's. */
static rcity_map *run_trial(rcity_context *context, uint64_t seed, int sector_count, const rcity_transmitter *sectors,
                            const rcity_network_options *options, const rcity_raster *raster)
{
    rcity_interference *interference = NULL;
    rcity_best_server *best = NULL;
    rcity_map *map = NULL;
    assert_ok(context,
              rcity_interference_create(context, sector_count, sectors, options,
                                        raster->column_count * raster->row_count, HEIGHT_COUNT, &interference));
    assert_ok(context, rcity_best_server_create(context, raster, HEIGHT_COUNT, heights_m, interference, &best));
    for (int i = 0; i < sector_count; i++) {
        rcity_map *sector = make_map(context, raster, seed, i);
        assert_ok(context, rcity_best_server_add(best, i, sector));
        rcity_map_destroy(&sector);
    }
    assert_ok(context, rcity_map_create(context, raster, "none", &map));
    assert_ok(context, rcity_best_server_finish(best, 0, NULL, 0.0, map));
    rcity_best_server_destroy(&best);
    rcity_interference_destroy(&interference);
    assert_null(interference);
    return map;
}

static rcity_band sinr_band(rcity_context *context, const rcity_map *map, int height)
{
    rcity_band band;
    assert_int_equal(rcity_map_band_count(map), 5 * HEIGHT_COUNT);
    assert_ok(context, rcity_map_get_band(map, 4 * height + 3, &band));
    assert_string_equal(band.name, "sinr");
    assert_string_equal(band.unit, "dB");
    assert_true(band.rx_height_m == heights_m[height]);
    return band;
}

static rcity_network_options trial_options(uint64_t seed)
{
    rcity_network_options options = rcity_network_options_default();
    options.bandwidth_hz = seed % 2 == 0 ? 10e6 : 200.0;
    options.noise_figure_db = test_uniform(seed, 77, 0.0, 12.0);
    options.load = test_uniform(seed, 78, 0.0, 1.0);
    return options;
}

static void test_plain_sums(void **state)
{
    (void)state;
    double worst_db = 0.0;
    for (uint64_t seed = 1; seed <= 24; seed++) {
        rcity_context *context = test_context(1 + (int)(seed % 3));
        rcity_raster raster = {1 + (int64_t)(test_random(seed, 1) % 300), 1 + (int64_t)(test_random(seed, 2) % 300),
                               0.0, 0.0, 5.0};
        rcity_transmitter sectors[SECTOR_MAX];
        int sector_count = 1 + (int)(seed % SECTOR_MAX);
        make_sectors(seed, sector_count, sectors);
        rcity_network_options options = trial_options(seed);
        rcity_map *map = run_trial(context, seed, sector_count, sectors, &options, &raster);
        for (int height = 0; height < HEIGHT_COUNT; height++) {
            rcity_band band = sinr_band(context, map, height);
            for (int64_t cell = 0; cell < raster.column_count * raster.row_count; cell++) {
                double expected_db = plain_sinr_db(seed, sector_count, sectors, &options, height, cell);
                double off_db = fabs((double)band.value[cell] - expected_db);
                if (isnan(band.value[cell]) != isnan(expected_db) || off_db > 1e-5) { /* a float's last digit */
                    print_error("seed %llu, %d sectors, cell %lld: %g dB, expected %g\n", (unsigned long long)seed,
                                sector_count, (long long)cell, (double)band.value[cell], expected_db);
                    fail();
                }
                worst_db = fmax(worst_db, off_db);
            }
        }
        rcity_map_destroy(&map);
        assert_int_equal(rcity_context_memory_used(context), 0);
        rcity_context_destroy(&context);
    }
    print_message("seeds 1 to 24: %.2g dB at most from plain sums\n", worst_db);
}

static void test_same_bytes_for_any_thread_count(void **state)
{
    (void)state;
    rcity_raster raster = {521, 389, 0.0, 0.0, 5.0}; /* more cells than one thread takes at a time */
    rcity_transmitter sectors[SECTOR_MAX];
    rcity_network_options options = trial_options(6);
    make_sectors(6, SECTOR_MAX, sectors);
    rcity_context *contexts[3];
    rcity_map *maps[3];
    for (int i = 0; i < 3; i++) {
        contexts[i] = test_context(1 + 2 * i);
        maps[i] = run_trial(contexts[i], 6, SECTOR_MAX, sectors, &options, &raster);
        for (int height = 0; height < HEIGHT_COUNT; height++) {
            assert_memory_equal(sinr_band(contexts[i], maps[i], height).value,
                                sinr_band(contexts[0], maps[0], height).value,
                                (size_t)(raster.column_count * raster.row_count) * sizeof(float));
        }
    }
    for (int i = 0; i < 3; i++) {
        rcity_map_destroy(&maps[i]);
        rcity_context_destroy(&contexts[i]);
    }
}

/* Two sectors at one receiver, through the sums alone. */
static double pair_sinr_db(const rcity_network_options *options, float server_dbm, float other_dbm, double apart_hz)
{
    rcity_context *context = test_context(1);
    rcity_transmitter sectors[2] = {rcity_transmitter_default(), rcity_transmitter_default()};
    sectors[0].frequency_hz = 1800e6;
    sectors[1].frequency_hz = 1800e6 + apart_hz;
    rcity_interference *interference = NULL;
    assert_ok(context, rcity_interference_create(context, 2, sectors, options, 1, 1, &interference));
    if (!isnan(other_dbm)) {
        rcity_interference_add(interference, 0, 0, 1, other_dbm);
    }
    double sinr_db = (double)rcity_interference_sinr_db(interference, 0, 0, 0, server_dbm);
    rcity_interference_destroy(&interference);
    rcity_context_destroy(&context);
    return sinr_db;
}

static void test_closed_cases(void **state)
{
    (void)state;
    rcity_network_options options = rcity_network_options_default();
    options.bandwidth_hz = 10e6;
    /* kT at 290 K is -173.9752 dBm/Hz; 10 MHz are 70 dB, the figure 7 dB */
    assert_near(rcity_thermal_noise_dbm(1.0, 0.0), -173.9752, 1e-4);
    assert_near(rcity_thermal_noise_dbm(10e6, 7.0), -96.9752, 1e-4);
    assert_near(pair_sinr_db(&options, -80.0f, NAN, 0.0), 16.9752, 1e-4);
    /* far above the noise: alike, half the time, half the channel, none of it, 10 dB weaker */
    assert_near(pair_sinr_db(&options, -30.0f, -30.0f, 0.0), 0.0, 1e-5);
    options.load = 0.5;
    assert_near(pair_sinr_db(&options, -30.0f, -30.0f, 0.0), 3.0103, 1e-4);
    options.load = 1.0;
    assert_near(pair_sinr_db(&options, -30.0f, -30.0f, 5e6), 3.0103, 1e-4);
    assert_near(pair_sinr_db(&options, -30.0f, -30.0f, -5e6), 3.0103, 1e-4);
    assert_near(pair_sinr_db(&options, -80.0f, -30.0f, 10e6), 16.9752, 1e-4);
    assert_near(pair_sinr_db(&options, -80.0f, -30.0f, 300e6), 16.9752, 1e-4);
    assert_near(pair_sinr_db(&options, -30.0f, -40.0f, 0.0), 10.0, 1e-4);
    options.load = 0.0; /* others that never send leave the noise */
    assert_near(pair_sinr_db(&options, -80.0f, -30.0f, 0.0), 16.9752, 1e-4);
}

/* A sector that is strongest when it comes and then beaten counts in full, and what is weak beside it is not lost:
   taking the server off a sum of all would leave nothing of -130 dBm beside 40 dBm. */
static void test_weak_beside_strong(void **state)
{
    (void)state;
    static const float levels_dbm[] = {-130.0f, -140.0f, 40.0f, -130.0f};
    rcity_context *context = test_context(1);
    rcity_raster raster = {1, 1, 0.0, 0.0, 1.0};
    rcity_transmitter sectors[4];
    rcity_network_options options = rcity_network_options_default();
    options.bandwidth_hz = 1.0;
    for (int i = 0; i < 4; i++) {
        sectors[i] = rcity_transmitter_default();
    }
    rcity_interference *interference = NULL;
    rcity_best_server *best = NULL;
    assert_ok(context, rcity_interference_create(context, 4, sectors, &options, 1, 1, &interference));
    assert_ok(context, rcity_best_server_create(context, &raster, 1, heights_m, interference, &best));
    for (int i = 0; i < 4; i++) {
        rcity_map *map = NULL;
        float *level = NULL;
        assert_ok(context, rcity_map_create(context, &raster, "none", &map));
        assert_ok(context,
                  rcity_map_add_band(map, RCITY_BAND_POWER, "received_power", "dBm", "", heights_m[0], &level));
        level[0] = levels_dbm[i];
        assert_ok(context, rcity_best_server_add(best, i, map));
        rcity_map_destroy(&map);
    }
    rcity_map *map = NULL;
    rcity_band band;
    assert_ok(context, rcity_map_create(context, &raster, "none", &map));
    assert_ok(context, rcity_best_server_finish(best, 0, NULL, 0.0, map));
    assert_ok(context, rcity_map_get_band(map, 3, &band));
    /* 2.1e-13 mW, and 2e-17 mW of noise */
    assert_near((double)band.value[0], 40.0 - 10.0 * log10(2.1e-13 + 2.0066e-17), 2e-5);
    rcity_map_destroy(&map);
    rcity_best_server_destroy(&best);
    rcity_interference_destroy(&interference);
    rcity_context_destroy(&context);
}

/* What a hundred thousand faint sectors add to a strong one is far below a float's last digit, and not lost. */
static void test_many_faint_ones(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    rcity_transmitter sector = rcity_transmitter_default();
    rcity_network_options options = rcity_network_options_default();
    options.bandwidth_hz = 1.0;
    rcity_interference *interference = NULL;
    assert_ok(context, rcity_interference_create(context, 1, &sector, &options, 1, 1, &interference));
    rcity_interference_add(interference, 0, 0, 0, -60.0f);
    for (int i = 0; i < 100000; i++) {
        rcity_interference_add(interference, 0, 0, 0, -140.0f);
    }
    assert_near((double)rcity_interference_sinr_db(interference, 0, 0, 0, -60.0f), -10.0 * log10(1.0 + 1e5 * 1e-8),
                1e-6);
    rcity_interference_destroy(&interference);
    rcity_context_destroy(&context);
}

static void test_memory_of_a_receiver(void **state)
{
    (void)state;
    rcity_transmitter sectors[6];
    rcity_network_options options = rcity_network_options_default();
    for (int i = 0; i < 6; i++) {
        sectors[i] = rcity_transmitter_default();
        sectors[i].frequency_hz = i % 2 == 0 ? 1800e6 : 2100e6;
    }
    assert_int_equal(rcity_interference_cell_bytes(6, sectors, &options), 0); /* nobody asks for SINR */
    options.bandwidth_hz = 10e6;
    assert_int_equal(rcity_interference_cell_bytes(1, sectors, &options), 8);
    assert_int_equal(rcity_interference_cell_bytes(6, sectors, &options), 16);
}

static void test_bad_bandwidth_noise_and_load_are_refused(void **state)
{
    (void)state;
    const struct {
        size_t offset;
        double value;
        const char *words; /* NULL: fine */
    } cases[] = {
        {offsetof(rcity_network_options, bandwidth_hz), -1.0, "the bandwidth is -1 Hz, must be 1 to 1e+11 Hz, or 0"},
        {offsetof(rcity_network_options, bandwidth_hz), 0.5, "the bandwidth is 0.5 Hz"},
        {offsetof(rcity_network_options, bandwidth_hz), 2e11, "the bandwidth is 2e+11 Hz"},
        {offsetof(rcity_network_options, bandwidth_hz), (double)NAN, "the bandwidth is"},
        {offsetof(rcity_network_options, bandwidth_hz), HUGE_VAL, "the bandwidth is inf"},
        {offsetof(rcity_network_options, bandwidth_hz), 1e11, NULL},
        {offsetof(rcity_network_options, noise_figure_db), -0.1, "the noise figure is -0.1 dB, must be 0 to 50 dB"},
        {offsetof(rcity_network_options, noise_figure_db), 51.0, "the noise figure is 51 dB"},
        {offsetof(rcity_network_options, noise_figure_db), (double)NAN, "the noise figure is"},
        {offsetof(rcity_network_options, noise_figure_db), 0.0, NULL},
        {offsetof(rcity_network_options, load), 2.0, "the load is 2, must be 0 to 1"},
        {offsetof(rcity_network_options, load), -0.1, "the load is -0.1"},
        {offsetof(rcity_network_options, load), (double)NAN, "the load is"},
        {offsetof(rcity_network_options, load), 0.0, NULL},
    };
    rcity_context *context = test_context(1);
    rcity_network_options options = rcity_network_options_default();
    assert_ok(context, rcity_interference_check(context, &options));
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        options = rcity_network_options_default();
        memcpy((char *)&options + cases[i].offset, &cases[i].value, sizeof(double));
        assert_status(context, rcity_interference_check(context, &options),
                      cases[i].words != NULL ? RCITY_ERR_ARGUMENT : RCITY_OK);
        if (cases[i].words != NULL) {
            assert_message(context, cases[i].words);
        }
    }
    rcity_interference_destroy(NULL);
    rcity_context_destroy(&context);
}

static void test_every_allocation_fails_once(void **state)
{
    (void)state;
    rcity_transmitter sectors[SECTOR_MAX];
    rcity_network_options options = trial_options(2);
    make_sectors(2, SECTOR_MAX, sectors);
    long n = 0;
    bool has_failed;
    do {
        n++;
        failing_allocator failing = {n, 0, 0};
        rcity_context *context = test_context_failing(&failing, 1);
        rcity_interference *interference = NULL;
        rcity_status status =
            rcity_interference_create(context, SECTOR_MAX, sectors, &options, 12, HEIGHT_COUNT, &interference);
        has_failed = failing.call_count >= n;
        assert_int_equal(status, has_failed ? RCITY_ERR_MEMORY : RCITY_OK);
        assert_true((interference != NULL) == (status == RCITY_OK));
        rcity_interference_destroy(&interference);
        assert_int_equal(rcity_context_memory_used(context), 0);
        rcity_context_destroy(&context);
        assert_int_equal(failing.live_count, 0);
    } while (has_failed);
    assert_true(n > 8);
}

TEST_SUITE(interference)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_plain_sums),
        cmocka_unit_test(test_same_bytes_for_any_thread_count),
        cmocka_unit_test(test_closed_cases),
        cmocka_unit_test(test_weak_beside_strong),
        cmocka_unit_test(test_many_faint_ones),
        cmocka_unit_test(test_memory_of_a_receiver),
        cmocka_unit_test(test_bad_bandwidth_noise_and_load_are_refused),
        cmocka_unit_test(test_every_allocation_fails_once),
    };
    return cmocka_run_group_tests_name("interference", tests, NULL, NULL);
}

/* SINR of a predicted network against the maps of its sectors, one by one; notes, memory, refusals. */
#include "rcity_test.h"

#define SECTOR_COUNT 5
#define CELL_MAX     (64 * 64)

typedef struct world {
    rcity_context *context;
    rcity_scene *scene;
    rcity_device *device;
    rcity_antenna *antenna;
    rcity_transmitter sectors[SECTOR_COUNT];
    rcity_request request;
} world;

static const double heights_m[] = {1.5, 17.0};

/* Two sites on two carriers; one sector states its own load. */
static world make_world(rcity_context *context)
{
    world made = {.context = context};
    const test_box boxes[] = {{0, 0, 10, 10, 20}, {40, 40, 60, 60, 15}, {190, 190, 200, 200, 8}};
    made.scene = test_scene(context, boxes, 3);
    assert_ok(context, rcity_device_open(context, "host", &made.device));
    assert_ok(context, rcity_antenna_create(context, "3gpp", &made.antenna));
    for (int i = 0; i < SECTOR_COUNT; i++) {
        rcity_transmitter *sector = &made.sectors[i];
        *sector = rcity_transmitter_default();
        sector->x_m = i < 3 ? 30 : 150;
        sector->y_m = i < 3 ? 30 : 150;
        sector->height_m = 25;
        sector->frequency_hz = i == 1 ? 1805e6 : 1800e6;
        sector->power_dbm = i == 4 ? -60.0 : 10.0; /* one is near the noise */
        sector->antenna = made.antenna;
        sector->azimuth_deg = 120.0 * (i % 3);
    }
    made.sectors[2].load = 0.25;
    made.request = rcity_request_default();
    made.request.method = "free-space";
    made.request.receivers.cell_m = 4;
    made.request.receivers.height_count = 2;
    made.request.receivers.height_m = heights_m;
    return made;
}

static void end_world(world *made)
{
    rcity_antenna_destroy(&made->antenna);
    test_close(&made->context, &made->scene, &made->device);
}

static const float *find_band(const rcity_map *map, const char *name, double height_m)
{
    for (int i = 0; i < rcity_map_band_count(map); i++) {
        rcity_band band;
        assert_int_equal(rcity_map_get_band(map, i, &band), RCITY_OK);
        if (strcmp(band.name, name) == 0 && band.rx_height_m == height_m) {
            return band.value;
        }
    }
    return NULL;
}

/* Levels of all sectors as they are handed out. */
typedef struct heard {
    int64_t cell_count;
    float level_dbm[SECTOR_COUNT][2][CELL_MAX];
} heard;

static rcity_status hear_sector(void *user, int sector_index, const rcity_map *map)
{
    heard *told = user;
    rcity_raster raster = rcity_map_raster(map);
    told->cell_count = raster.column_count * raster.row_count;
    assert_true(told->cell_count <= CELL_MAX);
    for (int height = 0; height < 2; height++) {
        memcpy(told->level_dbm[sector_index][height], find_band(map, "received_power", heights_m[height]),
               (size_t)told->cell_count * sizeof(float));
    }
    return RCITY_OK;
}

static rcity_status predict(const world *made, int sector_count, const rcity_network_options *options, rcity_map **map)
{
    return rcity_predict_network(made->context, made->scene, made->device, &made->request, sector_count, made->sectors,
                                 options, map);
}

/* 5 MHz apart with 10 MHz each, the carriers share half a channel. */
static double plain_sinr_db(const world *made, const heard *told, const rcity_network_options *options, int height,
                            int64_t cell)
{
    int server = -1;
    for (int i = 0; i < SECTOR_COUNT; i++) {
        float level = told->level_dbm[i][height][cell];
        if (!isnan(level) && (server < 0 || level > told->level_dbm[server][height][cell])) {
            server = i;
        }
    }
    double sum_mw = pow(10.0, (10.0 * log10(1.380649e-20 * 290.0 * 10e6) + options->noise_figure_db) / 10.0);
    for (int i = 0; server >= 0 && i < SECTOR_COUNT; i++) {
        float level = told->level_dbm[i][height][cell];
        double share = made->sectors[i].frequency_hz == made->sectors[server].frequency_hz ? 1.0 : 0.5;
        double load = i == 2 ? 0.25 : options->load;
        sum_mw += i != server && !isnan(level) ? share * load * pow(10.0, (double)level / 10.0) : 0.0;
    }
    return server >= 0 ? (double)told->level_dbm[server][height][cell] - 10.0 * log10(sum_mw) : (double)NAN;
}

static void test_plain_sums(void **state)
{
    (void)state;
    heard *told = calloc(1, sizeof *told);
    assert_non_null(told);
    for (int thread_count = 1; thread_count <= 3; thread_count += 2) {
        world made = make_world(test_context(thread_count));
        rcity_network_options options = rcity_network_options_default();
        options.bandwidth_hz = 10e6;
        options.noise_figure_db = 9.0;
        options.load = 0.7;
        options.on_sector = hear_sector;
        options.user = told;
        rcity_map *map = NULL;
        assert_ok(made.context, predict(&made, SECTOR_COUNT, &options, &map));
        assert_int_equal(rcity_map_band_count(map), 2 * 5);
        int64_t value_count = 0;
        for (int height = 0; height < 2; height++) {
            const float *sinr_db = find_band(map, "sinr", heights_m[height]);
            assert_non_null(sinr_db);
            for (int64_t cell = 0; cell < told->cell_count; cell++) {
                double expected_db = plain_sinr_db(&made, told, &options, height, cell);
                assert_true(isnan(sinr_db[cell]) == isnan(expected_db));
                if (!isnan(expected_db)) {
                    assert_near((double)sinr_db[cell], expected_db, 1e-5);
                    value_count++;
                }
            }
        }
        assert_true(value_count > told->cell_count && value_count < 2 * told->cell_count); /* some are indoors */
        assert_string_equal(test_find_note(map, "bandwidth_mhz"), "10");
        assert_string_equal(test_find_note(map, "noise_figure_db"), "9");
        assert_string_equal(test_find_note(map, "noise_dbm"), "-94.98");
        assert_string_equal(test_find_note(map, "load"), "0.7");
        assert_string_equal(test_find_note(map, "server_3_load"), "0.25");
        assert_null(test_find_note(map, "server_1_load"));
        rcity_map_destroy(&map);
        end_world(&made);
    }
    free(told);
}

/* One sector alone: its level over the noise. Without a bandwidth there is no band and no note. */
static void test_alone_and_unasked(void **state)
{
    (void)state;
    world made = make_world(test_context(2));
    rcity_network_options options = rcity_network_options_default();
    rcity_map *map = NULL;
    assert_ok(made.context, predict(&made, 1, &options, &map));
    assert_null(find_band(map, "sinr", 1.5));
    assert_null(test_find_note(map, "bandwidth_mhz"));
    assert_null(test_find_note(map, "load"));
    rcity_map_destroy(&map);
    options.bandwidth_hz = 20e6; /* 73.0103 dB, and 7 dB as the default has it */
    assert_ok(made.context, predict(&made, 1, &options, &map));
    rcity_raster raster = rcity_map_raster(map);
    const float *sinr_db = find_band(map, "sinr", 1.5);
    const float *level_dbm = find_band(map, "received_power", 1.5);
    for (int64_t cell = 0; cell < raster.column_count * raster.row_count; cell++) {
        assert_true(isnan(sinr_db[cell]) == isnan(level_dbm[cell]));
        if (!isnan(level_dbm[cell])) {
            assert_near((double)sinr_db[cell], (double)level_dbm[cell] - (-173.9752 + 73.0103 + 7.0), 1e-4);
        }
    }
    rcity_map_destroy(&map);
    end_world(&made);
}

/* The estimate is a promise: a network never takes more, and not much less. */
static void test_network_memory_stays_within_its_estimate(void **state)
{
    (void)state;
    for (int carrier_count = 1; carrier_count <= SECTOR_COUNT; carrier_count++) {
        world made = make_world(test_context(1));
        made.request.receivers.cell_m = 2; /* bands outweigh what does not grow with them */
        made.request.method = "hata";
        made.request.range_policy = RCITY_RANGE_EXTRAPOLATE;
        for (int i = 0; i < SECTOR_COUNT; i++) {
            made.sectors[i].frequency_hz = 1000e6 + 50e6 * (i % carrier_count);
        }
        rcity_network_options options = rcity_network_options_default();
        options.bandwidth_hz = 10e6;
        rcity_estimate estimate;
        assert_ok(made.context, rcity_predict_network_estimate(made.context, made.scene, &made.request, SECTOR_COUNT,
                                                               made.sectors, &options, &estimate));
        uint64_t before = rcity_context_memory_used(made.context);
        rcity_map *map = NULL;
        assert_ok(made.context, predict(&made, SECTOR_COUNT, &options, &map));
        uint64_t taken = rcity_context_memory_peak(made.context) - before;
        print_message("%d carriers: estimated %llu bytes, taken %llu\n", carrier_count,
                      (unsigned long long)estimate.memory_bytes, (unsigned long long)taken);
        assert_true(taken <= estimate.memory_bytes);
        assert_true((double)taken >= 0.6 * (double)estimate.memory_bytes);
        rcity_map_destroy(&map);
        end_world(&made);
    }
}

static void test_bad_bandwidth_and_load_are_refused(void **state)
{
    (void)state;
    world made = make_world(test_context(1));
    rcity_network_options options = rcity_network_options_default();
    rcity_map *map = NULL;
    options.bandwidth_hz = -5e6;
    assert_status(made.context, predict(&made, SECTOR_COUNT, &options, &map), RCITY_ERR_ARGUMENT);
    assert_message(made.context, "the bandwidth is -5000000 Hz");
    rcity_estimate estimate;
    assert_status(made.context,
                  rcity_predict_network_estimate(made.context, made.scene, &made.request, SECTOR_COUNT, made.sectors,
                                                 &options, &estimate),
                  RCITY_ERR_ARGUMENT);
    options.bandwidth_hz = 5e6;
    made.sectors[1].load = 1.5;
    assert_status(made.context, predict(&made, SECTOR_COUNT, &options, &map), RCITY_ERR_ARGUMENT);
    assert_message(made.context, "sector '2': the transmitter's load is 1.5, must be 0 to 1");
    assert_null(map);
    end_world(&made);
}

/* The n-th allocation fails, for every n. */
static void test_allocation_failure(void **state)
{
    (void)state;
    rcity_status status = RCITY_ERR_MEMORY;
    long failure_count = 0;
    for (long n = 1; status != RCITY_OK; n++) {
        failing_allocator failing = {0, 0, 0};
        world made = make_world(test_context_failing(&failing, 1));
        made.request.receivers.cell_m = 20;
        rcity_network_options options = rcity_network_options_default();
        options.bandwidth_hz = 10e6;
        rcity_map *map = NULL;
        failing.fail_at = failing.call_count + n;
        status = predict(&made, 3, &options, &map);
        failing.fail_at = 0;
        assert_true(status == RCITY_OK || status == RCITY_ERR_MEMORY);
        assert_true((map != NULL) == (status == RCITY_OK));
        rcity_map_destroy(&map);
        end_world(&made);
        assert_int_equal(failing.live_count, 0);
        failure_count += status != RCITY_OK;
    }
    print_message("%ld allocations, each failed once\n", failure_count);
    assert_true(failure_count > 20);
}

TEST_SUITE(network_sinr)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_plain_sums),
        cmocka_unit_test(test_alone_and_unasked),
        cmocka_unit_test(test_network_memory_stays_within_its_estimate),
        cmocka_unit_test(test_bad_bandwidth_and_load_are_refused),
        cmocka_unit_test(test_allocation_failure),
    };
    return cmocka_run_group_tests_name("SINR of a network", tests, NULL, NULL);
}

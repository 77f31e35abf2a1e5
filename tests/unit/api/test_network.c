/* Many sectors in one run: the best of them everywhere, co-sited ones reuse losses, each can be had. */
#include "rcity_test.h"

#define SECTOR_COUNT 5
#define CHAIN_COUNT  6

typedef struct world {
    rcity_context *context;
    rcity_scene *scene;
    rcity_device *device;
    rcity_antenna *antenna;
    rcity_transmitter sectors[SECTOR_COUNT];
} world;

static void make_sectors(world *made)
{
    static const char *const names[SECTOR_COUNT] = {"A/1", "A/2", "A/3", "B/1", "B/2"};
    for (int i = 0; i < SECTOR_COUNT; i++) {
        rcity_transmitter *sector = &made->sectors[i];
        *sector = rcity_transmitter_default();
        sector->name = names[i];
        sector->x_m = i < 3 ? 30 : 150;
        sector->y_m = i < 3 ? 30 : 220;
        sector->height_m = 25;
        sector->frequency_hz = i == 4 ? 1.8e9 : 947e6; /* the last is not co-sited in frequency */
        sector->power_dbm = 40 + i;
        sector->antenna = made->antenna;
        sector->azimuth_deg = 120.0 * (i % 3);
        sector->mechanical_tilt_deg = i;
    }
}

/* The boxes, on ground at 5 m that rises to the north-east by 1 m in 100: heights from the ground and from the datum
   differ. */
static rcity_scene *make_sloped_scene(rcity_context *context, const test_box *boxes, int box_count)
{
    const float height_m[] = {5, 6, 7, 6, 7, 8, 7, 8, 9, 8, 9, 10};
    const rcity_terrain terrain = {3, 4, 0.0, 0.0, 100.0, height_m};
    rcity_scene_options options = rcity_scene_options_default();
    rcity_scene *scene = NULL;
    assert_ok(context, rcity_scene_create(context, &options, &scene));
    for (int i = 0; i < box_count; i++) {
        test_add_box(context, scene, i, boxes[i]);
    }
    assert_ok(context, rcity_scene_set_terrain(scene, &terrain));
    assert_ok(context, rcity_scene_commit(scene));
    return scene;
}

static world make_world(rcity_context *context, bool is_sloped)
{
    world made = {context, NULL, NULL, NULL, {{0}}};
    const test_box boxes[] = {{0, 0, 10, 10, 20}, {40, 40, 60, 60, 15}, {190, 290, 200, 300, 8}};
    made.scene = is_sloped ? make_sloped_scene(made.context, boxes, 3) : test_scene(made.context, boxes, 3);
    assert_ok(made.context, rcity_device_open(made.context, "host", &made.device));
    assert_ok(made.context, rcity_antenna_create(made.context, "3gpp", &made.antenna));
    make_sectors(&made);
    return made;
}

static void end_world(world *made)
{
    rcity_antenna_destroy(&made->antenna);
    test_close(&made->context, &made->scene, &made->device);
}

static rcity_request make_request(void)
{
    static const double heights_m[] = {1.5, 17.0};
    rcity_request request = rcity_request_default();
    request.method = "hata"; /* it has notes of its own to hand on */
    request.range_policy = RCITY_RANGE_EXTRAPOLATE;
    request.receivers.cell_m = 4;
    request.receivers.height_count = 2;
    request.receivers.height_m = heights_m;
    return request;
}

static const float *find_band(rcity_map *map, const char *name, double rx_height_m)
{
    for (int i = 0; i < rcity_map_band_count(map); i++) {
        rcity_band band;
        assert_int_equal(rcity_map_get_band(map, i, &band), RCITY_OK);
        if (strcmp(band.name, name) == 0 && band.rx_height_m == rx_height_m) {
            return band.value;
        }
    }
    print_error("no band %s at %g m\n", name, rx_height_m);
    fail();
    return NULL;
}

/* The maps of all sectors, each predicted alone. */
static void predict_alone(const world *made, const rcity_request *request, int sector_count,
                          const rcity_transmitter *sectors, rcity_map **maps)
{
    for (int i = 0; i < sector_count; i++) {
        rcity_request one = *request;
        one.transmitter = sectors[i];
        maps[i] = NULL;
        assert_ok(made->context, rcity_predict(made->context, made->scene, made->device, &one, &maps[i]));
    }
}

typedef struct heard {
    rcity_map **alone;
    int count;
    int stop_at;
} heard;

/* The same notes in both maps, none missing in either. */
static void check_notes(const rcity_map *map, const rcity_map *alone)
{
    for (int i = 0;; i++) {
        const char *key = "no more notes";
        const char *value = "";
        const char *other_key = "no more notes";
        const char *other_value = "";
        bool is_here = rcity_map_get_note(map, i, &key, &value) == RCITY_OK;
        bool is_there = rcity_map_get_note(alone, i, &other_key, &other_value) == RCITY_OK;
        assert_string_equal(key, other_key);
        assert_string_equal(value, other_value);
        assert_int_equal(is_here, is_there);
        if (!is_here) {
            break;
        }
    }
}

/* Each sector's map is, bit for bit, the one it has alone. */
static rcity_status hear_sector(void *user, int sector_index, const rcity_map *map)
{
    heard *told = user;
    assert_int_equal(sector_index, told->count);
    told->count++;
    if (told->alone != NULL) {
        rcity_map *alone = told->alone[sector_index];
        assert_int_equal(rcity_map_band_count(map), rcity_map_band_count(alone));
        rcity_raster raster = rcity_map_raster(map);
        for (int i = 0; i < rcity_map_band_count(map); i++) {
            rcity_band here, there;
            assert_int_equal(rcity_map_get_band(map, i, &here), RCITY_OK);
            assert_int_equal(rcity_map_get_band(alone, i, &there), RCITY_OK);
            assert_string_equal(here.name, there.name);
            assert_int_equal(here.kind, there.kind);
            assert_memory_equal(here.value, there.value,
                                (size_t)(raster.column_count * raster.row_count) * sizeof(float));
        }
        check_notes(map, alone);
    }
    return told->count == told->stop_at ? RCITY_ERR_FILE : RCITY_OK;
}

/* The classes of the best server are the sectors. */
static void check_classes(const rcity_map *map, const rcity_transmitter *sectors)
{
    rcity_band band;
    assert_int_equal(rcity_map_get_band(map, 1, &band), RCITY_OK);
    assert_int_equal(band.kind, RCITY_BAND_SERVER);
    assert_int_equal(band.class_count, SECTOR_COUNT + 1);
    assert_string_equal(band.class_names[0], "");
    for (int i = 1; i <= SECTOR_COUNT; i++) {
        char number[32];
        snprintf(number, sizeof number, "server_%d", i);
        assert_string_equal(band.class_names[i], sectors[i - 1].name != NULL ? sectors[i - 1].name : number);
    }
}

static void test_best_server_is_the_strongest_sector(void **state)
{
    (void)state;
    world made = make_world(test_context(2), false);
    rcity_map *alone[SECTOR_COUNT];
    rcity_request request = make_request();
    predict_alone(&made, &request, SECTOR_COUNT, made.sectors, alone);
    const double thresholds[] = {-60, -40};
    heard told = {alone, 0, 0};
    rcity_network_options options = rcity_network_options_default();
    options.threshold_count = 2;
    options.threshold_dbm = thresholds;
    options.fade_sigma_db = 8.0;
    options.on_sector = hear_sector;
    options.user = &told;
    rcity_map *map = NULL;
    assert_ok(made.context, rcity_predict_network(made.context, made.scene, made.device, &request, SECTOR_COUNT,
                                                  made.sectors, &options, &map));
    assert_int_equal(told.count, SECTOR_COUNT);
    assert_int_equal(rcity_map_band_count(map), 2 * (3 + 2 + 1));
    check_classes(map, made.sectors);
    rcity_raster raster = rcity_map_raster(map);
    int served[SECTOR_COUNT + 1] = {0};
    for (int plane = 0; plane < 2; plane++) {
        double height_m = request.receivers.height_m[plane];
        const float *level = find_band(map, "received_power", height_m);
        const float *server = find_band(map, "best_server", height_m);
        const float *margin = find_band(map, "server_margin", height_m);
        const float *chance = find_band(map, "coverage_probability_-40_dbm", height_m);
        for (int64_t cell = 0; cell < raster.column_count * raster.row_count; cell++) {
            float best = -INFINITY, second = -INFINITY;
            int who = 0;
            for (int i = 0; i < SECTOR_COUNT; i++) {
                float value = find_band(alone[i], "received_power", height_m)[cell];
                if (value > best) {
                    second = best;
                    best = value;
                    who = i + 1;
                } else if (value > second) {
                    second = value;
                }
            }
            served[who]++;
            if (who == 0) {
                assert_true(isnan(level[cell]) && isnan(server[cell]) && isnan(margin[cell]) && isnan(chance[cell]));
                continue;
            }
            assert_true(level[cell] == best && server[cell] == (float)who && margin[cell] == best - second);
            double expected = 0.5 * erfc(-((double)best + 40.0) / 8.0 / sqrt(2.0));
            assert_near((double)chance[cell], expected, 1e-6);
        }
    }
    for (int i = 0; i <= SECTOR_COUNT; i++) {
        print_message("server %d: %d cells\n", i, served[i]);
        assert_true(served[i] > 0); /* everyone serves somewhere, and some cells are indoors */
    }
    rcity_map_destroy(&map);
    for (int i = 0; i < SECTOR_COUNT; i++) {
        rcity_map_destroy(&alone[i]);
    }
    end_world(&made);
}

/* The network hands on each sector's map as it is alone. */
static void check_sectors(const world *made, const rcity_request *request, int sector_count,
                          const rcity_transmitter *sectors)
{
    rcity_map *alone[CHAIN_COUNT];
    assert_true(sector_count <= CHAIN_COUNT);
    predict_alone(made, request, sector_count, sectors, alone);
    heard told = {alone, 0, 0};
    rcity_network_options options = rcity_network_options_default();
    options.on_sector = hear_sector;
    options.user = &told;
    rcity_map *map = NULL;
    assert_ok(made->context, rcity_predict_network(made->context, made->scene, made->device, request, sector_count,
                                                   sectors, &options, &map));
    assert_int_equal(told.count, sector_count);
    rcity_map_destroy(&map);
    for (int i = 0; i < sector_count; i++) {
        rcity_map_destroy(&alone[i]);
    }
}

/* Methods that keep more than a loss, and receivers that are left out: co-sited sectors take bands and notes over. */
static void test_cosited_sectors_take_bands_and_notes(void **state)
{
    (void)state;
    static const double heights_m[] = {1.5, 2.5};
    static const rcity_range_policy policies[] = {RCITY_RANGE_EXTRAPOLATE, RCITY_RANGE_SKIP};
    static const char *const notes[] = {"extrapolated", "skipped"};
    world made = make_world(test_context(2), true);
    rcity_request request = make_request();
    request.method = "walfisch-ikegami";
    request.receivers.height_m = heights_m;
    for (int i = 0; i < 2; i++) {
        request.range_policy = policies[i];
        check_sectors(&made, &request, SECTOR_COUNT, made.sectors);
        rcity_request one = request; /* there is a note to hand on: cells nearer than 20 m */
        one.transmitter = made.sectors[1];
        rcity_map *map = NULL;
        assert_ok(made.context, rcity_predict(made.context, made.scene, made.device, &one, &map));
        assert_non_null(test_find_note(map, notes[i]));
        rcity_map_destroy(&map);
    }
    end_world(&made);
}

/* Each sector differs from the one before in one thing that its losses depend on, and in nothing else. */
static void test_near_twins(void **state)
{
    (void)state;
    world made = make_world(test_context(2), true);
    rcity_transmitter chain[CHAIN_COUNT];
    for (int i = 0; i < CHAIN_COUNT; i++) {
        chain[i] = i == 0 ? made.sectors[0] : chain[i - 1];
        chain[i].azimuth_deg = 60.0 * i;
    }
    for (int i = 1; i < CHAIN_COUNT; i++) {
        chain[i].height_m = 40.0;
        chain[i].is_absolute = i >= 2; /* 40 m above the datum are not 40 m above the ground */
        chain[i].x_m = i >= 3 ? 80.0 : 30.0;
        chain[i].y_m = i >= 4 ? 90.0 : 30.0;
        chain[i].frequency_hz = i >= 5 ? 1.8e9 : 947e6;
    }
    static const char *const methods[] = {"free-space", "hata", "walfisch-ikegami", "3gpp-uma"};
    for (size_t i = 0; i < sizeof methods / sizeof methods[0]; i++) {
        rcity_request request = make_request();
        request.method = methods[i];
        check_sectors(&made, &request, CHAIN_COUNT, chain);
    }
    end_world(&made);
}

/* The estimate is a promise: a network never takes more, and not much less. */
static void check_memory(const char *method, int height_count, int threshold_count, double fade_sigma_db)
{
    static const double heights_m[] = {1.5, 2.5, 17.0};
    static const double thresholds[] = {-90, -60, -40};
    world made = make_world(test_context(1), false);
    rcity_request request = make_request();
    request.method = method;
    request.receivers.cell_m = 2; /* bands outweigh what does not grow with them */
    request.receivers.height_count = height_count;
    request.receivers.height_m = heights_m;
    rcity_network_options options = rcity_network_options_default();
    options.threshold_count = threshold_count;
    options.threshold_dbm = thresholds;
    options.fade_sigma_db = fade_sigma_db;
    rcity_estimate estimate;
    assert_ok(made.context, rcity_predict_network_estimate(made.context, made.scene, &request, SECTOR_COUNT,
                                                           made.sectors, &options, &estimate));
    uint64_t before = rcity_context_memory_used(made.context);
    uint64_t peak_before = rcity_context_memory_peak(made.context);
    rcity_map *map = NULL;
    assert_ok(made.context, rcity_predict_network(made.context, made.scene, made.device, &request, SECTOR_COUNT,
                                                  made.sectors, &options, &map));
    uint64_t peak = rcity_context_memory_peak(made.context);
    print_message("%s, %d heights, %d thresholds, fading %g dB: estimated %llu bytes, taken %llu\n", method,
                  height_count, threshold_count, fade_sigma_db, (unsigned long long)estimate.memory_bytes,
                  (unsigned long long)(peak - before));
    assert_true(peak > peak_before); /* the peak is the network's, not the scene's */
    assert_true(peak - before <= estimate.memory_bytes);
    assert_true((double)(peak - before) >= 0.4 * (double)estimate.memory_bytes);
    rcity_map_destroy(&map);
    end_world(&made);
}

static void test_network_memory_stays_within_its_estimate(void **state)
{
    (void)state;
    static const char *const methods[] = {"log-distance", "hata", "walfisch-ikegami", "3gpp-uma"};
    for (size_t i = 0; i < sizeof methods / sizeof methods[0]; i++) {
        for (int height_count = 1; height_count <= 3; height_count += 2) {
            check_memory(methods[i], height_count, 0, 0.0);
            check_memory(methods[i], height_count, 3, 8.0);
        }
        check_memory(methods[i], 2, 3, 0.0); /* thresholds without fading make no bands */
    }
}

static void test_unusable_sectors_are_refused_by_name(void **state)
{
    (void)state;
    world made = make_world(test_context(1), false);
    rcity_request request = make_request();
    rcity_network_options options = rcity_network_options_default();
    rcity_map *map = NULL;
    made.sectors[3].power_dbm = (double)NAN;
    assert_status(made.context,
                  rcity_predict_network(made.context, made.scene, made.device, &request, SECTOR_COUNT, made.sectors,
                                        &options, &map),
                  RCITY_ERR_ARGUMENT);
    assert_message(made.context, "sector 'B/1': its power is unknown");
    make_sectors(&made);
    made.sectors[2].x_m = 5;
    made.sectors[2].y_m = 5;
    made.sectors[2].height_m = 10;
    assert_status(made.context,
                  rcity_predict_network(made.context, made.scene, made.device, &request, SECTOR_COUNT, made.sectors,
                                        &options, &map),
                  RCITY_ERR_ARGUMENT);
    assert_message(made.context, "sector 'A/3': the transmitter at (5.00, 5.00)");
    assert_status(
        made.context,
        rcity_predict_network(made.context, made.scene, made.device, &request, 0, made.sectors, &options, &map),
        RCITY_ERR_ARGUMENT);
    make_sectors(&made);
    heard told = {NULL, 0, 2};
    options.on_sector = hear_sector;
    options.user = &told;
    assert_int_equal(rcity_predict_network(made.context, made.scene, made.device, &request, SECTOR_COUNT, made.sectors,
                                           &options, &map),
                     RCITY_ERR_FILE);
    assert_int_equal(told.count, 2); /* it stopped where it was told to */
    options.on_sector = NULL;
    options.fade_sigma_db = -1;
    assert_status(made.context,
                  rcity_predict_network(made.context, made.scene, made.device, &request, SECTOR_COUNT, made.sectors,
                                        &options, &map),
                  RCITY_ERR_ARGUMENT);
    assert_message(made.context, "fading is -1 dB");
    assert_null(map);
    end_world(&made);
}

/* The n-th allocation fails, for every n. */
static void test_allocation_failure(void **state)
{
    (void)state;
    const double threshold = -50.0;
    long failure_count = 0;
    for (long n = 1;; n++) {
        failing_allocator failing = {0, 0, 0};
        rcity_context *context = test_context_failing(&failing, 1);
        world made = make_world(context, false);
        rcity_request request = make_request();
        request.receivers.cell_m = 20;
        rcity_network_options options = rcity_network_options_default();
        options.threshold_count = 1;
        options.threshold_dbm = &threshold;
        options.fade_sigma_db = 6.0;
        rcity_map *map = NULL;
        failing.fail_at = failing.call_count + n;
        rcity_status status =
            rcity_predict_network(context, made.scene, made.device, &request, 3, made.sectors, &options, &map);
        failing.fail_at = 0;
        assert_true(status == RCITY_OK || status == RCITY_ERR_MEMORY);
        assert_true((map != NULL) == (status == RCITY_OK));
        rcity_map_destroy(&map);
        end_world(&made);
        assert_int_equal(failing.live_count, 0);
        if (status == RCITY_OK) {
            break;
        }
        failure_count++;
    }
    print_message("%ld allocations, each failed once\n", failure_count);
    assert_true(failure_count > 20);
}

TEST_SUITE(network)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_best_server_is_the_strongest_sector),
        cmocka_unit_test(test_cosited_sectors_take_bands_and_notes),
        cmocka_unit_test(test_near_twins),
        cmocka_unit_test(test_network_memory_stays_within_its_estimate),
        cmocka_unit_test(test_unusable_sectors_are_refused_by_name),
        cmocka_unit_test(test_allocation_failure),
    };
    return cmocka_run_group_tests_name("network", tests, NULL, NULL);
}

/* Many sectors in one run: the best of them everywhere, co-sited ones reuse losses, each can be had. */
#include "rcity_test.h"

#define SECTOR_COUNT 5

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

static world make_world(rcity_context *context)
{
    world made = {context, NULL, NULL, NULL, {{0}}};
    const test_box boxes[] = {{0, 0, 10, 10, 20}, {40, 40, 60, 60, 15}, {190, 290, 200, 300, 8}};
    made.scene = test_scene(made.context, boxes, 3);
    assert_ok(made.context, rcity_device_open(made.context, "host", &made.device));
    assert_ok(made.context, rcity_antenna_create(made.context, "3gpp", &made.antenna));
    make_sectors(&made);
    return made;
}

static void end_world(world *made)
{
    rcity_antenna_destroy(&made->antenna);
    rcity_device_close(&made->device);
    rcity_scene_destroy(&made->scene);
    assert_int_equal(rcity_context_memory_used(made->context), 0);
    rcity_context_destroy(&made->context);
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
static void predict_alone(const world *made, rcity_map *maps[SECTOR_COUNT])
{
    for (int i = 0; i < SECTOR_COUNT; i++) {
        rcity_request request = make_request();
        request.transmitter = made->sectors[i];
        maps[i] = NULL;
        assert_ok(made->context, rcity_predict(made->context, made->scene, made->device, &request, &maps[i]));
    }
}

typedef struct heard {
    rcity_map **alone;
    int count;
    int stop_at;
} heard;

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
            assert_memory_equal(here.value, there.value,
                                (size_t)(raster.column_count * raster.row_count) * sizeof(float));
        }
        const char *key, *value, *other_key, *other_value;
        for (int i = 0; rcity_map_get_note(map, i, &key, &value); i++) {
            assert_true(rcity_map_get_note(alone, i, &other_key, &other_value));
            assert_string_equal(key, other_key);
            assert_string_equal(value, other_value);
        }
    }
    return told->count == told->stop_at ? RCITY_ERR_FILE : RCITY_OK;
}

static void test_best(void **state)
{
    (void)state;
    world made = make_world(test_context(2));
    rcity_map *alone[SECTOR_COUNT];
    predict_alone(&made, alone);
    rcity_request request = make_request();
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
    assert_int_equal(rcity_map_band_count(map), 2 * (3 + 2));
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

static void test_refusals(void **state)
{
    (void)state;
    world made = make_world(test_context(1));
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
        world made = make_world(context);
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

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_best), cmocka_unit_test(test_refusals),
                                       cmocka_unit_test(test_allocation_failure)};
    return cmocka_run_group_tests_name("network", tests, NULL, NULL);
}

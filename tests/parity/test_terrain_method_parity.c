/* Losses over terrain on every device: within 0.05 dB of the host's, whatever the pieces they are made in. */
#include "rcity_test.h"

#include "base/base.h"
#include "device/device.h"

#define DEVICE_MAX 32
#define NODES      60
#define BANDS      4

static const char *const losses[] = {"free-space", "two-ray", "knife-edge",       "bullington",
                                     "deygout",    "hata",    "delta-bullington", "p1812"};

#define LOSS_COUNT (sizeof losses / sizeof losses[0])

/* Hills of 30 m cells with a few houses in a valley. */
static rcity_scene *make_hills(rcity_context *context, uint64_t seed)
{
    static float height_m[NODES * NODES];
    rcity_scene_options options = rcity_scene_options_default();
    rcity_scene *scene = NULL;
    for (int row = 0; row < NODES; row++) {
        for (int column = 0; column < NODES; column++) {
            double wave = sin(0.21 * column) * cos(0.17 * row) * 60.0;
            height_m[row * NODES + column] =
                (float)(300.0 + wave + test_uniform(seed, (uint64_t)(row * NODES + column), -4.0, 4.0));
        }
    }
    assert_ok(context, rcity_scene_create(context, &options, &scene));
    const rcity_terrain terrain = {.column_count = NODES, .row_count = NODES, .cell_m = 30.0, .height_m = height_m};
    assert_ok(context, rcity_scene_set_terrain(scene, &terrain));
    for (int i = 0; i < 12; i++) {
        double x_m = test_uniform(seed, 9000 + 2 * (uint64_t)i, 400.0, 1200.0);
        double y_m = 100.0 + 130.0 * i;
        test_add_box(context, scene, i + 1, (test_box){x_m, y_m, x_m + 30.0, y_m + 20.0, 15.0});
    }
    assert_ok(context, rcity_scene_commit(scene));
    return scene;
}

static rcity_map *predict(rcity_context *context, const rcity_scene *scene, rcity_device *device, const char *loss)
{
    static const char *const names[] = {"loss"};
    const char *values[] = {loss};
    rcity_request request = rcity_request_default();
    rcity_map *map = NULL;
    request.method = "terrain";
    request.transmitter.x_m = 700.0;
    request.transmitter.y_m = 812.0;
    request.transmitter.height_m = 12.0;
    request.transmitter.frequency_hz = 900e6;
    request.receivers.cell_m = 17.0;
    request.range_policy = RCITY_RANGE_EXTRAPOLATE;
    request.option_count = 1;
    request.option_name = names;
    request.option_value = values;
    assert_ok(context, rcity_predict(context, scene, device, &request, &map));
    return map;
}

/* Differences of all bands; sight and obstacles may differ where the line grazes them. */
static double compare(rcity_context *context, const rcity_map *host, const rcity_map *device)
{
    double worst_db = 0.0;
    int64_t other_count = 0;
    for (int b = 0; b < BANDS; b++) {
        rcity_band expected, actual;
        rcity_raster raster = rcity_map_raster(host);
        assert_ok(context, rcity_map_get_band(host, b, &expected));
        assert_ok(context, rcity_map_get_band(device, b, &actual));
        for (int64_t i = 0; i < raster.column_count * raster.row_count; i++) {
            assert_int_equal(isnan(expected.value[i]), isnan(actual.value[i]));
            if (!isnan(expected.value[i]) && (b == 0 || b == 2)) {
                assert_near(actual.value[i], expected.value[i], 0.05);
                worst_db = fmax(worst_db, fabs((double)actual.value[i] - (double)expected.value[i]));
            }
            other_count += !isnan(expected.value[i]) && (b == 1 || b == 3) && expected.value[i] != actual.value[i];
        }
    }
    assert_true(other_count <= 2);
    return worst_db;
}

static void test_devices_agree(void **state)
{
    (void)state;
    rcity_context *context = test_context(2);
    rcity_scene *scene = make_hills(context, 3);
    rcity_device_info infos[DEVICE_MAX];
    rcity_device *host = NULL;
    int device_count = 0;
    assert_ok(context, rcity_device_open(context, "host", &host));
    assert_ok(context, rcity_device_list(context, DEVICE_MAX, infos, &device_count));
    for (int d = 1; d < device_count && d < DEVICE_MAX; d++) {
        for (size_t l = 0; l < LOSS_COUNT && infos[d].is_usable; l++) {
            rcity_device *device = NULL;
            assert_ok(context, rcity_device_open(context, infos[d].id, &device));
            rcity_device_limit_buffer(device, l % 2 == 0 ? 600000 : 0); /* the cover takes 500 kB */
            rcity_map *expected = predict(context, scene, host, losses[l]);
            rcity_map *actual = predict(context, scene, device, losses[l]);
            print_message("%s on %s: worst difference %.3g dB\n", losses[l], infos[d].id,
                          compare(context, expected, actual));
            rcity_map_destroy(&actual);
            rcity_map_destroy(&expected);
            rcity_device_close(&device);
        }
    }
    test_close(&context, &scene, &host);
}

TEST_SUITE(terrain_method_parity)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_devices_agree)};
    return cmocka_run_group_tests_name("terrain_method_parity", tests, NULL, NULL);
}

/* A network on a device: masts are traced together, and each sector's map is the one it has alone. */
#include "rcity_test.h"

#define MAST_COUNT 6

typedef struct sector_maps {
    rcity_map *alone[MAST_COUNT];
    int count;
} sector_maps;

static rcity_status compare_sector(void *user, int sector_index, const rcity_map *map)
{
    sector_maps *maps = user;
    rcity_raster raster = rcity_map_raster(map);
    const rcity_map *alone = maps->alone[sector_index];
    assert_int_equal(sector_index, maps->count++);
    assert_int_equal(rcity_map_band_count(map), rcity_map_band_count(alone));
    for (int i = 0; i < rcity_map_band_count(map); i++) {
        rcity_band here, there;
        assert_int_equal(rcity_map_get_band(map, i, &here), RCITY_OK);
        assert_int_equal(rcity_map_get_band(alone, i, &there), RCITY_OK);
        assert_memory_equal(here.value, there.value, (size_t)(raster.column_count * raster.row_count) * sizeof(float));
    }
    return RCITY_OK;
}

static int64_t launches(const rcity_device *device)
{
    rcity_device_times times;
    rcity_device_get_times(device, &times);
    return times.launch_count;
}

static void test_masts_are_traced_together_and_equal_each_alone(void **state)
{
    (void)state;
    char id[32];
    if (!test_find_opencl(id)) {
        return;
    }
    rcity_context *context = test_context(2);
    const test_box boxes[] = {
        {20, 20, 60, 50, 12}, {90, 30, 120, 90, 18}, {30, 90, 70, 120, 9}, {100, 120, 140, 150, 14}};
    rcity_scene *scene = test_scene(context, boxes, 4);
    rcity_device *device = NULL;
    rcity_map *map = NULL;
    assert_ok(context, rcity_device_open(context, id, &device));
    rcity_request request = rcity_request_default();
    rcity_transmitter sectors[MAST_COUNT];
    request.receivers.cell_m = 4;
    sector_maps maps = {{NULL}, 0};
    int64_t before = launches(device);
    for (int i = 0; i < MAST_COUNT; i++) {
        sectors[i] = rcity_transmitter_default();
        sectors[i].x_m = 10 + 24 * i;
        sectors[i].y_m = i % 2 == 0 ? 8 : 70;
        sectors[i].height_m = 6 + i;
        sectors[i].power_dbm = 40;
        request.transmitter = sectors[i];
        assert_ok(context, rcity_predict(context, scene, device, &request, &maps.alone[i]));
    }
    int64_t alone = launches(device) - before;
    rcity_network_options options = rcity_network_options_default();
    options.on_sector = compare_sector;
    options.user = &maps;
    before = launches(device);
    assert_ok(context, rcity_predict_network(context, scene, device, &request, MAST_COUNT, sectors, &options, &map));
    int64_t together = launches(device) - before;
    assert_int_equal(maps.count, MAST_COUNT);
    print_message("%lld launches, %lld one by one\n", (long long)together, (long long)alone);
    assert_true(2 * together < alone);
    for (int i = 0; i < MAST_COUNT; i++) {
        rcity_map_destroy(&maps.alone[i]);
    }
    rcity_map_destroy(&map);
    test_close(&context, &scene, &device);
}

TEST_SUITE(network_device)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_masts_are_traced_together_and_equal_each_alone),
    };
    return cmocka_run_group_tests_name("network_device", tests, NULL, NULL);
}

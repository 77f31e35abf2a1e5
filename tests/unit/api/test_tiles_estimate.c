/* What a dry run of `tiles` says of memory, held against the peak of the run: neither less nor half as much again. */
#include "base/base.h"
#include "munich.h"

#define RATIO_MAX 1.5

/* A prediction: a raster over all of a scene, with tiles of some area. */
static void check(const char *name, rcity_context *context, rcity_scene *scene, const char *tile_m2, double cell_m)
{
    const char *const names[] = {"tile-area-m2"};
    const char *const values[] = {tile_m2};
    rcity_scene_info info;
    rcity_estimate estimate;
    rcity_map *map = NULL;
    rcity_request request = rcity_request_default();
    assert_ok(context, rcity_scene_describe(scene, &info));
    request.method = "tiles";
    request.transmitter.x_m = 0.5 * (info.x_min_m + info.x_max_m);
    request.transmitter.y_m = 0.5 * (info.y_min_m + info.y_max_m);
    request.transmitter.height_m = 90.0;
    request.transmitter.frequency_hz = 2e9;
    request.receivers.cell_m = cell_m;
    request.option_count = 1;
    request.option_name = names;
    request.option_value = values;
    rcity_device *device = NULL;
    assert_ok(context, rcity_device_open(context, "host", &device));
    uint64_t before = rcity_context_memory_used(context);
    double start_s = rcity_clock_s();
    assert_ok(context, rcity_predict_estimate(context, scene, &request, &estimate));
    double estimate_s = rcity_clock_s() - start_s;
    assert_ok(context, rcity_predict(context, scene, device, &request, &map));
    double peak = (double)(rcity_context_memory_peak(context) - before);
    double ratio = (double)estimate.memory_bytes / peak;
    print_message("%s, tiles of %s m2: %.4g MB estimated in %.2g s, peak %.4g MB, ratio %.3f\n", name, tile_m2,
                  1e-6 * (double)estimate.memory_bytes, estimate_s, 1e-6 * peak, ratio);
    rcity_map_destroy(&map);
    rcity_device_close(&device);
    assert_true(ratio >= 1.0 && ratio <= RATIO_MAX);
}

/* One thread: lists of several grow differently from run to run. */
static void check_city(rcity_city_kind kind, double area_km2, const char *tile_m2, double cell_m)
{
    rcity_context *context = test_context(area_km2 < 1.0 ? 1 : 2);
    rcity_scene *scene = NULL;
    rcity_city_options options = rcity_city_options_default();
    options.kind = kind;
    options.area_km2 = area_km2;
    assert_ok(context, rcity_city_make(context, &options, &scene));
    check(rcity_city_kind_name(kind), context, scene, tile_m2, cell_m);
    test_close(&context, &scene, NULL);
}

static void test_the_peak_of_made_cities(void **state)
{
    (void)state;
    check_city(RCITY_CITY_CORE, 0.1, "100", 10.0);
    if (test_is_called_with("long")) {
        check_city(RCITY_CITY_GRID, 0.3, "100", 10.0);
        check_city(RCITY_CITY_CORE, 0.5, "100", 5.0); /* the town of `radiocity demo` */
        check_city(RCITY_CITY_HIGHRISE, 2.0, "100", 20.0);
        check_city(RCITY_CITY_CORE, 2.0, "100", 20.0);
    }
}

static void test_the_peak_of_munich(void **state)
{
    (void)state;
    static const char *const tiles_m2[] = {"400", "100"};
    for (int i = 0; test_is_called_with("long") && i < 2; i++) {
        rcity_scene *scene = NULL;
        rcity_context *context = test_munich_open(2, &scene);
        check("munich", context, scene, tiles_m2[i], 20.0);
        test_close(&context, &scene, NULL);
    }
}

TEST_SUITE(tiles_estimate)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_peak_of_made_cities),
        cmocka_unit_test(test_the_peak_of_munich),
    };
    return cmocka_run_group_tests_name("tiles_estimate", tests, NULL, NULL);
}

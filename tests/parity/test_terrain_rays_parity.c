/* Rays over terrain on every device: the same triangles as on the host, losses that differ by rounding. */
#include "ray_hills.h"

#define DEVICE_MAX 32

static const uint64_t seed = 63;

static void trace(rcity_context *context, rcity_device *device, const rcity_shapes *hills,
                  const rcity_terrain_rays_options *options, rcity_grid_point3 source, uint64_t limit_bytes,
                  rcity_terrain_rays_field *field)
{
    rcity_terrain_rays *rays = NULL;
    assert_ok(context, rcity_terrain_rays_open(context, device, hills, options, &rays));
    rcity_device_limit_buffer(device, limit_bytes); /* azimuths come in pieces */
    assert_ok(context, rcity_terrain_rays_trace(rays, source, field));
    rcity_device_limit_buffer(device, 0);
    rcity_terrain_rays_close(&rays);
}

/* @return the largest difference of losses. */
static double compare(const rcity_terrain_rays_field *actual, const rcity_terrain_rays_field *expected)
{
    double worst = 0.0;
    assert_int_equal(actual->triangle_count, expected->triangle_count);
    assert_memory_equal(actual->seen, expected->seen,
                        (size_t)((expected->triangle_count + 31) / 32) * sizeof *expected->seen);
    for (int64_t k = 0; k < expected->triangle_count; k++) {
        bool has_value = !isnan(expected->loss_db[k]);
        assert_int_equal(!isnan(actual->loss_db[k]), has_value);
        if (has_value) {
            assert_near(actual->loss_db[k], expected->loss_db[k], 0.01);
            worst = fmax(worst, fabs((double)actual->loss_db[k] - (double)expected->loss_db[k]));
        }
    }
    return worst;
}

static void check_device(rcity_context *context, rcity_device *host, const char *id)
{
    rcity_device *device = NULL;
    double worst = 0.0;
    long value_count = 0;
    assert_ok(context, rcity_device_open(context, id, &device));
    for (uint64_t i = 0; i < 12; i++) {
        ray_hills_waves waves = {seed + i, 20.0 + 10.0 * (double)i, i % 2 == 0 ? 0.0 : 30.0};
        int size = 2 + (int)i * 10;
        rcity_shapes hills = ray_hills_make(size, size + (int)i, 30, ray_hills_rough, &waves);
        rcity_terrain_rays_options options = rcity_terrain_rays_options_default();
        rcity_terrain_rays_field expected;
        rcity_terrain_rays_field actual;
        options.receiver_height_m = i % 3 == 0 ? 0.0 : 1.5;
        options.two_ray = i % 3 == 1;
        options.reflections = (int)(i % 4);
        options.knife_edge = i % 2 == 1;
        options.earth_factor = i % 4 >= 2 ? 4.0 / 3.0 : 0.0;
        bool is_cut = i % 4 == 2;
        options.azimuth_step_rad = i == 3 ? 7.0 : is_cut ? 0.001 : 0.0; /* one azimuth; 151 kB of them */
        rcity_grid_point3 source = ray_hills_source(&hills, seed + i, 15.0);
        trace(context, host, &hills, &options, source, 0, &expected);
        trace(context, device, &hills, &options, source, is_cut ? 100000 : 0, &actual);
        worst = fmax(worst, compare(&actual, &expected));
        for (int64_t k = 0; k < expected.triangle_count; k++) {
            value_count += !isnan(expected.loss_db[k]);
        }
        rcity_terrain_rays_field_deinit(context, &actual);
        rcity_terrain_rays_field_deinit(context, &expected);
        ray_hills_free(&hills);
    }
    print_message("seed %llu: %ld triangles agree on %s, at most %.5f dB apart\n", (unsigned long long)seed,
                  value_count, id, worst);
    assert_true(value_count > 10000);
    rcity_device_close(&device);
}

static void test_devices_agree(void **state)
{
    (void)state;
    rcity_context *context = test_context(2);
    rcity_device *host = ray_hills_device(context, "host");
    rcity_device_info infos[DEVICE_MAX];
    int device_count = 0;
    assert_ok(context, rcity_device_list(context, DEVICE_MAX, infos, &device_count));
    for (int i = 1; i < device_count && i < DEVICE_MAX; i++) {
        if (infos[i].is_usable) {
            check_device(context, host, infos[i].id);
        }
    }
    rcity_device_close(&host);
    rcity_context_destroy(&context);
}

TEST_SUITE(terrain_rays_parity)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_devices_agree),
    };
    return cmocka_run_group_tests_name("terrain_rays_parity", tests, NULL, NULL);
}

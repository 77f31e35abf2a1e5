/* Paths of requests: the straight line against its closed form, antennas, states of receivers, warnings, memory. */
#include "heard_log.h"
#include "rcity_test.h"

static const double light_m_per_s = 299792458.0;
static const double pi = 3.14159265358979323846;

/* Only the straight line. */
static const char *const names[] = {"max-reflections", "max-diffractions", "over-roofs", "ground", "roofs"};
static const char *const values[] = {"0", "0", "off", "off", "off"};

static rcity_request make_request(const double *xyh_m, int64_t count)
{
    rcity_request request = rcity_request_default();
    request.method = "images";
    request.transmitter.x_m = 50.0;
    request.transmitter.y_m = 40.0;
    request.transmitter.height_m = 30.0;
    request.transmitter.frequency_hz = 2e9;
    request.receivers.point_count = count;
    request.receivers.xyh_m = xyh_m;
    request.option_count = 5;
    request.option_name = names;
    request.option_value = values;
    return request;
}

/* A tower between the transmitter and the east. */
static rcity_scene *make_scene(rcity_context *context)
{
    static const test_box boxes[] = {{100.0, 20.0, 120.0, 60.0, 60.0}, {0.0, 0.0, 5.0, 5.0, 10.0}};
    return test_scene(context, boxes, 2);
}

static void test_straight_line(void **state)
{
    (void)state;
    static const double xyh_m[] = {80.0, 80.0, 1.5, 200.0, 40.0, 1.5};
    rcity_context *context = test_context(2);
    rcity_scene *scene = make_scene(context);
    rcity_request request = make_request(xyh_m, 2);
    rcity_rays *rays = NULL;
    rcity_path path;
    rcity_receiver_summary summary;
    assert_ok(context, rcity_rays_find(context, scene, NULL, &request, &rays));
    assert_int_equal(rcity_rays_path_count(rays), 1);
    assert_ok(context, rcity_rays_get_path(rays, 0, &path));
    double length_m = sqrt(30.0 * 30.0 + 40.0 * 40.0 + 28.5 * 28.5);
    double wavelength_m = light_m_per_s / 2e9;
    assert_int_equal(path.event_count, 0);
    assert_near(path.length_m, length_m, 1e-9);
    assert_near(path.delay_s, length_m / light_m_per_s, 1e-18);
    assert_near(path.gain_db, 20.0 * log10(wavelength_m / (4.0 * pi * length_m)), 1e-9);
    assert_near(path.loss_db, -path.gain_db, 1e-9);
    assert_near(path.departure_azimuth_deg, atan2(30.0, 40.0) * 180.0 / pi, 1e-9);
    assert_near(path.departure_elevation_deg, atan2(-28.5, 50.0) * 180.0 / pi, 1e-9);
    assert_near(path.arrival_azimuth_deg, 180.0 + atan2(30.0, 40.0) * 180.0 / pi, 1e-9);
    assert_near(path.arrival_elevation_deg, atan2(28.5, 50.0) * 180.0 / pi, 1e-9);
    /* the wave has run length / wavelength turns, backwards: exp(-j k r) */
    double turns = length_m / wavelength_m;
    double phase_rad = -2.0 * pi * (turns - floor(turns));
    double size = wavelength_m / (4.0 * pi * length_m);
    assert_near(path.transfer[0][0].re, size * cos(phase_rad), 1e-9 * size);
    assert_near(path.transfer[0][0].im, size * sin(phase_rad), 1e-9 * size);
    assert_near(path.transfer[1][1].re, path.transfer[0][0].re, 1e-12 * size);
    assert_true(isnan(path.received_dbm));
    assert_ok(context, rcity_rays_get_receiver(rays, 0, &summary));
    assert_int_equal(summary.state, RCITY_RECEIVER_REACHED);
    assert_near(summary.position.z_m, 1.5, 0.0);
    assert_ok(context, rcity_rays_get_receiver(rays, 1, &summary)); /* behind the tower */
    assert_int_equal(summary.state, RCITY_RECEIVER_NO_PATH);
    rcity_rays_destroy(&rays);
    rcity_scene_destroy(&scene);
    rcity_context_destroy(&context);
}

/* The same station in three ways, and none. EIRP holds in the strongest direction; a dipole looks to the horizon, so
   that a receiver at the same height hears all of it, and one above nothing much. Without a power the antenna counts
   all the same. */
static void test_power_and_antenna(void **state)
{
    (void)state;
    static const double xyh_m[] = {50.0, 90.0, 30.0};
    rcity_context *context = test_context(1);
    rcity_scene *scene = make_scene(context);
    rcity_antenna *dipole = NULL;
    assert_ok(context, rcity_antenna_create(context, "dipole", &dipole));
    rcity_request request = make_request(xyh_m, 1);
    request.transmitter.antenna = dipole;
    request.receivers.gain_dbi = 3.0;
    double loss_db = -20.0 * log10(light_m_per_s / 2e9 / (4.0 * pi * 50.0));
    request.transmitter.cable_loss_db = 1.5; /* EIRP and ERP are behind the cable */
    const double powers[4] = {43.0, 43.0 - 2.15, 43.0 + 1.5, (double)NAN};
    const rcity_power_kind kinds[4] = {RCITY_POWER_EIRP, RCITY_POWER_ERP, RCITY_POWER_CONDUCTED, RCITY_POWER_EIRP};
    const double expected[4] = {43.0 + 3.0 - loss_db, 43.0 + 3.0 - loss_db, 43.0 + 2.15 + 3.0 - loss_db, (double)NAN};
    for (int i = 0; i < 4; i++) {
        rcity_rays *rays = NULL;
        rcity_path path;
        request.transmitter.power_kind = kinds[i];
        request.transmitter.power_dbm = powers[i];
        assert_ok(context, rcity_rays_find(context, scene, NULL, &request, &rays));
        assert_ok(context, rcity_rays_get_path(rays, 0, &path));
        assert_near(path.gain_db, 2.15 + 3.0 - loss_db, 1e-4); /* patterns have float precision */
        assert_near(path.loss_db, loss_db, 1e-6);
        if (isnan(expected[i])) {
            assert_true(isnan(path.received_dbm));
        } else {
            assert_near(path.received_dbm, expected[i], 1e-4);
        }
        rcity_rays_destroy(&rays);
    }
    rcity_antenna_destroy(&dipole);
    rcity_scene_destroy(&scene);
    rcity_context_destroy(&context);
}

/* A sector that looks east hears nothing much of the west, also where no power is stated. */
static void test_azimuth_counts_without_power(void **state)
{
    (void)state;
    static const double xyh_m[] = {90.0, 40.0, 30.0, 10.0, 40.0, 30.0};
    rcity_context *context = test_context(1);
    rcity_scene *scene = make_scene(context);
    rcity_antenna *sector = NULL;
    rcity_rays *rays = NULL;
    rcity_receiver_summary front;
    rcity_receiver_summary back;
    assert_ok(context, rcity_antenna_create(context, "3gpp", &sector));
    rcity_request request = make_request(xyh_m, 2);
    request.transmitter.antenna = sector;
    request.transmitter.azimuth_deg = 90.0;
    assert_ok(context, rcity_rays_find(context, scene, NULL, &request, &rays));
    assert_ok(context, rcity_rays_get_receiver(rays, 0, &front));
    assert_ok(context, rcity_rays_get_receiver(rays, 1, &back));
    assert_near(front.gain_db - back.gain_db, 30.0, 1e-3); /* TR 38.901, table 7.3-1: front to back */
    assert_near(front.loss_db, back.loss_db, 1e-6);
    rcity_rays_destroy(&rays);
    rcity_antenna_destroy(&sector);
    rcity_scene_destroy(&scene);
    rcity_context_destroy(&context);
}

/* The warnings of a run, all of them. */
typedef struct all_heard {
    int count;
    char text[8][400];
} all_heard;

static void hear_all(void *user, rcity_log_level level, const char *text)
{
    all_heard *heard = user;
    if (level == RCITY_LOG_WARNING && heard->count < 8) {
        snprintf(heard->text[heard->count++], sizeof heard->text[0], "%s", text);
    }
}

static void test_receivers_that_cannot_be(void **state)
{
    (void)state;
    static const double xyh_m[] = {110.0, 40.0, 1.5,  110.0, 40.0, 59.0, 110.0, 40.0, 80.0,
                                   50.0,  40.0, 30.0, 50.0,  40.1, 30.0, 50.0,  41.0, 30.0};
    static const rcity_receiver_state expected[] = {RCITY_RECEIVER_IN_BUILDING, RCITY_RECEIVER_IN_BUILDING,
                                                    RCITY_RECEIVER_REACHED,     RCITY_RECEIVER_NEAR_FIELD,
                                                    RCITY_RECEIVER_NEAR_FIELD,  RCITY_RECEIVER_REACHED};
    all_heard heard = {.count = 0};
    rcity_context_options options = rcity_context_options_default();
    options.log = hear_all;
    options.log_user = &heard;
    rcity_context *context = NULL;
    assert_int_equal(rcity_context_create(&options, &context), RCITY_OK);
    rcity_scene *scene = make_scene(context);
    rcity_request request = make_request(xyh_m, 6);
    rcity_rays *rays = NULL;
    assert_ok(context, rcity_rays_find(context, scene, NULL, &request, &rays));
    for (int i = 0; i < 6; i++) {
        rcity_receiver_summary summary;
        assert_ok(context, rcity_rays_get_receiver(rays, i, &summary));
        assert_int_equal(summary.state, expected[i]);
    }
    assert_int_equal(heard.count, 2); /* one line a reason */
    assert_non_null(strstr(heard.text[0], "2 of 6 receivers are inside a building"));
    assert_non_null(strstr(heard.text[0], "number 1 at (110.00, 40.00)"));
    assert_non_null(strstr(heard.text[1], "2 of 6 receivers are in the near field"));
    assert_non_null(strstr(heard.text[1], "number 4 at (50.00, 40.00)"));
    const char *key = NULL;
    const char *value = NULL;
    int noted = 0;
    for (int i = 0; rcity_rays_get_note(rays, i, &key, &value) == RCITY_OK; i++) {
        noted += strcmp(key, "receivers_in_building") == 0 && strcmp(value, "2") == 0;
        noted += strcmp(key, "receivers_at_transmitter") == 0 && strcmp(value, "2") == 0;
        noted += strcmp(key, "max_reflections") == 0 && strcmp(value, "0") == 0;
        noted += strcmp(key, "tx_polarization") == 0 && strcmp(value, "vertical") == 0;
        assert_string_not_equal(key, "cell_m"); /* rasters have those */
        assert_string_not_equal(key, "rx_height_m");
    }
    assert_int_equal(noted, 4);
    rcity_rays_destroy(&rays);
    rcity_scene_destroy(&scene);
    rcity_context_destroy(&context);
}

static void test_off_the_terrain(void **state)
{
    (void)state;
    static const float height_m[4] = {10.0f, 10.0f, 30.0f, 30.0f};
    static const double xyh_m[] = {50.0, 50.0, 2.0, 250.0, 50.0, 2.0};
    heard_log heard;
    rcity_context *context = heard_log_context(&heard);
    rcity_scene_options options = rcity_scene_options_default();
    rcity_terrain terrain = {2, 2, 0.0, 0.0, 100.0, height_m};
    rcity_scene *scene = NULL;
    assert_ok(context, rcity_scene_create(context, &options, &scene));
    assert_ok(context, rcity_scene_set_terrain(scene, &terrain));
    assert_ok(context, rcity_scene_commit(scene));
    rcity_request request = make_request(xyh_m, 2);
    rcity_rays *rays = NULL;
    rcity_receiver_summary summary;
    assert_ok(context, rcity_rays_find(context, scene, NULL, &request, &rays));
    assert_ok(context, rcity_rays_get_receiver(rays, 0, &summary));
    assert_near(summary.position.z_m, 22.0, 1e-9);
    assert_ok(context, rcity_rays_get_receiver(rays, 1, &summary));
    assert_int_equal(summary.state, RCITY_RECEIVER_OUTSIDE);
    assert_int_equal(heard.count, 1);
    assert_non_null(strstr(heard.text, "1 of 2 receivers is off the terrain"));
    rcity_rays_destroy(&rays);
    rcity_scene_destroy(&scene);
    rcity_context_destroy(&context);
}

/* Concrete is published from 1 GHz on: one warning, which names it, and a note. */
static void test_frequency_outside_materials(void **state)
{
    (void)state;
    static const double xyh_m[] = {80.0, 55.0, 1.5};
    heard_log heard;
    rcity_context *context = heard_log_context(&heard);
    rcity_scene *scene = make_scene(context);
    rcity_request request = make_request(xyh_m, 1);
    const double frequencies_hz[2] = {900e6, 2e9};
    for (int i = 0; i < 2; i++) {
        rcity_rays *rays = NULL;
        heard.count = 0;
        request.transmitter.frequency_hz = frequencies_hz[i];
        assert_ok(context, rcity_rays_find(context, scene, NULL, &request, &rays));
        assert_int_equal(heard.count, i == 0 ? 1 : 0);
        const char *key = NULL;
        const char *value = NULL;
        bool is_noted = false;
        for (int k = 0; rcity_rays_get_note(rays, k, &key, &value) == RCITY_OK; k++) {
            is_noted = is_noted || strcmp(key, "materials_extrapolated") == 0;
        }
        assert_true(is_noted == (i == 0));
        rcity_rays_destroy(&rays);
    }
    assert_non_null(strstr(heard.text, "900 MHz lies outside the range of 2 of 2 materials: concrete (1 to 100 GHz)"));
    rcity_scene_destroy(&scene);
    rcity_context_destroy(&context);
}

static void test_bad_path_requests_are_refused(void **state)
{
    (void)state;
    static const double xyh_m[] = {80.0, 80.0, 1.5};
    static const double wild[] = {80.0, (double)NAN, 1.5};
    static const double deep[] = {80.0, 80.0, -1.0};
    rcity_context *context = test_context(1);
    rcity_scene *scene = make_scene(context);
    rcity_request request = make_request(xyh_m, 1);
    rcity_rays *rays = NULL;
    request.method = "free-space";
    request.option_count = 0;
    assert_status(context, rcity_rays_find(context, scene, NULL, &request, &rays), RCITY_ERR_ARGUMENT);
    assert_message(context, "method 'free-space' finds no single paths, these do: images");
    request = make_request(xyh_m, 0);
    assert_status(context, rcity_rays_find(context, scene, NULL, &request, &rays), RCITY_ERR_ARGUMENT);
    assert_message(context, "no points");
    request = make_request(wild, 1);
    assert_status(context, rcity_rays_find(context, scene, NULL, &request, &rays), RCITY_ERR_ARGUMENT);
    assert_message(context, "receiver 1 is");
    request = make_request(deep, 1);
    assert_status(context, rcity_rays_find(context, scene, NULL, &request, &rays), RCITY_ERR_ARGUMENT);
    static const char *const sum_name[] = {"sum"};
    static const char *const sum_value[] = {"coherent"};
    request = make_request(xyh_m, 1);
    request.option_count = 1;
    request.option_name = sum_name;
    request.option_value = sum_value;
    assert_status(context, rcity_rays_find(context, scene, NULL, &request, &rays), RCITY_ERR_ARGUMENT);
    assert_message(context, "the option 'sum' is of maps; paths come with both sums");
    static const char *const half[] = {"1.5"};
    request = make_request(xyh_m, 1);
    request.option_count = 1;
    request.option_value = half;
    assert_status(context, rcity_rays_find(context, scene, NULL, &request, &rays), RCITY_ERR_ARGUMENT);
    assert_message(context, "`max-reflections` is 1.5, must be a whole number");
    static const char *const many[] = {"7"};
    request.option_value = many;
    assert_status(context, rcity_rays_find(context, scene, NULL, &request, &rays), RCITY_ERR_ARGUMENT);
    request = make_request(xyh_m, 1);
    request.transmitter.x_m = 110.0; /* inside the tower */
    assert_status(context, rcity_rays_find(context, scene, NULL, &request, &rays), RCITY_ERR_ARGUMENT);
    assert_null(rays);
    rcity_scene_destroy(&scene);
    rcity_context_destroy(&context);
}

static void test_memory_limit(void **state)
{
    (void)state;
    enum { COUNT = 20000 };
    double *xyh_m = calloc(3 * COUNT, sizeof *xyh_m);
    assert_non_null(xyh_m);
    for (int i = 0; i < COUNT; i++) {
        xyh_m[3 * i] = 80.0;
        xyh_m[3 * i + 1] = 80.0;
        xyh_m[3 * i + 2] = 1.5;
    }
    rcity_context_options options = rcity_context_options_default();
    options.memory_bytes = 1000000;
    rcity_context *context = NULL;
    assert_int_equal(rcity_context_create(&options, &context), RCITY_OK);
    rcity_scene *scene = make_scene(context);
    rcity_request request = make_request(xyh_m, COUNT);
    rcity_rays *rays = NULL;
    uint64_t before = rcity_context_memory_used(context);
    assert_status(context, rcity_rays_find(context, scene, NULL, &request, &rays), RCITY_ERR_MEMORY);
    assert_message(context, "paths to 20000 receivers need at least");
    assert_message(context, "the limit is 1.0 MB");
    assert_true(rcity_context_memory_used(context) == before);
    assert_null(rays);
    rcity_scene_destroy(&scene);
    rcity_context_destroy(&context);
    free(xyh_m);
}

/* A map and the points of it have the values that the paths have. */
static void test_maps_from_paths(void **state)
{
    (void)state;
    rcity_context *context = test_context(2);
    rcity_scene *scene = make_scene(context);
    rcity_device *device = NULL;
    rcity_map *map = NULL;
    assert_ok(context, rcity_device_open(context, "host", &device));
    rcity_request request = make_request(NULL, 0);
    request.transmitter.power_dbm = 40.0;
    request.receivers.cell_m = 10.0;
    assert_ok(context, rcity_predict(context, scene, device, &request, &map));
    static const char *const bands[] = {"path_loss", "delay_spread", "arrival_azimuth_spread", "k_factor",
                                        "received_power"};
    rcity_band band[5];
    assert_int_equal(rcity_map_band_count(map), 5);
    for (int i = 0; i < 5; i++) {
        assert_ok(context, rcity_map_get_band(map, i, &band[i]));
        assert_string_equal(band[i].name, bands[i]);
    }
    rcity_raster raster = rcity_map_raster(map);
    enum { MOST = 400 };
    int64_t count = raster.column_count * raster.row_count;
    assert_true(count <= MOST);
    double xyh_m[3 * MOST];
    float loss_db[MOST];
    float received_dbm[MOST];
    for (int64_t i = 0; i < count; i++) {
        xyh_m[3 * i] = raster.west_m + ((double)(i % raster.column_count) + 0.5) * raster.cell_m;
        xyh_m[3 * i + 1] = raster.north_m - ((double)(i / raster.column_count) + 0.5) * raster.cell_m;
        xyh_m[3 * i + 2] = 1.5;
    }
    request.receivers.point_count = count;
    request.receivers.xyh_m = xyh_m;
    rcity_rays *rays = NULL;
    assert_ok(context, rcity_predict_points(context, scene, device, &request, loss_db, received_dbm));
    assert_ok(context, rcity_rays_find(context, scene, NULL, &request, &rays));
    int64_t value_count = 0;
    for (int64_t i = 0; i < count; i++) {
        rcity_receiver_summary summary;
        assert_ok(context, rcity_rays_get_receiver(rays, i, &summary));
        float expected = isfinite(summary.loss_db) ? (float)summary.loss_db : NAN;
        assert_memory_equal(&band[0].value[i], &expected, sizeof expected);
        assert_memory_equal(&loss_db[i], &expected, sizeof expected);
        expected = isfinite(summary.received_dbm) ? (float)summary.received_dbm : NAN;
        assert_memory_equal(&band[4].value[i], &expected, sizeof expected);
        assert_memory_equal(&received_dbm[i], &expected, sizeof expected);
        value_count += isfinite(summary.loss_db) ? 1 : 0;
    }
    assert_true(value_count > count / 4 && value_count < count); /* some, and not behind the tower */
    rcity_rays_destroy(&rays);
    rcity_map_destroy(&map);
    test_close(&context, &scene, &device);
}

static void test_failing_allocations(void **state)
{
    (void)state;
    static const double xyh_m[] = {80.0, 80.0, 1.5, 110.0, 40.0, 1.5, 200.0, 40.0, 1.5};
    rcity_status status = RCITY_ERR_MEMORY;
    long n = 0;
    while (status != RCITY_OK) {
        n++;
        assert_true(n < 2000);
        failing_allocator failing = {.fail_at = 0};
        rcity_context *context = test_context_failing(&failing, 2);
        rcity_scene *scene = make_scene(context);
        rcity_request request = make_request(xyh_m, 3);
        request.transmitter.frequency_hz = 900e6;
        rcity_rays *rays = NULL;
        uint64_t before = rcity_context_memory_used(context);
        failing.fail_at = failing.call_count + n;
        status = rcity_rays_find(context, scene, NULL, &request, &rays);
        failing.fail_at = 0;
        assert_true(status == RCITY_OK || status == RCITY_ERR_MEMORY);
        assert_true((status == RCITY_OK) == (rays != NULL));
        rcity_rays_destroy(&rays);
        assert_true(rcity_context_memory_used(context) == before);
        rcity_scene_destroy(&scene);
        rcity_context_destroy(&context);
        assert_int_equal(failing.live_count, 0);
    }
    assert_true(n > 20);
}

TEST_SUITE(rays_find)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_straight_line),
        cmocka_unit_test(test_power_and_antenna),
        cmocka_unit_test(test_azimuth_counts_without_power),
        cmocka_unit_test(test_receivers_that_cannot_be),
        cmocka_unit_test(test_off_the_terrain),
        cmocka_unit_test(test_frequency_outside_materials),
        cmocka_unit_test(test_bad_path_requests_are_refused),
        cmocka_unit_test(test_memory_limit),
        cmocka_unit_test(test_maps_from_paths),
        cmocka_unit_test(test_failing_allocations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

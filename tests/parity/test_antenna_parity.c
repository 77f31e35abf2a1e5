/* Received power on every device against the host, for every kind of antenna, mounted at random. */
#include "rcity_test.h"

#define DEVICE_MAX   32
#define KIND_COUNT   6
#define TOLERANCE_DB 0.002 /* two units of the pattern's tables and the loss */

static const char *const kinds[KIND_COUNT] = {"none", "isotropic", "dipole", "3gpp", "projection", "sum"};

/* Ragged cuts that no formula has: every angle counts. */
static rcity_antenna *make_antenna(rcity_context *context, int kind, uint64_t seed)
{
    rcity_antenna *antenna = NULL;
    if (kind == 0) {
        return NULL;
    }
    if (kind < 4) {
        assert_ok(context, rcity_antenna_create(context, kinds[kind], &antenna));
        return antenna;
    }
    rcity_antenna_cuts cuts = {.name = "ragged",
                               .gain_dbi = 17.0,
                               .electrical_tilt_deg = 3.0,
                               .frequency_hz = (double)NAN,
                               .synthesis = kind == 4 ? RCITY_SYNTHESIS_PROJECTION : RCITY_SYNTHESIS_SUM};
    for (int i = 0; i < 360; i++) {
        double turn = fabs(remainder(i, 360.0)) / 180.0;
        cuts.horizontal_loss_db[i] = (float)(25.0 * turn + test_uniform(seed, (uint64_t)i, 0.0, 3.0));
        double below = fabs(remainder(i - 3.0, 360.0)) / 180.0;
        cuts.vertical_loss_db[i] = (float)(30.0 * below + test_uniform(seed, 500 + (uint64_t)i, 0.0, 3.0));
    }
    cuts.horizontal_loss_db[0] = 0.0f;
    cuts.vertical_loss_db[3] = 0.0f;
    assert_ok(context, rcity_antenna_create_from_cuts(context, &cuts, &antenna));
    return antenna;
}

static rcity_request make_request(uint64_t seed, const rcity_antenna *antenna)
{
    rcity_request request = rcity_request_default();
    request.method = "free-space";
    rcity_transmitter *transmitter = &request.transmitter;
    transmitter->x_m = test_uniform(seed, 1, 1.0, 299.0);
    transmitter->y_m = test_uniform(seed, 2, 1.0, 299.0);
    transmitter->height_m = test_uniform(seed, 3, 51.0, 90.0);
    transmitter->power_dbm = 43.0;
    transmitter->power_kind = RCITY_POWER_CONDUCTED;
    transmitter->antenna = antenna;
    transmitter->azimuth_deg = test_uniform(seed, 4, -360.0, 360.0);
    transmitter->mechanical_tilt_deg = test_uniform(seed, 5, -30.0, 30.0);
    transmitter->electrical_tilt_deg = seed % 2 == 0 ? (double)NAN : test_uniform(seed, 6, -10.0, 15.0);
    request.receivers.cell_m = 3.0;
    return request;
}

/* Cells, then points at their middles: the same numbers either way. */
static rcity_map *predict(rcity_context *context, const rcity_scene *scene, rcity_device *device,
                          const rcity_request *request, const float **received_dbm, float *points_dbm)
{
    rcity_map *map = NULL;
    assert_ok(context, rcity_predict(context, scene, device, request, &map));
    rcity_band band;
    assert_ok(context, rcity_map_get_band(map, 1, &band));
    assert_string_equal(band.name, "received_power");
    *received_dbm = band.value;
    rcity_raster raster = rcity_map_raster(map);
    int64_t count = raster.column_count * raster.row_count;
    double *xyh_m = malloc((size_t)count * 3 * sizeof *xyh_m);
    float *loss_db = malloc((size_t)count * sizeof *loss_db);
    assert_true(xyh_m != NULL && loss_db != NULL);
    for (int64_t i = 0; i < count; i++) {
        xyh_m[3 * i] = raster.west_m + ((double)(i % raster.column_count) + 0.5) * raster.cell_m;
        xyh_m[3 * i + 1] = raster.north_m - ((double)(i / raster.column_count) + 0.5) * raster.cell_m;
        xyh_m[3 * i + 2] = 1.5;
    }
    rcity_request points = *request;
    points.receivers.point_count = count;
    points.receivers.xyh_m = xyh_m;
    assert_ok(context, rcity_predict_points(context, scene, device, &points, loss_db, points_dbm));
    free(loss_db);
    free(xyh_m);
    return map;
}

/* The worst difference of two lists; values deep in a null of the pattern are left alone. */
static double compare(const float *expected, const float *actual, int64_t count, double floor_dbm, const char *what)
{
    double worst_db = 0.0;
    for (int64_t i = 0; i < count; i++) {
        if (isnan(expected[i]) != isnan(actual[i])) {
            print_error("%s, receiver %lld: %g and %g\n", what, (long long)i, (double)expected[i], (double)actual[i]);
            fail();
        }
        if (!isnan(expected[i]) && (double)expected[i] > floor_dbm) {
            worst_db = fmax(worst_db, fabs((double)expected[i] - (double)actual[i]));
        }
    }
    if (!(worst_db <= TOLERANCE_DB)) {
        print_error("%s differs by %g dB\n", what, worst_db);
        fail();
    }
    return worst_db;
}

static void check_device(rcity_context *context, const rcity_scene *scene, rcity_device *host, rcity_device *device,
                         const char *id)
{
    enum { CELLS = 100 * 100 };
    float *host_dbm = malloc(CELLS * sizeof *host_dbm);
    float *device_dbm = malloc(CELLS * sizeof *device_dbm);
    assert_true(host_dbm != NULL && device_dbm != NULL);
    for (int kind = 0; kind < KIND_COUNT; kind++) {
        double worst_db = 0.0;
        for (uint64_t seed = 1; seed <= 6; seed++) {
            rcity_antenna *antenna = make_antenna(context, kind, seed);
            rcity_request request = make_request(seed, antenna);
            const float *expected, *actual;
            rcity_map *plain = predict(context, scene, host, &request, &expected, host_dbm);
            rcity_map *map = predict(context, scene, device, &request, &actual, device_dbm);
            rcity_raster raster = rcity_map_raster(map);
            assert_int_equal(raster.column_count * raster.row_count, CELLS);
            double floor_dbm = rcity_transmitter_eirp_dbm(&request.transmitter) - 100.0 - 60.0;
            worst_db = fmax(worst_db, compare(expected, actual, CELLS, floor_dbm, kinds[kind]));
            worst_db = fmax(worst_db, compare(host_dbm, device_dbm, CELLS, floor_dbm, kinds[kind]));
            worst_db = fmax(worst_db, compare(expected, host_dbm, CELLS, floor_dbm, kinds[kind]));
            rcity_map_destroy(&map);
            rcity_map_destroy(&plain);
            rcity_antenna_destroy(&antenna);
        }
        print_message("%s: %s antenna within %.2g dB (seeds 1 to 6)\n", id, kinds[kind], worst_db);
    }
    free(device_dbm);
    free(host_dbm);
}

static void test_received_power_is_equal_on_every_device(void **state)
{
    (void)state;
    rcity_context *context = test_context(2);
    const test_box boxes[] = {{0, 0, 10, 10, 20}, {40, 40, 60, 60, 50}, {290, 290, 300, 300, 8}};
    rcity_scene *scene = test_scene(context, boxes, 3);
    rcity_device *host = NULL;
    assert_ok(context, rcity_device_open(context, "host", &host));
    int checked = 0;
    for (int i = 0; i < DEVICE_MAX; i++) {
        char id[32];
        snprintf(id, sizeof id, "opencl:%d", i);
        rcity_device *device = NULL;
        if (rcity_device_open(context, id, &device) != RCITY_OK) {
            continue;
        }
        check_device(context, scene, host, device, id);
        rcity_device_close(&device);
        checked++;
    }
    check_device(context, scene, host, host, "host");
    print_message("%d OpenCL devices\n", checked);
    test_close(&context, &scene, &host);
}

TEST_SUITE(antenna_parity)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_received_power_is_equal_on_every_device)};
    return cmocka_run_group_tests_name("antenna parity", tests, NULL, NULL);
}

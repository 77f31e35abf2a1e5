/* Every kernel on every device there is, against the host. `--bench` times the same work. */
#include "rcity_test.h"

#include "base/base.h"

#define DEVICE_MAX 32

/* One family of kernels: run a random job of a size on a device; the same seed gives the same job. */
typedef struct parity_case {
    const char *name;
    double tolerance_db;
    void (*run)(rcity_context *context, rcity_device *device, uint64_t seed, int64_t item_count, float *value);
} parity_case;

static rcity_scene *shared_scene;
static rcity_context *shared_context;

/* A raster of item_count cells in one row, or in a square where one row would be too fine; transmitters near and far,
   all frequencies. */
static rcity_request random_request(uint64_t seed, int64_t item_count, double height_m[1])
{
    rcity_request request = rcity_request_default();
    request.transmitter.x_m = test_uniform(seed, 1, 1.0, 299.0);
    request.transmitter.y_m = test_uniform(seed, 2, 1.0, 299.0);
    request.transmitter.height_m = test_uniform(seed, 3, 60.0, 300.0);
    request.transmitter.frequency_hz = pow(10.0, test_uniform(seed, 4, 6.0, 11.9));
    height_m[0] = test_uniform(seed, 5, 0.0, 30.0);
    request.receivers.height_m = height_m;
    bool is_square = item_count > 20000;
    double side_m = 300.0;
    request.receivers.x_min_m = 0.0;
    request.receivers.y_min_m = 0.0;
    request.receivers.x_max_m = side_m;
    request.receivers.cell_m = side_m / (is_square ? sqrt((double)item_count) : (double)item_count);
    request.receivers.y_max_m = is_square ? side_m : request.receivers.cell_m * 0.5;
    return request;
}

static void run_free_space_cells(rcity_context *context, rcity_device *device, uint64_t seed, int64_t item_count,
                                 float *value)
{
    double height_m[1];
    rcity_request request = random_request(seed, item_count, height_m);
    rcity_map *map = NULL;
    assert_ok(context, rcity_predict(context, shared_scene, device, &request, &map));
    rcity_raster raster = rcity_map_raster(map);
    assert_int_equal(raster.column_count * raster.row_count, item_count);
    rcity_band band;
    assert_ok(context, rcity_map_get_band(map, 0, &band));
    memcpy(value, band.value, (size_t)item_count * sizeof *value);
    rcity_map_destroy(&map);
}

static void run_free_space_points(rcity_context *context, rcity_device *device, uint64_t seed, int64_t item_count,
                                  float *value)
{
    double height_m[1];
    rcity_request request = random_request(seed, 1, height_m);
    double *xyh_m = malloc((size_t)item_count * 3 * sizeof *xyh_m);
    assert_non_null(xyh_m);
    for (int64_t i = 0; i < item_count; i++) {
        for (uint64_t axis = 0; axis < 3; axis++) {
            xyh_m[3 * i + (int64_t)axis] = test_uniform(seed, 10 + 3 * (uint64_t)i + axis, 1.0, 299.0);
        }
    }
    request.receivers.point_count = item_count;
    request.receivers.xyh_m = xyh_m;
    assert_ok(context, rcity_predict_points(context, shared_scene, device, &request, value));
    free(xyh_m);
}

static const parity_case cases[] = {
    {"free-space cells", 0.001, run_free_space_cells},
    {"free-space points", 0.001, run_free_space_points},
};

static int open_devices(rcity_device *devices[DEVICE_MAX], rcity_device_info infos[DEVICE_MAX])
{
    int count = 0;
    int open_count = 0;
    assert_ok(shared_context, rcity_device_list(shared_context, DEVICE_MAX, infos, &count));
    for (int i = 1; i < count && i < DEVICE_MAX; i++) {
        if (infos[i].is_usable) {
            assert_ok(shared_context, rcity_device_open(shared_context, infos[i].id, &devices[open_count]));
            infos[open_count++] = infos[i];
        }
    }
    return open_count;
}

static double compare(const parity_case *parity, const rcity_device_info *info, uint64_t seed, int64_t count,
                      const float *expected, const float *actual)
{
    double worst_db = 0.0;
    for (int64_t i = 0; i < count; i++) {
        bool is_equal_nan = isnan(expected[i]) && isnan(actual[i]);
        double difference_db = fabs((double)expected[i] - (double)actual[i]);
        if (!is_equal_nan && !(difference_db <= parity->tolerance_db)) {
            print_error("%s on %s (%s), seed %llu, item %lld of %lld: %.6f dB, the host has %.6f\n", parity->name,
                        info->id, info->name, (unsigned long long)seed, (long long)i, (long long)count,
                        (double)actual[i], (double)expected[i]);
            fail();
        }
        worst_db = is_equal_nan || difference_db < worst_db ? worst_db : difference_db;
    }
    return worst_db;
}

static void test_all(void **state)
{
    (void)state;
    static const int64_t sizes[] = {1, 2, 63, 64, 65, 255, 256, 257, 10007, 90000};
    rcity_device *devices[DEVICE_MAX] = {NULL};
    static rcity_device_info infos[DEVICE_MAX];
    rcity_device *host = NULL;
    assert_ok(shared_context, rcity_device_open(shared_context, "host", &host));
    int device_count = open_devices(devices, infos);
    if (device_count == 0) {
        print_message("SKIPPED: no OpenCL device here\n");
    }
    float *expected = malloc(100000 * sizeof *expected);
    float *actual = malloc(100000 * sizeof *actual);
    assert_non_null(expected);
    assert_non_null(actual);
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        for (int d = 0; d < device_count; d++) {
            double worst_db = 0.0;
            for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++) {
                for (uint64_t seed = 1; seed <= 3; seed++) {
                    cases[c].run(shared_context, host, seed, sizes[s], expected);
                    cases[c].run(shared_context, devices[d], seed, sizes[s], actual);
                    worst_db = fmax(worst_db, compare(&cases[c], &infos[d], seed, sizes[s], expected, actual));
                }
            }
            print_message("%s on %s (%s): worst difference %.3g dB, seeds 1 to 3\n", cases[c].name, infos[d].id,
                          infos[d].name, worst_db);
        }
    }
    free(actual);
    free(expected);
    for (int d = 0; d < device_count; d++) {
        rcity_device_close(&devices[d]);
    }
    rcity_device_close(&host);
}

/* Times of the same work, for people. */
static void bench(void)
{
    enum { COUNT = 4000000 };
    float *value = malloc(COUNT * sizeof *value);
    static rcity_device_info infos[DEVICE_MAX];
    int count = 0;
    assert_non_null(value);
    assert_ok(shared_context, rcity_device_list(shared_context, DEVICE_MAX, infos, &count));
    for (int i = 0; i < count && i < DEVICE_MAX; i++) {
        if (!infos[i].is_usable) {
            continue;
        }
        rcity_device *device = NULL;
        assert_ok(shared_context, rcity_device_open(shared_context, infos[i].id, &device));
        for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
            rcity_device_times before;
            rcity_device_times after;
            cases[c].run(shared_context, device, 1, COUNT, value); /* warm */
            rcity_device_get_times(device, &before);
            double start_s = rcity_clock_s();
            cases[c].run(shared_context, device, 1, COUNT, value);
            double wall_s = rcity_clock_s() - start_s;
            rcity_device_get_times(device, &after);
            print_message("%-18s %-10s %s: %.4f s in all, kernel %.6f s, up %.6f s, down %.6f s, %d items\n",
                          cases[c].name, infos[i].id, infos[i].name, wall_s, after.kernel_s - before.kernel_s,
                          after.upload_s - before.upload_s, after.download_s - before.download_s, COUNT);
        }
        rcity_device_close(&device);
    }
    free(value);
}

static int make_scene(void **state)
{
    (void)state;
    shared_context = test_context(2);
    const test_box boxes[] = {{0, 0, 20, 20, 20}, {80, 0, 120, 60, 35}, {280, 280, 300, 300, 50}};
    shared_scene = test_scene(shared_context, boxes, 3);
    return 0;
}

static int end_scene(void **state)
{
    (void)state;
    rcity_scene_destroy(&shared_scene);
    rcity_context_destroy(&shared_context);
    return 0;
}

int main(int argc, char **argv)
{
    if (argc > 1 && strcmp(argv[1], "--bench") == 0) {
        make_scene(NULL);
        bench();
        return end_scene(NULL);
    }
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_all)};
    return cmocka_run_group_tests_name("parity", tests, make_scene, end_scene);
}

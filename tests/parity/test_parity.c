/* Every kernel on every device there is, against the host. `--bench` times the same work. */
#include "rcity_test.h"

#include "base/base.h"

#define DEVICE_MAX 32

#define CASE_MAX     64
#define OPTION_MAX   64
#define TOLERANCE_DB 0.001

/* One family of kernels: run a random job of a size on a device; the same seed gives the same job. */
typedef struct parity_case {
    char name[64];
    int method_index;
    rcity_method_info method;
    bool is_points;
} parity_case;

/* The options of a random job: each option that is words has one of them. */
typedef struct random_options {
    const char *name[OPTION_MAX];
    const char *value[OPTION_MAX];
    char word[OPTION_MAX][64];
} random_options;

static rcity_scene *shared_scene;
static rcity_context *shared_context;

/* A raster of item_count cells in one row, or in a square where one row would be too fine; transmitters near and far,
   all frequencies. */
static rcity_request random_request(uint64_t seed, int64_t item_count, double height_m[1])
{
    rcity_request request = rcity_request_default();
    request.transmitter.x_m = test_uniform(seed, 1, 1.0, 299.0);
    request.transmitter.y_m = test_uniform(seed, 2, 1.0, 299.0);
    request.transmitter.height_m = test_uniform(seed, 3, 51.0, 150.0); /* over all roofs, with shadows */
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

/* One of the words between the bars. */
static void pick_word(const char *choices, uint64_t random, char *word, size_t room)
{
    int count = 1;
    for (const char *bar = strchr(choices, '|'); bar != NULL; bar = strchr(bar + 1, '|')) {
        count++;
    }
    for (int skip = (int)(random % (uint64_t)count); skip > 0; skip--) {
        choices = strchr(choices, '|') + 1;
    }
    snprintf(word, room, "%.*s", (int)strcspn(choices, "|"), choices);
}

static void pick_options(const parity_case *parity, uint64_t seed, random_options *options, rcity_request *request)
{
    const rcity_method_info *method = &parity->method;
    assert_true(method->option_count <= OPTION_MAX);
    for (int i = 0; i < method->option_count; i++) {
        rcity_method_option one;
        assert_int_equal(rcity_method_get_option(parity->method_index, i, &one), RCITY_OK);
        const rcity_method_option *option = &one;
        snprintf(options->word[i], sizeof options->word[i], "%s", option->default_value);
        if (option->choices != NULL && strcmp(option->name, "land-cover") != 0 && /* the scene has none */
            strcmp(option->name, "search") != 0 && /* rays need hills; they have a suite of their own */
            strcmp(option->name, "indoor") != 0) { /* not every word of it serves points */
            pick_word(option->choices, test_random(seed, 700 + (uint64_t)i), options->word[i], sizeof options->word[i]);
        }
        options->name[i] = option->name;
        options->value[i] = options->word[i];
    }
    request->method = method->name;
    request->range_policy = RCITY_RANGE_EXTRAPOLATE;
    request->option_count = method->option_count;
    request->option_name = options->name;
    request->option_value = options->value;
}

static void run_cells(const parity_case *parity, rcity_context *context, rcity_device *device, uint64_t seed,
                      int64_t item_count, float *value)
{
    double height_m[1];
    random_options options;
    rcity_request request = random_request(seed, item_count, height_m);
    pick_options(parity, seed, &options, &request);
    rcity_map *map = NULL;
    assert_ok(context, rcity_predict(context, shared_scene, device, &request, &map));
    rcity_raster raster = rcity_map_raster(map);
    assert_int_equal(raster.column_count * raster.row_count, item_count);
    rcity_band band;
    assert_ok(context, rcity_map_get_band(map, 0, &band));
    memcpy(value, band.value, (size_t)item_count * sizeof *value);
    rcity_map_destroy(&map);
}

static void run_points(const parity_case *parity, rcity_context *context, rcity_device *device, uint64_t seed,
                       int64_t item_count, float *value)
{
    double height_m[1];
    random_options options;
    rcity_request request = random_request(seed, 1, height_m);
    pick_options(parity, seed, &options, &request);
    double *xyh_m = malloc((size_t)item_count * 3 * sizeof *xyh_m);
    assert_non_null(xyh_m);
    for (int64_t i = 0; i < item_count; i++) {
        for (uint64_t axis = 0; axis < 3; axis++) {
            xyh_m[3 * i + (int64_t)axis] = test_uniform(seed, 10 + 3 * (uint64_t)i + axis, 1.0, 299.0);
        }
    }
    request.receivers.point_count = item_count;
    request.receivers.xyh_m = xyh_m;
    assert_ok(context, rcity_predict_points(context, shared_scene, device, &request, value, NULL));
    free(xyh_m);
}

static void run_case(const parity_case *parity, rcity_context *context, rcity_device *device, uint64_t seed,
                     int64_t item_count, float *value)
{
    if (parity->is_points) {
        run_points(parity, context, device, seed, item_count, value);
    } else {
        run_cells(parity, context, device, seed, item_count, value);
    }
}

/* Every method of the table that runs on devices, on what it serves. */
static int list_cases(parity_case cases[CASE_MAX])
{
    int count = 0;
    rcity_method_info info;
    for (int i = 0; rcity_method_get(i, &info) == RCITY_OK; i++) {
        if (strcmp(info.name, "images") == 0) {
            continue; /* it has no kernels of its own: whatever the device, it runs on the host */
        }
        for (int kind = 0; kind < 2; kind++) {
            if ((info.serves & (kind == 0 ? RCITY_SERVES_RASTER : RCITY_SERVES_POINTS)) != 0) {
                assert_true(count < CASE_MAX);
                snprintf(cases[count].name, sizeof cases[count].name, "%s %s", info.name,
                         kind == 0 ? "cells" : "points");
                cases[count].method = info;
                cases[count].method_index = i;
                cases[count++].is_points = kind == 1;
            }
        }
    }
    return count;
}

static int open_devices(rcity_device *devices[DEVICE_MAX], rcity_device_info infos[DEVICE_MAX])
{
    int count = 0;
    int deferred_count = 0;
    assert_ok(shared_context, rcity_device_list(shared_context, DEVICE_MAX, infos, &count));
    for (int i = 1; i < count && i < DEVICE_MAX; i++) {
        if (infos[i].is_usable) {
            assert_ok(shared_context, rcity_device_open(shared_context, infos[i].id, &devices[deferred_count]));
            infos[deferred_count++] = infos[i];
        }
    }
    return deferred_count;
}

static double compare(const parity_case *parity, const rcity_device_info *info, uint64_t seed, int64_t count,
                      const float *expected, const float *actual)
{
    double worst_db = 0.0;
    for (int64_t i = 0; i < count; i++) {
        bool is_equal_nan = isnan(expected[i]) && isnan(actual[i]);
        double difference_db = fabs((double)expected[i] - (double)actual[i]);
        if (!is_equal_nan && !(difference_db <= TOLERANCE_DB)) {
            print_error("%s on %s (%s), seed %llu, item %lld of %lld: %.6f dB, the host has %.6f\n", parity->name,
                        info->id, info->name, (unsigned long long)seed, (long long)i, (long long)count,
                        (double)actual[i], (double)expected[i]);
            fail();
        }
        worst_db = is_equal_nan || difference_db < worst_db ? worst_db : difference_db;
    }
    return worst_db;
}

static void test_every_kernel_agrees_with_the_host(void **state)
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
    static parity_case cases[CASE_MAX];
    int case_count = list_cases(cases);
    for (int c = 0; c < case_count; c++) {
        for (int d = 0; d < device_count; d++) {
            double worst_db = 0.0;
            bool is_long = (cases[c].method.serves & RCITY_SERVES_SURFACES) != 0; /* these have suites of their own */
            for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++) {
                for (uint64_t seed = 1; seed <= 3; seed++) {
                    if (is_long && (sizes[s] > 257 || seed != 1 + s % 3)) {
                        continue;
                    }
                    run_case(&cases[c], shared_context, host, seed, sizes[s], expected);
                    run_case(&cases[c], shared_context, devices[d], seed, sizes[s], actual);
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
    static parity_case cases[CASE_MAX];
    int case_count = list_cases(cases);
    assert_ok(shared_context, rcity_device_list(shared_context, DEVICE_MAX, infos, &count));
    for (int i = 0; i < count && i < DEVICE_MAX; i++) {
        if (!infos[i].is_usable) {
            continue;
        }
        rcity_device *device = NULL;
        assert_ok(shared_context, rcity_device_open(shared_context, infos[i].id, &device));
        for (int c = 0; c < case_count; c++) {
            rcity_device_times before;
            rcity_device_times after;
            run_case(&cases[c], shared_context, device, 1, COUNT, value); /* warm */
            rcity_device_get_times(device, &before);
            double start_s = rcity_clock_s();
            run_case(&cases[c], shared_context, device, 1, COUNT, value);
            double wall_s = rcity_clock_s() - start_s;
            rcity_device_get_times(device, &after);
            print_message("%-24s %-10s %s: %.4f s in all, kernel %.6f s, up %.6f s, down %.6f s, %d items\n",
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

TEST_SUITE(parity)
{
    if (test_is_called_with("--bench")) {
        make_scene(NULL);
        bench();
        return end_scene(NULL);
    }
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_every_kernel_agrees_with_the_host)};
    return cmocka_run_group_tests_name("parity", tests, make_scene, end_scene);
}

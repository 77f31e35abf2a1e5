/* Maps of `beams` against its paths to the same places one by one, which are those of `images`. */
#include "rcity_test.h"
#include "sight_cases.h"

#define CITY_COUNT 6
#define POINTS     200

static const uint64_t seed = 20261121;

static rcity_request ask(uint64_t number, const char *const *names, const char *const *values, int count)
{
    rcity_request request = rcity_request_default();
    request.method = "beams";
    request.transmitter.x_m = 150.0 + test_uniform(seed, 2 * number, -10.0, 10.0);
    request.transmitter.y_m = 150.0 + test_uniform(seed, 2 * number + 1, -10.0, 10.0);
    request.transmitter.height_m = number % 2 == 0 ? 10.0 : 40.0;
    request.transmitter.frequency_hz = 2.1e9;
    request.transmitter.power_dbm = 30.0;
    request.option_name = names;
    request.option_value = values;
    request.option_count = count;
    return request;
}

static rcity_band find_band(const rcity_map *map, const char *name)
{
    rcity_band band;
    for (int i = 0; i < rcity_map_band_count(map); i++) {
        assert_int_equal(rcity_map_get_band(map, i, &band), RCITY_OK);
        if (strcmp(band.name, name) == 0) {
            return band;
        }
    }
    fail_msg("no band %s", name);
    return band;
}

/* Each cell of a map against a point at its centre. */
static void compare(rcity_context *context, rcity_scene *scene, rcity_device *device, rcity_request request,
                    double other_max)
{
    rcity_map *map = NULL;
    request.receivers.cell_m = 11.3;
    assert_ok(context, rcity_predict(context, scene, device, &request, &map));
    rcity_raster raster = rcity_map_raster(map);
    rcity_band loss = find_band(map, "path_loss");
    rcity_band spread = find_band(map, "delay_spread");
    rcity_band paths = find_band(map, "path_count");
    int64_t count = raster.column_count * raster.row_count;
    double *xyh_m = calloc((size_t)count * 3, sizeof *xyh_m);
    assert_non_null(xyh_m);
    for (int64_t i = 0; i < count; i++) {
        xyh_m[3 * i] = raster.west_m + ((double)(i % raster.column_count) + 0.5) * raster.cell_m;
        xyh_m[3 * i + 1] = raster.north_m - ((double)(i / raster.column_count) + 0.5) * raster.cell_m;
        xyh_m[3 * i + 2] = 1.5;
    }
    request.receivers.point_count = count;
    request.receivers.xyh_m = xyh_m;
    request.option_count--; /* paths know nothing of surroundings */
    rcity_rays *rays = NULL;
    assert_ok(context, rcity_rays_find(context, scene, device, &request, &rays));
    double worst_db = 0.0;
    double worst_ns = 0.0;
    long both = 0;
    long one = 0;
    long other_paths =
        0; /* sight is tested on a grid of 8 mm: a path that passes a corner so near may be decided either way */
    for (int64_t i = 0; i < count; i++) {
        rcity_receiver_summary summary;
        assert_int_equal(rcity_rays_get_receiver(rays, i, &summary), RCITY_OK);
        bool is_reached = summary.path_count > 0;
        bool is_valued = !isnan(loss.value[i]);
        bool is_same = is_reached && is_valued && (int64_t)paths.value[i] == summary.path_count;
        both += is_reached && is_valued;
        one += is_reached != is_valued;
        other_paths += is_reached && is_valued && !is_same;
        if (is_same) {
            worst_db = fmax(worst_db, fabs((double)loss.value[i] - summary.grouped_loss_db));
            worst_ns = fmax(worst_ns, fabs((double)spread.value[i] - summary.delay_spread_s * 1e9));
        }
    }
    print_message(
        "%ld cells with paths in both, %ld in one, %ld with other paths; worst of all others %.2g dB, %.2g ns\n", both,
        one, other_paths, worst_db, worst_ns);
    assert_true(both > 30);
    assert_int_equal(one, 0);
    assert_true((double)other_paths <= other_max * (double)both);
    assert_true(worst_db < 0.1);
    assert_true(worst_ns < 1.0);
    rcity_rays_destroy(&rays);
    free(xyh_m);
    rcity_map_destroy(&map);
}

static void test_cells_equal_points(void **state)
{
    (void)state;
    static const rcity_city_kind kinds[] = {RCITY_CITY_CORE, RCITY_CITY_GRID};
    static const char *const names[] = {"max-reflections", "max-diffractions",  "path-range-db",
                                        "over-roofs",      "max-transmissions", "surroundings"};
    static const char *const values[CITY_COUNT][6] = {
        {"2", "1", "300", "off", "0", "off"}, {"3", "0", "300", "off", "0", "off"},
        {"1", "2", "300", "off", "0", "off"}, {"2", "1", "300", "off", "0", "off"},
        {"0", "1", "300", "off", "1", "off"}, {"1", "0", "300", "off", "2", "off"}};
    for (uint64_t number = 0; number < CITY_COUNT; number++) {
        rcity_context *context = test_context(2);
        rcity_scene *scene = NULL;
        rcity_device *device = NULL;
        rcity_city_options options = rcity_city_options_default();
        options.kind = kinds[number % 2];
        options.area_km2 = 0.1;
        options.seed = number;
        assert_ok(context, rcity_city_make(context, &options, &scene));
        assert_ok(context, rcity_device_open(context, "host", &device));
        /* of a thousand paths one may differ; one between two edges is the same for many cells */
        double other_max = strcmp(values[number][1], "2") == 0 ? 0.25 : 0.06;
        compare(context, scene, device, ask(number, names, values[number], 6), other_max);
        test_close(&context, &scene, &device);
    }
}

static void open_city(uint64_t number, int thread_count, rcity_context **context, rcity_scene **scene,
                      rcity_device **device)
{
    rcity_city_options options = rcity_city_options_default();
    *context = test_context(thread_count);
    *scene = NULL;
    *device = NULL;
    options.area_km2 = 0.1;
    options.seed = number;
    assert_ok(*context, rcity_city_make(*context, &options, scene));
    assert_ok(*context, rcity_device_open(*context, "host", device));
}

/* Paths through walls as `images` has them: as many, as strong and as late. */
static void test_walls_are_those_of_images(void **state)
{
    (void)state;
    static const char *const names[] = {"max-reflections", "max-diffractions", "max-transmissions", "over-roofs",
                                        "roofs"};
    static const char *const values[] = {"2", "0", "2", "off", "off"};
    rcity_context *context;
    rcity_scene *scene;
    rcity_device *device;
    open_city(4, 2, &context, &scene, &device);
    double *xyh_m = calloc(POINTS * 3, sizeof *xyh_m);
    assert_non_null(xyh_m);
    for (uint64_t i = 0; i < POINTS; i++) {
        xyh_m[3 * i] = test_uniform(seed, 1000 + 2 * i, 0.0, 300.0);
        xyh_m[3 * i + 1] = test_uniform(seed, 1001 + 2 * i, 0.0, 300.0);
        xyh_m[3 * i + 2] = 1.5;
    }
    rcity_request request = ask(4, names, values, 5);
    rcity_rays *exact = NULL;
    rcity_rays *beams = NULL;
    request.receivers.point_count = POINTS;
    request.receivers.xyh_m = xyh_m;
    request.method = "images";
    assert_ok(context, rcity_rays_find(context, scene, device, &request, &exact));
    request.method = "beams";
    request.option_count--; /* whose roofs never reflect */
    assert_ok(context, rcity_rays_find(context, scene, device, &request, &beams));
    long both = 0;
    for (int64_t i = 0; i < POINTS; i++) {
        rcity_receiver_summary a, b;
        assert_int_equal(rcity_rays_get_receiver(exact, i, &a), RCITY_OK);
        assert_int_equal(rcity_rays_get_receiver(beams, i, &b), RCITY_OK);
        assert_int_equal(a.state, b.state);
        assert_int_equal(a.path_count, b.path_count);
        if (a.path_count > 0) {
            both += a.path_count;
            assert_near(a.grouped_loss_db, b.grouped_loss_db, 0.001);
            assert_near(a.mean_delay_s * 1e9, b.mean_delay_s * 1e9, 0.001);
        }
    }
    print_message("%ld paths in both\n", both);
    assert_true(both > 200);
    rcity_rays_destroy(&beams);
    rcity_rays_destroy(&exact);
    free(xyh_m);
    test_close(&context, &scene, &device);
}

/* The same bytes on any number of threads. */
static void test_threads_do_not_matter(void **state)
{
    (void)state;
    static const char *const names[] = {"max-reflections", "max-diffractions", "max-transmissions", "inside-index"};
    static const char *const values[] = {"0", "1", "1", "1.2"};
    static const char *const bands[] = {"path_loss", "mean_delay", "path_count"};
    float *first[3] = {NULL, NULL, NULL};
    for (int threads = 1; threads <= 3; threads += 2) {
        rcity_context *context;
        rcity_scene *scene;
        rcity_device *device;
        rcity_map *map = NULL;
        open_city(5, threads, &context, &scene, &device);
        rcity_request request = ask(5, names, values, 4);
        request.receivers.cell_m = 17.0;
        assert_ok(context, rcity_predict(context, scene, device, &request, &map));
        rcity_raster raster = rcity_map_raster(map);
        size_t bytes = (size_t)(raster.column_count * raster.row_count) * sizeof(float);
        for (int i = 0; i < 3; i++) {
            rcity_band band = find_band(map, bands[i]);
            if (threads == 1) {
                first[i] = malloc(bytes);
                assert_non_null(first[i]);
                memcpy(first[i], band.value, bytes);
            }
            assert_memory_equal(first[i], band.value, bytes);
        }
        rcity_map_destroy(&map);
        test_close(&context, &scene, &device);
    }
    for (int i = 0; i < 3; i++) {
        free(first[i]);
    }
}

static void test_bad_numbers_of_walls(void **state)
{
    (void)state;
    static const char *const names[] = {"max-transmissions", "inside-index", "inside-db-per-m", "transmission-loss-db"};
    static const char *const bad[] = {"1.5", "0.5", "-1", "100"};
    static const char *const too_many[] = {"5", "11", "21", "-1"};
    rcity_context *context;
    rcity_scene *scene;
    rcity_device *device;
    open_city(4, 1, &context, &scene, &device);
    for (int i = 0; i < 8; i++) {
        rcity_map *map = NULL;
        const char *const *values = i < 4 ? bad : too_many;
        rcity_request request = ask(4, &names[i % 4], &values[i % 4], 1);
        request.receivers.cell_m = 50.0;
        assert_int_equal(rcity_predict(context, scene, device, &request, &map), RCITY_ERR_ARGUMENT);
        assert_non_null(strstr(rcity_context_message(context), names[i % 4]));
        assert_null(map);
    }
    const char *name = "indoor";
    const char *value = "walls";
    rcity_map *map = NULL;
    rcity_request request = ask(4, &name, &value, 1);
    request.receivers.cell_m = 50.0;
    assert_int_equal(rcity_predict(context, scene, device, &request, &map), RCITY_ERR_ARGUMENT);
    assert_non_null(strstr(rcity_context_message(context), "max-transmissions"));
    test_close(&context, &scene, &device);
}

enum { HILL_POINTS = 150 };

/* How many reflected paths a method has to some points. */
static void count_paths(rcity_context *context, rcity_scene *scene, rcity_device *device, rcity_request request,
                        const char *method, int option_count, long counts[HILL_POINTS])
{
    rcity_rays *rays = NULL;
    request.method = method;
    request.option_count = option_count;
    assert_ok(context, rcity_rays_find(context, scene, device, &request, &rays));
    for (int64_t i = 0; i < HILL_POINTS; i++) {
        rcity_receiver_summary summary;
        assert_int_equal(rcity_rays_get_receiver(rays, i, &summary), RCITY_OK);
        counts[i] = (long)summary.path_count;
    }
    rcity_rays_destroy(&rays);
}

/* In hills beams go by the heights of the receivers, which stand below masts and above them. */
static void test_points_in_hills(void **state)
{
    (void)state;
    static const char *const names[] = {"max-reflections", "max-diffractions", "over-roofs", "ground", "roofs"};
    static const char *const values[] = {"2", "0", "off", "off", "off"};
    long paths = 0;
    long others = 0;
    for (uint64_t number = 0; number < 6; number++) {
        rcity_context *context = test_context(2);
        rcity_scene *scene = sight_city(context, RCITY_CITY_HIGHRISE, number, 0.1);
        rcity_device *device = NULL;
        double xyh_m[3 * HILL_POINTS];
        long counts[2][HILL_POINTS];
        assert_ok(context, rcity_device_open(context, "host", &device));
        rcity_request request = ask(number, names, values, 5);
        request.transmitter.height_m = 20.0 + 25.0 * (double)number;
        for (int i = 0; i < HILL_POINTS; i++) {
            xyh_m[3 * i] = test_uniform(seed + number, 3 * (uint64_t)i, 20.0, 230.0);
            xyh_m[3 * i + 1] = test_uniform(seed + number, 3 * (uint64_t)i + 1, 20.0, 230.0);
            xyh_m[3 * i + 2] = test_uniform(seed + number, 3 * (uint64_t)i + 2, 1.0, 20.0);
        }
        request.receivers.point_count = HILL_POINTS;
        request.receivers.xyh_m = xyh_m;
        count_paths(context, scene, device, request, "beams", 4, counts[0]);
        count_paths(context, scene, device, request, "images", 5, counts[1]);
        for (int i = 0; i < HILL_POINTS; i++) {
            paths += counts[1][i];
            others += counts[0][i] != counts[1][i];
        }
        test_close(&context, &scene, &device);
    }
    print_message("%ld paths, %ld places with others\n", paths, others);
    assert_true(paths > 500);
    assert_int_equal(others, 0);
}

TEST_SUITE(beams_raster)
{
    print_message("seed %llu\n", (unsigned long long)seed);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cells_equal_points),    cmocka_unit_test(test_walls_are_those_of_images),
        cmocka_unit_test(test_threads_do_not_matter), cmocka_unit_test(test_bad_numbers_of_walls),
        cmocka_unit_test(test_points_in_hills),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

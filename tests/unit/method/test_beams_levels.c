/* Levels of `beams` as planners get them: over roofs, drawn toward the mean of the surroundings. Maps against points, and
   both against `tiles` where only the direct ray and paths over roofs exist. */
#include "rcity_test.h"

#include "kernel/surroundings/surroundings_ground.h"

#define LIGHT       299792458.0
#define OPTION_MAX  12
#define POINT_COUNT 600

static const uint64_t seed = 20261119;

typedef struct trial {
    rcity_context *context;
    rcity_scene *scene;
    rcity_device *device;
    rcity_antenna *antenna;
    double frequency_hz;
} trial;

static trial open_city(int threads, rcity_city_kind kind)
{
    trial on;
    memset(&on, 0, sizeof on);
    on.context = test_context(threads);
    on.frequency_hz = 2.1e9;
    rcity_city_options options = rcity_city_options_default();
    options.kind = kind;
    options.area_km2 = 0.1;
    options.seed = 5;
    assert_ok(on.context, rcity_city_make(on.context, &options, &on.scene));
    assert_ok(on.context, rcity_device_open(on.context, "host", &on.device));
    assert_ok(on.context, rcity_antenna_create(on.context, "3gpp", &on.antenna));
    return on;
}

static void close_city(trial *on)
{
    rcity_antenna_destroy(&on->antenna);
    test_close(&on->context, &on->scene, &on->device);
}

/* `words`: names and values of options in turn, NULL after the last. */
static rcity_request ask(const trial *on, const char *method, const char *const *words, const char **names,
                         const char **values)
{
    rcity_request request = rcity_request_default();
    request.method = method;
    request.transmitter.x_m = 151.3;
    request.transmitter.y_m = 148.7;
    request.transmitter.height_m = 25.0;
    request.transmitter.frequency_hz = on->frequency_hz;
    request.transmitter.power_dbm = 30.0;
    request.transmitter.antenna = on->antenna;
    request.transmitter.azimuth_deg = 40.0;
    request.transmitter.electrical_tilt_deg = 6.0;
    request.option_name = names;
    request.option_value = values;
    for (; words[2 * request.option_count] != NULL; request.option_count++) {
        names[request.option_count] = words[2 * request.option_count];
        values[request.option_count] = words[2 * request.option_count + 1];
    }
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

static rcity_map *make_map(const trial *on, const char *const *words)
{
    const char *names[OPTION_MAX];
    const char *values[OPTION_MAX];
    rcity_map *map = NULL;
    rcity_request request = ask(on, "beams", words, names, values);
    request.receivers.cell_m = 9.7;
    assert_ok(on->context, rcity_predict(on->context, on->scene, on->device, &request, &map));
    return map;
}

static void predict(const trial *on, const char *method, const char *const *words, int64_t count, const double *xyh_m,
                    float *loss_db, float *received_dbm)
{
    const char *names[OPTION_MAX];
    const char *values[OPTION_MAX];
    rcity_request request = ask(on, method, words, names, values);
    request.receivers.point_count = count;
    request.receivers.xyh_m = xyh_m;
    assert_ok(on->context, rcity_predict_points(on->context, on->scene, on->device, &request, loss_db, received_dbm));
}

/* Points at the centres of a map's cells. */
static double *centres(const rcity_map *map, int64_t *count)
{
    rcity_raster raster = rcity_map_raster(map);
    *count = raster.column_count * raster.row_count;
    double *xyh_m = calloc((size_t)*count * 3, sizeof *xyh_m);
    assert_non_null(xyh_m);
    for (int64_t i = 0; i < *count; i++) {
        xyh_m[3 * i] = raster.west_m + ((double)(i % raster.column_count) + 0.5) * raster.cell_m;
        xyh_m[3 * i + 1] = raster.north_m - ((double)(i / raster.column_count) + 0.5) * raster.cell_m;
        xyh_m[3 * i + 2] = 1.5;
    }
    return xyh_m;
}

/* Cells and points; a cell in twenty may have another path, which passes a corner within millimetres. */
static void compare_map(const char *const *words)
{
    trial on = open_city(2, RCITY_CITY_CORE);
    rcity_map *map = make_map(&on, words);
    rcity_band loss = find_band(map, "path_loss");
    rcity_band received = find_band(map, "received_power");
    rcity_band delay = find_band(map, "mean_delay");
    int64_t count;
    double *xyh_m = centres(map, &count);
    float *loss_db = calloc((size_t)count, sizeof *loss_db);
    float *received_dbm = calloc((size_t)count, sizeof *received_dbm);
    assert_true(loss_db != NULL && received_dbm != NULL);
    predict(&on, "beams", words, count, xyh_m, loss_db, received_dbm);
    long both = 0;
    long other = 0;
    long delays = 0;
    for (int64_t i = 0; i < count; i++) {
        assert_int_equal(isnan(loss.value[i]), isnan(loss_db[i]));
        assert_int_equal(isnan(received.value[i]), isnan(received_dbm[i]));
        if (isnan(loss_db[i])) {
            continue;
        }
        both++;
        delays += !isnan(delay.value[i]);
        other += fabsf(loss.value[i] - loss_db[i]) > 0.1f || fabsf(received.value[i] - received_dbm[i]) > 0.1f;
    }
    print_message("%ld cells, %ld with paths, %ld with other levels than points\n", both, delays, other);
    assert_true(both > 200);
    assert_true(20 * other <= both);
    free(received_dbm);
    free(loss_db);
    free(xyh_m);
    rcity_map_destroy(&map);
    close_city(&on);
}

static void test_cells_equal_points(void **state)
{
    (void)state;
    compare_map((const char *const[]){"max-reflections", "2", NULL});
    compare_map((const char *const[]){"max-reflections", "2", "sum", "power", NULL});
    compare_map((const char *const[]){"max-reflections", "1", "surroundings", "off", NULL});
    compare_map((const char *const[]){"max-reflections", "1", "sum", "coherent", NULL});
    compare_map((const char *const[]){"max-reflections", "1", "over-roofs", "off", "diffracted-db", "-6", NULL});
}

/* Every outdoor cell of a city has a level. */
static void test_all_cells_have_levels(void **state)
{
    (void)state;
    trial on = open_city(2, RCITY_CITY_CORE);
    rcity_map *map = make_map(
        &on, (const char *const[]){"max-reflections", "1", "surroundings", "off", "path-range-db", "300", NULL});
    rcity_map *alone = make_map(&on, (const char *const[]){"max-reflections", "1", "surroundings", "off",
                                                           "path-range-db", "300", "over-roofs", "off", NULL});
    rcity_band with = find_band(map, "path_loss");
    rcity_band without = find_band(alone, "path_loss");
    rcity_band count_with = find_band(map, "path_count");
    rcity_band count_without = find_band(alone, "path_count");
    rcity_band mechanism = find_band(map, "mechanism");
    rcity_raster raster = rcity_map_raster(map);
    long new_count = 0;
    for (int64_t i = 0; i < raster.column_count * raster.row_count; i++) {
        if (isnan(without.value[i])) {
            new_count += !isnan(with.value[i]);
            assert_true(isnan(with.value[i]) || (int)mechanism.value[i] == RCITY_MECHANISM_ROOF);
            continue;
        }
        assert_true(with.value[i] <= without.value[i]);
        float more = count_with.value[i] - count_without.value[i];
        assert_true(more == 0.0f || more == 1.0f);
    }
    print_message("%ld cells have a level by paths over roofs alone\n", new_count);
    assert_true(new_count > 20);
    rcity_map_destroy(&alone);
    rcity_map_destroy(&map);
    close_city(&on);
}

/* Without reflections and diffractions `beams` and `tiles` have the same: the direct ray and the path over roofs, with the
   antenna's gain where each leaves; and the same law. */
static void compare_tiles(const char *surroundings)
{
    trial on = open_city(2, RCITY_CITY_GRID);
    on.frequency_hz = 4e8; /* so that edges reach into many Fresnel zones */
    double xyh_m[3 * POINT_COUNT];
    float loss_db[2][POINT_COUNT];
    float received_dbm[2][POINT_COUNT];
    for (uint64_t i = 0; i < POINT_COUNT; i++) {
        xyh_m[3 * i] = test_uniform(seed, 3 * i, 5.0, 315.0);
        xyh_m[3 * i + 1] = test_uniform(seed, 3 * i + 1, 5.0, 315.0);
        xyh_m[3 * i + 2] = 1.5;
    }
    predict(&on, "beams",
            (const char *const[]){"max-reflections", "0", "max-diffractions", "0", "sum", "power", "surroundings",
                                  surroundings, "ground", "off", "roofs-db", "-3", NULL},
            POINT_COUNT, xyh_m, loss_db[0], received_dbm[0]);
    predict(&on, "tiles",
            (const char *const[]){"max-bounces", "0", "scattering", "off", "tile-area-m2", "1000", "surroundings",
                                  surroundings, "roofs-db", "-3", NULL},
            POINT_COUNT, xyh_m, loss_db[1], received_dbm[1]);
    double worst_db = 0.0;
    long both = 0;
    for (int i = 0; i < POINT_COUNT; i++) {
        assert_int_equal(isnan(loss_db[0][i]), isnan(loss_db[1][i]));
        if (loss_db[0][i] < 160.0f) { /* tiles count powers in whole units */
            both++;
            worst_db = fmax(worst_db, fabs((double)loss_db[0][i] - (double)loss_db[1][i]));
            worst_db = fmax(worst_db, fabs((double)received_dbm[0][i] - (double)received_dbm[1][i]));
        }
    }
    print_message("surroundings %s: %ld points, worst %.2g dB from tiles\n", surroundings, both, worst_db);
    assert_true(both > 250);
    assert_true(worst_db < 0.01);
    close_city(&on);
}

static void test_direct_and_roofs_equal_tiles(void **state)
{
    (void)state;
    compare_tiles("off");
    compare_tiles("on");
}

/* An empty plain: free space and the ground law, no diffuse path; or the paper's law. */
static void test_empty_plain(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    const test_box boxes[] = {{-5000.0, -5000.0, -4999.5, -4999.5, 0.5}, {5000.0, 5000.0, 5000.5, 5000.5, 0.5}};
    rcity_scene *scene = test_scene(context, boxes, 2);
    rcity_device *device = NULL;
    assert_ok(context, rcity_device_open(context, "host", &device));
    const double tx_height_m = 12.0;
    const double rx_height_m = 2.0;
    const double frequency_hz = 2.1e9;
    double xyh_m[3 * 20];
    float loss_db[20];
    for (int i = 0; i < 20; i++) {
        xyh_m[3 * i] = 20.0 * pow(1.3, i);
        xyh_m[3 * i + 1] = 1.0;
        xyh_m[3 * i + 2] = rx_height_m;
    }
    rcity_request request = rcity_request_default();
    request.method = "beams";
    request.transmitter.height_m = tx_height_m;
    request.transmitter.frequency_hz = frequency_hz;
    request.receivers.point_count = 20;
    request.receivers.xyh_m = xyh_m;
    assert_ok(context, rcity_predict_points(context, scene, device, &request, loss_db, NULL));
    float paper_db[20];
    static const char *const names[] = {"law", "exponent", "constant-db", "ground"};
    static const char *const values[] = {"paper", "3", "31", "off"};
    request.option_count = 4;
    request.option_name = names;
    request.option_value = values;
    assert_ok(context, rcity_predict_points(context, scene, device, &request, paper_db, NULL));
    for (int i = 0; i < 20; i++) {
        double length_m = sqrt(xyh_m[3 * i] * xyh_m[3 * i] + 1.0 + 100.0);
        double free_db = 20.0 * log10(4.0 * 3.14159265358979 * length_m * frequency_hz / LIGHT);
        double ground_db = (double)rcity_surroundings_ground_db(
            rcity_surroundings_flat_make((float)(LIGHT / frequency_hz), (float)length_m, (float)tx_height_m,
                                         (float)rx_height_m, (float)(rx_height_m - tx_height_m)),
            0.0f);
        assert_near((double)loss_db[i], free_db + ground_db, 0.01);
        assert_near((double)paper_db[i], 30.0 * log10(length_m) + 31.0, 0.01); /* its equation 3 */
    }
    test_close(&context, &scene, &device);
}

static void test_threads_do_not_matter(void **state)
{
    (void)state;
    rcity_map *maps[2] = {NULL, NULL};
    for (int i = 0; i < 2; i++) {
        trial on = open_city(i == 0 ? 1 : 3, RCITY_CITY_CORE);
        maps[i] = make_map(&on, (const char *const[]){"max-reflections", "1", NULL});
        int64_t count;
        double *xyh_m = centres(maps[i], &count);
        rcity_band loss = find_band(maps[i], "path_loss");
        static float first[4096];
        static float first_points[4096];
        float *points = calloc((size_t)count, sizeof *points);
        assert_true(points != NULL && count <= 4096);
        predict(&on, "beams", (const char *const[]){"max-reflections", "1", NULL}, count, xyh_m, points, NULL);
        if (i == 0) {
            memcpy(first, loss.value, (size_t)count * sizeof *first);
            memcpy(first_points, points, (size_t)count * sizeof *first);
        }
        assert_memory_equal(first, loss.value, (size_t)count * sizeof *first);
        assert_memory_equal(first_points, points, (size_t)count * sizeof *first);
        free(points);
        free(xyh_m);
        rcity_map_destroy(&maps[i]);
        close_city(&on);
    }
}

static rcity_scene *make_corner(rcity_context *context)
{
    const test_box boxes[] = {{0, 0, 30, 20, 15}, {45, 5, 70, 35, 20}};
    return test_scene(context, boxes, 2);
}

static rcity_request ask_corner(void)
{
    static const double points[] = {37.0, 30.0, 1.5, 60.0, -8.0, 1.5, 10.0, 40.0, 1.5};
    rcity_request request = rcity_request_default();
    request.method = "beams";
    request.transmitter.x_m = 38.0;
    request.transmitter.y_m = -6.0;
    request.transmitter.height_m = 6.0;
    request.transmitter.power_dbm = 30.0;
    request.receivers.point_count = 3;
    request.receivers.xyh_m = points;
    static const char *const name = "max-reflections";
    static const char *const value = "1";
    request.option_count = 1;
    request.option_name = &name;
    request.option_value = &value;
    return request;
}

typedef rcity_status (*work_function)(rcity_context *context, const rcity_scene *scene, rcity_device *device);

static rcity_status predict_points(rcity_context *context, const rcity_scene *scene, rcity_device *device)
{
    float loss_db[3] = {-7.0f, -7.0f, -7.0f};
    rcity_request request = ask_corner();
    rcity_status status = rcity_predict_points(context, scene, device, &request, loss_db, NULL);
    for (int i = 0; i < 3; i++) {
        assert_true((status == RCITY_OK) == (loss_db[i] != -7.0f));
    }
    return status;
}

static rcity_status predict_raster(rcity_context *context, const rcity_scene *scene, rcity_device *device)
{
    rcity_map *map = NULL;
    rcity_request request = ask_corner();
    request.receivers.point_count = 0;
    request.receivers.cell_m = 15.0;
    rcity_status status = rcity_predict(context, scene, device, &request, &map);
    assert_true((status == RCITY_OK) == (map != NULL));
    rcity_map_destroy(&map);
    return status;
}

static rcity_status find_rays(rcity_context *context, const rcity_scene *scene, rcity_device *device)
{
    rcity_rays *rays = NULL;
    rcity_request request = ask_corner();
    rcity_status status = rcity_rays_find(context, scene, device, &request, &rays);
    assert_true((status == RCITY_OK) == (rays != NULL));
    rcity_rays_destroy(&rays);
    return status;
}

static const struct {
    const char *name;
    work_function run;
} works[] = {{"points", predict_points}, {"raster", predict_raster}, {"rays", find_rays}};

enum { WORKS = (int)(sizeof works / sizeof works[0]) };

/* The n-th allocation fails, for every n until the work succeeds. */
static void test_every_allocation_may_fail(void **state)
{
    (void)state;
    for (int k = 0; k < WORKS; k++) {
        failing_allocator failing = {0, 0, 0};
        rcity_context *context = test_context_failing(&failing, 2);
        rcity_scene *scene = make_corner(context);
        rcity_device *device = NULL;
        assert_ok(context, rcity_device_open(context, "host", &device));
        long live = failing.live_count;
        uint64_t used = rcity_context_memory_used(context);
        rcity_status status = RCITY_ERR_MEMORY;
        long n = 0;
        while (status != RCITY_OK) {
            failing.call_count = 0;
            failing.fail_at = ++n;
            status = works[k].run(context, scene, device);
            if (status != RCITY_OK) {
                assert_status(context, status, RCITY_ERR_MEMORY);
            }
            assert_int_equal(failing.live_count, live);
            assert_int_equal(rcity_context_memory_used(context), used);
        }
        print_message("%s: %ld allocations, each failed once\n", works[k].name, n - 1);
        assert_true(n > 40);
        failing.fail_at = 0;
        test_close(&context, &scene, &device);
    }
}

TEST_SUITE(beams_levels)
{
    print_message("seed %llu\n", (unsigned long long)seed);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cells_equal_points),           cmocka_unit_test(test_all_cells_have_levels),
        cmocka_unit_test(test_direct_and_roofs_equal_tiles), cmocka_unit_test(test_empty_plain),
        cmocka_unit_test(test_threads_do_not_matter),        cmocka_unit_test(test_every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* The method over terrain as a whole: profiles of a scene, obstacles, ranges, the same bits, failures. */
#include "terrain_stage.h"

#include "base/base.h"

#define AT_GRAZING_DB 6.03f /* J(0), ITU-R P.526-15, equation (31) */
#define NODES         41
#define CELL_M        30.0
#define MIDDLE_M      600.0
#define HIDDEN        0.0f
#define AS_DIRECT     ((float)RCITY_MECHANISM_DIRECT)
#define AS_ROOF       ((float)RCITY_MECHANISM_ROOF)
#define AS_HILL       ((float)RCITY_MECHANISM_HILL)

static const uint64_t seed = 17;
static const terrain_hills hills = {NODES, CELL_M, 40.0, 0.3, 0.23, 3.0, 17};

/* What a prediction is asked with. */
typedef struct asked {
    const char *name[4], *value[4];
    int count;
    double tx_m[3];
    double frequency_hz;
} asked;

static asked ask(const char *loss)
{
    asked made = {{"loss"}, {loss}, 1, {MIDDLE_M, MIDDLE_M - 7.0, 15.0}, 900e6};
    return made;
}

static rcity_request request_of(const asked *from)
{
    rcity_request request = rcity_request_default();
    request.method = "terrain";
    request.transmitter.x_m = from->tx_m[0];
    request.transmitter.y_m = from->tx_m[1];
    request.transmitter.height_m = from->tx_m[2];
    request.transmitter.frequency_hz = from->frequency_hz;
    request.receivers.cell_m = 13.0;
    request.option_count = from->count;
    request.option_name = from->name;
    request.option_value = from->value;
    return request;
}

static rcity_map *predict(const terrain_stage *at, const asked *from)
{
    rcity_request request = request_of(from);
    rcity_map *map = NULL;
    assert_ok(at->context, rcity_predict(at->context, at->scene, at->device, &request, &map));
    return map;
}

/* Loss of one point. */
static double loss_at(const terrain_stage *at, const asked *from, double x_m, double y_m, double height_m)
{
    rcity_request request = request_of(from);
    const double xyh_m[3] = {x_m, y_m, height_m};
    float loss_db = NAN;
    request.receivers.point_count = 1;
    request.receivers.xyh_m = xyh_m;
    assert_ok(at->context, rcity_predict_points(at->context, at->scene, at->device, &request, &loss_db, NULL));
    return (double)loss_db;
}

/* The strongest edge by the scene's own ground, point by point, in double precision. */
static double plain_loss(const terrain_stage *at, const asked *from, double x_m, double y_m, double step_m)
{
    double tx_ground_m, rx_ground_m;
    const double *tx_m = from->tx_m;
    double wavelength_m = 299792458.0 / from->frequency_hz;
    assert_ok(at->context, rcity_scene_get_ground(at->context, at->scene, tx_m[0], tx_m[1], &tx_ground_m));
    assert_ok(at->context, rcity_scene_get_ground(at->context, at->scene, x_m, y_m, &rx_ground_m));
    double tx_z_m = tx_ground_m + tx_m[2];
    double rx_z_m = rx_ground_m + 1.5;
    double plan_m = hypot(x_m - tx_m[0], y_m - tx_m[1]);
    int count = (int)fmax(floor(plan_m / step_m) + 2.0, 4.0);
    double most = -100.0;
    for (int i = 1; i < count - 1; i++) {
        double part = (double)i / (count - 1);
        double ground_m;
        assert_ok(at->context, rcity_scene_get_ground(at->context, at->scene, tx_m[0] + part * (x_m - tx_m[0]),
                                                      tx_m[1] + part * (y_m - tx_m[1]), &ground_m));
        double a = part * plan_m;
        double b = plan_m - a;
        double h = ground_m + a * b / (2.0 * 6371e3 * 4.0 / 3.0) - (tx_z_m * b + rx_z_m * a) / plan_m;
        most = fmax(most, h * sqrt(2.0 * plan_m / (wavelength_m * a * b)));
    }
    double edge_db = most > -0.78 ? 6.9 + 20.0 * log10(sqrt((most - 0.1) * (most - 0.1) + 1.0) + most - 0.1) : 0.0;
    return 20.0 * log10(4.0 * 3.14159265358979 * hypot(plan_m, tx_z_m - rx_z_m) / wavelength_m) + edge_db;
}

static void test_profiles_follow_the_ground(void **state)
{
    (void)state;
    terrain_stage at = terrain_stage_open(2, &hills);
    asked from = ask("knife-edge");
    from.name[1] = "profile-step-m";
    from.count = 2;
    double worst_db = 0.0;
    for (uint64_t i = 0; i < 200; i++) {
        double x_m = test_uniform(seed, 5000 + 2 * i, 1.0, 1199.0);
        double y_m = test_uniform(seed, 5001 + 2 * i, 1.0, 1199.0);
        from.value[1] = i % 2 == 0 ? "cell" : "7.5";
        double expected_db = plain_loss(&at, &from, x_m, y_m, i % 2 == 0 ? CELL_M : 7.5);
        double actual_db = loss_at(&at, &from, x_m, y_m, 1.5);
        assert_near(actual_db, expected_db, 0.05); /* the scene's ground is snapped to 1/128 m in plan */
        worst_db = fmax(worst_db, fabs(actual_db - expected_db));
    }
    print_message("200 points, seed %llu: within %.2g dB\n", (unsigned long long)seed, worst_db);
    test_close(&at.context, &at.scene, &at.device);
}

static void test_points_and_cells_agree(void **state)
{
    (void)state;
    static const char *const losses[] = {"free-space", "two-ray", "bullington", "deygout", "delta-bullington", "p1812"};
    terrain_stage at = terrain_stage_open(2, &hills);
    for (size_t l = 0; l < sizeof losses / sizeof losses[0]; l++) {
        asked from = ask(losses[l]);
        rcity_map *map = predict(&at, &from);
        rcity_raster raster = rcity_map_raster(map);
        const float *loss_db = terrain_stage_band(&at, map, "path_loss");
        for (int64_t cell = 5; cell < raster.column_count * raster.row_count; cell += 997) {
            double x_m = raster.west_m + ((double)(cell % raster.column_count) + 0.5) * raster.cell_m;
            double y_m = raster.north_m - ((double)(cell / raster.column_count) + 0.5) * raster.cell_m;
            if (!isnan(loss_db[cell])) {
                assert_near(loss_at(&at, &from, x_m, y_m, 1.5), loss_db[cell], 0.02);
            }
        }
        rcity_map_destroy(&map);
    }
    test_close(&at.context, &at.scene, &at.device);
}

/* Where the line is free a level is that of free space or below it: nothing on bare hills adds power. */
static void test_sight_is_no_better_than_free_space(void **state)
{
    (void)state;
    static const char *const losses[] = {"two-ray", "knife-edge", "bullington", "deygout", "delta-bullington", "p1812"};
    terrain_stage at = terrain_stage_open(2, &hills);
    asked free_space = ask("free-space");
    rcity_map *least = predict(&at, &free_space);
    rcity_raster raster = rcity_map_raster(least);
    const float *least_db = terrain_stage_band(&at, least, "path_loss");
    for (size_t l = 0; l < sizeof losses / sizeof losses[0]; l++) {
        asked from = ask(losses[l]);
        rcity_map *map = predict(&at, &from);
        const float *loss_db = terrain_stage_band(&at, map, "path_loss");
        const float *edges_db = terrain_stage_band(&at, map, "diffraction_loss");
        const float *sight = terrain_stage_band(&at, map, "line_of_sight");
        const float *mechanism = terrain_stage_band(&at, map, "mechanism");
        int64_t hidden_count = 0;
        int64_t between_count = 0;
        for (int64_t i = 0; i < raster.column_count * raster.row_count; i++) {
            assert_int_equal(isnan(loss_db[i]), isnan(least_db[i]));
            if (isnan(loss_db[i])) {
                continue;
            }
            assert_true(loss_db[i] > least_db[i] - 0.1f); /* P.1812 rounds the constant of free space by 0.05 dB */
            assert_true(edges_db[i] >= 0.0f);
            assert_true(mechanism[i] == (sight[i] == HIDDEN ? AS_HILL : AS_DIRECT));
            hidden_count += sight[i] == HIDDEN;
            if (edges_db[i] >= AT_GRAZING_DB && l > 0) {
                assert_true(loss_db[i] > least_db[i] + 5.8f);
            }
            /* sight is that of the triangles: an edge may lie between two points of the profile */
            between_count += (sight[i] == HIDDEN) != (edges_db[i] >= AT_GRAZING_DB);
        }
        print_message("%s: sight and profile differ in %lld cells, %lld are hidden\n", losses[l],
                      (long long)between_count, (long long)hidden_count);
        assert_true(l > 1 || between_count < hidden_count / 20); /* of one edge; others have the loss of several */
        assert_true(hidden_count > 500 && hidden_count < raster.column_count * raster.row_count - 500);
        rcity_map_destroy(&map);
    }
    rcity_map_destroy(&least);
    test_close(&at.context, &at.scene, &at.device);
}

/* A house, a wood and a class of land block the line where they are asked to. */
static void test_cover(void **state)
{
    (void)state;
    terrain_stage at;
    static uint8_t code[40 * 40];
    terrain_stage_begin(1, &at);
    test_add_box(at.context, at.scene, 1, (test_box){100, 0, 140, 60, 25});
    test_add_box(at.context, at.scene, 2, (test_box){0, 395, 10, 400, 5}); /* the scene's far corner */
    test_add_box(at.context, at.scene, 3, (test_box){390, 390, 400, 400, 5});
    const double wood[] = {100, 100, 140, 100, 140, 160, 100, 160};
    const int wood_points[] = {4};
    const rcity_vegetation trees = {
        .id = 1, .height_m = 18, .ring_count = 1, .ring_point_count = wood_points, .xy_m = wood};
    assert_ok(at.context, rcity_scene_add_vegetation(at.scene, &trees));
    for (int i = 0; i < 40 * 40; i++) {
        code[i] = i % 40 >= 10 && i % 40 < 14 && i / 40 >= 20 && i / 40 < 26 ? 2 : 1;
    }
    const rcity_land_class classes[] = {{.code = 1, .name = "grass"}, {.code = 2, .name = "wood", .height_m = 12}};
    const rcity_land_cover land = {
        .column_count = 40, .row_count = 40, .cell_m = 10, .code = code, .class_count = 2, .classes = classes};
    assert_ok(at.context, rcity_scene_set_land_cover(at.scene, &land));
    assert_ok(at.context, rcity_scene_commit(at.scene));
    asked from = ask("knife-edge");
    from.name[1] = "cover";
    from.name[2] = "profile-step-m";
    from.value[2] = "10";
    from.count = 3;
    from.tx_m[0] = 20.0;
    from.tx_m[2] = 10.0;
    static const struct {
        double y_m;
        bool is_covered;
    } lines[] = {{30, true}, {80, false}, {130, true}, {180, false}, {230, true}, {300, false}};
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        from.tx_m[1] = lines[i].y_m;
        from.value[1] = "none";
        double bare_db = loss_at(&at, &from, 300.0, lines[i].y_m, 1.5);
        from.value[1] = "scene";
        double covered_db = loss_at(&at, &from, 300.0, lines[i].y_m, 1.5);
        assert_true(lines[i].is_covered ? covered_db > bare_db + 8.0 : covered_db == bare_db);
    }
    from.tx_m[1] = 30.0;
    rcity_map *map = predict(&at, &from);
    rcity_raster raster = rcity_map_raster(map);
    const float *mechanism = terrain_stage_band(&at, map, "mechanism");
    int64_t row = (int64_t)((raster.north_m - 30.0) / raster.cell_m);
    assert_true(mechanism[row * raster.column_count + (int64_t)(300.0 / raster.cell_m)] == AS_ROOF);
    assert_true(mechanism[row * raster.column_count + (int64_t)(60.0 / raster.cell_m)] == AS_DIRECT);
    rcity_map_destroy(&map);
    test_close(&at.context, &at.scene, &at.device);
}

static void test_thread_counts_and_runs(void **state)
{
    (void)state;
    static const int threads[] = {1, 3, 8};
    terrain_stage first = terrain_stage_open(1, &hills);
    asked from = ask("p1812");
    rcity_map *expected = predict(&first, &from);
    rcity_raster raster = rcity_map_raster(expected);
    size_t bytes = (size_t)(raster.column_count * raster.row_count) * sizeof(float);
    for (size_t t = 0; t < sizeof threads / sizeof threads[0]; t++) {
        terrain_stage at = terrain_stage_open(threads[t], &hills);
        rcity_map *map = predict(&at, &from);
        for (int b = 0; b < rcity_map_band_count(map); b++) {
            rcity_band want, have;
            assert_ok(at.context, rcity_map_get_band(expected, b, &want));
            assert_ok(at.context, rcity_map_get_band(map, b, &have));
            assert_memory_equal(have.value, want.value, bytes);
        }
        rcity_map_destroy(&map);
        test_close(&at.context, &at.scene, &at.device);
    }
    assert_string_equal(test_find_note(expected, "profile_step"), "30 m");
    rcity_map_destroy(&expected);
    test_close(&first.context, &first.scene, &first.device);
}

/* At the antenna's foot, on the ground, from outside the terrain, over a long way: a number each time. */
static void test_extremes_have_a_loss(void **state)
{
    (void)state;
    static const char *const losses[] = {"free-space", "two-ray", "knife-edge",       "bullington",
                                         "deygout",    "hata",    "delta-bullington", "p1812"};
    terrain_stage at = terrain_stage_open(1, &hills);
    for (size_t l = 0; l < sizeof losses / sizeof losses[0]; l++) {
        for (int place = 0; place < 4; place++) {
            asked from = ask(losses[l]);
            rcity_request request = request_of(&from);
            double xyh_m[3] = {MIDDLE_M, MIDDLE_M - 7.0, place == 0 ? 1.5 : 0.0};
            float loss_db = NAN;
            request.range_policy = RCITY_RANGE_EXTRAPOLATE;
            request.receivers.point_count = 1;
            request.receivers.xyh_m = xyh_m;
            if (place == 2) {
                xyh_m[0] += 1.2;
            } else if (place == 3) {
                request.transmitter.is_absolute = true;
                request.transmitter.x_m = -15000.0;
                request.transmitter.height_m = 700.0;
            }
            assert_ok(at.context, rcity_predict_points(at.context, at.scene, at.device, &request, &loss_db, NULL));
            assert_true(isfinite(loss_db) && loss_db > 20.0f && loss_db < 300.0f);
        }
    }
    test_close(&at.context, &at.scene, &at.device);
}

static void test_ranges_and_bad_options(void **state)
{
    (void)state;
    terrain_stage at = terrain_stage_open(1, &hills);
    rcity_map *map = NULL;
    asked from = ask("p1812");
    from.frequency_hz = 28e9;
    rcity_request request = request_of(&from);
    assert_status(at.context, rcity_predict(at.context, at.scene, at.device, &request, &map), RCITY_ERR_ARGUMENT);
    assert_message(at.context, "published for 30 to 6000 MHz");
    from.value[0] = "delta-bullington";
    rcity_map_destroy(&map);
    map = predict(&at, &from);
    rcity_map_destroy(&map);
    from = ask("hata");
    request = request_of(&from);
    assert_status(at.context, rcity_predict(at.context, at.scene, at.device, &request, &map), RCITY_ERR_ARGUMENT);
    assert_message(at.context, "published distances, 1 km to 20 km");
    request.range_policy = RCITY_RANGE_SKIP;
    assert_ok(at.context, rcity_predict(at.context, at.scene, at.device, &request, &map));
    rcity_map_destroy(&map);
    static const struct {
        const char *name, *value;
    } wrong[] = {{"loss", "ray"},        {"k-factor", "0"},           {"k-factor", "round"},  {"profile-step-m", "0"},
                 {"time-percent", "51"}, {"location-percent", "100"}, {"dn", "-1"},           {"n0", "20"},
                 {"latitude-deg", "91"}, {"land-cover", "add"},       {"environment", "sea"}, {"cover", "all"}};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        from = ask("p1812");
        from.name[0] = wrong[i].name;
        from.value[0] = wrong[i].value;
        request = request_of(&from);
        assert_status(at.context, rcity_predict(at.context, at.scene, at.device, &request, &map), RCITY_ERR_ARGUMENT);
        assert_message(at.context, wrong[i].name);
        assert_null(map);
    }
    test_close(&at.context, &at.scene, &at.device);
}

/* Options change what they say: less than half of the time, more places, a flat earth. */
static void test_options_of_p1812(void **state)
{
    (void)state;
    terrain_stage at = terrain_stage_open(1, &hills);
    asked from = ask("p1812");
    double usual_db = loss_at(&at, &from, 40.0, 1100.0, 1.5);
    from.count = 2;
    from.name[1] = "location-percent";
    from.value[1] = "95";
    assert_true(loss_at(&at, &from, 40.0, 1100.0, 1.5) > usual_db + 1.0);
    from.name[1] = "time-percent";
    from.value[1] = "1";
    assert_true(loss_at(&at, &from, 40.0, 1100.0, 1.5) <= usual_db);
    from.name[1] = "k-factor";
    from.value[1] = "flat";
    double flat_db = loss_at(&at, &from, 40.0, 1100.0, 1.5);
    assert_true(flat_db < usual_db && flat_db > usual_db - 1.0);
    from.value[1] = "1.4017857142857142"; /* 157 / (157 - 45) */
    assert_near(loss_at(&at, &from, 40.0, 1100.0, 1.5), usual_db, 1e-3);
    test_close(&at.context, &at.scene, &at.device);
}

/* Far beyond the horizon and in little time ducts decide, and these depend on the latitude, which a scene with a CRS knows. */
static double loss_at_latitude(rcity_context *context, rcity_device *device, double north_m, const char *latitude)
{
    const double xyh_m[3] = {560e3, north_m, 10.0};
    const char *names[] = {"time-percent", "latitude-deg"};
    const char *values[] = {"1", latitude};
    rcity_scene_options options = rcity_scene_options_default();
    options.crs = "EPSG:32633";
    rcity_scene *scene = NULL;
    rcity_request request = rcity_request_default();
    float loss_db = 0.0f;
    assert_ok(context, rcity_scene_create(context, &options, &scene));
    test_add_box(context, scene, 1, (test_box){500e3, north_m + 100.0, 500010.0, north_m + 110.0, 5.0});
    assert_ok(context, rcity_scene_commit(scene));
    request.method = "terrain";
    request.transmitter.x_m = 500e3;
    request.transmitter.y_m = north_m;
    request.transmitter.height_m = 10.0;
    request.transmitter.frequency_hz = 3500e6;
    request.receivers.point_count = 1;
    request.receivers.xyh_m = xyh_m;
    request.option_count = latitude != NULL ? 2 : 1;
    request.option_name = names;
    request.option_value = values;
    assert_ok(context, rcity_predict_points(context, scene, device, &request, &loss_db, NULL));
    rcity_scene_destroy(&scene);
    return (double)loss_db;
}

static void test_latitude_is_that_of_the_scene(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    rcity_device *device = NULL;
    double place[2] = {500e3, 7100e3};
    assert_ok(context, rcity_device_open(context, "host", &device));
    rcity_status status = rcity_crs_transform(context, "EPSG:32633", RCITY_CRS_LONLAT, 1, place);
    double north_db = loss_at_latitude(context, device, 7100e3, NULL);
    if (status == RCITY_OK) {
        char latitude[32];
        snprintf(latitude, sizeof latitude, "%.6f", place[1]);
        assert_near(place[1], 64.0, 0.1);
        assert_near(north_db, loss_at_latitude(context, device, 7100e3, latitude), 1e-3);
        assert_true(fabs(north_db - loss_at_latitude(context, device, 7100e3, "45")) > 0.1);
        assert_true(fabs(north_db - loss_at_latitude(context, device, 4430e3, NULL)) > 0.1); /* 40 degrees */
    } else {                                                                                 /* without GDAL */
        assert_int_equal(status, RCITY_ERR_UNSUPPORTED);
        assert_near(north_db, loss_at_latitude(context, device, 7100e3, "45"), 1e-6);
    }
    rcity_device_close(&device);
    rcity_context_destroy(&context);
}

static void test_choice_of_a_method(void **state)
{
    (void)state;
    rcity_scene_info info;
    terrain_stage at = terrain_stage_open(1, &hills);
    assert_ok(at.context, rcity_scene_describe(at.scene, &info));
    assert_string_equal(rcity_method_choose(&info), "terrain");
    info.ground_max_m = info.ground_min_m; /* flat */
    assert_string_equal(rcity_method_choose(&info), rcity_request_default().method);
    test_close(&at.context, &at.scene, &at.device);
    memset(&info, 0, sizeof info);
    assert_string_equal(rcity_method_choose(&info), rcity_request_default().method);
    info.has_terrain = true;
    info.ground_max_m = 10.0;
    info.building_count = 1;
    assert_string_equal(rcity_method_choose(&info), rcity_request_default().method);
}

/* One allocation after another fails: the map is whole or none, and nothing is lost. */
static void test_failing_allocations(void **state)
{
    (void)state;
    float height_m[NODES * NODES];
    terrain_hills_fill(&hills, height_m);
    for (long fail_at = 1;; fail_at++) {
        failing_allocator failing = {0, 0, 0};
        terrain_stage at;
        memset(&at, 0, sizeof at);
        rcity_scene_options options = rcity_scene_options_default();
        at.context = test_context_failing(&failing, 1);
        assert_ok(at.context, rcity_scene_create(at.context, &options, &at.scene));
        terrain_stage_set(&at, &hills, height_m);
        test_add_box(at.context, at.scene, 1, (test_box){600, 700, 640, 740, 12});
        assert_ok(at.context, rcity_scene_commit(at.scene));
        assert_ok(at.context, rcity_device_open(at.context, "host", &at.device));
        asked from = ask("p1812");
        rcity_request request = request_of(&from);
        rcity_map *map = NULL;
        failing.fail_at = failing.call_count + fail_at;
        rcity_status status = rcity_predict(at.context, at.scene, at.device, &request, &map);
        failing.fail_at = 0;
        assert_true(status == RCITY_OK || status == RCITY_ERR_MEMORY);
        assert_true((status == RCITY_OK) == (map != NULL));
        rcity_map_destroy(&map);
        test_close(&at.context, &at.scene, &at.device);
        assert_int_equal(failing.live_count, 0);
        if (status == RCITY_OK) {
            assert_true(fail_at > 20);
            break;
        }
    }
}

TEST_SUITE(terrain_method)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_profiles_follow_the_ground),
        cmocka_unit_test(test_points_and_cells_agree),
        cmocka_unit_test(test_sight_is_no_better_than_free_space),
        cmocka_unit_test(test_cover),
        cmocka_unit_test(test_thread_counts_and_runs),
        cmocka_unit_test(test_extremes_have_a_loss),
        cmocka_unit_test(test_ranges_and_bad_options),
        cmocka_unit_test(test_options_of_p1812),
        cmocka_unit_test(test_latitude_is_that_of_the_scene),
        cmocka_unit_test(test_choice_of_a_method),
        cmocka_unit_test(test_failing_allocations),
    };
    return cmocka_run_group_tests_name("terrain_method", tests, NULL, NULL);
}

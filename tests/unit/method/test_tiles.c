/* The method `tiles` where the answer is known: free space, flat ground, one wall, antennas, ends of all kinds; and that
   threads, failures and options change nothing that they should not. */
#include "two_ray_theory.h"

static const uint64_t seed = 20270119;

/* Two boxes of half a metre, far apart: the ground between them, and next to nothing on it. */
static rcity_scene *make_plain(rcity_context *context, double side_m)
{
    const test_box boxes[] = {{0, 0, 0.5, 0.5, 0.5}, {side_m, side_m, side_m + 0.5, side_m + 0.5, 0.5}};
    return test_scene(context, boxes, 2);
}

static void draw_points(uint64_t first, int64_t count, double side_m, double height_m, double *xyh_m)
{
    for (int64_t i = 0; i < count; i++) {
        xyh_m[3 * i] = test_uniform(seed, first + (uint64_t)(3 * i), 5.0, side_m - 5.0);
        xyh_m[3 * i + 1] = test_uniform(seed, first + (uint64_t)(3 * i + 1), 5.0, side_m - 5.0);
        xyh_m[3 * i + 2] = test_uniform(seed, first + (uint64_t)(3 * i + 2), 1.0, height_m);
    }
}

static double distance_to(const ask *a, const double *xyh_m)
{
    return sqrt(pow(a->tx.x_m - xyh_m[0], 2) + pow(a->tx.y_m - xyh_m[1], 2) + pow(a->tx.height_m - xyh_m[2], 2));
}

/* The direct ray alone is free space, and the received power follows from it. */
static void test_free_space_is_exact(void **state)
{
    (void)state;
    enum { POINTS = 200 };
    double xyh_m[3 * POINTS];
    float loss_db[POINTS], received_dbm[POINTS];
    rcity_context *context = test_context(2);
    rcity_scene *scene = make_plain(context, 900.0);
    for (int k = 0; k < 4; k++) {
        ask a = ask_make("tiles", 300.0, 500.0, 30.0, k == 0 ? 2e8 : k == 1 ? 9e8 : k == 2 ? 3.5e9 : 28e9);
        ask_orders(&a, "0", "0", "0");
        a.tx.power_dbm = 43.0;
        draw_points((uint64_t)k * 1000, POINTS, 900.0, 60.0, xyh_m);
        ask_points(context, scene, &a, POINTS, xyh_m, loss_db, received_dbm);
        for (int i = 0; i < POINTS; i++) {
            double expected_db = free_space_db(distance_to(&a, xyh_m + 3 * i), a.tx.frequency_hz);
            assert_near((double)loss_db[i], expected_db, 2e-4);
            assert_near((double)received_dbm[i], 43.0 - expected_db, 2e-4);
        }
    }
    test_close(&context, &scene, NULL);
}

/* Flat ground with fields added is two-ray theory, at all heights and distances, and for any tiles. Within 0.2 dB; in
   fades, where both rays cancel, within 1 % of the direct field. */
static void test_flat_ground_is_two_ray_theory(void **state)
{
    (void)state;
    enum { POINTS = 300 };
    static const double frequencies_hz[] = {4.5e8, 1.8e9, 3.5e9};
    double xyh_m[3 * POINTS];
    float loss_db[POINTS];
    rcity_context *context = test_context(2);
    rcity_scene *scene = make_plain(context, 900.0);
    double worst_db = 0.0;
    double worst_field = 0.0;
    for (int k = 0; k < 6; k++) {
        ask a = ask_make("tiles", 200.0, 300.0, k % 2 == 0 ? 30.0 : 6.0, frequencies_hz[k % 3]);
        bool is_horizontal = k >= 3;
        rcity_facet_table table;
        ask_orders(&a, "1", "1", "0");
        ask_set(&a, "sum", "coherent");
        ask_set(&a, "tile-area-m2", k % 2 == 0 ? "100" : "900");
        ask_set(&a, "rx-polarization", is_horizontal ? "horizontal" : "vertical");
        a.tx.polarization = is_horizontal ? RCITY_POLARIZATION_HORIZONTAL : RCITY_POLARIZATION_VERTICAL;
        draw_points((uint64_t)k * 1000, POINTS, 900.0, 20.0, xyh_m);
        ask_points(context, scene, &a, POINTS, xyh_m, loss_db, NULL);
        assert_ok(context, rcity_facet_table_init(context, scene, a.tx.frequency_hz, &table));
        for (int i = 0; i < POINTS; i++) {
            double plan_m = hypot(xyh_m[3 * i] - a.tx.x_m, xyh_m[3 * i + 1] - a.tx.y_m);
            double share = two_ray_share(&table, plan_m, a.tx.height_m, xyh_m[3 * i + 2], is_horizontal);
            double free_db = free_space_db(distance_to(&a, xyh_m + 3 * i), a.tx.frequency_hz);
            double made = pow(10.0, -0.05 * ((double)loss_db[i] - free_db));
            worst_field = fmax(worst_field, fabs(made - share));
            if (share > 0.2) {
                worst_db = fmax(worst_db, fabs(20.0 * log10(made / share)));
            }
        }
        rcity_facet_table_deinit(context, &table);
    }
    print_message("two-ray theory: within %.3f dB, in fades within %.4f of the direct field\n", worst_db, worst_field);
    assert_true(worst_db < 0.2 && worst_field < 0.02);
    test_close(&context, &scene, NULL);
}

/* Every path of one in the other, one by one; the strongest is first in both. @return how many. */
static int64_t assert_same_paths(rcity_context *context, const rcity_scene *scene, const ask *a, const ask *b,
                                 int64_t count, const double *xyh_m, double gain_db)
{
    rcity_rays *left = ask_rays(context, scene, a, count, xyh_m);
    rcity_rays *right = ask_rays(context, scene, b, count, xyh_m);
    int64_t path_count = rcity_rays_path_count(left);
    assert_int_equal(path_count, rcity_rays_path_count(right));
    for (int64_t i = 0; i < path_count; i++) {
        rcity_path x, y;
        assert_int_equal(rcity_rays_get_path(left, i, &x), RCITY_OK);
        assert_int_equal(rcity_rays_get_path(right, i, &y), RCITY_OK);
        assert_int_equal(x.receiver_index, y.receiver_index);
        assert_int_equal(x.event_count, y.event_count);
        assert_near(x.length_m, y.length_m, 1e-3);
        assert_near(x.gain_db, y.gain_db, gain_db);
        assert_near(x.loss_db, y.loss_db, gain_db);
        assert_near(x.departure_elevation_deg, y.departure_elevation_deg, 0.01);
        assert_near(x.arrival_elevation_deg, y.arrival_elevation_deg, 0.01);
        assert_near(remainder(x.departure_azimuth_deg - y.departure_azimuth_deg, 360.0), 0.0, 0.01);
        assert_near(remainder(x.arrival_azimuth_deg - y.arrival_azimuth_deg, 360.0), 0.0, 0.01);
        assert_near(x.delay_s, y.delay_s, 1e-11);
    }
    rcity_rays_destroy(&left);
    rcity_rays_destroy(&right);
    return path_count;
}

/* A wall on flat ground, before which nothing hides anything: all paths off the wall and the ground. */
static rcity_scene *make_wall(rcity_context *context)
{
    const test_box boxes[] = {{0, 0, 120, 2, 25}};
    return test_scene(context, boxes, 1);
}

static void draw_before_wall(uint64_t first, int64_t count, double *xyh_m)
{
    for (int64_t i = 0; i < count; i++) {
        xyh_m[3 * i] = test_uniform(seed, first + (uint64_t)(3 * i), -20.0, 140.0);
        xyh_m[3 * i + 1] = test_uniform(seed, first + (uint64_t)(3 * i + 1), -40.0, -3.0);
        xyh_m[3 * i + 2] = test_uniform(seed, first + (uint64_t)(3 * i + 2), 1.0, 20.0);
    }
}

/* One wall is images: the same paths, each with the same gain, angles and delay, for coarse and fine tiles. */
static void test_one_wall_is_images(void **state)
{
    (void)state;
    enum { POINTS = 40 };
    static const char *const areas[] = {"400", "100", "10"};
    double xyh_m[3 * POINTS];
    rcity_context *context = test_context(2);
    rcity_scene *scene = make_wall(context);
    int64_t paths = 0;
    for (int k = 0; k < 3; k++) {
        ask tiles = ask_make("tiles", 37.0, -21.0, 11.0, 2e9);
        ask images = ask_make("images", 37.0, -21.0, 11.0, 2e9);
        ask_orders(&tiles, "1", "1", "0");
        ask_orders(&images, "1", "1", "0");
        ask_set(&tiles, "tile-area-m2", areas[k]);
        draw_before_wall(0, POINTS, xyh_m);
        paths += assert_same_paths(context, scene, &tiles, &images, POINTS, xyh_m, 0.005);
    }
    print_message("%lld paths alike\n", (long long)paths);
    assert_true(paths > 3 * 2 * POINTS);
    test_close(&context, &scene, NULL);
}

/* Antennas and polarizations are those of images: pattern, azimuth, tilt, slant, gain of receivers, cable. */
static void test_antennas_are_those_of_images(void **state)
{
    (void)state;
    enum { POINTS = 60 };
    static const char *const rx_words[] = {"vertical", "horizontal", "slant", "slant-minus", "both"};
    double xyh_m[3 * POINTS];
    float made_db[POINTS], exact_db[POINTS], made_dbm[POINTS], exact_dbm[POINTS], bare_db[POINTS];
    rcity_context *context = test_context(2);
    rcity_scene *scene = make_wall(context);
    rcity_antenna *antenna = NULL;
    assert_ok(context, rcity_antenna_create(context, "3gpp", &antenna));
    draw_before_wall(5000, POINTS, xyh_m);
    double worst_db = 0.0;
    for (int k = 0; k < 10; k++) {
        ask tiles = ask_make("tiles", 37.0, -21.0, 11.0, 2e9);
        tiles.tx.antenna = antenna;
        tiles.tx.azimuth_deg = test_uniform(seed, 9000 + (uint64_t)k, 0.0, 360.0);
        tiles.tx.mechanical_tilt_deg = k % 4 == 0 ? 0.0 : test_uniform(seed, 9100 + (uint64_t)k, -20.0, 20.0);
        tiles.tx.polarization = (rcity_polarization)(k % 4);
        tiles.tx.power_dbm = 40.0;
        ask images = ask_make("images", 37.0, -21.0, 11.0, 2e9);
        images.tx = tiles.tx;
        ask_orders(&tiles, "1", "1", "0");
        ask_orders(&images, "1", "1", "0");
        ask_set(&tiles, "rx-polarization", rx_words[k % 5]);
        ask_set(&images, "rx-polarization", rx_words[k % 5]);
        ask_set(&images, "sum", "power");
        ask_points(context, scene, &tiles, POINTS, xyh_m, made_db, made_dbm);
        ask_points(context, scene, &images, POINTS, xyh_m, exact_db, exact_dbm);
        for (int i = 0; i < POINTS; i++) {
            if (isinf(exact_dbm[i]) || isnan(exact_dbm[i])) { /* crossed */
                assert_true(isnan(made_dbm[i]) || made_dbm[i] < -120.0f);
                continue;
            }
            worst_db = fmax(worst_db, fabs((double)made_db[i] - (double)exact_db[i]));
            worst_db = fmax(worst_db, fabs((double)made_dbm[i] - (double)exact_dbm[i]));
        }
        tiles.tx.antenna = NULL; /* of upright ones the loss is that between isotropic antennas */
        ask_points(context, scene, &tiles, POINTS, xyh_m, bare_db, NULL);
        for (int i = 0; i < POINTS; i++) {
            assert_true(k % 4 != 0 || isnan(bare_db[i]) || fabs((double)bare_db[i] - (double)made_db[i]) < 0.01);
        }
    }
    print_message("with antennas: within %.4f dB of images\n", worst_db);
    assert_true(worst_db < 0.01);
    rcity_antenna_destroy(&antenna);
    test_close(&context, &scene, NULL);
}

/* A town with a hill beside it, for what must be the same however it is computed. */
static rcity_scene *make_town(rcity_context *context)
{
    static float height_m[41 * 41];
    rcity_scene_options options = rcity_scene_options_default();
    rcity_scene *scene = NULL;
    for (int i = 0; i < 41 * 41; i++) {
        double x = (i % 41) * 5.0;
        height_m[i] = x < 120.0 ? 0.0f : (float)fmax(0.0, 25.0 - fabs(x - 160.0));
    }
    rcity_terrain terrain = {41, 41, 0, 0, 5, height_m};
    const test_box boxes[] = {{20, 20, 50, 45, 15}, {65, 15, 90, 50, 22}, {20, 65, 60, 80, 12}, {75, 70, 100, 95, 30}};
    assert_ok(context, rcity_scene_create(context, &options, &scene));
    assert_ok(context, rcity_scene_set_terrain(scene, &terrain));
    for (int i = 0; i < 4; i++) {
        test_add_box(context, scene, i + 1, boxes[i]);
    }
    assert_ok(context, rcity_scene_commit(scene));
    return scene;
}

static ask ask_town(void)
{
    ask a = ask_make("tiles", 57.0, 57.0, 8.0, 2e9);
    ask_orders(&a, "3", "2", "1");
    ask_set(&a, "scattering", "lambertian");
    ask_set(&a, "over-roofs", "on");
    a.tx.power_dbm = 30.0;
    return a;
}

static uint64_t hash_bytes(uint64_t hash, const void *bytes, size_t count)
{
    const unsigned char *at = bytes;
    for (size_t i = 0; i < count; i++) {
        hash = (hash ^ at[i]) * 0x100000001b3u;
    }
    return hash;
}

/* Maps and paths have the same bits for any number of threads. */
static void test_threads_change_nothing(void **state)
{
    (void)state;
    static const int threads[] = {1, 2, 3, 8};
    static const double point[6] = {10.0, 90.0, 1.5, 110.0, 60.0, 1.5};
    uint64_t first[2] = {0, 0};
    for (int k = 0; k < 4; k++) {
        rcity_context *context = test_context(threads[k]);
        rcity_scene *scene = make_town(context);
        rcity_device *device = NULL;
        ask a = ask_town();
        a.has_surroundings = true;
        ask levels = ask_levels(&a);
        rcity_request request = ask_request(&levels, 0, NULL);
        rcity_map *map = NULL;
        uint64_t hash[2] = {1, 1};
        request.receivers.cell_m = 8.0;
        assert_ok(context, rcity_device_open(context, "host", &device));
        assert_ok(context, rcity_predict(context, scene, device, &request, &map));
        for (int i = 0; i < rcity_map_band_count(map); i++) {
            rcity_band band;
            rcity_raster raster = rcity_map_raster(map);
            assert_int_equal(rcity_map_get_band(map, i, &band), RCITY_OK);
            hash[0] =
                hash_bytes(hash[0], band.value, (size_t)(raster.column_count * raster.row_count) * sizeof *band.value);
        }
        rcity_map_destroy(&map);
        rcity_rays *rays = ask_rays(context, scene, &a, 2, point);
        for (int64_t i = 0; i < rcity_rays_path_count(rays); i++) {
            rcity_path path;
            assert_int_equal(rcity_rays_get_path(rays, i, &path), RCITY_OK);
            hash[1] = hash_bytes(hash[1], path.transfer, sizeof path.transfer);
            hash[1] = hash_bytes(hash[1], &path.length_m, sizeof path.length_m);
        }
        assert_true(rcity_rays_path_count(rays) > 5);
        rcity_rays_destroy(&rays);
        for (int i = 0; i < 2; i++) {
            first[i] = k == 0 ? hash[i] : first[i];
            assert_true(hash[i] == first[i]);
        }
        test_close(&context, &scene, &device);
    }
}

/* Receivers in buildings, off the terrain and nearer than a wavelength have no value, the others have; the states say
   which. */
static void test_receivers_that_cannot_be_have_no_value(void **state)
{
    (void)state;
    static const double points[] = {30, 30, 1.5, 30, 30, 16, 250, 60, 1.5, 57.05, 57, 8, 57, 60, 1.5};
    static const rcity_receiver_state states[] = {RCITY_RECEIVER_IN_BUILDING, RCITY_RECEIVER_REACHED,
                                                  RCITY_RECEIVER_OUTSIDE, RCITY_RECEIVER_NEAR_FIELD,
                                                  RCITY_RECEIVER_REACHED};
    float loss_db[5], received_dbm[5];
    rcity_context *context = test_context(2);
    rcity_scene *scene = make_town(context);
    ask a = ask_town();
    ask_points(context, scene, &a, 5, points, loss_db, received_dbm);
    rcity_rays *rays = ask_rays(context, scene, &a, 5, points);
    for (int i = 0; i < 5; i++) {
        rcity_receiver_summary at;
        assert_ok(context, rcity_rays_get_receiver(rays, i, &at));
        assert_int_equal(at.state, states[i]);
        assert_int_equal(!isnan(loss_db[i]), states[i] == RCITY_RECEIVER_REACHED);
        assert_int_equal(!isnan(received_dbm[i]), states[i] == RCITY_RECEIVER_REACHED);
    }
    rcity_rays_destroy(&rays);
    test_close(&context, &scene, NULL);
}

/* Behind a ridge only what is diffracted at it arrives, at an edge of the terrain: the loss of a knife-edge and no less,
   since the ground on both sides is a wedge and not a screen. */
static void test_hills_diffract(void **state)
{
    (void)state;
    static const double point[3] = {190.0, 57.0, 1.5};
    rcity_context *context = test_context(2);
    rcity_scene *scene = make_town(context);
    ask a = ask_make("tiles", 130.0, 57.0, 2.0, 2e9);
    rcity_receiver_summary at;
    ask_orders(&a, "2", "2", "0");
    ask_set(&a, "ground-margin-m", "100");
    rcity_rays *rays = ask_rays(context, scene, &a, 1, point);
    assert_ok(context, rcity_rays_get_receiver(rays, 0, &at));
    assert_int_equal(at.path_count, 0);
    rcity_rays_destroy(&rays);
    ask_orders(&a, "1", "0", "1");
    rays = ask_rays(context, scene, &a, 1, point);
    assert_ok(context, rcity_rays_get_receiver(rays, 0, &at));
    assert_true(at.path_count > 0);
    rcity_path path;
    assert_ok(context, rcity_rays_get_path(rays, at.path_first, &path));
    assert_int_equal(path.event_count, 1);
    assert_int_equal(path.events[0].place, RCITY_PLACE_TERRAIN_EDGE);
    assert_near(path.events[0].position.x_m, 160.0, 0.01);
    assert_near(path.events[0].position.z_m, 25.0, 0.01);
    double d1 = hypot(30.0, 25.0 - 2.0);
    double d2 = hypot(30.0, 25.0 - 1.5);
    double v = sqrt(4.0 / (LIGHT / 2e9) * (d1 + d2 - hypot(60.0, 0.5))); /* ITU-R P.526-15, equations 26 and 31 */
    double knife_db = 6.9 + 20.0 * log10(sqrt((v - 0.1) * (v - 0.1) + 1.0) + v - 0.1);
    double excess_db = path.loss_db - free_space_db(hypot(60.0, 0.5), 2e9);
    print_message("behind a ridge: %.1f dB more than free space, a knife-edge %.1f dB\n", excess_db, knife_db);
    assert_true(excess_db > knife_db - 3.0 && excess_db < knife_db + 15.0);
    rcity_rays_destroy(&rays);
    test_close(&context, &scene, NULL);
}

/* A lower limit bounces fewer rays on: the power at each receiver never becomes more, and the paths never more. */
static void test_a_lower_limit_takes_rays_away(void **state)
{
    (void)state;
    enum { POINTS = 30 };
    static const char *const limits_db[] = {"200", "140", "110", "95", "80"};
    double xyh_m[3 * POINTS];
    float loss_db[5][POINTS];
    rcity_context *context = test_context(2);
    rcity_scene *scene = make_town(context);
    ask a = ask_town();
    int64_t before = INT64_MAX;
    int fewer = 0;
    draw_points(20000, POINTS, 110.0, 3.0, xyh_m);
    for (int k = 0; k < 5; k++) {
        ask_set(&a, "loss-limit-db", limits_db[k]);
        ask_points(context, scene, &a, POINTS, xyh_m, loss_db[k], NULL);
        rcity_rays *rays = ask_rays(context, scene, &a, POINTS, xyh_m);
        int64_t count = rcity_rays_path_count(rays);
        rcity_rays_destroy(&rays);
        assert_true(count <= before);
        fewer += count < before && k > 0;
        before = count;
        for (int i = 0; i < POINTS && k > 0; i++) {
            assert_true(isnan(loss_db[k][i]) || loss_db[k][i] >= loss_db[k - 1][i] - 1e-4f);
        }
    }
    assert_true(fewer >= 3);
    test_close(&context, &scene, NULL);
}

/* Tiles that the transmitter is too near to are left out: at 30 MHz, where a wavelength is 10 m, a wall 5 m away does not
   reflect; farther away it does. */
static void test_tiles_in_the_near_field_are_left_out(void **state)
{
    (void)state;
    static const double point[3] = {60.0, -30.0, 15.0};
    rcity_context *context = test_context(1);
    rcity_scene *scene = make_wall(context);
    for (int k = 0; k < 2; k++) {
        ask a = ask_make("tiles", 60.0, k == 0 ? -5.0 : -15.0, 15.0, 30e6);
        ask_orders(&a, "1", "1", "0");
        ask_set(&a, "tile-area-m2", "4");
        rcity_rays *rays = ask_rays(context, scene, &a, 1, point);
        int off_wall = 0;
        for (int64_t i = 0; i < rcity_rays_path_count(rays); i++) {
            rcity_path path;
            assert_ok(context, rcity_rays_get_path(rays, i, &path));
            off_wall += path.event_count == 1 && path.events[0].place == RCITY_PLACE_WALL;
        }
        assert_int_equal(off_wall, k);
        rcity_rays_destroy(&rays);
    }
    test_close(&context, &scene, NULL);
}

TEST_SUITE(tiles)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_free_space_is_exact),
        cmocka_unit_test(test_flat_ground_is_two_ray_theory),
        cmocka_unit_test(test_one_wall_is_images),
        cmocka_unit_test(test_antennas_are_those_of_images),
        cmocka_unit_test(test_threads_change_nothing),
        cmocka_unit_test(test_receivers_that_cannot_be_have_no_value),
        cmocka_unit_test(test_hills_diffract),
        cmocka_unit_test(test_a_lower_limit_takes_rays_away),
        cmocka_unit_test(test_tiles_in_the_near_field_are_left_out),
    };
    return cmocka_run_group_tests_name("tiles", tests, NULL, NULL);
}

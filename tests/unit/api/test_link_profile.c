/* Profiles of links against figures worked out by hand, against the scene asked place by place, and against a plain string. */
#include "rcity_test.h"

#define SEED      20261119
#define LIGHT_M_S 299792458.0
#define EARTH_M   6371e3
#define NODES     12
#define NODE_M    50.0

static rcity_link_profile_options link_of(double x0, double y0, double h0, double x1, double y1, double h1)
{
    rcity_link_profile_options options = rcity_link_profile_options_default();
    options.transmitter.x_m = x0;
    options.transmitter.y_m = y0;
    options.transmitter.height_m = h0;
    options.transmitter.frequency_hz = 2e9;
    options.rx_x_m = x1;
    options.rx_y_m = y1;
    options.rx_height_m = h1;
    return options;
}

static rcity_link_profile *make(rcity_context *context, const rcity_scene *scene,
                                const rcity_link_profile_options *options)
{
    rcity_link_profile *profile = NULL;
    assert_ok(context, rcity_link_profile_create(context, scene, options, &profile));
    return profile;
}

static rcity_link_profile_info describe(const rcity_link_profile *profile)
{
    rcity_link_profile_info info;
    assert_int_equal(rcity_link_profile_describe(profile, &info), RCITY_OK);
    return info;
}

static rcity_link_profile_point point_at(const rcity_link_profile *profile, int64_t i)
{
    rcity_link_profile_point point;
    assert_int_equal(rcity_link_profile_get_point(profile, i, &point), RCITY_OK);
    return point;
}

/* One box in the middle of a level link: its two upper edges, the Fresnel zone and the knife edge are plain figures. */
static void test_one_box(void **state)
{
    (void)state;
    static const test_box box = {490.0, -20.0, 510.0, 20.0, 25.0};
    rcity_context *context = test_context(1);
    rcity_scene *scene = test_scene(context, &box, 1);
    rcity_link_profile_options options = link_of(0.0, 0.0, 20.0, 1000.0, 0.0, 20.0);
    options.k_factor = HUGE_VAL;
    rcity_link_profile *profile = make(context, scene, &options);
    rcity_link_profile_info info = describe(profile);
    double wavelength_m = LIGHT_M_S / 2e9;
    assert_near(info.plan_m, 1000.0, 1e-9);
    assert_near(info.tx_azimuth_deg, 90.0, 1e-9);
    assert_near(info.rx_azimuth_deg, 270.0, 1e-9);
    assert_near(info.tx_elevation_deg, 0.0, 1e-9);
    assert_near(info.fresnel_max_m, sqrt(wavelength_m * 250.0), 1e-9);
    assert_false(info.is_in_sight);
    assert_near(info.clearance_m, -5.0, 1e-9);
    int64_t faces = 0;
    for (int64_t i = 0; i < info.point_count; i++) {
        rcity_link_profile_point point = point_at(profile, i);
        bool is_inside = point.distance_m > 490.001 && point.distance_m < 509.999;
        bool is_outside = point.distance_m < 489.999 || point.distance_m > 510.001;
        assert_true(!is_inside || (point.top == RCITY_PROFILE_TOP_BUILDING && point.building_id >= 0));
        assert_true(!is_outside || (point.top == RCITY_PROFILE_TOP_GROUND && point.building_id == -1));
        assert_near(point.top_m, point.top == RCITY_PROFILE_TOP_BUILDING ? 25.0 : 0.0, 1e-9);
        assert_near(point.bulge_m, 0.0, 0.0);
        faces += fabs(point.distance_m - 490.0) < 1e-3 || fabs(point.distance_m - 510.0) < 1e-3;
    }
    assert_int_equal(faces, 4); /* both sides of two walls */
    assert_int_equal(info.obstacle_count, 1);
    rcity_link_profile_obstacle obstacle;
    assert_int_equal(rcity_link_profile_get_obstacle(profile, 0, &obstacle), RCITY_OK);
    assert_true(obstacle.touches_string);
    assert_near(obstacle.above_line_m, 5.0, 1e-9);
    double away_m = obstacle.distance_m;
    double v = 5.0 * sqrt(2.0 / wavelength_m * (1.0 / away_m + 1.0 / (1000.0 - away_m)));
    assert_near(obstacle.knife_edge_v, v, 1e-9);
    assert_near(obstacle.knife_edge_db, 6.9 + 20.0 * log10(sqrt((v - 0.1) * (v - 0.1) + 1.0) + v - 0.1), 1e-9);
    assert_near(obstacle.clearance_share, -5.0 / sqrt(wavelength_m * away_m * (1000.0 - away_m) / 1000.0), 1e-9);
    assert_int_equal(rcity_link_profile_get_obstacle(profile, 1, &obstacle), RCITY_ERR_ARGUMENT);
    rcity_link_profile_destroy(&profile);
    test_close(&context, &scene, NULL);
}

/* A line that clears a roof by half of the zone's radius: in sight, not clear, one obstacle that no string touches. */
static void test_grazing(void **state)
{
    (void)state;
    static const test_box box = {490.0, -20.0, 510.0, 20.0, 25.0};
    rcity_context *context = test_context(1);
    rcity_scene *scene = test_scene(context, &box, 1);
    double height_m = 25.0 + 0.5 * sqrt(LIGHT_M_S / 2e9 * 250.0);
    rcity_link_profile_options options = link_of(0.0, 0.0, height_m, 1000.0, 0.0, height_m);
    options.k_factor = HUGE_VAL;
    rcity_link_profile *profile = make(context, scene, &options);
    rcity_link_profile_info info = describe(profile);
    rcity_link_profile_obstacle obstacle;
    assert_true(info.is_in_sight && !info.is_clear);
    assert_near(info.clearance_share, 0.5, 1e-3);
    assert_near(info.clearance_at_m, 500.0, 5.0);
    assert_int_equal(info.obstacle_count, 1);
    assert_int_equal(rcity_link_profile_get_obstacle(profile, 0, &obstacle), RCITY_OK);
    assert_false(obstacle.touches_string);
    rcity_link_profile_destroy(&profile);
    options.fresnel_share = 0.45;
    profile = make(context, scene, &options);
    info = describe(profile);
    assert_true(info.is_in_sight && info.is_clear);
    assert_int_equal(info.obstacle_count, 0);
    rcity_link_profile_destroy(&profile);
    test_close(&context, &scene, NULL);
}

/* The earth bulges by d^2 / (8 k a) halfway, and both ends look down by half the angle between their verticals. */
static void test_bulge(void **state)
{
    (void)state;
    static const test_box box = {0.0, 0.0, 10.0, 10.0, 5.0};
    static const test_box far_box = {30000.0, 0.0, 30010.0, 10.0, 5.0};
    const test_box boxes[] = {box, far_box};
    rcity_context *context = test_context(1);
    rcity_scene *scene = test_scene(context, boxes, 2);
    rcity_link_profile_options options = link_of(0.0, 5000.0, 60.0, 30000.0, 5000.0, 60.0);
    rcity_link_profile *profile = make(context, scene, &options);
    rcity_link_profile_info info = describe(profile);
    double radius_m = 4.0 / 3.0 * EARTH_M;
    double most_m = 0.0;
    for (int64_t i = 0; i < info.point_count; i++) {
        rcity_link_profile_point point = point_at(profile, i);
        assert_near(point.bulge_m, point.distance_m * (30000.0 - point.distance_m) / (2.0 * radius_m), 1e-9);
        most_m = fmax(most_m, point.bulge_m);
    }
    assert_near(most_m, 30000.0 * 30000.0 / (8.0 * radius_m), 1e-6);
    assert_near(info.tx_elevation_deg, -atan(15000.0 / radius_m) * 180.0 / acos(-1.0), 1e-9);
    assert_near(info.clearance_m, 60.0 - most_m, 1e-6);
    rcity_link_profile_destroy(&profile);
    test_close(&context, &scene, NULL);
}

/* Hills with a few boxes and a wood. */
static rcity_scene *hilly_scene(rcity_context *context, uint64_t seed)
{
    rcity_scene *scene = NULL;
    rcity_scene_options options = rcity_scene_options_default();
    float heights[NODES * NODES];
    for (uint64_t i = 0; i < NODES * NODES; i++) {
        heights[i] = (float)test_uniform(seed, i, 0.0, 60.0);
    }
    rcity_terrain terrain = {.column_count = NODES, .row_count = NODES, .cell_m = NODE_M, .height_m = heights};
    assert_ok(context, rcity_scene_create(context, &options, &scene));
    assert_ok(context, rcity_scene_set_terrain(scene, &terrain));
    for (uint64_t i = 0; i < 6; i++) {
        double x = test_uniform(seed, 1000 + 2 * i, 60.0, 460.0);
        double y = test_uniform(seed, 1001 + 2 * i, 60.0, 460.0);
        test_box box = {x, y, x + 18.0, y + 25.0, test_uniform(seed, 2000 + i, 5.0, 40.0)};
        test_add_box(context, scene, (int64_t)i + 1, box);
    }
    assert_ok(context, rcity_scene_commit(scene));
    return scene;
}

/* Is every top below a string that is pulled over the obstacles which touch it? Checked in the plainest way. */
static void check_string(const rcity_link_profile *profile, const rcity_link_profile_info *info)
{
    double at_m[66] = {0.0};
    double z_m[66] = {info->transmitter.z_m};
    int count = 1;
    for (int64_t i = 0; i < info->obstacle_count && count < 64; i++) {
        rcity_link_profile_obstacle obstacle;
        assert_int_equal(rcity_link_profile_get_obstacle(profile, i, &obstacle), RCITY_OK);
        assert_true(obstacle.clearance_share < info->fresnel_share);
        if (obstacle.touches_string) {
            at_m[count] = obstacle.distance_m;
            z_m[count++] = obstacle.top_m;
        }
    }
    at_m[count] = info->plan_m;
    z_m[count++] = info->receiver.z_m;
    for (int i = 2; i < count; i++) { /* it bends downwards only */
        assert_true((z_m[i] - z_m[i - 1]) / (at_m[i] - at_m[i - 1]) <=
                    (z_m[i - 1] - z_m[i - 2]) / (at_m[i - 1] - at_m[i - 2]) + 1e-9);
    }
}

static void test_against_the_scene(void **state)
{
    (void)state;
    long hidden = 0;
    long points = 0;
    for (uint64_t number = 0; number < 60; number++) {
        rcity_context *context = test_context(1);
        rcity_scene *scene = hilly_scene(context, SEED + number);
        double end_m[4];
        rcity_cover cover = {.is_covered = true};
        for (uint64_t k = 0; k < 2; k++) {
            for (uint64_t i = 0; i == 0 || cover.is_covered; i++) {
                end_m[2 * k] = test_uniform(SEED + number, 5000 + 100 * k + 2 * i, 0.0, 500.0);
                end_m[2 * k + 1] = test_uniform(SEED + number, 5001 + 100 * k + 2 * i, 0.0, 500.0);
                assert_ok(context, rcity_scene_get_cover(context, scene, end_m[2 * k], end_m[2 * k + 1], &cover));
            }
        }
        rcity_link_profile_options options =
            link_of(end_m[0], end_m[1], test_uniform(number, 1, 2.0, 40.0), end_m[2], end_m[3], 2.0);
        options.k_factor = HUGE_VAL;
        rcity_link_profile *profile = make(context, scene, &options);
        rcity_link_profile_info info = describe(profile);
        for (int64_t i = 0; i < info.point_count; i++) {
            rcity_link_profile_point point = point_at(profile, i);
            double part = point.distance_m / info.plan_m;
            double x = end_m[0] + part * (end_m[2] - end_m[0]);
            double y = end_m[1] + part * (end_m[3] - end_m[1]);
            double ground_m;
            assert_true(i == 0 || point.distance_m >= point_at(profile, i - 1).distance_m);
            assert_ok(context, rcity_scene_get_ground(context, scene, x, y, &ground_m));
            assert_near(point.ground_m, ground_m, 0.1); /* the scene's grid moves places by some millimetres */
            points++;
        }
        bool is_free = false;
        rcity_point ends[2] = {info.transmitter, info.receiver};
        assert_ok(context, rcity_scene_test_segment(context, scene, &ends[0], &ends[1], &is_free));
        if (fabs(info.clearance_m) > 0.1) {
            assert_int_equal(info.is_in_sight, is_free);
        }
        hidden += !info.is_in_sight;
        check_string(profile, &info);
        rcity_link_profile_destroy(&profile);
        test_close(&context, &scene, NULL);
    }
    print_message("%ld points, %ld of 60 links hidden\n", points, hidden);
    assert_true(hidden > 10 && hidden < 60);
}

/* A plain with a straight ridge 1000 m east of the place: angles and distances are plain figures. */
static void test_horizon(void **state)
{
    (void)state;
    enum { SIDE = 41 };
    rcity_context *context = test_context(2);
    rcity_scene *scene = NULL;
    rcity_scene_options options = rcity_scene_options_default();
    static float heights[SIDE * SIDE];
    for (int i = 0; i < SIDE * SIDE; i++) {
        heights[i] = i % SIDE == 30 ? 100.0f : 0.0f;
    }
    rcity_terrain terrain = {.column_count = SIDE, .row_count = SIDE, .cell_m = NODE_M, .height_m = heights};
    assert_ok(context, rcity_scene_create(context, &options, &scene));
    assert_ok(context, rcity_scene_set_terrain(scene, &terrain));
    assert_ok(context, rcity_scene_commit(scene));
    const rcity_point place = {500.0, 1000.0, 10.0};
    float elevation_deg[8];
    float distance_m[8];
    const double deg = 180.0 / acos(-1.0);
    assert_ok(context, rcity_scene_get_horizon(context, scene, &place, HUGE_VAL, 8, elevation_deg, distance_m));
    assert_near(elevation_deg[2], atan(90.0 / 1000.0) * deg, 1e-3); /* east */
    assert_near(distance_m[2], 1000.0, 0.1);
    assert_near(elevation_deg[1], atan(90.0 / (1000.0 * sqrt(2.0))) * deg, 1e-3); /* north-east */
    assert_near(elevation_deg[0], atan(-10.0 / 1000.0) * deg, 1e-3);              /* north: the rim of the ground */
    assert_near(distance_m[0], 1000.0, 0.1);
    assert_near(elevation_deg[6], atan(-10.0 / 500.0) * deg, 1e-3); /* west */
    assert_ok(context, rcity_scene_get_horizon(context, scene, &place, 4.0 / 3.0, 8, elevation_deg, distance_m));
    double fall_m = 1000.0 * 1000.0 / (8.0 / 3.0 * EARTH_M);
    assert_near(elevation_deg[2], atan((90.0 - fall_m) / 1000.0) * deg, 1e-3);
    assert_status(context, rcity_scene_get_horizon(context, scene, &place, 4.0 / 3.0, 0, elevation_deg, distance_m),
                  RCITY_ERR_ARGUMENT);
    assert_message(context, "must be 1 to 36000");
    const rcity_point below = {500.0, 1000.0, -10.0};
    assert_status(context, rcity_scene_get_horizon(context, scene, &below, HUGE_VAL, 8, elevation_deg, distance_m),
                  RCITY_ERR_ARGUMENT);
    test_close(&context, &scene, NULL);
}

static void test_refusals(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    rcity_scene *scene = hilly_scene(context, SEED);
    rcity_link_profile *profile = NULL;
    const rcity_link_profile_options good = link_of(10.0, 10.0, 30.0, 530.0, 20.0, 10.0);
    rcity_link_profile_options bad = good;
    bad.rx_x_m = 10.2;
    bad.rx_y_m = 10.0;
    assert_status(context, rcity_link_profile_create(context, scene, &bad, &profile), RCITY_ERR_ARGUMENT);
    assert_message(context, "apart on the map, must be at least 1 m");
    bad = good;
    bad.k_factor = 0.1;
    assert_status(context, rcity_link_profile_create(context, scene, &bad, &profile), RCITY_ERR_ARGUMENT);
    assert_message(context, "`k-factor=0.1` must be at least 0.3");
    bad = good;
    bad.fresnel_share = 1.5;
    assert_status(context, rcity_link_profile_create(context, scene, &bad, &profile), RCITY_ERR_ARGUMENT);
    assert_message(context, "`fresnel-share=1.5`");
    bad = good;
    bad.rx_x_m = 700.0;
    bad.rx_is_absolute = true;
    bad.rx_height_m = 100.0;
    assert_status(context, rcity_link_profile_create(context, scene, &bad, &profile), RCITY_ERR_ARGUMENT);
    assert_message(context, "the receiver at (700.00, 20.00) lies outside the terrain");
    bad = good;
    bad.rx_y_m = (double)NAN;
    assert_status(context, rcity_link_profile_create(context, scene, &bad, &profile), RCITY_ERR_ARGUMENT);
    assert_message(context, "no place");
    assert_null(profile);
    test_close(&context, &scene, NULL);
}

static void test_failing_memory(void **state)
{
    (void)state;
    failing_allocator failing = {0, 0, 0};
    rcity_context *context = test_context_failing(&failing, 1);
    rcity_scene *scene = hilly_scene(context, SEED);
    const rcity_link_profile_options options = link_of(10.0, 10.0, 30.0, 530.0, 20.0, 10.0);
    rcity_link_profile *profile = NULL;
    long live = failing.live_count;
    for (long n = 1; profile == NULL; n++) {
        failing.fail_at = failing.call_count + n;
        rcity_status status = rcity_link_profile_create(context, scene, &options, &profile);
        assert_true(status == RCITY_OK ? n > 4 : status == RCITY_ERR_MEMORY);
        assert_true(status == RCITY_OK || (profile == NULL && failing.live_count == live));
    }
    failing.fail_at = 0;
    rcity_link_profile_destroy(&profile);
    assert_int_equal(failing.live_count, live);
    test_close(&context, &scene, NULL);
}

TEST_SUITE(link_profile)
{
    print_message("seed %d\n", SEED);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one_box),           cmocka_unit_test(test_grazing), cmocka_unit_test(test_bulge),
        cmocka_unit_test(test_against_the_scene), cmocka_unit_test(test_horizon), cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_failing_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Required heights, clearance and horizons over terrain, against exact tests of lines and brute force. */
#include "ground_world.h"

/* The lowest whole height at which a target is seen, exactly. */
static int32_t lowest_seen(const rcity_ground_sight *sight, rcity_grid_point3 source, rcity_grid_point3 to)
{
    int32_t low = to.z - 1; /* not known to be seen, and the next one surely */
    int32_t high = to.z + (1 << 22);
    while (high - low > 1) {
        to.z = low + (high - low) / 2;
        if (rcity_ground_sight_blocks(sight, source, to)) {
            low = to.z;
        } else {
            high = to.z;
        }
    }
    return high;
}

/* Required heights are as exact as they say, at every `step`-th target. */
static void check_needed(const ground_world *world, const rcity_ground_sight *sight, rcity_grid_point3 source,
                         const rcity_ground_targets *targets, int32_t step)
{
    static float needed_m[GROUND_SIDE_MAX * GROUND_SIDE_MAX];
    static float error_m[GROUND_SIDE_MAX * GROUND_SIDE_MAX];
    assert_ok(world->context, rcity_ground_sight_needed(sight, source, targets, needed_m, error_m));
    for (int32_t target = 0; target < targets->column_count * targets->row_count; target += step) {
        rcity_grid_point3 to = {targets->x[target % targets->column_count], targets->y[target / targets->column_count],
                                0};
        to.z = ground_at(sight->terrain, to.x, to.y);
        int32_t exact = lowest_seen(sight, source, to) - to.z;
        assert_near(needed_m[target] * 64.0f, exact - 0.5, 64.0 * (double)error_m[target] + 0.6);
    }
}

static void test_required_heights_keep_their_bounds(void **state)
{
    ground_world *world = *state;
    uint64_t seed = 99;
    for (int i = 0; i < 12; i++) {
        int32_t columns = ground_pick(&seed, 2, GROUND_SIDE_MAX);
        int32_t rows = ground_pick(&seed, 2, GROUND_SIDE_MAX);
        ground_world_make(world, &seed, columns, rows, 640);
        rcity_ground_sight sight;
        assert_ok(world->context,
                  rcity_ground_sight_init(world->context, &world->shapes, i % 2 ? 4.0 / 3.0 : 0.0, &sight));
        rcity_ground_targets targets = ground_nodes(world, 0);
        rcity_grid_point3 source = ground_source(world, &seed);
        source.z += 64;
        check_needed(world, &sight, source, &targets, 7);
        source.z = -10000;
        float needed_m, error_m;
        assert_status(world->context, rcity_ground_sight_needed(&sight, source, &targets, &needed_m, &error_m),
                      RCITY_ERR_ARGUMENT);
        assert_message(world->context, "below the ground");
        rcity_ground_sight_deinit(&sight);
    }
}

/* So they are where the earth itself hides: a source on a plain whose cells are a kilometre wide. */
static void test_required_heights_over_the_bulge(void **state)
{
    ground_world *world = *state;
    uint64_t seed = 7;
    for (int i = 0; i < 20; i++) {
        ground_world_make(world, &seed, 8, 8, 0);
        rcity_terrain_grid *terrain = &world->shapes.terrain;
        terrain->cell = 128 * 1000;
        rcity_ground_sight sight;
        assert_ok(world->context, rcity_ground_sight_init(world->context, &world->shapes, 4.0 / 3.0, &sight));
        int32_t columns = ground_line(&seed, i % 2, terrain->west, terrain->cell, 8, world->x);
        int32_t rows = ground_line(&seed, i % 2, terrain->south, terrain->cell, 8, world->y);
        rcity_ground_targets targets = {columns, rows, world->x, world->y, NULL, 0, false};
        rcity_grid_point3 source = ground_source(world, &seed);
        source.z = i % 5;
        check_needed(world, &sight, source, &targets, 1);
        rcity_ground_sight_deinit(&sight);
    }
}

/* The least ratio by brute force at many places of the line. */
static double plain_clearance(const ground_world *world, const rcity_ground_sight *sight, rcity_grid_point3 from,
                              rcity_grid_point3 to, double wavelength_m)
{
    const rcity_terrain_grid *terrain = &world->shapes.terrain;
    double dx = (double)to.x - from.x;
    double dy = (double)to.y - from.y;
    double length_m = sqrt(dx * dx + dy * dy) / sight->units_per_m;
    double least = HUGE_VAL;
    for (int i = 1; i < 20000; i++) {
        double t = i / 20000.0;
        double x = (from.x + dx * t - terrain->west) / terrain->cell;
        double y = (from.y + dy * t - terrain->south) / terrain->cell;
        int32_t column = (int32_t)fmin(fmax(floor(x), 0.0), terrain->column_count - 2);
        int32_t row = (int32_t)fmin(fmax(floor(y), 0.0), terrain->row_count - 2);
        const int32_t *south = terrain->height + row * terrain->column_count + column;
        const int32_t *north = south + terrain->column_count;
        x -= column;
        y -= row;
        double ground = x >= y ? south[0] + (south[1] - south[0]) * x + (north[1] - south[1]) * y
                               : south[0] + (north[0] - south[0]) * y + (north[1] - north[0]) * x;
        double bulge_m =
            sight->radius_m > 0 ? t * (1.0 - t) * length_m * length_m / (2.0 * (double)sight->radius_m) : 0;
        double over_m = (from.z + t * ((double)to.z - from.z) - ground) / RCITY_HEIGHT_UNITS_PER_M - bulge_m;
        least = fmin(least, over_m / (0.6 * sqrt(wavelength_m * t * (1.0 - t) * length_m)));
    }
    return least;
}

static void test_clearance_equals_brute_force(void **state)
{
    ground_world *world = *state;
    static float clearance[GROUND_SIDE_MAX * GROUND_SIDE_MAX];
    uint64_t seed = 31;
    for (int i = 0; i < 8; i++) {
        ground_world_make(world, &seed, GROUND_SIDE_MAX, GROUND_SIDE_MAX, i % 2 ? 6400 : 640);
        rcity_terrain_grid *terrain = &world->shapes.terrain;
        terrain->cell = 30 * 128;
        rcity_ground_sight sight;
        assert_ok(world->context,
                  rcity_ground_sight_init(world->context, &world->shapes, i < 4 ? 0.0 : 4.0 / 3.0, &sight));
        rcity_ground_targets targets = ground_nodes(world, 320);
        rcity_grid_point3 source = ground_source(world, &seed);
        source.z += 64 * 10;
        assert_ok(world->context, rcity_ground_sight_clearance(&sight, source, &targets, 900e6, clearance));
        for (int32_t target = 3; target < GROUND_SIDE_MAX * GROUND_SIDE_MAX; target += 101) {
            rcity_grid_point3 to = {world->x[target % GROUND_SIDE_MAX], world->y[target / GROUND_SIDE_MAX],
                                    world->height[target] + 320};
            if (abs(to.x - source.x) + abs(to.y - source.y) > 3 * terrain->cell) {
                double plain = plain_clearance(world, &sight, source, to, 299792458.0 / 900e6);
                /* places between crossings may be lower, where the ground is not */
                assert_near(clearance[target], plain, 0.03 * fabs(plain) + 0.03);
            }
            /* what its neighbours have in common with a target saves time and changes no bit */
            float alone;
            rcity_ground_targets one = {1, 1, &to.x, &to.y, &to.z, 0, false};
            assert_ok(world->context, rcity_ground_sight_clearance(&sight, source, &one, 900e6, &alone));
            assert_memory_equal(&alone, &clearance[target], sizeof alone);
        }
        rcity_ground_sight_deinit(&sight);
    }
    rcity_ground_sight sight;
    assert_ok(world->context, rcity_ground_sight_init(world->context, &world->shapes, 0.0, &sight));
    rcity_ground_targets targets = {1, 1, world->x, world->y, NULL, 320, false};
    assert_status(world->context,
                  rcity_ground_sight_clearance(&sight, (rcity_grid_point3){0, 0, 0}, &targets, 0.0, clearance),
                  RCITY_ERR_ARGUMENT);
    assert_message(world->context, "frequency is 0 Hz");
    rcity_ground_sight_deinit(&sight);
}

/* One high node: its direction, angle and distance. */
static void test_horizon_finds_a_peak(void **state)
{
    ground_world *world = *state;
    uint64_t seed = 3;
    ground_world_make(world, &seed, 41, 41, 0);
    rcity_terrain_grid *terrain = &world->shapes.terrain;
    terrain->west = terrain->south = 0;
    terrain->cell = 128 * 30;
    world->height[25 * 41 + 35] = 64 * 100; /* 15 cells east, 5 north */
    rcity_ground_sight sight;
    assert_ok(world->context, rcity_ground_sight_init(world->context, &world->shapes, 4.0 / 3.0, &sight));
    rcity_grid_point3 source = {20 * terrain->cell, 20 * terrain->cell, 64 * 10};
    static float elevation_rad[7200];
    static float distance_m[7200];
    assert_ok(world->context, rcity_ground_sight_horizon(&sight, source, 7200, elevation_rad, distance_m));
    int highest = 0;
    for (int i = 0; i < 7200; i++) {
        highest = elevation_rad[i] > elevation_rad[highest] ? i : highest;
    }
    double peak_m = 30.0 * sqrt(250.0);
    double fall_m = peak_m * peak_m / (2.0 * 4.0 / 3.0 * RCITY_EARTH_RADIUS_M);
    assert_near(highest * 0.05, atan2(15.0, 5.0) * 180.0 / 3.14159265358979, 0.06);
    assert_near(elevation_rad[highest], atan((90.0 - fall_m) / peak_m), 1e-3);
    assert_near(distance_m[highest], peak_m, 2.0);
    assert_near(distance_m[0], 20 * 30.0, 0.01); /* flat ground: the horizon is where the grid ends */
    assert_near(elevation_rad[0], atan(-(10.0 + 600.0 * 600.0 / (8.0 / 3.0 * RCITY_EARTH_RADIUS_M)) / 600.0), 1e-6);
    rcity_ground_sight_deinit(&sight);
}

TEST_SUITE(ground_levels)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_required_heights_keep_their_bounds),
        cmocka_unit_test(test_required_heights_over_the_bulge),
        cmocka_unit_test(test_clearance_equals_brute_force),
        cmocka_unit_test(test_horizon_finds_a_peak),
    };
    return cmocka_run_group_tests_name("ground_levels", tests, ground_world_setup, ground_world_teardown);
}

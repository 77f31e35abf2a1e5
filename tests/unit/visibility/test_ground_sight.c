/* Sight over terrain against the plain test of each line, and the plain test on a curved earth against double precision. */
#include "ground_world.h"
#include "kernel/visibility/ground/ground_line.h"

/* Every target of a raster equals the plain test. */
static void check_raster(ground_world *world, const rcity_ground_sight *sight, rcity_grid_point3 source,
                         const rcity_ground_targets *targets)
{
    const rcity_terrain_grid *terrain = &world->shapes.terrain;
    memset(world->seen, 99, sizeof world->seen);
    assert_ok(world->context, rcity_ground_sight_fill(sight, NULL, source, targets, world->seen, NULL));
    for (int32_t row = 0; row < targets->row_count; row++) {
        for (int32_t column = 0; column < targets->column_count; column++) {
            int32_t ordered = targets->is_north_first ? targets->row_count - 1 - row : row;
            int32_t target = ordered * targets->column_count + column;
            rcity_grid_point3 to = {targets->x[column], targets->y[row], 0};
            int expected = RCITY_GROUND_NOWHERE;
            if (rcity_terrain_contains(terrain, to.x, to.y)) {
                to.z = targets->z != NULL ? targets->z[target] : ground_at(terrain, to.x, to.y) + targets->height;
                expected = !rcity_ground_sight_blocks(sight, source, to);
                assert_int_equal(expected, !rcity_ground_sight_blocks(sight, to, source));
            }
            if (world->seen[target] != expected) {
                print_error(
                    "grid %d x %d, cell %d, radius %lld m, source (%d, %d, %d), target (%d, %d, %d): %d, expected %d\n",
                    terrain->column_count, terrain->row_count, terrain->cell, (long long)sight->radius_m,
                    source.x - terrain->west, source.y - terrain->south, source.z, to.x - terrain->west,
                    to.y - terrain->south, to.z, world->seen[target], expected);
                fail();
            }
        }
    }
}

/* A ridge with peaks and notches one node wide across flat ground. */
static void make_ridge(ground_world *world, uint64_t *seed)
{
    rcity_terrain_grid *terrain = &world->shapes.terrain;
    bool is_column = ground_pick(seed, 0, 1);
    int32_t line = ground_pick(seed, 0, (is_column ? terrain->column_count : terrain->row_count) - 1);
    for (int32_t i = 0; i < terrain->column_count * terrain->row_count; i++) {
        int32_t at = is_column ? i % terrain->column_count : i / terrain->column_count;
        world->height[i] = at == line ? 64 * ground_pick(seed, 0, 20) : 0;
    }
}

static int32_t common_divisor(int32_t a, int32_t b)
{
    while (b != 0) {
        int32_t rest = a % b;
        a = b;
        b = rest;
    }
    return a < 0 ? -a : a;
}

/* Targets at nodes, at such heights that the line from a source on a node passes a node between them at its height, or a
   little above or below. */
static void graze_nodes(ground_world *world, uint64_t *seed, rcity_grid_point3 source)
{
    const rcity_terrain_grid *terrain = &world->shapes.terrain;
    int32_t column_from = (source.x - terrain->west) / terrain->cell;
    int32_t row_from = (source.y - terrain->south) / terrain->cell;
    for (int32_t i = 0; i < terrain->column_count * terrain->row_count; i++) {
        int32_t columns = i % terrain->column_count - column_from;
        int32_t rows = i / terrain->column_count - row_from;
        int32_t steps = common_divisor(columns, rows);
        world->z[i] = world->height[i] + 10;
        if (steps > 1) {
            int32_t step = ground_pick(seed, 1, steps - 1);
            int32_t node =
                (row_from + rows / steps * step) * terrain->column_count + column_from + columns / steps * step;
            double rise = (double)(world->height[node] - source.z) * steps / step;
            world->z[i] = source.z + (int32_t)floor(rise) + ground_pick(seed, -4, 5);
        }
    }
}

/* Lines that pass nodes closely: the ground within a bin of directions is highest and lowest there. */
static void test_lines_that_graze_nodes(void **state)
{
    ground_world *world = *state;
    uint64_t seed = 4711;
    int count = test_is_called_with("long") ? 5000 : 60;
    for (int i = 0; i < count; i++) {
        int32_t columns = ground_pick(&seed, 4, GROUND_SIDE_MAX);
        int32_t rows = ground_pick(&seed, 4, GROUND_SIDE_MAX);
        ground_world_make(world, &seed, columns, rows, 640);
        if (ground_pick(&seed, 0, 3)) {
            make_ridge(world, &seed);
        }
        const rcity_terrain_grid *terrain = &world->shapes.terrain;
        rcity_ground_sight sight;
        assert_ok(world->context, rcity_ground_sight_init(world->context, &world->shapes, 0.0, &sight));
        rcity_grid_point3 source = {terrain->west + ground_pick(&seed, 0, columns - 1) * terrain->cell,
                                    terrain->south + ground_pick(&seed, 0, rows - 1) * terrain->cell, 0};
        source.z = ground_at(terrain, source.x, source.y) + ground_pick(&seed, 0, 640);
        rcity_ground_targets targets = ground_nodes(world, 0);
        graze_nodes(world, &seed, source);
        targets.z = world->z;
        check_raster(world, &sight, source, &targets);
        rcity_ground_sight_deinit(&sight);
    }
}

/* Targets behind the horizon of a smooth curved earth, at such heights that the line nearly touches the bulge: anywhere,
   between crossings too. */
static void test_lines_that_touch_a_smooth_earth(void **state)
{
    ground_world *world = *state;
    uint64_t seed = 815;
    int count = test_is_called_with("long") ? 1000 : 30;
    for (int i = 0; i < count; i++) {
        ground_world_make(world, &seed, GROUND_SIDE_MAX, ground_pick(&seed, 2, GROUND_SIDE_MAX), 0);
        rcity_terrain_grid *terrain = &world->shapes.terrain;
        terrain->cell = 128 * ground_pick(&seed, 20, 60);
        rcity_ground_sight sight;
        assert_ok(world->context, rcity_ground_sight_init(world->context, &world->shapes, 0.01, &sight));
        int kind = ground_pick(&seed, 0, 2);
        int32_t columns = ground_line(&seed, kind, terrain->west, terrain->cell, terrain->column_count, world->x);
        int32_t rows = ground_line(&seed, kind, terrain->south, terrain->cell, terrain->row_count, world->y);
        rcity_grid_point3 source = ground_source(world, &seed);
        source.z = ground_pick(&seed, 1, 200);
        double radius_units = (double)sight.radius_m * 128.0;
        double horizon = sqrt(radius_units * source.z * 2.0 * 128.0 / 64.0);
        for (int32_t k = 0; k < columns * rows; k++) {
            double dx = (double)world->x[k % columns] - source.x;
            double dy = (double)world->y[k / columns] - source.y;
            double beyond = fmax(sqrt(dx * dx + dy * dy) - horizon, 0.0);
            double height = beyond * beyond * 64.0 / (2.0 * 128.0 * radius_units);
            world->z[k] =
                i % 2 ? 0 : (int32_t)fmax(floor(height) + ground_pick(&seed, -1, 2), 0.0); /* 0: on the ground */
        }
        rcity_ground_targets targets = {columns, rows, world->x, world->y, world->z, 0, false};
        check_raster(world, &sight, source, &targets);
        rcity_ground_sight_deinit(&sight);
    }
}

static void random_rasters(ground_world *world, uint64_t seed, int count, double curvature_factor)
{
    for (int i = 0; i < count; i++) {
        static const int32_t reliefs[] = {0, 2, 64, 640, 6400};
        int32_t columns = ground_pick(&seed, 0, 5) == 0 ? 2 : ground_pick(&seed, 2, GROUND_SIDE_MAX);
        int32_t rows = ground_pick(&seed, 0, 5) == 0 ? 2 : ground_pick(&seed, 2, GROUND_SIDE_MAX);
        ground_world_make(world, &seed, columns, rows, reliefs[ground_pick(&seed, 0, 4)]);
        const rcity_terrain_grid *terrain = &world->shapes.terrain;
        rcity_ground_sight sight;
        assert_ok(world->context, rcity_ground_sight_init(world->context, &world->shapes, curvature_factor, &sight));
        rcity_ground_targets targets;
        memset(&targets, 0, sizeof targets);
        int kind = ground_pick(&seed, 0, 2);
        targets.column_count = ground_line(&seed, kind, terrain->west, terrain->cell, columns, world->x);
        targets.row_count = ground_line(&seed, kind, terrain->south, terrain->cell, rows, world->y);
        targets.x = world->x;
        targets.y = world->y;
        targets.height = ground_pick(&seed, 0, 1) ? ground_pick(&seed, 0, 3) : 96;
        targets.is_north_first = ground_pick(&seed, 0, 1);
        if (ground_pick(&seed, 0, 3) == 0) {
            int32_t level = ground_pick(&seed, 0, 300);
            for (int32_t k = 0; k < targets.column_count * targets.row_count; k++) {
                world->z[k] = level + ground_pick(&seed, 0, 3);
            }
            targets.z = world->z;
        }
        check_raster(world, &sight, ground_source(world, &seed), &targets);
        rcity_ground_sight_deinit(&sight);
    }
}

static void test_rasters_equal_the_plain_test(void **state)
{
    ground_world *world = *state;
    random_rasters(world, 20240611, test_is_called_with("long") ? 20000 : 150, 0.0);
}

static void test_curved_rasters_equal_the_plain_test(void **state)
{
    ground_world *world = *state;
    random_rasters(world, 20240612, test_is_called_with("long") ? 5000 : 40, 4.0 / 3.0);
    random_rasters(world, 20240613, test_is_called_with("long") ? 5000 : 40, 0.01);
}

/* How far the ground rises over a line on a curved earth, at many places of each piece between crossings: never above the
   truth, and below it by little. */
static double rise_over(const ground_world *world, const rcity_ground_sight *sight, rcity_grid_point3 from,
                        rcity_grid_point3 to, double *blur)
{
    const rcity_terrain_grid *terrain = &world->shapes.terrain;
    double dx = (double)to.x - from.x;
    double dy = (double)to.y - from.y;
    double units = sight->units_per_m;
    double length_m = sqrt(dx * dx + dy * dy) / units;
    double bulge = length_m * length_m * RCITY_HEIGHT_UNITS_PER_M / (2.0 * (double)sight->radius_m);
    int place_count = 4000;
    double highest = -HUGE_VAL;
    for (int i = 0; i <= place_count; i++) {
        double t = (double)i / place_count;
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
        double over = ground + t * (1.0 - t) * bulge - from.z - t * ((double)to.z - from.z);
        highest = over > highest ? over : highest;
    }
    /* half a step of the steepest ground, line and bulge */
    double cells = (fabs(dx) + fabs(dy)) / terrain->cell;
    *blur = (cells * 2.0 * sight->steepest + fabs((double)to.z - from.z) + bulge) * 0.5 / place_count + 1e-9;
    return highest;
}

static void test_the_plain_test_on_a_curved_earth_is_right(void **state)
{
    ground_world *world = *state;
    uint64_t seed = 77;
    int decided = 0;
    int blocked = 0;
    int bulged = 0;
    for (int i = 0; i < 1500; i++) {
        ground_world_make(world, &seed, ground_pick(&seed, 2, GROUND_SIDE_MAX), ground_pick(&seed, 2, GROUND_SIDE_MAX),
                          ground_pick(&seed, 0, 1) ? 40 : 400);
        const rcity_terrain_grid *terrain = &world->shapes.terrain;
        rcity_ground_sight sight;
        assert_ok(world->context, rcity_ground_sight_init(world->context, &world->shapes, 0.01, &sight));
        rcity_grid_point3 from = ground_source(world, &seed);
        rcity_grid_point3 to = ground_source(world, &seed);
        from.z += ground_pick(&seed, 0, 40);
        double blur = 0.0;
        double over = rise_over(world, &sight, from, to, &blur);
        bool is_blocked = rcity_ground_sight_blocks(&sight, from, to);
        if (over > 1e-6 || over < -blur) {
            assert_int_equal(is_blocked, over > 0.0);
            decided++;
            blocked += is_blocked;
            bulged += is_blocked && !rcity_terrain_blocks(terrain, from, to);
        }
        rcity_ground_sight_deinit(&sight);
    }
    print_message("%d lines decided, %d blocked, %d of them by the bulge alone\n", decided, blocked, bulged);
    assert_true(decided > 1000 && blocked > 100 && blocked < decided - 100 && bulged > 5);
}

/* Over flat ground the bulge alone hides: the exact distance of the horizon. */
static void test_horizon_of_a_smooth_earth(void **state)
{
    ground_world *world = *state;
    uint64_t seed = 5;
    ground_world_make(world, &seed, GROUND_SIDE_MAX, 2, 0);
    rcity_terrain_grid *terrain = &world->shapes.terrain;
    terrain->cell = 128000; /* 1 km */
    terrain->west = terrain->south = 0;
    rcity_ground_sight sight;
    assert_ok(world->context, rcity_ground_sight_init(world->context, &world->shapes, 1.0, &sight));
    for (int32_t i = 0; i < GROUND_SIDE_MAX; i++) {
        world->x[i] = i * terrain->cell;
    }
    world->y[0] = 0;
    rcity_ground_targets targets = {GROUND_SIDE_MAX, 1, world->x, world->y, NULL, 64 * 2, false};
    rcity_grid_point3 source = {0, 0, 64 * 30};
    assert_ok(world->context, rcity_ground_sight_fill(&sight, NULL, source, &targets, world->seen, NULL));
    double horizon_km = (sqrt(2.0 * RCITY_EARTH_RADIUS_M * 30.0) + sqrt(2.0 * RCITY_EARTH_RADIUS_M * 2.0)) / 1000.0;
    assert_near(horizon_km, 24.6, 0.1);
    for (int32_t i = 0; i < GROUND_SIDE_MAX; i++) {
        assert_int_equal(world->seen[i], i <= (int32_t)horizon_km);
    }
    rcity_ground_sight_deinit(&sight);
}

/* A factor too small, a grid of one row. */
static void test_bad_input_is_refused(void **state)
{
    ground_world *world = *state;
    uint64_t seed = 6;
    ground_world_make(world, &seed, 4, 4, 10);
    rcity_ground_sight sight;
    assert_status(world->context, rcity_ground_sight_init(world->context, &world->shapes, -1.0, &sight),
                  RCITY_ERR_ARGUMENT);
    assert_message(world->context, "curvature factor is -1");
    assert_status(world->context, rcity_ground_sight_init(world->context, &world->shapes, (double)NAN, &sight),
                  RCITY_ERR_ARGUMENT);
    assert_ok(world->context, rcity_ground_sight_init(world->context, &world->shapes, 0.0, &sight));
    const rcity_grid_point3 source = {world->shapes.terrain.west, world->shapes.terrain.south, 1000};
    const rcity_ground_targets many = {.column_count = 1 << 16, .row_count = 1 << 15};
    const rcity_status statuses[] = {rcity_ground_sight_fill(&sight, NULL, source, &many, NULL, NULL),
                                     rcity_ground_sight_needed(&sight, source, &many, NULL, NULL),
                                     rcity_ground_sight_clearance(&sight, source, &many, 900e6, NULL)};
    for (size_t i = 0; i < sizeof statuses / sizeof statuses[0]; i++) {
        assert_status(world->context, statuses[i], RCITY_ERR_ARGUMENT);
        assert_message(world->context, "65536 x 32768 targets");
    }
    rcity_ground_sight_deinit(&sight);
    world->shapes.terrain.row_count = 1;
    assert_status(world->context, rcity_ground_sight_init(world->context, &world->shapes, 0.0, &sight),
                  RCITY_ERR_ARGUMENT);
    assert_message(world->context, "4 x 1 nodes");
}

/* A source below the ground sees nothing; one off the grid sees in as the plain test says. */
static void test_sources_below_and_off_the_ground(void **state)
{
    ground_world *world = *state;
    uint64_t seed = 8;
    ground_world_make(world, &seed, 20, 17, 300);
    const rcity_terrain_grid *terrain = &world->shapes.terrain;
    rcity_ground_sight sight;
    assert_ok(world->context, rcity_ground_sight_init(world->context, &world->shapes, 0.0, &sight));
    rcity_ground_targets targets = ground_nodes(world, 96);
    targets.is_north_first = true;
    rcity_grid_point3 source = ground_source(world, &seed);
    source.z = ground_at(terrain, source.x, source.y) - 1;
    check_raster(world, &sight, source, &targets);
    assert_int_equal(world->seen[7], RCITY_GROUND_HIDDEN);
    source.x = terrain->west - 3 * terrain->cell;
    source.z = 320;
    check_raster(world, &sight, source, &targets);
    rcity_ground_sight_deinit(&sight);
}

static void test_any_number_of_threads_gives_the_same(void **state)
{
    ground_world *world = *state;
    uint64_t seed = 9;
    ground_world_make(world, &seed, GROUND_SIDE_MAX, GROUND_SIDE_MAX, 640);
    rcity_ground_targets targets = ground_nodes(world, 10);
    rcity_grid_point3 source = ground_source(world, &seed);
    static uint8_t first[GROUND_SIDE_MAX * GROUND_SIDE_MAX];
    rcity_ground_effort efforts[4];
    for (int thread_count = 1; thread_count <= 4; thread_count++) {
        rcity_context *context = test_context(thread_count);
        rcity_ground_sight sight;
        assert_ok(context, rcity_ground_sight_init(context, &world->shapes, 0.0, &sight));
        uint8_t *seen = thread_count == 1 ? first : world->seen;
        assert_ok(context, rcity_ground_sight_fill(&sight, NULL, source, &targets, seen, &efforts[thread_count - 1]));
        assert_memory_equal(seen, first, sizeof first);
        assert_int_equal(efforts[thread_count - 1].walked, efforts[0].walked);
        assert_int_equal(efforts[thread_count - 1].exact, efforts[0].exact);
        rcity_ground_sight_deinit(&sight);
        rcity_context_destroy(&context);
    }
}

static void test_failing_allocations_leave_nothing(void **state)
{
    ground_world *world = *state;
    uint64_t seed = 10;
    ground_world_make(world, &seed, 20, 20, 640);
    rcity_ground_targets targets = ground_nodes(world, 10);
    rcity_grid_point3 source = ground_source(world, &seed);
    rcity_status status = RCITY_ERR_MEMORY;
    for (long fail_at = 2; status != RCITY_OK; fail_at++) {
        failing_allocator failing = {fail_at, 0, 0};
        rcity_context *context = test_context_failing(&failing, 2);
        rcity_ground_sight sight;
        long live_count = failing.live_count;
        status = rcity_ground_sight_init(context, &world->shapes, 0.0, &sight);
        if (status == RCITY_OK) {
            status = rcity_ground_sight_fill(&sight, NULL, source, &targets, world->seen, NULL);
            rcity_ground_sight_deinit(&sight);
        }
        assert_true(status == RCITY_OK || status == RCITY_ERR_MEMORY);
        assert_int_equal(failing.live_count, live_count);
        rcity_context_destroy(&context);
        assert_true(fail_at < 20);
    }
}

/* Some cells of a large grid; in the long form 4000 x 4000 nodes and a million of them. */
static void test_large_grids_equal_the_plain_test(void **state)
{
    ground_world *world = *state;
    bool is_long = test_is_called_with("long");
    int32_t side = is_long ? 4000 : 500;
    int sample_count = is_long ? 1000000 : 4000;
    size_t count = (size_t)side * (size_t)side;
    rcity_shapes shapes;
    memset(&shapes, 0, sizeof shapes);
    shapes.units_per_m = 16;
    rcity_terrain_grid *terrain = &shapes.terrain;
    terrain->column_count = terrain->row_count = side;
    terrain->cell = 30 * 16;
    terrain->height = malloc(count * sizeof *terrain->height);
    int32_t *x = malloc((size_t)side * sizeof *x);
    uint8_t *seen = malloc(count);
    for (int32_t i = 0; i < side; i++) {
        x[i] = i * terrain->cell;
    }
    for (size_t i = 0; i < count; i++) {
        double east = (double)(i % (size_t)side);
        double north = (double)(i / (size_t)side);
        double height_m = 60.0 * sin(0.031 * east + 0.3 * sin(0.05 * north)) + 40.0 * cos(0.047 * north) +
                          6.0 * sin(0.4 * east + 0.23 * north) + 0.002 * east * sin(0.01 * north);
        terrain->height[i] = (int32_t)lround(height_m * RCITY_HEIGHT_UNITS_PER_M);
    }
    uint64_t seed = 1;
    for (int curved = 0; curved < 2; curved++) {
        rcity_ground_sight sight;
        assert_ok(world->context, rcity_ground_sight_init(world->context, &shapes, curved ? 4.0 / 3.0 : 0.0, &sight));
        rcity_ground_targets targets = {side, side, x, x, NULL, 96, false};
        rcity_grid_point3 source = {ground_pick(&seed, 0, x[side - 1]), ground_pick(&seed, 0, x[side - 1]), 0};
        source.z = ground_at(terrain, source.x, source.y) + 30 * 64;
        assert_ok(world->context, rcity_ground_sight_fill(&sight, NULL, source, &targets, seen, NULL));
        int visible = 0;
        int tested = curved ? sample_count / 200 : sample_count; /* the plain test on a curved earth is slow */
        for (int i = 0; i < tested; i++) {
            int32_t column = ground_pick(&seed, 0, side - 1);
            int32_t row = ground_pick(&seed, 0, side - 1);
            if (i % 2 == 0) { /* near the source more is seen */
                column = (source.x / terrain->cell + ground_pick(&seed, -60, 60) + side) % side;
                row = (source.y / terrain->cell + ground_pick(&seed, -60, 60) + side) % side;
            }
            size_t target = (size_t)row * (size_t)side + (size_t)column;
            rcity_grid_point3 to = {x[column], x[row], terrain->height[target] + 96};
            assert_int_equal(seen[target], !rcity_ground_sight_blocks(&sight, source, to));
            visible += seen[target];
        }
        print_message("%d x %d nodes: %d of %d tested targets visible\n", side, side, visible, tested);
        assert_true(visible > tested / 50);
        rcity_ground_sight_deinit(&sight);
    }
    free(seen);
    free(x);
    free(terrain->height);
}

TEST_SUITE(ground_sight)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rasters_equal_the_plain_test),
        cmocka_unit_test(test_lines_that_graze_nodes),
        cmocka_unit_test(test_lines_that_touch_a_smooth_earth),
        cmocka_unit_test(test_curved_rasters_equal_the_plain_test),
        cmocka_unit_test(test_the_plain_test_on_a_curved_earth_is_right),
        cmocka_unit_test(test_horizon_of_a_smooth_earth),
        cmocka_unit_test(test_bad_input_is_refused),
        cmocka_unit_test(test_sources_below_and_off_the_ground),
        cmocka_unit_test(test_large_grids_equal_the_plain_test),
        cmocka_unit_test(test_any_number_of_threads_gives_the_same),
        cmocka_unit_test(test_failing_allocations_leave_nothing),
    };
    return cmocka_run_group_tests_name("ground_sight", tests, ground_world_setup, ground_world_teardown);
}

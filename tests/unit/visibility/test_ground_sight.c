/* Sight over terrain against the plain test of each line, and the plain test on a curved earth against double precision. */
#include "kernel/visibility/ground/ground_line.h"
#include "random_number.h"
#include "rcity_test.h"
#include "scene/place/terrain.h"
#include "visibility/terrain/ground_sight.h"

#define SIDE_MAX 48

/* A made terrain. */
typedef struct ground_world {
    rcity_context *context;
    rcity_shapes shapes;
    int32_t height[SIDE_MAX * SIDE_MAX];
    int32_t x[3 * SIDE_MAX], y[3 * SIDE_MAX], z[9 * SIDE_MAX * SIDE_MAX];
    uint8_t seen[9 * SIDE_MAX * SIDE_MAX];
} ground_world;

static int32_t pick(uint64_t *seed, int32_t low, int32_t high)
{
    random_state = *seed;
    int32_t number = (int32_t)floor(random_number(low, (double)high + 1.0));
    *seed = random_state;
    return number;
}

/* Nodes as rough as `relief`, some terrains smooth, some flat in parts so that lines touch the ground. */
static void make_world(ground_world *world, uint64_t *seed, int32_t columns, int32_t rows, int32_t relief)
{
    memset(&world->shapes, 0, sizeof world->shapes);
    rcity_terrain_grid *terrain = &world->shapes.terrain;
    world->shapes.units_per_m = 128;
    terrain->column_count = columns;
    terrain->row_count = rows;
    terrain->cell = pick(seed, 0, 1) ? 128 * pick(seed, 1, 30) : pick(seed, 2, 400);
    terrain->west = pick(seed, -5000, 5000);
    terrain->south = pick(seed, -5000, 5000);
    terrain->height = world->height;
    int is_smooth = pick(seed, 0, 1);
    for (int32_t i = 0; i < columns * rows; i++) {
        world->height[i] = pick(seed, 0, relief);
        if (is_smooth && i > 0) {
            world->height[i] = world->height[i - 1] + pick(seed, -1, 1) * (relief / 8);
        }
        if (is_smooth && i >= columns) {
            world->height[i] = (world->height[i] + world->height[i - columns]) / 2;
        }
    }
}

static int32_t ground_at(const rcity_terrain_grid *terrain, int32_t x, int32_t y)
{
    return (int32_t)ceil(rcity_terrain_height(terrain, x, y));
}

/* Coordinates of targets: nodes, centres, or anything, some off the grid. */
static int32_t make_line(uint64_t *seed, int kind, int32_t first, int32_t cell, int32_t node_count, int32_t *line)
{
    int32_t count = kind == 0 ? node_count : kind == 1 ? node_count - 1 : pick(seed, 1, 2 * node_count);
    int32_t at = first - pick(seed, 0, cell);
    for (int32_t i = 0; i < count; i++) {
        at += pick(seed, 1, cell);
        line[i] = kind == 0 ? first + i * cell : kind == 1 ? first + i * cell + cell / 2 : at;
    }
    return count;
}

static rcity_grid_point3 make_source(const ground_world *world, uint64_t *seed)
{
    const rcity_terrain_grid *terrain = &world->shapes.terrain;
    int32_t width = (terrain->column_count - 1) * terrain->cell;
    int32_t depth = (terrain->row_count - 1) * terrain->cell;
    rcity_grid_point3 source;
    source.x = terrain->west +
               (pick(seed, 0, 2) ? pick(seed, 0, terrain->column_count - 1) * terrain->cell : pick(seed, 0, width));
    source.y = terrain->south +
               (pick(seed, 0, 2) ? pick(seed, 0, terrain->row_count - 1) * terrain->cell : pick(seed, 0, depth));
    if (pick(seed, 0, 4) == 0) { /* on a diagonal */
        int32_t part = pick(seed, 0, terrain->cell);
        source.x = terrain->west + pick(seed, 0, terrain->column_count - 2) * terrain->cell + part;
        source.y = terrain->south + pick(seed, 0, terrain->row_count - 2) * terrain->cell + part;
    }
    source.z = ground_at(terrain, source.x, source.y) + (pick(seed, 0, 3) ? pick(seed, 0, 100) : pick(seed, 0, 1));
    return source;
}

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
    bool is_column = pick(seed, 0, 1);
    int32_t line = pick(seed, 0, (is_column ? terrain->column_count : terrain->row_count) - 1);
    for (int32_t i = 0; i < terrain->column_count * terrain->row_count; i++) {
        int32_t at = is_column ? i % terrain->column_count : i / terrain->column_count;
        world->height[i] = at == line ? 64 * pick(seed, 0, 20) : 0;
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
            int32_t step = pick(seed, 1, steps - 1);
            int32_t node =
                (row_from + rows / steps * step) * terrain->column_count + column_from + columns / steps * step;
            double rise = (double)(world->height[node] - source.z) * steps / step;
            world->z[i] = source.z + (int32_t)floor(rise) + pick(seed, -4, 5);
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
        int32_t columns = pick(&seed, 4, SIDE_MAX);
        int32_t rows = pick(&seed, 4, SIDE_MAX);
        make_world(world, &seed, columns, rows, 640);
        if (pick(&seed, 0, 3)) {
            make_ridge(world, &seed);
        }
        const rcity_terrain_grid *terrain = &world->shapes.terrain;
        rcity_ground_sight sight;
        assert_ok(world->context, rcity_ground_sight_init(world->context, &world->shapes, 0.0, &sight));
        make_line(&seed, 0, terrain->west, terrain->cell, columns, world->x);
        make_line(&seed, 0, terrain->south, terrain->cell, rows, world->y);
        rcity_grid_point3 source = {terrain->west + pick(&seed, 0, columns - 1) * terrain->cell,
                                    terrain->south + pick(&seed, 0, rows - 1) * terrain->cell, 0};
        source.z = ground_at(terrain, source.x, source.y) + pick(&seed, 0, 640);
        graze_nodes(world, &seed, source);
        rcity_ground_targets targets = {columns, rows, world->x, world->y, world->z, 0, false};
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
        make_world(world, &seed, SIDE_MAX, pick(&seed, 2, SIDE_MAX), 0);
        rcity_terrain_grid *terrain = &world->shapes.terrain;
        terrain->cell = 128 * pick(&seed, 20, 60);
        rcity_ground_sight sight;
        assert_ok(world->context, rcity_ground_sight_init(world->context, &world->shapes, 0.01, &sight));
        int kind = pick(&seed, 0, 2);
        int32_t columns = make_line(&seed, kind, terrain->west, terrain->cell, terrain->column_count, world->x);
        int32_t rows = make_line(&seed, kind, terrain->south, terrain->cell, terrain->row_count, world->y);
        rcity_grid_point3 source = make_source(world, &seed);
        source.z = pick(&seed, 1, 200);
        double radius_units = (double)sight.radius_m * 128.0;
        double horizon = sqrt(radius_units * source.z * 2.0 * 128.0 / 64.0);
        for (int32_t k = 0; k < columns * rows; k++) {
            double dx = (double)world->x[k % columns] - source.x;
            double dy = (double)world->y[k / columns] - source.y;
            double beyond = fmax(sqrt(dx * dx + dy * dy) - horizon, 0.0);
            double height = beyond * beyond * 64.0 / (2.0 * 128.0 * radius_units);
            world->z[k] = i % 2 ? 0 : (int32_t)fmax(floor(height) + pick(&seed, -1, 2), 0.0); /* 0: on the ground */
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
        int32_t columns = pick(&seed, 0, 5) == 0 ? 2 : pick(&seed, 2, SIDE_MAX);
        int32_t rows = pick(&seed, 0, 5) == 0 ? 2 : pick(&seed, 2, SIDE_MAX);
        make_world(world, &seed, columns, rows, reliefs[pick(&seed, 0, 4)]);
        const rcity_terrain_grid *terrain = &world->shapes.terrain;
        rcity_ground_sight sight;
        assert_ok(world->context, rcity_ground_sight_init(world->context, &world->shapes, curvature_factor, &sight));
        rcity_ground_targets targets;
        memset(&targets, 0, sizeof targets);
        int kind = pick(&seed, 0, 2);
        targets.column_count = make_line(&seed, kind, terrain->west, terrain->cell, columns, world->x);
        targets.row_count = make_line(&seed, kind, terrain->south, terrain->cell, rows, world->y);
        targets.x = world->x;
        targets.y = world->y;
        targets.height = pick(&seed, 0, 1) ? pick(&seed, 0, 3) : 96;
        targets.is_north_first = pick(&seed, 0, 1);
        if (pick(&seed, 0, 3) == 0) {
            int32_t level = pick(&seed, 0, 300);
            for (int32_t k = 0; k < targets.column_count * targets.row_count; k++) {
                world->z[k] = level + pick(&seed, 0, 3);
            }
            targets.z = world->z;
        }
        check_raster(world, &sight, make_source(world, &seed), &targets);
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
        make_world(world, &seed, pick(&seed, 2, SIDE_MAX), pick(&seed, 2, SIDE_MAX), pick(&seed, 0, 1) ? 40 : 400);
        const rcity_terrain_grid *terrain = &world->shapes.terrain;
        rcity_ground_sight sight;
        assert_ok(world->context, rcity_ground_sight_init(world->context, &world->shapes, 0.01, &sight));
        rcity_grid_point3 from = make_source(world, &seed);
        rcity_grid_point3 to = make_source(world, &seed);
        from.z += pick(&seed, 0, 40);
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
    make_world(world, &seed, SIDE_MAX, 2, 0);
    rcity_terrain_grid *terrain = &world->shapes.terrain;
    terrain->cell = 128000; /* 1 km */
    terrain->west = terrain->south = 0;
    rcity_ground_sight sight;
    assert_ok(world->context, rcity_ground_sight_init(world->context, &world->shapes, 1.0, &sight));
    for (int32_t i = 0; i < SIDE_MAX; i++) {
        world->x[i] = i * terrain->cell;
    }
    world->y[0] = 0;
    rcity_ground_targets targets = {SIDE_MAX, 1, world->x, world->y, NULL, 64 * 2, false};
    rcity_grid_point3 source = {0, 0, 64 * 30};
    assert_ok(world->context, rcity_ground_sight_fill(&sight, NULL, source, &targets, world->seen, NULL));
    double horizon_km = (sqrt(2.0 * RCITY_EARTH_RADIUS_M * 30.0) + sqrt(2.0 * RCITY_EARTH_RADIUS_M * 2.0)) / 1000.0;
    assert_near(horizon_km, 24.6, 0.1);
    for (int32_t i = 0; i < SIDE_MAX; i++) {
        assert_int_equal(world->seen[i], i <= (int32_t)horizon_km);
    }
    rcity_ground_sight_deinit(&sight);
}

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

/* Required heights are as exact as they say. */
static void test_required_heights_keep_their_bounds(void **state)
{
    ground_world *world = *state;
    static float needed_m[SIDE_MAX * SIDE_MAX];
    static float error_m[SIDE_MAX * SIDE_MAX];
    uint64_t seed = 99;
    for (int i = 0; i < 12; i++) {
        int32_t columns = pick(&seed, 2, SIDE_MAX);
        int32_t rows = pick(&seed, 2, SIDE_MAX);
        make_world(world, &seed, columns, rows, 640);
        const rcity_terrain_grid *terrain = &world->shapes.terrain;
        rcity_ground_sight sight;
        assert_ok(world->context,
                  rcity_ground_sight_init(world->context, &world->shapes, i % 2 ? 4.0 / 3.0 : 0.0, &sight));
        make_line(&seed, 0, terrain->west, terrain->cell, columns, world->x);
        make_line(&seed, 0, terrain->south, terrain->cell, rows, world->y);
        rcity_ground_targets targets = {columns, rows, world->x, world->y, NULL, 0, false};
        rcity_grid_point3 source = make_source(world, &seed);
        source.z += 64;
        assert_ok(world->context, rcity_ground_sight_needed(&sight, source, &targets, needed_m, error_m));
        for (int32_t target = 0; target < columns * rows; target += 7) {
            rcity_grid_point3 to = {world->x[target % columns], world->y[target / columns], world->height[target]};
            int32_t exact = lowest_seen(&sight, source, to) - world->height[target];
            assert_near(needed_m[target] * 64.0f, exact - 0.5, 64.0 * (double)error_m[target] + 0.6);
        }
        source.z = -10000;
        assert_status(world->context, rcity_ground_sight_needed(&sight, source, &targets, needed_m, error_m),
                      RCITY_ERR_ARGUMENT);
        assert_message(world->context, "below the ground");
        rcity_ground_sight_deinit(&sight);
    }
}

/* So they are where the earth itself hides: a source on a plain whose cells are a kilometre wide. */
static void test_required_heights_over_the_bulge(void **state)
{
    ground_world *world = *state;
    float needed_m[64];
    float error_m[64];
    uint64_t seed = 7;
    for (int i = 0; i < 20; i++) {
        make_world(world, &seed, 8, 8, 0);
        rcity_terrain_grid *terrain = &world->shapes.terrain;
        terrain->cell = 128 * 1000;
        rcity_ground_sight sight;
        assert_ok(world->context, rcity_ground_sight_init(world->context, &world->shapes, 4.0 / 3.0, &sight));
        int32_t columns = make_line(&seed, i % 2, terrain->west, terrain->cell, 8, world->x);
        int32_t rows = make_line(&seed, i % 2, terrain->south, terrain->cell, 8, world->y);
        rcity_ground_targets targets = {columns, rows, world->x, world->y, NULL, 0, false};
        rcity_grid_point3 source = make_source(world, &seed);
        source.z = i % 5;
        assert_ok(world->context, rcity_ground_sight_needed(&sight, source, &targets, needed_m, error_m));
        for (int32_t target = 0; target < columns * rows; target++) {
            rcity_grid_point3 to = {world->x[target % columns], world->y[target / columns], 0};
            int32_t exact = lowest_seen(&sight, source, to);
            assert_near(needed_m[target] * 64.0f, exact - 0.5, 64.0 * (double)error_m[target] + 0.6);
        }
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
    static float clearance[SIDE_MAX * SIDE_MAX];
    uint64_t seed = 31;
    for (int i = 0; i < 8; i++) {
        make_world(world, &seed, SIDE_MAX, SIDE_MAX, i % 2 ? 6400 : 640);
        rcity_terrain_grid *terrain = &world->shapes.terrain;
        terrain->cell = 30 * 128;
        rcity_ground_sight sight;
        assert_ok(world->context,
                  rcity_ground_sight_init(world->context, &world->shapes, i < 4 ? 0.0 : 4.0 / 3.0, &sight));
        make_line(&seed, 0, terrain->west, terrain->cell, SIDE_MAX, world->x);
        make_line(&seed, 0, terrain->south, terrain->cell, SIDE_MAX, world->y);
        rcity_ground_targets targets = {SIDE_MAX, SIDE_MAX, world->x, world->y, NULL, 320, false};
        rcity_grid_point3 source = make_source(world, &seed);
        source.z += 64 * 10;
        assert_ok(world->context, rcity_ground_sight_clearance(&sight, source, &targets, 900e6, clearance));
        for (int32_t target = 3; target < SIDE_MAX * SIDE_MAX; target += 101) {
            rcity_grid_point3 to = {world->x[target % SIDE_MAX], world->y[target / SIDE_MAX],
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
    make_world(world, &seed, 41, 41, 0);
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

/* A factor too small, a grid of one row. */
static void test_bad_input_is_refused(void **state)
{
    ground_world *world = *state;
    uint64_t seed = 6;
    make_world(world, &seed, 4, 4, 10);
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
    make_world(world, &seed, 20, 17, 300);
    const rcity_terrain_grid *terrain = &world->shapes.terrain;
    rcity_ground_sight sight;
    assert_ok(world->context, rcity_ground_sight_init(world->context, &world->shapes, 0.0, &sight));
    rcity_ground_targets targets = {20, 17, world->x, world->y, NULL, 96, true};
    make_line(&seed, 0, terrain->west, terrain->cell, 20, world->x);
    make_line(&seed, 0, terrain->south, terrain->cell, 17, world->y);
    rcity_grid_point3 source = make_source(world, &seed);
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
    make_world(world, &seed, SIDE_MAX, SIDE_MAX, 640);
    const rcity_terrain_grid *terrain = &world->shapes.terrain;
    rcity_ground_targets targets = {SIDE_MAX, SIDE_MAX, world->x, world->y, NULL, 10, false};
    make_line(&seed, 0, terrain->west, terrain->cell, SIDE_MAX, world->x);
    make_line(&seed, 0, terrain->south, terrain->cell, SIDE_MAX, world->y);
    rcity_grid_point3 source = make_source(world, &seed);
    static uint8_t first[SIDE_MAX * SIDE_MAX];
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
    make_world(world, &seed, 20, 20, 640);
    make_line(&seed, 0, world->shapes.terrain.west, world->shapes.terrain.cell, 20, world->x);
    make_line(&seed, 0, world->shapes.terrain.south, world->shapes.terrain.cell, 20, world->y);
    rcity_ground_targets targets = {20, 20, world->x, world->y, NULL, 10, false};
    rcity_grid_point3 source = make_source(world, &seed);
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
        rcity_grid_point3 source = {pick(&seed, 0, x[side - 1]), pick(&seed, 0, x[side - 1]), 0};
        source.z = ground_at(terrain, source.x, source.y) + 30 * 64;
        assert_ok(world->context, rcity_ground_sight_fill(&sight, NULL, source, &targets, seen, NULL));
        int visible = 0;
        int tested = curved ? sample_count / 200 : sample_count; /* the plain test on a curved earth is slow */
        for (int i = 0; i < tested; i++) {
            int32_t column = pick(&seed, 0, side - 1);
            int32_t row = pick(&seed, 0, side - 1);
            if (i % 2 == 0) { /* near the source more is seen */
                column = (source.x / terrain->cell + pick(&seed, -60, 60) + side) % side;
                row = (source.y / terrain->cell + pick(&seed, -60, 60) + side) % side;
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

static int setup(void **state)
{
    ground_world *world = calloc(1, sizeof *world);
    world->context = test_context(2);
    *state = world;
    return 0;
}

static int teardown(void **state)
{
    ground_world *world = *state;
    rcity_context_destroy(&world->context);
    free(world);
    return 0;
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
        cmocka_unit_test(test_required_heights_keep_their_bounds),
        cmocka_unit_test(test_required_heights_over_the_bulge),
        cmocka_unit_test(test_clearance_equals_brute_force),
        cmocka_unit_test(test_horizon_finds_a_peak),
        cmocka_unit_test(test_bad_input_is_refused),
        cmocka_unit_test(test_sources_below_and_off_the_ground),
        cmocka_unit_test(test_large_grids_equal_the_plain_test),
        cmocka_unit_test(test_any_number_of_threads_gives_the_same),
        cmocka_unit_test(test_failing_allocations_leave_nothing),
    };
    return cmocka_run_group_tests_name("ground_sight", tests, setup, teardown);
}

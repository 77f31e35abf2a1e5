/* Crossings of rays with the lines of a grid against a list that is sorted exactly, and the search of one azimuth with the
   horizon carried along against the one that follows every ray from the transmitter. */
#define RCITY_RAY_WAIT_MAX 2 /* so that the walk is done again */

#include "rcity_test.h"

#include "kernel/terrain/rays/ray_plain.h"
#include "ray_hills.h"

static const uint64_t seed = 41;

/* A crossing at the time at / speed. */
typedef struct plain_crossing {
    int64_t rest, speed;
    int family;
} plain_crossing;

__extension__ typedef __int128 wide;

static int compare_crossings(const void *a, const void *b)
{
    const plain_crossing *left = a;
    const plain_crossing *right = b;
    wide difference = (wide)left->rest * right->speed - (wide)right->rest * left->speed;
    return (difference > 0) - (difference < 0);
}

/* A ray over a grid of some nodes. */
typedef struct track {
    int columns, rows;
    int64_t cell, x, y;
    int32_t dx, dy;
} track;

/* All lines from -count to 2 * count of a family, after the start. */
static int list_family(int64_t start, int64_t speed, int64_t cell, int count, int family, plain_crossing *list)
{
    int found = 0;
    for (int64_t line = -2 * count; line <= 2 * count && speed != 0; line++) {
        int64_t rest = (line * cell - start) * (speed > 0 ? 1 : -1);
        if (rest > 0) {
            list[found++] = (plain_crossing){rest, speed > 0 ? speed : -speed, family};
        }
    }
    return found;
}

/* Is the middle of the times a and b on the triangle? Positions are exact fractions; the border belongs to it. */
static bool is_on_triangle(const track *t, plain_crossing a, plain_crossing b, int64_t triangle)
{
    wide scale = (wide)2 * a.speed * b.speed;
    wide time = (wide)a.rest * b.speed + (wide)b.rest * a.speed;
    int64_t column = triangle / 2 % (t->columns - 1);
    int64_t row = triangle / 2 / (t->columns - 1);
    wide x = scale * (t->x - column * t->cell) + time * t->dx;
    wide y = scale * (t->y - row * t->cell) + time * t->dy;
    wide end = scale * t->cell;
    return x >= 0 && y >= 0 && x <= end && y <= end && (triangle % 2 == 1 ? y >= x : y <= x);
}

/* One ray to the border of the grid. @return how many crossings it has. */
static int check_track(const track *t)
{
    static plain_crossing list[2000];
    int most = t->columns > t->rows ? t->columns : t->rows;
    int count = list_family(t->x, t->dx, t->cell, most, RCITY_RAY_COLUMN, list);
    count += list_family(t->y, t->dy, t->cell, most, RCITY_RAY_ROW, list + count);
    count += list_family(t->x - t->y, (int64_t)t->dx - t->dy, t->cell, most, RCITY_RAY_DIAGONAL, list + count);
    qsort(list, (size_t)count, sizeof *list, compare_crossings);
    rcity_ray_grid grid = {t->columns, t->rows, 0, 0};
    rcity_ray_walk walk = rcity_ray_walk_start(t->x, t->y, t->cell, t->dx, t->dy, t->columns, t->rows);
    plain_crossing last = {0, 1, 0};
    int found = 0;
    for (int i = 0; rcity_ray_walk_is_inside(&walk, t->columns, t->rows); found++) {
        int meets = 0;
        plain_crossing at = list[i];
        assert_true(i < count);
        for (; i < count && compare_crossings(&list[i], &at) == 0; i++) {
            meets |= list[i].family;
        }
        rcity_ray_walk_find(&walk);
        int64_t triangle = rcity_ray_triangle(grid, &walk);
        double time = (double)at.rest * RCITY_RAY_ONE / (double)at.speed / (double)t->cell;
        if (walk.meets != meets || !is_on_triangle(t, last, at, triangle)) {
            print_error(
                "seed %llu: from (%lld, %lld) along (%d, %d), cells of %lld: crossing %d meets %d, expected %d, "
                "triangle %lld\n",
                (unsigned long long)seed, (long long)t->x, (long long)t->y, t->dx, t->dy, (long long)t->cell, found,
                walk.meets, meets, (long long)triangle);
            fail();
        }
        assert_near((double)walk.time / (1 << RCITY_RAY_TIME_BITS), time, 1e-5);
        rcity_ray_walk_pass(&walk);
        last = at;
    }
    return found;
}

/* A direction as long as the walk wants it. */
static void set_direction(track *t, int64_t dx, int64_t dy)
{
    int64_t most = llabs(dx) > llabs(dy) ? llabs(dx) : llabs(dy);
    assert_true(most > 0 && most <= RCITY_RAY_ONE);
    t->dx = (int32_t)(dx * (RCITY_RAY_ONE / most));
    t->dy = (int32_t)(dy * (RCITY_RAY_ONE / most));
}

static track draw_track(uint64_t i)
{
    track t;
    t.columns = 2 + (int)(test_random(seed, 20 * i) % 30);
    t.rows = 2 + (int)(test_random(seed, 20 * i + 1) % 30);
    t.cell = test_random(seed, 20 * i + 2) % 3 == 0 ? 1 : 1 + (int64_t)(test_random(seed, 20 * i + 3) % 5000);
    t.x = (int64_t)(test_random(seed, 20 * i + 4) % (uint64_t)((t.columns - 1) * t.cell + 1));
    t.y = (int64_t)(test_random(seed, 20 * i + 5) % (uint64_t)((t.rows - 1) * t.cell + 1));
    t.x -= test_random(seed, 20 * i + 6) % 3 == 0 ? t.x % t.cell : 0;
    t.y -= test_random(seed, 20 * i + 7) % 3 == 0 ? t.y % t.cell : 0;
    int64_t dx = (int64_t)(test_random(seed, 20 * i + 8) % (2 * RCITY_RAY_ONE)) - RCITY_RAY_ONE;
    int64_t dy = (int64_t)(test_random(seed, 20 * i + 9) % (2 * RCITY_RAY_ONE)) - RCITY_RAY_ONE;
    int64_t small = (int64_t)(test_random(seed, 20 * i + 10) % 5) - 2;
    switch (test_random(seed, 20 * i + 11) % 6) {
    case 0: /* along axes, diagonals and a few more */
        dx = (int64_t)(test_random(seed, 20 * i + 12) % 5) - 2;
        dy = dx == 0 && small == 0 ? 1 : small;
        break;
    case 1: /* nearly along a column */
        dx = small;
        break;
    case 2: /* nearly along a diagonal, or on it */
        dy = dx + small > RCITY_RAY_ONE ? dx : dx + small;
        break;
    case 3: /* through a node */
        dx = (int64_t)(test_random(seed, 20 * i + 12) % (uint64_t)t.columns) * t.cell - t.x;
        dy = (int64_t)(test_random(seed, 20 * i + 13) % (uint64_t)t.rows) * t.cell - t.y;
        break;
    default:
        break;
    }
    dx = dx == 0 && dy == 0 ? 1 : dx;
    dy = dy < -RCITY_RAY_ONE ? -RCITY_RAY_ONE : dy;
    set_direction(&t, dx, dy);
    return t;
}

static void test_merged_crossings_equal_sorted_ones(void **state)
{
    (void)state;
    uint64_t ray_count = test_is_called_with("long") ? 400000 : 20000;
    long crossing_count = 0;
    for (uint64_t i = 0; i < ray_count; i++) {
        track t = draw_track(i);
        crossing_count += check_track(&t);
    }
    print_message("seed %llu: %llu rays, %ld crossings\n", (unsigned long long)seed, (unsigned long long)ray_count,
                  crossing_count);
    assert_true(crossing_count > 10 * (long)ray_count);
}

/* Every start of a small grid, nodes, lines, centres and all, in every direction to a point of it. */
static void test_all_degenerate_rays_of_a_small_grid(void **state)
{
    (void)state;
    for (int64_t start = 0; start < 13 * 13; start++) {
        for (int64_t aim = 0; aim < 13 * 13; aim++) {
            track t = {4, 4, 4, start % 13, start / 13, 0, 0};
            int64_t dx = aim % 13 - t.x;
            int64_t dy = aim / 13 - t.y;
            if (dx != 0 || dy != 0) {
                set_direction(&t, dx, dy);
                (void)check_track(&t);
            }
        }
    }
}

/* The ground at crossings is that of the scene, to less than a millimetre where slopes are not extreme. */
static void test_ground_at_crossings(void **state)
{
    (void)state;
    ray_hills_waves waves = {seed, 60.0, 5.0};
    rcity_shapes hills = ray_hills_make(40, 30, 30, ray_hills_rough, &waves);
    const rcity_terrain_grid *grid = &hills.terrain;
    rcity_ray_grid view = {grid->column_count, grid->row_count, 1234, 0};
    for (uint64_t i = 0; i < 500; i++) {
        track t = {grid->column_count, grid->row_count, grid->cell, 0, 0, 0, 0};
        rcity_grid_point3 source = ray_hills_source(&hills, 77 + i, 10.0);
        t.x = source.x - grid->west;
        t.y = source.y - grid->south;
        double turn = test_uniform(seed, i, 0.0, 6.283);
        t.dx = (int32_t)lround(RCITY_RAY_ONE * cos(turn));
        t.dy = (int32_t)lround(RCITY_RAY_ONE * sin(turn));
        rcity_ray_walk walk = rcity_ray_walk_start(t.x, t.y, t.cell, t.dx, t.dy, t.columns, t.rows);
        while (rcity_ray_walk_is_inside(&walk, t.columns, t.rows)) {
            rcity_ray_walk_find(&walk);
            double time = (double)walk.time / (1 << RCITY_RAY_TIME_BITS);
            double x = fmin(fmax((double)t.x / (double)t.cell + time * t.dx / RCITY_RAY_ONE, 0.0), t.columns - 1);
            double y = fmin(fmax((double)t.y / (double)t.cell + time * t.dy / RCITY_RAY_ONE, 0.0), t.rows - 1);
            int column = (int)fmin(floor(x), t.columns - 2);
            int row = (int)fmin(floor(y), t.rows - 2);
            const int32_t *z = grid->height + row * t.columns + column;
            x -= column;
            y -= row;
            double ground = x >= y ? z[0] + (z[1] - z[0]) * x + (z[t.columns + 1] - z[1]) * y
                                   : z[0] + (z[t.columns] - z[0]) * y + (z[t.columns + 1] - z[t.columns]) * x;
            double height = (double)rcity_ray_ground_at(view, grid->height, &walk) / (1 << RCITY_RAY_HEIGHT_BITS);
            assert_near(height, ground - 1234.0, 0.06); /* 1/64 m */
            rcity_ray_walk_pass(&walk);
        }
    }
    ray_hills_free(&hills);
}

/* A job over hills that takes everything into account. */
static rcity_ray_job make_job(const rcity_shapes *hills, rcity_grid_point3 source, uint64_t i)
{
    rcity_ray_job job;
    memset(&job, 0, sizeof job);
    const rcity_terrain_grid *grid = &hills->terrain;
    job.source_x = source.x - grid->west;
    job.source_y = source.y - grid->south;
    job.source_x_part = job.source_x * (1 << RCITY_RAY_TIME_BITS) / grid->cell;
    job.source_y_part = job.source_y * (1 << RCITY_RAY_TIME_BITS) / grid->cell;
    job.foot = (int64_t)((rcity_terrain_height(grid, source.x, source.y) - source.z) * (1 << RCITY_RAY_HEIGHT_BITS));
    job.raise = (int64_t)(i % 2) * 150000;
    job.grid = (rcity_ray_grid){grid->column_count, grid->row_count, source.z, 2000 * 64};
    job.cell = grid->cell;
    job.effects = RCITY_RAYS_DIRECT | (i % 3 == 0 ? RCITY_RAYS_KNIFE_EDGE : 0);
    job.depth = (int32_t)(i % 4);
    job.cell_m = (float)grid->cell / RAY_HILLS_UNITS_PER_M;
    job.slope_per_unit = 1.0f / (64.0f * job.cell_m);
    job.wavelength_m = 0.3f;
    job.loss_max_db = 1000.0f;
    job.range_m = 1e5f;
    job.drop_per_cell2 = i % 2 == 0 ? 0.0f : 500.0f;
    job.tilt_per_cell = i % 2 == 0 ? 0.0f : 1e-3f;
    job.ground.permittivity = rcity_complex_make(15.0f, -1.0f);
    return job;
}

static void test_one_walk_equals_the_plain_search(void **state)
{
    (void)state;
    uint64_t ray_count = test_is_called_with("long") ? 40000 : 1500;
    long seen_count = 0;
    for (uint64_t i = 0; i < ray_count; i++) {
        ray_hills_waves waves = {seed + i / 100, 5.0 + (double)(i / 100 % 5) * 20.0, i / 100 % 2 == 0 ? 0.0 : 40.0};
        static rcity_shapes hills;
        if (i % 100 == 0) {
            hills = ray_hills_make(50, 40, 30, ray_hills_rough, &waves);
        }
        const rcity_terrain_grid *grid = &hills.terrain;
        enum { TRIANGLES = 2 * 49 * 39, WORDS = TRIANGLES / 32 + 1 };
        static uint32_t strongest[2][TRIANGLES];
        uint32_t seen[2][WORDS];
        memset(strongest, 0xFF, sizeof strongest);
        memset(seen, 0, sizeof seen);
        rcity_ray_job job = make_job(&hills, ray_hills_source(&hills, 500 + i, 1.0 + (double)(i % 7) * 5.0), i);
        double turn = test_uniform(seed, i, 0.0, 6.283);
        rcity_ray ray = {(int32_t)lround(RCITY_RAY_ONE * cos(turn)), (int32_t)lround(RCITY_RAY_ONE * sin(turn)),
                         job.cell_m / (float)(1 << RCITY_RAY_TIME_BITS), job.drop_per_cell2 * 1.4552e-11f, INT64_MAX};
        if (i % 5 == 0) {
            ray.dx = i % 2 == 0 ? RCITY_RAY_ONE : 0;
            ray.dy = i % 3 == 0 && ray.dx != 0 ? -ray.dx : RCITY_RAY_ONE - ray.dx;
        }
        rcity_ray_item(job, (rcity_ray_view){grid->height, strongest[0], seen[0]}, ray);
        rcity_ray_plain_item(job, (rcity_ray_view){grid->height, strongest[1], seen[1]}, ray);
        assert_memory_equal(strongest[0], strongest[1], sizeof strongest[0]);
        assert_memory_equal(seen[0], seen[1], sizeof seen[0]);
        for (int64_t k = 0; k < TRIANGLES; k++) {
            seen_count += seen[0][k / 32] >> (k % 32) & 1u;
        }
        if (i % 100 == 99) {
            ray_hills_free(&hills);
        }
    }
    print_message("%llu rays, %ld triangles seen\n", (unsigned long long)ray_count, seen_count);
    assert_true(seen_count > 5 * (long)ray_count);
}

/* The angle under which a triangle is seen from a place outside it, and the distance of its farthest corner, in cells. */
static double angle_of(double x, double y, int32_t corner[3][2], double *most)
{
    double widest = 0.0;
    *most = 0.0;
    for (int a = 0; a < 3; a++) {
        double ax = corner[a][0] - x;
        double ay = corner[a][1] - y;
        *most = fmax(*most, hypot(ax, ay));
        for (int b = 0; b < a; b++) {
            double bx = corner[b][0] - x;
            double by = corner[b][1] - y;
            widest = fmax(widest, fabs(atan2(ax * by - ay * bx, ax * bx + ay * by)));
        }
    }
    return widest;
}

/* No triangle is seen under a smaller angle than the derived step for the distance of its farthest corner, and some are seen
   under one that is hardly wider. */
static void test_derived_step_is_no_wider_than_any_triangle(void **state)
{
    (void)state;
    double least = 10.0;
    rcity_terrain_grid grid = {60, 60, 0, 0, 1, NULL};
    for (uint64_t i = 0; i < 200; i++) {
        double x = test_uniform(seed, 2 * i, 0.0, 59.0);
        double y = test_uniform(seed, 2 * i + 1, 0.0, 59.0);
        x = i % 3 == 0 ? floor(x) : x;
        y = i % 4 == 0 ? y - floor(y) + floor(x) : y;
        for (int64_t k = 0; k < (int64_t)2 * 59 * 59; k++) {
            int32_t corner[3][2];
            double most;
            ray_hills_corners(&grid, k, corner);
            double ratio = angle_of(x, y, corner, &most);
            ratio /= rcity_terrain_rays_step_rad(30.0, 30.0 * most);
            least = ratio < least ? ratio : least;
        }
    }
    print_message("seed %llu: the narrowest triangle is %.4f steps wide\n", (unsigned long long)seed, least);
    assert_true(least >= 1.0 && least < 1.03);
}

/* Over a plane on a round earth the last triangle in sight is where both horizons meet. */
static void test_horizon_of_a_round_earth(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    rcity_shapes plane = ray_hills_make(8, 800, 60, ray_hills_flat, NULL);
    rcity_device *device = ray_hills_device(context, "host");
    for (int k = 0; k < 3; k++) {
        static const double factor[] = {4.0 / 3.0, 1.0, 2.0};
        rcity_terrain_rays_options options = rcity_terrain_rays_options_default();
        rcity_terrain_rays_field field;
        rcity_terrain_rays *rays = NULL;
        options.azimuth_step_rad = 7.0; /* to the north alone */
        options.receiver_height_m = 1.5;
        options.earth_factor = factor[k];
        rcity_grid_point3 source = {plane.terrain.west + 3000, plane.terrain.south, 20 * RCITY_HEIGHT_UNITS_PER_M};
        assert_ok(context, rcity_terrain_rays_open(context, device, &plane, &options, &rays));
        assert_ok(context, rcity_terrain_rays_trace(rays, source, &field));
        double last_m = 0.0;
        for (int64_t t = 0; t < field.triangle_count; t++) {
            int32_t corner[3][2];
            ray_hills_corners(&field.grid, t, corner);
            last_m = ray_hills_is_seen(&field, t) ? fmax(last_m, 60.0 * corner[1][1]) : last_m;
        }
        double radius_m = 6371e3 * factor[k];
        double horizon_m = sqrt(2.0 * radius_m * 20.0) + sqrt(2.0 * radius_m * 1.5);
        print_message("earth factor %g: in sight to %.0f m, the horizon is at %.0f m\n", factor[k], last_m, horizon_m);
        assert_near(last_m, horizon_m + 30.0, 120.0);
        rcity_terrain_rays_field_deinit(context, &field);
        rcity_terrain_rays_close(&rays);
    }
    rcity_device_close(&device);
    ray_hills_free(&plane);
    rcity_context_destroy(&context);
}

TEST_SUITE(terrain_ray_walk)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_merged_crossings_equal_sorted_ones),
        cmocka_unit_test(test_all_degenerate_rays_of_a_small_grid),
        cmocka_unit_test(test_ground_at_crossings),
        cmocka_unit_test(test_derived_step_is_no_wider_than_any_triangle),
        cmocka_unit_test(test_horizon_of_a_round_earth),
        cmocka_unit_test(test_one_walk_equals_the_plain_search),
    };
    return cmocka_run_group_tests_name("terrain_ray_walk", tests, NULL, NULL);
}

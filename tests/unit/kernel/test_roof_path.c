/* Where the tangents of a hill meet, and how long the path is: against the same in double, up to cliffs. */
#include "rcity_test.h"

#include "kernel/shadow/roofs/roof_path.h"
#include "roof_plain.h"

#define SEED       1947u
#define CASE_COUNT 20000

/* Of a scene with 64 plan units a metre. */
#define PLACE_M  (1.0 / 4096.0)
#define HEIGHT_M (1.0 / 16384.0)

static void add_edge(rcity_roof_hull *hull, int32_t place, int32_t height, int32_t wall)
{
    hull->place[hull->count] = place;
    hull->height[hull->count] = height;
    hull->wall[hull->count] = wall;
    hull->count++;
}

/* The same string from its other end. */
static void turn_around(rcity_roof_hull *hull)
{
    rcity_roof_hull other = *hull;
    for (int i = 0; i < hull->count; i++) {
        int from = hull->count - 1 - i;
        hull->place[i] = other.place[hull->count - 1] - other.place[from];
        hull->height[i] = other.height[from];
        hull->wall[i] = other.wall[from];
    }
}

/* A hill of 2 to 8 edges, flat to round, with a long leg at one end and at the other one that falls by up to 2500 m in
   one. */
static void draw_hill(uint64_t i, rcity_roof_hull *hull)
{
    uint64_t at = 100 * i;
    int edge_count = 2 + (int)(test_random(SEED, at) % 7);
    double slope = test_uniform(SEED, at + 1, -3.0, 3.0); /* heights a place; 4 is 45 degrees */
    double turn = pow(10.0, test_uniform(SEED, at + 2, -2.5, 0.0));
    double place = test_uniform(SEED, at + 3, 1000.0, 2e6);
    double height = slope * place;
    hull->count = 0;
    hull->is_full = 0;
    add_edge(hull, 0, 0, RCITY_ROOF_EDGE_END);
    for (int k = 0; k < edge_count; k++) {
        double step = test_uniform(SEED, at + 10 + (uint64_t)k, 20000.0, 300000.0);
        add_edge(hull, (int32_t)place, (int32_t)height, RCITY_ROOF_EDGE_GROUND);
        slope -= turn;
        place += k + 1 < edge_count ? step : 0.0;
        height += k + 1 < edge_count ? slope * step : 0.0;
    }
    double run = test_uniform(SEED, at + 4, 64.0, 20000.0);
    slope -= pow(10.0, test_uniform(SEED, at + 5, 0.0, 4.0));
    add_edge(hull, (int32_t)(place + run), (int32_t)(height + slope * run), RCITY_ROOF_EDGE_END);
    if (i % 2 == 1) {
        turn_around(hull);
    }
}

static void plain_of(const rcity_roof_hull *hull, roof_plain *plain)
{
    memset(plain, 0, sizeof *plain);
    plain->edges = calloc((size_t)hull->count, sizeof *plain->edges);
    plain->count = hull->count;
    for (int i = 0; i < hull->count; i++) {
        plain->edges[i] = (roof_plain_edge){hull->place[i], hull->height[i], hull->wall[i] == RCITY_ROOF_EDGE_GROUND};
    }
    roof_plain_sum_up(hull->place[hull->count - 1] * PLACE_M, plain);
}

/* A turn is put on whole numbers: half a place and, truncated, up to one height off, for two legs. */
static void test_hill_turns_and_length_agree_with_double(void **state)
{
    (void)state;
    rcity_roof_scale scale = {(float)PLACE_M, (float)HEIGHT_M};
    double worst = 0.0;
    int steep_count = 0;
    for (uint64_t i = 0; i < CASE_COUNT; i++) {
        rcity_roof_hull hull;
        roof_plain plain;
        draw_hill(i, &hull);
        plain_of(&hull, &plain);
        rcity_roof_path path = rcity_roof_path_sum(&hull, scale);
        double bound = roof_plain_float_error_m(&plain) + PLACE_M + 2.0 * HEIGHT_M;
        double error = fabs((double)path.length_m - plain.length_m);
        if (path.count != 1 || error > bound) {
            print_error("seed %u, case %llu: %d turns, %.6f m long, expected %.6f\n", SEED, (unsigned long long)i,
                        path.count, (double)path.length_m, plain.length_m);
            fail();
        }
        assert_near((double)path.angle_sum_rad, plain.angle_sum, 2e-6);
        worst = fmax(worst, error / bound);
        steep_count += plain.angle_sum > 1.0;
        roof_plain_free(&plain);
    }
    print_message("seed %u: %d hills, %d of them with a cliff, up to %.2f of the bound\n", SEED, CASE_COUNT,
                  steep_count, worst);
    assert_true(steep_count > CASE_COUNT / 4 && steep_count < CASE_COUNT);
}

/* Cliffs at both ends, so steep that the tangents meet higher than whole numbers reach: a turn in the middle, as high
   as turns go. */
static void test_two_cliffs(void **state)
{
    (void)state;
    rcity_roof_scale scale = {(float)PLACE_M, (float)HEIGHT_M};
    rcity_roof_hull hull;
    hull.count = 0;
    hull.is_full = 0;
    add_edge(&hull, 0, 0, RCITY_ROOF_EDGE_END);
    add_edge(&hull, 64, 1 << 28, RCITY_ROOF_EDGE_GROUND);
    add_edge(&hull, 64 + (1 << 29), 1 << 28, RCITY_ROOF_EDGE_GROUND);
    add_edge(&hull, 128 + (1 << 29), 0, RCITY_ROOF_EDGE_END);
    rcity_roof_turn turn = rcity_roof_turn_make(&hull, scale, 1, 0.0f);
    assert_int_equal(turn.place, 64 + (1 << 28));
    assert_int_equal(turn.height, (1 << 28) + (1 << 30));
    rcity_roof_path path = rcity_roof_path_sum(&hull, scale);
    double leg_m = hypot((64 + 0x1p28) * PLACE_M, (0x1p28 + 0x1p30) * HEIGHT_M);
    assert_near((double)path.length_m, 2.0 * leg_m, 1e-6 * leg_m);
}

TEST_SUITE(roof_path)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_hill_turns_and_length_agree_with_double),
        cmocka_unit_test(test_two_cliffs),
    };
    return cmocka_run_group_tests_name("roof_path", tests, NULL, NULL);
}

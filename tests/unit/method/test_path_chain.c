/* Paths over many edges in the vertical plane. */
#include "rcity_test.h"

#include "method/images/field/path_chain.h"
#include "path_world.h"

#define WAVELENGTH_M 0.1

static const uint64_t seed = 8;

/* A chain over edges given by distance and height, along a level direction. */
static rcity_trace_path make_chain(double tx_m, double rx_m, double length_m, int count, const double *range_m,
                                   const double *height_m)
{
    const double east = 0.8;
    const double north = -0.6;
    rcity_trace_path path;
    memset(&path, 0, sizeof path);
    path.tx = place_make(7.0, 5.0, tx_m);
    path.rx = place_make(7.0 + east * length_m, 5.0 + north * length_m, rx_m);
    path.event_count = count;
    for (int i = 0; i < count; i++) {
        path.event[i].kind = RCITY_EVENT_OVER_ROOFS;
        path.event[i].object = RCITY_TRACE_ROOF;
        path.event[i].point = place_make(7.0 + east * range_m[i], 5.0 + north * range_m[i], height_m[i]);
    }
    return path;
}

/* The one number both polarizations share. */
static phasor chain_field(const rcity_trace_path *path)
{
    path_world world;
    path_world_init(&world, WAVELENGTH_M);
    rcity_channel channel = rcity_path_channel(&world.world, path);
    double dust = 1e-12 * cabs(channel_get(channel, 0, 0));
    assert_phasor(channel_get(channel, 0, 0), channel_get(channel, 1, 1), dust);
    assert_phasor(channel_get(channel, 0, 1), 0.0, dust);
    assert_phasor(channel_get(channel, 1, 0), 0.0, dust);
    return channel_get(channel, 0, 0);
}

/* Edges in line at equal legs leave one part in as many as there are legs; two edges at any legs the closed form. */
static void test_in_line(void **state)
{
    (void)state;
    const double hair_m = 1e-6;
    double range_m[10];
    double height_m[10];
    for (int count = 1; count <= 10; count++) {
        for (int i = 0; i < count; i++) {
            range_m[i] = 50.0 * (i + 1);
            height_m[i] = 20.0 + hair_m;
        }
        double length_m = 50.0 * (count + 1);
        rcity_trace_path path = make_chain(20.0, 20.0, length_m, count, range_m, height_m);
        double share = cabs(chain_field(&path)) / cabs(phasor_free_space(length_m, WAVELENGTH_M));
        assert_near(share * (count + 1), 1.0, 1e-3);
    }
    static const double legs_m[][3] = {{100.0, 30.0, 300.0}, {20.0, 500.0, 60.0}, {1000.0, 10.0, 10.0}};
    for (int i = 0; i < 3; i++) {
        double a = legs_m[i][0];
        double b = legs_m[i][1];
        double c = legs_m[i][2];
        rcity_trace_path path = make_chain(20.0, 20.0, a + b + c, 2, (const double[]){a, a + b}, height_m);
        double share = cabs(chain_field(&path)) / cabs(phasor_free_space(a + b + c, WAVELENGTH_M));
        double expected = 0.25 + asin(sqrt(a * c / ((a + b) * (b + c)))) / (2.0 * PI);
        assert_near(20.0 * log10(share / expected), 0.0, 0.05);
    }
}

/* One and two edges as those of thin conducting screens: the mean of both polarizations, phase and all. */
static void test_against_edges(void **state)
{
    (void)state;
    static const double range_m[2] = {300.0, 420.0};
    static const double heights_m[][4] = {{17.0, 20.0, 20.5, 18.0}, {10.0, 20.0, 19.0, 12.0}, {19.0, 20.0, 20.2, 19.5}};
    for (int i = 0; i < 3; i++) {
        for (int count = 1; count <= 2; count++) {
            rcity_trace_path chain =
                make_chain(heights_m[i][0], heights_m[i][3], 500.0, count, range_m, &heights_m[i][1]);
            path_world world;
            path_world_init(&world, WAVELENGTH_M);
            int32_t metal = path_world_add_conductor(&world);
            rcity_trace_path edges = chain;
            for (int top = 0; top < count; top++) {
                path_world_add_edge(&world, chain.event[top].point, place_make(0.6, 0.8, 0.0),
                                    place_make(0.0, 0.0, -1.0), 2.0 * PI, metal, metal);
                edges.event[top].kind = RCITY_EVENT_DIFFRACTION;
                edges.event[top].object = top;
            }
            rcity_channel channel = rcity_path_channel(&world.world, &edges);
            phasor mean = 0.5 * (channel_get(channel, 0, 0) + channel_get(channel, 1, 1));
            assert_near(20.0 * log10(cabs(chain_field(&chain) / mean)), 0.0, 0.1);
            assert_near(carg(chain_field(&chain) / mean), 0.0, 0.05);
        }
    }
}

/* Random skylines: a path and its reverse have the same field. */
static void test_reversed_chain_has_the_same_field(void **state)
{
    (void)state;
    double worst = 0.0;
    for (uint64_t trial = 0; trial < 60; trial++) {
        uint64_t next = trial * 100;
        int count = 1 + (int)(test_random(seed, next) % 8);
        double range_m[8];
        double height_m[8];
        double at_m = 0.0;
        for (int i = 0; i < count; i++) {
            at_m += test_uniform(seed, next + 1 + 2 * (uint64_t)i, 10.0, 120.0);
            range_m[i] = at_m;
            height_m[i] = test_uniform(seed, next + 2 + 2 * (uint64_t)i, 15.0, 25.0);
        }
        double tx_m = test_uniform(seed, next + 50, 10.0, 24.0);
        rcity_trace_path path = make_chain(tx_m, 1.5, at_m + 30.0, count, range_m, height_m);
        rcity_trace_path back = path_reversed(&path);
        phasor out = chain_field(&path);
        worst = fmax(worst, cabs(out - chain_field(&back)) / cabs(out));
    }
    print_message("chains, seed %llu: worst difference of the reversed path %.2g\n", (unsigned long long)seed, worst);
    assert_true(worst < 1e-6);
}

/* An edge rises through the straight line. Far below it changes nothing. */
static void test_field_is_continuous_as_edge_rises(void **state)
{
    (void)state;
    static const double range_m[2] = {200.0, 350.0};
    double before = (double)NAN;
    for (int i = 0; i <= 600; i++) {
        double height_m = 5.0 + 0.025 * i;
        rcity_trace_path path = make_chain(20.0, 10.0, 500.0, 1, range_m, &height_m);
        phasor free_space = phasor_free_space(hypot(500.0, 10.0), WAVELENGTH_M);
        double here = cabs(chain_field(&path)) / cabs(free_space);
        if (i == 0) {
            assert_phasor(chain_field(&path), free_space, 1e-9 * cabs(free_space));
        }
        assert_true(isnan(before) || fabs(20.0 * log10(here / before)) < 0.5);
        before = here;
    }
    for (int side = 0; side < 2; side++) {
        double line_m = 16.0;
        double height_m = line_m + (side == 0 ? -1e-7 : 1e-7);
        rcity_trace_path path = make_chain(20.0, 10.0, 500.0, 1, range_m, &height_m);
        phasor free_space = phasor_free_space(hypot(500.0, 10.0), WAVELENGTH_M);
        assert_near(cabs(chain_field(&path) / free_space), 0.5, 1e-3);
    }
}

/* The path touches what stands out, and only that counts. */
static void test_over_roof_path(void **state)
{
    (void)state;
    static const double range_m[4] = {100.0, 200.0, 300.0, 400.0};
    static const double height_m[4] = {25.0, 24.9, 26.0, 10.0};
    rcity_trace_path path = make_chain(10.0, 10.0, 500.0, 4, range_m, height_m);
    path_world world;
    path_world_init(&world, WAVELENGTH_M);
    rcity_trace_path over_path = rcity_path_over_roofs(&world.world, &path);
    assert_int_equal(over_path.event_count, 2);
    assert_near(over_path.event[0].point.z, 25.0, 0.0);
    assert_near(over_path.event[1].point.z, 26.0, 0.0);
    assert_near(rcity_path_chain_field(&world.world, &path, 0).length_m, path_length_m(&over_path), 1e-9);
    rcity_trace_path other = path;
    for (int i = 0; i < 4; i++) {
        other.event[i].kind = RCITY_EVENT_DIFFRACTION;
    }
    assert_int_equal(rcity_path_over_roofs(&world.world, &other).event_count, 4);
    assert_false(rcity_path_is_chain(&other));
}

TEST_SUITE(path_chain)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_in_line),
        cmocka_unit_test(test_against_edges),
        cmocka_unit_test(test_reversed_chain_has_the_same_field),
        cmocka_unit_test(test_field_is_continuous_as_edge_rises),
        cmocka_unit_test(test_over_roof_path),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

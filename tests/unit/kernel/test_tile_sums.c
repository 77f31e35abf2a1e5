/* Sums in whole numbers: what goes in comes out, in any order, from the strongest to the weakest ray. */
#include "wave_test.h"

#include "kernel/tiles/tile_sums.h"

#define RAYS 500

static const uint64_t seed = 20270116;

/* A ray of power `over` times that of free space at the place, with a random phase, polarization and detour. */
static rcity_tile_arrival draw_ray(rcity_tile_place_scale scale, double over, uint64_t *next)
{
    rcity_tile_arrival ray;
    double amplitude = sqrt(over) / (double)scale.distance_m;
    double share = test_uniform(seed, (*next)++, 0.0, 0.5 * PI);
    for (int i = 0; i < 2; i++) {
        double phase = test_uniform(seed, (*next)++, 0.0, 2.0 * PI);
        double size = amplitude * (i == 0 ? cos(share) : sin(share));
        ray.port[i] = rcity_complex_make((rcity_real)(size * cos(phase)), (rcity_real)(size * sin(phase)));
    }
    ray.theta_power = rcity_complex_square(ray.port[0]);
    ray.phi_power = rcity_complex_square(ray.port[1]);
    ray.antenna_gain = (rcity_real)test_uniform(seed, (*next)++, 0.01, 1.0);
    ray.length_m = (rcity_real)((double)scale.distance_m + test_uniform(seed, (*next)++, 0.0, 500.0));
    double azimuth = test_uniform(seed, (*next)++, 0.0, 2.0 * PI);
    ray.travel = rcity_real3_make((rcity_real)cos(azimuth), (rcity_real)sin(azimuth), 0);
    return ray;
}

/* Double precision gives the same sums. */
static void test_sums_are_those_of_doubles(void **state)
{
    (void)state;
    uint64_t next = 0;
    for (int turn = 0; turn < 20; turn++) {
        double gain = pow(10.0, 0.1 * test_uniform(seed, next++, 0.0, 30.0));
        double distance_m = pow(10.0, test_uniform(seed, next++, 0.0, 4.0));
        rcity_tile_place_scale scale = rcity_tile_place_scale_make((float)distance_m, (float)gain);
        rcity_tile_sums sums;
        memset(&sums, 0, sizeof sums);
        double power[RCITY_TILE_CLASS_COUNT] = {0, 0, 0, 0, 0};
        double isotropic[RCITY_TILE_CLASS_COUNT] = {0, 0, 0, 0, 0};
        double detour = 0.0, square = 0.0, east = 0.0, whole = 0.0, field = 0.0;
        for (int i = 0; i < RAYS; i++) {
            rcity_tile_arrival ray = draw_ray(scale, pow(10.0, test_uniform(seed, next++, -8.0, 0.0)), &next);
            int kind = i % 3;
            double ray_power = (double)(ray.theta_power + ray.phi_power);
            double off_m = (double)ray.length_m - (double)scale.distance_m;
            rcity_tile_sums_add_ray(&sums, scale, kind, &ray);
            power[kind] += ray_power;
            isotropic[kind] += ray_power / (double)ray.antenna_gain;
            detour += ray_power * off_m / 1e3;
            square += ray_power * off_m * off_m / 1e6;
            east += ray_power * (double)ray.travel.x;
            field += (double)ray.port[1].im;
            whole += ray_power;
        }
        double unit = (double)scale.power;
        for (int k = 0; k < 3; k++) {
            assert_near((double)sums.power[k] / unit / power[k], 1.0, 1e-5);
            assert_near((double)sums.isotropic_power[k] / unit / isotropic[k], 1.0, 1e-5);
        }
        assert_int_equal(sums.ray_count, RAYS);
        assert_near((double)sums.detour / unit / detour, 1.0, 2e-4); /* lengths are floats */
        assert_near((double)sums.detour_square / unit / square, 1.0, 4e-4);
        assert_near((double)sums.arrival[0] / unit, east, 1e-5 * whole);
        assert_near((double)sums.field[3] / (double)scale.field, field, 1e-5 * sqrt(whole * RAYS));
    }
}

/* Forwards, backwards and from the middle: the same bits. */
static void test_sums_do_not_depend_on_the_order(void **state)
{
    (void)state;
    static rcity_tile_arrival rays[RAYS];
    rcity_tile_sums sums[3];
    uint64_t next = 1u << 20;
    rcity_tile_place_scale scale = rcity_tile_place_scale_make(321.0f, 17.0f);
    memset(sums, 0, sizeof sums);
    for (int i = 0; i < RAYS; i++) {
        rays[i] = draw_ray(scale, pow(10.0, test_uniform(seed, next++, -15.0, 3.0)), &next);
    }
    for (int i = 0; i < RAYS; i++) {
        rcity_tile_sums_add_ray(&sums[0], scale, i % 3, &rays[i]);
        int back = RAYS - 1 - i;
        rcity_tile_sums_add_ray(&sums[1], scale, back % 3, &rays[back]);
        int other = (i * 7 + RAYS / 2) % RAYS; /* 7 and 500 have no common divisor */
        rcity_tile_sums_add_ray(&sums[2], scale, other % 3, &rays[other]);
    }
    assert_memory_equal(&sums[0], &sums[1], sizeof sums[0]);
    assert_memory_equal(&sums[0], &sums[2], sizeof sums[0]);
}

/* From 30 dB above free space down to 130 dB below: a single ray is there with its power. Weaker ones fade out: 150 dB
   below is nothing. */
static void test_range_of_a_single_ray(void **state)
{
    (void)state;
    for (int gain_db = 0; gain_db <= 40; gain_db += 20) {
        for (int place = 0; place < 4; place++) {
            float distance_m = place == 0 ? 1.0f : place == 1 ? 30.0f : place == 2 ? 1000.0f : 50000.0f;
            rcity_tile_place_scale scale = rcity_tile_place_scale_make(distance_m, powf(10.0f, 0.1f * (float)gain_db));
            for (int level_db = 30; level_db >= -160; level_db -= 10) {
                rcity_tile_sums sums;
                memset(&sums, 0, sizeof sums);
                double power = pow(10.0, 0.1 * (level_db + gain_db)) / ((double)distance_m * (double)distance_m);
                rcity_tile_sums_add_power(&sums, scale, RCITY_TILE_SCATTERED, (float)power, (float)power, distance_m,
                                          1.0f, 0.0f, 0.0f);
                double got = (double)sums.power[RCITY_TILE_SCATTERED] / (double)scale.power / power;
                assert_near(got, 1.0, level_db >= -100 ? 1e-4 : level_db >= -130 ? 0.02 : 1.0);
                assert_true(got <= 1.0001);
            }
        }
    }
}

/* A single ray that would not fit is cut off and two of them keep their sign, in powers and in fields. */
static void test_strongest_rays_do_not_wrap(void **state)
{
    (void)state;
    rcity_tile_place_scale scale = rcity_tile_place_scale_make(1000.0f, 1.0f);
    rcity_tile_sums sums;
    memset(&sums, 0, sizeof sums);
    rcity_tile_arrival ray;
    memset(&ray, 0, sizeof ray);
    ray.port[0] = rcity_complex_make(-1e6, 1e6); /* 10^18 of the power of free space */
    ray.antenna_gain = 1;
    ray.length_m = 900;
    ray.travel = rcity_real3_make(-1, 0, 0);
    for (int i = 0; i < 2; i++) {
        rcity_tile_sums_add_ray(&sums, scale, RCITY_TILE_DIRECT, &ray);
        assert_true(sums.power[RCITY_TILE_DIRECT] > 0 && sums.isotropic_power[0] > 0);
        assert_true(sums.field[0] < 0 && sums.field[1] > 0 && sums.arrival[0] < 0);
        assert_true(sums.detour == 0); /* nothing is shorter than the straight line */
    }
}

TEST_SUITE(tile_sums)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sums_are_those_of_doubles),
        cmocka_unit_test(test_sums_do_not_depend_on_the_order),
        cmocka_unit_test(test_range_of_a_single_ray),
        cmocka_unit_test(test_strongest_rays_do_not_wrap),
    };
    return cmocka_run_group_tests_name("tile_sums", tests, NULL, NULL);
}

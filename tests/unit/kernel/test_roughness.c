/* Scattering off rough walls: the power of the whole half-space, by quadrature, and the shape of the lobes. */
#include "wave_test.h"

#include "kernel/wave/roughness.h"

static rcity_roughness make_rough(double scattering, int lobe, int back_lobe, double forward_share)
{
    rcity_roughness rough;
    rough.scattering = (rcity_real)scattering;
    rough.lobe = lobe;
    rough.back_lobe = back_lobe;
    rough.forward_share = (rcity_real)forward_share;
    return rough;
}

static rcity_real3 direction(double theta_rad, double phi_rad)
{
    return rcity_real3_make((rcity_real)(sin(theta_rad) * cos(phi_rad)), (rcity_real)(sin(theta_rad) * sin(phi_rad)),
                            (rcity_real)cos(theta_rad));
}

static const rcity_real3 up = {0, 0, 1};

/* A ray that comes down at theta from the normal, travelling towards +x. */
static rcity_real3 falling(double theta_rad)
{
    return direction(PI - theta_rad, 0.0);
}

/* Power through a large half-sphere over the element, per power that falls on the element: what
   rcity_roughness_scatter() says at a distance, summed over the sphere (midpoints). */
static double scattered_share(rcity_roughness rough, double theta_rad, double reflectance)
{
    const int rings = 180;
    const double distance_m = 50.0, area_m2 = 0.3;
    rcity_real cos_in = (rcity_real)cos(theta_rad);
    double sum_m2 = 0.0;
    for (int i = 0; i < rings; i++) {
        double ring_rad = (i + 0.5) * PI / 2.0 / rings;
        for (int j = 0; j < 2 * rings; j++) {
            double around_rad = (j + 0.5) * PI / rings;
            rcity_real pattern_per_sr =
                rcity_roughness_pattern_per_sr(rough, up, falling(theta_rad), direction(ring_rad, around_rad));
            sum_m2 +=
                sin(ring_rad) * (double)rcity_roughness_scatter(rough, (rcity_real)reflectance, cos_in, pattern_per_sr,
                                                                (rcity_real)area_m2, (rcity_real)distance_m);
        }
    }
    double piece_m2 = distance_m * distance_m * (PI / 2.0 / rings) * (PI / rings);
    return sum_m2 * piece_m2 / (area_m2 * cos(theta_rad));
}

/* Scattered power is S^2 |Gamma|^2 of what falls on the wall, for every model, lobe and incidence. */
static void test_scattered_power_is_the_stated_share(void **state)
{
    (void)state;
    static const struct {
        int lobe, back_lobe;
        double share;
    } models[] = {{0, 0, 1.0},  {1, 0, 1.0}, {2, 0, 1.0}, {4, 0, 1.0}, {7, 0, 1.0},
                  {30, 0, 1.0}, {4, 4, 0.7}, {3, 8, 0.2}, {5, 1, 0.0}, {1, 30, 0.5}};
    double worst = 0.0;
    for (size_t m = 0; m < sizeof models / sizeof models[0]; m++) {
        rcity_roughness rough = make_rough(0.6, models[m].lobe, models[m].back_lobe, models[m].share);
        for (int i = 0; i <= 8; i += 2) {
            double share = scattered_share(rough, 0.19 * i, 0.25);
            worst = fmax(worst, fabs(share / (0.36 * 0.25) - 1.0));
        }
    }
    print_message("scattered power within %.2g of S^2 |Gamma|^2 in %s precision\n", worst, PRECISION);
    assert_true(worst <= 1e-3);
}

/* The specular ray keeps the rest: S^2 + (1 - S^2) = 1. */
static void test_specular_ray_keeps_the_rest(void **state)
{
    (void)state;
    for (int i = 0; i <= 10; i++) {
        double kept = (double)rcity_roughness_specular(make_rough(0.1 * i, 0, 0, 1.0));
        assert_near(kept * kept + 0.01 * i * i, 1.0, EITHER(2e-7, 1e-15));
    }
}

/* Lambert's law: as bright from everywhere, and the same with the two directions exchanged. */
static void test_lambert_scattering_is_equal_from_everywhere(void **state)
{
    (void)state;
    rcity_roughness rough = make_rough(0.4, 0, 0, 1.0);
    for (int i = 0; i < 8; i++) {
        for (int j = 0; j < 8; j++) {
            double in_rad = 0.19 * i, out_rad = 0.19 * j;
            rcity_real there = rcity_roughness_pattern_per_sr(rough, up, falling(in_rad), direction(out_rad, 0.9 * j));
            assert_near((double)there, cos(out_rad) / PI, EITHER(1e-6, 1e-15));
        }
    }
}

/* The lobe stands in the mirrored direction, the other one towards the source; half the field of the axis at the angle
   where ((1 + cos psi) / 2)^alpha says so. */
static void test_lobes_have_the_stated_shape(void **state)
{
    (void)state;
    rcity_roughness forward = make_rough(0.4, 4, 0, 1.0);
    rcity_roughness back = make_rough(0.4, 4, 4, 0.0);
    rcity_real3 in = falling(0.6);
    rcity_real axis = rcity_roughness_pattern_per_sr(forward, up, in, direction(0.6, 0.0));
    rcity_real back_axis = rcity_roughness_pattern_per_sr(back, up, in, direction(0.6, PI));
    assert_near((double)axis, (double)back_axis, EITHER(1e-6, 1e-14));
    for (int i = -6; i <= 6; i++) {
        double turn_rad = 0.1 * i;
        double expected = pow((1.0 + cos(turn_rad)) / 2.0, 4.0);
        rcity_real lobe = rcity_roughness_pattern_per_sr(forward, up, in, direction(0.6 + turn_rad, 0.0));
        assert_near((double)(lobe / axis), expected, EITHER(1e-6, 1e-14));
        lobe = rcity_roughness_pattern_per_sr(back, up, in, direction(0.6 + turn_rad, PI));
        assert_near((double)(lobe / axis), expected, EITHER(1e-6, 1e-14));
    }
    /* nothing goes into the wall, and nothing comes out of it */
    assert_near((double)rcity_roughness_pattern_per_sr(forward, up, in, direction(1.7, 0.0)), 0.0, 0.0);
    assert_near((double)rcity_roughness_pattern_per_sr(forward, up, direction(0.3, 0.0), direction(0.3, 0.0)), 0.0,
                0.0);
}

/* The widest exponent, where binomial coefficients could overflow: (the lobe is narrow, and its power is all there
   straight on: 2 pi 2 / (alpha + 1) less the far half). */
static void test_narrowest_lobe_has_its_closed_form_size(void **state)
{
    (void)state;
    double alpha = RCITY_ROUGHNESS_LOBE_MAX;
    double truth_sr = 4.0 * PI / (alpha + 1.0); /* over the whole sphere; 2^-101 of it lies behind */
    assert_near((double)rcity_roughness_lobe_sr(RCITY_ROUGHNESS_LOBE_MAX, 1) / truth_sr, 1.0, EITHER(2e-5, 1e-12));
    /* from the side half of the lobe is in the wall */
    assert_near((double)rcity_roughness_lobe_sr(RCITY_ROUGHNESS_LOBE_MAX, 0) / truth_sr, 0.5, EITHER(2e-5, 1e-12));
}

TEST_SUITE(roughness)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_scattered_power_is_the_stated_share),
        cmocka_unit_test(test_specular_ray_keeps_the_rest),
        cmocka_unit_test(test_lambert_scattering_is_equal_from_everywhere),
        cmocka_unit_test(test_lobes_have_the_stated_shape),
        cmocka_unit_test(test_narrowest_lobe_has_its_closed_form_size),
    };
    return cmocka_run_group_tests_name("roughness", tests, NULL, NULL);
}

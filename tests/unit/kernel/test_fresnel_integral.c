/* Fresnel's integral and the knife edge: against quadrature along a path where nothing swings, against the asymptotic
   series, and against each other. */
#include "wave_test.h"

#include "kernel/wave/knife_edge.h"

#define SEED 526u

/* exp(j x^2) times the integral from x to infinity of exp(-j t^2) dt, along t = x + exp(-j pi / 4) y, where the
   integrand is exp(-y^2 - 2 exp(j pi / 4) x y); Simpson's rule. x of 0 or more. */
static double complex scaled_truth(double x)
{
    const int steps = 40000;
    double step = 7.0 / steps;
    double complex slope = -2.0 * x * cexp(J * PI / 4.0);
    double complex sum = 0.0;
    for (int i = 0; i <= steps; i++) {
        double y = i * step;
        double weight = i == 0 || i == steps ? 1.0 : i % 2 == 1 ? 4.0 : 2.0;
        sum += weight * cexp(slope * y - y * y);
    }
    return cexp(-J * PI / 4.0) * sum * step / 3.0;
}

/* The same for large x: -j / (2 x) times the sum of (1/2) (3/2) ... (n - 1/2) (j / x^2)^n; the sum without its first
   term, turned round, is what the transition function falls short of 1. DLMF 7.12.1 with z = exp(j pi / 4) x. */
static double complex shortfall_series(double x)
{
    double complex term = 1.0;
    double complex sum = 0.0;
    for (int n = 1; n <= 8; n++) {
        term *= (n - 0.5) * J / (x * x);
        sum -= term;
    }
    return sum;
}

static void test_small_arguments_agree_with_quadrature(void **state)
{
    (void)state;
    for (int i = 0; i <= 40; i++) {
        double x = (double)(rcity_real)(i <= 20 ? 0.1 * i : 0.5 * (i - 16));
        double complex truth = scaled_truth(x);
        double complex shortfall = 1.0 - 2.0 * J * x * truth;
        assert_complex_near(rcity_fresnel_scaled((rcity_real)x), truth,
                            EITHER(3e-7, 2e-14) * cabs(truth) + EITHER(0, 1e-13));
        assert_complex_near(rcity_fresnel_shortfall((rcity_real)x), shortfall, EITHER(1e-6 * cabs(shortfall), 1e-11));
    }
}

static void test_large_arguments_agree_with_the_series(void **state)
{
    (void)state;
    for (int i = 0; i <= 60; i++) {
        double x = (double)(rcity_real)(15.0 * pow(10.0, 0.1 * i));
        double complex shortfall = shortfall_series(x);
        double complex scaled = (1.0 - shortfall) / (2.0 * J * x);
        assert_complex_near(rcity_fresnel_scaled((rcity_real)x), scaled, EITHER(3e-7, 2e-14) * cabs(scaled));
        assert_complex_near(rcity_fresnel_shortfall((rcity_real)x), shortfall, EITHER(1e-6, 1e-13) * cabs(shortfall));
    }
}

/* The two sides of 0 make the whole; known values at 0 and on both ends. */
static void test_tails_of_both_sides_make_the_whole(void **state)
{
    (void)state;
    double complex whole = sqrt(PI / 2.0) * CMPLX(1.0, -1.0);
    assert_complex_near(rcity_fresnel_tail(0), whole / 2.0, EITHER(2e-7, 1e-14));
    for (uint64_t i = 0; i < 200; i++) {
        rcity_real x = (rcity_real)test_uniform(SEED, i, 0.0, 10.0);
        double complex right = from_kernel(rcity_fresnel_tail(x));
        assert_complex_near(rcity_fresnel_tail(-x), whole - right, EITHER(4e-7, 1e-14));
        double square = (double)x * (double)x;
        assert_complex_near(rcity_fresnel_tail(x), cexp(-J * square) * from_kernel(rcity_fresnel_scaled(x)),
                            EITHER(2e-6, 1e-13));
    }
    assert_complex_near(rcity_fresnel_tail((rcity_real)-1e3), whole, 6e-4);
    assert_complex_near(rcity_fresnel_tail((rcity_real)1e3), 0.0, 6e-4);
    assert_true(isfinite(rcity_fresnel_tail((rcity_real)1e15).re));
}

/* Half the field on the line; (1 + j) / 2 times the integral; the exact loss is the field's; the two sides of the edge
   together are the whole field (Babinet). */
static void test_knife_edge(void **state)
{
    (void)state;
    assert_complex_near(rcity_knife_edge_field(0), 0.5, EITHER(2e-7, 1e-14));
    for (uint64_t i = 0; i < 300; i++) {
        rcity_real v = (rcity_real)test_uniform(SEED, 1000 + i, -8.0, 8.0);
        double complex field = from_kernel(rcity_knife_edge_field(v));
        double complex tail = from_kernel(rcity_fresnel_tail((rcity_real)sqrt(PI / 2.0) * v));
        assert_near(cabs(field - CMPLX(0.5, 0.5) * sqrt(2.0 / PI) * tail), 0.0, EITHER(1e-6, 1e-14));
        assert_complex_near(rcity_knife_edge_field(-v), 1.0 - field, EITHER(1e-6, 1e-14));
        assert_near((double)rcity_knife_edge_exact_loss_db(v), -20.0 * log10(cabs(field)), EITHER(2e-4, 1e-11));
    }
    /* far in the shadow 20 log10(v pi sqrt(2)), its phase that of the path around */
    assert_near((double)rcity_knife_edge_exact_loss_db((rcity_real)1e6), 20.0 * log10(1e6 * PI * sqrt(2.0)),
                EITHER(1e-4, 1e-9));
    assert_near(carg(from_kernel(rcity_knife_edge_field(4)) * cexp(J * (PI / 4.0 + 8.0 * PI))), 0.0, 0.03);
}

/* The approximation keeps to the exact loss within what its comment says, and never lifts the field above the free one
   by more than a hair. */
static void test_approximate_loss_is_near_the_exact(void **state)
{
    (void)state;
    double worst = 0.0;
    for (int i = -77; i <= 3000; i++) {
        rcity_real v = (rcity_real)(0.01 * i);
        double approximate = (double)rcity_knife_edge_loss_db(v);
        worst = fmax(worst, fabs(approximate - (double)rcity_knife_edge_exact_loss_db(v)));
        assert_true(approximate > 0.0);
    }
    print_message("approximation within %.3f dB of the exact loss\n", worst);
    assert_true(worst <= 0.13);
    assert_near((double)rcity_knife_edge_loss_db((rcity_real)-0.78), 0.0, 0.0);
    assert_near((double)rcity_knife_edge_loss_db(-5), 0.0, 0.0);
}

/* v is the height in the path's first Fresnel radius times sqrt(2), and the phase of the path over the edge is pi v^2 /
   2. */
static void test_knife_edge_parameter_follows_fresnel_radius(void **state)
{
    (void)state;
    for (uint64_t i = 0; i < 100; i++) {
        double before_m = test_uniform(SEED, 5 * i, 100.0, 5000.0);
        double behind_m = test_uniform(SEED, 5 * i + 1, 100.0, 5000.0);
        double wavelength_m = test_uniform(SEED, 5 * i + 2, 0.05, 3.0);
        double height_m = test_uniform(SEED, 5 * i + 3, -20.0, 20.0);
        double radius_m = sqrt(wavelength_m * before_m * behind_m / (before_m + behind_m));
        double v = (double)rcity_knife_edge_parameter((rcity_real)height_m, (rcity_real)before_m, (rcity_real)behind_m,
                                                      (rcity_real)wavelength_m);
        assert_near(v, sqrt(2.0) * height_m / radius_m, EITHER(2e-6, 1e-13) * (1.0 + fabs(v)));
        double more_m = hypot(before_m, height_m) + hypot(behind_m, height_m) - before_m - behind_m;
        assert_near(PI * v * v / 2.0, 2.0 * PI * more_m / wavelength_m, 0.02 * (1e-3 + PI * v * v / 2.0));
    }
}

TEST_SUITE(fresnel_integral)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_small_arguments_agree_with_quadrature),
        cmocka_unit_test(test_large_arguments_agree_with_the_series),
        cmocka_unit_test(test_tails_of_both_sides_make_the_whole),
        cmocka_unit_test(test_knife_edge),
        cmocka_unit_test(test_approximate_loss_is_near_the_exact),
        cmocka_unit_test(test_knife_edge_parameter_follows_fresnel_radius),
    };
    return cmocka_run_group_tests_name("Fresnel integral", tests, NULL, NULL);
}

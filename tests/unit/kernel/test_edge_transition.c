/* The transition functions of one and two edges: against their integrals, and their known values. */
#include "wave_test.h"

#include "kernel/wave/edge_transition.h"

#define SEED 1953u

/* The field of two edges by its definition, on a grid of both heights, where the integrand only falls. */
static double complex pair_truth(double p1, double p2, double rho)
{
    const int steps = 400;
    double complex root = cexp(J * PI / 4.0);
    double complex sum = 0.0;
    /* along a the exponent is at least (1 - rho^2) a^2 + sqrt(2) p1 a, and so for b */
    double rest = rho > 0.0 ? 1.0 - rho * rho : 1.0;
    double reach1 = 2.0 * 34.0 / (sqrt(2.0) * p1 + sqrt(2.0 * p1 * p1 + 4.0 * 34.0 * rest));
    double reach2 = 2.0 * 34.0 / (sqrt(2.0) * p2 + sqrt(2.0 * p2 * p2 + 4.0 * 34.0 * rest));
    for (int i = 0; i <= steps; i++) {
        for (int j = 0; j <= steps; j++) {
            double a = reach1 * i / steps, b = reach2 * j / steps;
            double weight = (i == 0 || i == steps ? 1.0
                             : i % 2 == 1         ? 4.0
                                                  : 2.0) *
                            (j == 0 || j == steps ? 1.0
                             : j % 2 == 1         ? 4.0
                                                  : 2.0);
            sum += weight * cexp(-a * a - b * b + 2.0 * rho * a * b - 2.0 * root * (p1 * a + p2 * b));
        }
    }
    return sqrt(1.0 - rho * rho) / PI * sum * reach1 * reach2 / (9.0 * steps * steps);
}

static rcity_complex pair_field(double p1, double p2, double rho)
{
    return rcity_edge_pair_field((rcity_real)p1, (rcity_real)p2, (rcity_real)rho, (rcity_real)sqrt(1.0 - rho * rho));
}

static rcity_complex pair_odd(double p1, double p2, double rho)
{
    return rcity_edge_pair_odd((rcity_real)p1, (rcity_real)p2, (rcity_real)rho, (rcity_real)sqrt(1.0 - rho * rho));
}

static void test_pair_transition_agrees_with_its_integral(void **state)
{
    (void)state;
    double worst = 0.0, worst_odd = 0.0;
    for (uint64_t i = 0; i < 30; i++) {
        double p1 = (double)(rcity_real)pow(10.0, test_uniform(SEED, 4 * i, -2.0, 1.0));
        double p2 = (double)(rcity_real)pow(10.0, test_uniform(SEED, 4 * i + 1, -2.0, 1.0));
        double rho = (double)(rcity_real)test_uniform(SEED, 4 * i + 2, -0.95, 0.95);
        double complex truth = pair_truth(p1, p2, rho);
        worst = fmax(worst, cabs(from_kernel(pair_field(p1, p2, rho)) - truth) / cabs(truth));
        double complex odd = truth - pair_truth(p1, p2, -rho);
        worst_odd = fmax(worst_odd, cabs(from_kernel(pair_odd(p1, p2, rho)) - odd) / cabs(truth));
    }
    print_message("two edges, " PRECISION ": within %.2g, the odd part %.2g (seed %u)\n", worst, worst_odd, SEED);
    assert_true(worst <= EITHER(2e-5, 3e-6));
    assert_true(worst_odd <= EITHER(2e-5, 3e-6));
}

/* Far out, where a difference has no digits: rho / (j p1 p2) of the field, and smooth where the formulas change. */
static void test_odd_far(void **state)
{
    (void)state;
    for (int i = 0; i < 20; i++) {
        double p = 30.0 * pow(1.4, i);
        double rho = 0.1 + 0.04 * i;
        double complex field = from_kernel(pair_field(p, 2.0 * p, 0.0));
        double complex truth = field * sqrt(1.0 - rho * rho) * rho / (J * 2.0 * p * p);
        assert_complex_near(pair_odd(p, 2.0 * p, rho), truth, 3e-3 * cabs(truth));
    }
    const double edge = (double)RCITY_EDGE_FAR;
    for (int i = 1; i < 10; i++) {
        double low = edge * (1.0 - EITHER(1e-6, 1e-13)), high = edge * (1.0 + EITHER(1e-6, 1e-13));
        double other = 0.7 * i, rho = 0.19 * i - 0.9;
        double complex a = from_kernel(pair_odd(low, edge * i, rho)), b = from_kernel(pair_odd(high, edge * i, rho));
        assert_near(cabs(a - b) / cabs(a), 0.0, EITHER(1e-3, 1e-9));
        a = from_kernel(pair_field(low, other, rho));
        b = from_kernel(pair_field(high, other, rho));
        assert_near(cabs(a - b) / cabs(a), 0.0, EITHER(2e-5, 1e-10));
    }
}

/* In line with both edges; one edge without the other; far out. */
static void test_pair_transition_has_known_values(void **state)
{
    (void)state;
    for (int i = -9; i <= 9; i++) {
        double rho = 0.11 * i;
        assert_complex_near(pair_field(0.0, 0.0, rho), 0.25 + asin(rho) / (2.0 * PI), EITHER(3e-7, 1e-11));
    }
    for (int i = 0; i < 30; i++) {
        double p1 = 0.01 * pow(1.5, i), p2 = 3.0 / (1.0 + i);
        double complex both =
            from_kernel(rcity_edge_field((rcity_real)p1)) * from_kernel(rcity_edge_field((rcity_real)p2));
        assert_complex_near(pair_field(p1, p2, 0.0), both, EITHER(3e-6, 1e-11) * cabs(both));
        /* the two sides of the second edge together are the first edge alone, its p counted from end to end */
        double rho = 0.8;
        double complex sum = from_kernel(pair_field(p1, 0.0, rho)) + from_kernel(pair_field(p1, 0.0, -rho));
        assert_complex_near(rcity_edge_field((rcity_real)(p1 / 0.6)), sum, EITHER(1e-6, 1e-12));
    }
    double complex far = 0.6 / (4.0 * PI * J * 300.0 * 500.0);
    assert_complex_near(pair_field(300.0, 500.0, 0.8), far, 1e-4 * cabs(far));
    /* F(p^2) = 2 sqrt(j pi) p W(p), as Kouyoumjian and Pathak's */
    double complex f = 2.0 * csqrt(J * PI) * 50.0 * from_kernel(rcity_edge_field(RCITY_REAL(50.0)));
    assert_near(cabs(f - (1.0 + J / (2.0 * 2500.0))), 0.0, 1e-6);
}

static void test_slope_is_the_derivative_of_the_transition(void **state)
{
    (void)state;
    for (int i = 0; i < 100; i++) {
        double p = 0.02 + 0.1 * i, step = EITHER(2e-3, 1e-5);
        double complex high = from_kernel(rcity_edge_field((rcity_real)(p + step)));
        double complex low = from_kernel(rcity_edge_field((rcity_real)(p - step)));
        assert_complex_near(rcity_edge_field_slope((rcity_real)p), (high - low) / (2.0 * step), EITHER(2e-4, 1e-9));
    }
}

TEST_SUITE(edge_transition)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_pair_transition_agrees_with_its_integral),
                                       cmocka_unit_test(test_odd_far),
                                       cmocka_unit_test(test_pair_transition_has_known_values),
                                       cmocka_unit_test(test_slope_is_the_derivative_of_the_transition)};
    return cmocka_run_group_tests_name("edge transition " PRECISION, tests, NULL, NULL);
}

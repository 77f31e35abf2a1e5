/* Fits of a model that takes the least of several ways, like a city. */
#include "fit_models.h"

static void test_kinks_without_noise(void **state)
{
    (void)state;
    rcity_context *context = test_context(2);
    for (uint64_t seed = 1; seed <= 10; seed++) {
        city made;
        city_make(seed, 2000, 0.0, 0.0, &made);
        made.problem.is_robust = seed % 2 == 0;
        rcity_fit_solution solution;
        assert_ok(context, rcity_fit_solve(context, &made.problem, &solution));
        for (int i = 0; i < CITY_PARAMETERS; i++) {
            if (fabs(solution.numbers[i].value - city_truth[i]) > 0.01) {
                print_error("seed %u, %d calls, scale %g: number %d is %.6g, in truth %.6g\n", (unsigned)seed,
                            (int)made.model.call_count, solution.scale_db, i, solution.numbers[i].value, city_truth[i]);
                fail();
            }
        }
        assert_true(solution.has_settled);
        city_free(&made);
    }
    rcity_context_destroy(&context);
}

/* How far all numbers are from the truth, in standard errors of plain squares: about sqrt(n) is chance. */
static void test_outliers(void **state)
{
    (void)state;
    rcity_context *context = test_context(2);
    double robust_bias_db = 0.0;
    double plain_bias_db = 0.0;
    for (uint64_t seed = 1; seed <= 10; seed++) {
        for (int is_robust = 0; is_robust < 2; is_robust++) {
            city made;
            city_make(seed, 2000, 6.0, 0.05, &made);
            made.problem.is_robust = is_robust != 0;
            rcity_fit_solution solution;
            assert_ok(context, rcity_fit_solve(context, &made.problem, &solution));
            assert_true(solution.has_settled);
            double *(bias_db) = is_robust ? &robust_bias_db : &plain_bias_db;
            *bias_db += (solution.numbers[0].value - city_truth[0]) / 10.0;
            if (is_robust) {
                assert_near(solution.scale_db, 6.0, 0.8);
                assert_in_range(solution.outlier_count, 20, 120);
                print_message("seed %d: %d rounds %d calls\n", (int)seed, solution.round_count,
                              (int)made.model.call_count);
            }
            city_free(&made);
        }
    }
    print_message("bias of the constant: robust %.2f dB, plain %.2f dB\n", robust_bias_db, plain_bias_db);
    assert_true(plain_bias_db > 0.8);
    assert_near(robust_bias_db, 0.0, 0.3);
    rcity_context_destroy(&context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_kinks_without_noise),
        cmocka_unit_test(test_outliers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* A build without NLopt says so, and touches nothing. */
#include "fit_models.h"

static void test_fit_without_nlopt_is_refused(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    rcity_fit_solution solution = {.round_count = -5};
    double predicted_db[1] = {-1.0};
    city made;
    int32_t fold[1] = {0};
    city_make(1, 1, 0.0, 0.0, &made);
    assert_status(context, rcity_fit_solve(context, &made.problem, &solution), RCITY_ERR_UNSUPPORTED);
    assert_message(context, "no NLopt");
    assert_status(context, rcity_fit_cross(context, &made.problem, 1, fold, predicted_db, NULL), RCITY_ERR_UNSUPPORTED);
    int fitted_count = -1;
    assert_status(context, rcity_fit_groups(context, &made.problem, predicted_db, &solution, &fitted_count),
                  RCITY_ERR_UNSUPPORTED);
    assert_true(solution.round_count == -5 && fitted_count == -1);
    assert_true(predicted_db[0] == -1.0);
    city_free(&made);
    rcity_context_destroy(&context);
}

TEST_SUITE(fit_absent)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fit_without_nlopt_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Fits of a model that takes the least of several paths, like a city. */
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
        assert_true(solution.has_converged);
        city_free(&made);
    }
    rcity_context_destroy(&context);
}

/* One-sided outliers: the constant of plain squares goes after their mean, 1.5 dB, ours stays. */
static void test_robust_fit_ignores_one_sided_outliers(void **state)
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
            assert_true(solution.has_converged);
            double *bias_db = is_robust ? &robust_bias_db : &plain_bias_db;
            *bias_db += (solution.numbers[0].value - city_truth[0]) / 10.0;
            if (is_robust) {
                assert_near(solution.scale_db, 6.0, 0.8);
                assert_in_range(solution.outlier_count, 20, 120);
            }
            city_free(&made);
        }
    }
    print_message("bias of the constant: robust %.2f dB, plain %.2f dB\n", robust_bias_db, plain_bias_db);
    assert_true(plain_bias_db > 0.8);
    assert_near(robust_bias_db, 0.0, 0.3);
    rcity_context_destroy(&context);
}

/* Half of the points see |p - 10| only, the others p by a gentle slope: a valley at 5 and a deeper one at 15. From 3
   the near one is found first. */
static void test_two_valleys(void **state)
{
    (void)state;
    enum { COUNT = 100 };
    rcity_context *context = test_context(1);
    fit_model model = fit_model_make(1, 2, COUNT);
    double measured_db[COUNT];
    for (int point = 0; point < COUNT; point++) {
        bool is_gentle = point % 2 == 0;
        model.offset[point * 2] = is_gentle ? 10.0 : 30.0;
        model.slope[point * 2] = is_gentle ? 0.2 : -1.0;
        model.offset[point * 2 + 1] = is_gentle ? (double)NAN : 10.0;
        model.slope[point * 2 + 1] = 1.0;
        measured_db[point] = (is_gentle ? 13.0 : 15.0) + test_normal(1, (uint64_t)point);
    }
    rcity_fit_parameter parameter = parameter_of(3.0, 0.0, 30.0, 10.0);
    rcity_fit_problem problem = {.parameter_count = 1,
                                 .parameters = &parameter,
                                 .point_count = COUNT,
                                 .measured_db = measured_db,
                                 .is_robust = true,
                                 .evaluate = fit_model_evaluate,
                                 .user = &model};
    rcity_fit_solution solution;
    assert_ok(context, rcity_fit_solve(context, &problem, &solution));
    assert_near(solution.numbers[0].value, 15.0, 0.5);
    fit_model_free(&model);
    rcity_context_destroy(&context);
}

/* Points without a value, measured or modelled, change nothing: the others give the same bits. */
static void test_points_without_values(void **state)
{
    (void)state;
    rcity_context *context = test_context(2);
    city made;
    rcity_fit_solution expected, actual;
    bool is_left_out[800];
    city_make(5, 800, 6.0, 0.05, &made);
    for (int point = 0; point < 800; point++) {
        is_left_out[point] = point % 7 == 3;
    }
    made.problem.is_left_out = is_left_out;
    assert_ok(context, rcity_fit_solve(context, &made.problem, &expected));
    assert_int_equal(expected.used_count, 800 - 114);
    made.problem.is_left_out = NULL;
    for (int point = 3; point < 800; point += 7) {
        if (point % 2 == 0) {
            made.measured_db[point] = point % 4 == 0 ? (double)NAN : (double)HUGE_VAL;
        } else {
            for (int path = 0; path < MODEL_PATHS; path++) {
                made.model.offset[point * MODEL_PATHS + path] = (double)NAN;
            }
        }
    }
    memset(&actual, 0, sizeof actual);
    assert_ok(context, rcity_fit_solve(context, &made.problem, &actual));
    assert_int_equal(actual.used_count, expected.used_count);
    for (int i = 0; i < CITY_PARAMETERS; i++) {
        assert_memory_equal(&actual.numbers[i].value, &expected.numbers[i].value, sizeof(double));
        assert_memory_equal(&actual.numbers[i].high, &expected.numbers[i].high, sizeof(double));
    }
    city_free(&made);
    rcity_context_destroy(&context);
}

/* Large enough that the sums are shared out. */
static void test_fit_is_equal_for_any_thread_count(void **state)
{
    (void)state;
    enum { COUNT = 5001, N = RCITY_FIT_PARAMETER_MAX };
    rcity_fit_parameter parameters[N];
    rcity_fit_solution solutions[3];
    fit_model model = fit_model_make(N, 1, COUNT);
    double *measured_db = calloc(COUNT, sizeof(double));
    int32_t *block = calloc(COUNT, sizeof(int32_t));
    for (int i = 0; i < N; i++) {
        parameters[i] = parameter_of(0.0, -1.0, 3.0, 2.0);
    }
    for (int64_t k = 0; k < COUNT; k++) {
        model.offset[k] = test_uniform(1, (uint64_t)k, 90.0, 110.0);
        for (int i = 0; i < N; i++) {
            model.slope[k * N + i] = test_uniform(2, (uint64_t)(k * N + i), -1.0, 3.0);
        }
    }
    for (int point = 0; point < COUNT; point++) {
        measured_db[point] = 110.0 + 6.0 * test_normal(3, (uint64_t)point);
        block[point] = point / 10;
    }
    rcity_fit_problem problem = {.parameter_count = N,
                                 .parameters = parameters,
                                 .point_count = COUNT,
                                 .measured_db = measured_db,
                                 .block = block,
                                 .block_count = COUNT / 10 + 1,
                                 .is_robust = true,
                                 .evaluate = fit_model_evaluate,
                                 .user = &model};
    for (int threads = 1; threads <= 3; threads++) {
        rcity_context *context = test_context(threads);
        assert_ok(context, rcity_fit_solve(context, &problem, &solutions[threads - 1]));
        rcity_context_destroy(&context);
    }
    for (int i = 0; i < N; i++) {
        for (int other = 1; other < 3; other++) {
            const rcity_fit_number *a = &solutions[0].numbers[i];
            const rcity_fit_number *b = &solutions[other].numbers[i];
            assert_true(a->value == b->value && a->low == b->low && a->high == b->high);
            assert_true(a->standard_error == b->standard_error && solutions[0].scale_db == solutions[other].scale_db);
        }
    }
    fit_model_free(&model);
    free(measured_db);
    free(block);
}

/* Each fold is what a fit without it says, done by hand. */
static void test_crossed_values_come_from_other_folds(void **state)
{
    (void)state;
    enum { COUNT = 500, FOLDS = 4 };
    rcity_context *context = test_context(2);
    city made;
    int32_t fold[COUNT];
    double crossed_db[COUNT], expected_db[COUNT];
    bool is_left_out[COUNT];
    city_make(11, COUNT, 6.0, 0.02, &made);
    for (int path = 0; path < MODEL_PATHS; path++) {
        made.model.offset[17 * MODEL_PATHS + path] = (double)NAN;
    }
    for (int point = 0; point < COUNT; point++) {
        fold[point] = point * FOLDS / COUNT;
    }
    assert_ok(context,
              rcity_fit_cross(context, &made.problem, FOLDS + 1, fold, crossed_db, NULL)); /* the last is empty */
    for (int number = 0; number < FOLDS; number++) {
        rcity_fit_problem part = made.problem;
        rcity_fit_solution solution;
        double parameters[CITY_PARAMETERS];
        for (int point = 0; point < COUNT; point++) {
            is_left_out[point] = fold[point] == number;
        }
        part.is_left_out = is_left_out;
        assert_ok(context, rcity_fit_solve(context, &part, &solution));
        for (int i = 0; i < CITY_PARAMETERS; i++) {
            parameters[i] = solution.numbers[i].value;
        }
        fit_model_evaluate(&made.model, parameters, expected_db, NULL);
        for (int point = 0; point < COUNT; point++) {
            if (fold[point] == number) {
                assert_true(crossed_db[point] == expected_db[point] || (point == 17 && isnan(crossed_db[point])));
            }
        }
    }
    assert_true(isnan(crossed_db[17]));
    city_free(&made);
    rcity_context_destroy(&context);
}

static void broken_evaluate(void *user, const double *parameters, double *values_db, double *slopes)
{
    fit_model_evaluate(user, parameters, values_db, slopes);
    if (slopes != NULL) {
        slopes[7] = (double)NAN;
    }
}

/* A model that breaks its promises: slopes that are no numbers give nothing to be sure of. */
static void test_broken_model(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    city made;
    rcity_fit_solution solution;
    city_make(2, 300, 6.0, 0.0, &made);
    made.problem.evaluate = broken_evaluate;
    assert_ok(context, rcity_fit_solve(context, &made.problem, &solution));
    assert_false(solution.has_converged);
    for (int i = 0; i < CITY_PARAMETERS; i++) {
        assert_false(solution.numbers[i].is_known);
        assert_true(solution.numbers[i].high - solution.numbers[i].low >= 1.9 * made.parameters[i].spread);
    }
    city_free(&made);
    rcity_context_destroy(&context);
}

static void test_underdetermined_fits_are_refused(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    city made;
    rcity_fit_solution solution = {.round_count = -5};
    city_make(2, 6, 6.0, 0.0, &made);
    made.measured_db[3] = (double)NAN;
    assert_status(context, rcity_fit_solve(context, &made.problem, &solution), RCITY_ERR_ARGUMENT);
    assert_message(context, "5 points");
    assert_message(context, "6 numbers");
    int32_t fold[6] = {0};
    double crossed_db[6] = {-1.0};
    made.measured_db[3] = 100.0;
    assert_status(context, rcity_fit_cross(context, &made.problem, 1, fold, crossed_db, NULL), RCITY_ERR_ARGUMENT);
    assert_message(context, "without piece 1 of 1");
    assert_true(crossed_db[0] == -1.0);

    rcity_fit_constraint impossible = {2, {2, 3}, {-1.0, -2.0}, 1.0}; /* of two numbers that are not below 0 */
    made.problem.constraints = &impossible;
    assert_status(context, rcity_fit_solve(context, &made.problem, &solution), RCITY_ERR_ARGUMENT);
    assert_message(context, "constraints");
    made.problem.constraint_count = 0;
    made.problem.point_count = 0;
    made.model.point_count = 0;
    assert_status(context, rcity_fit_solve(context, &made.problem, &solution), RCITY_ERR_ARGUMENT);
    assert_int_equal(solution.round_count, -5);
    city_free(&made);
    rcity_context_destroy(&context);
}

static bool stop_after(void *user, const char *task, double done, double total)
{
    int *left = user;
    assert_string_equal(task, "fit");
    assert_true(done >= 0.0 && done <= total);
    return (*left)-- > 0;
}

static void test_cancelled_fit_leaves_solution_untouched(void **state)
{
    (void)state;
    city made;
    city_make(2, 200, 6.0, 0.0, &made);
    int patience = 0;
    bool is_done = false;
    for (int calls = 0; !is_done && calls < 1000; calls += 1 + calls / 3) {
        rcity_context_options options = rcity_context_options_default();
        options.progress = stop_after;
        options.progress_user = &patience;
        options.thread_count = 1;
        rcity_context *context = NULL;
        assert_int_equal(rcity_context_create(&options, &context), RCITY_OK);
        rcity_fit_solution solution = {.round_count = -5};
        patience = calls;
        rcity_status status = rcity_fit_solve(context, &made.problem, &solution);
        is_done = status == RCITY_OK;
        assert_true(is_done || (status == RCITY_ERR_CANCELLED && solution.round_count == -5));
        assert_int_equal(rcity_context_memory_used(context), 0);
        rcity_context_destroy(&context);
    }
    assert_true(is_done);
    city_free(&made);
}

static void test_allocation_failure(void **state)
{
    (void)state;
    city made;
    city_make(2, 100, 6.0, 0.0, &made);
    int32_t fold[100] = {0};
    double crossed_db[100];
    for (int point = 0; point < 100; point++) {
        fold[point] = point / 50;
    }
    made.problem.group = fold;
    made.problem.group_count = 2;
    enum { SOLVE, CROSS, GROUPS };
    for (int what = SOLVE; what <= GROUPS; what++) {
        rcity_status status = RCITY_ERR_MEMORY;
        for (long fail_at = 2; status != RCITY_OK; fail_at++) { /* the first is the context */
            assert_true(fail_at < 200);
            failing_allocator failing = {0, 0, 0};
            rcity_context *context = test_context_failing(&failing, 1);
            failing.fail_at = fail_at;
            rcity_fit_solution solution = {.round_count = -5};
            crossed_db[0] = -1.0;
            int fitted_count = -1;
            status = what == CROSS   ? rcity_fit_cross(context, &made.problem, 2, fold, crossed_db, NULL)
                     : what == SOLVE ? rcity_fit_solve(context, &made.problem, &solution)
                                     : rcity_fit_groups(context, &made.problem, crossed_db, &solution, &fitted_count);
            assert_true(status == RCITY_OK || status == RCITY_ERR_MEMORY);
            assert_true(status == RCITY_OK ||
                        (solution.round_count == -5 && crossed_db[0] == -1.0 && fitted_count == -1));
            assert_true(status == RCITY_OK || solution.numbers[0].high == 0.0);
            assert_int_equal(rcity_context_memory_used(context), 0);
            rcity_context_destroy(&context);
            assert_int_equal(failing.live_count, 0);
        }
    }
    city_free(&made);
}

TEST_SUITE(fit_city)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_kinks_without_noise),
        cmocka_unit_test(test_robust_fit_ignores_one_sided_outliers),
        cmocka_unit_test(test_two_valleys),
        cmocka_unit_test(test_points_without_values),
        cmocka_unit_test(test_fit_is_equal_for_any_thread_count),
        cmocka_unit_test(test_crossed_values_come_from_other_folds),
        cmocka_unit_test(test_broken_model),
        cmocka_unit_test(test_underdetermined_fits_are_refused),
        cmocka_unit_test(test_cancelled_fit_leaves_solution_untouched),
        cmocka_unit_test(test_allocation_failure),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

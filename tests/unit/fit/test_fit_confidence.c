/* Do the stated intervals hold the truth as often as they say? */
#include "fit/fit_robust.h"
#include "fit_models.h"

#define SEEDS       40
#define ROUTE_SEEDS 200

typedef struct tally {
    int inside, total;
} tally;

static void count_inside(const rcity_fit_solution *solution, int n, const double *truth, tally *counted)
{
    for (int i = 0; i < n; i++) {
        counted->inside += solution->numbers[i].low <= truth[i] && truth[i] <= solution->numbers[i].high;
        counted->total++;
    }
}

static double share_of(const char *what, tally counted)
{
    double share = (double)counted.inside / counted.total;
    print_message("%s: %d of %d inside, %.1f %%\n", what, counted.inside, counted.total, 100.0 * share);
    return share;
}

static void test_coverage_of_a_city(void **state)
{
    (void)state;
    rcity_context *context = test_context(2);
    for (int is_robust = 0; is_robust < 2; is_robust++) {
        tally counted = {0, 0};
        tally counted_constant = {0, 0};
        for (uint64_t seed = 1; seed <= SEEDS; seed++) {
            city made;
            city_make(seed, 600, 6.0, is_robust ? 0.05 : 0.0, &made);
            made.problem.is_robust = is_robust != 0;
            for (int i = 0; i < CITY_PARAMETERS; i++) { /* what was known beforehand is wrong by as much as it says */
                made.parameters[i].start =
                    city_truth[i] + made.parameters[i].spread * test_normal(seed + 90, (uint64_t)i);
            }
            rcity_fit_solution solution;
            assert_ok(context, rcity_fit_solve(context, &made.problem, &solution));
            count_inside(&solution, CITY_PARAMETERS, city_truth, &counted);
            count_inside(&solution, 1, city_truth, &counted_constant);
            for (int i = 0; i < CITY_PARAMETERS; i++) {
                const rcity_fit_number *number = &solution.numbers[i];
                assert_true(number->low <= number->value && number->value <= number->high);
                assert_true(number->low >= made.parameters[i].low && number->high <= made.parameters[i].high);
            }
            city_free(&made);
        }
        double share = share_of(is_robust ? "robust, 5 % outliers" : "squares, normal errors", counted);
        assert_true(share >= 0.90 && share <= 0.99);
        assert_true(share_of("the constant alone", counted_constant) >= 0.80);
    }
    rcity_context_destroy(&context);
}

#define ROUTE_BLOCKS     24
#define ROUTE_LENGTH     12
#define ROUTE_PARAMETERS 6

/* A route: slopes hardly change within a block, nor do the errors. */
typedef struct route {
    fit_model model;
    double measured_db[ROUTE_BLOCKS * ROUTE_LENGTH];
    int32_t block[ROUTE_BLOCKS * ROUTE_LENGTH];
    rcity_fit_parameter parameters[ROUTE_PARAMETERS];
    rcity_fit_problem problem;
} route;

static const double route_truth[ROUTE_PARAMETERS] = {3.0, -2.0, 5.0, 1.0, 4.0, -3.0};

static void route_make(uint64_t seed, double keep, route *made)
{
    const int n = ROUTE_PARAMETERS;
    made->model = fit_model_make(n, 1, ROUTE_BLOCKS * ROUTE_LENGTH);
    for (int b = 0; b < ROUTE_BLOCKS; b++) {
        double error_db = 6.0 * test_normal(seed + 500, (uint64_t)b);
        for (int k = 0; k < ROUTE_LENGTH; k++) {
            int point = b * ROUTE_LENGTH + k;
            made->block[point] = b;
            error_db = keep * error_db + sqrt(1.0 - keep * keep) * 6.0 * test_normal(seed + 600, (uint64_t)point);
            made->measured_db[point] = made->model.offset[point] = 100.0;
            made->measured_db[point] += error_db;
            for (int i = 0; i < n; i++) {
                double slope = i == 0 ? 1.0 : test_normal(seed, (uint64_t)(b * n + i));
                slope += i == 0 ? 0.0 : 0.2 * test_normal(seed + 700, (uint64_t)(point * n + i));
                made->model.slope[point * n + i] = slope;
                made->measured_db[point] += slope * route_truth[i];
            }
        }
    }
    for (int i = 0; i < n; i++) {
        made->parameters[i] = parameter_of(0.0, -50.0, 50.0, HUGE_VAL);
    }
    rcity_fit_problem problem = {.parameter_count = n,
                                 .parameters = made->parameters,
                                 .point_count = ROUTE_BLOCKS * ROUTE_LENGTH,
                                 .measured_db = made->measured_db,
                                 .block = made->block,
                                 .block_count = ROUTE_BLOCKS,
                                 .is_robust = true,
                                 .evaluate = fit_model_evaluate};
    made->problem = problem;
    made->problem.user = &made->model;
}

/* Errors that hang together along a route: blocks tell, points alone are far too sure. */
static void test_coverage_along_a_route(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    tally by_block = {0, 0};
    tally by_point = {0, 0};
    tally independent = {0, 0};
    for (uint64_t seed = 1; seed <= ROUTE_SEEDS; seed++) {
        route made;
        rcity_fit_solution solution;
        route_make(seed, 0.9, &made);
        assert_ok(context, rcity_fit_solve(context, &made.problem, &solution));
        count_inside(&solution, ROUTE_PARAMETERS, route_truth, &by_block);
        made.problem.block = NULL;
        assert_ok(context, rcity_fit_solve(context, &made.problem, &solution));
        count_inside(&solution, ROUTE_PARAMETERS, route_truth, &by_point);
        fit_model_free(&made.model);
        route_make(seed, 0.0, &made);
        assert_ok(context, rcity_fit_solve(context, &made.problem, &solution));
        count_inside(&solution, ROUTE_PARAMETERS, route_truth, &independent);
        fit_model_free(&made.model);
    }
    double share = share_of("correlated, by block", by_block);
    assert_true(share >= 0.93 && share <= 0.98);
    assert_true(share_of("correlated, by point", by_point) < 0.70);
    share = share_of("independent, by block", independent);
    assert_true(share >= 0.93 && share <= 0.98);
    rcity_context_destroy(&context);
}

/* Two numbers of which only the sum shows, and one that no point sees. */
static void test_what_points_do_not_tell(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    for (int has_spread = 0; has_spread < 2; has_spread++) {
        const int64_t count = 200;
        fit_model model = fit_model_make(4, 1, count);
        double measured_db[200];
        for (int64_t point = 0; point < count; point++) {
            double *slope = model.slope + point * 4;
            slope[0] = slope[1] = 1.0;
            slope[3] = test_uniform(3, (uint64_t)point, 0.0, 3.0);
            measured_db[point] = 10.0 + 5.0 * slope[3] + 6.0 * test_normal(4, (uint64_t)point);
        }
        rcity_fit_parameter parameters[4];
        for (int i = 0; i < 4; i++) {
            parameters[i] = parameter_of(2.0, -40.0, 40.0, has_spread ? 8.0 : (double)HUGE_VAL);
        }
        rcity_fit_problem problem = {.parameter_count = 4,
                                     .parameters = parameters,
                                     .point_count = count,
                                     .measured_db = measured_db,
                                     .is_robust = true,
                                     .evaluate = fit_model_evaluate,
                                     .user = &model};
        rcity_fit_solution solution;
        assert_ok(context, rcity_fit_solve(context, &problem, &solution));
        const rcity_fit_number *numbers = solution.numbers;
        assert_near(numbers[0].value + numbers[1].value, 10.0, 2.0);
        assert_near(numbers[2].value, 2.0, 1e-6);
        for (int i = 0; i < 3; i++) {
            assert_false(numbers[i].is_known);
            assert_true(numbers[i].high - numbers[i].low > (has_spread ? 20.0 : 79.0));
        }
        assert_true(numbers[3].is_known);
        assert_near(numbers[3].value, 5.0, 2.0);
        assert_true(numbers[3].high - numbers[3].low < 4.0);
        fit_model_free(&model);
    }
    rcity_context_destroy(&context);
}

/* One number that wants to be below 0, where it is held, and one that a constraint holds against it. Errors are known
   by hand: squares of one slope each. */
static void test_numbers_at_bounds(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    enum { COUNT = 300 };
    fit_model model = fit_model_make(3, 1, COUNT);
    double measured_db[COUNT];
    for (int point = 0; point < COUNT; point++) {
        static const double truth[3] = {-4.0, -3.0, 7.0};
        model.slope[point * 3 + point % 3] = 1.0;
        measured_db[point] = truth[point % 3] + 6.0 * test_normal(8, (uint64_t)point);
    }
    rcity_fit_parameter parameters[3] = {parameter_of(1.0, 0.0, 20.0, HUGE_VAL),
                                         parameter_of(1.0, -20.0, 20.0, HUGE_VAL),
                                         parameter_of(1.0, -20.0, 20.0, HUGE_VAL)};
    rcity_fit_constraint constraint = {2, {1, 0}, {1.0, -1.0}, 0.0}; /* the second is not below the first */
    rcity_fit_problem problem = {.parameter_count = 3,
                                 .parameters = parameters,
                                 .constraint_count = 1,
                                 .constraints = &constraint,
                                 .point_count = COUNT,
                                 .measured_db = measured_db,
                                 .evaluate = fit_model_evaluate,
                                 .user = &model};
    rcity_fit_solution solution;
    assert_ok(context, rcity_fit_solve(context, &problem, &solution));
    const rcity_fit_number *numbers = solution.numbers;
    double error = solution.scale_db / sqrt(COUNT / 3.0);
    assert_true(numbers[0].is_at_bound && !numbers[1].is_at_bound && !numbers[2].is_at_bound);
    assert_near(numbers[0].value, 0.0, 0.0);
    assert_near(numbers[0].low, 0.0, 0.0);
    assert_near(numbers[0].standard_error, 0.0, 0.0);
    assert_near(numbers[0].high, 2.0 * error, 0.6 * error);
    assert_near(numbers[1].value, 0.0, 1e-7);
    assert_near(numbers[1].high, 2.0 * error, 0.6 * error);
    assert_near(numbers[2].standard_error, error, 0.2 * error);
    assert_near(numbers[2].high - numbers[2].value, 1.97 * numbers[2].standard_error, 0.01 * error);
    assert_true(numbers[0].is_known && numbers[2].is_known);

    parameters[2].low = parameters[2].high = 6.5; /* fixed: no interval, nothing found out */
    assert_ok(context, rcity_fit_solve(context, &problem, &solution));
    assert_near(numbers[2].value, 6.5, 0.0);
    assert_near(numbers[2].high - numbers[2].low, 0.0, 0.0);
    assert_false(numbers[2].is_known);
    fit_model_free(&model);
    rcity_context_destroy(&context);
}

/* As many points as numbers fit exactly, which says nothing of errors. */
static void test_nothing_left(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    fit_model model = fit_model_make(3, 1, 3);
    double measured_db[3] = {1.0, 2.0, 4.0};
    rcity_fit_parameter parameters[3];
    for (int i = 0; i < 3; i++) {
        model.slope[i * 3 + i] = 1.0;
        parameters[i] = parameter_of(0.0, -10.0, 10.0, HUGE_VAL);
    }
    rcity_fit_problem problem = {.parameter_count = 3,
                                 .parameters = parameters,
                                 .point_count = 3,
                                 .measured_db = measured_db,
                                 .evaluate = fit_model_evaluate,
                                 .user = &model};
    rcity_fit_solution solution;
    assert_ok(context, rcity_fit_solve(context, &problem, &solution));
    for (int i = 0; i < 3; i++) {
        assert_near(solution.numbers[i].value, measured_db[i], 1e-5);
        assert_false(solution.numbers[i].is_known);
        assert_near(solution.numbers[i].high - solution.numbers[i].low, 20.0, 0.0);
    }
    fit_model_free(&model);
    rcity_context_destroy(&context);
}

/* A number that one block alone determines: the errors there are 0 on the mean, which does not make it certain. */
static void test_number_known_from_one_block_is_uncertain(void **state)
{
    (void)state;
    enum { COUNT = 300 };
    rcity_context *context = test_context(1);
    fit_model model = fit_model_make(2, 1, COUNT);
    double measured_db[COUNT];
    int32_t block[COUNT];
    for (int point = 0; point < COUNT; point++) {
        block[point] = point / 10;
        model.slope[point * 2] = 1.0;
        model.slope[point * 2 + 1] = block[point] == 7;
        measured_db[point] = 6.0 * test_normal(5, (uint64_t)point);
    }
    rcity_fit_parameter parameters[2] = {parameter_of(0.0, -90.0, 90.0, HUGE_VAL),
                                         parameter_of(0.0, -90.0, 90.0, HUGE_VAL)};
    rcity_fit_problem problem = {.parameter_count = 2,
                                 .parameters = parameters,
                                 .point_count = COUNT,
                                 .measured_db = measured_db,
                                 .block = block,
                                 .block_count = 30,
                                 .evaluate = fit_model_evaluate,
                                 .user = &model};
    rcity_fit_solution solution;
    assert_ok(context, rcity_fit_solve(context, &problem, &solution));
    assert_true(solution.numbers[1].standard_error > 0.9 * 6.0 / sqrt(10.0));
    fit_model_free(&model);
    rcity_context_destroy(&context);
}

/* Ten numbers make the errors of thirty points smaller by a fifth; the scale knows. */
static void test_scale_of_few_points(void **state)
{
    (void)state;
    enum { COUNT = 30, N = 10 };
    rcity_context *context = test_context(1);
    for (int is_robust = 0; is_robust < 2; is_robust++) {
        double mean_db = 0.0;
        for (uint64_t seed = 1; seed <= 60; seed++) {
            fit_model model = fit_model_make(N, 1, COUNT);
            double measured_db[COUNT];
            rcity_fit_parameter parameters[N];
            for (int i = 0; i < N; i++) {
                parameters[i] = parameter_of(0.0, -100.0, 100.0, i == 0 ? 1e-3 : (double)HUGE_VAL); /* 9 are told */
            }
            for (int point = 0; point < COUNT; point++) {
                measured_db[point] = 6.0 * test_normal(seed + 300, (uint64_t)point);
                for (int i = 0; i < N; i++) {
                    model.slope[point * N + i] = test_uniform(seed, (uint64_t)(point * N + i), -1.0, 1.0);
                }
            }
            rcity_fit_problem problem = {.parameter_count = N,
                                         .parameters = parameters,
                                         .point_count = COUNT,
                                         .measured_db = measured_db,
                                         .is_robust = is_robust != 0,
                                         .evaluate = fit_model_evaluate,
                                         .user = &model};
            rcity_fit_solution solution;
            assert_ok(context, rcity_fit_solve(context, &problem, &solution));
            mean_db += solution.scale_db / 60.0;
            fit_model_free(&model);
        }
        assert_near(mean_db, 6.0, 0.4);
    }
    rcity_context_destroy(&context);
}

/* Table 26.10 of Abramowitz and Stegun. */
static void test_student_quantiles_match_printed_table(void **state)
{
    (void)state;
    static const double table[][2] = {{1, 12.706}, {2, 4.303},  {3, 3.182},  {4, 2.776},   {5, 2.571},    {7, 2.365},
                                      {10, 2.228}, {20, 2.086}, {30, 2.042}, {120, 1.980}, {1e300, 1.960}};
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        assert_near(rcity_fit_student_95(table[i][0]), table[i][1], 0.001);
    }
    assert_near(rcity_fit_student_95(0.2), 12.706, 0.001);
    for (double v = 1.0; v < 8.0; v += 0.01) {
        assert_true(rcity_fit_student_95(v) > rcity_fit_student_95(v + 0.01));
    }
}

TEST_SUITE(fit_confidence)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_coverage_of_a_city),
        cmocka_unit_test(test_coverage_along_a_route),
        cmocka_unit_test(test_what_points_do_not_tell),
        cmocka_unit_test(test_numbers_at_bounds),
        cmocka_unit_test(test_nothing_left),
        cmocka_unit_test(test_number_known_from_one_block_is_uncertain),
        cmocka_unit_test(test_scale_of_few_points),
        cmocka_unit_test(test_student_quantiles_match_printed_table),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

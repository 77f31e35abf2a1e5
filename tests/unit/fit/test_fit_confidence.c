/* Do the stated intervals hold the truth as often as they say? */
#include "fit/fit_robust.h"
#include "fit_models.h"

#define SEEDS 40

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
    for (int kind = 0; kind < 3; kind++) { /* clean, outliers, squares */
        tally counted = {0, 0};
        tally counted_constant = {0, 0};
        for (uint64_t seed = 1; seed <= SEEDS; seed++) {
            city made;
            city_make(seed, 1000, 6.0, kind == 1 ? 0.05 : 0.0, &made);
            made.problem.is_robust = kind != 2;
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
        static const char *const names[] = {"normal errors", "with 5 % outliers", "squares"};
        double share = share_of(names[kind], counted);
        assert_true(share >= 0.90 && share <= 0.99);
        assert_true(share_of("the constant alone", counted_constant) >= 0.80);
    }
    rcity_context_destroy(&context);
}

#define ROUTE_BLOCKS     60
#define ROUTE_LENGTH     25
#define ROUTE_PARAMETERS 4

/* A route: slopes hardly change within a block, nor do the errors. */
typedef struct route {
    fit_model model;
    double measured_db[ROUTE_BLOCKS * ROUTE_LENGTH];
    int32_t block[ROUTE_BLOCKS * ROUTE_LENGTH];
    rcity_fit_parameter parameters[ROUTE_PARAMETERS];
    rcity_fit_problem problem;
} route;

static const double route_truth[ROUTE_PARAMETERS] = {3.0, -2.0, 5.0, 1.0};

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
        made->parameters[i] = parameter_of(0.0, -50.0, 50.0, INFINITY);
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
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
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
    assert_true(share >= 0.90 && share <= 0.99);
    assert_true(share_of("correlated, by point", by_point) < 0.70);
    share = share_of("independent, by block", independent);
    assert_true(share >= 0.90 && share <= 0.99);
    rcity_context_destroy(&context);
}
int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_coverage_of_a_city),
        cmocka_unit_test(test_coverage_along_a_route),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Intervals from transmitters left out: exact where the answer is known by hand; with random effects of transmitters
   they hold the truth, and what other transmitters of the same law say, as often as they state. */
#include "fit/fit_robust.h"
#include "fit_models.h"

#define SEEDS      40
#define CITY_SEEDS 12

typedef struct tally {
    int inside, total;
} tally;

static double share_of(const char *what, int seed_count, tally counted)
{
    double share = (double)counted.inside / counted.total;
    print_message("%s: %d of %d inside, %.1f %% (seeds 1 to %d)\n", what, counted.inside, counted.total, 100.0 * share,
                  seed_count);
    return share;
}

static void count_inside(const rcity_fit_solution *solution, int n, const double *truth, tally *counted)
{
    for (int i = 0; i < n; i++) {
        counted->inside += solution->numbers[i].low <= truth[i] && truth[i] <= solution->numbers[i].high;
        counted->total++;
    }
}

/* Solve, then leave each group out; `alone` has the intervals that blocks alone would give the same fit. */
static void solve_by_group(rcity_context *context, const rcity_fit_problem *problem, rcity_fit_solution *alone,
                           rcity_fit_solution *by_group)
{
    double *predicted_db = malloc(sizeof *predicted_db * (size_t)problem->point_count);
    double near[RCITY_FIT_PARAMETER_MAX];
    rcity_fit_problem without = *problem;
    rcity_fit_problem quick = *problem;
    int fitted_count = 0;
    assert_non_null(predicted_db);
    assert_ok(context, rcity_fit_solve(context, problem, by_group));
    without.group = NULL;
    quick.widening = without.widening = by_group->widening;
    assert_ok(context, rcity_fit_solve(context, &without, alone));
    for (int i = 0; i < problem->parameter_count; i++) {
        near[i] = by_group->numbers[i].value;
    }
    quick.near = near;
    assert_ok(context, rcity_fit_groups(context, &quick, predicted_db, by_group, &fitted_count));
    assert_int_equal(fitted_count, problem->group_count);
    for (int i = 0; i < problem->parameter_count; i++) { /* never narrower than without */
        assert_near(by_group->numbers[i].value, alone->numbers[i].value, 1e-12);
        assert_true(by_group->numbers[i].low <= alone->numbers[i].low);
        assert_true(by_group->numbers[i].high >= alone->numbers[i].high);
        assert_true(by_group->numbers[i].low >= problem->parameters[i].low);
        assert_true(by_group->numbers[i].high <= problem->parameters[i].high);
    }
    free(predicted_db);
}

/* A constant, measured by groups of equal size: the interval is that of the mean of the groups' means, with Student's t. */
static void test_constant_has_the_interval_of_the_group_means(void **state)
{
    (void)state;
    enum { GROUPS = 5, EACH = 40, COUNT = GROUPS * EACH };
    static const double effect_db[GROUPS] = {3.0, -4.0, 1.0, 6.0, -2.0};
    rcity_context *context = test_context(1);
    fit_model model = fit_model_make(1, 1, COUNT);
    double measured_db[COUNT], mean_db[GROUPS] = {0.0}, all_db = 0.0, squares = 0.0;
    int32_t group[COUNT];
    for (int point = 0; point < COUNT; point++) {
        group[point] = point % GROUPS;
        model.slope[point] = 1.0;
        measured_db[point] = 20.0 + effect_db[point % GROUPS] + test_normal(3, (uint64_t)point);
        mean_db[group[point]] += measured_db[point] / EACH;
        all_db += measured_db[point] / COUNT;
    }
    for (int g = 0; g < GROUPS; g++) {
        squares += (mean_db[g] - all_db) * (mean_db[g] - all_db);
    }
    rcity_fit_parameter parameter = parameter_of(0.0, -100.0, 100.0, HUGE_VAL);
    rcity_fit_problem problem = {.parameter_count = 1,
                                 .parameters = &parameter,
                                 .point_count = COUNT,
                                 .measured_db = measured_db,
                                 .group = group,
                                 .group_count = GROUPS,
                                 .evaluate = fit_model_evaluate,
                                 .user = &model};
    rcity_fit_solution alone, by_group;
    solve_by_group(context, &problem, &alone, &by_group);
    double error_db = sqrt(squares / (GROUPS - 1) / GROUPS);
    assert_near(by_group.numbers[0].value, all_db, 1e-6);
    assert_near(by_group.numbers[0].standard_error, error_db, 1e-6);
    assert_near(by_group.numbers[0].high - all_db, 2.7764 * error_db, 2e-3); /* t of 4 degrees of freedom */
    assert_near(all_db - by_group.numbers[0].low, 2.7764 * error_db, 2e-3);
    assert_true(alone.numbers[0].high - all_db < 1.0); /* points alone know nothing of the effects */
    fit_model_free(&model);
    rcity_context_destroy(&context);
}

/* A drive test of several transmitters with one law: each has its own level and departs from the law in every slope. */
#define DRIVE_PARAMETERS 5
#define DRIVE_GROUPS_MAX 12
#define DRIVE_POINTS_MAX (DRIVE_GROUPS_MAX * 80)

static const double drive_truth[DRIVE_PARAMETERS] = {10.0, -2.0, 5.0, 1.0, 4.0};

typedef struct drive {
    fit_model model;
    double measured_db[DRIVE_POINTS_MAX];
    int32_t block[DRIVE_POINTS_MAX], group[DRIVE_POINTS_MAX];
    rcity_fit_parameter parameters[DRIVE_PARAMETERS];
    rcity_fit_problem problem;
} drive;

/* Transmitters `first` .. first + count - 1 of a seed's drive test. With `is_uneven` some have an eighth of the points. */
static void drive_make(uint64_t seed, int first, int count, bool is_uneven, drive *made)
{
    const int n = DRIVE_PARAMETERS;
    int64_t point_count = 0;
    made->model = fit_model_make(n, 1, DRIVE_POINTS_MAX);
    for (int g = 0; g < count; g++) {
        uint64_t tx = seed * 100 + (uint64_t)(first + g);
        int each = is_uneven && (first + g) % 3 == 2 ? 10 : 80;
        double law[DRIVE_PARAMETERS];
        for (int i = 0; i < n; i++) {
            law[i] = drive_truth[i] + (i == 0 ? 5.0 : 1.5) * test_normal(tx + 10000000, (uint64_t)i);
        }
        for (int k = 0; k < each; k++, point_count++) {
            uint64_t draw = tx * 1000 + (uint64_t)k;
            made->group[point_count] = g;
            made->block[point_count] = g * 20 + k / 4;
            made->measured_db[point_count] = 6.0 * test_normal(20000000, draw);
            for (int i = 0; i < n; i++) {
                /* where a transmitter stands decides what most of its points see */
                double slope =
                    i == 0 ? 1.0 : test_normal(tx + 30000000, (uint64_t)i) + test_normal(40000000 + (uint64_t)i, draw);
                made->model.slope[point_count * n + i] = slope;
                made->measured_db[point_count] += slope * law[i];
            }
        }
    }
    made->model.point_count = point_count;
    for (int i = 0; i < n; i++) {
        made->parameters[i] = parameter_of(0.0, -60.0, 60.0, 15.0);
    }
    made->problem = (rcity_fit_problem){.parameter_count = n,
                                        .parameters = made->parameters,
                                        .point_count = point_count,
                                        .measured_db = made->measured_db,
                                        .block = made->block,
                                        .block_count = count * 20,
                                        .group = made->group,
                                        .group_count = count,
                                        .is_robust = true,
                                        .evaluate = fit_model_evaluate,
                                        .user = &made->model};
}

/* The law lies within its intervals; blocks of route alone are far too sure of it. */
static void test_law_lies_within_its_intervals(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    static drive made;
    for (int is_uneven = 0; is_uneven < 2; is_uneven++) {
        for (int count = 3; count <= DRIVE_GROUPS_MAX; count *= 2) {
            tally by_group = {0, 0}, by_block = {0, 0};
            char what[80];
            for (uint64_t seed = 1; seed <= SEEDS; seed++) {
                rcity_fit_solution alone, grouped;
                drive_make(seed, 0, count, is_uneven != 0, &made);
                solve_by_group(context, &made.problem, &alone, &grouped);
                count_inside(&grouped, DRIVE_PARAMETERS, drive_truth, &by_group);
                count_inside(&alone, DRIVE_PARAMETERS, drive_truth, &by_block);
                fit_model_free(&made.model);
            }
            snprintf(what, sizeof what, "%d transmitters%s", count, is_uneven ? " of uneven size" : "");
            double share = share_of(what, SEEDS, by_group);
            assert_true(share >= 0.92);
            assert_true(share <= 0.99 || count < 6); /* no wider than needed; three transmitters say little */
            assert_true(share_of("  by pieces of route alone", SEEDS, by_block) < 0.75);
        }
    }
    rcity_context_destroy(&context);
}

/* What one half of the transmitters says holds for the other half. */
static void test_one_half_speaks_for_the_other(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    static drive made;
    for (int is_uneven = 0; is_uneven < 2; is_uneven++) {
        tally by_group = {0, 0}, by_block = {0, 0};
        for (uint64_t seed = 1; seed <= SEEDS; seed++) {
            rcity_fit_solution alone[2], grouped[2];
            for (int half = 0; half < 2; half++) {
                drive_make(seed + 500, 6 * half, 6, is_uneven != 0, &made);
                solve_by_group(context, &made.problem, &alone[half], &grouped[half]);
                fit_model_free(&made.model);
            }
            for (int half = 0; half < 2; half++) {
                double other[DRIVE_PARAMETERS];
                for (int i = 0; i < DRIVE_PARAMETERS; i++) {
                    other[i] = grouped[1 - half].numbers[i].value;
                }
                count_inside(&grouped[half], DRIVE_PARAMETERS, other, &by_group);
                count_inside(&alone[half], DRIVE_PARAMETERS, other, &by_block);
            }
        }
        assert_true(share_of(is_uneven ? "halves, uneven" : "halves", SEEDS, by_group) >= 0.85);
        assert_true(share_of("  by pieces of route alone", SEEDS, by_block) < 0.6);
    }
    rcity_context_destroy(&context);
}

/* Paths with kinks, bounds and a constraint: the same, with a level of its own for each of six transmitters. */
static void test_city_of_six_transmitters(void **state)
{
    (void)state;
    enum { COUNT = 600, GROUPS = 6 };
    rcity_context *context = test_context(1);
    static int32_t group[COUNT];
    tally by_group = {0, 0};
    for (uint64_t seed = 1; seed <= CITY_SEEDS; seed++) {
        city made;
        rcity_fit_solution alone, grouped;
        city_make(seed, COUNT, 6.0, 0.02, &made);
        for (int point = 0; point < COUNT; point++) {
            group[point] = point * GROUPS / COUNT;
            made.measured_db[point] += 4.0 * test_normal(seed + 70, (uint64_t)group[point]);
        }
        made.problem.group = group;
        made.problem.group_count = GROUPS;
        solve_by_group(context, &made.problem, &alone, &grouped);
        count_inside(&grouped, CITY_PARAMETERS, city_truth, &by_group);
        city_free(&made);
    }
    assert_true(share_of("city", CITY_SEEDS, by_group) >= 0.92);
    rcity_context_destroy(&context);
}

/* Levels of transmitters, each seen by its own points: leaving its points out says nothing about it. A transmitter
   without which too few points are left is not left out. */
static void test_offsets_and_too_few_points(void **state)
{
    (void)state;
    enum { GROUPS = 3, EACH = 30, COUNT = GROUPS * EACH, N = GROUPS + 1 };
    rcity_context *context = test_context(1);
    fit_model model = fit_model_make(N, 1, COUNT);
    double measured_db[COUNT], predicted_db[COUNT];
    int32_t group[COUNT];
    rcity_fit_parameter parameters[N];
    for (int point = 0; point < COUNT; point++) {
        group[point] = point / EACH;
        model.slope[point * N] = test_uniform(6, (uint64_t)point, 0.0, 2.0);
        model.slope[point * N + 1 + group[point]] = 1.0;
        measured_db[point] = 3.0 * model.slope[point * N] + 20.0 * group[point] + test_normal(7, (uint64_t)point);
    }
    for (int i = 0; i < N; i++) {
        parameters[i] = parameter_of(0.0, -100.0, 100.0, HUGE_VAL);
    }
    rcity_fit_problem problem = {.parameter_count = N,
                                 .parameters = parameters,
                                 .point_count = COUNT,
                                 .measured_db = measured_db,
                                 .group = group,
                                 .group_count = GROUPS,
                                 .evaluate = fit_model_evaluate,
                                 .user = &model};
    rcity_fit_solution alone, by_group;
    solve_by_group(context, &problem, &alone, &by_group);
    for (int i = 1; i < N; i++) {
        assert_true(by_group.numbers[i].is_known);
        assert_true(by_group.numbers[i].high - by_group.numbers[i].low < 20.0);
        assert_near(by_group.numbers[i].value, 20.0 * (i - 1), 1.5);
    }
    for (int point = 0; point < COUNT; point++) { /* all but two points are of the first */
        group[point] = point < COUNT - 2 ? 0 : 1;
    }
    int fitted_count = 0;
    problem.group_count = 2;
    assert_ok(context, rcity_fit_solve(context, &problem, &alone));
    rcity_fit_solution before = alone;
    assert_ok(context, rcity_fit_groups(context, &problem, predicted_db, &alone, &fitted_count));
    assert_int_equal(fitted_count, 1);
    assert_true(isnan(predicted_db[0]) && isfinite(predicted_db[COUNT - 1]));
    for (int i = 0; i < N; i++) {
        assert_true(alone.numbers[i].low == before.numbers[i].low && alone.numbers[i].high == before.numbers[i].high);
    }
    fit_model_free(&model);
    rcity_context_destroy(&context);
}

TEST_SUITE(fit_groups)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_constant_has_the_interval_of_the_group_means),
        cmocka_unit_test(test_law_lies_within_its_intervals),
        cmocka_unit_test(test_one_half_speaks_for_the_other),
        cmocka_unit_test(test_city_of_six_transmitters),
        cmocka_unit_test(test_offsets_and_too_few_points),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

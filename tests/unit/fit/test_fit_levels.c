/* Transmitters whose levels are drawn around a law: what one of them says of the law is worth no more than it is, and
   many find the truth. Laws, levels and errors along routes are drawn; seeds are counted. */
#include "fit_models.h"

#define LAW_COUNT   3 /* a level, a class of points, a slope */
#define EACH        240
#define BLOCK       10
#define GROUPS_MAX  24
#define POINTS_MAX  (GROUPS_MAX * EACH)
#define NUMBERS_MAX (LAW_COUNT + GROUPS_MAX)
#define LEVEL_DB    5.0 /* standard deviation of levels */

static const double law_start[LAW_COUNT] = {20.0, 8.0, 5.0};
static const double law_spread[LAW_COUNT] = {3.0, 1.5, 0.7};

typedef struct drive {
    fit_model model;
    double truth[LAW_COUNT], level_db[GROUPS_MAX];
    double measured_db[POINTS_MAX];
    int32_t block[POINTS_MAX], group[POINTS_MAX];
    rcity_fit_parameter parameters[NUMBERS_MAX];
    rcity_fit_problem problem;
} drive;

/* Slopes of a law at a point: many points of a transmitter are alike. */
static void draw_slopes(uint64_t seed, int group, int k, double *slopes)
{
    uint64_t draw = (uint64_t)(group * EACH + k);
    slopes[0] = 1.0;
    slopes[1] = test_uniform(seed + 300, draw / BLOCK, 0.0, 1.0) < 0.6 ? 1.0 : 0.0;
    slopes[2] = test_normal(seed + 400, (uint64_t)group) + test_normal(seed + 500, draw / BLOCK);
}

/* Errors of a block of route share more than half of their variance. */
static void drive_make(uint64_t seed, int group_count, bool has_levels, drive *made)
{
    int n = LAW_COUNT + (has_levels ? group_count : 0);
    made->model = fit_model_make(n, 1, group_count * EACH);
    for (int i = 0; i < n; i++) {
        made->parameters[i] = i < LAW_COUNT ? parameter_of(law_start[i], -100.0, 100.0, law_spread[i])
                                            : parameter_of(0.0, -100.0, 100.0, LEVEL_DB);
        made->parameters[i].is_effect = i >= LAW_COUNT;
        if (i < LAW_COUNT) {
            made->truth[i] = law_start[i] + law_spread[i] * test_normal(seed + 100, (uint64_t)i);
        }
    }
    for (int g = 0; g < group_count; g++) {
        made->level_db[g] = LEVEL_DB * test_normal(seed + 200, (uint64_t)g);
        for (int k = 0; k < EACH; k++) {
            int point = g * EACH + k;
            double *slopes = made->model.slope + point * n;
            draw_slopes(seed, g, k, slopes);
            made->group[point] = g;
            made->block[point] = point / BLOCK;
            made->measured_db[point] = made->level_db[g] + 4.5 * test_normal(seed + 600, (uint64_t)(point / BLOCK)) +
                                       4.0 * test_normal(seed + 700, (uint64_t)point);
            for (int i = 0; i < LAW_COUNT; i++) {
                made->measured_db[point] += slopes[i] * made->truth[i];
            }
            if (has_levels) {
                slopes[LAW_COUNT + g] = 1.0;
            }
        }
    }
    made->problem = (rcity_fit_problem){.parameter_count = n,
                                        .parameters = made->parameters,
                                        .point_count = group_count * EACH,
                                        .measured_db = made->measured_db,
                                        .block = made->block,
                                        .block_count = group_count * EACH / BLOCK,
                                        .group = group_count > 1 ? made->group : NULL,
                                        .group_count = group_count,
                                        .is_robust = true,
                                        .evaluate = fit_model_evaluate,
                                        .user = &made->model};
}

/* Mean square of what a law is wrong by at the points of another transmitter, apart from that one's own level. */
static double square_elsewhere_db2(uint64_t seed, const double *law, const double *truth)
{
    double sum = 0.0;
    for (int k = 0; k < EACH; k++) {
        double slopes[LAW_COUNT], error_db = 0.0;
        draw_slopes(seed + 50000, 0, k, slopes);
        for (int i = 0; i < LAW_COUNT; i++) {
            error_db += slopes[i] * (law[i] - truth[i]);
        }
        sum += error_db * error_db / EACH;
    }
    return sum;
}

typedef struct outcome {
    double start_db, fitted_db; /* root mean squares elsewhere */
    double inside;              /* share of the true law within its intervals */
    double levels_inside;       /* the same for levels */
} outcome;

static outcome fit_all(const char *what, int seed_count, int group_count, bool has_levels)
{
    rcity_context *context = test_context(1);
    static drive made;
    static double predicted_db[POINTS_MAX];
    outcome sum = {0.0, 0.0, 0.0, 0.0};
    for (uint64_t seed = 1000; seed <= 1000 * (uint64_t)seed_count; seed += 1000) {
        rcity_fit_solution solution;
        double law[NUMBERS_MAX];
        drive_make(seed, group_count, has_levels, &made);
        assert_ok(context, rcity_fit_solve(context, &made.problem, &solution));
        for (int i = 0; i < made.problem.parameter_count; i++) {
            law[i] = solution.numbers[i].value;
        }
        if (group_count > 1) {
            int fitted_count = 0;
            rcity_fit_problem near = made.problem;
            near.near = law;
            near.widening = solution.widening;
            assert_ok(context, rcity_fit_groups(context, &near, predicted_db, &solution, &fitted_count));
            assert_int_equal(fitted_count, group_count);
        }
        for (int i = 0; i < LAW_COUNT; i++) {
            bool is_inside = solution.numbers[i].low <= made.truth[i] && made.truth[i] <= solution.numbers[i].high;
            sum.inside += is_inside ? 1.0 / (LAW_COUNT * seed_count) : 0.0;
        }
        for (int g = 0; has_levels && g < group_count; g++) {
            const rcity_fit_number *level = &solution.numbers[LAW_COUNT + g];
            bool is_inside = level->low <= made.level_db[g] && made.level_db[g] <= level->high;
            sum.levels_inside += is_inside ? 1.0 / (group_count * seed_count) : 0.0;
        }
        sum.start_db += square_elsewhere_db2(seed, law_start, made.truth) / seed_count;
        sum.fitted_db += square_elsewhere_db2(seed, law, made.truth) / seed_count;
        fit_model_free(&made.model);
    }
    rcity_context_destroy(&context);
    sum.start_db = sqrt(sum.start_db);
    sum.fitted_db = sqrt(sum.fitted_db);
    print_message("%s: elsewhere off by %.2f dB, before %.2f dB; within intervals %.1f %% of the law, %.1f %% of the "
                  "levels (seeds 1 to %d)\n",
                  what, sum.fitted_db, sum.start_db, 100.0 * sum.inside, 100.0 * sum.levels_inside, seed_count);
    return sum;
}

/* One transmitter makes the law better elsewhere; taken as the law itself it would make it worse. */
static void test_one_transmitter_does_no_harm(void **state)
{
    (void)state;
    outcome with_level = fit_all("one, with a level", 100, 1, true);
    outcome without = fit_all("one, without", 100, 1, false);
    assert_true(with_level.fitted_db < 0.95 * with_level.start_db);
    assert_true(without.fitted_db > 1.1 * without.start_db);
    assert_true(with_level.inside >= 0.9);
    assert_true(without.inside < 0.8);
}

/* The more transmitters, the nearer the truth; intervals hold it all the way. */
static void test_many_transmitters_find_the_truth(void **state)
{
    (void)state;
    static const int counts[] = {3, 8, 24}, seed_counts[] = {60, 25, 12};
    double before_db = HUGE_VAL;
    for (int i = 0; i < 3; i++) {
        char what[40];
        snprintf(what, sizeof what, "%d, with levels", counts[i]);
        outcome found = fit_all(what, seed_counts[i], counts[i], true);
        assert_true(found.fitted_db < before_db);
        assert_true(found.inside >= 0.9);
        assert_true(found.levels_inside >= 0.9 && found.levels_inside < 0.99); /* no wider than needed */
        before_db = found.fitted_db;
    }
    assert_true(before_db < 1.5); /* 5 dB over the root of 24, and a little for the rest */
}

/* A constant, and six groups with levels whose scatter is just what was said: it is known by the mean of six levels,
   which count once, not once as what was known and once as what is seen. */
static void test_levels_count_once(void **state)
{
    (void)state;
    enum { GROUPS = 6, N = GROUPS + 1, COUNT = GROUPS * EACH };
    static const double level_db[GROUPS] = {5.0, -5.0, 5.0, -5.0, 5.0, -5.0}; /* squares of 150 */
    const double spread_db = sqrt(150.0 / (GROUPS - 1));
    rcity_context *context = test_context(1);
    fit_model model = fit_model_make(N, 1, COUNT);
    static double measured_db[COUNT], predicted_db[COUNT];
    static int32_t group[COUNT];
    double near[N];
    rcity_fit_parameter parameters[N];
    for (int point = 0; point < COUNT; point++) {
        group[point] = point / EACH;
        model.slope[point * N] = model.slope[point * N + 1 + group[point]] = 1.0;
        measured_db[point] = 20.0 + level_db[group[point]] + 0.5 * test_normal(9, (uint64_t)point);
    }
    for (int i = 0; i < N; i++) {
        parameters[i] = parameter_of(0.0, -1e4, 1e4, i == 0 ? 1e3 : spread_db);
        parameters[i].is_effect = i > 0;
    }
    rcity_fit_problem problem = {.parameter_count = N,
                                 .parameters = parameters,
                                 .point_count = COUNT,
                                 .measured_db = measured_db,
                                 .group = group,
                                 .group_count = GROUPS,
                                 .widening = 1.0,
                                 .evaluate = fit_model_evaluate,
                                 .user = &model};
    rcity_fit_solution solution;
    int fitted_count = 0;
    assert_ok(context, rcity_fit_solve(context, &problem, &solution));
    for (int i = 0; i < N; i++) {
        near[i] = solution.numbers[i].value;
    }
    problem.near = near;
    assert_ok(context, rcity_fit_groups(context, &problem, predicted_db, &solution, &fitted_count));
    assert_near(solution.numbers[0].value, 20.0, 0.1);
    assert_near(solution.numbers[0].standard_error, spread_db / sqrt(GROUPS), 0.1);
    for (int i = 1; i < N; i++) { /* as uncertain as what they are counted from */
        assert_near(solution.numbers[i].value, level_db[i - 1], 0.2);
        assert_near(solution.numbers[i].standard_error, spread_db / sqrt(GROUPS), 0.25);
    }
    assert_near(predicted_db[0], 19.0, 0.2); /* the mean of the other five, and no level */
    fit_model_free(&model);
    rcity_context_destroy(&context);
}

/* Errors that are the same within blocks of ten count as one each: the widening is that of the sums of blocks. */
static void test_points_of_a_block_count_as_one(void **state)
{
    (void)state;
    enum { BLOCKS = 40, COUNT = BLOCKS * BLOCK };
    rcity_context *context = test_context(1);
    fit_model model = fit_model_make(1, 1, COUNT);
    double measured_db[COUNT], mean_db = 0.0;
    int32_t block[COUNT];
    for (int point = 0; point < COUNT; point++) {
        block[point] = point / BLOCK;
        model.slope[point] = 1.0;
        measured_db[point] = 2.0 * test_normal(8, (uint64_t)(point / BLOCK));
        mean_db += measured_db[point] / COUNT;
    }
    rcity_fit_parameter parameter = parameter_of(30.0, -100.0, 100.0, 1.0);
    rcity_fit_problem problem = {.parameter_count = 1,
                                 .parameters = &parameter,
                                 .point_count = COUNT,
                                 .measured_db = measured_db,
                                 .block = block,
                                 .block_count = BLOCKS,
                                 .evaluate = fit_model_evaluate,
                                 .user = &model};
    rcity_fit_solution solution;
    assert_ok(context, rcity_fit_solve(context, &problem, &solution));
    assert_near(solution.widening, BLOCK * BLOCKS / (BLOCKS - 1.0), 1.0);
    /* the mean of forty blocks beside what was known before */
    double block_db2 = solution.scale_db * solution.scale_db * solution.widening / BLOCK;
    double expected_db = (BLOCKS * mean_db / block_db2 + 30.0) / (BLOCKS / block_db2 + 1.0);
    assert_near(solution.numbers[0].value, expected_db, 1e-3);
    problem.widening = 1.0; /* stated: all points count */
    assert_ok(context, rcity_fit_solve(context, &problem, &solution));
    double point_db2 = solution.scale_db * solution.scale_db;
    assert_near(solution.numbers[0].value, (COUNT * mean_db / point_db2 + 30.0) / (COUNT / point_db2 + 1.0), 1e-3);
    assert_true(solution.widening == 1.0);
    fit_model_free(&model);
    rcity_context_destroy(&context);
}

TEST_SUITE(fit_levels)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one_transmitter_does_no_harm),
        cmocka_unit_test(test_many_transmitters_find_the_truth),
        cmocka_unit_test(test_levels_count_once),
        cmocka_unit_test(test_points_of_a_block_count_as_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

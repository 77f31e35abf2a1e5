/* Fits against a solver that tries every set of bounds and constraints, and against known truth. */
#include "fit_models.h"

#define ORACLE_MAX  5
#define ORACLE_ROWS 16

/* Half of x' matrix x less vector . x with row . x >= least. */
typedef struct oracle {
    int n, row_count;
    double matrix[ORACLE_MAX][ORACLE_MAX], vector[ORACLE_MAX];
    double rows[ORACLE_ROWS][ORACLE_MAX], least[ORACLE_ROWS];
} oracle;

/* Gauss with row pivots. @return false where singular. */
static bool solve_plain(int n, double a[][ORACLE_MAX + ORACLE_ROWS + 1], double *x)
{
    for (int c = 0; c < n; c++) {
        int pivot = c;
        for (int r = c + 1; r < n; r++) {
            pivot = fabs(a[r][c]) > fabs(a[pivot][c]) ? r : pivot;
        }
        if (fabs(a[pivot][c]) < 1e-9) {
            return false;
        }
        for (int k = 0; k <= n; k++) {
            double swap = a[c][k];
            a[c][k] = a[pivot][k];
            a[pivot][k] = swap;
        }
        for (int r = 0; r < n; r++) {
            double factor = r == c ? 0.0 : a[r][c] / a[c][c];
            for (int k = c; k <= n; k++) {
                a[r][k] -= factor * a[c][k];
            }
        }
    }
    for (int r = 0; r < n; r++) {
        x[r] = a[r][n] / a[r][r];
    }
    return true;
}

static double oracle_cost(const oracle *job, const double *x)
{
    double cost = 0.0;
    for (int r = 0; r < job->n; r++) {
        cost -= job->vector[r] * x[r];
        for (int c = 0; c < job->n; c++) {
            cost += 0.5 * job->matrix[r][c] * x[r] * x[c];
        }
    }
    return cost;
}

static bool oracle_allows(const oracle *job, const double *x)
{
    for (int row = 0; row < job->row_count; row++) {
        double sum = -job->least[row];
        for (int i = 0; i < job->n; i++) {
            sum += job->rows[row][i] * x[i];
        }
        if (sum < -1e-8) {
            return false;
        }
    }
    return true;
}

/* Every set of at most n rows as equations; the cheapest answer that the others allow. */
static double oracle_solve(const oracle *job, double *best)
{
    double least = HUGE_VAL;
    for (unsigned set = 0; set < 1u << job->row_count; set++) {
        double a[ORACLE_MAX + ORACLE_ROWS][ORACLE_MAX + ORACLE_ROWS + 1] = {{0.0}};
        double x[ORACLE_MAX + ORACLE_ROWS];
        int held = 0;
        for (int row = 0; row < job->row_count; row++) {
            held += (int)((set >> row) & 1u);
        }
        int size = job->n + held;
        if (held > job->n) {
            continue;
        }
        int next = job->n;
        for (int r = 0; r < job->n; r++) {
            for (int c = 0; c < job->n; c++) {
                a[r][c] = job->matrix[r][c];
            }
            a[r][size] = job->vector[r];
        }
        for (int row = 0; row < job->row_count; row++) {
            if ((set >> row) & 1u) {
                for (int i = 0; i < job->n; i++) {
                    a[next][i] = job->rows[row][i];
                    a[i][next] = -job->rows[row][i];
                }
                a[next++][size] = job->least[row];
            }
        }
        if (solve_plain(size, a, x) && oracle_allows(job, x) && oracle_cost(job, x) < least) {
            least = oracle_cost(job, x);
            memcpy(best, x, sizeof *best * (size_t)job->n);
        }
    }
    return least;
}

/* A straight problem with everything drawn from a seed. */
typedef struct straight {
    fit_model model;
    double *measured_db;
    rcity_fit_parameter parameters[ORACLE_MAX];
    rcity_fit_constraint constraints[2];
    rcity_fit_problem problem;
} straight;

static void straight_make(uint64_t seed, bool is_bounded, straight *made)
{
    int n = 2 + (int)(seed % 4);
    const int64_t count = 60;
    made->model = fit_model_make(n, 1, count);
    made->measured_db = calloc((size_t)count, sizeof(double));
    for (int64_t point = 0; point < count; point++) {
        made->model.offset[point] = test_uniform(seed, 5000 + (uint64_t)point, 60.0, 150.0);
        made->measured_db[point] = made->model.offset[point] + 6.0 * test_normal(seed + 1000, (uint64_t)point);
        for (int i = 0; i < n; i++) {
            double slope = test_uniform(seed, (uint64_t)(point * n + i), -1.0, 2.0);
            made->model.slope[point * n + i] = slope;
            made->measured_db[point] += slope * test_uniform(seed + 2000, (uint64_t)i, -8.0, 8.0);
        }
    }
    for (int i = 0; i < n; i++) {
        double spread = is_bounded && i % 2 == 0 ? test_uniform(seed + 3000, (uint64_t)i, 0.5, 8.0) : (double)HUGE_VAL;
        double low = is_bounded ? test_uniform(seed + 4000, (uint64_t)i, -6.0, 0.0) : (double)-HUGE_VAL;
        double high = is_bounded ? test_uniform(seed + 5000, (uint64_t)i, 0.0, 6.0) : (double)HUGE_VAL;
        made->parameters[i] = parameter_of(0.0, low, high, spread);
    }
    for (int c = 0; c < 2; c++) {
        rcity_fit_constraint constraint = {2, {0, 1}, {1.0, c == 0 ? 0.5 : -1.0}, c == 0 ? 0.0 : -1.5};
        made->constraints[c] = constraint;
    }
    rcity_fit_problem problem = {.parameter_count = n,
                                 .parameters = made->parameters,
                                 .constraint_count = is_bounded ? 2 : 0,
                                 .constraints = made->constraints,
                                 .point_count = count,
                                 .measured_db = made->measured_db,
                                 .evaluate = fit_model_evaluate};
    made->problem = problem;
    made->problem.user = &made->model;
}

static void straight_free(straight *made)
{
    fit_model_free(&made->model);
    free(made->measured_db);
}

/* The same as a quadratic, by its own loops. */
static void straight_to_oracle(const straight *made, double scale_db, oracle *job)
{
    memset(job, 0, sizeof *job);
    int n = job->n = made->problem.parameter_count;
    for (int64_t point = 0; point < made->problem.point_count; point++) {
        const double *slope = made->model.slope + point * n;
        for (int r = 0; r < n; r++) {
            job->vector[r] += slope[r] * (made->measured_db[point] - made->model.offset[point]);
            for (int c = 0; c < n; c++) {
                job->matrix[r][c] += slope[r] * slope[c];
            }
        }
    }
    for (int i = 0; i < n; i++) {
        const rcity_fit_parameter *parameter = &made->parameters[i];
        job->matrix[i][i] += scale_db * scale_db / (parameter->spread * parameter->spread);
        if (isfinite(parameter->low)) {
            job->rows[job->row_count][i] = 1.0;
            job->least[job->row_count++] = parameter->low;
            job->rows[job->row_count][i] = -1.0;
            job->least[job->row_count++] = -parameter->high;
        }
    }
    for (int c = 0; c < made->problem.constraint_count; c++) {
        for (int term = 0; term < made->constraints[c].term_count; term++) {
            job->rows[job->row_count][made->constraints[c].parameter[term]] = made->constraints[c].factor[term];
        }
        job->least[job->row_count++] = made->constraints[c].least;
    }
}

static void test_straight_against_oracle(void **state)
{
    (void)state;
    rcity_context *context = test_context(2);
    int held_count = 0;
    for (uint64_t seed = 1; seed <= 60; seed++) {
        straight made;
        straight_make(seed, seed % 3 != 0, &made);
        rcity_fit_solution solution;
        assert_ok(context, rcity_fit_solve(context, &made.problem, &solution));
        oracle job;
        double best[ORACLE_MAX];
        straight_to_oracle(&made, solution.scale_db, &job);
        double least = oracle_solve(&job, best);
        double found[ORACLE_MAX];
        for (int i = 0; i < job.n; i++) {
            found[i] = solution.numbers[i].value;
            held_count += solution.numbers[i].is_at_bound;
            if (fabs(found[i] - best[i]) > 1e-5) {
                print_error("seed %u: number %d is %.10g, the oracle says %.10g\n", (unsigned)seed, i, found[i],
                            best[i]);
                fail();
            }
            assert_int_equal(solution.numbers[i].is_at_bound, fabs(best[i] - made.parameters[i].low) < 1e-6 ||
                                                                  fabs(best[i] - made.parameters[i].high) < 1e-6);
        }
        assert_true(oracle_allows(&job, found));
        assert_true(oracle_cost(&job, found) <= least + 1e-7 * (1.0 + fabs(least)));
        assert_true(solution.has_converged);
        straight_free(&made);
    }
    assert_in_range(held_count, 20, 120); /* bounds matter in these problems */
    rcity_context_destroy(&context);
}

/* Problems with everything odd at once, from a seed: slopes of any size, columns twice or empty, numbers without bounds
   or with no room at all, starts outside, constraints that meet each other. Whatever comes back keeps its promises, and
   no neighbour is cheaper. */
static double odd_cost(const rcity_fit_problem *problem, const fit_model *model, const double *x, double scale_db)
{
    double cost = 0.0;
    for (int64_t point = 0; point < model->point_count; point++) {
        double error_db = problem->measured_db[point] - model->offset[point];
        for (int i = 0; i < model->n; i++) {
            error_db -= model->slope[point * model->n + i] * x[i];
        }
        cost += 0.5 * error_db * error_db;
    }
    for (int i = 0; i < model->n; i++) {
        double away = (x[i] - problem->parameters[i].start) / problem->parameters[i].spread;
        cost += 0.5 * scale_db * scale_db * away * away;
    }
    return cost;
}

static bool odd_allows(const rcity_fit_problem *problem, const double *x)
{
    for (int i = 0; i < problem->parameter_count; i++) {
        if (!(x[i] >= problem->parameters[i].low && x[i] <= problem->parameters[i].high)) {
            return false;
        }
    }
    for (int c = 0; c < problem->constraint_count; c++) {
        const rcity_fit_constraint *constraint = &problem->constraints[c];
        double sum = -constraint->least;
        double size = fabs(constraint->least);
        for (int term = 0; term < constraint->term_count; term++) {
            sum += constraint->factor[term] * x[constraint->parameter[term]];
            size += fabs(constraint->factor[term] * x[constraint->parameter[term]]);
        }
        if (sum < -1e-6 * (1.0 + size)) {
            return false;
        }
    }
    return true;
}

static void check_odd(rcity_context *context, uint64_t seed)
{
    enum { N = 6, COUNT = 80 };
    fit_model model = fit_model_make(N, 1, COUNT);
    double measured_db[COUNT];
    rcity_fit_parameter parameters[N];
    double size[N];
    for (int i = 0; i < N; i++) {
        uint64_t draw = 100 * (uint64_t)i;
        size[i] = pow(10.0, test_uniform(seed, draw, -4.0, 4.0)); /* of the number; slopes are the inverse */
        bool is_bounded = test_uniform(seed, draw + 1, 0.0, 1.0) < 0.7;
        double low = is_bounded ? size[i] * test_uniform(seed, draw + 2, -3.0, 0.0) : (double)-HUGE_VAL;
        double high = is_bounded ? size[i] * test_uniform(seed, draw + 3, 0.0, 3.0) : (double)HUGE_VAL;
        high = test_uniform(seed, draw + 4, 0.0, 1.0) < 0.1 && is_bounded ? low : high;
        double spread = test_uniform(seed, draw + 5, 0.0, 1.0) < 0.5 ? (double)HUGE_VAL : 2.0 * size[i];
        parameters[i] = parameter_of(size[i] * test_uniform(seed, draw + 6, -4.0, 4.0), low, high, spread);
    }
    for (int point = 0; point < COUNT; point++) {
        measured_db[point] = model.offset[point] = 100.0;
        measured_db[point] += 6.0 * test_normal(seed + 1, (uint64_t)point);
        for (int i = 0; i < N; i++) {
            double slope = test_uniform(seed + 2, (uint64_t)(point * N + i), -1.0, 1.0) * 10.0 / size[i];
            slope = seed % 3 == 0 && i == 4 ? model.slope[point * N] * size[0] / size[4] : slope; /* a column twice */
            slope = seed % 5 == 0 && i == 2 ? 0.0 : slope;                                        /* and an empty one */
            model.slope[point * N + i] = slope;
            measured_db[point] += slope * size[i] * test_uniform(seed + 3, (uint64_t)i, -4.0, 4.0);
        }
    }
    rcity_fit_constraint constraints[2] = {{2, {1, 3}, {1.0 / size[1], -1.0 / size[3]}, -0.5},
                                           {2, {1, 3}, {-1.0 / size[1], 1.0 / size[3]}, seed % 4 == 0 ? 0.5 : 0.0}};
    rcity_fit_problem problem = {.parameter_count = N,
                                 .parameters = parameters,
                                 .constraint_count = 2,
                                 .constraints = constraints,
                                 .point_count = COUNT,
                                 .measured_db = measured_db,
                                 .evaluate = fit_model_evaluate,
                                 .user = &model};
    rcity_fit_solution solution;
    rcity_status status = rcity_fit_solve(context, &problem, &solution);
    double least = parameters[1].low / size[1] - parameters[3].high / size[3];
    double most = parameters[1].high / size[1] - parameters[3].low / size[3];
    bool has_room = most >= -0.5 && least <= -constraints[1].least;
    assert_int_equal(status == RCITY_OK, has_room);
    if (!has_room) {
        assert_message(context, "constraints");
        fit_model_free(&model);
        return;
    }
    assert_ok(context, status);
    double x[N], near[N];
    for (int i = 0; i < N; i++) {
        const rcity_fit_number *number = &solution.numbers[i];
        x[i] = number->value;
        bool is_held = number->is_at_bound;
        if (!(isfinite(number->value) && number->low <= number->value && number->value <= number->high &&
              number->standard_error >= 0.0 && (!is_held || number->standard_error == 0.0))) {
            print_error("seed %u: number %d is %g in [%g, %g], error %g\n", (unsigned)seed, i, number->value,
                        number->low, number->high, number->standard_error);
            fail();
        }
    }
    if (!odd_allows(&problem, x) || !solution.has_converged) {
        print_error("seed %u: not allowed, or not converged\n", (unsigned)seed);
        fail();
    }
    double cost = odd_cost(&problem, &model, x, solution.scale_db);
    for (int trial = 0; trial < 2000; trial++) {
        for (int i = 0; i < N; i++) {
            double step = test_uniform(seed + 4, (uint64_t)(trial * N + i), -1.0, 1.0) * size[i];
            near[i] = x[i] + step * pow(10.0, -1.0 - trial % 5);
            near[i] = trial % 7 == i ? x[i] : fmin(fmax(near[i], parameters[i].low), parameters[i].high);
        }
        if (odd_allows(&problem, near) &&
            odd_cost(&problem, &model, near, solution.scale_db) < cost - 1e-5 * (1.0 + cost)) {
            print_error("seed %u: cost %.10g, a neighbour has %.10g\n", (unsigned)seed, cost,
                        odd_cost(&problem, &model, near, solution.scale_db));
            fail();
        }
    }
    fit_model_free(&model);
}

static void test_odd_problems(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    for (uint64_t seed = 1; seed <= 200; seed++) {
        check_odd(context, seed);
    }
    rcity_context_destroy(&context);
}

TEST_SUITE(fit_solve)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_straight_against_oracle),
        cmocka_unit_test(test_odd_problems),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

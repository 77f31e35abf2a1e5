/* The design effect (L. Kish, Survey Sampling, 1965): by how much the variance of an estimate is larger than it would
   be if all points were independent. A log likelihood of correlated points that is divided by it weighs as much as their
   information (F. Pauli, W. Racugno, L. Ventura, Statistica Sinica 21, 2011), so that what was known before keeps its
   weight beside ten thousand points of three transmitters. */
#include "fit/fit_widening.h"

#include "fit/fit_matrix.h"

/* A bound nearer than this, in units, holds a parameter. */
#define TOUCH 1e-6

/* A smaller ratio of variances is an accident of few clusters. */
#define RATIO_MIN 1e-2

typedef struct clusters {
    const int32_t *of; /* of each point */
    int32_t count;
    double *pulls;   /* count x n: the slope of the cost of each */
    bool *has_point; /* count */
} clusters;

/* Does the parameter move with the points? */
static bool is_free(const rcity_fit_work *work, int i)
{
    const rcity_fit_parameter *parameter = &work->problem->parameters[i];
    double value = work->now->parameters[i];
    double room = fmin(value - parameter->low, parameter->high - value);
    return room > TOUCH * work->unit[i] && work->sums.matrix[i * work->n + i] > 0.0;
}

/* Is it a coefficient, of which something was known before, and not what belongs to one group? */
static bool is_common(const rcity_fit_work *work, int i)
{
    return isfinite(work->problem->parameters[i].spread) && !work->problem->parameters[i].is_effect;
}

static void sum_pulls(const rcity_fit_work *work, rcity_fit_loss loss, double scale_db, clusters *of)
{
    int n = work->n;
    for (int64_t k = 0; k < work->used_count; k++) {
        int64_t point = work->used[k];
        double error_db = rcity_fit_error_db(work, work->now, point);
        double pull_db = error_db * rcity_fit_weight(loss, error_db, scale_db);
        double *pulls = of->pulls + (size_t)of->of[point] * (size_t)n;
        of->has_point[of->of[point]] = true;
        for (int i = 0; i < n; i++) {
            pulls[i] += pull_db * work->now->slopes[point * n + i] * work->unit[i];
        }
    }
}

/* Add the square of what each cluster moves each parameter by; `factor` is that of the cost's second derivatives. The
   prior's part of the balance is shared by all clusters. @return their number. */
static int add_moves(const rcity_fit_work *work, const double *factor, const clusters *of, double *squares)
{
    int n = work->n;
    int count = 0;
    double mean[RCITY_FIT_PARAMETER_MAX] = {0.0};
    double move[RCITY_FIT_PARAMETER_MAX];
    for (int32_t c = 0; c < of->count; c++) {
        count += of->has_point[c];
        for (int i = 0; i < n; i++) {
            mean[i] += of->pulls[c * n + i];
        }
    }
    for (int32_t c = 0; c < of->count; c++) {
        for (int i = 0; i < n; i++) {
            bool is_shared = is_common(work, i);
            move[i] = is_free(work, i) ? of->pulls[c * n + i] - (is_shared ? mean[i] / count : 0.0) : 0.0;
        }
        rcity_fit_solve_factor(n, factor, move);
        for (int i = 0; of->has_point[c] && i < n; i++) {
            squares[i] += move[i] * move[i];
        }
    }
    return count;
}

/* The variance of a parameter by independent points, each with a pull of 1; `row` is its row of the inverse. */
static double sum_of_points(const rcity_fit_work *work, const double *row)
{
    int n = work->n;
    double sum = 0.0;
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < n; k++) {
            sum += is_free(work, i) && is_free(work, k) ? row[i] * work->sums.matrix[i * n + k] * row[k] : 0.0;
        }
    }
    return sum;
}

/* The geometric mean of the ratios of variances; `factor` is scratch of n x n, `inverse` too. */
static double compare(rcity_fit_work *work, double pull_db2, const clusters *of, double *factor, double *inverse)
{
    int n = work->n;
    double squares[RCITY_FIT_PARAMETER_MAX] = {0.0};
    int common_count = 0;
    double sum = 0.0;
    for (int row = 0; row < n; row++) {
        for (int column = 0; column < n; column++) {
            bool is_in = is_free(work, row) && is_free(work, column);
            factor[row * n + column] = row == column && !is_in ? 1.0
                                       : is_in                 ? work->sums.matrix[row * n + column]
                                                               : 0.0;
        }
        factor[row * n + row] += pull_db2 * work->prior[row];
    }
    if (!rcity_fit_cholesky(n, factor)) {
        return 1.0; /* the points do not determine the parameters */
    }
    rcity_fit_invert_factor(n, factor, inverse);
    int count = add_moves(work, factor, of, squares);
    for (int i = 0; i < n; i++) {
        if (is_free(work, i) && is_common(work, i)) {
            common_count++;
            sum += log(fmax(squares[i] / (pull_db2 * sum_of_points(work, inverse + i * n)), RATIO_MIN));
        }
    }
    return common_count > 0 && count > 1 ? exp(sum / common_count) * count / (count - 1.0) : 1.0;
}

/* The same for one way of putting points together; none is without clusters. */
static rcity_status find_one(rcity_fit_work *work, rcity_fit_loss loss, double scale_db, const int32_t *of,
                             int32_t count, double *widening)
{
    rcity_context *context = work->context;
    size_t n = (size_t)work->n;
    clusters made = {.of = of, .count = count};
    double *matrices = NULL;
    rcity_status status;
    *widening = 1.0;
    RCITY_TRY_DONE(rcity_alloc(context, (size_t)count * n, sizeof *made.pulls, "errors by block", &made.pulls));
    RCITY_TRY_DONE(rcity_alloc(context, (size_t)count, sizeof *made.has_point, "errors by block", &made.has_point));
    RCITY_TRY_DONE(rcity_alloc(context, 2 * n * n, sizeof *matrices, "errors by block", &matrices));
    sum_pulls(work, loss, scale_db, &made);
    double pull_db2 = work->sums.slope_square_sum / (double)work->used_count;
    *widening = pull_db2 > 0.0 ? compare(work, pull_db2, &made, matrices, matrices + n * n) : 1.0;
done:
    rcity_release(context, matrices);
    rcity_release(context, made.has_point);
    rcity_release(context, made.pulls);
    return status;
}

rcity_status rcity_fit_find_widening(rcity_fit_work *work, rcity_fit_loss loss, double scale_db, double *widening)
{
    const rcity_fit_problem *problem = work->problem;
    double by_block = 1.0;
    double by_group = 1.0;
    rcity_fit_sum(work, work->now, loss, scale_db, false);
    if (problem->block != NULL && problem->block_count >= RCITY_FIT_BLOCKS_MIN) {
        RCITY_TRY(find_one(work, loss, scale_db, problem->block, problem->block_count, &by_block));
    }
    if (problem->group != NULL && problem->group_count >= RCITY_FIT_GROUPS_MIN) {
        RCITY_TRY(find_one(work, loss, scale_db, problem->group, problem->group_count, &by_group));
    }
    *widening = fmax(1.0, fmax(by_block, by_group));
    return RCITY_OK;
}

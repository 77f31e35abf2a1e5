/* Rounds of a fit. In each round the model is linear in its parameters, with the paths that are strongest now; the
   costs become weighted squares, and NLopt finds their minimum within bounds and constraints. A step that does not
   lower the true cost, because other paths become the strongest along it, is halved. */
#include "fit/fit_rounds.h"

#include <string.h>

#include "fit/fit_matrix.h"
#include "fit/fit_quadratic.h"

#define ROUND_MAX   60
#define HALVING_MAX 10

/* After this many rounds the scale may only decrease. Otherwise the choice of paths and the scale could alternate for
   ever. */
#define FREE_SCALE_ROUNDS 10

/* Share of a diagonal element that is added to it, so that parameters that the points do not determine stay where they
   are and the factorisation succeeds. It pulls towards the current parameters, so it does not bias the result. */
#define DAMPING 1e-7

/* At a kink there may be no step that lowers the cost, whatever decrease a round predicts. The fit counts as converged
   there when the predicted decrease is below this share of scale^2: half a standard error. */
#define STUCK_SHARE 0.125

/* Near kinks rounds may predict decreases that never occur: an actual decrease that is below this share of the
   predicted one, and small in itself, ends them. */
#define KEPT_SHARE 0.1

/* Relative change of the scale that requires another round. */
#define SCALE_SHARE 5e-3

typedef struct bounds {
    double low[RCITY_FIT_PARAMETER_MAX], high[RCITY_FIT_PARAMETER_MAX]; /* of a step, in units */
} bounds;

static void find_bounds(const rcity_fit_work *work, const double *parameters, bounds *made)
{
    for (int i = 0; i < work->n; i++) {
        const rcity_fit_parameter *parameter = &work->problem->parameters[i];
        made->low[i] = (parameter->low - parameters[i]) / work->unit[i];
        made->high[i] = (parameter->high - parameters[i]) / work->unit[i];
    }
}

/* Constraints of a step: what remains of them at these parameters; `least` has room for each. */
static void find_least(const rcity_fit_work *work, const double *parameters, double *least)
{
    for (int row = 0; row < work->problem->constraint_count; row++) {
        least[row] = work->rows_least[row];
        for (int i = 0; i < work->n; i++) {
            least[row] -= work->rows[row * work->n + i] * parameters[i] / work->unit[i];
        }
    }
}

/* A fraction of a step; at the full step exactly the bound, without rounding. */
static void take_step(const rcity_fit_work *work, const bounds *limits, const double *step, double share,
                      const double *from, double *to)
{
    for (int i = 0; i < work->n; i++) {
        const rcity_fit_parameter *parameter = &work->problem->parameters[i];
        double value = from[i] + share * step[i] * work->unit[i];
        bool is_whole = share == 1.0;
        to[i] = is_whole && step[i] == limits->low[i]    ? parameter->low
                : is_whole && step[i] == limits->high[i] ? parameter->high
                                                         : fmin(fmax(value, parameter->low), parameter->high);
    }
}

rcity_status rcity_fit_make_feasible(rcity_fit_work *work, double *parameters)
{
    int n = work->n;
    const double none[RCITY_FIT_PARAMETER_MAX] = {0.0};
    double step[RCITY_FIT_PARAMETER_MAX];
    bounds limits;
    find_bounds(work, parameters, &limits);
    find_least(work, parameters, work->least);
    memset(work->matrix, 0, sizeof *work->matrix * (size_t)n * (size_t)n);
    for (int i = 0; i < n; i++) {
        work->matrix[i * n + i] = 1.0;
    }
    rcity_fit_quadratic nearest = {
        n, work->matrix, none, limits.low, limits.high, work->problem->constraint_count, work->rows, work->least};
    rcity_status status = rcity_fit_quadratic_solve(work->context, &nearest, work->scratch, step);
    RCITY_CHECK(work->context, status != RCITY_ERR_ARGUMENT, RCITY_ERR_ARGUMENT,
                "no values of the %d numbers to fit meet their bounds and the %d constraints between them", n,
                work->problem->constraint_count);
    RCITY_TRY(status);
    take_step(work, &limits, step, 1.0, parameters, parameters);
    return RCITY_OK;
}

/* The quadratic of a round: sums, prior, damping. Its matrix is work->matrix, its vector `pull`. */
static void set_quadratic(rcity_fit_work *work, double scale_db, double *pull)
{
    int n = work->n;
    memcpy(work->matrix, work->sums.matrix, sizeof *work->matrix * (size_t)n * (size_t)n);
    for (int i = 0; i < n; i++) {
        double prior = rcity_fit_prior_weight_db2(work, scale_db) * work->prior[i];
        double *diagonal = &work->matrix[i * n + i];
        *diagonal += prior;
        *diagonal = *diagonal > 0.0 ? *diagonal * (1.0 + DAMPING) : 1.0;
        pull[i] = work->sums.vector[i] - prior * rcity_fit_away(work, work->now->parameters, i);
    }
}

/* The decrease of the cost along a step if the model were linear. */
static double promised_fall(const rcity_fit_work *work, const double *pull, const double *step)
{
    double fall = 0.0;
    for (int row = 0; row < work->n; row++) {
        double product = 0.0;
        for (int column = 0; column < work->n; column++) {
            product += work->matrix[row * work->n + column] * step[column];
        }
        fall += step[row] * (pull[row] - 0.5 * product);
    }
    return fall;
}

/* Number of parameters that the points determine, the others coming from the prior: the trace of (A + P)^-1 A. */
static double count_told(rcity_fit_work *work)
{
    int n = work->n;
    double told = 0.0;
    double column[RCITY_FIT_PARAMETER_MAX];
    if (!rcity_fit_cholesky(n, work->matrix)) {
        return n;
    }
    for (int i = 0; i < n; i++) {
        memcpy(column, work->sums.matrix + i * n, sizeof *column * (size_t)n);
        rcity_fit_solve_factor(n, work->matrix, column);
        bool may_move = work->problem->parameters[i].low < work->problem->parameters[i].high;
        told += may_move ? column[i] : 0.0;
    }
    return told;
}

/* Halve the step until the cost decreases, and move there. @return the decrease. */
static double walk(rcity_fit_work *work, const rcity_fit_descent *descent, const bounds *limits, const double *step)
{
    double cost_db2 = rcity_fit_total_cost(work, work->now, descent->loss, descent->scale_db);
    double share = 1.0;
    for (int halving = 0; halving <= HALVING_MAX; halving++, share *= 0.5) {
        take_step(work, limits, step, share, work->now->parameters, work->next->parameters);
        rcity_fit_work_evaluate(work, work->next);
        double fall_db2 = cost_db2 - rcity_fit_total_cost(work, work->next, descent->loss, descent->scale_db);
        if (fall_db2 > 0.0) {
            rcity_fit_place *before = work->now;
            work->now = work->next;
            work->next = before;
            return fall_db2;
        }
    }
    return 0.0;
}

/* Slopes that are NAN give no step: `is_found` is false and the step is 0. */
static rcity_status find_step(rcity_fit_work *work, const double *pull, bounds *limits, double *step, bool *is_found)
{
    find_bounds(work, work->now->parameters, limits);
    find_least(work, work->now->parameters, work->least);
    rcity_fit_quadratic quadratic = {work->n,     work->matrix, pull,
                                     limits->low, limits->high, work->problem->constraint_count,
                                     work->rows,  work->least};
    rcity_status status = rcity_fit_quadratic_solve(work->context, &quadratic, work->scratch, step);
    *is_found = status != RCITY_ERR_ARGUMENT;
    if (!*is_found) {
        memset(step, 0, sizeof *step * (size_t)work->n);
        status = RCITY_OK;
    }
    return status;
}

rcity_status rcity_fit_descend(rcity_fit_work *work, double fraction, rcity_fit_descent *descent)
{
    double step[RCITY_FIT_PARAMETER_MAX];
    double pull[RCITY_FIT_PARAMETER_MAX];
    bounds limits;
    double told_count = 0.0;
    descent->has_converged = false;
    for (int round = 0; round < ROUND_MAX; round++) {
        RCITY_TRY(rcity_progress(work->context, "fit", work->progress.first + fraction, work->progress.total));
        bool scale_has_converged = true;
        if (!descent->scale_is_fixed) {
            double scale_db = rcity_fit_work_scale(work, work->now, descent->loss, told_count);
            if (round > FREE_SCALE_ROUNDS) {
                scale_db = fmin(scale_db, descent->scale_db);
            }
            scale_has_converged = round > 1 && fabs(scale_db - descent->scale_db) <= SCALE_SHARE * scale_db;
            descent->scale_db = scale_db;
        }
        descent->round_count++;
        bool is_found = false;
        rcity_fit_sum(work, work->now, descent->loss, descent->scale_db, false);
        set_quadratic(work, descent->scale_db, pull);
        RCITY_TRY(find_step(work, pull, &limits, step, &is_found));
        double scale_db2 = descent->scale_db * descent->scale_db;
        double promise = promised_fall(work, pull, step) / scale_db2;
        told_count = count_told(work);
        if (!(promise > descent->converged_share) && scale_has_converged) {
            descent->has_converged = is_found && promise > -STUCK_SHARE; /* rounding can make it negative */
            return RCITY_OK;
        }
        double fall = walk(work, descent, &limits, step) / scale_db2;
        bool is_stuck = fall <= KEPT_SHARE * promise && fall <= descent->stuck_share;
        if (is_stuck && scale_has_converged) {
            descent->has_converged = promise <= STUCK_SHARE;
            return RCITY_OK;
        }
    }
    return RCITY_OK;
}

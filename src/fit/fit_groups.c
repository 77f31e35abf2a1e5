/* Intervals from groups of points whose errors have something in common, such as all points of one transmitter: how
   far the fits that leave one group out lie apart. This is the jackknife (R. G. Miller, Biometrika 61, 1974), which for
   a linear model is the cluster-robust variance CR3 (R. M. Bell and D. F. McCaffrey, Survey Methodology 28, 2002). It
   goes through the whole fit, so that it also sees where other paths become the strongest and where bounds hold. */
#include <assert.h>

#include "fit/fit_robust.h"
#include "fit/fit_solve.h"

#define NORMAL_95 1.959963984540054

/* Standard error of a parameter from the fits that see it: sqrt((m - 1) / m sum (p_g - p)^2) of m fits. Deviations count
   from the whole fit, not from the mean of the others, which is the larger of the two. */
static double find_error(int fold_count, const rcity_fit_fold *folds, int i, double value, int *seen_count)
{
    double squares = 0.0;
    *seen_count = 0;
    for (int g = 0; g < fold_count; g++) {
        if (folds[g].is_fitted && folds[g].is_seen[i]) {
            double away = folds[g].parameters[i] - value;
            squares += away * away;
            (*seen_count)++;
        }
    }
    return *seen_count > 1 ? sqrt((*seen_count - 1.0) / *seen_count * squares) : 0.0;
}

/* What a parameter is known by without the points: its prior, or a uniform distribution over its range. */
static double find_reference(const rcity_fit_parameter *parameter)
{
    return isfinite(parameter->spread) ? parameter->spread : (parameter->high - parameter->low) / sqrt(12.0);
}

static void widen(const rcity_fit_parameter *parameter, double error, double half, rcity_fit_number *number)
{
    double known = NORMAL_95 * parameter->spread + fabs(number->value - parameter->start); /* as in fit_confidence.c */
    half = fmin(half, known);
    error = fmin(error, known / NORMAL_95);
    number->low = fmin(number->low, fmax(number->value - half, parameter->low));
    number->high = fmax(number->high, fmin(number->value + half, parameter->high));
    number->standard_error = number->is_at_bound ? 0.0 : fmax(number->standard_error, error);
    number->is_known = number->is_known && error < RCITY_FIT_KNOWN_SHARE * find_reference(parameter);
}

rcity_status rcity_fit_groups(rcity_context *context, const rcity_fit_problem *problem, double *predicted_db,
                              rcity_fit_solution *solution, int *fitted_count)
{
    int group_count = problem->group_count;
    assert(problem->group != NULL && group_count > 0 && group_count <= RCITY_FIT_GROUP_MAX);
    rcity_fit_fold *folds = NULL;
    rcity_status status;
    int count = 0;
    RCITY_TRY_DONE(rcity_alloc(context, (size_t)group_count, sizeof *folds, "fits without a group", &folds));
    RCITY_TRY_DONE(rcity_fit_cross(context, problem, group_count, problem->group, predicted_db, folds));
    for (int g = 0; g < group_count; g++) {
        count += folds[g].is_fitted;
    }
    for (int i = 0; i < problem->parameter_count && count > 1; i++) {
        const rcity_fit_parameter *parameter = &problem->parameters[i];
        int seen_count = 0;
        double error = find_error(group_count, folds, i, solution->numbers[i].value, &seen_count);
        if (seen_count > 1 && parameter->low < parameter->high) {
            double freedom = fmin(seen_count - 1.0, solution->numbers[i].group_freedom);
            widen(parameter, error, rcity_fit_student_95(freedom) * error, &solution->numbers[i]);
        }
    }
    *fitted_count = count;
done:
    rcity_release(context, folds);
    return status;
}

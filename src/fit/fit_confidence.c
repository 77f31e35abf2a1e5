/* Confidence intervals of fitted parameters, also at bounds and constraints. */
#include "fit/fit_confidence.h"

#include <string.h>

#include "fit/fit_variance.h"

/* A bound or constraint nearer than this, in units, is active. */
#define TOUCH 1e-6

/* With fewer degrees of freedom the errors do not determine their scale. */
#define FREEDOM_MIN 2.0

/* Without bounds and without prior knowledge a parameter is known when its standard error is below this multiple of
   what it would be if it were fitted alone. */
#define ALONE_MAX 1e3

#define NORMAL_95 1.959963984540054

static bool is_low(const rcity_fit_work *work, int i)
{
    return work->now->parameters[i] - work->problem->parameters[i].low <= TOUCH * work->unit[i];
}

static bool is_high(const rcity_fit_work *work, int i)
{
    return work->problem->parameters[i].high - work->now->parameters[i] <= TOUCH * work->unit[i];
}

static bool holds(const rcity_fit_work *work, int row)
{
    double slack = -work->rows_least[row];
    double squares = 0.0;
    for (int i = 0; i < work->n; i++) {
        double factor = work->rows[row * work->n + i];
        slack += factor * work->now->parameters[i] / work->unit[i];
        squares += factor * factor;
    }
    return slack <= TOUCH * sqrt(squares);
}

/* Directions in which the parameters cannot move: the active bounds and constraints, without those of parameter `free`.
   @return their number. */
static int find_held(const rcity_fit_work *work, int free, double *rows)
{
    int n = work->n;
    int count = 0;
    for (int i = 0; i < n; i++) {
        bool is_fixed = work->problem->parameters[i].low == work->problem->parameters[i].high;
        if (is_fixed || (i != free && (is_low(work, i) || is_high(work, i)))) {
            memset(rows + count * n, 0, sizeof *rows * (size_t)n);
            rows[count++ * n + i] = 1.0;
        }
    }
    for (int row = 0; row < work->problem->constraint_count; row++) {
        bool is_of_free = free >= 0 && work->rows[row * n + free] != 0.0;
        if (!is_of_free && holds(work, row)) {
            memcpy(rows + count++ * n, work->rows + row * n, sizeof *rows * (size_t)n);
        }
    }
    return count;
}

/* Do the points determine a parameter, compared with its prior, with its range, or with a fit of it alone? */
static bool is_narrow(const rcity_fit_variance *variance, int i, double error)
{
    const rcity_fit_parameter *parameter = &variance->work->problem->parameters[i];
    double width = parameter->high - parameter->low;
    double alone = variance->even[i * variance->work->n + i];
    double reference = isfinite(parameter->spread) ? parameter->spread
                       : isfinite(width)           ? width / sqrt(12.0) /* standard deviation of a uniform
                                                                           distribution */
                       : alone > 0.0 ? ALONE_MAX * variance->work->unit[i] * variance->scale_db / sqrt(alone)
                                     : 0.0;
    return error < RCITY_FIT_KNOWN_SHARE * reference;
}

/* From a variance in units^2 to a parameter with its interval. */
static void describe(const rcity_fit_variance *variance, int i, double variance_units2, double half_units,
                     rcity_fit_number *number)
{
    const rcity_fit_work *work = variance->work;
    const rcity_fit_parameter *parameter = &work->problem->parameters[i];
    bool is_fixed = parameter->low == parameter->high;
    bool is_blind = variance->left_count < FREEDOM_MIN;
    double value = work->now->parameters[i];
    double error = is_fixed ? 0.0 : is_blind ? (double)HUGE_VAL : sqrt(variance_units2) * work->unit[i];
    /* the prior is a lower limit of what is known */
    double known = NORMAL_95 * parameter->spread + fabs(value - parameter->start);
    double half = is_fixed ? 0.0 : fmin(is_blind ? error : half_units * work->unit[i], known);
    error = fmin(error, known / NORMAL_95);
    bool at_low = is_low(work, i);
    bool at_high = is_high(work, i);
    number->value = value;
    number->low = at_low ? parameter->low : fmax(value - half, parameter->low);
    number->high = at_high ? parameter->high : fmin(value + half, parameter->high);
    number->is_at_bound = at_low || at_high;
    number->standard_error = number->is_at_bound ? 0.0 : error;
    number->is_known = !is_fixed && !is_blind && is_narrow(variance, i, error);
}

static rcity_status find_numbers(rcity_fit_work *work, const rcity_fit_descent *last, rcity_fit_block_kind kind,
                                 rcity_fit_number *numbers)
{
    rcity_fit_variance variance;
    int n = work->n;
    double *rows = NULL;
    double variances[RCITY_FIT_PARAMETER_MAX], halves[RCITY_FIT_PARAMETER_MAX];
    double freed[RCITY_FIT_PARAMETER_MAX], freed_halves[RCITY_FIT_PARAMETER_MAX];
    double freedoms[RCITY_FIT_PARAMETER_MAX];
    rcity_status status = RCITY_OK;
    RCITY_TRY_DONE(rcity_fit_variance_open(work, last, kind, &variance));
    RCITY_TRY_DONE(rcity_alloc(work->context, (size_t)(n + work->problem->constraint_count) * (size_t)n, sizeof *rows,
                               "what holds a fit", &rows));
    rcity_fit_variance_find(&variance, find_held(work, -1, rows), rows, variances, halves);
    memcpy(freedoms, variance.freedoms, sizeof *freedoms * (size_t)n);
    for (int i = 0; i < n; i++) {
        if (is_low(work, i) || is_high(work, i) || variances[i] == 0.0) { /* as if no bound were active */
            rcity_fit_variance_find(&variance, find_held(work, i, rows), rows, freed, freed_halves);
            variances[i] = freed[i];
            halves[i] = freed_halves[i];
            freedoms[i] = variance.freedoms[i];
        }
        describe(&variance, i, variances[i], halves[i], &numbers[i]);
        numbers[i].group_freedom = kind == RCITY_FIT_BY_GROUP && variance.is_by_block ? freedoms[i] : (double)HUGE_VAL;
    }
done:
    rcity_release(work->context, rows);
    rcity_fit_variance_close(&variance);
    return status;
}

rcity_status rcity_fit_find_confidence(rcity_fit_work *work, const rcity_fit_descent *last, rcity_fit_number *numbers)
{
    rcity_fit_number by_group[RCITY_FIT_PARAMETER_MAX];
    RCITY_TRY(find_numbers(work, last, RCITY_FIT_BY_BLOCK, numbers));
    if (work->problem->group == NULL) {
        return RCITY_OK;
    }
    RCITY_TRY(find_numbers(work, last, RCITY_FIT_BY_GROUP, by_group));
    for (int i = 0; i < work->n; i++) { /* the wider counts */
        numbers[i].low = fmin(numbers[i].low, by_group[i].low);
        numbers[i].high = fmax(numbers[i].high, by_group[i].high);
        numbers[i].standard_error = fmax(numbers[i].standard_error, by_group[i].standard_error);
        numbers[i].is_known = numbers[i].is_known && by_group[i].is_known;
        numbers[i].group_freedom = by_group[i].group_freedom;
    }
    return RCITY_OK;
}

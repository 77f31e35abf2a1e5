/* How well predicted values agree with measured ones. */
#include <math.h>

#include "base/base.h"
#include "base/order.h"
#include "radiocity/fit.h"

static bool is_pair(const double *measured_db, const double *predicted_db, int64_t i)
{
    return isfinite(measured_db[i]) && isfinite(predicted_db[i]);
}

/* Around their means, to avoid cancellation. */
static double correlate(int64_t count, const double *measured_db, const double *predicted_db, double measured_mean_db,
                        double predicted_mean_db)
{
    double both = 0.0;
    double measured = 0.0;
    double predicted = 0.0;
    for (int64_t i = 0; i < count; i++) {
        if (is_pair(measured_db, predicted_db, i)) {
            double a = measured_db[i] - measured_mean_db;
            double b = predicted_db[i] - predicted_mean_db;
            both += a * b;
            measured += a * a;
            predicted += b * b;
        }
    }
    /* the sum of a constant leaves rounding errors, which are no variation */
    const double tiny_db2 = 1e-12 * (double)count;
    return measured > tiny_db2 && predicted > tiny_db2 ? both / sqrt(measured * predicted) : (double)NAN;
}

rcity_status rcity_score_figures_make(rcity_context *context, int64_t count, const double *measured_db,
                                      const double *predicted_db, rcity_score_figures *figures)
{
    RCITY_NEED(context, context);
    RCITY_NEED(context, figures);
    RCITY_NEED_SOME(context, measured_db, count);
    RCITY_NEED_SOME(context, predicted_db, count);
    double *errors = NULL;
    RCITY_TRY(rcity_alloc(context, (size_t)count + 1, sizeof *errors, "errors of a score", &errors));
    const double none = (double)NAN;
    rcity_score_figures made = {.mean_db = none,
                                .rmse_db = none,
                                .standard_deviation_db = none,
                                .median_absolute_db = none,
                                .correlation = none};
    double measured_sum = 0.0;
    double predicted_sum = 0.0;
    for (int64_t i = 0; i < count; i++) {
        if (is_pair(measured_db, predicted_db, i)) {
            measured_sum += measured_db[i];
            predicted_sum += predicted_db[i];
            errors[made.count++] = measured_db[i] - predicted_db[i];
        }
    }
    if (made.count > 0) {
        double n = (double)made.count;
        made.mean_db = (measured_sum - predicted_sum) / n;
        double squares = 0.0;
        double around = 0.0;
        for (int64_t i = 0; i < made.count; i++) {
            squares += errors[i] * errors[i];
            around += (errors[i] - made.mean_db) * (errors[i] - made.mean_db);
            errors[i] = fabs(errors[i]);
        }
        made.rmse_db = sqrt(squares / n);
        made.standard_deviation_db = made.count > 1 ? sqrt(around / (n - 1.0)) : (double)NAN;
        made.median_absolute_db = rcity_median(errors, (size_t)made.count);
        made.correlation = correlate(count, measured_db, predicted_db, measured_sum / n, predicted_sum / n);
    }
    rcity_release(context, errors);
    *figures = made;
    return RCITY_OK;
}

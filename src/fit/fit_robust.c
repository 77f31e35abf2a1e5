/* The scale of errors, and the quantile for confidence intervals. */
#include "fit/fit_robust.h"

#include "base/order.h"

/* Standard deviation over median absolute value of a normal distribution. */
#define NORMAL_SCALE_OF_MEDIAN 1.482602218505602

double rcity_fit_scale(rcity_fit_loss loss, int64_t count, double *errors_db, double fitted_count)
{
    double n = (double)count;
    double left = n - fitted_count > 1.0 ? n - fitted_count : 1.0;
    double scale_db = 0.0;
    if (loss == RCITY_FIT_SQUARES) {
        double squares = 0.0;
        for (int64_t i = 0; i < count; i++) {
            squares += errors_db[i] * errors_db[i];
        }
        scale_db = sqrt(squares / left);
    } else {
        for (int64_t i = 0; i < count; i++) {
            errors_db[i] = fabs(errors_db[i]);
        }
        scale_db = NORMAL_SCALE_OF_MEDIAN * rcity_median(errors_db, (size_t)count) * sqrt(n / left);
    }
    return scale_db > RCITY_FIT_SCALE_MIN_DB ? scale_db : RCITY_FIT_SCALE_MIN_DB;
}

double rcity_fit_student_95(double degrees_of_freedom)
{
    /* From 4 on the expansion of Abramowitz and Stegun 26.7.5 is within 0.002; below, their table 26.10. */
    static const double few[] = {12.706, 4.303, 3.182, 2.776};
    double v = degrees_of_freedom > 1.0 ? degrees_of_freedom : 1.0;
    if (v < 4.0) {
        int below = (int)v;
        double part = (1.0 / v - 1.0 / (below + 1)) / (1.0 / below - 1.0 / (below + 1));
        return exp(part * log(few[below - 1]) + (1.0 - part) * log(few[below]));
    }
    const double x = 1.959963984540054;
    double x2 = x * x;
    double first = x * (x2 + 1.0) / 4.0;
    double second = x * ((5.0 * x2 + 16.0) * x2 + 3.0) / 96.0;
    double third = x * (((3.0 * x2 + 19.0) * x2 + 17.0) * x2 - 15.0) / 384.0;
    double fourth = x * ((((79.0 * x2 + 776.0) * x2 + 1482.0) * x2 - 1920.0) * x2 - 945.0) / 92160.0;
    return x + (first + (second + (third + fourth / v) / v) / v) / v;
}

/* Cost functions of errors: squares, Huber's loss, Tukey's biweight; and the scale of errors. */
#ifndef RCITY_FIT_ROBUST_H
#define RCITY_FIT_ROBUST_H

#include <math.h>
#include <stdint.h>

/* Huber's loses 5 % of the information in normal errors, the biweight 10 % (Huber 1981, Beaton and Tukey 1974). The
   usual 4.685 of the biweight loses 5 %, but lets outliers of 30 dB beside errors of 6 dB pull a constant by 0.06 dB, a
   whole standard error of ten thousand points. */
#define RCITY_FIT_HUBER_SCALES    1.345
#define RCITY_FIT_BIWEIGHT_SCALES 3.883

/* Lower limit of the scale of errors: no receiver is more precise. */
#define RCITY_FIT_SCALE_MIN_DB 0.01

typedef enum rcity_fit_loss {
    RCITY_FIT_SQUARES,
    RCITY_FIT_HUBER,
    RCITY_FIT_BIWEIGHT,
} rcity_fit_loss;

/* Cost of an error, in dB^2: half its square where it is small. */
static inline double rcity_fit_cost(rcity_fit_loss loss, double error_db, double scale_db)
{
    double size = fabs(error_db);
    if (loss == RCITY_FIT_HUBER && size > RCITY_FIT_HUBER_SCALES * scale_db) {
        double knee = RCITY_FIT_HUBER_SCALES * scale_db;
        return knee * (size - 0.5 * knee);
    }
    if (loss == RCITY_FIT_BIWEIGHT) {
        double edge = RCITY_FIT_BIWEIGHT_SCALES * scale_db;
        double rest = 1.0 - (error_db / edge) * (error_db / edge);
        return edge * edge / 6.0 * (size > edge ? 1.0 : 1.0 - rest * rest * rest);
    }
    return 0.5 * error_db * error_db;
}

/* The first derivative of the cost is weight times error, the second is the curvature. */
static inline double rcity_fit_weight(rcity_fit_loss loss, double error_db, double scale_db)
{
    double size = fabs(error_db);
    if (loss == RCITY_FIT_HUBER) {
        return size > RCITY_FIT_HUBER_SCALES * scale_db ? RCITY_FIT_HUBER_SCALES * scale_db / size : 1.0;
    }
    if (loss == RCITY_FIT_BIWEIGHT) {
        double share = error_db / (RCITY_FIT_BIWEIGHT_SCALES * scale_db);
        double rest = 1.0 - share * share;
        return rest > 0.0 ? rest * rest : 0.0;
    }
    return 1.0;
}

static inline double rcity_fit_curvature(rcity_fit_loss loss, double error_db, double scale_db)
{
    if (loss == RCITY_FIT_HUBER) {
        return fabs(error_db) > RCITY_FIT_HUBER_SCALES * scale_db ? 0.0 : 1.0;
    }
    if (loss == RCITY_FIT_BIWEIGHT) {
        double share = error_db / (RCITY_FIT_BIWEIGHT_SCALES * scale_db);
        double rest = 1.0 - share * share;
        return rest > 0.0 ? rest * (1.0 - 5.0 * share * share) : 0.0;
    }
    return 1.0;
}

/* Standard deviation of errors around 0: from the median of their absolute values, which is robust to outliers, or from
   their squares when the cost is squares. Corrected for the `fitted_count` parameters that were fitted to them. The
   errors are reordered. */
double rcity_fit_scale(rcity_fit_loss loss, int64_t count, double *errors_db, double fitted_count);

/* Two-sided 95 % quantile of Student's distribution; also for fractional degrees of freedom. At least 1. */
double rcity_fit_student_95(double degrees_of_freedom);

#endif

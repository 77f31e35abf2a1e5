/* Simple models that any other should beat: a constant, free space plus an offset, a straight line over the logarithm
   of the distance. Fitted by least squares, in closed form. */
#ifndef RCITY_FIT_SCORE_BASELINES_H
#define RCITY_FIT_SCORE_BASELINES_H

#include <stdint.h>

#include "result/coefficients.h"

#define RCITY_BASELINE_DISTANCE_MIN_M 1.0 /* shorter distances are replaced by this before the logarithm */

typedef enum rcity_baseline {
    RCITY_BASELINE_CONSTANT,
    RCITY_BASELINE_OFFSET,
    RCITY_BASELINE_LOG_DISTANCE,
    RCITY_BASELINE_COUNT
} rcity_baseline;

/* "constant", "free space + offset", "log-distance". Static. */
const char *rcity_baseline_name(rcity_baseline baseline);

/* Fit all three to points; points with a value that is not finite are ignored, and the results are NAN when none is
   left. Distances are in space. If all are equal, the slope of the logarithm is 0. */
void rcity_baselines_fit(int64_t count, const double *measured_db, const double *free_space_db,
                         const double *distance_m, rcity_baseline_fit *fit);

/* The value of a fitted model at a point. */
double rcity_baseline_value_db(const rcity_baseline_fit *fit, rcity_baseline baseline, double free_space_db,
                               double distance_m);

#endif

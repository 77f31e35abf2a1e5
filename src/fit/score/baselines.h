/* Models so plain that any other must beat them: a constant, free space and an offset, a straight line over the logarithm
   of the distance. Fitted by least squares, in closed form. */
#ifndef RCITY_FIT_SCORE_BASELINES_H
#define RCITY_FIT_SCORE_BASELINES_H

#include <stdint.h>

#include "result/coefficients.h"

#define RCITY_BASELINE_DISTANCE_MIN_M 1.0 /* nearer receivers count as this far, where a logarithm is taken */

typedef enum rcity_baseline {
    RCITY_BASELINE_CONSTANT,
    RCITY_BASELINE_OFFSET,
    RCITY_BASELINE_LOG_DISTANCE,
    RCITY_BASELINE_COUNT
} rcity_baseline;

/* "constant", "free space + offset", "log-distance". Static. */
const char *rcity_baseline_name(rcity_baseline baseline);

/* Fit all three to points; those with a value that is not finite do not count, all are NAN when none is left. Distances
   are in space. Where all are the same, the slope of the logarithm is 0. */
void rcity_baselines_fit(int64_t count, const double *measured_db, const double *free_space_db,
                         const double *distance_m, rcity_baseline_fit *fit);

/* What a fitted one says of a point. */
double rcity_baseline_value_db(const rcity_baseline_fit *fit, rcity_baseline baseline, double free_space_db,
                               double distance_m);

#endif

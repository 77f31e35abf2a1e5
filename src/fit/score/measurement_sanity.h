/* Sanity check: finds measurements that cannot determine coefficients before they are fitted. */
#ifndef RCITY_FIT_SCORE_MEASUREMENT_SANITY_H
#define RCITY_FIT_SCORE_MEASUREMENT_SANITY_H

#include "base/base.h"

/* Least number of points of a fit, and for each fitted parameter. */
#define RCITY_FIT_POINTS_MIN         30
#define RCITY_FIT_POINTS_EACH_NUMBER 5

/* Losses that differ less than this count as equal. */
#define RCITY_FIT_VARIATION_MIN_DB 0.1

/* Limits of the median of measured losses above free space; no city lies outside them. */
#define RCITY_FIT_EXCESS_MIN_DB (-10.0)
#define RCITY_FIT_EXCESS_MAX_DB 120.0

/* Correlation of the loss with the logarithm of the distance: below the first the loss grows towards the transmitter
   and the fit is refused, below the second there is a warning. Checked only for distances that vary by at least a
   third. */
#define RCITY_FIT_CORRELATION_REFUSED (-0.7)
#define RCITY_FIT_CORRELATION_DOUBTED (-0.3)
#define RCITY_FIT_LOG_DISTANCE_VARIES 0.125

/* A larger share of points without a predicted value gives a warning. */
#define RCITY_FIT_UNPREDICTED_MAX 0.2

typedef struct rcity_sanity_points {
    int64_t count;
    const double *measured_db;   /* losses */
    const double *predicted_db;  /* by the model before the fit; NAN: no value */
    const double *free_space_db; /* of the same points */
    const double *distance_m;    /* to their transmitters */
    int fitted_count;            /* parameters to be fitted */
    double offset_max_db;        /* limit of the offset for an unknown power; 0: the power is known */
} rcity_sanity_points;

#define RCITY_SANITY_WARNING_MAX   4
#define RCITY_SANITY_WARNING_BYTES 256

/* Warnings for the user. */
typedef struct rcity_sanity_warnings {
    int count;
    char sentences[RCITY_SANITY_WARNING_MAX][RCITY_SANITY_WARNING_BYTES];
} rcity_sanity_warnings;

/* Check measurements before a fit. Only points with finite values are used; those with a prediction are to be fitted.
   @return RCITY_ERR_ARGUMENT with the reason where no fit makes sense (`warnings` untouched), RCITY_ERR_MEMORY. */
rcity_status rcity_sanity_find(rcity_context *context, const rcity_sanity_points *points,
                               rcity_sanity_warnings *warnings);

#endif

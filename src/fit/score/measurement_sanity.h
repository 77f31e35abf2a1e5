/* Measurements that cannot tell coefficients: found before a fit makes confident numbers of them. */
#ifndef RCITY_FIT_SCORE_MEASUREMENT_SANITY_H
#define RCITY_FIT_SCORE_MEASUREMENT_SANITY_H

#include "base/base.h"

/* A fit takes this many points at least, and so many for each number fitted. */
#define RCITY_FIT_POINTS_MIN         30
#define RCITY_FIT_POINTS_EACH_NUMBER 5

/* Losses that differ less are all the same. */
#define RCITY_FIT_VARIATION_MIN_DB 0.1

/* The median of measured losses, above free space: no city is brighter or darker. */
#define RCITY_FIT_EXCESS_MIN_DB (-10.0)
#define RCITY_FIT_EXCESS_MAX_DB 120.0

/* Correlation of the loss with the logarithm of the distance: below the first it grows towards the transmitter and is
   refused, below the second doubted. Said of distances that vary by a third at least. */
#define RCITY_FIT_CORRELATION_REFUSED (-0.7)
#define RCITY_FIT_CORRELATION_DOUBTED (-0.3)
#define RCITY_FIT_LOG_DISTANCE_VARIES 0.125

/* Points without a predicted value: more than this share of them is doubted. */
#define RCITY_FIT_UNPREDICTED_MAX 0.2

typedef struct rcity_sanity_points {
    int64_t count;
    const double *measured_db;   /* losses */
    const double *predicted_db;  /* by the model before the fit; NAN: none */
    const double *free_space_db; /* of the same points */
    const double *distance_m;    /* to their transmitters */
    int fitted_count;            /* numbers that are to be fitted */
    double offset_max_db;        /* an unknown power may explain so much; 0: the power is known */
} rcity_sanity_points;

#define RCITY_SANITY_WARNING_MAX   4
#define RCITY_SANITY_WARNING_BYTES 256

/* Sentences of doubt, for the user. */
typedef struct rcity_sanity_warnings {
    int count;
    char sentences[RCITY_SANITY_WARNING_MAX][RCITY_SANITY_WARNING_BYTES];
} rcity_sanity_warnings;

/* Look at measurements before a fit. Only points with finite values count; those predicted are meant to be fitted.
   @return RCITY_ERR_ARGUMENT with the reason where no fit makes sense (`warnings` untouched), RCITY_ERR_MEMORY. */
rcity_status rcity_sanity_find(rcity_context *context, const rcity_sanity_points *points,
                               rcity_sanity_warnings *warnings);

#endif

/* The data of a fit: its points, the model's values and slopes at two places, and sums over them. Each parameter has a
   unit (its spread, if it has one), so that all have similar size: parameter = unit * number. */
#ifndef RCITY_FIT_WORK_H
#define RCITY_FIT_WORK_H

#include "base/base.h"
#include "fit/fit_robust.h"
#include "fit/fit_solve.h"

/* With fewer blocks the scatter of points is a better estimate. */
#define RCITY_FIT_BLOCKS_MIN 20

/* A place in parameter space: parameters, and the model's values and slopes there. */
typedef struct rcity_fit_place {
    double parameters[RCITY_FIT_PARAMETER_MAX];
    double *values_db, *slopes; /* of all points */
} rcity_fit_place;

/* Sums over points. */
typedef struct rcity_fit_sums {
    double *matrix; /* slopes times slopes times weight (or curvature), both halves */
    double *vector; /* slopes times weight times error: the negative gradient of the cost */
    double cost_db2;
    double weight_sum, curvature_sum, slope_square_sum; /* the last: of the cost's slope, (weight * error)^2 */
    int64_t lost_count;                                 /* points without weight */
} rcity_fit_sums;

/* Progress of a long task: this fit is one of `total`, after `first` others. */
typedef struct rcity_fit_progress {
    double first, total;
} rcity_fit_progress;

typedef struct rcity_fit_work {
    rcity_context *context;
    const rcity_fit_problem *problem;
    rcity_fit_progress progress;
    int n; /* parameters */
    double unit[RCITY_FIT_PARAMETER_MAX];
    double prior[RCITY_FIT_PARAMETER_MAX]; /* (unit / spread)^2; 0 without a prior */
    double widening;                       /* so many points count as one beside the prior; 1 at first */
    int64_t used_count;
    int64_t *used;               /* points that are used, ascending */
    rcity_fit_place *now, *next; /* current place; trial */
    rcity_fit_place places[2];
    rcity_fit_sums sums;
    double *rows, *rows_least; /* constraints by numbers: row . number >= least */
    double *least;             /* of a step's constraints */
    double *errors_db;         /* of the used points, for sorting */
    double *matrix;            /* n x n, scratch */
    double *scratch;           /* of the quadratic */
    double *partial;           /* sums of pieces */
    int64_t piece;             /* points in one; does not depend on the threads */
} rcity_fit_work;

/* Allocate memory and find the points to use, with the model at the start. @return RCITY_ERR_MEMORY, RCITY_ERR_ARGUMENT
   for fewer points than parameters. Release the work whatever it returns. */
rcity_status rcity_fit_work_open(rcity_context *context, const rcity_fit_problem *problem, rcity_fit_work *work);
void rcity_fit_work_close(rcity_fit_work *work);

/* Fill in the values and slopes of a place from its parameters. */
void rcity_fit_work_evaluate(rcity_fit_work *work, rcity_fit_place *place);

/* Measured minus modelled. */
static inline double rcity_fit_error_db(const rcity_fit_work *work, const rcity_fit_place *place, int64_t point)
{
    return work->problem->measured_db[point] - place->values_db[point];
}

/* Sums over the points at a place, without the prior; bit-identical for any number of threads. */
void rcity_fit_sum(rcity_fit_work *work, const rcity_fit_place *place, rcity_fit_loss loss, double scale_db,
                   bool by_curvature);

/* The cost of the parameters, with the prior; NAN when the model has lost a point. */
double rcity_fit_total_cost(rcity_fit_work *work, const rcity_fit_place *place, rcity_fit_loss loss, double scale_db);

/* Scale of the errors at a place. */
double rcity_fit_work_scale(rcity_fit_work *work, const rcity_fit_place *place, rcity_fit_loss loss,
                            double fitted_count);

/* Weight of the prior beside the cost of points, dB^2: the cost over this is a log likelihood. */
static inline double rcity_fit_prior_weight_db2(const rcity_fit_work *work, double scale_db)
{
    return scale_db * scale_db * work->widening;
}

/* Distance of a parameter from its prior, in units. */
static inline double rcity_fit_away(const rcity_fit_work *work, const double *parameters, int i)
{
    return (parameters[i] - work->problem->parameters[i].start) / work->unit[i];
}

#endif

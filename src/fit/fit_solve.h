/* Bounded, robust least squares: parameters of any model that says its values and their slopes. */
#ifndef RCITY_FIT_SOLVE_H
#define RCITY_FIT_SOLVE_H

#include "base/base.h"

#define RCITY_FIT_PARAMETER_MAX 64
#define RCITY_FIT_TERM_MAX      4

/* A number is known when its standard error is below this share of its spread. Of two numbers of which only the sum shows
   each keeps 0.71 of its spread: neither is known. */
#define RCITY_FIT_KNOWN_SHARE 0.7

/* A number to be found. */
typedef struct rcity_fit_parameter {
    const char *name; /* for messages; borrowed */
    double start;
    double low, high; /* it stays within */
    double spread; /* what is known beforehand: its value is `start` give or take this, one standard deviation; infinite
                      where nothing is */
} rcity_fit_parameter;

/* sum of factor times parameter is not below least. */
typedef struct rcity_fit_constraint {
    int term_count;
    int parameter[RCITY_FIT_TERM_MAX];
    double factor[RCITY_FIT_TERM_MAX];
    double least;
} rcity_fit_constraint;

/* The model's values for all points with given parameters, and slopes[point * parameter_count + parameter], the change of
   a value with a parameter; slopes is NULL where they are not wanted. Where the model has no value it is NAN, whatever the
   parameters, and such points do not count. Between kinks values are smooth in the parameters; at a kink, where another way
   becomes the strongest, the slopes are those of the way that is. */
typedef void (*rcity_fit_evaluate)(void *user, const double *parameters, double *values_db, double *slopes);

typedef struct rcity_fit_problem {
    int parameter_count;
    const rcity_fit_parameter *parameters;
    int constraint_count;
    const rcity_fit_constraint *constraints;
    int64_t point_count;
    const double *measured_db;
    const int32_t *block; /* pieces of route, 0 .. block_count - 1: errors within one may hang together;
                             NULL: all are independent */
    int32_t block_count;
    const bool *is_left_out; /* NULL: all points count */
    bool is_robust;
    const double *near; /* not NULL: go down from these parameters only, not from several starts: for a fit that is made
                           again and again, and has found its valley */
    rcity_fit_evaluate evaluate;
    void *user;
} rcity_fit_problem;

typedef struct rcity_fit_number {
    double value;
    double low, high;      /* 95 % confidence, within the bounds */
    double standard_error; /* 0 where it is held at a bound */
    bool is_at_bound;      /* low or high */
    bool is_known; /* the points narrow it to less than RCITY_FIT_KNOWN_SHARE of its spread (of a number that may be
                              anywhere in its range, where there is none) */
} rcity_fit_number;

typedef struct rcity_fit_solution {
    rcity_fit_number numbers[RCITY_FIT_PARAMETER_MAX];
    double scale_db; /* standard deviation of errors, from their median; not robust: from their squares */
    int64_t used_count;
    int64_t outlier_count; /* points that lost all their weight */
    int round_count;       /* of choosing ways and fitting */
    bool has_converged;
} rcity_fit_solution;

/* Find the parameters. The same problem gives the same bits whatever the number of threads.
   @return RCITY_ERR_UNSUPPORTED without NLopt, RCITY_ERR_ARGUMENT for fewer points than parameters, RCITY_ERR_CANCELLED,
   RCITY_ERR_MEMORY. */
rcity_status rcity_fit_solve(rcity_context *context, const rcity_fit_problem *problem, rcity_fit_solution *solution);

/* Predict each fold from the others: fold[point] is 0 .. fold_count - 1; predicted_db[point] is what the parameters that
   were fitted without its fold say, NAN where the model has no value. @return as rcity_fit_solve(). */
rcity_status rcity_fit_cross(rcity_context *context, const rcity_fit_problem *problem, int fold_count,
                             const int32_t *fold, double *predicted_db);

#endif

/* Bounded, robust least squares: parameters of any model that gives its values and their slopes. */
#ifndef RCITY_FIT_SOLVE_H
#define RCITY_FIT_SOLVE_H

#include "base/base.h"

#define RCITY_FIT_PARAMETER_MAX 64
#define RCITY_FIT_TERM_MAX      4

/* A parameter is known when its standard error is below this share of its spread. Two parameters of which only the sum
   is determined keep 0.71 of their spread each: neither is known. */
#define RCITY_FIT_KNOWN_SHARE 0.7

/* A parameter to be fitted. */
typedef struct rcity_fit_parameter {
    const char *name; /* for messages; borrowed */
    double start;
    double low, high; /* bounds */
    double spread;    /* prior knowledge: one standard deviation around `start`; infinite: none */
    bool is_effect; /* what is particular to one group, drawn for each with this spread: unknown where it is left out */
} rcity_fit_parameter;

/* The sum of factor times parameter is at least `least`. */
typedef struct rcity_fit_constraint {
    int term_count;
    int parameter[RCITY_FIT_TERM_MAX];
    double factor[RCITY_FIT_TERM_MAX];
    double least;
} rcity_fit_constraint;

/* The model's values for all points with given parameters, and slopes[point * parameter_count + parameter], the change
   of a value with a parameter; slopes is NULL if they are not needed. Where the model has no value it is NAN, whatever
   the parameters, and such points are ignored. Between kinks values are smooth in the parameters; at a kink, where
   another path becomes the strongest, the slopes are those of the strongest path. */
typedef void (*rcity_fit_evaluate)(void *user, const double *parameters, double *values_db, double *slopes);

typedef struct rcity_fit_problem {
    int parameter_count;
    const rcity_fit_parameter *parameters;
    int constraint_count;
    const rcity_fit_constraint *constraints;
    int64_t point_count;
    const double *measured_db;
    const int32_t *block; /* pieces of route, 0 .. block_count - 1: errors within one may be correlated; NULL: all are
                             independent */
    int32_t block_count;
    const int32_t *group; /* such as transmitters, 0 .. group_count - 1: errors of a whole group may have something in
                             common; NULL: they have not */
    int32_t group_count;
    const bool *is_left_out; /* NULL: all points count */
    bool is_robust;
    double widening;    /* so many points count as one beside what was known before; 0: found from the scatter of blocks
                           and groups */
    const double *near; /* not NULL: descend from these parameters only, not from several starts: for a fit that is
                           repeated and has found its minimum */
    rcity_fit_evaluate evaluate;
    void *user;
} rcity_fit_problem;

typedef struct rcity_fit_number {
    double value;
    double low, high;      /* 95 % confidence, within the bounds */
    double standard_error; /* 0 at an active bound */
    double group_freedom;  /* effective number of groups that determine it, minus one; infinite without groups */
    bool is_at_bound;      /* at the lower or the upper one */
    bool is_known; /* the points reduce its standard error below RCITY_FIT_KNOWN_SHARE of its spread, or of a uniform
                      distribution over its range where there is no spread */
} rcity_fit_number;

typedef struct rcity_fit_solution {
    rcity_fit_number numbers[RCITY_FIT_PARAMETER_MAX];
    double scale_db; /* standard deviation of errors, from their median absolute value; if not robust, from their
                        squares */
    double widening; /* errors within a block are correlated: so many points count as one; at least 1 */
    int64_t used_count;
    int64_t outlier_count; /* points that lost all their weight */
    int round_count;       /* rounds of choosing paths and fitting */
    bool has_converged;
} rcity_fit_solution;

/* Find the parameters. The same problem gives the same bits whatever the number of threads. @return
   RCITY_ERR_UNSUPPORTED without NLopt, RCITY_ERR_ARGUMENT for fewer points than parameters, RCITY_ERR_CANCELLED,
   RCITY_ERR_MEMORY. */
rcity_status rcity_fit_solve(rcity_context *context, const rcity_fit_problem *problem, rcity_fit_solution *solution);

/* A fit without one fold. */
typedef struct rcity_fit_fold {
    bool is_fitted; /* false: the fold has no point, or too few points are left without it */
    double parameters[RCITY_FIT_PARAMETER_MAX];
    bool is_seen[RCITY_FIT_PARAMETER_MAX]; /* by a point of the other folds, or known before */
} rcity_fit_fold;

/* Predict each fold by a fit to the others: fold[point] is 0 .. fold_count - 1; predicted_db[point] is the model's
   value with the parameters that were fitted without its fold, NAN where it has none. `folds` is NULL or has room for
   all; with it a fold that leaves too few points is not predicted, without it that is an error. @return as
   rcity_fit_solve(). */
rcity_status rcity_fit_cross(rcity_context *context, const rcity_fit_problem *problem, int fold_count,
                             const int32_t *fold, double *predicted_db, rcity_fit_fold *folds);

/* Fits that leave a group of points out are made for so many groups at most; more are joined. */
#define RCITY_FIT_GROUP_MAX 32

/* Fit without each of the problem's groups, predict it as rcity_fit_cross() does, and widen the intervals of the
   problem's solution to what these fits differ by (the jackknife); none becomes narrower. There are at most
   RCITY_FIT_GROUP_MAX groups. `fitted_count` is the number of those that could be left out; below 2 the solution stays
   as it was. @return as rcity_fit_solve(). */
rcity_status rcity_fit_groups(rcity_context *context, const rcity_fit_problem *problem, double *predicted_db,
                              rcity_fit_solution *solution, int *fitted_count);

#endif

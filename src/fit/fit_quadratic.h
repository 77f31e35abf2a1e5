/* The minimum of a quadratic within bounds and linear constraints. */
#ifndef RCITY_FIT_QUADRATIC_H
#define RCITY_FIT_QUADRATIC_H

#include "base/base.h"

/* Minimise x' matrix x / 2 - vector . x for low <= x <= high and row . x >= least. */
typedef struct rcity_fit_quadratic {
    int n;
    const double *matrix; /* positive definite, n x n */
    const double *vector;
    const double *low, *high; /* may be infinite; equal: the variable is fixed */
    int row_count;
    const double *rows; /* row_count x n */
    const double *least;
} rcity_fit_quadratic;

/* Doubles that rcity_fit_quadratic_solve() needs. */
size_t rcity_fit_quadratic_scratch(int n, int row_count);

/* Find x. Bounds hold exactly, constraints to rounding. @return RCITY_ERR_MEMORY; RCITY_ERR_ARGUMENT (no sentence)
   where nothing meets bounds and constraints, or the matrix is not positive definite. */
rcity_status rcity_fit_quadratic_solve(rcity_context *context, const rcity_fit_quadratic *quadratic, double *scratch,
                                       double *x);

#endif

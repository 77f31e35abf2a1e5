/* Small dense matrices, row after row: the operations that normal equations need. */
#ifndef RCITY_FIT_MATRIX_H
#define RCITY_FIT_MATRIX_H

#include <stdbool.h>

/* Replace a symmetric matrix by its lower Cholesky factor; the part above the diagonal is unchanged. @return false
   where it is not positive definite. */
bool rcity_fit_cholesky(int n, double *matrix);

/* Solve L x = b and L' x = b in place. */
void rcity_fit_solve_lower(int n, const double *factor, double *vector);
void rcity_fit_solve_upper(int n, const double *factor, double *vector);

/* Solve L L' x = b in place. */
void rcity_fit_solve_factor(int n, const double *factor, double *vector);

/* The inverse of L L'; `inverse` is n x n. */
void rcity_fit_invert_factor(int n, const double *factor, double *inverse);

#endif

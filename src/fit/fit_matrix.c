/* The Cholesky factor, and solving with it. */
#include "fit/fit_matrix.h"

#include <math.h>
#include <string.h>

bool rcity_fit_cholesky(int n, double *matrix)
{
    for (int row = 0; row < n; row++) {
        for (int column = 0; column <= row; column++) {
            double sum = matrix[row * n + column];
            for (int k = 0; k < column; k++) {
                sum -= matrix[row * n + k] * matrix[column * n + k];
            }
            if (column < row) {
                matrix[row * n + column] = sum / matrix[column * n + column];
            } else if (sum > 0.0 && isfinite(sum)) {
                matrix[row * n + row] = sqrt(sum);
            } else {
                return false;
            }
        }
    }
    return true;
}

void rcity_fit_solve_lower(int n, const double *factor, double *vector)
{
    for (int row = 0; row < n; row++) {
        for (int k = 0; k < row; k++) {
            vector[row] -= factor[row * n + k] * vector[k];
        }
        vector[row] /= factor[row * n + row];
    }
}

void rcity_fit_solve_upper(int n, const double *factor, double *vector)
{
    for (int row = n - 1; row >= 0; row--) {
        for (int k = row + 1; k < n; k++) {
            vector[row] -= factor[k * n + row] * vector[k];
        }
        vector[row] /= factor[row * n + row];
    }
}

void rcity_fit_solve_factor(int n, const double *factor, double *vector)
{
    rcity_fit_solve_lower(n, factor, vector);
    rcity_fit_solve_upper(n, factor, vector);
}

void rcity_fit_invert_factor(int n, const double *factor, double *inverse)
{
    memset(inverse, 0, sizeof *inverse * (size_t)n * (size_t)n);
    for (int row = 0; row < n; row++) { /* symmetric: a solved column is a row */
        inverse[row * n + row] = 1.0;
        rcity_fit_solve_factor(n, factor, inverse + (size_t)row * (size_t)n);
    }
}

/* The minimum of a quadratic under linear constraints, by NLopt's SLSQP. With y = L' x, where L is the Cholesky factor
   of the matrix, the quadratic is the squared distance to a point. That is SLSQP's initial model, whose constrained
   minimum it finds exactly, so one or two steps are enough however badly the matrix is conditioned. */
#include "fit/fit_quadratic.h"

#include <math.h>
#include <nlopt.h>
#include <string.h>

#include "fit/fit_matrix.h"

/* Tolerance of constraints, in y relative to the largest y; a bound nearer than that, in x, counts as met. */
#define MISS_MAX       1e-8
#define EVALUATION_MAX 200

/* The problem in y: find the point nearest to `aim` with row . y >= least. */
typedef struct nearest {
    int n;
    const double *aim;
    int row_count;
    const double *rows, *least;
} nearest;

/* Views into the scratch. */
typedef struct workspace {
    double *factor, *aim, *y, *x, *rows, *least, *tolerance;
    double *free_row;
    int free_count;
    int free[64]; /* variables that are not fixed */
} workspace;

_Static_assert(sizeof(((workspace *)0)->free) / sizeof(int) >= 64, "one for each parameter of a fit");

static size_t row_room(int n, int row_count)
{
    return 2 * (size_t)n + (size_t)row_count;
}

size_t rcity_fit_quadratic_scratch(int n, int row_count)
{
    size_t width = (size_t)n;
    return width * width + 4 * width + row_room(n, row_count) * (width + 2);
}

static void lay_out(const rcity_fit_quadratic *quadratic, double *scratch, workspace *work)
{
    size_t n = (size_t)quadratic->n;
    size_t rows = row_room(quadratic->n, quadratic->row_count);
    work->factor = scratch;
    work->aim = work->factor + n * n;
    work->y = work->aim + n;
    work->x = work->y + n;
    work->free_row = work->x + n;
    work->rows = work->free_row + n;
    work->least = work->rows + rows * n;
    work->tolerance = work->least + rows;
    work->free_count = 0;
    for (int i = 0; i < quadratic->n; i++) {
        if (quadratic->low[i] < quadratic->high[i]) {
            work->free[work->free_count++] = i;
        }
    }
}

static double distance_function(unsigned n, const double *y, double *slopes, void *user)
{
    const nearest *job = user;
    double squares = 0.0;
    for (unsigned i = 0; i < n; i++) {
        double away = y[i] - job->aim[i];
        squares += away * away;
        if (slopes != NULL) {
            slopes[i] = away;
        }
    }
    return 0.5 * squares;
}

static void constraint_function(unsigned row_count, double *misses, unsigned n, const double *y, double *slopes,
                                void *user)
{
    const nearest *job = user;
    for (unsigned row = 0; row < row_count; row++) {
        const double *factors = job->rows + (size_t)row * n;
        double sum = 0.0;
        for (unsigned i = 0; i < n; i++) {
            sum += factors[i] * y[i];
            if (slopes != NULL) {
                slopes[(size_t)row * n + i] = -factors[i];
            }
        }
        misses[row] = job->least[row] - sum;
    }
}

static double worst_miss(const nearest *job, const double *y)
{
    double worst = 0.0;
    for (int row = 0; row < job->row_count; row++) {
        double sum = 0.0;
        for (int i = 0; i < job->n; i++) {
            sum += job->rows[row * job->n + i] * y[i];
        }
        worst = fmax(worst, job->least[row] - sum);
    }
    return worst;
}

static rcity_status find_nearest(rcity_context *context, nearest *job, double *tolerance, double *y)
{
    for (int row = 0; row < job->row_count; row++) {
        tolerance[row] = 0.01 * MISS_MAX;
    }
    nlopt_opt opt = nlopt_create(NLOPT_LD_SLSQP, (unsigned)job->n);
    bool is_set =
        opt != NULL && nlopt_set_min_objective(opt, distance_function, job) >= 0 &&
        nlopt_add_inequality_mconstraint(opt, (unsigned)job->row_count, constraint_function, job, tolerance) >= 0 &&
        nlopt_set_xtol_rel(opt, 1e-13) >= 0 && nlopt_set_maxeval(opt, EVALUATION_MAX) >= 0;
    double least = 0.0;
    nlopt_result result = is_set ? nlopt_optimize(opt, y, &least) : NLOPT_OUT_OF_MEMORY;
    nlopt_destroy(opt);
    RCITY_CHECK(context, result != NLOPT_OUT_OF_MEMORY, RCITY_ERR_MEMORY, "out of memory in NLopt, for %d numbers",
                job->n);
    /* whether rounding stopped it or not: a point that meets the constraints is accepted */
    return worst_miss(job, y) <= MISS_MAX ? RCITY_OK : RCITY_ERR_ARGUMENT;
}

/* Write row . x >= least, over the free variables, as a constraint of unit length in y. @return false if it cannot be
   met. */
static bool add_row(workspace *work, nearest *job, double *row, double least)
{
    int n = work->free_count;
    rcity_fit_solve_lower(n, work->factor, row);
    double squares = 0.0;
    for (int i = 0; i < n; i++) {
        squares += row[i] * row[i];
    }
    if (squares == 0.0) {
        return least <= MISS_MAX;
    }
    double length = sqrt(squares);
    for (int i = 0; i < n; i++) {
        work->rows[job->row_count * n + i] = row[i] / length;
    }
    work->least[job->row_count++] = least / length;
    return true;
}

static bool add_rows(const rcity_fit_quadratic *quadratic, workspace *work, nearest *job)
{
    int n = work->free_count;
    for (int i = 0; i < n; i++) {
        for (int side = -1; side <= 1; side += 2) {
            double bound = side < 0 ? -quadratic->high[work->free[i]] : quadratic->low[work->free[i]];
            if (isfinite(bound)) {
                memset(work->free_row, 0, sizeof(double) * (size_t)n);
                work->free_row[i] = side;
                (void)add_row(work, job, work->free_row, bound);
            }
        }
    }
    for (int row = 0; row < quadratic->row_count; row++) {
        const double *factors = quadratic->rows + row * quadratic->n;
        double least = quadratic->least[row];
        int next = 0;
        for (int i = 0; i < quadratic->n; i++) {
            if (next < n && work->free[next] == i) {
                work->free_row[next++] = factors[i];
            } else {
                least -= factors[i] * quadratic->low[i];
            }
        }
        if (!add_row(work, job, work->free_row, least)) {
            return false;
        }
    }
    return true;
}

/* Factor and aim over the free variables. @return false if the matrix is not positive definite. */
static bool set_aim(const rcity_fit_quadratic *quadratic, workspace *work)
{
    int n = work->free_count;
    for (int row = 0; row < n; row++) {
        const double *matrix = quadratic->matrix + work->free[row] * quadratic->n;
        double pull = quadratic->vector[work->free[row]];
        int next = 0;
        for (int i = 0; i < quadratic->n; i++) {
            if (next < n && work->free[next] == i) {
                work->factor[row * n + next++] = matrix[i];
            } else {
                pull -= matrix[i] * quadratic->low[i];
            }
        }
        work->aim[row] = pull;
    }
    if (!rcity_fit_cholesky(n, work->factor)) {
        return false;
    }
    rcity_fit_solve_lower(n, work->factor, work->aim);
    return true;
}

/* Scale lengths by the largest, so that tolerances mean the same for every problem. */
static double scale_down(workspace *work, nearest *job)
{
    double largest = 0.0;
    for (int i = 0; i < job->n; i++) {
        largest = fmax(largest, fabs(work->aim[i]));
    }
    for (int row = 0; row < job->row_count; row++) {
        largest = work->least[row] > 0.0 ? fmax(largest, work->least[row]) : largest;
    }
    largest = largest > 0.0 ? largest : 1.0;
    for (int i = 0; i < job->n; i++) {
        work->aim[i] /= largest;
    }
    for (int row = 0; row < job->row_count; row++) {
        work->least[row] /= largest;
    }
    return largest;
}

rcity_status rcity_fit_quadratic_solve(rcity_context *context, const rcity_fit_quadratic *quadratic, double *scratch,
                                       double *x)
{
    workspace work;
    lay_out(quadratic, scratch, &work);
    int n = work.free_count;
    nearest job = {n, work.aim, 0, work.rows, work.least};
    if (!set_aim(quadratic, &work) || !add_rows(quadratic, &work, &job)) {
        return RCITY_ERR_ARGUMENT;
    }
    double largest = scale_down(&work, &job);
    memcpy(work.y, work.aim, sizeof(double) * (size_t)n);
    if (worst_miss(&job, work.y) > 0.0) {
        memset(work.y, 0, sizeof(double) * (size_t)n);
        RCITY_TRY(find_nearest(context, &job, work.tolerance, work.y));
    }
    rcity_fit_solve_upper(n, work.factor, work.y);
    memcpy(x, quadratic->low, sizeof *x * (size_t)quadratic->n);
    for (int i = 0; i < n; i++) {
        int number = work.free[i];
        double low = quadratic->low[number];
        double high = quadratic->high[number];
        double value = work.y[i] * largest;
        x[number] = value < low + MISS_MAX ? low : value > high - MISS_MAX ? high : value;
    }
    return RCITY_OK;
}

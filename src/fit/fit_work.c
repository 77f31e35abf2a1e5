/* The points of a fit, and sums over them in an order that does not depend on the number of threads. */
#include "fit/fit_work.h"

#include <assert.h>
#include <string.h>

#include "base/parallel.h"
#include "fit/fit_quadratic.h"

/* Least number of points in a piece and largest number of pieces: partial sums need little memory compared with the
   slopes. */
#define PIECE_MIN       256
#define PIECE_COUNT_MAX 512

/* Number of products in a sum from which several threads are worthwhile. */
#define PARALLEL_MIN 20000000

/* Sums of a piece that follow its matrix and vector. */
enum { COST, WEIGHT, CURVATURE, SLOPE_SQUARE, LOST, EXTRA_COUNT };

static int triangle_size(int n)
{
    return n * (n + 1) / 2;
}

static size_t partial_size(int n)
{
    return (size_t)triangle_size(n) + (size_t)n + EXTRA_COUNT;
}

static int64_t piece_count(const rcity_fit_work *work)
{
    return work->used_count / work->piece + (work->used_count % work->piece != 0);
}

/* A unit in which the parameter is about 1. */
static double choose_unit(const rcity_fit_parameter *parameter)
{
    double width = parameter->high - parameter->low;
    return isfinite(parameter->spread)      ? parameter->spread
           : isfinite(width) && width > 0.0 ? width
           : fabs(parameter->start) > 1.0   ? fabs(parameter->start)
                                            : 1.0;
}

static void set_units(rcity_fit_work *work)
{
    const rcity_fit_problem *problem = work->problem;
    for (int i = 0; i < work->n; i++) {
        const rcity_fit_parameter *parameter = &problem->parameters[i];
        assert(parameter->low <= parameter->high && parameter->spread > 0.0 && isfinite(parameter->start));
        work->unit[i] = choose_unit(parameter);
        work->prior[i] = isfinite(parameter->spread) ? 1.0 : 0.0;
    }
    for (int c = 0; c < problem->constraint_count; c++) {
        const rcity_fit_constraint *constraint = &problem->constraints[c];
        assert(constraint->term_count >= 0 && constraint->term_count <= RCITY_FIT_TERM_MAX);
        for (int term = 0; term < constraint->term_count; term++) {
            int i = constraint->parameter[term];
            assert(i >= 0 && i < work->n);
            work->rows[c * work->n + i] += constraint->factor[term] * work->unit[i];
        }
        work->rows_least[c] = constraint->least;
    }
}

static rcity_status get_memory(rcity_fit_work *work)
{
    rcity_context *context = work->context;
    size_t n = (size_t)work->n;
    size_t points = (size_t)work->problem->point_count;
    size_t rows = (size_t)work->problem->constraint_count;
    for (int i = 0; i < 2; i++) {
        RCITY_TRY(rcity_alloc(context, points + 1, sizeof(double), "modelled values", &work->places[i].values_db));
        RCITY_TRY(rcity_alloc(context, points * n + 1, sizeof(double), "slopes of a model", &work->places[i].slopes));
    }
    RCITY_TRY(rcity_alloc(context, points + 1, sizeof *work->used, "points of a fit", &work->used));
    RCITY_TRY(rcity_alloc(context, points + 1, sizeof(double), "errors of a fit", &work->errors_db));
    RCITY_TRY(rcity_alloc(context, n * n, sizeof(double), "matrix of a fit", &work->sums.matrix));
    RCITY_TRY(rcity_alloc(context, n, sizeof(double), "vector of a fit", &work->sums.vector));
    RCITY_TRY(rcity_alloc(context, n * n, sizeof(double), "matrix of a fit", &work->matrix));
    RCITY_TRY(rcity_alloc(context, rows * n + 1, sizeof(double), "constraints of a fit", &work->rows));
    RCITY_TRY(rcity_alloc(context, rows + 1, sizeof(double), "constraints of a fit", &work->rows_least));
    RCITY_TRY(rcity_alloc(context, rows + 1, sizeof(double), "constraints of a fit", &work->least));
    RCITY_TRY(rcity_alloc(context, rcity_fit_quadratic_scratch(work->n, work->problem->constraint_count),
                          sizeof(double), "scratch of a fit", &work->scratch));
    return rcity_alloc(context, partial_size(work->n) * (PIECE_COUNT_MAX + 1), sizeof(double), "sums of a fit",
                       &work->partial);
}

static void find_used(rcity_fit_work *work)
{
    const rcity_fit_problem *problem = work->problem;
    for (int64_t point = 0; point < problem->point_count; point++) {
        bool is_left_out = problem->is_left_out != NULL && problem->is_left_out[point];
        if (!is_left_out && isfinite(problem->measured_db[point]) && isfinite(work->now->values_db[point])) {
            work->used[work->used_count++] = point;
        }
    }
    work->piece = work->used_count / PIECE_COUNT_MAX + 1;
    work->piece = work->piece > PIECE_MIN ? work->piece : PIECE_MIN;
}

rcity_status rcity_fit_work_open(rcity_context *context, const rcity_fit_problem *problem, rcity_fit_work *work)
{
    assert(problem->parameter_count >= 1 && problem->parameter_count <= RCITY_FIT_PARAMETER_MAX);
    assert(problem->constraint_count >= 0 && problem->point_count >= 0 && problem->evaluate != NULL);
    memset(work, 0, sizeof *work);
    work->context = context;
    work->problem = problem;
    work->n = problem->parameter_count;
    work->widening = problem->widening > 0.0 ? problem->widening : 1.0;
    work->now = &work->places[0];
    work->next = &work->places[1];
    RCITY_TRY(get_memory(work));
    set_units(work);
    int fitted_count = 0;
    for (int i = 0; i < work->n; i++) {
        const rcity_fit_parameter *parameter = &problem->parameters[i];
        work->now->parameters[i] = fmin(fmax(parameter->start, parameter->low), parameter->high);
        fitted_count += parameter->low < parameter->high;
    }
    rcity_fit_work_evaluate(work, work->now);
    find_used(work);
    RCITY_CHECK(context, work->used_count > 0 && work->used_count >= fitted_count, RCITY_ERR_ARGUMENT,
                "%lld points with a measured and a predicted value cannot tell %d numbers", (long long)work->used_count,
                fitted_count);
    return RCITY_OK;
}

void rcity_fit_work_close(rcity_fit_work *work)
{
    rcity_context *context = work->context;
    rcity_release(context, work->partial);
    rcity_release(context, work->scratch);
    rcity_release(context, work->least);
    rcity_release(context, work->rows_least);
    rcity_release(context, work->rows);
    rcity_release(context, work->matrix);
    rcity_release(context, work->sums.vector);
    rcity_release(context, work->sums.matrix);
    rcity_release(context, work->errors_db);
    rcity_release(context, work->used);
    for (int i = 0; i < 2; i++) {
        rcity_release(context, work->places[i].slopes);
        rcity_release(context, work->places[i].values_db);
    }
}

void rcity_fit_work_evaluate(rcity_fit_work *work, rcity_fit_place *place)
{
    work->problem->evaluate(work->problem->user, place->parameters, place->values_db, place->slopes);
}

typedef struct sum_job {
    rcity_fit_work *work;
    const rcity_fit_place *place;
    rcity_fit_loss loss;
    double scale_db;
    bool by_curvature;
} sum_job;

/* Lower triangle of the outer product of a point's slopes. */
static void add_products(int n, const double *slopes, double weight, double pull, double *matrix, double *vector)
{
    for (int row = 0; row < n; row++) {
        double weighted = weight * slopes[row];
        if (slopes[row] != 0.0) { /* most paths have few coefficients */
            double *products = matrix + triangle_size(row);
            for (int column = 0; column <= row; column++) {
                products[column] += weighted * slopes[column];
            }
            vector[row] += pull * slopes[row];
        }
    }
}

static void sum_piece(void *user, int64_t begin, int64_t end, int thread_index)
{
    (void)thread_index;
    const sum_job *job = user;
    const rcity_fit_work *work = job->work;
    int n = work->n;
    double *matrix = work->partial + partial_size(n) * (size_t)(begin / work->piece);
    double *vector = matrix + triangle_size(n);
    double *extra = vector + n;
    memset(matrix, 0, sizeof *matrix * partial_size(n));
    for (int64_t k = begin; k < end; k++) {
        int64_t point = work->used[k];
        double error_db = rcity_fit_error_db(work, job->place, point);
        double weight = rcity_fit_weight(job->loss, error_db, job->scale_db);
        double curvature = rcity_fit_curvature(job->loss, error_db, job->scale_db);
        double pull_db = weight * error_db;
        extra[COST] += rcity_fit_cost(job->loss, error_db, job->scale_db);
        extra[WEIGHT] += weight;
        extra[CURVATURE] += curvature;
        extra[SLOPE_SQUARE] += pull_db * pull_db;
        extra[LOST] += weight == 0.0;
        add_products(n, job->place->slopes + point * n, job->by_curvature ? curvature : weight, pull_db, matrix,
                     vector);
    }
}

/* Convert to units, and fill both halves of the matrix. */
static void spread_sums(rcity_fit_work *work)
{
    int n = work->n;
    const double *total = work->partial;
    const double *vector = total + triangle_size(n);
    for (int row = 0; row < n; row++) {
        for (int column = 0; column <= row; column++) {
            double sum = total[triangle_size(row) + column] * work->unit[row] * work->unit[column];
            work->sums.matrix[row * n + column] = sum;
            work->sums.matrix[column * n + row] = sum;
        }
        work->sums.vector[row] = vector[row] * work->unit[row];
    }
    const double *extra = vector + n;
    work->sums.cost_db2 = extra[COST];
    work->sums.weight_sum = extra[WEIGHT];
    work->sums.curvature_sum = extra[CURVATURE];
    work->sums.slope_square_sum = extra[SLOPE_SQUARE];
    work->sums.lost_count = (int64_t)extra[LOST];
}

void rcity_fit_sum(rcity_fit_work *work, const rcity_fit_place *place, rcity_fit_loss loss, double scale_db,
                   bool by_curvature)
{
    sum_job job = {work, place, loss, scale_db, by_curvature};
    if (work->used_count * work->n * work->n >= PARALLEL_MIN) {
        rcity_parallel(work->context, work->used_count, work->piece, sum_piece, &job);
    } else { /* the same pieces, one after the other */
        for (int64_t begin = 0; begin < work->used_count; begin += work->piece) {
            int64_t end = begin + work->piece;
            sum_piece(&job, begin, end < work->used_count ? end : work->used_count, 0);
        }
    }
    size_t size = partial_size(work->n);
    for (int64_t piece = 1; piece < piece_count(work); piece++) {
        for (size_t i = 0; i < size; i++) {
            work->partial[i] += work->partial[size * (size_t)piece + i];
        }
    }
    spread_sums(work);
}

double rcity_fit_total_cost(rcity_fit_work *work, const rcity_fit_place *place, rcity_fit_loss loss, double scale_db)
{
    double cost_db2 = 0.0;
    for (int64_t k = 0; k < work->used_count; k++) {
        cost_db2 += rcity_fit_cost(loss, rcity_fit_error_db(work, place, work->used[k]), scale_db);
    }
    for (int i = 0; i < work->n; i++) {
        double away = rcity_fit_away(work, place->parameters, i);
        cost_db2 += 0.5 * rcity_fit_prior_weight_db2(work, scale_db) * work->prior[i] * away * away;
    }
    return cost_db2;
}

double rcity_fit_work_scale(rcity_fit_work *work, const rcity_fit_place *place, rcity_fit_loss loss,
                            double fitted_count)
{
    for (int64_t k = 0; k < work->used_count; k++) {
        work->errors_db[k] = rcity_fit_error_db(work, place, work->used[k]);
    }
    return rcity_fit_scale(loss, work->used_count, work->errors_db, fitted_count);
}

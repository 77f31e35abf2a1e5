/* Variances by the sandwich estimator: inverse second derivatives of the cost on both sides of the scatter of its
   slopes (Huber 1967). The scatter is computed twice: as if all errors were equal in size and independent, and from the
   errors themselves, block by block. The second is too small for a parameter that few points determine, the first for
   correlated errors. The larger is used. */
#include "fit/fit_variance.h"

#include <string.h>

#include "fit/fit_matrix.h"

/* Precision of the prior where there is none: this share of what the points tell about the parameter alone. */
#define TRACE_SHARE 1e-10

/* Lower limit of the cost's mean curvature over the points; Tukey's is 0.76 for normal errors. */
#define CURVATURE_MIN 0.1

/* A remainder of a unit vector that is shorter than this is rounding. */
#define ACROSS_MIN 1e-6

static rcity_status get_memory(rcity_fit_variance *variance)
{
    rcity_context *context = variance->work->context;
    size_t n = (size_t)variance->work->n;
    double **const matrices[] = {&variance->curved, &variance->even,    &variance->basis,
                                 &variance->factor, &variance->middle,  &variance->block,
                                 &variance->rest,   &variance->inverse, &variance->held};
    double **const vectors[] = {&variance->prior, &variance->prior_scatter, &variance->sum, &variance->sum_square,
                                &variance->freedoms};
    for (size_t i = 0; i < sizeof matrices / sizeof matrices[0]; i++) {
        RCITY_TRY(rcity_alloc(context, n * n, sizeof(double), "variances of a fit", matrices[i]));
    }
    for (size_t i = 0; i < sizeof vectors / sizeof vectors[0]; i++) {
        RCITY_TRY(rcity_alloc(context, n, sizeof(double), "variances of a fit", vectors[i]));
    }
    return rcity_alloc(context, (size_t)variance->work->used_count, sizeof *variance->order, "points by block",
                       &variance->order);
}

/* The used points ordered by block, by a counting sort. */
static rcity_status sort_by_block(rcity_fit_variance *variance, int32_t block_count, int64_t block_min)
{
    const rcity_fit_work *work = variance->work;
    int64_t *next = NULL;
    if (variance->block_of == NULL) {
        memcpy(variance->order, work->used, sizeof *variance->order * (size_t)work->used_count);
        return RCITY_OK;
    }
    RCITY_TRY(rcity_alloc(work->context, (size_t)block_count + 1, sizeof *next, "blocks of a fit", &next));
    for (int64_t k = 0; k < work->used_count; k++) {
        next[variance->block_of[work->used[k]] + 1]++;
    }
    variance->block_count = 0;
    for (int32_t block = 0; block < block_count; block++) {
        variance->block_count += next[block + 1] > 0;
        next[block + 1] += next[block];
    }
    for (int64_t k = 0; k < work->used_count; k++) {
        variance->order[next[variance->block_of[work->used[k]]]++] = work->used[k];
    }
    variance->is_by_block = variance->block_count >= block_min && variance->block_count < work->used_count;
    rcity_release(work->context, next);
    return RCITY_OK;
}

/* Number of parameters that the points determine: the trace of (even + prior)^-1 even, both in units of one point's
   information. */
static double count_told(rcity_fit_variance *variance)
{
    int n = variance->work->n;
    double told = 0.0;
    memcpy(variance->rest, variance->even, sizeof(double) * (size_t)n * (size_t)n);
    for (int i = 0; i < n; i++) {
        variance->rest[i * n + i] += variance->prior_weight_db2 * variance->prior[i];
    }
    if (!rcity_fit_cholesky(n, variance->rest)) {
        return n;
    }
    rcity_fit_invert_factor(n, variance->rest, variance->block);
    for (int i = 0; i < n; i++) {
        const rcity_fit_parameter *parameter = &variance->work->problem->parameters[i];
        for (int k = 0; parameter->low < parameter->high && k < n; k++) {
            told += variance->block[i * n + k] * variance->even[k * n + i];
        }
    }
    return told;
}

rcity_status rcity_fit_variance_open(rcity_fit_work *work, const rcity_fit_descent *last, rcity_fit_block_kind kind,
                                     rcity_fit_variance *variance)
{
    const rcity_fit_problem *problem = work->problem;
    bool is_by_group = kind == RCITY_FIT_BY_GROUP;
    memset(variance, 0, sizeof *variance);
    variance->work = work;
    variance->loss = last->loss;
    variance->scale_db = last->scale_db;
    variance->prior_weight_db2 = rcity_fit_prior_weight_db2(work, last->scale_db);
    variance->block_of = is_by_group ? problem->group : problem->block;
    RCITY_TRY(get_memory(variance));
    RCITY_TRY(sort_by_block(variance, is_by_group ? problem->group_count : problem->block_count,
                            is_by_group ? 2 : RCITY_FIT_BLOCKS_MIN));
    size_t size = (size_t)work->n * (size_t)work->n;
    double used = (double)work->used_count;
    rcity_fit_sum(work, work->now, last->loss, last->scale_db, true);
    memcpy(variance->curved, work->sums.matrix, sizeof(double) * size);
    rcity_fit_sum(work, work->now, last->loss, last->scale_db, false);
    double mean_weight = fmax(work->sums.weight_sum / used, CURVATURE_MIN);
    for (size_t i = 0; i < size; i++) {
        variance->even[i] = work->sums.matrix[i] / mean_weight;
    }
    for (int i = 0; i < work->n; i++) {
        double told = variance->even[i * work->n + i] / variance->prior_weight_db2;
        variance->prior[i] = work->prior[i] > 0.0 ? work->prior[i] : TRACE_SHARE * (told > 0.0 ? told : 1.0);
        variance->prior_scatter[i] = is_by_group && problem->parameters[i].is_effect ? 0.0 : variance->prior[i];
    }
    variance->left_count = used - count_told(variance);
    variance->pull_square = work->sums.slope_square_sum / fmax(variance->left_count, 1.0);
    variance->curvature = fmax(work->sums.curvature_sum / used, CURVATURE_MIN);
    return RCITY_OK;
}

void rcity_fit_variance_close(rcity_fit_variance *variance)
{
    rcity_context *context = variance->work->context;
    double *const blocks[] = {variance->curved,   variance->even,         variance->basis, variance->factor,
                              variance->middle,   variance->block,        variance->rest,  variance->held,
                              variance->inverse,  variance->prior,        variance->sum,   variance->sum_square,
                              variance->freedoms, variance->prior_scatter};
    for (size_t i = 0; i < sizeof blocks / sizeof blocks[0]; i++) {
        rcity_release(context, blocks[i]);
    }
    rcity_release(context, variance->order);
}

/* Remove the components along orthonormal vectors, twice because of rounding. @return the remaining length. */
static double make_across(int n, int count, const double *vectors, double *vector)
{
    for (int time = 0; time < 2; time++) {
        for (int v = 0; v < count; v++) {
            double along = 0.0;
            for (int i = 0; i < n; i++) {
                along += vectors[v * n + i] * vector[i];
            }
            for (int i = 0; i < n; i++) {
                vector[i] -= along * vectors[v * n + i];
            }
        }
    }
    double squares = 0.0;
    for (int i = 0; i < n; i++) {
        squares += vector[i] * vector[i];
    }
    return sqrt(squares);
}

/* A basis orthogonal to the rows, by Gram-Schmidt: first the fixed directions, then the remainders of the axes. */
static void find_basis(rcity_fit_variance *variance, int row_count, const double *rows)
{
    int n = variance->work->n;
    int held_count = 0;
    int total = 0;
    double vector[RCITY_FIT_PARAMETER_MAX];
    for (int k = 0; k < row_count + n && total < n; k++) {
        double length_before = 0.0;
        for (int i = 0; i < n; i++) {
            vector[i] = k < row_count ? rows[k * n + i] : (i == k - row_count);
            length_before += vector[i] * vector[i];
        }
        double length = make_across(n, total, variance->held, vector);
        if (length > ACROSS_MIN * sqrt(length_before)) {
            for (int i = 0; i < n; i++) {
                variance->held[total * n + i] = vector[i] / length;
            }
            total++;
            held_count += k < row_count;
        }
    }
    variance->q = n - held_count;
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < variance->q; k++) {
            variance->basis[i * variance->q + k] =
                held_count + k < total ? variance->held[(held_count + k) * n + i] : 0.0;
        }
    }
}

/* basis' (factor * matrix + prior_factor * prior) basis */
static void project(const rcity_fit_variance *variance, double factor, const double *matrix, double prior_factor,
                    const double *prior, double *projected)
{
    int n = variance->work->n;
    int q = variance->q;
    memset(projected, 0, sizeof *projected * (size_t)q * (size_t)q);
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < n; k++) {
            double element = factor * matrix[i * n + k] + (i == k ? prior_factor * prior[i] : 0.0);
            for (int row = 0; element != 0.0 && row < q; row++) {
                double part = element * variance->basis[i * q + row];
                for (int column = 0; part != 0.0 && column < q; column++) {
                    projected[row * q + column] += part * variance->basis[k * q + column];
                }
            }
        }
    }
}

/* The diagonal of basis inverse middle inverse basis' and its half intervals; each replaces a smaller value. */
static void raise_variances(const rcity_fit_variance *variance, const double *freedoms, double *variances,
                            double *halves)
{
    int q = variance->q;
    double along[RCITY_FIT_PARAMETER_MAX];
    for (int i = 0; i < variance->work->n; i++) {
        for (int k = 0; k < q; k++) {
            along[k] = 0.0;
            for (int m = 0; m < q; m++) {
                along[k] += variance->inverse[k * q + m] * variance->basis[i * q + m];
            }
        }
        double sum = 0.0;
        for (int k = 0; k < q; k++) {
            for (int m = 0; m < q; m++) {
                sum += along[k] * along[m] * variance->middle[k * q + m];
            }
        }
        variances[i] = fmax(variances[i], sum);
        halves[i] = fmax(halves[i], rcity_fit_student_95(freedoms[i]) * sqrt(sum));
    }
}

/* Slopes of a point in the basis. */
static void find_slopes(const rcity_fit_variance *variance, int64_t point, double *along)
{
    const rcity_fit_work *work = variance->work;
    const double *slopes = work->now->slopes + point * work->n;
    int q = variance->q;
    memset(along, 0, sizeof *along * (size_t)q);
    for (int i = 0; i < work->n; i++) {
        double slope = slopes[i] * work->unit[i];
        for (int k = 0; slope != 0.0 && k < q; k++) {
            along[k] += slope * variance->basis[i * q + k];
        }
    }
}

static void add_square(int q, double factor, const double *vector, double *matrix)
{
    for (int row = 0; row < q; row++) {
        for (int column = 0; column < q; column++) {
            matrix[row * q + column] += factor * vector[row] * vector[column];
        }
    }
}

/* Scatter of points: squares of the slope of each point's cost. */
static void add_points(rcity_fit_variance *variance)
{
    const rcity_fit_work *work = variance->work;
    double along[RCITY_FIT_PARAMETER_MAX];
    double few = (double)work->used_count / variance->left_count;
    for (int64_t k = 0; k < work->used_count; k++) {
        double error_db = rcity_fit_error_db(work, work->now, variance->order[k]);
        double pull_db = error_db * rcity_fit_weight(variance->loss, error_db, variance->scale_db);
        find_slopes(variance, variance->order[k], along);
        add_square(variance->q, few * pull_db * pull_db, along, variance->middle);
    }
}

/* Sums over a block's points: their curvature in `block`, the slope of their cost; and their share in each parameter's
   variance. */
static void sum_block(rcity_fit_variance *variance, int64_t begin, int64_t end, double *pull, double *shares)
{
    const rcity_fit_work *work = variance->work;
    int q = variance->q;
    double along[RCITY_FIT_PARAMETER_MAX];
    memset(variance->block, 0, sizeof(double) * (size_t)q * (size_t)q);
    memset(pull, 0, sizeof *pull * (size_t)q);
    memset(shares, 0, sizeof *shares * (size_t)work->n);
    for (int64_t k = begin; k < end; k++) {
        double error_db = rcity_fit_error_db(work, work->now, variance->order[k]);
        double weight = rcity_fit_weight(variance->loss, error_db, variance->scale_db);
        find_slopes(variance, variance->order[k], along);
        add_square(q, rcity_fit_curvature(variance->loss, error_db, variance->scale_db), along, variance->block);
        for (int i = 0; i < q; i++) {
            pull[i] += weight * error_db * along[i];
        }
        rcity_fit_solve_factor(q, variance->factor, along);
        for (int i = 0; i < work->n; i++) {
            double moved = 0.0;
            for (int m = 0; m < q; m++) {
                moved += variance->basis[i * q + m] * along[m];
            }
            shares[i] += weight * moved * moved;
        }
    }
}

/* Scatter of blocks: the slope of the cost of each. The fit has made a block's own errors smaller; leaving out half of
   the block corrects that to first order in its share (Bell and McCaffrey's CR2; leaving out all of it, the jackknife,
   corrects too much). */
static void add_blocks(rcity_fit_variance *variance, const double *second)
{
    const rcity_fit_work *work = variance->work;
    const int32_t *block = variance->block_of;
    int q = variance->q;
    double pull[RCITY_FIT_PARAMETER_MAX];
    double moved[RCITY_FIT_PARAMETER_MAX];
    double shares[RCITY_FIT_PARAMETER_MAX];
    int64_t end = 0;
    for (int64_t begin = 0; begin < work->used_count; begin = end) {
        for (end = begin; end < work->used_count && block[variance->order[end]] == block[variance->order[begin]];) {
            end++;
        }
        sum_block(variance, begin, end, pull, shares);
        for (int i = 0; i < q * q; i++) {
            variance->rest[i] = second[i] - 0.5 * variance->block[i];
        }
        if (rcity_fit_cholesky(q, variance->rest)) { /* else the other blocks do not determine the parameters */
            memcpy(moved, pull, sizeof moved);
            rcity_fit_solve_factor(q, variance->rest, moved);
            for (int row = 0; row < q; row++) {
                pull[row] = 0.0;
                for (int column = 0; column < q; column++) {
                    pull[row] += second[row * q + column] * moved[column];
                }
            }
        }
        add_square(q, 1.0, pull, variance->middle);
        for (int i = 0; i < work->n; i++) {
            variance->sum[i] += shares[i];
            variance->sum_square[i] += shares[i] * shares[i];
        }
    }
}

/* A parameter that few blocks determine has few degrees of freedom, however many blocks there are (after Satterthwaite;
   Bell and McCaffrey 2002). The prior counts as known. */
static void find_freedoms(const rcity_fit_variance *variance, double *freedoms)
{
    int n = variance->work->n;
    int q = variance->q;
    double along[RCITY_FIT_PARAMETER_MAX];
    for (int i = 0; i < n; i++) {
        double known = 0.0;
        for (int k = 0; k < q; k++) {
            along[k] = variance->basis[i * q + k];
        }
        rcity_fit_solve_factor(q, variance->factor, along);
        for (int j = 0; j < n; j++) {
            double moved = 0.0;
            for (int k = 0; k < q; k++) {
                moved += variance->basis[j * q + k] * along[k];
            }
            known += variance->prior_weight_db2 * variance->prior[j] * moved * moved;
        }
        double all = variance->sum[i] + known;
        freedoms[i] = variance->sum_square[i] > 0.0 ? all * all / variance->sum_square[i] - 1.0 : (double)HUGE_VAL;
    }
}

void rcity_fit_variance_find(rcity_fit_variance *variance, int row_count, const double *rows, double *variances,
                             double *halves)
{
    int n = variance->work->n;
    double *freedoms = variance->freedoms;
    double weight_db2 = variance->prior_weight_db2;
    find_basis(variance, row_count, rows);
    size_t size = (size_t)variance->q * (size_t)variance->q;
    memset(variances, 0, sizeof *variances * (size_t)n);
    memset(halves, 0, sizeof *halves * (size_t)n);
    for (int i = 0; i < n; i++) {
        freedoms[i] = variance->left_count;
        variance->sum[i] = 0.0;
        variance->sum_square[i] = 0.0;
    }
    if (variance->q == 0) {
        return;
    }
    project(variance, variance->curvature, variance->even, weight_db2, variance->prior, variance->factor);
    if (!rcity_fit_cholesky(variance->q, variance->factor)) { /* some slopes are NAN */
        for (int i = 0; i < n; i++) {
            variances[i] = HUGE_VAL;
            halves[i] = HUGE_VAL;
        }
        return;
    }
    rcity_fit_invert_factor(variance->q, variance->factor, variance->inverse);
    project(variance, variance->pull_square, variance->even, weight_db2 * weight_db2, variance->prior,
            variance->middle);
    raise_variances(variance, freedoms, variances, halves);

    double second[RCITY_FIT_PARAMETER_MAX * RCITY_FIT_PARAMETER_MAX];
    project(variance, 1.0, variance->curved, weight_db2, variance->prior, second);
    memcpy(variance->rest, second, sizeof(double) * size);
    if (!rcity_fit_cholesky(variance->q, variance->rest)) {
        return; /* too few points with weight to estimate the curvature */
    }
    memcpy(variance->factor, variance->rest, sizeof(double) * size);
    rcity_fit_invert_factor(variance->q, variance->factor, variance->inverse);
    project(variance, 0.0, variance->even, weight_db2 * weight_db2, variance->prior_scatter, variance->middle);
    if (variance->is_by_block) {
        add_blocks(variance, second);
        find_freedoms(variance, freedoms);
    } else {
        add_points(variance);
    }
    raise_variances(variance, freedoms, variances, halves);
}

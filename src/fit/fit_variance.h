/* Variances of fitted parameters, some of which may be fixed. */
#ifndef RCITY_FIT_VARIANCE_H
#define RCITY_FIT_VARIANCE_H

#include "fit/fit_rounds.h"

/* Pieces of route, or whole groups such as transmitters: two say little, but points say nothing of what they share. */
typedef enum rcity_fit_block_kind { RCITY_FIT_BY_BLOCK, RCITY_FIT_BY_GROUP } rcity_fit_block_kind;

typedef struct rcity_fit_variance {
    const rcity_fit_work *work;
    rcity_fit_loss loss;
    double scale_db;
    double prior_weight_db2;  /* rcity_fit_prior_weight_db2() */
    double left_count;        /* degrees of freedom: points minus parameters that they determine */
    double pull_square;       /* mean of squares of the cost's slope, over those degrees of freedom */
    double curvature;         /* mean of the cost's curvature */
    const int32_t *block_of;  /* of each point; NULL: points are independent */
    bool is_by_block;         /* errors of a block are correlated */
    int64_t block_count;      /* with points */
    int64_t *order;           /* used points, block by block */
    double *curved, *even;    /* sums of slopes by slopes, by curvature and by weight over the mean weight */
    double *prior;            /* precision of the prior, in units; very small where there is none */
    double *prior_scatter;    /* the same less that of effects where groups show their scatter themselves */
    int q;                    /* dimensions that are not fixed */
    double *basis;            /* n x q: orthonormal, orthogonal to all fixed directions */
    double *factor;           /* q x q, of the second derivatives of the cost */
    double *middle;           /* q x q, scatter of the slopes of the cost */
    double *block, *rest;     /* q x q */
    double *inverse;          /* q x q */
    double *held;             /* n x n, orthonormal rows */
    double *sum, *sum_square; /* n: shares of blocks in a variance */
    double *freedoms;         /* n: degrees of freedom of the last variances */
} rcity_fit_variance;

/* Compute what all variances need; overwrites the sums of the work. @return RCITY_ERR_MEMORY. Release it whatever it
   returns. */
rcity_status rcity_fit_variance_open(rcity_fit_work *work, const rcity_fit_descent *last, rcity_fit_block_kind kind,
                                     rcity_fit_variance *variance);
void rcity_fit_variance_close(rcity_fit_variance *variance);

/* Variances in units^2 with the parameters fixed along `rows`, and half widths of 95 % intervals in units. Both are 0
   for a fixed parameter. */
void rcity_fit_variance_find(rcity_fit_variance *variance, int row_count, const double *rows, double *variances,
                             double *halves);

#endif

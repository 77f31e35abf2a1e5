/* Variances of fitted numbers, some of which may be held. */
#ifndef RCITY_FIT_VARIANCE_H
#define RCITY_FIT_VARIANCE_H

#include "fit/fit_rounds.h"

/* With fewer blocks than this their scatter says less than that of points. */
#define RCITY_FIT_BLOCKS_MIN 20

typedef struct rcity_fit_variance {
    const rcity_fit_work *work;
    rcity_fit_loss loss;
    double scale_db;
    double left_count;        /* points less numbers that they told: degrees of freedom */
    double pull_square;       /* mean of squares of the cost's slope, over those degrees of freedom */
    double curvature;         /* mean of the cost's curvature */
    bool is_by_block;         /* errors of a block hang together */
    int64_t block_count;      /* with points */
    int64_t *order;           /* used points, block by block */
    double *curved, *even;    /* sums of slopes by slopes, by curvature and by weight over the mean weight */
    double *prior;            /* precision of what is known beforehand, in units; a trace where nothing is */
    int q;                    /* numbers that are left to move */
    double *basis;            /* n x q: orthonormal, across everything held */
    double *factor;           /* q x q, of the second derivatives of the cost */
    double *middle;           /* q x q, scatter of the slopes of the cost */
    double *block, *rest;     /* q x q */
    double *inverse;          /* q x q */
    double *held;             /* n x n, orthonormal rows */
    double *sum, *sum_square; /* n: shares of blocks in a variance */
} rcity_fit_variance;

/* Gather what all variances need; the sums of the work are used up. @return RCITY_ERR_MEMORY. Release it whatever it
   returns. */
rcity_status rcity_fit_variance_open(rcity_fit_work *work, const rcity_fit_descent *last, rcity_fit_variance *variance);
void rcity_fit_variance_close(rcity_fit_variance *variance);

/* Variances in units^2 where the numbers may not move along `rows`, and halves of 95 % intervals in units. A number that
   cannot move has 0. */
void rcity_fit_variance_find(rcity_fit_variance *variance, int row_count, const double *rows, double *variances,
                             double *halves);

#endif

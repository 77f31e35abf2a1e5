/* The k-th smallest of many values, without sorting or copying them. */
#ifndef RCITY_RESULT_RANK_H
#define RCITY_RESULT_RANK_H

#include "base/base.h"

/* How many of the values are finite. */
int64_t rcity_rank_count(const float *value, int64_t value_count);

/* For each of `ranks`, which ascend: the finite value with exactly that many finite values before it in ascending
   order; 0 <= rank < rcity_rank_count(). Exact, in at most 1 + rank_count passes over the values. -0 comes before 0. */
rcity_status rcity_rank_find(rcity_context *context, const float *value, int64_t value_count, int rank_count,
                             const int64_t *ranks, float *found);

#endif

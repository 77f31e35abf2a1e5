/* Sorting numbers, and medians. None of the numbers may be NAN. */
#ifndef RCITY_BASE_ORDER_H
#define RCITY_BASE_ORDER_H

#include <stddef.h>
#include <stdint.h>

void rcity_sort_doubles(double *numbers, size_t count);
void rcity_sort_int32s(int32_t *numbers, size_t count);

/* Median of at least one number; of an even count the mean of the middle two. Sorts the numbers. */
double rcity_median(double *numbers, size_t count);

/* The same, but of an even count the upper of the middle two, so that it is one of the numbers; 0 for none. */
double rcity_upper_median(double *numbers, size_t count);

/* The median of sorted numbers. */
double rcity_median_of_sorted(const double *sorted, size_t count);

#endif

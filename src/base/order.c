/* Sorting numbers, and medians. */
#include "base/order.h"

#include <stdlib.h>

static int compare_doubles(const void *left, const void *right)
{
    double a = *(const double *)left;
    double b = *(const double *)right;
    return (a > b) - (a < b);
}

static int compare_int32s(const void *left, const void *right)
{
    int32_t a = *(const int32_t *)left;
    int32_t b = *(const int32_t *)right;
    return (a > b) - (a < b);
}

void rcity_sort_doubles(double *numbers, size_t count)
{
    if (count > 1) { /* qsort() takes no NULL, not even with nothing to sort */
        qsort(numbers, count, sizeof *numbers, compare_doubles);
    }
}

void rcity_sort_int32s(int32_t *numbers, size_t count)
{
    if (count > 1) {
        qsort(numbers, count, sizeof *numbers, compare_int32s);
    }
}

double rcity_median_of_sorted(const double *sorted, size_t count)
{
    return 0.5 * (sorted[(count - 1) / 2] + sorted[count / 2]);
}

double rcity_median(double *numbers, size_t count)
{
    rcity_sort_doubles(numbers, count);
    return rcity_median_of_sorted(numbers, count);
}

double rcity_upper_median(double *numbers, size_t count)
{
    rcity_sort_doubles(numbers, count);
    return count > 0 ? numbers[count / 2] : 0.0;
}

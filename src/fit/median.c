#include "fit/median.h"

#include <stdlib.h>

static int compare_numbers(const void *a, const void *b)
{
    const double *first = a;
    const double *second = b;
    return (*first > *second) - (*first < *second);
}

double rcity_median(int64_t count, double *numbers)
{
    qsort(numbers, (size_t)count, sizeof *numbers, compare_numbers);
    return 0.5 * (numbers[(count - 1) / 2] + numbers[count / 2]);
}

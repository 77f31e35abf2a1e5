/* The middle of many numbers. */
#ifndef RCITY_FIT_MEDIAN_H
#define RCITY_FIT_MEDIAN_H

#include <stdint.h>

/* Median of at least one number, none of them NAN; of an even count the mean of the two in the middle. The numbers are in
   ascending order afterwards. */
double rcity_median(int64_t count, double *numbers);

#endif

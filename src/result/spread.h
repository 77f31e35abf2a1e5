/* How far weighted values spread around their mean: delays, elevations, and azimuths, which are circular. */
#ifndef RCITY_RESULT_SPREAD_H
#define RCITY_RESULT_SPREAD_H

#include <stddef.h>

typedef struct rcity_weighted {
    double value;
    double weight; /* 0 or more */
} rcity_weighted;

/* Root of the weighted mean square difference from the weighted mean, which goes to `*mean` unless that is NULL.
   Exactly 0 where all values are equal. NAN, with a mean of NAN, where the total weight is 0. */
double rcity_spread_plain(const rcity_weighted *items, size_t count, double *mean);

/* The same on a circle, values in radians: the smallest over all turns of the circle, 3GPP TR 25.996, annex A. Computed
   exactly, not by search. Sorts the items. */
double rcity_spread_circle(rcity_weighted *items, size_t count);

#endif

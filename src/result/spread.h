/* How far weighted values spread around their mean: delays, elevations, and azimuths, which have no ends. */
#ifndef RCITY_RESULT_SPREAD_H
#define RCITY_RESULT_SPREAD_H

#include <stddef.h>

typedef struct rcity_weighted {
    double value;
    double weight; /* 0 or more */
} rcity_weighted;

/* Root of the weighted mean square distance from the weighted mean, which goes to `*mean` unless that is NULL. 0
   exactly where all values are the same. NAN, and a mean of NAN, where nothing has weight. */
double rcity_spread_plain(const rcity_weighted *items, size_t count, double *mean);

/* The same on a circle, values in radians: the smallest over all turns of the circle, 3GPP TR 25.996, annex A. Exact,
   not searched for. Sorts the items. */
double rcity_spread_circle(rcity_weighted *items, size_t count);

#endif

/* Where a transmitter stands, when the files do not quite know: a search over few numbers whose costs are dear. */
#ifndef RCITY_FIT_PLACE_H
#define RCITY_FIT_PLACE_H

#include "base/base.h"

#define RCITY_FIT_PLACE_MAX 3

/* Cost of a shift; infinite where it is not allowed. A failure ends the search. */
typedef rcity_status (*rcity_fit_place_cost)(void *user, const double *shift, double *cost);

typedef struct rcity_fit_place_search {
    int count;                         /* numbers, 1 to RCITY_FIT_PLACE_MAX */
    double reach[RCITY_FIT_PLACE_MAX]; /* each stays within plus and minus this */
    int try_count;                     /* costs that may be asked for, about */
    rcity_fit_place_cost cost;
    void *user;
} rcity_fit_place_search;

/* The shift of least cost: all of the region first (DIRECT), then around the best (Nelder-Mead). No shift at all is always
   tried, and kept where nothing is better. @return RCITY_ERR_UNSUPPORTED without NLopt, what a cost returned. */
rcity_status rcity_fit_find_place(rcity_context *context, const rcity_fit_place_search *search,
                                  double shift[RCITY_FIT_PLACE_MAX], double *cost);

/* How far number `index` may go either way until the cost has grown by `rise`, the others held; at most to its reach. */
rcity_status rcity_fit_place_bounds(const rcity_fit_place_search *search, const double shift[RCITY_FIT_PLACE_MAX],
                                    double cost, double rise, int index, double *low, double *high);

#endif

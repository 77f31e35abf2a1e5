/* Position of a transmitter whose stated position is inexact: a search over few numbers with an expensive cost
   function. */
#ifndef RCITY_FIT_PLACE_H
#define RCITY_FIT_PLACE_H

#include "base/base.h"

#define RCITY_FIT_PLACE_MAX 3

/* Cost of a shift; infinite where it is not allowed. A failure ends the search. */
typedef rcity_status (*rcity_fit_place_cost)(void *user, const double *shift, double *cost);

typedef struct rcity_fit_place_search {
    int count;                         /* numbers, 1 to RCITY_FIT_PLACE_MAX */
    double reach[RCITY_FIT_PLACE_MAX]; /* each stays within plus or minus this */
    int try_count;                     /* approximate limit on evaluations of the cost */
    rcity_fit_place_cost cost;
    void *user;
} rcity_fit_place_search;

/* The shift of least cost: a search over the whole region (DIRECT), then around the best point (Nelder-Mead). The shift
   of 0 is always tried, and kept when nothing is better. @return RCITY_ERR_UNSUPPORTED without NLopt, what a cost
   returned. */
rcity_status rcity_fit_find_place(rcity_context *context, const rcity_fit_place_search *search,
                                  double shift[RCITY_FIT_PLACE_MAX], double *cost);

/* How far number `index` may move in either direction until the cost has grown by `rise`, with the others fixed; at
   most its reach. */
rcity_status rcity_fit_place_bounds(const rcity_fit_place_search *search, const double shift[RCITY_FIT_PLACE_MAX],
                                    double cost, double rise, int index, double *low, double *high);

#endif

/* From several starts to the best parameters. */
#ifndef RCITY_FIT_SEARCH_H
#define RCITY_FIT_SEARCH_H

#include "fit/fit_rounds.h"

/* Find the best parameters of an open work: they are at work->now, evaluated. `last` is the last descent, with its cost
   function and scale. */
rcity_status rcity_fit_search(rcity_fit_work *work, rcity_fit_descent *last);

#endif

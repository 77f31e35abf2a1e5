/* How precisely the parameters of a fit are known. */
#ifndef RCITY_FIT_CONFIDENCE_H
#define RCITY_FIT_CONFIDENCE_H

#include "fit/fit_rounds.h"

/* Fill in numbers[parameter] at work->now; overwrites the sums of the work. @return RCITY_ERR_MEMORY. */
rcity_status rcity_fit_find_confidence(rcity_fit_work *work, const rcity_fit_descent *last, rcity_fit_number *numbers);

#endif

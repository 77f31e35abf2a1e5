/* How many points count as one, because errors that belong together are correlated. */
#ifndef RCITY_FIT_WIDENING_H
#define RCITY_FIT_WIDENING_H

#include "fit/fit_work.h"

/* With fewer groups their scatter is not known. */
#define RCITY_FIT_GROUPS_MIN 3

/* The geometric mean over the parameters of their variance with correlated errors, over that with independent ones, at
   the current place: of errors within blocks (from RCITY_FIT_BLOCKS_MIN on) and within groups (from
   RCITY_FIT_GROUPS_MIN on), whichever is larger; at least 1. Overwrites the sums of the work. @return RCITY_ERR_MEMORY. */
rcity_status rcity_fit_find_widening(rcity_fit_work *work, rcity_fit_loss loss, double scale_db, double *widening);

#endif

/* Intervals of offsets, and of what an offset can take the place of. */
#ifndef RCITY_API_CALIBRATE_OFFSET_H
#define RCITY_API_CALIBRATE_OFFSET_H

#include "api/calibrate_world.h"

/* Widen the intervals of a solution to what the measurements really tell of each transmitter's offset. `values_db` is
   room for a value a point. @return as rcity_fit_solve(). */
rcity_status rcity_calibrate_widen_offsets(rcity_calibrate_world *world, bool is_robust, double *values_db,
                                           rcity_fit_solution *solution);

#endif

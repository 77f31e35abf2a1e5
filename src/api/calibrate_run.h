/* A calibration while it runs, and what is written down of it. */
#ifndef RCITY_API_CALIBRATE_RUN_H
#define RCITY_API_CALIBRATE_RUN_H

#include "api/calibrate_place.h"
#include "api/calibrate_world.h"
#include "result/coefficients.h"

typedef struct rcity_calibration {
    rcity_context *context;
    const rcity_request *request;
    const rcity_measurements *measurements;
    const rcity_calibrate_options *options;
    rcity_calibrate_world world;
    double *values_db;
    rcity_fit_solution solution;
    rcity_calibrate_shift *shifts; /* of each transmitter; NULL: none were asked for */
    rcity_coefficients *made;
} rcity_calibration;

/* calibrate_level.c: where the transmitters are enough to tell by how much their levels differ, and the options do not
   state it, estimate it and fit again with it. */
rcity_status rcity_calibrate_estimate_levels(rcity_calibration *run, const rcity_fit_problem *problem);

/* calibrate_cross.c: predict what was left out of fits near the one that was found: transmitters where there are two or
   more, else pieces of route; transmitters left out widen the intervals of the solution. */
rcity_status rcity_calibrate_cross(rcity_calibration *run, const rcity_fit_problem *problem, const double *found);

/* calibrate_cross.c: error of the same loss everywhere, left out in the same way: a constant of the other transmitters,
   with unknown powers one for each; of all points where pieces of route are left out. `values_db` are measured losses,
   NAN where nothing is predicted. */
double rcity_calibrate_constant_rmse_db(const rcity_calibration *run);

/* calibrate_write.c: coefficients, offsets, corrections and sources of a finished fit, with warnings about them. */
rcity_status rcity_calibrate_write(rcity_calibration *run);

#endif

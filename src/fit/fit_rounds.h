/* Going downhill: choose ways, weigh points, fit, until it settles. */
#ifndef RCITY_FIT_ROUNDS_H
#define RCITY_FIT_ROUNDS_H

#include "fit/fit_work.h"

/* A way down with one loss. */
typedef struct rcity_fit_descent {
    rcity_fit_loss loss;
    bool scale_is_fixed;
    double converged_share; /* a round that promises less than this of scale^2 ends it */
    double stuck_share;     /* and one that keeps so little of much */
    double scale_db;        /* in where it is fixed; out */
    int round_count;        /* out: added to */
    bool has_converged;     /* out */
} rcity_fit_descent;

/* Move to the nearest parameters that meet bounds and constraints. @return RCITY_ERR_ARGUMENT where there are none. */
rcity_status rcity_fit_make_feasible(rcity_fit_work *work, double *parameters);

/* From work->now, evaluated, to where it settles; that is work->now then. `fraction` of the fit is done. */
rcity_status rcity_fit_descend(rcity_fit_work *work, double fraction, rcity_fit_descent *descent);

#endif

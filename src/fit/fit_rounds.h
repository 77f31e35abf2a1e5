/* Descent: choose paths, weight points and fit, repeated until it converges. */
#ifndef RCITY_FIT_ROUNDS_H
#define RCITY_FIT_ROUNDS_H

#include "fit/fit_work.h"

/* One descent with one cost function. */
typedef struct rcity_fit_descent {
    rcity_fit_loss loss;
    bool scale_is_fixed;
    double converged_share; /* a round that predicts a decrease below this share of scale^2 ends it */
    double stuck_share;     /* so does one whose actual decrease is below this and far below the prediction */
    double scale_db;        /* in: the value if it is fixed; out: the result */
    int round_count;        /* in and out: is increased */
    bool has_converged;     /* out */
} rcity_fit_descent;

/* Move to the nearest parameters that meet bounds and constraints. @return RCITY_ERR_ARGUMENT where there are none. */
rcity_status rcity_fit_make_feasible(rcity_fit_work *work, double *parameters);

/* Descend from work->now, which is evaluated, until it converges; work->now is then the result. `fraction` of the fit
   is done. */
rcity_status rcity_fit_descend(rcity_fit_work *work, double fraction, rcity_fit_descent *descent);

#endif

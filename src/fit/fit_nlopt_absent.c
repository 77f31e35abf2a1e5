/* Fits in a build without NLopt: a sentence instead of numbers. */
#include "fit/fit_solve.h"

static rcity_status refuse(rcity_context *context)
{
    return rcity_fail(context, RCITY_ERR_UNSUPPORTED,
                      "cannot fit: this build has no NLopt; install libnlopt-dev and build again");
}

rcity_status rcity_fit_solve(rcity_context *context, const rcity_fit_problem *problem, rcity_fit_solution *solution)
{
    (void)problem;
    (void)solution;
    return refuse(context);
}

rcity_status rcity_fit_cross(rcity_context *context, const rcity_fit_problem *problem, int fold_count,
                             const int32_t *fold, double *predicted_db)
{
    (void)problem;
    (void)fold_count;
    (void)fold;
    (void)predicted_db;
    return refuse(context);
}

/* Fits in a build without NLopt: an error message instead of results. */
#include "absent/absent.h"
#include "fit/fit_place.h"
#include "fit/fit_solve.h"

static rcity_status refuse(rcity_context *context)
{
    return rcity_refuse_absent(context, "NLopt", "libnlopt-dev", "fit", NULL, NULL);
}

rcity_status rcity_fit_solve(rcity_context *context, const rcity_fit_problem *problem, rcity_fit_solution *solution)
{
    (void)problem;
    (void)solution;
    return refuse(context);
}

rcity_status rcity_fit_cross(rcity_context *context, const rcity_fit_problem *problem, int fold_count,
                             const int32_t *fold, double *predicted_db, rcity_fit_fold *folds)
{
    (void)problem;
    (void)fold_count;
    (void)fold;
    (void)predicted_db;
    (void)folds;
    return refuse(context);
}

rcity_status rcity_fit_groups(rcity_context *context, const rcity_fit_problem *problem, double *predicted_db,
                              rcity_fit_solution *solution, int *fitted_count)
{
    (void)problem;
    (void)predicted_db;
    (void)solution;
    (void)fitted_count;
    return refuse(context);
}

rcity_status rcity_fit_find_place(rcity_context *context, const rcity_fit_place_search *search,
                                  double shift[RCITY_FIT_PLACE_MAX], double *cost)
{
    (void)search;
    (void)shift;
    (void)cost;
    return refuse(context);
}

rcity_status rcity_fit_place_bounds(const rcity_fit_place_search *search, const double shift[RCITY_FIT_PLACE_MAX],
                                    double cost, double rise, int index, double *low, double *high)
{
    (void)search;
    (void)shift;
    (void)cost;
    (void)rise;
    (void)index;
    (void)low;
    (void)high;
    return RCITY_ERR_UNSUPPORTED;
}

/* The whole of a fit: search, then confidence. */
#include "fit/fit_solve.h"

#include <assert.h>
#include <string.h>

#include "fit/fit_confidence.h"
#include "fit/fit_search.h"

rcity_status rcity_fit_solve(rcity_context *context, const rcity_fit_problem *problem, rcity_fit_solution *solution)
{
    assert(problem != NULL && solution != NULL);
    rcity_fit_work work;
    rcity_fit_descent last;
    rcity_fit_solution made;
    memset(&made, 0, sizeof made);
    rcity_status status = RCITY_OK;
    RCITY_TRY_DONE(rcity_fit_work_open(context, problem, &work));
    work.progress = (rcity_fit_progress){0.0, 1.0};
    RCITY_TRY_DONE(rcity_fit_search(&work, &last));
    RCITY_TRY_DONE(rcity_fit_find_confidence(&work, &last, made.numbers));
    rcity_fit_sum(&work, work.now, last.loss, last.scale_db, false);
    made.scale_db = last.scale_db;
    made.widening = work.widening;
    made.used_count = work.used_count;
    made.outlier_count = work.sums.lost_count;
    made.round_count = last.round_count;
    made.has_converged = last.has_converged;
    RCITY_TRY_DONE(rcity_progress(context, "fit", 1.0, 1.0));
    *solution = made;
done:
    rcity_fit_work_close(&work);
    return status;
}

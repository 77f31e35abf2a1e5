/* Cross-validation: each fold predicted by a fit that has not seen it. */
#include <assert.h>
#include <string.h>

#include "fit/fit_search.h"

/* Leave out all points of the fold in addition to those left out before. @return whether the fold has a point. */
static bool leave_out(const rcity_fit_problem *problem, int fold_number, const int32_t *fold, bool *is_left_out)
{
    bool has_point = false;
    for (int64_t point = 0; point < problem->point_count; point++) {
        bool is_in_fold = fold[point] == fold_number;
        has_point = has_point || is_in_fold;
        is_left_out[point] = is_in_fold || (problem->is_left_out != NULL && problem->is_left_out[point]);
    }
    return has_point;
}

/* Fit without the fold, then predict it. */
static rcity_status predict_fold(rcity_context *context, const rcity_fit_problem *problem, rcity_fit_progress progress,
                                 int fold_number, const int32_t *fold, double *predicted_db)
{
    rcity_fit_work work;
    rcity_fit_descent last;
    rcity_status status = RCITY_OK;
    RCITY_TRY_DONE(rcity_fit_work_open(context, problem, &work));
    work.progress = progress;
    RCITY_TRY_DONE(rcity_fit_search(&work, &last));
    for (int64_t point = 0; point < problem->point_count; point++) {
        if (fold[point] == fold_number) {
            predicted_db[point] = work.now->values_db[point];
        }
    }
done:
    rcity_fit_work_close(&work);
    return status;
}

rcity_status rcity_fit_cross(rcity_context *context, const rcity_fit_problem *problem, int fold_count,
                             const int32_t *fold, double *predicted_db)
{
    assert(problem != NULL && fold_count > 0 && (problem->point_count == 0 || (fold != NULL && predicted_db != NULL)));
    size_t points = (size_t)problem->point_count;
    bool *is_left_out = NULL;
    double *made_db = NULL;
    rcity_status status = RCITY_OK;
    RCITY_TRY_DONE(rcity_alloc(context, points + 1, sizeof *is_left_out, "points left out", &is_left_out));
    RCITY_TRY_DONE(rcity_alloc(context, points + 1, sizeof *made_db, "crossed values", &made_db));
    rcity_fit_problem part = *problem;
    part.is_left_out = is_left_out;
    for (int number = 0; number < fold_count; number++) {
        if (leave_out(problem, number, fold, is_left_out)) {
            rcity_fit_progress progress = {number, fold_count};
            status = predict_fold(context, &part, progress, number, fold, made_db);
            if (status == RCITY_ERR_ARGUMENT) {
                (void)rcity_fail_prefix(context, status, "without piece %d of %d: ", number + 1, fold_count);
            }
            RCITY_TRY_DONE(status);
        }
    }
    RCITY_TRY_DONE(rcity_progress(context, "fit", fold_count, fold_count));
    if (points > 0) {
        memcpy(predicted_db, made_db, sizeof *made_db * points);
    }
done:
    rcity_release(context, made_db);
    rcity_release(context, is_left_out);
    return status;
}

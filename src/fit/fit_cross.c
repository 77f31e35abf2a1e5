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

/* What a fit without a fold has found. A parameter that no point sees stays where it started, which says nothing. */
static void keep_fold(const rcity_fit_work *work, rcity_fit_fold *kept)
{
    int n = work->n;
    kept->is_fitted = true;
    for (int i = 0; i < n; i++) {
        kept->parameters[i] = work->now->parameters[i];
        const rcity_fit_parameter *parameter = &work->problem->parameters[i];
        kept->is_seen[i] = isfinite(parameter->spread) && !parameter->is_effect;
        for (int64_t k = 0; k < work->used_count && !kept->is_seen[i]; k++) {
            kept->is_seen[i] = work->now->slopes[work->used[k] * n + i] != 0.0;
        }
    }
}

/* Fit without the fold, then predict it. */
static rcity_status predict_fold(rcity_context *context, const rcity_fit_problem *problem, rcity_fit_progress progress,
                                 int fold_number, const int32_t *fold, double *predicted_db, rcity_fit_fold *kept)
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
    if (kept != NULL) {
        keep_fold(&work, kept);
    }
done:
    rcity_fit_work_close(&work);
    return status;
}

rcity_status rcity_fit_cross(rcity_context *context, const rcity_fit_problem *problem, int fold_count,
                             const int32_t *fold, double *predicted_db, rcity_fit_fold *folds)
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
    for (size_t point = 0; point < points; point++) {
        made_db[point] = (double)NAN;
    }
    for (int number = 0; number < fold_count; number++) {
        rcity_fit_fold *kept = folds != NULL ? &folds[number] : NULL;
        if (kept != NULL) {
            memset(kept, 0, sizeof *kept);
        }
        if (leave_out(problem, number, fold, is_left_out)) {
            rcity_fit_progress progress = {number, fold_count};
            status = predict_fold(context, &part, progress, number, fold, made_db, kept);
            if (status == RCITY_ERR_ARGUMENT && kept != NULL) {
                continue;
            }
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

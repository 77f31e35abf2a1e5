/* Levels at the points of a job. */
#include <math.h>

#include "method/shadow/shadow_job.h"
#include "method/shadow/trace/shadow_points.h"

static void clear_unserved(const rcity_job *job, const rcity_tx *tx, const bool *is_served,
                           const rcity_point_levels *levels)
{
    bool has_power = !isnan(tx->stated.power_dbm);
    for (int64_t i = 0; i < job->receivers->point_count; i++) {
        levels->loss_db[i] = is_served[i] ? levels->loss_db[i] : NAN;
        levels->received_dbm[i] = is_served[i] && has_power ? levels->received_dbm[i] : NAN;
        if (levels->mechanism != NULL && !is_served[i]) {
            levels->mechanism[i] = NAN;
        }
    }
}

rcity_status rcity_shadow_evaluate_points(const rcity_job *job, const rcity_shadow_traced *traced, const rcity_tx *tx,
                                          const rcity_point_levels *levels)
{
    rcity_shadow_weights weights;
    const float *pattern;
    int64_t pattern_count;
    RCITY_TRY(rcity_shadow_make_weights(job, tx, &weights, &pattern, &pattern_count));
    rcity_shadow_bands bands = {
        .loss_db = levels->loss_db, .received_dbm = levels->received_dbm, .mechanism = levels->mechanism};
    RCITY_TRY(rcity_shadow_points_weigh(traced->receivers.points, &weights, pattern, &bands));
    clear_unserved(job, tx, traced->receivers.is_served, levels);
    return RCITY_OK;
}

/* Levels at the points of a job. */
#include <math.h>

#include "method/receiver_plane.h"
#include "method/shadow/shadow_job.h"
#include "method/shadow/shadow_points.h"

/* The job's points on the grid; those off the terrain lie where the source is, and get nothing in the end. */
static rcity_status place_points(const rcity_job *job, rcity_grid_point3 source, rcity_grid_point3 *places,
                                 rcity_receiver_state *states)
{
    rcity_point *positions = NULL;
    rcity_status status;
    size_t count = (size_t)job->receivers->point_count;
    RCITY_TRY_DONE(rcity_alloc(job->context, count, sizeof *positions, "receivers", &positions));
    RCITY_TRY_DONE(rcity_receiver_points_locate(job, positions, states));
    for (size_t i = 0; i < count; i++) {
        places[i] = source;
        if (states[i] != RCITY_RECEIVER_OUTSIDE) {
            RCITY_TRY_DONE(rcity_shapes_snap(job->context, job->shapes, &positions[i], &places[i]));
        }
    }
done:
    rcity_release(job->context, positions);
    return status;
}

/* Nothing where there is no ground, nor inside unless indoor levels are asked for. */
static void clear_unserved(const rcity_job *job, const rcity_receiver_state *states, const rcity_point_levels *levels)
{
    bool reaches_indoor = rcity_shadow_read_indoor(job) == RCITY_SHADOW_INDOOR_WALLS;
    bool has_power = !isnan(job->transmitters[0].power_dbm);
    for (int64_t i = 0; i < job->receivers->point_count; i++) {
        bool is_served =
            states[i] != RCITY_RECEIVER_OUTSIDE && (states[i] != RCITY_RECEIVER_IN_BUILDING || reaches_indoor);
        levels->loss_db[i] = is_served ? levels->loss_db[i] : NAN;
        levels->received_dbm[i] = is_served && has_power ? levels->received_dbm[i] : NAN;
        if (levels->mechanism != NULL && !is_served) {
            levels->mechanism[i] = NAN;
        }
    }
}

rcity_status rcity_shadow_evaluate_points(const rcity_job *job, const void *kept, int tx_index,
                                          const rcity_point_levels *levels)
{
    const rcity_shadow_prepared *prepared = kept;
    rcity_context *context = job->context;
    size_t count = (size_t)job->receivers->point_count;
    rcity_shadow_choice choice = rcity_shadow_read_choice(job);
    rcity_grid_point3 *places = NULL;
    rcity_receiver_state *states = NULL;
    rcity_shadow_points *points = NULL;
    rcity_grid_point3 source;
    rcity_shadow_weights weights;
    const float *pattern;
    int64_t pattern_count;
    rcity_status status;
    RCITY_TRY(rcity_shadow_place_source(job, &source));
    RCITY_TRY(rcity_shadow_make_weights(job, tx_index, &weights, &pattern, &pattern_count));
    RCITY_TRY_DONE(rcity_alloc(context, count, sizeof *places, "receivers", &places));
    RCITY_TRY_DONE(rcity_alloc(context, count, sizeof *states, "receivers", &states));
    RCITY_TRY_DONE(place_points(job, source, places, states));
    RCITY_TRY_DONE(rcity_shadow_points_trace(context, job->shapes, prepared->sight, &choice, source, (int64_t)count,
                                             places, &points));
    rcity_shadow_bands bands = {
        .loss_db = levels->loss_db, .received_dbm = levels->received_dbm, .mechanism = levels->mechanism};
    rcity_shadow_points_weigh(points, &weights, pattern, &bands);
    clear_unserved(job, states, levels);
done:
    rcity_shadow_points_destroy(&points);
    rcity_release(context, states);
    rcity_release(context, places);
    return status;
}

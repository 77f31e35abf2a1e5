/* The points of a job, with positions on the grid and their paths. */
#include <math.h>

#include "method/receiver_plane.h"
#include "method/shadow/shadow_job.h"
#include "method/shadow/trace/shadow_points.h"

/* The job's points on the grid. Those off the terrain are put at the source, and get no level in the end. */
static rcity_status place_points(const rcity_job *job, rcity_grid_point3 source, rcity_grid_point3 *places,
                                 rcity_shadow_receivers *receivers)
{
    rcity_point *positions = NULL;
    rcity_receiver_state *states = NULL;
    rcity_status status;
    size_t count = (size_t)job->receivers->point_count;
    bool reaches_indoor = rcity_shadow_read_indoor(job) == RCITY_SHADOW_INDOOR_WALLS;
    RCITY_TRY_DONE(rcity_alloc(job->context, count, sizeof *positions, "receivers", &positions));
    RCITY_TRY_DONE(rcity_alloc(job->context, count, sizeof *states, "receivers", &states));
    RCITY_TRY_DONE(rcity_receiver_points_locate(job, positions, states));
    for (size_t i = 0; i < count; i++) {
        places[i] = source;
        if (states[i] != RCITY_RECEIVER_OUTSIDE) {
            RCITY_TRY_DONE(rcity_shapes_snap(job->context, job->shapes, &positions[i], &places[i]));
        }
        /* not where there is no ground, nor indoors unless indoor levels are requested */
        receivers->is_served[i] =
            states[i] != RCITY_RECEIVER_OUTSIDE && (states[i] != RCITY_RECEIVER_IN_BUILDING || reaches_indoor);
        receivers->heights_m[i] = (float)job->receivers->xyh_m[3 * i + 2];
    }
done:
    rcity_release(job->context, states);
    rcity_release(job->context, positions);
    return status;
}

rcity_status rcity_shadow_receivers_init(const rcity_job *job, const rcity_shadow_prepared *prepared,
                                         rcity_grid_point3 source, rcity_shadow_receivers *receivers)
{
    rcity_context *context = job->context;
    size_t count = (size_t)job->receivers->point_count;
    rcity_shadow_choice choice = rcity_shadow_read_choice(job);
    choice.built_up = prepared->built_up;
    rcity_grid_point3 *places = NULL;
    rcity_status status;
    *receivers = (rcity_shadow_receivers){NULL, NULL, NULL};
    RCITY_TRY_DONE(rcity_alloc(context, count, sizeof *places, "receivers", &places));
    RCITY_TRY_DONE(rcity_alloc(context, count, sizeof *receivers->is_served, "receivers", &receivers->is_served));
    RCITY_TRY_DONE(rcity_alloc(context, count, sizeof *receivers->heights_m, "receivers", &receivers->heights_m));
    RCITY_TRY_DONE(place_points(job, source, places, receivers));
    RCITY_TRY_DONE(rcity_shadow_points_trace(context, job->shapes, prepared->sight, &choice, source, (int64_t)count,
                                             places, &receivers->points));
    rcity_shadow_points_set_heights(receivers->points, receivers->heights_m);
done:
    rcity_release(context, places);
    if (status != RCITY_OK) {
        rcity_shadow_receivers_deinit(context, receivers);
    }
    return status;
}

void rcity_shadow_receivers_deinit(rcity_context *context, rcity_shadow_receivers *receivers)
{
    rcity_shadow_points_destroy(&receivers->points);
    rcity_release(context, receivers->heights_m);
    rcity_release(context, receivers->is_served);
    *receivers = (rcity_shadow_receivers){NULL, NULL, NULL};
}

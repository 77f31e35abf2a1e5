/* The stages of `shadow` before weights come: planes of receivers on the device, then the ways of a transmitter. */
#include <string.h>

#include "method/shadow/shadow_job.h"

rcity_status rcity_shadow_place_source(const rcity_job *job, rcity_grid_point3 *source)
{
    return rcity_shapes_snap(job->context, job->shapes, &job->tx_position[0], source);
}

static rcity_status open_planes(const rcity_job *job, rcity_shadow_prepared *made)
{
    rcity_context *context = job->context;
    size_t count = (size_t)job->receivers->height_count;
    rcity_shadow_choice choice = rcity_shadow_read_choice(job);
    RCITY_TRY(rcity_alloc(context, count, sizeof *made->planes, "planes of receivers", &made->planes));
    RCITY_TRY(rcity_alloc(context, count, sizeof(rcity_shadow_stage *), "planes of receivers", &made->stages));
    RCITY_TRY(rcity_alloc(context, count, sizeof(rcity_shadow_trace *), "planes of receivers", &made->traces));
    for (size_t i = 0; i < count; i++) {
        RCITY_TRY(rcity_los_plane_init(context, job->shapes, made->sight, &job->raster, job->receivers->height_m[i],
                                       &made->planes[i]));
        made->plane_count++;
        RCITY_TRY(rcity_shadow_stage_open(context, job->device, &made->planes[i], &choice, &made->stages[i]));
    }
    return RCITY_OK;
}

rcity_status rcity_shadow_prepare(const rcity_job *job, void **prepared)
{
    rcity_shadow_prepared *made = NULL;
    rcity_status status;
    RCITY_TRY(rcity_alloc(job->context, 1, sizeof *made, "planes of receivers", &made));
    RCITY_TRY_DONE(rcity_sight_create(job->context, job->shapes, &made->sight));
    if (job->receivers->point_count == 0) {
        RCITY_TRY_DONE(open_planes(job, made));
    }
    *prepared = made;
    made = NULL;
done:
    rcity_shadow_release_prepared(job->context, made);
    return status;
}

static void forget(rcity_shadow_prepared *kept)
{
    for (int i = 0; i < kept->plane_count; i++) {
        rcity_shadow_trace_destroy(&kept->traces[i]);
    }
}

void rcity_shadow_release_prepared(rcity_context *context, void *prepared)
{
    rcity_shadow_prepared *made = prepared;
    if (made == NULL) {
        return;
    }
    forget(made);
    for (int i = 0; i < made->plane_count; i++) {
        rcity_shadow_stage_close(&made->stages[i]);
        rcity_los_plane_deinit(context, &made->planes[i]);
    }
    rcity_release(context, made->traces);
    rcity_release(context, made->stages);
    rcity_release(context, made->planes);
    rcity_sight_destroy(context, &made->sight);
    rcity_release(context, made);
}

/* What was traced stays with what was prepared, for the next sector of the same mast. */
rcity_status rcity_shadow_trace_job(const rcity_job *job, const void *prepared, void **traced)
{
    rcity_shadow_prepared *kept;
    memcpy(&kept, &prepared, sizeof prepared); /* it is the method's own, and one job runs at a time */
    rcity_grid_point3 source;
    RCITY_TRY(rcity_shadow_place_source(job, &source));
    bool is_same = kept->plane_count > 0 && kept->traces[0] != NULL && source.x == kept->source.x &&
                   source.y == kept->source.y && source.z == kept->source.z;
    if (!is_same) {
        forget(kept);
        kept->source = source;
    }
    for (int i = 0; i < kept->plane_count && !is_same; i++) {
        rcity_status status = rcity_shadow_stage_trace(kept->stages[i], 1, &source, &kept->traces[i]);
        if (status != RCITY_OK) {
            forget(kept);
            return status;
        }
    }
    *traced = kept;
    return RCITY_OK;
}

/* The steps of `shadow` before weights are known: planes of receivers, their tracers on the device, then the paths of
   transmitters. */
#include <limits.h>
#include <string.h>

#include "method/shadow/shadow_job.h"

static rcity_status open_planes(const rcity_job *job, rcity_shadow_prepared *made)
{
    size_t count = (size_t)job->receivers->height_count;
    RCITY_TRY(rcity_alloc(job->context, count, sizeof *made->planes, "planes of receivers", &made->planes));
    for (size_t i = 0; i < count; i++) {
        RCITY_TRY(rcity_los_plane_init(job->context, job->shapes, made->sight, &job->raster,
                                       job->receivers->height_m[i], &made->planes[i]));
        made->plane_count++;
    }
    return RCITY_OK;
}

rcity_status rcity_shadow_prepare(const rcity_job *job, void **prepared)
{
    rcity_shadow_prepared *made = NULL;
    rcity_status status;
    RCITY_TRY(rcity_alloc(job->context, 1, sizeof *made, "planes of receivers", &made));
    RCITY_TRY_DONE(rcity_sight_create(job->context, job->shapes, &made->sight));
    RCITY_TRY_DONE(rcity_built_up_create(job->context, job->shapes, &made->built_up));
    if (job->receivers->point_count == 0) {
        RCITY_TRY_DONE(open_planes(job, made));
    }
    *prepared = made;
    made = NULL;
done:
    rcity_shadow_release_prepared(job->context, made);
    return status;
}

void rcity_shadow_release_prepared(rcity_context *context, void *prepared)
{
    rcity_shadow_prepared *made = prepared;
    if (made == NULL) {
        return;
    }
    for (int i = 0; i < made->plane_count; i++) {
        rcity_los_plane_deinit(context, &made->planes[i]);
    }
    rcity_release(context, made->planes);
    rcity_built_up_destroy(context, &made->built_up);
    rcity_sight_destroy(context, &made->sight);
    rcity_release(context, made);
}

rcity_status rcity_shadow_open_workspace(const rcity_job *job, const void *prepared, void **workspace)
{
    const rcity_shadow_prepared *from = prepared;
    rcity_shadow_choice choice = rcity_shadow_read_choice(job);
    choice.built_up = from->built_up;
    rcity_shadow_workspace *made = NULL;
    rcity_status status;
    RCITY_TRY(rcity_alloc(job->context, 1, sizeof *made, "planes of receivers", &made));
    RCITY_TRY_DONE(rcity_alloc(job->context, (size_t)from->plane_count + 1, sizeof(rcity_shadow_tracer *),
                               "planes of receivers", &made->tracers));
    for (int i = 0; i < from->plane_count; i++) {
        RCITY_TRY_DONE(
            rcity_shadow_tracer_open(job->context, job->device, &from->planes[i], &choice, &made->tracers[i]));
        made->tracer_count++;
    }
    *workspace = made;
    made = NULL;
done:
    rcity_shadow_close_workspace(job->context, made);
    return status;
}

void rcity_shadow_close_workspace(rcity_context *context, void *workspace)
{
    rcity_shadow_workspace *made = workspace;
    if (made == NULL) {
        return;
    }
    for (int i = 0; i < made->tracer_count; i++) {
        rcity_shadow_tracer_close(&made->tracers[i]);
    }
    rcity_release(context, made->tracers);
    rcity_release(context, made);
}

int rcity_shadow_batch_size(const void *workspace)
{
    const rcity_shadow_workspace *made = workspace;
    int size = made->tracer_count > 0 ? INT_MAX : 1;
    for (int i = 0; i < made->tracer_count; i++) {
        int most = rcity_shadow_tracer_batch_size(made->tracers[i]);
        size = most < size ? most : size;
    }
    return size;
}

void rcity_shadow_release_trace(rcity_context *context, void *trace)
{
    rcity_shadow_traced *made = trace;
    if (made == NULL) {
        return;
    }
    for (int i = 0; i < made->plane_count; i++) {
        rcity_shadow_trace_destroy(&made->planes[i]);
    }
    rcity_shadow_receivers_deinit(context, &made->receivers);
    rcity_release(context, made->planes);
    rcity_release(context, made);
}

/* All transmitters on one plane. `found` has room for their traces. */
static rcity_status trace_plane(rcity_shadow_tracer *tracer, int count, const rcity_grid_point3 *sources,
                                rcity_shadow_trace **found, rcity_shadow_traced **made)
{
    RCITY_TRY(rcity_shadow_tracer_trace(tracer, count, sources, found));
    for (int i = 0; i < count; i++) {
        made[i]->planes[made[i]->plane_count++] = found[i];
    }
    return RCITY_OK;
}

static rcity_status trace_all(const rcity_job *job, const rcity_shadow_prepared *prepared,
                              rcity_shadow_workspace *workspace, int count, const rcity_grid_point3 *sources,
                              rcity_shadow_traced **made)
{
    rcity_shadow_trace **found = NULL;
    for (int i = 0; i < count; i++) {
        RCITY_TRY(rcity_alloc(job->context, 1, sizeof **made, "paths to receivers", &made[i]));
        RCITY_TRY(rcity_alloc(job->context, (size_t)workspace->tracer_count + 1, sizeof(rcity_shadow_trace *),
                              "paths to receivers", &made[i]->planes));
        if (job->receivers->point_count > 0) {
            RCITY_TRY(rcity_shadow_receivers_init(job, prepared, sources[i], &made[i]->receivers));
        }
    }
    RCITY_TRY(rcity_alloc(job->context, (size_t)count, sizeof(rcity_shadow_trace *), "transmitters", &found));
    rcity_status status = RCITY_OK;
    for (int i = 0; i < workspace->tracer_count && status == RCITY_OK; i++) {
        status = trace_plane(workspace->tracers[i], count, sources, found, made);
    }
    rcity_release(job->context, found);
    return status;
}

rcity_status rcity_shadow_trace_batch(const rcity_job *job, const void *prepared, void *workspace, int count,
                                      const rcity_tx *transmitters, void **traces)
{
    rcity_grid_point3 *sources = NULL;
    rcity_shadow_traced **made = NULL;
    rcity_status status;
    RCITY_TRY_DONE(rcity_alloc(job->context, (size_t)count, sizeof *sources, "transmitters", &sources));
    RCITY_TRY_DONE(rcity_alloc(job->context, (size_t)count, sizeof(rcity_shadow_traced *), "transmitters", &made));
    for (int i = 0; i < count; i++) {
        RCITY_TRY_DONE(rcity_shapes_snap(job->context, job->shapes, &transmitters[i].position, &sources[i]));
    }
    RCITY_TRY_DONE(trace_all(job, prepared, workspace, count, sources, made));
    for (int i = 0; i < count; i++) {
        traces[i] = made[i];
        made[i] = NULL;
    }
done:
    for (int i = 0; made != NULL && i < count; i++) {
        rcity_shadow_release_trace(job->context, made[i]);
    }
    rcity_release(job->context, made);
    rcity_release(job->context, sources);
    return status;
}

/* A prediction from request to map: check, estimate, prepare, trace, evaluate. */
#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "method/method.h"

rcity_request rcity_request_default(void)
{
    rcity_request request;
    memset(&request, 0, sizeof request);
    request.method = "free-space";
    request.transmitter = rcity_transmitter_default();
    request.receivers = rcity_receivers_default();
    return request;
}

/* Everything that can be said about a request before work starts. `tx` is where the antenna stands; the job
   borrows it. */
static rcity_status make_job(rcity_context *context, const rcity_scene *scene, rcity_device *device,
                             const rcity_request *request, rcity_point *tx, rcity_job *job)
{
    memset(job, 0, sizeof *job);
    job->context = context;
    job->scene = scene;
    job->device = device;
    job->shapes = rcity_scene_shapes(scene);
    RCITY_CHECK(context, job->shapes != NULL, RCITY_ERR_STATE, "the scene is not committed yet");
    RCITY_TRY(rcity_method_find(context, request->method, &job->method));
    RCITY_TRY(rcity_method_read_options(job, request));
    RCITY_TRY(rcity_transmitter_locate(context, scene, &request->transmitter, tx));
    job->transmitter_count = 1;
    job->transmitters = &request->transmitter;
    job->tx_position = tx;
    job->receivers = &request->receivers;
    unsigned needed = request->receivers.point_count > 0 ? RCITY_SERVES_POINTS : RCITY_SERVES_RASTER;
    RCITY_CHECK(context, (job->method->info.serves & needed) != 0, RCITY_ERR_UNSUPPORTED,
                "method '%s' does not serve %s", request->method, needed == RCITY_SERVES_POINTS ? "points" : "rasters");
    if (request->receivers.point_count == 0) {
        RCITY_TRY(rcity_receivers_get_raster(context, scene, &request->receivers, &job->raster));
    }
    return job->method->check != NULL ? job->method->check(job) : RCITY_OK;
}

static rcity_status estimate_job(const rcity_job *job, rcity_estimate *estimate)
{
    rcity_estimate made;
    memset(&made, 0, sizeof made);
    double cells = (double)job->raster.column_count * (double)job->raster.row_count;
    double planes = (double)job->receivers->height_count;
    bool is_raster = job->receivers->point_count == 0;
    /* a trillion cells would overflow what follows; nothing of that size can run */
    RCITY_CHECK(job->context, cells * planes < 1e15, RCITY_ERR_MEMORY,
                "the raster has %.3g cells; use a larger --cell or a smaller area", cells);
    RCITY_TRY(job->method->estimate(job, &made.memory_bytes, &made.seconds));
    made.receiver_count = is_raster ? (int64_t)(cells * planes) : job->receivers->point_count;
    /* a raster has its bands, loss and one more; a point its loss twice, until the caller has it */
    made.memory_bytes += (uint64_t)((double)made.receiver_count * 2.0 * sizeof(float));
    made.raster = job->raster;
    made.transmitter = job->tx_position[0];
    *estimate = made;
    return RCITY_OK;
}

rcity_status rcity_predict_estimate(rcity_context *context, const rcity_scene *scene, const rcity_request *request,
                                    rcity_estimate *estimate)
{
    assert(context != NULL && scene != NULL && request != NULL && estimate != NULL);
    rcity_job job;
    rcity_point tx;
    RCITY_TRY(make_job(context, scene, NULL, request, &tx, &job));
    return estimate_job(&job, estimate);
}

/* Refuse before hours of work what would fail at their end. */
static rcity_status check_memory(const rcity_job *job)
{
    rcity_estimate estimate;
    RCITY_TRY(estimate_job(job, &estimate));
    uint64_t used = rcity_context_memory_used(job->context);
    uint64_t limit = rcity_context_memory_limit(job->context);
    char need_text[32];
    char limit_text[32];
    RCITY_CHECK(
        job->context, used <= limit && estimate.memory_bytes <= limit - used, RCITY_ERR_MEMORY,
        "the prediction of %.4g receivers needs %s, the limit is %s; use a larger --cell, a smaller area or raise "
        "--memory",
        (double)estimate.receiver_count, rcity_format_bytes((double)(used + estimate.memory_bytes), need_text),
        rcity_format_bytes((double)limit, limit_text));
    return RCITY_OK;
}

rcity_status rcity_predict_check(rcity_context *context, const rcity_scene *scene, const rcity_request *request)
{
    assert(context != NULL && scene != NULL && request != NULL);
    rcity_job job;
    rcity_point tx;
    RCITY_TRY(make_job(context, scene, NULL, request, &tx, &job));
    return check_memory(&job);
}

/* All receiver heights, separated by commas. */
static rcity_status note_heights(const rcity_job *job, rcity_map *map)
{
    char text[32 * RCITY_RX_HEIGHT_COUNT_MAX] = "";
    size_t used = 0;
    for (int i = 0; i < job->receivers->height_count; i++) {
        used +=
            (size_t)snprintf(text + used, sizeof text - used, "%s%.10g", i > 0 ? "," : "", job->receivers->height_m[i]);
    }
    return rcity_map_add_note(map, "rx_height_m", "%s", text);
}

/* Options are noted under their names, with underscores as in all notes. */
static rcity_status note_option(const rcity_job *job, int option_index, rcity_map *map)
{
    char key[64];
    snprintf(key, sizeof key, "%s", job->method->info.options[option_index].name);
    for (char *letter = strchr(key, '-'); letter != NULL; letter = strchr(letter, '-')) {
        *letter = '_';
    }
    return rcity_map_add_note(map, key, "%s", job->option[option_index]);
}

/* What a reader of the map must know to make it again; nothing that varies from run to run. */
static rcity_status note_job(const rcity_job *job, rcity_map *map)
{
    const rcity_transmitter *transmitter = &job->transmitters[0];
    RCITY_TRY(rcity_map_add_note(map, "version", "%s", rcity_version()));
    RCITY_TRY(rcity_map_add_note(map, "method", "%s", job->method->info.name));
    RCITY_TRY(rcity_map_add_note(map, "frequency_mhz", "%.10g", transmitter->frequency_hz * 1e-6));
    RCITY_TRY(rcity_map_add_note(map, "tx_x_m", "%.10g", transmitter->x_m));
    RCITY_TRY(rcity_map_add_note(map, "tx_y_m", "%.10g", transmitter->y_m));
    RCITY_TRY(rcity_map_add_note(map, "tx_height_m", "%.10g", transmitter->height_m));
    RCITY_TRY(rcity_map_add_note(map, "tx_height_from", "%s", transmitter->is_absolute ? "datum" : "ground"));
    RCITY_TRY(note_heights(job, map));
    RCITY_TRY(rcity_map_add_note(map, "cell_m", "%.10g", job->raster.cell_m));
    for (int i = 0; i < job->method->info.option_count; i++) {
        RCITY_TRY(note_option(job, i, map));
    }
    RCITY_TRY(rcity_map_add_note(map, "scene_source", "%s", rcity_scene_source(job->scene)));
    return rcity_map_add_note(map, "scene_hash", "%s", job->shapes->hash);
}

/* Run the method's stages; exactly one of `map` and `loss_db` is given. */
static rcity_status run_stages(const rcity_job *job, rcity_map *map, float *loss_db)
{
    const rcity_method *method = job->method;
    void *prepared = NULL;
    void *traced = NULL;
    rcity_status status = RCITY_OK;
    if (method->prepare != NULL) {
        RCITY_TRY_DONE(method->prepare(job, &prepared));
    }
    if (method->trace != NULL) {
        RCITY_TRY_DONE(method->trace(job, prepared, &traced));
    }
    status =
        map != NULL ? method->evaluate_raster(job, traced, 0, map) : method->evaluate_points(job, traced, 0, loss_db);
done:
    if (traced != NULL) {
        method->release_traced(job->context, traced);
    }
    if (prepared != NULL) {
        method->release_prepared(job->context, prepared);
    }
    return status;
}

rcity_status rcity_predict(rcity_context *context, const rcity_scene *scene, rcity_device *device,
                           const rcity_request *request, rcity_map **map)
{
    assert(context != NULL && scene != NULL && device != NULL && request != NULL && map != NULL);
    RCITY_CHECK(context, request->receivers.point_count == 0, RCITY_ERR_ARGUMENT,
                "the request has points; use rcity_predict_points()");
    rcity_job job;
    rcity_point tx;
    rcity_map *made = NULL;
    rcity_status status;
    RCITY_TRY(make_job(context, scene, device, request, &tx, &job));
    RCITY_TRY(check_memory(&job));
    RCITY_TRY_DONE(rcity_map_create(context, &job.raster, rcity_scene_crs(scene), &made));
    RCITY_TRY_DONE(note_job(&job, made));
    RCITY_TRY_DONE(run_stages(&job, made, NULL));
    *map = made;
    made = NULL;
done:
    rcity_map_destroy(&made);
    return status;
}

rcity_status rcity_predict_points(rcity_context *context, const rcity_scene *scene, rcity_device *device,
                                  const rcity_request *request, float *loss_db)
{
    assert(context != NULL && scene != NULL && device != NULL && request != NULL && loss_db != NULL);
    RCITY_CHECK(context, request->receivers.point_count > 0 && request->receivers.xyh_m != NULL, RCITY_ERR_ARGUMENT,
                "the request has no points");
    rcity_job job;
    rcity_point tx;
    float *values = NULL;
    RCITY_TRY(make_job(context, scene, device, request, &tx, &job));
    RCITY_TRY(check_memory(&job));
    size_t count = (size_t)request->receivers.point_count;
    RCITY_TRY(rcity_alloc(context, count, sizeof *values, "losses", &values));
    rcity_status status = run_stages(&job, NULL, values);
    if (status == RCITY_OK) {
        memcpy(loss_db, values, count * sizeof *values);
    }
    rcity_release(context, values);
    return status;
}

/* A prediction from request to result: check, estimate, prepare, trace, evaluate, weigh. */
#include "api/prediction.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/angle.h"
#include "method/received_power.h"
#include "radiocity/crs.h"
#include "scene/antenna_data.h"
#include "scene/place/cover.h"

/* Where the antenna looks on the grid: azimuths count from true north, the grid's north is another. */
static rcity_status find_azimuth(rcity_prediction *prediction)
{
    const rcity_transmitter *transmitter = &prediction->transmitter;
    const rcity_job *job = &prediction->job;
    double tilt_rad = rcity_angle_rad(transmitter->mechanical_tilt_deg);
    bool is_weighed = job->method->knows_antennas || !isnan(transmitter->power_dbm);
    if (!is_weighed || rcity_antenna_is_round(transmitter->antenna, tilt_rad)) {
        return RCITY_OK; /* no need to know where north is, which a scene or a build may not be able to tell */
    }
    double convergence_deg;
    RCITY_TRY(rcity_crs_get_convergence(job->context, rcity_scene_crs(job->scene), transmitter->x_m, transmitter->y_m,
                                        &convergence_deg));
    prediction->tx_azimuth_rad = rcity_angle_rad(transmitter->azimuth_deg - convergence_deg);
    return RCITY_OK;
}

rcity_status rcity_prediction_init(rcity_context *context, const rcity_scene *scene, rcity_device *device,
                                   const rcity_request *request, const rcity_transmitter *transmitter,
                                   rcity_prediction *prediction)
{
    memset(prediction, 0, sizeof *prediction);
    prediction->transmitter = *transmitter;
    prediction->coefficients = request->coefficients;
    rcity_job *job = &prediction->job;
    job->context = context;
    job->scene = scene;
    job->device = device;
    job->shapes = rcity_scene_shapes(scene);
    RCITY_CHECK(context, job->shapes != NULL, RCITY_ERR_STATE, "the scene is not committed yet");
    RCITY_TRY(rcity_method_find(context, request->method, &job->method));
    RCITY_TRY(rcity_method_read_options(job, request));
    RCITY_TRY(rcity_transmitter_locate(context, scene, transmitter, &prediction->tx_position));
    job->transmitter_count = 1;
    job->transmitters = &prediction->transmitter;
    job->tx_position = &prediction->tx_position;
    job->tx_azimuth_rad = &prediction->tx_azimuth_rad;
    job->receivers = &request->receivers;
    job->range_policy = request->range_policy;
    RCITY_TRY(find_azimuth(prediction));
    RCITY_CHECK(context, fabs(request->receivers.gain_dbi) <= RCITY_RX_GAIN_MAX_DBI, RCITY_ERR_ARGUMENT,
                "the receivers' gain is %g dBi, must be within %g dBi", request->receivers.gain_dbi,
                RCITY_RX_GAIN_MAX_DBI);
    unsigned needed = request->receivers.point_count > 0 ? RCITY_SERVES_POINTS : RCITY_SERVES_RASTER;
    RCITY_CHECK(context, (job->method->info.serves & needed) != 0, RCITY_ERR_UNSUPPORTED,
                "method '%s' does not serve %s", request->method, needed == RCITY_SERVES_POINTS ? "points" : "rasters");
    if (request->receivers.point_count == 0) {
        RCITY_TRY(rcity_receivers_get_raster(context, scene, &request->receivers, &job->raster));
    }
    return job->method->check != NULL ? job->method->check(job) : RCITY_OK;
}

rcity_status rcity_prediction_estimate(const rcity_prediction *prediction, rcity_estimate *estimate)
{
    const rcity_job *job = &prediction->job;
    rcity_estimate made;
    memset(&made, 0, sizeof made);
    double cells = (double)job->raster.column_count * (double)job->raster.row_count;
    double planes = (double)job->receivers->height_count;
    bool is_raster = job->receivers->point_count == 0;
    /* a trillion cells would overflow what follows; nothing of that size can run */
    RCITY_CHECK(job->context, cells * planes < 1e15, RCITY_ERR_MEMORY,
                "the raster has %.3g cells; use a larger `cell` or a smaller area", cells);
    RCITY_TRY(job->method->estimate(job, &made.memory_bytes, &made.seconds));
    made.receiver_count = is_raster ? (int64_t)(cells * planes) : job->receivers->point_count;
    /* loss and one more band of the method, or a point's loss twice until the caller has it; received power */
    bool has_power = !isnan(job->transmitters[0].power_dbm);
    made.memory_bytes += (uint64_t)((double)made.receiver_count * (has_power ? 3.0 : 2.0) * sizeof(float));
    made.memory_bytes += is_raster ? (uint64_t)(cells * sizeof(float)) : 0; /* the roofs */
    made.raster = job->raster;
    made.transmitter = job->tx_position[0];
    *estimate = made;
    return RCITY_OK;
}

bool rcity_prediction_fits(const rcity_prediction *prediction, const rcity_estimate *estimate)
{
    uint64_t used = rcity_context_memory_used(prediction->job.context);
    uint64_t limit = rcity_context_memory_limit(prediction->job.context);
    return used <= limit && estimate->memory_bytes <= limit - used;
}

rcity_status rcity_prediction_check_memory(const rcity_prediction *prediction, const rcity_estimate *estimate)
{
    rcity_context *context = prediction->job.context;
    uint64_t used = rcity_context_memory_used(context);
    uint64_t limit = rcity_context_memory_limit(context);
    char need_text[32];
    char limit_text[32];
    RCITY_CHECK(
        context, rcity_prediction_fits(prediction, estimate), RCITY_ERR_MEMORY,
        "the prediction of %.4g receivers needs %s, the limit is %s; use a larger `cell`, a smaller area or raise "
        "`memory`",
        (double)estimate->receiver_count, rcity_format_bytes((double)(used + estimate->memory_bytes), need_text),
        rcity_format_bytes((double)limit, limit_text));
    return RCITY_OK;
}

static rcity_status make_roofs(rcity_prediction *prediction)
{
    rcity_job *job = &prediction->job;
    size_t cell_count = (size_t)(job->raster.column_count * job->raster.row_count);
    RCITY_TRY(
        rcity_alloc(job->context, cell_count, sizeof *prediction->roof_m, "the roof raster", &prediction->roof_m));
    job->roof_m = prediction->roof_m;
    return rcity_raster_cover(job->context, job->shapes, &job->raster, prediction->roof_m);
}

rcity_status rcity_prediction_check_receivers(const rcity_prediction *prediction)
{
    const rcity_job *job = &prediction->job;
    return job->method->check_receivers != NULL ? job->method->check_receivers(job) : RCITY_OK;
}

rcity_status rcity_prediction_open(rcity_prediction *prediction)
{
    if (prediction->job.receivers->point_count == 0) {
        RCITY_TRY(make_roofs(prediction));
    }
    return rcity_prediction_check_receivers(prediction);
}

rcity_status rcity_prediction_prepare(rcity_prediction *prediction)
{
    rcity_job *job = &prediction->job;
    if (job->method->prepare != NULL) {
        RCITY_TRY(job->method->prepare(job, &prediction->prepared));
    }
    job->prepared = prediction->prepared;
    return RCITY_OK;
}

static rcity_status check_memory(const rcity_prediction *prediction)
{
    rcity_estimate estimate;
    RCITY_TRY(rcity_prediction_estimate(prediction, &estimate));
    return rcity_prediction_check_memory(prediction, &estimate);
}

rcity_status rcity_prediction_start(rcity_context *context, const rcity_scene *scene, rcity_device *device,
                                    const rcity_request *request, rcity_prediction *prediction)
{
    RCITY_TRY(rcity_prediction_init(context, scene, device, request, &request->transmitter, prediction));
    RCITY_TRY(check_memory(prediction));
    rcity_status status;
    RCITY_TRY_DONE(rcity_prediction_open(prediction));
    RCITY_TRY_DONE(rcity_prediction_prepare(prediction));
    return RCITY_OK;
done:
    rcity_prediction_close(prediction);
    return status;
}

void rcity_prediction_share(const rcity_prediction *from, rcity_prediction *prediction)
{
    prediction->job.roof_m = from->job.roof_m;
    prediction->job.prepared = from->job.prepared;
}

void rcity_prediction_close(rcity_prediction *prediction)
{
    rcity_job *job = &prediction->job;
    if (prediction->prepared != NULL) {
        job->method->release_prepared(job->context, prediction->prepared);
    }
    rcity_release(job->context, prediction->roof_m);
    prediction->prepared = NULL;
    prediction->roof_m = NULL;
    job->prepared = NULL;
    job->roof_m = NULL;
}

rcity_status rcity_prediction_look(rcity_prediction *prediction, const rcity_estimate *estimate)
{
    if (!rcity_prediction_fits(prediction, estimate)) {
        return RCITY_OK;
    }
    rcity_status status = rcity_prediction_open(prediction);
    rcity_prediction_close(prediction);
    return status;
}

rcity_status rcity_prediction_explain(const rcity_job *job, rcity_status status)
{
    char orders[160] = "";
    const rcity_method_info *info = &job->method->info;
    for (int i = 0; status == RCITY_ERR_MEMORY && i < info->option_count; i++) {
        size_t used = strlen(orders);
        if (strncmp(info->options[i].name, "max-", 4) == 0) {
            snprintf(orders + used, sizeof orders - used, "%s`%s=%s`", used > 0 ? ", " : "", info->options[i].name,
                     job->option[i]);
        }
    }
    return orders[0] == '\0'
               ? status
               : rcity_fail_prefix(job->context, status,
                                   "%s take more memory in this scene than is allowed, lower them; ", orders);
}

/* Run the method's stages after prepare; exactly one of `map` and `levels` is given. */
static rcity_status run_stages(const rcity_job *job, rcity_map *map, const rcity_point_levels *levels)
{
    const rcity_method *method = job->method;
    void *traced = NULL;
    rcity_status status = RCITY_OK;
    if (method->trace != NULL) {
        RCITY_TRY_DONE(method->trace(job, job->prepared, &traced));
    }
    const void *kept = method->trace != NULL ? traced : job->prepared;
    status = map != NULL ? method->evaluate_raster(job, kept, 0, map) : method->evaluate_points(job, kept, 0, levels);
done:
    if (traced != NULL && method->release_traced != NULL) {
        method->release_traced(job->context, traced);
    }
    return rcity_prediction_explain(job, status);
}

/* What does not depend on power and antenna. */
static rcity_status copy_bands(const rcity_map *from, rcity_map *map)
{
    rcity_raster raster = rcity_map_raster(from);
    size_t cell_count = (size_t)(raster.column_count * raster.row_count);
    for (int i = 0; i < rcity_map_band_count(from); i++) {
        rcity_band band = {.name = ""};
        RCITY_TRY(rcity_map_get_band(from, i, &band));
        if (strcmp(band.name, "received_power") == 0) {
            continue;
        }
        float *value = NULL;
        RCITY_TRY(rcity_map_add_band(map, band.name, band.unit, band.text, band.rx_height_m, &value));
        memcpy(value, band.value, cell_count * sizeof *value);
    }
    return RCITY_OK;
}

/* What the method had to say of its losses, such as that it extrapolated them. */
static rcity_status copy_notes(const rcity_map *from, rcity_map *map)
{
    const char *key = NULL;
    const char *value = NULL;
    for (int i = 0; rcity_map_get_note(from, i, &key, &value); i++) {
        bool is_of_transmitter = strncmp(key, "tx_", 3) == 0;
        if (!is_of_transmitter && rcity_map_find_note(map, key) == NULL) {
            RCITY_TRY(rcity_map_add_note(map, key, "%s", value));
        }
    }
    return RCITY_OK;
}

rcity_status rcity_prediction_run(const rcity_prediction *prediction, const rcity_map *twin, rcity_map **map)
{
    const rcity_job *job = &prediction->job;
    rcity_map *made = NULL;
    rcity_status status;
    RCITY_TRY(rcity_map_create(job->context, &job->raster, rcity_scene_crs(job->scene), &made));
    RCITY_TRY_DONE(rcity_prediction_note_request(prediction, NULL, rcity_map_notes(made)));
    RCITY_TRY_DONE(rcity_prediction_note_transmitter(prediction, rcity_map_notes(made)));
    if (twin != NULL && !job->method->knows_antennas) {
        RCITY_TRY_DONE(copy_bands(twin, made));
        RCITY_TRY_DONE(copy_notes(twin, made));
    } else {
        RCITY_TRY_DONE(run_stages(job, made, NULL));
    }
    if (!job->method->knows_antennas) {
        RCITY_TRY_DONE(rcity_received_power_add_bands(job, 0, made));
    }
    *map = made;
    made = NULL;
done:
    rcity_map_destroy(&made);
    return status;
}

rcity_status rcity_prediction_run_points(const rcity_prediction *prediction, const rcity_point_levels *levels)
{
    const rcity_job *job = &prediction->job;
    size_t count = (size_t)job->receivers->point_count;
    bool knows_antennas = job->method->knows_antennas;
    rcity_point_levels made = {.notes = levels->notes};
    float *powers = NULL;
    rcity_status status;
    RCITY_TRY_DONE(rcity_alloc(job->context, count, sizeof *made.loss_db, "losses", &made.loss_db));
    RCITY_TRY_DONE(rcity_alloc(job->context, count, sizeof *powers, "received powers", &powers));
    if (levels->mechanism != NULL) {
        RCITY_TRY_DONE(rcity_alloc(job->context, count, sizeof *made.mechanism, "mechanisms", &made.mechanism));
    }
    made.received_dbm = knows_antennas ? powers : NULL;
    RCITY_TRY_DONE(run_stages(job, NULL, &made));
    if (levels->received_dbm != NULL) {
        if (!knows_antennas) {
            RCITY_TRY_DONE(rcity_received_power_fill_points(job, 0, made.loss_db, powers));
        }
        memcpy(levels->received_dbm, powers, count * sizeof *powers);
    }
    if (levels->mechanism != NULL) {
        memcpy(levels->mechanism, made.mechanism, count * sizeof *made.mechanism);
    }
    memcpy(levels->loss_db, made.loss_db, count * sizeof *made.loss_db);
done:
    rcity_release(job->context, made.mechanism);
    rcity_release(job->context, powers);
    rcity_release(job->context, made.loss_db);
    return status;
}

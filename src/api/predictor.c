/* A predictor's life: opened for a request, its transmitters, options and receivers changed, closed. */
#include "api/predictor.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/abi.h"
#include "base/angle.h"
#include "radiocity/crs.h"
#include "scene/antenna_data.h"

/* Where the antenna looks on the grid: azimuths count from true north, the grid's north is another. */
static rcity_status find_azimuth(const rcity_job *job, rcity_tx *tx)
{
    const rcity_transmitter *transmitter = &tx->stated;
    double tilt_rad = rcity_angle_rad(transmitter->mechanical_tilt_deg);
    bool is_weighed = job->method->knows_antennas || !isnan(transmitter->power_dbm);
    if (!is_weighed || rcity_antenna_is_round(transmitter->antenna, tilt_rad)) {
        return RCITY_OK; /* no need to know where north is, which a scene or a build may not be able to tell */
    }
    double convergence_deg;
    RCITY_TRY(rcity_crs_get_convergence(job->context, rcity_scene_crs(job->scene), transmitter->x_m, transmitter->y_m,
                                        &convergence_deg));
    tx->azimuth_rad = rcity_angle_rad(transmitter->azimuth_deg - convergence_deg);
    return RCITY_OK;
}

/* The transmitter's latitude, if the scene has a CRS and the build can read it. Without it there is a default, so nothing
   but a lack of memory is an error. */
static rcity_status find_latitude(const rcity_job *job, rcity_tx *tx)
{
    const char *crs = rcity_scene_crs(job->scene);
    double place[2] = {tx->stated.x_m, tx->stated.y_m};
    if (!job->method->takes_latitude || strcmp(crs, "none") == 0) {
        return RCITY_OK;
    }
    rcity_status status = rcity_crs_transform(job->context, crs, RCITY_CRS_LONLAT, 1, place);
    tx->has_latitude = status == RCITY_OK;
    tx->latitude_deg = place[1];
    return status == RCITY_ERR_MEMORY ? status : RCITY_OK;
}

/* A transmitter as the method sees it, checked. */
static rcity_status place_transmitter(const rcity_predictor *predictor, const rcity_transmitter *transmitter,
                                      rcity_tx *tx)
{
    const rcity_job *job = &predictor->job;
    memset(tx, 0, sizeof *tx);
    tx->stated = *transmitter;
    RCITY_TRY(rcity_transmitter_locate(job->context, job->scene, transmitter, &tx->position));
    RCITY_TRY(find_azimuth(job, tx));
    RCITY_TRY(find_latitude(job, tx));
    return job->method->check != NULL ? job->method->check(job, tx) : RCITY_OK;
}

static void release_options(rcity_context *context, rcity_predictor_options *options)
{
    for (int i = 0; i < options->count; i++) {
        rcity_release(context, options->names[i]);
        rcity_release(context, options->values[i]);
    }
    rcity_release(context, options->names);
    rcity_release(context, options->values);
    rcity_release(context, options->coefficients);
    memset(options, 0, sizeof *options);
}

static rcity_status copy_options(rcity_context *context, int count, const char *const *names, const char *const *values,
                                 const char *coefficients, rcity_predictor_options *options)
{
    memset(options, 0, sizeof *options);
    RCITY_TRY(rcity_alloc(context, (size_t)count + 1, sizeof(char *), "options", &options->names));
    RCITY_TRY(rcity_alloc(context, (size_t)count + 1, sizeof(char *), "options", &options->values));
    options->count = count;
    for (int i = 0; i < count; i++) {
        RCITY_TRY(rcity_copy_text(context, names[i], &options->names[i]));
        RCITY_TRY(rcity_copy_text(context, values[i], &options->values[i]));
    }
    return rcity_copy_text(context, coefficients, &options->coefficients);
}

/* Options of the job that are others now, as a set. */
static uint64_t find_changes(const rcity_job *before, const rcity_job *after)
{
    uint64_t changes = 0;
    for (int i = 0; i < before->method->info.option_count; i++) {
        bool is_same = strcmp(before->option[i], after->option[i]) == 0;
        changes |= is_same ? 0 : RCITY_OPTION_BIT(i);
    }
    return changes;
}

/* What the method thinks of all transmitters now that the job is another. */
static rcity_status check_slots(const rcity_predictor *predictor, const rcity_job *job)
{
    for (size_t i = 0; i < predictor->slot_count; i++) {
        const rcity_predictor_slot *slot = &predictor->slots[i];
        if (slot->is_used && job->method->check != NULL) {
            RCITY_TRY(job->method->check(job, &slot->tx));
        }
    }
    return RCITY_OK;
}

static void forget_checks(rcity_predictor *predictor)
{
    for (size_t i = 0; i < predictor->slot_count; i++) {
        predictor->slots[i].is_checked = false;
    }
}

static rcity_status set_options(rcity_predictor *predictor, int count, const char *const *names,
                                const char *const *values, const char *coefficients)
{
    rcity_predictor_options made;
    rcity_job job = predictor->job;
    rcity_status status;
    RCITY_TRY_DONE(copy_options(predictor->context, count, names, values, coefficients, &made));
    RCITY_TRY_DONE(
        rcity_method_read_options(&job, count, (const char *const *)made.names, (const char *const *)made.values));
    RCITY_TRY_DONE(check_slots(predictor, &job));
    const rcity_method *method = job.method;
    uint64_t changes = predictor->job.option[0] != NULL ? find_changes(&predictor->job, &job) : 0;
    if ((changes & method->prepare_options) != 0) {
        rcity_predictor_drop_prepared(predictor);
    } else if ((changes & method->trace_options) != 0) {
        rcity_predictor_drop_workspace(predictor);
    }
    if ((changes & (method->prepare_options | method->trace_options)) != 0) {
        forget_checks(predictor);
    }
    predictor->estimate.is_known = predictor->estimate.is_known && changes == 0;
    rcity_predictor_options old = predictor->options;
    job.roof_m = predictor->job.roof_m; /* it may have been dropped */
    predictor->job = job;
    predictor->options = made;
    made = old;
done:
    release_options(predictor->context, &made);
    return status;
}

/* Receivers with arrays of their own. */
static rcity_status copy_receivers(rcity_context *context, const rcity_receivers *from, rcity_receivers *to,
                                   double **height_m, double **xyh_m)
{
    size_t height_count = from->height_count > 0 ? (size_t)from->height_count : 0;
    size_t point_count = from->point_count > 0 ? (size_t)from->point_count : 0;
    *to = *from;
    RCITY_TRY(rcity_alloc(context, height_count + 1, sizeof **height_m, "receivers", height_m));
    RCITY_TRY(rcity_alloc(context, point_count + 1, 3 * sizeof **xyh_m, "receivers", xyh_m));
    if (height_count > 0) {
        memcpy(*height_m, from->height_m, height_count * sizeof **height_m);
    }
    if (point_count > 0) {
        memcpy(*xyh_m, from->xyh_m, point_count * 3 * sizeof **xyh_m);
    }
    to->height_m = *height_m;
    to->xyh_m = *xyh_m;
    return RCITY_OK;
}

/* Does the method serve receivers of this kind? */
static rcity_status check_serves(const rcity_job *job, const rcity_receivers *receivers)
{
    const rcity_method_info *info = &job->method->info;
    if (receivers->on_surfaces) {
        char names[256];
        rcity_method_list_surface_servers(names, sizeof names);
        RCITY_CHECK(job->context, (info->serves & RCITY_SERVES_SURFACES) != 0, RCITY_ERR_UNSUPPORTED,
                    "method '%s' does not serve surfaces, %s%s", info->name,
                    names[0] != '\0' ? "these do: " : "and no other does", names);
        return RCITY_OK;
    }
    bool is_raster = receivers->point_count == 0;
    RCITY_CHECK(job->context, (info->serves & (is_raster ? RCITY_SERVES_RASTER : RCITY_SERVES_POINTS)) != 0,
                RCITY_ERR_UNSUPPORTED, "method '%s' does not serve %s", info->name, is_raster ? "rasters" : "points");
    return RCITY_OK;
}

static rcity_status check_receivers(const rcity_predictor *predictor, const rcity_receivers *receivers,
                                    rcity_raster *raster)
{
    const rcity_job *job = &predictor->job;
    rcity_context *context = job->context;
    bool is_raster = receivers->point_count == 0 && !receivers->on_surfaces;
    RCITY_TRY(RCITY_CHECK_FIXED(context, rcity_receivers, receivers));
    RCITY_NEED_SOME(context, receivers->height_m, receivers->height_count);
    RCITY_CHECK(context, receivers->point_count == 0 || !receivers->on_surfaces, RCITY_ERR_ARGUMENT,
                "the request has points and is for surfaces; ask for one of them");
    RCITY_CHECK(context, receivers->point_count == 0 || receivers->xyh_m != NULL, RCITY_ERR_ARGUMENT,
                "the request has no points");
    RCITY_CHECK(context, fabs(receivers->gain_dbi) <= RCITY_RX_GAIN_MAX_DBI, RCITY_ERR_ARGUMENT,
                "the receivers' gain is %g dBi, must be within %g dBi", receivers->gain_dbi, RCITY_RX_GAIN_MAX_DBI);
    RCITY_TRY(check_serves(job, receivers));
    memset(raster, 0, sizeof *raster);
    return is_raster ? rcity_receivers_get_raster(context, job->scene, receivers, raster) : RCITY_OK;
}

static rcity_status set_receivers(rcity_predictor *predictor, const rcity_receivers *receivers)
{
    rcity_context *context = predictor->context;
    rcity_receivers made;
    rcity_job job = predictor->job;
    double *height_m = NULL;
    double *xyh_m = NULL;
    rcity_status status;
    RCITY_TRY_DONE(check_receivers(predictor, receivers, &job.raster));
    RCITY_TRY_DONE(copy_receivers(context, receivers, &made, &height_m, &xyh_m));
    job.receivers = &made;
    RCITY_TRY_DONE(check_slots(predictor, &job));
    rcity_predictor_drop_prepared(predictor);
    forget_checks(predictor);
    predictor->estimate.is_known = false;
    double *old_height_m = predictor->height_m;
    double *old_xyh_m = predictor->xyh_m;
    predictor->receivers = made;
    predictor->job.raster = job.raster;
    predictor->job.receivers = &predictor->receivers;
    predictor->height_m = height_m;
    predictor->xyh_m = xyh_m;
    height_m = old_height_m;
    xyh_m = old_xyh_m;
done:
    rcity_release(context, height_m);
    rcity_release(context, xyh_m);
    return status;
}

static bool is_host(const rcity_device *device)
{
    rcity_device_info info;
    rcity_device_describe(device, &info);
    return strcmp(info.kind, "host") == 0;
}

static rcity_status start(rcity_predictor *predictor, const rcity_scene *scene, rcity_device *device,
                          const rcity_request *request)
{
    rcity_job *job = &predictor->job;
    job->context = predictor->context;
    job->scene = scene;
    job->device = device;
    job->shapes = rcity_scene_shapes(scene);
    job->range_policy = request->range_policy;
    job->traces_are_reused = true;
    predictor->shares_device = device != NULL && is_host(device);
    RCITY_CHECK(job->context, job->shapes != NULL, RCITY_ERR_STATE, "the scene is not committed yet");
    RCITY_CHECK(job->context, request->method != NULL, RCITY_ERR_ARGUMENT, "`method` is NULL");
    RCITY_NEED_SOME(job->context, request->option_name, request->option_count);
    RCITY_NEED_SOME(job->context, request->option_value, request->option_count);
    RCITY_TRY(rcity_method_find(job->context, request->method, &job->method));
    RCITY_CHECK(job->context, request->visibility == NULL || job->method->uses_visibility, RCITY_ERR_ARGUMENT,
                "method '%s' uses no visibility matrix; leave `visibility` out", job->method->info.name);
    RCITY_TRY(rcity_copy_text(job->context, request->visibility, &predictor->visibility));
    job->visibility = predictor->visibility;
    RCITY_TRY(set_options(predictor, request->option_count, request->option_name, request->option_value,
                          request->coefficients));
    return set_receivers(predictor, &request->receivers);
}

rcity_status rcity_predictor_open(rcity_context *context, const rcity_scene *scene, rcity_device *device,
                                  const rcity_request *request, rcity_predictor **predictor)
{
    RCITY_NEED(context, context);
    RCITY_NEED(context, scene);
    rcity_request known_request;
    RCITY_TAKE(context, rcity_request, coefficients, request, &known_request);
    request = &known_request;
    RCITY_NEED(context, predictor);
    rcity_predictor *made = NULL;
    rcity_context *own = NULL;
    RCITY_TRY(rcity_context_create_child(context, &own));
    rcity_status status;
    RCITY_TRY_DONE(rcity_alloc(context, 1, sizeof *made, "a predictor", &made));
    made->context = own;
    RCITY_TRY_DONE(rcity_lock_create(context, &made->lock));
    rcity_context_lend(context, own);
    RCITY_TRY_DONE(rcity_context_hand_back(own, context, start(made, scene, device, request)));
    *predictor = made;
    return RCITY_OK;
done:
    if (made != NULL) {
        rcity_predictor_close(&made);
    } else {
        rcity_context_destroy_child(&own);
    }
    return status;
}

void rcity_predictor_close(rcity_predictor **predictor)
{
    if (predictor == NULL || *predictor == NULL) {
        return;
    }
    rcity_predictor *old = *predictor;
    rcity_context *own = old->context;
    rcity_predictor_drop_prepared(old);
    for (size_t i = 0; i < old->slot_count; i++) {
        rcity_release(own, old->slots[i].name);
    }
    rcity_release(own, old->slots);
    rcity_release(own, old->traces);
    release_options(own, &old->options);
    rcity_release(own, old->visibility);
    rcity_release(own, old->height_m);
    rcity_release(own, old->xyh_m);
    rcity_lock_destroy(own, &old->lock);
    rcity_release(own, old);
    rcity_context_destroy_child(&own);
    *predictor = NULL;
}

rcity_status rcity_predictor_find_slot(rcity_predictor *predictor, rcity_context *context, int index,
                                       rcity_predictor_slot **slot)
{
    bool is_there = index >= 0 && (size_t)index < predictor->slot_count && predictor->slots[index].is_used;
    RCITY_CHECK(context, is_there, RCITY_ERR_ARGUMENT, "the predictor has no transmitter of index %d", index);
    *slot = &predictor->slots[index];
    return RCITY_OK;
}

/* Lock to write, with the caller's callbacks; and give both back with what came of it. */
static void enter(rcity_predictor *predictor, const rcity_context *caller)
{
    rcity_lock_write(predictor->lock);
    rcity_context_lend(caller, predictor->context);
}

static rcity_status leave(rcity_predictor *predictor, rcity_context *caller, rcity_status status)
{
    status = rcity_context_hand_back(predictor->context, caller, status);
    rcity_lock_release(predictor->lock);
    return status;
}

/* Put a transmitter into a slot; on failure it stays as it was. */
static rcity_status fill_slot(rcity_predictor *predictor, const rcity_transmitter *transmitter,
                              rcity_predictor_slot *slot)
{
    rcity_tx tx;
    char *name = NULL;
    RCITY_TRY(place_transmitter(predictor, transmitter, &tx));
    RCITY_TRY(rcity_copy_text(predictor->context, transmitter->name, &name));
    rcity_release(predictor->context, slot->name);
    tx.stated.name = slot->name = name;
    slot->tx = tx;
    slot->is_checked = false;
    slot->is_used = true;
    return RCITY_OK;
}

static rcity_status add_slot(rcity_predictor *predictor, const rcity_transmitter *transmitter, int *index)
{
    size_t i = 0;
    while (i < predictor->slot_count && predictor->slots[i].is_used) {
        i++;
    }
    if (i == predictor->slot_count) {
        RCITY_TRY(rcity_reserve(predictor->context, i + 1, sizeof *predictor->slots, &predictor->slot_capacity,
                                "transmitters", &predictor->slots));
        memset(&predictor->slots[i], 0, sizeof predictor->slots[i]);
    }
    RCITY_TRY(fill_slot(predictor, transmitter, &predictor->slots[i]));
    predictor->slot_count = i == predictor->slot_count ? i + 1 : predictor->slot_count;
    *index = (int)i;
    return RCITY_OK;
}

rcity_status rcity_predictor_add_transmitter(rcity_predictor *predictor, rcity_context *context,
                                             const rcity_transmitter *transmitter, int *transmitter_index)
{
    RCITY_NEED(context, predictor);
    RCITY_NEED(context, context);
    RCITY_NEED(context, transmitter);
    RCITY_TRY(RCITY_CHECK_FIXED(context, rcity_transmitter, transmitter));
    RCITY_NEED(context, transmitter_index);
    enter(predictor, context);
    return leave(predictor, context, add_slot(predictor, transmitter, transmitter_index));
}

rcity_status rcity_predictor_set_transmitter(rcity_predictor *predictor, rcity_context *context, int transmitter_index,
                                             const rcity_transmitter *transmitter)
{
    RCITY_NEED(context, predictor);
    RCITY_NEED(context, context);
    RCITY_NEED(context, transmitter);
    RCITY_TRY(RCITY_CHECK_FIXED(context, rcity_transmitter, transmitter));
    rcity_predictor_slot *slot = NULL;
    enter(predictor, context);
    rcity_status status = rcity_predictor_find_slot(predictor, predictor->context, transmitter_index, &slot);
    if (status == RCITY_OK) {
        status = fill_slot(predictor, transmitter, slot);
    }
    return leave(predictor, context, status);
}

rcity_status rcity_predictor_remove_transmitter(rcity_predictor *predictor, rcity_context *context,
                                                int transmitter_index)
{
    RCITY_NEED(context, predictor);
    RCITY_NEED(context, context);
    rcity_predictor_slot *slot = NULL;
    enter(predictor, context);
    rcity_status status = rcity_predictor_find_slot(predictor, predictor->context, transmitter_index, &slot);
    if (status == RCITY_OK) {
        rcity_release(predictor->context, slot->name);
        memset(slot, 0, sizeof *slot);
    }
    return leave(predictor, context, status);
}

rcity_status rcity_predictor_set_options(rcity_predictor *predictor, rcity_context *context, int option_count,
                                         const char *const *names, const char *const *values, const char *coefficients)
{
    RCITY_NEED(context, predictor);
    RCITY_NEED(context, context);
    RCITY_NEED_SOME(context, names, option_count);
    RCITY_NEED_SOME(context, values, option_count);
    enter(predictor, context);
    return leave(predictor, context, set_options(predictor, option_count, names, values, coefficients));
}

rcity_status rcity_predictor_set_receivers(rcity_predictor *predictor, rcity_context *context,
                                           const rcity_receivers *receivers)
{
    RCITY_NEED(context, predictor);
    RCITY_NEED(context, context);
    RCITY_NEED(context, receivers);
    enter(predictor, context);
    return leave(predictor, context, set_receivers(predictor, receivers));
}

rcity_status rcity_predictor_open_once(rcity_context *context, const rcity_scene *scene, rcity_device *device,
                                       const rcity_request *request, rcity_predictor **predictor)
{
    rcity_predictor *made = NULL;
    int index;
    RCITY_TRY(rcity_predictor_open(context, scene, device, request, &made));
    made->job.traces_are_reused = false;
    rcity_status status = rcity_predictor_add_transmitter(made, context, &request->transmitter, &index);
    if (status != RCITY_OK) {
        rcity_predictor_close(&made);
        return status;
    }
    assert(index == RCITY_PREDICTOR_ONLY);
    *predictor = made;
    return RCITY_OK;
}

static rcity_status predictor_estimate(rcity_predictor *predictor, rcity_context *context, int transmitter_index,
                                       rcity_estimate *estimate)
{
    rcity_predictor_slot *slot = NULL;
    enter(predictor, context);
    rcity_status status = rcity_predictor_find_slot(predictor, predictor->context, transmitter_index, &slot);
    if (status == RCITY_OK) {
        status = rcity_predictor_estimate_slot(predictor, slot, estimate);
    }
    return leave(predictor, context, status);
}

rcity_status rcity_predictor_estimate_sized(rcity_predictor *predictor, rcity_context *context, int transmitter_index,
                                            size_t estimate_bytes, rcity_estimate *estimate)
{
    RCITY_NEED(context, predictor);
    RCITY_NEED(context, context);
    RCITY_NEED(context, estimate);
    RCITY_CHECK_BYTES(context, rcity_estimate, estimate_bytes);
    rcity_estimate made;
    RCITY_TRY(predictor_estimate(predictor, context, transmitter_index, &made));
    rcity_copy_struct(&made, sizeof made, estimate_bytes, estimate);
    return RCITY_OK;
}

rcity_status rcity_predictor_trace(rcity_predictor *predictor, rcity_context *context)
{
    RCITY_NEED(context, predictor);
    RCITY_NEED(context, context);
    enter(predictor, context);
    return leave(predictor, context, rcity_predictor_trace_all(predictor));
}

static rcity_predictor_effort predictor_get_effort(rcity_predictor *predictor)
{
    rcity_lock_read(predictor->lock);
    rcity_predictor_effort effort = predictor->effort;
    effort.kept_count = (int64_t)predictor->trace_count;
    rcity_lock_release(predictor->lock);
    return effort;
}

void rcity_predictor_get_effort_sized(rcity_predictor *predictor, size_t effort_bytes, rcity_predictor_effort *effort)
{
    if (effort == NULL) {
        return;
    }
    rcity_predictor_effort made = {0};
    if (predictor != NULL) {
        made = predictor_get_effort(predictor);
    }
    rcity_copy_struct(&made, sizeof made, effort_bytes, effort);
}

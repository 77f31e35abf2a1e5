/* Results of an open predictor: maps, levels at points, paths. */
#include <math.h>
#include <string.h>

#include "api/predictor.h"
#include "method/method_fit.h"
#include "method/path_receivers.h"
#include "method/received_power.h"
#include "method/receiver_plane.h"
#include "radiocity/sight.h"
#include "result/rays_data.h"
#include "scene/place/scene_distance.h"

static rcity_status use_slot(const rcity_predictor *predictor, rcity_context *caller, const rcity_predictor_slot *slot,
                             rcity_predictor_use use, void *user)
{
    const rcity_kept_trace *trace = rcity_predictor_find_trace(predictor, &slot->tx);
    rcity_job job = predictor->job;
    job.context = caller;
    return use(user, predictor, &job, trace != NULL ? trace->trace : NULL, &slot->tx);
}

/* Make it ready; on a device use it too, since that serves one thread at a time. */
static rcity_status make_ready(rcity_predictor *predictor, rcity_context *caller, int index, rcity_predictor_use use,
                               void *user)
{
    rcity_predictor_slot *slot = NULL;
    rcity_lock_write(predictor->lock);
    rcity_context_lend(caller, predictor->context);
    rcity_status status = rcity_predictor_find_slot(predictor, predictor->context, index, &slot);
    if (status == RCITY_OK) {
        status = rcity_predictor_make_ready(predictor, slot);
    }
    if (status == RCITY_OK && !predictor->shares_device) {
        status = use_slot(predictor, caller, slot, use, user);
    }
    status = rcity_context_hand_back(predictor->context, caller, status);
    rcity_lock_release(predictor->lock);
    return status;
}

rcity_status rcity_predictor_with(rcity_predictor *predictor, rcity_context *caller, int index, rcity_predictor_use use,
                                  void *user)
{
    if (!predictor->shares_device) {
        return make_ready(predictor, caller, index, use, user);
    }
    for (;;) { /* another thread may change it between the two locks */
        rcity_predictor_slot *slot = NULL;
        rcity_lock_read(predictor->lock);
        rcity_status status = rcity_predictor_find_slot(predictor, caller, index, &slot);
        bool is_ready = status == RCITY_OK && rcity_predictor_is_ready(predictor, slot);
        if (is_ready) {
            status = use_slot(predictor, caller, slot, use, user);
        }
        rcity_lock_release(predictor->lock);
        if (is_ready || status != RCITY_OK) {
            return status;
        }
        RCITY_TRY(make_ready(predictor, caller, index, use, user));
    }
}

typedef struct map_use {
    const rcity_map *twin;
    rcity_map *made;
} map_use;

/* What does not depend on power and antenna. */
static rcity_status copy_bands(const rcity_map *from, rcity_map *map)
{
    rcity_raster raster = rcity_map_raster(from);
    size_t cell_count = (size_t)(raster.column_count * raster.row_count);
    for (int i = 0; i < rcity_map_band_count(from); i++) {
        rcity_band band = {.name = ""};
        RCITY_TRY(rcity_map_get_band(from, i, &band));
        if (band.kind == RCITY_BAND_POWER) {
            continue;
        }
        float *value = NULL;
        RCITY_TRY(rcity_map_add_like(map, &band, &value));
        memcpy(value, band.value, cell_count * sizeof *value);
    }
    return RCITY_OK;
}

rcity_status rcity_predictor_open_map(const rcity_predictor *predictor, const rcity_job *job, const rcity_tx *tx,
                                      rcity_map **map)
{
    RCITY_TRY(rcity_map_create(job->context, &job->raster, rcity_scene_crs(job->scene), map));
    RCITY_TRY(rcity_predictor_note_request(predictor, 0, rcity_map_notes(*map)));
    return rcity_predictor_note_transmitter(job, tx, rcity_map_notes(*map));
}

rcity_status rcity_predictor_finish_map(const rcity_job *job, const rcity_tx *tx, rcity_map *map)
{
    return job->method->knows_antennas ? RCITY_OK : rcity_received_power_add_bands(job, tx, map);
}

/* An rcity_predictor_use. */
static rcity_status make_map(void *user, const rcity_predictor *predictor, const rcity_job *job, const void *trace,
                             const rcity_tx *tx)
{
    map_use *use = user;
    const rcity_method *method = job->method;
    RCITY_CHECK(job->context, !job->receivers->on_surfaces, RCITY_ERR_ARGUMENT,
                "the request is for surfaces; use rcity_predict_surfaces()");
    RCITY_CHECK(job->context, job->receivers->point_count == 0, RCITY_ERR_ARGUMENT,
                "the request has points; use rcity_predict_points()");
    RCITY_TRY(rcity_predictor_open_map(predictor, job, tx, &use->made));
    if (use->twin != NULL && !method->knows_antennas) {
        RCITY_TRY(copy_bands(use->twin, use->made));
        RCITY_TRY(rcity_map_copy_remarks(use->twin, "", use->made));
    } else {
        rcity_status status = method->evaluate_raster(job, predictor->prepared, trace, tx, use->made);
        RCITY_TRY(rcity_predictor_explain(job, status));
    }
    return rcity_predictor_finish_map(job, tx, use->made);
}

rcity_status rcity_predictor_make_map(rcity_predictor *predictor, rcity_context *caller, int index,
                                      const rcity_map *twin, rcity_map **map)
{
    map_use use = {twin, NULL};
    rcity_status status = rcity_predictor_with(predictor, caller, index, make_map, &use);
    if (status != RCITY_OK) {
        rcity_map_destroy(&use.made);
        return status;
    }
    *map = use.made;
    return RCITY_OK;
}

rcity_status rcity_predictor_evaluate_raster(rcity_predictor *predictor, rcity_context *context, int transmitter_index,
                                             rcity_map **map)
{
    RCITY_NEED(context, predictor);
    RCITY_NEED(context, context);
    RCITY_NEED(context, map);
    return rcity_predictor_make_map(predictor, context, transmitter_index, NULL, map);
}

/* An rcity_predictor_use; the user is an rcity_point_levels. */
static rcity_status make_points(void *user, const rcity_predictor *predictor, const rcity_job *job, const void *trace,
                                const rcity_tx *tx)
{
    const rcity_point_levels *levels = user;
    size_t count = (size_t)job->receivers->point_count;
    bool knows_antennas = job->method->knows_antennas;
    rcity_point_levels made = {.notes = levels->notes};
    float *powers = NULL;
    rcity_status status;
    RCITY_CHECK(job->context, count > 0, RCITY_ERR_ARGUMENT, "the request has no points");
    RCITY_TRY_DONE(rcity_alloc(job->context, count, sizeof *made.loss_db, "losses", &made.loss_db));
    RCITY_TRY_DONE(rcity_alloc(job->context, count, sizeof *powers, "received powers", &powers));
    if (levels->mechanism != NULL) {
        RCITY_TRY_DONE(rcity_alloc(job->context, count, sizeof *made.mechanism, "mechanisms", &made.mechanism));
    }
    made.received_dbm = knows_antennas ? powers : NULL;
    status = job->method->evaluate_points(job, predictor->prepared, trace, tx, &made);
    RCITY_TRY_DONE(rcity_predictor_explain(job, status));
    if (levels->received_dbm != NULL) {
        if (!knows_antennas) {
            RCITY_TRY_DONE(rcity_received_power_fill_points(job, tx, made.loss_db, powers));
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

rcity_status rcity_predictor_make_points(rcity_predictor *predictor, rcity_context *caller, int index,
                                         const rcity_point_levels *levels)
{
    rcity_point_levels copy = *levels;
    return rcity_predictor_with(predictor, caller, index, make_points, &copy);
}

/* An rcity_predictor_use; the user is where the list goes. */
static rcity_status list_fit(void *user, const rcity_predictor *predictor, const rcity_job *job, const void *trace,
                             const rcity_tx *tx)
{
    return job->method->fit->list(job, predictor->prepared, trace, tx, user);
}

rcity_status rcity_predictor_list_fit(rcity_predictor *predictor, rcity_context *caller, int index, void **listed)
{
    return rcity_predictor_with(predictor, caller, index, list_fit, listed);
}

/* An rcity_predictor_use; the user is an rcity_method_start. */
static rcity_status start_fit(void *user, const rcity_predictor *predictor, const rcity_job *job, const void *trace,
                              const rcity_tx *tx)
{
    (void)predictor;
    (void)trace;
    return job->method->fit->start(job, tx, user);
}

rcity_status rcity_predictor_start_fit(rcity_predictor *predictor, rcity_context *caller, int index,
                                       rcity_method_start *start)
{
    return rcity_predictor_with(predictor, caller, index, start_fit, start);
}

typedef struct result_use {
    size_t result_bytes;
    rcity_point_result *results;
} result_use;

/* Memory of all points while results are put together. */
typedef struct result_work {
    float *loss_db, *received_dbm, *mechanism;
    rcity_point *positions, *from;
    rcity_receiver_state *states;
    bool *is_free;
} result_work;

static rcity_status open_work(rcity_context *context, size_t count, result_work *work)
{
    const char *what = "results of points";
    RCITY_TRY(rcity_alloc(context, count, sizeof *work->loss_db, what, &work->loss_db));
    RCITY_TRY(rcity_alloc(context, count, sizeof *work->received_dbm, what, &work->received_dbm));
    RCITY_TRY(rcity_alloc(context, count, sizeof *work->mechanism, what, &work->mechanism));
    RCITY_TRY(rcity_alloc(context, count, sizeof *work->positions, what, &work->positions));
    RCITY_TRY(rcity_alloc(context, count, sizeof *work->from, what, &work->from));
    RCITY_TRY(rcity_alloc(context, count, sizeof *work->states, what, &work->states));
    return rcity_alloc(context, count, sizeof *work->is_free, what, &work->is_free);
}

static void close_work(rcity_context *context, result_work *work)
{
    rcity_release(context, work->is_free);
    rcity_release(context, work->states);
    rcity_release(context, work->from);
    rcity_release(context, work->positions);
    rcity_release(context, work->mechanism);
    rcity_release(context, work->received_dbm);
    rcity_release(context, work->loss_db);
}

/* Where points stand, and whether the transmitter is visible from there. */
static rcity_status look_at_points(const rcity_job *job, const rcity_tx *tx, const result_work *work)
{
    int64_t count = job->receivers->point_count;
    RCITY_TRY(rcity_receiver_points_locate(job, work->positions, work->states));
    for (int64_t i = 0; i < count; i++) {
        work->from[i] = tx->position;
        if (work->states[i] == RCITY_RECEIVER_OUTSIDE) {
            work->positions[i] = tx->position; /* it has no height */
        }
    }
    return rcity_scene_test_segments(job->context, job->scene, job->device, count, work->from, work->positions,
                                     work->is_free);
}

/* Why a point has no value, where it stands outdoors on the terrain. */
static rcity_receiver_state find_reason(const rcity_job *job, const rcity_tx *tx, const rcity_point *position)
{
    const rcity_point *from = &tx->position;
    double distance_m = hypot(hypot(position->x_m - from->x_m, position->y_m - from->y_m), position->z_m - from->z_m);
    if (job->method->find_paths != NULL && distance_m < RCITY_LIGHT_EXACT_M_PER_S / tx->stated.frequency_hz) {
        return RCITY_RECEIVER_NEAR_FIELD;
    }
    return job->range_policy == RCITY_RANGE_SKIP ? RCITY_RECEIVER_OUT_OF_RANGE : RCITY_RECEIVER_NO_PATH;
}

static rcity_point_result make_result(const rcity_job *job, const rcity_tx *tx, const result_work *work, int64_t i)
{
    rcity_receiver_state state = work->states[i];
    if (!isnan(work->loss_db[i])) {
        state = RCITY_RECEIVER_REACHED;
    } else if (state == RCITY_RECEIVER_NO_PATH) {
        state = find_reason(job, tx, &work->positions[i]);
    }
    return (rcity_point_result){.loss_db = work->loss_db[i],
                                .received_dbm = work->received_dbm[i],
                                .mechanism = isnan(work->mechanism[i]) ? -1 : (int)work->mechanism[i],
                                .state = state,
                                .is_visible = work->states[i] != RCITY_RECEIVER_OUTSIDE && work->is_free[i]};
}

/* An rcity_predictor_use. */
static rcity_status make_results(void *user, const rcity_predictor *predictor, const rcity_job *job, const void *trace,
                                 const rcity_tx *tx)
{
    const result_use *use = user;
    size_t count = (size_t)job->receivers->point_count;
    size_t copied = use->result_bytes < sizeof(rcity_point_result) ? use->result_bytes : sizeof(rcity_point_result);
    result_work work;
    memset(&work, 0, sizeof work);
    rcity_status status;
    RCITY_TRY_DONE(open_work(job->context, count + 1, &work));
    rcity_point_levels levels = {
        .loss_db = work.loss_db, .received_dbm = work.received_dbm, .mechanism = work.mechanism};
    RCITY_TRY_DONE(make_points(&levels, predictor, job, trace, tx));
    RCITY_TRY_DONE(look_at_points(job, tx, &work));
    for (size_t i = 0; i < count; i++) {
        rcity_point_result result = make_result(job, tx, &work, (int64_t)i);
        memcpy((char *)use->results + i * use->result_bytes, &result, copied);
    }
done:
    close_work(job->context, &work);
    return status;
}

rcity_status rcity_predictor_evaluate_points(rcity_predictor *predictor, rcity_context *context, int transmitter_index,
                                             size_t result_bytes, rcity_point_result *results)
{
    RCITY_NEED(context, predictor);
    RCITY_NEED(context, context);
    RCITY_NEED(context, results);
    RCITY_CHECK(context, result_bytes >= 2 * sizeof(float), RCITY_ERR_ARGUMENT,
                "a result has %zu bytes, must have at least those of a loss and a power", result_bytes);
    result_use use = {result_bytes, results};
    return rcity_predictor_with(predictor, context, transmitter_index, make_results, &use);
}

/* Receivers beyond the scene's bounds stand on open land, for all the scene knows. Those off its terrain are told
   apart: they have no height and no paths. */
static rcity_status report_outside(const rcity_job *job, rcity_rays *rays)
{
    rcity_scene_info info;
    RCITY_TRY(rcity_scene_describe(job->scene, &info));
    int64_t count = 0;
    int64_t farthest = 0;
    double farthest_m = 0.0;
    rcity_point place = {0.0, 0.0, 0.0};
    for (int64_t i = 0; i < rcity_rays_receiver_count(rays); i++) {
        rcity_receiver_summary receiver;
        RCITY_TRY(rcity_rays_get_receiver(rays, i, &receiver));
        const double xy_m[2] = {receiver.position.x_m, receiver.position.y_m};
        double outside_m = rcity_scene_distance_m(&info, xy_m);
        if (receiver.state == RCITY_RECEIVER_OUTSIDE || outside_m == 0.0) {
            continue;
        }
        count++;
        if (outside_m > farthest_m) {
            farthest_m = outside_m;
            farthest = i;
            place = receiver.position;
        }
    }
    if (count == 0) {
        return RCITY_OK;
    }
    char share[96];
    rcity_log(job->context, RCITY_LOG_WARNING,
              "%s outside the scene (%snumber %lld at (%.2f, %.2f), by %.0f m); there the land is taken as open",
              rcity_format_share(count, rcity_rays_receiver_count(rays), "receiver", "lies", "lie", share),
              count == 1 ? "" : "the farthest is ", (long long)farthest + 1, place.x_m, place.y_m, farthest_m);
    return rcity_notes_add(rcity_rays_notes(rays), "receivers_outside_scene", "%lld", (long long)count);
}

/* An rcity_predictor_use; the user is where the rays go. */
static rcity_status find_paths(void *user, const rcity_predictor *predictor, const rcity_job *job, const void *trace,
                               const rcity_tx *tx)
{
    rcity_rays **rays = user;
    const rcity_method *method = job->method;
    RCITY_TRY(rcity_path_receivers_open_points(job, tx, rays));
    rcity_notes *notes = rcity_rays_notes(*rays);
    RCITY_TRY(rcity_predictor_note_request(predictor, method->map_options, notes));
    RCITY_TRY(rcity_predictor_note_transmitter(job, tx, notes));
    RCITY_TRY(rcity_path_receivers_report(*rays));
    RCITY_TRY(report_outside(job, *rays));
    RCITY_TRY(rcity_predictor_explain(job, method->find_paths(job, predictor->prepared, trace, tx, *rays)));
    return rcity_predictor_explain(job, rcity_rays_finish(*rays));
}

rcity_status rcity_predictor_find_paths(rcity_predictor *predictor, rcity_context *context, int transmitter_index,
                                        rcity_rays **rays)
{
    RCITY_NEED(context, predictor);
    RCITY_NEED(context, context);
    RCITY_NEED(context, rays);
    const rcity_method *method = predictor->job.method; /* never changes */
    char names[256];
    rcity_method_list_path_finders(names, sizeof names);
    RCITY_CHECK(context, method->find_paths != NULL, RCITY_ERR_ARGUMENT,
                "method '%s' finds no single paths, these do: %s; use rcity_predict_points() for losses",
                method->info.name, names);
    rcity_rays *made = NULL;
    rcity_status status = rcity_predictor_with(predictor, context, transmitter_index, find_paths, &made);
    if (status != RCITY_OK) {
        rcity_rays_destroy(&made);
        return status;
    }
    *rays = made;
    return RCITY_OK;
}

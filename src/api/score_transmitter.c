/* The measurements of one transmitter: where they stand, what is measured there, what each method predicts. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "api/coefficients_span.h"
#include "api/predictor.h"
#include "api/score_run.h"
#include "method/received_power.h"
#include "method/receiver_plane.h"
#include "radiocity/sight.h"

/* The measurements of a transmitter, one after the other, and what is found out of them. */
typedef struct link_set {
    rcity_transmitter transmitter; /* with a power, made up where none is stated */
    int64_t count;
    int64_t *index; /* of each among all measurements */
    double *xyh_m;
    rcity_point *positions;
    rcity_receiver_state *states;
    float *level_dbm; /* that would arrive without loss; only of measured powers */
    float *loss_db, *received_dbm, *mechanism;
} link_set;

static void release_links(rcity_context *context, link_set *links)
{
    rcity_release(context, links->index);
    rcity_release(context, links->xyh_m);
    rcity_release(context, links->positions);
    rcity_release(context, links->states);
    rcity_release(context, links->level_dbm);
    rcity_release(context, links->loss_db);
    rcity_release(context, links->received_dbm);
    rcity_release(context, links->mechanism);
}

static rcity_status alloc_links(rcity_context *context, link_set *links)
{
    size_t count = (size_t)links->count;
    RCITY_TRY(rcity_alloc(context, count, sizeof *links->index, "measurements", &links->index));
    RCITY_TRY(rcity_alloc(context, count, 3 * sizeof *links->xyh_m, "measurements", &links->xyh_m));
    RCITY_TRY(rcity_alloc(context, count, sizeof *links->positions, "measurements", &links->positions));
    RCITY_TRY(rcity_alloc(context, count, sizeof *links->states, "measurements", &links->states));
    RCITY_TRY(rcity_alloc(context, count, sizeof *links->level_dbm, "levels", &links->level_dbm));
    RCITY_TRY(rcity_alloc(context, count, sizeof *links->loss_db, "losses", &links->loss_db));
    RCITY_TRY(rcity_alloc(context, count, sizeof *links->received_dbm, "received powers", &links->received_dbm));
    return rcity_alloc(context, count, sizeof *links->mechanism, "mechanisms", &links->mechanism);
}

static int64_t count_links(const rcity_measurements *measurements, int tx_index)
{
    const rcity_measurement *all = rcity_measurements_all(measurements);
    int64_t count = 0;
    for (int64_t i = 0; i < rcity_measurements_count(measurements); i++) {
        count += all[i].transmitter == tx_index;
    }
    return count;
}

static void gather_links(const rcity_measurements *measurements, int tx_index, link_set *links)
{
    const rcity_measurement *all = rcity_measurements_all(measurements);
    int64_t to = 0;
    for (int64_t i = 0; i < rcity_measurements_count(measurements); i++) {
        if (all[i].transmitter == tx_index) {
            double *xyh_m = links->xyh_m + 3 * to;
            xyh_m[0] = all[i].x_m;
            xyh_m[1] = all[i].y_m;
            xyh_m[2] = all[i].height_m;
            links->index[to++] = i;
        }
    }
}

static bool measures_powers(const rcity_score_run *run)
{
    return rcity_measurements_kind(run->measurements) == RCITY_MEASURED_POWER;
}

static rcity_status test_sight(const rcity_score_run *run, const rcity_tx *tx, const link_set *links, bool *is_free)
{
    rcity_point *from = NULL;
    rcity_point *to = NULL;
    size_t count = (size_t)links->count;
    rcity_status status;
    RCITY_TRY_DONE(rcity_alloc(run->context, count, sizeof *from, "lines of sight", &from));
    RCITY_TRY_DONE(rcity_alloc(run->context, count, sizeof *to, "lines of sight", &to));
    for (size_t i = 0; i < count; i++) {
        bool is_placed = links->states[i] != RCITY_RECEIVER_OUTSIDE;
        from[i] = tx->position;
        to[i] = is_placed ? links->positions[i] : tx->position;
    }
    status = rcity_scene_test_segments(run->context, run->scene, run->device, links->count, from, to, is_free);
done:
    rcity_release(run->context, to);
    rcity_release(run->context, from);
    return status;
}

/* Places, sight, and the losses that were measured. */
static rcity_status place_links(rcity_score_run *run, const rcity_job *job, const rcity_tx *tx, link_set *links)
{
    const rcity_measurement *all = rcity_measurements_all(run->measurements);
    const rcity_point *from = &tx->position;
    bool *is_free = NULL;
    rcity_status status;
    RCITY_TRY_DONE(rcity_alloc(run->context, (size_t)links->count, sizeof *is_free, "lines of sight", &is_free));
    RCITY_TRY_DONE(rcity_receiver_points_locate(job, links->positions, links->states));
    RCITY_TRY_DONE(test_sight(run, tx, links, is_free));
    if (measures_powers(run)) {
        RCITY_TRY_DONE(rcity_received_power_fill_levels(job, tx, links->positions, links->level_dbm));
    }
    if (run->coefficients != NULL) {
        rcity_span_add_transmitter(&run->span, tx->stated.frequency_hz,
                                   rcity_tx_height_above_ground_m(run->context, run->scene, &tx->stated));
    }
    for (int64_t i = 0; i < links->count; i++) {
        const rcity_measurement *measured = &all[links->index[i]];
        const rcity_point *at = &links->positions[i];
        rcity_score_point *point = &run->score->points[links->index[i]];
        bool is_placed = links->states[i] != RCITY_RECEIVER_OUTSIDE;
        point->is_in_building = links->states[i] == RCITY_RECEIVER_IN_BUILDING;
        point->is_in_sight = is_placed && is_free[i];
        point->distance_m = hypot(hypot(at->x_m - from->x_m, at->y_m - from->y_m), at->z_m - from->z_m);
        if (run->coefficients != NULL && is_placed) {
            double across_m = hypot(at->x_m - from->x_m, at->y_m - from->y_m);
            rcity_span_add_receiver(&run->span, point->distance_m,
                                    rcity_span_elevation_deg(across_m, from->z_m - at->z_m));
        }
        run->score->measured_db[links->index[i]] =
            measures_powers(run) ? (double)links->level_dbm[i] - measured->value : measured->value;
    }
done:
    rcity_release(run->context, is_free);
    return status;
}

/* A method that knows antennas weighs each path by the direction in which it leaves; held against measured powers its
   power counts, as the loss that would explain it along the straight line. */
static void keep_predicted(rcity_score_run *run, const link_set *links, const rcity_method *method, int model)
{
    bool uses_power = measures_powers(run) && method->knows_antennas;
    double *predicted_db = run->score->models[model].predicted_db;
    for (int64_t i = 0; i < links->count; i++) {
        predicted_db[links->index[i]] =
            uses_power ? (double)links->level_dbm[i] - (double)links->received_dbm[i] : (double)links->loss_db[i];
        bool is_known = model == RCITY_SCORE_METHOD && !isnan(links->mechanism[i]);
        if (is_known) {
            run->score->points[links->index[i]].mechanism = rcity_mechanism_name((rcity_mechanism)links->mechanism[i]);
        }
    }
}

/* Coefficients that were fitted elsewhere have spans of their own: score_warnings.c. */
static void keep_remark(rcity_score_run *run, int model, const rcity_notes *notes)
{
    const char *text = rcity_notes_find(notes, RCITY_NOTE_EXTRAPOLATED);
    if (model == RCITY_SCORE_METHOD && run->coefficients != NULL) {
        return;
    }
    if (text != NULL && run->remark[model][0] == '\0') {
        snprintf(run->remark[model], RCITY_SCORE_REMARK_BYTES, "%s", text);
    }
    run->score->models[model].is_extrapolated = run->remark[model][0] != '\0';
}

static rcity_request make_request(const rcity_score_run *run, const link_set *links, int model)
{
    rcity_request request = run->request;
    request.transmitter = links->transmitter;
    request.receivers.point_count = links->count;
    request.receivers.xyh_m = links->xyh_m;
    if (model == run->plain_model && model != RCITY_SCORE_METHOD) {
        request.coefficients = NULL;
        request.option_count = run->plain_count;
        request.option_name = run->plain_name;
        request.option_value = run->plain_value;
    } else if (model != RCITY_SCORE_METHOD) {
        request.method = rcity_method_choose_baseline(model, links->transmitter.frequency_hz)->info.name;
        request.range_policy = RCITY_RANGE_EXTRAPOLATE;
        request.option_count = 0;
    }
    return request;
}

typedef struct place_use {
    rcity_score_run *run;
    link_set *links;
} place_use;

/* An rcity_predictor_use. */
static rcity_status use_places(void *user, const rcity_predictor *predictor, const rcity_job *job, const void *trace,
                               const rcity_tx *tx)
{
    (void)predictor;
    (void)trace;
    const place_use *use = user;
    return place_links(use->run, job, tx, use->links);
}

static rcity_status run_model(rcity_score_run *run, link_set *links, int model)
{
    rcity_request request = make_request(run, links, model);
    rcity_point_levels levels = {.loss_db = links->loss_db, .received_dbm = links->received_dbm};
    rcity_predictor *predictor = NULL;
    rcity_notes notes;
    rcity_status status;
    RCITY_TRY(rcity_predictor_open_once(run->context, run->scene, run->device, &request, &predictor));
    rcity_notes_init(run->context, &notes);
    predictor->job.is_quiet = true; /* remarks are kept with the score */
    levels.mechanism = links->mechanism;
    levels.notes = &notes;
    if (model == RCITY_SCORE_METHOD) {
        place_use use = {run, links};
        RCITY_TRY_DONE(rcity_predictor_with(predictor, run->context, RCITY_PREDICTOR_ONLY, use_places, &use));
    }
    RCITY_TRY_DONE(rcity_predictor_make_points(predictor, run->context, RCITY_PREDICTOR_ONLY, &levels));
    keep_predicted(run, links, predictor->job.method, model);
    keep_remark(run, model, &notes);
done:
    rcity_notes_deinit(&notes);
    rcity_predictor_close(&predictor);
    return status;
}

/* A baseline that refuses the transmitter is left out; it is no reason to have no score. */
static rcity_status run_models(rcity_score_run *run, link_set *links)
{
    for (int i = 0; i < run->model_count; i++) {
        if (run->is_failed[i]) {
            continue;
        }
        rcity_status status = run_model(run, links, i);
        bool may_fail = i > RCITY_SCORE_REFERENCE;
        if (may_fail && (status == RCITY_ERR_ARGUMENT || status == RCITY_ERR_UNSUPPORTED)) {
            run->is_failed[i] = true;
            RCITY_TRY(rcity_score_warn(run->score, "baseline %s is left out: %s", run->score->models[i].name,
                                       rcity_context_message(run->context)));
        } else if (status != RCITY_OK) {
            return status;
        }
    }
    return RCITY_OK;
}

rcity_status rcity_score_run_transmitter(rcity_score_run *run, int tx_index)
{
    link_set links;
    rcity_status status;
    memset(&links, 0, sizeof links);
    links.transmitter = rcity_measurements_transmitters(run->measurements)[tx_index];
    links.count = count_links(run->measurements, tx_index);
    if (links.count == 0) {
        return RCITY_OK;
    }
    if (measures_powers(run) && isnan(links.transmitter.power_dbm)) {
        links.transmitter.power_kind = RCITY_POWER_EIRP;
        links.transmitter.power_dbm = 0.0; /* any would do: the mean error means nothing, a warning says so */
    }
    RCITY_TRY_DONE(alloc_links(run->context, &links));
    gather_links(run->measurements, tx_index, &links);
    status = run_models(run, &links);
    if (status != RCITY_OK && rcity_measurements_transmitter_count(run->measurements) > 1) {
        const char *name = links.transmitter.name;
        status = rcity_fail_prefix(run->context, status, "transmitter '%s': ", name != NULL ? name : "Tx");
    }
done:
    release_links(run->context, &links);
    return status;
}

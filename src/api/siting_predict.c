/* Batches of stations through a predictor. */
#include "api/siting_predict.h"

#include <math.h>
#include <string.h>

#include "base/parallel.h"
#include "plan/siting/demand.h"

#define SPARE_SLOTS 64 /* stations beyond a batch whose traces are kept: turning them needs no new trace */

static rcity_status open_threads(rcity_siting_predictor *made)
{
    rcity_context *context = made->context;
    made->thread_count = made->predictor->shares_device ? rcity_context_thread_count(context) : 1;
    size_t count = (size_t)made->thread_count;
    RCITY_TRY(rcity_alloc(context, count, sizeof *made->threads, "threads", &made->threads));
    RCITY_TRY(rcity_alloc(context, count, sizeof *made->loss_db, "threads", &made->loss_db));
    for (size_t i = 0; i < count; i++) {
        RCITY_TRY(rcity_context_create_child(context, &made->threads[i]));
        RCITY_TRY(rcity_alloc(context, (size_t)made->point_count, sizeof(float), "losses", &made->loss_db[i]));
    }
    return RCITY_OK;
}

rcity_status rcity_siting_predictor_init(rcity_context *context, const rcity_scene *scene, rcity_device *device,
                                         const rcity_request *request, const rcity_demand *demand,
                                         const rcity_siting_places *places, int batch_count,
                                         rcity_siting_predictor *predictor)
{
    rcity_request own = *request;
    memset(predictor, 0, sizeof *predictor);
    predictor->context = context;
    predictor->places = places;
    predictor->point_count = demand->count;
    predictor->batch_count = batch_count;
    predictor->slot_count = batch_count + SPARE_SLOTS;
    RCITY_TRY(rcity_alloc(context, (size_t)demand->count, 3 * sizeof *predictor->xyh_m, "points", &predictor->xyh_m));
    for (int64_t i = 0; i < demand->count; i++) {
        predictor->xyh_m[3 * i] = demand->points[i].x_m;
        predictor->xyh_m[3 * i + 1] = demand->points[i].y_m;
        predictor->xyh_m[3 * i + 2] = demand->points[i].height_m;
    }
    own.receivers.point_count = demand->count;
    own.receivers.xyh_m = predictor->xyh_m;
    own.receivers.on_surfaces = false;
    RCITY_TRY(
        rcity_alloc(context, (size_t)predictor->slot_count, sizeof *predictor->slots, "stations", &predictor->slots));
    for (int i = 0; i < predictor->slot_count; i++) {
        predictor->slots[i].index = -1;
    }
    RCITY_TRY(rcity_predictor_open(context, scene, device, &own, &predictor->predictor));
    return open_threads(predictor);
}

void rcity_siting_predictor_deinit(rcity_siting_predictor *predictor)
{
    rcity_context *context = predictor->context;
    for (int i = 0; i < predictor->thread_count && predictor->loss_db != NULL; i++) {
        rcity_release(context, predictor->loss_db[i]);
        rcity_context_destroy_child(&predictor->threads[i]);
    }
    rcity_release(context, predictor->loss_db);
    rcity_release(context, predictor->threads);
    rcity_predictor_close(&predictor->predictor);
    rcity_release(context, predictor->slots);
    rcity_release(context, predictor->xyh_m);
    memset(predictor, 0, sizeof *predictor);
}

static bool is_same_place(const rcity_transmitter *a, const rcity_transmitter *b)
{
    return a->x_m == b->x_m && a->y_m == b->y_m && a->height_m == b->height_m && a->is_absolute == b->is_absolute;
}

/* The slot at this place, which has its trace; else the one that was not used for longest. `first_use` begins the
   present batch, whose slots are taken. */
static rcity_siting_slot *choose_slot(rcity_siting_predictor *predictor, const rcity_transmitter *transmitter,
                                      uint64_t first_use)
{
    rcity_siting_slot *oldest = NULL;
    for (int i = 0; i < predictor->slot_count; i++) {
        rcity_siting_slot *slot = &predictor->slots[i];
        if (slot->last_use >= first_use) {
            continue;
        }
        if (slot->index >= 0 && is_same_place(&slot->transmitter, transmitter)) {
            return slot;
        }
        oldest = oldest == NULL || slot->last_use < oldest->last_use ? slot : oldest;
    }
    return oldest;
}

static rcity_status put(rcity_siting_predictor *predictor, const rcity_transmitter *transmitter,
                        rcity_siting_slot *slot)
{
    if (slot->index < 0) {
        RCITY_TRY(rcity_predictor_add_transmitter(predictor->predictor, predictor->context, transmitter, &slot->index));
    } else {
        RCITY_TRY(rcity_predictor_set_transmitter(predictor->predictor, predictor->context, slot->index, transmitter));
    }
    slot->transmitter = *transmitter;
    slot->last_use = ++predictor->use_count;
    return RCITY_OK;
}

/* One batch on the host's threads. */
typedef struct batch_run {
    rcity_siting_predictor *predictor;
    const int *index; /* of the predictor's transmitters */
    float *const *level_dbm;
    rcity_status *status; /* of each thread: its first failure */
} batch_run;

static void evaluate(void *user, int64_t begin, int64_t end, int thread_index)
{
    const batch_run *run = user;
    rcity_siting_predictor *predictor = run->predictor;
    for (int64_t i = begin; i < end && run->status[thread_index] == RCITY_OK; i++) {
        rcity_point_levels levels = {.loss_db = predictor->loss_db[thread_index], .received_dbm = run->level_dbm[i]};
        run->status[thread_index] =
            rcity_predictor_make_points(predictor->predictor, predictor->threads[thread_index], run->index[i], &levels);
        for (int64_t k = 0; k < predictor->point_count && run->status[thread_index] == RCITY_OK; k++) {
            bool is_level = isfinite(run->level_dbm[i][k]);
            run->level_dbm[i][k] = is_level ? run->level_dbm[i][k] : -HUGE_VALF;
        }
    }
}

static rcity_status evaluate_batch(rcity_siting_predictor *predictor, int count, const int *index,
                                   float *const *level_dbm)
{
    rcity_status *statuses = NULL;
    RCITY_TRY(rcity_alloc(predictor->context, (size_t)predictor->thread_count, sizeof *statuses, "threads", &statuses));
    batch_run run = {predictor, index, level_dbm, statuses};
    int first = 0;
    if (!predictor->has_spoken) { /* the first one may warn, the others would repeat it */
        rcity_context_lend(predictor->context, predictor->threads[0]);
        evaluate(&run, 0, 1, 0);
        rcity_context_hand_back(predictor->threads[0], predictor->context, statuses[0]);
        predictor->predictor->job.is_quiet = true;
        predictor->has_spoken = true;
        first = 1;
    }
    run.index += first;
    run.level_dbm += first;
    if (statuses[0] == RCITY_OK && predictor->thread_count > 1) {
        rcity_parallel(predictor->context, count - first, 1, evaluate, &run);
    } else if (statuses[0] == RCITY_OK) {
        evaluate(&run, 0, count - first, 0);
    }
    rcity_status status = RCITY_OK;
    for (int i = 0; i < predictor->thread_count && status == RCITY_OK; i++) {
        status = statuses[i];
        if (status != RCITY_OK && predictor->threads[i] != NULL) {
            (void)rcity_context_hand_back(predictor->threads[i], predictor->context, status);
        }
    }
    rcity_release(predictor->context, statuses);
    return status;
}

static rcity_status run_batch(rcity_siting_predictor *predictor, int count, const rcity_transmitter *transmitters,
                              int *index, float *const *level_dbm)
{
    uint64_t first_use = predictor->use_count + 1;
    for (int i = 0; i < count; i++) {
        rcity_siting_slot *slot = choose_slot(predictor, &transmitters[i], first_use);
        RCITY_TRY(put(predictor, &transmitters[i], slot));
        index[i] = slot->index;
    }
    /* later batches show no progress of their own */
    rcity_context *quiet = predictor->has_spoken ? predictor->threads[0] : predictor->context;
    rcity_status status = rcity_predictor_trace(predictor->predictor, quiet);
    if (quiet != predictor->context) {
        status = rcity_context_hand_back(quiet, predictor->context, status);
    }
    RCITY_TRY(status);
    return evaluate_batch(predictor, count, index, level_dbm);
}

rcity_status rcity_siting_predictor_run(rcity_siting_predictor *predictor, int count,
                                        const rcity_transmitter *transmitters, float *const *level_dbm)
{
    int *index = NULL;
    rcity_status status = RCITY_OK;
    RCITY_TRY(rcity_alloc(predictor->context, (size_t)predictor->batch_count, sizeof *index, "stations", &index));
    for (int i = 0; i < count && status == RCITY_OK; i += predictor->batch_count) {
        int size = count - i < predictor->batch_count ? count - i : predictor->batch_count;
        status = run_batch(predictor, size, transmitters + i, index, level_dbm + i);
    }
    rcity_release(predictor->context, index);
    return status;
}

rcity_status rcity_siting_predictor_predict(void *user, int count, const rcity_siting_setting *settings,
                                            float *const *level_dbm)
{
    rcity_siting_predictor *predictor = user;
    rcity_transmitter *transmitters = NULL;
    RCITY_TRY(rcity_alloc(predictor->context, (size_t)count, sizeof *transmitters, "stations", &transmitters));
    for (int i = 0; i < count; i++) {
        (void)rcity_siting_places_fill(predictor->places, &settings[i], &transmitters[i]);
    }
    rcity_status status = rcity_siting_predictor_run(predictor, count, transmitters, level_dbm);
    rcity_release(predictor->context, transmitters);
    return status;
}

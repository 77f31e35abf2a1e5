/* Batches of stations through predictors. */
#include "api/siting_predict.h"

#include <math.h>
#include <string.h>

#include "base/parallel.h"
#include "method/received_power.h"
#include "plan/siting/demand.h"

#define SPARE_SLOTS 64 /* stations beyond a batch whose traces are kept: turning them needs no new trace */

static rcity_status open_worker(rcity_siting_predictor *made, const rcity_scene *scene, rcity_device *device,
                                const rcity_request *request, rcity_siting_worker *worker)
{
    rcity_context *context = made->context;
    RCITY_TRY(rcity_context_create_child(context, &worker->context));
    RCITY_TRY(rcity_alloc(context, (size_t)made->point_count, sizeof(float), "losses", &worker->loss_db));
    RCITY_TRY(rcity_alloc(context, (size_t)made->slot_count, sizeof *worker->slots, "stations", &worker->slots));
    for (int i = 0; i < made->slot_count; i++) {
        worker->slots[i].index = -1;
    }
    RCITY_TRY(rcity_predictor_open(context, scene, device, request, &worker->predictor));
    made->keeps_loss = made->keeps_place && !worker->predictor->job.method->knows_antennas;
    for (int i = 0; i < made->slot_count && made->keeps_loss; i++) {
        RCITY_TRY(rcity_alloc(context, (size_t)made->point_count, sizeof(float), "losses", &worker->slots[i].loss_db));
    }
    return RCITY_OK;
}

static rcity_status open_workers(rcity_siting_predictor *made, const rcity_scene *scene, rcity_device *device,
                                 const rcity_request *request)
{
    int most = rcity_context_thread_count(made->context);
    RCITY_TRY(rcity_alloc(made->context, (size_t)most, sizeof *made->workers, "stations", &made->workers));
    for (int i = 0; i < most; i++) {
        made->worker_count = i + 1;
        RCITY_TRY(open_worker(made, scene, device, request, &made->workers[i]));
        made->workers[i].predictor->job.is_quiet = i > 0; /* one of them speaks for all */
        made->is_device = !made->workers[i].predictor->shares_device;
        if (made->is_device) {
            return RCITY_OK;
        }
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
    predictor->keeps_place = places->azimuth_count > 1 || places->tilt_count > 1;
    RCITY_TRY(rcity_alloc(context, (size_t)demand->count, 3 * sizeof *predictor->xyh_m, "points", &predictor->xyh_m));
    for (int64_t i = 0; i < demand->count; i++) {
        predictor->xyh_m[3 * i] = demand->points[i].x_m;
        predictor->xyh_m[3 * i + 1] = demand->points[i].y_m;
        predictor->xyh_m[3 * i + 2] = demand->points[i].height_m;
    }
    own.receivers.point_count = demand->count;
    own.receivers.xyh_m = predictor->xyh_m;
    own.receivers.on_surfaces = false;
    return open_workers(predictor, scene, device, &own);
}

void rcity_siting_predictor_deinit(rcity_siting_predictor *predictor)
{
    rcity_context *context = predictor->context;
    for (int i = 0; i < predictor->worker_count; i++) {
        rcity_siting_worker *worker = &predictor->workers[i];
        rcity_predictor_close(&worker->predictor);
        for (int k = 0; k < predictor->slot_count && worker->slots != NULL; k++) {
            rcity_release(context, worker->slots[k].loss_db);
        }
        rcity_release(context, worker->slots);
        rcity_release(context, worker->loss_db);
        rcity_context_destroy_child(&worker->context);
    }
    rcity_release(context, predictor->workers);
    rcity_release(context, predictor->xyh_m);
    memset(predictor, 0, sizeof *predictor);
}

static bool is_same_place(const rcity_transmitter *a, const rcity_transmitter *b)
{
    return a->x_m == b->x_m && a->y_m == b->y_m && a->height_m == b->height_m && a->is_absolute == b->is_absolute;
}

/* The slot at this place, which has its trace; else the one that was not used for longest. `first_use` begins the
   present batch, whose slots are taken. */
static rcity_siting_slot *choose_slot(const rcity_siting_predictor *predictor, rcity_siting_worker *worker,
                                      const rcity_transmitter *transmitter, uint64_t first_use)
{
    rcity_siting_slot *oldest = NULL;
    for (int i = 0; i < predictor->slot_count; i++) {
        rcity_siting_slot *slot = &worker->slots[i];
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

static rcity_status put(const rcity_siting_predictor *predictor, rcity_siting_worker *worker,
                        const rcity_transmitter *transmitter, uint64_t first_use, rcity_siting_slot **chosen)
{
    rcity_siting_slot *slot = choose_slot(predictor, worker, transmitter, first_use);
    slot->has_loss = slot->has_loss && is_same_place(&slot->transmitter, transmitter);
    if (slot->index < 0) {
        RCITY_TRY(rcity_predictor_add_transmitter(worker->predictor, worker->context, transmitter, &slot->index));
    } else {
        RCITY_TRY(rcity_predictor_set_transmitter(worker->predictor, worker->context, slot->index, transmitter));
    }
    slot->transmitter = *transmitter;
    slot->last_use = ++worker->use_count;
    *chosen = slot;
    return RCITY_OK;
}

/* An rcity_predictor_use: levels of losses that are at hand. */
typedef struct gain_use {
    const float *loss_db;
    float *level_dbm;
} gain_use;

static rcity_status add_gain(void *user, const rcity_predictor *predictor, const rcity_job *job, const void *trace,
                             const rcity_tx *tx)
{
    const gain_use *use = user;
    (void)predictor;
    (void)trace;
    return rcity_received_power_fill_points(job, tx, use->loss_db, use->level_dbm);
}

static rcity_status evaluate(const rcity_siting_predictor *predictor, rcity_siting_worker *worker,
                             rcity_siting_slot *slot, float *level_dbm)
{
    if (slot->has_loss) {
        gain_use use = {slot->loss_db, level_dbm};
        RCITY_TRY(rcity_predictor_with(worker->predictor, worker->context, slot->index, add_gain, &use));
    } else {
        float *loss_db = predictor->keeps_loss ? slot->loss_db : worker->loss_db;
        rcity_point_levels levels = {.loss_db = loss_db, .received_dbm = level_dbm};
        RCITY_TRY(rcity_predictor_make_points(worker->predictor, worker->context, slot->index, &levels));
        slot->has_loss = predictor->keeps_loss;
    }
    for (int64_t i = 0; i < predictor->point_count; i++) {
        level_dbm[i] = isfinite(level_dbm[i]) ? level_dbm[i] : -HUGE_VALF;
    }
    return RCITY_OK;
}

/* One batch on the host's threads. */
typedef struct batch_run {
    rcity_siting_predictor *predictor;
    const rcity_transmitter *transmitters;
    float *const *level_dbm;
    int count;
} batch_run;

/* The worker of a place: any, but always the same one. */
static int owner_of(const rcity_siting_predictor *predictor, const rcity_transmitter *transmitter)
{
    uint64_t x;
    uint64_t y;
    memcpy(&x, &transmitter->x_m, sizeof x);
    memcpy(&y, &transmitter->y_m, sizeof y);
    uint64_t z = (x ^ (y << 1)) * 0x9e3779b97f4a7c15u;
    return (int)((z >> 32) % (uint64_t)predictor->worker_count);
}

static void run_station(const batch_run *run, int64_t i, rcity_siting_worker *worker)
{
    rcity_siting_slot *slot = NULL;
    if (worker->status == RCITY_OK) {
        worker->status = put(run->predictor, worker, &run->transmitters[i], worker->use_count + 1, &slot);
    }
    if (worker->status == RCITY_OK) {
        worker->status = evaluate(run->predictor, worker, slot, run->level_dbm[i]);
    }
}

/* Stations in pieces, by whichever thread is free. */
static void run_any(void *user, int64_t begin, int64_t end, int thread_index)
{
    const batch_run *run = user;
    for (int64_t i = begin; i < end; i++) {
        run_station(run, i, &run->predictor->workers[thread_index]);
    }
}

/* All stations of some workers. */
static void run_owned(void *user, int64_t begin, int64_t end, int thread_index)
{
    const batch_run *run = user;
    (void)thread_index;
    for (int i = 0; i < run->count; i++) {
        int owner = owner_of(run->predictor, &run->transmitters[i]);
        if (owner >= begin && owner < end) {
            run_station(run, i, &run->predictor->workers[owner]);
        }
    }
}

static rcity_status collect(rcity_siting_predictor *predictor)
{
    rcity_status status = RCITY_OK;
    for (int i = 0; i < predictor->worker_count; i++) {
        rcity_siting_worker *worker = &predictor->workers[i];
        if (worker->status != RCITY_OK && status == RCITY_OK) {
            status = rcity_context_hand_back(worker->context, predictor->context, worker->status);
        }
        worker->status = RCITY_OK;
    }
    return status;
}

/* The first station alone: the method may warn, and what it prepares shows its progress. */
static rcity_status speak(rcity_siting_predictor *predictor, const batch_run *run)
{
    rcity_siting_worker *worker = &predictor->workers[0];
    rcity_context_lend(predictor->context, worker->context);
    run_station(run, 0, worker);
    predictor->has_spoken = worker->status == RCITY_OK;
    worker->predictor->job.is_quiet = predictor->has_spoken;
    rcity_status status = collect(predictor);
    rcity_context_lend(NULL, worker->context);
    return status;
}

static rcity_status run_on_host(rcity_siting_predictor *predictor, int count, const rcity_transmitter *transmitters,
                                float *const *level_dbm)
{
    batch_run run = {predictor, transmitters, level_dbm, count};
    if (predictor->keeps_place) {
        rcity_parallel(predictor->context, predictor->worker_count, 1, run_owned, &run);
    } else {
        rcity_parallel(predictor->context, count, 1, run_any, &run);
    }
    return collect(predictor);
}

static rcity_status run_on_device(rcity_siting_predictor *predictor, int count, const rcity_transmitter *transmitters,
                                  rcity_siting_slot **slots, float *const *level_dbm)
{
    rcity_siting_worker *worker = &predictor->workers[0];
    uint64_t first_use = worker->use_count + 1;
    for (int i = 0; i < count && worker->status == RCITY_OK; i++) {
        worker->status = put(predictor, worker, &transmitters[i], first_use, &slots[i]);
    }
    if (worker->status == RCITY_OK) {
        worker->status = rcity_predictor_trace(worker->predictor, worker->context);
    }
    for (int i = 0; i < count && worker->status == RCITY_OK; i++) {
        worker->status = evaluate(predictor, worker, slots[i], level_dbm[i]);
    }
    return collect(predictor);
}

rcity_status rcity_siting_predictor_run(rcity_siting_predictor *predictor, int count,
                                        const rcity_transmitter *transmitters, float *const *level_dbm)
{
    rcity_siting_slot **slots = NULL;
    rcity_status status = RCITY_OK;
    int first = 0;
    if (count > 0 && !predictor->has_spoken) {
        batch_run run = {predictor, transmitters, level_dbm, 1};
        RCITY_TRY(speak(predictor, &run));
        first = 1;
    }
    RCITY_TRY(rcity_alloc(predictor->context, (size_t)predictor->batch_count, sizeof *slots, "stations", &slots));
    for (int i = first; i < count && status == RCITY_OK; i += predictor->batch_count) {
        int size = count - i < predictor->batch_count ? count - i : predictor->batch_count;
        status = predictor->is_device ? run_on_device(predictor, size, transmitters + i, slots, level_dbm + i)
                                      : run_on_host(predictor, size, transmitters + i, level_dbm + i);
    }
    rcity_release(predictor->context, slots);
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

/* What stands between a request and its evaluation: memory judged once, receivers prepared once, transmitters traced
   once. */
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "api/predictor.h"
#include "scene/place/cover.h"

/* What the method says of the job; asked once. */
static rcity_status estimate_job(rcity_predictor *predictor)
{
    const rcity_job *job = &predictor->job;
    rcity_job_estimate made = {.is_known = true};
    if (predictor->estimate.is_known) {
        return RCITY_OK;
    }
    RCITY_TRY(job->method->estimate(job, &made.memory_bytes, &made.seconds));
    if (job->receivers->on_surfaces) {
        RCITY_TRY(job->method->count_tiles(job, &made.tile_count));
    }
    predictor->estimate = made;
    return RCITY_OK;
}

rcity_status rcity_predictor_estimate_slot(rcity_predictor *predictor, const rcity_predictor_slot *slot,
                                           rcity_estimate *estimate)
{
    const rcity_job *job = &predictor->job;
    rcity_estimate made;
    memset(&made, 0, sizeof made);
    double cells = (double)job->raster.column_count * (double)job->raster.row_count;
    double planes = (double)job->receivers->height_count;
    /* a trillion cells would overflow what follows; nothing of that size can run */
    RCITY_CHECK(job->context, cells * planes < 1e15, RCITY_ERR_MEMORY,
                "the raster has %.3g cells; use a larger `cell` or a smaller area", cells);
    RCITY_TRY(estimate_job(predictor));
    made.memory_bytes = predictor->estimate.memory_bytes;
    made.seconds = predictor->estimate.seconds;
    made.receiver_count = (int64_t)(cells * planes) + job->receivers->point_count;
    if (job->receivers->on_surfaces) {
        made.receiver_count = predictor->estimate.tile_count;
        made.memory_bytes += (uint64_t)made.receiver_count * sizeof(rcity_surface_tile);
    }
    /* loss and one more band of the method, or a point's loss twice until the caller has it; received power */
    bool has_power = !isnan(slot->tx.stated.power_dbm);
    made.memory_bytes += (uint64_t)((double)made.receiver_count * (has_power ? 3.0 : 2.0) * sizeof(float));
    made.memory_bytes += (uint64_t)(cells * sizeof(float)); /* the roofs */
    made.raster = job->raster;
    made.transmitter = slot->tx.position;
    *estimate = made;
    return RCITY_OK;
}

/* Bytes beside those of an estimate: what was prepared is a part of both. */
static uint64_t find_other_bytes(const rcity_predictor *predictor, const rcity_estimate *estimate)
{
    uint64_t used = rcity_context_memory_used(predictor->context);
    uint64_t both = predictor->prepared_bytes;
    both = both < estimate->memory_bytes ? both : estimate->memory_bytes;
    return used > both ? used - both : 0;
}

static bool has_room(const rcity_predictor *predictor, uint64_t used, uint64_t bytes)
{
    uint64_t limit = rcity_context_memory_limit(predictor->context);
    return used <= limit && bytes <= limit - used;
}

bool rcity_predictor_fits(const rcity_predictor *predictor, const rcity_estimate *estimate)
{
    return has_room(predictor, find_other_bytes(predictor, estimate), estimate->memory_bytes);
}

rcity_status rcity_predictor_check_memory(const rcity_predictor *predictor, const rcity_estimate *estimate)
{
    rcity_context *context = predictor->context;
    uint64_t used = find_other_bytes(predictor, estimate);
    uint64_t limit = rcity_context_memory_limit(context);
    char need_text[32];
    char limit_text[32];
    bool on_surfaces = predictor->receivers.on_surfaces;
    RCITY_CHECK(context, rcity_predictor_fits(predictor, estimate), RCITY_ERR_MEMORY,
                "the prediction of %.4g %s needs %s, the limit is %s; use %s or raise `memory`",
                (double)estimate->receiver_count, on_surfaces ? "tiles of surfaces" : "receivers",
                rcity_format_bytes((double)(used + estimate->memory_bytes), need_text),
                rcity_format_bytes((double)limit, limit_text),
                on_surfaces ? "larger tiles" : "a larger `cell`, a smaller area");
    return RCITY_OK;
}

static rcity_status make_roofs(rcity_predictor *predictor)
{
    rcity_job *job = &predictor->job;
    if (predictor->roof_m != NULL || !rcity_job_is_raster(job)) {
        return RCITY_OK;
    }
    size_t cell_count = (size_t)(job->raster.column_count * job->raster.row_count);
    float *made = NULL;
    RCITY_TRY(rcity_alloc(job->context, cell_count, sizeof *made, "the roof raster", &made));
    rcity_status status = rcity_raster_cover(job->context, job->shapes, &job->raster, made);
    if (status != RCITY_OK) {
        rcity_release(job->context, made);
        return status;
    }
    job->roof_m = predictor->roof_m = made;
    return RCITY_OK;
}

rcity_status rcity_predictor_check_receivers(rcity_predictor *predictor, rcity_predictor_slot *slot)
{
    const rcity_job *job = &predictor->job;
    RCITY_TRY(make_roofs(predictor));
    return job->method->check_receivers != NULL ? job->method->check_receivers(job, &slot->tx) : RCITY_OK;
}

rcity_status rcity_predictor_explain(const rcity_job *job, rcity_status status)
{
    char orders[160] = "";
    const rcity_method_info *info = &job->method->info;
    for (int i = 0; status == RCITY_ERR_MEMORY && i < info->option_count; i++) {
        size_t used = strlen(orders);
        if ((job->method->order_options & RCITY_OPTION_BIT(i)) != 0) {
            snprintf(orders + used, sizeof orders - used, "%s`%s=%s`", used > 0 ? ", " : "",
                     job->method->options[i].name, job->option[i]);
        }
    }
    return orders[0] == '\0'
               ? status
               : rcity_fail_prefix(job->context, status,
                                   "%s take more memory in this scene than is allowed, lower them; ", orders);
}

/* Is it the trace of this transmitter? */
static bool is_of(const rcity_predictor *predictor, const rcity_kept_trace *trace, const rcity_tx *tx)
{
    bool needs_frequency = (predictor->job.method->trace_needs & RCITY_TRACE_NEEDS_FREQUENCY) != 0;
    return trace->position.x_m == tx->position.x_m && trace->position.y_m == tx->position.y_m &&
           trace->position.z_m == tx->position.z_m &&
           (!needs_frequency || trace->frequency_hz == tx->stated.frequency_hz);
}

const rcity_kept_trace *rcity_predictor_find_trace(const rcity_predictor *predictor, const rcity_tx *tx)
{
    for (size_t i = 0; i < predictor->trace_count; i++) {
        if (is_of(predictor, &predictor->traces[i], tx)) {
            return &predictor->traces[i];
        }
    }
    return NULL;
}

static void drop_trace(rcity_predictor *predictor, size_t i)
{
    const rcity_method *method = predictor->job.method;
    if (method->release_trace != NULL) {
        method->release_trace(predictor->context, predictor->traces[i].trace);
    }
    predictor->traces[i] = predictor->traces[--predictor->trace_count];
}

void rcity_predictor_drop_traces(rcity_predictor *predictor)
{
    while (predictor->trace_count > 0) {
        drop_trace(predictor, predictor->trace_count - 1);
    }
}

void rcity_predictor_drop_workspace(rcity_predictor *predictor)
{
    rcity_predictor_drop_traces(predictor);
    if (predictor->workspace != NULL) {
        predictor->job.method->close_workspace(predictor->context, predictor->workspace);
    }
    predictor->workspace = NULL;
}

void rcity_predictor_drop_prepared(rcity_predictor *predictor)
{
    rcity_predictor_drop_workspace(predictor);
    if (predictor->prepared != NULL) {
        predictor->job.method->release_prepared(predictor->context, predictor->prepared);
    }
    rcity_release(predictor->context, predictor->roof_m);
    predictor->prepared = NULL;
    predictor->is_prepared = false;
    predictor->job.roof_m = predictor->roof_m = NULL;
    predictor->prepared_bytes = 0;
}

/* Traces of places where no transmitter stands any more. */
static void drop_orphans(rcity_predictor *predictor)
{
    for (size_t i = predictor->trace_count; i > 0; i--) {
        bool is_needed = false;
        for (size_t k = 0; k < predictor->slot_count && !is_needed; k++) {
            is_needed =
                predictor->slots[k].is_used && is_of(predictor, &predictor->traces[i - 1], &predictor->slots[k].tx);
        }
        if (!is_needed) {
            drop_trace(predictor, i - 1);
        }
    }
}

static bool drop_oldest(rcity_predictor *predictor)
{
    size_t oldest = 0;
    for (size_t i = 1; i < predictor->trace_count; i++) {
        oldest = predictor->traces[i].last_use < predictor->traces[oldest].last_use ? i : oldest;
    }
    if (predictor->trace_count == 0) {
        return false;
    }
    drop_trace(predictor, oldest);
    return true;
}

/* Once for each transmitter, before anything is computed: is there memory for it, and what does the method think of its
   receivers? Kept traces make room first. */
static rcity_status check_slot(rcity_predictor *predictor, rcity_predictor_slot *slot)
{
    if (slot->is_checked) {
        return RCITY_OK;
    }
    rcity_estimate estimate;
    RCITY_TRY(rcity_predictor_estimate_slot(predictor, slot, &estimate));
    while (!rcity_predictor_fits(predictor, &estimate) && drop_oldest(predictor)) {
    }
    RCITY_TRY(rcity_predictor_check_memory(predictor, &estimate));
    RCITY_TRY(rcity_predictor_check_receivers(predictor, slot));
    slot->is_checked = true;
    return RCITY_OK;
}

static rcity_status prepare(rcity_predictor *predictor)
{
    const rcity_job *job = &predictor->job;
    const rcity_method *method = job->method;
    RCITY_CHECK(job->context, job->device != NULL, RCITY_ERR_STATE,
                "the predictor was opened without a device: it can only check and estimate");
    if (!predictor->is_prepared) {
        RCITY_TRY(make_roofs(predictor));
        uint64_t before = rcity_context_memory_used(job->context);
        if (method->prepare != NULL) {
            RCITY_TRY(method->prepare(job, &predictor->prepared));
        }
        uint64_t after = rcity_context_memory_used(job->context);
        predictor->prepared_bytes = after > before ? after - before : 0;
        predictor->is_prepared = true;
        predictor->effort.prepare_count++;
    }
    if (predictor->workspace == NULL && method->open_workspace != NULL) {
        RCITY_TRY(method->open_workspace(job, predictor->prepared, &predictor->workspace));
    }
    return RCITY_OK;
}

/* Trace a batch, half of it at a time where it is too large. */
static rcity_status trace_batch(rcity_predictor *predictor, int count, const rcity_tx *transmitters, void **traces)
{
    const rcity_job *job = &predictor->job;
    rcity_status status =
        job->method->trace(job, predictor->prepared, predictor->workspace, count, transmitters, traces);
    if (status != RCITY_ERR_MEMORY || count == 1) {
        return status;
    }
    int half = count / 2;
    RCITY_TRY(trace_batch(predictor, half, transmitters, traces));
    status = trace_batch(predictor, count - half, transmitters + half, traces + half);
    for (int i = 0; status != RCITY_OK && i < half; i++) {
        job->method->release_trace(job->context, traces[i]);
    }
    return status;
}

#define BANDS_MOST 8 /* of a map, with what a method needs while it makes them */

/* The bands of a map come on top of the traces: traces that are older than the newest `count` make room for them too. */
static void leave_room(rcity_predictor *predictor, size_t count)
{
    const rcity_job *job = &predictor->job;
    double cells = (double)job->raster.column_count * (double)job->raster.row_count * job->receivers->height_count;
    double receivers = cells + (double)job->receivers->point_count + (double)predictor->estimate.tile_count;
    uint64_t band_bytes = (uint64_t)(receivers * BANDS_MOST * sizeof(float));
    while (predictor->trace_count > count &&
           !has_room(predictor, rcity_context_memory_used(predictor->context), band_bytes) && drop_oldest(predictor)) {
    }
}

static rcity_status keep_batch(rcity_predictor *predictor, int count, const rcity_tx *transmitters)
{
    rcity_context *context = predictor->context;
    void **traces = NULL;
    rcity_status status;
    RCITY_TRY_DONE(rcity_reserve(context, predictor->trace_count + (size_t)count, sizeof *predictor->traces,
                                 &predictor->trace_capacity, "traces", &predictor->traces));
    RCITY_TRY_DONE(rcity_alloc(context, (size_t)count, sizeof *traces, "traces", &traces));
    status = trace_batch(predictor, count, transmitters, traces);
    while (status == RCITY_ERR_MEMORY && drop_oldest(predictor)) {
        status = trace_batch(predictor, count, transmitters, traces);
    }
    if (status != RCITY_OK) {
        status = rcity_predictor_explain(&predictor->job, status);
        goto done;
    }
    for (int i = 0; i < count; i++) {
        predictor->traces[predictor->trace_count++] = (rcity_kept_trace){
            transmitters[i].position, transmitters[i].stated.frequency_hz, traces[i], ++predictor->use_count};
    }
    predictor->effort.trace_count += count;
    leave_room(predictor, (size_t)count);
done:
    rcity_release(context, traces);
    return status;
}

bool rcity_predictor_is_ready(const rcity_predictor *predictor, const rcity_predictor_slot *slot)
{
    bool traces = predictor->job.method->trace != NULL;
    return slot->is_checked && predictor->is_prepared &&
           (!traces || rcity_predictor_find_trace(predictor, &slot->tx) != NULL);
}

/* Adds the transmitters that have no trace to a list, from slot `first` on: sectors of one mast once, `most` at most.
   */
static rcity_status list_missing(rcity_predictor *predictor, size_t first, int most, rcity_tx *missing, int *count)
{
    *count = 0;
    for (size_t i = first; i < predictor->slot_count && *count < most; i++) {
        rcity_predictor_slot *slot = &predictor->slots[i];
        bool is_missing = slot->is_used && rcity_predictor_find_trace(predictor, &slot->tx) == NULL;
        for (int k = 0; k < *count && is_missing; k++) {
            rcity_kept_trace other = {missing[k].position, missing[k].stated.frequency_hz, NULL, 0};
            is_missing = !is_of(predictor, &other, &slot->tx);
        }
        if (is_missing) {
            RCITY_TRY(check_slot(predictor, slot));
            missing[(*count)++] = slot->tx;
        }
    }
    return RCITY_OK;
}

/* Traces the transmitters from slot `first` on that have no trace, `most` at most. */
static rcity_status trace_from(rcity_predictor *predictor, size_t first, int most)
{
    rcity_tx *missing = NULL;
    int count = 0;
    RCITY_TRY(rcity_alloc(predictor->context, predictor->slot_count + 1, sizeof *missing, "transmitters", &missing));
    rcity_status status = list_missing(predictor, first, most, missing, &count);
    if (status == RCITY_OK && count > 0) {
        status = keep_batch(predictor, count, missing);
    }
    rcity_release(predictor->context, missing);
    return status;
}

rcity_status rcity_predictor_make_ready(rcity_predictor *predictor, rcity_predictor_slot *slot)
{
    const rcity_method *method = predictor->job.method;
    RCITY_TRY(check_slot(predictor, slot));
    RCITY_TRY(prepare(predictor));
    if (method->trace == NULL || rcity_predictor_find_trace(predictor, &slot->tx) != NULL) {
        return RCITY_OK;
    }
    drop_orphans(predictor);
    if (!predictor->is_in_order) {
        return keep_batch(predictor, 1, &slot->tx);
    }
    while (drop_oldest(predictor)) {
    }
    int most = method->batch_size != NULL ? method->batch_size(predictor->workspace) : 1;
    if (most > 1 && trace_from(predictor, (size_t)(slot - predictor->slots), most) == RCITY_OK) {
        return RCITY_OK;
    }
    return keep_batch(predictor, 1, &slot->tx); /* what failed in a batch fails under the transmitter's own name */
}

rcity_status rcity_predictor_trace_all(rcity_predictor *predictor)
{
    RCITY_TRY(prepare(predictor));
    if (predictor->job.method->trace == NULL) {
        return RCITY_OK;
    }
    drop_orphans(predictor);
    return trace_from(predictor, 0, INT_MAX);
}

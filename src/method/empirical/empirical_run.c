/* How a formula turns a job into a map: receivers, sight, one launch, receivers outside the range. */
#include "method/empirical/empirical_run.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "kernel/link.h"
#include "method/empirical/land_loss.h"
#include "method/empirical/surroundings.h"
#include "method/ground_filter.h"
#include "method/receiver_plane.h"

#define LAND_COVER_OPTION "land-cover"

/* The kernel's job of any formula; it starts with a frame. */
typedef union kernel_job {
    rcity_link_frame frame;
    unsigned char bytes[RCITY_EMPIRICAL_JOB_BYTES_MAX];
} kernel_job;

/* What a map reports at its end. */
typedef struct run_totals {
    rcity_range_count range;
    int64_t land_missing_count;
} run_totals;

static const rcity_empirical *model_of(const rcity_job *job)
{
    return (const rcity_empirical *)(const void *)job->method; /* the row is its first member */
}

bool rcity_empirical_option_is(const rcity_job *job, int option_index, const char *word)
{
    return strcmp(job->option[option_index], word) == 0;
}

static rcity_sight_use sight_of(const rcity_job *job)
{
    const rcity_empirical *model = model_of(job);
    return model->sight != NULL ? model->sight(job) : RCITY_SIGHT_UNUSED;
}

/* The published range. @return false if there is none */
static bool get_range(const rcity_job *job, rcity_model_range *range)
{
    const rcity_empirical *model = model_of(job);
    if (model->find_range != NULL) {
        model->find_range(job, range);
        return true;
    }
    if (model->range != NULL) {
        *range = *model->range;
    }
    return model->range != NULL;
}

static bool adds_land_cover(const rcity_job *job)
{
    const rcity_method_info *info = &job->method->info;
    for (int i = 0; i < info->option_count; i++) {
        if (strcmp(job->method->options[i].name, LAND_COVER_OPTION) == 0) {
            return rcity_empirical_option_is(job, i, "add");
        }
    }
    return false;
}

rcity_status rcity_empirical_check(const rcity_job *job, const rcity_tx *tx)
{
    rcity_model_range range;
    if (adds_land_cover(job)) {
        RCITY_TRY(rcity_land_loss_check(job));
    }
    return get_range(job, &range) ? rcity_range_check(job, tx, &range) : RCITY_OK;
}

rcity_status rcity_empirical_estimate(const rcity_job *job, uint64_t *memory_bytes, double *seconds)
{
    const rcity_empirical *model = model_of(job);
    bool is_tested = sight_of(job) == RCITY_SIGHT_TESTED;
    double cells = (double)job->raster.column_count * (double)job->raster.row_count;
    double planes = (double)job->receivers->height_count;
    double points = (double)job->receivers->point_count;
    double threads = rcity_context_thread_count(job->context);
    double streets = model->takes_streets ? sizeof(rcity_street) : 0.0;
    double sight = model->takes_sight && !is_tested ? sizeof(float) : 0.0; /* tested sight becomes a band */
    double bytes = cells * (sizeof(float) + streets + sight) +
                   points * (sizeof(rcity_point) + sizeof(rcity_link_point) + streets + sizeof(float));
    bytes +=
        is_tested ? threads * (double)job->shapes->prism_count * 8.0 + cells * rcity_ground_filter_bytes(job) : 0.0;
    bytes += model->takes_streets ? (double)rcity_surroundings_bytes(job) : 0.0;
    /* 25 ns for roofs and heights; the segment test and the street each look at the buildings nearby */
    double test_s = is_tested ? 0.5e-6 + 0.1e-9 * (double)job->shapes->prism_count : 0.0;
    double receivers = cells * planes + points;
    *memory_bytes = (uint64_t)bytes;
    *seconds =
        (receivers * (25e-9 + model->receiver_s + test_s) + (model->takes_streets ? (cells + points) * 1.5e-6 : 0.0)) /
        threads;
    return RCITY_OK;
}

static void fill_job(const rcity_job *job, const rcity_tx *tx, double rx_height_m, kernel_job *numbers)
{
    const rcity_empirical *model = model_of(job);
    assert(model->cells->job_bytes <= sizeof *numbers && model->points->job_bytes <= sizeof *numbers);
    memset(numbers, 0, sizeof *numbers);
    numbers->frame = rcity_receiver_plane_frame(job, tx, rx_height_m);
    model->fill(job, tx, numbers);
}

static rcity_status launch_kernel(const rcity_job *job, const rcity_kernel *kernel, const kernel_job *numbers,
                                  int64_t count, const void *receivers, const float *sight, const rcity_street *streets,
                                  float *loss_db)
{
    const rcity_empirical *model = model_of(job);
    rcity_launch launch;
    memset(&launch, 0, sizeof launch);
    launch.kernel = kernel;
    launch.job = numbers;
    launch.item_count = count;
    launch.task = job->method->info.name;
    int next = 0;
    launch.buffer[next++].in = receivers;
    if (model->takes_sight) {
        launch.buffer[next++].in = sight;
    }
    if (model->takes_streets) {
        launch.buffer[next++].in = streets;
    }
    launch.buffer[next++].out = loss_db;
    assert(next == kernel->buffer_count);
    return rcity_device_run(job->context, job->device, &launch);
}

/* Where sight is tested and the formula does not take it, hidden receivers have no loss. */
static void hide(int64_t count, const float *sight, float *loss_db)
{
    for (int64_t i = 0; i < count; i++) {
        loss_db[i] = sight[i] == 1.0f ? loss_db[i] : NAN;
    }
}

static void fill_constant(const rcity_job *job, int64_t count, float *sight)
{
    float value = sight_of(job) == RCITY_SIGHT_CLEAR ? 1.0f : 0.0f;
    for (int64_t i = 0; i < count; i++) {
        sight[i] = value;
    }
}

/* The bands of one receiver plane. `sight` is working memory where sight is not tested. */
static rcity_status evaluate_plane(const rcity_job *job, const void *prepared, const rcity_tx *tx, double height_m,
                                   float *z_m, float *sight, rcity_map *map, run_totals *totals)
{
    const rcity_empirical *model = model_of(job);
    int64_t cell_count = job->raster.column_count * job->raster.row_count;
    float *loss_db = NULL;
    kernel_job numbers;
    rcity_receiver_plane_fill(job->context, job->shapes, &job->raster, height_m, job->roof_m, z_m);
    RCITY_TRY(rcity_map_add_band(map, RCITY_BAND_LOSS, "path_loss", "dB", model->band_text, height_m, &loss_db));
    bool is_tested = sight_of(job) == RCITY_SIGHT_TESTED;
    if (is_tested) {
        RCITY_TRY(rcity_map_add_band(map, RCITY_BAND_SIGHT, "line_of_sight", "",
                                     "1 where the straight line to the transmitter is free, else 0", height_m, &sight));
        RCITY_TRY(rcity_receiver_plane_test_sight(job, &tx->position, z_m, sight));
    } else if (model->takes_sight) {
        fill_constant(job, cell_count, sight);
    }
    fill_job(job, tx, height_m, &numbers);
    RCITY_TRY(launch_kernel(job, model->cells, &numbers, cell_count, z_m, sight, prepared, loss_db));
    if (is_tested && !model->takes_sight) {
        hide(cell_count, sight, loss_db);
    }
    if (adds_land_cover(job)) {
        rcity_land_loss_add(job, loss_db, &totals->land_missing_count);
    }
    rcity_model_range range;
    if (get_range(job, &range)) {
        rcity_range_count_plane(job, &range, tx, height_m, z_m, loss_db, &totals->range);
    }
    return RCITY_OK;
}

static rcity_status report(const rcity_job *job, const rcity_tx *tx, const run_totals *totals, rcity_notes *notes)
{
    rcity_model_range range;
    if (totals->land_missing_count > 0) {
        if (!job->is_quiet) {
            rcity_log(job->context, RCITY_LOG_WARNING, "%lld %s beyond the land cover and %s no loss from it",
                      (long long)totals->land_missing_count,
                      totals->land_missing_count == 1 ? "receiver lies" : "receivers lie",
                      totals->land_missing_count == 1 ? "gets" : "get");
        }
        if (notes != NULL) {
            RCITY_TRY(rcity_notes_add_scoped(notes, RCITY_NOTE_REMARK, "beyond_land_cover", "%lld receivers",
                                             (long long)totals->land_missing_count));
        }
    }
    return get_range(job, &range) ? rcity_range_report(job, &range, tx, &totals->range, notes) : RCITY_OK;
}

rcity_status rcity_empirical_check_receivers(const rcity_job *job, const rcity_tx *tx)
{
    rcity_model_range range;
    return get_range(job, &range) ? rcity_range_check_planes(job, &range, tx) : RCITY_OK;
}

rcity_status rcity_empirical_raster(const rcity_job *job, const void *prepared, const void *trace, const rcity_tx *tx,
                                    rcity_map *map)
{
    (void)trace; /* a formula has nothing to trace */
    const rcity_empirical *model = model_of(job);
    size_t cell_count = (size_t)(job->raster.column_count * job->raster.row_count);
    bool needs_sight = model->takes_sight && sight_of(job) != RCITY_SIGHT_TESTED;
    run_totals totals = {rcity_range_count_none(), 0};
    float *z_m = NULL;
    float *sight = NULL;
    rcity_status status;
    RCITY_TRY_DONE(rcity_alloc(job->context, cell_count, sizeof *z_m, "receiver heights", &z_m));
    if (needs_sight) {
        RCITY_TRY_DONE(rcity_alloc(job->context, cell_count, sizeof *sight, "the line of sight", &sight));
    }
    for (int i = 0; i < job->receivers->height_count; i++) {
        RCITY_TRY_DONE(evaluate_plane(job, prepared, tx, job->receivers->height_m[i], z_m, sight, map, &totals));
    }
    status = report(job, tx, &totals, rcity_map_notes(map));
done:
    rcity_release(job->context, sight);
    rcity_release(job->context, z_m);
    return status;
}

/* All steps for points around the kernel: filling and checking before it, skipping and reporting after it. */
static rcity_status run_points(const rcity_job *job, const void *prepared, const rcity_tx *tx, rcity_point *positions,
                               rcity_link_point *rx, float *sight, float *loss_db, rcity_notes *notes)
{
    const rcity_empirical *model = model_of(job);
    int64_t count = job->receivers->point_count;
    run_totals totals = {rcity_range_count_none(), 0};
    kernel_job numbers;
    rcity_model_range range;
    bool has_range = get_range(job, &range);
    RCITY_TRY(rcity_receiver_points_fill(job, &tx->position, positions));
    if (has_range) {
        rcity_range_count_points(job, &range, positions, NULL, &totals.range);
        RCITY_TRY(rcity_range_check_count(job, &range, &totals.range));
    }
    bool is_tested = sight_of(job) == RCITY_SIGHT_TESTED;
    if (is_tested) {
        RCITY_TRY(rcity_receiver_points_test_sight(job, &tx->position, positions, sight));
    } else {
        fill_constant(job, count, sight);
    }
    for (int64_t i = 0; i < count; i++) {
        rx[i].x_m = (float)positions[i].x_m;
        rx[i].y_m = (float)positions[i].y_m;
        rx[i].z_m = (float)positions[i].z_m;
        rx[i].height_m = (float)job->receivers->xyh_m[3 * i + 2];
    }
    fill_job(job, tx, 0.0, &numbers);
    RCITY_TRY(launch_kernel(job, model->points, &numbers, count, rx, sight, prepared, loss_db));
    if (is_tested && !model->takes_sight) {
        hide(count, sight, loss_db);
    }
    if (adds_land_cover(job)) {
        rcity_land_loss_add(job, loss_db, &totals.land_missing_count);
    }
    if (has_range) {
        totals.range = rcity_range_count_none();
        rcity_range_count_points(job, &range, positions, loss_db, &totals.range);
    }
    return report(job, tx, &totals, notes);
}

rcity_status rcity_empirical_points(const rcity_job *job, const void *prepared, const void *trace, const rcity_tx *tx,
                                    const rcity_point_levels *levels)
{
    (void)trace;
    rcity_context *context = job->context;
    size_t count = (size_t)job->receivers->point_count;
    rcity_point *positions = NULL;
    rcity_link_point *rx = NULL;
    float *sight = NULL;
    rcity_status status;
    RCITY_TRY_DONE(rcity_alloc(context, count, sizeof *positions, "receivers", &positions));
    RCITY_TRY_DONE(rcity_alloc(context, count, sizeof *rx, "receivers", &rx));
    RCITY_TRY_DONE(rcity_alloc(context, count, sizeof *sight, "the line of sight", &sight));
    for (size_t i = 0; levels->mechanism != NULL && i < count; i++) {
        levels->mechanism[i] = NAN; /* a formula knows no mechanism; received power follows from the loss */
    }
    status = run_points(job, prepared, tx, positions, rx, sight, levels->loss_db, levels->notes);
done:
    rcity_release(context, sight);
    rcity_release(context, rx);
    rcity_release(context, positions);
    return status;
}

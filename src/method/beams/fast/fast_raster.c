/* Strips of rows on all threads. A strip's paths are written down beam by beam, those of a cell side by side, and summed
   up cell by cell: the same bits for any number of threads. */
#include "method/beams/fast/fast_raster.h"

#include <math.h>
#include <stdatomic.h>
#include <string.h>

#include "base/parallel.h"
#include "kernel/beams/beam_path.h"
#include "method/beams/beams.h"
#include "method/beams/fast/fast_cell.h"
#include "method/beams/fast/fast_device.h"
#include "method/beams/fast/fast_plane.h"

/* Working memory of a thread. */
typedef struct fast_worker {
    rcity_fast_strip strip;
    rcity_beam_record *records;
    size_t record_capacity;
    rcity_fast_groups groups;
} fast_worker;

typedef struct fast_run {
    rcity_fast_plane plane;
    rcity_beams_histogram *histograms; /* of each strip; NULL: none are wanted */
    fast_worker *workers;
    rcity_beams_level *levels;
    atomic_llong near_count, done;
    atomic_int status; /* the first failure of any thread */
} fast_run;

bool rcity_fast_raster_serves(const rcity_job *job)
{
    const rcity_raster *raster = &job->raster;
    const rcity_shapes *shapes = job->shapes;
    double city_m =
        hypot((double)shapes->x_max - (double)shapes->x_min, (double)shapes->y_max - (double)shapes->y_min) /
        shapes->units_per_m;
    double raster_m = raster->cell_m * hypot((double)raster->column_count, (double)raster->row_count);
    double legs = job->number[RCITY_BEAMS_MAX_REFLECTIONS] + job->number[RCITY_BEAMS_MAX_DIFFRACTIONS] + 1.0;
    return job->shapes->terrain.column_count == 0 && job->number[RCITY_BEAMS_MAX_DIFFRACTIONS] <= 1.0 &&
           legs * (city_m + raster_m) < RCITY_BEAM_LONGEST_M &&
           rcity_images_read_sum(job->option[RCITY_BEAMS_SUM]) != RCITY_IMAGES_COHERENT;
}

static rcity_status follow_strip(const fast_run *run, fast_worker *own)
{
    const rcity_fast_plane *plane = &run->plane;
    const rcity_fast_strip *strip = &own->strip;
    const rcity_fast_tables *tables = &plane->tables;
    const rcity_beam_arrays view = {tables->faces,  tables->edge_field, tables->ways, tables->directions,
                                    tables->slopes, tables->heights,    strip->walls, plane->own->ends.tx_table};
    size_t record_count = (size_t)strip->first[strip->found.cell_count];
    RCITY_TRY(rcity_reserve(plane->job->context, record_count + 1, sizeof *own->records, &own->record_capacity,
                            "paths of a strip", &own->records));
    for (size_t i = 0; i < strip->visit_count; i++) {
        const rcity_beam_visit *visit = &strip->visits[i];
        rcity_beam_visit_run(&plane->path_job, &view, &strip->leaves[visit->leaf], visit->cell,
                             own->records + visit->first);
    }
    return RCITY_OK;
}

/* The histogram of a cell. */
static rcity_status add_delays(const fast_run *run, const fast_worker *own, int64_t cell, const rcity_beam_sum *sum,
                               const rcity_beam_beside *beside, rcity_beams_histogram *histogram)
{
    rcity_context *context = run->plane.job->context;
    const rcity_beam_sum_job *job = &run->plane.sum_job;
    for (rcity_i64 i = own->strip.first[cell]; i < own->strip.first[cell + 1]; i++) {
        float weight = rcity_beam_weight(job, beside, sum, &own->records[i]);
        if (weight > 0.0f) {
            RCITY_TRY(rcity_beams_histogram_take(context, (int32_t)(own->records[i].length_m / job->bin_m), weight,
                                                 histogram));
        }
    }
    float roof = rcity_beam_roof_weight(job, beside, sum);
    if (roof > 0.0f) {
        RCITY_TRY(rcity_beams_histogram_take(context, (int32_t)(beside->roof_m / job->bin_m), roof, histogram));
    }
    return rcity_beams_histogram_end_cell(context, histogram);
}

static rcity_status do_strip(fast_run *run, fast_worker *own, int64_t strip_index)
{
    const rcity_fast_plane *plane = &run->plane;
    RCITY_TRY(rcity_fast_strip_fill(plane, strip_index, &own->strip));
    atomic_fetch_add(&run->near_count, own->strip.near_count);
    RCITY_TRY(follow_strip(run, own));
    for (int64_t cell = 0; cell < own->strip.found.cell_count; cell++) {
        rcity_beams_link link;
        rcity_beam_sum sum;
        rcity_beam_beside beside = rcity_fast_beside(plane, &own->strip, cell, &link);
        RCITY_TRY(rcity_fast_cell_sum(plane->job->context, &plane->sum_job, &beside, own->records,
                                      own->strip.first[cell], own->strip.first[cell + 1], &own->groups, &sum));
        rcity_fast_level(plane, &sum, &beside, &link, &run->levels[own->strip.found.cell_first + cell]);
        if (run->histograms != NULL) {
            RCITY_TRY(add_delays(run, own, cell, &sum, &beside, &run->histograms[strip_index]));
        }
    }
    return RCITY_OK;
}

static void do_strips(void *user, int64_t begin, int64_t end, int thread_index)
{
    fast_run *run = user;
    rcity_context *context = run->plane.job->context;
    for (int64_t i = begin; i < end && atomic_load(&run->status) == RCITY_OK; i++) {
        rcity_status status = do_strip(run, &run->workers[thread_index], i);
        long long done = atomic_fetch_add(&run->done, 1) + 1;
        if (status == RCITY_OK && thread_index == 0) { /* the caller's thread */
            status = rcity_progress(context, "receivers", (double)done, (double)run->plane.bins.strip_count);
        }
        int none = RCITY_OK;
        if (status != RCITY_OK) {
            atomic_compare_exchange_strong(&run->status, &none, (int)status);
        }
    }
}

static void release_histograms(fast_run *run)
{
    for (int64_t i = 0; run->histograms != NULL && i < run->plane.bins.strip_count; i++) {
        rcity_beams_histogram_deinit(run->plane.job->context, &run->histograms[i]);
    }
}

static rcity_status run_on_host(fast_run *run, int64_t *near_count)
{
    rcity_context *context = run->plane.job->context;
    int thread_count = rcity_context_thread_count(context);
    RCITY_TRY(rcity_alloc(context, (size_t)thread_count, sizeof *run->workers, "beams", &run->workers));
    rcity_parallel(context, run->plane.bins.strip_count, 1, do_strips, run);
    *near_count = (int64_t)atomic_load(&run->near_count);
    return (rcity_status)atomic_load(&run->status);
}

/* On the device, where there is one with room. */
static rcity_status run_anywhere(fast_run *run, int64_t *near_count)
{
    rcity_context *context = run->plane.job->context;
    *near_count = 0;
    if (rcity_fast_device_serves(run->plane.job)) {
        rcity_status status = rcity_fast_device_run(&run->plane, run->levels, run->histograms, near_count);
        if (status != RCITY_ERR_MEMORY) {
            return status;
        }
        rcity_log(context, RCITY_LOG_INFO, "beams are evaluated on the host: %s", rcity_context_message(context));
        release_histograms(run);
    }
    return run_on_host(run, near_count);
}

static rcity_status run_all(fast_run *run, rcity_beams_output *output)
{
    const rcity_job *job = run->plane.job;
    int64_t strip_count = run->plane.bins.strip_count;
    if (output->delays != NULL) {
        RCITY_TRY(rcity_alloc(job->context, (size_t)strip_count, sizeof *run->histograms, "histograms of delays",
                              &run->histograms));
    }
    int64_t near_count;
    RCITY_TRY(run_anywhere(run, &near_count));
    output->near_count += near_count;
    return output->delays == NULL
               ? RCITY_OK
               : rcity_beams_histograms_hand_on(run->histograms, strip_count,
                                                run->plane.bins.strip_rows * job->raster.column_count, output->delays);
}

rcity_status rcity_fast_raster_run(const rcity_beams_levels *own, int height_index, rcity_beams_output *output)
{
    rcity_context *context = own->job->context;
    int thread_count = rcity_context_thread_count(context);
    fast_run run;
    rcity_status status;
    memset(&run, 0, sizeof run);
    run.levels = output->levels;
    atomic_init(&run.near_count, 0);
    atomic_init(&run.done, 0);
    atomic_init(&run.status, RCITY_OK);
    RCITY_TRY_DONE(rcity_fast_plane_init(own, height_index, output->delays != NULL ? output->bin_s : 0.0, &run.plane));
    status = run_all(&run, output);
done:
    for (int i = 0; run.workers != NULL && i < thread_count; i++) {
        rcity_fast_strip_deinit(context, &run.workers[i].strip);
        rcity_fast_groups_deinit(context, &run.workers[i].groups);
        rcity_release(context, run.workers[i].records);
    }
    release_histograms(&run);
    rcity_release(context, run.histograms);
    rcity_fast_plane_deinit(&run.plane);
    rcity_release(context, run.workers);
    return status;
}

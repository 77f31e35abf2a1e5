/* Strips of rows on all threads, cell by cell: its paths are followed in the order of beams and summed up, so that the bits
   are the same for any number of threads. */
#include "method/beams/fast/fast_raster.h"

#include <math.h>
#include <stdatomic.h>
#include <string.h>

#include "base/parallel.h"
#include "base/stages.h"
#include "kernel/beams/beam_path.h"
#include "method/beams/beams.h"
#include "method/beams/fast/fast_cell.h"
#include "method/beams/fast/fast_device.h"
#include "method/beams/fast/fast_plane.h"

#define FETCHED_AHEAD 12 /* records */
#define LINE_BYTES    64 /* of memory; a record lies in two */

/* Working memory of a thread. */
typedef struct fast_worker {
    rcity_fast_strip strip;
    rcity_beam_beside *besides; /* of each cell of the strip */
    size_t beside_capacity;
    rcity_beams_link *links;
    size_t link_capacity;
    float *floors; /* the power under which paths to a cell do not count */
    size_t floor_capacity;
    rcity_beam_record *found; /* of the strip */
    size_t found_count, found_capacity;
    int32_t *cell_of; /* each */
    size_t cell_of_capacity;
    uint32_t *list; /* of each cell */
    size_t list_capacity;
    size_t *first; /* of each cell, and one more */
    size_t first_capacity;
    rcity_beam_record *records; /* of one cell */
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
           job->number[RCITY_BEAMS_MAX_TRANSMISSIONS] == 0.0 && legs * (city_m + raster_m) < RCITY_BEAM_LONGEST_M &&
           rcity_images_read_sum(job->option[RCITY_BEAMS_SUM]) != RCITY_IMAGES_COHERENT;
}

/* One visit; apart, to be compiled for wide registers too. */
RCITY_WIDE static int32_t follow_visit(const rcity_beam_job *job, const rcity_beam_arrays *view,
                                       const rcity_beam_leaf *leaf, int32_t cell, float *floor,
                                       rcity_beam_record *records)
{
    return rcity_beam_visit_run(job, view, leaf, cell, floor, records);
}

/* Follow the paths of a strip leaf by leaf, whose cells and directions lie side by side; what is known of each cell so far
   decides what is passed by. Records are as found. */
static rcity_status follow_strip(const fast_run *run, fast_worker *own)
{
    const rcity_fast_plane *plane = &run->plane;
    const rcity_fast_strip *strip = &own->strip;
    const rcity_fast_tables *tables = &plane->tables;
    rcity_context *context = plane->job->context;
    const rcity_beam_arrays view = {tables->faces,      tables->edge_field, tables->ways,
                                    tables->directions, tables->slopes,     tables->heights,
                                    strip->ends.walls,  tables->shares,     plane->own->ends.tx_table};
    own->found_count = 0;
    for (size_t i = 0; i < strip->found.found_count; i += 2) {
        int64_t cell = strip->found.found[i];
        const rcity_beam_leaf *leaf = &strip->ends.leaves[strip->found.found[i + 1]];
        size_t room = own->found_count + (size_t)(leaf->way_count + leaf->bouncing_count);
        RCITY_TRY(
            rcity_reserve(context, room, sizeof *own->found, &own->found_capacity, "paths of a strip", &own->found));
        RCITY_TRY(rcity_reserve(context, room, sizeof *own->cell_of, &own->cell_of_capacity, "paths of a strip",
                                &own->cell_of));
        int32_t count = follow_visit(&plane->path_job, &view, leaf, (int32_t)(strip->found.cell_first + cell),
                                     &own->floors[cell], own->found + own->found_count);
        for (int32_t k = 0; k < count; k++) {
            own->cell_of[own->found_count++] = (int32_t)cell;
        }
    }
    return RCITY_OK;
}

/* List the records of each cell, in the order in which they were found. */
static rcity_status sort_records(const fast_run *run, fast_worker *own)
{
    rcity_context *context = run->plane.job->context;
    size_t cell_count = (size_t)own->strip.found.cell_count;
    RCITY_TRY(rcity_reserve(context, own->found_count + 1, sizeof *own->list, &own->list_capacity, "paths of a strip",
                            &own->list));
    RCITY_TRY(rcity_reserve(context, cell_count + 2, sizeof *own->first, &own->first_capacity, "paths of a strip",
                            &own->first));
    memset(own->first, 0, (cell_count + 2) * sizeof *own->first);
    for (size_t i = 0; i < own->found_count; i++) {
        own->first[own->cell_of[i] + 2]++;
    }
    for (size_t cell = 0; cell < cell_count; cell++) {
        own->first[cell + 2] += own->first[cell + 1];
    }
    for (size_t i = 0; i < own->found_count; i++) {
        own->list[own->first[own->cell_of[i] + 1]++] = (uint32_t)i;
    }
    return RCITY_OK;
}

/* The records of a cell side by side. They lie far apart: some are fetched ahead, those of the next cells too. */
static rcity_status gather(const fast_run *run, fast_worker *own, int64_t cell, size_t *count)
{
    size_t first = own->first[cell];
    *count = own->first[cell + 1] - first;
    RCITY_TRY(rcity_reserve(run->plane.job->context, *count + 1, sizeof *own->records, &own->record_capacity,
                            "paths to a cell", &own->records));
    for (size_t i = first; i < first + *count; i++) {
        size_t ahead = i + FETCHED_AHEAD < own->found_count ? i + FETCHED_AHEAD : i;
        const char *next = (const char *)&own->found[own->list[ahead]];
        rcity_prefetch(next);
        rcity_prefetch(next + LINE_BYTES);
        own->records[i - first] = own->found[own->list[i]];
    }
    return RCITY_OK;
}

/* The histogram of a cell. */
static rcity_status add_delays(const fast_run *run, const fast_worker *own, size_t count, const rcity_beam_rule *rule,
                               const rcity_beam_beside *beside, rcity_beams_histogram *histogram)
{
    rcity_context *context = run->plane.job->context;
    const rcity_beam_sum_job *job = &run->plane.sum_job;
    for (size_t i = 0; i < count; i++) {
        const rcity_beam_record *record = &own->records[i];
        float weight = rcity_beam_counts(rule, record) ? rcity_beam_weight(job, beside, rule, record) : 0.0f;
        if (weight > 0.0f) {
            RCITY_TRY(rcity_beams_histogram_take(context, (int32_t)(record->length_m / job->bin_m), weight, histogram));
        }
    }
    float roof = rcity_beam_roof_weight(job, beside, rule);
    if (roof > 0.0f) {
        RCITY_TRY(rcity_beams_histogram_take(context, (int32_t)(beside->roof_m / job->bin_m), roof, histogram));
    }
    return rcity_beams_histogram_end_cell(context, histogram);
}

/* What comes to the cells of a strip beside its beams, and from which power on paths to them count. */
static rcity_status make_besides(const fast_run *run, fast_worker *own)
{
    const rcity_fast_plane *plane = &run->plane;
    size_t cell_count = (size_t)own->strip.found.cell_count;
    rcity_context *context = plane->job->context;
    RCITY_TRY(
        rcity_reserve(context, cell_count, sizeof *own->besides, &own->beside_capacity, "receivers", &own->besides));
    RCITY_TRY(rcity_reserve(context, cell_count, sizeof *own->links, &own->link_capacity, "receivers", &own->links));
    RCITY_TRY(rcity_reserve(context, cell_count, sizeof *own->floors, &own->floor_capacity, "receivers", &own->floors));
    for (size_t cell = 0; cell < cell_count; cell++) {
        own->besides[cell] = rcity_fast_beside(plane, &own->strip.cells, (int64_t)cell, &own->links[cell]);
        own->floors[cell] = plane->path_job.range * own->besides[cell].roof_power;
    }
    return RCITY_OK;
}

static rcity_status do_strip(fast_run *run, fast_worker *own, int64_t strip_index)
{
    const rcity_fast_plane *plane = &run->plane;
    RCITY_TRY(rcity_fast_strip_fill(plane, strip_index, &own->strip));
    atomic_fetch_add(&run->near_count, own->strip.cells.near_count);
    RCITY_TRY(make_besides(run, own));
    RCITY_TRY(follow_strip(run, own));
    RCITY_TRY(sort_records(run, own));
    for (int64_t cell = 0; cell < own->strip.found.cell_count; cell++) {
        rcity_beam_sum sum;
        rcity_beam_rule rule;
        size_t count;
        const rcity_beam_beside *beside = &own->besides[cell];
        RCITY_TRY(gather(run, own, cell, &count));
        RCITY_TRY(rcity_fast_cell_sum(plane->job->context, &plane->sum_job, beside, own->records, count, &own->groups,
                                      &rule, &sum));
        rcity_fast_level(plane, &sum, beside, &own->links[cell], &run->levels[own->strip.found.cell_first + cell]);
        if (run->histograms != NULL) {
            RCITY_TRY(add_delays(run, own, count, &rule, beside, &run->histograms[strip_index]));
        }
    }
    return RCITY_OK;
}

static void do_strips(void *user, int64_t begin, int64_t end, int thread_index)
{
    fast_run *run = user;
    rcity_context *context = run->plane.job->context;
    for (int64_t i = begin; i < end && atomic_load(&run->status) == RCITY_OK; i++) {
        rcity_status status = do_strip(run, &run->workers[thread_index], run->plane.strip_order[i]);
        long long done = atomic_fetch_add(&run->done, 1) + 1;
        if (status == RCITY_OK && thread_index == 0) { /* the caller's thread */
            status = rcity_progress(context, "receivers", (double)done, (double)run->plane.strip_count);
        }
        int none = RCITY_OK;
        if (status != RCITY_OK) {
            atomic_compare_exchange_strong(&run->status, &none, (int)status);
        }
    }
}

static void release_histograms(fast_run *run)
{
    for (int64_t i = 0; run->histograms != NULL && i < run->plane.strip_count; i++) {
        rcity_beams_histogram_deinit(run->plane.job->context, &run->histograms[i]);
    }
}

/* On the host's threads. */
static rcity_status run_on_host(fast_run *run, rcity_beams_output *output)
{
    const rcity_job *job = run->plane.job;
    rcity_context *context = job->context;
    int64_t strip_count = run->plane.strip_count;
    int thread_count = rcity_context_thread_count(context);
    if (output->delays != NULL) {
        RCITY_TRY(rcity_alloc(context, (size_t)strip_count, sizeof *run->histograms, "histograms of delays",
                              &run->histograms));
    }
    RCITY_TRY(rcity_fast_plane_list(&run->plane));
    RCITY_TRY(rcity_alloc(context, (size_t)thread_count, sizeof *run->workers, "beams", &run->workers));
    rcity_stages_end(job->stages, "lists");
    rcity_parallel(context, strip_count, 1, do_strips, run);
    rcity_stages_end(job->stages, "strips");
    RCITY_TRY((rcity_status)atomic_load(&run->status));
    output->near_count += (int64_t)atomic_load(&run->near_count);
    return output->delays == NULL
               ? RCITY_OK
               : rcity_beams_histograms_hand_on(run->histograms, strip_count,
                                                run->plane.strip_rows * job->raster.column_count, output->delays);
}

/* On the device, where there is one with room. */
static rcity_status run_anywhere(fast_run *run, rcity_beams_output *output)
{
    rcity_context *context = run->plane.job->context;
    if (rcity_fast_device_serves(run->plane.job)) {
        int64_t near_count = 0;
        rcity_status status = rcity_fast_device_run(&run->plane, run->levels, output->delays, &near_count);
        output->near_count += near_count;
        if (status != RCITY_ERR_MEMORY) {
            return status;
        }
        rcity_log(context, RCITY_LOG_INFO, "beams are evaluated on the host: %s", rcity_context_message(context));
    }
    return run_on_host(run, output);
}

static void release_worker(rcity_context *context, fast_worker *own)
{
    rcity_fast_strip_deinit(context, &own->strip);
    rcity_fast_groups_deinit(context, &own->groups);
    rcity_release(context, own->besides);
    rcity_release(context, own->links);
    rcity_release(context, own->floors);
    rcity_release(context, own->found);
    rcity_release(context, own->cell_of);
    rcity_release(context, own->list);
    rcity_release(context, own->first);
    rcity_release(context, own->records);
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
    status = run_anywhere(&run, output);
done:
    for (int i = 0; run.workers != NULL && i < thread_count; i++) {
        release_worker(context, &run.workers[i]);
    }
    release_histograms(&run);
    rcity_release(context, run.histograms);
    rcity_fast_plane_deinit(&run.plane);
    rcity_release(context, run.workers);
    return status;
}

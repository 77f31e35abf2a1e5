/* A band of rows at a time: the device counts the cells that the ends of beams hold, the host makes those that hold any, the
   device lists them cell by cell, follows their paths, in pieces of cells whose paths fit, and fills histograms. */
#include "method/beams/fast/fast_device.h"

#include <stdatomic.h>
#include <string.h>

#include "base/parallel.h"
#include "base/stages.h"
#include "kernel/beams/beam_entries.h"
#include "kernel/beams/beam_path.h"
#include "method/beams/fast/fast_ends.h"
#include "method/beams/fast/fast_launch.h"

#define BAND_CELLS  (1 << 19)   /* more do not fill a device better */
#define RECORDS_MAX (1LL << 26) /* the same */
#define LEVEL_CELLS 1024        /* that a thread takes at a time */

typedef struct device_run {
    const rcity_fast_plane *plane;
    rcity_context *context;
    rcity_fast_queue queue;
    rcity_fast_areas areas;
    rcity_beams_level *levels;
    rcity_delays *delays;
    rcity_beam_area_job area_job;
    rcity_fast_cells *cells; /* of each thread */
    rcity_fast_ends_room ends;

    /* of a band */
    int64_t cell_first, cell_count;
    rcity_u8 *is_wanted;
    rcity_beam_beside *besides;
    rcity_beams_link *links; /* NULL: the job has no need of them */
    rcity_beam_sum *sums;
    rcity_i32 *counts;              /* of each cell: its visits, then its paths, then its bins */
    rcity_i64 *visit_first, *first; /* of each cell, and one more */
    rcity_i32 *listed;              /* areas that hold cells */

    atomic_llong near_count;
    atomic_int status; /* the first failure of any thread */
} device_run;

/* Cells of a band from one on. */
typedef struct cell_span {
    const device_run *run;
    int64_t first;
} cell_span;

bool rcity_fast_device_serves(const rcity_job *job)
{
    rcity_device_info info;
    if (job->device == NULL) {
        return false;
    }
    rcity_device_describe(job->device, &info);
    return strcmp(info.kind, "host") != 0;
}

static int64_t lesser(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static void note_failure(device_run *run, rcity_status status)
{
    int none = RCITY_OK;
    if (status != RCITY_OK) {
        atomic_compare_exchange_strong(&run->status, &none, (int)status);
    }
}

static void end_stage(const device_run *run, const char *name)
{
    rcity_stages_end(run->plane->job->stages, name);
}

static rcity_status make_room(device_run *run, int64_t band_cells)
{
    rcity_context *context = run->context;
    size_t cells = (size_t)band_cells + 1;
    RCITY_TRY(rcity_alloc(context, (size_t)rcity_context_thread_count(context), sizeof *run->cells, "receivers",
                          &run->cells));
    RCITY_TRY(rcity_alloc(context, cells, sizeof *run->is_wanted, "receivers", &run->is_wanted));
    RCITY_TRY(rcity_alloc(context, cells, sizeof *run->besides, "receivers", &run->besides));
    if (rcity_fast_needs_links(run->plane)) {
        RCITY_TRY(rcity_alloc(context, cells, sizeof *run->links, "receivers", &run->links));
    }
    RCITY_TRY(rcity_alloc(context, cells, sizeof *run->sums, "receivers", &run->sums));
    RCITY_TRY(rcity_alloc(context, cells, sizeof *run->counts, "receivers", &run->counts));
    RCITY_TRY(rcity_alloc(context, cells, sizeof *run->visit_first, "receivers", &run->visit_first));
    RCITY_TRY(rcity_alloc(context, cells, sizeof *run->first, "receivers", &run->first));
    return rcity_alloc(context, (size_t)run->areas.count + 1, sizeof *run->listed, "areas of beams", &run->listed);
}

static void release_room(device_run *run)
{
    rcity_context *context = run->context;
    for (int i = 0; run->cells != NULL && i < rcity_context_thread_count(context); i++) {
        rcity_fast_cells_deinit(context, &run->cells[i]);
    }
    rcity_fast_ends_deinit(context, &run->ends);
    void *const blocks[] = {run->cells,  run->is_wanted,   run->besides, run->links, run->sums,
                            run->counts, run->visit_first, run->first,   run->listed};
    for (size_t i = 0; i < sizeof blocks / sizeof blocks[0]; i++) {
        rcity_release(context, blocks[i]);
    }
}

/* The cells of a band's i-th strip of rows. */
static void find_strip(const device_run *run, int64_t i, int64_t *begin, int64_t *end)
{
    int64_t strip_cells = run->plane->strip_rows * run->plane->grid.column_count;
    *begin = i * strip_cells;
    *end = lesser(*begin + strip_cells, run->cell_count);
}

static int64_t count_strips(const device_run *run)
{
    int64_t strip_cells = run->plane->strip_rows * run->plane->grid.column_count;
    return (run->cell_count + strip_cells - 1) / strip_cells;
}

static rcity_status prepare_strip(device_run *run, int64_t i, rcity_fast_cells *cells)
{
    int64_t begin, end;
    find_strip(run, i, &begin, &end);
    RCITY_TRY(rcity_fast_cells_fill(run->plane, run->cell_first + begin, end - begin, cells));
    for (int64_t cell = begin; cell < end; cell++) {
        rcity_beams_link unused;
        run->is_wanted[cell] = cells->is_wanted[cell - begin];
        run->besides[cell] =
            rcity_fast_beside(run->plane, cells, cell - begin, run->links != NULL ? &run->links[cell] : &unused);
    }
    atomic_fetch_add(&run->near_count, cells->near_count);
    return RCITY_OK;
}

/* An rcity_parallel_function over the strips of a band. */
static void prepare_strips(void *user, int64_t begin, int64_t end, int thread_index)
{
    device_run *run = user;
    for (int64_t i = begin; i < end && atomic_load(&run->status) == RCITY_OK; i++) {
        note_failure(run, prepare_strip(run, i, &run->cells[thread_index]));
    }
}

static void sum_counts(const device_run *run, rcity_i64 *first)
{
    first[0] = 0;
    for (int64_t cell = 0; cell < run->cell_count; cell++) {
        first[cell + 1] = first[cell] + run->counts[cell];
    }
}

/* Which ends hold which cells of the band. */
static rcity_status count_cells(device_run *run, rcity_i32 *listed_count)
{
    rcity_fast_queue *queue = &run->queue;
    RCITY_TRY(rcity_fast_queue_reserve(queue, RCITY_FAST_CELL_COUNT, run->cell_count));
    RCITY_TRY(rcity_fast_queue_reserve(queue, RCITY_FAST_LEAF_COUNT, 1));
    RCITY_TRY(rcity_fast_queue_reserve(queue, RCITY_FAST_LEAF_OF, run->areas.count));
    RCITY_TRY(rcity_fast_queue_reserve(queue, RCITY_FAST_LISTED, run->areas.count));
    RCITY_TRY(rcity_fast_queue_write(queue, RCITY_FAST_WANTED, run->is_wanted, run->cell_count));
    RCITY_TRY(rcity_fast_queue_launch(queue, RCITY_FAST_TASK_CLEAR_CELLS, &run->area_job, run->cell_count));
    RCITY_TRY(rcity_fast_queue_launch(queue, RCITY_FAST_TASK_CLEAR_LEAVES, &run->area_job, 1));
    RCITY_TRY(rcity_fast_queue_launch(queue, RCITY_FAST_TASK_COUNT, &run->area_job, run->areas.count));
    RCITY_TRY(rcity_fast_queue_read(queue, RCITY_FAST_LEAF_COUNT, 0, 1, listed_count));
    RCITY_TRY(rcity_fast_queue_read(queue, RCITY_FAST_CELL_COUNT, 0, run->cell_count, run->counts));
    RCITY_TRY(rcity_device_finish(run->context, queue->device));
    sum_counts(run, run->visit_first);
    end_stage(run, "counts");
    return RCITY_OK;
}

/* The device lists the visits of all cells while the host makes the ends; then the most paths that each cell may have. */
static rcity_status list_visits(device_run *run, rcity_i32 listed_count)
{
    rcity_fast_queue *queue = &run->queue;
    RCITY_TRY(rcity_fast_queue_read(queue, RCITY_FAST_LISTED, 0, listed_count, run->listed));
    RCITY_TRY(rcity_fast_queue_write(queue, RCITY_FAST_VISIT_FIRST, run->visit_first, run->cell_count + 1));
    RCITY_TRY(rcity_fast_queue_write(queue, RCITY_FAST_BESIDES, run->besides, run->cell_count));
    RCITY_TRY(rcity_fast_queue_reserve(queue, RCITY_FAST_VISITS, run->visit_first[run->cell_count]));
    RCITY_TRY(rcity_fast_queue_launch(queue, RCITY_FAST_TASK_CLEAR_CELLS, &run->area_job, run->cell_count));
    RCITY_TRY(rcity_fast_queue_launch(queue, RCITY_FAST_TASK_VISIT, &run->area_job, run->areas.count));
    RCITY_TRY(rcity_device_finish_copies(run->context, queue->device));
    RCITY_TRY(rcity_fast_ends_send(run->plane, queue, &run->areas, run->listed, listed_count, &run->ends));
    end_stage(run, "ends");
    RCITY_TRY(rcity_fast_queue_launch(queue, RCITY_FAST_TASK_PLACE, &run->area_job, run->cell_count));
    RCITY_TRY(rcity_fast_queue_read(queue, RCITY_FAST_CELL_COUNT, 0, run->cell_count, run->counts));
    RCITY_TRY(rcity_device_finish(run->context, queue->device));
    sum_counts(run, run->first);
    RCITY_TRY(rcity_fast_queue_write(queue, RCITY_FAST_FIRST, run->first, run->cell_count + 1));
    RCITY_TRY(rcity_fast_queue_reserve(queue, RCITY_FAST_ENTRY_COUNT, run->cell_count));
    RCITY_TRY(rcity_fast_queue_reserve(queue, RCITY_FAST_BIN_COUNT, run->cell_count));
    RCITY_TRY(rcity_fast_queue_reserve(queue, RCITY_FAST_BIN_FIRST, run->cell_count));
    RCITY_TRY(rcity_fast_queue_reserve(queue, RCITY_FAST_SUMS, run->cell_count));
    end_stage(run, "visits");
    return RCITY_OK;
}

/* An rcity_parallel_function over cells of a band: levels of what the device has summed up. */
static void take_levels(void *user, int64_t begin, int64_t end, int thread_index)
{
    const device_run *run = ((const cell_span *)user)->run;
    const rcity_beams_link none = {.beside = rcity_beams_beside_none()};
    int64_t first = ((const cell_span *)user)->first;
    (void)thread_index;
    for (int64_t cell = first + begin; cell < first + end; cell++) {
        rcity_fast_level(run->plane, &run->sums[cell], &run->besides[cell],
                         run->links != NULL ? &run->links[cell] : &none, &run->levels[run->cell_first + cell]);
    }
}

/* The histograms of a piece, side by side, on their way to where they stay. */
static rcity_status fetch_bins(device_run *run, int64_t begin, int64_t end)
{
    rcity_fast_queue *queue = &run->queue;
    rcity_delay_rows rows;
    RCITY_TRY(rcity_delays_add_cells(run->delays, run->cell_first + begin, end - begin, run->counts + begin, &rows));
    rcity_beam_pack_job pack = {begin, run->first[begin], rows.first[0]};
    int64_t bin_count = rows.first[end - begin] - rows.first[0];
    RCITY_TRY(rcity_fast_queue_reserve(queue, RCITY_FAST_BINS, bin_count));
    RCITY_TRY(rcity_fast_queue_reserve(queue, RCITY_FAST_BIN_GAINS, bin_count));
    RCITY_TRY(
        rcity_resident_write(run->context, queue->resident[RCITY_FAST_BIN_FIRST], begin, end - begin, rows.first));
    RCITY_TRY(rcity_fast_queue_launch(queue, RCITY_FAST_TASK_PACK, &pack, end - begin));
    RCITY_TRY(rcity_fast_queue_read(queue, RCITY_FAST_BINS, 0, bin_count, rows.bin));
    return rcity_fast_queue_read(queue, RCITY_FAST_BIN_GAINS, 0, bin_count, rows.gain);
}

/* What the device has made of a piece: the host takes its levels while histograms are packed and copied. */
static rcity_status take_piece(device_run *run, int64_t begin, int64_t end)
{
    rcity_fast_queue *queue = &run->queue;
    cell_span span = {run, begin};
    RCITY_TRY(rcity_fast_queue_read(queue, RCITY_FAST_SUMS, begin, end - begin, run->sums + begin));
    if (run->delays != NULL) {
        RCITY_TRY(rcity_fast_queue_read(queue, RCITY_FAST_BIN_COUNT, begin, end - begin, run->counts + begin));
    }
    RCITY_TRY(rcity_device_finish(run->context, queue->device));
    end_stage(run, "sums");
    if (run->delays != NULL) {
        RCITY_TRY(fetch_bins(run, begin, end));
    }
    rcity_parallel(run->context, end - begin, LEVEL_CELLS, take_levels, &span);
    end_stage(run, "levels");
    RCITY_TRY(rcity_device_finish(run->context, queue->device));
    end_stage(run, "bins");
    return RCITY_OK;
}

/* The cells of the band from `begin` up to `end`, whose records fit. */
static rcity_status sum_piece(device_run *run, int64_t begin, int64_t end)
{
    rcity_fast_queue *queue = &run->queue;
    int64_t visit_first = run->visit_first[begin];
    int64_t record_count = run->first[end] - run->first[begin];
    int64_t entry_count = run->delays != NULL ? record_count + end - begin : 1; /* one more a cell: over roofs */
    rcity_beam_follow_job follow = {run->plane->path_job, begin, run->first[begin], visit_first, run->cell_first};
    rcity_beam_cells_job cells = {run->plane->sum_job, begin, run->first[begin], visit_first};
    RCITY_TRY(rcity_fast_queue_reserve(queue, RCITY_FAST_RECORDS, record_count));
    RCITY_TRY(rcity_fast_queue_reserve(queue, RCITY_FAST_LISTS, record_count));
    RCITY_TRY(rcity_fast_queue_reserve(queue, RCITY_FAST_RECORD_COUNT, run->visit_first[end] - visit_first));
    RCITY_TRY(rcity_fast_queue_reserve(queue, RCITY_FAST_ENTRIES, entry_count));
    RCITY_TRY(rcity_fast_queue_reserve(queue, RCITY_FAST_GAINS, entry_count));
    RCITY_TRY(rcity_fast_queue_launch(queue, RCITY_FAST_TASK_FOLLOW, &follow, end - begin));
    RCITY_TRY(rcity_fast_queue_launch(queue, RCITY_FAST_TASK_SUM, &cells, end - begin));
    return take_piece(run, begin, end);
}

/* All cells of a band, on the device. */
static rcity_status sum_band(device_run *run)
{
    int64_t room = lesser(RECORDS_MAX, rcity_fast_queue_room(&run->queue, RCITY_FAST_RECORDS));
    for (int64_t begin = 0, end; begin < run->cell_count; begin = end) {
        for (end = begin; end < run->cell_count && run->first[end + 1] - run->first[begin] <= room;) {
            end++;
        }
        RCITY_CHECK(run->context, end > begin, RCITY_ERR_MEMORY,
                    "the %lld paths to a cell do not fit the device's largest buffer",
                    (long long)(run->first[begin + 1] - run->first[begin]));
        RCITY_TRY(sum_piece(run, begin, end));
    }
    return RCITY_OK;
}

/* The sums of some rows from one on. */
static rcity_status try_band(device_run *run, int64_t row, int64_t row_count)
{
    rcity_i32 listed_count = 0;
    run->cell_first = row * run->plane->grid.column_count;
    run->cell_count = row_count * run->plane->grid.column_count;
    run->area_job.row_first = (rcity_i32)row;
    run->area_job.row_last = (rcity_i32)(row + row_count - 1);
    rcity_parallel(run->context, count_strips(run), 1, prepare_strips, run);
    RCITY_TRY((rcity_status)atomic_load(&run->status));
    end_stage(run, "cells");
    RCITY_TRY(count_cells(run, &listed_count));
    RCITY_TRY(list_visits(run, listed_count));
    return sum_band(run);
}

/* Rows from one on have no histograms. */
static void forget_cells(const device_run *run, int64_t row)
{
    if (run->delays != NULL) {
        rcity_delays_cut(run->delays, row * run->plane->grid.column_count);
    }
}

/* Rows from one on, whole strips, as many as fit; `*row_count` becomes what was done. */
static rcity_status do_band(device_run *run, int64_t row, int64_t *row_count)
{
    const rcity_fast_plane *plane = run->plane;
    long long near_count = atomic_load(&run->near_count);
    for (;;) {
        rcity_status status = try_band(run, row, lesser(*row_count, plane->grid.row_count - row));
        if (status == RCITY_OK) {
            break;
        }
        if (status != RCITY_ERR_MEMORY || *row_count <= plane->strip_rows) {
            return status;
        }
        RCITY_TRY(rcity_device_finish(run->context, run->queue.device)); /* pending copies still use this memory */
        forget_cells(run, row);
        atomic_store(&run->near_count, near_count);
        atomic_store(&run->status, RCITY_OK);
        *row_count = (*row_count / plane->strip_rows + 1) / 2 * plane->strip_rows;
    }
    return RCITY_OK;
}

/* Kernels number areas with 32 bits. */
static rcity_status check_numbers(const device_run *run)
{
    RCITY_CHECK(run->context, run->areas.count <= INT32_MAX, RCITY_ERR_MEMORY,
                "%lld parts of beams are more than a device can number, %d", (long long)run->areas.count, INT32_MAX);
    return RCITY_OK;
}

static rcity_status do_bands(device_run *run)
{
    const rcity_fast_plane *plane = run->plane;
    int64_t columns = plane->grid.column_count;
    int64_t most = (BAND_CELLS / columns / plane->strip_rows + 1) * plane->strip_rows;
    RCITY_TRY(make_room(run, lesser(most, plane->grid.row_count) * columns));
    RCITY_TRY(rcity_fast_queue_write(&run->queue, RCITY_FAST_AREAS, run->areas.areas, run->areas.count));
    for (int64_t row = 0, rows; row < plane->grid.row_count; row += rows) {
        rows = most;
        RCITY_TRY(do_band(run, row, &rows));
        most = rows;
        RCITY_TRY(rcity_progress(run->context, "receivers", (double)lesser(row + rows, plane->grid.row_count),
                                 (double)plane->grid.row_count));
    }
    return RCITY_OK;
}

rcity_status rcity_fast_device_run(rcity_fast_plane *plane, rcity_beams_level *levels, rcity_delays *delays,
                                   int64_t *near_count)
{
    device_run run;
    rcity_status status;
    memset(&run, 0, sizeof run);
    run.plane = plane;
    run.context = plane->job->context;
    run.queue.context = plane->job->context;
    run.queue.device = plane->job->device;
    run.levels = levels;
    run.delays = delays;
    run.area_job.west = plane->path_job.west;
    run.area_job.north = plane->path_job.north;
    run.area_job.step = plane->path_job.step;
    run.area_job.column_count = plane->path_job.column_count;
    atomic_init(&run.status, RCITY_OK);
    atomic_init(&run.near_count, 0);
    RCITY_TRY_DONE(rcity_fast_queue_keep(&run.queue, plane)); /* the device makes tables during what follows */
    end_stage(&run, "upload");
    RCITY_TRY_DONE(rcity_fast_areas_init(plane, &run.areas));
    end_stage(&run, "areas");
    RCITY_TRY_DONE(check_numbers(&run));
    RCITY_TRY_DONE(do_bands(&run));
    RCITY_TRY_DONE(delays != NULL ? rcity_delays_finish(delays) : RCITY_OK);
    *near_count = (int64_t)atomic_load(&run.near_count);
done:
    if (status != RCITY_OK) {
        (void)rcity_device_finish(run.context, run.queue.device); /* pending copies still use this memory */
        forget_cells(&run, 0);
    }
    release_room(&run);
    rcity_fast_queue_deinit(&run.queue);
    rcity_fast_areas_deinit(run.context, &run.areas);
    return status;
}

/* A band of rows at a time: the device counts the cells that the ends of beams hold, the host makes those that hold any, the
   device lists them cell by cell and follows their paths, in pieces of cells whose paths fit. */
#include "method/beams/fast/fast_device.h"

#include <stdatomic.h>
#include <string.h>

#include "base/parallel.h"
#include "kernel/beams/beam_path.h"
#include "method/beams/fast/fast_launch.h"

#define BAND_CELLS  (1 << 19)   /* more do not fill a device better */
#define RECORDS_MAX (1LL << 26) /* the same */
#define CHUNK_ENDS  2048        /* that a thread makes together */

/* What was made of some ends. */
typedef struct ends_chunk {
    rcity_fast_leaves made;
    int64_t wall_first; /* among all walls */
} ends_chunk;

typedef struct device_run {
    const rcity_fast_plane *plane;
    rcity_context *context;
    rcity_fast_queue queue;
    rcity_fast_areas areas;
    rcity_beams_level *levels;
    rcity_beams_histogram *histograms;
    rcity_beam_area_job area_job;

    /* of a band */
    int64_t cell_first, cell_count;
    rcity_fast_cells *strips; /* of each strip of rows */
    rcity_u8 *is_wanted;
    rcity_beam_beside *besides;
    rcity_beams_link *links;
    rcity_beam_sum *sums;
    rcity_i32 *counts;                /* of each cell: its visits, then its paths */
    rcity_i64 *visit_first, *first;   /* of each cell, and one more */
    rcity_i32 *area_counts, *leaf_of; /* of each area */
    int64_t *listed;                  /* areas that hold cells */
    int64_t listed_count;
    ends_chunk *chunks;
    rcity_beam_entry *entries; /* of all pieces */
    size_t entry_count, entry_capacity;
    uint32_t *entry_first; /* of each cell, in its piece */
    size_t *piece_first;   /* of each cell: where its piece begins */

    atomic_llong near_count;
    atomic_int status; /* the first failure of any thread */
} device_run;

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

static rcity_status make_room(device_run *run, int64_t band_cells)
{
    rcity_context *context = run->context;
    size_t cells = (size_t)band_cells + 1;
    size_t areas = (size_t)run->areas.count + 1;
    RCITY_TRY(rcity_alloc(context, (size_t)run->plane->strip_count, sizeof *run->strips, "receivers", &run->strips));
    RCITY_TRY(rcity_alloc(context, cells, sizeof *run->is_wanted, "receivers", &run->is_wanted));
    RCITY_TRY(rcity_alloc(context, cells, sizeof *run->besides, "receivers", &run->besides));
    RCITY_TRY(rcity_alloc(context, cells, sizeof *run->links, "receivers", &run->links));
    RCITY_TRY(rcity_alloc(context, cells, sizeof *run->sums, "receivers", &run->sums));
    RCITY_TRY(rcity_alloc(context, cells, sizeof *run->counts, "receivers", &run->counts));
    RCITY_TRY(rcity_alloc(context, cells, sizeof *run->visit_first, "receivers", &run->visit_first));
    RCITY_TRY(rcity_alloc(context, cells, sizeof *run->first, "receivers", &run->first));
    RCITY_TRY(rcity_alloc(context, cells, sizeof *run->entry_first, "receivers", &run->entry_first));
    RCITY_TRY(rcity_alloc(context, cells, sizeof *run->piece_first, "receivers", &run->piece_first));
    RCITY_TRY(rcity_alloc(context, areas, sizeof *run->area_counts, "areas of beams", &run->area_counts));
    RCITY_TRY(rcity_alloc(context, areas, sizeof *run->leaf_of, "areas of beams", &run->leaf_of));
    RCITY_TRY(rcity_alloc(context, areas, sizeof *run->listed, "areas of beams", &run->listed));
    return rcity_alloc(context, areas / CHUNK_ENDS + 1, sizeof *run->chunks, "ends of beams", &run->chunks);
}

static void release_room(device_run *run)
{
    rcity_context *context = run->context;
    for (int64_t i = 0; run->strips != NULL && i < run->plane->strip_count; i++) {
        rcity_fast_cells_deinit(context, &run->strips[i]);
    }
    for (int64_t i = 0; run->chunks != NULL && i <= run->areas.count / CHUNK_ENDS; i++) {
        rcity_fast_leaves_deinit(context, &run->chunks[i].made);
    }
    void *const blocks[] = {run->strips, run->is_wanted, run->besides,     run->links,       run->sums,
                            run->counts, run->first,     run->visit_first, run->entry_first, run->piece_first,
                            run->listed, run->chunks,    run->leaf_of,     run->area_counts, run->entries};
    for (size_t i = 0; i < sizeof blocks / sizeof blocks[0]; i++) {
        rcity_release(context, blocks[i]);
    }
}

/* The strip of rows in which a band's i-th one lies, and its cells in the band. */
static void find_strip(const device_run *run, int64_t i, int64_t *strip, int64_t *begin, int64_t *end)
{
    int64_t strip_cells = run->plane->strip_rows * run->plane->grid.column_count;
    *strip = run->cell_first / strip_cells + i;
    *begin = *strip * strip_cells - run->cell_first;
    *end = lesser(*begin + strip_cells, run->cell_count);
}

static int64_t count_strips(const device_run *run)
{
    int64_t strip_cells = run->plane->strip_rows * run->plane->grid.column_count;
    return (run->cell_count + strip_cells - 1) / strip_cells;
}

static rcity_status prepare_strip(device_run *run, int64_t i)
{
    int64_t strip, begin, end;
    find_strip(run, i, &strip, &begin, &end);
    rcity_fast_cells *cells = &run->strips[strip];
    RCITY_TRY(rcity_fast_cells_fill(run->plane, run->cell_first + begin, end - begin, cells));
    for (int64_t cell = begin; cell < end; cell++) {
        run->is_wanted[cell] = cells->is_wanted[cell - begin];
        run->besides[cell] = rcity_fast_beside(run->plane, cells, cell - begin, &run->links[cell]);
    }
    atomic_fetch_add(&run->near_count, cells->near_count);
    return RCITY_OK;
}

/* An rcity_parallel_function over the strips of a band. */
static void prepare_strips(void *user, int64_t begin, int64_t end, int thread_index)
{
    device_run *run = user;
    (void)thread_index;
    for (int64_t i = begin; i < end && atomic_load(&run->status) == RCITY_OK; i++) {
        note_failure(run, prepare_strip(run, i));
    }
}

/* An rcity_parallel_function over chunks of listed areas. */
static void make_chunks(void *user, int64_t begin, int64_t end, int thread_index)
{
    device_run *run = user;
    (void)thread_index;
    for (int64_t i = begin; i < end && atomic_load(&run->status) == RCITY_OK; i++) {
        rcity_fast_leaves *made = &run->chunks[i].made;
        made->leaf_count = made->wall_count = 0;
        for (int64_t k = i * CHUNK_ENDS; k < lesser((i + 1) * CHUNK_ENDS, run->listed_count); k++) {
            rcity_status status = rcity_fast_leaves_add(run->plane, &run->areas.ends[run->listed[k]], made);
            if (status != RCITY_OK) {
                note_failure(run, status);
                break;
            }
        }
    }
}

/* The ends of beams that hold cells of the band, to the device. */
static rcity_status send_ends(device_run *run)
{
    rcity_fast_queue *queue = &run->queue;
    run->listed_count = 0;
    for (int64_t i = 0; i < run->areas.count; i++) {
        run->leaf_of[i] = run->area_counts[i] > 0 ? (rcity_i32)run->listed_count : -1;
        if (run->area_counts[i] > 0) {
            run->listed[run->listed_count++] = i;
        }
    }
    int64_t chunk_count = (run->listed_count + CHUNK_ENDS - 1) / CHUNK_ENDS;
    rcity_parallel(run->context, chunk_count, 1, make_chunks, run);
    RCITY_TRY((rcity_status)atomic_load(&run->status));
    int64_t wall_count = 0;
    for (int64_t i = 0; i < chunk_count; i++) {
        rcity_fast_leaves *made = &run->chunks[i].made;
        run->chunks[i].wall_first = wall_count;
        for (size_t k = 0; k < made->leaf_count; k++) {
            made->leaves[k].wall_first += (rcity_i32)wall_count;
        }
        wall_count += (int64_t)made->wall_count;
    }
    RCITY_CHECK(run->context, wall_count <= INT32_MAX, RCITY_ERR_MEMORY, "%lld walls of beams do not fit a buffer",
                (long long)wall_count);
    RCITY_TRY(rcity_fast_queue_reserve(queue, RCITY_FAST_LEAVES, run->listed_count));
    RCITY_TRY(rcity_fast_queue_reserve(queue, RCITY_FAST_WALLS, wall_count));
    for (int64_t i = 0; i < chunk_count; i++) {
        const rcity_fast_leaves *made = &run->chunks[i].made;
        RCITY_TRY(rcity_resident_write(run->context, queue->resident[RCITY_FAST_LEAVES], i * CHUNK_ENDS,
                                       (int64_t)made->leaf_count, made->leaves));
        if (made->wall_count > 0) {
            RCITY_TRY(rcity_resident_write(run->context, queue->resident[RCITY_FAST_WALLS], run->chunks[i].wall_first,
                                           (int64_t)made->wall_count, made->walls));
        }
    }
    return rcity_fast_queue_write(queue, RCITY_FAST_LEAF_OF, run->leaf_of, run->areas.count);
}

static void sum_counts(const device_run *run, rcity_i64 *first)
{
    first[0] = 0;
    for (int64_t cell = 0; cell < run->cell_count; cell++) {
        first[cell + 1] = first[cell] + run->counts[cell];
    }
}

/* Which ends hold which cells of the band. */
static rcity_status count_cells(device_run *run)
{
    rcity_fast_queue *queue = &run->queue;
    memset(run->counts, 0, (size_t)run->cell_count * sizeof *run->counts);
    memset(run->area_counts, 0, (size_t)run->areas.count * sizeof *run->area_counts);
    RCITY_TRY(rcity_fast_queue_write(queue, RCITY_FAST_WANTED, run->is_wanted, run->cell_count));
    RCITY_TRY(rcity_fast_queue_write(queue, RCITY_FAST_AREA_COUNT, run->area_counts, run->areas.count));
    RCITY_TRY(rcity_fast_queue_write(queue, RCITY_FAST_CELL_COUNT, run->counts, run->cell_count));
    RCITY_TRY(rcity_fast_queue_launch(queue, RCITY_FAST_TASK_COUNT, &run->area_job, run->areas.count));
    RCITY_TRY(rcity_fast_queue_read(queue, RCITY_FAST_AREA_COUNT, 0, run->areas.count, run->area_counts));
    RCITY_TRY(rcity_fast_queue_read(queue, RCITY_FAST_CELL_COUNT, 0, run->cell_count, run->counts));
    RCITY_TRY(rcity_device_finish(run->context, queue->device));
    sum_counts(run, run->visit_first);
    return RCITY_OK;
}

/* The visits of all cells, and the most paths that each may have. */
static rcity_status list_visits(device_run *run)
{
    rcity_fast_queue *queue = &run->queue;
    RCITY_TRY(send_ends(run));
    memset(run->counts, 0, (size_t)run->cell_count * sizeof *run->counts);
    RCITY_TRY(rcity_fast_queue_write(queue, RCITY_FAST_VISIT_FIRST, run->visit_first, run->cell_count + 1));
    RCITY_TRY(rcity_fast_queue_write(queue, RCITY_FAST_CELL_COUNT, run->counts, run->cell_count));
    RCITY_TRY(rcity_fast_queue_reserve(queue, RCITY_FAST_VISITS, run->visit_first[run->cell_count]));
    RCITY_TRY(rcity_fast_queue_launch(queue, RCITY_FAST_TASK_VISIT, &run->area_job, run->areas.count));
    RCITY_TRY(rcity_fast_queue_launch(queue, RCITY_FAST_TASK_PLACE, &run->area_job, run->cell_count));
    RCITY_TRY(rcity_fast_queue_read(queue, RCITY_FAST_CELL_COUNT, 0, run->cell_count, run->counts));
    RCITY_TRY(rcity_device_finish(run->context, queue->device));
    sum_counts(run, run->first);
    RCITY_TRY(rcity_fast_queue_write(queue, RCITY_FAST_FIRST, run->first, run->cell_count + 1));
    RCITY_TRY(rcity_fast_queue_write(queue, RCITY_FAST_BESIDES, run->besides, run->cell_count));
    return rcity_fast_queue_reserve(queue, RCITY_FAST_SUMS, run->cell_count);
}

/* The paths of a piece, which the device has listed. */
static rcity_status read_entries(device_run *run, int64_t begin, int64_t end)
{
    rcity_fast_queue *queue = &run->queue;
    uint32_t listed = 0;
    RCITY_TRY(rcity_fast_queue_read(queue, RCITY_FAST_ENTRY_COUNT, 0, 1, &listed));
    RCITY_TRY(rcity_device_finish(run->context, queue->device));
    RCITY_TRY(rcity_reserve(run->context, run->entry_count + listed + 1, sizeof *run->entries, &run->entry_capacity,
                            "histograms of delays", &run->entries));
    RCITY_TRY(rcity_fast_queue_read(queue, RCITY_FAST_ENTRY_FIRST, begin, end - begin, run->entry_first + begin));
    RCITY_TRY(rcity_fast_queue_read(queue, RCITY_FAST_ENTRIES, 0, listed, run->entries + run->entry_count));
    for (int64_t cell = begin; cell < end; cell++) {
        run->piece_first[cell] = run->entry_count;
    }
    run->entry_count += listed;
    return RCITY_OK;
}

/* The cells of the band from `begin` up to `end`, whose records fit. */
static rcity_status sum_piece(device_run *run, int64_t begin, int64_t end)
{
    rcity_fast_queue *queue = &run->queue;
    int64_t visit_first = run->visit_first[begin];
    int64_t record_count = run->first[end] - run->first[begin];
    rcity_beam_follow_job follow = {run->plane->path_job, begin, run->first[begin], visit_first, run->cell_first};
    rcity_beam_cells_job cells = {run->plane->sum_job, begin, run->first[begin], visit_first};
    static const uint32_t no_entries = 0;
    RCITY_TRY(rcity_fast_queue_reserve(queue, RCITY_FAST_RECORDS, record_count));
    RCITY_TRY(rcity_fast_queue_reserve(queue, RCITY_FAST_LISTS, record_count));
    RCITY_TRY(rcity_fast_queue_reserve(queue, RCITY_FAST_RECORD_COUNT, run->visit_first[end] - visit_first));
    RCITY_TRY(rcity_fast_queue_reserve(queue, RCITY_FAST_ENTRIES, record_count + end - begin));
    RCITY_TRY(rcity_fast_queue_reserve(queue, RCITY_FAST_ENTRY_FIRST, run->cell_count));
    RCITY_TRY(rcity_fast_queue_write(queue, RCITY_FAST_ENTRY_COUNT, &no_entries, 1));
    RCITY_TRY(rcity_fast_queue_launch(queue, RCITY_FAST_TASK_FOLLOW, &follow, end - begin));
    RCITY_TRY(rcity_fast_queue_launch(queue, RCITY_FAST_TASK_SUM, &cells, end - begin));
    if (run->histograms != NULL) {
        RCITY_TRY(read_entries(run, begin, end));
    }
    return rcity_device_finish(run->context, queue->device);
}

/* All cells of a band, on the device. */
static rcity_status sum_band(device_run *run)
{
    int64_t room = lesser(RECORDS_MAX, rcity_fast_queue_room(&run->queue, RCITY_FAST_RECORDS));
    run->entry_count = 0;
    for (int64_t begin = 0, end; begin < run->cell_count; begin = end) {
        for (end = begin; end < run->cell_count && run->first[end + 1] - run->first[begin] <= room;) {
            end++;
        }
        RCITY_CHECK(run->context, end > begin, RCITY_ERR_MEMORY,
                    "the %lld paths to a cell do not fit the device's largest buffer",
                    (long long)(run->first[begin + 1] - run->first[begin]));
        RCITY_TRY(sum_piece(run, begin, end));
    }
    RCITY_TRY(rcity_fast_queue_read(&run->queue, RCITY_FAST_SUMS, 0, run->cell_count, run->sums));
    return rcity_device_finish(run->context, run->queue.device);
}

static rcity_status add_histogram(const device_run *run, int64_t cell, rcity_beams_histogram *histogram)
{
    int64_t left = run->sums[cell].path_count;
    const rcity_beam_entry *entry = run->entries + run->piece_first[cell] + run->entry_first[cell];
    for (; left > 0; entry++) {
        if (entry->weight > 0.0f) {
            RCITY_TRY(rcity_beams_histogram_take(run->context, entry->bin, entry->weight, histogram));
            left--;
        }
    }
    return rcity_beams_histogram_end_cell(run->context, histogram);
}

/* An rcity_parallel_function over the strips of a band: levels and histograms of what the device has summed up. */
static void take_strips(void *user, int64_t first, int64_t last, int thread_index)
{
    device_run *run = user;
    (void)thread_index;
    for (int64_t i = first; i < last && atomic_load(&run->status) == RCITY_OK; i++) {
        int64_t strip, begin, end;
        find_strip(run, i, &strip, &begin, &end);
        for (int64_t cell = begin; cell < end && atomic_load(&run->status) == RCITY_OK; cell++) {
            rcity_fast_level(run->plane, &run->sums[cell], &run->besides[cell], &run->links[cell],
                             &run->levels[run->cell_first + cell]);
            if (run->histograms != NULL) {
                note_failure(run, add_histogram(run, cell, &run->histograms[strip]));
            }
        }
    }
}

/* The sums of some rows from one on. */
static rcity_status try_band(device_run *run, int64_t row, int64_t row_count)
{
    run->cell_first = row * run->plane->grid.column_count;
    run->cell_count = row_count * run->plane->grid.column_count;
    run->area_job.row_first = (rcity_i32)row;
    run->area_job.row_last = (rcity_i32)(row + row_count - 1);
    rcity_parallel(run->context, count_strips(run), 1, prepare_strips, run);
    RCITY_TRY((rcity_status)atomic_load(&run->status));
    RCITY_TRY(count_cells(run));
    RCITY_TRY(list_visits(run));
    return sum_band(run);
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
        atomic_store(&run->near_count, near_count);
        atomic_store(&run->status, RCITY_OK);
        *row_count = (*row_count / plane->strip_rows + 1) / 2 * plane->strip_rows;
    }
    rcity_parallel(run->context, count_strips(run), 1, take_strips, run);
    return (rcity_status)atomic_load(&run->status);
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

rcity_status rcity_fast_device_run(const rcity_fast_plane *plane, rcity_beams_level *levels,
                                   rcity_beams_histogram *histograms, int64_t *near_count)
{
    device_run run;
    rcity_status status;
    memset(&run, 0, sizeof run);
    run.plane = plane;
    run.context = plane->job->context;
    run.queue.context = plane->job->context;
    run.queue.device = plane->job->device;
    run.levels = levels;
    run.histograms = histograms;
    run.area_job.west = plane->path_job.west;
    run.area_job.north = plane->path_job.north;
    run.area_job.step = plane->path_job.step;
    run.area_job.column_count = plane->path_job.column_count;
    atomic_init(&run.status, RCITY_OK);
    atomic_init(&run.near_count, 0);
    RCITY_TRY_DONE(rcity_fast_areas_init(plane, &run.areas));
    RCITY_TRY_DONE(rcity_fast_queue_keep(&run.queue, plane));
    RCITY_TRY_DONE(do_bands(&run));
    *near_count = (int64_t)atomic_load(&run.near_count);
done:
    if (status != RCITY_OK) {
        (void)rcity_device_finish(run.context, run.queue.device); /* pending copies still use this memory */
    }
    release_room(&run);
    rcity_fast_queue_deinit(&run.queue);
    rcity_fast_areas_deinit(run.context, &run.areas);
    return status;
}

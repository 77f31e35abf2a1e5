/* Each thread of the host lists a strip, waits for the device, which does it in pieces of cells whose paths fit, and takes
   its sums. */
#include "method/beams/fast/fast_device.h"

#include <stdatomic.h>
#include <string.h>

#include "base/lock.h"
#include "base/parallel.h"
#include "device/device.h"
#include "embedded/beams_cl.h"
#include "kernel/beams/beam_path.h"

#define MEMORY_PART 4           /* of the device's memory is for records */
#define RECORDS_MAX (1LL << 26) /* more do not fill a device better */
#define GROUP_ITEMS 64          /* of beams.cl: work items for a cell */

/* What launches take. */
typedef enum fast_buffer {
    BUFFER_VISIT_FIRST,
    BUFFER_FIRST,
    BUFFER_VISITS,
    BUFFER_LEAVES,
    BUFFER_WALLS,
    BUFFER_BESIDES,
    BUFFER_RECORDS,
    BUFFER_COUNTS,
    BUFFER_FACES, /* from here on tables: read only */
    BUFFER_EDGE_FIELD,
    BUFFER_WAYS,
    BUFFER_DIRECTIONS,
    BUFFER_SLOPES,
    BUFFER_HEIGHTS,
    BUFFER_SHARES,
    BUFFER_ANTENNA, /* the last of them */
    BUFFER_LISTS,
    BUFFER_SUMS,
    BUFFER_ENTRY_COUNT,
    BUFFER_ENTRY_FIRST,
    BUFFER_ENTRIES,
    BUFFER_COUNT
} fast_buffer;

static const size_t element_bytes[BUFFER_COUNT] = {
    [BUFFER_VISIT_FIRST] = sizeof(rcity_i64),
    [BUFFER_FIRST] = sizeof(rcity_i64),
    [BUFFER_VISITS] = sizeof(rcity_beam_visit),
    [BUFFER_LEAVES] = sizeof(rcity_beam_leaf),
    [BUFFER_WALLS] = sizeof(rcity_beam_wall),
    [BUFFER_BESIDES] = sizeof(rcity_beam_beside),
    [BUFFER_RECORDS] = sizeof(rcity_beam_record),
    [BUFFER_COUNTS] = sizeof(int32_t),
    [BUFFER_FACES] = sizeof(rcity_beam_face),
    [BUFFER_EDGE_FIELD] = sizeof(rcity_beam_complex),
    [BUFFER_WAYS] = sizeof(rcity_beam_way),
    [BUFFER_DIRECTIONS] = sizeof(rcity_beam_direction),
    [BUFFER_SLOPES] = sizeof(rcity_beam_slope),
    [BUFFER_HEIGHTS] = sizeof(rcity_beam_height),
    [BUFFER_SHARES] = sizeof(float),
    [BUFFER_ANTENNA] = sizeof(float),
    [BUFFER_LISTS] = sizeof(uint32_t),
    [BUFFER_SUMS] = sizeof(rcity_beam_sum),
    [BUFFER_ENTRY_COUNT] = sizeof(uint32_t),
    [BUFFER_ENTRY_FIRST] = sizeof(uint32_t),
    [BUFFER_ENTRIES] = sizeof(rcity_beam_entry),
};

typedef struct fast_kernel {
    const char *name;
    size_t job_bytes;
    int buffer_count;
    fast_buffer buffer[RCITY_KERNEL_BUFFER_MAX];
} fast_kernel;

static const fast_kernel follow_kernel = {"rcity_beams_follow",
                                          sizeof(rcity_beam_follow_job),
                                          16,
                                          {BUFFER_VISIT_FIRST, BUFFER_FIRST, BUFFER_VISITS, BUFFER_LEAVES, BUFFER_WALLS,
                                           BUFFER_BESIDES, BUFFER_RECORDS, BUFFER_COUNTS, BUFFER_FACES,
                                           BUFFER_EDGE_FIELD, BUFFER_WAYS, BUFFER_DIRECTIONS, BUFFER_SLOPES,
                                           BUFFER_HEIGHTS, BUFFER_SHARES, BUFFER_ANTENNA}};
static const fast_kernel sum_kernel = {"rcity_beams_sum",
                                       sizeof(rcity_beam_cells_job),
                                       11,
                                       {BUFFER_VISIT_FIRST, BUFFER_FIRST, BUFFER_VISITS, BUFFER_BESIDES, BUFFER_RECORDS,
                                        BUFFER_COUNTS, BUFFER_LISTS, BUFFER_SUMS, BUFFER_ENTRY_COUNT,
                                        BUFFER_ENTRY_FIRST, BUFFER_ENTRIES}};

/* What the host makes of a strip, and what the device makes of that. */
typedef struct device_strip {
    rcity_fast_strip list;
    rcity_beam_beside *besides;
    size_t beside_capacity;
    rcity_beams_link *links;
    size_t link_capacity;
    rcity_beam_sum *sums;
    size_t sum_capacity;
    rcity_beam_entry *entries; /* of all pieces */
    size_t entry_count, entry_capacity;
    uint32_t *entry_first; /* of each cell, in its piece */
    size_t entry_first_capacity;
    size_t *piece_first; /* of each cell: where its piece begins */
    size_t piece_first_capacity;
} device_strip;

typedef struct device_run {
    const rcity_fast_plane *plane;
    rcity_context *context;
    rcity_device *device;
    rcity_beams_level *levels;
    rcity_beams_histogram *histograms;
    rcity_resident *resident[BUFFER_COUNT];
    device_strip *strips; /* of each thread */
    rcity_lock *lock;     /* whose thread uses the device */
    int64_t record_room;
    atomic_llong near_count, done;
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

static rcity_status keep(device_run *run, fast_buffer buffer, const void *data, int64_t count)
{
    return rcity_resident_create(run->context, run->device, data, count > 0 ? count : 1, element_bytes[buffer],
                                 "tables of beams", &run->resident[buffer]);
}

static rcity_status keep_tables(device_run *run)
{
    static const float no_table = 0.0f;
    const rcity_fast_tables *tables = &run->plane->tables;
    const rcity_path_ends *ends = &run->plane->own->ends;
    RCITY_TRY(keep(run, BUFFER_FACES, tables->faces, tables->face_count));
    RCITY_TRY(keep(run, BUFFER_EDGE_FIELD, tables->edge_field, RCITY_BEAM_FIELD_STEPS + 1));
    RCITY_TRY(keep(run, BUFFER_WAYS, tables->ways, tables->way_count));
    RCITY_TRY(keep(run, BUFFER_DIRECTIONS, tables->directions, tables->direction_count));
    RCITY_TRY(keep(run, BUFFER_SLOPES, tables->slopes, tables->slope_count));
    RCITY_TRY(keep(run, BUFFER_HEIGHTS, tables->heights, (int64_t)tables->height_count));
    RCITY_TRY(keep(run, BUFFER_SHARES, tables->shares, tables->share_count));
    return keep(run, BUFFER_ANTENNA, ends->tx_table != NULL ? ends->tx_table : &no_table, ends->tx_table_count);
}

static int64_t lesser(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* How many records are on the device at a time. */
static void plan_room(device_run *run)
{
    rcity_device_info info;
    rcity_device_describe(run->device, &info);
    uint64_t limit = rcity_context_memory_limit(run->context);
    uint64_t memory = limit < info.memory_bytes ? limit : info.memory_bytes;
    uint64_t most = rcity_device_buffer_bytes(run->device);
    most = memory / MEMORY_PART < most ? memory / MEMORY_PART : most;
    run->record_room = lesser(RECORDS_MAX, (int64_t)(most / sizeof(rcity_beam_record)));
}

static rcity_status write(device_run *run, fast_buffer buffer, const void *data, int64_t count)
{
    RCITY_TRY(rcity_resident_reserve(run->context, run->device, count > 0 ? count : 1, element_bytes[buffer],
                                     "paths of a strip", &run->resident[buffer]));
    return count > 0 ? rcity_resident_write(run->context, run->resident[buffer], 0, count, data) : RCITY_OK;
}

static rcity_status launch(device_run *run, const fast_kernel *kernel, const void *job, int64_t item_count)
{
    rcity_kernel made;
    rcity_launch asked;
    memset(&made, 0, sizeof made);
    memset(&asked, 0, sizeof asked);
    made.name = kernel->name;
    made.source = rcity_beams_cl;
    made.job_bytes = kernel->job_bytes;
    made.group_items = GROUP_ITEMS;
    asked.local_bytes = sizeof(uint32_t); /* each kernel has its own besides */
    made.buffer_count = kernel->buffer_count;
    for (int i = 0; i < kernel->buffer_count; i++) {
        bool is_table = kernel->buffer[i] >= BUFFER_FACES && kernel->buffer[i] <= BUFFER_ANTENNA;
        made.buffer[i].use = is_table ? RCITY_BUFFER_SHARED_IN : RCITY_BUFFER_ON_DEVICE;
        made.buffer[i].element_bytes = element_bytes[kernel->buffer[i]];
        asked.resident[i] = run->resident[kernel->buffer[i]];
    }
    asked.kernel = &made;
    asked.job = job;
    asked.item_count = item_count;
    return rcity_device_run(run->context, run->device, &asked);
}

static rcity_status prepare_strip(device_run *run, int64_t index, device_strip *strip)
{
    rcity_context *context = run->context;
    RCITY_TRY(rcity_fast_strip_fill(run->plane, index, &strip->list));
    RCITY_TRY(rcity_fast_strip_sort(run->plane, &strip->list));
    size_t room = (size_t)strip->list.found.cell_count + 1;
    RCITY_TRY(
        rcity_reserve(context, room, sizeof *strip->besides, &strip->beside_capacity, "receivers", &strip->besides));
    RCITY_TRY(rcity_reserve(context, room, sizeof *strip->links, &strip->link_capacity, "receivers", &strip->links));
    RCITY_TRY(rcity_reserve(context, room, sizeof *strip->sums, &strip->sum_capacity, "receivers", &strip->sums));
    RCITY_TRY(rcity_reserve(context, room, sizeof *strip->entry_first, &strip->entry_first_capacity,
                            "histograms of delays", &strip->entry_first));
    RCITY_TRY(rcity_reserve(context, room, sizeof *strip->piece_first, &strip->piece_first_capacity,
                            "histograms of delays", &strip->piece_first));
    strip->entry_count = 0;
    for (int64_t cell = 0; cell < strip->list.found.cell_count; cell++) {
        strip->besides[cell] = rcity_fast_beside(run->plane, &strip->list, cell, &strip->links[cell]);
    }
    return RCITY_OK;
}

/* The paths of a piece, which the device has listed. */
static rcity_status read_entries(device_run *run, device_strip *strip, int64_t begin, int64_t end)
{
    rcity_context *context = run->context;
    uint32_t listed = 0;
    RCITY_TRY(rcity_resident_read(context, run->resident[BUFFER_ENTRY_COUNT], 0, 1, &listed));
    RCITY_TRY(rcity_device_finish(context, run->device));
    RCITY_TRY(rcity_reserve(context, strip->entry_count + listed + 1, sizeof *strip->entries, &strip->entry_capacity,
                            "histograms of delays", &strip->entries));
    RCITY_TRY(rcity_resident_read(context, run->resident[BUFFER_ENTRY_FIRST], begin, end - begin,
                                  strip->entry_first + begin));
    RCITY_TRY(
        rcity_resident_read(context, run->resident[BUFFER_ENTRIES], 0, listed, strip->entries + strip->entry_count));
    for (int64_t cell = begin; cell < end; cell++) {
        strip->piece_first[cell] = strip->entry_count;
    }
    strip->entry_count += listed;
    return RCITY_OK;
}

/* Histograms of a strip's cells. */
static rcity_status take_entries(const device_run *run, const device_strip *strip, rcity_beams_histogram *histogram)
{
    for (int64_t cell = 0; cell < strip->list.found.cell_count; cell++) {
        int64_t left = strip->sums[cell].path_count;
        const rcity_beam_entry *entry = strip->entries + strip->piece_first[cell] + strip->entry_first[cell];
        for (; left > 0; entry++) {
            if (entry->weight > 0.0f) {
                RCITY_TRY(rcity_beams_histogram_take(run->context, entry->bin, entry->weight, histogram));
                left--;
            }
        }
        RCITY_TRY(rcity_beams_histogram_end_cell(run->context, histogram));
    }
    return RCITY_OK;
}

static rcity_status make_piece_room(device_run *run, int64_t record_count, int64_t visit_count, int64_t cell_count)
{
    static const struct {
        fast_buffer buffer;
        int of_records, of_visits, of_cells;
    } rooms[] = {{BUFFER_RECORDS, 1, 0, 0}, {BUFFER_LISTS, 1, 0, 0},       {BUFFER_COUNTS, 0, 1, 0},
                 {BUFFER_ENTRIES, 1, 0, 1}, {BUFFER_ENTRY_FIRST, 0, 0, 1}, {BUFFER_ENTRY_COUNT, 0, 0, 0}};
    for (size_t i = 0; i < sizeof rooms / sizeof rooms[0]; i++) {
        int64_t count =
            rooms[i].of_records * record_count + rooms[i].of_visits * visit_count + rooms[i].of_cells * cell_count + 1;
        RCITY_TRY(rcity_resident_reserve(run->context, run->device, count, element_bytes[rooms[i].buffer],
                                         "paths of a strip", &run->resident[rooms[i].buffer]));
    }
    return RCITY_OK;
}

/* The cells of a strip from `begin` up to `end`, whose records fit. */
static rcity_status do_piece(device_run *run, device_strip *strip, int64_t begin, int64_t end)
{
    const rcity_fast_strip *list = &strip->list;
    int64_t visit_first = list->visit_first[begin];
    int64_t visit_count = list->visit_first[end] - visit_first;
    uint32_t entry_count = 0;
    rcity_beam_follow_job follow = {run->plane->path_job, begin, list->first[begin], visit_first,
                                    list->found.cell_first};
    rcity_beam_cells_job cells = {run->plane->sum_job, begin, list->first[begin], visit_first};
    RCITY_TRY(make_piece_room(run, list->first[end] - list->first[begin], visit_count, list->found.cell_count));
    RCITY_TRY(write(run, BUFFER_VISITS, list->visits + visit_first, visit_count));
    RCITY_TRY(write(run, BUFFER_ENTRY_COUNT, &entry_count, 1));
    RCITY_TRY(launch(run, &follow_kernel, &follow, end - begin));
    RCITY_TRY(launch(run, &sum_kernel, &cells, end - begin));
    RCITY_TRY(rcity_resident_read(run->context, run->resident[BUFFER_SUMS], begin, end - begin, strip->sums + begin));
    if (run->histograms != NULL) {
        RCITY_TRY(read_entries(run, strip, begin, end));
    }
    return rcity_device_finish(run->context, run->device);
}

/* All cells of a strip, on the device. */
static rcity_status run_strip(device_run *run, device_strip *strip)
{
    const rcity_fast_strip *list = &strip->list;
    int64_t cell_count = list->found.cell_count;
    RCITY_TRY(write(run, BUFFER_LEAVES, list->leaves, (int64_t)list->leaf_count));
    RCITY_TRY(write(run, BUFFER_WALLS, list->walls, (int64_t)list->wall_count));
    RCITY_TRY(write(run, BUFFER_FIRST, list->first, cell_count + 1));
    RCITY_TRY(write(run, BUFFER_VISIT_FIRST, list->visit_first, cell_count + 1));
    RCITY_TRY(write(run, BUFFER_BESIDES, strip->besides, cell_count));
    RCITY_TRY(rcity_resident_reserve(run->context, run->device, cell_count, element_bytes[BUFFER_SUMS],
                                     "paths of a strip", &run->resident[BUFFER_SUMS]));
    for (int64_t begin = 0, end; begin < cell_count; begin = end) {
        for (end = begin; end < cell_count && list->first[end + 1] - list->first[begin] <= run->record_room;) {
            end++;
        }
        RCITY_CHECK(run->context, end > begin, RCITY_ERR_MEMORY,
                    "the %lld paths to a cell do not fit the device's largest buffer",
                    (long long)(list->first[begin + 1] - list->first[begin]));
        RCITY_TRY(do_piece(run, strip, begin, end));
    }
    return RCITY_OK;
}

static rcity_status do_strip(device_run *run, int64_t index, device_strip *strip)
{
    RCITY_TRY(prepare_strip(run, index, strip));
    rcity_lock_write(run->lock);
    rcity_status status = run_strip(run, strip);
    rcity_lock_release(run->lock);
    RCITY_TRY(status);
    if (run->histograms != NULL) {
        RCITY_TRY(take_entries(run, strip, &run->histograms[index]));
    }
    for (int64_t cell = 0; cell < strip->list.found.cell_count; cell++) {
        rcity_fast_level(run->plane, &strip->sums[cell], &strip->besides[cell], &strip->links[cell],
                         &run->levels[strip->list.found.cell_first + cell]);
    }
    atomic_fetch_add(&run->near_count, strip->list.near_count);
    return RCITY_OK;
}

/* An rcity_parallel_function over strips. */
static void do_strips(void *user, int64_t begin, int64_t end, int thread_index)
{
    device_run *run = user;
    for (int64_t i = begin; i < end && atomic_load(&run->status) == RCITY_OK; i++) {
        rcity_status status = do_strip(run, run->plane->strip_order[i], &run->strips[thread_index]);
        long long done = atomic_fetch_add(&run->done, 1) + 1;
        if (status == RCITY_OK && thread_index == 0) { /* the caller's thread */
            status = rcity_progress(run->context, "receivers", (double)done, (double)run->plane->bins.strip_count);
        }
        int none = RCITY_OK;
        if (status != RCITY_OK) {
            atomic_compare_exchange_strong(&run->status, &none, (int)status);
        }
    }
}

static void release_strip(rcity_context *context, device_strip *strip)
{
    rcity_fast_strip_deinit(context, &strip->list);
    rcity_release(context, strip->besides);
    rcity_release(context, strip->links);
    rcity_release(context, strip->sums);
    rcity_release(context, strip->entries);
    rcity_release(context, strip->entry_first);
    rcity_release(context, strip->piece_first);
}

rcity_status rcity_fast_device_run(const rcity_fast_plane *plane, rcity_beams_level *levels,
                                   rcity_beams_histogram *histograms, int64_t *near_count)
{
    rcity_context *context = plane->job->context;
    device_run run;
    rcity_status status;
    memset(&run, 0, sizeof run);
    run.plane = plane;
    run.context = context;
    run.device = plane->job->device;
    run.levels = levels;
    run.histograms = histograms;
    atomic_init(&run.status, RCITY_OK);
    atomic_init(&run.near_count, 0);
    atomic_init(&run.done, 0);
    int thread_count = rcity_context_thread_count(context);
    plan_room(&run);
    RCITY_TRY_DONE(rcity_lock_create(context, &run.lock));
    RCITY_TRY_DONE(rcity_alloc(context, (size_t)thread_count, sizeof *run.strips, "beams", &run.strips));
    RCITY_TRY_DONE(keep_tables(&run));
    rcity_parallel(context, plane->bins.strip_count, 1, do_strips, &run);
    status = (rcity_status)atomic_load(&run.status);
    *near_count = (int64_t)atomic_load(&run.near_count);
done:
    if (status != RCITY_OK) {
        (void)rcity_device_finish(context, run.device); /* pending copies still use this memory */
    }
    for (int i = 0; run.strips != NULL && i < thread_count; i++) {
        release_strip(context, &run.strips[i]);
    }
    for (int i = 0; i < BUFFER_COUNT; i++) {
        rcity_resident_destroy(&run.resident[i]);
    }
    rcity_release(context, run.strips);
    rcity_lock_destroy(context, &run.lock);
    return status;
}

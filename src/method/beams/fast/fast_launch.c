#include "method/beams/fast/fast_launch.h"

#include <string.h>

#include "embedded/beams_cl.h"
#include "kernel/beams/beam_entries.h"
#include "kernel/beams/beam_path.h"

#define GROUP_ITEMS 64 /* of beams.cl: work items for a cell or an area */
#define MEMORY_PART 4  /* of the device's memory is for records */

static const size_t element_bytes[RCITY_FAST_BUFFER_COUNT] = {
    [RCITY_FAST_AREAS] = sizeof(rcity_beam_area),
    [RCITY_FAST_WANTED] = sizeof(rcity_u8),
    [RCITY_FAST_CELL_COUNT] = sizeof(rcity_i32),
    [RCITY_FAST_LEAF_OF] = sizeof(rcity_i32),
    [RCITY_FAST_LEAF_COUNT] = sizeof(rcity_i32),
    [RCITY_FAST_LISTED] = sizeof(rcity_i32),
    [RCITY_FAST_VISIT_FIRST] = sizeof(rcity_i64),
    [RCITY_FAST_VISITS] = sizeof(rcity_beam_visit),
    [RCITY_FAST_FIRST] = sizeof(rcity_i64),
    [RCITY_FAST_LEAVES] = sizeof(rcity_beam_leaf),
    [RCITY_FAST_WALLS] = sizeof(rcity_beam_wall),
    [RCITY_FAST_BESIDES] = sizeof(rcity_beam_beside),
    [RCITY_FAST_RECORDS] = sizeof(rcity_beam_record),
    [RCITY_FAST_RECORD_COUNT] = sizeof(rcity_i32),
    [RCITY_FAST_LISTS] = sizeof(rcity_u32),
    [RCITY_FAST_SUMS] = sizeof(rcity_beam_sum),
    [RCITY_FAST_ENTRY_COUNT] = sizeof(rcity_i32),
    [RCITY_FAST_BIN_COUNT] = sizeof(rcity_i32),
    [RCITY_FAST_BIN_FIRST] = sizeof(rcity_i64),
    [RCITY_FAST_ENTRIES] = sizeof(rcity_beam_entry),
    [RCITY_FAST_GAINS] = sizeof(float),
    [RCITY_FAST_BINS] = sizeof(rcity_i32),
    [RCITY_FAST_BIN_GAINS] = sizeof(float),
    [RCITY_FAST_FACES] = sizeof(rcity_beam_face),
    [RCITY_FAST_EDGE_FIELD] = sizeof(rcity_beam_complex),
    [RCITY_FAST_WAYS] = sizeof(rcity_beam_way),
    [RCITY_FAST_DIRECTIONS] = sizeof(rcity_beam_direction),
    [RCITY_FAST_SLOPES] = sizeof(rcity_beam_slope),
    [RCITY_FAST_HEIGHTS] = sizeof(rcity_beam_height),
    [RCITY_FAST_SHARES] = sizeof(float),
    [RCITY_FAST_ANTENNA] = sizeof(float),
};

typedef struct fast_kernel {
    const char *name;
    size_t job_bytes;
    bool has_groups;
    int buffer_count;
    rcity_fast_buffer buffer[RCITY_KERNEL_BUFFER_MAX];
} fast_kernel;

static const fast_kernel kernels[] = {
    [RCITY_FAST_TASK_CLEAR_CELLS] =
        {"rcity_beams_clear", sizeof(rcity_beam_area_job), false, 1, {RCITY_FAST_CELL_COUNT}},
    [RCITY_FAST_TASK_CLEAR_LEAVES] =
        {"rcity_beams_clear", sizeof(rcity_beam_area_job), false, 1, {RCITY_FAST_LEAF_COUNT}},
    [RCITY_FAST_TASK_COUNT] = {"rcity_beams_count",
                               sizeof(rcity_beam_area_job),
                               true,
                               6,
                               {RCITY_FAST_AREAS, RCITY_FAST_WANTED, RCITY_FAST_CELL_COUNT, RCITY_FAST_LEAF_OF,
                                RCITY_FAST_LEAF_COUNT, RCITY_FAST_LISTED}},
    [RCITY_FAST_TASK_VISIT] = {"rcity_beams_visit",
                               sizeof(rcity_beam_area_job),
                               true,
                               6,
                               {RCITY_FAST_AREAS, RCITY_FAST_WANTED, RCITY_FAST_LEAF_OF, RCITY_FAST_VISIT_FIRST,
                                RCITY_FAST_CELL_COUNT, RCITY_FAST_VISITS}},
    [RCITY_FAST_TASK_PLACE] = {"rcity_beams_place",
                               sizeof(rcity_beam_area_job),
                               false,
                               4,
                               {RCITY_FAST_VISIT_FIRST, RCITY_FAST_LEAVES, RCITY_FAST_VISITS, RCITY_FAST_CELL_COUNT}},
    [RCITY_FAST_TASK_FOLLOW] = {"rcity_beams_follow",
                                sizeof(rcity_beam_follow_job),
                                true,
                                16,
                                {RCITY_FAST_VISIT_FIRST, RCITY_FAST_FIRST, RCITY_FAST_VISITS, RCITY_FAST_LEAVES,
                                 RCITY_FAST_WALLS, RCITY_FAST_BESIDES, RCITY_FAST_RECORDS, RCITY_FAST_RECORD_COUNT,
                                 RCITY_FAST_FACES, RCITY_FAST_EDGE_FIELD, RCITY_FAST_WAYS, RCITY_FAST_DIRECTIONS,
                                 RCITY_FAST_SLOPES, RCITY_FAST_HEIGHTS, RCITY_FAST_SHARES, RCITY_FAST_ANTENNA}},
    [RCITY_FAST_TASK_SUM] = {"rcity_beams_sum",
                             sizeof(rcity_beam_cells_job),
                             true,
                             12,
                             {RCITY_FAST_VISIT_FIRST, RCITY_FAST_FIRST, RCITY_FAST_VISITS, RCITY_FAST_BESIDES,
                              RCITY_FAST_RECORDS, RCITY_FAST_RECORD_COUNT, RCITY_FAST_LISTS, RCITY_FAST_SUMS,
                              RCITY_FAST_ENTRY_COUNT, RCITY_FAST_BIN_COUNT, RCITY_FAST_ENTRIES, RCITY_FAST_GAINS}},
    [RCITY_FAST_TASK_PACK] = {"rcity_beams_pack",
                              sizeof(rcity_beam_pack_job),
                              true,
                              7,
                              {RCITY_FAST_FIRST, RCITY_FAST_ENTRY_COUNT, RCITY_FAST_BIN_FIRST, RCITY_FAST_ENTRIES,
                               RCITY_FAST_GAINS, RCITY_FAST_BINS, RCITY_FAST_BIN_GAINS}},
};

void rcity_fast_queue_deinit(rcity_fast_queue *queue)
{
    rcity_fast_directions_forget(queue->context, &queue->edges);
    for (int i = 0; i < RCITY_FAST_BUFFER_COUNT; i++) {
        rcity_resident_destroy(&queue->resident[i]);
    }
}

static rcity_status keep(rcity_fast_queue *queue, rcity_fast_buffer buffer, const void *data, int64_t count)
{
    return rcity_resident_create(queue->context, queue->device, data, count > 0 ? count : 1, element_bytes[buffer],
                                 "tables of beams", &queue->resident[buffer]);
}

rcity_status rcity_fast_queue_reserve(rcity_fast_queue *queue, rcity_fast_buffer buffer, int64_t count)
{
    return rcity_resident_reserve(queue->context, queue->device, count > 0 ? count : 1, element_bytes[buffer],
                                  "paths of beams", &queue->resident[buffer]);
}

/* The tables of directions. */
static rcity_status keep_directions(rcity_fast_queue *queue, rcity_fast_plane *plane)
{
    rcity_fast_tables *tables = &plane->tables;
    if (!rcity_fast_directions_serves(queue->device)) {
        RCITY_TRY(rcity_fast_directions_fill(plane->forest, plane->facets, tables));
        RCITY_TRY(keep(queue, RCITY_FAST_DIRECTIONS, tables->directions, tables->direction_count));
        return keep(queue, RCITY_FAST_SHARES, tables->shares, tables->share_count);
    }
    RCITY_TRY(rcity_fast_queue_reserve(queue, RCITY_FAST_DIRECTIONS, tables->direction_count));
    RCITY_TRY(rcity_fast_queue_reserve(queue, RCITY_FAST_SHARES, tables->share_count));
    queue->edges.device = queue->device;
    queue->edges.ways = queue->resident[RCITY_FAST_WAYS];
    queue->edges.slopes = queue->resident[RCITY_FAST_SLOPES];
    queue->edges.directions = queue->resident[RCITY_FAST_DIRECTIONS];
    queue->edges.shares = queue->resident[RCITY_FAST_SHARES];
    return rcity_fast_directions_send(plane->forest, plane->facets, tables, &queue->edges);
}

rcity_status rcity_fast_queue_keep(rcity_fast_queue *queue, rcity_fast_plane *plane)
{
    static const float no_table = 0.0f;
    const rcity_fast_tables *tables = &plane->tables;
    const rcity_path_ends *ends = &plane->own->ends;
    RCITY_TRY(keep(queue, RCITY_FAST_FACES, tables->faces, tables->face_count));
    RCITY_TRY(keep(queue, RCITY_FAST_EDGE_FIELD, tables->edge_field, RCITY_BEAM_FIELD_STEPS + 1));
    RCITY_TRY(keep(queue, RCITY_FAST_WAYS, tables->ways, tables->way_count));
    RCITY_TRY(keep(queue, RCITY_FAST_SLOPES, tables->slopes, tables->slope_count));
    RCITY_TRY(keep(queue, RCITY_FAST_HEIGHTS, tables->heights, (int64_t)tables->height_count));
    RCITY_TRY(
        keep(queue, RCITY_FAST_ANTENNA, ends->tx_table != NULL ? ends->tx_table : &no_table, ends->tx_table_count));
    return keep_directions(queue, plane);
}

rcity_status rcity_fast_queue_write(rcity_fast_queue *queue, rcity_fast_buffer buffer, const void *data, int64_t count)
{
    RCITY_TRY(rcity_fast_queue_reserve(queue, buffer, count));
    return count > 0 ? rcity_resident_write(queue->context, queue->resident[buffer], 0, count, data) : RCITY_OK;
}

rcity_status rcity_fast_queue_read(rcity_fast_queue *queue, rcity_fast_buffer buffer, int64_t first, int64_t count,
                                   void *to)
{
    return count > 0 ? rcity_resident_read(queue->context, queue->resident[buffer], first, count, to) : RCITY_OK;
}

rcity_status rcity_fast_queue_launch(rcity_fast_queue *queue, rcity_fast_task task, const void *job, int64_t item_count)
{
    const fast_kernel *kernel = &kernels[task];
    rcity_kernel made;
    rcity_launch asked;
    memset(&made, 0, sizeof made);
    memset(&asked, 0, sizeof asked);
    made.name = kernel->name;
    made.source = rcity_beams_cl;
    made.job_bytes = kernel->job_bytes;
    made.group_items = kernel->has_groups ? GROUP_ITEMS : 0;
    asked.local_bytes = kernel->has_groups ? sizeof(uint32_t) : 0; /* each kernel has its own besides */
    made.buffer_count = kernel->buffer_count;
    for (int i = 0; i < kernel->buffer_count; i++) {
        bool is_table = kernel->buffer[i] >= RCITY_FAST_FACES;
        made.buffer[i].use = is_table ? RCITY_BUFFER_SHARED_IN : RCITY_BUFFER_ON_DEVICE;
        made.buffer[i].element_bytes = element_bytes[kernel->buffer[i]];
        asked.resident[i] = queue->resident[kernel->buffer[i]];
    }
    asked.kernel = &made;
    asked.job = job;
    asked.item_count = item_count;
    return rcity_device_run(queue->context, queue->device, &asked);
}

int64_t rcity_fast_queue_room(const rcity_fast_queue *queue, rcity_fast_buffer buffer)
{
    rcity_device_info info;
    rcity_device_describe(queue->device, &info);
    uint64_t limit = rcity_context_memory_limit(queue->context);
    uint64_t memory = (limit < info.memory_bytes ? limit : info.memory_bytes) / MEMORY_PART;
    uint64_t most = rcity_device_buffer_bytes(queue->device);
    return (int64_t)((memory < most ? memory : most) / element_bytes[buffer]);
}

/* Batches of sources over a map of cubes. With supercubes the borders of all sources of a batch are filled ring by ring,
   each ring one launch; then all targets of all of them are one launch. */
#include "visibility/cubes/cube_sight.h"

#include <string.h>

#include "embedded/cube_sight_cl.h"

/* The borders of a batch of sources: enough that a batch keeps a device busy. */
#define BORDERS_MAX_BYTES ((int64_t)256 << 20)
#define SOURCES_MAX       1024 /* of a batch */

struct rcity_cube_sight {
    rcity_context *context; /* Borrowed, as the device. */
    rcity_device *device;
    rcity_cube_map map;
    rcity_resident *words, *blocks, *borders, *sources;
    rcity_kernel columns_kernel; /* its output has the size of a column */
};

static rcity_cube_sight_view view_of(const rcity_launch_buffer *buffers)
{
    return (rcity_cube_sight_view){buffers[1].in, buffers[2].in, buffers[3].out};
}

static void run_blocks(const void *job, const rcity_launch_buffer *buffers, int64_t begin, int64_t end)
{
    rcity_cube_map map;
    memcpy(&map, job, sizeof map);
    for (int64_t i = begin; i < end; i++) {
        rcity_cube_block_item(map, buffers[0].in, i, buffers[1].out);
    }
}

static void run_borders(const void *job, const rcity_launch_buffer *buffers, int64_t begin, int64_t end)
{
    for (int64_t i = begin; i < end; i++) {
        rcity_supercube_border_item(job, view_of(buffers), buffers[0].in, i);
    }
}

static void run_columns(const void *job, const rcity_launch_buffer *buffers, int64_t begin, int64_t end)
{
    const rcity_cube_sight_job *sight = job;
    uint32_t *visible = buffers[4].out;
    for (int64_t i = begin; i < end; i++) {
        rcity_cube_sight_column(sight, view_of(buffers), buffers[0].in, i, visible + i * sight->map.word_count);
    }
}

static void run_lists(const void *job, const rcity_launch_buffer *buffers, int64_t begin, int64_t end)
{
    uint8_t *visible = buffers[4].out;
    for (int64_t i = begin; i < end; i++) {
        visible[i] = (uint8_t)rcity_cube_sight_listed(job, view_of(buffers), buffers[0].in, buffers[5].in, i);
    }
}

static const rcity_kernel kernel_blocks = {
    .name = "rcity_cube_blocks",
    .source = rcity_cube_sight_cl,
    .job_bytes = sizeof(rcity_cube_map),
    .buffer_count = 2,
    .buffer = {{RCITY_BUFFER_SHARED_IN, sizeof(uint32_t)}, {RCITY_BUFFER_ON_DEVICE, sizeof(uint32_t)}},
    .host_run = run_blocks,
};

#define SIGHT_BUFFERS                                                                                                  \
    {RCITY_BUFFER_SHARED_IN, sizeof(rcity_cube_source)}, {RCITY_BUFFER_SHARED_IN, sizeof(uint32_t)},                   \
        {RCITY_BUFFER_SHARED_IN, sizeof(uint32_t)},                                                                    \
    {                                                                                                                  \
        RCITY_BUFFER_ON_DEVICE, sizeof(uint8_t)                                                                        \
    }

static const rcity_kernel kernel_borders = {
    .name = "rcity_cube_borders",
    .source = rcity_cube_sight_cl,
    .job_bytes = sizeof(rcity_cube_sight_job),
    .buffer_count = 4,
    .buffer = {SIGHT_BUFFERS},
    .host_run = run_borders,
};

static const rcity_kernel kernel_columns = {
    .name = "rcity_cube_columns",
    .source = rcity_cube_sight_cl,
    .job_bytes = sizeof(rcity_cube_sight_job),
    .buffer_count = 5,
    .buffer = {SIGHT_BUFFERS, {RCITY_BUFFER_ITEM_OUT, 0}},
    .host_run = run_columns,
};

static const rcity_kernel kernel_lists = {
    .name = "rcity_cube_lists",
    .source = rcity_cube_sight_cl,
    .job_bytes = sizeof(rcity_cube_sight_job),
    .buffer_count = 6,
    .buffer = {SIGHT_BUFFERS, {RCITY_BUFFER_ITEM_OUT, sizeof(uint8_t)}, {RCITY_BUFFER_SHARED_IN, sizeof(rcity_cube)}},
    .host_run = run_lists,
};

rcity_cube_sight_options rcity_cube_sight_options_default(void)
{
    return (rcity_cube_sight_options){RCITY_SUPERCUBES, RCITY_SUPERCUBE_EDGE_DEFAULT};
}

static rcity_status check_map(rcity_context *context, const rcity_cube_map *map)
{
    RCITY_CHECK(context,
                map->column_count >= 1 && map->row_count >= 1 && map->column_count <= RCITY_CUBE_LINE_MAX &&
                    map->row_count <= RCITY_CUBE_LINE_MAX,
                RCITY_ERR_ARGUMENT, "a map of %d x %d cubes, must have 1 to %d each way; take larger cubes",
                map->column_count, map->row_count, RCITY_CUBE_LINE_MAX);
    RCITY_CHECK(context, map->layer_count >= 1 && map->layer_count <= RCITY_CUBE_LAYERS_MAX, RCITY_ERR_ARGUMENT,
                "a map of %d layers of cubes, must have 1 to %d; take higher cubes", map->layer_count,
                RCITY_CUBE_LAYERS_MAX);
    RCITY_CHECK(context, map->word_count == (map->layer_count - 1) / RCITY_CUBE_WORD_LAYERS + 1, RCITY_ERR_ARGUMENT,
                "a map of %d layers has %d words a column, must have %d", map->layer_count, map->word_count,
                (map->layer_count - 1) / RCITY_CUBE_WORD_LAYERS + 1);
    RCITY_CHECK(context, map->edge_m > 0.0f && map->height_m > 0.0f, RCITY_ERR_ARGUMENT,
                "cubes of %g m by %g m, must be larger than 0", (double)map->edge_m, (double)map->height_m);
    return RCITY_OK;
}

static int64_t word_count_of(const rcity_cube_map *map)
{
    return (int64_t)map->column_count * map->row_count * map->word_count;
}

static rcity_status make_blocks(rcity_cube_sight *sight)
{
    rcity_cube_map blocks = rcity_cube_map_of_blocks(sight->map);
    RCITY_TRY(rcity_resident_create_empty(sight->context, sight->device, word_count_of(&blocks), sizeof(uint32_t),
                                          "blocks of cubes", &sight->blocks));
    rcity_launch launch;
    memset(&launch, 0, sizeof launch);
    launch.kernel = &kernel_blocks;
    launch.job = &sight->map;
    launch.item_count = word_count_of(&blocks);
    launch.resident[0] = sight->words;
    launch.resident[1] = sight->blocks;
    RCITY_TRY(rcity_device_run(sight->context, sight->device, &launch));
    return rcity_device_finish(sight->context, sight->device);
}

rcity_status rcity_cube_sight_open(rcity_context *context, rcity_device *device, const rcity_cube_map *map,
                                   const uint32_t *words, rcity_cube_sight **sight)
{
    rcity_cube_sight *made = NULL;
    rcity_status status;
    RCITY_NEED(context, words);
    RCITY_TRY(check_map(context, map));
    RCITY_TRY(rcity_alloc(context, 1, sizeof *made, "sight over cubes", &made));
    made->context = context;
    made->device = device;
    made->map = *map;
    made->columns_kernel = kernel_columns;
    made->columns_kernel.buffer[4].element_bytes = (size_t)map->word_count * sizeof(uint32_t);
    RCITY_TRY_DONE(rcity_resident_create(context, device, words, word_count_of(map), sizeof *words, "a map of cubes",
                                         &made->words));
    RCITY_TRY_DONE(make_blocks(made));
    *sight = made;
    return RCITY_OK;
done:
    rcity_cube_sight_close(&made);
    return status;
}

void rcity_cube_sight_close(rcity_cube_sight **sight)
{
    rcity_cube_sight *closed = *sight;
    if (closed == NULL) {
        return;
    }
    rcity_resident_destroy(&closed->sources);
    rcity_resident_destroy(&closed->borders);
    rcity_resident_destroy(&closed->blocks);
    rcity_resident_destroy(&closed->words);
    rcity_release(closed->context, closed);
    *sight = NULL;
}

static bool is_in_map(const rcity_cube_map *map, rcity_cube cube)
{
    return cube.column >= 0 && cube.column < map->column_count && cube.row >= 0 && cube.row < map->row_count &&
           cube.layer >= 0 && cube.layer < map->layer_count;
}

static rcity_status check_query(const rcity_cube_sight *sight, const rcity_cube_sight_options *options,
                                int64_t source_count, const rcity_cube_source *sources)
{
    rcity_context *context = sight->context;
    RCITY_CHECK(context, options->mode >= RCITY_LINES_PLAIN && options->mode <= RCITY_SUPERCUBES_PAPER,
                RCITY_ERR_ARGUMENT, "the way to follow lines is %d, must be %d to %d", options->mode, RCITY_LINES_PLAIN,
                RCITY_SUPERCUBES_PAPER);
    RCITY_CHECK(context, options->edge >= 1 && options->edge <= RCITY_SUPERCUBE_EDGE_MAX, RCITY_ERR_ARGUMENT,
                "supercubes of %d cubes, must have 1 to %d along an edge", options->edge, RCITY_SUPERCUBE_EDGE_MAX);
    RCITY_NEED_SOME(context, sources, source_count);
    for (int64_t i = 0; i < source_count; i++) {
        rcity_cube cube = sources[i].cube;
        RCITY_CHECK(context, is_in_map(&sight->map, cube), RCITY_ERR_ARGUMENT,
                    "source %lld is in cube (%d, %d, %d), outside the map of %d x %d x %d", (long long)i, cube.column,
                    cube.row, cube.layer, sight->map.column_count, sight->map.row_count, sight->map.layer_count);
    }
    return RCITY_OK;
}

static int32_t larger(int32_t a, int32_t b)
{
    return a > b ? a : b;
}

static int32_t smaller(int32_t a, int32_t b)
{
    return a < b ? a : b;
}

/* The steps to the cubes of the map in plan that a source may look at. */
static int32_t reach_of(const rcity_cube_map *map, const rcity_cube_source *source)
{
    int32_t reach = larger(larger(source->cube.column, map->column_count - 1 - source->cube.column),
                           larger(source->cube.row, map->row_count - 1 - source->cube.row));
    if (source->range_m > 0.0f && source->range_m / map->edge_m < (float)reach) {
        reach = (int32_t)(source->range_m / map->edge_m) + 1;
    }
    return reach;
}

/* What all sources of a query have in common; the layers of the targets are in it. */
static void plan_borders(const rcity_cube_sight *sight, const rcity_cube_sight_options *options, int64_t source_count,
                         const rcity_cube_source *sources, rcity_cube_sight_job *job)
{
    int32_t reach = 0;
    int32_t low = job->target_low;
    int32_t end = job->target_end;
    for (int64_t i = 0; i < source_count; i++) {
        reach = larger(reach, reach_of(&sight->map, &sources[i]));
        low = smaller(low, sources[i].cube.layer);
        end = larger(end, sources[i].cube.layer + 1);
    }
    job->map = sight->map;
    job->mode = options->mode;
    job->edge = options->edge;
    job->layer_low = low;
    job->layer_count = end - low;
    job->reach = larger(reach, 1);
    if (options->mode >= RCITY_SUPERCUBES && reach > 0) {
        job->ring_count = (reach - 1) / options->edge;
        job->border_count = rcity_supercube_borders_before(job->edge, job->layer_count, job->ring_count);
    }
}

/* Queue: the sources, and the borders of their supercubes. */
static rcity_status fill_borders(rcity_cube_sight *sight, rcity_cube_sight_job *job, int64_t source_count,
                                 const rcity_cube_source *sources)
{
    rcity_context *context = sight->context;
    RCITY_TRY(rcity_resident_reserve(context, sight->device, source_count, sizeof *sources, "sources of cubes",
                                     &sight->sources));
    RCITY_TRY(rcity_resident_write(context, sight->sources, 0, source_count, sources));
    int64_t border_count = job->border_count > 0 ? source_count * job->border_count : 1;
    RCITY_TRY(rcity_resident_reserve(context, sight->device, border_count, sizeof(uint8_t), "borders of supercubes",
                                     &sight->borders));
    rcity_launch launch;
    memset(&launch, 0, sizeof launch);
    launch.kernel = &kernel_borders;
    launch.job = job;
    launch.resident[0] = sight->sources;
    launch.resident[1] = sight->words;
    launch.resident[2] = sight->blocks;
    launch.resident[3] = sight->borders;
    for (job->ring = 0; job->ring < job->ring_count; job->ring++) {
        int64_t along = (int64_t)(job->ring + 1) * job->edge;
        launch.item_count = source_count * 4 * (2 * along + 1) * job->layer_count;
        RCITY_TRY(rcity_device_run(context, sight->device, &launch));
    }
    return RCITY_OK;
}

/* Run a kernel over the targets of all sources, in batches: `element_count` items and `element_bytes` of output each. */
static rcity_status run_batches(rcity_cube_sight *sight, rcity_cube_sight_job *job, const rcity_kernel *kernel,
                                const rcity_cube *cubes, int64_t source_count, const rcity_cube_source *sources,
                                uint8_t *visible)
{
    int64_t each = kernel == &kernel_lists ? job->cube_count : (int64_t)job->map.column_count * job->map.row_count;
    int64_t most = job->border_count > 0 ? BORDERS_MAX_BYTES / job->border_count : SOURCES_MAX;
    most = most < 1 ? 1 : most < SOURCES_MAX ? most : SOURCES_MAX;
    rcity_launch launch;
    memset(&launch, 0, sizeof launch);
    launch.kernel = kernel;
    launch.job = job;
    for (int64_t begin = 0; begin < source_count; begin += most) {
        int64_t count = source_count - begin < most ? source_count - begin : most;
        RCITY_TRY(fill_borders(sight, job, count, sources + begin));
        launch.item_count = count * each;
        launch.resident[0] = sight->sources;
        launch.resident[1] = sight->words;
        launch.resident[2] = sight->blocks;
        launch.resident[3] = sight->borders;
        launch.buffer[4].out = visible + (size_t)(begin * each) * kernel->buffer[4].element_bytes;
        launch.buffer[5].in = cubes;
        launch.shared_count[5] = job->cube_count;
        RCITY_TRY(rcity_device_run(sight->context, sight->device, &launch));
    }
    return RCITY_OK;
}

rcity_status rcity_cube_sight_layers(rcity_cube_sight *sight, const rcity_cube_sight_options *options,
                                     int32_t layer_begin, int32_t layer_end, int64_t source_count,
                                     const rcity_cube_source *sources, uint32_t *visible)
{
    RCITY_TRY(check_query(sight, options, source_count, sources));
    RCITY_CHECK(sight->context, layer_begin >= 0 && layer_begin < layer_end && layer_end <= sight->map.layer_count,
                RCITY_ERR_ARGUMENT, "the layers %d to %d are not in the map of %d layers", layer_begin, layer_end - 1,
                sight->map.layer_count);
    rcity_cube_sight_job job;
    memset(&job, 0, sizeof job);
    job.target_low = layer_begin;
    job.target_end = layer_end;
    plan_borders(sight, options, source_count, sources, &job);
    return run_batches(sight, &job, &sight->columns_kernel, NULL, source_count, sources, (uint8_t *)visible);
}

rcity_status rcity_cube_sight_list(rcity_cube_sight *sight, const rcity_cube_sight_options *options, int64_t cube_count,
                                   const rcity_cube *cubes, int64_t source_count, const rcity_cube_source *sources,
                                   uint8_t *visible)
{
    rcity_context *context = sight->context;
    RCITY_TRY(check_query(sight, options, source_count, sources));
    RCITY_NEED_SOME(context, cubes, cube_count);
    RCITY_CHECK(context, cube_count <= INT32_MAX, RCITY_ERR_ARGUMENT, "a list of %lld cubes, must have %d at most",
                (long long)cube_count, INT32_MAX);
    if (cube_count == 0) {
        return RCITY_OK;
    }
    rcity_cube_sight_job job;
    memset(&job, 0, sizeof job);
    job.target_low = sight->map.layer_count;
    for (int64_t i = 0; i < cube_count; i++) {
        RCITY_CHECK(context, is_in_map(&sight->map, cubes[i]), RCITY_ERR_ARGUMENT,
                    "cube %lld of the list is (%d, %d, %d), outside the map of %d x %d x %d", (long long)i,
                    cubes[i].column, cubes[i].row, cubes[i].layer, sight->map.column_count, sight->map.row_count,
                    sight->map.layer_count);
        job.target_low = smaller(job.target_low, cubes[i].layer);
        job.target_end = larger(job.target_end, cubes[i].layer + 1);
    }
    job.cube_count = (int32_t)cube_count;
    plan_borders(sight, options, source_count, sources, &job);
    return run_batches(sight, &job, &kernel_lists, cubes, source_count, sources, visible);
}

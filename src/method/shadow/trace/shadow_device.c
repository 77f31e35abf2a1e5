/* Sources on a device, from visibility to levels. Between host and device are copied: positions of views and what they
   deferred, a few kilobytes per round; which corners they see; chains; what the sources see; deferred pixels of roofs
   and walls; and the requested bands. A round has one launch for the line-of-sight rasters of all sources and one for
   corners; then come lists and walls. Roofs are launched in parts, one after the views of each round: the host waits
   for the views and works on what they saw while the device computes roofs. Levels take a launch each. */
#include "method/shadow/trace/shadow_device.h"

#include <string.h>

#include "embedded/weigh_cl.h"
#include "kernel/shadow/weigh_item.h"
#include "method/shadow/corners/corner_device.h"
#include "method/shadow/roofs/roof_trace.h"
#include "method/shadow/trace/shadow_arrays.h"
#include "visibility/walls/wall_counts.h"
#include "visibility/walls/wall_raster.h"

/* Blocks that are kept for reuse, and sets of bands that levels are written to in turn: one is filled while others are
   copied. */
#define SPARE_MAX 4
#define BAND_SETS 4

/* Sources that were traced together. */
typedef struct shadow_block {
    rcity_shadow_device *tracer;
    struct shadow_block *next; /* in the list of spare blocks */
    int room, source_count, live_count;
    rcity_shadow_device_paths *paths; /* one per source */
    rcity_grid_point3 *sources;
    bool *has_roofs;                     /* false: no path leads over roofs */
    rcity_surroundings_end *ends;        /* sources in their surroundings */
    rcity_surroundings_line *node_lines; /* to the nodes of the surroundings, source by source */
    uint64_t *visible;
    rcity_corner_lists lists;

    /* Source by source, one element per pixel. */
    rcity_resident *roofs_dev; /* rcity_shadow_roof */
    rcity_resident *walls_dev; /* rcity_wall_path, or: */
    rcity_resident *counts_dev;
    rcity_resident *built_dev; /* node_lines */
} shadow_block;

struct rcity_shadow_device_paths {
    shadow_block *block;
    int index;
};

struct rcity_shadow_device {
    rcity_context *context; /* Borrowed, as the next two. */
    rcity_device *device;
    const rcity_los_plane *plane;
    rcity_shadow_choice choice;
    int64_t pixel_count, word_count; /* words of 32 pixels */
    rcity_corner_device corner_device;
    rcity_roofs *roofs;
    rcity_walls *walls; /* with metres, or over terrain; or: */
    bool has_counts;
    rcity_wall_counts counts;
    rcity_resident *nodes_dev; /* of the surroundings; NULL: nothing is known of them */
    int64_t node_count;
    rcity_resident *bands_dev[BAND_SETS], *pattern_dev[BAND_SETS];
    int band_set;
    shadow_block *spare; /* allocation on a device is slow */
    int spare_count;
};

static void run_pixels(const void *job_bytes, const rcity_launch_buffer *buffers, int64_t begin, int64_t end)
{
    rcity_weigh_job job;
    memcpy(&job, job_bytes, sizeof job);
    rcity_weigh_view view = {buffers[0].in, buffers[1].in, buffers[2].in,  buffers[3].in,
                             buffers[4].in, buffers[5].in, buffers[6].in,  buffers[7].in,
                             buffers[8].in, buffers[9].in, buffers[10].in, buffers[11].in};
    rcity_weigh_view_choose(&job, &view);
    for (int64_t i = begin; i < end; i++) {
        rcity_weigh_item(&job, &view, i, buffers[12].out);
    }
}

static const rcity_kernel weigh_kernel = {
    .name = "rcity_weigh_pixels",
    .source = rcity_weigh_cl,
    .job_bytes = sizeof(rcity_weigh_job),
    .buffer_count = 13,
    .buffer = {{RCITY_BUFFER_SHARED_IN, sizeof(int32_t)},
               {RCITY_BUFFER_SHARED_IN, sizeof(uint32_t)},
               {RCITY_BUFFER_SHARED_IN, sizeof(uint32_t)},
               {RCITY_BUFFER_SHARED_IN, sizeof(rcity_corner_list)},
               {RCITY_BUFFER_SHARED_IN, sizeof(rcity_corner_list_entry)},
               {RCITY_BUFFER_SHARED_IN, sizeof(rcity_corner_chain)},
               {RCITY_BUFFER_SHARED_IN, sizeof(rcity_shadow_roof)},
               {RCITY_BUFFER_SHARED_IN, sizeof(rcity_wall_path)},
               {RCITY_BUFFER_SHARED_IN, sizeof(int32_t)},
               {RCITY_BUFFER_SHARED_IN, sizeof(float)},
               {RCITY_BUFFER_SHARED_IN, sizeof(rcity_surroundings_node)},
               {RCITY_BUFFER_SHARED_IN, sizeof(rcity_surroundings_line)},
               {RCITY_BUFFER_ON_DEVICE, sizeof(float)}},
    .host_run = run_pixels,
};

static rcity_status open_walls(rcity_shadow_device *tracer)
{
    if (tracer->choice.walls == RCITY_SHADOW_WALLS_METRES || tracer->plane->z != NULL) {
        return rcity_walls_open(tracer->context, tracer->device, tracer->plane, &tracer->walls);
    }
    RCITY_TRY(rcity_wall_counts_init(tracer->context, tracer->device, tracer->plane, &tracer->counts));
    tracer->has_counts = true;
    return RCITY_OK;
}

rcity_status rcity_shadow_device_open(rcity_context *context, rcity_device *device, const rcity_los_plane *plane,
                                      const rcity_shadow_choice *choice, rcity_shadow_device **tracer)
{
    rcity_shadow_device *made = NULL;
    rcity_status status;
    RCITY_TRY(rcity_alloc(context, 1, sizeof *made, "shadows", &made));
    made->context = context;
    made->device = device;
    made->plane = plane;
    made->choice = *choice;
    made->pixel_count = (int64_t)plane->column_count * plane->row_count;
    made->word_count = 2 * (int64_t)plane->row_words * plane->row_count;
    RCITY_TRY_DONE(rcity_corner_device_init(context, device, plane, &made->corner_device));
    for (int i = 0; i < BAND_SETS; i++) {
        RCITY_TRY_DONE(rcity_resident_create_empty(context, device, RCITY_WEIGH_BAND_COUNT * made->pixel_count,
                                                   sizeof(float), "levels", &made->bands_dev[i]));
    }
    if (choice->built_up != NULL) {
        made->node_count = (int64_t)rcity_built_up_node_count(choice->built_up);
        RCITY_TRY_DONE(rcity_resident_create(context, device, choice->built_up->nodes, made->node_count,
                                             sizeof(rcity_surroundings_node), "surroundings", &made->nodes_dev));
    }
    if (choice->roofs != RCITY_SHADOW_ROOFS_OFF) {
        RCITY_TRY_DONE(rcity_roofs_open(context, device, plane, &made->roofs));
    }
    if (choice->walls != RCITY_SHADOW_WALLS_OFF) {
        RCITY_TRY_DONE(open_walls(made));
    }
    *tracer = made;
    made = NULL;
done:
    rcity_shadow_device_close(&made);
    return status;
}

static void release_block(shadow_block *block)
{
    rcity_context *context = block->tracer->context;
    rcity_resident_destroy(&block->built_dev);
    rcity_resident_destroy(&block->counts_dev);
    rcity_resident_destroy(&block->walls_dev);
    rcity_resident_destroy(&block->roofs_dev);
    rcity_corner_lists_deinit(&block->lists);
    rcity_release(context, block->visible);
    rcity_release(context, block->node_lines);
    rcity_release(context, block->ends);
    rcity_release(context, block->has_roofs);
    rcity_release(context, block->sources);
    rcity_release(context, block->paths);
    rcity_release(context, block);
}

static void release_spares(rcity_shadow_device *tracer)
{
    while (tracer->spare != NULL) {
        shadow_block *block = tracer->spare;
        tracer->spare = block->next;
        release_block(block);
    }
    tracer->spare_count = 0;
}

void rcity_shadow_device_close(rcity_shadow_device **tracer)
{
    if (tracer == NULL || *tracer == NULL) {
        return;
    }
    rcity_shadow_device *old = *tracer;
    release_spares(old);
    if (old->has_counts) {
        rcity_wall_counts_deinit(&old->counts);
    }
    rcity_walls_close(&old->walls);
    rcity_roofs_close(&old->roofs);
    for (int i = 0; i < BAND_SETS; i++) {
        rcity_resident_destroy(&old->pattern_dev[i]);
        rcity_resident_destroy(&old->bands_dev[i]);
    }
    rcity_resident_destroy(&old->nodes_dev);
    rcity_corner_device_deinit(&old->corner_device);
    rcity_release(old->context, old);
    *tracer = NULL;
}

void rcity_shadow_device_paths_destroy(rcity_shadow_device_paths **trace)
{
    if (trace == NULL || *trace == NULL) {
        return;
    }
    shadow_block *block = (*trace)->block;
    rcity_shadow_device *tracer = block->tracer;
    *trace = NULL;
    if (--block->live_count > 0) {
        return;
    }
    if (tracer->spare_count == SPARE_MAX) {
        release_block(block);
        return;
    }
    block->next = tracer->spare;
    tracer->spare = block;
    tracer->spare_count++;
}

void rcity_shadow_device_forget(rcity_shadow_device *tracer)
{
    rcity_corner_device_forget(&tracer->corner_device);
}

/* The device memory of a source, without the masks of its corners and without entries beyond the initial room. */
static int64_t source_bytes(const rcity_shadow_device *tracer)
{
    int64_t pixel_bytes = 0;
    pixel_bytes +=
        tracer->roofs != NULL ? (int64_t)(sizeof(rcity_shadow_roof) + sizeof(uint32_t)) + 2 : 0; /* 2: hints */
    pixel_bytes += tracer->walls != NULL ? (int64_t)(sizeof(rcity_wall_path) + sizeof(uint32_t)) : 0;
    pixel_bytes += tracer->has_counts ? (int64_t)(3 * sizeof(uint32_t)) : 0; /* counts, sheet and deferred pixels */
    return tracer->pixel_count * pixel_bytes + 48 * tracer->word_count;
}

int rcity_shadow_device_source_max(const rcity_shadow_device *tracer)
{
    const rcity_device_info *info = &tracer->corner_device.views.info;
    int64_t most = RCITY_SHADOW_DEVICE_SOURCE_MAX;
    int64_t fitting = (int64_t)(info->memory_bytes / 16) / source_bytes(tracer);
    most = fitting < most ? fitting : most;
    fitting = (int64_t)info->buffer_max_bytes / (tracer->pixel_count * (int64_t)sizeof(rcity_shadow_roof));
    most = fitting < most ? fitting : most;
    fitting = INT32_MAX / tracer->pixel_count; /* pixels are numbered consecutively over the sources */
    most = fitting < most ? fitting : most;
    return most > 1 ? (int)most : 1;
}

/* Allocates the memory for the results. */
static rcity_status reserve(rcity_shadow_device *tracer, int count, shadow_block *block)
{
    rcity_context *context = tracer->context;
    const char *what = "paths to receivers";
    int64_t pixel_count = count * tracer->pixel_count;
    if (block->room == 0) {
        size_t room = (size_t)count;
        RCITY_TRY(rcity_alloc(context, room, sizeof *block->paths, what, &block->paths));
        RCITY_TRY(rcity_alloc(context, room, sizeof *block->sources, what, &block->sources));
        RCITY_TRY(rcity_alloc(context, room, sizeof *block->has_roofs, what, &block->has_roofs));
        RCITY_TRY(rcity_alloc(context, room, sizeof *block->ends, what, &block->ends));
        RCITY_TRY(rcity_alloc(context, room * (size_t)tracer->node_count, sizeof *block->node_lines, what,
                              &block->node_lines));
        RCITY_TRY(
            rcity_alloc(context, room * (size_t)tracer->word_count / 2, sizeof *block->visible, what, &block->visible));
        block->room = count;
    }
    RCITY_TRY(rcity_resident_reserve(context, tracer->device, tracer->roofs != NULL ? pixel_count : 0,
                                     sizeof(rcity_shadow_roof), what, &block->roofs_dev));
    RCITY_TRY(rcity_resident_reserve(context, tracer->device, tracer->walls != NULL ? pixel_count : 0,
                                     sizeof(rcity_wall_path), what, &block->walls_dev));
    RCITY_TRY(rcity_resident_reserve(context, tracer->device, count * tracer->node_count,
                                     sizeof(rcity_surroundings_line), what, &block->built_dev));
    return rcity_resident_reserve(context, tracer->device, tracer->has_counts ? pixel_count : 0, sizeof(int32_t), what,
                                  &block->counts_dev);
}

/* Sources in their surroundings, and the metres over buildings to all nodes. */
static rcity_status measure_surroundings(rcity_shadow_device *tracer, shadow_block *block)
{
    for (int i = 0; i < block->source_count; i++) {
        rcity_grid_point3 source = block->sources[i];
        block->ends[i] = rcity_shadow_source_end(tracer->plane->shapes, &tracer->choice, source);
        if (tracer->node_count > 0) {
            rcity_built_up_measure(tracer->context, tracer->choice.built_up, source,
                                   block->node_lines + i * tracer->node_count);
        }
    }
    return tracer->node_count > 0 ? rcity_resident_write(tracer->context, block->built_dev, 0,
                                                         block->source_count * tracer->node_count, block->node_lines)
                                  : RCITY_OK;
}

/* Queues the over-roof paths of some of the sources: one of the equal parts for each corner of a path. */
static rcity_status queue_roofs(const shadow_block *block, int part, int part_count)
{
    int first = part * block->source_count / part_count;
    int end = (part + 1) * block->source_count / part_count;
    return end > first ? rcity_roofs_queue_on_device(block->tracer->roofs, first, end - first, block->lists.visible_dev,
                                                     block->roofs_dev)
                       : RCITY_OK;
}

/* The function of an rcity_corner_task: work that needs no corners is queued after the views of a round, so that the
   device is busy while the host processes what they saw. Roofs take the longest. */
static rcity_status run_task(void *user, int turn)
{
    shadow_block *block = user;
    rcity_shadow_device *tracer = block->tracer;
    int order = tracer->choice.order;
    if (turn == 0 && tracer->roofs != NULL) {
        rcity_roof_mode mode = tracer->choice.roofs == RCITY_SHADOW_ROOFS_COUNT ? RCITY_ROOF_COUNT : RCITY_ROOF_EDGES;
        RCITY_TRY(
            rcity_roofs_begin_on_device(tracer->roofs, block->source_count, block->sources, mode, block->has_roofs));
    }
    if (turn == order && tracer->has_counts) {
        RCITY_TRY(rcity_wall_counts_trace(&tracer->counts, block->source_count, block->sources, block->counts_dev));
    }
    return turn > 0 && tracer->roofs != NULL ? queue_roofs(block, turn - 1, order) : RCITY_OK;
}

/* Queues the copies to the host. */
static rcity_status fetch(rcity_shadow_device *tracer, shadow_block *block)
{
    RCITY_TRY(rcity_corner_device_fetch(&tracer->corner_device, &block->lists));
    if (tracer->roofs != NULL) {
        RCITY_TRY(rcity_roofs_fetch_from_device(tracer->roofs));
    }
    if (tracer->walls != NULL) {
        RCITY_TRY(rcity_walls_fetch_from_device(tracer->walls));
    }
    if (tracer->has_counts) {
        RCITY_TRY(rcity_wall_counts_fetch(&tracer->counts));
    }
    return rcity_resident_read(tracer->context, block->lists.visible_dev, 0, block->source_count * tracer->word_count,
                               block->visible);
}

/* The pixels whose straight line is not measured: visible ones, except where foliage counts, which weakens free lines
   too; and indoor ones, where indoor levels are not requested. */
static rcity_walls_visible find_unmeasured(const rcity_shadow_device *tracer, const shadow_block *block)
{
    if (tracer->choice.walls != RCITY_SHADOW_WALLS_METRES) {
        return (rcity_walls_visible){block->lists.visible_dev, false};
    }
    return (rcity_walls_visible){
        tracer->choice.reaches_indoor ? NULL : tracer->corner_device.views.batch->resident[RCITY_LOS_INDOORS], true};
}

/* Decides on the host what the kernels deferred. */
static rcity_status decide(rcity_shadow_device *tracer, shadow_block *block)
{
    RCITY_TRY(rcity_corner_device_decide(&tracer->corner_device, &block->lists));
    if (tracer->roofs != NULL) {
        RCITY_TRY(rcity_roofs_decide_on_device(tracer->roofs, block->roofs_dev));
    }
    if (tracer->walls != NULL) {
        RCITY_TRY(rcity_walls_decide_on_device(tracer->walls, block->walls_dev));
    }
    if (tracer->has_counts) {
        RCITY_TRY(rcity_wall_counts_decide(&tracer->counts, block->counts_dev));
    }
    return rcity_device_finish(tracer->context, tracer->device);
}

static rcity_status trace_block(rcity_shadow_device *tracer, int count, const rcity_grid_point3 *sources,
                                shadow_block *block)
{
    RCITY_TRY(reserve(tracer, count, block));
    memcpy(block->sources, sources, (size_t)count * sizeof *sources);
    block->source_count = count;
    rcity_corner_task task = {run_task, block};
    RCITY_TRY(
        rcity_corner_device_trace(&tracer->corner_device, count, sources, tracer->choice.order, task, &block->lists));
    if (tracer->roofs != NULL && tracer->choice.order == 0) {
        RCITY_TRY(queue_roofs(block, 0, 1));
    }
    if (tracer->walls != NULL) {
        bool has_metres = tracer->choice.walls == RCITY_SHADOW_WALLS_METRES;
        RCITY_TRY(rcity_walls_trace_on_device(tracer->walls, count, block->sources, find_unmeasured(tracer, block),
                                              has_metres, block->walls_dev));
    }
    RCITY_TRY(measure_surroundings(tracer, block));
    RCITY_TRY(fetch(tracer, block));
    RCITY_TRY(rcity_device_finish(tracer->context, tracer->device));
    return decide(tracer, block);
}

/* The smallest spare block with room for that many sources, or a new one. */
static rcity_status take_block(rcity_shadow_device *tracer, int count, shadow_block **block)
{
    shadow_block **best = NULL;
    for (shadow_block **at = &tracer->spare; *at != NULL; at = &(*at)->next) {
        if ((*at)->room >= count && (best == NULL || (*at)->room < (*best)->room)) {
            best = at;
        }
    }
    if (best != NULL) {
        *block = *best;
        *best = (*best)->next;
        tracer->spare_count--;
        return RCITY_OK;
    }
    RCITY_TRY(rcity_alloc(tracer->context, 1, sizeof **block, "paths to receivers", block));
    (*block)->tracer = tracer;
    return RCITY_OK;
}

rcity_status rcity_shadow_device_trace(rcity_shadow_device *tracer, int count, const rcity_grid_point3 *sources,
                                       rcity_shadow_device_paths **traces)
{
    shadow_block *block = NULL;
    RCITY_TRY(take_block(tracer, count, &block));
    rcity_status status = trace_block(tracer, count, sources, block);
    if (status != RCITY_OK) {
        (void)rcity_device_finish(tracer->context, tracer->device); /* pending copies still use this memory */
        release_block(block);
        release_spares(tracer); /* so that the next attempt has all the memory */
        rcity_shadow_device_forget(tracer);
        return status;
    }
    block->live_count = count;
    for (int i = 0; i < count; i++) {
        block->paths[i] = (rcity_shadow_device_paths){block, i};
        traces[i] = &block->paths[i];
    }
    return RCITY_OK;
}

static rcity_weigh_job make_job(const rcity_shadow_device_paths *paths, const rcity_shadow_weights *weights)
{
    const rcity_shadow_device *tracer = paths->block->tracer;
    const rcity_los_plane *plane = tracer->plane;
    rcity_grid_point3 source = paths->block->sources[paths->index];
    rcity_weigh_job job;
    memset(&job, 0, sizeof job);
    job.weights = *weights;
    job.weights.source = paths->block->ends[paths->index];
    if (tracer->choice.built_up != NULL) {
        job.lattice = tracer->choice.built_up->lattice;
    }
    job.source_index = paths->index;
    job.source_x = source.x;
    job.source_y = source.y;
    job.source_z = source.z;
    job.level = plane->level;
    job.column_count = plane->column_count;
    job.row_count = plane->row_count;
    job.row_words = (int32_t)(2 * plane->row_words);
    job.height_first = plane->z != NULL ? plane->column_count + plane->row_count + (int32_t)plane->on_wall_count : 0;
    job.has_roofs = tracer->roofs != NULL && paths->block->has_roofs[paths->index];
    job.has_walls = tracer->walls != NULL;
    job.has_counts = tracer->has_counts;
    job.has_metres = tracer->choice.walls == RCITY_SHADOW_WALLS_METRES;
    job.reaches_indoor = tracer->choice.reaches_indoor;
    job.unit_m = 1.0f / (float)plane->shapes->units_per_m;
    job.height_units_per_m = (float)RCITY_HEIGHT_UNITS_PER_M;
    return job;
}

/* Copies bands that are contiguous in the caller's memory, as they are on the device, at once. */
static rcity_status read_bands(const rcity_shadow_device *tracer, const rcity_shadow_bands *bands)
{
    float *const to[RCITY_WEIGH_BAND_COUNT] = {bands->loss_db, bands->received_dbm, bands->mechanism,
                                               bands->turn_count};
    for (int i = 0, count = 1; i < RCITY_WEIGH_BAND_COUNT; i += count) {
        count = 1;
        while (to[i] != NULL && i + count < RCITY_WEIGH_BAND_COUNT &&
               to[i + count] == to[i] + count * tracer->pixel_count) {
            count++;
        }
        if (to[i] != NULL) {
            RCITY_TRY(rcity_resident_read(tracer->context, tracer->bands_dev[tracer->band_set], i * tracer->pixel_count,
                                          count * tracer->pixel_count, to[i]));
        }
    }
    return RCITY_OK;
}

rcity_status rcity_shadow_device_weigh(const rcity_shadow_device_paths *trace, const rcity_shadow_weights *weights,
                                       const float *pattern, int64_t pattern_count, const rcity_shadow_bands *bands)
{
    const shadow_block *block = trace->block;
    rcity_shadow_device *tracer = block->tracer;
    int set = (tracer->band_set + 1) % BAND_SETS;
    tracer->band_set = set;
    RCITY_TRY(rcity_resident_reserve(tracer->context, tracer->device, pattern_count, sizeof *pattern, "an antenna",
                                     &tracer->pattern_dev[set]));
    RCITY_TRY(rcity_resident_write(tracer->context, tracer->pattern_dev[set], 0, pattern_count, pattern));
    rcity_weigh_job job = make_job(trace, weights);
    rcity_launch launch;
    memset(&launch, 0, sizeof launch);
    launch.kernel = &weigh_kernel;
    launch.job = &job;
    launch.item_count = 32 * tracer->word_count;
    launch.resident[0] = tracer->corner_device.views.batch->resident[RCITY_LOS_PLACES];
    launch.resident[1] = tracer->corner_device.views.batch->resident[RCITY_LOS_INDOORS];
    launch.resident[2] = block->lists.visible_dev;
    launch.resident[3] = block->lists.lists_dev;
    launch.resident[4] = block->lists.entries_dev;
    launch.resident[5] = block->lists.chains_dev;
    launch.resident[6] = block->roofs_dev;
    launch.resident[7] = block->walls_dev;
    launch.resident[8] = block->counts_dev;
    launch.resident[9] = tracer->pattern_dev[set];
    launch.resident[10] = tracer->nodes_dev;
    launch.resident[11] = block->built_dev;
    launch.resident[12] = tracer->bands_dev[set];
    RCITY_TRY(rcity_device_run(tracer->context, tracer->device, &launch));
    return read_bands(tracer, bands);
}

rcity_status rcity_shadow_device_finish(const rcity_shadow_device_paths *trace)
{
    return rcity_device_finish(trace->block->tracer->context, trace->block->tracer->device);
}

const uint64_t *rcity_shadow_device_visible(const rcity_shadow_device_paths *trace)
{
    return trace->block->visible + trace->index * trace->block->tracer->word_count / 2;
}

rcity_shadow_effort rcity_shadow_device_effort(const rcity_shadow_device_paths *trace)
{
    const rcity_corner_lists *lists = &trace->block->lists;
    return (rcity_shadow_effort){lists->efforts[trace->index].raster_count, lists->efforts[trace->index].chain_count,
                                 lists->totals[RCITY_PATH_TOTAL_PATHS_FIRST + trace->index]};
}

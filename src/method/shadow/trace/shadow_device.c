/* Sources on a device, from what they see to levels. Between host and device go: places of views and what they deferred, a few
   kilobytes a round; which corners they see; chains; what the sources see; pixels whose roofs or walls only the host knows; and
   the bands that were asked for. One launch a round for the rasters of sight of all sources, one for corners, then one each for
   lists, roofs and walls; the host waits once a round and once at the end. Levels take a launch each. */
#include "method/shadow/trace/shadow_device.h"

#include <string.h>

#include "embedded/weigh_cl.h"
#include "kernel/shadow/weigh_item.h"
#include "method/shadow/corners/corner_device.h"
#include "method/shadow/roofs/roof_trace.h"
#include "visibility/walls/wall_counts.h"
#include "visibility/walls/wall_raster.h"

/* Blocks that wait to be used again, and bands that levels go to in turn: one is filled while others are copied. */
#define SPARE_MAX 4
#define BAND_SETS 4

/* Sources that were traced together. */
typedef struct shadow_block {
    rcity_shadow_device *stage;
    struct shadow_block *next; /* spare */
    int room, source_count, live_count;
    rcity_shadow_device_paths *paths; /* one a source */
    rcity_grid_point3 *sources;
    bool *has_roofs; /* else no way leads over them */
    uint64_t *visible;
    rcity_corner_lists lists;

    /* Source by source, one a pixel. */
    rcity_resident *roofs_dev; /* rcity_shadow_roof */
    rcity_resident *walls_dev; /* rcity_shadow_wall, or: */
    rcity_resident *counts_dev;
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
    rcity_resident *bands_dev[BAND_SETS], *pattern_dev[BAND_SETS];
    int band_set;
    shadow_block *spare; /* room on a device takes long to get */
    int spare_count;
};

static void run_pixels(const void *job_bytes, void *const *buffers, int64_t begin, int64_t end)
{
    rcity_weigh_job job;
    memcpy(&job, job_bytes, sizeof job);
    rcity_weigh_view view = {buffers[0], buffers[1], buffers[2], buffers[3], buffers[4],
                             buffers[5], buffers[6], buffers[7], buffers[8], buffers[9]};
    rcity_weigh_view_choose(&job, &view);
    for (int64_t i = begin; i < end; i++) {
        rcity_weigh_item(&job, &view, i, buffers[10]);
    }
}

static const rcity_kernel weigh_kernel = {
    .name = "rcity_weigh_pixels",
    .source = rcity_weigh_cl,
    .job_bytes = sizeof(rcity_weigh_job),
    .buffer_count = 11,
    .buffer = {{RCITY_BUFFER_SHARED_IN, sizeof(int32_t)},
               {RCITY_BUFFER_SHARED_IN, sizeof(uint32_t)},
               {RCITY_BUFFER_SHARED_IN, sizeof(uint32_t)},
               {RCITY_BUFFER_SHARED_IN, sizeof(rcity_corner_list)},
               {RCITY_BUFFER_SHARED_IN, sizeof(rcity_corner_list_entry)},
               {RCITY_BUFFER_SHARED_IN, sizeof(rcity_corner_chain)},
               {RCITY_BUFFER_SHARED_IN, sizeof(rcity_shadow_roof)},
               {RCITY_BUFFER_SHARED_IN, sizeof(rcity_shadow_wall)},
               {RCITY_BUFFER_SHARED_IN, sizeof(int32_t)},
               {RCITY_BUFFER_SHARED_IN, sizeof(float)},
               {RCITY_BUFFER_ON_DEVICE, sizeof(float)}},
    .host_run = run_pixels,
};

static rcity_status open_walls(rcity_shadow_device *stage)
{
    if (stage->choice.walls == RCITY_SHADOW_WALLS_METRES || stage->plane->z != NULL) {
        return rcity_walls_open(stage->context, stage->device, stage->plane, &stage->walls);
    }
    RCITY_TRY(rcity_wall_counts_init(stage->context, stage->device, stage->plane, &stage->counts));
    stage->has_counts = true;
    return RCITY_OK;
}

rcity_status rcity_shadow_device_open(rcity_context *context, rcity_device *device, const rcity_los_plane *plane,
                                      const rcity_shadow_choice *choice, rcity_shadow_device **stage)
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
    if (choice->roofs != RCITY_SHADOW_ROOFS_OFF) {
        RCITY_TRY_DONE(rcity_roofs_open(context, device, plane, &made->roofs));
    }
    if (choice->walls != RCITY_SHADOW_WALLS_OFF) {
        RCITY_TRY_DONE(open_walls(made));
    }
    *stage = made;
    made = NULL;
done:
    rcity_shadow_device_close(&made);
    return status;
}

static void release_block(shadow_block *block)
{
    rcity_context *context = block->stage->context;
    rcity_resident_destroy(&block->counts_dev);
    rcity_resident_destroy(&block->walls_dev);
    rcity_resident_destroy(&block->roofs_dev);
    rcity_corner_lists_deinit(&block->lists);
    rcity_release(context, block->visible);
    rcity_release(context, block->has_roofs);
    rcity_release(context, block->sources);
    rcity_release(context, block->paths);
    rcity_release(context, block);
}

static void release_spares(rcity_shadow_device *stage)
{
    while (stage->spare != NULL) {
        shadow_block *block = stage->spare;
        stage->spare = block->next;
        release_block(block);
    }
    stage->spare_count = 0;
}

void rcity_shadow_device_close(rcity_shadow_device **stage)
{
    if (stage == NULL || *stage == NULL) {
        return;
    }
    rcity_shadow_device *old = *stage;
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
    rcity_corner_device_deinit(&old->corner_device);
    rcity_release(old->context, old);
    *stage = NULL;
}

void rcity_shadow_device_paths_destroy(rcity_shadow_device_paths **trace)
{
    if (trace == NULL || *trace == NULL) {
        return;
    }
    shadow_block *block = (*trace)->block;
    rcity_shadow_device *stage = block->stage;
    *trace = NULL;
    if (--block->live_count > 0) {
        return;
    }
    if (stage->spare_count == SPARE_MAX) {
        release_block(block);
        return;
    }
    block->next = stage->spare;
    stage->spare = block;
    stage->spare_count++;
}

void rcity_shadow_device_forget(rcity_shadow_device *stage)
{
    rcity_corner_device_forget(&stage->corner_device);
}

/* What a source takes of the device, but for what its corners see and for entries beyond those that there is room for at
   first. */
static int64_t source_bytes(const rcity_shadow_device *stage)
{
    int64_t pixel_bytes = 0;
    pixel_bytes += stage->roofs != NULL ? (int64_t)(sizeof(rcity_shadow_roof) + sizeof(uint32_t)) : 0;
    pixel_bytes += stage->walls != NULL ? (int64_t)(sizeof(rcity_shadow_wall) + sizeof(uint32_t)) : 0;
    pixel_bytes += stage->has_counts ? (int64_t)(3 * sizeof(uint32_t)) : 0; /* numbers, sheet and open pixels */
    return stage->pixel_count * pixel_bytes + 48 * stage->word_count;
}

int rcity_shadow_device_source_max(const rcity_shadow_device *stage)
{
    const rcity_device_info *info = &stage->corner_device.views.info;
    int64_t most = RCITY_SHADOW_DEVICE_SOURCE_MAX;
    int64_t fitting = (int64_t)(info->memory_bytes / 16) / source_bytes(stage);
    most = fitting < most ? fitting : most;
    fitting = (int64_t)info->buffer_max_bytes / (stage->pixel_count * (int64_t)sizeof(rcity_shadow_roof));
    most = fitting < most ? fitting : most;
    fitting = INT32_MAX / stage->pixel_count; /* pixels are numbered on from source to source */
    most = fitting < most ? fitting : most;
    return most > 1 ? (int)most : 1;
}

/* Room for what will be found. */
static rcity_status reserve(rcity_shadow_device *stage, int count, shadow_block *block)
{
    rcity_context *context = stage->context;
    const char *what = "paths to receivers";
    int64_t pixel_count = count * stage->pixel_count;
    if (block->room == 0) {
        size_t room = (size_t)count;
        RCITY_TRY(rcity_alloc(context, room, sizeof *block->paths, what, &block->paths));
        RCITY_TRY(rcity_alloc(context, room, sizeof *block->sources, what, &block->sources));
        RCITY_TRY(rcity_alloc(context, room, sizeof *block->has_roofs, what, &block->has_roofs));
        RCITY_TRY(
            rcity_alloc(context, room * (size_t)stage->word_count / 2, sizeof *block->visible, what, &block->visible));
        block->room = count;
    }
    RCITY_TRY(rcity_resident_reserve(context, stage->device, stage->roofs != NULL ? pixel_count : 0,
                                     sizeof(rcity_shadow_roof), what, &block->roofs_dev));
    RCITY_TRY(rcity_resident_reserve(context, stage->device, stage->walls != NULL ? pixel_count : 0,
                                     sizeof(rcity_shadow_wall), what, &block->walls_dev));
    return rcity_resident_reserve(context, stage->device, stage->has_counts ? pixel_count : 0, sizeof(int32_t), what,
                                  &block->counts_dev);
}

/* The run of an rcity_corner_task: walls are counted behind the last views, whatever these see. */
static rcity_status count_walls(void *user)
{
    const shadow_block *block = user;
    return rcity_wall_counts_trace(&block->stage->counts, block->source_count, block->sources, block->counts_dev);
}

/* Queue what comes home of a trace. */
static rcity_status fetch(rcity_shadow_device *stage, shadow_block *block)
{
    RCITY_TRY(rcity_corner_device_fetch(&stage->corner_device, &block->lists));
    if (stage->roofs != NULL) {
        RCITY_TRY(rcity_roofs_fetch_from_device(stage->roofs));
    }
    if (stage->walls != NULL) {
        RCITY_TRY(rcity_walls_fetch_from_device(stage->walls));
    }
    if (stage->has_counts) {
        RCITY_TRY(rcity_wall_counts_fetch(&stage->counts));
    }
    return rcity_resident_read(stage->context, block->lists.visible_dev, 0, block->source_count * stage->word_count,
                               block->visible);
}

/* The pixels whose straight line is not looked at: visible ones, but foliage weakens free lines too; those inside, where nothing is
   wanted there. */
static rcity_walls_visible find_unmeasured(const rcity_shadow_device *stage, const shadow_block *block)
{
    if (stage->choice.walls != RCITY_SHADOW_WALLS_METRES) {
        return (rcity_walls_visible){block->lists.visible_dev, false};
    }
    return (rcity_walls_visible){
        stage->choice.reaches_indoor ? NULL : stage->corner_device.views.batch->resident[RCITY_LOS_INDOORS], true};
}

/* What the kernels left to the host. */
static rcity_status decide(rcity_shadow_device *stage, shadow_block *block)
{
    RCITY_TRY(rcity_corner_device_decide(&stage->corner_device, &block->lists));
    if (stage->roofs != NULL) {
        RCITY_TRY(rcity_roofs_decide_on_device(stage->roofs, block->roofs_dev));
    }
    if (stage->walls != NULL) {
        RCITY_TRY(rcity_walls_decide_on_device(stage->walls, block->walls_dev));
    }
    if (stage->has_counts) {
        RCITY_TRY(rcity_wall_counts_decide(&stage->counts, block->counts_dev));
    }
    return rcity_device_finish(stage->context, stage->device);
}

static rcity_status trace_block(rcity_shadow_device *stage, int count, const rcity_grid_point3 *sources,
                                shadow_block *block)
{
    RCITY_TRY(reserve(stage, count, block));
    memcpy(block->sources, sources, (size_t)count * sizeof *sources);
    block->source_count = count;
    rcity_corner_task task = {stage->has_counts ? count_walls : NULL, block};
    RCITY_TRY(
        rcity_corner_device_trace(&stage->corner_device, count, sources, stage->choice.order, task, &block->lists));
    if (stage->roofs != NULL) {
        rcity_roof_mode mode = stage->choice.roofs == RCITY_SHADOW_ROOFS_COUNT ? RCITY_ROOF_COUNT : RCITY_ROOF_EDGES;
        RCITY_TRY(rcity_roofs_trace_on_device(stage->roofs, count, block->sources, mode, block->lists.visible_dev,
                                              block->roofs_dev, block->has_roofs));
    }
    if (stage->walls != NULL) {
        bool has_metres = stage->choice.walls == RCITY_SHADOW_WALLS_METRES;
        RCITY_TRY(rcity_walls_trace_on_device(stage->walls, count, block->sources, find_unmeasured(stage, block),
                                              has_metres, block->walls_dev));
    }
    RCITY_TRY(fetch(stage, block));
    RCITY_TRY(rcity_device_finish(stage->context, stage->device));
    return decide(stage, block);
}

/* A spare block with room for so many sources, the smallest; or a new one. */
static rcity_status take_block(rcity_shadow_device *stage, int count, shadow_block **block)
{
    shadow_block **best = NULL;
    for (shadow_block **at = &stage->spare; *at != NULL; at = &(*at)->next) {
        if ((*at)->room >= count && (best == NULL || (*at)->room < (*best)->room)) {
            best = at;
        }
    }
    if (best != NULL) {
        *block = *best;
        *best = (*best)->next;
        stage->spare_count--;
        return RCITY_OK;
    }
    RCITY_TRY(rcity_alloc(stage->context, 1, sizeof **block, "paths to receivers", block));
    (*block)->stage = stage;
    return RCITY_OK;
}

rcity_status rcity_shadow_device_trace(rcity_shadow_device *stage, int count, const rcity_grid_point3 *sources,
                                       rcity_shadow_device_paths **traces)
{
    shadow_block *block = NULL;
    RCITY_TRY(take_block(stage, count, &block));
    rcity_status status = trace_block(stage, count, sources, block);
    if (status != RCITY_OK) {
        (void)rcity_device_finish(stage->context, stage->device); /* copies under way still use this memory */
        release_block(block);
        release_spares(stage); /* the next try has all the room */
        rcity_shadow_device_forget(stage);
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
    const rcity_shadow_device *stage = paths->block->stage;
    const rcity_los_plane *plane = stage->plane;
    rcity_grid_point3 source = paths->block->sources[paths->index];
    rcity_weigh_job job;
    memset(&job, 0, sizeof job);
    job.weights = *weights;
    job.source_index = paths->index;
    job.source_x = source.x;
    job.source_y = source.y;
    job.source_z = source.z;
    job.level = plane->level;
    job.column_count = plane->column_count;
    job.row_count = plane->row_count;
    job.row_words = (int32_t)(2 * plane->row_words);
    job.height_first = plane->z != NULL ? plane->column_count + plane->row_count + (int32_t)plane->on_wall_count : 0;
    job.has_roofs = stage->roofs != NULL && paths->block->has_roofs[paths->index];
    job.has_walls = stage->walls != NULL;
    job.has_counts = stage->has_counts;
    job.has_metres = stage->choice.walls == RCITY_SHADOW_WALLS_METRES;
    job.reaches_indoor = stage->choice.reaches_indoor;
    job.unit_m = 1.0f / (float)plane->shapes->units_per_m;
    job.height_units_per_m = (float)RCITY_HEIGHT_UNITS_PER_M;
    return job;
}

static rcity_status read_bands(const rcity_shadow_device *stage, const rcity_shadow_bands *bands)
{
    float *const to[RCITY_WEIGH_BAND_COUNT] = {bands->loss_db, bands->received_dbm, bands->mechanism,
                                               bands->turn_count};
    for (int i = 0; i < RCITY_WEIGH_BAND_COUNT; i++) {
        if (to[i] != NULL) {
            RCITY_TRY(rcity_resident_read(stage->context, stage->bands_dev[stage->band_set], i * stage->pixel_count,
                                          stage->pixel_count, to[i]));
        }
    }
    return RCITY_OK;
}

rcity_status rcity_shadow_device_weigh(const rcity_shadow_device_paths *trace, const rcity_shadow_weights *weights,
                                       const float *pattern, int64_t pattern_count, const rcity_shadow_bands *bands)
{
    const shadow_block *block = trace->block;
    rcity_shadow_device *stage = block->stage;
    int set = (stage->band_set + 1) % BAND_SETS;
    stage->band_set = set;
    RCITY_TRY(rcity_resident_reserve(stage->context, stage->device, pattern_count, sizeof *pattern, "an antenna",
                                     &stage->pattern_dev[set]));
    RCITY_TRY(rcity_resident_write(stage->context, stage->pattern_dev[set], 0, pattern_count, pattern));
    rcity_weigh_job job = make_job(trace, weights);
    rcity_launch launch;
    memset(&launch, 0, sizeof launch);
    launch.kernel = &weigh_kernel;
    launch.job = &job;
    launch.item_count = 32 * stage->word_count;
    launch.resident[0] = stage->corner_device.views.batch->resident[RCITY_LOS_PLACES];
    launch.resident[1] = stage->corner_device.views.batch->resident[RCITY_LOS_INDOORS];
    launch.resident[2] = block->lists.visible_dev;
    launch.resident[3] = block->lists.lists_dev;
    launch.resident[4] = block->lists.entries_dev;
    launch.resident[5] = block->lists.chains_dev;
    launch.resident[6] = block->roofs_dev;
    launch.resident[7] = block->walls_dev;
    launch.resident[8] = block->counts_dev;
    launch.resident[9] = stage->pattern_dev[set];
    launch.resident[10] = stage->bands_dev[set];
    RCITY_TRY(rcity_device_run(stage->context, stage->device, &launch));
    return read_bands(stage, bands);
}

rcity_status rcity_shadow_device_finish(const rcity_shadow_device_paths *trace)
{
    return rcity_device_finish(trace->block->stage->context, trace->block->stage->device);
}

const uint64_t *rcity_shadow_device_visible(const rcity_shadow_device_paths *trace)
{
    return trace->block->visible + trace->index * trace->block->stage->word_count / 2;
}

rcity_shadow_effort rcity_shadow_device_effort(const rcity_shadow_device_paths *trace)
{
    const rcity_corner_lists *lists = &trace->block->lists;
    return (rcity_shadow_effort){lists->efforts[trace->index].raster_count, lists->efforts[trace->index].chain_count,
                                 lists->totals[RCITY_PATH_TOTAL_PATHS_FIRST + trace->index]};
}

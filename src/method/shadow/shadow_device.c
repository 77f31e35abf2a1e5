/* A source on a device, from what it sees to levels. Between host and device go: places of views and what they left open, a few
   kilobytes a round; which corners they see; chains; what the source sees; pixels whose roofs or walls only the host knows; and
   the bands that were asked for. One launch a round for rasters of sight, one for corners, then one each for lists, roofs and
   levels; the host waits once a round and once at the end. */
#include "method/shadow/shadow_device.h"

#include <string.h>

#include "embedded/weigh_cl.h"
#include "kernel/shadow/weigh_item.h"
#include "method/shadow/corners/canyon_device.h"
#include "method/shadow/roofs/roof_trace.h"
#include "method/shadow/walls/wall_counts.h"
#include "method/shadow/walls/wall_raster.h"

struct rcity_shadow_device {
    rcity_context *context; /* Borrowed, as the next two. */
    rcity_device *device;
    const rcity_los_plane *plane;
    rcity_shadow_choice choice;
    int64_t pixel_count, word_count; /* words of 32 pixels */
    rcity_canyon_device canyon;
    rcity_roofs *roofs;
    rcity_walls *walls; /* with metres, or over terrain; or: */
    bool has_counts;
    rcity_wall_counts counts;
    rcity_resident *bands_dev, *pattern_dev;
    rcity_shadow_device_ways *spare; /* the last one that was destroyed: room on a device takes long to get */
};

struct rcity_shadow_device_ways {
    rcity_shadow_device *stage;
    rcity_grid_point3 source;
    uint64_t *lit;
    rcity_canyon_lists lists;
    rcity_resident *roofs_dev; /* rcity_shadow_roof */
    rcity_resident *walls_dev; /* rcity_shadow_wall, or: */
    rcity_resident *counts_dev;
    bool has_roofs; /* else no way leads over them */
};

static void run_pixels(const void *job_bytes, void *const *buffers, int64_t begin, int64_t end)
{
    rcity_weigh_job job;
    memcpy(&job, job_bytes, sizeof job);
    rcity_weigh_view view = {buffers[0], buffers[1], buffers[2], buffers[3], buffers[4],
                             buffers[5], buffers[6], buffers[7], buffers[8], buffers[9]};
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
               {RCITY_BUFFER_SHARED_IN, sizeof(rcity_way_list)},
               {RCITY_BUFFER_SHARED_IN, sizeof(rcity_way_entry)},
               {RCITY_BUFFER_SHARED_IN, sizeof(rcity_corner_chain)},
               {RCITY_BUFFER_SHARED_IN, sizeof(rcity_shadow_roof)},
               {RCITY_BUFFER_SHARED_IN, sizeof(rcity_shadow_wall)},
               {RCITY_BUFFER_SHARED_IN, sizeof(int32_t)},
               {RCITY_BUFFER_SHARED_IN, sizeof(float)},
               {RCITY_BUFFER_KEPT, sizeof(float)}},
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
    RCITY_TRY_DONE(rcity_canyon_device_init(context, device, plane, &made->canyon));
    RCITY_TRY_DONE(rcity_resident_create_empty(context, device, RCITY_WEIGH_BAND_COUNT * made->pixel_count,
                                               sizeof(float), "levels", &made->bands_dev));
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

static void release_ways(rcity_shadow_device_ways *ways)
{
    rcity_context *context = ways->stage->context;
    rcity_resident_destroy(&ways->counts_dev);
    rcity_resident_destroy(&ways->walls_dev);
    rcity_resident_destroy(&ways->roofs_dev);
    rcity_canyon_lists_deinit(&ways->lists);
    rcity_release(context, ways->lit);
    rcity_release(context, ways);
}

void rcity_shadow_device_close(rcity_shadow_device **stage)
{
    if (stage == NULL || *stage == NULL) {
        return;
    }
    rcity_shadow_device *old = *stage;
    if (old->spare != NULL) {
        release_ways(old->spare);
    }
    if (old->has_counts) {
        rcity_wall_counts_deinit(&old->counts);
    }
    rcity_walls_close(&old->walls);
    rcity_roofs_close(&old->roofs);
    rcity_resident_destroy(&old->pattern_dev);
    rcity_resident_destroy(&old->bands_dev);
    rcity_canyon_device_deinit(&old->canyon);
    rcity_release(old->context, old);
    *stage = NULL;
}

void rcity_shadow_device_ways_destroy(rcity_shadow_device_ways **trace)
{
    if (trace == NULL || *trace == NULL) {
        return;
    }
    rcity_shadow_device *stage = (*trace)->stage;
    if (stage->spare == NULL) {
        stage->spare = *trace;
    } else {
        release_ways(*trace);
    }
    *trace = NULL;
}

/* Room for what will be found. */
static rcity_status reserve(rcity_shadow_device *stage, rcity_shadow_device_ways *ways)
{
    rcity_context *context = stage->context;
    const char *what = "ways to receivers";
    if (ways->lit == NULL) {
        RCITY_TRY(rcity_alloc(context, (size_t)stage->word_count / 2, sizeof *ways->lit, what, &ways->lit));
    }
    RCITY_TRY(rcity_resident_reserve(context, stage->device, stage->roofs != NULL ? stage->pixel_count : 0,
                                     sizeof(rcity_shadow_roof), what, &ways->roofs_dev));
    RCITY_TRY(rcity_resident_reserve(context, stage->device, stage->walls != NULL ? stage->pixel_count : 0,
                                     sizeof(rcity_shadow_wall), what, &ways->walls_dev));
    return rcity_resident_reserve(context, stage->device, stage->has_counts ? stage->pixel_count : 0, sizeof(int32_t),
                                  what, &ways->counts_dev);
}

/* The run of an rcity_canyon_task: walls are counted behind the last views, whatever these see. */
static rcity_status count_walls(void *user)
{
    const rcity_shadow_device_ways *ways = user;
    return rcity_wall_counts_trace(&ways->stage->counts, ways->source, ways->counts_dev);
}

/* Queue what comes home of a trace. */
static rcity_status fetch(rcity_shadow_device *stage, rcity_shadow_device_ways *ways)
{
    RCITY_TRY(rcity_canyon_device_fetch(&stage->canyon, &ways->lists));
    if (ways->has_roofs) {
        RCITY_TRY(rcity_roofs_fetch_kept(stage->roofs));
    }
    if (stage->walls != NULL) {
        RCITY_TRY(rcity_walls_fetch_kept(stage->walls));
    }
    if (stage->has_counts) {
        RCITY_TRY(rcity_wall_counts_fetch(&stage->counts));
    }
    return rcity_resident_read(stage->context, ways->lists.lit_dev, 0, stage->word_count, ways->lit);
}

/* The pixels whose straight line is not looked at: lit ones, but foliage weakens free lines too; those inside, where nothing is
   wanted there. */
static const rcity_resident *find_unmeasured(const rcity_shadow_device *stage, const rcity_shadow_device_ways *ways)
{
    if (stage->choice.walls != RCITY_SHADOW_WALLS_METRES) {
        return ways->lists.lit_dev;
    }
    return stage->choice.reaches_indoor ? NULL : stage->canyon.views.batch->resident[RCITY_LOS_SEALED];
}

static rcity_status trace_ways(rcity_shadow_device *stage, rcity_shadow_device_ways *ways)
{
    rcity_context *context = stage->context;
    RCITY_TRY(reserve(stage, ways));
    rcity_canyon_task task = {stage->has_counts ? count_walls : NULL, ways};
    RCITY_TRY(rcity_canyon_device_trace(&stage->canyon, ways->source, stage->choice.order, task, &ways->lists));
    ways->has_roofs = false;
    if (stage->roofs != NULL) {
        rcity_roof_mode mode = stage->choice.roofs == RCITY_SHADOW_ROOFS_COUNT ? RCITY_ROOF_COUNT : RCITY_ROOF_STRING;
        RCITY_TRY(rcity_roofs_trace_kept(stage->roofs, ways->source, mode, ways->lists.lit_dev, ways->roofs_dev,
                                         &ways->has_roofs));
    }
    if (stage->walls != NULL) {
        bool has_metres = stage->choice.walls == RCITY_SHADOW_WALLS_METRES;
        RCITY_TRY(rcity_walls_trace_kept(stage->walls, ways->source, find_unmeasured(stage, ways), has_metres,
                                         ways->walls_dev));
    }
    RCITY_TRY(fetch(stage, ways));
    RCITY_TRY(rcity_device_finish(context, stage->device));
    RCITY_TRY(rcity_canyon_device_settle(&stage->canyon, &ways->lists));
    if (ways->has_roofs) {
        RCITY_TRY(rcity_roofs_settle_kept(stage->roofs, ways->roofs_dev));
    }
    if (stage->walls != NULL) {
        RCITY_TRY(rcity_walls_settle_kept(stage->walls, ways->walls_dev));
    }
    if (stage->has_counts) {
        RCITY_TRY(rcity_wall_counts_settle(&stage->counts, ways->counts_dev));
    }
    return rcity_device_finish(context, stage->device);
}

rcity_status rcity_shadow_device_trace(rcity_shadow_device *stage, rcity_grid_point3 source,
                                       rcity_shadow_device_ways **trace)
{
    rcity_shadow_device_ways *made = stage->spare;
    stage->spare = NULL;
    if (made == NULL) {
        RCITY_TRY(rcity_alloc(stage->context, 1, sizeof *made, "ways to receivers", &made));
        made->stage = stage;
    }
    made->source = source;
    rcity_status status = trace_ways(stage, made);
    if (status != RCITY_OK) {
        (void)rcity_device_finish(stage->context, stage->device); /* copies under way still use this memory */
        release_ways(made);
        return status;
    }
    *trace = made;
    return RCITY_OK;
}

static rcity_weigh_job make_job(const rcity_shadow_device_ways *ways, const rcity_shadow_weights *weights)
{
    const rcity_shadow_device *stage = ways->stage;
    const rcity_los_plane *plane = stage->plane;
    rcity_weigh_job job;
    memset(&job, 0, sizeof job);
    job.weights = *weights;
    job.source_x = ways->source.x;
    job.source_y = ways->source.y;
    job.source_z = ways->source.z;
    job.level = plane->level;
    job.column_count = plane->column_count;
    job.row_count = plane->row_count;
    job.row_words = (int32_t)(2 * plane->row_words);
    job.height_first = plane->z != NULL ? plane->column_count + plane->row_count + (int32_t)plane->on_wall_count : 0;
    job.has_roofs = ways->has_roofs;
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
            RCITY_TRY(rcity_resident_read(stage->context, stage->bands_dev, i * stage->pixel_count, stage->pixel_count,
                                          to[i]));
        }
    }
    return RCITY_OK;
}

rcity_status rcity_shadow_device_weigh(const rcity_shadow_device_ways *trace, const rcity_shadow_weights *weights,
                                       const float *pattern, int64_t pattern_count, const rcity_shadow_bands *bands)
{
    rcity_shadow_device *stage = trace->stage;
    RCITY_TRY(rcity_resident_reserve(stage->context, stage->device, pattern_count, sizeof *pattern, "an antenna",
                                     &stage->pattern_dev));
    RCITY_TRY(rcity_resident_write(stage->context, stage->pattern_dev, 0, pattern_count, pattern));
    rcity_weigh_job job = make_job(trace, weights);
    rcity_launch launch;
    memset(&launch, 0, sizeof launch);
    launch.kernel = &weigh_kernel;
    launch.job = &job;
    launch.item_count = 32 * stage->word_count;
    launch.resident[0] = stage->canyon.views.batch->resident[RCITY_LOS_PLACES];
    launch.resident[1] = stage->canyon.views.batch->resident[RCITY_LOS_SEALED];
    launch.resident[2] = trace->lists.lit_dev;
    launch.resident[3] = trace->lists.lists_dev;
    launch.resident[4] = trace->lists.entries_dev;
    launch.resident[5] = trace->lists.chains_dev;
    launch.resident[6] = trace->roofs_dev;
    launch.resident[7] = trace->walls_dev;
    launch.resident[8] = trace->counts_dev;
    launch.resident[9] = stage->pattern_dev;
    launch.resident[10] = stage->bands_dev;
    RCITY_TRY(rcity_device_run(stage->context, stage->device, &launch));
    RCITY_TRY(read_bands(stage, bands));
    return rcity_device_finish(stage->context, stage->device);
}

const uint64_t *rcity_shadow_device_lit(const rcity_shadow_device_ways *trace)
{
    return trace->lit;
}

rcity_shadow_effort rcity_shadow_device_effort(const rcity_shadow_device_ways *trace)
{
    return (rcity_shadow_effort){trace->lists.raster_count, trace->lists.chain_count,
                                 trace->lists.totals[RCITY_WAY_TOTAL_WAYS]};
}

/* Benchmark los: line of sight from sources in streets to a raster of receivers, many rasters in one batch, compared
   with a test of each pixel.

   Lower limit of a raster on a device. Output: one bit for each pixel, 43 kB for Munich at 5 m; 100,000 rasters a
   second are 4.3 GB/s, far below the write rate of GPUs, not far below the rate of copies to the host. Input: 20 bytes
   for each wall, twice, from the cache: 0.7 MB for Munich's 17,000 walls, about 150 operations each: 2.6 million. Then
   its 330,000 pixels, about 20 operations each unless a whole word of them is hidden: up to 6.5 million. Then the rows
   of shadows, about 100 operations each and the words they clear, a thousand rows from a street, six thousand from
   above: under a million. A GPU with 132 units of 128 lanes at 1.7 GHz makes 2.9e13 operations a second: with all lanes
   busy, 3 to 10 million rasters. So copying and waiting limit the rate, not computing. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/parallel.h"
#include "base/uniform.h"
#include "bench/bench_scene.h"
#include "scene/place/terrain.h"
#include "visibility/los/los_batch.h"
#include "visibility/los/los_raster.h"

#define SOURCE_COUNT      256
#define STREET_M          13.0 /* above ground */
#define HIGH_M            40.0
#define CELL_M            5.0
#define RECEIVER_M        1.5
#define FIRST_RANDOM      ((uint64_t)1 << 32) /* seed 1 */
#define SKY               ((int32_t)1200000)  /* height units; above everything */
#define GPU_REPEAT        16                  /* a GPU gets the sources this many times, to be fully used */
#define MASKS_MAX_BYTES   ((size_t)512 << 20) /* limit of the repeated sources */
#define PLAIN_PIXEL_COUNT 3000000.0           /* tested one by one for the yardstick */
#define PLAIN_SOURCE_MAX  8

/* The data of one case. */
typedef struct los_stage {
    rcity_context *context;
    rcity_scene *scene;
    rcity_sight *sight;
    rcity_los_plane plane;
    rcity_device *device;
    rcity_device_info device_info;
    rcity_los_batch *batch;
    int64_t count; /* SOURCE_COUNT, or a multiple of it */
    rcity_grid_point3 *sources;
    size_t mask_words;
    uint64_t *masks;
    int plain_count;
    uint64_t *plain_masks;
    double plain_s;
    rcity_bench_times whole, kernel;
    rcity_los_effort effort; /* of one run */
} los_stage;

/* Height of a case's sources and cell size of its raster: "street", "high", "street-1m". */
static void read_case(const rcity_bench_info *info, double *height_m, double *cell_m)
{
    *height_m = strncmp(info->item, "high", 4) == 0 ? HIGH_M : STREET_M;
    const char *dash = strchr(info->item, '-');
    int cell = 0;
    *cell_m = dash != NULL && sscanf(dash, "-%dm", &cell) == 1 ? (double)cell : CELL_M;
}

/* Random places outside buildings. */
static void place_sources(los_stage *stage, double height_m)
{
    const rcity_shapes *shapes = stage->plane.shapes;
    uint64_t next = FIRST_RANDOM;
    for (int64_t i = 0; i < SOURCE_COUNT; next += 2) {
        int32_t x = (int32_t)lround(shapes->x_min + rcity_uniform(next) * ((double)shapes->x_max - shapes->x_min));
        int32_t y = (int32_t)lround(shapes->y_min + rcity_uniform(next + 1) * ((double)shapes->y_max - shapes->y_min));
        double ground = rcity_terrain_height(&shapes->terrain, x, y);
        rcity_grid_point3 foot = {x, y, (int32_t)ceil(ground)};
        if (rcity_sight_is_free(stage->sight, foot, (rcity_grid_point3){x, y, SKY})) {
            stage->sources[i++] =
                (rcity_grid_point3){x, y, (int32_t)ceil(ground + height_m * RCITY_HEIGHT_UNITS_PER_M)};
        }
    }
    for (int64_t i = SOURCE_COUNT; i < stage->count; i++) {
        stage->sources[i] = stage->sources[i - SOURCE_COUNT];
    }
}

static void stage_deinit(los_stage *stage)
{
    rcity_context *context = stage->context;
    rcity_release(context, stage->plain_masks);
    rcity_release(context, stage->masks);
    rcity_release(context, stage->sources);
    rcity_los_batch_close(&stage->batch);
    rcity_device_close(&stage->device);
    rcity_los_plane_deinit(context, &stage->plane);
    rcity_sight_destroy(context, &stage->sight);
    rcity_scene_destroy(&stage->scene);
}

static rcity_status stage_init(const rcity_bench_run_data *run, const rcity_bench_info *info, los_stage *stage)
{
    rcity_context *context = run->context;
    double height_m, cell_m;
    read_case(info, &height_m, &cell_m);
    RCITY_TRY(rcity_bench_open_munich_or_core(run, info, &stage->scene));
    const rcity_shapes *shapes = rcity_scene_shapes(stage->scene);
    rcity_receivers receivers = rcity_receivers_default();
    receivers.cell_m = cell_m;
    rcity_raster raster;
    RCITY_TRY(rcity_receivers_get_raster(context, stage->scene, &receivers, &raster));
    RCITY_TRY(rcity_sight_create(context, shapes, &stage->sight));
    RCITY_TRY(rcity_los_plane_init(context, shapes, stage->sight, &raster, RECEIVER_M, &stage->plane));
    RCITY_TRY(rcity_device_open(context, run->options->device, &stage->device));
    rcity_device_describe(stage->device, &stage->device_info);
    RCITY_TRY(rcity_los_batch_open(context, stage->device, &stage->plane, &stage->batch));
    stage->mask_words = stage->plane.row_words * (size_t)stage->plane.row_count;
    size_t mask_bytes = stage->mask_words * sizeof *stage->masks;
    size_t repeat = strcmp(stage->device_info.kind, "gpu") == 0 ? MASKS_MAX_BYTES / (SOURCE_COUNT * mask_bytes) : 1;
    repeat = repeat < 1 ? 1 : repeat < GPU_REPEAT ? repeat : GPU_REPEAT;
    stage->count = (int64_t)repeat * SOURCE_COUNT;
    double pixel_count = (double)stage->plane.column_count * stage->plane.row_count;
    stage->plain_count = (int)fmin(fmax(PLAIN_PIXEL_COUNT / pixel_count, 1.0), PLAIN_SOURCE_MAX);
    RCITY_TRY(rcity_alloc(context, (size_t)stage->count, sizeof *stage->sources, "sources", &stage->sources));
    RCITY_TRY(rcity_alloc(context, (size_t)stage->count, mask_bytes, "rasters of sight", &stage->masks));
    RCITY_TRY(rcity_alloc(context, (size_t)stage->plain_count, mask_bytes, "rasters of sight", &stage->plain_masks));
    place_sources(stage, height_m);
    return RCITY_OK;
}

/* An rcity_parallel_function: the yardstick, one pixel after the other. */
static void trace_plainly(void *user, int64_t begin, int64_t end, int thread_index)
{
    los_stage *stage = user;
    (void)thread_index;
    for (int64_t i = begin; i < end; i++) {
        rcity_los_trace_plainly(&stage->plane, stage->sources[i], stage->plain_masks + (size_t)i * stage->mask_words);
    }
}

static rcity_status measure(const rcity_bench_run_data *run, los_stage *stage)
{
    double start_s = rcity_clock_s();
    rcity_parallel(run->context, stage->plain_count, 1, trace_plainly, stage);
    stage->plain_s = rcity_clock_s() - start_s;
    RCITY_TRY(rcity_los_batch_trace(stage->batch, stage->count, stage->sources, stage->masks)); /* builds kernels */
    stage->effort = rcity_los_batch_get_effort(stage->batch);
    for (int i = 0; i < run->options->repeat_count; i++) {
        rcity_device_times before;
        rcity_device_times after;
        rcity_device_get_times(stage->device, &before);
        start_s = rcity_clock_s();
        RCITY_TRY(rcity_los_batch_trace(stage->batch, stage->count, stage->sources, stage->masks));
        rcity_bench_times_add(&stage->whole, rcity_clock_s() - start_s);
        rcity_device_get_times(stage->device, &after);
        rcity_bench_times_add(&stage->kernel, after.kernel_s - before.kernel_s);
    }
    return RCITY_OK;
}

static void describe(const los_stage *stage, const rcity_bench_times *times, char *note, size_t note_bytes)
{
    const rcity_los_plane *plane = &stage->plane;
    const rcity_los_effort *effort = &stage->effort;
    int64_t visible = 0;
    int same_count = 0;
    for (size_t i = 0; i < stage->mask_words * SOURCE_COUNT; i++) {
        for (uint64_t bits = stage->masks[i]; bits != 0; bits &= bits - 1) {
            visible++;
        }
    }
    for (int i = 0; i < stage->plain_count; i++) {
        size_t first = (size_t)i * stage->mask_words;
        same_count +=
            memcmp(stage->masks + first, stage->plain_masks + first, stage->mask_words * sizeof *stage->masks) == 0;
    }
    double mask_bytes = (double)(stage->mask_words * sizeof *stage->masks);
    int used =
        snprintf(note, note_bytes,
                 "%lld rasters of %d x %d pixels, %.2f %% visible, %d walls; %d of %d equal to asking each pixel; a "
                 "raster: %.0f bytes out, %.3g GB/s",
                 (long long)stage->count, plane->column_count, plane->row_count,
                 100.0 * (double)visible / SOURCE_COUNT / ((double)plane->column_count * plane->row_count),
                 plane->wall_count, same_count, stage->plain_count, mask_bytes,
                 1e-9 * mask_bytes * (double)stage->count / rcity_bench_times_best(times));
    if (effort->source_count > 0) {
        double each = 1.0 / (double)effort->source_count;
        snprintf(
            note + used, note_bytes - (size_t)used,
            ", %d strips, %.0f shadows drawn in %.0f rows, %.0f of these in exact numbers, %.1f pixels asked; %lld "
            "rasters done by the host",
            effort->strip_count, each * (double)effort->wall_count, each * (double)effort->span_count,
            each * (double)effort->near_count, each * (double)effort->asked_count, (long long)effort->retraced_count);
    }
}

static void report(const rcity_bench_run_data *run, const rcity_bench_info *info, const los_stage *stage,
                   const char *unit, const rcity_bench_times *times)
{
    char note[500];
    describe(stage, times, note, sizeof note);
    rcity_bench_result result;
    memset(&result, 0, sizeof result);
    result.name = info->name;
    result.item = info->item;
    result.device = stage->device_info.id;
    result.scene = rcity_scene_source(stage->scene);
    result.thread_count = rcity_context_thread_count(run->context);
    result.best_s = rcity_bench_times_best(times);
    result.median_s = rcity_bench_times_median(times);
    result.value = (double)stage->count / result.best_s;
    result.unit = unit;
    result.yardstick = "each pixel asked";
    result.yardstick_value = (double)stage->plain_count / stage->plain_s;
    result.ratio = result.value / result.yardstick_value;
    result.note = note;
    run->report(run->user, &result);
}

rcity_status rcity_bench_los(const rcity_bench_run_data *run, const rcity_bench_info *info)
{
    los_stage stage;
    memset(&stage, 0, sizeof stage);
    stage.context = run->context;
    rcity_status status;
    RCITY_TRY_DONE(stage_init(run, info, &stage));
    RCITY_TRY_DONE(measure(run, &stage));
    report(run, info, &stage, "rasters/s", &stage.whole);
    if (strcmp(stage.device_info.kind, "host") != 0) { /* without the copy to the host */
        report(run, info, &stage, "rasters/s kernel", &stage.kernel);
    }
done:
    stage_deinit(&stage);
    return status;
}

/* The method `tiles`: what a transmitter sees, and the field on all tiles of a city, with the effort that it took. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/bench_scene.h"
#include "method/method.h"
#include "method/tiles/tiles.h"
#include "method/tiles/tiles_run.h"

#define FREQUENCY_HZ   850e6
#define TX_HEIGHT_M    10.0
#define RECEIVER_COUNT 100
#define RX_HEIGHT_M    1.5
#define RANGE_M        250.0
#define KERNEL_MAX     64
#define REPEAT_MAX_S   10.0 /* a case that takes longer runs once */

/* A case: the city, the options, by the name of the item. */
typedef struct tiles_case {
    const char *item;
    double area_km2;
    const char *max_bounces, *max_reflections, *max_diffractions;
} tiles_case;

static const tiles_case tiles_cases[] = {
    {"20km2-3", 20.0, "3", "3", "1"},     {"20km2-5", 20.0, "5", "5", "2"},     {"2km2-3", 2.0, "3", "3", "1"},
    {"2km2-5", 2.0, "5", "5", "2"},       {"union-1", 0.5, "1", "3", "1"},      {"union-2", 0.5, "2", "3", "1"},
    {"union-3", 0.5, "3", "3", "1"},      {"union5100-1", 0.23, "1", "3", "1"}, {"union5100-2", 0.23, "2", "3", "1"},
    {"union5100-3", 0.23, "3", "3", "1"}, {"20km2", 20.0, "1", "0", "0"},       {"2km2", 2.0, "1", "0", "0"},
};

/* A city, a transmitter, receivers, and the method's stages before evaluation. */
typedef struct tiles_stage {
    rcity_context *context;
    rcity_scene *scene;
    rcity_device *device;
    rcity_device_info device_info;
    rcity_request request;
    const char *option_name[4], *option_value[4];
    double xyh_m[3 * RECEIVER_COUNT];
    rcity_tx tx;
    rcity_job job;
    void *prepared, *workspace, *trace;
    double prepare_s;
} tiles_stage;

static void stage_deinit(tiles_stage *stage)
{
    const rcity_method *method = &rcity_tiles_method;
    method->release_trace(stage->context, stage->trace);
    method->close_workspace(stage->context, stage->workspace);
    method->release_prepared(stage->context, stage->prepared);
    rcity_device_close(&stage->device);
    rcity_scene_destroy(&stage->scene);
}

static rcity_status place_ends(tiles_stage *stage)
{
    uint64_t next = 1000;
    rcity_transmitter *transmitter = &stage->tx.stated;
    *transmitter = rcity_transmitter_default();
    transmitter->frequency_hz = FREQUENCY_HZ;
    transmitter->height_m = TX_HEIGHT_M;
    RCITY_TRY(
        rcity_bench_find_open_place(stage->context, stage->scene, 50.0, &next, &transmitter->x_m, &transmitter->y_m));
    for (int i = 0; i < RECEIVER_COUNT; i++) {
        RCITY_TRY(rcity_bench_find_open_place(stage->context, stage->scene, RANGE_M, &next, &stage->xyh_m[3 * i],
                                              &stage->xyh_m[3 * i + 1]));
        stage->xyh_m[3 * i + 2] = RX_HEIGHT_M;
    }
    return rcity_transmitter_locate(stage->context, stage->scene, transmitter, &stage->tx.position);
}

static rcity_status open_job(tiles_stage *stage, const tiles_case *made)
{
    const char *const names[] = {"max-bounces", "max-reflections", "max-diffractions"};
    const char *const values[] = {made->max_bounces, made->max_reflections, made->max_diffractions};
    rcity_job *job = &stage->job;
    stage->request = rcity_request_default();
    stage->request.receivers.point_count = RECEIVER_COUNT;
    stage->request.receivers.xyh_m = stage->xyh_m;
    job->context = stage->context;
    job->scene = stage->scene;
    job->shapes = rcity_scene_shapes(stage->scene);
    job->device = stage->device;
    job->receivers = &stage->request.receivers;
    job->method = &rcity_tiles_method;
    return rcity_method_read_options(job, 3, names, values);
}

/* With the matrix, or what first-level visibility needs. */
static rcity_status stage_init(const rcity_bench_run_data *run, const tiles_case *made, bool has_matrix,
                               tiles_stage *stage)
{
    double start_s = rcity_clock_s();
    stage->context = run->context;
    RCITY_TRY(rcity_bench_open_towers(run, made->area_km2, &stage->scene));
    RCITY_TRY(rcity_device_open(run->context, run->options->device, &stage->device));
    rcity_device_describe(stage->device, &stage->device_info);
    RCITY_TRY(place_ends(stage));
    RCITY_TRY(open_job(stage, made));
    if (has_matrix) {
        RCITY_TRY(rcity_tiles_prepare(&stage->job, &stage->prepared));
    } else {
        rcity_tiles_prepared *prepared = NULL;
        RCITY_TRY(rcity_tiles_prepare_first(&stage->job, &prepared));
        stage->prepared = prepared;
    }
    stage->prepare_s = rcity_clock_s() - start_s;
    return rcity_tiles_open_workspace(&stage->job, stage->prepared, &stage->workspace);
}

static rcity_status run_once(tiles_stage *stage, rcity_tiles_effort *effort, double *seconds)
{
    rcity_tiles_run run;
    rcity_status status;
    double start_s = rcity_clock_s();
    RCITY_TRY(rcity_tiles_run_init(&stage->job, stage->trace, &stage->tx, false, true, &run));
    RCITY_TRY_DONE(rcity_tiles_run_all(&run));
    *effort = run.effort;
    *seconds = rcity_clock_s() - start_s;
done:
    rcity_tiles_run_deinit(&run);
    return status;
}

/* The kernels of the last run, the longest first to be looked at: appended to a note. */
static void list_kernels(const tiles_stage *stage, const rcity_kernel_times *before, int before_count, char *note,
                         size_t note_bytes)
{
    rcity_kernel_times times[KERNEL_MAX];
    int count = rcity_device_get_kernel_times(stage->device, KERNEL_MAX, times);
    size_t used = strlen(note);
    for (int i = 0; i < count && i < KERNEL_MAX && used < note_bytes; i++) {
        bool is_known = i < before_count;
        double seconds = times[i].seconds - (is_known ? before[i].seconds : 0.0);
        int64_t launches = times[i].launch_count - (is_known ? before[i].launch_count : 0);
        if (launches > 0) {
            int written = snprintf(note + used, note_bytes - used, "; %s %.4g s in %lld", times[i].name, seconds,
                                   (long long)launches);
            used += written > 0 ? (size_t)written : 0;
        }
    }
}

/* Operations that the work takes at least: four comparisons of a test, the field of a ray. */
#define TEST_OPERATIONS 4.0
#define RAY_OPERATIONS  1000.0

/* What was done in the last run. */
static void describe(const tiles_stage *stage, const rcity_tiles_effort *effort, char *note, size_t note_bytes)
{
    const rcity_tiles_prepared *prepared = stage->prepared;
    const rcity_tiles_traced *traced = stage->trace;
    double tiles = (double)prepared->tiling.tile_count;
    snprintf(note, note_bytes,
             "%.0f tiles, %lld edges, %.1f neighbours; %d tiles and %d edges seen in %.3g s; %.4g rays, %.4g "
             "scattered, %.4g tests, at least %.3g operations and %.3g bytes of the matrix; %.3g s bouncing, %.3g s "
             "over roofs, %.3g s scattering, %.3g s with %.4g paths of scattered power over roofs; prepared in %.3g s",
             tiles, (long long)prepared->tiling.edge_count, (double)prepared->matrix->entry_count / tiles,
             traced->tile_count, traced->edge_count, traced->seconds, (double)effort->ray_count,
             (double)effort->scattered_count, (double)effort->test_count,
             TEST_OPERATIONS * (double)effort->test_count +
                 RAY_OPERATIONS * (double)(effort->ray_count + effort->scattered_count),
             (double)prepared->matrix->byte_count, effort->bounce_s, effort->over_s, effort->scatter_s, effort->sent_s,
             (double)effort->sent_count, stage->prepare_s);
}

static const tiles_case *find_case(const rcity_bench_info *info)
{
    const tiles_case *made = tiles_cases;
    while (strcmp(made->item, info->item) != 0) {
        made++;
    }
    return made;
}

static void report(const rcity_bench_run_data *run, const rcity_bench_info *info, const tiles_stage *stage,
                   const rcity_bench_times *times, double million_items, const char *unit, const char *note)
{
    rcity_bench_result result = {
        .name = info->name,
        .item = info->item,
        .device = stage->device_info.id,
        .scene = rcity_scene_source(stage->scene),
        .thread_count = rcity_context_thread_count(run->context),
        .value = million_items / rcity_bench_times_best(times),
        .unit = unit,
        .best_s = rcity_bench_times_best(times),
        .median_s = rcity_bench_times_median(times),
        .yardstick = NULL,
        .yardstick_value = (double)NAN,
        .ratio = (double)NAN,
        .note = note,
    };
    run->report(run->user, &result);
}

rcity_status rcity_bench_tiles(const rcity_bench_run_data *run, const rcity_bench_info *info)
{
    tiles_stage stage;
    memset(&stage, 0, sizeof stage);
    rcity_bench_times times = {{0.0}, 0};
    rcity_tiles_effort effort;
    memset(&effort, 0, sizeof effort);
    rcity_kernel_times before[KERNEL_MAX];
    int before_count = 0;
    char note[2000];
    rcity_status status;
    RCITY_TRY_DONE(stage_init(run, find_case(info), true, &stage));
    RCITY_TRY_DONE(rcity_tiles_trace(&stage.job, stage.prepared, stage.workspace, 1, &stage.tx, &stage.trace));
    for (int i = 0; i < run->options->repeat_count && (i < 2 || times.seconds[1] < REPEAT_MAX_S); i++) {
        double seconds = 0.0;
        before_count = rcity_device_get_kernel_times(stage.device, KERNEL_MAX, before);
        RCITY_TRY_DONE(run_once(&stage, &effort, &seconds));
        rcity_bench_times_add(&times, seconds);
    }
    describe(&stage, &effort, note, sizeof note);
    list_kernels(&stage, before, before_count, note, sizeof note);
    report(run, info, &stage, &times, 1e-6 * (double)(effort.ray_count + effort.scattered_count), "Mrays/s", note);
done:
    stage_deinit(&stage);
    return status;
}

/* What a test of a tile takes at least: its place and its front are read, and held against each other. */
#define FIRST_BYTES      (double)(sizeof(rcity_tile_place) + sizeof(rcity_tile_front))
#define FIRST_OPERATIONS 7.0

rcity_status rcity_bench_first_level(const rcity_bench_run_data *run, const rcity_bench_info *info)
{
    tiles_stage stage;
    memset(&stage, 0, sizeof stage);
    rcity_bench_times times = {{0.0}, 0};
    rcity_device_times before;
    rcity_device_times after;
    char note[400];
    rcity_status status;
    RCITY_TRY_DONE(stage_init(run, find_case(info), false, &stage));
    const rcity_tiles_prepared *prepared = stage.prepared;
    for (int i = 0; i < run->options->repeat_count; i++) {
        rcity_tiles_release_trace(run->context, stage.trace);
        stage.trace = NULL;
        rcity_device_get_times(stage.device, &before);
        double start_s = rcity_clock_s();
        RCITY_TRY_DONE(rcity_tiles_trace(&stage.job, prepared, stage.workspace, 1, &stage.tx, &stage.trace));
        rcity_bench_times_add(&times, rcity_clock_s() - start_s);
    }
    rcity_device_get_times(stage.device, &after);
    const rcity_tiles_traced *traced = stage.trace;
    double tiles = (double)prepared->tiling.tile_count;
    snprintf(note, sizeof note,
             "%.0f tiles, %d of them and %d edges seen; at least %.3g bytes and %.3g operations; %lld launches, copied "
             "%.4g bytes to the device, %.4g back; prepared in %.3g s",
             tiles, traced->tile_count, traced->edge_count, FIRST_BYTES * tiles, FIRST_OPERATIONS * tiles,
             (long long)(after.launch_count - before.launch_count), (double)(after.upload_bytes - before.upload_bytes),
             (double)(after.download_bytes - before.download_bytes), stage.prepare_s);
    report(run, info, &stage, &times, 1e-6 * tiles, "Mtiles/s", note);
done:
    stage_deinit(&stage);
    return status;
}

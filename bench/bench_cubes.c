/* The method `cubes`: rays launched from a transmitter, and the map made of their paths. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bench/bench_scene.h"
#include "method/cubes/cubes.h"
#include "method/cubes/cubes_trace.h"
#include "method/method.h"
#include "result/map_data.h"
#include "scene/place/cover.h"
#include "scene/scene_data.h"

#define TX_HEIGHT_M  10.0
#define FREQUENCY_HZ 2.1e9
#define RX_HEIGHT_M  1.5
#define CELL_M       5.0
#define REPEAT_MAX_S 10.0 /* a case that takes longer runs once */

/* A case by the name of its item: a made European centre; with the methods' defaults, or the launched rays alone. */
typedef struct cubes_case {
    const char *item;
    double area_km2;
    const char *edge_m;
    bool has_levels;
} cubes_case;

static const cubes_case cubes_cases[] = {
    {"7km2", 7.0, "5", false}, {"7km2-levels", 7.0, "5", true}, {"7km2-2m", 7.0, "2", false},
    {"2km2", 2.0, "5", false}, {"20km2", 20.0, "5", false},
};

typedef struct cubes_stage {
    rcity_context *context;
    rcity_scene *scene;
    rcity_device *device;
    rcity_device_info device_info;
    rcity_request request;
    rcity_tx tx;
    rcity_job job;
    float *roof_m;
    void *prepared;
    double prepare_s, trace_s;
    int64_t ray_count, source_count;
} cubes_stage;

static const cubes_case *find_case(const rcity_bench_info *info)
{
    const cubes_case *made = cubes_cases;
    while (strcmp(made->item, info->item) != 0) {
        made++;
    }
    return made;
}

static rcity_status open_job(cubes_stage *stage, const cubes_case *made)
{
    static const double height_m = RX_HEIGHT_M;
    static const char *const names[] = {"cube-edge-m", "over-roofs", "surroundings"};
    const char *word = made->has_levels ? "on" : "off";
    const char *const values[] = {made->edge_m, word, word};
    rcity_job *job = &stage->job;
    stage->request = rcity_request_default();
    stage->request.receivers.height_count = 1;
    stage->request.receivers.height_m = &height_m;
    job->context = stage->context;
    job->device = stage->device;
    job->scene = stage->scene;
    job->shapes = rcity_scene_shapes(stage->scene);
    job->receivers = &stage->request.receivers;
    job->method = &rcity_cubes_method;
    job->is_quiet = true;
    const rcity_shapes *shapes = job->shapes;
    double unit_m = 1.0 / shapes->units_per_m;
    job->raster.cell_m = CELL_M;
    job->raster.west_m = shapes->origin_x_m + shapes->x_min * unit_m;
    job->raster.north_m = shapes->origin_y_m + shapes->y_max * unit_m;
    job->raster.column_count = (int64_t)ceil(((double)shapes->x_max - shapes->x_min) * unit_m / CELL_M);
    job->raster.row_count = (int64_t)ceil(((double)shapes->y_max - shapes->y_min) * unit_m / CELL_M);
    size_t cells = (size_t)(job->raster.column_count * job->raster.row_count);
    RCITY_TRY(rcity_alloc(stage->context, cells, sizeof *stage->roof_m, "roofs", &stage->roof_m));
    RCITY_TRY(rcity_raster_cover(stage->context, job->shapes, &job->raster, stage->roof_m));
    job->roof_m = stage->roof_m;
    RCITY_TRY(rcity_method_read_options(job, (int)(sizeof names / sizeof names[0]), names, values));
    double start_s = rcity_clock_s();
    RCITY_TRY(job->method->prepare(job, &stage->prepared));
    stage->prepare_s = rcity_clock_s() - start_s;
    return RCITY_OK;
}

static rcity_status stage_init(const rcity_bench_run_data *run, const cubes_case *made, cubes_stage *stage)
{
    uint64_t next = 1000;
    rcity_transmitter *transmitter = &stage->tx.stated;
    stage->context = run->context;
    RCITY_TRY(rcity_bench_open_core(run, made->area_km2, &stage->scene));
    RCITY_TRY(rcity_device_open(run->context, run->options->device, &stage->device));
    rcity_device_describe(stage->device, &stage->device_info);
    *transmitter = rcity_transmitter_default();
    transmitter->frequency_hz = FREQUENCY_HZ;
    transmitter->height_m = TX_HEIGHT_M;
    RCITY_TRY(
        rcity_bench_find_open_place(stage->context, stage->scene, 50.0, &next, &transmitter->x_m, &transmitter->y_m));
    RCITY_TRY(rcity_transmitter_locate(stage->context, stage->scene, transmitter, &stage->tx.position));
    return open_job(stage, made);
}

static void stage_deinit(cubes_stage *stage)
{
    rcity_cubes_method.release_prepared(stage->context, stage->prepared);
    rcity_release(stage->context, stage->roof_m);
    rcity_device_close(&stage->device);
    rcity_scene_destroy(&stage->scene);
}

/* One run: the rays, then all bands of the map. */
static rcity_status run_once(cubes_stage *stage, double *seconds)
{
    const rcity_method *method = &rcity_cubes_method;
    void *trace = NULL;
    rcity_map *map = NULL;
    rcity_status status;
    double start_s = rcity_clock_s();
    RCITY_TRY_DONE(method->trace(&stage->job, stage->prepared, NULL, 1, &stage->tx, &trace));
    stage->trace_s = rcity_clock_s() - start_s;
    RCITY_TRY_DONE(rcity_map_create(stage->context, &stage->job.raster, NULL, &map));
    RCITY_TRY_DONE(method->evaluate_raster(&stage->job, stage->prepared, trace, &stage->tx, map));
    *seconds = rcity_clock_s() - start_s;
    const rcity_cubes_traced *traced = trace;
    stage->ray_count = traced->ray_count;
    stage->source_count = traced->source_count;
done:
    rcity_map_destroy(&map);
    method->release_trace(stage->context, trace);
    return status;
}

rcity_status rcity_bench_cubes(const rcity_bench_run_data *run, const rcity_bench_info *info)
{
    rcity_bench_times times = {.count = 0};
    cubes_stage stage;
    char note[256];
    rcity_status status;
    double best_trace_s = HUGE_VAL;
    memset(&stage, 0, sizeof stage);
    RCITY_TRY_DONE(stage_init(run, find_case(info), &stage));
    for (int i = 0; i < run->options->repeat_count; i++) {
        double seconds;
        RCITY_TRY_DONE(run_once(&stage, &seconds));
        rcity_bench_times_add(&times, seconds);
        best_trace_s = fmin(best_trace_s, stage.trace_s);
        if (seconds > REPEAT_MAX_S) {
            break;
        }
    }
    snprintf(note, sizeof note, "%lld rays from %lld sources; tracing %.3g s, preparing the scene once %.3g s",
             (long long)stage.ray_count, (long long)stage.source_count, best_trace_s, stage.prepare_s);
    rcity_bench_result result = {
        .name = info->name,
        .item = info->item,
        .device = stage.device_info.id,
        .scene = rcity_scene_source(stage.scene),
        .thread_count = rcity_context_thread_count(run->context),
        .value = 1e-6 * (double)stage.ray_count / rcity_bench_times_best(&times),
        .unit = "Mrays/s",
        .best_s = rcity_bench_times_best(&times),
        .median_s = rcity_bench_times_median(&times),
        .yardstick = NULL,
        .yardstick_value = (double)NAN,
        .ratio = (double)NAN,
        .note = note,
    };
    run->report(run->user, &result);
done:
    stage_deinit(&stage);
    return status;
}

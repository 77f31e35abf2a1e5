/* The method `beams`: the beams of a transmitter, then levels and histograms of delays in one pass, and where the time
   goes. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/stages.h"
#include "bench/bench_scene.h"
#include "method/beams/beams.h"
#include "method/beams/beams_trace.h"
#include "method/method.h"
#include "result/delays_data.h"
#include "result/map_data.h"
#include "scene/place/cover.h"
#include "scene/scene_data.h"

/* The transmitter of the classic measurements in Munich; in made cities a place near the middle. */
#define MUNICH_X_M   1281.36
#define MUNICH_Y_M   1381.27
#define TX_HEIGHT_M  13.0
#define FREQUENCY_HZ 947e6
#define RX_HEIGHT_M  1.5
#define CELL_M       5.0
#define BIN_S        2e-8
#define REPEAT_MAX_S 10.0 /* a case that takes longer runs once */

/* A case by the name of its item: Munich, or a made European centre of so many square kilometres. The paper has
   reflections at walls and diffractions at vertical edges; the method's defaults have paths over roofs, the ground and the
   mean of the surroundings too. */
typedef struct beams_case {
    const char *item;
    double area_km2; /* 0: Munich */
    const char *max_reflections, *max_diffractions;
    bool has_levels; /* the method's defaults, not the paper's work */
} beams_case;

static const beams_case beams_cases[] = {
    {"munich-1r1d", 0.0, "1", "1", false},       {"munich-2r1d", 0.0, "2", "1", false},
    {"munich-3r1d", 0.0, "3", "1", false},       {"munich-4r1d", 0.0, "4", "1", false},
    {"munich-5r1d", 0.0, "5", "1", false},       {"munich-3r0d", 0.0, "3", "0", false},
    {"munich-5r0d", 0.0, "5", "0", false},       {"munich-3r2d", 0.0, "3", "2", false},
    {"munich-3r1d-levels", 0.0, "3", "1", true}, {"munich-5r1d-levels", 0.0, "5", "1", true},
    {"1km2-3r1d", 1.0, "3", "1", false},         {"5km2-3r1d", 5.0, "3", "1", false},
    {"20km2-3r1d", 20.0, "3", "1", false},
};

typedef struct beams_stage {
    rcity_context *context;
    rcity_scene *scene;
    rcity_device *device;
    rcity_device_info device_info;
    rcity_request request;
    rcity_tx tx;
    rcity_job job;
    float *roof_m;
    void *prepared;
    double trace_s; /* of the last run, as the next */
    rcity_stages stages;
    size_t beam_count, part_count, way_count;
    int32_t edge_count;
    double path_count;
    int64_t bin_count, delay_bytes; /* of the histograms */
} beams_stage;

static const beams_case *find_case(const rcity_bench_info *info)
{
    const beams_case *made = beams_cases;
    while (strcmp(made->item, info->item) != 0) {
        made++;
    }
    return made;
}

static rcity_status read_options(rcity_job *job, const beams_case *made)
{
    static const char *const names[] = {"max-reflections", "max-diffractions", "over-roofs", "surroundings", "ground"};
    const char *word = made->has_levels ? "on" : "off";
    const char *const values[] = {made->max_reflections, made->max_diffractions, word, word, word};
    return rcity_method_read_options(job, (int)(sizeof names / sizeof names[0]), names, values);
}

static rcity_status open_job(beams_stage *stage, const beams_case *made)
{
    static const double height_m = RX_HEIGHT_M;
    rcity_job *job = &stage->job;
    stage->request = rcity_request_default();
    stage->request.receivers.height_count = 1;
    stage->request.receivers.height_m = &height_m;
    job->context = stage->context;
    job->device = stage->device;
    job->scene = stage->scene;
    job->shapes = rcity_scene_shapes(stage->scene);
    job->receivers = &stage->request.receivers;
    job->method = &rcity_beams_method;
    job->is_quiet = true;
    job->stages = &stage->stages;
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
    RCITY_TRY(read_options(job, made));
    return job->method->prepare(job, &stage->prepared);
}

static rcity_status place_transmitter(beams_stage *stage, const beams_case *made)
{
    uint64_t next = 1000;
    rcity_transmitter *transmitter = &stage->tx.stated;
    *transmitter = rcity_transmitter_default();
    transmitter->frequency_hz = FREQUENCY_HZ;
    transmitter->height_m = TX_HEIGHT_M;
    transmitter->x_m = MUNICH_X_M;
    transmitter->y_m = MUNICH_Y_M;
    if (made->area_km2 > 0.0) {
        RCITY_TRY(rcity_bench_find_open_place(stage->context, stage->scene, 50.0, &next, &transmitter->x_m,
                                              &transmitter->y_m));
    }
    return rcity_transmitter_locate(stage->context, stage->scene, transmitter, &stage->tx.position);
}

static rcity_status stage_init(const rcity_bench_run_data *run, const rcity_bench_info *info, beams_stage *stage)
{
    const beams_case *made = find_case(info);
    stage->context = run->context;
    if (made->area_km2 > 0.0) {
        RCITY_TRY(rcity_bench_open_core(run, made->area_km2, &stage->scene));
    } else {
        RCITY_TRY(rcity_bench_open_munich(run, info, &stage->scene));
    }
    if (stage->scene == NULL) {
        return RCITY_OK;
    }
    RCITY_TRY(rcity_device_open(run->context, run->options->device, &stage->device));
    rcity_device_describe(stage->device, &stage->device_info);
    RCITY_TRY(place_transmitter(stage, made));
    return open_job(stage, made);
}

static void stage_deinit(beams_stage *stage)
{
    rcity_beams_method.release_prepared(stage->context, stage->prepared);
    rcity_release(stage->context, stage->roof_m);
    rcity_device_close(&stage->device);
    rcity_scene_destroy(&stage->scene);
}

/* What a transmitter's beams are. */
static void count_beams(const rcity_beams_traced *traced, beams_stage *stage)
{
    const rcity_beams_forest *forest = &traced->forest;
    stage->beam_count = stage->part_count = 0;
    for (int32_t i = 0; i < forest->tree_count; i++) {
        stage->beam_count += forest->trees[i].node_count;
        stage->part_count += forest->trees[i].part_count;
    }
    stage->edge_count = forest->tree_count - 1;
    stage->way_count = forest->arrival_count;
}

static void count_paths(const rcity_map *map, beams_stage *stage)
{
    rcity_raster raster = rcity_map_raster(map);
    stage->path_count = 0.0;
    for (int i = 0; i < rcity_map_band_count(map); i++) {
        rcity_band band;
        if (rcity_map_get_band(map, i, &band) != RCITY_OK || strcmp(band.name, "path_count") != 0) {
            continue;
        }
        for (int64_t k = 0; k < raster.column_count * raster.row_count; k++) {
            stage->path_count += isnan(band.value[k]) ? 0.0 : (double)band.value[k];
        }
    }
}

static rcity_status count_bins(const rcity_delays *delays, beams_stage *stage)
{
    rcity_delays_info info;
    RCITY_TRY(rcity_delays_describe(delays, &info));
    stage->bin_count = info.entry_count;
    stage->delay_bytes = info.entry_count * (int64_t)(sizeof(int32_t) + sizeof(float)) +
                         (info.cell_count + 1) * (int64_t)sizeof(int64_t);
    return RCITY_OK;
}

/* One run: the beams, then all bands of the map and the histograms of its cells. */
static rcity_status run_once(beams_stage *stage, double *seconds)
{
    const rcity_method *method = &rcity_beams_method;
    void *trace = NULL;
    rcity_map *map = NULL;
    rcity_delays *delays = NULL;
    rcity_status status;
    double start_s = rcity_clock_s();
    RCITY_TRY_DONE(method->trace(&stage->job, stage->prepared, NULL, 1, &stage->tx, &trace));
    stage->trace_s = rcity_clock_s() - start_s;
    rcity_stages_start(&stage->stages);
    RCITY_TRY_DONE(rcity_map_create(stage->context, &stage->job.raster, NULL, &map));
    RCITY_TRY_DONE(method->evaluate_delays(&stage->job, stage->prepared, trace, &stage->tx, 0, BIN_S, map, &delays));
    rcity_stages_end(&stage->stages, "release");
    *seconds = rcity_clock_s() - start_s;
    count_beams(trace, stage);
    count_paths(map, stage);
    status = count_bins(delays, stage);
done:
    rcity_delays_destroy(&delays);
    rcity_map_destroy(&map);
    method->release_trace(stage->context, trace);
    return status;
}

rcity_status rcity_bench_beams(const rcity_bench_run_data *run, const rcity_bench_info *info)
{
    beams_stage stage;
    memset(&stage, 0, sizeof stage);
    rcity_bench_times times = {{0.0}, 0};
    char note[1200];
    char times_text[400];
    rcity_stages best_stages = {.count = 0};
    double best_trace_s = 0.0;
    rcity_status status;
    RCITY_TRY_DONE(stage_init(run, info, &stage));
    if (stage.scene == NULL) {
        goto done;
    }
    for (int i = 0; i < run->options->repeat_count && (i == 0 || times.seconds[0] < REPEAT_MAX_S); i++) {
        double seconds = 0.0;
        RCITY_TRY_DONE(run_once(&stage, &seconds));
        if (i == 0 || seconds < rcity_bench_times_best(&times)) {
            best_trace_s = stage.trace_s;
            best_stages = stage.stages;
        }
        rcity_bench_times_add(&times, seconds);
    }
    rcity_stages_describe(&best_stages, times_text, sizeof times_text);
    snprintf(
        note, sizeof note,
        "%zu beams in %zu parts, %d edges, %zu ways to them; %.4g paths; %lld walls; beams in %.3g s, the rest for "
        "levels and %lld bins of delays, %.3g MB: %s",
        stage.beam_count, stage.part_count, stage.edge_count, stage.way_count, stage.path_count,
        (long long)stage.job.shapes->facade_count, best_trace_s, (long long)stage.bin_count,
        1e-6 * (double)stage.delay_bytes, times_text);
    rcity_bench_result result = {
        .name = info->name,
        .item = info->item,
        .device = stage.device_info.id,
        .scene = rcity_scene_source(stage.scene),
        .thread_count = rcity_context_thread_count(run->context),
        .value = 1e-6 * stage.path_count / rcity_bench_times_best(&times),
        .unit = "Mpaths/s",
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

/* Benchmark canyon: the trace of one transmitter with one corner and counted walls, or with two corners; benchmark
   weigh: the trace weighted again. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bench/bench_canyon.h"
#include "bench/bench_scene.h"
#include "scene/place/terrain.h"

#define CELL_M     5.0
#define RECEIVER_M 1.5

/* The transmitter of the classic measurements in Munich. */
#define MUNICH_X_M   1281.36
#define MUNICH_Y_M   1381.27
#define FREQUENCY_HZ 947e6

/* What the paper reports for the same method on a GPU of its time. */
#define PAPER_NOTE                                                                                                     \
    "Rick and Kuhlen: 0.05 s for street canyons with walls counted, 3 s over roofs, in 7 km2 with 18,000 walls"

/* Times of repeated runs: wall clock, kernels only, and with results copied to the host; traffic of one run. */
typedef struct canyon_times {
    rcity_bench_times whole, kernel, copied;
    uint64_t upload_bytes, download_bytes;
    int64_t launch_count;
} canyon_times;

void rcity_bench_corner_close(rcity_context *context, rcity_bench_corner_stage *stage)
{
    rcity_shadow_trace_destroy(&stage->trace);
    rcity_shadow_tracer_close(&stage->stage);
    rcity_device_close(&stage->device);
    rcity_release(context, stage->bands.turn_count);
    rcity_release(context, stage->bands.mechanism);
    rcity_release(context, stage->bands.received_dbm);
    rcity_release(context, stage->bands.loss_db);
    rcity_los_plane_deinit(context, &stage->plane);
    rcity_built_up_destroy(context, &stage->built_up);
    rcity_sight_destroy(context, &stage->sight);
    rcity_scene_destroy(&stage->scene);
}

rcity_status rcity_bench_corner_open(const rcity_bench_run_data *run, const rcity_shadow_choice *choice,
                                     rcity_bench_corner_stage *stage)
{
    rcity_context *context = run->context;
    const rcity_shapes *shapes = rcity_scene_shapes(stage->scene);
    bool is_munich = run->options->scene_path == NULL;
    double x = is_munich ? (MUNICH_X_M - shapes->origin_x_m) * shapes->units_per_m
                         : 0.5 * ((double)shapes->x_min + shapes->x_max);
    double y = is_munich ? (MUNICH_Y_M - shapes->origin_y_m) * shapes->units_per_m
                         : 0.5 * ((double)shapes->y_min + shapes->y_max);
    stage->source.x = (int32_t)lround(x);
    stage->source.y = (int32_t)lround(y);
    double ground = rcity_terrain_height(&shapes->terrain, stage->source.x, stage->source.y);
    stage->source.z = (int32_t)lround(ground + RCITY_BENCH_CORNER_HEIGHT_M * RCITY_HEIGHT_UNITS_PER_M);
    rcity_receivers receivers = rcity_receivers_default();
    rcity_raster raster;
    receivers.cell_m = CELL_M;
    RCITY_TRY(rcity_receivers_get_raster(context, stage->scene, &receivers, &raster));
    RCITY_TRY(rcity_sight_create(context, shapes, &stage->sight));
    RCITY_TRY(rcity_los_plane_init(context, shapes, stage->sight, &raster, RECEIVER_M, &stage->plane));
    RCITY_TRY(rcity_device_open(context, run->options->device, &stage->device));
    rcity_device_describe(stage->device, &stage->device_info);
    RCITY_TRY(rcity_built_up_create(context, shapes, &stage->built_up));
    rcity_shadow_choice chosen = *choice;
    chosen.built_up = stage->built_up;
    RCITY_TRY(rcity_shadow_tracer_open(context, stage->device, &stage->plane, &chosen, &stage->stage));
    stage->pixel_count = (size_t)stage->plane.column_count * (size_t)stage->plane.row_count;
    RCITY_TRY(rcity_alloc(context, stage->pixel_count, sizeof(float), "levels", &stage->bands.loss_db));
    RCITY_TRY(rcity_alloc(context, stage->pixel_count, sizeof(float), "levels", &stage->bands.received_dbm));
    RCITY_TRY(rcity_alloc(context, stage->pixel_count, sizeof(float), "levels", &stage->bands.mechanism));
    return rcity_alloc(context, stage->pixel_count, sizeof(float), "levels", &stage->bands.turn_count);
}

rcity_shadow_weights rcity_bench_corner_weights(bool has_sector, double azimuth_rad)
{
    const double wavenumber = 2.0 * 3.14159265358979323846 * FREQUENCY_HZ / 299792458.0;
    rcity_shadow_weights weights;
    memset(&weights, 0, sizeof weights);
    weights.law.has_knife_edges = 1;
    weights.law.wavelength_m = (float)(299792458.0 / FREQUENCY_HZ);
    weights.law.per_root_wavelength = (float)sqrt(FREQUENCY_HZ / 299792458.0);
    weights.law.mean = (rcity_surroundings_law){
        .least_db = 23.5f, .roof_m = 72.0f, .per_elevation = 7.16f, .doubt = 0.65f, .doubt_m = 400.0f};
    weights.law.wall_db = 9.4f;
    weights.receiver_height_m = (float)RECEIVER_M;
    weights.law.free_space_db = (float)(20.0 * log10(2.0 * wavenumber));
    weights.law.log_wavenumber = (float)log10(wavenumber);
    weights.level_dbm = 30.0f;
    weights.antenna.cos_tilt = 1.0f;
    weights.antenna.sin_azimuth = (float)sin(azimuth_rad);
    weights.antenna.cos_azimuth = (float)cos(azimuth_rad);
    if (has_sector) {
        weights.antenna.kind = RCITY_ANTENNA_KIND_3GPP;
        weights.antenna.gain_dbi = 8.0f;
    }
    return weights;
}

static rcity_status trace_once(rcity_bench_corner_stage *stage)
{
    rcity_shadow_trace_destroy(&stage->trace);
    rcity_shadow_tracer_forget(stage->stage); /* everything is traced again */
    return rcity_shadow_tracer_trace(stage->stage, 1, &stage->source, &stage->trace);
}

static void take_times(const rcity_device_times *before, const rcity_device_times *after, double seconds,
                       canyon_times *times)
{
    rcity_bench_times_add(&times->whole, seconds);
    rcity_bench_times_add(&times->kernel, after->kernel_s - before->kernel_s);
    times->upload_bytes = after->upload_bytes - before->upload_bytes;
    times->download_bytes = after->download_bytes - before->download_bytes;
    times->launch_count = after->launch_count - before->launch_count;
}

/* Trace and weight. The trace stays on the device; then the levels are copied to the host. */
static rcity_status measure_traces(const rcity_bench_run_data *run, rcity_bench_corner_stage *stage,
                                   canyon_times *traces)
{
    rcity_shadow_weights weights = rcity_bench_corner_weights(false, 0.0);
    for (int i = -2; i < run->options->repeat_count; i++) { /* the first builds kernels, the second allocates memory */
        rcity_device_times before, after;
        rcity_device_get_times(stage->device, &before);
        double start_s = rcity_clock_s();
        RCITY_TRY(trace_once(stage));
        double seconds = rcity_clock_s() - start_s;
        rcity_device_get_times(stage->device, &after);
        RCITY_TRY(rcity_shadow_trace_weigh(stage->trace, &weights, NULL, 0, &stage->bands));
        if (i >= 0) {
            take_times(&before, &after, seconds, traces);
            rcity_bench_times_add(&traces->copied, rcity_clock_s() - start_s);
        }
    }
    return RCITY_OK;
}

/* Weight repeatedly; a sector is turned by 10 degrees each time. */
static rcity_status measure_weighing(const rcity_bench_run_data *run, rcity_bench_corner_stage *stage, bool has_sector,
                                     canyon_times *weighings)
{
    const rcity_shadow_bands none = {NULL, NULL, NULL, NULL};
    RCITY_TRY(trace_once(stage));
    for (int i = -2; i < run->options->repeat_count; i++) {
        rcity_shadow_weights weights = rcity_bench_corner_weights(has_sector, 0.1745 * i);
        rcity_device_times before, after;
        rcity_device_get_times(stage->device, &before);
        double start_s = rcity_clock_s();
        RCITY_TRY(rcity_shadow_trace_weigh(stage->trace, &weights, NULL, 0, &none));
        double seconds = rcity_clock_s() - start_s;
        rcity_device_get_times(stage->device, &after);
        double copied_s = rcity_clock_s();
        RCITY_TRY(rcity_shadow_trace_weigh(stage->trace, &weights, NULL, 0, &stage->bands));
        if (i >= 0) {
            take_times(&before, &after, seconds, weighings);
            rcity_bench_times_add(&weighings->copied, rcity_clock_s() - copied_s);
        }
    }
    return RCITY_OK;
}

static void describe(const rcity_bench_corner_stage *stage, const canyon_times *times, char *note, size_t note_bytes)
{
    rcity_shadow_effort effort = rcity_shadow_trace_effort(stage->trace);
    long counts[RCITY_SHADOW_PATH_DIFFUSE + 1] = {0};
    for (size_t i = 0; i < stage->pixel_count; i++) {
        if (!isnan(stage->bands.mechanism[i])) {
            counts[(int)stage->bands.mechanism[i]]++;
        }
    }
    snprintf(note, note_bytes,
             "%d x %d pixels; %lld rasters of sight, %lld chains, %lld paths around corners; strongest: direct %ld, "
             "walls %ld, corners %ld, roofs %ld, diffuse %ld; a run: %lld launches, %lld bytes up, %lld down; with "
             "levels copied "
             "to the host %.3g ms; " PAPER_NOTE,
             stage->plane.column_count, stage->plane.row_count, (long long)effort.raster_count,
             (long long)effort.chain_count, (long long)effort.path_count, counts[RCITY_SHADOW_PATH_DIRECT],
             counts[RCITY_SHADOW_PATH_WALLS], counts[RCITY_SHADOW_PATH_CORNER], counts[RCITY_SHADOW_PATH_ROOF],
             counts[RCITY_SHADOW_PATH_DIFFUSE], (long long)times->launch_count, (long long)times->upload_bytes,
             (long long)times->download_bytes, 1e3 * rcity_bench_times_best(&times->copied));
}

static void report(const rcity_bench_run_data *run, const rcity_bench_info *info, const rcity_bench_corner_stage *stage,
                   const char *unit, const rcity_bench_times *times, const char *note)
{
    rcity_bench_result result;
    memset(&result, 0, sizeof result);
    result.name = info->name;
    result.item = info->item;
    result.device = stage->device_info.id;
    result.scene = rcity_scene_source(stage->scene);
    result.thread_count = rcity_context_thread_count(run->context);
    result.best_s = rcity_bench_times_best(times);
    result.median_s = rcity_bench_times_median(times);
    result.value = 1.0 / result.best_s;
    result.unit = unit;
    result.yardstick_value = (double)NAN;
    result.ratio = (double)NAN;
    result.note = note;
    run->report(run->user, &result);
}

static rcity_status run_case(const rcity_bench_run_data *run, const rcity_bench_info *info,
                             const rcity_shadow_choice *choice, bool weighs)
{
    static const char *const units[2][3] = {{"traces/s", "traces/s kernel", "maps/s"},
                                            {"weighings/s", "weighings/s kernel", "maps/s"}};
    rcity_bench_corner_stage stage;
    memset(&stage, 0, sizeof stage);
    rcity_status status;
    RCITY_TRY(rcity_bench_open_munich(run, info, &stage.scene));
    if (stage.scene == NULL) {
        return RCITY_OK;
    }
    canyon_times times;
    char note[700];
    memset(&times, 0, sizeof times);
    RCITY_TRY_DONE(rcity_bench_corner_open(run, choice, &stage));
    if (weighs) {
        RCITY_TRY_DONE(measure_weighing(run, &stage, strcmp(info->item, "munich") != 0, &times));
    } else {
        RCITY_TRY_DONE(measure_traces(run, &stage, &times));
    }
    describe(&stage, &times, note, sizeof note);
    report(run, info, &stage, units[weighs][0], &times.whole, note);
    if (strcmp(stage.device_info.kind, "host") != 0) { /* kernels only, and with the copy to the host */
        report(run, info, &stage, units[weighs][1], &times.kernel, note);
        report(run, info, &stage, units[weighs][2], &times.copied, note);
    }
done:
    rcity_bench_corner_close(run->context, &stage);
    return status;
}

rcity_status rcity_bench_canyon(const rcity_bench_run_data *run, const rcity_bench_info *info)
{
    static const struct {
        const char *item;
        rcity_shadow_choice choice;
    } cases[] = {{"order1", {1, RCITY_SHADOW_ROOFS_OFF, RCITY_SHADOW_WALLS_COUNT, false, NULL}},
                 {"order1-open", {1, RCITY_SHADOW_ROOFS_OFF, RCITY_SHADOW_WALLS_OFF, false, NULL}},
                 {"order2", {2, RCITY_SHADOW_ROOFS_OFF, RCITY_SHADOW_WALLS_OFF, false, NULL}},
                 {"roofs", {0, RCITY_SHADOW_ROOFS_EDGES, RCITY_SHADOW_WALLS_OFF, false, NULL}},
                 {"all", {2, RCITY_SHADOW_ROOFS_EDGES, RCITY_SHADOW_WALLS_COUNT, false, NULL}},
                 {"all-metres", {2, RCITY_SHADOW_ROOFS_EDGES, RCITY_SHADOW_WALLS_METRES, false, NULL}}};
    size_t i = 0;
    while (strcmp(info->item, cases[i].item) != 0) { /* the table of benchmarks has no other names */
        i++;
    }
    return run_case(run, info, &cases[i].choice, false);
}

rcity_status rcity_bench_weigh(const rcity_bench_run_data *run, const rcity_bench_info *info)
{
    const rcity_shadow_choice choice = {2, RCITY_SHADOW_ROOFS_EDGES, RCITY_SHADOW_WALLS_COUNT, false, NULL};
    return run_case(run, info, &choice, true);
}

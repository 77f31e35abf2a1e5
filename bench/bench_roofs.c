/* Roofs: the over-roof paths from one transmitter to every pixel of a 5 m raster. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/uniform.h"
#include "bench/bench_scene.h"
#include "method/shadow/roofs/roof_trace.h"
#include "scene/place/terrain.h"
#include "visibility/los/los_raster.h"

#define CELL_M     5.0
#define RECEIVER_M 1.5

/* The transmitter of the classic measurements in Munich; in other cities near the middle. */
#define MUNICH_X_M  1281.36
#define MUNICH_Y_M  1381.27
#define TX_HEIGHT_M 13.0

typedef struct roofs_stage {
    rcity_scene *scene;
    const rcity_shapes *shapes;
    rcity_sight *sight;
    rcity_los_plane plane;
    rcity_los_worker worker;
    rcity_device *device;
    rcity_device_info device_info;
    rcity_roofs *roofs;
    rcity_grid_point3 source;
    int64_t pixel_count;
    uint64_t *visible;
    rcity_shadow_roof *paths;
} roofs_stage;

/* A place outside buildings: Munich's, or the first of random ones near the middle. */
static rcity_status place_source(const rcity_bench_run_data *run, const rcity_bench_info *info, roofs_stage *stage)
{
    const rcity_shapes *shapes = stage->shapes;
    double x = (MUNICH_X_M - shapes->origin_x_m) * shapes->units_per_m;
    double y = (MUNICH_Y_M - shapes->origin_y_m) * shapes->units_per_m;
    bool is_munich = run->options->scene_path == NULL && strcmp(info->item, "munich") == 0;
    for (uint64_t next = 1000; !is_munich; next += 2) {
        x = 0.5 * ((double)shapes->x_min + shapes->x_max) + 100.0 * (rcity_uniform(next) - 0.5) * shapes->units_per_m;
        y = 0.5 * ((double)shapes->y_min + shapes->y_max) +
            100.0 * (rcity_uniform(next + 1) - 0.5) * shapes->units_per_m;
        rcity_cover cover;
        RCITY_TRY(rcity_scene_get_cover(run->context, stage->scene, shapes->origin_x_m + x / shapes->units_per_m,
                                        shapes->origin_y_m + y / shapes->units_per_m, &cover));
        if (!cover.is_covered) {
            break;
        }
    }
    stage->source.x = (int32_t)lround(x);
    stage->source.y = (int32_t)lround(y);
    double ground = rcity_terrain_height(&shapes->terrain, stage->source.x, stage->source.y);
    stage->source.z = (int32_t)lround(ground + TX_HEIGHT_M * RCITY_HEIGHT_UNITS_PER_M);
    return RCITY_OK;
}

static void stage_deinit(rcity_context *context, roofs_stage *stage)
{
    rcity_release(context, stage->paths);
    rcity_release(context, stage->visible);
    rcity_roofs_close(&stage->roofs);
    rcity_device_close(&stage->device);
    rcity_los_worker_deinit(context, &stage->worker);
    rcity_los_plane_deinit(context, &stage->plane);
    rcity_sight_destroy(context, &stage->sight);
    rcity_scene_destroy(&stage->scene);
}

static rcity_status stage_init(const rcity_bench_run_data *run, const rcity_bench_info *info, roofs_stage *stage)
{
    rcity_context *context = run->context;
    stage->shapes = rcity_scene_shapes(stage->scene);
    RCITY_TRY(place_source(run, info, stage));
    RCITY_TRY(rcity_sight_create(context, stage->shapes, &stage->sight));
    rcity_receivers receivers = rcity_receivers_default();
    rcity_raster raster;
    receivers.cell_m = CELL_M;
    RCITY_TRY(rcity_receivers_get_raster(context, stage->scene, &receivers, &raster));
    RCITY_TRY(rcity_los_plane_init(context, stage->shapes, stage->sight, &raster, RECEIVER_M, &stage->plane));
    RCITY_TRY(rcity_los_worker_init(context, &stage->plane, &stage->worker));
    RCITY_TRY(rcity_device_open(context, run->options->device, &stage->device));
    rcity_device_describe(stage->device, &stage->device_info);
    RCITY_TRY(rcity_roofs_open(context, stage->device, &stage->plane, &stage->roofs));
    stage->pixel_count = (int64_t)stage->plane.column_count * stage->plane.row_count;
    RCITY_TRY(rcity_alloc(context, stage->plane.row_words * (size_t)stage->plane.row_count, sizeof *stage->visible,
                          "over-roof paths", &stage->visible));
    RCITY_TRY(rcity_alloc(context, (size_t)stage->pixel_count, sizeof *stage->paths, "over-roof paths", &stage->paths));
    return RCITY_OK;
}

/* Times of one mode: everything, with the visible pixels found first, and the kernel only. */
typedef struct roofs_times {
    rcity_bench_times whole, kernel;
} roofs_times;

static rcity_status measure(const rcity_bench_run_data *run, roofs_stage *stage, rcity_roof_mode mode,
                            roofs_times *times)
{
    for (int i = -1; i < run->options->repeat_count; i++) { /* the first builds the kernel */
        rcity_device_times before;
        rcity_device_times after;
        rcity_device_get_times(stage->device, &before);
        double start_s = rcity_clock_s();
        RCITY_TRY(rcity_los_trace(run->context, &stage->plane, &stage->worker, stage->source, stage->visible));
        RCITY_TRY(rcity_roofs_trace(stage->roofs, stage->source, mode, stage->visible, stage->paths));
        double whole_s = rcity_clock_s() - start_s;
        rcity_device_get_times(stage->device, &after);
        if (i >= 0) {
            rcity_bench_times_add(&times->whole, whole_s);
            rcity_bench_times_add(&times->kernel, after.kernel_s - before.kernel_s);
        }
    }
    return RCITY_OK;
}

static void describe(const roofs_stage *stage, rcity_roof_mode mode, char *note, size_t note_bytes)
{
    int64_t path_count = 0;
    int64_t bent_count = 0;
    int64_t turn_count = 0;
    int32_t most = 0;
    for (int64_t i = 0; i < stage->pixel_count; i++) {
        const rcity_shadow_turns *turns = &stage->paths[i].turns;
        path_count += turns->length_m > 0.0f;
        bent_count += turns->count > 0;
        turn_count += turns->count;
        most = turns->count > most ? turns->count : most;
    }
    snprintf(
        note, note_bytes,
        "%d x %d pixels, %lld outside of buildings, %lld of them behind roofs; %s: %.2f a pixel behind them, %d at "
        "most; %lld done on the host for want of room; out: %zu bytes a pixel",
        stage->plane.column_count, stage->plane.row_count, (long long)path_count, (long long)bent_count,
        mode == RCITY_ROOF_COUNT ? "roofs counted" : "turns",
        (double)turn_count / (double)(bent_count > 0 ? bent_count : 1), most,
        (long long)rcity_roofs_close_count(stage->roofs), sizeof *stage->paths);
}

static void report(const rcity_bench_run_data *run, const rcity_bench_info *info, const roofs_stage *stage,
                   const char *unit, const rcity_bench_times *times, const char *note)
{
    rcity_bench_result result = {
        .name = info->name,
        .item = info->item,
        .device = stage->device_info.id,
        .scene = rcity_scene_source(stage->scene),
        .thread_count = rcity_context_thread_count(run->context),
        .value = 1.0 / rcity_bench_times_best(times),
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

rcity_status rcity_bench_roofs(const rcity_bench_run_data *run, const rcity_bench_info *info)
{
    static const struct {
        rcity_roof_mode mode;
        const char *unit, *kernel_unit;
    } modes[] = {{RCITY_ROOF_EDGES, "maps/s", "maps/s kernel"}, {RCITY_ROOF_COUNT, "counts/s", "counts/s kernel"}};
    roofs_stage stage;
    memset(&stage, 0, sizeof stage);
    rcity_status status;
    RCITY_TRY(rcity_bench_open_scene(run, info, &stage.scene));
    if (stage.scene == NULL) {
        return RCITY_OK;
    }
    RCITY_TRY_DONE(stage_init(run, info, &stage));
    for (int i = 0; i < 2; i++) {
        roofs_times times;
        char note[400];
        memset(&times, 0, sizeof times);
        RCITY_TRY_DONE(measure(run, &stage, modes[i].mode, &times));
        describe(&stage, modes[i].mode, note, sizeof note);
        report(run, info, &stage, modes[i].unit, &times.whole, note);
        if (strcmp(stage.device_info.kind, "host") != 0) { /* without the copy to the host */
            report(run, info, &stage, modes[i].kernel_unit, &times.kernel, note);
        }
    }
done:
    stage_deinit(run->context, &stage);
    return status;
}

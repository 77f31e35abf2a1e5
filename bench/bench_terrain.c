/* Benchmark terrain, cases of line of sight: from one source 30 m over hills to every node 1.5 m above the ground,
   beside GRASS's r.viewshed or gdal_viewshed on the same grid, source and heights, in the same run. Ours has the grid in
   memory and includes what is prepared for all sources; theirs is the time of the program, which reads and writes files. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bench/bench_data.h"
#include "bench/terrain_yardstick.h"
#include "radiocity/city.h"
#include "visibility/terrain/ground_sight.h"

#define NODE_COUNT 4000
#define CELL_M     30
#define SOURCE_M   30.0
#define TARGET_M   1.5
#define SEED       1

typedef struct terrain_stage {
    rcity_context *context;
    rcity_scene *scene;
    const rcity_shapes *shapes; /* the scene's: terrain only */
    int32_t *x;                 /* of nodes */
    uint8_t *seen;
    rcity_device *device;
    rcity_device_info device_info;
    rcity_grid_point3 source;
    rcity_ground_effort effort;
    rcity_bench_times whole, kernel, prepared;
} terrain_stage;

/* "los", "los-gdal": the full grid; "los-1000": so many nodes along each side. */
static int32_t nodes_of(const rcity_bench_info *info)
{
    return strcmp(info->item, "los-1000") == 0 ? 1000 : strcmp(info->item, "los-2000") == 0 ? 2000 : NODE_COUNT;
}

/* Made hills of so many nodes along each side. */
static rcity_status make_hills(rcity_context *context, int32_t side, rcity_scene **scene)
{
    rcity_city_options options = rcity_city_options_default();
    double side_km = 1e-3 * CELL_M * (side - 1);
    options.kind = RCITY_CITY_HILLS;
    options.seed = SEED;
    options.area_km2 = side_km * side_km;
    options.terrain_cell_m = CELL_M;
    return rcity_city_make(context, &options, scene);
}

static rcity_status stage_init(const rcity_bench_run_data *run, const rcity_bench_info *info, terrain_stage *stage)
{
    rcity_context *context = run->context;
    RCITY_TRY(make_hills(context, nodes_of(info), &stage->scene));
    stage->shapes = rcity_scene_shapes(stage->scene);
    const rcity_terrain_grid *terrain = &stage->shapes->terrain;
    int32_t side = terrain->column_count;
    RCITY_TRY(rcity_alloc(context, (size_t)side, sizeof *stage->x, "the terrain", &stage->x));
    RCITY_TRY(rcity_alloc(context, (size_t)side * (size_t)side, sizeof *stage->seen, "the answers", &stage->seen));
    for (int32_t i = 0; i < side; i++) {
        stage->x[i] = terrain->west + i * terrain->cell;
    }
    int32_t middle = side / 2;
    stage->source.x = stage->source.y = stage->x[middle];
    stage->source.z = terrain->height[(int64_t)middle * side + middle] + (int32_t)(SOURCE_M * RCITY_HEIGHT_UNITS_PER_M);
    RCITY_TRY(rcity_device_open(context, run->options->device, &stage->device));
    rcity_device_describe(stage->device, &stage->device_info);
    return RCITY_OK;
}

static void stage_deinit(terrain_stage *stage)
{
    rcity_device_close(&stage->device);
    rcity_release(stage->context, stage->seen);
    rcity_release(stage->context, stage->x);
    rcity_scene_destroy(&stage->scene);
}

/* One run on the terrain in memory: on the host all of it is timed together, on a device what each source takes and what
   is prepared once apart. */
static rcity_status measure(const rcity_bench_run_data *run, terrain_stage *stage)
{
    bool is_host = strcmp(stage->device_info.kind, "host") == 0;
    int32_t side = stage->shapes->terrain.column_count;
    int32_t height = (int32_t)(TARGET_M * RCITY_HEIGHT_UNITS_PER_M);
    rcity_ground_targets targets = {side, side, stage->x, stage->x, NULL, height, false};
    rcity_ground_sight sight;
    rcity_ground_device *ground = NULL;
    rcity_status status = RCITY_OK;
    for (int i = is_host ? 0 : -1; i < run->options->repeat_count && status == RCITY_OK; i++) {
        double start_s = rcity_clock_s();
        RCITY_TRY(rcity_ground_sight_init(run->context, stage->shapes, 0.0, &sight));
        if (!is_host) {
            status = rcity_ground_device_open(&sight, stage->device, &ground);
            status = status == RCITY_OK ? rcity_device_finish(run->context, stage->device) : status;
        }
        double ready_s = rcity_clock_s();
        rcity_device_times before;
        rcity_device_times after;
        rcity_device_get_times(stage->device, &before);
        if (status == RCITY_OK) {
            status = rcity_ground_sight_fill(&sight, ground, stage->source, &targets, stage->seen, &stage->effort);
        }
        double end_s = rcity_clock_s();
        rcity_device_get_times(stage->device, &after);
        if (i >= 0) { /* the first run on a device builds kernels */
            rcity_bench_times_add(&stage->whole, end_s - (is_host ? start_s : ready_s));
            rcity_bench_times_add(&stage->kernel, after.kernel_s - before.kernel_s);
            rcity_bench_times_add(&stage->prepared, ready_s - start_s);
        }
        rcity_ground_device_close(&ground);
        rcity_ground_sight_deinit(&sight);
    }
    return status;
}

static void report(const rcity_bench_run_data *run, const rcity_bench_info *info, const terrain_stage *stage,
                   const rcity_terrain_yardstick *yardstick)
{
    int32_t side = stage->shapes->terrain.column_count;
    double count = (double)side * side;
    int64_t visible = 0;
    for (int64_t i = 0; i < (int64_t)side * side; i++) {
        visible += stage->seen[i] == RCITY_GROUND_VISIBLE;
    }
    char scene[80];
    char note[400];
    (void)snprintf(scene, sizeof scene, "hills of %d x %d nodes at %d m, seed %d", side, side, CELL_M, SEED);
    int used = snprintf(note, sizeof note,
                        "%.2f %% visible; %.4f %% walked line by line, %lld lines in exact numbers; prepared in %.3f s",
                        100.0 * (double)visible / count, 100.0 * (double)stage->effort.walked / count,
                        (long long)stage->effort.exact, rcity_bench_times_best(&stage->prepared));
    if (strcmp(stage->device_info.kind, "host") != 0) {
        used += snprintf(note + used, sizeof note - (size_t)used, " (apart), kernels %.4f s",
                         rcity_bench_times_best(&stage->kernel));
    }
    if (yardstick->seconds > 0.0) {
        (void)snprintf(note + used, sizeof note - (size_t)used,
                       "; %s took %.2f s and agrees in %.3f %%, sees %.3f %% more and %.3f %% less", yardstick->name,
                       yardstick->seconds, 100.0 * yardstick->agreement, 100.0 * yardstick->more,
                       100.0 * yardstick->less);
    }
    rcity_bench_result result;
    memset(&result, 0, sizeof result);
    result.name = info->name;
    result.item = info->item;
    result.device = stage->device_info.id;
    result.scene = scene;
    result.thread_count = rcity_context_thread_count(run->context);
    result.best_s = rcity_bench_times_best(&stage->whole);
    result.median_s = rcity_bench_times_median(&stage->whole);
    result.value = 1e-6 * count / result.best_s;
    result.unit = "M cells/s";
    result.yardstick = yardstick->name;
    result.yardstick_value = yardstick->seconds > 0.0 ? 1e-6 * count / yardstick->seconds : (double)NAN;
    result.ratio = result.value / result.yardstick_value;
    result.note = note;
    run->report(run->user, &result);
}

rcity_status rcity_bench_terrain(const rcity_bench_run_data *run, const rcity_bench_info *info)
{
    terrain_stage stage;
    memset(&stage, 0, sizeof stage);
    stage.context = run->context;
    rcity_status status;
    rcity_terrain_yardstick yardstick;
    bool is_gdal = strcmp(info->item, "los-gdal") == 0;
    RCITY_TRY_DONE(stage_init(run, info, &stage));
    RCITY_TRY_DONE(measure(run, &stage));
    RCITY_TRY_DONE(rcity_terrain_yardstick_run(run->context, &stage.shapes->terrain, CELL_M, SOURCE_M, TARGET_M,
                                               is_gdal, stage.seen, &yardstick));
    report(run, info, &stage, &yardstick);
done:
    stage_deinit(&stage);
    return status;
}

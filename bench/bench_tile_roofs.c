/* Paths over roofs from one source to all hidden tiles near it. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/uniform.h"
#include "bench/bench_scene.h"
#include "method/over_roofs/tile_roofs.h"
#include "scene/tiles/tiling.h"

#define FREQUENCY_HZ 947e6
#define MAST_M       30.0
#define RANGE_M      1000.0
#define SOURCE_COUNT 8 /* masts and facade tiles in turn */

typedef struct roof_stage {
    rcity_context *context;
    rcity_scene *scene;
    rcity_facet_table world;
    rcity_tiling tiling;
    rcity_sight *sight;
    rcity_device *device;
    rcity_device_info device_info;
    rcity_tile_roofs *roofs;
    rcity_tile_roof_path *paths;
    int32_t *list;
} roof_stage;

static void stage_deinit(roof_stage *stage)
{
    rcity_release(stage->context, stage->list);
    rcity_release(stage->context, stage->paths);
    rcity_tile_roofs_close(&stage->roofs);
    rcity_device_close(&stage->device);
    rcity_sight_destroy(stage->context, &stage->sight);
    rcity_tiling_deinit(stage->context, &stage->tiling);
    rcity_facet_table_deinit(stage->context, &stage->world);
    rcity_scene_destroy(&stage->scene);
}

static rcity_status stage_init(const rcity_bench_run_data *run, roof_stage *stage)
{
    rcity_context *context = run->context;
    rcity_tiling_options options = rcity_tiling_options_default();
    RCITY_TRY(rcity_facet_table_init(context, stage->scene, FREQUENCY_HZ, &stage->world));
    RCITY_TRY(rcity_tiling_init(context, stage->scene, &stage->world, &options, &stage->tiling));
    RCITY_TRY(rcity_sight_create(context, rcity_scene_shapes(stage->scene), &stage->sight));
    RCITY_TRY(rcity_device_open(context, run->options->device, &stage->device));
    rcity_device_describe(stage->device, &stage->device_info);
    size_t count = (size_t)stage->tiling.tile_count;
    RCITY_TRY(rcity_alloc(context, count, sizeof *stage->paths, "paths", &stage->paths));
    RCITY_TRY(rcity_alloc(context, count, sizeof *stage->list, "paths", &stage->list));
    return rcity_tile_roofs_open(context, stage->device, stage->sight, stage->tiling.tile_count, stage->tiling.places,
                                 &stage->roofs);
}

/* A mast over a tile, or a tile of a wall. */
static rcity_tile_place choose_source(const roof_stage *stage, int index)
{
    const rcity_tiling *tiling = &stage->tiling;
    for (uint64_t i = 0;; i++) {
        int64_t tile = (int64_t)(rcity_uniform(1000 * (uint64_t)index + i) * (double)tiling->tile_count);
        rcity_tile_place at = tiling->places[tile];
        bool is_wall = tiling->tiles[tile].nz == 0.0f;
        if (index % 2 == 0) {
            at.z += (int32_t)(MAST_M * RCITY_HEIGHT_UNITS_PER_M);
        }
        if (index % 2 == 0 ? !is_wall : is_wall) {
            return at;
        }
    }
}

/* The tiles within range that the source does not see. */
static int64_t list_hidden(const roof_stage *stage, rcity_tile_place source)
{
    const rcity_tiling *tiling = &stage->tiling;
    double unit_m = 1.0 / stage->world.shapes->units_per_m;
    int64_t count = 0;
    for (int64_t i = 0; i < tiling->tile_count; i++) {
        rcity_tile_place at = tiling->places[i];
        if (hypot((at.x - source.x) * unit_m, (at.y - source.y) * unit_m) < RANGE_M &&
            !rcity_sight_is_free(stage->sight, (rcity_grid_point3){source.x, source.y, source.z},
                                 (rcity_grid_point3){at.x, at.y, at.z})) {
            stage->list[count++] = (int32_t)i;
        }
    }
    return count;
}

/* One kind of source, several times. */
static rcity_status measure(const rcity_bench_run_data *run, const rcity_bench_info *info, roof_stage *stage,
                            int first_source, const char *unit)
{
    rcity_bench_times times;
    memset(&times, 0, sizeof times);
    int64_t path_count = 0;
    for (int k = -1; k < run->options->repeat_count; k++) { /* the first one builds kernels */
        double seconds = 0.0;
        path_count = 0;
        for (int s = first_source; s < SOURCE_COUNT; s += 2) {
            rcity_tile_place source = choose_source(stage, s);
            int64_t count = list_hidden(stage, source);
            double start_s = rcity_clock_s();
            RCITY_TRY(rcity_tile_roofs_find(stage->context, stage->roofs, source, 299792458.0 / FREQUENCY_HZ, 0.0,
                                            count, stage->list, stage->paths));
            seconds += rcity_clock_s() - start_s;
            path_count += count;
        }
        if (k >= 0) {
            rcity_bench_times_add(&times, seconds);
        }
    }
    char note[200];
    snprintf(note, sizeof note, "%d sources, %lld paths to hidden tiles within %g m, %g MHz", SOURCE_COUNT / 2,
             (long long)path_count, RANGE_M, FREQUENCY_HZ / 1e6);
    rcity_bench_result result;
    memset(&result, 0, sizeof result);
    result.name = info->name;
    result.item = info->item;
    result.device = stage->device_info.id;
    result.scene = info->item;
    result.thread_count = rcity_context_thread_count(run->context);
    result.best_s = rcity_bench_times_best(&times);
    result.median_s = rcity_bench_times_median(&times);
    result.value = 1e-6 * (double)path_count / result.best_s;
    result.unit = unit;
    result.yardstick_value = (double)NAN;
    result.ratio = (double)NAN;
    result.note = note;
    run->report(run->user, &result);
    return RCITY_OK;
}

rcity_status rcity_bench_tile_roofs(const rcity_bench_run_data *run, const rcity_bench_info *info)
{
    roof_stage stage;
    rcity_status status;
    memset(&stage, 0, sizeof stage);
    stage.context = run->context;
    RCITY_TRY_DONE(rcity_bench_open_scene(run, info, &stage.scene));
    if (stage.scene != NULL) {
        RCITY_TRY_DONE(stage_init(run, &stage));
        RCITY_TRY_DONE(measure(run, info, &stage, 0, "Mpaths/s from masts"));
        RCITY_TRY_DONE(measure(run, info, &stage, 1, "Mpaths/s from facades"));
    }
done:
    stage_deinit(&stage);
    return status;
}

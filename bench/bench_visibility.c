/* Visibility matrices: which tiles of a city see each other, compared with lines of sight between random tiles. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/uniform.h"
#include "bench/bench_scene.h"
#include "visibility/sight_batch.h"
#include "visibility/tiles/tile_matrix.h"

#define TILE_AREA_M2 100.0
#define FREQUENCY_HZ 3.5e9     /* tiles do not depend on it */
#define SAMPLE_COUNT (1 << 20) /* pairs of tiles of the yardstick */
#define REPEAT_MAX_S 10.0      /* a case that takes longer runs once */

/* A city, its tiles, and what tests them. */
typedef struct tile_stage {
    rcity_context *context;
    rcity_scene *scene;
    rcity_facet_table world;
    rcity_tiling tiling;
    rcity_sight *sight;
    rcity_device *device;
    rcity_device_info device_info;
    char path[256];
    double sample_s; /* of the yardstick */
} tile_stage;

static void stage_deinit(tile_stage *stage)
{
    unlink(stage->path);
    rcity_device_close(&stage->device);
    rcity_sight_destroy(stage->context, &stage->sight);
    rcity_tiling_deinit(stage->context, &stage->tiling);
    rcity_facet_table_deinit(stage->context, &stage->world);
    rcity_scene_destroy(&stage->scene);
}

static rcity_status stage_init(const rcity_bench_run_data *run, const rcity_bench_info *info, tile_stage *stage)
{
    rcity_context *context = run->context;
    const char *folder = getenv("TMPDIR");
    folder = folder != NULL && strlen(folder) < 128 ? folder : "/tmp";
    snprintf(stage->path, sizeof stage->path, "%s/radiocity-bench-%ld.visibility", folder, (long)getpid());
    RCITY_TRY(rcity_bench_open_towers(run, strtod(info->item, NULL), &stage->scene)); /* "2km2" */
    RCITY_TRY(rcity_facet_table_init(context, stage->scene, FREQUENCY_HZ, &stage->world));
    rcity_tiling_options options = rcity_tiling_options_default();
    const char *dash = strchr(info->item, '-');
    double tile_m2 = dash != NULL && strtod(dash + 1, NULL) > 0.0 ? strtod(dash + 1, NULL) : TILE_AREA_M2; /* "-25m2" */
    options.wall_area_m2 = tile_m2;
    options.roof_area_m2 = tile_m2;
    options.ground_area_m2 = tile_m2;
    RCITY_TRY(rcity_tiling_init(context, stage->scene, &stage->world, &options, &stage->tiling));
    RCITY_TRY(rcity_sight_create(context, rcity_scene_shapes(stage->scene), &stage->sight));
    RCITY_TRY(rcity_device_open(context, run->options->device, &stage->device));
    rcity_device_describe(stage->device, &stage->device_info);
    return RCITY_OK;
}

/* The yardstick: random pairs of tiles, those that face each other as a batch of segments. */
static rcity_status measure_sample(tile_stage *stage)
{
    const rcity_tiling *tiling = &stage->tiling;
    rcity_sight_batch *batch = NULL;
    rcity_sight_segment *segments = NULL;
    uint8_t *is_free = NULL;
    rcity_status status;
    float plan_m = 1.0f / (float)stage->world.shapes->units_per_m;
    float height_m = 1.0f / (float)RCITY_HEIGHT_UNITS_PER_M;
    RCITY_TRY_DONE(rcity_sight_batch_open(stage->context, stage->device, stage->sight, NULL, &batch));
    RCITY_TRY_DONE(rcity_alloc(stage->context, SAMPLE_COUNT, sizeof *segments, "segments", &segments));
    RCITY_TRY_DONE(rcity_alloc(stage->context, SAMPLE_COUNT, sizeof *is_free, "segments", &is_free));
    for (int round = 0; round < 2; round++) { /* the first one builds kernels */
        double start_s = rcity_clock_s();
        int64_t count = 0;
        for (uint64_t i = 0; i < SAMPLE_COUNT; i++) {
            int64_t a = (int64_t)(rcity_uniform(2 * i) * (double)tiling->tile_count);
            int64_t b = (int64_t)(rcity_uniform(2 * i + 1) * (double)tiling->tile_count);
            rcity_tile_place from = tiling->places[a];
            rcity_tile_place to = tiling->places[b];
            if (rcity_tile_faces(rcity_tile_front_make(tiling->tiles[a], plan_m, height_m), from, to) &&
                rcity_tile_faces(rcity_tile_front_make(tiling->tiles[b], plan_m, height_m), to, from)) {
                segments[count++] = (rcity_sight_segment){from.x, from.y, from.z, to.x, to.y, to.z};
            }
        }
        RCITY_TRY_DONE(rcity_sight_batch_test(batch, count, segments, is_free));
        stage->sample_s = rcity_clock_s() - start_s;
    }
done:
    rcity_release(stage->context, is_free);
    rcity_release(stage->context, segments);
    rcity_sight_batch_close(&batch);
    return status;
}

/* What was done, and what it takes at least: rays, and bytes of answers. */
static void describe(const tile_stage *stage, const rcity_tile_matrix *matrix, char *note, size_t note_bytes)
{
    const rcity_tile_matrix_effort *effort = &matrix->effort;
    double tiles = (double)matrix->tile_count;
    double pairs = 0.5 * tiles * (tiles - 1.0);
    rcity_device_times times;
    rcity_device_get_times(stage->device, &times);
    snprintf(
        note, note_bytes,
        "%d tiles, %.4g pairs: %.1f %% left out by facing, %.1f %% by range, %.1f %% by horizon; %.4g rays, %.1f %% "
        "decided by occluders; %.4g "
        "block pairs of %.4g tested; %.1f neighbours, %.3f bytes an entry, %.4g bytes; %.3g s culling, %.3g s "
        "testing, %.3g s rows; %lld strips; copied in all %.4g bytes to the device, %.4g back",
        matrix->tile_count, pairs, 100.0 * (double)effort->cull.facing / pairs,
        100.0 * (double)effort->cull.range / pairs, 100.0 * (double)effort->cull.horizon / pairs,
        (double)effort->ray_count, 100.0 - 100.0 * (double)effort->walk_count / (double)effort->ray_count,
        (double)effort->tested_block_pair_count, (double)effort->block_pair_count, (double)matrix->entry_count / tiles,
        (double)matrix->byte_count / (double)matrix->entry_count, (double)matrix->byte_count, effort->cull_s,
        effort->test_s, effort->row_s, (long long)effort->strip_count, (double)times.upload_bytes,
        (double)times.download_bytes);
}

static void report(const rcity_bench_run_data *run, const rcity_bench_info *info, const tile_stage *stage,
                   const rcity_bench_times *times, const char *note)
{
    rcity_scene_info scene_info;
    char scene[300] = "unknown";
    if (rcity_scene_describe(stage->scene, &scene_info) == RCITY_OK) {
        snprintf(scene, sizeof scene, "%s", scene_info.source);
    }
    double tiles = (double)stage->tiling.tile_count;
    rcity_bench_result result;
    memset(&result, 0, sizeof result);
    result.name = info->name;
    result.item = info->item;
    result.device = stage->device_info.id;
    result.scene = scene;
    result.thread_count = rcity_context_thread_count(run->context);
    result.best_s = rcity_bench_times_best(times);
    result.median_s = rcity_bench_times_median(times);
    result.value = 1e-6 * 0.5 * tiles * (tiles - 1.0) / result.best_s;
    result.unit = "Mpairs/s";
    result.yardstick = "random pairs of tiles";
    result.yardstick_value = 1e-6 * SAMPLE_COUNT / stage->sample_s;
    result.ratio = result.value / result.yardstick_value;
    result.note = note;
    run->report(run->user, &result);
}

rcity_status rcity_bench_visibility(const rcity_bench_run_data *run, const rcity_bench_info *info)
{
    tile_stage stage;
    rcity_bench_times times;
    rcity_tile_matrix *matrix = NULL;
    rcity_tile_matrix_options options = rcity_tile_matrix_options_default();
    char note[600] = "";
    rcity_status status;
    memset(&stage, 0, sizeof stage);
    memset(&times, 0, sizeof times);
    stage.context = run->context;
    options.uses_horizon = strstr(info->item, "-low") == NULL;
    RCITY_TRY_DONE(stage_init(run, info, &stage));
    RCITY_TRY_DONE(measure_sample(&stage));
    for (int i = 0; i < run->options->repeat_count && (i == 0 || times.seconds[0] < REPEAT_MAX_S); i++) {
        double start_s = rcity_clock_s();
        RCITY_TRY_DONE(rcity_tile_matrix_build(run->context, stage.device, stage.sight, &stage.tiling, &options,
                                               stage.path, &matrix));
        rcity_bench_times_add(&times, rcity_clock_s() - start_s);
        describe(&stage, matrix, note, sizeof note);
        rcity_tile_matrix_close(run->context, &matrix);
    }
    report(run, info, &stage, &times, note);
done:
    rcity_tile_matrix_close(run->context, &matrix);
    stage_deinit(&stage);
    return status;
}

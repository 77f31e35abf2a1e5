/* Benchmark lines, cases city and city-layers: which cubes sources see in a made city of boxes, by supercubes; yardsticks: direct
   lines, and those that jump over empty blocks. The three must agree on every cube. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/uniform.h"
#include "bench/bench_data.h"
#include "visibility/cubes/cube_sight.h"

#define SIDE          1024 /* cubes: 2 km at 2 m */
#define LAYERS        24
#define LOT           20 /* cubes from one box to the next: a street of 4 to 8 of them, then the box */
#define SOURCES       8
#define GPU_SOURCES   64
#define FIRST_RANDOM  ((uint64_t)11 << 32)
#define HEIGHT_CUBES  3.0 /* of the lowest box; the highest are five times as high */
#define SOURCE_LAYER  1
#define LAYERS_TARGET 8

typedef struct city_stage {
    rcity_context *context;
    rcity_device *device;
    rcity_device_info device_info;
    rcity_cube_map map;
    rcity_cube_sight *sight;
    int64_t source_count;
    rcity_cube_source sources[GPU_SOURCES];
    size_t word_count;
    uint32_t *words;
    uint32_t *visible[3]; /* supercubes, direct lines, over empty blocks */
    rcity_bench_times times[3];
    int32_t layer_end;
} city_stage;

static const int32_t modes[3] = {RCITY_SUPERCUBES, RCITY_LINES_PLAIN, RCITY_LINES_SKIP};

/* A box in every lot but one of eight, which is a square. */
static void fill_lot(city_stage *stage, int32_t column, int32_t row, uint64_t next)
{
    int32_t street = 4 + (int32_t)(rcity_uniform(next) * 5.0);
    int32_t top = (int32_t)(HEIGHT_CUBES * (1.0 + 4.0 * rcity_uniform(next + 1)));
    if (rcity_uniform(next + 2) < 0.125) {
        return;
    }
    for (int32_t y = row + street; y < row + LOT && y < SIDE; y++) {
        for (int32_t x = column + street; x < column + LOT && x < SIDE; x++) {
            stage->words[rcity_cube_word_index(stage->map, (rcity_cube){x, y, 0})] = ((uint32_t)1 << top) - 1;
        }
    }
}

static void place_sources(city_stage *stage)
{
    for (int64_t i = 0; i < stage->source_count; i++) { /* in streets, and every fourth above the roofs */
        double x = rcity_uniform(FIRST_RANDOM + (1 << 20) + 2 * (uint64_t)i);
        double y = rcity_uniform(FIRST_RANDOM + (1 << 20) + 2 * (uint64_t)i + 1);
        rcity_cube cube = {(int32_t)(x * SIDE / LOT) * LOT + 1, (int32_t)(y * SIDE / LOT) * LOT + 1,
                           i % 4 == 3 ? LAYERS - 1 : SOURCE_LAYER};
        stage->sources[i] = rcity_cube_source_make(cube);
    }
}

static void stage_deinit(city_stage *stage)
{
    for (int i = 0; i < 3; i++) {
        rcity_release(stage->context, stage->visible[i]);
    }
    rcity_cube_sight_close(&stage->sight);
    rcity_release(stage->context, stage->words);
    rcity_device_close(&stage->device);
}

static rcity_status stage_init(const rcity_bench_run_data *run, const rcity_bench_info *info, city_stage *stage)
{
    rcity_context *context = run->context;
    stage->map = (rcity_cube_map){SIDE, SIDE, LAYERS, 1, 0.0f, 0.0f, 0.0f, 2.0f, 2.0f};
    stage->layer_end = strcmp(info->item, "city-layers") == 0 ? LAYERS_TARGET : 1;
    stage->word_count = (size_t)SIDE * SIDE;
    RCITY_TRY(rcity_device_open(context, run->options->device, &stage->device));
    rcity_device_describe(stage->device, &stage->device_info);
    stage->source_count = strcmp(stage->device_info.kind, "gpu") == 0 ? GPU_SOURCES : SOURCES;
    RCITY_TRY(rcity_alloc(context, stage->word_count, sizeof *stage->words, "a map of cubes", &stage->words));
    for (int i = 0; i < 3; i++) {
        RCITY_TRY(rcity_alloc(context, (size_t)stage->source_count * stage->word_count, sizeof *stage->visible[i],
                              "visible cubes", &stage->visible[i]));
    }
    uint64_t next = FIRST_RANDOM;
    for (int32_t row = 0; row < SIDE; row += LOT) {
        for (int32_t column = 0; column < SIDE; column += LOT, next += 3) {
            fill_lot(stage, column, row, next);
        }
    }
    place_sources(stage);
    return rcity_cube_sight_open(context, stage->device, &stage->map, stage->words, &stage->sight);
}

static rcity_status measure(const rcity_bench_run_data *run, city_stage *stage)
{
    for (int repeat = -1; repeat < run->options->repeat_count; repeat++) { /* the first builds kernels */
        for (int i = 0; i < 3; i++) {
            rcity_cube_sight_options options = {modes[i], RCITY_SUPERCUBE_EDGE_DEFAULT};
            double start_s = rcity_clock_s();
            RCITY_TRY(rcity_cube_sight_layers(stage->sight, &options, 0, stage->layer_end, stage->source_count,
                                              stage->sources, stage->visible[i]));
            if (repeat >= 0) {
                rcity_bench_times_add(&stage->times[i], rcity_clock_s() - start_s);
            }
        }
    }
    for (int i = 1; i < 3; i++) {
        RCITY_CHECK(run->context,
                    memcmp(stage->visible[0], stage->visible[i],
                           (size_t)stage->source_count * stage->word_count * sizeof *stage->words) == 0,
                    RCITY_ERR_STATE, "supercubes see other cubes than %s lines", i == 1 ? "direct" : "jumping");
    }
    return RCITY_OK;
}

static void report(const rcity_bench_run_data *run, const rcity_bench_info *info, const city_stage *stage)
{
    char note[300];
    int64_t visible_count = 0;
    for (size_t i = 0; i < (size_t)stage->source_count * stage->word_count; i++) {
        for (uint32_t bits = stage->visible[0][i]; bits != 0; bits &= bits - 1) {
            visible_count++;
        }
    }
    double cubes = (double)stage->source_count * (double)stage->word_count * stage->layer_end;
    rcity_bench_yardstick yardsticks[2] = {
        {"direct lines", 1e-6 * cubes / rcity_bench_times_best(&stage->times[1]), 1.0},
        {"lines over empty blocks", 1e-6 * cubes / rcity_bench_times_best(&stage->times[2]), 1.0}};
    const rcity_bench_yardstick *fastest = &yardsticks[yardsticks[1].value > yardsticks[0].value];
    snprintf(note, sizeof note,
             "%lld sources, %d layers of targets, %.2f %% of their cubes visible; the same as direct lines, cube by "
             "cube; supercubes of %d cubes",
             (long long)stage->source_count, stage->layer_end, 100.0 * (double)visible_count / cubes,
             RCITY_SUPERCUBE_EDGE_DEFAULT);
    rcity_bench_result result = {
        .name = info->name,
        .item = info->item,
        .device = stage->device_info.id,
        .scene = "1024 x 1024 x 24 cubes of 2 m, boxes in blocks of 40 m",
        .thread_count = rcity_context_thread_count(run->context),
        .value = 1e-6 * cubes / rcity_bench_times_best(&stage->times[0]),
        .unit = "M cubes/s",
        .best_s = rcity_bench_times_best(&stage->times[0]),
        .median_s = rcity_bench_times_median(&stage->times[0]),
        .yardstick = fastest->name,
        .yardstick_value = fastest->value,
        .note = note,
        .yardsticks = yardsticks,
        .yardstick_count = 2,
    };
    result.ratio = result.value / result.yardstick_value;
    run->report(run->user, &result);
}

rcity_status rcity_bench_cube_sight(const rcity_bench_run_data *run, const rcity_bench_info *info)
{
    city_stage stage;
    memset(&stage, 0, sizeof stage);
    stage.context = run->context;
    rcity_status status;
    RCITY_TRY_DONE(stage_init(run, info, &stage));
    RCITY_TRY_DONE(measure(run, &stage));
    report(run, info, &stage);
done:
    stage_deinit(&stage);
    return status;
}

/* Losses over hills: ITU-R P.1812 from one transmitter to a million receivers 30 m apart. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/uniform.h"
#include "bench/bench_data.h"
#include "radiocity/io.h"
#include "radiocity/predictor.h"
#include "scene/shapes.h"

#define NODES  1001
#define NODE_M 30.0
#define WAVES  24
#define TX_M   30.0
#define TX_HZ  900e6

/* Hills of waves of all lengths from the whole area down to 300 m, the longer the higher. */
static rcity_status make_hills(rcity_context *context, rcity_scene **scene)
{
    double east[WAVES], north[WAVES], phase[WAVES], height_m[WAVES];
    float *node_m = NULL;
    rcity_scene *made = NULL;
    rcity_scene_options options = rcity_scene_options_default();
    rcity_status status;
    for (int i = 0; i < WAVES; i++) {
        double length_m = 30e3 * pow(0.01, (double)i / (WAVES - 1));
        double angle = 6.283185307179586 * rcity_uniform(3 * (uint64_t)i);
        east[i] = 6.283185307179586 * cos(angle) / length_m;
        north[i] = 6.283185307179586 * sin(angle) / length_m;
        phase[i] = 6.283185307179586 * rcity_uniform(3 * (uint64_t)i + 1);
        height_m[i] = 0.012 * length_m * (0.5 + rcity_uniform(3 * (uint64_t)i + 2));
    }
    RCITY_TRY_DONE(rcity_alloc(context, (size_t)NODES * NODES, sizeof *node_m, "hills", &node_m));
    for (int i = 0; i < NODES * NODES; i++) {
        double sum_m = 1500.0;
        for (int w = 0; w < WAVES; w++) {
            sum_m += height_m[w] * sin(east[w] * NODE_M * (i % NODES) + north[w] * NODE_M * (i / NODES) + phase[w]);
        }
        node_m[i] = (float)sum_m;
    }
    const rcity_terrain terrain = {.column_count = NODES, .row_count = NODES, .cell_m = NODE_M, .height_m = node_m};
    RCITY_TRY_DONE(rcity_scene_create(context, &options, &made));
    RCITY_TRY_DONE(rcity_scene_set_terrain(made, &terrain));
    RCITY_TRY_DONE(rcity_scene_commit(made));
    *scene = made;
    made = NULL;
done:
    rcity_scene_destroy(&made);
    rcity_release(context, node_m);
    return status;
}

/* Predictions with all that was prepared for the first. */
static rcity_status measure(const rcity_bench_run_data *run, rcity_predictor *predictor, int index,
                            rcity_bench_times *times, int64_t *receiver_count)
{
    for (int i = 0; i <= run->options->repeat_count; i++) {
        rcity_map *map = NULL;
        double start_s = rcity_clock_s();
        RCITY_TRY(rcity_predictor_evaluate_raster(predictor, run->context, index, &map));
        if (i > 0) { /* the first has also compiled and prepared */
            rcity_bench_times_add(times, rcity_clock_s() - start_s);
        }
        rcity_raster raster = rcity_map_raster(map);
        *receiver_count = raster.column_count * raster.row_count;
        rcity_map_destroy(&map);
    }
    return RCITY_OK;
}

static void report(const rcity_bench_run_data *run, const rcity_bench_info *info, const rcity_scene *scene,
                   const char *device, const rcity_bench_times *times, int64_t receiver_count)
{
    char note[160];
    snprintf(note, sizeof note, "%lld receivers, loss, sight, diffraction and obstacle of each; %.3g s a map",
             (long long)receiver_count, rcity_bench_times_best(times));
    const char *source = rcity_scene_source(scene);
    rcity_bench_result result = {
        .name = info->name,
        .item = info->item,
        .device = device,
        .scene = source[0] != '\0' ? source : "hills of waves",
        .thread_count = rcity_context_thread_count(run->context),
        .value = 1e-6 * (double)receiver_count / rcity_bench_times_best(times),
        .unit = "M receivers/s",
        .best_s = rcity_bench_times_best(times),
        .median_s = rcity_bench_times_median(times),
        .yardstick = NULL,
        .yardstick_value = (double)NAN,
        .ratio = (double)NAN,
        .note = note,
    };
    run->report(run->user, &result);
}

rcity_status rcity_bench_terrain_p1812(const rcity_bench_run_data *run, const rcity_bench_info *info)
{
    rcity_scene *scene = NULL;
    rcity_device *device = NULL;
    rcity_predictor *predictor = NULL;
    rcity_bench_times times = {.count = 0};
    rcity_device_info described;
    rcity_scene_info described_scene;
    int64_t receiver_count = 0;
    int index = 0;
    rcity_status status;
    if (run->options->scene_path != NULL) {
        RCITY_TRY_DONE(rcity_scene_load(run->context, run->options->scene_path, &scene));
    } else {
        RCITY_TRY_DONE(make_hills(run->context, &scene));
    }
    RCITY_TRY_DONE(rcity_scene_find_info(run->context, scene, &described_scene));
    RCITY_TRY_DONE(rcity_device_open(run->context, run->options->device, &device));
    rcity_device_describe(device, &described);
    rcity_request request = rcity_request_default();
    request.method = rcity_method_choose(&described_scene);
    request.transmitter.x_m = 0.5 * (described_scene.x_min_m + described_scene.x_max_m);
    request.transmitter.y_m = 0.5 * (described_scene.y_min_m + described_scene.y_max_m);
    request.transmitter.height_m = TX_M;
    request.transmitter.frequency_hz = TX_HZ;
    request.receivers.cell_m = NODE_M;
    RCITY_TRY_DONE(rcity_predictor_open(run->context, scene, device, &request, &predictor));
    RCITY_TRY_DONE(rcity_predictor_add_transmitter(predictor, run->context, &request.transmitter, &index));
    RCITY_TRY_DONE(measure(run, predictor, index, &times, &receiver_count));
    report(run, info, scene, described.id, &times, receiver_count);
done:
    rcity_predictor_close(&predictor);
    rcity_device_close(&device);
    rcity_scene_destroy(&scene);
    return status;
}

/* Images: all paths to a hundred street receivers, two reflections and a diffraction; to a few with two diffractions.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/uniform.h"
#include "bench/bench_data.h"
#include "bench/bench_scene.h"
#include "method/images/images.h"
#include "method/method.h"
#include "method/path_receivers.h"

#define RECEIVER_COUNT       100
#define PAIRS_RECEIVER_COUNT 20 /* in the cases with two diffractions */
#define PAIRS_SUFFIX         "_d2"
#define RANGE_M              500.0 /* receivers stand in the square that extends this far from the transmitter */
#define HEIGHT_M             1.5

/* The transmitter of the classic measurements in Munich; in other cities the middle. */
#define MUNICH_X_M   1281.36
#define MUNICH_Y_M   1381.27
#define TX_HEIGHT_M  13.0
#define FREQUENCY_HZ 947e6

typedef struct images_stage {
    rcity_scene *scene;
    rcity_transmitter transmitter;
    rcity_tx tx;
    double xyh_m[3 * RECEIVER_COUNT];
    rcity_request request;
    rcity_job job;
    void *prepared;
    int receiver_count;
    const char *max_diffractions;
} images_stage;

static bool has_pairs(const rcity_bench_info *info)
{
    size_t length = strlen(info->item);
    size_t suffix = strlen(PAIRS_SUFFIX);
    return length > suffix && strcmp(info->item + length - suffix, PAIRS_SUFFIX) == 0;
}

/* Receivers outside buildings. */
static rcity_status place_receivers(rcity_context *context, images_stage *stage)
{
    uint64_t next = 0;
    for (int i = 0; i < stage->receiver_count;) {
        double x = stage->transmitter.x_m + RANGE_M * (2.0 * rcity_uniform(next++) - 1.0);
        double y = stage->transmitter.y_m + RANGE_M * (2.0 * rcity_uniform(next++) - 1.0);
        rcity_cover cover;
        RCITY_TRY(rcity_scene_get_cover(context, stage->scene, x, y, &cover));
        if (!cover.is_covered) {
            stage->xyh_m[3 * i] = x;
            stage->xyh_m[3 * i + 1] = y;
            stage->xyh_m[3 * i++ + 2] = HEIGHT_M;
        }
    }
    return RCITY_OK;
}

/* A place outside buildings near the middle of the scene, or Munich's. */
static rcity_status place_transmitter(const rcity_bench_run_data *run, const rcity_bench_info *info,
                                      images_stage *stage)
{
    stage->transmitter = rcity_transmitter_default();
    stage->transmitter.frequency_hz = FREQUENCY_HZ;
    stage->transmitter.height_m = TX_HEIGHT_M;
    stage->transmitter.x_m = MUNICH_X_M;
    stage->transmitter.y_m = MUNICH_Y_M;
    if (run->options->scene_path == NULL && strncmp(info->item, "munich", strlen("munich")) == 0) {
        return RCITY_OK;
    }
    const rcity_shapes *shapes = rcity_scene_shapes(stage->scene);
    double middle_x = shapes->origin_x_m + 0.5 * ((double)shapes->x_min + shapes->x_max) / shapes->units_per_m;
    double middle_y = shapes->origin_y_m + 0.5 * ((double)shapes->y_min + shapes->y_max) / shapes->units_per_m;
    rcity_cover cover = {true, 0, 0.0};
    for (uint64_t i = 1000; cover.is_covered; i += 2) {
        stage->transmitter.x_m = middle_x + 100.0 * (rcity_uniform(i) - 0.5);
        stage->transmitter.y_m = middle_y + 100.0 * (rcity_uniform(i + 1) - 0.5);
        RCITY_TRY(
            rcity_scene_get_cover(run->context, stage->scene, stage->transmitter.x_m, stage->transmitter.y_m, &cover));
    }
    return RCITY_OK;
}

static rcity_status open_job(rcity_context *context, images_stage *stage)
{
    stage->request = rcity_request_default();
    stage->request.receivers.point_count = stage->receiver_count;
    stage->request.receivers.xyh_m = stage->xyh_m;
    static const char *const name = "max-diffractions";
    stage->request.option_count = 1;
    stage->request.option_name = &name;
    stage->request.option_value = &stage->max_diffractions;
    stage->tx.stated = stage->transmitter;
    RCITY_TRY(rcity_transmitter_locate(context, stage->scene, &stage->transmitter, &stage->tx.position));
    rcity_job *job = &stage->job;
    job->context = context;
    job->scene = stage->scene;
    job->shapes = rcity_scene_shapes(stage->scene);
    job->receivers = &stage->request.receivers;
    job->method = &rcity_images_method;
    RCITY_TRY(rcity_method_read_options(job, stage->request.option_count, stage->request.option_name,
                                        stage->request.option_value));
    return job->method->prepare(job, &stage->prepared);
}

/* One run: the transmitter's beams, then every receiver. */
static rcity_status run_once(images_stage *stage, int64_t *path_count)
{
    rcity_job *job = &stage->job;
    void *trace = NULL;
    rcity_rays *rays = NULL;
    rcity_status status;
    RCITY_TRY(job->method->trace(job, stage->prepared, NULL, 1, &stage->tx, &trace));
    RCITY_TRY_DONE(rcity_path_receivers_open_points(job, &stage->tx, &rays));
    RCITY_TRY_DONE(job->method->find_paths(job, stage->prepared, trace, &stage->tx, rays));
    RCITY_TRY_DONE(rcity_rays_finish(rays));
    *path_count = rcity_rays_path_count(rays);
done:
    rcity_rays_destroy(&rays);
    job->method->release_trace(job->context, trace);
    return status;
}

rcity_status rcity_bench_images(const rcity_bench_run_data *run, const rcity_bench_info *info)
{
    images_stage stage;
    memset(&stage, 0, sizeof stage);
    rcity_bench_times times = {{0.0}, 0};
    int64_t path_count = 0;
    rcity_status status;
    stage.receiver_count = has_pairs(info) ? PAIRS_RECEIVER_COUNT : RECEIVER_COUNT;
    stage.max_diffractions = has_pairs(info) ? "2" : "1";
    RCITY_TRY(rcity_bench_open_scene(run, info, &stage.scene));
    if (stage.scene == NULL) {
        return RCITY_OK;
    }
    RCITY_TRY_DONE(place_transmitter(run, info, &stage));
    RCITY_TRY_DONE(place_receivers(run->context, &stage));
    RCITY_TRY_DONE(open_job(run->context, &stage));
    for (int i = 0; i < run->options->repeat_count; i++) {
        double start_s = rcity_clock_s();
        RCITY_TRY_DONE(run_once(&stage, &path_count));
        rcity_bench_times_add(&times, rcity_clock_s() - start_s);
    }
    char note[160];
    snprintf(note, sizeof note, "%d receivers, %lld paths of 2 reflections and %s at most, %.0f paths/s",
             stage.receiver_count, (long long)path_count, has_pairs(info) ? "2 diffractions" : "1 diffraction",
             (double)path_count / rcity_bench_times_best(&times));
    rcity_bench_result result = {
        .name = info->name,
        .item = info->item,
        .device = "host",
        .scene = rcity_scene_source(stage.scene),
        .thread_count = rcity_context_thread_count(run->context),
        .value = stage.receiver_count / rcity_bench_times_best(&times),
        .unit = "receivers/s",
        .best_s = rcity_bench_times_best(&times),
        .median_s = rcity_bench_times_median(&times),
        .yardstick = NULL,
        .yardstick_value = (double)NAN,
        .ratio = (double)NAN,
        .note = note,
    };
    run->report(run->user, &result);
done:
    if (stage.prepared != NULL) {
        stage.job.method->release_prepared(run->context, stage.prepared);
    }
    rcity_scene_destroy(&stage.scene);
    return status;
}

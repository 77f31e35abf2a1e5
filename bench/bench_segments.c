/* Segments: random lines of sight in a city, on the chosen device, compared with Embree on the same lines. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/parallel.h"
#include "base/uniform.h"
#include "bench/bench_scene.h"
#include "bench/embree.h"
#include "scene/place/terrain.h"
#include "visibility/sight_batch.h"

#define LENGTH_MAX_M        300.0
#define LOW_END_M           1.5 /* above ground; the other end lies between this and the next height */
#define HIGH_END_M          30.0
#define SEGMENT_COUNT_HOST  ((int64_t)1 << 22)
#define SEGMENT_COUNT_GPU   ((int64_t)1 << 25)
#define SEGMENT_COUNT_SMALL ((int64_t)1 << 16) /* in a scene smaller than SMALL_KM2: a trial */
#define SMALL_KM2           1.0
#define SKY                 ((int32_t)1200000) /* height units; above everything */

/* The data of one case. */
typedef struct segment_stage {
    rcity_context *context;
    rcity_scene *scene;
    const rcity_shapes *shapes;
    rcity_sight *sight;
    rcity_device *device;
    rcity_device_info device_info;
    rcity_sight_batch *batch;
    rcity_embree *embree;
    int query_count; /* kinds of query of Embree; 0 without it */
    rcity_embree_query query[RCITY_EMBREE_QUERY_MAX];
    int64_t same_count[RCITY_EMBREE_QUERY_MAX]; /* Embree's answers equal to ours */
    int64_t count;
    rcity_sight_segment *segments;
    uint8_t *is_free, *embree_is_free;
} segment_stage;

/* A point above ground outside buildings. */
static bool place_end(const segment_stage *stage, double x, double y, double height_m, rcity_grid_point3 *end)
{
    const rcity_shapes *shapes = stage->shapes;
    if (x < shapes->x_min || x > shapes->x_max || y < shapes->y_min || y > shapes->y_max) {
        return false;
    }
    end->x = (int32_t)lround(x);
    end->y = (int32_t)lround(y);
    double ground = rcity_terrain_height(&shapes->terrain, end->x, end->y);
    rcity_grid_point3 foot = {end->x, end->y, (int32_t)ceil(ground)};
    rcity_grid_point3 sky = {end->x, end->y, SKY};
    end->z = (int32_t)ceil(ground + height_m * RCITY_HEIGHT_UNITS_PER_M);
    return rcity_sight_is_free(stage->sight, foot, sky);
}

/* An rcity_parallel_function: segments with both ends outside buildings, up to LENGTH_MAX_M long in plan. */
static void draw_segments(void *user, int64_t begin, int64_t end, int thread_index)
{
    segment_stage *stage = user;
    const rcity_shapes *shapes = stage->shapes;
    (void)thread_index;
    for (int64_t i = begin; i < end; i++) {
        rcity_grid_point3 a;
        rcity_grid_point3 b;
        uint64_t next = (uint64_t)i << 20;
        bool is_placed = false;
        while (!is_placed) {
            double x = shapes->x_min + rcity_uniform(next) * ((double)shapes->x_max - shapes->x_min);
            double y = shapes->y_min + rcity_uniform(next + 1) * ((double)shapes->y_max - shapes->y_min);
            double angle = rcity_uniform(next + 2) * 2.0 * 3.14159265358979323846;
            double length = rcity_uniform(next + 3) * LENGTH_MAX_M * shapes->units_per_m;
            double height_m = LOW_END_M + rcity_uniform(next + 4) * (HIGH_END_M - LOW_END_M);
            is_placed = place_end(stage, x, y, LOW_END_M, &a) &&
                        place_end(stage, x + length * cos(angle), y + length * sin(angle), height_m, &b);
            next += 5;
        }
        rcity_sight_segment segment = {a.x, a.y, a.z, b.x, b.y, b.z};
        stage->segments[i] = segment;
    }
}

static void stage_deinit(segment_stage *stage)
{
    rcity_context *context = stage->context;
    rcity_embree_destroy(context, &stage->embree);
    rcity_sight_batch_close(&stage->batch);
    rcity_device_close(&stage->device);
    rcity_sight_destroy(context, &stage->sight);
    rcity_release(context, stage->embree_is_free);
    rcity_release(context, stage->is_free);
    rcity_release(context, stage->segments);
    rcity_scene_destroy(&stage->scene);
}

static rcity_status stage_init(const rcity_bench_run_data *run, const rcity_bench_info *info, segment_stage *stage)
{
    RCITY_TRY(rcity_bench_open_scene(run, info, &stage->scene));
    if (stage->scene == NULL) {
        return RCITY_OK;
    }
    stage->shapes = rcity_scene_shapes(stage->scene);
    RCITY_TRY(rcity_sight_create(run->context, stage->shapes, &stage->sight));
    RCITY_TRY(rcity_device_open(run->context, run->options->device, &stage->device));
    rcity_device_describe(stage->device, &stage->device_info);
    RCITY_TRY(rcity_sight_batch_open(run->context, stage->device, stage->sight, NULL, &stage->batch));
    rcity_scene_info scene_info;
    RCITY_TRY(rcity_scene_describe(stage->scene, &scene_info));
    stage->count = strcmp(stage->device_info.kind, "gpu") == 0 ? SEGMENT_COUNT_GPU : SEGMENT_COUNT_HOST;
    stage->count = scene_info.area_km2 < SMALL_KM2 ? SEGMENT_COUNT_SMALL : stage->count;
    RCITY_TRY(rcity_alloc(run->context, (size_t)stage->count, sizeof *stage->segments, "segments", &stage->segments));
    RCITY_TRY(rcity_alloc(run->context, (size_t)stage->count, sizeof *stage->is_free, "segments", &stage->is_free));
    RCITY_TRY(rcity_alloc(run->context, (size_t)stage->count, sizeof *stage->embree_is_free, "segments",
                          &stage->embree_is_free));
    rcity_parallel(run->context, stage->count, 4096, draw_segments, stage);
    if (rcity_embree_name() != NULL) {
        RCITY_TRY(rcity_embree_create(run->context, stage->shapes, &stage->embree));
        while (stage->query_count < RCITY_EMBREE_QUERY_MAX &&
               rcity_embree_get_query(stage->query_count, &stage->query[stage->query_count])) {
            stage->query_count++;
        }
    }
    return RCITY_OK;
}

/* Times of one case. */
typedef struct segment_times {
    rcity_bench_times whole, kernel, query[RCITY_EMBREE_QUERY_MAX];
} segment_times;

/* Run all kinds of query of Embree, and count the answers equal to ours. */
static void measure_embree(segment_stage *stage, segment_times *times)
{
    for (int i = 0; i < stage->query_count; i++) {
        double start_s = rcity_clock_s();
        rcity_embree_test(stage->context, stage->embree, &stage->query[i], stage->count, stage->segments,
                          stage->embree_is_free);
        rcity_bench_times_add(&times->query[i], rcity_clock_s() - start_s);
        stage->same_count[i] = 0;
        for (int64_t j = 0; j < stage->count; j++) {
            stage->same_count[i] += stage->is_free[j] == stage->embree_is_free[j];
        }
    }
}

static rcity_status measure(const rcity_bench_run_data *run, segment_stage *stage, segment_times *times)
{
    RCITY_TRY(rcity_sight_batch_test(stage->batch, stage->count, stage->segments, stage->is_free)); /* builds kernels */
    for (int i = 0; i < run->options->repeat_count; i++) {
        rcity_device_times before;
        rcity_device_times after;
        rcity_device_get_times(stage->device, &before);
        double start_s = rcity_clock_s();
        RCITY_TRY(rcity_sight_batch_test(stage->batch, stage->count, stage->segments, stage->is_free));
        rcity_bench_times_add(&times->whole, rcity_clock_s() - start_s);
        rcity_device_get_times(stage->device, &after);
        rcity_bench_times_add(&times->kernel, after.kernel_s - before.kernel_s);
        measure_embree(stage, times);
    }
    return RCITY_OK;
}

/* Lower limit of a segment: bytes in and out, and the bytes that its traversal reads on average. */
static void describe(const segment_stage *stage, const rcity_bench_times *times, char *note, size_t note_bytes)
{
    int64_t free_count = 0;
    for (int64_t i = 0; i < stage->count; i++) {
        free_count += stage->is_free[i];
    }
    rcity_sight_effort effort =
        rcity_sight_count_effort(stage->sight, stage->segments, stage->count < 100000 ? stage->count : 100000);
    int used = snprintf(note, note_bytes,
                        "%lld segments, %.1f %% free, %.1f %% decided by probes, %lld tested exactly; a segment: %zu "
                        "bytes in, 1 out, %.1f cells, %.1f walls",
                        (long long)stage->count, 100.0 * (double)free_count / (double)stage->count,
                        100.0 * effort.probed_fraction, (long long)rcity_sight_batch_close_count(stage->batch),
                        sizeof stage->segments[0], effort.cells_per_segment, effort.walls_per_segment);
    double bytes = (double)stage->count * (double)(sizeof stage->segments[0] + 1);
    used +=
        snprintf(note + used, note_bytes - (size_t)used, "; %.3g GB/s", 1e-9 * bytes / rcity_bench_times_best(times));
    if (stage->embree != NULL) {
        snprintf(note + used, note_bytes - (size_t)used, "; %.6f agree with %s (%lld triangles)",
                 (double)stage->same_count[0] / (double)stage->count, rcity_embree_name(),
                 (long long)rcity_embree_triangle_count(stage->embree));
    }
}

/* The rate of Embree for each kind of query. @return the fastest, NAN without Embree. */
static double find_yardsticks(const segment_stage *stage, const segment_times *times,
                              rcity_bench_yardstick yardsticks[RCITY_EMBREE_QUERY_MAX])
{
    double fastest = (double)NAN;
    for (int i = 0; i < stage->query_count; i++) {
        yardsticks[i].name = stage->query[i].name;
        yardsticks[i].value = 1e-6 * (double)stage->count / rcity_bench_times_best(&times->query[i]);
        yardsticks[i].agreement = (double)stage->same_count[i] / (double)stage->count;
        fastest = fmax(fastest, yardsticks[i].value); /* fmax ignores NAN */
    }
    return fastest;
}

static void report(const rcity_bench_run_data *run, const rcity_bench_info *info, const segment_stage *stage,
                   const char *unit, const rcity_bench_times *own, const segment_times *times)
{
    rcity_bench_yardstick yardsticks[RCITY_EMBREE_QUERY_MAX];
    char scene[300] = "unknown";
    char note[400];
    rcity_scene_info scene_info;
    if (rcity_scene_describe(stage->scene, &scene_info) == RCITY_OK) {
        snprintf(scene, sizeof scene, "%s", scene_info.source);
    }
    describe(stage, own, note, sizeof note);
    rcity_bench_result result;
    memset(&result, 0, sizeof result);
    result.name = info->name;
    result.item = info->item;
    result.device = stage->device_info.id;
    result.scene = scene;
    result.thread_count = rcity_context_thread_count(run->context);
    result.best_s = rcity_bench_times_best(own);
    result.median_s = rcity_bench_times_median(own);
    result.value = 1e-6 * (double)stage->count / result.best_s;
    result.unit = unit;
    result.yardstick = rcity_embree_name();
    result.yardstick_value = find_yardsticks(stage, times, yardsticks);
    result.ratio = result.value / result.yardstick_value;
    result.note = note;
    result.yardsticks = stage->query_count > 0 ? yardsticks : NULL;
    result.yardstick_count = stage->query_count;
    run->report(run->user, &result);
}

rcity_status rcity_bench_segments(const rcity_bench_run_data *run, const rcity_bench_info *info)
{
    segment_stage stage;
    segment_times times;
    memset(&stage, 0, sizeof stage);
    memset(&times, 0, sizeof times);
    stage.context = run->context;
    rcity_status status = stage_init(run, info, &stage);
    if (status != RCITY_OK || stage.scene == NULL) {
        goto done;
    }
    RCITY_TRY_DONE(measure(run, &stage, &times));
    report(run, info, &stage, "Msegments/s", &times.whole, &times);
    if (strcmp(stage.device_info.kind, "host") != 0) { /* without copies in both directions */
        report(run, info, &stage, "Msegments/s kernel", &times.kernel, &times);
    }
done:
    stage_deinit(&stage);
    return status;
}

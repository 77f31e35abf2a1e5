/* Time of `images`, which finds paths to one receiver after the other, beside that of `tiles`, which computes the field
   on all tiles at once: figure 11 of J. S. Lu et al. 2019. Both have the same interactions, but for one: over terrain
   `images` has the ground only in paths straight from antenna to antenna. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/bench_scene.h"
#include "method/images/images.h"
#include "method/method.h"
#include "method/tiles/tiles.h"
#include "result/surfaces_data.h"
#include "scene/scene_data.h"

#define FREQUENCY_HZ   850e6
#define TX_HEIGHT_M    10.0
#define RX_HEIGHT_M    1.5
#define AREA_KM2       0.23 /* some 5,100 tiles of 100 m2 */
#define RECEIVER_COUNT 5100
#define STEP_COUNT     5
#define STEP_MAX_S     120.0 /* the time of a step that would take longer is estimated from the step before */
#define REPEAT_MAX_S   10.0  /* what takes longer runs once */
#define ORDER_BYTES    12

static const int steps[STEP_COUNT] = {1, 10, 100, 1000, RECEIVER_COUNT};

/* A city, a transmitter and receivers in its streets. */
typedef struct comparison {
    rcity_context *context;
    rcity_scene *scene;
    rcity_device *device;
    rcity_device_info device_info;
    rcity_receivers receivers;
    rcity_job job;
    rcity_tx tx;
    char bounces[ORDER_BYTES], fewer[ORDER_BYTES]; /* N and N - 1 */
    double *xyh_m;                                 /* of receivers */
    float *loss_db, *received_dbm;                 /* at receivers */
    int64_t tile_count;
} comparison;

static void comparison_deinit(comparison *c)
{
    rcity_release(c->context, c->received_dbm);
    rcity_release(c->context, c->loss_db);
    rcity_release(c->context, c->xyh_m);
    rcity_device_close(&c->device);
    rcity_scene_destroy(&c->scene);
}

static rcity_status place_ends(comparison *c)
{
    const rcity_shapes *shapes = rcity_scene_shapes(c->scene);
    double side_m = fmin((double)shapes->x_max - shapes->x_min, (double)shapes->y_max - shapes->y_min) /
                    (double)shapes->units_per_m;
    double reach_m = 0.45 * side_m;
    uint64_t next = 1000;
    rcity_transmitter *transmitter = &c->tx.stated;
    *transmitter = rcity_transmitter_default();
    transmitter->frequency_hz = FREQUENCY_HZ;
    transmitter->height_m = TX_HEIGHT_M;
    RCITY_TRY(rcity_bench_find_open_place(c->context, c->scene, fmin(50.0, reach_m), &next, &transmitter->x_m,
                                          &transmitter->y_m));
    for (int i = 0; i < RECEIVER_COUNT; i++) {
        RCITY_TRY(
            rcity_bench_find_open_place(c->context, c->scene, reach_m, &next, &c->xyh_m[3 * i], &c->xyh_m[3 * i + 1]));
        c->xyh_m[3 * i + 2] = RX_HEIGHT_M;
    }
    return rcity_transmitter_locate(c->context, c->scene, transmitter, &c->tx.position);
}

static rcity_status comparison_init(const rcity_bench_run_data *run, const rcity_bench_info *info, comparison *c)
{
    int bounces = atoi(info->item + strlen("images-"));
    c->context = run->context;
    snprintf(c->bounces, sizeof c->bounces, "%d", bounces);
    snprintf(c->fewer, sizeof c->fewer, "%d", bounces - 1);
    RCITY_TRY(rcity_bench_open_towers(run, AREA_KM2, &c->scene));
    RCITY_TRY(rcity_device_open(c->context, run->options->device, &c->device));
    rcity_device_describe(c->device, &c->device_info);
    RCITY_TRY(rcity_alloc(c->context, (size_t)3 * RECEIVER_COUNT, sizeof *c->xyh_m, "receivers", &c->xyh_m));
    RCITY_TRY(rcity_alloc(c->context, RECEIVER_COUNT, sizeof *c->loss_db, "receivers", &c->loss_db));
    RCITY_TRY(rcity_alloc(c->context, RECEIVER_COUNT, sizeof *c->received_dbm, "receivers", &c->received_dbm));
    return place_ends(c);
}

/* A method with these numbers of interactions; `tiles` counts them together too. Receivers: so many, or all tiles. */
static rcity_status open_job(comparison *c, const rcity_method *method, const char *reflections,
                             const char *diffractions, int receiver_count)
{
    const char *const names[] = {"max-reflections", "max-diffractions", "over-roofs", "scattering", "max-bounces"};
    const char *const values[] = {reflections, diffractions, "off", "off", c->bounces};
    int option_count = (int)(sizeof names / sizeof names[0]);
    c->receivers = rcity_receivers_default();
    c->receivers.on_surfaces = receiver_count == 0;
    c->receivers.point_count = receiver_count;
    c->receivers.xyh_m = receiver_count > 0 ? c->xyh_m : NULL;
    c->job = (rcity_job){.context = c->context,
                         .scene = c->scene,
                         .shapes = rcity_scene_shapes(c->scene),
                         .device = c->device,
                         .method = method,
                         .receivers = &c->receivers,
                         .is_quiet = true};
    return rcity_method_read_options(&c->job, method == &rcity_tiles_method ? option_count : option_count - 1, names,
                                     values);
}

static rcity_status evaluate(comparison *c, const void *prepared, const void *trace)
{
    const rcity_job *job = &c->job;
    if (!c->receivers.on_surfaces) {
        rcity_point_levels levels = {.loss_db = c->loss_db, .received_dbm = c->received_dbm};
        return job->method->evaluate_points(job, prepared, trace, &c->tx, &levels);
    }
    rcity_surfaces *surfaces = NULL;
    RCITY_TRY(job->method->evaluate_surfaces(job, prepared, trace, &c->tx, &surfaces));
    c->tile_count = rcity_surfaces_tile_count(surfaces);
    rcity_surfaces_destroy(&surfaces);
    return RCITY_OK;
}

/* What one transmitter takes; what belongs to the city and the receivers is prepared before. */
static rcity_status time_job(comparison *c, int repeat_count, rcity_bench_times *times)
{
    const rcity_method *method = c->job.method;
    void *prepared = NULL;
    void *trace = NULL;
    rcity_status status;
    times->count = 0;
    RCITY_TRY_DONE(method->prepare(&c->job, &prepared));
    for (int i = 0; i < repeat_count && (i == 0 || times->seconds[0] < REPEAT_MAX_S); i++) {
        double start_s = rcity_clock_s();
        RCITY_TRY_DONE(method->trace(&c->job, prepared, NULL, 1, &c->tx, &trace));
        RCITY_TRY_DONE(evaluate(c, prepared, trace));
        rcity_bench_times_add(times, rcity_clock_s() - start_s);
        method->release_trace(c->context, trace);
        trace = NULL;
    }
done:
    if (trace != NULL) {
        method->release_trace(c->context, trace);
    }
    if (prepared != NULL) {
        method->release_prepared(c->context, prepared);
    }
    return status;
}

/* `images` limits each kind of interaction, not their sum. At most N of both with at most one diffraction are those of
   two runs: N - 1 reflections and a diffraction, and N reflections. Paths of at most N - 1 reflections are in both;
   one run with N reflections and a diffraction has paths of N + 1 and takes longer. */
static rcity_status time_images(comparison *c, int receiver_count, int repeat_count, double *best_s)
{
    rcity_bench_times times;
    RCITY_TRY(open_job(c, &rcity_images_method, c->fewer, "1", receiver_count));
    RCITY_TRY(time_job(c, repeat_count, &times));
    *best_s = rcity_bench_times_best(&times);
    RCITY_TRY(open_job(c, &rcity_images_method, c->bounces, "0", receiver_count));
    RCITY_TRY(time_job(c, repeat_count, &times));
    *best_s += rcity_bench_times_best(&times);
    return RCITY_OK;
}

/* `images` for more and more receivers, appended to the note. `best_s` is the time of all of them. */
static rcity_status time_steps(comparison *c, int repeat_count, char *note, size_t note_bytes, double *best_s)
{
    size_t used = strlen(note);
    for (int i = 0; i < STEP_COUNT; i++) {
        double guess_s = i == 0 ? 0.0 : *best_s * steps[i] / steps[i - 1];
        bool is_estimated = guess_s > STEP_MAX_S;
        if (is_estimated) {
            *best_s = guess_s;
        } else {
            RCITY_TRY(time_images(c, steps[i], repeat_count, best_s));
        }
        if (used < note_bytes) {
            used += (size_t)snprintf(note + used, note_bytes - used, "%s %d: %.3g s%s", i > 0 ? "," : "", steps[i],
                                     *best_s, is_estimated ? " (estimated)" : "");
        }
    }
    return RCITY_OK;
}

static void report(const rcity_bench_run_data *run, const rcity_bench_info *info, const comparison *c,
                   const rcity_bench_times *times, double images_s, const char *note)
{
    double tiles_s = rcity_bench_times_best(times);
    rcity_bench_result result = {
        .name = info->name,
        .item = info->item,
        .device = c->device_info.id,
        .scene = rcity_scene_source(c->scene),
        .thread_count = rcity_context_thread_count(run->context),
        .value = (double)c->tile_count / tiles_s,
        .unit = "tiles/s",
        .best_s = tiles_s,
        .median_s = rcity_bench_times_median(times),
        .yardstick = rcity_images_method.info.name,
        .yardstick_value = RECEIVER_COUNT / images_s,
        .ratio = (double)c->tile_count / tiles_s * images_s / RECEIVER_COUNT,
        .note = note,
    };
    run->report(run->user, &result);
}

rcity_status rcity_bench_against_images(const rcity_bench_run_data *run, const rcity_bench_info *info)
{
    comparison c;
    memset(&c, 0, sizeof c);
    rcity_bench_times times = {{0.0}, 0};
    char note[600];
    double images_s = 0.0;
    int repeat_count = run->options->repeat_count;
    rcity_status status;
    RCITY_TRY_DONE(comparison_init(run, info, &c));
    RCITY_TRY_DONE(open_job(&c, &rcity_tiles_method, c.bounces, "1", 0));
    RCITY_TRY_DONE(time_job(&c, repeat_count, &times));
    snprintf(note, sizeof note,
             "%lld tiles in %.3g s with the matrix at hand; the yardstick, as R%s D1 and R%s D0, to receivers in "
             "streets,",
             (long long)c.tile_count, rcity_bench_times_best(&times), c.fewer, c.bounces);
    RCITY_TRY_DONE(time_steps(&c, repeat_count, note, sizeof note, &images_s));
    report(run, info, &c, &times, images_s, note);
done:
    comparison_deinit(&c);
    return status;
}

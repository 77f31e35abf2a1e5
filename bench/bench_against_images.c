/* Time of `images`, place by place, beside that of `tiles` for all places at once: figure 11 of J. S. Lu et al. 2019. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/uniform.h"
#include "bench/bench_data.h"
#include "method/images/images.h"
#include "method/tiles/tiles.h"
#include "radiocity/city.h"
#include "radiocity/map.h"
#include "radiocity/predictor.h"
#include "scene/shapes.h"

#define FREQUENCY_HZ 850e6
#define TX_HEIGHT_M  10.0
#define AREA_KM2     0.23 /* some 5,100 tiles of 100 m2 */
#define PLACE_COUNT  5100
#define STEP_COUNT   5
#define STEP_MAX_S   120.0 /* a step that would take longer is told from the one before */
#define OPTION_COUNT 5

static const int steps[STEP_COUNT] = {1, 10, 100, 1000, PLACE_COUNT};

typedef struct contest {
    rcity_context *context;
    rcity_scene *scene;
    rcity_device *device;
    rcity_request request;
    const char *name[OPTION_COUNT], *value[OPTION_COUNT];
    double *xyh_m;  /* of places */
    float *loss_db; /* of places */
    double tiles_s;
    int64_t tile_count;
} contest;

static void contest_deinit(contest *c)
{
    rcity_release(c->context, c->loss_db);
    rcity_release(c->context, c->xyh_m);
    rcity_device_close(&c->device);
    rcity_scene_destroy(&c->scene);
}

static void ask(contest *c, const rcity_method *method, const char *bounces)
{
    const char *const names[OPTION_COUNT] = {"max-reflections", "max-diffractions", "over-roofs", "scattering",
                                             "max-bounces"};
    const char *const values[OPTION_COUNT] = {bounces, "1", "off", "off", bounces};
    memcpy(c->name, names, sizeof names);
    memcpy(c->value, values, sizeof values);
    c->request.method = method->info.name;
    c->request.option_count = method == &rcity_tiles_method ? OPTION_COUNT : OPTION_COUNT - 1;
    c->request.option_name = c->name;
    c->request.option_value = c->value;
}

/* A place in a street, as near to the middle as asked for. */
static rcity_status find_street(contest *c, double reach_m, uint64_t *next, double *x_m, double *y_m)
{
    double middle_m = 0.5e3 * sqrt(AREA_KM2);
    rcity_cover cover = {true, 0, 0.0};
    while (cover.is_covered) {
        *x_m = middle_m + reach_m * (2.0 * rcity_uniform((*next)++) - 1.0);
        *y_m = middle_m + reach_m * (2.0 * rcity_uniform((*next)++) - 1.0);
        RCITY_TRY(rcity_scene_get_cover(c->context, c->scene, *x_m, *y_m, &cover));
    }
    return RCITY_OK;
}

static rcity_status contest_init(const rcity_bench_run_data *run, contest *c)
{
    rcity_city_options city = rcity_city_options_default();
    uint64_t next = 1000;
    c->context = run->context;
    city.kind = RCITY_CITY_HIGHRISE;
    city.area_km2 = fmin(AREA_KM2, run->options->area_km2);
    RCITY_TRY(rcity_city_make(c->context, &city, &c->scene));
    RCITY_TRY(rcity_device_open(c->context, run->options->device, &c->device));
    RCITY_TRY(rcity_alloc(c->context, (size_t)3 * PLACE_COUNT, sizeof *c->xyh_m, "places", &c->xyh_m));
    RCITY_TRY(rcity_alloc(c->context, PLACE_COUNT, sizeof *c->loss_db, "places", &c->loss_db));
    c->request = rcity_request_default();
    c->request.transmitter.frequency_hz = FREQUENCY_HZ;
    c->request.transmitter.height_m = TX_HEIGHT_M;
    double reach_m = 0.45e3 * sqrt(city.area_km2);
    RCITY_TRY(find_street(c, fmin(50.0, reach_m), &next, &c->request.transmitter.x_m, &c->request.transmitter.y_m));
    for (int i = 0; i < PLACE_COUNT; i++) {
        RCITY_TRY(find_street(c, reach_m, &next, &c->xyh_m[3 * i], &c->xyh_m[3 * i + 1]));
        c->xyh_m[3 * i + 2] = 1.5;
    }
    return RCITY_OK;
}

/* All tiles at once, with the matrix at hand, as for the next transmitter. */
static rcity_status time_tiles(contest *c, const char *bounces)
{
    rcity_predictor *predictor = NULL;
    rcity_status status;
    int transmitter = 0;
    ask(c, &rcity_tiles_method, bounces);
    c->request.receivers.on_surfaces = true;
    RCITY_TRY_DONE(rcity_predictor_open(c->context, c->scene, c->device, &c->request, &predictor));
    RCITY_TRY_DONE(rcity_predictor_add_transmitter(predictor, c->context, &c->request.transmitter, &transmitter));
    RCITY_TRY_DONE(rcity_predictor_trace(predictor, c->context));
    for (int round = 0; round < 2; round++) {
        rcity_surfaces *surfaces = NULL;
        double start_s = rcity_clock_s();
        RCITY_TRY_DONE(rcity_predictor_evaluate_surfaces(predictor, c->context, transmitter, &surfaces));
        c->tiles_s = rcity_clock_s() - start_s;
        c->tile_count = rcity_surfaces_tile_count(surfaces);
        rcity_surfaces_destroy(&surfaces);
    }
done:
    c->request.receivers.on_surfaces = false;
    rcity_predictor_close(&predictor);
    return status;
}

static rcity_status time_images(contest *c, const char *bounces, int count, double *seconds)
{
    double start_s = rcity_clock_s();
    ask(c, &rcity_images_method, bounces);
    c->request.receivers.point_count = count;
    c->request.receivers.xyh_m = c->xyh_m;
    RCITY_TRY(rcity_predict_points(c->context, c->scene, c->device, &c->request, c->loss_db, NULL));
    *seconds = rcity_clock_s() - start_s;
    return RCITY_OK;
}

static void report(const rcity_bench_run_data *run, const rcity_bench_info *info, const contest *c, double images_s,
                   const char *note)
{
    rcity_device_info device_info;
    rcity_device_describe(c->device, &device_info);
    rcity_bench_result result = {
        .name = info->name,
        .item = info->item,
        .device = device_info.id,
        .scene = rcity_scene_source(c->scene),
        .thread_count = rcity_context_thread_count(run->context),
        .value = (double)c->tile_count / c->tiles_s,
        .unit = "tiles/s",
        .best_s = c->tiles_s,
        .median_s = c->tiles_s,
        .yardstick = rcity_images_method.info.name,
        .yardstick_value = PLACE_COUNT / images_s,
        .ratio = images_s / PLACE_COUNT * (double)c->tile_count / c->tiles_s,
        .note = note,
    };
    run->report(run->user, &result);
}

rcity_status rcity_bench_against_images(const rcity_bench_run_data *run, const rcity_bench_info *info)
{
    contest c;
    memset(&c, 0, sizeof c);
    char note[400];
    int used = 0;
    double images_s = 0.0;
    const char *bounces = info->item + strlen("images-");
    rcity_status status;
    RCITY_TRY_DONE(contest_init(run, &c));
    RCITY_TRY_DONE(time_tiles(&c, bounces));
    used = snprintf(note, sizeof note, "%lld tiles in %.3g s with the matrix at hand; the yardstick to",
                    (long long)c.tile_count, c.tiles_s);
    for (int i = 0; i < STEP_COUNT && used < (int)sizeof note; i++) {
        double guess_s = i == 0 ? 0.0 : images_s * steps[i] / steps[i - 1];
        bool is_told = guess_s > STEP_MAX_S;
        if (is_told) {
            images_s = guess_s;
        } else {
            RCITY_TRY_DONE(time_images(&c, bounces, steps[i], &images_s));
        }
        used += snprintf(note + used, sizeof note - (size_t)used, "%s %d: %.3g s%s", i > 0 ? "," : "", steps[i],
                         images_s, is_told ? " (told)" : "");
    }
    report(run, info, &c, images_s, note);
done:
    contest_deinit(&c);
    return status;
}

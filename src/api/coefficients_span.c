#include "api/coefficients_span.h"

#include <math.h>

#include "base/abi.h"
#include "result/coefficients.h"
#include "result/fitted_span.h"

#define SAMPLES_ACROSS 64 /* of an area, to estimate how much of it lies outside */

double rcity_tx_height_above_ground_m(rcity_context *context, const rcity_scene *scene,
                                      const rcity_transmitter *transmitter)
{
    double ground_m = 0.0;
    bool has_ground = transmitter->is_absolute &&
                      rcity_scene_get_ground(context, scene, transmitter->x_m, transmitter->y_m, &ground_m) == RCITY_OK;
    return has_ground ? transmitter->height_m - ground_m : transmitter->height_m;
}

/* Antennas where they stand; one that cannot stand there is refused by the prediction, not here. */
typedef struct standing {
    int count;
    rcity_point *at;
} standing;

static rcity_status stand(rcity_context *context, const rcity_scene *scene, int transmitter_count,
                          const rcity_transmitter *transmitters, rcity_span_check *check, standing *made)
{
    RCITY_TRY(rcity_alloc(context, (size_t)transmitter_count + 1, sizeof *made->at, "transmitters", &made->at));
    for (int i = 0; i < transmitter_count; i++) {
        rcity_status status = rcity_transmitter_locate(context, scene, &transmitters[i], &made->at[made->count]);
        if (status == RCITY_OK) {
            made->count++;
            rcity_span_add_transmitter(check, transmitters[i].frequency_hz,
                                       rcity_tx_height_above_ground_m(context, scene, &transmitters[i]));
        } else if (status != RCITY_ERR_ARGUMENT) {
            return status;
        }
    }
    return RCITY_OK;
}

/* A receiver hears the nearest antenna. Off the terrain there is none. */
static rcity_status add_receiver(rcity_context *context, const rcity_scene *scene, const standing *from,
                                 const double xyh_m[3], rcity_span_check *check)
{
    double ground_m = 0.0;
    rcity_status status = rcity_scene_get_ground(context, scene, xyh_m[0], xyh_m[1], &ground_m);
    if (status != RCITY_OK) {
        return status == RCITY_ERR_ARGUMENT ? RCITY_OK : status;
    }
    double nearest_m = HUGE_VAL;
    double elevation_deg = 0.0;
    for (int i = 0; i < from->count; i++) {
        double across_m = hypot(from->at[i].x_m - xyh_m[0], from->at[i].y_m - xyh_m[1]);
        double rise_m = from->at[i].z_m - ground_m - xyh_m[2];
        if (hypot(across_m, rise_m) < nearest_m) {
            nearest_m = hypot(across_m, rise_m);
            elevation_deg = rcity_span_elevation_deg(across_m, rise_m);
        }
    }
    if (from->count > 0) {
        rcity_span_add_receiver(check, nearest_m, elevation_deg);
    }
    return RCITY_OK;
}

/* The points, or a grid of places over the area. */
static rcity_status add_receivers(rcity_context *context, const rcity_scene *scene, const standing *from,
                                  const rcity_receivers *receivers, rcity_span_check *check)
{
    rcity_scene_info info;
    RCITY_TRY(rcity_scene_describe(scene, &info));
    for (int64_t i = 0; i < receivers->point_count; i++) {
        RCITY_TRY(add_receiver(context, scene, from, receivers->xyh_m + 3 * i, check));
    }
    bool has_area = receivers->x_max_m > receivers->x_min_m && receivers->y_max_m > receivers->y_min_m;
    double low_m[2] = {has_area ? receivers->x_min_m : info.x_min_m, has_area ? receivers->y_min_m : info.y_min_m};
    double high_m[2] = {has_area ? receivers->x_max_m : info.x_max_m, has_area ? receivers->y_max_m : info.y_max_m};
    double height_m = receivers->height_count > 0 ? receivers->height_m[0] : 0.0;
    for (int i = 0; receivers->point_count == 0 && i < SAMPLES_ACROSS * SAMPLES_ACROSS; i++) {
        double across = (i % SAMPLES_ACROSS + 0.5) / SAMPLES_ACROSS;
        double up = (i / SAMPLES_ACROSS + 0.5) / SAMPLES_ACROSS;
        double xyh_m[3] = {low_m[0] + across * (high_m[0] - low_m[0]), low_m[1] + up * (high_m[1] - low_m[1]),
                           height_m};
        RCITY_TRY(add_receiver(context, scene, from, xyh_m, check));
    }
    return RCITY_OK;
}

rcity_status rcity_coefficients_check_request(rcity_context *context, const rcity_coefficients *coefficients,
                                              const rcity_scene *scene, const rcity_request *request,
                                              int transmitter_count, const rcity_transmitter *transmitters)
{
    RCITY_NEED(context, context);
    RCITY_NEED(context, coefficients);
    RCITY_NEED(context, scene);
    rcity_request known_request;
    RCITY_TAKE(context, rcity_request, coefficients, request, &known_request);
    RCITY_CHECK(context, transmitter_count >= 0 && (transmitter_count == 0 || transmitters != NULL), RCITY_ERR_ARGUMENT,
                "there are %d transmitters at %p", transmitter_count, (const void *)transmitters);
    rcity_span_check check;
    standing from = {0, NULL};
    rcity_status status;
    rcity_span_open(&coefficients->summary, &check);
    RCITY_TRY_DONE(stand(context, scene, transmitter_count, transmitters, &check, &from));
    RCITY_TRY_DONE(add_receivers(context, scene, &from, &known_request.receivers, &check));
    for (int kind = 0; kind < RCITY_SPAN_COUNT; kind++) {
        char text[RCITY_SPAN_TEXT_BYTES];
        if (rcity_span_is_left(&check, (rcity_span_kind)kind)) {
            rcity_log(context, RCITY_LOG_WARNING, "%s", rcity_span_describe(&check, (rcity_span_kind)kind, text));
        }
    }
done:
    rcity_release(context, from.at);
    return status;
}

/* The predictions of many transmitters, one after the other, and the best of them at every receiver. */
#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "api/prediction.h"
#include "plan/best_server.h"
#include "radiocity/plan.h"

rcity_network_options rcity_network_options_default(void)
{
    rcity_network_options options;
    memset(&options, 0, sizeof options);
    return options;
}

/* What one run carries around. */
typedef struct network_run {
    rcity_context *context;
    const rcity_scene *scene;
    rcity_device *device;
    const rcity_request *request;
    const rcity_transmitter *transmitters;
    const rcity_network_options *options;
    rcity_best_server *best;
    rcity_map *last; /* of the last sector, whose losses a co-sited one may take over */
    const rcity_transmitter *last_transmitter;
} network_run;

static rcity_status name_failure(const network_run *run, int sector_index, rcity_status status)
{
    const char *name = run->transmitters[sector_index].name;
    char number[32];
    snprintf(number, sizeof number, "%d", sector_index + 1);
    return rcity_fail_prefix(run->context, status, "sector '%s': ", name != NULL ? name : number);
}

static rcity_status check_options(rcity_context *context, int transmitter_count, const rcity_network_options *options)
{
    RCITY_CHECK(context, transmitter_count >= 1, RCITY_ERR_ARGUMENT, "a network without transmitters covers nothing");
    RCITY_TRY(rcity_best_server_check_thresholds(context, options->threshold_count, options->threshold_dbm));
    RCITY_CHECK(context, options->fade_sigma_db >= 0.0 && options->fade_sigma_db <= RCITY_FADE_SIGMA_MAX_DB,
                RCITY_ERR_ARGUMENT, "the standard deviation of fading is %g dB, must be 0 to %g dB",
                options->fade_sigma_db, RCITY_FADE_SIGMA_MAX_DB);
    return RCITY_OK;
}

/* Do two sectors differ in nothing that a loss depends on? */
static bool is_twin(const rcity_transmitter *a, const rcity_transmitter *b)
{
    return a->x_m == b->x_m && a->y_m == b->y_m && a->height_m == b->height_m && a->is_absolute == b->is_absolute &&
           a->frequency_hz == b->frequency_hz && a->polarization == b->polarization;
}

/* All sectors are looked at before the first is computed. The memory is that of the largest, with the sector before it
   and the network's own bands; the seconds are those of all. `prediction` ends as that of the last sector. */
static rcity_status estimate_sectors(const network_run *run, int transmitter_count, rcity_prediction *prediction,
                                     rcity_estimate *estimate)
{
    rcity_estimate largest;
    memset(&largest, 0, sizeof largest);
    double seconds = 0.0;
    for (int i = 0; i < transmitter_count; i++) {
        rcity_estimate one;
        rcity_status status = rcity_prediction_init(run->context, run->scene, run->device, run->request,
                                                    &run->transmitters[i], prediction);
        if (status == RCITY_OK && isnan(run->transmitters[i].power_dbm)) {
            status = rcity_fail(run->context, RCITY_ERR_ARGUMENT,
                                "its power is unknown, so it cannot be compared; give EIRP, ERP or power");
        }
        if (status == RCITY_OK) {
            status = rcity_prediction_estimate(prediction, &one);
        }
        if (status != RCITY_OK) {
            return name_failure(run, i, status);
        }
        seconds += i > 0 && is_twin(&run->transmitters[i - 1], &run->transmitters[i]) ? 0.0 : one.seconds;
        largest = one.memory_bytes > largest.memory_bytes ? one : largest;
    }
    double own_bands = 3.0 + (run->options->fade_sigma_db > 0.0 ? run->options->threshold_count : 0.0);
    double last_bands = 3.0;    /* of the sector before */
    double server_planes = 3.0; /* strongest, second and who, until they become bands */
    double band_bytes = (double)largest.receiver_count * sizeof(float);
    largest.memory_bytes += (uint64_t)(band_bytes * (own_bands + last_bands + server_planes));
    largest.seconds = seconds;
    *estimate = largest;
    return RCITY_OK;
}

static rcity_status run_sector(network_run *run, int sector_index)
{
    const rcity_transmitter *transmitter = &run->transmitters[sector_index];
    rcity_prediction prediction;
    rcity_map *map = NULL;
    rcity_status status;
    RCITY_TRY(rcity_prediction_init(run->context, run->scene, run->device, run->request, transmitter, &prediction));
    bool has_twin = run->last != NULL && is_twin(run->last_transmitter, transmitter);
    RCITY_TRY_DONE(rcity_prediction_open(&prediction));
    RCITY_TRY_DONE(rcity_prediction_run(&prediction, has_twin ? run->last : NULL, &map));
    RCITY_TRY_DONE(rcity_best_server_add(run->best, sector_index, map));
    if (run->options->on_sector != NULL) {
        RCITY_TRY_DONE(run->options->on_sector(run->options->user, sector_index, map));
    }
    rcity_map_destroy(&run->last);
    run->last = map;
    run->last_transmitter = transmitter;
    map = NULL;
done:
    rcity_map_destroy(&map);
    rcity_prediction_close(&prediction);
    return status;
}

static rcity_status note_network(const network_run *run, int transmitter_count, rcity_map *map)
{
    for (int i = 0; i < transmitter_count; i++) {
        char key[32];
        snprintf(key, sizeof key, "server_%d", i + 1);
        const char *name = run->transmitters[i].name;
        RCITY_TRY(rcity_map_add_note(map, key, "%s", name != NULL ? name : key));
    }
    if (run->options->fade_sigma_db > 0.0) {
        RCITY_TRY(rcity_map_add_note(map, "fade_sigma_db", "%.10g", run->options->fade_sigma_db));
    }
    return RCITY_OK;
}

/* The network's own map, once all sectors are in. */
static rcity_status finish(const network_run *run, int transmitter_count, const rcity_prediction *prediction,
                           rcity_map **map)
{
    rcity_map *made = NULL;
    rcity_status status;
    RCITY_TRY(rcity_map_create(run->context, &prediction->job.raster, rcity_scene_crs(run->scene), &made));
    RCITY_TRY_DONE(rcity_prediction_note_request(prediction, made));
    RCITY_TRY_DONE(note_network(run, transmitter_count, made));
    RCITY_TRY_DONE(rcity_best_server_finish(run->best, run->options->threshold_count, run->options->threshold_dbm,
                                            run->options->fade_sigma_db, made));
    *map = made;
    made = NULL;
done:
    rcity_map_destroy(&made);
    return status;
}

rcity_status rcity_predict_network_estimate(rcity_context *context, const rcity_scene *scene,
                                            const rcity_request *request, int transmitter_count,
                                            const rcity_transmitter *transmitters, const rcity_network_options *options,
                                            rcity_estimate *estimate)
{
    assert(context != NULL && scene != NULL && request != NULL && options != NULL && estimate != NULL);
    RCITY_TRY(check_options(context, transmitter_count, options));
    network_run run = {context, scene, NULL, request, transmitters, options, NULL, NULL, NULL};
    rcity_prediction prediction;
    return estimate_sectors(&run, transmitter_count, &prediction, estimate);
}

rcity_status rcity_predict_network(rcity_context *context, const rcity_scene *scene, rcity_device *device,
                                   const rcity_request *request, int transmitter_count,
                                   const rcity_transmitter *transmitters, const rcity_network_options *options,
                                   rcity_map **map)
{
    assert(context != NULL && scene != NULL && device != NULL && request != NULL && options != NULL && map != NULL);
    RCITY_CHECK(context, request->receivers.point_count == 0, RCITY_ERR_ARGUMENT,
                "the request has points; use rcity_predict_points() for each transmitter");
    RCITY_TRY(check_options(context, transmitter_count, options));
    network_run run = {context, scene, device, request, transmitters, options, NULL, NULL, NULL};
    rcity_prediction prediction;
    rcity_estimate estimate;
    rcity_status status;
    RCITY_TRY(estimate_sectors(&run, transmitter_count, &prediction, &estimate));
    RCITY_TRY(rcity_prediction_check_memory(&prediction, &estimate));
    const rcity_receivers *receivers = &request->receivers;
    RCITY_TRY_DONE(rcity_best_server_create(context, &prediction.job.raster, receivers->height_count,
                                            receivers->height_m, &run.best));
    for (int i = 0; i < transmitter_count; i++) {
        status = run_sector(&run, i);
        if (status != RCITY_OK) {
            status = name_failure(&run, i, status);
            goto done;
        }
    }
    RCITY_TRY_DONE(finish(&run, transmitter_count, &prediction, map));
done:
    rcity_map_destroy(&run.last);
    rcity_best_server_destroy(&run.best);
    return status;
}

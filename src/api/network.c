/* The predictions of many transmitters, one after the other, and the best of them at every receiver. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "api/predictor.h"
#include "base/abi.h"
#include "plan/best_server.h"
#include "plan/interference.h"
#include "radiocity/plan.h"

void rcity_network_options_init(rcity_network_options *options, size_t struct_bytes)
{
    rcity_network_options made;
    memset(&made, 0, sizeof made);
    made.noise_figure_db = 7.0;
    made.load = 1.0;
    rcity_give_defaults(&made, sizeof made, struct_bytes, options);
}

/* What one run carries around. */
typedef struct network_run {
    rcity_context *context;
    const rcity_scene *scene;
    const rcity_request *request;
    rcity_predictor *predictor; /* with all transmitters, under their numbers */
    int transmitter_count;
    const rcity_transmitter *transmitters;
    const rcity_network_options *options;
    rcity_interference *interference; /* NULL: no SINR is asked for */
    rcity_best_server *best;
    rcity_map *map;  /* the network's own; notes on sectors are added as they come */
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

static rcity_status check_options(rcity_context *context, int transmitter_count, const rcity_transmitter *transmitters,
                                  const rcity_network_options *options)
{
    RCITY_CHECK(context, transmitter_count >= 1, RCITY_ERR_ARGUMENT, "a network without transmitters covers nothing");
    RCITY_CHECK_FIXED_ALL(context, rcity_transmitter, transmitters, transmitter_count);
    RCITY_TRY(rcity_best_server_check_thresholds(context, options->threshold_count, options->threshold_dbm));
    RCITY_CHECK(context, options->fade_sigma_db >= 0.0 && options->fade_sigma_db <= RCITY_FADE_SIGMA_MAX_DB,
                RCITY_ERR_ARGUMENT, "the standard deviation of fading is %g dB, must be 0 to %g dB",
                options->fade_sigma_db, RCITY_FADE_SIGMA_MAX_DB);
    return rcity_interference_check(context, options);
}

/* Do two sectors differ in nothing that a loss depends on? */
static bool is_twin(const rcity_transmitter *a, const rcity_transmitter *b)
{
    return a->x_m == b->x_m && a->y_m == b->y_m && a->height_m == b->height_m && a->is_absolute == b->is_absolute &&
           a->frequency_hz == b->frequency_hz && a->polarization == b->polarization;
}

/* The predictor with all sectors, none traced yet. */
static rcity_status open_sectors(network_run *run, rcity_device *device)
{
    RCITY_TRY(rcity_predictor_open(run->context, run->scene, device, run->request, &run->predictor));
    run->predictor->is_in_order = true;
    bool has_twins = false;
    for (int i = 0; i < run->transmitter_count; i++) {
        int index;
        rcity_status status =
            rcity_predictor_add_transmitter(run->predictor, run->context, &run->transmitters[i], &index);
        if (status == RCITY_OK && isnan(run->transmitters[i].power_dbm)) {
            status = rcity_fail(run->context, RCITY_ERR_ARGUMENT,
                                "its power is unknown, so it cannot be compared; give EIRP, ERP or power");
        }
        if (status != RCITY_OK) {
            return name_failure(run, i, status);
        }
        has_twins = has_twins || (i > 0 && is_twin(&run->transmitters[i - 1], &run->transmitters[i]));
    }
    run->predictor->job.traces_are_reused = has_twins;
    return RCITY_OK;
}

/* The memory is that of the largest sector, with the sector before it and the network's own bands; the seconds are
   those of all. */
static rcity_status estimate_sectors(const network_run *run, rcity_estimate *estimate)
{
    rcity_estimate largest;
    memset(&largest, 0, sizeof largest);
    double seconds = 0.0;
    for (int i = 0; i < run->transmitter_count; i++) {
        rcity_estimate one;
        rcity_status status = rcity_predictor_estimate(run->predictor, run->context, i, &one);
        if (status != RCITY_OK) {
            return name_failure(run, i, status);
        }
        seconds += i > 0 && is_twin(&run->transmitters[i - 1], &run->transmitters[i]) ? 0.0 : one.seconds;
        largest = one.memory_bytes > largest.memory_bytes ? one : largest;
    }
    double own_bands = 4.0 + (run->options->fade_sigma_db > 0.0 ? run->options->threshold_count : 0.0);
    double last_bands = 3.0;    /* of the sector before */
    double server_planes = 4.0; /* strongest, second and who they are, until they become bands */
    double band_bytes = (double)largest.receiver_count * sizeof(float);
    largest.memory_bytes += (uint64_t)(band_bytes * (own_bands + last_bands + server_planes));
    if (run->options->bandwidth_hz > 0.0) { /* one more band, and the sums it is made from */
        int64_t sum_bytes = rcity_interference_cell_bytes(run->transmitter_count, run->transmitters, run->options);
        largest.memory_bytes += (uint64_t)(band_bytes + (double)largest.receiver_count * (double)sum_bytes);
    }
    largest.seconds = seconds;
    *estimate = largest;
    return RCITY_OK;
}

/* Sectors that differ from the one before are checked with all their receivers before the first is computed. */
static rcity_status check_sectors(const network_run *run)
{
    for (int i = 0; i < run->transmitter_count; i++) {
        if (i > 0 && is_twin(&run->transmitters[i - 1], &run->transmitters[i])) {
            continue;
        }
        rcity_predictor_slot *slot = NULL;
        rcity_context_lend(run->context, run->predictor->context);
        rcity_status status = rcity_predictor_find_slot(run->predictor, run->context, i, &slot);
        if (status == RCITY_OK) {
            status = rcity_predictor_check_receivers(run->predictor, slot);
        }
        status = rcity_context_hand_back(run->predictor->context, run->context, status);
        if (status != RCITY_OK) {
            return name_failure(run, i, status);
        }
    }
    return RCITY_OK;
}

/* What the method had to say of a sector stands in the network's map under the sector's number. */
static rcity_status note_sector(const network_run *run, int sector_index, const rcity_map *sector)
{
    char key[64];
    char text[320];
    const char *name = run->transmitters[sector_index].name;
    snprintf(key, sizeof key, "server_%d", sector_index + 1);
    RCITY_TRY(rcity_map_note(run->map, key, "%s", name != NULL ? name : key));
    RCITY_TRY(rcity_best_server_set_name(run->best, sector_index, name != NULL ? name : key));
    snprintf(key, sizeof key, "server_%d_setup", sector_index + 1);
    rcity_predictor_describe_transmitter(&run->predictor->slots[sector_index].tx, text, sizeof text);
    RCITY_TRY(rcity_map_note(run->map, key, "%s", text));
    if (run->interference != NULL && !isnan(run->transmitters[sector_index].load)) {
        snprintf(key, sizeof key, "server_%d_load", sector_index + 1);
        RCITY_TRY(rcity_map_note(run->map, key, "%.10g", run->transmitters[sector_index].load));
    }
    snprintf(key, sizeof key, "server_%d_", sector_index + 1);
    return rcity_map_copy_remarks(sector, key, run->map);
}

static rcity_status run_sector(network_run *run, int sector_index)
{
    const rcity_transmitter *transmitter = &run->transmitters[sector_index];
    rcity_map *map = NULL;
    rcity_status status;
    bool has_twin = run->last != NULL && is_twin(run->last_transmitter, transmitter);
    RCITY_TRY(rcity_predictor_make_map(run->predictor, run->context, sector_index, has_twin ? run->last : NULL, &map));
    RCITY_TRY_DONE(rcity_best_server_add(run->best, sector_index, map));
    RCITY_TRY_DONE(note_sector(run, sector_index, map));
    if (run->options->on_sector != NULL) {
        RCITY_TRY_DONE(run->options->on_sector(run->options->user, sector_index, map));
    }
    rcity_map_destroy(&run->last);
    run->last = map;
    run->last_transmitter = transmitter;
    map = NULL;
done:
    rcity_map_destroy(&map);
    return status;
}

static rcity_status note_interference(const network_run *run)
{
    const rcity_network_options *options = run->options;
    RCITY_TRY(rcity_map_note(run->map, "bandwidth_mhz", "%.10g", options->bandwidth_hz * 1e-6));
    RCITY_TRY(rcity_map_note(run->map, "noise_figure_db", "%.10g", options->noise_figure_db));
    RCITY_TRY(rcity_map_note(run->map, "noise_dbm", "%.2f",
                             rcity_thermal_noise_dbm(options->bandwidth_hz, options->noise_figure_db)));
    return rcity_map_note(run->map, "load", "%.10g", options->load);
}

/* What the sectors are gathered in. */
static rcity_status start_network(network_run *run)
{
    const rcity_receivers *receivers = &run->request->receivers;
    const rcity_raster *raster = &run->predictor->job.raster;
    if (run->options->bandwidth_hz > 0.0) {
        RCITY_TRY(rcity_interference_create(run->context, run->transmitter_count, run->transmitters, run->options,
                                            raster->column_count * raster->row_count, receivers->height_count,
                                            &run->interference));
    }
    RCITY_TRY(rcity_best_server_create(run->context, raster, receivers->height_count, receivers->height_m,
                                       run->interference, &run->best));
    RCITY_TRY(rcity_map_create(run->context, raster, rcity_scene_crs(run->scene), &run->map));
    RCITY_TRY(rcity_predictor_note_request(run->predictor, 0, rcity_map_notes(run->map)));
    if (run->options->fade_sigma_db > 0.0) {
        RCITY_TRY(rcity_map_note(run->map, "fade_sigma_db", "%.10g", run->options->fade_sigma_db));
    }
    return run->interference != NULL ? note_interference(run) : RCITY_OK;
}

static rcity_status predict_network_estimate(rcity_context *context, const rcity_scene *scene,
                                             const rcity_request *request, int transmitter_count,
                                             const rcity_transmitter *transmitters,
                                             const rcity_network_options *options, rcity_estimate *estimate)
{
    RCITY_TRY(check_options(context, transmitter_count, transmitters, options));
    network_run run = {.context = context,
                       .scene = scene,
                       .request = request,
                       .transmitter_count = transmitter_count,
                       .transmitters = transmitters,
                       .options = options};
    rcity_estimate made;
    rcity_status status;
    RCITY_TRY_DONE(open_sectors(&run, NULL));
    RCITY_TRY_DONE(estimate_sectors(&run, &made));
    if (rcity_predictor_fits(run.predictor, &made)) {
        RCITY_TRY_DONE(check_sectors(&run));
    }
    *estimate = made;
done:
    rcity_predictor_close(&run.predictor);
    return status;
}

rcity_status rcity_predict_network_estimate_sized(rcity_context *context, const rcity_scene *scene,
                                                  const rcity_request *request, int transmitter_count,
                                                  const rcity_transmitter *transmitters,
                                                  const rcity_network_options *options, size_t estimate_bytes,
                                                  rcity_estimate *estimate)
{
    RCITY_NEED(context, context);
    RCITY_NEED(context, scene);
    RCITY_NEED(context, estimate);
    rcity_request known_request;
    RCITY_TAKE(context, rcity_request, coefficients, request, &known_request);
    rcity_network_options known_options;
    RCITY_TAKE(context, rcity_network_options, user, options, &known_options);
    RCITY_CHECK_BYTES(context, rcity_estimate, estimate_bytes);
    rcity_estimate made;
    RCITY_TRY(predict_network_estimate(context, scene, &known_request, transmitter_count, transmitters, &known_options,
                                       &made));
    rcity_copy_struct(&made, sizeof made, estimate_bytes, estimate);
    return RCITY_OK;
}

rcity_status rcity_predict_network(rcity_context *context, const rcity_scene *scene, rcity_device *device,
                                   const rcity_request *request, int transmitter_count,
                                   const rcity_transmitter *transmitters, const rcity_network_options *options,
                                   rcity_map **map)
{
    RCITY_NEED(context, context);
    RCITY_NEED(context, scene);
    RCITY_NEED(context, device);
    rcity_request known_request;
    RCITY_TAKE(context, rcity_request, coefficients, request, &known_request);
    request = &known_request;
    rcity_network_options known;
    RCITY_TAKE(context, rcity_network_options, user, options, &known);
    options = &known;
    RCITY_NEED(context, map);
    RCITY_CHECK(context, request->receivers.point_count == 0, RCITY_ERR_ARGUMENT,
                "the request has points; use rcity_predict_points() for each transmitter");
    RCITY_CHECK(context, !request->receivers.on_surfaces, RCITY_ERR_ARGUMENT,
                "the request is for surfaces; use rcity_predict_surfaces() for each transmitter");
    RCITY_TRY(check_options(context, transmitter_count, transmitters, options));
    network_run run = {.context = context,
                       .scene = scene,
                       .request = request,
                       .transmitter_count = transmitter_count,
                       .transmitters = transmitters,
                       .options = options};
    rcity_estimate estimate;
    rcity_status status;
    RCITY_TRY_DONE(open_sectors(&run, device));
    RCITY_TRY_DONE(estimate_sectors(&run, &estimate));
    status = rcity_predictor_check_memory(run.predictor, &estimate);
    RCITY_TRY_DONE(rcity_context_hand_back(run.predictor->context, context, status));
    RCITY_TRY_DONE(check_sectors(&run));
    RCITY_TRY_DONE(start_network(&run));
    for (int i = 0; i < transmitter_count; i++) {
        status = run_sector(&run, i);
        if (status != RCITY_OK) {
            status = name_failure(&run, i, status);
            goto done;
        }
    }
    RCITY_TRY_DONE(rcity_best_server_finish(run.best, options->threshold_count, options->threshold_dbm,
                                            options->fade_sigma_db, run.map));
    *map = run.map;
    run.map = NULL;
done:
    rcity_map_destroy(&run.map);
    rcity_map_destroy(&run.last);
    rcity_best_server_destroy(&run.best);
    rcity_interference_destroy(&run.interference);
    rcity_predictor_close(&run.predictor);
    return status;
}

/* What the input of `predict` means in a scene: antennas, sites, points. */
#include <math.h>
#include <string.h>

#include "predict_input.h"

static rcity_antenna_synthesis synthesis(const predict_input *input)
{
    return strcmp(input->synthesis, "sum") == 0 ? RCITY_SYNTHESIS_SUM : RCITY_SYNTHESIS_PROJECTION;
}

static void fill_power(const predict_input *input, rcity_transmitter *transmitter)
{
    if (!isnan(input->eirp_dbm)) {
        transmitter->power_kind = RCITY_POWER_EIRP;
        transmitter->power_dbm = input->eirp_dbm;
    } else if (!isnan(input->erp_dbm)) {
        transmitter->power_kind = RCITY_POWER_ERP;
        transmitter->power_dbm = input->erp_dbm;
    } else if (!isnan(input->power_dbm) || !isnan(input->power_w)) {
        transmitter->power_kind = RCITY_POWER_CONDUCTED;
        transmitter->power_dbm = !isnan(input->power_dbm) ? input->power_dbm : 10.0 * log10(1000.0 * input->power_w);
    }
    transmitter->cable_loss_db = input->cable_loss_db;
}

static void fill_receivers(predict_input *input, const predict_world *world)
{
    rcity_receivers *receivers = &input->request.receivers;
    receivers->height_count = input->heights.count;
    receivers->height_m = input->heights.value;
    if (input->area.count == 4) {
        receivers->x_min_m = input->area.value[0];
        receivers->y_min_m = input->area.value[1];
        receivers->x_max_m = input->area.value[2];
        receivers->y_max_m = input->area.value[3];
    }
    if (world->points != NULL) {
        receivers->point_count = rcity_points_count(world->points);
        receivers->xyh_m = rcity_points_xyh(world->points);
    }
}

/* What the command line says of a transmitter; for sites it is what a sector does not say itself. */
static rcity_status fill_transmitter(rcity_context *context, predict_input *input, predict_world *world)
{
    rcity_transmitter *transmitter = &input->request.transmitter;
    transmitter->frequency_hz = input->frequency_mhz * 1e6;
    fill_power(input, transmitter);
    transmitter->azimuth_deg = input->azimuth_deg;
    transmitter->mechanical_tilt_deg = input->mechanical_tilt_deg;
    transmitter->electrical_tilt_deg = input->electrical_tilt_deg;
    if (input->antenna == NULL) {
        return RCITY_OK;
    }
    rcity_status status = rcity_antenna_open(context, input->antenna, synthesis(input), &world->antenna);
    transmitter->antenna = world->antenna;
    return status;
}

static rcity_status load_sites(rcity_context *context, const rcity_scene *scene, const predict_input *input,
                               predict_world *world)
{
    rcity_sites_options options = rcity_sites_options_default();
    options.input_crs = input->sites_crs;
    options.defaults = input->request.transmitter;
    options.synthesis = synthesis(input);
    rcity_status status = rcity_sites_load(context, scene, input->sites_path, &options, &world->sites);
    if (status == RCITY_OK) {
        world->transmitter_count = rcity_sites_count(world->sites);
        world->transmitters = rcity_sites_transmitters(world->sites);
    }
    return status;
}

static rcity_status place_transmitter(rcity_context *context, const rcity_scene *scene, predict_input *input)
{
    rcity_transmitter *transmitter = &input->request.transmitter;
    if (input->tx_lonlat.count == 3) {
        transmitter->height_m = input->tx_lonlat.value[2];
        return rcity_scene_place_lonlat(context, scene, input->tx_lonlat.value[0], input->tx_lonlat.value[1],
                                        &transmitter->x_m, &transmitter->y_m);
    }
    transmitter->x_m = input->tx.value[0];
    transmitter->y_m = input->tx.value[1];
    transmitter->height_m = input->tx.value[2];
    return RCITY_OK;
}

rcity_status predict_world_init(rcity_context *context, const rcity_scene *scene, predict_input *input,
                                predict_world *world)
{
    rcity_request *request = &input->request;
    request->range_policy = input->extrapolates         ? RCITY_RANGE_EXTRAPOLATE
                            : input->skips_out_of_range ? RCITY_RANGE_SKIP
                                                        : RCITY_RANGE_FAIL;
    request->option_count = input->extra.count;
    request->option_name = input->extra.name;
    request->option_value = input->extra.value;
    world->transmitter_count = 1;
    world->transmitters = &request->transmitter;
    rcity_status status = fill_transmitter(context, input, world);
    if (status == RCITY_OK) {
        status = input->sites_path != NULL ? load_sites(context, scene, input, world)
                                           : place_transmitter(context, scene, input);
    }
    if (status == RCITY_OK && input->points_path != NULL) {
        status = rcity_points_load(context, scene, input->points_path, input->heights.value[0], &world->points);
    }
    if (status == RCITY_OK) {
        request->transmitter = world->transmitters[0]; /* stands for all where one is asked about */
        fill_receivers(input, world);
    }
    return status;
}

void predict_world_deinit(predict_world *world)
{
    rcity_points_destroy(&world->points);
    rcity_sites_destroy(&world->sites);
    rcity_antenna_destroy(&world->antenna);
}

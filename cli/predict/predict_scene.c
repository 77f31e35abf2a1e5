/* What the input of `predict` means in a scene: antennas, sites, points. */
#include "predict_input.h"
#include "session.h"

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
    receivers->on_surfaces = predict_input_wants_surfaces(input);
    if (world->points != NULL) {
        receivers->point_count = rcity_points_count(world->points);
        receivers->xyh_m = rcity_points_xyh(world->points);
    }
}

static rcity_status load_sites(rcity_context *context, const rcity_scene *scene, const predict_input *input,
                               predict_world *world)
{
    rcity_sites_options options = rcity_sites_options_default();
    options.input_crs = input->sites_crs;
    options.defaults = input->request.transmitter;
    options.defaults.height_m = input->sites_height_m;
    options.ignores_unknown_columns = session_accepts_unusual();
    options.synthesis = transmitter_input_synthesis(&input->tx);
    rcity_status status = rcity_sites_load(context, scene, input->sites_path, &options, &world->sites);
    if (status == RCITY_OK) {
        world->transmitter_count = rcity_sites_count(world->sites);
        world->transmitters = rcity_sites_transmitters(world->sites);
    }
    return status;
}

rcity_status predict_world_init(rcity_context *context, const rcity_scene *scene, predict_input *input,
                                predict_world *world)
{
    rcity_request *request = &input->request;
    request->range_policy = input->extrapolates         ? RCITY_RANGE_EXTRAPOLATE
                            : input->skips_out_of_range ? RCITY_RANGE_SKIP
                                                        : RCITY_RANGE_FAIL;
    if (input->coefficients.path == NULL) {
        request->option_count = input->extra.count;
        request->option_name = input->extra.name;
        request->option_value = input->extra.value;
    }
    world->transmitter_count = 1;
    world->transmitters = &request->transmitter;
    /* for sites it is what a sector does not say itself */
    rcity_status status = transmitter_input_fill(context, &input->tx, &world->antenna, &request->transmitter);
    if (status == RCITY_OK) {
        status = input->sites_path != NULL
                     ? load_sites(context, scene, input, world)
                     : transmitter_input_locate(context, scene, &input->tx, &request->transmitter);
    }
    if (status == RCITY_OK && input->points_path != NULL) {
        status = rcity_points_load(context, scene, input->points_path, input->heights.value[0], &world->points);
    }
    if (status == RCITY_OK) {
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

/* What the input of `plan` means in a scene: demand, candidates, sites that stand already, forbidden areas. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "exit_status.h"
#include "map_files.h"
#include "plan_input.h"
#include "session.h"

static int load_raster(rcity_context *context, const rcity_scene *scene, const plan_input *input, plan_world *world)
{
    rcity_map *map = NULL;
    int band_index = 0;
    rcity_status status = rcity_map_load_geotiff(context, input->raster_path, &map);
    int result = 0;
    if (status == RCITY_OK) {
        const char *wish = input->raster_band != NULL ? input->raster_band : "1";
        result = map_band_find("plan", map, input->raster_path, wish, &band_index);
    }
    if (status == RCITY_OK && result == 0) {
        status = rcity_demand_create_from_map(context, scene, map, band_index, input->cluster_m, input->rx_height_m,
                                              &world->demand);
    }
    rcity_map_destroy(&map);
    return status != RCITY_OK ? session_fail(context, status) : result;
}

static int load_demand(rcity_context *context, const rcity_scene *scene, const plan_input *input, plan_world *world)
{
    if (input->raster_path != NULL) {
        return load_raster(context, scene, input, world);
    }
    rcity_status status =
        input->uses_buildings
            ? rcity_demand_create_from_buildings(context, scene, input->cluster_m, input->rx_height_m, &world->demand)
            : rcity_demand_load(context, scene, input->demand_path, input->rx_height_m, &world->demand);
    return status == RCITY_OK ? 0 : session_fail(context, status);
}

/* A candidate that states no height has those of the stations. */
static rcity_status load_candidates(rcity_context *context, const rcity_scene *scene, plan_input *input,
                                    plan_world *world)
{
    rcity_points *points = NULL;
    rcity_status status = rcity_points_load(context, scene, input->candidates_path, 0.0, &points);
    if (status != RCITY_OK) {
        return status;
    }
    size_t count = (size_t)rcity_points_count(points);
    world->candidate_xyh_m = malloc(count * 3 * sizeof(double));
    status = world->candidate_xyh_m != NULL ? RCITY_OK : RCITY_ERR_MEMORY;
    for (size_t i = 0; status == RCITY_OK && i < count; i++) {
        double *at = world->candidate_xyh_m + 3 * i;
        memcpy(at, rcity_points_xyh(points) + 3 * i, 3 * sizeof *at);
        at[2] = at[2] > 0.0 ? at[2] : (double)NAN;
    }
    rcity_points_destroy(&points);
    input->options.candidate_count = (int64_t)count;
    input->options.candidate_xyh_m = world->candidate_xyh_m;
    return status;
}

/* Corners of one name that follow each other are an area. */
static rcity_status load_forbidden(rcity_context *context, const rcity_scene *scene, plan_input *input,
                                   plan_world *world)
{
    rcity_points *points = NULL;
    rcity_status status = rcity_points_load(context, scene, input->forbidden_path, 0.0, &points);
    if (status != RCITY_OK) {
        return status;
    }
    int64_t count = rcity_points_count(points);
    int areas = 0;
    world->forbidden_xy_m = calloc((size_t)count * 2, sizeof(double));
    world->forbidden_point_count = calloc((size_t)count, sizeof(int));
    if (world->forbidden_xy_m == NULL || world->forbidden_point_count == NULL) {
        rcity_points_destroy(&points);
        return RCITY_ERR_MEMORY;
    }
    for (int64_t i = 0; i < count; i++) {
        bool is_next = i == 0 || strcmp(rcity_points_name(points, i), rcity_points_name(points, i - 1)) != 0;
        areas += is_next ? 1 : 0;
        world->forbidden_point_count[areas - 1]++;
        memcpy(world->forbidden_xy_m + 2 * i, rcity_points_xyh(points) + 3 * i, 2 * sizeof(double));
    }
    rcity_points_destroy(&points);
    input->options.forbidden_count = areas;
    input->options.forbidden_point_count = world->forbidden_point_count;
    input->options.forbidden_xy_m = world->forbidden_xy_m;
    return RCITY_OK;
}

static rcity_status load_existing(rcity_context *context, const rcity_scene *scene, plan_input *input,
                                  plan_world *world)
{
    rcity_sites_options options = rcity_sites_options_default();
    options.defaults = input->options.station;
    options.synthesis = transmitter_input_synthesis(&input->station);
    rcity_status status = rcity_sites_load(context, scene, input->existing_path, &options, &world->existing);
    if (status == RCITY_OK) {
        input->options.existing_count = rcity_sites_count(world->existing);
        input->options.existing = rcity_sites_transmitters(world->existing);
    }
    return status;
}

int plan_world_init(rcity_context *context, const rcity_scene *scene, plan_input *input, plan_world *world)
{
    rcity_status status = transmitter_input_fill(context, &input->station, &world->antenna, &input->options.station);
    input->options.station.height_m = input->height_m;
    if (status == RCITY_OK && input->existing_path != NULL) {
        status = load_existing(context, scene, input, world);
    }
    if (status == RCITY_OK && input->candidates_path != NULL) {
        status = load_candidates(context, scene, input, world);
    }
    if (status == RCITY_OK && input->forbidden_path != NULL) {
        status = load_forbidden(context, scene, input, world);
    }
    return status == RCITY_OK ? load_demand(context, scene, input, world) : session_fail(context, status);
}

void plan_world_deinit(plan_world *world)
{
    free(world->forbidden_xy_m);
    free(world->forbidden_point_count);
    free(world->candidate_xyh_m);
    rcity_sites_destroy(&world->existing);
    rcity_demand_destroy(&world->demand);
    rcity_antenna_destroy(&world->antenna);
}

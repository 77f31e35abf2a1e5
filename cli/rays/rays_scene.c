/* The input of `rays` in a scene: antenna and receivers. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "rays_input.h"

#define RX_HEIGHT_M 1.5 /* of points without one, by default */

/* Receivers of the command line first, then those of the file. */
static rcity_status place_receivers(rcity_context *context, const rcity_scene *scene, const rays_input *input,
                                    rays_world *world)
{
    double *next = world->xyh_m;
    for (int i = 0; i < input->rx.count; i++, next += 3) {
        memcpy(next, input->rx.value[i], 3 * sizeof *next);
    }
    for (int i = 0; i < input->rx_lonlat.count; i++, next += 3) {
        const double *lonlat = input->rx_lonlat.value[i];
        rcity_status status = rcity_scene_place_lonlat(context, scene, lonlat[0], lonlat[1], &next[0], &next[1]);
        if (status != RCITY_OK) {
            return status;
        }
        next[2] = lonlat[2];
    }
    world->named_first = input->rx.count + input->rx_lonlat.count;
    if (world->points != NULL) {
        memcpy(next, rcity_points_xyh(world->points), 3 * (size_t)rcity_points_count(world->points) * sizeof *next);
    }
    return RCITY_OK;
}

rcity_status rays_world_init(rcity_context *context, const rcity_scene *scene, rays_input *input, rays_world *world)
{
    rcity_request *request = &input->request;
    request->option_count = input->extra.count;
    request->option_name = input->extra.name;
    request->option_value = input->extra.value;
    rcity_status status = transmitter_input_fill(context, &input->tx, &world->antenna, &request->transmitter);
    if (status == RCITY_OK) {
        status = transmitter_input_locate(context, scene, &input->tx, &request->transmitter);
    }
    if (status == RCITY_OK && input->points_path != NULL) {
        status = rcity_points_load(context, scene, input->points_path,
                                   isnan(input->rx_height_m) ? RX_HEIGHT_M : input->rx_height_m, &world->points);
    }
    if (status != RCITY_OK) {
        return status;
    }
    size_t count = (size_t)input->rx.count + (size_t)input->rx_lonlat.count;
    count += world->points != NULL ? (size_t)rcity_points_count(world->points) : 0;
    world->xyh_m = malloc(3 * count * sizeof *world->xyh_m);
    if (world->xyh_m == NULL) {
        return RCITY_ERR_MEMORY;
    }
    request->receivers.point_count = (int64_t)count;
    request->receivers.xyh_m = world->xyh_m;
    return place_receivers(context, scene, input, world);
}

void rays_world_deinit(rays_world *world)
{
    free(world->xyh_m);
    rcity_points_destroy(&world->points);
    rcity_antenna_destroy(&world->antenna);
}

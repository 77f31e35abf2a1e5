/* Receivers located once, and those of them that are open to paths. */
#include "method/open_receivers.h"

#include <math.h>
#include <string.h>

#include "method/receiver_plane.h"
#include "scene/place/terrain.h"

rcity_tile_place rcity_place_snap(const rcity_shapes *shapes, rcity_place3 position)
{
    rcity_tile_place place;
    place.x = (int32_t)lround(position.x * shapes->units_per_m);
    place.y = (int32_t)lround(position.y * shapes->units_per_m);
    double ground = rcity_terrain_height(&shapes->terrain, place.x, place.y);
    place.z = rcity_terrain_snap_height(&shapes->terrain, place.x, place.y,
                                        fmax(position.z * RCITY_HEIGHT_UNITS_PER_M, ground));
    return place;
}

static rcity_status locate_receivers(const rcity_job *job, rcity_open_receivers *receivers)
{
    rcity_context *context = job->context;
    int64_t cell_count = job->raster.column_count * job->raster.row_count;
    int64_t points = job->receivers->point_count;
    receivers->count = job->receivers->on_surfaces ? 0
                       : points > 0                ? points
                                                   : cell_count * job->receivers->height_count;
    size_t room = (size_t)receivers->count + 1;
    RCITY_TRY(rcity_alloc(context, room, sizeof *receivers->positions, "receivers", &receivers->positions));
    RCITY_TRY(rcity_alloc(context, room, sizeof *receivers->states, "receivers", &receivers->states));
    if (points > 0) {
        return rcity_receiver_points_locate(job, receivers->positions, receivers->states);
    }
    for (int64_t i = 0; i < receivers->count; i++) {
        rcity_receiver_cell_locate(job, job->receivers->height_m[i / cell_count], i % cell_count,
                                   &receivers->positions[i], &receivers->states[i]);
    }
    return RCITY_OK;
}

rcity_status rcity_open_receivers_init(const rcity_job *job, rcity_open_receivers *receivers)
{
    rcity_context *context = job->context;
    const rcity_shapes *shapes = job->shapes;
    RCITY_TRY(locate_receivers(job, receivers));
    for (int64_t i = 0; i < receivers->count; i++) {
        receivers->open_count += receivers->states[i] == RCITY_RECEIVER_NO_PATH;
    }
    size_t room = (size_t)receivers->open_count + 1;
    RCITY_TRY(rcity_alloc(context, room, sizeof *receivers->number, "receivers", &receivers->number));
    RCITY_TRY(rcity_alloc(context, room, sizeof *receivers->places, "receivers", &receivers->places));
    RCITY_TRY(rcity_alloc(context, 3 * room, sizeof *receivers->xyz_m, "receivers", &receivers->xyz_m));
    int64_t made = 0;
    for (int64_t i = 0; i < receivers->count; i++) {
        const rcity_point *at = &receivers->positions[i];
        if (receivers->states[i] == RCITY_RECEIVER_NO_PATH) {
            rcity_place3 local = {at->x_m - shapes->origin_x_m, at->y_m - shapes->origin_y_m, at->z_m};
            receivers->number[made] = i;
            receivers->places[made] = rcity_place_snap(shapes, local);
            receivers->xyz_m[3 * made] = (float)local.x;
            receivers->xyz_m[3 * made + 1] = (float)local.y;
            receivers->xyz_m[3 * made + 2] = (float)local.z;
            made++;
        }
    }
    return RCITY_OK;
}

void rcity_open_receivers_deinit(rcity_context *context, rcity_open_receivers *receivers)
{
    rcity_release(context, receivers->xyz_m);
    rcity_release(context, receivers->places);
    rcity_release(context, receivers->number);
    rcity_release(context, receivers->states);
    rcity_release(context, receivers->positions);
    memset(receivers, 0, sizeof *receivers);
}

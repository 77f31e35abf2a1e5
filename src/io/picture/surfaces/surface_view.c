/* Parallel projection of tiles. */
#include "io/picture/surfaces/surface_view.h"

#include <math.h>

#include "result/surfaces_data.h"

#define RAD_PER_DEG  0.017453292519943295
#define EDGE_ON      1e-3 /* cosine of the angle between a tile's normal and the viewer: less is not seen */
#define INSIDE_SLACK 1e-5 /* of half a side: tiles side by side leave no gap */

rcity_surface_view rcity_surface_view_make(rcity_point origin, double azimuth_deg, double elevation_deg)
{
    double east = sin(azimuth_deg * RAD_PER_DEG);
    double north = cos(azimuth_deg * RAD_PER_DEG);
    double level = cos(elevation_deg * RAD_PER_DEG);
    double rise = sin(elevation_deg * RAD_PER_DEG);
    return (rcity_surface_view){
        .origin = origin,
        .axes = {{-north, east, 0.0}, {-east * rise, -north * rise, level}, {east * level, north * level, rise}}};
}

void rcity_surface_view_turn(const rcity_surface_view *view, const double direction[3], double turned[3])
{
    for (int i = 0; i < 3; i++) {
        const double *axis = view->axes[i];
        turned[i] = axis[0] * direction[0] + axis[1] * direction[1] + axis[2] * direction[2];
    }
}

void rcity_surface_view_place(const rcity_surface_view *view, const rcity_point *place, double placed_m[3])
{
    const double offset_m[3] = {place->x_m - view->origin.x_m, place->y_m - view->origin.y_m,
                                place->z_m - view->origin.z_m};
    rcity_surface_view_turn(view, offset_m, placed_m);
}

bool rcity_surface_view_tile(const rcity_surface_view *view, const rcity_surface_tile *tile, rcity_viewed_tile *viewed)
{
    const double *toward = view->axes[2];
    double facing =
        toward[0] * (double)tile->normal[0] + toward[1] * (double)tile->normal[1] + toward[2] * (double)tile->normal[2];
    double first_m[3];
    double second_m[3];
    if (!(facing > EDGE_ON)) {
        return false;
    }
    rcity_surface_tile_halves(tile, first_m, second_m);
    rcity_surface_view_place(view, &tile->centre, viewed->centre_m);
    rcity_surface_view_turn(view, first_m, viewed->first_m);
    rcity_surface_view_turn(view, second_m, viewed->second_m);
    viewed->area = viewed->first_m[0] * viewed->second_m[1] - viewed->first_m[1] * viewed->second_m[0];
    return viewed->area != 0.0;
}

void rcity_viewed_tile_grow(rcity_viewed_tile *viewed, double factor)
{
    for (int i = 0; i < 3; i++) {
        viewed->first_m[i] *= factor;
        viewed->second_m[i] *= factor;
    }
    viewed->area *= factor * factor;
}

double rcity_viewed_tile_reach(const rcity_viewed_tile *viewed, int axis)
{
    return (fabs(viewed->first_m[axis]) + fabs(viewed->second_m[axis])) * (1.0 + INSIDE_SLACK);
}

bool rcity_viewed_tile_depth(const rcity_viewed_tile *viewed, double right_m, double up_m, double *depth_m)
{
    double x_m = right_m - viewed->centre_m[0];
    double y_m = up_m - viewed->centre_m[1];
    double along_first = (x_m * viewed->second_m[1] - y_m * viewed->second_m[0]) / viewed->area;
    double along_second = (viewed->first_m[0] * y_m - viewed->first_m[1] * x_m) / viewed->area;
    *depth_m = viewed->centre_m[2] + along_first * viewed->first_m[2] + along_second * viewed->second_m[2];
    return fabs(along_first) <= 1.0 + INSIDE_SLACK && fabs(along_second) <= 1.0 + INSIDE_SLACK;
}

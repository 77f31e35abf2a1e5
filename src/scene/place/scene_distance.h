/* How far a place lies outside a scene. */
#ifndef RCITY_SCENE_SCENE_DISTANCE_H
#define RCITY_SCENE_SCENE_DISTANCE_H

#include <math.h>

#include "radiocity/scene.h"

/* A longitude and latitude farther from the scene than this are checked: they may be swapped. */
#define RCITY_SCENE_NEAR_M 100e3

/* How far a point lies outside the scene's bounds. */
static inline double rcity_scene_distance_m(const rcity_scene_info *info, const double xy_m[2])
{
    double dx = fmax(fmax(info->x_min_m - xy_m[0], xy_m[0] - info->x_max_m), 0.0);
    double dy = fmax(fmax(info->y_min_m - xy_m[1], xy_m[1] - info->y_max_m), 0.0);
    return hypot(dx, dy);
}

#endif

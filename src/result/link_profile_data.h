/* The inside of a profile of a link. */
#ifndef RCITY_RESULT_LINK_PROFILE_DATA_H
#define RCITY_RESULT_LINK_PROFILE_DATA_H

#include "base/base.h"
#include "radiocity/profile.h"

struct rcity_link_profile {
    rcity_context *context; /* its memory's */
    rcity_link_profile_info info;
    char *crs;
    rcity_link_profile_point *points; /* info.point_count */
    size_t point_capacity;
    rcity_link_profile_obstacle *obstacles; /* info.obstacle_count */
    size_t obstacle_capacity;
};

/* How much the earth's curvature raises a place above the chord between the ends, at these distances from them. */
static inline double rcity_link_profile_bulge_m(const rcity_link_profile_info *info, double before_m, double behind_m)
{
    return before_m * behind_m / (2.0 * info->k_factor * RCITY_EARTH_RADIUS_M);
}

/* A point's top as the line sees it: with the bulge. */
static inline double rcity_link_profile_point_top_m(const rcity_link_profile_point *point)
{
    return point->top_m + point->bulge_m;
}

#endif

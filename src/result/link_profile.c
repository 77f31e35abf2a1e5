/* Profiles of links: what is kept of them, and what reaches into the Fresnel zone. */
#include <math.h>
#include <string.h>

#include "base/abi.h"
#include "result/link_profile_data.h"

void rcity_link_profile_destroy(rcity_link_profile **profile)
{
    if (profile == NULL || *profile == NULL) {
        return;
    }
    rcity_context *context = (*profile)->context;
    rcity_release(context, (*profile)->obstacles);
    rcity_release(context, (*profile)->points);
    rcity_release(context, (*profile)->crs);
    rcity_release(context, *profile);
    *profile = NULL;
}

rcity_status rcity_link_profile_describe_sized(const rcity_link_profile *profile, size_t info_bytes,
                                               rcity_link_profile_info *info)
{
    RCITY_NEED(NULL, profile);
    RCITY_NEED(NULL, info);
    RCITY_CHECK_BYTES(NULL, rcity_link_profile_info, info_bytes);
    rcity_copy_struct(&profile->info, sizeof profile->info, info_bytes, info);
    return RCITY_OK;
}

rcity_status rcity_link_profile_get_point_sized(const rcity_link_profile *profile, int64_t point_index,
                                                size_t point_bytes, rcity_link_profile_point *point)
{
    RCITY_NEED(NULL, profile);
    RCITY_NEED(NULL, point);
    RCITY_CHECK_BYTES(NULL, rcity_link_profile_point, point_bytes);
    if (point_index < 0 || point_index >= profile->info.point_count) {
        return RCITY_ERR_ARGUMENT;
    }
    rcity_copy_struct(&profile->points[point_index], sizeof *profile->points, point_bytes, point);
    return RCITY_OK;
}

rcity_status rcity_link_profile_get_obstacle_sized(const rcity_link_profile *profile, int64_t obstacle_index,
                                                   size_t obstacle_bytes, rcity_link_profile_obstacle *obstacle)
{
    RCITY_NEED(NULL, profile);
    RCITY_NEED(NULL, obstacle);
    RCITY_CHECK_BYTES(NULL, rcity_link_profile_obstacle, obstacle_bytes);
    if (obstacle_index < 0 || obstacle_index >= profile->info.obstacle_count) {
        return RCITY_ERR_ARGUMENT;
    }
    rcity_copy_struct(&profile->obstacles[obstacle_index], sizeof *profile->obstacles, obstacle_bytes, obstacle);
    return RCITY_OK;
}

const char *rcity_profile_top_name(rcity_profile_top top)
{
    static const char *const names[] = {"ground", "building", "vegetation"};
    return (unsigned)top < sizeof names / sizeof names[0] ? names[top] : "unknown";
}

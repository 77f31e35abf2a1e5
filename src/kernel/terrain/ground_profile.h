/* The ground under the straight line between the two ends of a link, as formulas for terrain read it. */
#ifndef RCITY_KERNEL_TERRAIN_GROUND_PROFILE_H
#define RCITY_KERNEL_TERRAIN_GROUND_PROFILE_H

#include "kernel/portable.h"

/* Points from one end of a link, the transmitter's, to the other. Both ends are points; there are at least two. On devices
   the profiles of many receivers lie side by side, so that neighbours read neighbouring words: point i of a profile is
   `stride` words after point i - 1. */
typedef struct rcity_ground_profile {
    RCITY_GLOBAL const float *height_m;   /* of the ground above the sea */
    RCITY_GLOBAL const float *cover_m;    /* of what stands on it above the ground; NULL: nothing anywhere */
    RCITY_GLOBAL const float *distance_m; /* from the first end; NULL: the points are evenly spaced */
    rcity_i64 stride;
    rcity_i32 count;
    float step_m; /* between points that are evenly spaced */
} rcity_ground_profile;

RCITY_KERNEL float rcity_ground_profile_height_m(const rcity_ground_profile *profile, rcity_i32 i)
{
    return profile->height_m[profile->stride * i];
}

RCITY_KERNEL float rcity_ground_profile_cover_m(const rcity_ground_profile *profile, rcity_i32 i)
{
    return profile->cover_m ? profile->cover_m[profile->stride * i] : 0.0f;
}

RCITY_KERNEL float rcity_ground_profile_distance_m(const rcity_ground_profile *profile, rcity_i32 i)
{
    return profile->distance_m ? profile->distance_m[profile->stride * i] : profile->step_m * (float)i;
}

#endif

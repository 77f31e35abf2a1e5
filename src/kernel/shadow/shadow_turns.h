/* What is kept of a path, whatever it costs: sums over its turns. Numbers only, with one layout on host and devices. */
#ifndef RCITY_KERNEL_SHADOW_SHADOW_TURNS_H
#define RCITY_KERNEL_SHADOW_SHADOW_TURNS_H

#include "kernel/portable.h"

/* The loss of a path in dB is free space over its length plus, at each of its turns by alpha (radians, 0 straight on),
       a0 + b0 log10(k L) + a1 alpha + a2 alpha^2,   L = s s' / (s + s'),
   s and s' the lengths before and after that turn to its neighbours (turns or ends): sums of 1, log10(L), alpha,
   alpha^2 over the turns are all that is kept. */
typedef struct rcity_shadow_turns {
    float length_m; /* of the whole path */
    float angle_sum_rad, angle_square_sum_rad2;
    float log_distance_sum; /* of log10(L / 1 m) */
    rcity_i32 count;
} rcity_shadow_turns;

/* The grazing_root_m of a line that clears every edge by more than any wave needs. */
#define RCITY_SHADOW_CLEAR_ROOT_M (-1e3f)

/* The over-roof path to a pixel. Its length is 0 where there is none: the pixel or the source is inside a building. */
typedef struct rcity_shadow_roof {
    rcity_shadow_turns turns;
    float elevation_rad; /* at which it leaves the source, positive upward */

    /* Its edges as one knife edge where the tangents at both ends meet (Bullington), and what a second one adds; see
       rcity_roof_edges in roofs/roof_path.h. For a visible receiver the edge that comes nearest to the line, negative,
       and the rest of an rcity_shadow_nearest: rcity_shadow_nearest_pack(). */
    float grazing_root_m, pair_m;

    /* Of the bare ground alone, as one edge (Bullington), negative where it does not reach up to the line;
       RCITY_SHADOW_CLEAR_ROOT_M: it is far below, or there is no elevation grid. */
    float ground_root_m;
} rcity_shadow_roof;

/* Edges that are farther from a free line are not looked for: v times the root of the wavelength at which a knife edge
   takes nothing more (v = -0.78) from waves of 2.5 m. */
#define RCITY_SHADOW_NEAR_ROOT_M 1.25f

/* How near a free line comes to an edge, as kept in rcity_shadow_roof. */
typedef struct rcity_shadow_nearest {
    float grazing_root_m;
    rcity_i32 is_corner;
    float
        street_root_m; /* how far in plan the nearest corner is, up to RCITY_SHADOW_NEAR_ROOT_M; 0: the line passes over a building */
    float ground_root_m; /* of rcity_shadow_roof, of hidden lines too */
} rcity_shadow_nearest;

#define RCITY_SHADOW_CORNER_MARK 2.0f /* more than any street_root_m */

/* What is kept of it beside grazing_root_m. */
RCITY_KERNEL float rcity_shadow_nearest_pack(rcity_i32 is_corner, float street_root_m)
{
    return street_root_m + (is_corner ? RCITY_SHADOW_CORNER_MARK : 0.0f);
}

/* What a record says of the ground under its line; without a path it says nothing. */
RCITY_KERNEL float rcity_shadow_roof_ground_root(float length_m, float ground_root_m)
{
    return length_m > 0.0f ? ground_root_m : RCITY_SHADOW_CLEAR_ROOT_M;
}

/* Of a line that is free and has a record; of any other, nothing but the ground is near, and it is in no street. */
RCITY_KERNEL rcity_shadow_nearest rcity_shadow_nearest_make(int has_record, float grazing_root_m, float pair_m,
                                                            float ground_root_m)
{
    rcity_shadow_nearest nearest;
    nearest.grazing_root_m = has_record ? grazing_root_m : RCITY_SHADOW_CLEAR_ROOT_M;
    nearest.is_corner = has_record && pair_m >= RCITY_SHADOW_CORNER_MARK;
    nearest.ground_root_m = ground_root_m;
    nearest.street_root_m = !has_record ? 0.0f : nearest.is_corner ? pair_m - RCITY_SHADOW_CORNER_MARK : pair_m;
    return nearest;
}

#endif

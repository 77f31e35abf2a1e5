/* The leg from the last corner of a chain to a pixel: the turn there, and the length of the whole path. */
#ifndef RCITY_KERNEL_SHADOW_CORNERS_CORNER_PATH_H
#define RCITY_KERNEL_SHADOW_CORNERS_CORNER_PATH_H

#include "kernel/portable.h"

/* No receiver counts as nearer to a corner than this: the law of a turn uses the logarithm of the leg. */
#define RCITY_CORNER_LEG_MIN_M 1e-2f

/* The leg that ends at the corner. */
typedef struct rcity_corner_leg {
    float dx, dy;   /* its direction in plan, of length 1 */
    float leg_m;    /* its length */
    float length_m; /* of all legs up to the corner */
} rcity_corner_leg;

typedef struct rcity_corner_path {
    float angle_rad;      /* by which it turns at the corner */
    float log_distance;   /* log10 of L = s s' / (s + s'), the legs before and after, in metres */
    float log_length;     /* log10 of the whole length in space, in metres */
    float slope;          /* at which it leaves the source: rise over run of the unfolded path */
    float grazing_root_m; /* of the turn: rcity_corner_grazing() */
} rcity_corner_path;

/* v of a knife edge (ITU-R P.526-15, section 4.1) times the square root of the wavelength, from the turn by an angle:
   2 sin(angle / 2) sqrt(2 L), which is the angle times sqrt(2 L) as long as that is small, and holds for a half-plane at
   any angle. `along` and `across` are the leg after the turn in the direction of the one before, `next` its length. */
RCITY_KERNEL float rcity_corner_grazing(float along_m, float across_m, float next_m, float distance_m)
{
    /* 4 sin^2(angle / 2) is 2 (1 - cos(angle)), which cancels where the angle is small */
    float sine = across_m / next_m;
    float cosine = along_m / next_m;
    cosine = cosine < 1.0f ? cosine : 1.0f; /* no call, so that loops over it are vectorized */
    float chord2 = cosine > 0.0f ? 2.0f * sine * sine / (1.0f + cosine) : 2.0f * (1.0f - cosine);
    return rcity_sqrt(2.0f * distance_m * chord2);
}

/* From the corner by dx, dy to the pixel, which is rise_m above the source. */
RCITY_KERNEL rcity_corner_path rcity_corner_path_make(const rcity_corner_leg *leg, float dx_m, float dy_m, float rise_m)
{
    float next_m = rcity_fmax(rcity_sqrt(dx_m * dx_m + dy_m * dy_m), RCITY_CORNER_LEG_MIN_M);
    float plan_m = leg->length_m + next_m;
    rcity_corner_path path;
    /* a receiver at the corner itself has no turn: the sum is +0 there, whatever the signs of its terms */
    float along_m = leg->dx * dx_m + leg->dy * dy_m + 0.0f;
    float across_m = rcity_fabs(leg->dx * dy_m - leg->dy * dx_m);
    float distance_m = leg->leg_m * next_m / (leg->leg_m + next_m);
    path.angle_rad = rcity_atan2(across_m, along_m);
    path.log_distance = rcity_log10(distance_m);
    path.grazing_root_m = rcity_corner_grazing(along_m, across_m, next_m, distance_m);
    path.log_length = 0.5f * rcity_log10(plan_m * plan_m + rise_m * rise_m);
    path.slope = rise_m / plan_m;
    return path;
}

#endif

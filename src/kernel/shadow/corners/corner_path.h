/* The leg from the last corner of a chain to a pixel: the turn there, and the length of the whole path. */
#ifndef RCITY_KERNEL_SHADOW_CORNERS_CORNER_PATH_H
#define RCITY_KERNEL_SHADOW_CORNERS_CORNER_PATH_H

#include "kernel/decibels.h"

/* No receiver counts as nearer to a corner than this: the law of a turn uses the logarithm of the leg. */
#define RCITY_CORNER_LEG_MIN_M 1e-2f

/* The leg that ends at the corner. */
typedef struct rcity_corner_leg {
    float dx, dy;             /* its direction in plan, of length 1 */
    float leg_m;              /* its length */
    float length_m;           /* of all legs up to the corner */
    float first_dx, first_dy; /* the direction of the only leg before it; 0: there is none, or there are more */
} rcity_corner_leg;

/* The pair_m of turns that are edges of their own. */
#define RCITY_CORNER_APART (-1.0f)

typedef struct rcity_corner_path {
    float angle_rad;      /* by which it turns at the corner */
    float log_distance;   /* log10 of L = s s' / (s + s'), the legs before and after, in metres */
    float log_length;     /* log10 of the whole length in space, in metres */
    float slope;          /* at which it leaves the source: rise over run of the unfolded path */
    float grazing_root_m; /* of the turn: rcity_corner_grazing(); or of both: rcity_corner_pair() */
    float pair_m;         /* what the other of two turns adds; 0: there is only one; or RCITY_CORNER_APART */
    float street;         /* rcity_corner_street() of the turn */
} rcity_corner_path;

/* 4 sin^2(angle / 2) of a turn: the square of the difference of both directions, which does not cancel where the angle
   is small. `along` and `across` are the leg after it in the direction of the one before, `next` its length. */
RCITY_KERNEL float rcity_corner_chord2(float along_m, float across_m, float next_m)
{
    float sine = across_m / next_m;
    float less = 1.0f - along_m / next_m;
    return sine * sine + less * less;
}

/* v of a knife edge (ITU-R P.526-15, section 4.1) times the square root of the wavelength, from the turn by an angle:
   2 sin(angle / 2) sqrt(2 L), which is the angle times sqrt(2 L) as long as that is small, and holds for a half-plane at
   any angle. */
RCITY_KERNEL float rcity_corner_grazing(float along_m, float across_m, float next_m, float distance_m)
{
    return rcity_sqrt(2.0f * distance_m * rcity_corner_chord2(along_m, across_m, next_m));
}

/* Two turns in the same sense, around a building or a block, as one knife edge and a second one, as over roofs
   (rcity_roof_path_bend()): with turns a and b, legs p, q, r, the edge where the tangents meet, and what far from grazing
   the field around both loses more than that. Where either turn vanishes, so does the second edge, and the first is
   that of the other turn alone: where a path around two corners begins, it loses what the one around the first does. `dx_m`,
   `dy_m` is the last leg, `next_m` its length. Sets root and pair of both; turns in opposite senses are left apart. */
RCITY_KERNEL void rcity_corner_pair(const rcity_corner_leg *leg, float dx_m, float dy_m, float next_m,
                                    float *grazing_root_m, float *pair_m)
{
    const float chord2_min = 1e-12f; /* in line: the quotients below stay finite */
    float p = leg->length_m - leg->leg_m;
    float q = leg->leg_m;
    float first_across = leg->first_dx * leg->dy - leg->first_dy * leg->dx;
    float last_across_m = leg->dx * dy_m - leg->dy * dx_m;
    float a2 = rcity_corner_chord2(leg->first_dx * leg->dx + leg->first_dy * leg->dy, first_across, 1.0f);
    float b2 = rcity_corner_chord2(leg->dx * dx_m + leg->dy * dy_m, last_across_m, next_m);
    float c2 = rcity_corner_chord2(leg->first_dx * dx_m + leg->first_dy * dy_m,
                                   leg->first_dx * dy_m - leg->first_dy * dx_m, next_m);
    c2 = c2 > chord2_min ? c2 : chord2_min;
    float from_m = p + q * rcity_sqrt(b2 / c2);
    float to_m = next_m + q * rcity_sqrt(a2 / c2);
    float distance_m = from_m * to_m / (from_m + to_m);
    float turn2 = a2 * b2 / c2;
    float both_m = 4.0f * RCITY_PI * RCITY_PI * turn2 * p * q * next_m / ((p + q + next_m) * distance_m);
    int is_one = first_across * last_across_m >= 0.0f;
    *grazing_root_m = is_one ? rcity_sqrt(2.0f * distance_m * c2) : *grazing_root_m;
    *pair_m = is_one ? both_m : RCITY_CORNER_APART;
}

/* Does the leg follow a single one? */
RCITY_KERNEL int rcity_corner_leg_is_second(const rcity_corner_leg *leg)
{
    return leg->first_dx != 0.0f || leg->first_dy != 0.0f;
}

/* What a turn has before rcity_corner_pair(): the only turn has no other, of more than two each is its own edge. */
RCITY_KERNEL float rcity_corner_leg_pair(const rcity_corner_leg *leg)
{
    return leg->length_m > leg->leg_m ? RCITY_CORNER_APART : 0.0f;
}

/* What street walls reflect around a corner, as a ratio of powers: the corner loss of ITU-R P.1411-12, section 4.1.3.2
   (urban, 2 to 38 GHz), 20 dB within 30 m of the corner, with the logarithm of the metres. Metres count across from the
   edge of sight, L 2 sin(angle / 2), with the logarithm of L = s s' / (s + s'): the same both ways. */
RCITY_KERNEL float rcity_corner_street(float log_distance, float angle_rad)
{
    float half_rad = 0.5f * angle_rad;
    float half_rad2 = half_rad * half_rad;
    float sine =
        half_rad * (1.0f + half_rad2 * (-0.166666667f + half_rad2 * (0.00833333333f - half_rad2 * 0.000198412698f)));
    float metres = 1.0f + 2.0f * sine * rcity_decibel_ratio(10.0f * log_distance);
    float root4 = rcity_sqrt(rcity_sqrt(metres));
    return metres * root4 * rcity_sqrt(root4); /* to the power 1.375: 13.75 dB a decade, where P.1411 has 13.4 */
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
    path.street = rcity_corner_street(path.log_distance, path.angle_rad);
    path.grazing_root_m = rcity_corner_grazing(along_m, across_m, next_m, distance_m);
    path.pair_m = rcity_corner_leg_pair(leg);
    if (rcity_corner_leg_is_second(leg)) {
        rcity_corner_pair(leg, dx_m, dy_m, next_m, &path.grazing_root_m, &path.pair_m);
    }
    path.log_length = 0.5f * rcity_log10(plan_m * plan_m + rise_m * rise_m);
    path.slope = rise_m / plan_m;
    return path;
}

#endif

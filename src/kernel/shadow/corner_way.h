/* The last leg of a way around corners: from a chain of corners, as far as it is known, to a receiver. */
#ifndef RCITY_KERNEL_SHADOW_CORNER_WAY_H
#define RCITY_KERNEL_SHADOW_CORNER_WAY_H

#include "kernel/portable.h"

/* A receiver at a corner is not nearer to it: the turn's law knows the logarithm of the way. */
#define RCITY_CORNER_LEG_MIN_M 1e-2f

/* A chain at its last corner. */
typedef struct rcity_corner_end {
    float in_x, in_y; /* direction in which it arrives, in plan, of length 1 */
    float leg_m;      /* from the corner before, or the source */
    float length_m;   /* in plan, from the source */
} rcity_corner_end;

typedef struct rcity_corner_way {
    float angle_rad;  /* of the turn at the corner */
    float log_way;    /* log10 of its L = s s' / (s + s'), in metres */
    float log_length; /* log10 of the whole length in space, in metres */
    float slope;      /* at which it leaves the source: rise over run of the unfolded way */
} rcity_corner_way;

/* On from the corner by (dx_m, dy_m) in plan; the receiver is `rise_m` above the source. */
RCITY_KERNEL rcity_corner_way rcity_corner_way_make(rcity_corner_end end, float dx_m, float dy_m, float rise_m)
{
    float leg_m = rcity_fmax(rcity_sqrt(dx_m * dx_m + dy_m * dy_m), RCITY_CORNER_LEG_MIN_M);
    float plan_m = end.length_m + leg_m;
    rcity_corner_way way;
    way.angle_rad = rcity_atan2(rcity_fabs(end.in_x * dy_m - end.in_y * dx_m), end.in_x * dx_m + end.in_y * dy_m);
    way.log_way = rcity_log10(end.leg_m * leg_m / (end.leg_m + leg_m));
    way.log_length = 0.5f * rcity_log10(plan_m * plan_m + rise_m * rise_m);
    way.slope = rise_m / plan_m;
    return way;
}

#endif

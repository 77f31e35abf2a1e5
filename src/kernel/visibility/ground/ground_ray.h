/* A direction of an octant ring by ring: the ground where it meets a ring of nodes, and where it crosses rows, columns
   and diagonals on the way there, in single precision with a bound of the error.

   The error. A coordinate aside is base + slope * distance, off by less than 2^-22 (1 + slope * rings) cells, and where a
   crossing lies by that over the slope; the ground changes by at most `steep` from node to node. Heights are
   differences to the source below 2^24, so they are exact; what is rounded afterwards is below 2^-18 of `reach`. */
#ifndef RCITY_KERNEL_VISIBILITY_GROUND_GROUND_RAY_H
#define RCITY_KERNEL_VISIBILITY_GROUND_GROUND_RAY_H

#include "kernel/visibility/ground/ground_octant.h"

typedef struct rcity_ground_ray {
    float slope;         /* aside over away: 0 to 1 */
    float slope_part;    /* 1 / slope, or 0 */
    float diagonal_part; /* 1 / (1 - slope), or 0 where diagonals lead along; otherwise 1 / (1 + slope) */
    float blur;          /* how far off a crossing may be along the ray, cells */
    float error;         /* of heights, height units */
    float fall;          /* of a curved earth over the length that takes one cell away */
} rcity_ground_ray;

/* What a ray meets from one ring to the next: the ground at the ring, and up to three crossings on the way, with how
   far they lie before the ring, in cells. Heights are relative to the source; the same
   crossing may stand twice. Where diagonals lead along there is one crossing only. */
typedef struct rcity_ground_step {
    float ring;
    float back[3];
    float height[3];
} rcity_ground_step;

/* `rest` is 1 - slope, given apart since it is exact where it is small. */
RCITY_KERNEL rcity_ground_ray rcity_ground_ray_make(const rcity_ground_job *job, const rcity_ground_octant *octant,
                                                    float slope, float rest)
{
    rcity_ground_ray ray;
    float other = octant->is_along ? rest : 1.0f + slope;
    float reach = 2.0f * (float)(octant->ring_count + 1);
    ray.slope = slope;
    ray.slope_part = slope > 0.0f ? 1.0f / slope : 0.0f;
    ray.diagonal_part = other > 0.0f ? 1.0f / other : 0.0f;
    float small = octant->is_along && rest < slope ? rest : slope;
    float blur = small > 0.0f ? (1.0f / small + reach) * (1.0f / 2097152.0f) : reach * (1.0f / 2097152.0f);
    ray.blur = blur < 1.0f ? blur : 1.0f;
    ray.fall = job->fall * (1.0f + slope * slope);
    ray.error = job->reach * (1.0f / 262144.0f) + job->steep * ray.blur + 4.0f * job->fall;
    return ray;
}

/* A node of the octant, relative to the source. Beyond the sides of the grid it is the last one of its ring. */
RCITY_KERNEL_WITHIN float rcity_ground_node(RCITY_GLOBAL const rcity_i32 *ring, rcity_i32 aside,
                                            const rcity_ground_octant *octant, rcity_i32 z)
{
    aside = aside < octant->side_count ? aside : octant->side_count;
    return (float)(ring[aside * octant->step_aside] - z);
}

/* The nodes of a ring. */
RCITY_KERNEL_WITHIN RCITY_GLOBAL const rcity_i32 *rcity_ground_ring(RCITY_GLOBAL const rcity_i32 *nodes,
                                                                    const rcity_ground_octant *octant, rcity_i32 ring)
{
    return nodes + octant->base + ring * octant->step_away;
}

/* Where a ray meets a ring: nodes aside and aside + 1, `part` between them, and `rest` = 1 - part. */
typedef struct rcity_ground_place {
    rcity_i32 aside;
    float part, rest;
} rcity_ground_place;

/* `away` is the ring's distance from the source in cells. With `is_steep` the place is found from the diagonal, which
   is exact close to it; that is for slopes above 1/2 where diagonals lead along. */
RCITY_KERNEL_WITHIN rcity_ground_place rcity_ground_ray_place(float slope, float left_away, float left_aside,
                                                              rcity_i32 ring, float away, int is_steep)
{
    rcity_ground_place place;
    if (is_steep) {
        float c = (left_away - left_aside + 1.0f) + (1.0f - slope) * away;
        rcity_i32 whole = (rcity_i32)c;
        place.rest = c - (float)whole;
        place.part = 1.0f - place.rest;
        place.aside = ring - whole;
        place.aside = place.aside > 0 ? place.aside : 0;
    } else {
        float y = left_aside + slope * away;
        place.aside = (rcity_i32)y;
        place.part = y - (float)place.aside;
        place.rest = 1.0f - place.part;
    }
    return place;
}

/* The step to `ring`, whose distance is `away`. The flags are constants where speed matters. */
RCITY_KERNEL_WITHIN rcity_ground_step rcity_ground_ray_step(RCITY_GLOBAL const rcity_i32 *near, rcity_i32 z,
                                                            const rcity_ground_octant *octant, rcity_ground_ray ray,
                                                            rcity_ground_place at, int is_along, int is_steep)
{
    RCITY_GLOBAL const rcity_i32 *far = near + octant->step_away;
    float south = rcity_ground_node(far, at.aside, octant, z);
    float north = rcity_ground_node(far, at.aside + 1, octant, z);
    float behind = rcity_ground_node(near, at.aside, octant, z);
    rcity_ground_step step;
    step.ring = south + at.part * (north - south);
    if (is_along) { /* a row or a diagonal, never both */
        int is_row = is_steep ? at.rest >= 1.0f - ray.slope : at.part < ray.slope;
        float from = is_row ? south : north;
        float back = is_row ? at.part * ray.slope_part : at.rest * ray.diagonal_part;
        back = back < 1.0f ? back : 1.0f;
        step.back[0] = back;
        step.height[0] = from + back * (behind - from);
        step.back[1] = step.back[2] = back;
        step.height[1] = step.height[2] = step.height[0];
        return step;
    }
    rcity_i32 below = at.aside > 0 ? at.aside - 1 : 0;
    float beside = rcity_ground_node(near, at.aside + 1, octant, z);
    float under = rcity_ground_node(far, below, octant, z);
    /* a diagonal always, a row and another diagonal together or not at all: then the first one stands for them */
    int is_row = at.part < ray.slope;
    float first = at.part * ray.diagonal_part;
    float back = at.part * ray.slope_part;
    back = back < 1.0f ? back : 1.0f;
    back = is_row ? back : first;
    float to = is_row ? behind : beside;
    step.back[0] = back;
    step.height[0] = south + back * (to - south);
    back = (1.0f + at.part) * ray.diagonal_part;
    back = back < 1.0f ? back : 1.0f;
    back = is_row ? back : first;
    float from = is_row ? under : south;
    step.back[1] = back;
    step.height[1] = from + back * (to - from);
    step.back[2] = first;
    step.height[2] = south + first * (beside - south);
    return step;
}

/* The slope at which the source sees a height, in height units a cell away, on an earth that falls. */
RCITY_KERNEL_WITHIN float rcity_ground_slope(float height, float away, float fall)
{
    return height / away - fall * away;
}

/* The slope of one crossing, an upper bound: what surely lies below the source is seen lowest from afar, all else from near.
   What lies behind the source is nothing. */
RCITY_KERNEL_WITHIN float rcity_ground_slope_above(float height, float at, rcity_ground_ray ray)
{
    const float least = 1.0f / 1048576.0f;
    float top = height + ray.error;
    float from = top < 0.0f ? at + ray.blur : at - ray.blur;
    float slope = top / (from > least ? from : least) - ray.fall * at;
    return at > least ? slope : RCITY_GROUND_NOTHING;
}

/* The highest slope on the way to a ring, an upper bound. */
RCITY_KERNEL_WITHIN float rcity_ground_slope_between(rcity_ground_step step, rcity_ground_ray ray, float away,
                                                     int is_along)
{
    float highest = rcity_ground_slope_above(step.height[0], away - step.back[0], ray);
    if (!is_along) {
        float other = rcity_ground_slope_above(step.height[1], away - step.back[1], ray);
        highest = other > highest ? other : highest;
        other = rcity_ground_slope_above(step.height[2], away - step.back[2], ray);
        highest = other > highest ? other : highest;
    }
    return highest;
}

#endif

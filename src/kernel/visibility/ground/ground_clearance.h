/* How far a line over the ground clears the first Fresnel zone, in single precision. */
#ifndef RCITY_KERNEL_VISIBILITY_GROUND_GROUND_CLEARANCE_H
#define RCITY_KERNEL_VISIBILITY_GROUND_GROUND_CLEARANCE_H

#include "kernel/visibility/ground/ground_line.h"

#define RCITY_GROUND_FRESNEL_PART 0.6f

/* The radius of the zone's part at a distance: F1 = sqrt(lambda d1 d2 / (d1 + d2)). `scale` is its square in height units
   for d1 d2 / (d1 + d2) of one cell. */
RCITY_KERNEL float rcity_ground_zone(float scale, float at, float length)
{
    float product = at * (length - at) / length;
    return rcity_sqrt(scale * (product > 1.0e-6f ? product : 1.0e-6f));
}

/* A lower ratio at one crossing. */
RCITY_KERNEL float rcity_ground_clearance_at(const rcity_ground_line *line, float scale, float at, float height,
                                             float least)
{
    if (at <= 0.0f || at >= line->length) {
        return least;
    }
    float ratio = (rcity_ground_line_height(line, at) - height) / rcity_ground_zone(scale, at, line->length);
    return ratio < least ? ratio : least;
}

/* The zone's part on a stretch of the line, where it is widest and where narrowest. */
RCITY_KERNEL float rcity_ground_zone_widest(float scale, float begin, float end, float length)
{
    float middle = 0.5f * length;
    return rcity_ground_zone(scale, middle < begin ? begin : middle > end ? end : middle, length);
}

RCITY_KERNEL float rcity_ground_zone_narrowest(float scale, float begin, float end, float length)
{
    float first = rcity_ground_zone(scale, begin, length);
    float last = rcity_ground_zone(scale, end, length);
    return first < last ? first : last;
}

/* Can the next block's width of cells have no lower ratio than `least`? */
RCITY_KERNEL int rcity_ground_clearance_passes(const rcity_ground_job *job, const rcity_ground_octant *octant,
                                               RCITY_GLOBAL const rcity_i32 *blocks, const rcity_ground_line *line,
                                               float scale, rcity_i32 ring, float least)
{
    float begin = rcity_ground_away(job, octant, ring);
    float end = begin + (float)RCITY_GROUND_BLOCK;
    rcity_ground_line moved = *line; /* lowered by what the zone needs at most, or raised by what it lacks at least */
    moved.ray.error += least > 0.0f ? least * rcity_ground_zone_widest(scale, begin, end, line->length)
                                    : least * rcity_ground_zone_narrowest(scale, begin, end, line->length);
    return rcity_ground_line_clears(job, octant, blocks, &moved, ring, begin);
}

/* The least ratio so far, and the ring where it was found. */
typedef struct rcity_ground_clearance_least {
    float ratio;
    rcity_i32 ring;
} rcity_ground_clearance_least;

/* The crossings of the step to a ring. */
RCITY_KERNEL void rcity_ground_clearance_step(const rcity_ground_job *job, const rcity_ground_octant *octant,
                                              RCITY_GLOBAL const rcity_i32 *nodes, const rcity_ground_line *line,
                                              float scale, rcity_i32 ring, rcity_ground_clearance_least *least)
{
    float away = rcity_ground_away(job, octant, ring);
    rcity_ground_place at =
        rcity_ground_ray_place(line->ray.slope, line->left_away, line->left_aside, ring, away, line->is_steep);
    rcity_ground_step step = rcity_ground_ray_step(rcity_ground_ring(nodes, octant, ring - 1), job->z, octant,
                                                   line->ray, at, octant->is_along, line->is_steep);
    float ratio = rcity_ground_clearance_at(line, scale, away, step.ring, least->ratio);
    int crossing_count = octant->is_along ? 1 : 3;
    for (int i = 0; i < crossing_count; i++) {
        ratio = rcity_ground_clearance_at(line, scale, away - step.back[i], step.height[i], ratio);
    }
    if (ratio < least->ratio) {
        least->ratio = ratio;
        least->ring = ring;
    }
}

/* The least ratio of clearance to 0.6 of the first zone's radius; `wavelength` is in height units, a cell is `cell` of
   them. `*guess` is a ring where the ratio may be low, any number, and becomes the one where it is lowest: with a good
   guess most blocks are passed. */
RCITY_KERNEL float rcity_ground_clearance(const rcity_ground_job *job, const rcity_ground_octant *octant,
                                          RCITY_GLOBAL const rcity_i32 *nodes, RCITY_GLOBAL const rcity_i32 *blocks,
                                          const rcity_ground_line *line, float wavelength, float cell, rcity_i32 *guess)
{
    float stretch = rcity_sqrt(1.0f + line->ray.slope * line->ray.slope);
    float scale = RCITY_GROUND_FRESNEL_PART * RCITY_GROUND_FRESNEL_PART * wavelength * cell * stretch;
    rcity_i32 last = line->ring_last < octant->ring_count ? line->ring_last : octant->ring_count;
    rcity_i32 first = octant->sign_away > 0 ? octant->base_away : -octant->base_away;
    rcity_ground_clearance_least least;
    least.ratio = -RCITY_GROUND_NOTHING;
    least.ring = 1;
    if (*guess >= 1 && *guess <= last) {
        rcity_ground_clearance_step(job, octant, nodes, line, scale, *guess, &least);
    }
    for (rcity_i32 ring = 1; ring <= last; ring++) {
        rcity_i32 behind = ring - 1;
        if (((first + behind) & (RCITY_GROUND_BLOCK - 1)) == 0 && behind > 0 &&
            behind + RCITY_GROUND_BLOCK < line->ring_last &&
            rcity_ground_clearance_passes(job, octant, blocks, line, scale, behind, least.ratio)) {
            ring += RCITY_GROUND_BLOCK - 1;
            continue;
        }
        rcity_ground_clearance_step(job, octant, nodes, line, scale, ring, &least);
    }
    *guess = least.ring;
    return least.ratio;
}

#endif

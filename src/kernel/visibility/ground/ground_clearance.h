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

/* Can the next block's width of cells have no lower ratio than `least`? */
RCITY_KERNEL int rcity_ground_clearance_passes(const rcity_ground_job *job, const rcity_ground_octant *octant,
                                               RCITY_GLOBAL const rcity_i32 *blocks, const rcity_ground_line *line,
                                               float scale, rcity_i32 ring, float least)
{
    if (least <= 0.0f) {
        return rcity_ground_line_clears(job, octant, blocks, line, ring, rcity_ground_away(job, octant, ring));
    }
    float begin = rcity_ground_away(job, octant, ring);
    float end = begin + (float)RCITY_GROUND_BLOCK;
    float middle = 0.5f * line->length;
    float widest = middle < begin ? begin : middle > end ? end : middle;
    rcity_ground_line lower = *line; /* lowered by what the zone needs at most */
    lower.ray.error += least * rcity_ground_zone(scale, widest, line->length);
    return rcity_ground_line_clears(job, octant, blocks, &lower, ring, begin);
}

/* The least ratio of clearance to 0.6 of the first zone's radius; `wavelength` is in height units, a cell is `cell` of
   them. */
RCITY_KERNEL float rcity_ground_clearance(const rcity_ground_job *job, const rcity_ground_octant *octant,
                                          RCITY_GLOBAL const rcity_i32 *nodes, RCITY_GLOBAL const rcity_i32 *blocks,
                                          const rcity_ground_line *line, float wavelength, float cell)
{
    float stretch = rcity_sqrt(1.0f + line->ray.slope * line->ray.slope);
    float scale = RCITY_GROUND_FRESNEL_PART * RCITY_GROUND_FRESNEL_PART * wavelength * cell * stretch;
    float least = -RCITY_GROUND_NOTHING;
    rcity_i32 first = octant->sign_away > 0 ? octant->base_away : -octant->base_away;
    rcity_i32 ring = 1;
    while (ring <= line->ring_last && ring <= octant->ring_count) {
        rcity_i32 behind = ring - 1;
        if (((first + behind) & (RCITY_GROUND_BLOCK - 1)) == 0 && behind > 0 &&
            behind + RCITY_GROUND_BLOCK < line->ring_last &&
            rcity_ground_clearance_passes(job, octant, blocks, line, scale, behind, least)) {
            ring += RCITY_GROUND_BLOCK;
            continue;
        }
        float away = rcity_ground_away(job, octant, ring);
        rcity_ground_place at =
            rcity_ground_ray_place(line->ray.slope, line->left_away, line->left_aside, ring, away, line->is_steep);
        rcity_ground_step step = rcity_ground_ray_step(rcity_ground_ring(nodes, octant, behind), job->z, octant,
                                                       line->ray, at, octant->is_along, line->is_steep);
        least = rcity_ground_clearance_at(line, scale, away, step.ring, least);
        int crossing_count = octant->is_along ? 1 : 3;
        for (int i = 0; i < crossing_count; i++) {
            least = rcity_ground_clearance_at(line, scale, away - step.back[i], step.height[i], least);
        }
        ring++;
    }
    return least;
}

#endif

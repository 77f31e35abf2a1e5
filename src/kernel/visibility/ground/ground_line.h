/* One line over the ground, block by block and ring by ring, in single precision with a bound of the error: blocked,
   free, or the first step that only an exact comparison decides. */
#ifndef RCITY_KERNEL_VISIBILITY_GROUND_GROUND_LINE_H
#define RCITY_KERNEL_VISIBILITY_GROUND_GROUND_LINE_H

#include "kernel/visibility/ground/ground_ray.h"

/* A line from the source to a target in the octant's frame. Distances are in cells, heights relative to the source. */
typedef struct rcity_ground_line {
    rcity_ground_ray ray;
    float left_away, left_aside;
    float length;        /* away */
    float rise;          /* of the target */
    float per_cell;      /* rise / length */
    rcity_i32 ring_last; /* the first ring at or beyond the target */
    int is_steep;
} rcity_ground_line;

/* `away` >= `aside` >= 0 is the target in plan units, away > 0. */
RCITY_KERNEL rcity_ground_line rcity_ground_line_make(const rcity_ground_job *job, const rcity_ground_octant *octant,
                                                      rcity_i32 away, rcity_i32 aside, rcity_i32 rise)
{
    rcity_ground_line line;
    float cell = (float)job->cell;
    line.length = (float)away / cell;
    line.ray = rcity_ground_ray_make(job, octant, (float)aside / (float)away, (float)(away - aside) / (float)away);
    line.left_away = (float)octant->left_away / cell;
    line.left_aside = (float)octant->left_aside / cell;
    line.rise = (float)rise;
    line.per_cell = line.rise / line.length;
    line.ring_last = (rcity_i32)(((rcity_i64)away + octant->left_away + job->cell - 1) / job->cell);
    line.is_steep = octant->is_along && 2 * (rcity_i64)aside > away;
    line.ray.error += rcity_fabs(line.rise) * (1.0f / 262144.0f) + rcity_fabs(line.per_cell) * line.ray.blur;
    return line;
}

/* The line's height over what falls away below it. */
RCITY_KERNEL_WITHIN float rcity_ground_line_height(const rcity_ground_line *line, float at)
{
    return line->per_cell * at - line->ray.fall * at * (line->length - at);
}

/* The distance of a ring from the source. */
RCITY_KERNEL float rcity_ground_away(const rcity_ground_job *job, const rcity_ground_octant *octant, rcity_i32 ring)
{
    return (float)((rcity_i64)ring * job->cell - octant->left_away) / (float)job->cell;
}

/* Does the line clear the highest nodes of a block's width of cells from this ring on? */
RCITY_KERNEL int rcity_ground_line_clears(const rcity_ground_job *job, const rcity_ground_octant *octant,
                                          RCITY_GLOBAL const rcity_i32 *blocks, const rcity_ground_line *line,
                                          rcity_i32 ring, float away)
{
    float width = (float)RCITY_GROUND_BLOCK;
    float low = rcity_ground_line_height(line, away);
    float high = rcity_ground_line_height(line, away + width);
    low = (high < low ? high : low) - line->ray.fall * (0.25f * width * width) - line->ray.error;
    float aside = line->left_aside + line->ray.slope * away;
    rcity_i32 begin = (rcity_i32)(aside - 0.03125f > 0.0f ? aside - 0.03125f : 0.0f);
    rcity_i32 end = (rcity_i32)(aside + line->ray.slope * width + 0.03125f);
    /* cells, from their nodes in the octant's frame */
    rcity_i32 away_cell = octant->base_away + (octant->sign_away > 0 ? ring : -ring - 1);
    rcity_i32 begin_cell = octant->base_aside + (octant->sign_aside > 0 ? begin : -begin - 1);
    rcity_i32 end_cell = octant->base_aside + (octant->sign_aside > 0 ? end : -end - 1);
    rcity_i32 block_away = away_cell / RCITY_GROUND_BLOCK;
    rcity_i32 low_cell = begin_cell < end_cell ? begin_cell : end_cell;
    rcity_i32 high_cell = begin_cell < end_cell ? end_cell : begin_cell;
    rcity_i32 block_count = octant->is_swapped ? job->block_columns : job->block_rows;
    rcity_i32 block_low = (low_cell > 0 ? low_cell : 0) / RCITY_GROUND_BLOCK;
    rcity_i32 block_high = (high_cell > 0 ? high_cell : 0) / RCITY_GROUND_BLOCK;
    block_high = block_high < block_count ? block_high : block_count - 1;
    for (rcity_i32 block = block_low; block <= block_high; block++) {
        rcity_i32 index =
            octant->is_swapped ? block_away * job->block_columns + block : block * job->block_columns + block_away;
        if ((float)(blocks[index] - job->z) > low) {
            return 0;
        }
    }
    return 1;
}

/* Is the line below the ground (1), above it (0), or only exact numbers know (-1), at one crossing? */
RCITY_KERNEL_WITHIN int rcity_ground_line_meets(const rcity_ground_line *line, float at, float height)
{
    float blur = (line->length + 1.0f) * (1.0f / 1048576.0f);
    float over = rcity_ground_line_height(line, at) - height;
    if (over > line->ray.error || at < -blur || at > line->length + blur) {
        return 0;
    }
    return over < -line->ray.error && at > blur && at < line->length - blur ? 1 : -1;
}

/* The answer for one step: as rcity_ground_line_meets(). */
RCITY_KERNEL_WITHIN int rcity_ground_line_step(const rcity_ground_line *line, const rcity_ground_octant *octant,
                                               rcity_ground_step step, float away)
{
    int answer = rcity_ground_line_meets(line, away, step.ring);
    int crossing_count = octant->is_along ? 1 : 3;
    for (int i = 0; i < crossing_count && answer != 1; i++) {
        int other = rcity_ground_line_meets(line, away - step.back[i], step.height[i]);
        answer = other != 0 ? other : answer;
    }
    return answer;
}

/* From the step to ring `*ring` on. RCITY_GROUND_UNDECIDED: `*ring` is the step that exact numbers must look at. */
RCITY_KERNEL int rcity_ground_line_walk(const rcity_ground_job *job, const rcity_ground_octant *octant,
                                        RCITY_GLOBAL const rcity_i32 *nodes, RCITY_GLOBAL const rcity_i32 *blocks,
                                        const rcity_ground_line *line, rcity_i32 *ring)
{
    rcity_i32 first = octant->sign_away > 0 ? octant->base_away : -octant->base_away;
    while (*ring <= line->ring_last && *ring <= octant->ring_count) {
        rcity_i32 behind = *ring - 1;
        if (((first + behind) & (RCITY_GROUND_BLOCK - 1)) == 0 && behind > 0 &&
            behind + RCITY_GROUND_BLOCK < line->ring_last) {
            if (rcity_ground_line_clears(job, octant, blocks, line, behind, rcity_ground_away(job, octant, behind))) {
                *ring += RCITY_GROUND_BLOCK;
                continue;
            }
        }
        float away = rcity_ground_away(job, octant, *ring);
        rcity_ground_place at =
            rcity_ground_ray_place(line->ray.slope, line->left_away, line->left_aside, *ring, away, line->is_steep);
        rcity_ground_step step = rcity_ground_ray_step(rcity_ground_ring(nodes, octant, behind), job->z, octant,
                                                       line->ray, at, octant->is_along, line->is_steep);
        int answer = rcity_ground_line_step(line, octant, step, away);
        if (answer != 0) {
            return answer > 0 ? RCITY_GROUND_HIDDEN : RCITY_GROUND_UNDECIDED;
        }
        ++*ring;
    }
    return RCITY_GROUND_VISIBLE;
}

#endif

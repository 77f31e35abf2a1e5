/* A target as a source sees it: its place in the octant's frame, and its height. */
#ifndef RCITY_KERNEL_VISIBILITY_GROUND_GROUND_TARGET_H
#define RCITY_KERNEL_VISIBILITY_GROUND_GROUND_TARGET_H

#include "kernel/visibility/ground/ground_octant.h"

/* The ground at a place of the grid times the cell: exact. */
RCITY_KERNEL rcity_i64 rcity_ground_scaled(const rcity_ground_job *job, RCITY_GLOBAL const rcity_i32 *nodes,
                                           rcity_i32 x, rcity_i32 y)
{
    rcity_i32 column = (x - job->west) / job->cell;
    rcity_i32 row = (y - job->south) / job->cell;
    column = column < job->column_count - 1 ? column : job->column_count - 2;
    row = row < job->row_count - 1 ? row : job->row_count - 2;
    rcity_i64 part_x = x - job->west - column * job->cell;
    rcity_i64 part_y = y - job->south - row * job->cell;
    RCITY_GLOBAL const rcity_i32 *south = nodes + row * job->column_count + column;
    RCITY_GLOBAL const rcity_i32 *north = south + job->column_count;
    rcity_i64 level = (rcity_i64)south[0] * job->cell;
    return part_x >= part_y
               ? level + ((rcity_i64)south[1] - south[0]) * part_x + ((rcity_i64)north[1] - south[1]) * part_y
               : level + ((rcity_i64)north[0] - south[0]) * part_y + ((rcity_i64)north[1] - north[0]) * part_x;
}

/* The lowest whole height on or above the ground. */
RCITY_KERNEL rcity_i32 rcity_ground_height(const rcity_ground_job *job, RCITY_GLOBAL const rcity_i32 *nodes,
                                           rcity_i32 x, rcity_i32 y)
{
    rcity_i64 scaled = rcity_ground_scaled(job, nodes, x, y);
    rcity_i64 whole = scaled / job->cell;
    return (rcity_i32)(whole + (whole * job->cell < scaled));
}

/* The same at a place of the octant's frame, on the ring `ring` or before it, which is fast at nodes. */
RCITY_KERNEL_WITHIN rcity_i32 rcity_ground_height_at(const rcity_ground_job *job, const rcity_ground_octant *octant,
                                                     RCITY_GLOBAL const rcity_i32 *nodes, rcity_i32 ring,
                                                     rcity_i32 away, rcity_i32 aside, rcity_i32 x, rcity_i32 y)
{
    rcity_i32 node = (rcity_i32)((float)(aside + octant->left_aside) / (float)job->cell + 0.5f);
    if (away == ring * job->cell - octant->left_away && node * job->cell == aside + octant->left_aside) {
        return nodes[octant->base + ring * octant->step_away + node * octant->step_aside];
    }
    return rcity_ground_height(job, nodes, x, y);
}

RCITY_KERNEL int rcity_ground_contains(const rcity_ground_job *job, rcity_i32 x, rcity_i32 y)
{
    return x >= job->west && y >= job->south && x - job->west <= (job->column_count - 1) * job->cell &&
           y - job->south <= (job->row_count - 1) * job->cell;
}

/* The height of a target over a place with this ground, relative to the source. A target below the ground gives RCITY_GROUND_LEAST: it is hidden. */
RCITY_KERNEL rcity_i32 rcity_ground_target_rise(const rcity_ground_job *job, RCITY_GLOBAL const rcity_i32 *z,
                                                rcity_i32 ground, rcity_i32 target)
{
    if (job->has_target_z) {
        return z[target] < ground ? RCITY_GROUND_LEAST : z[target] - job->z;
    }
    return ground + job->target_height - job->z;
}

/* On a curved earth the ground may bulge over a line before it crosses anything, if both ends touch the ground. The bounds
   do not see that; they take off more than it where something is crossed. */
RCITY_KERNEL_WITHIN int rcity_ground_is_too_near(const rcity_ground_job *job, rcity_i32 away)
{
    return job->fall > 0.0f && away <= 2 * job->cell;
}

/* Where the answer of a target is. */
RCITY_KERNEL_WITHIN rcity_i32 rcity_ground_target_index(const rcity_ground_job *job, rcity_i32 column, rcity_i32 row)
{
    return (job->is_north_first ? job->target_rows - 1 - row : row) * job->target_columns + column;
}

/* The first of `count` growing coordinates that is at least `least`. */
RCITY_KERNEL rcity_i32 rcity_ground_first_at(RCITY_GLOBAL const rcity_i32 *coordinates, rcity_i32 count,
                                             rcity_i64 least)
{
    rcity_i32 low = 0;
    while (low < count) {
        rcity_i32 middle = low + (count - low) / 2;
        if (coordinates[middle] < least) {
            low = middle + 1;
        } else {
            count = middle;
        }
    }
    return low;
}

/* The targets of a stretch along one axis of the octant, as indices first .. last - 1 of the raster's coordinates:
   those whose distance from the source lies in [begin, end) in plan units. Distance 0 belongs to the direction up. */
typedef struct rcity_ground_range {
    rcity_i32 first, last;
} rcity_ground_range;

RCITY_KERNEL rcity_ground_range rcity_ground_range_of(RCITY_GLOBAL const rcity_i32 *coordinates, rcity_i32 count,
                                                      rcity_i32 origin, rcity_i32 sign, rcity_i64 begin, rcity_i64 end)
{
    rcity_ground_range range;
    if (sign > 0) {
        range.first = rcity_ground_first_at(coordinates, count, origin + begin);
        range.last = rcity_ground_first_at(coordinates, count, origin + end);
    } else {
        begin = begin > 1 ? begin : 1;
        range.first = rcity_ground_first_at(coordinates, count, origin - end + 1);
        range.last = rcity_ground_first_at(coordinates, count, origin - begin + 1);
    }
    return range;
}

#endif

/* The targets that the bounds of their direction left undecided, one line a work item. */
#ifndef RCITY_KERNEL_VISIBILITY_GROUND_GROUND_LEFT_H
#define RCITY_KERNEL_VISIBILITY_GROUND_GROUND_LEFT_H

#include "kernel/visibility/ground/ground_bin.h"
#include "kernel/visibility/ground/ground_line.h"

/* Walk the line to a target; what stays undecided goes to the list of `view`. */
RCITY_KERNEL void rcity_ground_left_run(const rcity_ground_job *job, const rcity_ground_view *view,
                                        RCITY_GLOBAL const rcity_i32 *blocks, rcity_i32 target)
{
    rcity_i32 row = target / job->target_columns;
    rcity_i32 column = target - row * job->target_columns;
    row = job->is_north_first ? job->target_rows - 1 - row : row;
    rcity_i32 x = view->x[column];
    rcity_i32 y = view->y[row];
    rcity_i32 dx = x - job->x;
    rcity_i32 dy = y - job->y;
    rcity_ground_octant octant = rcity_ground_octant_make(job, rcity_ground_octant_of(dx, dy));
    rcity_i32 wide = dx < 0 ? -dx : dx;
    rcity_i32 deep = dy < 0 ? -dy : dy;
    rcity_i32 rise = rcity_ground_target_rise(job, view->z, rcity_ground_height(job, view->nodes, x, y), target);
    rcity_ground_line line =
        rcity_ground_line_make(job, &octant, octant.is_swapped ? deep : wide, octant.is_swapped ? wide : deep, rise);
    rcity_i32 ring = 1;
    int answer = rcity_ground_is_too_near(job, octant.is_swapped ? deep : wide)
                     ? RCITY_GROUND_UNDECIDED
                     : rcity_ground_line_walk(job, &octant, view->nodes, blocks, &line, &ring);
    view->seen[target] = (rcity_u8)answer;
    if (answer == RCITY_GROUND_UNDECIDED) {
        view->undecided[1 + rcity_global_add(view->undecided, 1u)] = (rcity_u32)target;
    }
}

#endif

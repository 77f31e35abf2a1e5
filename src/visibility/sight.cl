/* OpenCL drivers of kernel/visibility/sight: one work item per segment. */
#include "kernel/visibility/sight/sight_measure.h"
#include "kernel/visibility/sight/sight_walk.h"

__kernel void rcity_sight_segments(rcity_sight_map map, long item_begin, long item_count,
                                   __global const rcity_sight_segment *segments, __global uchar *answers,
                                   __global const uchar *raster, __global const uint *lists,
                                   __global const rcity_sight_wall *walls, __global const int *details,
                                   __global const int *ground)
{
    long i = get_global_id(0);
    if (i < item_count) {
        rcity_sight_view view = rcity_sight_view_make(map, raster, lists, walls, details, ground);
        answers[i] = (uchar)rcity_sight_test(&view, segments[i]);
    }
}

__kernel void rcity_sight_measures(rcity_sight_measure_job job, long item_begin, long item_count,
                                   __global const rcity_sight_segment *segments, __global rcity_sight_measure *measures,
                                   __global const uchar *raster, __global const uint *lists,
                                   __global const rcity_sight_wall *walls, __global const int *details,
                                   __global const int *ground, __global const uchar *tree_raster,
                                   __global const uint *tree_lists, __global const rcity_sight_wall *tree_walls,
                                   __global const int *tree_details)
{
    long i = get_global_id(0);
    if (i < item_count) {
        rcity_sight_view view = rcity_sight_view_make(job.map, raster, lists, walls, details, ground);
        rcity_sight_view trees = rcity_sight_view_make(job.trees, tree_raster, tree_lists, tree_walls, tree_details,
                                                       ground);
        measures[i] = rcity_sight_measure_segment(&view, &trees, segments[i]);
    }
}

/* OpenCL driver of kernel/sight: one work item, one segment. */
#include "kernel/sight/sight_walk.h"

__kernel void rcity_sight_segments(rcity_sight_map map, long item_begin, long item_count,
                                   __global const rcity_sight_segment *segments, __global uchar *answers,
                                   __global const uchar *raster, __global const uint *lists,
                                   __global const rcity_sight_wall *walls, __global const int *details,
                                   __global const int *ground)
{
    long i = get_global_id(0);
    if (i < item_count) {
        rcity_sight_view view;
        view.map = map;
        view.raster = raster;
        view.lists = lists;
        view.walls = walls;
        view.details = details;
        view.ground = ground;
        answers[i] = (uchar)rcity_sight_test(&view, segments[i]);
    }
}

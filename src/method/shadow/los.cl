/* OpenCL driver of kernel/shadow: a work-group, one source and strip. */
#include "kernel/shadow/los_steps.h"

__kernel void rcity_los_rasters(rcity_los_job job, long item_begin, long item_count,
                                __global const rcity_los_item *items, __global uint *masks,
                                __global rcity_los_tally *tallies, __global const int *places,
                                __global const uint *sealed, __global const rcity_los_line *walls,
                                __global const int *roofs, __global const uchar *raster, __global const uint *lists,
                                __global const rcity_sight_wall *sight_walls, __global const int *details,
                                __global const int *ground, __local uint *words)
{
    long item = get_group_id(0);
    int lane = (int)get_local_id(0);
    int lane_count = (int)get_local_size(0);
    rcity_los_board board = rcity_los_board_make(job, items[item], places, sealed, walls, roofs, words);
    rcity_sight_view view;
    view.map = job.sight;
    view.raster = raster;
    view.lists = lists;
    view.walls = sight_walls;
    view.details = details;
    view.ground = ground;
    rcity_los_begin(&board, lane, lane_count);
    barrier(CLK_LOCAL_MEM_FENCE);
    rcity_los_close(&board, lane, lane_count);
    barrier(CLK_LOCAL_MEM_FENCE);
    rcity_los_gather(&board, lane, lane_count);
    barrier(CLK_LOCAL_MEM_FENCE);
    rcity_los_light(&board, lane, lane_count);
    barrier(CLK_LOCAL_MEM_FENCE);
    rcity_los_draw(&board, lane, lane_count);
    barrier(CLK_LOCAL_MEM_FENCE);
    rcity_los_ask(&board, &view, lane, lane_count, tallies + item);
    barrier(CLK_LOCAL_MEM_FENCE);
    rcity_los_end(&board, lane, lane_count, masks + item * job.strip_rows * job.row_words, tallies + item);
}

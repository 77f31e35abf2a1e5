/* OpenCL drivers of kernel/shadow: a work-group, one source and strip. */
#include "kernel/shadow/los_steps.h"

static void run_steps(const rcity_los_board *board, const rcity_sight_view *view, __global uint *mask,
                      __global rcity_los_tally *tally)
{
    int lane = (int)get_local_id(0);
    int lane_count = (int)get_local_size(0);
    rcity_los_begin(board, lane, lane_count);
    barrier(CLK_LOCAL_MEM_FENCE);
    rcity_los_close(board, lane, lane_count);
    barrier(CLK_LOCAL_MEM_FENCE);
    rcity_los_gather(board, lane, lane_count);
    barrier(CLK_LOCAL_MEM_FENCE);
    rcity_los_light(board, lane, lane_count);
    barrier(CLK_LOCAL_MEM_FENCE);
    rcity_los_draw(board, lane, lane_count);
    barrier(CLK_LOCAL_MEM_FENCE);
    rcity_los_ask(board, view, lane, lane_count, tally);
    barrier(CLK_LOCAL_MEM_FENCE);
    rcity_los_end(board, lane, lane_count, mask, tally);
}

static rcity_sight_view make_view(rcity_sight_map map, __global const uchar *raster, __global const uint *lists,
                                  __global const rcity_sight_wall *sight_walls, __global const int *details,
                                  __global const int *ground)
{
    rcity_sight_view view;
    view.map = map;
    view.raster = raster;
    view.lists = lists;
    view.walls = sight_walls;
    view.details = details;
    view.ground = ground;
    return view;
}

/* Items in the host's memory, with a strip's masks each. */
__kernel void rcity_los_rasters(rcity_los_job job, long item_begin, long item_count,
                                __global const rcity_los_item *items, __global uint *masks,
                                __global rcity_los_tally *tallies, __global const int *places,
                                __global const uint *sealed, __global const rcity_los_line *walls,
                                __global const int *roofs, __global const uchar *raster, __global const uint *lists,
                                __global const rcity_sight_wall *sight_walls, __global const int *details,
                                __global const int *ground, __local uint *words)
{
    long item = get_group_id(0);
    rcity_los_board board = rcity_los_board_make(job, items[item], places, sealed, walls, roofs, words);
    rcity_sight_view view = make_view(job.sight, raster, lists, sight_walls, details, ground);
    run_steps(&board, &view, masks + item * job.strip_rows * job.row_words, tallies + item);
}

/* Views and masks that stay on the device. */
__kernel void rcity_los_views(rcity_los_job job, long item_begin, long item_count, __global const rcity_los_item *views,
                              __global uint *masks, __global rcity_los_tally *tallies, __global const int *places,
                              __global const uint *sealed, __global const rcity_los_line *walls,
                              __global const int *roofs, __global const uchar *raster, __global const uint *lists,
                              __global const rcity_sight_wall *sight_walls, __global const int *details,
                              __global const int *ground, __local uint *words)
{
    long item = item_begin + get_group_id(0);
    rcity_los_board board =
        rcity_los_board_make(job, rcity_los_view_item(&job, views, item), places, sealed, walls, roofs, words);
    rcity_sight_view view = make_view(job.sight, raster, lists, sight_walls, details, ground);
    run_steps(&board, &view, masks + rcity_los_view_place(&job, item), tallies + item);
}

/* What the host found out about single pixels. */
__kernel void rcity_los_patch_masks(long mask_words, long item_begin, long item_count,
                                    __global const rcity_los_patch *patches, __global uint *masks)
{
    long i = get_global_id(0);
    if (i < item_count) {
        rcity_los_patch patch = patches[item_begin + i];
        rcity_global_and(masks + patch.view * mask_words + patch.word, patch.keep);
    }
}

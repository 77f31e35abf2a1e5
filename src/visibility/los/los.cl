/* OpenCL drivers of kernel/visibility/los: one work-group for each source and strip; or views, step by step. */
#include "kernel/visibility/los/los_view.h"

/* Items in the host's memory, each with the masks of a strip. */
__kernel void rcity_los_rasters(rcity_los_job job, long item_begin, long item_count,
                                __global const rcity_los_item *items, __global uint *masks,
                                __global rcity_los_tally *tallies, __global const int *places,
                                __global const uint *indoors, __global const rcity_los_line *walls,
                                __global const int *roofs, __global const uchar *raster, __global const uint *lists,
                                __global const rcity_sight_wall *sight_walls, __global const int *details,
                                __global const int *ground, __local uint *words)
{
    long item = get_group_id(0);
    rcity_los_board board = rcity_los_board_make(job, items[item], places, indoors, walls, roofs, words);
    rcity_sight_view view = rcity_sight_view_make(job.sight, raster, lists, sight_walls, details, ground);
    int lane = (int)get_local_id(0);
    int lane_count = (int)get_local_size(0);
    rcity_los_begin(&board, lane, lane_count);
    barrier(CLK_LOCAL_MEM_FENCE);
    rcity_los_close(&board, lane, lane_count);
    barrier(CLK_LOCAL_MEM_FENCE);
    rcity_los_gather(&board, lane, lane_count);
    barrier(CLK_LOCAL_MEM_FENCE);
    rcity_los_mark_visible(&board, lane, lane_count);
    barrier(CLK_LOCAL_MEM_FENCE);
    rcity_los_draw(&board, lane, lane_count);
    barrier(CLK_LOCAL_MEM_FENCE);
    rcity_los_ask(&board, &view, lane, lane_count, tallies + item);
    barrier(CLK_LOCAL_MEM_FENCE);
    rcity_los_end(&board, lane, lane_count, masks + item * job.strip_rows * job.row_words, tallies + item);
}

/* Views and masks that stay on the device, in four launches. First, one work item per word: clear the notes. */
__kernel void rcity_los_views_clear(rcity_los_job job, long item_begin, long item_count, __global uint *notes)
{
    long i = get_global_id(0);
    if (i < item_count) {
        long item = item_begin + i;
        notes[item / RCITY_LOS_NOTE_LIST * rcity_los_note_words(&job) + item % RCITY_LOS_NOTE_LIST] = 0;
    }
}

/* Second, one work-group for each view and some of its walls: which directions they hide. */
__kernel void rcity_los_views_close(rcity_los_job job, long item_begin, long item_count,
                                    __global const rcity_los_item *views, __global uint *notes,
                                    __global const int *places, __global const uint *indoors,
                                    __global const rcity_los_line *walls, __global const int *roofs,
                                    __local uint *words)
{
    long item = item_begin + get_group_id(0);
    int lane = (int)get_local_id(0);
    int lane_count = (int)get_local_size(0);
    int group_count = rcity_los_view_groups(&job);
    int first = (int)(item % group_count) * RCITY_LOS_VIEW_WALLS;
    rcity_los_board board =
        rcity_los_view_board(job, views[job.first_view + item / group_count], places, indoors, walls, roofs, words);
    rcity_los_view_begin(&board, lane, lane_count);
    barrier(CLK_LOCAL_MEM_FENCE);
    rcity_los_view_close(&board, first, rcity_los_smaller(first + RCITY_LOS_VIEW_WALLS, job.wall_count), lane,
                         lane_count);
    barrier(CLK_LOCAL_MEM_FENCE);
    rcity_los_view_close_wide(&board, lane, lane_count);
    barrier(CLK_LOCAL_MEM_FENCE);
    rcity_los_view_note(&board, lane, lane_count, notes + item / group_count * rcity_los_note_words(&job));
}

/* Third, likewise: which of the walls are not hidden themselves. */
__kernel void rcity_los_views_pick(rcity_los_job job, long item_begin, long item_count,
                                   __global const rcity_los_item *views, __global uint *notes,
                                   __global const int *places, __global const uint *indoors,
                                   __global const rcity_los_line *walls, __global const int *roofs, __local uint *words)
{
    long item = item_begin + get_group_id(0);
    int lane = (int)get_local_id(0);
    int lane_count = (int)get_local_size(0);
    int group_count = rcity_los_view_groups(&job);
    int first = (int)(item % group_count) * RCITY_LOS_VIEW_WALLS;
    __global uint *mine = notes + item / group_count * rcity_los_note_words(&job);
    rcity_los_board board =
        rcity_los_view_board(job, views[job.first_view + item / group_count], places, indoors, walls, roofs, words);
    rcity_los_view_load(&board, lane, lane_count, mine);
    barrier(CLK_LOCAL_MEM_FENCE);
    rcity_los_view_pick(&board, first, rcity_los_smaller(first + RCITY_LOS_VIEW_WALLS, job.wall_count), lane,
                        lane_count, mine);
}

/* Last, one work-group for each view and strip. */
__kernel void rcity_los_views(rcity_los_job job, long item_begin, long item_count, __global const rcity_los_item *views,
                              __global uint *masks, __global rcity_los_tally *tallies, __global const int *places,
                              __global const uint *indoors, __global const rcity_los_line *walls,
                              __global const int *roofs, __global const uchar *raster, __global const uint *lists,
                              __global const rcity_sight_wall *sight_walls, __global const int *details,
                              __global const int *ground, __global const uint *notes, __global const uchar *seen,
                              __local uint *words)
{
    long item = item_begin + get_group_id(0);
    rcity_los_board board =
        rcity_los_board_make(job, rcity_los_view_item(&job, views, item), places, indoors, walls, roofs, words);
    board.ground = seen + item / rcity_los_strip_count(&job) * job.column_count * job.row_count;
    rcity_sight_view view = rcity_sight_view_make(job.sight, raster, lists, sight_walls, details, ground);
    __global const uint *mine = notes + item / rcity_los_strip_count(&job) * rcity_los_note_words(&job);
    int lane = (int)get_local_id(0);
    int lane_count = (int)get_local_size(0);
    rcity_los_view_load(&board, lane, lane_count, mine);
    barrier(CLK_LOCAL_MEM_FENCE);
    rcity_los_gather(&board, lane, lane_count);
    barrier(CLK_LOCAL_MEM_FENCE);
    rcity_los_mark_visible(&board, lane, lane_count);
    barrier(CLK_LOCAL_MEM_FENCE);
    rcity_los_view_draw(&board, lane, lane_count, mine);
    barrier(CLK_LOCAL_MEM_FENCE);
    rcity_los_ask(&board, &view, lane, lane_count, tallies + job.first_tally + item);
    barrier(CLK_LOCAL_MEM_FENCE);
    rcity_los_end(&board, lane, lane_count, masks + rcity_los_view_place(&job, item), tallies + job.first_tally + item);
}

/* What the host decided about single pixels. */
__kernel void rcity_los_patch_masks(long mask_words, long item_begin, long item_count,
                                    __global const rcity_los_patch *patches, __global uint *masks)
{
    long i = get_global_id(0);
    if (i < item_count) {
        rcity_los_patch patch = patches[item_begin + i];
        rcity_global_and(masks + patch.view * mask_words + patch.word, patch.keep);
    }
}

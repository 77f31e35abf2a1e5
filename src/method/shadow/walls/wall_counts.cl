/* OpenCL drivers of kernel/shadow: numbers of walls by added shadows. */
#include "kernel/shadow/count_rows.h"

/* A work item, a word of the sheet. */
__kernel void rcity_wall_counts_clear(rcity_count_job job, long item_begin, long item_count, __global uint *sheet)
{
    long i = get_global_id(0);
    if (i < item_count) {
        sheet[item_begin + i] = 0;
    }
}

/* A work-group, a block of corners or pieces. */
__kernel void rcity_wall_counts_draw(rcity_count_job job, long item_begin, long item_count,
                                     __global const int *places, __global const rcity_count_piece *pieces,
                                     __global const rcity_count_corner *corners, __global const int *ends,
                                     __global uint *sheet, __local uint *words)
{
    __local rcity_count_border borders[RCITY_COUNT_BLOCK];
    int lane = (int)get_local_id(0);
    int lane_count = (int)get_local_size(0);
    rcity_count_view view;
    view.places = places;
    view.pieces = pieces;
    view.corners = corners;
    view.ends = ends;
    view.sheet = sheet;
    if (lane == 0) {
        words[0] = 0;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    rcity_count_find(&job, &view, item_begin + get_group_id(0), lane, lane_count, borders, words);
    barrier(CLK_LOCAL_MEM_FENCE);
    rcity_count_draw(&job, &view, lane, lane_count, borders, words[0]);
}

/* A work-group, a row. */
__kernel void rcity_wall_counts_sum(rcity_count_job job, long item_begin, long item_count, __global const uint *sheet,
                                    __global int *counts, __global uint *open, __local uint *words)
{
    int row = (int)(item_begin + get_group_id(0));
    int lane = (int)get_local_id(0);
    int lane_count = (int)get_local_size(0);
    rcity_count_sum_lane(&job, sheet, row, lane, lane_count, words);
    barrier(CLK_LOCAL_MEM_FENCE);
    rcity_count_write_lane(&job, sheet, row, lane, lane_count, words, counts, open);
}

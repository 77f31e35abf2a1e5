/* OpenCL drivers of kernel/visibility/walls: numbers of walls by added shadows, for several sources at once. */
#include "kernel/visibility/walls/count_rows.h"

/* One work item per word of the sheets. */
__kernel void rcity_wall_counts_clear(rcity_count_job job, long item_begin, long item_count, __global uint *sheets)
{
    long i = get_global_id(0);
    if (i < item_count) {
        sheets[item_begin + i] = 0;
    }
}

/* One work-group for each source and block of corners or pieces. */
__kernel void rcity_wall_counts_draw(rcity_count_job job, long item_begin, long item_count, __global const int *places,
                                     __global const rcity_count_piece *pieces,
                                     __global const rcity_count_corner *corners, __global const int *ends,
                                     __global uint *sheets, __global const rcity_count_source *sources,
                                     __local uint *words)
{
    __local rcity_count_border borders[RCITY_COUNT_BLOCK];
    int lane = (int)get_local_id(0);
    int lane_count = (int)get_local_size(0);
    long item = item_begin + get_group_id(0);
    long index = item / rcity_count_block_count(&job);
    rcity_count_job_choose(sources[index], &job);
    rcity_count_view view;
    view.places = places;
    view.pieces = pieces;
    view.corners = corners;
    view.ends = ends;
    view.sheet = sheets + index * rcity_count_sheet_words(&job);
    if (lane == 0) {
        words[0] = 0;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    rcity_count_find(&job, &view, item % rcity_count_block_count(&job), lane, lane_count, borders, words);
    barrier(CLK_LOCAL_MEM_FENCE);
    rcity_count_draw(&job, &view, lane, lane_count, borders, words[0]);
}

/* One work-group for each row of a source. */
__kernel void rcity_wall_counts_sum(rcity_count_job job, long item_begin, long item_count, __global const uint *sheets,
                                    __global int *counts, __global uint *deferred, __local uint *words)
{
    long item = item_begin + get_group_id(0);
    long index = item / job.row_count;
    int row = (int)(item % job.row_count);
    int lane = (int)get_local_id(0);
    int lane_count = (int)get_local_size(0);
    __global const uint *sheet = sheets + index * rcity_count_sheet_words(&job);
    rcity_count_sum_lane(&job, sheet, row, lane, lane_count, words);
    barrier(CLK_LOCAL_MEM_FENCE);
    rcity_count_write_lane(&job, sheet, row, lane, lane_count, words, index * job.column_count * job.row_count, counts,
                           deferred);
}

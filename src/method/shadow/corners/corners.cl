/* OpenCL drivers of kernel/shadow: which corners views see, and which chains of corners reach each word of a raster. */
#include "kernel/shadow/corners/corner_item.h"
#include "kernel/shadow/corners/corner_lists.h"

/* A work-group does one view and a block of corners. */
__kernel void rcity_corner_views_trace(rcity_corner_job job, long item_begin, long item_count,
                                       __global const rcity_corner_view *views,
                                       __global const rcity_corner_place *corners, __global uint *bits,
                                       __global const uchar *raster, __global const uint *lists,
                                       __global const rcity_sight_wall *sight_walls, __global const int *details,
                                       __global const int *ground, __local uint *words)
{
    long item = item_begin + get_group_id(0);
    int lane = (int)get_local_id(0);
    int lane_count = (int)get_local_size(0);
    rcity_sight_view view = rcity_sight_view_make(job.sight, raster, lists, sight_walls, details, ground);
    rcity_corner_begin(words, lane, lane_count);
    barrier(CLK_LOCAL_MEM_FENCE);
    rcity_corner_find_visible(&job, &view, views, corners, item, lane, lane_count, words);
    barrier(CLK_LOCAL_MEM_FENCE);
    rcity_corner_end(&job, item, lane, lane_count, words, bits);
}

/* A work item does one word of what a corner sees. */
__kernel void rcity_corner_fans_clip(rcity_corner_fan_job job, long item_begin, long item_count,
                                     __global const rcity_corner_fan *fans, __global const int *places,
                                     __global uint *masks)
{
    long i = get_global_id(0);
    if (i < item_count) {
        rcity_corner_fan_clip(&job, fans, places, item_begin + i, masks);
    }
}

/* A work item does one word of what a source sees. */
__kernel void rcity_corner_visible(rcity_corner_list_job job, long item_begin, long item_count,
                                   __global const uint *masks, __global uint *visible,
                                   __global const rcity_path_source *sources)
{
    long i = get_global_id(0);
    if (i < item_count) {
        rcity_path_copy_visible(&job, sources, masks, item_begin + i, visible);
    }
}

/* A work-group does 32 words of a source. */
__kernel void rcity_corner_chains_list(rcity_corner_list_job job, long item_begin, long item_count,
                                       __global const uint *masks, __global const rcity_corner_chain *chains,
                                       __global rcity_corner_list *lists, __global rcity_corner_list_entry *entries,
                                       __global uint *visible, __global uint *totals,
                                       __global const rcity_path_source *sources, __local uint *words)
{
    long item = item_begin + get_group_id(0);
    int lane = (int)get_local_id(0);
    int lane_count = (int)get_local_size(0);
    rcity_path_part part = rcity_path_part_make(&job, sources, item);
    rcity_corner_list_count(&job, &part, masks, chains, lane, lane_count, words);
    barrier(CLK_LOCAL_MEM_FENCE);
    rcity_corner_list_place(&job, &part, masks, lane, lane_count, words, lists, visible, totals);
    barrier(CLK_LOCAL_MEM_FENCE);
    rcity_corner_list_fill(&job, &part, masks, chains, lane, lane_count, words, entries);
}

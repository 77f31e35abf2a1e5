/* OpenCL drivers of kernel/shadow: which corners views see, and which chains of corners light each word of a raster. */
#include "kernel/shadow/corner_item.h"
#include "kernel/shadow/way_lists.h"

/* A work-group, one view and a block of corners. */
__kernel void rcity_canyon_look(rcity_corner_job job, long item_begin, long item_count,
                                __global const rcity_corner_view *views, __global const rcity_corner_place *corners,
                                __global uint *bits, __global const uchar *raster, __global const uint *lists,
                                __global const rcity_sight_wall *sight_walls, __global const int *details,
                                __global const int *ground, __local uint *words)
{
    long item = item_begin + get_group_id(0);
    int lane = (int)get_local_id(0);
    int lane_count = (int)get_local_size(0);
    rcity_sight_view view;
    view.map = job.sight;
    view.raster = raster;
    view.lists = lists;
    view.walls = sight_walls;
    view.details = details;
    view.ground = ground;
    rcity_corner_begin(words, lane, lane_count);
    barrier(CLK_LOCAL_MEM_FENCE);
    rcity_corner_look(&job, &view, views, corners, item, lane, lane_count, words);
    barrier(CLK_LOCAL_MEM_FENCE);
    rcity_corner_end(&job, item, lane, lane_count, words, bits);
}

/* A work-group, 32 words of a source. */
__kernel void rcity_canyon_list(rcity_way_job job, long item_begin, long item_count, __global const uint *masks,
                                __global const rcity_corner_chain *chains, __global rcity_way_list *lists,
                                __global rcity_way_entry *entries, __global uint *lit, __global uint *totals,
                                __global const rcity_way_source *sources, __local uint *words)
{
    long item = item_begin + get_group_id(0);
    int lane = (int)get_local_id(0);
    int lane_count = (int)get_local_size(0);
    rcity_way_part part = rcity_way_part_make(&job, sources, item);
    rcity_way_count(&job, &part, masks, chains, lane, lane_count, words);
    barrier(CLK_LOCAL_MEM_FENCE);
    rcity_way_place(&job, &part, masks, lane, lane_count, words, lists, lit, totals);
    barrier(CLK_LOCAL_MEM_FENCE);
    rcity_way_fill(&job, &part, masks, chains, lane, lane_count, words, entries);
}

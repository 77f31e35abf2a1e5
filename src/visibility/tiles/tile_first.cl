/* OpenCL driver of kernel/tiles/tile_first_item.h: a work-group per word, a work item per tile or receiver. */
#include "kernel/tiles/tile_first_item.h"

__kernel void rcity_tile_first(rcity_tile_first_job job, long item_begin, long item_count,
                               __global const rcity_tile_place *from, __global rcity_tile_first_answer *answers,
                               __global const rcity_tile_place *places, __global const rcity_tile_front *fronts,
                               __global const rcity_tile_place *receivers, __global const uchar *raster,
                               __global const uint *lists, __global const rcity_sight_wall *walls,
                               __global const int *details, __global const int *ground, __local uint *words)
{
    uint lane = (uint)get_local_id(0);
    uint lane_count = (uint)get_local_size(0);
    long item = item_begin + (long)get_group_id(0);
    int word = (int)(item % job.word_count);
    rcity_tile_place at = from[item / job.word_count];
    int count = rcity_tile_first_count(&job, word);
    rcity_tile_first_view view;
    view.places = places;
    view.fronts = fronts;
    view.receivers = receivers;
    view.sight = rcity_sight_view_make(job.map, raster, lists, walls, details, ground);
    for (uint k = lane; k < 2; k += lane_count) {
        words[k] = 0;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint i = lane; i < (uint)count; i += lane_count) {
        rcity_sight_answer answer = rcity_tile_first_look(&job, &view, at, word, (int)i);
        if (answer == RCITY_SIGHT_FREE) {
            rcity_local_or(&words[0], 1u << i);
        } else if (answer == RCITY_SIGHT_LOOK_CLOSELY) {
            rcity_local_or(&words[1], 1u << i);
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (lane == 0) {
        answers[item].sees = words[0];
        answers[item].deferred = words[1];
    }
}

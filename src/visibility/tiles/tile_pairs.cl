/* OpenCL driver of kernel/tiles/tile_pair.h: one work-group per pair of blocks. The lines to test are listed first, then
   shared out evenly. */
#include "kernel/tiles/tile_pair.h"

#define PAIR_COUNT (RCITY_TILE_BLOCK * RCITY_TILE_BLOCK)

/* Local memory: the answer, then the list of lines, 16 bits each. */
#define DEFERRED  RCITY_TILE_BLOCK
#define RAY_COUNT (RCITY_TILE_BLOCK + 1)
#define LINES     (RCITY_TILE_BLOCK + 2)

__kernel void rcity_tile_pairs(rcity_tile_pair_job job, long item_begin, long item_count,
                               __global const rcity_tile_pair *pairs, __global uint *answers,
                               __global const rcity_tile_place *places, __global const rcity_tile_front *fronts,
                               __global const uchar *raster, __global const uint *lists,
                               __global const rcity_sight_wall *walls, __global const int *details,
                               __global const int *ground, __local uint *words)
{
    __local ushort *lines = (__local ushort *)(words + LINES);
    uint lane = (uint)get_local_id(0);
    uint lane_count = (uint)get_local_size(0);
    rcity_tile_pair pair = pairs[get_group_id(0)];
    __global uint *answer = answers + get_group_id(0) * LINES;
    rcity_sight_view view;
    view.map = job.map;
    view.raster = raster;
    view.lists = lists;
    view.walls = walls;
    view.details = details;
    view.ground = ground;
    for (uint i = lane; i < LINES; i += lane_count) {
        words[i] = 0;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint k = lane; k < PAIR_COUNT; k += lane_count) {
        uint i = k >> RCITY_TILE_BLOCK_SHIFT;
        uint j = k & (RCITY_TILE_BLOCK - 1);
        if ((pair.tiles_a >> i & pair.tiles_b >> j & 1) != 0) {
            int a = pair.a * RCITY_TILE_BLOCK + (int)i;
            int b = pair.b * RCITY_TILE_BLOCK + (int)j;
            if (rcity_tile_pair_faces(job.range, fronts[a], places[a], fronts[b], places[b])) {
                lines[rcity_local_add(&words[RAY_COUNT], 1)] = (ushort)k;
            }
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint k = lane; k < words[RAY_COUNT]; k += lane_count) {
        uint i = lines[k] >> RCITY_TILE_BLOCK_SHIFT;
        uint j = lines[k] & (RCITY_TILE_BLOCK - 1);
        rcity_sight_answer sight =
            rcity_sight_test(&view, rcity_tile_segment(places[pair.a * RCITY_TILE_BLOCK + (int)i],
                                                       places[pair.b * RCITY_TILE_BLOCK + (int)j]));
        if (sight == RCITY_SIGHT_FREE) {
            rcity_local_or(&words[i], 1u << j);
        } else if (sight == RCITY_SIGHT_LOOK_CLOSELY) {
            rcity_local_or(&words[DEFERRED], 1u << i);
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint i = lane; i < LINES; i += lane_count) {
        answer[i] = words[i];
    }
}

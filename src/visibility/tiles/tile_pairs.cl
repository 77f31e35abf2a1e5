/* OpenCL driver of kernel/tiles/tile_pair.h: one work-group per pair of blocks. The lines to test are listed first,
   without those that an occluder near one of their tiles hides. Then the group walks some of them, evenly
   spread over the list, and drops from the rest what the occluders found on both sides of a line in the list hide; again
   until none is left. */
#include "kernel/tiles/tile_pair.h"

#define PAIR_COUNT  (RCITY_TILE_BLOCK * RCITY_TILE_BLOCK)
#define GROUP_ITEMS 64 /* at most */

/* Local memory: the answer, how long both lists are, the occluders that the work items found, two lists of lines, 16 bits
   each. tile_pairs.c allocates it. */
#define DEFERRED    RCITY_TILE_BLOCK
#define RAY_COUNT   (RCITY_TILE_BLOCK + 1)
#define WALK_COUNT  (RCITY_TILE_BLOCK + 2)
#define ANSWER      (RCITY_TILE_BLOCK + 3)
#define LIST_COUNT  ANSWER
#define FOUND       (ANSWER + 2)
#define LINES(list) (FOUND + GROUP_ITEMS + (list) * (PAIR_COUNT / 2))

/* How much of a list is walked at once: a part, but no fewer lines than run at the same speed as one. */
#define WALK_SHARE 4
#define WALK_MIN   32

/* Does an occluder near one of two tiles hide the other? */
static int is_hidden(__global const rcity_sight_occluder *occluders, __global const int *near, int a, int b,
                     rcity_sight_segment segment)
{
    int sector = rcity_sight_sector(segment.bx - segment.ax, segment.by - segment.ay);
    int back = (sector + RCITY_SIGHT_SECTOR_COUNT / 2) % RCITY_SIGHT_SECTOR_COUNT;
    int near_a = near[(uint)a * RCITY_SIGHT_SECTOR_COUNT + (uint)sector];
    int near_b = near[(uint)b * RCITY_SIGHT_SECTOR_COUNT + (uint)back];
    return (near_a >= 0 && rcity_sight_occluder_blocks(occluders[near_a], segment)) ||
           (near_b >= 0 && rcity_sight_occluder_blocks(occluders[near_b], segment));
}

static rcity_sight_segment segment_of(__global const rcity_tile_place *places, rcity_tile_pair pair, uint line)
{
    return rcity_tile_segment(places[pair.a * RCITY_TILE_BLOCK + (int)(line >> RCITY_TILE_BLOCK_SHIFT)],
                              places[pair.b * RCITY_TILE_BLOCK + (int)(line & (RCITY_TILE_BLOCK - 1))]);
}

__kernel void rcity_tile_pairs(rcity_tile_pair_job job, long item_begin, long item_count,
                               __global const rcity_tile_pair *pairs, __global uint *answers,
                               __global const rcity_tile_place *places, __global const rcity_tile_front *fronts,
                               __global const uchar *raster, __global const uint *lists,
                               __global const rcity_sight_wall *walls, __global const int *details,
                               __global const int *ground, __global const rcity_sight_occluder *occluders,
                               __global const int *near, __local uint *words)
{
    uint lane = (uint)get_local_id(0);
    uint lane_count = (uint)get_local_size(0);
    rcity_tile_pair pair = pairs[get_group_id(0)];
    __global uint *answer = answers + get_group_id(0) * ANSWER;
    rcity_sight_view view = rcity_sight_view_make(job.map, raster, lists, walls, details, ground);
    for (uint i = lane; i < FOUND; i += lane_count) {
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
                rcity_local_add(&words[RAY_COUNT], 1);
                if (!job.has_near || !is_hidden(occluders, near, a, b, rcity_tile_segment(places[a], places[b]))) {
                    ((__local ushort *)(words + LINES(0)))[rcity_local_add(&words[LIST_COUNT], 1)] = (ushort)k;
                }
            }
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    uint list = 0;
    uint count = words[LIST_COUNT];
    while (count > 0) {
        __local const ushort *lines = (__local const ushort *)(words + LINES(list));
        __local ushort *next = (__local ushort *)(words + LINES(1 - list));
        uint walk_count = count / WALK_SHARE > WALK_MIN ? count / WALK_SHARE : WALK_MIN;
        walk_count = walk_count < lane_count ? walk_count : lane_count;
        walk_count = walk_count < count ? walk_count : count;
        if (lane < walk_count) {
            uint line = lines[lane * count / walk_count];
            int found = -1;
            rcity_sight_answer sight =
                rcity_sight_find_occluder(&view, occluders, job.wall_first, segment_of(places, pair, line), &found);
            words[FOUND + lane] = (uint)found;
            if (sight == RCITY_SIGHT_FREE) {
                rcity_local_or(&words[line >> RCITY_TILE_BLOCK_SHIFT], 1u << (line & (RCITY_TILE_BLOCK - 1)));
            } else if (sight == RCITY_SIGHT_LOOK_CLOSELY) {
                rcity_local_or(&words[DEFERRED], 1u << (line >> RCITY_TILE_BLOCK_SHIFT));
            }
        }
        if (lane == 0) {
            words[LIST_COUNT + 1 - list] = 0;
            words[WALK_COUNT] += walk_count;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint k = lane; k < count && count > walk_count; k += lane_count) {
            uint after = (k * walk_count + count - 1) / count; /* the first walked one from here on */
            if (after < walk_count && after * count / walk_count == k) {
                continue;
            }
            rcity_sight_segment segment = segment_of(places, pair, lines[k]);
            int low = (int)words[FOUND + after - 1];
            int high = after < walk_count ? (int)words[FOUND + after] : -1;
            if ((low < 0 || !rcity_sight_occluder_blocks(occluders[low], segment)) &&
                (high < 0 || high == low || !rcity_sight_occluder_blocks(occluders[high], segment))) {
                next[rcity_local_add(&words[LIST_COUNT + 1 - list], 1)] = lines[k];
            }
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        list = 1 - list;
        count = words[LIST_COUNT + list];
    }
    for (uint i = lane; i < ANSWER; i += lane_count) {
        answer[i] = words[i];
    }
}

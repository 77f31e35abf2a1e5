/* OpenCL drivers of kernel/tiles/tile_legs.h: one work item for a ray that reaches a tile or a receiver. */
#include "kernel/tiles/tile_hit.h"
#include "kernel/tiles/tile_legs.h"

/* Is anything summed up for a ray at a tile? */
static int is_summed(rcity_tile_bounce bounce, const rcity_tube *tube, int face)
{
    return bounce.keeps_tiles || (face < bounce.rough_material_count && tube->event_count < bounce.limits.max_bounces);
}

/* 1 in `is_free` where all legs run through air, 0 where one is blocked or nothing is summed up; what the host has to
   decide is listed. */
__kernel void rcity_tiles_legs(rcity_tile_legs_job job, long item_begin, long item_count,
                               __global const rcity_tube *tubes, __global const rcity_tile_hit *hits,
                               __global uchar *is_free, __global int *deferred, __global uint *counts,
                               __global const rcity_tile *tiles, __global const rcity_tile_edge *edges,
                               __global const int *tile_face, __global const rcity_tile_place *places,
                               __global const float *receivers_m, __global const rcity_tile_place *receiver_places,
                               __global const uchar *raster, __global const uint *lists,
                               __global const rcity_sight_wall *walls, __global const int *details,
                               __global const int *ground)
{
    long i = get_global_id(0);
    if (i >= item_count) {
        return;
    }
    rcity_tile_hit hit = hits[job.piece.first + item_begin + i];
    rcity_tube tube = tubes[hit.tube];
    int receiver = hit.target - job.piece.tile_count - job.piece.edge_count;
    rcity_tile_world world = {tiles, edges};
    rcity_tile_path path;
    rcity_tile_place to;
    rcity_real3 at;
    is_free[item_begin + i] = 0;
    if (hit.target < job.piece.tile_count) {
        if (!is_summed(job.bounce, &tube, tile_face[hit.target])) {
            return;
        }
        at = rcity_tile_centre(tiles[hit.target]);
        to = places[hit.target];
    } else if (receiver >= 0) {
        __global const float *place = receivers_m + 3 * (long)receiver;
        at = rcity_real3_make(place[0], place[1], place[2]);
        to = receiver_places[receiver];
    } else {
        return;
    }
    rcity_sight_view view = rcity_sight_view_make(job.map, raster, lists, walls, details, ground);
    if (!rcity_tile_path_make(world, &tube, rcity_tile_link_place(job.bounce.link), at, &path)) {
        return;
    }
    rcity_sight_answer answer = rcity_tile_legs_test(world, &view, job.snap, &tube, &path, job.tx, to);
    if (answer == RCITY_SIGHT_LOOK_CLOSELY) {
        deferred[atomic_inc(&counts[RCITY_TILE_COUNT_DEFERRED])] = (int)(item_begin + i);
    }
    is_free[item_begin + i] = answer == RCITY_SIGHT_FREE;
}

/* What the host needs to decide: one work item for an entry of the list. */
__kernel void rcity_tiles_legs_gather(rcity_tile_deferred_job job, long item_begin, long item_count,
                                      __global const rcity_tube *tubes, __global const rcity_tile_hit *hits,
                                      __global const int *deferred, __global rcity_tile_deferred *gathered)
{
    long i = get_global_id(0);
    if (i < item_count) {
        int item = deferred[job.list_first + item_begin + i];
        rcity_tile_hit hit = hits[job.piece_first + item];
        gathered[item_begin + i].item = item;
        gathered[item_begin + i].target = hit.target;
        gathered[item_begin + i].tube = tubes[hit.tube];
    }
}

/* Those that it found free: entries of the list. */
__kernel void rcity_tiles_legs_mark_free(rcity_tile_deferred_job job, long item_begin, long item_count,
                                      __global const int *deferred, __global uchar *is_free)
{
    long i = get_global_id(0);
    if (i < item_count) {
        is_free[deferred[job.list_first + item_begin + i]] = 1;
    }
}

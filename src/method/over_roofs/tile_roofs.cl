/* OpenCL driver of kernel/tiles/roofs: one work item, one target. */
#include "kernel/tiles/roofs/tile_roof_item.h"

__kernel void rcity_tile_roof_targets(rcity_tile_roof_job job, long item_begin, long item_count,
                                      __global rcity_tile_roof_path *paths, __global const int *list,
                                      __global const rcity_tile_roof_place *targets, __global const ushort *levels,
                                      __global const uint *first, __global const rcity_sight_wall *walls,
                                      __global const rcity_roof_corner *corners, __global const int *ground)
{
    long i = get_global_id(0);
    if (i >= item_count) {
        return;
    }
    rcity_tile_roof_work work;
    rcity_roof_view view;
    view.map = job.map;
    view.level_shift = job.level_shift;
    view.patch_first = job.patch_first;
    view.levels = levels;
    view.first = first;
    view.walls = walls;
    view.corners = corners;
    view.ground = ground;
    rcity_tile_roof_place target = rcity_tile_roof_ends(&job, list, targets, item_begin + i);
    paths[i] = rcity_tile_roof_run(&view, &job, target, &work);
}

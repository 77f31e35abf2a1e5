/* OpenCL driver of kernel/shadow: one work item, one pixel. */
#include "kernel/shadow/wall_item.h"

__kernel void rcity_wall_pixels(rcity_wall_job job, long item_begin, long item_count, __global rcity_wall_way *ways,
                                __global const ulong *lit, __global const int *places, __global const uchar *raster,
                                __global const uint *lists, __global const rcity_sight_wall *walls,
                                __global const int *details, __global const int *ground,
                                __global const uchar *tree_raster, __global const uint *tree_lists,
                                __global const rcity_sight_wall *tree_walls, __global const int *tree_details)
{
    long i = get_global_id(0);
    if (i < item_count) {
        rcity_sight_view view;
        rcity_sight_view trees;
        rcity_wall_plane plane;
        view.map = job.map;
        view.raster = raster;
        view.lists = lists;
        view.walls = walls;
        view.details = details;
        view.ground = ground;
        trees.map = job.trees;
        trees.raster = tree_raster;
        trees.lists = tree_lists;
        trees.walls = tree_walls;
        trees.details = tree_details;
        trees.ground = ground;
        plane.lit = lit;
        plane.places = places;
        int pixel = (int)(item_begin + i);
        ways[i] = rcity_wall_item_run(&view, &trees, &job, &plane, pixel % job.column_count, pixel / job.column_count);
    }
}

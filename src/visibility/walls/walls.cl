/* OpenCL drivers of kernel/visibility/walls: one work item per pixel. */
#include "kernel/visibility/walls/wall_item.h"

__kernel void rcity_wall_pixels(rcity_wall_job job, long item_begin, long item_count, __global rcity_wall_path *paths,
                                __global const ulong *visible, __global const int *places, __global const uchar *raster,
                                __global const uint *lists, __global const rcity_sight_wall *walls,
                                __global const int *details, __global const int *ground,
                                __global const uchar *tree_raster, __global const uint *tree_lists,
                                __global const rcity_sight_wall *tree_walls, __global const int *tree_details)
{
    long i = get_global_id(0);
    if (i < item_count) {
        rcity_sight_view view = rcity_sight_view_make(job.map, raster, lists, walls, details, ground);
        rcity_sight_view trees = rcity_sight_view_make(job.trees, tree_raster, tree_lists, tree_walls, tree_details,
                                                       ground);
        rcity_wall_plane plane;
        plane.visible = visible;
        plane.places = places;
        int pixel = (int)(item_begin + i);
        paths[i] = rcity_wall_item_run(&view, &trees, &job, &plane, pixel % job.column_count, pixel / job.column_count);
    }
}

/* Results for several sources, which stay on the device; pixels deferred to the host are listed, their number first. */
__kernel void rcity_wall_pixels_on_device(rcity_wall_job job, long item_begin, long item_count,
                                          __global rcity_wall_path *paths, __global const ulong *visible,
                                          __global const int *places, __global const uchar *raster,
                                          __global const uint *lists, __global const rcity_sight_wall *walls,
                                          __global const int *details, __global const int *ground,
                                          __global const uchar *tree_raster, __global const uint *tree_lists,
                                          __global const rcity_sight_wall *tree_walls, __global const int *tree_details,
                                          __global uint *deferred, __global const rcity_wall_source *sources)
{
    long i = get_global_id(0);
    if (i < item_count) {
        long pixel_count = (long)job.column_count * job.row_count;
        long index = (item_begin + i) / pixel_count;
        int pixel = (int)((item_begin + i) % pixel_count);
        rcity_wall_job_choose(sources[index], &job);
        rcity_sight_view view = rcity_sight_view_make(job.map, raster, lists, walls, details, ground);
        rcity_sight_view trees = rcity_sight_view_make(job.trees, tree_raster, tree_lists, tree_walls, tree_details,
                                                       ground);
        rcity_wall_plane plane;
        plane.visible = visible + index * job.visible_stride;
        plane.places = places;
        rcity_wall_path path =
            rcity_wall_item_run(&view, &trees, &job, &plane, pixel % job.column_count, pixel / job.column_count);
        paths[item_begin + i] = path;
        if (path.count == RCITY_WALL_PATH_DEFERRED) {
            deferred[1 + rcity_global_add(deferred, 1u)] = (uint)(item_begin + i);
        }
    }
}

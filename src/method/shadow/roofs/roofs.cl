/* OpenCL drivers of kernel/shadow: one work item, one pixel. */
#include "kernel/shadow/roofs/roof_item.h"

static rcity_roof_view make_view(const rcity_roof_job *job, __global const ushort *levels, __global const uint *first,
                                 __global const rcity_sight_wall *walls, __global const rcity_roof_corner *corners,
                                 __global const int *ground)
{
    rcity_roof_view view;
    view.map = job->map;
    view.level_shift = job->level_shift;
    view.patch_first = job->patch_first;
    view.levels = levels;
    view.first = first;
    view.walls = walls;
    view.corners = corners;
    view.ground = ground;
    return view;
}

__kernel void rcity_roof_pixels(rcity_roof_job job, long item_begin, long item_count, __global rcity_roof_path *paths,
                                __global const ulong *visible, __global const ulong *masks, __global const int *xy,
                                __global const int *z, __global const ushort *levels, __global const uint *first,
                                __global const rcity_sight_wall *walls, __global const rcity_roof_corner *corners,
                                __global const int *ground)
{
    long i = get_global_id(0);
    if (i < item_count) {
        rcity_roof_view view = make_view(&job, levels, first, walls, corners, ground);
        rcity_roof_plane plane;
        plane.visible = visible;
        plane.masks = masks;
        plane.xy = xy;
        plane.z = z;
        rcity_roof_hull hull;
        int pixel = (int)(item_begin + i);
        paths[i] = rcity_roof_item_run(&view, &job, &plane, pixel % job.column_count, pixel / job.column_count, &hull);
    }
}

/* Paths of several sources that stay on the device; pixels that the host has to do are listed, their number first. */
__kernel void rcity_roof_pixels_on_device(rcity_roof_job job, long item_begin, long item_count,
                                     __global rcity_roof_path *paths, __global const ulong *visible,
                                     __global const ulong *masks, __global const int *xy, __global const int *z,
                                     __global const ushort *levels, __global const uint *first,
                                     __global const rcity_sight_wall *walls, __global const rcity_roof_corner *corners,
                                     __global const int *ground, __global uint *deferred,
                                     __global const rcity_roof_source *sources)
{
    long i = get_global_id(0);
    if (i >= item_count) {
        return;
    }
    long tile_items = rcity_roof_tile_items(&job);
    long index = (item_begin + i) / tile_items;
    long item = (item_begin + i) % tile_items;
    rcity_roof_source source = sources[index];
    int column = rcity_roof_tile_column(&job, item);
    int row = rcity_roof_tile_row(&job, item);
    if (source.kind == RCITY_ROOF_SOURCE_ENCLOSED || column >= job.column_count || row >= job.row_count) {
        return;
    }
    rcity_roof_job_choose(source, &job);
    rcity_roof_view view = make_view(&job, levels, first, walls, corners, ground);
    rcity_roof_plane plane;
    plane.visible = visible + index * job.row_words * job.row_count;
    plane.masks = masks;
    plane.xy = xy;
    plane.z = z;
    rcity_roof_hull hull;
    rcity_roof_path path = rcity_roof_item_run(&view, &job, &plane, column, row, &hull);
    long pixel = (index * job.row_count + row) * job.column_count + column;
    paths[pixel] = path;
    if (path.count == RCITY_ROOF_PATH_DEFERRED) {
        deferred[1 + rcity_global_add(deferred, 1u)] = (uint)pixel;
    }
}

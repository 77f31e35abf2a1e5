/* OpenCL drivers of kernel/shadow: one work item, one pixel. */
#include "kernel/shadow/roofs/roof_tile.h"

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

static rcity_roof_plane make_plane(__global const ulong *visible, __global const ulong *masks, __global const int *xy,
                                   __global const int *z)
{
    rcity_roof_plane plane;
    plane.visible = visible;
    plane.masks = masks;
    plane.xy = xy;
    plane.z = z;
    return plane;
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
        rcity_roof_plane plane = make_plane(visible, masks, xy, z);
        rcity_roof_hull hull;
        int pixel = (int)(item_begin + i);
        paths[i] = rcity_roof_item_run(&view, &job, &plane, pixel % job.column_count, pixel / job.column_count, &hull);
    }
}

/* Hints for paths of several sources: one work item, one tile of pixels. */
__kernel void rcity_roof_tiles(rcity_roof_job job, long item_begin, long item_count, __global rcity_roof_path *paths,
                               __global const ulong *visible, __global const ulong *masks, __global const int *xy,
                               __global const int *z, __global const ushort *levels, __global const uint *first,
                               __global const rcity_sight_wall *walls, __global const rcity_roof_corner *corners,
                               __global const int *ground, __global uint *deferred,
                               __global const rcity_roof_source *sources, __global int *hints)
{
    long i = get_global_id(0);
    if (i >= item_count) {
        return;
    }
    rcity_roof_tile_place at =
        rcity_roof_tile_find(rcity_roof_tile_columns(job.column_count), rcity_roof_tile_rows(job.row_count),
                             job.source_first, item_begin + i, sources);
    if (!at.is_used) {
        return;
    }
    rcity_roof_job_choose(sources[at.source], &job);
    rcity_roof_view view = make_view(&job, levels, first, walls, corners, ground);
    rcity_roof_plane plane = make_plane(visible + at.source * job.row_words * job.row_count, masks, xy, z);
    rcity_roof_hull hull;
    rcity_roof_tile_run(&view, &job, &plane, at.column, at.row, hints + at.source * rcity_roof_tile_words(&job), &hull);
}

/* Paths of several sources that stay on the device; pixels that the host has to do are listed, their number first. */
RCITY_KERNEL void run_on_device(rcity_roof_job job, long i, int is_flat, __global rcity_roof_path *paths,
                                __global const ulong *visible, __global const ulong *masks, __global const int *xy,
                                __global const int *z, __global const ushort *levels, __global const uint *first,
                                __global const rcity_sight_wall *walls, __global const rcity_roof_corner *corners,
                                __global const int *ground, __global uint *deferred,
                                __global const rcity_roof_source *sources, __global const int *hints)
{
    rcity_roof_tile_place at = rcity_roof_tile_find(job.column_count, job.row_count, job.source_first, i, sources);
    if (!at.is_used) {
        return;
    }
    rcity_roof_job_choose(sources[at.source], &job);
    rcity_roof_view view = make_view(&job, levels, first, walls, corners, ground);
    rcity_roof_plane plane = make_plane(visible + at.source * job.row_words * job.row_count, masks, xy, z);
    rcity_roof_hull hull;
    rcity_roof_path path = rcity_roof_tile_item(&view, &job, &plane, at.column, at.row, is_flat,
                                                hints + at.source * rcity_roof_tile_words(&job), &hull);
    long pixel = (at.source * job.row_count + at.row) * job.column_count + at.column;
    paths[pixel] = path;
    if (path.count == RCITY_ROOF_PATH_DEFERRED) {
        deferred[1 + rcity_global_add(deferred, 1u)] = (uint)pixel;
    }
}

__kernel void rcity_roof_pixels_on_device(rcity_roof_job job, long item_begin, long item_count,
                                          __global rcity_roof_path *paths, __global const ulong *visible,
                                          __global const ulong *masks, __global const int *xy, __global const int *z,
                                          __global const ushort *levels, __global const uint *first,
                                          __global const rcity_sight_wall *walls,
                                          __global const rcity_roof_corner *corners, __global const int *ground,
                                          __global uint *deferred, __global const rcity_roof_source *sources,
                                          __global const int *hints)
{
    long i = get_global_id(0);
    if (i < item_count) {
        run_on_device(job, item_begin + i, 0, paths, visible, masks, xy, z, levels, first, walls, corners, ground,
                      deferred, sources, hints);
    }
}

/* The same of rcity_roof_job_is_flat(): with fewer registers more work items run at a time. */
__kernel void rcity_roof_pixels_on_device_flat(rcity_roof_job job, long item_begin, long item_count,
                                               __global rcity_roof_path *paths, __global const ulong *visible,
                                               __global const ulong *masks, __global const int *xy,
                                               __global const int *z, __global const ushort *levels,
                                               __global const uint *first, __global const rcity_sight_wall *walls,
                                               __global const rcity_roof_corner *corners, __global const int *ground,
                                               __global uint *deferred, __global const rcity_roof_source *sources,
                                               __global const int *hints)
{
    long i = get_global_id(0);
    if (i < item_count) {
        run_on_device(job, item_begin + i, 1, paths, visible, masks, xy, z, levels, first, walls, corners, ground,
                      deferred, sources, hints);
    }
}

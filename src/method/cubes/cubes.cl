/* OpenCL drivers of kernel/cubes: launching rays, and what lies between passes and generations. */
#include "kernel/cubes/cube_launch.h"
#include "kernel/cubes/cube_pick.h"

#define RAY_BUFFERS                                                                                                    \
    __global const rcity_cube_column *columns, __global const rcity_cube_wall *walls,                                  \
        __global const rcity_cube_edge *edges, __global const int *column_walls, __global const int *column_edges,     \
        __global const int *receiver_first, __global const float *receivers, __global const float *column_bounds,      \
        __global ulong *receiver_keys,                                                                                 \
        __global ulong *edge_keys, __global rcity_cube_branch *branches, __global uint *branch_count

/* What both passes read and write. */
static inline rcity_cube_view make_view(RAY_BUFFERS)
{
    rcity_cube_view view;
    view.columns = columns;
    view.walls = walls;
    view.edges = edges;
    view.column_walls = column_walls;
    view.column_edges = column_edges;
    view.receiver_first = receiver_first;
    view.receivers = receivers;
    view.column_bounds = column_bounds;
    view.receiver_keys = receiver_keys;
    view.edge_keys = edge_keys;
    view.branches = branches;
    view.branch_count = branch_count;
    view.sources = 0;
    view.paths = 0;
    view.arrivals = 0;
    return view;
}

#define RAY_VALUES                                                                                                     \
    columns, walls, edges, column_walls, column_edges, receiver_first, receivers, column_bounds, receiver_keys,        \
        edge_keys, branches, branch_count

/* The first pass: directions of sources, then the rays that were handed over. */
__kernel void rcity_cubes_offer(rcity_cube_piece_job job, long item_begin, long item_count, RAY_BUFFERS,
                                __global const rcity_cube_ray_source *sources)
{
    if ((long)get_global_id(0) >= item_count) {
        return;
    }
    rcity_cube_view view = make_view(RAY_VALUES);
    view.sources = sources;
    job.launch.is_keeping = 0;
    rcity_cube_launch_item(job.launch, view, job.begin + (int)(item_begin + (long)get_global_id(0)));
}

__kernel void rcity_cubes_offer_branches(rcity_cube_piece_job job, long item_begin, long item_count, RAY_BUFFERS,
                                         __global const rcity_cube_branch *followed)
{
    if ((long)get_global_id(0) >= item_count) {
        return;
    }
    job.launch.is_keeping = 0;
    rcity_cube_follow_branch(job.launch, make_view(RAY_VALUES),
                             &followed[job.begin + item_begin + (long)get_global_id(0)]);
}

/* The second pass: items that won, and what they hand over. */
__kernel void rcity_cubes_keep(rcity_cube_piece_job job, long item_begin, long item_count, RAY_BUFFERS,
                               __global const rcity_cube_ray_source *sources, __global const int *picked,
                               __global rcity_cube_path *paths, __global rcity_cube_ray_source *arrivals)
{
    if ((long)get_global_id(0) >= item_count) {
        return;
    }
    rcity_cube_view view = make_view(RAY_VALUES);
    view.sources = sources;
    view.paths = paths;
    view.arrivals = arrivals;
    job.launch.is_keeping = 1;
    rcity_cube_launch_item(job.launch, view, picked[job.begin + item_begin + (long)get_global_id(0)]);
}

__kernel void rcity_cubes_keep_branches(rcity_cube_piece_job job, long item_begin, long item_count, RAY_BUFFERS,
                                        __global const rcity_cube_branch *followed, __global rcity_cube_path *paths,
                                        __global rcity_cube_ray_source *arrivals)
{
    if ((long)get_global_id(0) >= item_count) {
        return;
    }
    rcity_cube_view view = make_view(RAY_VALUES);
    view.paths = paths;
    view.arrivals = arrivals;
    job.launch.is_keeping = 1;
    rcity_cube_follow_branch(job.launch, view, &followed[job.begin + item_begin + (long)get_global_id(0)]);
}

__kernel void rcity_cubes_clear_keys(rcity_cube_pick_job job, long item_begin, long item_count, __global ulong *keys)
{
    (void)job;
    if ((long)get_global_id(0) < item_count) {
        keys[item_begin + (long)get_global_id(0)] = RCITY_CUBE_KEY_NONE;
    }
}

__kernel void rcity_cubes_clear_wins(rcity_cube_pick_job job, long item_begin, long item_count, __global uint *wins,
                                     __global uint *count)
{
    long i = item_begin + (long)get_global_id(0);
    (void)job;
    if ((long)get_global_id(0) < item_count) {
        wins[i] = 0;
    }
    if (i == 0) {
        count[0] = 0;
    }
}

__kernel void rcity_cubes_mark(rcity_cube_pick_job job, long item_begin, long item_count, __global const ulong *keys,
                               __global uint *wins)
{
    if ((long)get_global_id(0) < item_count) {
        rcity_cube_mark_win(job, keys[item_begin + (long)get_global_id(0)], wins);
    }
}

__kernel void rcity_cubes_list(rcity_cube_pick_job job, long item_begin, long item_count, __global const uint *wins,
                               __global uint *count, __global int *picked)
{
    (void)job;
    if ((long)get_global_id(0) < item_count) {
        rcity_cube_list_wins(wins, (int)(item_begin + (long)get_global_id(0)), count, picked);
    }
}

/* What paths to each column may cost. */
__kernel void rcity_cubes_bound(rcity_cube_bound_job job, long item_begin, long item_count,
                                __global const int *receiver_first, __global const ulong *receiver_keys,
                                __global float *column_bounds)
{
    long i = item_begin + (long)get_global_id(0);
    if ((long)get_global_id(0) < item_count) {
        column_bounds[i] = rcity_cube_column_bound(job, receiver_first, receiver_keys, i);
    }
}

/* The sources of the next generation, from a list of arrivals. */
__kernel void rcity_cubes_promote(rcity_cube_pick_job job, long item_begin, long item_count, __global const int *listed,
                                  __global const rcity_cube_ray_source *arrivals, __global rcity_cube_ray_source *sources)
{
    long i = item_begin + (long)get_global_id(0);
    (void)job;
    if ((long)get_global_id(0) < item_count) {
        sources[i] = arrivals[listed[i]];
    }
}

/* Of each open receiver, which paths it has; `placed` is its number in the order of columns, -1 outside of the map. */
__kernel void rcity_cubes_classes(rcity_cube_pick_job job, long item_begin, long item_count, __global const int *placed,
                                  __global const ulong *receiver_keys, __global uchar *classes)
{
    long i = item_begin + (long)get_global_id(0);
    (void)job;
    if ((long)get_global_id(0) < item_count) {
        classes[i] = (uchar)(placed[i] >= 0 ? rcity_cube_receiver_classes(receiver_keys, placed[i]) : 0u);
    }
}

/* The paths of each open receiver, from where its first one goes on. */
__kernel void rcity_cubes_gather(rcity_cube_pick_job job, long item_begin, long item_count, __global const int *placed,
                                 __global const uchar *classes, __global const long *path_first,
                                 __global const rcity_cube_path *paths, __global rcity_cube_path *found)
{
    long i = item_begin + (long)get_global_id(0);
    (void)job;
    if ((long)get_global_id(0) >= item_count) {
        return;
    }
    long to = path_first[i];
    for (int k = 0; k < RCITY_CUBE_CLASS_COUNT; k++) {
        if (classes[i] >> k & 1) {
            found[to++] = paths[(long)placed[i] * RCITY_CUBE_CLASS_COUNT + k];
        }
    }
}

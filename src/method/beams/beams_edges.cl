/* OpenCL drivers of kernel/beams/beam_edge.h, for devices with double precision: a work-group a way, or an edge. */
#define RCITY_REAL_IS_DOUBLE

#include "kernel/beams/beam_edge.h"

/* The directions of a way, and how strong its rays may be between them. */
__kernel void rcity_beams_directions(rcity_beam_edge_job job, long item_begin, long item_count,
                                     __global const rcity_beam_way *ways, __global const rcity_beam_slope *slopes,
                                     __global const rcity_beam_edge *edges, __global const rcity_face *faces,
                                     __global rcity_beam_direction *directions, __global float *shares,
                                     __local uint *words)
{
    long index = item_begin + (long)get_group_id(0);
    __global const rcity_beam_way *way = &ways[index];
    int step = (int)get_local_size(0);
    rcity_beam_fan fan = rcity_beam_fan_make(&job, way, &edges[index], faces);
    (void)words;
    (void)item_count;
    for (int i = (int)get_local_id(0); i <= way->direction_steps; i += step) {
        directions[way->direction_first + i] = rcity_beam_fan_direction(way, i, &fan);
    }
    barrier(CLK_GLOBAL_MEM_FENCE);
    rcity_real brought = rcity_beam_way_brings(way, slopes);
    for (int i = (int)get_local_id(0); i <= way->direction_steps; i += step) {
        shares[way->direction_first + i] = rcity_beam_way_share(&job, way, directions, i, brought);
    }
}

/* The same over all ways to an edge. Item 0 is the first edge, which has number 1 in `way_first` and `limits`. */
__kernel void rcity_beams_limits(rcity_beam_edge_job job, long item_begin, long item_count,
                                 __global const rcity_beam_way *ways, __global const int *way_first,
                                 __global const rcity_beam_limit *limits, __global float *shares, __local uint *words)
{
    long tree = 1 + item_begin + (long)get_group_id(0);
    int first = way_first[tree];
    (void)job;
    (void)words;
    (void)item_count;
    for (int i = (int)get_local_id(0); i <= ways[first].direction_steps; i += (int)get_local_size(0)) {
        shares[limits[tree].first + i] = rcity_beam_tree_share(ways, shares, first, way_first[tree + 1], i);
    }
}

/* OpenCL drivers of kernel/cubes/line_sums.h: bundles of direct lines, and rings of supercubes. */
#include "kernel/cubes/line_sums.h"

__kernel void rcity_line_bundles(rcity_line_job job, long item_begin, long item_count,
                                 __global const rcity_float4 *values, __global const float *filled,
                                 __global const int *sources, __global const rcity_line_bundle *bundles,
                                 __global rcity_float4 *sums, __global float *counts)
{
    long i = get_global_id(0);
    if (i < item_count) {
        rcity_line_view view = {values, filled, sources, sums, counts};
        rcity_line_bundle_item(job, view, bundles, item_begin + i);
    }
}

__kernel void rcity_line_rings(rcity_line_job job, long item_begin, long item_count,
                               __global const rcity_float4 *values, __global const float *filled,
                               __global const int *sources, __global rcity_float4 *sums, __global float *counts)
{
    long i = get_global_id(0);
    if (i < item_count) {
        rcity_line_view view = {values, filled, sources, sums, counts};
        rcity_line_ring_item(job, view, item_begin + i);
    }
}

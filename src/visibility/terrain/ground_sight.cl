/* OpenCL drivers of kernel/visibility/ground: one work item for each bin of directions, then one for each line that is
   left. */
#include "kernel/visibility/ground/ground_left.h"

__kernel void rcity_ground_clear(int answer, long item_begin, long item_count, __global uchar *seen)
{
    long i = get_global_id(0);
    if (i < item_count) {
        seen[item_begin + i] = (uchar)answer;
    }
}

__kernel void rcity_ground_bins(rcity_ground_job job, long item_begin, long item_count, __global const int *nodes,
                                __global const int *x, __global const int *y, __global const int *z,
                                __global uchar *seen, __global uint *undecided)
{
    long i = get_global_id(0);
    if (i < item_count) {
        rcity_ground_view view = {nodes, x, y, z, seen, undecided};
        int item = (int)(item_begin + i);
        rcity_ground_bin_run(&job, &view, item / job.bin_count, item % job.bin_count);
    }
}

__kernel void rcity_ground_left(rcity_ground_job job, long item_begin, long item_count, __global const int *nodes,
                                __global const int *x, __global const int *y, __global const int *z,
                                __global uchar *seen, __global uint *undecided, __global const uint *left,
                                __global const int *blocks)
{
    long i = get_global_id(0);
    if (i < item_count) {
        rcity_ground_view view = {nodes, x, y, z, seen, undecided};
        rcity_ground_left_run(&job, &view, blocks, (int)left[1 + item_begin + i]);
    }
}

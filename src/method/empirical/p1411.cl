/* OpenCL drivers of kernel/p1411.h. */
#include "kernel/p1411.h"

__kernel void rcity_p1411_cells(rcity_p1411_job job, long item_begin, long item_count, __global const float *z_m,
                                  __global const float *sight, __global float *loss_db)
{
    long i = get_global_id(0);
    if (i < item_count) {
        loss_db[i] = rcity_p1411_cell(job, z_m[i], sight[i], item_begin + i);
    }
}

__kernel void rcity_p1411_points(rcity_p1411_job job, long item_begin, long item_count,
                                   __global const rcity_link_point *rx, __global const float *sight,
                                   __global float *loss_db)
{
    long i = get_global_id(0);
    if (i < item_count) {
        loss_db[i] = rcity_p1411_point(job, rx[i], sight[i]);
    }
}

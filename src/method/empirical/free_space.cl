/* OpenCL drivers of kernel/free_space.h. */
#include "kernel/free_space.h"

__kernel void rcity_free_space_cells(rcity_free_space_job job, long item_begin, long item_count,
                                     __global const float *z_m, __global float *loss_db)
{
    long i = get_global_id(0);
    if (i < item_count) {
        loss_db[i] = rcity_free_space_cell(job, z_m[i], item_begin + i);
    }
}

__kernel void rcity_free_space_points(rcity_free_space_job job, long item_begin, long item_count,
                                      __global const rcity_link_point *rx, __global float *loss_db)
{
    long i = get_global_id(0);
    if (i < item_count) {
        loss_db[i] = rcity_free_space_point(job, rx[i]);
    }
}

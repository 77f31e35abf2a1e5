/* OpenCL drivers of kernel/log_distance.h. */
#include "kernel/log_distance.h"

__kernel void rcity_log_distance_cells(rcity_log_distance_job job, long item_begin, long item_count,
                                       __global const float *z_m, __global float *loss_db)
{
    long i = get_global_id(0);
    if (i < item_count) {
        loss_db[i] = rcity_log_distance_cell(job, z_m[i], item_begin + i);
    }
}

__kernel void rcity_log_distance_points(rcity_log_distance_job job, long item_begin, long item_count,
                                        __global const rcity_link_point *rx, __global float *loss_db)
{
    long i = get_global_id(0);
    if (i < item_count) {
        loss_db[i] = rcity_log_distance_point(job, rx[i]);
    }
}

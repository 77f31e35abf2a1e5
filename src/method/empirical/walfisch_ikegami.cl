/* OpenCL drivers of kernel/walfisch_ikegami.h. */
#include "kernel/walfisch_ikegami.h"

__kernel void rcity_walfisch_cells(rcity_walfisch_job job, long item_begin, long item_count, __global const float *z_m,
                                   __global const float *sight, __global const rcity_street *streets,
                                   __global float *loss_db)
{
    long i = get_global_id(0);
    if (i < item_count) {
        loss_db[i] = rcity_walfisch_cell(job, z_m[i], sight[i], streets[i], item_begin + i);
    }
}

__kernel void rcity_walfisch_points(rcity_walfisch_job job, long item_begin, long item_count,
                                    __global const rcity_link_point *rx, __global const float *sight,
                                    __global const rcity_street *streets, __global float *loss_db)
{
    long i = get_global_id(0);
    if (i < item_count) {
        loss_db[i] = rcity_walfisch_point(job, rx[i], sight[i], streets[i]);
    }
}

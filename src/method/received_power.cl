/* OpenCL drivers of kernel/received_power.h. */
#include "kernel/received_power.h"

__kernel void rcity_received_power_cells(rcity_received_power_job job, long item_begin, long item_count,
                                         __global const float *pattern, __global const float *z_m,
                                         __global const float *loss_db, __global float *received_dbm)
{
    long i = get_global_id(0);
    if (i < item_count) {
        received_dbm[i] = rcity_received_power_cell(job, pattern, z_m[i], loss_db[i], item_begin + i);
    }
}

__kernel void rcity_received_power_points(rcity_received_power_job job, long item_begin, long item_count,
                                          __global const float *pattern, __global const rcity_vec3 *rx_m,
                                          __global const float *loss_db, __global float *received_dbm)
{
    long i = get_global_id(0);
    if (i < item_count) {
        received_dbm[i] = rcity_received_power_point(job, pattern, rx_m[i], loss_db[i]);
    }
}

/* OpenCL drivers of kernel/hata.h. */
#include "kernel/hata.h"

__kernel void rcity_hata_cells(rcity_hata_job job, long item_begin, long item_count, __global const float *z_m,
                               __global float *loss_db)
{
    long i = get_global_id(0);
    if (i < item_count) {
        loss_db[i] = rcity_hata_cell(job, z_m[i], item_begin + i);
    }
}

__kernel void rcity_hata_points(rcity_hata_job job, long item_begin, long item_count,
                                __global const rcity_link_point *rx, __global float *loss_db)
{
    long i = get_global_id(0);
    if (i < item_count) {
        loss_db[i] = rcity_hata_point(job, rx[i]);
    }
}

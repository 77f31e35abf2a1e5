/* OpenCL drivers of kernel/terrain/terrain_loss.h. Profiles of a launch lie side by side in `room`: heights, then
   covers. */
#include "kernel/terrain/terrain_loss.h"

__kernel void rcity_terrain_cells(rcity_terrain_job job, long item_begin, long item_count, __global const float *z_m,
                                  __global const float *ground_m, __global const float *cover_m, __global float *room,
                                  __global float *loss_db, __global float *diffraction_db, __global float *is_visible,
                                  __global float *mechanism)
{
    long i = get_global_id(0);
    if (i < item_count) {
        rcity_terrain_answer answer =
            rcity_terrain_answer_cell(&job, z_m[i], job.first_item + item_begin + i, ground_m, cover_m, room + i,
                                      room + job.slot_count * job.point_max + i, job.slot_count);
        loss_db[i] = answer.loss_db;
        diffraction_db[i] = answer.diffraction_db;
        is_visible[i] = answer.is_visible;
        mechanism[i] = answer.mechanism;
    }
}

__kernel void rcity_terrain_points(rcity_terrain_job job, long item_begin, long item_count,
                                   __global const rcity_link_point *rx, __global const float *ground_m,
                                   __global const float *cover_m, __global float *room, __global float *loss_db,
                                   __global float *diffraction_db, __global float *is_visible,
                                   __global float *mechanism)
{
    long i = get_global_id(0);
    if (i < item_count) {
        rcity_terrain_answer answer = rcity_terrain_answer_point(
            &job, rx[i], ground_m, cover_m, room + i, room + job.slot_count * job.point_max + i, job.slot_count);
        loss_db[i] = answer.loss_db;
        diffraction_db[i] = answer.diffraction_db;
        is_visible[i] = answer.is_visible;
        mechanism[i] = answer.mechanism;
    }
}

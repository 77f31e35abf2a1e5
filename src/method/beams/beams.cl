/* OpenCL drivers of kernel/beams. */
#include "kernel/beams/beam_path.h"
#include "kernel/beams/beam_sum.h"

/* The paths of one beam to one cell: a work item a visit. */
__kernel void rcity_beams_follow(rcity_beam_follow_job job, long item_begin, long item_count,
                                 __global const rcity_beam_visit *visits, __global const rcity_beam_leaf *leaves,
                                 __global const rcity_beam_wall *walls, __global rcity_beam_record *records,
                                 __global const rcity_beam_face *faces, __global const rcity_beam_complex *edge_field,
                                 __global const rcity_beam_way *ways, __global const rcity_beam_direction *directions,
                                 __global const rcity_beam_slope *slopes, __global const rcity_beam_height *heights,
                                 __global const float *antenna)
{
    long i = get_global_id(0);
    if (i >= item_count) {
        return;
    }
    rcity_beam_visit visit = visits[item_begin + i];
    rcity_beam_arrays arrays;
    arrays.faces = faces;
    arrays.edge_field = edge_field;
    arrays.ways = ways;
    arrays.directions = directions;
    arrays.slopes = slopes;
    arrays.heights = heights;
    arrays.walls = walls;
    arrays.antenna = antenna;
    rcity_beam_visit_run(&job.path, &arrays, &leaves[visit.leaf], visit.cell, records + (visit.first - job.record_base));
}

/* The sum of one cell. */
__kernel void rcity_beams_sum(rcity_beam_cells_job job, long item_begin, long item_count, __global const long *first,
                              __global const rcity_beam_beside *besides, __global const rcity_beam_record *records,
                              __global rcity_beam_sum *sums)
{
    long i = get_global_id(0);
    if (i >= item_count) {
        return;
    }
    long cell = job.cell_base + item_begin + i;
    rcity_beam_beside beside = besides[cell];
    sums[cell] =
        rcity_beam_sum_run(&job.sum, &beside, records, first[cell] - job.record_base, first[cell + 1] - job.record_base);
}

/* The histogram of one cell. */
__kernel void rcity_beams_delays(rcity_beam_cells_job job, long item_begin, long item_count,
                                 __global const long *first, __global const rcity_beam_beside *besides,
                                 __global const rcity_beam_record *records, __global const rcity_beam_sum *sums,
                                 __global const rcity_beam_bins *places, __global float *bins)
{
    long i = get_global_id(0);
    if (i >= item_count) {
        return;
    }
    long cell = job.cell_base + item_begin + i;
    rcity_beam_beside beside = besides[cell];
    rcity_beam_sum sum = sums[cell];
    rcity_beam_bins of = places[cell];
    rcity_beam_bins_fill(&job.sum, &beside, &sum, records, first[cell] - job.record_base,
                         first[cell + 1] - job.record_base, of, bins + (of.at - job.bin_base));
}

/* OpenCL drivers of kernel/beams: a work-group a cell. */
#include "kernel/beams/beam_area.h"
#include "kernel/beams/beam_entries.h"
#include "kernel/beams/beam_path.h"
#include "kernel/beams/beam_sum.h"

#define GROUP_ITEMS 64 /* of fast_launch.c */

__kernel void rcity_beams_clear(rcity_beam_area_job job, long item_begin, long item_count, __global int *counts)
{
    (void)job;
    if ((long)get_global_id(0) < item_count) {
        counts[item_begin + (long)get_global_id(0)] = 0;
    }
}

/* By how many areas each cell of a band is held, and which areas hold any: these are `listed`, in any order, as `leaf_of`
   has them; -1 for all others. */
__kernel void rcity_beams_count(rcity_beam_area_job job, long item_begin, long item_count,
                                __global const rcity_beam_area *areas, __global const uchar *is_wanted,
                                __global int *cell_counts, __global int *leaf_of, __global int *leaf_count,
                                __global int *listed, __local uint *words)
{
    __local int holds;
    long index = item_begin + (long)get_group_id(0);
    rcity_beam_area area = areas[index];
    int held = 0;
    (void)words;
    (void)item_count;
    if (get_local_id(0) == 0) {
        holds = 0;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    int first = max(area.row_first, job.row_first) + (int)get_local_id(0);
    int last = min(area.row_last, job.row_last);
    for (int row = first; row <= last; row += (int)get_local_size(0)) {
        long y = rcity_beam_area_y(&job, row);
        rcity_beam_columns columns = rcity_beam_area_cut(&job, &area, y);
        for (int column = columns.first; column <= columns.last; column++) {
            long cell = (long)(row - job.row_first) * job.column_count + column;
            if (rcity_beam_area_holds(&area, rcity_beam_area_x(&job, column), y) && is_wanted[cell]) {
                (void)atomic_inc(&cell_counts[cell]);
                held = 1;
            }
        }
    }
    if (held) {
        (void)atomic_or(&holds, 1);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) == 0) {
        int leaf = holds ? atomic_inc(leaf_count) : -1;
        leaf_of[index] = leaf;
        if (leaf >= 0) {
            listed[leaf] = (int)index;
        }
    }
}

/* List the leaves of each cell, in any order: sums do not depend on it. `next` is 0 of all cells at first. */
__kernel void rcity_beams_visit(rcity_beam_area_job job, long item_begin, long item_count,
                                __global const rcity_beam_area *areas, __global const uchar *is_wanted,
                                __global const int *leaf_of, __global const long *visit_first, __global int *next,
                                __global rcity_beam_visit *visits, __local uint *words)
{
    long index = item_begin + (long)get_group_id(0);
    int leaf = leaf_of[index];
    (void)words;
    (void)item_count;
    if (leaf < 0) {
        return;
    }
    rcity_beam_area area = areas[index];
    int first = max(area.row_first, job.row_first) + (int)get_local_id(0);
    int last = min(area.row_last, job.row_last);
    for (int row = first; row <= last; row += (int)get_local_size(0)) {
        long y = rcity_beam_area_y(&job, row);
        rcity_beam_columns columns = rcity_beam_area_cut(&job, &area, y);
        for (int column = columns.first; column <= columns.last; column++) {
            long cell = (long)(row - job.row_first) * job.column_count + column;
            if (rcity_beam_area_holds(&area, rcity_beam_area_x(&job, column), y) && is_wanted[cell]) {
                visits[visit_first[cell] + atomic_inc(&next[cell])].leaf = leaf;
            }
        }
    }
}

/* Where among the records of a cell those of each leaf start, and how many there may be. */
__kernel void rcity_beams_place(rcity_beam_area_job job, long item_begin, long item_count,
                                __global const long *visit_first, __global const rcity_beam_leaf *leaves,
                                __global rcity_beam_visit *visits, __global int *path_counts)
{
    long cell = item_begin + (long)get_global_id(0);
    int slot = 0;
    (void)job;
    if ((long)get_global_id(0) >= item_count) {
        return;
    }
    for (long i = visit_first[cell]; i < visit_first[cell + 1]; i++) {
        visits[i].slot = slot;
        slot += rcity_beam_leaf_paths(&leaves[visits[i].leaf]);
    }
    path_counts[cell] = slot;
}

/* The paths to a cell, each beam's where there is room for all that it may bring; `counts` says how many there are. What
   the transmitter's own beams bring comes first: weak paths of edges are then passed by. Which ones depends on the order in
   which the work items run, but not which paths count in the end. */
__kernel void rcity_beams_follow(rcity_beam_follow_job job, long item_begin, long item_count,
                                 __global const long *visit_first, __global const long *first,
                                 __global const rcity_beam_visit *visits, __global const rcity_beam_leaf *leaves,
                                 __global const rcity_beam_wall *walls, __global const rcity_beam_beside *besides,
                                 __global rcity_beam_record *records, __global int *counts,
                                 __global const rcity_beam_face *faces, __global const rcity_beam_complex *edge_field,
                                 __global const rcity_beam_way *ways, __global const rcity_beam_direction *directions,
                                 __global const rcity_beam_slope *slopes, __global const rcity_beam_height *heights,
                                 __global const float *limits, __global const float *antenna, __local uint *words)
{
    __local uint floor_bits; /* of floats of 0 or more, which grow with their bits */
    long cell = job.cell_base + item_begin + (long)get_group_id(0);
    rcity_beam_arrays arrays;
    (void)words;
    (void)item_count;
    arrays.faces = faces;
    arrays.edge_field = edge_field;
    arrays.ways = ways;
    arrays.directions = directions;
    arrays.slopes = slopes;
    arrays.heights = heights;
    arrays.walls = walls;
    arrays.limits = limits;
    arrays.antenna = antenna;
    if (get_local_id(0) == 0) {
        floor_bits = as_uint(job.path.range * besides[cell].roof_power);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int is_edge = 0; is_edge < 2; is_edge++) {
        for (long i = visit_first[cell] + (long)get_local_id(0); i < visit_first[cell + 1];
             i += (long)get_local_size(0)) {
            rcity_beam_visit visit = visits[i];
            __global const rcity_beam_leaf *leaf = &leaves[visit.leaf];
            if ((leaf->way_first >= 0) != is_edge) {
                continue;
            }
            float floor_power = as_float(*(volatile __local uint *)&floor_bits);
            counts[i - job.visit_base] =
                rcity_beam_visit_run(&job.path, &arrays, leaf, (int)(job.cell_first + cell), &floor_power,
                                     records + (first[cell] - job.record_base + visit.slot));
            (void)atomic_max(&floor_bits, as_uint(floor_power));
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}

/* The greatest of all work items' values, 0 or more. */
static float greatest(float value, __local uint *word)
{
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) == 0) {
        *word = 0;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    (void)atomic_max(word, as_uint(value));
    barrier(CLK_LOCAL_MEM_FENCE);
    return as_float(*word);
}

/* The least of all work items' values, 0 or more. */
static float least(float value, __local uint *word)
{
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) == 0) {
        *word = 0xffffffff;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    (void)atomic_min(word, as_uint(value));
    barrier(CLK_LOCAL_MEM_FENCE);
    return as_float(*word);
}

/* List the records that count, in the order of beams: their places from the cell's first one on. @return how many. */
static int list_records(const rcity_beam_rule *rule, __global const rcity_beam_visit *visits,
                        __global const int *counts, long visit_count, __global const rcity_beam_record *records,
                        __global uint *list, __local int *ends)
{
    int listed = 0;
    int item = (int)get_local_id(0);
    int item_count = (int)get_local_size(0);
    for (long begin = 0; begin < visit_count; begin += item_count) {
        long i = begin + item;
        int own = 0;
        for (int k = 0; i < visit_count && k < counts[i]; k++) {
            own += rcity_beam_counts(rule, &records[visits[i].slot + k]);
        }
        ends[item] = own;
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int step = 1; step < item_count; step *= 2) {
            int before = item >= step ? ends[item - step] : 0;
            barrier(CLK_LOCAL_MEM_FENCE);
            ends[item] += before;
            barrier(CLK_LOCAL_MEM_FENCE);
        }
        int at = listed + ends[item] - own;
        listed += ends[item_count - 1];
        for (int k = 0; i < visit_count && k < counts[i]; k++) {
            if (rcity_beam_counts(rule, &records[visits[i].slot + k])) {
                list[at++] = (uint)(visits[i].slot + k);
            }
        }
        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    }
    return listed;
}

/* Add up all work items' totals. */
static void join_totals(rcity_beam_totals *totals, __local rcity_beam_totals *shared)
{
    int item = (int)get_local_id(0);
    int item_count = (int)get_local_size(0);
    shared[item] = *totals;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (item == 0) {
        for (int i = 1; i < item_count; i++) {
            rcity_beam_totals_join(totals, &shared[i]);
        }
        shared[0] = *totals;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    *totals = shared[0];
}

/* What each path that counts and the one over roofs bring to a cell's histogram, and the gains of its bins.
   @return how many bins there are. */
static int fill_entries(const rcity_beam_sum_job *job, const rcity_beam_beside *beside, const rcity_beam_rule *rule,
                        __global const rcity_beam_record *records, __global const uint *list, int count,
                        __global rcity_beam_entry *entries, __global float *gains, __local uint *word)
{
    int item_step = (int)get_local_size(0);
    for (int i = (int)get_local_id(0); i < count; i += item_step) {
        __global const rcity_beam_record *record = &records[list[i]];
        entries[i] =
            rcity_beam_entry_make(record->length_m, job->bin_m, rcity_beam_weight(job, beside, rule, record));
    }
    if (get_local_id(0) == 0) {
        entries[count] =
            rcity_beam_entry_make(beside->roof_m, job->bin_m, rcity_beam_roof_weight(job, beside, rule));
        *word = 0;
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    uint bin_count = 0;
    for (int i = (int)get_local_id(0); i <= count; i += item_step) {
        gains[i] = rcity_beam_entry_gain(entries, count + 1, i);
        bin_count += gains[i] > 0.0f;
    }
    (void)atomic_add(word, bin_count);
    barrier(CLK_LOCAL_MEM_FENCE);
    return (int)*word;
}

/* The sum of one cell; and with `bin_m` what its paths bring to the bins of its histogram. */
__kernel void rcity_beams_sum(rcity_beam_cells_job job, long item_begin, long item_count,
                              __global const long *visit_first, __global const long *first,
                              __global const rcity_beam_visit *visits, __global const rcity_beam_beside *besides,
                              __global const rcity_beam_record *all_records, __global const int *counts,
                              __global uint *all_lists, __global rcity_beam_sum *sums, __global int *entry_counts,
                              __global int *bin_counts, __global rcity_beam_entry *entries, __global float *gains,
                              __local uint *words)
{
    __local rcity_beam_totals shared[GROUP_ITEMS];
    __local int ends[GROUP_ITEMS];
    __local long squares[GROUP_ITEMS];
    __local uint word;
    long cell = job.cell_base + item_begin + (long)get_group_id(0);
    int item = (int)get_local_id(0);
    int item_step = (int)get_local_size(0);
    rcity_beam_beside beside = besides[cell];
    __global const rcity_beam_visit *own = visits + visit_first[cell];
    long at = visit_first[cell] - job.visit_base; /* in `counts` */
    long visit_count = visit_first[cell + 1] - visit_first[cell];
    __global const rcity_beam_record *records = all_records + (first[cell] - job.record_base);
    __global uint *list = all_lists + (first[cell] - job.record_base);
    float strongest = 0.0f;
    float direct = 0.0f;
    (void)words;
    (void)item_count;
    for (long i = item; i < visit_count; i += item_step) {
        for (int k = 0; k < counts[at + i]; k++) {
            __global const rcity_beam_record *record = &records[own[i].slot + k];
            strongest = fmax(strongest, rcity_beam_power(record));
            direct = record->kind == RCITY_BEAM_DIRECT ? 1.0f : direct;
        }
    }
    strongest = greatest(strongest, &word);
    rcity_beam_rule rule = rcity_beam_rule_make(&job.sum, &beside, strongest, greatest(direct, &word) > 0.0f);
    int count = list_records(&rule, own, counts + at, visit_count, records, list, ends);

    rcity_beam_extent extent = rcity_beam_extent_begin(&job.sum, &beside, &rule);
    for (int i = item; i < count; i += item_step) {
        rcity_beam_extent_add(&job.sum, &beside, &rule, &records[list[i]], &extent);
    }
    extent.isotropic = greatest(extent.isotropic, &word);
    extent.weight = greatest(extent.weight, &word);
    extent.first_m = least(extent.first_m, &word);
    extent.last_m = greatest(extent.last_m, &word);

    rcity_beam_totals totals;
    rcity_beam_totals_begin(&job.sum, &beside, &rule, &extent, &totals);
    if (item > 0) { /* the path over roofs is added once */
        totals.weight[RCITY_BEAM_CLASSES] = totals.moment = 0;
        totals.path_count = 0;
    }
    for (int i = item; i < count; i += item_step) {
        __global const rcity_beam_record *record = &records[list[i]];
        rcity_beam_totals_add(&job.sum, &beside, &rule, &extent, record, &totals);
        if (!rcity_beam_is_grouped(&job.sum, &rule, rcity_beam_power(record))) {
            continue;
        }
        for (int k = 0; k < i; k++) {
            __global const rcity_beam_record *other = &records[list[k]];
            if (rcity_beam_is_grouped(&job.sum, &rule, rcity_beam_power(other))) {
                rcity_beam_totals_try_pair(&job.sum, &rule, &extent, record, other, &totals);
            }
        }
    }
    join_totals(&totals, shared);

    float mean_place = rcity_beam_mean_place(&totals);
    rcity_beam_tail tail = rcity_beam_tail_begin(&job.sum, &beside, &rule, &extent, mean_place);
    tail.squares = item > 0 ? 0 : tail.squares;
    for (int i = item; i < count; i += item_step) {
        __global const rcity_beam_record *record = &records[list[i]];
        rcity_beam_tail_put(&job.sum, &extent, mean_place, rcity_beam_weight(&job.sum, &beside, &rule, record),
                            record->length_m, &tail);
    }
    squares[item] = tail.squares;
    tail.from_m = least(tail.from_m, &word);
    tail.to_m = greatest(tail.to_m, &word);
    for (int i = 1; item == 0 && i < item_step; i++) {
        tail.squares += squares[i];
    }
    if (item == 0) {
        sums[cell] = rcity_beam_sum_close(&job.sum, &beside, &rule, &extent, &totals, &tail);
    }
    if (job.sum.bin_m > 0.0f) {
        long own_first = first[cell] - job.record_base + (cell - job.cell_base); /* one more a cell: over roofs */
        barrier(CLK_LOCAL_MEM_FENCE);
        int bin_count = fill_entries(&job.sum, &beside, &rule, records, list, count, entries + own_first,
                                     gains + own_first, &word);
        if (item == 0) {
            entry_counts[cell] = count + 1;
            bin_counts[cell] = bin_count;
        }
    }
}

/* The bins of all cells side by side, in order; those of a cell from `bin_first` on. */
__kernel void rcity_beams_pack(rcity_beam_pack_job job, long item_begin, long item_count, __global const long *first,
                               __global const int *entry_counts, __global const long *bin_first,
                               __global const rcity_beam_entry *all_entries, __global const float *all_gains,
                               __global int *bins, __global float *bin_gains, __local uint *words)
{
    long cell = job.cell_base + item_begin + (long)get_group_id(0);
    long own_first = first[cell] - job.record_base + (cell - job.cell_base);
    long to = bin_first[cell] - job.bin_base;
    int count = entry_counts[cell];
    __global const rcity_beam_entry *entries = all_entries + own_first;
    __global const float *gains = all_gains + own_first;
    (void)words;
    (void)item_count;
    for (int i = (int)get_local_id(0); i < count; i += (int)get_local_size(0)) {
        if (gains[i] > 0.0f) {
            int rank = rcity_beam_entry_rank(entries, gains, count, i);
            bins[to + rank] = entries[i].bin;
            bin_gains[to + rank] = gains[i];
        }
    }
}

/* Sums along discrete lines in a plane: the experiment of T. Rick and R. Mathar 2007, section VI, for the benchmark `lines`.
   From the middle of a square of cells to each of its cells, four numbers are read and added at every step of the line,
   and whether the cell is filled is read and counted. Direct lines, one by one or in bundles, and supercubes.

   A bundle is some lines to cells of one octant whose slopes, across over along, are in [b / 256, (b + 1) / 256). At each
   of 256 steps at most they pass only two cells, floor(step b / 256 + 1/2) across and the next one: both are read once,
   for all lines of the bundle. Each line finds out which of them is its own, and adds what that one differs from the
   lower one by; the sums of the lower ones are added up once and given to all. With numbers that are whole and small,
   as the benchmark's, all sums are exact, and those of bundles are the bits of the plain lines. */
#ifndef RCITY_KERNEL_CUBES_LINE_SUMS_H
#define RCITY_KERNEL_CUBES_LINE_SUMS_H

#include "kernel/cubes/cube_line.h"

#define RCITY_LINE_BUNDLE       8 /* lines: more share what is read, and need more registers */
#define RCITY_LINE_BANDS        256
#define RCITY_LINE_BUNDLE_STEPS 256 /* at most */

/* An octant: along x or y, up or down it, and up or down across it. */
#define RCITY_OCTANT_ALONG_DOWN  1
#define RCITY_OCTANT_ALONG_Y     2
#define RCITY_OCTANT_ACROSS_DOWN 4

typedef struct rcity_line_bundle {
    rcity_i32 octant, band;
    rcity_i32 common, longest;           /* steps of all lines, and of the longest */
    rcity_u32 target[RCITY_LINE_BUNDLE]; /* along + 65536 across; 0 for none */
    float length[RCITY_LINE_BUNDLE];     /* steps; 0 for none */
    float slope[RCITY_LINE_BUNDLE];      /* beyond the band's, rounded up to a multiple of 2^-24 */
} rcity_line_bundle;

typedef struct rcity_line_job {
    rcity_i32 side;  /* of the map, which is stored row by row and then column by column */
    rcity_i32 reach; /* the square has this many cells to the west and south of its source, one less to the others */
    rcity_i32 bundle_count;
    rcity_i32 edge, ring; /* of supercubes */
    rcity_i32 source_count;
} rcity_line_job;

/* The map, and what is found for each cell of each source's square. */
typedef struct rcity_line_view {
    RCITY_GLOBAL const rcity_float4 *values;
    RCITY_GLOBAL const float *filled;      /* 0 or 1 */
    RCITY_GLOBAL const rcity_i32 *sources; /* column, row */
    RCITY_GLOBAL rcity_float4 *sums;
    RCITY_GLOBAL float *counts;
} rcity_line_view;

/* How cells follow one another in memory: along a line's longer direction, across it, from the source. */
typedef struct rcity_line_strides {
    rcity_i32 origin, along, across;
} rcity_line_strides;

RCITY_KERNEL rcity_line_strides rcity_line_strides_make(rcity_line_job job, rcity_line_view view, rcity_i32 source,
                                                        rcity_i32 octant)
{
    rcity_line_strides strides;
    rcity_i32 column = view.sources[2 * source], row = view.sources[2 * source + 1];
    strides.origin = octant & RCITY_OCTANT_ALONG_Y ? row * job.side + column : (job.side + column) * job.side + row;
    strides.along = octant & RCITY_OCTANT_ALONG_DOWN ? -job.side : job.side;
    strides.across = octant & RCITY_OCTANT_ACROSS_DOWN ? -1 : 1;
    return strides;
}

/* Place of a cell among the results of all sources: first the squares row by row, for lines along y, then column by
   column, for lines along x and the diagonals; so that neighbouring lines are written side by side. */
RCITY_KERNEL rcity_i64 rcity_line_result(rcity_line_job job, rcity_i32 source, rcity_i32 octant, rcity_i32 along,
                                         rcity_i32 across)
{
    rcity_i32 side = 2 * job.reach;
    rcity_i32 first = job.reach + (octant & RCITY_OCTANT_ALONG_DOWN ? -along : along);
    rcity_i32 second = job.reach + (octant & RCITY_OCTANT_ACROSS_DOWN ? -across : across);
    rcity_i32 is_diagonal = along == across || along == -across;
    if ((octant & RCITY_OCTANT_ALONG_Y) == 0) {
        return (((rcity_i64)job.source_count + source) * side + first) * side + second;
    }
    return is_diagonal ? (((rcity_i64)job.source_count + source) * side + second) * side + first
                       : ((rcity_i64)source * side + first) * side + second;
}

/* Sums of the lines of a bundle: four numbers, and the filled cells. */
typedef struct rcity_line_bundle_sums {
    rcity_float8 x, y, z, w, filled;
} rcity_line_bundle_sums;

/* The two cells of a bundle at a step. */
typedef struct rcity_line_pair {
    rcity_float4 low, high;
    float low_filled, high_filled;
    float step;
    float threshold; /* a line takes the higher cell if step times its slope beyond the band's is not below it */
} rcity_line_pair;

RCITY_KERNEL_WITHIN rcity_line_pair rcity_line_pair_read(rcity_line_view view, rcity_line_strides strides,
                                                         rcity_i32 band, rcity_i32 step)
{
    /* Half-way cases go to the greater coordinate: up across, or not down across. */
    rcity_line_pair pair;
    rcity_i32 goes_down = strides.across < 0;
    rcity_i32 place = step * band;
    rcity_i32 low = (place + 128 - goes_down) >> 8;
    rcity_i32 index = strides.origin + step * strides.along + low * strides.across;
    pair.low = view.values[index];
    pair.high = view.values[index + strides.across];
    pair.low_filled = view.filled[index];
    pair.high_filled = view.filled[index + strides.across];
    pair.step = (float)step;
    pair.threshold = (float)(4 * (256 * low + 128 - place) + goes_down) * (1.0f / 1024.0f);
    return pair;
}

/* A step of all lines of a bundle, beyond the lower cell. */
RCITY_KERNEL_WITHIN void rcity_line_bundle_add(rcity_line_bundle_sums *sums, const rcity_float8 *slope,
                                               const rcity_line_pair *pair)
{
    rcity_float8 is_high = rcity_float8_at_least(pair->step * *slope, pair->threshold);
    rcity_float4 beyond = pair->high - pair->low;
    rcity_float8_add_product(sums->x, is_high, rcity_x(beyond));
    rcity_float8_add_product(sums->y, is_high, rcity_y(beyond));
    rcity_float8_add_product(sums->z, is_high, rcity_z(beyond));
    rcity_float8_add_product(sums->w, is_high, rcity_w(beyond));
    rcity_float8_add_product(sums->filled, is_high, pair->high_filled - pair->low_filled);
}

/* A step of those lines that have not ended before it, with the lower cell. */
RCITY_KERNEL_WITHIN void rcity_line_bundle_add_rest(rcity_line_bundle_sums *sums, const rcity_float8 *slope,
                                                    const rcity_float8 *length, const rcity_line_pair *pair)
{
    rcity_float8 counts = rcity_float8_at_least(*length, pair->step);
    rcity_float8 is_high = counts * rcity_float8_at_least(pair->step * *slope, pair->threshold);
    rcity_float8 is_low = counts - is_high;
    rcity_float8_add_product(sums->x, is_low, rcity_x(pair->low));
    rcity_float8_add_product(sums->y, is_low, rcity_y(pair->low));
    rcity_float8_add_product(sums->z, is_low, rcity_z(pair->low));
    rcity_float8_add_product(sums->w, is_low, rcity_w(pair->low));
    rcity_float8_add_product(sums->filled, is_low, pair->low_filled);
    rcity_float8_add_product(sums->x, is_high, rcity_x(pair->high));
    rcity_float8_add_product(sums->y, is_high, rcity_y(pair->high));
    rcity_float8_add_product(sums->z, is_high, rcity_z(pair->high));
    rcity_float8_add_product(sums->w, is_high, rcity_w(pair->high));
    rcity_float8_add_product(sums->filled, is_high, pair->high_filled);
}

/* Write the sums of a bundle's lines to their cells. */
RCITY_KERNEL_WITHIN void rcity_line_bundle_write(rcity_line_job job, rcity_line_view view, rcity_i32 source,
                                                 RCITY_GLOBAL const rcity_line_bundle *bundle,
                                                 const rcity_line_bundle_sums *sums)
{
    float x[RCITY_LINE_BUNDLE], y[RCITY_LINE_BUNDLE], z[RCITY_LINE_BUNDLE], w[RCITY_LINE_BUNDLE];
    float filled[RCITY_LINE_BUNDLE];
    rcity_float8_store(sums->x, x);
    rcity_float8_store(sums->y, y);
    rcity_float8_store(sums->z, z);
    rcity_float8_store(sums->w, w);
    rcity_float8_store(sums->filled, filled);
    for (int i = 0; i < RCITY_LINE_BUNDLE; i++) {
        rcity_i32 target = (rcity_i32)bundle->target[i];
        if (target != 0) {
            rcity_i64 result = rcity_line_result(job, source, bundle->octant, target & 0xffff, target >> 16);
            view.sums[result] = rcity_float4_make(x[i], y[i], z[i], w[i]);
            view.counts[result] = filled[i];
        }
    }
}

/* All steps of a bundle of lines of one source: item by item the bundles of the first source, then of the next. */
RCITY_KERNEL_WITHIN void rcity_line_bundle_item(rcity_line_job job, rcity_line_view view,
                                                RCITY_GLOBAL const rcity_line_bundle *bundles, rcity_i64 item)
{
    rcity_i32 source = (rcity_i32)(item / job.bundle_count);
    RCITY_GLOBAL const rcity_line_bundle *bundle = bundles + (item - (rcity_i64)source * job.bundle_count);
    rcity_i32 band = bundle->band, common = bundle->common, longest = bundle->longest;
    rcity_line_strides strides = rcity_line_strides_make(job, view, source, bundle->octant);
    rcity_float8 slope = rcity_float8_load(bundle->slope), length = rcity_float8_load(bundle->length);
    rcity_float8 zero = rcity_float8_all(0.0f);
    rcity_line_bundle_sums sums = {zero, zero, zero, zero, zero};
    rcity_float4 low = rcity_float4_make(0.0f, 0.0f, 0.0f, 0.0f);
    float low_filled = 0.0f;
    for (rcity_i32 step = 1; step <= common; step++) {
        rcity_line_pair pair = rcity_line_pair_read(view, strides, band, step);
        low += pair.low;
        low_filled += pair.low_filled;
        rcity_line_bundle_add(&sums, &slope, &pair);
    }
    sums.x += rcity_x(low);
    sums.y += rcity_y(low);
    sums.z += rcity_z(low);
    sums.w += rcity_w(low);
    sums.filled += low_filled;
    for (rcity_i32 step = common + 1; step <= longest; step++) {
        rcity_line_pair pair = rcity_line_pair_read(view, strides, band, step);
        rcity_line_bundle_add_rest(&sums, &slope, &length, &pair);
    }
    rcity_line_bundle_write(job, view, source, bundle, &sums);
}

/* One line, from a step on, with what the cell of the step before has: all of a direct line from step 1 on, a line within a
   supercube from the first step in it on. `across` may be negative; the octant does not go down across. The places across
   are multiples of 1 / 2 along; here they are in units of 2^-32, rounded up by less than that difference, so that the next
   lower whole number is the exact one, and a step is one addition. */
RCITY_KERNEL void rcity_line_walk(rcity_line_job job, rcity_line_view view, rcity_line_strides strides,
                                  rcity_i32 source, rcity_i32 octant, rcity_i32 along, rcity_i32 across,
                                  rcity_i32 begin)
{
    rcity_i64 slope = ((rcity_i64)across * ((rcity_i64)1 << 32) + (across > 0 ? along - 1 : 0)) / along;
    rcity_i64 place = slope * begin + ((rcity_i64)1 << 31);
    rcity_i32 index = strides.origin + begin * strides.along;
    rcity_float4 sum = rcity_float4_make(0.0f, 0.0f, 0.0f, 0.0f);
    float count = 0.0f;
    if (begin > 0) {
        rcity_i64 before = rcity_line_result(job, source, octant, begin, (rcity_i32)(place >> 32));
        sum = view.sums[before];
        count = view.counts[before];
    }
    for (rcity_i32 step = begin; step < along; step++) {
        place += slope;
        index += strides.along;
        rcity_i32 cell = index + (rcity_i32)(place >> 32);
        sum += view.values[cell];
        count += view.filled[cell];
    }
    rcity_i64 result = rcity_line_result(job, source, octant, along, across);
    view.sums[result] = sum;
    view.counts[result] = count;
}

/* Is a cell in the square of its source, and its line along this direction? Diagonals go along x. */
RCITY_KERNEL int rcity_line_is_in_square(rcity_line_job job, rcity_i32 octant, rcity_i32 along, rcity_i32 across)
{
    rcity_i32 end = octant & RCITY_OCTANT_ALONG_DOWN ? job.reach : job.reach - 1;
    rcity_i32 widest = octant & RCITY_OCTANT_ALONG_Y ? along - 1 : along;
    return along >= 1 && along <= end && across >= -widest && across <= widest && across < job.reach;
}

/* Supercubes side by side that hold one of the four parts of a ring. */
RCITY_KERNEL rcity_i32 rcity_line_blocks_across(rcity_line_job job)
{
    return (2 * (job.ring + 1) * job.edge + 1 + job.edge - 1) / job.edge;
}

/* A row of a supercube, its lines of one length: for each source, direction, supercube across, row. */
typedef struct rcity_line_row {
    rcity_i32 source, octant, along, first_across;
} rcity_line_row;

RCITY_KERNEL rcity_line_row rcity_line_row_make(rcity_line_job job, rcity_i64 index)
{
    rcity_line_row row;
    rcity_i32 blocks = rcity_line_blocks_across(job);
    rcity_i32 part = (rcity_i32)(index / job.edge), line = (rcity_i32)(index - (rcity_i64)part * job.edge);
    rcity_i32 block = part % blocks;
    row.octant = part / blocks % 4;
    row.source = part / blocks / 4;
    row.along = job.ring * job.edge + 1 + line;
    row.first_across = block * job.edge - (job.ring + 1) * job.edge;
    return row;
}

/* One line of ring `ring` of supercubes of edge `edge`: row by row, cell by cell across. */
RCITY_KERNEL void rcity_line_ring_item(rcity_line_job job, rcity_line_view view, rcity_i64 item)
{
    rcity_line_row row = rcity_line_row_make(job, item / job.edge);
    rcity_i32 across = row.first_across + (rcity_i32)(item % job.edge);
    if (rcity_line_is_in_square(job, row.octant, row.along, across)) {
        rcity_line_strides strides = rcity_line_strides_make(job, view, row.source, row.octant);
        rcity_line_walk(job, view, strides, row.source, row.octant, row.along, across, job.ring * job.edge);
    }
}

#endif

/* Where the end of a beam lies, by four lines in whole numbers: which places of a raster it holds needs no double. Parts of
   a beam that lie side by side have their line in common, so that a place lies in exactly one of them. */
#ifndef RCITY_KERNEL_BEAMS_BEAM_AREA_H
#define RCITY_KERNEL_BEAMS_BEAM_AREA_H

#include "kernel/beams/beam_length.h"

#define RCITY_BEAM_AREA_SIDES 4
#define RCITY_BEAM_SIDE_BITS  29   /* of the lines' normals: a sum of two products with 32 bits stays in 64 */
#define RCITY_BEAM_SIDE_RIM   1024 /* units: more than a row's ends in floats are off */

/* A line: x px + y py + off is 0 or more on the inner side, with places in units. */
typedef struct rcity_beam_side {
    rcity_i64 off;
    rcity_i32 x, y;
} rcity_beam_side;

typedef struct rcity_beam_area {
    rcity_beam_side side[RCITY_BEAM_AREA_SIDES];
    rcity_i32 row_first, row_last; /* of the raster, that it may reach into */
} rcity_beam_area;

/* A band of rows of a raster. */
typedef struct rcity_beam_area_job {
    rcity_i64 west, north, step; /* of the places of cells, as in rcity_beam_job */
    rcity_i32 column_count;
    rcity_i32 row_first, row_last;
    rcity_i32 padding;
} rcity_beam_area_job;

/* The columns of a row. */
typedef struct rcity_beam_columns {
    rcity_i32 first, last;
} rcity_beam_columns;

RCITY_KERNEL rcity_i64 rcity_beam_area_x(const rcity_beam_area_job *job, rcity_i32 column)
{
    return (job->west + column * job->step) >> RCITY_BEAM_FINE_BITS;
}

RCITY_KERNEL rcity_i64 rcity_beam_area_y(const rcity_beam_area_job *job, rcity_i32 row)
{
    return (job->north - row * job->step) >> RCITY_BEAM_FINE_BITS;
}

/* The columns of a row between which all places of an area lie; some beyond. */
RCITY_KERNEL rcity_beam_columns rcity_beam_area_cut(const rcity_beam_area_job *job, const rcity_beam_area *area,
                                                    rcity_i64 y)
{
    const float fine = (float)(1 << RCITY_BEAM_FINE_BITS);
    float step = (float)job->step / fine;
    float west = (float)job->west / fine;
    float low = 0.0f;
    float high = (float)(job->column_count - 1);
    rcity_beam_columns columns;
    for (int k = 0; k < RCITY_BEAM_AREA_SIDES; k++) {
        rcity_i64 rest = area->side[k].y * y + area->side[k].off;
        if (area->side[k].x == 0) {
            high = rest < 0 ? -1.0f : high;
            continue;
        }
        float at = -(float)rest / (float)area->side[k].x - west;
        float above = (at - (float)RCITY_BEAM_SIDE_RIM) / step;
        float below = (at + (float)RCITY_BEAM_SIDE_RIM) / step;
        if (area->side[k].x > 0) {
            low = above > low ? above : low;
        } else {
            high = below < high ? below : high;
        }
    }
    columns.first =
        low < (float)job->column_count ? (rcity_i32)low : job->column_count; /* a place may lie just there */
    columns.last = high >= 0.0f ? (rcity_i32)high : -1;
    return columns;
}

RCITY_KERNEL int rcity_beam_area_holds(const rcity_beam_area *area, rcity_i64 x, rcity_i64 y)
{
    int holds = 1;
    for (int k = 0; k < RCITY_BEAM_AREA_SIDES; k++) {
        holds = holds && area->side[k].x * x + area->side[k].y * y + area->side[k].off >= 0;
    }
    return holds;
}

#endif

/* Borders of shadows that are summed up to numbers of walls, in integers only. As src/visibility/walls/wall_border.h,
   but where the host allows for an error, every comparison here is exact; only corners where walls cross off the grid
   are rounded.

   A border is where (x - source) ey - (y - source) ex = offset, ey > 0: a pixel with a larger value is east of it.
   Coordinates are below 2^23 and differences below 2^24, so values are below 2^51 with a wall's ex, ey, and below 2^62
   with those of a ray, which are fractions. */
#ifndef RCITY_KERNEL_VISIBILITY_WALLS_COUNT_BORDER_H
#define RCITY_KERNEL_VISIBILITY_WALLS_COUNT_BORDER_H

#include "kernel/portable.h"

/* Ends of pieces are multiples of 2^-13; a rounded one is off by less than one such step. */
#define RCITY_COUNT_FRACTION_ONE ((rcity_i64)8192)
#define RCITY_COUNT_FAR          ((rcity_i64)1 << 60) /* larger than any value */

/* A piece of a wall, as rcity_wall_piece. */
typedef struct RCITY_ALIGNED(16) rcity_count_piece {
    rcity_i64 ax, ay, bx, by; /* fractions */
    rcity_i32 px, py, ex, ey;
    rcity_i32 low, high;
    rcity_i32 is_cut;
    rcity_i32 padding;
} rcity_count_piece;

/* A corner, as rcity_wall_corner. */
typedef struct RCITY_ALIGNED(16) rcity_count_corner {
    rcity_i64 x, y; /* fractions */
    rcity_i32 low, high;
    rcity_i32 first;
    rcity_i32 is_cut;
} rcity_count_corner;

/* The job of one source; on a device the sources of a launch come from a buffer of their own. */
typedef struct rcity_count_job {
    rcity_i64 scale;     /* difference of the heights of source and receivers; 1 where it is 0 */
    rcity_i64 whole_max; /* the largest value whose product with the scale stays below RCITY_COUNT_FAR */
    rcity_i32 source_x, source_y, source_z;
    rcity_i32 level;
    rcity_i32 column_count, row_count;
    rcity_i32 row_words; /* 32 pixels each */
    rcity_i32 corner_count, piece_count;
    rcity_i32 wide, deep; /* from the source to the farthest column and row */
    float columns_per_unit;
} rcity_count_job;

/* A source of a launch over several sources. */
typedef struct RCITY_ALIGNED(16) rcity_count_source {
    rcity_i64 scale, whole_max;
    rcity_i32 x, y, z;
    rcity_i32 wide, deep;
    rcity_i32 padding[3];
} rcity_count_source;

RCITY_KERNEL void rcity_count_job_choose(rcity_count_source source, rcity_count_job *job)
{
    job->scale = source.scale;
    job->whole_max = source.whole_max;
    job->source_x = source.x;
    job->source_y = source.y;
    job->source_z = source.z;
    job->wide = source.wide;
    job->deep = source.deep;
}

/* What all sources of a raster share, and the sheet. Made where it is used, never a kernel argument. */
typedef struct rcity_count_view {
    RCITY_GLOBAL const rcity_i32 *places; /* x of columns, y of rows */
    RCITY_GLOBAL const rcity_count_piece *pieces;
    RCITY_GLOBAL const rcity_count_corner *corners; /* with one more at the end */
    RCITY_GLOBAL const rcity_i32 *ends;
    RCITY_GLOBAL rcity_u32 *sheet;
} rcity_count_view;

/* The sheet, in words: steps of all pixels, row by row; steps of whole rows, which hold from a row on; bits of the
   pixels to be tested one by one; and a flag that all of them must be. */
RCITY_KERNEL rcity_i64 rcity_count_west_first(const rcity_count_job *job)
{
    return (rcity_i64)job->row_count * job->column_count;
}

RCITY_KERNEL rcity_i64 rcity_count_asked_first(const rcity_count_job *job)
{
    return rcity_count_west_first(job) + job->row_count;
}

RCITY_KERNEL rcity_i64 rcity_count_lost(const rcity_count_job *job)
{
    return rcity_count_asked_first(job) + (rcity_i64)job->row_count * job->row_words;
}

RCITY_KERNEL rcity_i64 rcity_count_sheet_words(const rcity_count_job *job)
{
    return rcity_count_lost(job) + 1;
}

/* What is done with pixels on a border. */
#define RCITY_COUNT_LOWER 0 /* they have the number of its lower side */
#define RCITY_COUNT_ASK   1
#define RCITY_COUNT_ZONE  2 /* they are tested, and so are all that a rounded corner may have on its other side */
#define RCITY_COUNT_NONE  3 /* there are none */

/* A border in rows begin .. end - 1, within the raster's columns. */
typedef struct rcity_count_border {
    rcity_i64 ex, ey, offset;
    rcity_i32 begin, end;
    rcity_i32 step;
    rcity_i32 rule;
} rcity_count_border;

/* A border between two points before it is clipped to the raster. Points are fractions relative to the source, scaled
   by `scale / part`; they are infinitely far where the part is 0. */
typedef struct rcity_count_line {
    rcity_i64 ax, ay, bx, by;
    rcity_i64 a_part, b_part;
    rcity_i64 slack; /* fractions by which rounding may have moved its ends; 0: they are exact */
    rcity_count_border border;
} rcity_count_line;

RCITY_KERNEL rcity_i64 rcity_count_size(rcity_i64 value)
{
    return value < 0 ? -value : value;
}

/* A number scaled by `scale / part`, rounded down. */
RCITY_KERNEL rcity_i64 rcity_count_scaled(const rcity_count_job *job, rcity_i64 value, rcity_i64 part, int *is_whole)
{
    *is_whole = 1;
    if (value == 0 || part == job->scale) {
        return value;
    }
    rcity_u64 size = (rcity_u64)rcity_count_size(value);
    rcity_u64 whole = part > 0 ? size / (rcity_u64)part : (rcity_u64)RCITY_COUNT_FAR;
    if (whole > (rcity_u64)job->whole_max) {
        *is_whole = 0;
        return value < 0 ? -RCITY_COUNT_FAR : RCITY_COUNT_FAR;
    }
    rcity_u64 rest = (size - whole * (rcity_u64)part) * (rcity_u64)job->scale;
    rcity_u64 more = rest / (rcity_u64)part;
    *is_whole = more * (rcity_u64)part == rest;
    rcity_i64 result = (rcity_i64)(whole * (rcity_u64)job->scale + more);
    return value < 0 ? -result - !*is_whole : result;
}

/* The part of a height: scale / part is the factor of distance, beyond a wall, at which the line to a receiver passes
   the wall at that height. */
RCITY_KERNEL rcity_i64 rcity_count_part(const rcity_count_job *job, rcity_i32 height)
{
    rcity_i64 rise = (rcity_i64)height - job->source_z;
    if (job->source_z == job->level) {
        return rise <= 0;
    }
    rcity_i64 part = job->source_z > job->level ? -rise : rise;
    return part < 0 ? 0 : part > job->scale ? job->scale : part;
}

/* The parts of a wall's near and far factors; returns 0 where no line crosses the wall between its heights. */
RCITY_KERNEL int rcity_count_find_parts(const rcity_count_job *job, rcity_i32 low, rcity_i32 high, rcity_i64 *near,
                                        rcity_i64 *far)
{
    rcity_i64 a = rcity_count_part(job, low);
    rcity_i64 b = rcity_count_part(job, high);
    *near = a > b ? a : b;
    *far = a > b ? b : a;
    return *near > *far;
}

/* Twice the area of the triangle from the source along a piece's wall; its sign is the piece's side. */
RCITY_KERNEL rcity_i64 rcity_count_area(const rcity_count_job *job, RCITY_GLOBAL const rcity_count_piece *piece)
{
    return (rcity_i64)(piece->px - job->source_x) * piece->ey - (rcity_i64)(piece->py - job->source_y) * piece->ex;
}

RCITY_KERNEL rcity_i64 rcity_count_value(const rcity_count_job *job, const rcity_count_border *border, rcity_i32 x,
                                         rcity_i32 y)
{
    return (x - job->source_x) * border->ey - (y - job->source_y) * border->ex - border->offset;
}

/* The first row that is not north of y, in fractions relative to the source. */
RCITY_KERNEL rcity_i32 rcity_count_first_row(const rcity_count_job *job, const rcity_count_view *view, rcity_i64 y)
{
    rcity_i32 begin = 0;
    rcity_i32 end = job->row_count;
    while (begin < end) {
        rcity_i32 row = begin + (end - begin) / 2;
        rcity_i64 at = (rcity_i64)(view->places[job->column_count + row] - job->source_y) * RCITY_COUNT_FRACTION_ONE;
        if (at <= y) {
            end = row;
        } else {
            begin = row + 1;
        }
    }
    return begin;
}

RCITY_KERNEL void rcity_count_ask(const rcity_count_job *job, const rcity_count_view *view, rcity_i32 column,
                                  rcity_i32 row)
{
    rcity_i64 word = rcity_count_asked_first(job) + (rcity_i64)row * job->row_words + column / 32;
    rcity_global_or(&view->sheet[word], 1u << (column % 32));
}

/* Marks the pixels of a row around an end of a border, at x, for testing: as far as the rounding error reaches, and a
   little further. A nearly horizontal border crosses the row far from its rounded end, on either side of it. */
RCITY_KERNEL void rcity_count_ask_about(const rcity_count_job *job, const rcity_count_view *view,
                                        const rcity_count_line *line, rcity_i64 x, rcity_i32 row)
{
    rcity_i64 west, east;
    if (line->border.ey == 0) {
        int is_whole;
        rcity_i64 ax = rcity_count_scaled(job, line->ax, line->a_part, &is_whole);
        rcity_i64 bx = rcity_count_scaled(job, line->bx, line->b_part, &is_whole);
        rcity_i64 more = line->slack + RCITY_COUNT_FRACTION_ONE;
        west = (ax < bx ? ax : bx) - more;
        east = (ax < bx ? bx : ax) + more;
    } else {
        float slope = (float)rcity_count_size(line->border.ex) / (float)line->border.ey;
        float reach = 2.1f * (float)line->slack * (1.0f + slope) + 2.0f * (float)RCITY_COUNT_FRACTION_ONE;
        rcity_i64 about = reach < 1e15f ? (rcity_i64)reach : RCITY_COUNT_FAR;
        west = x - about;
        east = x + about;
    }
    rcity_i32 column = 0;
    for (rcity_i32 end = job->column_count; column < end;) {
        rcity_i32 middle = column + (end - column) / 2;
        if ((view->places[middle] - job->source_x) * RCITY_COUNT_FRACTION_ONE >= west) {
            end = middle;
        } else {
            column = middle + 1;
        }
    }
    for (; column < job->column_count; column++) {
        if ((view->places[column] - job->source_x) * RCITY_COUNT_FRACTION_ONE > east) {
            return;
        }
        rcity_count_ask(job, view, column, row);
    }
}

/* Marks the rows that an end of a border lies in, or may lie in; `first` is the first row not north of it. */
RCITY_KERNEL void rcity_count_ask_end(const rcity_count_job *job, const rcity_count_view *view,
                                      const rcity_count_line *line, rcity_i64 x, rcity_i64 x_part, rcity_i64 y,
                                      int is_whole, rcity_i32 first)
{
    rcity_i64 slack = line->slack > 0 ? line->slack + 1 : is_whole ? 0 : -1;
    for (rcity_i32 next = -1; next <= 1; next += 2) {
        for (rcity_i32 row = next < 0 ? first - 1 : first; row >= 0 && row < job->row_count; row += next) {
            rcity_i64 at =
                (rcity_i64)(view->places[job->column_count + row] - job->source_y) * RCITY_COUNT_FRACTION_ONE;
            if (rcity_count_size(at - y) > slack) {
                break;
            }
            int is_x_whole;
            rcity_count_ask_about(job, view, line, rcity_count_scaled(job, x, x_part, &is_x_whole), row);
        }
    }
}

/* Applies the step to all pixels of rows begin .. end - 1. */
RCITY_KERNEL void rcity_count_step_rows(const rcity_count_job *job, const rcity_count_view *view, rcity_i32 begin,
                                        rcity_i32 end, rcity_i32 step)
{
    RCITY_GLOBAL rcity_u32 *west = view->sheet + rcity_count_west_first(job);
    if (begin < end) {
        (void)rcity_global_add(&west[begin], (rcity_u32)step);
        if (end < job->row_count) {
            (void)rcity_global_add(&west[end], (rcity_u32)-step);
        }
    }
}

/* The first of rows begin .. end - 1 from which on the border's value at x is on the other side of a bound. The value
   grows or falls from row to row with the sign of ex. */
RCITY_KERNEL rcity_i32 rcity_count_cross_row(const rcity_count_job *job, const rcity_count_view *view,
                                             const rcity_count_border *border, rcity_i32 x, rcity_i64 bound,
                                             rcity_i32 begin, rcity_i32 end)
{
    while (begin < end) {
        rcity_i32 row = begin + (end - begin) / 2;
        rcity_i64 value = rcity_count_value(job, border, x, view->places[job->column_count + row]);
        if ((value >= bound) == (border->ex >= 0)) {
            end = row;
        } else {
            begin = row + 1;
        }
    }
    return begin;
}

/* Keeps the rows that the border crosses within their columns, and adds the step to whole rows that it passes in the
   west. */
RCITY_KERNEL void rcity_count_cut_rows(const rcity_count_job *job, const rcity_count_view *view,
                                       rcity_count_border *border)
{
    rcity_i64 zone = border->rule == RCITY_COUNT_ZONE ? (rcity_i64)job->wide + job->deep : 0;
    rcity_i32 first = view->places[0];
    rcity_i32 last = view->places[job->column_count - 1];
    rcity_i32 begin = border->begin;
    rcity_i32 end = border->end;
    if (border->ex >= 0) {
        border->begin = rcity_count_cross_row(job, view, border, last, -zone, begin, end);
        border->end = rcity_count_cross_row(job, view, border, first, zone + 1, border->begin, end);
        rcity_count_step_rows(job, view, border->end, end, border->step);
    } else {
        border->begin = rcity_count_cross_row(job, view, border, first, zone + 1, begin, end);
        border->end = rcity_count_cross_row(job, view, border, last, -zone, border->begin, end);
        rcity_count_step_rows(job, view, begin, border->begin, border->step);
    }
}

/* Marks the pixels at a border's ends for testing, and clips the border. */
RCITY_KERNEL void rcity_count_add_line(const rcity_count_job *job, const rcity_count_view *view, rcity_count_line *line)
{
    int is_a_whole, is_b_whole;
    rcity_i64 ay = rcity_count_scaled(job, line->ay, line->a_part, &is_a_whole);
    rcity_i64 by = rcity_count_scaled(job, line->by, line->b_part, &is_b_whole);
    rcity_i32 a_row = rcity_count_first_row(job, view, ay);
    rcity_i32 b_row = rcity_count_first_row(job, view, by);
    rcity_count_ask_end(job, view, line, line->ax, line->a_part, ay, is_a_whole, a_row);
    rcity_count_ask_end(job, view, line, line->bx, line->b_part, by, is_b_whole, b_row);
    line->border.begin = a_row < b_row ? a_row : b_row;
    line->border.end = a_row < b_row ? b_row : a_row;
    if (line->border.begin < line->border.end) {
        rcity_count_cut_rows(job, view, &line->border);
    }
}

/* Sets the direction so that ey is not negative. */
RCITY_KERNEL void rcity_count_set_slope(rcity_count_border *border, rcity_i64 ex, rcity_i64 ey)
{
    border->ex = ey < 0 ? -ex : ex;
    border->ey = ey < 0 ? -ey : ey;
}

/* The near or the far copy of a piece. */
RCITY_KERNEL rcity_count_border rcity_count_copy(const rcity_count_job *job, const rcity_count_view *view,
                                                 rcity_i32 index, int is_far)
{
    rcity_count_line line;
    rcity_count_piece piece = view->pieces[index];
    rcity_i64 area = rcity_count_area(job, &view->pieces[index]);
    rcity_i64 near, far;
    line.border.begin = line.border.end = 0;
    if (area == 0 || !rcity_count_find_parts(job, piece.low, piece.high, &near, &far)) {
        return line.border;
    }
    rcity_i64 part = is_far ? far : near;
    rcity_i32 step = (area > 0) == !is_far ? 1 : -1;
    rcity_i64 source_x = job->source_x * RCITY_COUNT_FRACTION_ONE;
    rcity_i64 source_y = job->source_y * RCITY_COUNT_FRACTION_ONE;
    int is_whole;
    line.ax = piece.ax - source_x;
    line.ay = piece.ay - source_y;
    line.bx = piece.bx - source_x;
    line.by = piece.by - source_y;
    line.a_part = line.b_part = part;
    line.border.step = line.by > line.ay ? step : -step;
    if (part == 0) { /* infinitely far: it matters to rows where it lies in the west */
        if ((area > 0) != (piece.ey > 0)) {
            rcity_i32 a_row = rcity_count_first_row(job, view, rcity_count_scaled(job, line.ay, 0, &is_whole));
            rcity_i32 b_row = rcity_count_first_row(job, view, rcity_count_scaled(job, line.by, 0, &is_whole));
            rcity_count_step_rows(job, view, a_row < b_row ? a_row : b_row, a_row < b_row ? b_row : a_row,
                                  line.border.step);
        }
        return line.border;
    }
    line.slack = piece.is_cut ? job->scale / part + 2 : 0;
    rcity_count_set_slope(&line.border, piece.ex, piece.ey);
    line.border.offset = rcity_count_scaled(job, piece.ey < 0 ? -area : area, part, &is_whole);
    /* A line that ends on a wall does not cross it. */
    line.border.rule = part == job->scale ? RCITY_COUNT_LOWER : is_whole ? RCITY_COUNT_ASK : RCITY_COUNT_NONE;
    rcity_count_add_line(job, view, &line);
    return line.border;
}

/* An upper bound of how many times farther than a corner, which is (dx, dy) from the source, the raster's farthest
   pixel behind it is. */
RCITY_KERNEL rcity_i64 rcity_count_reach(const rcity_count_job *job, rcity_i64 dx, rcity_i64 dy, rcity_i64 far)
{
    rcity_i64 reach = (rcity_i64)1 << 38;
    rcity_i64 scale = far > 0 ? job->scale / far : reach;
    rcity_i64 wide = dx != 0 ? job->wide * RCITY_COUNT_FRACTION_ONE / rcity_count_size(dx) : reach;
    rcity_i64 deep = dy != 0 ? job->deep * RCITY_COUNT_FRACTION_ONE / rcity_count_size(dy) : reach;
    reach = scale < reach ? scale : reach;
    reach = wide < reach ? wide : reach;
    return deep < reach ? deep : reach;
}

/* The ray behind a corner; see rcity_wall_add_ray(). */
RCITY_KERNEL rcity_count_border rcity_count_ray(const rcity_count_job *job, const rcity_count_view *view,
                                                rcity_i32 index)
{
    rcity_count_line line;
    rcity_count_corner corner = view->corners[index];
    rcity_i32 end = view->corners[index + 1].first;
    rcity_i64 dx = corner.x - job->source_x * RCITY_COUNT_FRACTION_ONE;
    rcity_i64 dy = corner.y - job->source_y * RCITY_COUNT_FRACTION_ONE;
    rcity_i32 step = 0;
    int is_plain = end - corner.first == 2;
    int is_between = dx == 0; /* walls that meet there pass the source on both sides */
    for (rcity_i32 i = corner.first; i < end; i++) {
        RCITY_GLOBAL const rcity_count_piece *piece = &view->pieces[view->ends[i] / 2];
        rcity_i64 area = rcity_count_area(job, piece);
        rcity_i32 side = (area > 0) - (area < 0);
        step += view->ends[i] % 2 == 0 ? side : -side;
        is_plain = is_plain && side != 0;
        is_between = is_between || (side != 0 && ((side > 0) != (piece->ey > 0)) != (dx < 0));
    }
    rcity_i64 near, far;
    line.border.begin = line.border.end = 0;
    if (!rcity_count_find_parts(job, corner.low, corner.high, &near, &far)) {
        return line.border;
    }
    if (corner.is_cut && dy == 0 && is_between) { /* so near that rounding may have moved it across the source's row */
        rcity_global_or(&view->sheet[rcity_count_lost(job)], 1u);
    }
    if ((step == 0 && is_plain) || (dx == 0 && dy == 0)) {
        return line.border;
    }
    line.ax = line.bx = dx;
    line.ay = line.by = dy;
    line.a_part = near;
    line.b_part = far;
    line.slack = corner.is_cut ? rcity_count_reach(job, dx, dy, far) + 2 : 0;
    rcity_count_set_slope(&line.border, dx, dy);
    line.border.offset = 0;
    line.border.step = dy < 0 ? step : -step;
    line.border.rule = corner.is_cut ? RCITY_COUNT_ZONE : is_plain ? RCITY_COUNT_LOWER : RCITY_COUNT_ASK;
    rcity_count_add_line(job, view, &line);
    return line.border;
}

#endif

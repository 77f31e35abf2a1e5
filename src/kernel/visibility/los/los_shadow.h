/* The shadow of a wall in one half of the plan, north or south of the source, row by row.

   In a row the shadow lies between borders: the directions of the wall's ends, the wall itself, and, where the shadow
   ends, the line along which lines over the roof reach the receivers' height. The column of each border is a linear
   function of the row's distance, computed in floats with an error bound. Where a column is closer to a border than
   that, integers decide. A pixel exactly behind an end is noted: touching and passing differ there. */
#ifndef RCITY_KERNEL_VISIBILITY_LOS_LOS_SHADOW_H
#define RCITY_KERNEL_VISIBILITY_LOS_LOS_SHADOW_H

#include "kernel/visibility/los/los_directions.h"

#define RCITY_LOS_FAR   1e9f  /* columns: no border */
#define RCITY_LOS_ERROR 1e-6f /* of a border, relative to its terms: a few roundings and two divisions */

/* A border: column = offset + slope * v, relative to the source's column. */
typedef struct rcity_los_border {
    float offset, slope;
} rcity_los_border;

/* The wall, mirrored so that v grows away from the source, with a on the right. */
typedef struct rcity_los_shadow {
    rcity_los_cast cast;
    rcity_los_border right, left, near, far;
    float zero;                       /* the source's column */
    rcity_i32 side;                   /* 1: north, -1: south */
    rcity_i32 column, column_end;     /* columns outside are hidden by their bins */
    rcity_i32 row, row_end;           /* rows of this strip that the shadow may reach */
    rcity_u64 visible;                /* rings that are not hidden */
    float steepest, flattest;         /* v as a fraction of |u| + v */
    rcity_i32 span_count, near_count; /* rows searched, rows decided by integers */
} rcity_los_shadow;

RCITY_KERNEL rcity_los_border rcity_los_border_make(float offset, float slope, float pitch)
{
    rcity_los_border border;
    border.offset = offset / pitch;
    border.slope = slope / pitch;
    return border;
}

/* v as a fraction of |u| + v; 0 behind the source. */
RCITY_KERNEL float rcity_los_steepness(rcity_i32 u, rcity_i32 v)
{
    return v > 0 ? (float)v / (rcity_fabs((float)u) + (float)v) : 0.0f;
}

/* The largest and the smallest such fraction in the directions of a wall: largest straight ahead if the wall has that
   direction, otherwise at an end. */
RCITY_KERNEL float rcity_los_steepest(const rcity_los_cast *cast)
{
    int is_right = cast->av <= 0 || cast->au >= 0;
    int is_left = cast->bv <= 0 || cast->bu <= 0;
    return is_right && is_left
               ? 1.0f
               : rcity_fmax(rcity_los_steepness(cast->au, cast->av), rcity_los_steepness(cast->bu, cast->bv)) * 1.0001f;
}

RCITY_KERNEL float rcity_los_flattest(const rcity_los_cast *cast)
{
    return rcity_fmin(rcity_los_steepness(cast->au, cast->av), rcity_los_steepness(cast->bu, cast->bv)) * 0.9999f;
}

/* The rows and columns to search: beyond the wall's near end, before its shadow's far end and the end of the last
   visible ring. */
RCITY_KERNEL void rcity_los_shadow_bound(const rcity_los_board *board, rcity_los_shadow *shadow)
{
    rcity_u32 reach = rcity_los_ring_end(board, RCITY_LOS_RING_LAST - rcity_leading_zeros(shadow->visible));
    shadow->steepest = rcity_los_steepest(&shadow->cast);
    shadow->flattest = rcity_los_flattest(&shadow->cast);
    const rcity_los_cast *cast = &shadow->cast;
    rcity_i32 near = cast->av < cast->bv ? cast->av : cast->bv;
    float far = (float)(cast->av > cast->bv ? cast->av : cast->bv);
    near = near > 0 ? near : 0;
    far = cast->far_den > 0 ? far * (float)cast->far_num / (float)cast->far_den * 1.00001f + 2.0f : 3e7f;
    far = far < 3e7f ? far : 3e7f;
    float reach_far = (float)reach * shadow->steepest + 2.0f;
    far = far < reach_far ? far : reach_far;
    rcity_i32 last = (rcity_i32)far; /* plan coordinates are below 2^23 */
    rcity_i32 y_high = shadow->side > 0 ? board->item.y + last : board->item.y - near - 1;
    rcity_i32 y_low = shadow->side > 0 ? board->item.y + near + 1 : board->item.y - last;
    shadow->row = rcity_los_row_from(board, y_high);
    shadow->row_end = rcity_los_row_from(board, y_low - 1);
    shadow->row = shadow->row > board->item.first_row ? shadow->row : board->item.first_row;
    shadow->row_end = shadow->row_end < board->row_end ? shadow->row_end : board->row_end;
    float columns = (float)reach / board->job.column_pitch + 2.0f;
    float west = shadow->zero - columns;
    float east = shadow->zero + columns + 1.0f;
    shadow->column = west <= 0.0f                             ? 0
                     : west >= (float)board->job.column_count ? board->job.column_count
                                                              : (rcity_i32)west;
    shadow->column_end = east <= 0.0f                             ? 0
                         : east >= (float)board->job.column_count ? board->job.column_count
                                                                  : (rcity_i32)east;
}

/* The shadow of a wall in one half of the plan. Outside of the rings in `visible`, at least one, everything is hidden
   already. @return 0 when there is no shadow in this strip. */
RCITY_KERNEL int rcity_los_shadow_make(const rcity_los_board *board, const rcity_los_cast *cast, rcity_i32 side,
                                       rcity_u64 visible, rcity_los_shadow *shadow)
{
    shadow->cast = *cast;
    if (side < 0) { /* mirrored: right becomes left */
        shadow->cast.au = cast->bu;
        shadow->cast.av = -cast->bv;
        shadow->cast.bu = cast->au;
        shadow->cast.bv = -cast->av;
    }
    rcity_i32 av = shadow->cast.av;
    rcity_i32 bv = shadow->cast.bv;
    if (av <= 0 && bv <= 0) {
        return 0;
    }
    float pitch = board->job.column_pitch;
    shadow->side = side;
    shadow->zero = (float)(board->item.x - board->x[0]) / pitch;
    shadow->visible = visible;
    rcity_los_shadow_bound(board, shadow);
    if (shadow->row >= shadow->row_end) {
        return 0;
    }
    shadow->span_count = 0;
    shadow->near_count = 0;
    rcity_los_border nowhere;
    nowhere.offset = -RCITY_LOS_FAR;
    nowhere.slope = 0.0f;
    shadow->left = nowhere;
    shadow->near = nowhere;
    shadow->far = nowhere;
    shadow->right = nowhere;
    shadow->right.offset = RCITY_LOS_FAR;
    if (bv > 0) {
        shadow->left = rcity_los_border_make(0.0f, (float)shadow->cast.bu / (float)bv, pitch);
    }
    if (av > 0) {
        shadow->right = rcity_los_border_make(0.0f, (float)shadow->cast.au / (float)av, pitch);
    }
    if (av != bv) {
        float eu = (float)(shadow->cast.bu - shadow->cast.au);
        float ev = (float)(bv - av);
        float offset = (float)shadow->cast.area / ev;
        shadow->near = rcity_los_border_make(offset, eu / ev, pitch);
        if (cast->far_den > 0) {
            shadow->far = rcity_los_border_make(offset * ((float)cast->far_num / (float)cast->far_den), eu / ev, pitch);
        }
    }
    return 1;
}

/* Notes a pixel exactly behind an end, unless it is hidden already. */
RCITY_KERNEL void rcity_los_note_tie(const rcity_los_board *board, rcity_i32 column, rcity_i32 row)
{
    if (*rcity_los_word(board, column, row) >> (column & 31) & 1u) {
        rcity_u32 at = rcity_local_add(&board->counts[RCITY_LOS_COUNT_TIES], 1u);
        if (at < RCITY_LOS_TIE_MAX) {
            board->ties[at] = (rcity_u32)(row * board->job.column_count + column);
        }
    }
}

/* The columns of a row. */
typedef struct rcity_los_span {
    rcity_i32 begin, end;
} rcity_los_span;

RCITY_KERNEL rcity_i32 rcity_los_larger(rcity_i32 a, rcity_i32 b)
{
    return a > b ? a : b;
}

RCITY_KERNEL rcity_i32 rcity_los_smaller(rcity_i32 a, rcity_i32 b)
{
    return a < b ? a : b;
}

/* The same in integers. Relative to the wall's line, u ev - v eu exceeds the area beyond it, and is far_num / far_den
   times the area where the shadow ends. */
RCITY_KERNEL_APART rcity_los_span rcity_los_span_closely(const rcity_los_board *board, const rcity_los_shadow *shadow,
                                                         rcity_i32 row, rcity_i32 v)
{
    const rcity_los_cast *cast = &shadow->cast;
    rcity_i64 eu = cast->bu - cast->au;
    rcity_i64 ev = cast->bv - cast->av;
    rcity_los_span span;
    span.begin = 0;
    span.end = board->job.column_count;
    if (cast->bv > 0) {
        rcity_i64 at = (rcity_i64)cast->bu * v;
        span.begin = rcity_los_column_beyond(board, at, cast->bv);
        if (v >= cast->bv && rcity_los_column_is_at(board, span.begin - 1, at, cast->bv)) {
            rcity_los_note_tie(board, span.begin - 1, row);
        }
    }
    if (cast->av > 0) { /* for integers, at or beyond a border is beyond one less */
        rcity_i64 at = (rcity_i64)cast->au * v;
        span.end = rcity_los_column_beyond(board, at - 1, cast->av);
        if (v >= cast->av && rcity_los_column_is_at(board, span.end, at, cast->av)) {
            rcity_los_note_tie(board, span.end, row);
        }
    }
    rcity_i64 near = cast->area + v * eu;
    rcity_i64 far = cast->area * cast->far_num + v * eu * cast->far_den;
    if (ev > 0) {
        span.begin = rcity_los_larger(span.begin, rcity_los_column_beyond(board, near, ev));
        if (cast->far_den > 0) {
            span.end = rcity_los_smaller(span.end, rcity_los_column_beyond(board, far - 1, ev * cast->far_den));
        }
    } else if (ev < 0) {
        span.end = rcity_los_smaller(span.end, rcity_los_column_beyond(board, -near - 1, -ev));
        if (cast->far_den > 0) {
            span.begin = rcity_los_larger(span.begin, rcity_los_column_beyond(board, -far, -ev * cast->far_den));
        }
    }
    return span;
}

/* The columns of a row in the shadow; none when begin >= end. */
RCITY_KERNEL rcity_los_span rcity_los_span_find(const rcity_los_board *board, rcity_los_shadow *shadow, rcity_i32 row)
{
    const rcity_los_cast *cast = &shadow->cast;
    rcity_i32 v = shadow->side * (board->y[row] - board->item.y);
    float fv = (float)v;
    float count = (float)board->job.column_count;
    rcity_los_span span;
    span.begin = 0;
    span.end = 0;
    if (cast->av == cast->bv &&
        (v <= cast->av || (cast->far_den > 0 && (rcity_i64)v * cast->far_den >= (rcity_i64)cast->av * cast->far_num))) {
        return span; /* a wall along the rows has borders along them */
    }
    int near_is_west = cast->bv > cast->av;
    float left_run = shadow->left.slope * fv;
    float right_run = shadow->right.slope * fv;
    float line_run = shadow->near.slope * fv; /* the shadow's end is parallel to the wall */
    float near_at = shadow->near.offset + line_run;
    float far_at = shadow->far.offset + line_run;
    float line_size = rcity_fabs(shadow->near.offset) + rcity_fabs(line_run);
    float far_size = rcity_fabs(shadow->far.offset) + rcity_fabs(line_run);
    float zero_size = rcity_fabs(shadow->zero) + count;
    float blur = board->job.blur;
    float left_error = blur + RCITY_LOS_ERROR * (zero_size + rcity_fabs(left_run));
    float right_error = blur + RCITY_LOS_ERROR * (zero_size + rcity_fabs(right_run));
    float near_error = blur + RCITY_LOS_ERROR * (zero_size + line_size);
    float far_error = blur + RCITY_LOS_ERROR * (zero_size + far_size);
    left_run += shadow->left.offset;
    right_run += shadow->right.offset;
    int has_line = cast->av != cast->bv;
    int has_far = has_line && cast->far_den > 0;
    float west_at = near_is_west ? near_at : far_at;
    float east_at = near_is_west ? far_at : near_at;
    float west_error = near_is_west ? near_error : far_error;
    float east_error = near_is_west ? far_error : near_error;
    int has_west = has_line && (near_is_west || has_far);
    int has_east = has_line && (!near_is_west || has_far);
    float west_low = left_run - left_error;
    float west_high = left_run + left_error;
    float east_low = right_run - right_error;
    float east_high = right_run + right_error;
    if (has_west) {
        west_low = rcity_fmax(west_low, west_at - west_error);
        west_high = rcity_fmax(west_high, west_at + west_error);
    }
    if (has_east) {
        east_low = rcity_fmin(east_low, east_at - east_error);
        east_high = rcity_fmin(east_high, east_at + east_error);
    }
    if (west_low > east_high) {
        return span;
    }
    /* the first column is beyond the western border; the end is at the eastern one or beyond */
    west_low = rcity_fmin(rcity_fmax(west_low + shadow->zero, -1.0f), count);
    west_high = rcity_fmin(rcity_fmax(west_high + shadow->zero, -1.0f), count);
    east_low = rcity_fmin(rcity_fmax(east_low + shadow->zero, -1.0f), count);
    east_high = rcity_fmin(rcity_fmax(east_high + shadow->zero, -1.0f), count);
    rcity_i32 begin = (rcity_i32)rcity_floor(west_low) + 1;
    rcity_i32 end = -(rcity_i32)rcity_floor(-east_low);
    if (begin != (rcity_i32)rcity_floor(west_high) + 1 || end != -(rcity_i32)rcity_floor(-east_high)) {
        shadow->near_count++;
        return rcity_los_span_closely(board, shadow, row, v);
    }
    span.begin = begin;
    span.end = end;
    return span;
}

/* Clears a span's bits. Other work items do the same; reading first avoids most atomics. */
RCITY_KERNEL void rcity_los_hide_span(const rcity_los_board *board, rcity_los_span span, rcity_i32 row)
{
    RCITY_LOCAL rcity_u32 *words = rcity_los_word(board, 0, row);
    rcity_i32 first = span.begin >> 5;
    rcity_i32 last = (span.end - 1) >> 5;
    for (rcity_i32 i = first; i <= last; i++) {
        rcity_u32 bits = ~0u;
        bits &= i == first ? ~0u << (span.begin & 31) : ~0u;
        bits &= i == last ? ~0u >> (31 - ((span.end - 1) & 31)) : ~0u;
        if (words[i] & bits) {
            rcity_local_and(&words[i], ~bits);
        }
    }
}

/* Does a row have visible rings in the directions of the shadow? */
RCITY_KERNEL int rcity_los_row_is_visible(const rcity_los_board *board, const rcity_los_shadow *shadow, rcity_i32 row)
{
    float v = (float)(shadow->side * (board->y[row] - board->item.y));
    rcity_i32 first = rcity_los_ring(board, v / shadow->steepest * 0.9999f);
    rcity_i32 last = v < shadow->flattest * 1e8f ? rcity_los_ring(board, v / shadow->flattest * 1.0001f + 1.0f)
                                                 : RCITY_LOS_RING_LAST;
    return (shadow->visible & rcity_los_rings(first, last)) != 0;
}

RCITY_KERNEL void rcity_los_shadow_draw(const rcity_los_board *board, rcity_los_shadow *shadow)
{
    for (rcity_i32 row = shadow->row; row < shadow->row_end; row++) {
        if (!rcity_los_row_is_visible(board, shadow, row)) {
            continue;
        }
        rcity_los_span span = rcity_los_span_find(board, shadow, row);
        span.begin = rcity_los_larger(span.begin, shadow->column);
        span.end = rcity_los_smaller(span.end, shadow->column_end);
        shadow->span_count++;
        if (span.begin < span.end && !shadow->cast.is_doubtful) {
            rcity_los_hide_span(board, span, row);
        }
        for (rcity_i32 i = span.begin; i < span.end && shadow->cast.is_doubtful; i++) {
            rcity_los_note_tie(board, i, row);
        }
    }
}

#endif

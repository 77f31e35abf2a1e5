/* Numbers of walls from borders, between barriers: a work-group finds the borders of some corners and pieces and draws
   them, one row per lane; then another group sums up each row. The sums are of integers, so the order does not
   matter. */
#ifndef RCITY_KERNEL_VISIBILITY_WALLS_COUNT_ROWS_H
#define RCITY_KERNEL_VISIBILITY_WALLS_COUNT_ROWS_H

#include "kernel/visibility/walls/count_border.h"

/* Rays and copies of a group: few, since a ray may have as many rows as hundreds of copies. */
#define RCITY_COUNT_BLOCK 16

#define RCITY_COUNT_LANES 64 /* of a group */

/* Local memory, in words, of a group that sums up a row. */
#define RCITY_COUNT_SUM_WORDS (2 * RCITY_COUNT_LANES)

/* Rays come first: they are the longest. Then the near and the far copy of each piece. */
RCITY_KERNEL rcity_i64 rcity_count_item_count(const rcity_count_job *job)
{
    return job->corner_count + 2 * (rcity_i64)job->piece_count;
}

/* Blocks of a source. */
RCITY_KERNEL rcity_i64 rcity_count_block_count(const rcity_count_job *job)
{
    return (rcity_count_item_count(job) + RCITY_COUNT_BLOCK - 1) / RCITY_COUNT_BLOCK;
}

/* The borders of a block, in any order; *border_count begins with 0. */
RCITY_KERNEL void rcity_count_find(const rcity_count_job *job, const rcity_count_view *view, rcity_i64 block,
                                   rcity_i32 lane, rcity_i32 lane_count, RCITY_LOCAL rcity_count_border *borders,
                                   RCITY_LOCAL rcity_u32 *border_count)
{
    for (rcity_i32 i = lane; i < RCITY_COUNT_BLOCK; i += lane_count) {
        rcity_i64 item = block * RCITY_COUNT_BLOCK + i;
        if (item < rcity_count_item_count(job)) {
            rcity_i32 copy = (rcity_i32)(item - job->corner_count);
            rcity_count_border border = copy < 0 ? rcity_count_ray(job, view, (rcity_i32)item)
                                                 : rcity_count_copy(job, view, copy / 2, copy % 2);
            if (border.begin < border.end) {
                borders[rcity_local_add(border_count, 1u)] = border;
            }
        }
    }
}

/* Marks the pixels on a border, or in its zone, for testing, from a column eastward or westward. `value` is the
   border's value at the source's x. */
RCITY_KERNEL void rcity_count_ask_on(const rcity_count_job *job, const rcity_count_view *view,
                                     const rcity_count_border *border, rcity_i32 column, rcity_i32 next, rcity_i32 row,
                                     rcity_i64 value)
{
    int has_zone = border->rule == RCITY_COUNT_ZONE;
    rcity_i64 dy = has_zone ? rcity_count_size(view->places[job->column_count + row] - job->source_y) : 0;
    for (; column >= 0 && column < job->column_count; column += next) {
        rcity_i64 dx = view->places[column] - job->source_x;
        rcity_i64 zone = has_zone ? rcity_count_size(dx) + dy : 0;
        if (rcity_count_size(dx * border->ey - value) > zone) {
            return;
        }
        rcity_count_ask(job, view, column, row);
    }
}

RCITY_KERNEL void rcity_count_draw_row(const rcity_count_job *job, const rcity_count_view *view,
                                       const rcity_count_border *border, rcity_i32 row)
{
    rcity_i64 value =
        border->offset + (view->places[job->column_count + row] - job->source_y) * border->ex; /* at the border */
    rcity_i64 bound = value + (border->rule != RCITY_COUNT_LOWER || border->step > 0);
    float x = (float)value / (float)border->ey + (float)(job->source_x - view->places[0]);
    float guess = x * job->columns_per_unit;
    rcity_i32 column = guess <= 0.0f ? 0 : guess >= (float)job->column_count ? job->column_count : (rcity_i32)guess;
    while (column > 0 && (view->places[column - 1] - job->source_x) * border->ey >= bound) {
        column--;
    }
    while (column < job->column_count && (view->places[column] - job->source_x) * border->ey < bound) {
        column++;
    }
    if (column < job->column_count) {
        (void)rcity_global_add(&view->sheet[(rcity_i64)row * job->column_count + column], (rcity_u32)border->step);
    }
    if (border->rule == RCITY_COUNT_ASK || border->rule == RCITY_COUNT_ZONE) {
        rcity_count_ask_on(job, view, border, column - 1, -1, row, value);
        rcity_count_ask_on(job, view, border, column, 1, row, value);
    }
}

RCITY_KERNEL void rcity_count_draw(const rcity_count_job *job, const rcity_count_view *view, rcity_i32 lane,
                                   rcity_i32 lane_count, RCITY_LOCAL const rcity_count_border *borders,
                                   rcity_u32 border_count)
{
    for (rcity_u32 i = 0; i < border_count; i++) {
        rcity_count_border border = borders[i];
        for (rcity_i32 row = border.begin + lane; row < border.end; row += lane_count) {
            rcity_count_draw_row(job, view, &border, row);
        }
    }
}

/* The columns of a lane. */
RCITY_KERNEL rcity_i32 rcity_count_lane_begin(const rcity_count_job *job, rcity_i32 lane, rcity_i32 lane_count)
{
    return (rcity_i32)((rcity_i64)job->column_count * lane / lane_count);
}

/* The first step of summing a row: each lane's part of the steps of whole rows up to this one, then the steps of its
   columns. */
RCITY_KERNEL void rcity_count_sum_lane(const rcity_count_job *job, RCITY_GLOBAL const rcity_u32 *sheet, rcity_i32 row,
                                       rcity_i32 lane, rcity_i32 lane_count, RCITY_LOCAL rcity_u32 *words)
{
    RCITY_GLOBAL const rcity_u32 *steps = sheet + (rcity_i64)row * job->column_count;
    RCITY_GLOBAL const rcity_u32 *west = sheet + rcity_count_west_first(job);
    rcity_u32 before = 0;
    rcity_u32 own = 0;
    for (rcity_i32 i = lane; i <= row; i += lane_count) {
        before += west[i];
    }
    for (rcity_i32 i = rcity_count_lane_begin(job, lane, lane_count);
         i < rcity_count_lane_begin(job, lane + 1, lane_count); i++) {
        own += steps[i];
    }
    words[lane] = before;
    words[lane_count + lane] = own;
}

/* The second step: the numbers of the lane's columns, and the list of deferred pixels, which begins with their number.
   `first_pixel` is that of the source. */
RCITY_KERNEL void rcity_count_write_lane(const rcity_count_job *job, RCITY_GLOBAL const rcity_u32 *sheet, rcity_i32 row,
                                         rcity_i32 lane, rcity_i32 lane_count, RCITY_LOCAL const rcity_u32 *words,
                                         rcity_i64 first_pixel, RCITY_GLOBAL rcity_i32 *counts,
                                         RCITY_GLOBAL rcity_u32 *deferred)
{
    rcity_i64 first = (rcity_i64)row * job->column_count;
    rcity_u32 sum = 0;
    for (rcity_i32 i = 0; i < lane_count; i++) {
        sum += words[i] + (i < lane ? words[lane_count + i] : 0);
    }
    for (rcity_i32 i = rcity_count_lane_begin(job, lane, lane_count);
         i < rcity_count_lane_begin(job, lane + 1, lane_count); i++) {
        sum += sheet[first + i];
        counts[first_pixel + first + i] = (rcity_i32)sum;
    }
    RCITY_GLOBAL const rcity_u32 *asked = sheet + rcity_count_asked_first(job) + (rcity_i64)row * job->row_words;
    int is_lost = sheet[rcity_count_lost(job)] != 0;
    for (rcity_i32 word = lane; word < job->row_words; word += lane_count) {
        rcity_u32 bits = is_lost ? ~0u : asked[word];
        for (rcity_i32 i = 32 * word; bits != 0 && i < job->column_count; i++, bits >>= 1) {
            if (bits & 1u) {
                deferred[1 + rcity_global_add(deferred, 1u)] = (rcity_u32)(first_pixel + first + i);
            }
        }
    }
}

#endif

/* The steps of a line-of-sight raster. All work items of a group do each step together, `lane` of `lane_count`, with a
   barrier after it; a single lane can do all of the work. */
#ifndef RCITY_KERNEL_VISIBILITY_LOS_LOS_STEPS_H
#define RCITY_KERNEL_VISIBILITY_LOS_LOS_STEPS_H

#include "kernel/visibility/ground/ground_octant.h"
#include "kernel/visibility/los/los_shadow.h"
#include "kernel/visibility/sight/sight_walk.h"

/* Only what is outside of the strip is hidden, and nothing is counted yet. */
RCITY_KERNEL void rcity_los_begin(const rcity_los_board *board, rcity_i32 lane, rcity_i32 lane_count)
{
    for (rcity_i32 i = lane; i < RCITY_LOS_BIN_COUNT; i += lane_count) {
        rcity_u64 rings = rcity_los_outside(board, i);
        board->bins[2 * i] = (rcity_u32)rings;
        board->bins[2 * i + 1] = (rcity_u32)(rings >> 32);
    }
    for (rcity_i32 i = lane; i < RCITY_LOS_COUNT_COUNT; i += lane_count) {
        board->counts[i] = 0;
    }
}

/* Directions and distances that single walls hide. */
RCITY_KERNEL void rcity_los_close(const rcity_los_board *board, rcity_i32 lane, rcity_i32 lane_count)
{
    rcity_i32 closed_count = 0;
    for (rcity_i32 i = lane; i < board->job.wall_count && board->item.mode == RCITY_LOS_SHADOWS; i += lane_count) {
        rcity_los_cast cast;
        if (rcity_los_cast_make(board, i, &cast) && !cast.is_doubtful) {
            closed_count += rcity_los_close_bins(board, i, &cast);
        }
    }
    if (closed_count > 0) {
        (void)rcity_local_add(&board->counts[RCITY_LOS_COUNT_CLOSED], (rcity_u32)closed_count);
    }
}

/* The rings that are hidden in all bins of a sector. */
RCITY_KERNEL void rcity_los_gather(const rcity_los_board *board, rcity_i32 lane, rcity_i32 lane_count)
{
    for (rcity_i32 i = lane; i < 2 * RCITY_LOS_SECTOR_COUNT; i += lane_count) {
        rcity_u32 rings = ~0u;
        for (rcity_i32 k = 0; k < RCITY_LOS_SECTOR_BINS; k++) {
            rings &= board->bins[2 * ((i >> 1) * RCITY_LOS_SECTOR_BINS + k) + (i & 1)];
        }
        board->sectors[i] = rings;
    }
}

/* The 32 pixels of a word that are neither indoors nor hidden by their bins. */
RCITY_KERNEL rcity_u32 rcity_los_mark_visible_word(const rcity_los_board *board, rcity_i32 row, rcity_i32 word)
{
    rcity_i32 column = word * 32;
    rcity_i32 column_end = rcity_los_smaller(column + 32, board->job.column_count);
    if (board->item.mode == RCITY_LOS_HIDDEN || column >= column_end) {
        return 0;
    }
    rcity_u32 bits = ~0u >> (32 - (column_end - column)) & ~board->indoors[row * board->job.row_words + word];
    if (board->counts[RCITY_LOS_COUNT_CLOSED] == 0 || bits == 0) {
        return bits;
    }
    rcity_i32 v = board->y[row] - board->item.y;
    rcity_i32 u = board->x[column] - board->item.x;
    rcity_i32 u_end = board->x[column_end - 1] - board->item.x;
    if (v != 0 && rcity_los_are_closed(board, u, u_end, v)) {
        return 0;
    }
    for (rcity_i32 i = column; i < column_end; i++) {
        if (rcity_los_is_closed(board, board->x[i] - board->item.x, v)) {
            bits &= ~(1u << (i - column));
        }
    }
    return bits;
}

RCITY_KERNEL void rcity_los_mark_visible(const rcity_los_board *board, rcity_i32 lane, rcity_i32 lane_count)
{
    rcity_i32 word_count = board->job.strip_rows * board->job.row_words;
    for (rcity_i32 i = lane; i < word_count; i += lane_count) {
        rcity_i32 row = board->item.first_row + i / board->job.row_words;
        board->mask[i] = row < board->row_end ? rcity_los_mark_visible_word(board, row, i % board->job.row_words) : 0;
    }
}

/* What was drawn. */
typedef struct rcity_los_drawn {
    rcity_u32 wall_count, span_count, near_count;
} rcity_los_drawn;

/* The shadow of a wall that is not hidden itself. */
RCITY_KERNEL void rcity_los_draw_wall(const rcity_los_board *board, rcity_i32 index, rcity_los_drawn *drawn)
{
    rcity_los_cast cast;
    if (!rcity_los_cast_make(board, index, &cast)) {
        return;
    }
    rcity_u64 visible = rcity_los_visible_rings(board, &cast);
    if (visible == 0) {
        return;
    }
    rcity_i32 first = cast.av > 0 || cast.bv > 0 ? 1 : -1;
    int has_both = first > 0 && (cast.av < 0 || cast.bv < 0);
    for (rcity_i32 turn = 0; turn < (has_both ? 2 : 1); turn++) {
        rcity_los_shadow shadow;
        if (rcity_los_shadow_make(board, &cast, turn == 0 ? first : -1, visible, &shadow)) {
            rcity_los_shadow_draw(board, &shadow);
            drawn->wall_count++;
            drawn->span_count += (rcity_u32)shadow.span_count;
            drawn->near_count += (rcity_u32)shadow.near_count;
        }
    }
}

RCITY_KERNEL void rcity_los_count_drawn(const rcity_los_board *board, const rcity_los_drawn *drawn)
{
    if (drawn->wall_count > 0) {
        (void)rcity_local_add(&board->counts[RCITY_LOS_COUNT_WALLS], drawn->wall_count);
        (void)rcity_local_add(&board->counts[RCITY_LOS_COUNT_SPANS], drawn->span_count);
        (void)rcity_local_add(&board->counts[RCITY_LOS_COUNT_NEAR], drawn->near_count);
    }
}

RCITY_KERNEL void rcity_los_draw(const rcity_los_board *board, rcity_i32 lane, rcity_i32 lane_count)
{
    rcity_los_drawn drawn;
    drawn.wall_count = 0;
    drawn.span_count = 0;
    drawn.near_count = 0;
    for (rcity_i32 i = lane; i < board->job.wall_count && board->item.mode == RCITY_LOS_SHADOWS; i += lane_count) {
        rcity_los_draw_wall(board, i, &drawn);
    }
    rcity_los_count_drawn(board, &drawn);
}

/* Tests the segment to a pixel, unless the pixel is hidden; deferred pixels are noted. */
RCITY_KERNEL void rcity_los_ask_pixel(const rcity_los_board *board, const rcity_sight_view *view, rcity_i32 column,
                                      rcity_i32 row, RCITY_GLOBAL rcity_los_tally *tally)
{
    RCITY_LOCAL rcity_u32 *word = rcity_los_word(board, column, row);
    rcity_u32 bit = 1u << (column & 31);
    if (!(*word & bit)) {
        return;
    }
    rcity_i32 pixel = row * board->job.column_count + column;
    rcity_sight_segment segment;
    segment.ax = board->item.x;
    segment.ay = board->item.y;
    segment.az = board->item.z;
    segment.bx = board->x[column];
    segment.by = board->y[row];
    segment.bz = board->job.has_heights ? board->heights[pixel] : board->job.level;
    rcity_sight_answer answer = rcity_sight_test(view, segment);
    (void)rcity_local_add(&board->counts[RCITY_LOS_COUNT_ASKED], 1u);
    if (answer == RCITY_SIGHT_BLOCKED) {
        rcity_local_and(word, ~bit);
    } else if (answer == RCITY_SIGHT_LOOK_CLOSELY) {
        rcity_u32 at = rcity_local_add(&board->counts[RCITY_LOS_COUNT_DEFERRED], 1u);
        if (at < RCITY_LOS_DEFERRED_MAX) {
            tally->deferred[at] = pixel;
        }
    }
}

/* The same of a pixel of which the terrain's part may be known. `view` is changed. */
RCITY_KERNEL void rcity_los_ask_over_ground(const rcity_los_board *board, rcity_sight_view *view, rcity_i32 ground_top,
                                            rcity_i32 column, rcity_i32 row, RCITY_GLOBAL rcity_los_tally *tally)
{
    rcity_u8 seen = board->ground[row * board->job.column_count + column];
    if (seen == RCITY_GROUND_HIDDEN) {
        rcity_local_and(rcity_los_word(board, column, row), ~(1u << (column & 31)));
    } else if (seen != RCITY_GROUND_VISIBLE || !board->job.is_bare) {
        view->map.ground_top = seen == RCITY_GROUND_VISIBLE ? RCITY_GROUND_LEAST : ground_top; /* not looked at again */
        rcity_los_ask_pixel(board, view, column, row, tally);
    }
}

/* Tests the pixels that shadows do not decide: those exactly behind ends, those on walls, and those in the source's own
   row, which is in neither half. When too many are exactly behind ends, all visible pixels. */
RCITY_KERNEL void rcity_los_ask(const rcity_los_board *board, const rcity_sight_view *view, rcity_i32 lane,
                                rcity_i32 lane_count, RCITY_GLOBAL rcity_los_tally *tally)
{
    rcity_i32 column_count = board->job.column_count;
    rcity_u32 tie_count = board->counts[RCITY_LOS_COUNT_TIES];
    if (board->item.mode == RCITY_LOS_HIDDEN) {
        return;
    }
    if (board->item.mode == RCITY_LOS_GROUND) {
        rcity_sight_view own = *view;
        rcity_i32 pixel_count = (board->row_end - board->item.first_row) * column_count;
        for (rcity_i32 i = lane; i < pixel_count; i += lane_count) {
            rcity_los_ask_over_ground(board, &own, view->map.ground_top, i % column_count,
                                      board->item.first_row + i / column_count, tally);
        }
        return;
    }
    if (board->item.mode == RCITY_LOS_PLAIN || tie_count > RCITY_LOS_TIE_MAX) {
        rcity_i32 pixel_count = (board->row_end - board->item.first_row) * column_count;
        for (rcity_i32 i = lane; i < pixel_count; i += lane_count) {
            rcity_los_ask_pixel(board, view, i % column_count, board->item.first_row + i / column_count, tally);
        }
        return;
    }
    for (rcity_i32 i = lane; i < (rcity_i32)tie_count; i += lane_count) {
        rcity_i32 pixel = (rcity_i32)board->ties[i];
        rcity_los_ask_pixel(board, view, pixel % column_count, pixel / column_count, tally);
    }
    for (rcity_i32 i = lane; i < board->job.on_wall_count; i += lane_count) {
        rcity_i32 pixel = board->on_walls[i];
        rcity_i32 row = pixel / column_count;
        if (row >= board->item.first_row && row < board->row_end) {
            rcity_los_ask_pixel(board, view, pixel % column_count, row, tally);
        }
    }
    rcity_i32 own = rcity_los_row_from(board, board->item.y);
    if (own >= board->item.first_row && own < board->row_end && board->y[own] == board->item.y) {
        for (rcity_i32 column = lane; column < column_count; column += lane_count) {
            rcity_los_ask_pixel(board, view, column, own, tally);
        }
    }
}

/* Copies the strip and the counts to global memory. */
RCITY_KERNEL void rcity_los_end(const rcity_los_board *board, rcity_i32 lane, rcity_i32 lane_count,
                                RCITY_GLOBAL rcity_u32 *mask, RCITY_GLOBAL rcity_los_tally *tally)
{
    rcity_i32 word_count = (board->row_end - board->item.first_row) * board->job.row_words;
    for (rcity_i32 i = lane; i < word_count; i += lane_count) {
        mask[i] = board->mask[i];
    }
    if (lane == 0) {
        tally->deferred_count = (rcity_i32)board->counts[RCITY_LOS_COUNT_DEFERRED];
        tally->wall_count = (rcity_i32)board->counts[RCITY_LOS_COUNT_WALLS];
        tally->span_count = (rcity_i32)board->counts[RCITY_LOS_COUNT_SPANS];
        tally->asked_count = (rcity_i32)board->counts[RCITY_LOS_COUNT_ASKED];
        tally->near_count = (rcity_i32)board->counts[RCITY_LOS_COUNT_NEAR];
    }
}

#endif

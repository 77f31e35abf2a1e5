/* Views, whose walls are searched once before their strips: which directions they hide, then which of the walls are not
   hidden themselves. So a raster may be cut into many strips, each of which reads few walls. */
#ifndef RCITY_KERNEL_VISIBILITY_LOS_LOS_VIEW_H
#define RCITY_KERNEL_VISIBILITY_LOS_LOS_VIEW_H

#include "kernel/visibility/los/los_steps.h"

/* A launch over views has an item for each strip of a view; masks are whole, one after the other. */
RCITY_KERNEL rcity_i32 rcity_los_strip_count(const rcity_los_job *job)
{
    return (job->row_count + job->strip_rows - 1) / job->strip_rows;
}

RCITY_KERNEL rcity_los_item rcity_los_view_item(const rcity_los_job *job, RCITY_GLOBAL const rcity_los_item *views,
                                                rcity_i64 index)
{
    rcity_i32 strip_count = rcity_los_strip_count(job);
    rcity_los_item item = views[job->first_view + index / strip_count];
    item.first_row = (rcity_i32)(index % strip_count) * job->strip_rows;
    return item;
}

/* The index of its first word. */
RCITY_KERNEL rcity_i64 rcity_los_view_place(const rcity_los_job *job, rcity_i64 index)
{
    rcity_i32 strip_count = rcity_los_strip_count(job);
    rcity_i64 row = (job->first_view + index / strip_count) * job->row_count + index % strip_count * job->strip_rows;
    return row * job->row_words;
}

/* Bits of a mask to be kept. */
typedef struct rcity_los_patch {
    rcity_u32 view, word;
    rcity_u32 keep;
    rcity_i32 padding;
} rcity_los_patch;

/* Walls that a work-group searches. */
#define RCITY_LOS_VIEW_WALLS 512

/* Notes of a view, in words: how many bins were closed, how many walls are listed, the bins, the list. */
#define RCITY_LOS_NOTE_CLOSED 0
#define RCITY_LOS_NOTE_LISTED 1
#define RCITY_LOS_NOTE_BINS   2
#define RCITY_LOS_NOTE_LIST   (RCITY_LOS_NOTE_BINS + 2 * RCITY_LOS_BIN_COUNT)

RCITY_KERNEL rcity_i64 rcity_los_note_words(const rcity_los_job *job)
{
    return RCITY_LOS_NOTE_LIST + (rcity_i64)job->wall_count;
}

/* Groups that search a view's walls. */
RCITY_KERNEL rcity_i32 rcity_los_view_groups(const rcity_los_job *job)
{
    return (job->wall_count + RCITY_LOS_VIEW_WALLS - 1) / RCITY_LOS_VIEW_WALLS;
}

/* The whole raster, without bits: local memory begins with the bins. */
RCITY_KERNEL rcity_los_board rcity_los_view_board(rcity_los_job job, rcity_los_item view,
                                                  RCITY_GLOBAL const rcity_i32 *places,
                                                  RCITY_GLOBAL const rcity_u32 *indoors,
                                                  RCITY_GLOBAL const rcity_los_line *walls,
                                                  RCITY_GLOBAL const rcity_i32 *roofs, RCITY_LOCAL rcity_u32 *words)
{
    job.strip_rows = 0;
    rcity_los_board board = rcity_los_board_make(job, view, places, indoors, walls, roofs, words);
    board.item.first_row = 0;
    board.row_end = job.row_count;
    return board;
}

/* Nothing is hidden. */
RCITY_KERNEL void rcity_los_view_begin(const rcity_los_board *board, rcity_i32 lane, rcity_i32 lane_count)
{
    for (rcity_i32 i = lane; i < 2 * RCITY_LOS_BIN_COUNT; i += lane_count) {
        board->bins[i] = 0;
    }
    for (rcity_i32 i = lane; i < RCITY_LOS_COUNT_COUNT; i += lane_count) {
        board->counts[i] = 0;
    }
}

/* Walls that cover more bins than this are done by all lanes together: the nearest ones cover hundreds, and a group
   would wait for the lane that has one. They are few, and all lanes read each of them. */
#define RCITY_LOS_WIDE_BINS 48

/* Directions and distances that the walls from `first` to before `end` hide: the narrow ones. Wide ones are stored in
   the place of the ties, as far as there is room. */
RCITY_KERNEL void rcity_los_view_close(const rcity_los_board *board, rcity_i32 first, rcity_i32 end, rcity_i32 lane,
                                       rcity_i32 lane_count)
{
    rcity_i32 closed_count = 0;
    for (rcity_i32 i = first + lane; i < end && board->item.mode == RCITY_LOS_SHADOWS; i += lane_count) {
        rcity_los_cast cast;
        if (!rcity_los_cast_make(board, i, &cast) || cast.is_doubtful) {
            continue;
        }
        rcity_los_cover cover = rcity_los_cover_make(&cast);
        rcity_u32 at = RCITY_LOS_TIE_MAX;
        if (cover.end - cover.first > RCITY_LOS_WIDE_BINS) {
            at = rcity_local_add(&board->counts[RCITY_LOS_COUNT_TIES], 1u);
        }
        if (at < RCITY_LOS_TIE_MAX) {
            board->ties[at] = (rcity_u32)i;
        } else {
            closed_count += rcity_los_close_cover(board, i, &cast, cover, 0, 1);
        }
    }
    if (closed_count > 0) {
        (void)rcity_local_add(&board->counts[RCITY_LOS_COUNT_CLOSED], (rcity_u32)closed_count);
    }
}

/* The wide ones. */
RCITY_KERNEL void rcity_los_view_close_wide(const rcity_los_board *board, rcity_i32 lane, rcity_i32 lane_count)
{
    rcity_i32 closed_count = 0;
    rcity_u32 count = board->counts[RCITY_LOS_COUNT_TIES];
    count = count < RCITY_LOS_TIE_MAX ? count : RCITY_LOS_TIE_MAX;
    for (rcity_u32 k = 0; k < count; k++) {
        rcity_i32 index = (rcity_i32)board->ties[k];
        rcity_los_cast cast;
        (void)rcity_los_cast_make(board, index, &cast);
        closed_count += rcity_los_close_cover(board, index, &cast, rcity_los_cover_make(&cast), lane, lane_count);
    }
    if (closed_count > 0) {
        (void)rcity_local_add(&board->counts[RCITY_LOS_COUNT_CLOSED], (rcity_u32)closed_count);
    }
}

/* Adds what one group found hidden to the notes. */
RCITY_KERNEL void rcity_los_view_note(const rcity_los_board *board, rcity_i32 lane, rcity_i32 lane_count,
                                      RCITY_GLOBAL rcity_u32 *notes)
{
    for (rcity_i32 i = lane; i < 2 * RCITY_LOS_BIN_COUNT; i += lane_count) {
        if (board->bins[i] != 0) {
            rcity_global_or(&notes[RCITY_LOS_NOTE_BINS + i], board->bins[i]);
        }
    }
    if (lane == 0 && board->counts[RCITY_LOS_COUNT_CLOSED] > 0) {
        (void)rcity_global_add(&notes[RCITY_LOS_NOTE_CLOSED], board->counts[RCITY_LOS_COUNT_CLOSED]);
    }
}

/* What is hidden according to the notes, and what is outside: instead of rcity_los_begin() and rcity_los_close(). */
RCITY_KERNEL void rcity_los_view_load(const rcity_los_board *board, rcity_i32 lane, rcity_i32 lane_count,
                                      RCITY_GLOBAL const rcity_u32 *notes)
{
    for (rcity_i32 i = lane; i < RCITY_LOS_BIN_COUNT; i += lane_count) {
        rcity_u64 rings = rcity_los_outside(board, i);
        board->bins[2 * i] = (rcity_u32)rings | notes[RCITY_LOS_NOTE_BINS + 2 * i];
        board->bins[2 * i + 1] = (rcity_u32)(rings >> 32) | notes[RCITY_LOS_NOTE_BINS + 2 * i + 1];
    }
    for (rcity_i32 i = lane; i < RCITY_LOS_COUNT_COUNT; i += lane_count) {
        board->counts[i] = i == RCITY_LOS_COUNT_CLOSED ? notes[RCITY_LOS_NOTE_CLOSED] : 0;
    }
}

/* Lists the walls from `first` to before `end` that cast a shadow on something that is not hidden. */
RCITY_KERNEL void rcity_los_view_pick(const rcity_los_board *board, rcity_i32 first, rcity_i32 end, rcity_i32 lane,
                                      rcity_i32 lane_count, RCITY_GLOBAL rcity_u32 *notes)
{
    for (rcity_i32 i = first + lane; i < end && board->item.mode == RCITY_LOS_SHADOWS; i += lane_count) {
        rcity_los_cast cast;
        if (rcity_los_cast_make(board, i, &cast) && rcity_los_visible_rings(board, &cast) != 0) {
            notes[RCITY_LOS_NOTE_LIST + rcity_global_add(&notes[RCITY_LOS_NOTE_LISTED], 1u)] = (rcity_u32)i;
        }
    }
}

/* Draws the listed walls: instead of rcity_los_draw(). Their order does not change the bits. */
RCITY_KERNEL void rcity_los_view_draw(const rcity_los_board *board, rcity_i32 lane, rcity_i32 lane_count,
                                      RCITY_GLOBAL const rcity_u32 *notes)
{
    rcity_los_drawn drawn;
    drawn.wall_count = 0;
    drawn.span_count = 0;
    drawn.near_count = 0;
    rcity_i32 count = (rcity_i32)notes[RCITY_LOS_NOTE_LISTED];
    for (rcity_i32 i = lane; i < count; i += lane_count) {
        rcity_los_draw_wall(board, (rcity_i32)notes[RCITY_LOS_NOTE_LIST + i], &drawn);
    }
    rcity_los_count_drawn(board, &drawn);
}

#endif

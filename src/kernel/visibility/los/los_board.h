/* The data of a work-group: one source, a strip of rows of a raster, the strip's bits in local memory. */
#ifndef RCITY_KERNEL_VISIBILITY_LOS_LOS_BOARD_H
#define RCITY_KERNEL_VISIBILITY_LOS_LOS_BOARD_H

#include "kernel/visibility/sight/sight_map.h"

/* How an item is computed. */
#define RCITY_LOS_SHADOWS 0 /* by shadows; few pixels are tested one by one */
#define RCITY_LOS_PLAIN   1 /* every pixel is tested */
#define RCITY_LOS_HIDDEN  2 /* the source sees nothing */
#define RCITY_LOS_GROUND  3 /* every pixel is tested that the terrain does not hide, which is known */

/* One source, one strip. */
typedef struct rcity_los_item {
    rcity_i32 x, y, z;
    rcity_i32 first_row;
    rcity_i32 mode;
} rcity_los_item;

/* A wall in plan, the solid on the left of a -> b. */
typedef struct RCITY_ALIGNED(16) rcity_los_line {
    rcity_i32 ax, ay, bx, by;
} rcity_los_line;

/* A roof's height, shifted, and these flags. */
#define RCITY_LOS_ROOF_SHIFT     3
#define RCITY_LOS_ROOF_UNDECIDED 1 /* pixels in the wall's shadow are tested */
#define RCITY_LOS_ROOF_LOOSE_A   2 /* the wall before it in the list does not end at a, or the building meets itself */
#define RCITY_LOS_ROOF_LOOSE_B   4 /* the wall after it in the list does not begin at b, or the same */

/* The raster, the same for all sources. Products of coordinates with heights fit 64 bits: the host ensures it. */
typedef struct rcity_los_job {
    rcity_sight_map sight;
    rcity_i32 column_count, row_count;
    rcity_i32 row_words; /* 32 pixels each */
    rcity_i32 strip_rows;
    rcity_i32 wall_count;
    rcity_i32 on_wall_count; /* pixels on walls */
    rcity_i32 level;         /* of the pixels */
    rcity_i32 has_heights;   /* pixels have a height each instead */
    float column_pitch, row_pitch;
    float blur; /* error of a column's position, as a part of the pitch */
    rcity_i32 ring_base;
    rcity_i32 first_view;  /* of a launch over views, see los_view.h */
    rcity_i32 first_tally; /* of such a launch: index of its first item */
    rcity_i32 is_bare;     /* there is terrain and nothing else */
    rcity_i32 padding;
} rcity_los_job;

/* The counts of an item. */
#define RCITY_LOS_DEFERRED_MAX 11

typedef struct rcity_los_tally {
    rcity_i32 deferred_count;                   /* pixels deferred to the host's plain test; they are marked visible */
    rcity_i32 deferred[RCITY_LOS_DEFERRED_MAX]; /* the first of them */
    rcity_i32 wall_count;                       /* walls whose shadow was drawn; halves of the plan count separately */
    rcity_i32 span_count;                       /* rows of these shadows */
    rcity_i32 asked_count;                      /* pixels tested one by one */
    rcity_i32 near_count;                       /* spans that needed exact numbers */
} rcity_los_tally;

/* Local memory, in words: the strip's bits, then these. */
#define RCITY_LOS_BIN_COUNT    1024
#define RCITY_LOS_SECTOR_COUNT 64
#define RCITY_LOS_TIE_MAX      256
#define RCITY_LOS_COUNT_COUNT  8
#define RCITY_LOS_LOCAL_WORDS                                                                                          \
    (2 * RCITY_LOS_BIN_COUNT + 2 * RCITY_LOS_SECTOR_COUNT + RCITY_LOS_TIE_MAX + RCITY_LOS_COUNT_COUNT)

/* The counts. */
#define RCITY_LOS_COUNT_TIES     0
#define RCITY_LOS_COUNT_DEFERRED 1
#define RCITY_LOS_COUNT_WALLS    2
#define RCITY_LOS_COUNT_SPANS    3
#define RCITY_LOS_COUNT_ASKED    4
#define RCITY_LOS_COUNT_NEAR     5
#define RCITY_LOS_COUNT_CLOSED   6

/* Made where it is used, never a kernel argument. */
typedef struct rcity_los_board {
    rcity_los_job job;
    rcity_los_item item;
    rcity_i32 row_end;
    RCITY_GLOBAL const rcity_i32 *x; /* of columns */
    RCITY_GLOBAL const rcity_i32 *y; /* of rows, the northernmost first */
    RCITY_GLOBAL const rcity_i32 *on_walls;
    RCITY_GLOBAL const rcity_i32 *heights;
    RCITY_GLOBAL const rcity_u32 *indoors; /* bits of pixels inside buildings */
    RCITY_GLOBAL const rcity_los_line *walls;
    RCITY_GLOBAL const rcity_i32 *roofs; /* of walls, with flags */
    RCITY_GLOBAL const rcity_u8
        *ground; /* RCITY_LOS_GROUND: what the terrain hides of the raster, see ground_octant.h */
    RCITY_LOCAL rcity_u32 *mask;
    RCITY_LOCAL rcity_u32 *bins;    /* 64 rings each, in two words: 1 where it is hidden */
    RCITY_LOCAL rcity_u32 *sectors; /* rings that are hidden in all bins of a sector */
    RCITY_LOCAL rcity_u32 *ties;
    RCITY_LOCAL rcity_u32 *counts;
} rcity_los_board;

/* `places` has columns, rows, pixels on walls, heights, one after the other. */
RCITY_KERNEL rcity_los_board rcity_los_board_make(rcity_los_job job, rcity_los_item item,
                                                  RCITY_GLOBAL const rcity_i32 *places,
                                                  RCITY_GLOBAL const rcity_u32 *indoors,
                                                  RCITY_GLOBAL const rcity_los_line *walls,
                                                  RCITY_GLOBAL const rcity_i32 *roofs, RCITY_LOCAL rcity_u32 *words)
{
    rcity_los_board board;
    board.job = job;
    board.item = item;
    board.row_end = item.first_row + job.strip_rows;
    board.row_end = board.row_end < job.row_count ? board.row_end : job.row_count;
    board.x = places;
    board.y = places + job.column_count;
    board.on_walls = board.y + job.row_count;
    board.heights = board.on_walls + job.on_wall_count;
    board.indoors = indoors;
    board.walls = walls;
    board.roofs = roofs;
    board.ground = 0;
    board.mask = words;
    board.bins = words + job.strip_rows * job.row_words;
    board.sectors = board.bins + 2 * RCITY_LOS_BIN_COUNT;
    board.ties = board.sectors + 2 * RCITY_LOS_SECTOR_COUNT;
    board.counts = board.ties + RCITY_LOS_TIE_MAX;
    return board;
}

/* The word of a pixel. */
RCITY_KERNEL RCITY_LOCAL rcity_u32 *rcity_los_word(const rcity_los_board *board, rcity_i32 column, rcity_i32 row)
{
    return board->mask + (row - board->item.first_row) * board->job.row_words + (column >> 5);
}

/* The first row that is not north of y; row_count: none. */
RCITY_KERNEL rcity_i32 rcity_los_row_from(const rcity_los_board *board, rcity_i32 y)
{
    float guess = (float)(board->y[0] - y) / board->job.row_pitch;
    rcity_i32 count = board->job.row_count;
    rcity_i32 row = guess <= 0.0f ? 0 : guess >= (float)count ? count : (rcity_i32)guess;
    while (row > 0 && board->y[row - 1] <= y) {
        row--;
    }
    while (row < count && board->y[row] > y) {
        row++;
    }
    return row;
}

/* The first column with u * den > num, relative to the source; column_count: none. den > 0. */
RCITY_KERNEL rcity_i32 rcity_los_column_beyond(const rcity_los_board *board, rcity_i64 num, rcity_i64 den)
{
    float guess = ((float)num / (float)den + (float)(board->item.x - board->x[0])) / board->job.column_pitch + 1.0f;
    rcity_i32 count = board->job.column_count;
    rcity_i32 column = guess <= 0.0f ? 0 : guess >= (float)count ? count : (rcity_i32)guess;
    while (column > 0 && (rcity_i64)(board->x[column - 1] - board->item.x) * den > num) {
        column--;
    }
    while (column < count && (rcity_i64)(board->x[column] - board->item.x) * den <= num) {
        column++;
    }
    return column;
}

/* Is a column exactly at num / den? */
RCITY_KERNEL int rcity_los_column_is_at(const rcity_los_board *board, rcity_i32 column, rcity_i64 num, rcity_i64 den)
{
    return column >= 0 && column < board->job.column_count &&
           (rcity_i64)(board->x[column] - board->item.x) * den == num;
}

#endif

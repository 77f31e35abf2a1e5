/* Which diffracting corners a view sees: a work-group does one view and a block of corners. */
#ifndef RCITY_KERNEL_SHADOW_CORNERS_CORNER_ITEM_H
#define RCITY_KERNEL_SHADOW_CORNERS_CORNER_ITEM_H

#include "kernel/visibility/los/los_board.h"
#include "kernel/visibility/sight/sight_walk.h"

#define RCITY_CORNER_BLOCK       64 /* corners that a group tests */
#define RCITY_CORNER_BLOCK_WORDS 2  /* their bits */

/* A corner with open air around it, with the points before and after it on its outline. */
typedef struct RCITY_ALIGNED(16) rcity_corner_place {
    rcity_i32 before_x, before_y;
    rcity_i32 x, y;
    rcity_i32 after_x, after_y;
    rcity_i32 ground; /* its height on the ground */
    rcity_i32 top;    /* the largest height at which it counts, a unit below the roof */
} rcity_corner_place;

/* A point that looks at corners, for a source. */
typedef struct RCITY_ALIGNED(16) rcity_corner_view {
    rcity_i32 x, y, z;
    rcity_i32 step; /* the height above ground at which corners count */
} rcity_corner_view;

typedef struct rcity_corner_job {
    rcity_sight_map sight;
    rcity_i32 corner_count;
    rcity_i32 block_count; /* of corners; the last one may have fewer */
} rcity_corner_job;

/* Is the point (x, y) on the solid's side of a corner's wall p -> q, so that the wall turns away from it? */
RCITY_KERNEL int rcity_corner_turns_away(rcity_i32 px, rcity_i32 py, rcity_i32 qx, rcity_i32 qy, rcity_i32 x,
                                         rcity_i32 y)
{
    return ((rcity_i64)qx - px) * ((rcity_i64)y - py) - ((rcity_i64)qy - py) * ((rcity_i64)x - px) > 0;
}

/* One wall at the corner faces the point, the other turns away. */
RCITY_KERNEL int rcity_corner_diffracts(const rcity_corner_place *corner, rcity_i32 x, rcity_i32 y)
{
    int is_there = corner->x == x && corner->y == y;
    return !is_there && rcity_corner_turns_away(corner->before_x, corner->before_y, corner->x, corner->y, x, y) !=
                            rcity_corner_turns_away(corner->x, corner->y, corner->after_x, corner->after_y, x, y);
}

/* Of up to 32 pixels of a row: those from which one wall at the corner is seen and the other turns away. A wall's line
   crosses a row once, so what holds at both ends of the word holds in between. */
RCITY_KERNEL rcity_u32 rcity_corner_fan_word(const rcity_corner_place *corner, RCITY_GLOBAL const rcity_i32 *columns,
                                             rcity_i32 count, rcity_i32 y)
{
    rcity_i32 ends[2];
    int in[2], out[2];
    ends[0] = columns[0];
    ends[1] = columns[count - 1];
    for (int k = 0; k < 2; k++) {
        in[k] = rcity_corner_turns_away(corner->before_x, corner->before_y, corner->x, corner->y, ends[k], y);
        out[k] = rcity_corner_turns_away(corner->x, corner->y, corner->after_x, corner->after_y, ends[k], y);
    }
    if (in[0] == in[1] && out[0] == out[1]) {
        return in[0] != out[0] ? ~(rcity_u32)0 : 0;
    }
    rcity_u32 bits = 0;
    for (rcity_i32 i = 0; i < count; i++) {
        bits |= (rcity_u32)rcity_corner_diffracts(corner, columns[i], y) << i;
    }
    return bits;
}

/* The height of a secondary source at a corner: `step` above the ground there, which is that of the lower end of the
   path, source or receiver. Waves that go around corners go along streets; with the lower height a path is the same in
   both directions, and a higher mast sees all that a lower one sees. */
RCITY_KERNEL rcity_i32 rcity_corner_height(rcity_i32 ground, rcity_i32 top, rcity_i32 step)
{
    return ground + step < top ? ground + step : top;
}

/* The mask of a corner's view, from which pixels that the corner does not diffract to are taken. */
typedef struct RCITY_ALIGNED(16) rcity_corner_fan {
    rcity_corner_place corner;
    rcity_i32 view;
    rcity_i32 padding[3];
} rcity_corner_fan;

typedef struct rcity_corner_fan_job {
    rcity_i32 column_count, row_count;
    rcity_i32 row_words; /* 32 pixels each */
    rcity_i32 padding;
} rcity_corner_fan_job;

/* One word of a mask; words are numbered consecutively over the fans. `places` has the columns, then the rows. */
RCITY_KERNEL void rcity_corner_fan_clip(const rcity_corner_fan_job *job, RCITY_GLOBAL const rcity_corner_fan *fans,
                                        RCITY_GLOBAL const rcity_i32 *places, rcity_i64 item,
                                        RCITY_GLOBAL rcity_u32 *masks)
{
    rcity_i64 word_count = (rcity_i64)job->row_count * job->row_words;
    rcity_corner_fan fan = fans[item / word_count];
    rcity_i64 word = item % word_count;
    rcity_i32 column = (rcity_i32)(word % job->row_words) * 32;
    RCITY_GLOBAL rcity_u32 *mask = masks + fan.view * word_count + word;
    if (column < job->column_count && *mask != 0) {
        rcity_i32 count = job->column_count - column < 32 ? job->column_count - column : 32;
        *mask &= rcity_corner_fan_word(&fan.corner, places + column, count,
                                       places[job->column_count + word / job->row_words]);
    }
}

/* The bits of a block in local memory: seen, then deferred. */
RCITY_KERNEL void rcity_corner_begin(RCITY_LOCAL rcity_u32 *words, rcity_i32 lane, rcity_i32 lane_count)
{
    for (rcity_i32 i = lane; i < 2 * RCITY_CORNER_BLOCK_WORDS; i += lane_count) {
        words[i] = 0;
    }
}

RCITY_KERNEL void rcity_corner_find_visible(const rcity_corner_job *job, const rcity_sight_view *sight,
                                            RCITY_GLOBAL const rcity_corner_view *views,
                                            RCITY_GLOBAL const rcity_corner_place *corners, rcity_i64 item,
                                            rcity_i32 lane, rcity_i32 lane_count, RCITY_LOCAL rcity_u32 *words)
{
    rcity_corner_view from = views[item / job->block_count];
    rcity_i32 first = (rcity_i32)(item % job->block_count) * RCITY_CORNER_BLOCK;
    for (rcity_i32 i = lane; i < RCITY_CORNER_BLOCK && first + i < job->corner_count; i += lane_count) {
        rcity_corner_place corner = corners[first + i];
        if (!rcity_corner_diffracts(&corner, from.x, from.y)) {
            continue;
        }
        rcity_sight_segment segment;
        segment.ax = from.x;
        segment.ay = from.y;
        segment.az = from.z;
        segment.bx = corner.x;
        segment.by = corner.y;
        segment.bz = rcity_corner_height(corner.ground, corner.top, from.step);
        rcity_sight_answer answer = rcity_sight_test(sight, segment);
        if (answer != RCITY_SIGHT_BLOCKED) {
            rcity_i32 kind = answer == RCITY_SIGHT_FREE ? 0 : RCITY_CORNER_BLOCK_WORDS;
            rcity_local_or(&words[kind + (i >> 5)], 1u << (i & 31));
        }
    }
}

/* Copies to global memory, for each view: the words of what it sees, then the words of what is deferred to the host's
   test. */
RCITY_KERNEL void rcity_corner_end(const rcity_corner_job *job, rcity_i64 item, rcity_i32 lane, rcity_i32 lane_count,
                                   RCITY_LOCAL const rcity_u32 *words, RCITY_GLOBAL rcity_u32 *bits)
{
    rcity_i64 view_words = (rcity_i64)job->block_count * RCITY_CORNER_BLOCK_WORDS;
    RCITY_GLOBAL rcity_u32 *to = bits + item / job->block_count * 2 * view_words;
    rcity_i64 at = item % job->block_count * RCITY_CORNER_BLOCK_WORDS;
    for (rcity_i32 i = lane; i < 2 * RCITY_CORNER_BLOCK_WORDS; i += lane_count) {
        rcity_i64 kind = i < RCITY_CORNER_BLOCK_WORDS ? 0 : view_words;
        to[kind + at + i % RCITY_CORNER_BLOCK_WORDS] = words[i];
    }
}

#endif

/* Between the passes of a trace: which items won, which arrivals are launched from, which paths were kept. All of it is
   read from keys alone. */
#ifndef RCITY_KERNEL_CUBES_CUBE_PICK_H
#define RCITY_KERNEL_CUBES_CUBE_PICK_H

#include "kernel/cubes/cube_launch.h"

/* Ratios of powers. */
#define RCITY_CUBE_FEWER_RATIO  10.0f /* an arrival after more reflections counts up to 10 dB below one with fewer */
#define RCITY_CUBE_WEAKER_RATIO 10.0f /* paths so much weaker than the best of a finished generation are not followed */
#define RCITY_CUBE_LOST_RATIO   1e6f  /* nor those that lose so much beyond free space: paths over roofs lose less */
#define RCITY_CUBE_COST_NONE    3e38f /* more than any metric */

/* Numbers only, so that it can be a kernel argument. */
typedef struct rcity_cube_pick_job {
    rcity_i32 first_item, item_count; /* those of the generation among all of a trace */
} rcity_cube_pick_job;

/* A launch of some items of a generation. */
typedef struct rcity_cube_piece_job {
    rcity_cube_job launch;
    rcity_i32 begin; /* the first of them, or its place in a list of items */
} rcity_cube_piece_job;

/* The metric that a key was made of. */
RCITY_KERNEL float rcity_cube_key_cost(rcity_u64 key)
{
    return key == RCITY_CUBE_KEY_NONE ? RCITY_CUBE_COST_NONE : rcity_bits_float((rcity_u32)(key >> 32));
}

/* Which item of the generation made a key; -1: none of it. */
RCITY_KERNEL rcity_i32 rcity_cube_key_item(rcity_cube_pick_job job, rcity_u64 key)
{
    rcity_i64 item = (rcity_i64)(key & 0xffffffffu) - job.first_item;
    return key != RCITY_CUBE_KEY_NONE && item >= 0 && item < job.item_count ? (rcity_i32)item : -1;
}

/* Mark the item that won a key; `wins` has a bit for each item. */
RCITY_KERNEL void rcity_cube_mark_win(rcity_cube_pick_job job, rcity_u64 key, RCITY_GLOBAL rcity_u32 *wins)
{
    rcity_i32 item = rcity_cube_key_item(job, key);
    if (item >= 0) {
        rcity_global_or(&wins[item / 32], 1u << (item % 32));
    }
}

/* List the items of a word of wins. Words may come in any order: what items write does not depend on it. */
RCITY_KERNEL void rcity_cube_list_wins(RCITY_GLOBAL const rcity_u32 *wins, rcity_i32 word,
                                       RCITY_GLOBAL rcity_u32 *count, RCITY_GLOBAL rcity_i32 *picked)
{
    rcity_u32 bits = wins[word];
    rcity_u32 bit_count = 0;
    for (rcity_u32 rest = bits; rest != 0; rest &= rest - 1) {
        bit_count++;
    }
    if (bit_count == 0) {
        return;
    }
    rcity_u32 at = rcity_global_add(count, bit_count);
    for (rcity_i32 i = 0; i < 32; i++) {
        if (bits >> i & 1) {
            picked[at++] = 32 * word + i;
        }
    }
}

/* The arrivals at an edge that are launched from, a bit for each state. One that is much weaker than one with fewer
   reflections, which can go on farther, is not. */
RCITY_KERNEL rcity_u32 rcity_cube_edge_states(RCITY_GLOBAL const rcity_u64 *edge_keys, rcity_i64 edge)
{
    rcity_u32 states = 0;
    float allowed = RCITY_CUBE_COST_NONE;
    for (rcity_i32 i = 0; i < RCITY_CUBE_STATE_COUNT; i++) {
        float cost = rcity_cube_key_cost(edge_keys[edge * RCITY_CUBE_STATE_COUNT + i]);
        states |= cost < allowed ? 1u << i : 0u;
        allowed = rcity_fmin(allowed, RCITY_CUBE_FEWER_RATIO * cost);
    }
    return states;
}

/* The classes of paths that a receiver has, a bit for each. */
RCITY_KERNEL rcity_u32 rcity_cube_receiver_classes(RCITY_GLOBAL const rcity_u64 *receiver_keys, rcity_i64 receiver)
{
    rcity_u32 classes = 0;
    for (rcity_i32 k = 0; k < RCITY_CUBE_CLASS_COUNT; k++) {
        classes |= receiver_keys[receiver * RCITY_CUBE_CLASS_COUNT + k] != RCITY_CUBE_KEY_NONE ? 1u << k : 0u;
    }
    return classes;
}

/* For the bounds of columns. */
typedef struct rcity_cube_bound_job {
    rcity_cube_map map;
    float x, y; /* of the transmitter */
} rcity_cube_bound_job;

/* The cost at which a receiver is reached so far. */
RCITY_KERNEL float rcity_cube_best_cost(RCITY_GLOBAL const rcity_u64 *receiver_keys, rcity_i64 receiver)
{
    float best = RCITY_CUBE_COST_NONE;
    for (rcity_i32 k = 0; k < RCITY_CUBE_CLASS_COUNT; k++) {
        best = rcity_fmin(best, rcity_cube_key_cost(receiver_keys[receiver * RCITY_CUBE_CLASS_COUNT + k]));
    }
    return best;
}

/* What a path to a column may cost to count, by the worst of its receivers. */
RCITY_KERNEL float rcity_cube_column_bound(rcity_cube_bound_job job, RCITY_GLOBAL const rcity_i32 *receiver_first,
                                           RCITY_GLOBAL const rcity_u64 *receiver_keys, rcity_i64 column)
{
    float x = job.map.west_m + ((float)(column % job.map.column_count) + 0.5f) * job.map.edge_m - job.x;
    float y = job.map.south_m + ((float)(column / job.map.column_count) + 0.5f) * job.map.edge_m - job.y;
    float most = (x * x + y * y + job.map.edge_m * job.map.edge_m) * RCITY_CUBE_LOST_RATIO;
    float worst = 0.0f;
    for (rcity_i32 i = receiver_first[column]; i < receiver_first[column + 1]; i++) {
        worst = rcity_fmax(worst, rcity_cube_best_cost(receiver_keys, i) * RCITY_CUBE_WEAKER_RATIO);
    }
    return worst > 0.0f ? rcity_fmin(worst, most) : most;
}

#endif

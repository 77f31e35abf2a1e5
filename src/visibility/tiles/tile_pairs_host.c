/* Lines between two blocks are tested row by row: a tile of one block against all tiles of the other, in arrays. First
   come the occluders that are known near the tiles. Then lines are walked, and each occluder found there is held against
   all lines that are left. */
#include "visibility/tiles/tile_pairs_host.h"

#include <string.h>

#include "visibility/tiles/tile_lanes.h"

/* What a run over pairs reads. */
typedef struct pair_run {
    rcity_tile_pair_job job;
    const rcity_tile_place *places;
    const rcity_tile_front *fronts;
    const rcity_sight_occluder *occluders;
    const int32_t *near;
    rcity_sight_view view;
} pair_run;

/* A pair while its lines are tested. Bit j of left[i]: the line between tile i of block a and tile j of block b is
   not decided yet. */
typedef struct pair_work {
    const pair_run *run;
    rcity_tile_pair pair;
    rcity_tile_lanes a, b;
    uint32_t left[RCITY_TILE_BLOCK];
} pair_work;

static pair_run make_run(const void *job, const rcity_launch_buffer *resident)
{
    pair_run run;
    memcpy(&run.job, job, sizeof run.job);
    run.places = resident[0].in;
    run.fronts = resident[1].in;
    run.view = rcity_sight_arrays_view(run.job.map, resident + RCITY_TILE_PAIRS_RESIDENT_SIGHT);
    resident += RCITY_TILE_PAIRS_RESIDENT_SIGHT + RCITY_SIGHT_ARRAY_COUNT;
    run.occluders = resident[0].in;
    run.near = resident[1].in;
    return run;
}

static void gather_tiles(const pair_run *run, int32_t block, uint32_t tiles, rcity_tile_lanes *lanes)
{
    int64_t first = (int64_t)block * RCITY_TILE_BLOCK;
    rcity_tile_lanes_gather(run->places + first, run->fronts + first, tiles, lanes);
}

static rcity_sight_segment segment_between(const pair_work *work, int i, int j)
{
    return rcity_tile_segment(rcity_tile_lanes_place(&work->a, i), rcity_tile_lanes_place(&work->b, j));
}

/* Swap rows and columns of a square of 32 bits: halves of it, then halves of these, down to single bits. */
static void transpose(uint32_t words[RCITY_TILE_BLOCK])
{
    uint32_t mask = 0x0000ffffu;
    for (int step = RCITY_TILE_BLOCK / 2; step > 0; step /= 2, mask ^= mask << step) {
        for (int k = 0; k < RCITY_TILE_BLOCK; k = (k + step + 1) & ~step) {
            uint32_t swapped = (words[k] >> step ^ words[k + step]) & mask;
            words[k] ^= swapped << step;
            words[k + step] ^= swapped;
        }
    }
}

/* List the lines of the pair. @return how many. */
static uint32_t list_lines(pair_work *work)
{
    const rcity_tile_pair *pair = &work->pair;
    rcity_tile_range range = work->run->job.range;
    uint32_t count = 0;
    for (int i = 0; i < RCITY_TILE_BLOCK; i++) {
        uint32_t bits =
            (pair->tiles_a >> i & 1) != 0 ? rcity_tile_lanes_facing(&work->a, i, &work->b) & pair->tiles_b : 0;
        for (uint32_t facing = range.square >= 0 ? bits : 0; facing != 0; facing &= facing - 1) {
            int j = __builtin_ctz(facing);
            uint32_t is_near = (uint32_t)rcity_tile_is_near(range, rcity_tile_lanes_place(&work->a, i),
                                                            rcity_tile_lanes_place(&work->b, j));
            bits &= ~((is_near ^ 1) << j);
        }
        work->left[i] = bits;
        count += (uint32_t)__builtin_popcount(bits);
    }
    return count;
}

/* The middle of the tiles of a block that there are. */
static rcity_tile_place middle_of(const rcity_tile_lanes *tiles, uint32_t there)
{
    int64_t x = 0;
    int64_t y = 0;
    int count = __builtin_popcount(there);
    for (int i = 0; i < RCITY_TILE_BLOCK; i++) { /* the others are zero */
        x += tiles->x[i];
        y += tiles->y[i];
    }
    return (rcity_tile_place){(int32_t)(x / count), (int32_t)(y / count), 0};
}

/* For each tile of a block: take away what the occluder near it hides, in the direction of the other block. */
static void hide_by_near(const pair_run *run, int32_t block, const rcity_tile_lanes *from, const rcity_tile_lanes *to,
                         rcity_tile_place middle, uint32_t left[RCITY_TILE_BLOCK])
{
    for (int i = 0; i < RCITY_TILE_BLOCK; i++) {
        if (left[i] == 0) {
            continue;
        }
        rcity_tile_place at = rcity_tile_lanes_place(from, i);
        int32_t sector = rcity_sight_sector(middle.x - at.x, middle.y - at.y);
        int64_t place = (int64_t)block * RCITY_TILE_BLOCK + i;
        int32_t occluder = run->near[place * RCITY_SIGHT_SECTOR_COUNT + sector];
        if (occluder >= 0) {
            left[i] &= ~rcity_tile_lanes_hidden(&run->occluders[occluder], at, to);
        }
    }
}

/* Walk the lines that are left. */
static void walk_lines(pair_work *work, rcity_tile_pair_answer *answer)
{
    const pair_run *run = work->run;
    for (int i = 0; i < RCITY_TILE_BLOCK; i++) {
        while (work->left[i] != 0) {
            int j = __builtin_ctz(work->left[i]);
            int32_t occluder = -1;
            rcity_sight_answer sight = rcity_sight_find_occluder(&run->view, run->occluders, run->job.wall_first,
                                                                 segment_between(work, i, j), &occluder);
            work->left[i] &= ~(1u << j);
            answer->walk_count++;
            answer->sees[i] |= (uint32_t)(sight == RCITY_SIGHT_FREE) << j;
            answer->deferred |= (uint32_t)(sight == RCITY_SIGHT_LOOK_CLOSELY) << i;
            for (int k = i; k < RCITY_TILE_BLOCK && occluder >= 0; k++) {
                if (work->left[k] != 0) {
                    work->left[k] &= ~rcity_tile_lanes_hidden(&run->occluders[occluder],
                                                              rcity_tile_lanes_place(&work->a, k), &work->b);
                }
            }
        }
    }
}

static void run_pair(pair_work *work, rcity_tile_pair_answer *answer)
{
    const rcity_tile_pair *pair = &work->pair;
    memset(answer, 0, sizeof *answer);
    gather_tiles(work->run, pair->a, pair->tiles_a, &work->a);
    gather_tiles(work->run, pair->b, pair->tiles_b, &work->b);
    answer->ray_count = list_lines(work);
    if (answer->ray_count == 0) {
        return;
    }
    if (work->run->job.has_near) {
        hide_by_near(work->run, pair->a, &work->a, &work->b, middle_of(&work->b, pair->tiles_b), work->left);
        transpose(work->left);
        hide_by_near(work->run, pair->b, &work->b, &work->a, middle_of(&work->a, pair->tiles_a), work->left);
        transpose(work->left);
    }
    walk_lines(work, answer);
}

void rcity_tile_pairs_run_host(const void *job, const rcity_launch_buffer *buffers, int64_t begin, int64_t end)
{
    pair_run run = make_run(job, buffers + RCITY_TILE_PAIRS_RESIDENT_FIRST);
    const rcity_tile_pair *pairs = buffers[0].in;
    rcity_tile_pair_answer *answers = buffers[1].out;
    pair_work work;
    work.run = &run;
    for (int64_t item = begin; item < end; item++) {
        work.pair = pairs[item];
        run_pair(&work, &answers[item]);
    }
}

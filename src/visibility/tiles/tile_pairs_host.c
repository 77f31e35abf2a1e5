/* Lines between two blocks are tested row by row: a tile of one block against all tiles of the other, in arrays. First
   come the occluders that are known near the tiles. Then lines are walked, and each occluder found there is held against
   all lines that are left. */
#include "visibility/tiles/tile_pairs_host.h"

#include <string.h>

#include "kernel/tiles/tile_pair.h"

/* The tiles of a block, array by array. */
typedef struct block_tiles {
    int32_t x[RCITY_TILE_BLOCK], y[RCITY_TILE_BLOCK], z[RCITY_TILE_BLOCK];
    float nx[RCITY_TILE_BLOCK], ny[RCITY_TILE_BLOCK], nz[RCITY_TILE_BLOCK], all_m[RCITY_TILE_BLOCK];
} block_tiles;

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
    block_tiles a, b;
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

static void gather_tiles(const pair_run *run, int32_t block, uint32_t tiles, block_tiles *gathered)
{
    memset(gathered, 0, sizeof *gathered);
    for (int i = 0; i < RCITY_TILE_BLOCK; i++) {
        if ((tiles >> i & 1) != 0) {
            rcity_tile_place place = run->places[block * RCITY_TILE_BLOCK + i];
            rcity_tile_front front = run->fronts[block * RCITY_TILE_BLOCK + i];
            gathered->x[i] = place.x;
            gathered->y[i] = place.y;
            gathered->z[i] = place.z;
            gathered->nx[i] = front.nx;
            gathered->ny[i] = front.ny;
            gathered->nz[i] = front.nz;
            gathered->all_m[i] = front.all_m;
        }
    }
}

static rcity_tile_place place_in(const block_tiles *tiles, int i)
{
    return (rcity_tile_place){tiles->x[i], tiles->y[i], tiles->z[i]};
}

static rcity_sight_segment segment_between(const pair_work *work, int i, int j)
{
    return rcity_tile_segment(place_in(&work->a, i), place_in(&work->b, j));
}

/* rcity_tile_faces() both ways for tile i of a block and all of another. */
RCITY_WIDE static uint32_t facing_tiles(const block_tiles *from, int i, const block_tiles *tiles)
{
    int32_t x = from->x[i];
    int32_t y = from->y[i];
    int32_t z = from->z[i];
    float nx = from->nx[i];
    float ny = from->ny[i];
    float nz = from->nz[i];
    float all_m = from->all_m[i];
    uint32_t bits = 0;
    for (int j = 0; j < RCITY_TILE_BLOCK; j++) {
        float dx = (float)(tiles->x[j] - x);
        float dy = (float)(tiles->y[j] - y);
        float dz = (float)(tiles->z[j] - z);
        float there = dx * nx + dy * ny + dz * nz + all_m;
        float back = -dx * tiles->nx[j] + -dy * tiles->ny[j] + -dz * tiles->nz[j] + tiles->all_m[j];
        bits |= (uint32_t)((there > RCITY_TILE_FRONT_M) & (back > RCITY_TILE_FRONT_M)) << j;
    }
    return bits;
}

/* The tiles of a block that an occluder hides from a place. */
RCITY_WIDE static uint32_t hidden_tiles(const rcity_sight_occluder *occluder, rcity_tile_place at,
                                        const block_tiles *tiles)
{
    rcity_sight_shadow shadow = rcity_sight_shadow_make(*occluder, at.x, at.y, at.z);
    uint32_t bits = 0;
    for (int j = 0; j < RCITY_TILE_BLOCK; j++) {
        bits |= (uint32_t)rcity_sight_shadow_hides(shadow, (float)(tiles->x[j] - at.x), (float)(tiles->y[j] - at.y),
                                                   (float)(tiles->z[j] - at.z))
                << j;
    }
    return bits;
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
        uint32_t bits = (pair->tiles_a >> i & 1) != 0 ? facing_tiles(&work->a, i, &work->b) & pair->tiles_b : 0;
        for (uint32_t facing = range.square >= 0 ? bits : 0; facing != 0; facing &= facing - 1) {
            int j = __builtin_ctz(facing);
            uint32_t is_near = (uint32_t)rcity_tile_is_near(range, place_in(&work->a, i), place_in(&work->b, j));
            bits &= ~((is_near ^ 1) << j);
        }
        work->left[i] = bits;
        count += (uint32_t)__builtin_popcount(bits);
    }
    return count;
}

/* The middle of the tiles of a block that there are. */
static rcity_tile_place middle_of(const block_tiles *tiles, uint32_t there)
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
static void hide_by_near(const pair_run *run, int32_t block, const block_tiles *from, const block_tiles *to,
                         rcity_tile_place middle, uint32_t left[RCITY_TILE_BLOCK])
{
    for (int i = 0; i < RCITY_TILE_BLOCK; i++) {
        if (left[i] == 0) {
            continue;
        }
        rcity_tile_place at = place_in(from, i);
        int32_t sector = rcity_sight_sector(middle.x - at.x, middle.y - at.y);
        int64_t place = (int64_t)block * RCITY_TILE_BLOCK + i;
        int32_t occluder = run->near[place * RCITY_SIGHT_SECTOR_COUNT + sector];
        if (occluder >= 0) {
            left[i] &= ~hidden_tiles(&run->occluders[occluder], at, to);
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
                    work->left[k] &= ~hidden_tiles(&run->occluders[occluder], place_in(&work->a, k), &work->b);
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

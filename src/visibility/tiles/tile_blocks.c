#include "visibility/tiles/tile_blocks.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/parallel.h"

#define PLACES_MAX (INT32_MAX - 2 * RCITY_TILE_BLOCK)

static int32_t tiles_in(const rcity_tile_blocks *blocks, int32_t block)
{
    int32_t rest = block < blocks->tile_block_count
                       ? blocks->tile_count - block * RCITY_TILE_BLOCK
                       : blocks->point_count - (block - blocks->tile_block_count) * RCITY_TILE_BLOCK;
    return rest < RCITY_TILE_BLOCK ? rest : RCITY_TILE_BLOCK;
}

uint32_t rcity_tile_blocks_mask(const rcity_tile_blocks *blocks, int32_t block)
{
    return UINT32_MAX >> (RCITY_TILE_BLOCK - tiles_in(blocks, block));
}

static void add_front(rcity_tile_block *block, rcity_tile_front front)
{
    block->front_least.nx = fminf(block->front_least.nx, front.nx);
    block->front_least.ny = fminf(block->front_least.ny, front.ny);
    block->front_least.nz = fminf(block->front_least.nz, front.nz);
    block->front_most.nx = fmaxf(block->front_most.nx, front.nx);
    block->front_most.ny = fmaxf(block->front_most.ny, front.ny);
    block->front_most.nz = fmaxf(block->front_most.nz, front.nz);
    block->front_most.all_m = fmaxf(block->front_most.all_m, front.all_m);
}

/* An rcity_parallel_function. */
static void bound_blocks(void *user, int64_t begin, int64_t end, int thread_index)
{
    rcity_tile_blocks *blocks = user;
    (void)thread_index;
    for (int64_t b = begin; b < end; b++) {
        rcity_tile_block *block = &blocks->blocks[b];
        const rcity_tile_place *place = &blocks->places[b * RCITY_TILE_BLOCK];
        const rcity_tile_front *front = &blocks->fronts[b * RCITY_TILE_BLOCK];
        block->least = block->most = place[0];
        block->front_least = block->front_most = front[0];
        for (int32_t i = 1; i < tiles_in(blocks, (int32_t)b); i++) {
            rcity_tile_box_add(&block->least, &block->most, place[i]);
            add_front(block, front[i]);
        }
    }
}

static rcity_tile_range make_range(double range_m, int32_t units_per_m)
{
    rcity_tile_range range = {-1, RCITY_HEIGHT_UNITS_PER_M, units_per_m};
    double units = range_m * RCITY_HEIGHT_UNITS_PER_M * units_per_m;
    if (range_m > 0.0 && units < 0x1p31) { /* else farther than any two places */
        range.square = (int64_t)(units * units);
    }
    return range;
}

/* Tiles, what fills up their last block, points. */
static void set_places(const rcity_tiling *tiling, const rcity_tile_place *points, rcity_tile_blocks *blocks)
{
    float plan_unit_m = 1.0f / (float)tiling->world->shapes->units_per_m;
    float height_unit_m = 1.0f / (float)RCITY_HEIGHT_UNITS_PER_M;
    int32_t first = blocks->place_count - blocks->point_count;
    memcpy(blocks->places, tiling->places, (size_t)blocks->tile_count * sizeof *blocks->places);
    for (int32_t i = 0; i < blocks->tile_count; i++) {
        blocks->fronts[i] = rcity_tile_front_make(tiling->tiles[i], plan_unit_m, height_unit_m);
    }
    if (blocks->point_count > 0) {
        memcpy(&blocks->places[first], points, (size_t)blocks->point_count * sizeof *blocks->places);
    }
    for (int32_t i = first; i < blocks->place_count; i++) {
        blocks->fronts[i] = rcity_tile_front_all();
    }
}

static int32_t blocks_of(int32_t count)
{
    return (count + RCITY_TILE_BLOCK - 1) / RCITY_TILE_BLOCK;
}

rcity_status rcity_tile_blocks_check(rcity_context *context, const rcity_tiling *tiling, double range_m,
                                     int64_t point_count)
{
    RCITY_CHECK(context, range_m == 0.0 || (range_m >= RCITY_TILE_RANGE_MIN_M && range_m <= RCITY_TILE_RANGE_MAX_M),
                RCITY_ERR_ARGUMENT, "`tile-range-m` is %g m, must be 0 (no limit) or %g to %g m", range_m,
                RCITY_TILE_RANGE_MIN_M, RCITY_TILE_RANGE_MAX_M);
    RCITY_CHECK(context, tiling->tile_count <= PLACES_MAX && point_count <= PLACES_MAX - tiling->tile_count,
                RCITY_ERR_ARGUMENT,
                "%lld tiles and %lld receivers are more than %d; choose larger tiles, or fewer receivers",
                (long long)tiling->tile_count, (long long)point_count, PLACES_MAX);
    return RCITY_OK;
}

rcity_status rcity_tile_blocks_init(rcity_context *context, const rcity_tiling *tiling, double range_m,
                                    int64_t point_count, const rcity_tile_place *points, rcity_tile_blocks *blocks)
{
    rcity_status status;
    memset(blocks, 0, sizeof *blocks);
    RCITY_TRY(rcity_tile_blocks_check(context, tiling, range_m, point_count));
    blocks->tile_count = (int32_t)tiling->tile_count;
    blocks->point_count = (int32_t)point_count;
    blocks->tile_block_count = blocks_of(blocks->tile_count);
    blocks->block_count = blocks->tile_block_count + blocks_of(blocks->point_count);
    blocks->place_count = blocks->tile_count;
    if (point_count > 0) {
        blocks->place_count = blocks->tile_block_count * RCITY_TILE_BLOCK + blocks->point_count;
    }
    blocks->range = make_range(range_m, tiling->world->shapes->units_per_m);
    size_t place_room = (size_t)blocks->place_count;
    RCITY_TRY_DONE(rcity_alloc(context, place_room, sizeof *blocks->places, "blocks of tiles", &blocks->places));
    RCITY_TRY_DONE(rcity_alloc(context, place_room, sizeof *blocks->fronts, "blocks of tiles", &blocks->fronts));
    RCITY_TRY_DONE(
        rcity_alloc(context, (size_t)blocks->block_count, sizeof *blocks->blocks, "blocks of tiles", &blocks->blocks));
    set_places(tiling, points, blocks);
    rcity_parallel(context, blocks->block_count, 1024, bound_blocks, blocks);
done:
    if (status != RCITY_OK) {
        rcity_tile_blocks_deinit(context, blocks);
    }
    return status;
}

void rcity_tile_blocks_deinit(rcity_context *context, rcity_tile_blocks *blocks)
{
    rcity_release(context, blocks->blocks);
    rcity_release(context, blocks->fronts);
    rcity_release(context, blocks->places);
    memset(blocks, 0, sizeof *blocks);
}

int32_t rcity_tile_blocks_pair(const rcity_tile_blocks *blocks, int32_t a, int32_t begin, int32_t end,
                               rcity_tile_pair *pairs, rcity_tile_cull *cull)
{
    const rcity_tile_block *block_a = &blocks->blocks[a];
    uint32_t tiles_a = rcity_tile_blocks_mask(blocks, a);
    int64_t count_a = tiles_in(blocks, a);
    int32_t pair_count = 0;
    for (int32_t b = begin; b < end; b++) {
        const rcity_tile_block *block_b = &blocks->blocks[b];
        int64_t pair_tiles = a == b ? count_a * (count_a - 1) / 2 : count_a * tiles_in(blocks, b);
        if (!rcity_tile_block_is_near(blocks->range, block_a, block_b)) {
            cull->range += pair_tiles;
        } else if (!rcity_tile_block_may_face(block_a, block_b) || !rcity_tile_block_may_face(block_b, block_a)) {
            cull->facing += pair_tiles;
        } else {
            pairs[pair_count++] = (rcity_tile_pair){a, b, tiles_a, rcity_tile_blocks_mask(blocks, b)};
        }
    }
    return pair_count;
}

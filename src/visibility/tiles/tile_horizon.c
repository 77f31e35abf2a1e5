#include "visibility/tiles/tile_horizon.h"

#include <math.h>
#include <string.h>

#include "base/parallel.h"
#include "scene/shape/facades.h"
#include "scene/shape/plan_index.h"

#define SECTORS  RCITY_TILE_HORIZON_SECTORS
#define LOOK_M   120.0 /* buildings farther from a group do not count */
#define STEEPEST 1e9f
#define SLACK    1e-6 /* of sectors, slopes, distances and heights: far more than rounding, in double precision */

typedef struct horizon_work {
    const rcity_sight *sight;
    const rcity_sight_occluders *occluders;
    const rcity_tile_blocks *blocks;
    rcity_plan_index prisms;
    rcity_tile_horizon *horizon;
} horizon_work;

/* A direction as a number of sectors, increasing counter-clockwise from the east. Sectors are not equally wide, but
   need no trigonometry. */
static double sector_of(double x, double y)
{
    double part = y / (fabs(x) + fabs(y));
    double turns = x < 0.0 ? 2.0 - part : y < 0.0 ? 4.0 + part : part;
    return turns * (SECTORS / 4.0);
}

/* The direction where a sector begins; exact. */
static void sector_begin(int sector, double *x, double *y)
{
    double turns = (double)(sector % SECTORS) / (SECTORS / 4.0);
    *x = turns < 2.0 ? 1.0 - turns : turns - 3.0;
    *y = turns < 1.0 ? turns : turns < 3.0 ? 2.0 - turns : turns - 4.0;
}

/* Raise the skyline of one tile by an occluder: in the sectors that it fills, beyond its farther end. */
static void raise_by(const rcity_tile_horizon *horizon, rcity_tile_place at, const rcity_sight_occluder *occluder,
                     rcity_tile_skyline *skyline)
{
    double px = (double)(occluder->px - at.x) * horizon->plan_m;
    double py = (double)(occluder->py - at.y) * horizon->plan_m;
    double qx = (double)(occluder->qx - at.x) * horizon->plan_m;
    double qy = (double)(occluder->qy - at.y) * horizon->plan_m;
    double turn = px * qy - py * qx;
    if (fabs(turn) < 1e-3) { /* square metres: the tile is on the occluder's line */
        return;
    }
    double p_sector = sector_of(px, py);
    double q_sector = sector_of(qx, qy);
    double low = turn > 0.0 ? p_sector : q_sector;
    double high = turn > 0.0 ? q_sector : p_sector;
    high = high < low ? high + SECTORS : high;
    int first = (int)(low + SLACK) + 1;
    int end = (int)(high - SLACK);
    double far_square = fmax(px * px + py * py, qx * qx + qy * qy);
    double most_m = RCITY_TILE_HORIZON_MOST_M - 1.0;
    double room_m = (double)(occluder->roof - at.z) * horizon->height_m - SLACK;
    if (first >= end || room_m <= 0.0 || far_square >= most_m * most_m) {
        return;
    }
    double far_m = sqrt(far_square) * (1.0 + SLACK);
    float lowered = (float)(room_m / far_m * (1.0 - SLACK));
    for (int k = first; k < end; k++) {
        int sector = k % SECTORS;
        if (lowered > skyline->slope[sector]) {
            skyline->slope[sector] = lowered;
            skyline->beyond_m[sector] = (uint8_t)(far_m + 1.0);
        }
    }
}

/* Tiles of walls look at nothing behind them. */
static void hide_behind(rcity_tile_front front, rcity_tile_skyline *skyline)
{
    for (int k = 0; k < SECTORS && front.nz == 0.0f; k++) {
        double x[2];
        double y[2];
        sector_begin(k, &x[0], &y[0]);
        sector_begin(k + 1, &x[1], &y[1]);
        if (x[0] * (double)front.nx + y[0] * (double)front.ny <= 0.0 &&
            x[1] * (double)front.nx + y[1] * (double)front.ny <= 0.0) {
            skyline->slope[k] = STEEPEST;
            skyline->beyond_m[k] = 0;
        }
    }
}

static void lower_to(const rcity_tile_skyline *tile, rcity_tile_skyline *group)
{
    for (int k = 0; k < SECTORS; k++) {
        group->slope[k] = tile->slope[k] < group->slope[k] ? tile->slope[k] : group->slope[k];
        group->beyond_m[k] = tile->beyond_m[k] > group->beyond_m[k] ? tile->beyond_m[k] : group->beyond_m[k];
    }
}

/* The buildings near a group, and some more, raise the skylines of its tiles. */
static void raise_all(const horizon_work *work, const rcity_tile_skyline *group, int32_t first, int32_t count,
                      rcity_tile_skyline *tiles)
{
    const rcity_prism *prisms = work->sight->shapes->prisms;
    int32_t look = (int32_t)(LOOK_M / work->horizon->plan_m);
    rcity_plan_box near = {group->least.x - look, group->least.y - look, group->most.x + look, group->most.y + look};
    rcity_plan_walk walk;
    rcity_plan_walk_init(&work->prisms, near, &walk);
    for (int32_t i = rcity_plan_walk_next(&walk); i >= 0; i = rcity_plan_walk_next(&walk)) {
        rcity_plan_box box = {prisms[i].x_min, prisms[i].y_min, prisms[i].x_max, prisms[i].y_max};
        if (!rcity_plan_walk_is_first(&walk, box)) {
            continue;
        }
        rcity_sight_occluder *wide = work->occluders->items + (int64_t)i * RCITY_SIGHT_WAY_COUNT;
        for (int32_t k = 0; k < count; k++) {
            rcity_tile_place at = work->blocks->places[first + k];
            int32_t sector = rcity_sight_sector((box.x_min + box.x_max) / 2 - at.x, (box.y_min + box.y_max) / 2 - at.y);
            raise_by(work->horizon, at, &wide[rcity_sight_way(sector)], &tiles[k]);
        }
    }
}

/* An rcity_parallel_function over groups. */
static void look_around(void *user, int64_t begin, int64_t end, int thread_index)
{
    const horizon_work *work = user;
    const rcity_tile_blocks *blocks = work->blocks;
    rcity_tile_skyline tiles[RCITY_TILE_GROUP];
    (void)thread_index;
    for (int64_t i = begin; i < end; i++) {
        rcity_tile_skyline *group = &work->horizon->skylines[i];
        int32_t first = (int32_t)i * RCITY_TILE_GROUP;
        int32_t rest = blocks->tile_count - first;
        int32_t count = rest < RCITY_TILE_GROUP ? rest : RCITY_TILE_GROUP;
        if (count <= 0) { /* of the last block */
            continue;
        }
        for (int k = 0; k < SECTORS; k++) {
            tiles[0].slope[k] = 0.0f;
            tiles[0].beyond_m[k] = 0;
            group->slope[k] = STEEPEST;
            group->beyond_m[k] = 0;
        }
        for (int32_t k = 1; k < count; k++) {
            tiles[k] = tiles[0];
        }
        group->least = group->most = blocks->places[first];
        for (int32_t k = 1; k < count; k++) {
            rcity_tile_box_add(&group->least, &group->most, blocks->places[first + k]);
        }
        raise_all(work, group, first, count, tiles);
        for (int32_t k = 0; k < count; k++) {
            hide_behind(blocks->fronts[first + k], &tiles[k]);
            lower_to(&tiles[k], group);
        }
    }
}

rcity_status rcity_tile_horizon_init(rcity_context *context, const rcity_sight *sight,
                                     const rcity_sight_occluders *occluders, const rcity_tile_blocks *blocks,
                                     uint64_t most_bytes, rcity_tile_horizon *horizon)
{
    horizon_work work = {.sight = sight, .occluders = occluders, .blocks = blocks, .horizon = horizon};
    rcity_status status;
    memset(horizon, 0, sizeof *horizon);
    horizon->blocks = blocks;
    horizon->plan_m = 1.0 / sight->shapes->units_per_m;
    horizon->height_m = 1.0 / RCITY_HEIGHT_UNITS_PER_M;
    size_t count = (size_t)blocks->tile_block_count * RCITY_TILE_GROUPS_A_BLOCK;
    if (count * sizeof *horizon->skylines > most_bytes) {
        return RCITY_OK;
    }
    RCITY_TRY_DONE(rcity_shapes_index_prisms(context, sight->shapes, &work.prisms));
    RCITY_TRY_DONE(rcity_alloc(context, count, sizeof *horizon->skylines, "skylines of tiles", &horizon->skylines));
    rcity_parallel(context, (int64_t)count, 16, look_around, &work);
done:
    rcity_plan_index_deinit(context, &work.prisms);
    return status;
}

void rcity_tile_horizon_deinit(rcity_context *context, rcity_tile_horizon *horizon)
{
    rcity_release(context, horizon->skylines);
    memset(horizon, 0, sizeof *horizon);
}

/* Where a block lies, as seen from the tiles of a group. */
typedef struct block_bearing {
    double near_m;   /* in plan, at least; 0: nothing is known */
    float slope;     /* of the steepest line to it */
    int first, last; /* its sectors, from 0 on and past all of them */
} block_bearing;

static block_bearing bearing_of(const rcity_tile_horizon *horizon, const rcity_tile_skyline *from,
                                const rcity_tile_block *to)
{
    block_bearing bearing = {0.0, 0.0f, 0, 0};
    double x[2] = {(double)to->least.x - from->most.x, (double)to->most.x - from->least.x};
    double y[2] = {(double)to->least.y - from->most.y, (double)to->most.y - from->least.y};
    double gap_x = x[0] > 0.0 ? x[0] : x[1] < 0.0 ? -x[1] : 0.0;
    double gap_y = y[0] > 0.0 ? y[0] : y[1] < 0.0 ? -y[1] : 0.0;
    if (gap_x == 0.0 && gap_y == 0.0) {
        return bearing;
    }
    double rise_m = ((double)to->most.z - from->least.z) * horizon->height_m;
    bearing.near_m = sqrt(gap_x * gap_x + gap_y * gap_y) * horizon->plan_m;
    bearing.slope = rise_m < 0.0 ? 0.0f : (float)(rise_m / bearing.near_m + SLACK);
    double middle = sector_of(x[0] + x[1], y[0] + y[1]);
    double low = 0.0;
    double high = 0.0;
    for (int k = 0; k < 4; k++) {
        double offset = sector_of(x[k % 2], y[k / 2]) - middle;
        offset = offset > SECTORS / 2 ? offset - SECTORS : offset < -SECTORS / 2 ? offset + SECTORS : offset;
        low = offset < low ? offset : low;
        high = offset > high ? offset : high;
    }
    bearing.first = (int)(middle + low - SLACK + SECTORS);
    bearing.last = (int)(middle + high + SLACK + SECTORS);
    return bearing;
}

/* Is all of a block below the skyline of a group? */
static bool hides(const rcity_tile_horizon *horizon, const rcity_tile_skyline *from, const rcity_tile_block *to)
{
    block_bearing bearing = bearing_of(horizon, from, to);
    if (bearing.near_m == 0.0) {
        return false;
    }
    for (int k = bearing.first; k <= bearing.last; k++) {
        int sector = k % SECTORS;
        if (bearing.slope >= from->slope[sector] || bearing.near_m <= from->beyond_m[sector]) {
            return false;
        }
    }
    return true;
}

/* The tiles of a block whose groups do not have another block below their skyline. */
static uint32_t tiles_over(const rcity_tile_horizon *horizon, int32_t block, uint32_t tiles, int32_t other)
{
    const uint32_t group_bits = (1u << RCITY_TILE_GROUP) - 1;
    uint32_t left = tiles;
    for (int i = 0; i < RCITY_TILE_GROUPS_A_BLOCK; i++) {
        uint32_t bits = group_bits << i * RCITY_TILE_GROUP;
        const rcity_tile_skyline *group = &horizon->skylines[(int64_t)block * RCITY_TILE_GROUPS_A_BLOCK + i];
        if ((tiles & bits) != 0 && hides(horizon, group, &horizon->blocks->blocks[other])) {
            left &= ~bits;
        }
    }
    return left;
}

void rcity_tile_horizon_cut(const rcity_tile_horizon *horizon, rcity_tile_pair *pair)
{
    if (horizon->skylines == NULL || pair->a == pair->b) {
        return;
    }
    pair->tiles_a = tiles_over(horizon, pair->a, pair->tiles_a, pair->b);
    if (pair->tiles_a != 0 && pair->b < horizon->blocks->tile_block_count) {
        pair->tiles_b = tiles_over(horizon, pair->b, pair->tiles_b, pair->a);
    }
}

#include "visibility/tiles/tile_occluders.h"

#include <string.h>

#include "base/parallel.h"

/* How far an occluder is looked for; those that hide much are near. */
#define LOOK_M 1000

/* The largest coordinate of a line; see sight_map.h. */
#define PLAN_MAX ((1 << 23) - 1)

/* The middle of each sector of the first quarter, times 1024. */
static const int32_t sector_x[RCITY_SIGHT_SECTOR_COUNT / 4] = {1019, 980, 903, 792, 650, 483, 297, 100};
static const int32_t sector_y[RCITY_SIGHT_SECTOR_COUNT / 4] = {100, 297, 483, 650, 792, 903, 980, 1019};

typedef struct near_work {
    const rcity_sight *sight;
    const rcity_tile_blocks *blocks;
    rcity_tile_occluders *occluders;
    int32_t reach; /* plan units, for each 1024 */
} near_work;

static int32_t clamped(int32_t coordinate)
{
    return coordinate < -PLAN_MAX ? -PLAN_MAX : coordinate > PLAN_MAX ? PLAN_MAX : coordinate;
}

/* The end of a level line from a place along the middle of a sector. */
static rcity_tile_place look_along(rcity_tile_place at, int32_t sector, int32_t reach)
{
    int32_t part = sector % (RCITY_SIGHT_SECTOR_COUNT / 4);
    int32_t dx = sector_x[part] * reach;
    int32_t dy = sector_y[part] * reach;
    for (int32_t turns = sector / (RCITY_SIGHT_SECTOR_COUNT / 4); turns > 0; turns--) {
        int32_t turned = -dy;
        dy = dx;
        dx = turned;
    }
    return (rcity_tile_place){clamped(at.x + dx), clamped(at.y + dy), at.z};
}

/* An rcity_parallel_function. */
static void look_around(void *user, int64_t begin, int64_t end, int thread_index)
{
    const near_work *work = user;
    const rcity_sight_occluders *all = &work->occluders->all;
    (void)thread_index;
    for (int64_t i = begin; i < end; i++) {
        rcity_tile_place at = work->blocks->places[i];
        int32_t *near = work->occluders->near + i * RCITY_SIGHT_SECTOR_COUNT;
        for (int32_t sector = 0; sector < RCITY_SIGHT_SECTOR_COUNT; sector++) {
            rcity_tile_place to = look_along(at, sector, work->reach);
            near[sector] = -1;
            if (rcity_tile_faces(work->blocks->fronts[i], at, to)) {
                (void)rcity_sight_find_occluder(&work->sight->view, all->items, all->wall_first,
                                                rcity_tile_segment(at, to), &near[sector]);
            }
        }
    }
}

rcity_status rcity_tile_occluders_init(rcity_context *context, const rcity_sight *sight,
                                       const rcity_tile_blocks *blocks, uint64_t most_bytes,
                                       rcity_tile_occluders *occluders)
{
    rcity_status status;
    memset(occluders, 0, sizeof *occluders);
    RCITY_TRY_DONE(rcity_sight_occluders_init(context, sight, &occluders->all));
    int64_t count = (int64_t)blocks->place_count * RCITY_SIGHT_SECTOR_COUNT;
    occluders->near_count = (uint64_t)count * sizeof *occluders->near <= most_bytes ? count : 0;
    RCITY_TRY_DONE(rcity_alloc(context, (size_t)occluders->near_count, sizeof *occluders->near, "occluders of tiles",
                               &occluders->near));
    near_work work = {sight, blocks, occluders, LOOK_M * sight->shapes->units_per_m / 1024};
    work.reach = work.reach > 0 ? work.reach : 1;
    rcity_parallel(context, occluders->near_count / RCITY_SIGHT_SECTOR_COUNT, 64, look_around, &work);
done:
    if (status != RCITY_OK) {
        rcity_tile_occluders_deinit(context, occluders);
    }
    return status;
}

void rcity_tile_occluders_deinit(rcity_context *context, rcity_tile_occluders *occluders)
{
    rcity_release(context, occluders->near);
    rcity_sight_occluders_deinit(context, &occluders->all);
    memset(occluders, 0, sizeof *occluders);
}

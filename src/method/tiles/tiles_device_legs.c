/* Which rays on a device have free legs. The few that its walk defers are decided on the host. */
#include <string.h>

#include "embedded/legs_cl.h"
#include "method/tiles/tiles_device.h"
#include "method/tiles/tiles_legs.h"
#include "visibility/sight/sight_data.h"

#define GATHERED_MAX 65536 /* rays that the host decides at a time */

static const rcity_tiles_kernel legs_kernel = {
    "rcity_tiles_legs",
    rcity_legs_cl,
    sizeof(rcity_tile_legs_job),
    0,
    16,
    {RCITY_TILES_TUBES, RCITY_TILES_HITS, RCITY_TILES_FREE_LEGS, RCITY_TILES_DEFERRED, RCITY_TILES_COUNTS,
     RCITY_TILES_TILES, RCITY_TILES_EDGES, RCITY_TILES_TILE_FACE, RCITY_TILES_PLACES, RCITY_TILES_RECEIVERS_M,
     RCITY_TILES_RECEIVER_PLACES, RCITY_TILES_SIGHT_RASTER, RCITY_TILES_SIGHT_LISTS, RCITY_TILES_SIGHT_WALLS,
     RCITY_TILES_SIGHT_DETAILS, RCITY_TILES_SIGHT_GROUND},
};

static const rcity_tiles_kernel gather_kernel = {
    "rcity_tiles_legs_gather",
    rcity_legs_cl,
    sizeof(rcity_tile_deferred_job),
    0,
    4,
    {RCITY_TILES_TUBES, RCITY_TILES_HITS, RCITY_TILES_DEFERRED, RCITY_TILES_GATHERED},
};

static const rcity_tiles_kernel mark_free_kernel = {
    "rcity_tiles_legs_mark_free",
    rcity_legs_cl,
    sizeof(rcity_tile_deferred_job),
    0,
    2,
    {RCITY_TILES_DEFERRED, RCITY_TILES_FREE_LEGS},
};

static int64_t gathered_room(const rcity_tiles_device *device)
{
    int64_t room = device->tube_room / 2 + 1; /* they are longer than tubes */
    return room < GATHERED_MAX ? room : GATHERED_MAX;
}

rcity_status rcity_tiles_device_reserve_legs(rcity_tiles_device *device, rcity_context *context)
{
    RCITY_TRY(rcity_tiles_device_reserve(device, context, RCITY_TILES_FREE_LEGS, device->tube_room, sizeof(uint8_t)));
    RCITY_TRY(rcity_tiles_device_reserve(device, context, RCITY_TILES_DEFERRED, device->tube_room, sizeof(int32_t)));
    return rcity_tiles_device_reserve(device, context, RCITY_TILES_GATHERED, gathered_room(device),
                                      sizeof(rcity_tile_deferred));
}

static bool is_free(const rcity_tiles_run *run, const rcity_tile_deferred *ray)
{
    const rcity_tiling *tiling = &run->prepared->tiling;
    int64_t receiver = ray->target - tiling->tile_count - tiling->edge_count;
    const float *at_m = &run->prepared->receivers.xyz_m[3 * (receiver >= 0 ? receiver : 0)];
    rcity_real3 at =
        receiver >= 0 ? rcity_real3_make(at_m[0], at_m[1], at_m[2]) : rcity_tile_centre(tiling->tiles[ray->target]);
    rcity_tile_place to = receiver >= 0 ? run->prepared->receivers.places[receiver] : tiling->places[ray->target];
    rcity_tile_path path;
    return rcity_tile_path_make(run->tiles, &ray->tube, run->tx, at, &path) &&
           rcity_tiles_legs_are_free(run, &ray->tube, &path, to);
}

/* Decide `count` entries of the list; those that are free are its new entries. */
static rcity_status decide(rcity_tiles_device *device, const rcity_tiles_run *run, int level,
                           rcity_tile_deferred_job job, int64_t count)
{
    rcity_context *context = run->context;
    rcity_tile_deferred *rays = NULL;
    int32_t *items = NULL;
    int64_t free_count = 0;
    rcity_status status;
    RCITY_TRY_DONE(rcity_alloc(context, (size_t)count, sizeof *rays, "rays on tiles", &rays));
    RCITY_TRY_DONE(rcity_alloc(context, (size_t)count, sizeof *items, "rays on tiles", &items));
    RCITY_TRY_DONE(rcity_tiles_device_launch(device, context, &gather_kernel, &job, count, level, 0));
    RCITY_TRY_DONE(rcity_resident_read(context, device->resident[RCITY_TILES_GATHERED], 0, count, rays));
    RCITY_TRY_DONE(rcity_device_finish(context, device->device));
    for (int64_t i = 0; i < count; i++) {
        if (is_free(run, &rays[i])) {
            items[free_count++] = rays[i].item;
        }
    }
    RCITY_TRY_DONE(
        rcity_resident_write(context, device->resident[RCITY_TILES_DEFERRED], job.list_first, free_count, items));
    RCITY_TRY_DONE(rcity_tiles_device_launch(device, context, &mark_free_kernel, &job, free_count, level, 0));
    RCITY_TRY_DONE(rcity_device_finish(context, device->device));
done:
    rcity_release(context, items);
    rcity_release(context, rays);
    return status;
}

rcity_status rcity_tiles_device_test_legs(rcity_tiles_device *device, rcity_tiles_run *run, int level, int64_t first,
                                          int64_t count)
{
    rcity_context *context = run->context;
    rcity_tile_legs_job job;
    int64_t room = gathered_room(device);
    int64_t deferred = 0;
    memset(&job, 0, sizeof job);
    job.bounce = run->bounce;
    job.piece = rcity_tiles_device_piece(device, first);
    job.map = run->prepared->sight->view.map;
    job.snap = rcity_tiles_snap_of(run->prepared);
    job.tx = run->traced->place;
    RCITY_TRY(rcity_tiles_device_count_anew(device, context));
    RCITY_TRY(rcity_tiles_device_launch(device, context, &legs_kernel, &job, count, level, 0));
    RCITY_TRY(rcity_tiles_device_get_count(device, context, RCITY_TILE_COUNT_DEFERRED, &deferred));
    run->effort.deferred_count += deferred;
    for (int64_t begin = 0; begin < deferred; begin += room) {
        int64_t rest = deferred - begin;
        RCITY_TRY(decide(device, run, level, (rcity_tile_deferred_job){(int32_t)first, (int32_t)begin},
                         rest < room ? rest : room));
    }
    return RCITY_OK;
}

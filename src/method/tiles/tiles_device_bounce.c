/* The bounce loop on a device: the tubes of one level in pieces, each with all that follows from it. */
#include "embedded/tiles_cl.h"
#include "method/tiles/tiles_device.h"

#define SCAN_ITEMS       64 /* of a work-group */
#define SCAN_LOCAL_BYTES sizeof(uint32_t)

static const rcity_tiles_kernel scan_kernel = {
    "rcity_tiles_scan",
    rcity_tiles_cl,
    sizeof(rcity_tile_bounce_job),
    SCAN_ITEMS,
    16,
    {RCITY_TILES_TUBES, RCITY_TILES_HITS, RCITY_TILES_COUNTS, RCITY_TILES_EFFORT, RCITY_TILES_TILES, RCITY_TILES_EDGES,
     RCITY_TILES_EDGE_FIRST, RCITY_TILES_EDGE_OF, RCITY_TILES_CENTRES, RCITY_TILES_ROW_FIRST, RCITY_TILES_CHUNK_END,
     RCITY_TILES_COLUMN, RCITY_TILES_VIEW_FIRST, RCITY_TILES_VIEW_RECEIVER, RCITY_TILES_RECEIVERS_M,
     RCITY_TILES_SURFACE_ROWS},
};

static const rcity_tiles_kernel arrive_kernel = {
    "rcity_tiles_arrive",
    rcity_tiles_cl,
    sizeof(rcity_tile_bounce_job),
    0,
    15,
    {RCITY_TILES_TUBES, RCITY_TILES_HITS, RCITY_TILES_COUNTS, RCITY_TILES_FREE_LEGS, RCITY_TILES_TUBES + 1,
     RCITY_TILES_TILES, RCITY_TILES_EDGES, RCITY_TILES_FACES, RCITY_TILES_TILE_FACE, RCITY_TILES_EDGE_FACE,
     RCITY_TILES_ANTENNA, RCITY_TILES_RECEIVERS_M, RCITY_TILES_TILE_SUMS, RCITY_TILES_RECEIVER_SUMS, RCITY_TILES_LIT},
};

typedef struct bounce_loop {
    rcity_tiles_device *device;
    rcity_tiles_run *run;
    rcity_tile_bounce_job job;
} bounce_loop;

static rcity_status take_hits(bounce_loop *loop, int level, int64_t count);

/* What the tubes of a level reach. A piece whose hits do not fit is repeated in halves: nothing but the list was
   written. */
static rcity_status scan_tubes(bounce_loop *loop, int level, int64_t count)
{
    rcity_context *context = loop->run->context;
    int64_t piece = count;
    for (int64_t begin = 0; begin < count;) {
        int64_t hits = 0;
        piece = count - begin < piece ? count - begin : piece;
        if (level == 1) {
            RCITY_TRY(rcity_progress(context, "bouncing rays", (double)begin, (double)count));
        }
        RCITY_TRY(rcity_tiles_device_count_anew(loop->device, context));
        loop->job.piece = rcity_tiles_device_piece(loop->device, begin);
        RCITY_TRY(
            rcity_tiles_device_launch(loop->device, context, &scan_kernel, &loop->job, piece, level, SCAN_LOCAL_BYTES));
        RCITY_TRY(rcity_tiles_device_get_count(loop->device, context, RCITY_TILE_COUNT_HITS, &hits));
        if (hits > loop->device->hit_room) {
            RCITY_CHECK(context, piece > 1, RCITY_ERR_MEMORY, "a tile reflects to %lld others, there is room for %lld",
                        (long long)hits, (long long)loop->device->hit_room);
            piece /= 2;
            continue;
        }
        RCITY_TRY(take_hits(loop, level, hits));
        begin += piece;
    }
    return RCITY_OK;
}

/* Sums, and the tubes of the next level, as many at once as they have room. */
static rcity_status take_hits(bounce_loop *loop, int level, int64_t count)
{
    rcity_context *context = loop->run->context;
    int64_t room = loop->device->tube_room;
    loop->run->effort.ray_count += count;
    for (int64_t begin = 0; begin < count; begin += room) {
        int64_t tubes = 0;
        int64_t rest = count - begin;
        rest = rest < room ? rest : room;
        loop->job.has_legs = level > 0; /* the transmitter sees what it reaches itself */
        if (loop->job.has_legs) {
            RCITY_TRY(rcity_tiles_device_test_legs(loop->device, loop->run, level, begin, rest));
        }
        RCITY_TRY(rcity_tiles_device_count_anew(loop->device, context));
        loop->job.piece = rcity_tiles_device_piece(loop->device, begin);
        RCITY_TRY(rcity_tiles_device_launch(loop->device, context, &arrive_kernel, &loop->job, rest, level, 0));
        if (level < loop->job.bounce.limits.max_bounces) {
            RCITY_TRY(rcity_tiles_device_get_count(loop->device, context, RCITY_TILE_COUNT_NEXT, &tubes));
            RCITY_TRY(scan_tubes(loop, level + 1, tubes));
        }
    }
    return RCITY_OK;
}

/* What the transmitter reaches itself, as hits of its tube. */
static rcity_status list_first(rcity_tiles_run *run, rcity_tile_hit **hits, int64_t *count)
{
    const rcity_tiles_traced *traced = run->traced;
    const rcity_tiling *tiling = &run->prepared->tiling;
    int64_t receivers = run->prepared->receivers.open_count;
    rcity_tube tube = rcity_tube_make(run->tx);
    int32_t *tiles = NULL;
    int64_t tile_count = 0;
    RCITY_TRY(rcity_tiles_list_far(run, &tiles, &tile_count));
    rcity_status status = rcity_alloc(run->context, (size_t)(tile_count + traced->edge_count + receivers) + 1,
                                      sizeof **hits, "tiles in sight", hits);
    *count = 0;
    for (int64_t i = 0; i < tile_count && status == RCITY_OK; i++) {
        (*hits)[(*count)++] = (rcity_tile_hit){0, tiles[i]};
    }
    bool takes_edges = rcity_tube_may_diffract(run->bounce.limits, &tube);
    for (int64_t i = 0; i < traced->edge_count && takes_edges && status == RCITY_OK; i++) {
        (*hits)[(*count)++] = (rcity_tile_hit){0, (int32_t)tiling->tile_count + traced->edges[i]};
    }
    for (int64_t i = 0; i < receivers && status == RCITY_OK; i++) {
        if (traced->sees_receiver[i]) {
            (*hits)[(*count)++] = (rcity_tile_hit){0, (int32_t)(tiling->tile_count + tiling->edge_count + i)};
        }
    }
    rcity_release(run->context, tiles);
    return status;
}

static rcity_status reserve_levels(rcity_tiles_device *device, rcity_tiles_run *run)
{
    int levels = run->bounce.limits.max_bounces;
    for (int level = 0; level <= levels; level++) {
        int64_t tubes = level == 0 ? 1 : device->tube_room;
        RCITY_TRY(rcity_tiles_device_reserve(device, run->context, RCITY_TILES_TUBES + (unsigned)level, tubes,
                                             sizeof(rcity_tube)));
        RCITY_TRY(rcity_tiles_device_reserve(device, run->context, RCITY_TILES_HITS + (unsigned)level, device->hit_room,
                                             sizeof(rcity_tile_hit)));
    }
    RCITY_TRY(rcity_tiles_device_reserve_legs(device, run->context));
    return rcity_tiles_device_reserve(device, run->context, RCITY_TILES_TUBES + (unsigned)levels + 1, 1,
                                      sizeof(rcity_tube));
}

rcity_status rcity_tiles_device_bounce(rcity_tiles_device *device, rcity_tiles_run *run)
{
    bounce_loop loop = {.device = device, .run = run};
    rcity_context *context = run->context;
    rcity_tube first = rcity_tube_make(run->tx);
    rcity_tile_hit *hits = NULL;
    int64_t count = 0;
    rcity_status status;
    loop.job.bounce = run->bounce;
    RCITY_TRY_DONE(list_first(run, &hits, &count));
    RCITY_TRY_DONE(reserve_levels(device, run));
    RCITY_TRY_DONE(rcity_resident_write(context, device->resident[RCITY_TILES_TUBES], 0, 1, &first));
    for (int64_t begin = 0; begin < count && status == RCITY_OK; begin += device->hit_room) {
        int64_t rest = count - begin;
        int64_t piece = rest < device->hit_room ? rest : device->hit_room;
        RCITY_TRY_DONE(rcity_resident_write(context, device->resident[RCITY_TILES_HITS], 0, piece, hits + begin));
        status = take_hits(&loop, 0, piece);
    }
done:
    if (rcity_device_finish(context, device->device) != RCITY_OK && status == RCITY_OK) {
        status = RCITY_ERR_NO_DEVICE;
    }
    rcity_release(context, hits);
    return status;
}

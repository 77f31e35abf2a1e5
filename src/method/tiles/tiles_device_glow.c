/* Scattering on a device: straight, by tiles that receive; first reflections, by tiles that reflect; then echo by
   echo. */
#include "embedded/glow_cl.h"
#include "method/tiles/tiles_device.h"

#define STRAIGHT_ITEMS 64 /* of a work-group; glow.cl knows it */
#define MIRROR_ITEMS   128
#define SCAN_ITEMS     64
#define LOCAL_BYTES    (4 * sizeof(uint32_t)) /* counts of a work-group */
#define REPORTS        16                     /* pieces of tiles that reflect, at least */

static const rcity_tiles_kernel glows_kernel = {
    "rcity_tiles_glows",
    rcity_glow_cl,
    sizeof(rcity_tile_glow_job),
    0,
    5,
    {RCITY_TILES_TILES, RCITY_TILES_TILE_FACE, RCITY_TILES_LIT, RCITY_TILES_GLOWS, RCITY_TILES_WHOLE},
};

static const rcity_tiles_kernel straight_kernel = {
    "rcity_tiles_straight",
    rcity_glow_cl,
    sizeof(rcity_tile_echo_job),
    STRAIGHT_ITEMS,
    7,
    {RCITY_TILES_TILES, RCITY_TILES_ROW_FIRST, RCITY_TILES_CHUNK_END, RCITY_TILES_COLUMN, RCITY_TILES_GLOWS,
     RCITY_TILES_WHOLE, RCITY_TILES_TILE_SUMS},
};

static const rcity_tiles_kernel straight_out_kernel = {
    "rcity_tiles_straight_out",
    rcity_glow_cl,
    sizeof(rcity_tile_glow_job),
    STRAIGHT_ITEMS,
    7,
    {RCITY_TILES_TILES, RCITY_TILES_VIEW_FIRST, RCITY_TILES_VIEW_RECEIVER, RCITY_TILES_RECEIVERS_M, RCITY_TILES_GLOWS,
     RCITY_TILES_WHOLE, RCITY_TILES_RECEIVER_SUMS},
};

static const rcity_tiles_kernel mirror_kernel = {
    "rcity_tiles_mirror",
    rcity_glow_cl,
    sizeof(rcity_tile_echo_job),
    MIRROR_ITEMS,
    12,
    {RCITY_TILES_ECHO_HITS, RCITY_TILES_COUNTS, RCITY_TILES_EFFORT, RCITY_TILES_TILES, RCITY_TILES_CENTRES,
     RCITY_TILES_ROW_FIRST, RCITY_TILES_CHUNK_END, RCITY_TILES_COLUMN, RCITY_TILES_VIEW_FIRST,
     RCITY_TILES_VIEW_RECEIVER, RCITY_TILES_RECEIVERS_M, RCITY_TILES_WHOLE},
};

static const rcity_tiles_kernel scan_kernel = {
    "rcity_tiles_echo_scan",
    rcity_glow_cl,
    sizeof(rcity_tile_echo_job),
    SCAN_ITEMS,
    13,
    {RCITY_TILES_ECHOES, RCITY_TILES_ECHO_HITS, RCITY_TILES_COUNTS, RCITY_TILES_EFFORT, RCITY_TILES_TILES,
     RCITY_TILES_CENTRES, RCITY_TILES_ROW_FIRST, RCITY_TILES_CHUNK_END, RCITY_TILES_COLUMN, RCITY_TILES_VIEW_FIRST,
     RCITY_TILES_VIEW_RECEIVER, RCITY_TILES_RECEIVERS_M, RCITY_TILES_WHOLE},
};

static const rcity_tiles_kernel arrive_kernel = {
    "rcity_tiles_echo_arrive",
    rcity_glow_cl,
    sizeof(rcity_tile_echo_job),
    0,
    12,
    {RCITY_TILES_ECHOES, RCITY_TILES_ECHO_HITS, RCITY_TILES_COUNTS, RCITY_TILES_ECHOES + 1, RCITY_TILES_TILES,
     RCITY_TILES_EDGES, RCITY_TILES_FACES, RCITY_TILES_TILE_FACE, RCITY_TILES_RECEIVERS_M, RCITY_TILES_GLOWS,
     RCITY_TILES_TILE_SUMS, RCITY_TILES_RECEIVER_SUMS},
};

typedef struct glow_loop {
    rcity_tiles_device *device;
    rcity_tiles_run *run;
    rcity_tile_echo_job job;
    int again_max;
} glow_loop;

static rcity_status take_hits(glow_loop *loop, int level, int64_t count);

/* A piece of tiles that reflect (level 0), or of echoes: what is reached. A piece whose hits do not fit is repeated in
   halves. */
static rcity_status scan_piece(glow_loop *loop, int level, int64_t begin, int64_t *piece)
{
    rcity_context *context = loop->run->context;
    for (;;) {
        int64_t hits = 0;
        RCITY_TRY(rcity_tiles_device_count_anew(loop->device, context));
        loop->job.piece = rcity_tiles_device_piece(loop->device, begin);
        RCITY_TRY(rcity_tiles_device_launch(loop->device, context, level == 0 ? &mirror_kernel : &scan_kernel,
                                            &loop->job, *piece, level, LOCAL_BYTES));
        RCITY_TRY(rcity_tiles_device_get_count(loop->device, context, RCITY_TILE_COUNT_HITS, &hits));
        if (hits <= loop->device->hit_room) {
            return take_hits(loop, level, hits);
        }
        RCITY_CHECK(context, *piece > 1, RCITY_ERR_MEMORY, "a tile reflects to %lld others, there is room for %lld",
                    (long long)hits, (long long)loop->device->hit_room);
        *piece /= 2;
    }
}

static rcity_status scan_echoes(glow_loop *loop, int level, int64_t count)
{
    int64_t piece = count;
    for (int64_t begin = 0; begin < count; begin += piece) {
        piece = count - begin < piece ? count - begin : piece;
        RCITY_TRY(scan_piece(loop, level, begin, &piece));
    }
    return RCITY_OK;
}

/* Sums, and the echoes that go on. */
static rcity_status take_hits(glow_loop *loop, int level, int64_t count)
{
    rcity_context *context = loop->run->context;
    int64_t room = loop->device->tube_room;
    loop->run->effort.scattered_count += count;
    for (int64_t begin = 0; begin < count; begin += room) {
        int64_t echoes = 0;
        int64_t rest = count - begin;
        RCITY_TRY(rcity_tiles_device_count_anew(loop->device, context));
        loop->job.piece = rcity_tiles_device_piece(loop->device, begin);
        RCITY_TRY(rcity_tiles_device_launch(loop->device, context, &arrive_kernel, &loop->job,
                                            rest < room ? rest : room, level, 0));
        if (level + 1 < loop->again_max) {
            RCITY_TRY(rcity_tiles_device_get_count(loop->device, context, RCITY_TILE_COUNT_NEXT, &echoes));
            RCITY_TRY(scan_echoes(loop, level + 1, echoes));
        }
    }
    return RCITY_OK;
}

static rcity_status make_glows(rcity_tiles_device *device, rcity_tiles_run *run, const rcity_tile_glow_job *job)
{
    rcity_context *context = run->context;
    int64_t glows = (rcity_tile_glow_again_max(run->bounce) + (int64_t)1) * job->tile_count;
    RCITY_TRY(rcity_tiles_device_reserve(device, context, RCITY_TILES_GLOWS, glows * run->bounce.rough.cell_count,
                                         sizeof(rcity_tile_glow)));
    RCITY_TRY(rcity_tiles_device_reserve(device, context, RCITY_TILES_WHOLE, glows, sizeof(float)));
    return rcity_tiles_device_launch(device, context, &glows_kernel, job, job->tile_count, 0, 0);
}

rcity_status rcity_tiles_device_list_senders(rcity_tiles_device *device, rcity_tiles_run *run,
                                             rcity_tile_senders *senders)
{
    rcity_context *context = run->context;
    rcity_tile_glow_job job = rcity_tiles_run_glow_job(run);
    int64_t count = (int64_t)job.tile_count * run->bounce.rough.cell_count; /* those of all depths come first */
    rcity_tile_glow *glows = NULL;
    rcity_status status;
    RCITY_TRY_DONE(rcity_alloc(context, (size_t)count + 1, sizeof *glows, "scattering over roofs", &glows));
    RCITY_TRY_DONE(make_glows(device, run, &job));
    RCITY_TRY_DONE(rcity_resident_read(context, device->resident[RCITY_TILES_GLOWS], 0, count, glows));
    RCITY_TRY_DONE(rcity_device_finish(context, device->device));
    RCITY_TRY_DONE(rcity_tile_senders_pick(run, glows, senders));
done:
    rcity_release(context, glows);
    return status;
}

static rcity_status reserve_levels(const glow_loop *loop)
{
    rcity_tiles_device *device = loop->device;
    rcity_context *context = loop->run->context;
    for (int level = 0; level < loop->again_max; level++) {
        int64_t echoes = level == 0 ? 1 : device->tube_room;
        RCITY_TRY(rcity_tiles_device_reserve(device, context, RCITY_TILES_ECHOES + (unsigned)level, echoes,
                                             sizeof(rcity_tile_echo)));
        RCITY_TRY(rcity_tiles_device_reserve(device, context, RCITY_TILES_ECHO_HITS + (unsigned)level, device->hit_room,
                                             sizeof(rcity_tile_echo_hit)));
    }
    return rcity_tiles_device_reserve(device, context, RCITY_TILES_ECHOES + (unsigned)loop->again_max, 1,
                                      sizeof(rcity_tile_echo));
}

rcity_status rcity_tiles_device_glow(rcity_tiles_device *device, rcity_tiles_run *run)
{
    glow_loop loop = {.device = device, .run = run};
    rcity_context *context = run->context;
    int64_t tiles = device->prepared->tiling.tile_count;
    loop.job.glow = rcity_tiles_run_glow_job(run);
    loop.job.piece = rcity_tiles_device_piece(device, 0);
    loop.again_max = rcity_tile_glow_again_max(run->bounce);
    RCITY_TRY(make_glows(device, run, &loop.job.glow));
    RCITY_TRY(reserve_levels(&loop));
    if (run->keeps_tiles) {
        RCITY_TRY(rcity_tiles_device_launch(device, context, &straight_kernel, &loop.job, tiles, 0, LOCAL_BYTES));
        run->effort.scattered_count += device->prepared->matrix->entry_count;
    }
    RCITY_TRY(rcity_tiles_device_launch(device, context, &straight_out_kernel, &loop.job.glow, tiles, 0, LOCAL_BYTES));
    run->effort.scattered_count += (int64_t)device->prepared->views.row_first[tiles];
    int64_t piece = (tiles + REPORTS - 1) / REPORTS;
    for (int64_t begin = 0; begin < tiles && loop.again_max > 0; begin += piece) {
        piece = tiles - begin < piece ? tiles - begin : piece;
        RCITY_TRY(rcity_progress(context, "scattering", (double)begin, (double)tiles));
        RCITY_TRY(scan_piece(&loop, 0, begin, &piece));
    }
    return RCITY_OK;
}

/* What rough tiles scatter: from each tile that rays reached to all that it sees, and on through reflections. Scattered
   waves have no phase, so powers are followed. */
#include <string.h>

#include "base/parallel.h"
#include "method/tiles/tile_scan.h"
#include "method/tiles/tiles_run.h"

#define PIECE   16   /* tiles of one thread at a time */
#define REPORTS 4096 /* tiles between two reports of progress */

/* A thread, and the tile and the cell that it is at. */
typedef struct glow_worker {
    rcity_tiles_run *run;
    rcity_tile_glow_job job;
    rcity_tile_scan scans[RCITY_TUBE_EVENT_MAX + 1]; /* by the number of reflections */
    int32_t number;
    rcity_tile tile;
    rcity_tile_echo echoes[RCITY_TUBE_EVENT_MAX + 1]; /* by the number of reflections */
    bool glows[RCITY_TUBE_EVENT_MAX + 1];
    rcity_tile_glow glow[RCITY_TUBE_EVENT_MAX + 1]; /* of rays that may be reflected so often again */
    int64_t ray_count;
} glow_worker;

typedef struct glow_loop {
    rcity_tiles_run *run;
    glow_worker *workers;
    uint8_t *flags;
    int64_t begin; /* of the tiles */
} glow_loop;

/* A place where scattered power arrives. */
typedef struct glow_target {
    rcity_real3 to;
    const rcity_tile *tile; /* NULL: a receiver, which is a point */
    rcity_tile_place_scale scale;
    rcity_tile_sums *sums;
} glow_target;

static glow_target tile_target(const rcity_tiles_run *run, int32_t number)
{
    const rcity_tile *tile = &run->prepared->tiling.tiles[number];
    return (glow_target){rcity_tile_centre(*tile), tile, run->tile_scale[number],
                         run->tile_sums != NULL ? &run->tile_sums[number] : NULL};
}

static glow_target receiver_target(const rcity_tiles_run *run, int32_t number)
{
    const float *at = &run->prepared->receivers.xyz_m[3 * (int64_t)number];
    return (glow_target){rcity_real3_make(at[0], at[1], at[2]), NULL, run->receiver_scale[number],
                         &run->receiver_sums[number]};
}

/* Straight from the tile. */
static void send_straight(glow_worker *worker, const glow_target *target)
{
    rcity_tile_reach reach =
        target->tile != NULL
            ? rcity_tile_glow_reach_tile(&worker->glow[0], worker->job.bounce.rough, worker->tile, *target->tile)
            : rcity_tile_glow_reach(&worker->glow[0], worker->job.bounce.rough, worker->tile, target->to);
    worker->ray_count++;
    rcity_tile_sums_add(
        target->sums, RCITY_TILE_SCATTERED,
        rcity_tile_glow_straight(worker->job, &worker->glow[0], worker->tile, reach, target->to, target->scale), 1);
}

static void send_reflected(glow_worker *worker, const rcity_tile_echo *echo, const glow_target *target)
{
    const rcity_tiles_run *run = worker->run;
    rcity_tile_channel channel;
    worker->ray_count++;
    if (rcity_tile_echo_channel(run->tiles, run->table, echo, target->to, &channel)) {
        rcity_tile_sums_add(
            target->sums, RCITY_TILE_SCATTERED,
            rcity_tile_echo_units(worker->job, &worker->glow[echo->event_count], worker->tile, &channel, target->scale),
            1);
    }
}

/* May what was scattered be reflected again? */
static bool may_reflect(const glow_worker *worker, int reflection_count)
{
    return reflection_count < rcity_tile_glow_again_max(worker->run->bounce) && worker->glows[reflection_count + 1];
}

static void follow(glow_worker *worker, const rcity_tile_echo *echo);

/* Reflect off a tile that is reached, where that is worth it. */
static void reflect(glow_worker *worker, const rcity_tile_echo *echo, int32_t number)
{
    rcity_tile tile = worker->run->prepared->tiling.tiles[number];
    float whole = rcity_tile_glow_whole(&worker->glow[echo->event_count + 1], worker->tile);
    if (rcity_tile_glow_goes_on(worker->run->bounce.limits, whole, echo->sx, echo->sy, echo->sz, tile.x, tile.y,
                                tile.z)) {
        rcity_tile_echo next = rcity_tile_echo_reflect(*echo, tile, number);
        follow(worker, &next);
    }
}

static void take_tile(void *user, const rcity_tube *tube, int32_t number)
{
    glow_worker *worker = user;
    const rcity_tile_echo *echo = &worker->echoes[tube->event_count];
    if (worker->run->tile_sums != NULL) {
        glow_target target = tile_target(worker->run, number);
        send_reflected(worker, echo, &target);
    }
    if (may_reflect(worker, echo->event_count)) {
        reflect(worker, echo, number);
    }
}

static void take_receiver(void *user, const rcity_tube *tube, int32_t number)
{
    glow_worker *worker = user;
    glow_target target = receiver_target(worker->run, number);
    send_reflected(worker, &worker->echoes[tube->event_count], &target);
}

static void follow(glow_worker *worker, const rcity_tile_echo *echo)
{
    rcity_tile_takers takers = {worker, NULL, NULL, take_receiver};
    rcity_tube tube = rcity_tube_make(rcity_real3_make(echo->sx, echo->sy, echo->sz));
    tube.event_count = echo->event_count;
    memcpy(tube.event, echo->event, sizeof tube.event);
    worker->echoes[echo->event_count] = *echo;
    takers.tile = may_reflect(worker, tube.event_count) || worker->run->tile_sums != NULL ? take_tile : NULL;
    rcity_tile_scan_run(&worker->scans[tube.event_count], &tube, &takers);
}

/* Everything that the tile sees: sums, and first reflections. */
static void spread(glow_worker *worker)
{
    const rcity_tiles_run *run = worker->run;
    const rcity_tile_matrix *matrix = run->prepared->matrix;
    const rcity_tile_views *views = &run->prepared->views;
    const uint16_t *column = matrix->column + matrix->row_first[worker->number];
    const uint32_t *end = matrix->chunk_end + (size_t)worker->number * (size_t)matrix->chunk_count;
    rcity_tile_echo echo = rcity_tile_echo_make(worker->tile, worker->number, 1);
    bool reflects = may_reflect(worker, 0);
    for (uint64_t i = views->row_first[worker->number]; i < views->row_first[worker->number + 1]; i++) {
        glow_target target = receiver_target(run, views->receiver[i]);
        send_straight(worker, &target);
    }
    if (!reflects && run->tile_sums == NULL) {
        return;
    }
    uint32_t i = 0;
    for (int32_t chunk = 0; chunk < matrix->chunk_count; chunk++) {
        for (; i < end[chunk]; i++) {
            int32_t number = chunk * RCITY_TILE_CHUNK + column[i];
            if (run->tile_sums != NULL) {
                glow_target target = tile_target(run, number);
                send_straight(worker, &target);
            }
            if (reflects) {
                reflect(worker, &echo, number);
            }
        }
    }
}

/* One cell of a tile. */
static void glow_cell(glow_worker *worker, int cell)
{
    const rcity_tiles_run *run = worker->run;
    rcity_tile_place_scale scale = run->tile_scale[worker->number];
    const rcity_tile_lit *lit = rcity_tiles_run_lit(run, worker->number, 0) + cell;
    for (int again = 0; again <= RCITY_TUBE_EVENT_MAX; again++) {
        int depths = run->bounce.rough.depth_count - again;
        worker->glows[again] =
            depths > 0 && rcity_tile_glow_make(lit, depths, run->bounce.rough.cell_count, scale, run->bounce.rough,
                                               worker->tile, &worker->glow[again]);
    }
    if (worker->glows[0]) {
        spread(worker);
    }
}

/* An rcity_parallel_function over tiles. */
static void glow_tiles(void *user, int64_t begin, int64_t end, int thread_index)
{
    glow_loop *loop = user;
    glow_worker *worker = &loop->workers[thread_index];
    const rcity_tiles_run *run = loop->run;
    for (int64_t i = loop->begin + begin; i < loop->begin + end; i++) {
        if (!rcity_tiles_run_is_rough(run, (int32_t)i)) {
            continue;
        }
        worker->number = (int32_t)i;
        worker->tile = run->prepared->tiling.tiles[i];
        for (int cell = 0; cell < run->bounce.rough.cell_count; cell++) {
            glow_cell(worker, cell);
        }
    }
}

static rcity_status open_workers(glow_loop *loop)
{
    rcity_tiles_run *run = loop->run;
    int threads = rcity_context_thread_count(run->context);
    int64_t room = rcity_tile_scan_room(run->prepared);
    int levels = RCITY_TUBE_EVENT_MAX + 1;
    RCITY_TRY(rcity_alloc(run->context, (size_t)threads, sizeof *loop->workers, "scattering", &loop->workers));
    RCITY_TRY(
        rcity_alloc(run->context, (size_t)threads * (size_t)levels * (size_t)room, 1, "scattering", &loop->flags));
    for (int i = 0; i < threads; i++) {
        loop->workers[i].run = run;
        loop->workers[i].job = rcity_tiles_run_glow_job(run);
        for (int k = 0; k < levels; k++) {
            loop->workers[i].scans[k].prepared = run->prepared;
            loop->workers[i].scans[k].flags = loop->flags + ((int64_t)i * levels + k) * room;
        }
    }
    return RCITY_OK;
}

rcity_status rcity_tiles_glow(rcity_tiles_run *run)
{
    glow_loop loop = {.run = run};
    int64_t count = run->prepared->tiling.tile_count;
    double start_s = rcity_clock_s();
    rcity_status status;
    if (run->lit == NULL) {
        return RCITY_OK;
    }
    RCITY_TRY_DONE(open_workers(&loop));
    for (loop.begin = 0; loop.begin < count; loop.begin += REPORTS) {
        int64_t rest = count - loop.begin;
        RCITY_TRY_DONE(rcity_progress(run->context, "scattering", (double)loop.begin, (double)count));
        rcity_parallel(run->context, rest < REPORTS ? rest : REPORTS, PIECE, glow_tiles, &loop);
    }
    for (int i = 0; i < rcity_context_thread_count(run->context); i++) {
        run->effort.scattered_count += loop.workers[i].ray_count;
        for (int k = 0; k <= RCITY_TUBE_EVENT_MAX; k++) {
            run->effort.test_count += loop.workers[i].scans[k].test_count;
        }
    }
    run->effort.scatter_s += rcity_clock_s() - start_s;
done:
    rcity_release(run->context, loop.flags);
    rcity_release(run->context, loop.workers);
    return status;
}

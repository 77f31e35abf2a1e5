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
    rcity_tile_scan scans[RCITY_TUBE_EVENT_MAX + 1]; /* by the number of reflections */
    int32_t number;
    rcity_tile tile;
    rcity_real3 centre;
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

static void add_power(const rcity_tiles_run *run, const glow_target *target, const rcity_tile_glow *glow, float theta,
                      float phi, float length_m, rcity_real3 travel)
{
    float power = theta * run->rx_share[0] + phi * run->rx_share[1];
    rcity_tile_sums_add_power(target->sums, target->scale, RCITY_TILE_SCATTERED, power, power * glow->isotropic,
                              length_m, travel.x, travel.y, travel.z);
}

/* Straight from the tile. A wave keeps its polarization: theta arrives as theta. */
static void send_straight(glow_worker *worker, const glow_target *target)
{
    const rcity_tiles_run *run = worker->run;
    const rcity_tile_glow *glow = &worker->glow[0];
    rcity_real3 leg = rcity_real3_subtract(target->to, worker->centre);
    float length_m = rcity_real3_length(leg);
    rcity_tile_reach reach = target->tile != NULL
                                 ? rcity_tile_glow_reach_tile(glow, run->rough, worker->tile, *target->tile)
                                 : rcity_tile_glow_reach(glow, run->rough, worker->tile, target->to);
    worker->ray_count++;
    if (reach.power > 0.0f) {
        add_power(run, target, glow, glow->theta * reach.power, glow->phi * reach.power, glow->length_m + length_m,
                  rcity_real3_scale(reach.flux, 1.0f / reach.power));
    }
}

/* What a tube from the tile brings to a place: theta and phi. Near the tile its solid angle is that of a disc of its
   area. @return false where it does not get there. */
static bool find_power(const glow_worker *worker, const rcity_tube *tube, rcity_real3 to, float power[2],
                       rcity_tile_channel *channel)
{
    const rcity_tiles_run *run = worker->run;
    const rcity_tile_glow *glow = &worker->glow[tube->event_count];
    float area_m2 = 4.0f * worker->tile.half_u * worker->tile.half_v;
    rcity_tile_path path;
    if (!rcity_tile_path_make(run->tiles, tube, worker->centre, to, &path)) {
        return false;
    }
    *channel = rcity_tile_channel_make(run->tiles, run->table, tube, &path);
    float square_m2 = channel->length_m * channel->length_m;
    float sent = rcity_tile_glow_pattern(glow, run->rough, worker->tile, channel->departure) * area_m2 * square_m2 /
                 (square_m2 + area_m2 / RCITY_PI);
    for (int i = 0; i < 2; i++) {
        power[i] = sent * (rcity_complex_square(channel->transfer.m[i][0]) * glow->theta +
                           rcity_complex_square(channel->transfer.m[i][1]) * glow->phi);
    }
    return true;
}

static void send_reflected(glow_worker *worker, const rcity_tube *tube, const glow_target *target)
{
    const rcity_tile_glow *glow = &worker->glow[tube->event_count];
    rcity_tile_channel channel;
    float power[2];
    worker->ray_count++;
    if (find_power(worker, tube, target->to, power, &channel)) {
        add_power(worker->run, target, glow, power[0], power[1], glow->length_m + channel.length_m, channel.arrival);
    }
}

/* May what was scattered be reflected again? */
static bool may_reflect(const glow_worker *worker, int reflection_count)
{
    return reflection_count < worker->run->limits.max_reflections && worker->glows[reflection_count + 1];
}

static void follow(glow_worker *worker, const rcity_tube *tube);

/* Reflect off a tile that is reached, where that is worth it. */
static void reflect(glow_worker *worker, const rcity_tube *tube, int32_t number)
{
    const rcity_tiles_run *run = worker->run;
    rcity_tile tile = run->prepared->tiling.tiles[number];
    rcity_real3 leg = rcity_real3_subtract(rcity_tile_centre(tile), rcity_real3_make(tube->sx, tube->sy, tube->sz));
    const rcity_tile_glow *glow = &worker->glow[tube->event_count + 1];
    float square_m2 = rcity_real3_dot(leg, leg);
    float whole = (glow->theta + glow->phi) * 4.0f * worker->tile.half_u * worker->tile.half_v * glow->per_lobe;
    if (whole >= run->limits.power_min * square_m2) {
        rcity_tube next = rcity_tube_reflect(*tube, tile, number);
        follow(worker, &next);
    }
}

static void take_tile(void *user, const rcity_tube *tube, int32_t number)
{
    glow_worker *worker = user;
    if (worker->run->tile_sums != NULL) {
        glow_target target = tile_target(worker->run, number);
        send_reflected(worker, tube, &target);
    }
    if (may_reflect(worker, tube->event_count)) {
        reflect(worker, tube, number);
    }
}

static void take_receiver(void *user, const rcity_tube *tube, int32_t number)
{
    glow_worker *worker = user;
    glow_target target = receiver_target(worker->run, number);
    send_reflected(worker, tube, &target);
}

static void follow(glow_worker *worker, const rcity_tube *tube)
{
    rcity_tile_takers takers = {worker, NULL, NULL, take_receiver};
    takers.tile = may_reflect(worker, tube->event_count) || worker->run->tile_sums != NULL ? take_tile : NULL;
    rcity_tile_scan_run(&worker->scans[tube->event_count], tube, &takers);
}

/* Everything that the tile sees: sums, and first reflections. */
static void spread(glow_worker *worker)
{
    const rcity_tiles_run *run = worker->run;
    const rcity_tile_matrix *matrix = run->prepared->matrix;
    const rcity_tile_views *views = &run->prepared->views;
    const uint16_t *column = matrix->column + matrix->row_first[worker->number];
    const uint32_t *end = matrix->chunk_end + (size_t)worker->number * (size_t)matrix->chunk_count;
    rcity_tube tube = rcity_tube_make(worker->centre);
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
                reflect(worker, &tube, number);
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
        int depths = run->rough.depth_count - again;
        worker->glows[again] = depths > 0 && rcity_tile_glow_make(lit, depths, run->rough.cell_count, scale, run->rough,
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
        worker->centre = rcity_tile_centre(worker->tile);
        for (int cell = 0; cell < run->rough.cell_count; cell++) {
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

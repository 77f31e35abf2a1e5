/* The bounce loop on the host: steps a to i of J. S. Lu et al. 2019, section III.E, each chain of tiles and edges to its
   end before the next one. Sums are whole numbers, so the threads may take the chains in any order. */
#include "base/parallel.h"
#include "method/tiles/tile_scan.h"
#include "method/tiles/tiles_legs.h"

#define PIECE   4    /* first tiles or edges of one thread at a time */
#define REPORTS 4096 /* of them between two reports of progress */

/* A thread's share of the run. */
typedef struct bounce_worker {
    rcity_tiles_run *run;
    rcity_tile_scan scans[RCITY_TUBE_EVENT_MAX + 1]; /* by the number of events */
    int thread_index;
    int64_t ray_count;
} bounce_worker;

typedef struct bounce_loop {
    rcity_tiles_run *run;
    bounce_worker *workers;
    uint8_t *flags;
    rcity_tube first; /* the transmitter's */
    const int32_t *items;
    bool are_edges;
    int64_t begin; /* of the items */
} bounce_loop;

static void follow(bounce_worker *worker, const rcity_tube *tube);

/* Does the path of a tube run through air? The transmitter sees what it reaches without any event. */
static bool is_free(const rcity_tiles_run *run, const rcity_tube *tube, const rcity_tile_path *path,
                    rcity_tile_place to)
{
    return tube->event_count == 0 || rcity_tiles_legs_are_free(run, tube, path, to);
}

/* A tube reached a tile: steps c and d, then f for a reflection. Where its path to the tile's centre is blocked, the
   tube goes on: those to places beside it may be free. */
static void take_tile(void *user, const rcity_tube *tube, int32_t number)
{
    bounce_worker *worker = user;
    rcity_tiles_run *run = worker->run;
    const rcity_tiling *tiling = &run->prepared->tiling;
    rcity_tile tile = tiling->tiles[number];
    rcity_tile_path path;
    rcity_tile_arrival ray;
    bool collects = rcity_tiles_run_collects(run, tube, number);
    bool may_reflect =
        rcity_tube_may_reflect(run->bounce.limits, tube) && !rcity_tube_comes_along(run->tiles, tube, tile);
    worker->ray_count++;
    if (!rcity_tile_path_make(run->tiles, tube, run->tx, rcity_tile_centre(tile), &path)) {
        return;
    }
    bool is_lit = (run->tile_sums != NULL || collects) && is_free(run, tube, &path, tiling->places[number]);
    if (!is_lit && !may_reflect) {
        return;
    }
    rcity_tile_arrive_along(run->tiles, run->table, run->bounce.link, run->ends.tx_table, tube, &path, 1, &ray);
    if (is_lit && run->tile_sums != NULL) {
        rcity_tile_sums_add_ray(&run->tile_sums[number], run->tile_scale[number], rcity_tube_class(tube), &ray);
    }
    if (is_lit && collects) {
        rcity_tile_light(run->bounce, run->faces[run->prepared->tile_face[number]], tile, run->tile_scale[number], &ray,
                         rcity_tiles_run_lit(run, number, tube->event_count));
    }
    if (may_reflect && rcity_tile_ray_goes_on(run->bounce.limits, &ray)) {
        rcity_tube next = rcity_tube_reflect(*tube, tile, number);
        follow(worker, &next);
    }
}

static void take_edge(void *user, const rcity_tube *tube, int32_t number)
{
    bounce_worker *worker = user;
    rcity_tiles_run *run = worker->run;
    rcity_tile_edge edge = run->prepared->tiling.edges[number];
    rcity_tile_arrival ray;
    worker->ray_count++;
    if (rcity_tile_arrive(run->tiles, run->table, run->bounce.link, run->ends.tx_table, tube,
                          rcity_tile_edge_middle(edge), 1, &ray) &&
        rcity_tile_ray_goes_on(run->bounce.limits, &ray)) {
        rcity_tube next = rcity_tube_diffract(*tube, edge, number);
        follow(worker, &next);
    }
}

static void keep_hit(bounce_worker *worker, const rcity_tube *tube, int32_t receiver)
{
    rcity_tiles_run *run = worker->run;
    rcity_tiles_hits *hits = &run->hits[worker->thread_index];
    rcity_status *status = &run->hit_status[worker->thread_index];
    if (*status == RCITY_OK) {
        *status =
            rcity_reserve(run->context, hits->count + 1, sizeof *hits->hits, &hits->capacity, "the paths", &hits->hits);
    }
    if (*status == RCITY_OK) {
        hits->hits[hits->count].receiver = receiver;
        hits->hits[hits->count++].tube = *tube;
    }
}

static void take_receiver(void *user, const rcity_tube *tube, int32_t number)
{
    bounce_worker *worker = user;
    rcity_tiles_run *run = worker->run;
    const float *at = &run->prepared->receivers.xyz_m[3 * (int64_t)number];
    rcity_tile_path path;
    rcity_tile_arrival ray;
    worker->ray_count++;
    if (!rcity_tile_path_make(run->tiles, tube, run->tx, rcity_real3_make(at[0], at[1], at[2]), &path) ||
        !is_free(run, tube, &path, run->prepared->receivers.places[number])) {
        return;
    }
    rcity_tile_arrive_along(run->tiles, run->table, run->bounce.link, run->ends.tx_table, tube, &path, 0, &ray);
    rcity_tile_sums_add_ray(&run->receiver_sums[number], run->receiver_scale[number], rcity_tube_class(tube), &ray);
    if (run->hits != NULL) {
        keep_hit(worker, tube, number);
    }
}

/* Steps g and h: what a tube reaches. Tiles are looked for where they reflect on, where they will scatter, or where
   their own sums are asked for. */
static void follow(bounce_worker *worker, const rcity_tube *tube)
{
    const rcity_tiles_run *run = worker->run;
    rcity_tile_takers takers = {worker, NULL, NULL, take_receiver};
    takers.tile = rcity_tube_needs_tiles(run->bounce, tube) ? take_tile : NULL;
    takers.edge = rcity_tube_may_diffract(run->bounce.limits, tube) ? take_edge : NULL;
    rcity_tile_scan_run(&worker->scans[tube->event_count], tube, &takers);
}

/* An rcity_parallel_function over first tiles or first edges. */
static void follow_first(void *user, int64_t begin, int64_t end, int thread_index)
{
    bounce_loop *loop = user;
    bounce_worker *worker = &loop->workers[thread_index];
    for (int64_t i = begin; i < end; i++) {
        int32_t item = loop->items[loop->begin + i];
        if (loop->are_edges) {
            take_edge(worker, &loop->first, item);
        } else {
            take_tile(worker, &loop->first, item);
        }
    }
}

/* All first tiles or edges, with progress in between. */
static rcity_status follow_all(bounce_loop *loop, const int32_t *items, int64_t count, bool are_edges, double done,
                               double total)
{
    rcity_context *context = loop->run->context;
    loop->items = items;
    loop->are_edges = are_edges;
    for (loop->begin = 0; loop->begin < count; loop->begin += REPORTS) {
        int64_t rest = count - loop->begin;
        RCITY_TRY(rcity_progress(context, "bouncing rays", done + (double)loop->begin, total));
        rcity_parallel(context, rest < REPORTS ? rest : REPORTS, PIECE, follow_first, loop);
    }
    return RCITY_OK;
}

static rcity_status open_workers(bounce_loop *loop)
{
    rcity_tiles_run *run = loop->run;
    int threads = rcity_context_thread_count(run->context);
    int64_t room = rcity_tile_scan_room(run->prepared);
    int levels = RCITY_TUBE_EVENT_MAX + 1;
    RCITY_TRY(rcity_alloc(run->context, (size_t)threads, sizeof *loop->workers, "bouncing rays", &loop->workers));
    RCITY_TRY(
        rcity_alloc(run->context, (size_t)threads * (size_t)levels * (size_t)room, 1, "bouncing rays", &loop->flags));
    for (int i = 0; i < threads; i++) {
        loop->workers[i].run = run;
        loop->workers[i].thread_index = i;
        for (int k = 0; k < levels; k++) {
            loop->workers[i].scans[k].prepared = run->prepared;
            loop->workers[i].scans[k].flags = loop->flags + ((int64_t)i * levels + k) * room;
        }
    }
    return RCITY_OK;
}

rcity_status rcity_tiles_list_far(rcity_tiles_run *run, int32_t **tiles, int64_t *count)
{
    const rcity_tiles_traced *traced = run->traced;
    RCITY_TRY(rcity_alloc(run->context, (size_t)traced->tile_count + 1, sizeof **tiles, "tiles in sight", tiles));
    *count = 0;
    for (int32_t i = 0; i < traced->tile_count; i++) {
        if (run->tile_scale[traced->tiles[i]].distance_m >= run->bounce.limits.far_m) {
            (*tiles)[(*count)++] = traced->tiles[i];
        }
    }
    run->effort.near_count = traced->tile_count - *count;
    return RCITY_OK;
}

static void take_direct_receivers(bounce_loop *loop)
{
    const rcity_tiles_run *run = loop->run;
    for (int64_t i = 0; i < run->prepared->receivers.open_count; i++) {
        if (run->traced->sees_receiver[i]) {
            take_receiver(&loop->workers[0], &loop->first, (int32_t)i);
        }
    }
}

static void count_effort(bounce_loop *loop)
{
    rcity_tiles_run *run = loop->run;
    for (int i = 0; i < rcity_context_thread_count(run->context); i++) {
        run->effort.ray_count += loop->workers[i].ray_count;
        for (int k = 0; k <= RCITY_TUBE_EVENT_MAX; k++) {
            run->effort.test_count += loop->workers[i].scans[k].test_count;
        }
    }
}

rcity_status rcity_tiles_bounce(rcity_tiles_run *run)
{
    const rcity_tiles_traced *traced = run->traced;
    bounce_loop loop = {.run = run, .first = rcity_tube_make(run->tx)};
    int32_t *far_tiles = NULL;
    int64_t far_count = 0;
    double start_s = rcity_clock_s();
    rcity_status status;
    RCITY_TRY_DONE(open_workers(&loop));
    RCITY_TRY_DONE(rcity_tiles_list_far(run, &far_tiles, &far_count));
    double total = (double)far_count + (double)traced->edge_count;
    take_direct_receivers(&loop);
    RCITY_TRY_DONE(follow_all(&loop, far_tiles, far_count, false, 0.0, total));
    if (rcity_tube_may_diffract(run->bounce.limits, &loop.first)) {
        RCITY_TRY_DONE(follow_all(&loop, traced->edges, traced->edge_count, true, (double)far_count, total));
    }
    count_effort(&loop);
    for (int i = 0; run->hits != NULL && i < run->thread_count && status == RCITY_OK; i++) {
        status = run->hit_status[i];
    }
    run->effort.bounce_s += rcity_clock_s() - start_s;
done:
    rcity_release(run->context, far_tiles);
    rcity_release(run->context, loop.flags);
    rcity_release(run->context, loop.workers);
    return status;
}

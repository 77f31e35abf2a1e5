/* Corner by corner: those that a source sees, then those that each of them sees. What a corner sees does not depend on how it was
   reached, so it is found once. */
#include "method/shadow/canyon.h"

#include <stdatomic.h>
#include <string.h>

#include "base/parallel.h"
#include "kernel/shadow/corner_way.h"

/* A trace while it runs. */
typedef struct canyon_run {
    rcity_context *context;
    const rcity_los_plane *plane;
    rcity_canyon_tracer *tracer;
    rcity_canyon_chains chains;
    uint64_t *lit; /* of the source; those of corners are in the tracer */
    size_t first;  /* view of this round */
    bool finds_corners;
    atomic_int status;
} canyon_run;

void rcity_canyon_deinit(rcity_context *context, rcity_canyon *canyon)
{
    rcity_release(context, canyon->first);
    rcity_release(context, canyon->ways);
    rcity_release(context, canyon->nodes);
    memset(canyon, 0, sizeof *canyon);
}

/* The corners that a view sees, in the order of their numbers. */
static rcity_status find_corners(canyon_run *run, const rcity_los_worker *worker, uint32_t since, size_t view)
{
    const rcity_los_plane *plane = run->plane;
    const rcity_canyon_corners *corners = &run->tracer->corners;
    rcity_grid_point3 from = run->chains.views[view].at;
    bool is_swept = rcity_los_choose_mode(plane, from) == RCITY_LOS_SHADOWS;
    for (int32_t i = 0; i < plane->wall_count; i++) {
        const rcity_los_wall *wall = &plane->walls[i];
        if (is_swept && worker->seen[i] <= since) {
            continue; /* a wall that the sweep did not meet lies in the dark, and so do its ends */
        }
        if (wall->a < 0 || !corners->is_open[wall->a]) {
            continue;
        }
        const rcity_los_wall *last = &plane->walls[corners->wall_before[wall->a]];
        rcity_grid_point before = {last->ax, last->ay};
        rcity_grid_point at = {wall->ax, wall->ay};
        rcity_grid_point after = {wall->bx, wall->by};
        int32_t height = rcity_canyon_height(corners, run->chains.source, wall->a);
        if (rcity_canyon_is_corner(plane->sight, from, before, at, after, height)) {
            RCITY_TRY(rcity_canyon_chains_see(&run->chains, view, wall->a));
        }
    }
    return RCITY_OK;
}

static size_t mask_words(const canyon_run *run)
{
    return run->plane->row_words * (size_t)run->plane->row_count;
}

static uint64_t *lit_of(const canyon_run *run, size_t view)
{
    return view == 0 ? run->lit : run->tracer->masks + (view - 1) * mask_words(run);
}

static rcity_status look(canyon_run *run, rcity_los_worker *worker, size_t view)
{
    uint32_t since = worker->half;
    RCITY_TRY(rcity_los_trace(run->context, run->plane, worker, run->chains.views[view].at, lit_of(run, view)));
    return run->finds_corners ? find_corners(run, worker, since, view) : RCITY_OK;
}

static void look_around(void *user, int64_t begin, int64_t end, int thread_index)
{
    canyon_run *run = user;
    for (int64_t i = begin; i < end; i++) {
        rcity_status status = look(run, &run->tracer->workers[thread_index], run->first + (size_t)i);
        int none = RCITY_OK;
        if (status != RCITY_OK) {
            atomic_compare_exchange_strong(&run->status, &none, (int)status);
        }
    }
}

static rcity_status look_from(canyon_run *run, size_t first, bool finds_corners)
{
    RCITY_TRY(rcity_reserve(run->context, run->chains.view_count * mask_words(run), sizeof *run->tracer->masks,
                            &run->tracer->mask_capacity, "what corners see", &run->tracer->masks));
    run->first = first;
    run->finds_corners = finds_corners;
    rcity_parallel(run->context, (int64_t)(run->chains.view_count - first), 1, look_around, run);
    return (rcity_status)atomic_load(&run->status);
}

/* What the last corner of a chain sees, and neither the source nor the corner before, in one word of the masks. */
static uint64_t way_bits(const canyon_run *run, const rcity_canyon *canyon, const rcity_canyon_node *node, size_t word)
{
    const int32_t *view_of = run->tracer->corners.view_of;
    uint64_t seen = run->lit[word];
    if (node->parent >= 0) {
        seen |= lit_of(run, (size_t)view_of[canyon->nodes[node->parent].corner])[word];
    }
    return lit_of(run, (size_t)view_of[node->corner])[word] & ~seen;
}

/* Ways are made chain by chain over the threads, each with its pixel, then put in the order of the pixels. */
typedef struct loose_way {
    int32_t pixel;
    rcity_canyon_way way;
} loose_way;

typedef struct way_work {
    const canyon_run *run;
    const rcity_canyon *canyon;
    size_t *first; /* loose way of each chain, and one more */
    loose_way *ways;
} way_work;

static void count_ways(void *user, int64_t begin, int64_t end, int thread_index)
{
    (void)thread_index;
    way_work *work = user;
    for (int64_t i = begin; i < end; i++) {
        size_t count = 0;
        for (size_t word = 0; word < mask_words(work->run); word++) {
            count += (size_t)__builtin_popcountll(way_bits(work->run, work->canyon, &work->canyon->nodes[i], word));
        }
        work->first[i + 1] = count;
    }
}

static void make_ways(void *user, int64_t begin, int64_t end, int thread_index)
{
    (void)thread_index;
    way_work *work = user;
    const rcity_los_plane *plane = work->run->plane;
    const float unit_m = 1.0f / (float)plane->shapes->units_per_m;
    for (int64_t i = begin; i < end; i++) {
        const rcity_canyon_node *node = &work->canyon->nodes[i];
        loose_way *way = work->ways + work->first[i];
        rcity_corner_leg leg = rcity_canyon_leg(node);
        for (size_t word = 0; word < mask_words(work->run); word++) {
            int32_t row = (int32_t)(word / plane->row_words);
            float dy = (float)(plane->y[row] - node->at.y) * unit_m;
            for (uint64_t bits = way_bits(work->run, work->canyon, node, word); bits != 0; bits &= bits - 1) {
                int32_t column = (int32_t)(word % plane->row_words * 64) + __builtin_ctzll(bits);
                float dx = (float)(plane->x[column] - node->at.x) * unit_m;
                int32_t rise = rcity_los_plane_pixel(plane, column, row).z - work->run->chains.source.z;
                way->pixel = row * plane->column_count + column;
                way->way =
                    rcity_canyon_way_make((int32_t)i, &leg, dx, dy, (float)rise / (float)RCITY_HEIGHT_UNITS_PER_M);
                way++;
            }
        }
    }
}

/* Put the ways in the order of their pixels; of one pixel they stay in the order of their chains. */
static rcity_status sort_ways(const canyon_run *run, const way_work *work, size_t count, rcity_canyon *canyon)
{
    size_t pixels = (size_t)run->plane->row_count * (size_t)run->plane->column_count;
    RCITY_TRY(rcity_reserve(run->context, pixels + 2, sizeof *canyon->first, &canyon->first_capacity,
                            "ways around corners", &canyon->first));
    RCITY_TRY(rcity_reserve(run->context, count, sizeof *canyon->ways, &canyon->way_capacity, "ways around corners",
                            &canyon->ways));
    memset(canyon->first, 0, (pixels + 2) * sizeof *canyon->first);
    for (size_t i = 0; i < count; i++) {
        canyon->first[work->ways[i].pixel + 2]++;
    }
    for (size_t i = 2; i < pixels + 2; i++) {
        canyon->first[i] += canyon->first[i - 1];
    }
    for (size_t i = 0; i < count; i++) {
        canyon->ways[canyon->first[work->ways[i].pixel + 1]++] = work->ways[i].way;
    }
    canyon->way_count = count;
    return RCITY_OK;
}

static rcity_status add_ways(const canyon_run *run, rcity_canyon *canyon)
{
    way_work work = {run, canyon, NULL, NULL};
    rcity_status status;
    RCITY_TRY_DONE(
        rcity_alloc(run->context, canyon->node_count + 1, sizeof *work.first, "ways around corners", &work.first));
    rcity_parallel(run->context, (int64_t)canyon->node_count, 1, count_ways, &work);
    for (size_t i = 0; i < canyon->node_count; i++) {
        work.first[i + 1] += work.first[i];
    }
    size_t count = work.first[canyon->node_count];
    RCITY_TRY_DONE(rcity_alloc(run->context, count + 1, sizeof *work.ways, "ways around corners", &work.ways));
    rcity_parallel(run->context, (int64_t)canyon->node_count, 1, make_ways, &work);
    status = sort_ways(run, &work, count, canyon);
done:
    rcity_release(run->context, work.ways);
    rcity_release(run->context, work.first);
    return status;
}

rcity_status rcity_canyon_tracer_init(rcity_context *context, const rcity_los_plane *plane, rcity_canyon_tracer *tracer)
{
    int thread_count = rcity_context_thread_count(context);
    memset(tracer, 0, sizeof *tracer);
    tracer->plane = plane;
    rcity_status status;
    RCITY_TRY_DONE(rcity_canyon_corners_init(context, plane, &tracer->corners));
    RCITY_TRY_DONE(rcity_alloc(context, (size_t)thread_count, sizeof *tracer->workers, "shadows", &tracer->workers));
    for (int i = 0; i < thread_count; i++) {
        RCITY_TRY_DONE(rcity_los_worker_init(context, plane, &tracer->workers[i]));
        tracer->workers[i].looks_beyond = true; /* a corner outside of the raster may light pixels inside */
    }
done:
    if (status != RCITY_OK) {
        rcity_canyon_tracer_deinit(context, tracer);
    }
    return status;
}

void rcity_canyon_tracer_deinit(rcity_context *context, rcity_canyon_tracer *tracer)
{
    int thread_count = rcity_context_thread_count(context);
    for (int i = 0; tracer->workers != NULL && i < thread_count; i++) {
        rcity_los_worker_deinit(context, &tracer->workers[i]);
    }
    rcity_release(context, tracer->masks);
    rcity_release(context, tracer->workers);
    rcity_canyon_corners_deinit(context, &tracer->corners);
    memset(tracer, 0, sizeof *tracer);
}

rcity_status rcity_canyon_trace(rcity_context *context, rcity_canyon_tracer *tracer, rcity_grid_point3 source,
                                int order, uint64_t *lit, rcity_canyon *canyon)
{
    canyon_run run;
    memset(&run, 0, sizeof run);
    run.context = context;
    run.tracer = tracer;
    run.plane = tracer->plane;
    run.lit = lit;
    atomic_init(&run.status, RCITY_OK);
    canyon->node_count = 0;
    canyon->way_count = 0;
    rcity_status status;
    RCITY_TRY(rcity_canyon_chains_begin(context, &tracer->corners, source, &run.chains));
    RCITY_TRY_DONE(look_from(&run, 0, order > 0));
    for (int turn = 1; turn <= order; turn++) {
        size_t first_view = run.chains.view_count;
        RCITY_TRY_DONE(rcity_canyon_chains_extend(&run.chains, canyon));
        RCITY_TRY_DONE(look_from(&run, first_view, turn < order));
    }
    RCITY_TRY_DONE(add_ways(&run, canyon));
    canyon->raster_count = run.chains.view_count;
done:
    rcity_canyon_chains_end(&run.chains);
    return status;
}

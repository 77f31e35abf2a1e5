/* Corner by corner: those that a source sees, then those that each of them sees. What a corner sees does not depend on how it was
   reached, so it is found once. */
#include "method/shadow/corners/canyon.h"

#include <stdatomic.h>
#include <string.h>

#include "base/parallel.h"
#include "method/shadow/corners/canyon_ways.h"

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

static rcity_status add_ways(const canyon_run *run, rcity_canyon *canyon)
{
    const int32_t *view_of = run->tracer->view_of;
    rcity_canyon_sight *sights = NULL;
    RCITY_TRY(rcity_alloc(run->context, canyon->node_count + 1, sizeof *sights, "ways around corners", &sights));
    for (size_t i = 0; i < canyon->node_count; i++) {
        const rcity_canyon_node *node = &canyon->nodes[i];
        const uint64_t *before =
            node->parent >= 0 ? lit_of(run, (size_t)view_of[canyon->nodes[node->parent].corner]) : NULL;
        sights[i] = (rcity_canyon_sight){lit_of(run, (size_t)view_of[node->corner]), before};
    }
    rcity_status status =
        rcity_canyon_make_ways(run->context, run->plane, run->chains.source, run->lit, sights, canyon);
    rcity_release(run->context, sights);
    return status;
}

rcity_status rcity_canyon_tracer_init(rcity_context *context, const rcity_los_plane *plane, rcity_canyon_tracer *tracer)
{
    int thread_count = rcity_context_thread_count(context);
    memset(tracer, 0, sizeof *tracer);
    tracer->plane = plane;
    rcity_status status;
    RCITY_TRY_DONE(rcity_canyon_corners_init(context, plane, &tracer->corners));
    RCITY_TRY_DONE(rcity_canyon_corners_alloc_views(context, &tracer->corners, &tracer->view_of));
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
    rcity_release(context, tracer->view_of);
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
    RCITY_TRY(rcity_canyon_chains_begin(context, &tracer->corners, tracer->view_of, source, &run.chains));
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

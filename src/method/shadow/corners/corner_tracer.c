/* Corner by corner: those that a source sees, then those that each of them sees. What a corner sees does not depend on
   how it was reached, so it is found once. */
#include "method/shadow/corners/corner_tracer.h"

#include <stdatomic.h>
#include <string.h>

#include "base/parallel.h"
#include "method/shadow/corners/corner_paths.h"

/* The corners for a source that is lower than the receivers: also those of buildings between the two heights, which the
   receivers' plane leaves out. */
typedef struct rcity_low_corners {
    rcity_los_plane plane; /* at the source's level */
    rcity_corner_table corners;
} rcity_low_corners;

/* A trace in progress. */
typedef struct corner_run {
    rcity_context *context;
    const rcity_los_plane *plane;
    rcity_corner_tracer *tracer;
    const rcity_corner_table *corners; /* for this source */
    rcity_corner_chains chains;
    uint64_t *visible; /* of the source; those of corners are in the tracer */
    size_t first;      /* view of this round */
    bool finds_corners;
    atomic_int status;
} corner_run;

void rcity_corner_paths_deinit(rcity_context *context, rcity_corner_paths *corner_paths)
{
    rcity_release(context, corner_paths->first);
    rcity_release(context, corner_paths->paths);
    rcity_release(context, corner_paths->nodes);
    memset(corner_paths, 0, sizeof *corner_paths);
}

/* The corners that a view sees, in the order of their numbers. */
static rcity_status find_corners(corner_run *run, const rcity_los_worker *worker, uint32_t since, size_t view)
{
    const rcity_corner_table *corners = run->corners;
    const rcity_los_plane *plane = corners->plane;
    rcity_grid_point3 from = run->chains.views[view].at;
    bool is_swept = plane == run->plane && rcity_los_choose_mode(plane, from) == RCITY_LOS_SHADOWS;
    for (int32_t i = 0; i < plane->wall_count; i++) {
        const rcity_los_wall *wall = &plane->walls[i];
        if (is_swept && worker->seen[i] <= since) {
            continue; /* a wall that the sweep did not meet is hidden, and so are its ends */
        }
        if (wall->a < 0 || !corners->is_open[wall->a]) {
            continue;
        }
        rcity_corner_place corner = rcity_corner_table_place(corners, wall->a);
        int32_t height = rcity_corner_height(corner.ground, corner.top, run->chains.step);
        if (rcity_corner_table_has(plane->sight, from, &corner, height)) {
            RCITY_TRY(rcity_corner_chains_see(&run->chains, view, wall->a));
        }
    }
    return RCITY_OK;
}

static size_t mask_words(const corner_run *run)
{
    return run->plane->row_words * (size_t)run->plane->row_count;
}

static uint64_t *visible_of(const corner_run *run, size_t view)
{
    return view == 0 ? run->visible : run->tracer->masks + (view - 1) * mask_words(run);
}

/* A corner's mask keeps only the pixels that it diffracts to. */
static void clip_fan(const rcity_los_plane *plane, const rcity_corner_place *corner, uint64_t *mask)
{
    for (int32_t row = 0; row < plane->row_count; row++) {
        for (int32_t column = 0; column < plane->column_count; column += 32) {
            uint64_t *word = &mask[(size_t)row * plane->row_words + (size_t)column / 64];
            uint64_t half = (uint64_t)UINT32_MAX << (column % 64);
            if ((*word & half) != 0) {
                int32_t count = plane->column_count - column < 32 ? plane->column_count - column : 32;
                uint64_t kept = rcity_corner_fan_word(corner, plane->x + column, count, plane->y[row]);
                *word &= (kept << (column % 64)) | ~half;
            }
        }
    }
}

static rcity_status look(corner_run *run, rcity_los_worker *worker, size_t view)
{
    uint32_t since = worker->half;
    RCITY_TRY(rcity_los_trace(run->context, run->plane, worker, run->chains.views[view].at, visible_of(run, view)));
    if (run->chains.views[view].corner >= 0) {
        clip_fan(run->plane, &run->chains.views[view].outline, visible_of(run, view));
    }
    return run->finds_corners ? find_corners(run, worker, since, view) : RCITY_OK;
}

static void look_around(void *user, int64_t begin, int64_t end, int thread_index)
{
    corner_run *run = user;
    for (int64_t i = begin; i < end; i++) {
        rcity_status status = look(run, &run->tracer->workers[thread_index], run->first + (size_t)i);
        int none = RCITY_OK;
        if (status != RCITY_OK) {
            atomic_compare_exchange_strong(&run->status, &none, (int)status);
        }
    }
}

static rcity_status look_from(corner_run *run, size_t first, bool finds_corners)
{
    RCITY_TRY(rcity_reserve(run->context, run->chains.view_count * mask_words(run), sizeof *run->tracer->masks,
                            &run->tracer->mask_capacity, "what corners see", &run->tracer->masks));
    run->first = first;
    run->finds_corners = finds_corners;
    rcity_parallel(run->context, (int64_t)(run->chains.view_count - first), 1, look_around, run);
    return (rcity_status)atomic_load(&run->status);
}

static rcity_status add_paths(const corner_run *run, rcity_corner_paths *corner_paths)
{
    const int32_t *view_of = run->tracer->view_of;
    rcity_corner_sight *sights = NULL;
    RCITY_TRY(rcity_alloc(run->context, corner_paths->node_count + 1, sizeof *sights, "paths around corners", &sights));
    for (size_t i = 0; i < corner_paths->node_count; i++) {
        const rcity_corner_node *node = &corner_paths->nodes[i];
        const uint64_t *before =
            node->parent >= 0 ? visible_of(run, (size_t)view_of[corner_paths->nodes[node->parent].corner]) : NULL;
        sights[i] = (rcity_corner_sight){visible_of(run, (size_t)view_of[node->corner]), before};
    }
    rcity_status status =
        rcity_corner_paths_make(run->context, run->plane, run->chains.source, run->visible, sights, corner_paths);
    rcity_release(run->context, sights);
    return status;
}

rcity_status rcity_corner_tracer_init(rcity_context *context, const rcity_los_plane *plane, rcity_corner_tracer *tracer)
{
    int thread_count = rcity_context_thread_count(context);
    memset(tracer, 0, sizeof *tracer);
    tracer->plane = plane;
    rcity_status status;
    RCITY_TRY_DONE(rcity_corner_table_init(context, plane, &tracer->corners));
    RCITY_TRY_DONE(rcity_corner_corners_alloc_views(context, &tracer->corners, &tracer->view_of));
    RCITY_TRY_DONE(rcity_alloc(context, (size_t)thread_count, sizeof *tracer->workers, "shadows", &tracer->workers));
    for (int i = 0; i < thread_count; i++) {
        RCITY_TRY_DONE(rcity_los_worker_init(context, plane, &tracer->workers[i]));
        tracer->workers[i].looks_beyond = true; /* a corner outside of the raster may see pixels inside */
    }
done:
    if (status != RCITY_OK) {
        rcity_corner_tracer_deinit(context, tracer);
    }
    return status;
}

static void release_low(rcity_context *context, rcity_low_corners **low)
{
    if (*low != NULL) {
        rcity_corner_table_deinit(context, &(*low)->corners);
        rcity_los_plane_deinit(context, &(*low)->plane);
        rcity_release(context, *low);
        *low = NULL;
    }
}

void rcity_corner_tracer_deinit(rcity_context *context, rcity_corner_tracer *tracer)
{
    int thread_count = rcity_context_thread_count(context);
    for (int i = 0; tracer->workers != NULL && i < thread_count; i++) {
        rcity_los_worker_deinit(context, &tracer->workers[i]);
    }
    release_low(context, &tracer->low);
    rcity_release(context, tracer->masks);
    rcity_release(context, tracer->workers);
    rcity_release(context, tracer->view_of);
    rcity_corner_table_deinit(context, &tracer->corners);
    memset(tracer, 0, sizeof *tracer);
}

/* The corners of a source: those of the plane, or of a plane at its own level, kept for the next source as low. */
static rcity_status choose_corners(rcity_context *context, rcity_corner_tracer *tracer, rcity_grid_point3 source,
                                   const rcity_corner_table **corners)
{
    const rcity_los_plane *plane = tracer->plane;
    int32_t level = rcity_corner_level(plane->shapes, source);
    *corners = &tracer->corners;
    if (level >= plane->level) {
        return RCITY_OK;
    }
    if (tracer->low != NULL && tracer->low->plane.level != level) {
        release_low(context, &tracer->low);
    }
    if (tracer->low == NULL) {
        RCITY_TRY(rcity_alloc(context, 1, sizeof *tracer->low, "corners", &tracer->low));
        rcity_status status = rcity_corner_plane_init(context, plane->sight, level, &tracer->low->plane);
        if (status == RCITY_OK) {
            status = rcity_corner_table_init(context, &tracer->low->plane, &tracer->low->corners);
        }
        if (status != RCITY_OK) {
            release_low(context, &tracer->low);
            return status;
        }
    }
    *corners = &tracer->low->corners;
    return RCITY_OK;
}

rcity_status rcity_corner_tracer_trace(rcity_context *context, rcity_corner_tracer *tracer, rcity_grid_point3 source,
                                       int order, uint64_t *visible, rcity_corner_paths *corner_paths)
{
    corner_run run;
    memset(&run, 0, sizeof run);
    run.context = context;
    run.tracer = tracer;
    run.plane = tracer->plane;
    run.visible = visible;
    atomic_init(&run.status, RCITY_OK);
    corner_paths->node_count = 0;
    corner_paths->path_count = 0;
    rcity_status status;
    run.corners = &tracer->corners;
    if (order > 0) {
        RCITY_TRY(choose_corners(context, tracer, source, &run.corners));
    }
    RCITY_TRY(rcity_corner_chains_begin(context, run.corners, tracer->view_of, source, &run.chains));
    RCITY_TRY_DONE(look_from(&run, 0, order > 0));
    for (int turn = 1; turn <= order; turn++) {
        size_t first_view = run.chains.view_count;
        RCITY_TRY_DONE(rcity_corner_chains_extend(&run.chains, corner_paths));
        RCITY_TRY_DONE(look_from(&run, first_view, turn < order));
    }
    RCITY_TRY_DONE(add_paths(&run, corner_paths));
    corner_paths->raster_count = run.chains.view_count;
done:
    rcity_corner_chains_end(&run.chains);
    return status;
}

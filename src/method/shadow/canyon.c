/* Corner by corner: those that a source sees, then those that each of them sees. What a corner sees does not depend on how it was
   reached, so it is found once. */
#include "method/shadow/canyon.h"

#include <assert.h>
#include <math.h>
#include <stdatomic.h>
#include <string.h>

#include "base/parallel.h"
#include "method/shadow/corner_span.h"
#include "scene/place/terrain.h"

/* A corner of the city that a source bends around, and what it sees. */
typedef struct corner_view {
    int32_t corner;
    rcity_grid_point3 at;
    uint64_t *lit;
    int32_t *corners; /* that it sees in turn; only where asked for */
    size_t corner_count, corner_capacity;
} corner_view;

/* A trace while it runs. */
typedef struct canyon_run {
    rcity_context *context;
    const rcity_los_plane *plane;
    rcity_grid_point3 source;
    size_t view_count, view_capacity;
    corner_view *views; /* the source's own is the first */
    rcity_canyon_tracer *tracer;
    size_t first; /* view of this round */
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

int32_t rcity_canyon_rung(int32_t level)
{
    int32_t rung = 2 * RCITY_HEIGHT_UNITS_PER_M;
    while (rung <= level && rung < RCITY_CANYON_RUNG_MAX) {
        rung *= 2;
    }
    return rung;
}

int32_t rcity_canyon_height(const rcity_los_plane *plane, rcity_grid_point3 source, rcity_grid_point corner,
                            int32_t roof)
{
    if (source.z <= roof) {
        return source.z - 1; /* a unit below: a line along a roof's rim touches, it does not pass */
    }
    int32_t foot = rcity_canyon_rung(plane->level);
    if (plane->z != NULL && rcity_terrain_contains(&plane->shapes->terrain, corner.x, corner.y)) {
        double ground = rcity_terrain_height(&plane->shapes->terrain, corner.x, corner.y);
        foot = rcity_terrain_snap_height(&plane->shapes->terrain, corner.x, corner.y, ground + foot);
    }
    return foot < roof ? foot : roof - 1;
}

/* Does the source lie on the solid's side of a wall p -> q, so that the wall turns away from it? */
static bool turns_away(rcity_grid_point p, rcity_grid_point q, rcity_grid_point3 source)
{
    return ((int64_t)q.x - p.x) * ((int64_t)source.y - p.y) - ((int64_t)q.y - p.y) * ((int64_t)source.x - p.x) > 0;
}

bool rcity_canyon_is_corner(const rcity_sight *sight, rcity_grid_point3 source, rcity_grid_point before,
                            rcity_grid_point at, rcity_grid_point after, int32_t height)
{
    if ((at.x == source.x && at.y == source.y) || turns_away(before, at, source) == turns_away(at, after, source)) {
        return false;
    }
    return rcity_sight_is_free(sight, source, (rcity_grid_point3){at.x, at.y, height});
}

/* The corners that a view sees, in the order of their numbers. */
static rcity_status find_corners(canyon_run *run, const rcity_los_worker *worker, uint32_t since, corner_view *view)
{
    const rcity_los_plane *plane = run->plane;
    bool is_swept = rcity_los_choose_mode(plane, view->at) == RCITY_LOS_SHADOWS;
    for (int32_t i = 0; i < plane->wall_count; i++) {
        const rcity_los_wall *wall = &plane->walls[i];
        if (is_swept && worker->seen[i] <= since) {
            continue; /* a wall that the sweep did not meet lies in the dark, and so do its ends */
        }
        if (wall->a < 0 || !run->tracer->is_open[wall->a]) {
            continue;
        }
        const rcity_los_wall *last = &plane->walls[run->tracer->wall_before[wall->a]];
        rcity_grid_point before = {last->ax, last->ay};
        rcity_grid_point at = {wall->ax, wall->ay};
        rcity_grid_point after = {wall->bx, wall->by};
        int32_t height = rcity_canyon_height(plane, run->source, at, wall->roof);
        if (rcity_canyon_is_corner(plane->sight, view->at, before, at, after, height)) {
            RCITY_TRY(rcity_reserve(run->context, view->corner_count + 1, sizeof *view->corners, &view->corner_capacity,
                                    "corners", &view->corners));
            view->corners[view->corner_count++] = wall->a;
        }
    }
    return RCITY_OK;
}

static rcity_status look(canyon_run *run, rcity_los_worker *worker, corner_view *view)
{
    uint32_t since = worker->half;
    RCITY_TRY(rcity_los_trace(run->context, run->plane, worker, view->at, view->lit));
    return run->finds_corners ? find_corners(run, worker, since, view) : RCITY_OK;
}

static void look_around(void *user, int64_t begin, int64_t end, int thread_index)
{
    canyon_run *run = user;
    for (int64_t i = begin; i < end; i++) {
        rcity_status status = look(run, &run->tracer->workers[thread_index], &run->views[run->first + (size_t)i]);
        int none = RCITY_OK;
        if (status != RCITY_OK) {
            atomic_compare_exchange_strong(&run->status, &none, (int)status);
        }
    }
}

/* Add a corner's view, if it is new. */
static rcity_status add_view(canyon_run *run, int32_t corner)
{
    if (run->tracer->view_of[corner] >= 0) {
        return RCITY_OK;
    }
    RCITY_TRY(rcity_reserve(run->context, run->view_count + 1, sizeof *run->views, &run->view_capacity, "corners",
                            &run->views));
    const rcity_los_wall *wall = &run->plane->walls[run->tracer->wall_after[corner]];
    corner_view view; /* what it sees is found with the others of its round */
    memset(&view, 0, sizeof view);
    view.corner = corner;
    rcity_grid_point at = {wall->ax, wall->ay};
    view.at = (rcity_grid_point3){wall->ax, wall->ay, rcity_canyon_height(run->plane, run->source, at, wall->roof)};
    run->tracer->view_of[corner] = (int32_t)run->view_count;
    run->views[run->view_count++] = view;
    return RCITY_OK;
}

static double metres_between(const rcity_shapes *shapes, rcity_grid_point3 a, rcity_grid_point3 b, double *dx,
                             double *dy)
{
    double x = ((double)b.x - a.x) / shapes->units_per_m;
    double y = ((double)b.y - a.y) / shapes->units_per_m;
    double length = hypot(x, y);
    *dx = length > 0.0 ? x / length : 0.0;
    *dy = length > 0.0 ? y / length : 0.0;
    return length;
}

/* One chain more, to a corner seen from the end of another; -1: from the source. */
static rcity_status add_node(const canyon_run *run, int32_t parent, int32_t corner, rcity_canyon *canyon)
{
    RCITY_TRY(rcity_reserve(run->context, canyon->node_count + 1, sizeof *canyon->nodes, &canyon->node_capacity,
                            "chains of corners", &canyon->nodes));
    assert(canyon->nodes != NULL);
    const rcity_canyon_node *before = parent >= 0 ? &canyon->nodes[parent] : NULL;
    rcity_canyon_node node;
    memset(&node, 0, sizeof node);
    node.parent = parent;
    node.corner = corner;
    node.at = run->views[run->tracer->view_of[corner]].at;
    node.leg_m =
        metres_between(run->plane->shapes, before != NULL ? before->at : run->source, node.at, &node.dx, &node.dy);
    if (before == NULL) {
        node.order = 1;
        node.turns.length_m = (float)node.leg_m;
        node.azimuth_dx = (float)node.dx;
        node.azimuth_dy = (float)node.dy;
    } else {
        double angle = acos(fmin(fmax(before->dx * node.dx + before->dy * node.dy, -1.0), 1.0));
        node.order = before->order + 1;
        node.turns = before->turns;
        node.turns.length_m += (float)node.leg_m;
        node.turns.count++;
        node.turns.angle_sum_rad += (float)angle;
        node.turns.angle_square_sum_rad2 += (float)(angle * angle);
        node.turns.log_way_sum += (float)log10(before->leg_m * node.leg_m / (before->leg_m + node.leg_m));
        node.azimuth_dx = before->azimuth_dx;
        node.azimuth_dy = before->azimuth_dy;
    }
    canyon->nodes[canyon->node_count++] = node;
    return RCITY_OK;
}

/* The chains of one order more. A corner that the chain has seen before, from its source or an earlier corner, is reached more
   shortly: that way is a chain of its own. */
static rcity_status extend(canyon_run *run, size_t first, size_t end, rcity_canyon *canyon)
{
    for (size_t i = first; i < end; i++) {
        const corner_view *view = &run->views[run->tracer->view_of[canyon->nodes[i].corner]];
        for (size_t k = 0; k < view->corner_count; k++) {
            bool is_seen = false;
            for (int32_t at = canyon->nodes[i].parent, turn = 0; turn < canyon->nodes[i].order && !is_seen; turn++) {
                const corner_view *earlier =
                    at >= 0 ? &run->views[run->tracer->view_of[canyon->nodes[at].corner]] : &run->views[0];
                for (size_t j = 0; j < earlier->corner_count; j++) {
                    is_seen = is_seen || earlier->corners[j] == view->corners[k];
                }
                at = at >= 0 ? canyon->nodes[at].parent : -1;
            }
            if (!is_seen) {
                RCITY_TRY(add_view(run, view->corners[k]));
                view = &run->views[run->tracer->view_of[canyon->nodes[i].corner]]; /* the list may have moved */
                RCITY_TRY(add_node(run, (int32_t)i, view->corners[k], canyon));
            }
        }
    }
    return RCITY_OK;
}

static rcity_status look_from(canyon_run *run, size_t first, bool finds_corners)
{
    size_t word_count = run->plane->row_words * (size_t)run->plane->row_count;
    RCITY_TRY(rcity_reserve(run->context, run->view_count * word_count, sizeof *run->tracer->masks,
                            &run->tracer->mask_capacity, "what corners see", &run->tracer->masks));
    for (size_t i = 1; i < run->view_count; i++) { /* the first is the caller's */
        run->views[i].lit = run->tracer->masks + (i - 1) * word_count;
    }
    run->first = first;
    run->finds_corners = finds_corners;
    rcity_parallel(run->context, (int64_t)(run->view_count - first), 1, look_around, run);
    return (rcity_status)atomic_load(&run->status);
}

/* What the last corner of a chain sees, and neither the source nor the corner before, in one word of the masks. */
static uint64_t way_bits(const canyon_run *run, const rcity_canyon *canyon, const rcity_canyon_node *node, size_t word)
{
    const corner_view *views = run->views;
    const int32_t *view_of = run->tracer->view_of;
    uint64_t seen = views[0].lit[word];
    if (node->parent >= 0) {
        seen |= views[view_of[canyon->nodes[node->parent].corner]].lit[word];
    }
    return views[view_of[node->corner]].lit[word] & ~seen;
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
    const rcity_los_plane *plane = work->run->plane;
    for (int64_t i = begin; i < end; i++) {
        size_t count = 0;
        for (size_t word = 0; word < plane->row_words * (size_t)plane->row_count; word++) {
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
        rcity_corner_end end_of_chain = rcity_canyon_node_end(node);
        for (size_t word = 0; word < plane->row_words * (size_t)plane->row_count; word++) {
            int32_t row = (int32_t)(word / plane->row_words);
            float dy = (float)(plane->y[row] - node->at.y) * unit_m;
            for (uint64_t bits = way_bits(work->run, work->canyon, node, word); bits != 0; bits &= bits - 1) {
                int32_t column = (int32_t)(word % plane->row_words * 64) + __builtin_ctzll(bits);
                float dx = (float)(plane->x[column] - node->at.x) * unit_m;
                float rise_m = (float)(rcity_los_plane_pixel(plane, column, row).z - work->run->source.z) /
                               (float)RCITY_HEIGHT_UNITS_PER_M;
                way->pixel = row * plane->column_count + column;
                way->way = rcity_canyon_way_make((int32_t)i, end_of_chain, dx, dy, rise_m);
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

/* The corners that receivers of the plane see waves bend around. */
static rcity_status open_corners(rcity_context *context, rcity_canyon_tracer *tracer)
{
    const rcity_los_plane *plane = tracer->plane;
    rcity_corner_span *spans = NULL;
    RCITY_TRY(rcity_corner_spans_make(context, plane->sight, &spans));
    for (int64_t i = 0; i < plane->shapes->point_count; i++) {
        tracer->is_open[i] = rcity_corner_is_open(spans[i], plane->level);
    }
    rcity_release(context, spans);
    return RCITY_OK;
}

/* The walls at each corner; a corner that has no number bends no waves. */
static void join_walls(rcity_canyon_tracer *tracer)
{
    const rcity_los_plane *plane = tracer->plane;
    for (int32_t i = 0; i < plane->wall_count; i++) {
        const rcity_los_wall *wall = &plane->walls[i];
        if (wall->a >= 0) {
            tracer->wall_after[wall->a] = i;
        }
        if (wall->b >= 0) {
            tracer->wall_before[wall->b] = i;
        }
    }
}

rcity_status rcity_canyon_tracer_init(rcity_context *context, const rcity_los_plane *plane, rcity_canyon_tracer *tracer)
{
    size_t points = (size_t)plane->shapes->point_count + 1;
    int thread_count = rcity_context_thread_count(context);
    memset(tracer, 0, sizeof *tracer);
    tracer->plane = plane;
    rcity_status status;
    RCITY_TRY_DONE(rcity_alloc(context, points, sizeof *tracer->view_of, "corners", &tracer->view_of));
    RCITY_TRY_DONE(rcity_alloc(context, points, sizeof *tracer->wall_before, "corners", &tracer->wall_before));
    RCITY_TRY_DONE(rcity_alloc(context, points, sizeof *tracer->wall_after, "corners", &tracer->wall_after));
    RCITY_TRY_DONE(rcity_alloc(context, points, sizeof *tracer->is_open, "corners", &tracer->is_open));
    memset(tracer->view_of, -1, points * sizeof *tracer->view_of);
    memset(tracer->wall_before, -1, points * sizeof *tracer->wall_before);
    memset(tracer->wall_after, -1, points * sizeof *tracer->wall_after);
    join_walls(tracer);
    RCITY_TRY_DONE(open_corners(context, tracer));
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
    rcity_release(context, tracer->is_open);
    rcity_release(context, tracer->wall_after);
    rcity_release(context, tracer->wall_before);
    rcity_release(context, tracer->view_of);
    memset(tracer, 0, sizeof *tracer);
}

static void end_run(canyon_run *run)
{
    for (size_t i = 0; i < run->view_count; i++) {
        rcity_release(run->context, run->views[i].corners);
        if (i > 0) { /* the first is the source's */
            run->tracer->view_of[run->views[i].corner] = -1;
        }
    }
    rcity_release(run->context, run->views);
}

rcity_status rcity_canyon_trace(rcity_context *context, rcity_canyon_tracer *tracer, rcity_grid_point3 source,
                                int order, uint64_t *lit, rcity_canyon *canyon)
{
    canyon_run run;
    memset(&run, 0, sizeof run);
    run.context = context;
    run.tracer = tracer;
    run.plane = tracer->plane;
    run.source = source;
    atomic_init(&run.status, RCITY_OK);
    canyon->node_count = 0;
    canyon->way_count = 0;
    rcity_status status;
    RCITY_TRY_DONE(rcity_reserve(context, 1, sizeof *run.views, &run.view_capacity, "corners", &run.views));
    run.views[0] = (corner_view){-1, source, lit, NULL, 0, 0};
    run.view_count = 1;
    RCITY_TRY_DONE(look_from(&run, 0, order > 0));
    size_t first_node = 0;
    size_t first_view = 1;
    for (int turn = 1; turn <= order; turn++) {
        size_t end_node = canyon->node_count;
        if (turn == 1) {
            for (size_t k = 0; k < run.views[0].corner_count; k++) {
                RCITY_TRY_DONE(add_view(&run, run.views[0].corners[k]));
                RCITY_TRY_DONE(add_node(&run, -1, run.views[0].corners[k], canyon));
            }
        } else {
            RCITY_TRY_DONE(extend(&run, first_node, end_node, canyon));
            first_node = end_node;
        }
        RCITY_TRY_DONE(look_from(&run, first_view, turn < order));
        first_view = run.view_count;
    }
    RCITY_TRY_DONE(add_ways(&run, canyon));
    canyon->raster_count = run.view_count;
done:
    end_run(&run);
    return status;
}

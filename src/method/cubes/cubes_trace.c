/* Rays from a transmitter, then from the edges they reach, generation by generation. In each all rays are launched twice:
   the first pass finds by a minimum which of them are kept, the second writes these down. */
#include "method/cubes/cubes_trace.h"

#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/parallel.h"
#include "kernel/cubes/cube_pick.h"
#include "method/cubes/cubes.h"
#include "method/cubes/cubes_device.h"

#define DENSER            2.0 /* rays of the transmitter are so much denser than hitting each cube asks for */
#define PIECE_RAYS        64
#define WALL_RATIO        6.3f  /* of powers, that a plain wall keeps back straight on: 8 dB */
#define WALL_PERMITTIVITY 5.24f /* of concrete, ITU-R P.2040: what edges make of the field hardly depends on it */
#define SOURCE_MAX        1000  /* edges, the strongest, that a generation is launched from */
#define ITEM_MAX          2000000000.0

/* The memory and state of a trace. */
typedef struct trace_work {
    const rcity_job *job;
    const rcity_cubes_prepared *prepared;
    rcity_cube_job launch;
    rcity_cube_view view;
    int64_t receiver_count, edge_count;
    rcity_u64 *receiver_keys, *edge_keys;
    rcity_cube_path *paths;
    rcity_cube_ray_source *arrivals, *sources;
    int64_t source_count;
    rcity_cube_bound_job bounds;
    float *column_bounds;
    rcity_u32 *wins; /* a bit for each item of the generation */
    double done, total;
    atomic_int status;
} trace_work;

/* An rcity_parallel_function over items. */
static void launch_items(void *user, int64_t begin, int64_t end, int thread_index)
{
    trace_work *work = user;
    for (int64_t i = begin; i < end && atomic_load(&work->status) == RCITY_OK; i++) {
        bool is_wanted = !work->launch.is_keeping || (work->wins[i / 32] >> (i % 32) & 1u) != 0;
        if (is_wanted) {
            rcity_cube_launch_item(work->launch, work->view, (rcity_i32)i);
        }
    }
    if (thread_index == 0) { /* the caller's thread */
        rcity_status status = rcity_progress(work->job->context, "rays", work->done + (double)end, work->total);
        int none = RCITY_OK;
        if (status != RCITY_OK) {
            atomic_compare_exchange_strong(&work->status, &none, (int)status);
        }
    }
}

/* Mark the items whose keys were the least. */
static void mark_wins(trace_work *work, const rcity_u64 *keys, int64_t count, int64_t item_count)
{
    for (int64_t i = 0; i < count; i++) {
        int64_t item = (int64_t)(keys[i] & UINT32_MAX) - work->launch.first_item;
        if (keys[i] != RCITY_CUBE_KEY_NONE && item >= 0 && item < item_count) {
            work->wins[item / 32] |= 1u << (item % 32);
        }
    }
}

rcity_status rcity_cubes_count_rays(const rcity_job *job, const rcity_cube_job *launch, int64_t source_count,
                                    int64_t *ray_count)
{
    int64_t count = source_count * launch->direction_count;
    RCITY_CHECK(job->context, (double)count + (double)launch->first_item < ITEM_MAX, RCITY_ERR_ARGUMENT,
                "%lld sources with %d rays each are more than can be launched; use a larger `cube-edge-m`, a smaller "
                "`vertical-range-m`, or fewer deflections",
                (long long)source_count, launch->direction_count);
    *ray_count = count;
    return RCITY_OK;
}

/* All rays of the sources. */
static rcity_status launch(trace_work *work)
{
    rcity_context *context = work->job->context;
    int64_t item_count = 0;
    rcity_status status;
    RCITY_TRY(rcity_cubes_count_rays(work->job, &work->launch, work->source_count, &item_count));
    work->view.sources = work->sources;
    work->total = work->done + 2.0 * (double)item_count;
    RCITY_TRY_DONE(rcity_alloc(context, (size_t)item_count / 32 + 1, sizeof *work->wins, "rays", &work->wins));
    for (int pass = 0; pass < 2; pass++) {
        work->launch.is_keeping = pass;
        rcity_parallel(context, item_count, PIECE_RAYS, launch_items, work);
        RCITY_TRY_DONE((rcity_status)atomic_load(&work->status));
        work->done += (double)item_count;
        if (pass == 0) {
            mark_wins(work, work->receiver_keys, work->receiver_count * RCITY_CUBE_CLASS_COUNT, item_count);
            mark_wins(work, work->edge_keys, work->edge_count * RCITY_CUBE_STATE_COUNT, item_count);
        }
    }
    work->launch.first_item += (rcity_i32)item_count;
done:
    rcity_release(context, work->wins);
    work->wins = NULL;
    return status;
}

static int compare_keys(const void *left, const void *right)
{
    const rcity_u64 *a = left;
    const rcity_u64 *b = right;
    return (*a > *b) - (*a < *b);
}

/* The key of the weakest of the listed arrivals that is launched from. */
static rcity_status find_last_key(rcity_context *context, const rcity_u64 *edge_keys, const int32_t *listed,
                                  int64_t count, rcity_u64 *last)
{
    rcity_u64 *keys = NULL;
    *last = RCITY_CUBE_KEY_NONE;
    if (count <= SOURCE_MAX) {
        return RCITY_OK;
    }
    RCITY_TRY(rcity_alloc(context, (size_t)count, sizeof *keys, "edges reached", &keys));
    for (int64_t i = 0; i < count; i++) {
        keys[i] = edge_keys[listed[i]];
    }
    qsort(keys, (size_t)count, sizeof *keys, compare_keys);
    *last = keys[SOURCE_MAX - 1];
    rcity_release(context, keys);
    return RCITY_OK;
}

rcity_status rcity_cubes_list_sources(rcity_context *context, const rcity_u64 *edge_keys, int64_t edge_count,
                                      int32_t *listed, int64_t *count)
{
    int64_t found = 0;
    int64_t kept = 0;
    rcity_u64 last;
    for (int64_t i = 0; i < edge_count; i++) {
        rcity_u32 states = rcity_cube_edge_states(edge_keys, i);
        for (int k = 0; states >> k != 0; k++) {
            if ((states >> k & 1) != 0) {
                listed[found++] = (int32_t)(i * RCITY_CUBE_STATE_COUNT + k);
            }
        }
    }
    RCITY_TRY(find_last_key(context, edge_keys, listed, found, &last));
    for (int64_t i = 0; i < found; i++) {
        if (edge_keys[listed[i]] <= last) {
            listed[kept++] = listed[i];
        }
    }
    *count = kept;
    return RCITY_OK;
}

/* The arrivals of a finished generation become the sources of the next, the strongest of them. */
static rcity_status promote(trace_work *work)
{
    rcity_context *context = work->job->context;
    size_t slot_count = (size_t)work->edge_count * RCITY_CUBE_STATE_COUNT;
    int32_t *listed = NULL;
    rcity_status status;
    RCITY_TRY_DONE(rcity_alloc(context, slot_count + 1, sizeof *listed, "edges reached", &listed));
    RCITY_TRY_DONE(rcity_cubes_list_sources(context, work->edge_keys, work->edge_count, listed, &work->source_count));
    rcity_release(context, work->sources);
    work->sources = NULL;
    RCITY_TRY_DONE(
        rcity_alloc(context, (size_t)work->source_count + 1, sizeof *work->sources, "edges reached", &work->sources));
    for (int64_t i = 0; i < work->source_count; i++) {
        work->sources[i] = work->arrivals[listed[i]];
    }
    memset(work->edge_keys, 0xff, slot_count * sizeof *work->edge_keys);
done:
    rcity_release(context, listed);
    return status;
}

/* An rcity_parallel_function over rows. */
static void bound_columns(void *user, int64_t begin, int64_t end, int thread_index)
{
    trace_work *work = user;
    int64_t columns = work->launch.map.column_count;
    (void)thread_index;
    for (int64_t i = begin * columns; i < end * columns; i++) {
        work->column_bounds[i] =
            rcity_cube_column_bound(work->bounds, work->view.receiver_first, work->receiver_keys, i);
    }
}

/* How far the corners of the map are from a place in plan. */
static double reach_m(const rcity_cube_map *map, rcity_place3 from)
{
    double x = fmax(fabs(from.x - (double)map->west_m),
                    fabs((double)map->west_m + map->column_count * (double)map->edge_m - from.x));
    double y = fmax(fabs(from.y - (double)map->south_m),
                    fabs((double)map->south_m + map->row_count * (double)map->edge_m - from.y));
    return hypot(x, y);
}

static rcity_status open_work(trace_work *work)
{
    const rcity_job *job = work->job;
    const rcity_cubes_prepared *prepared = work->prepared;
    rcity_context *context = job->context;
    work->receiver_count = prepared->receivers.open_count;
    work->edge_count = job->number[RCITY_CUBES_MAX_VERTICAL] > 0.0 ? prepared->cubes.edge_count : 0;
    size_t slots = (size_t)work->receiver_count * RCITY_CUBE_CLASS_COUNT;
    size_t edge_slots = (size_t)work->edge_count * RCITY_CUBE_STATE_COUNT;
    RCITY_TRY(rcity_alloc(context, slots + 1, sizeof(rcity_u64), "paths", &work->receiver_keys));
    RCITY_TRY(rcity_alloc(context, slots + 1, sizeof(rcity_cube_path), "paths", &work->paths));
    RCITY_TRY(rcity_alloc(context, edge_slots + 1, sizeof(rcity_u64), "edges reached", &work->edge_keys));
    RCITY_TRY(rcity_alloc(context, edge_slots + 1, sizeof *work->arrivals, "edges reached", &work->arrivals));
    RCITY_TRY(rcity_alloc(context, 1, sizeof *work->sources, "edges reached", &work->sources));
    const rcity_cube_map *map = &prepared->cubes.map;
    RCITY_TRY(rcity_alloc(context, (size_t)map->column_count * (size_t)map->row_count, sizeof(float), "the cubes",
                          &work->column_bounds));
    memset(work->receiver_keys, 0xff, slots * sizeof(rcity_u64));
    memset(work->edge_keys, 0xff, edge_slots * sizeof(rcity_u64));
    work->view = (rcity_cube_view){.columns = prepared->cubes.columns,
                                   .walls = prepared->cubes.walls,
                                   .edges = prepared->cubes.edges,
                                   .column_walls = prepared->cubes.column_walls,
                                   .column_edges = prepared->cubes.column_edges,
                                   .receiver_first = prepared->receiver_first,
                                   .receivers = prepared->receiver_xyz_m,
                                   .column_bounds = work->column_bounds,
                                   .receiver_keys = work->receiver_keys,
                                   .paths = work->paths,
                                   .edge_keys = work->edge_keys,
                                   .arrivals = work->arrivals};
    return RCITY_OK;
}

static void close_work(trace_work *work)
{
    rcity_context *context = work->job->context;
    rcity_release(context, work->column_bounds);
    rcity_release(context, work->sources);
    rcity_release(context, work->arrivals);
    rcity_release(context, work->edge_keys);
    rcity_release(context, work->paths);
    rcity_release(context, work->receiver_keys);
}

rcity_cube_job rcity_cubes_first_launch(const rcity_job *job, const rcity_cubes_traced *traced,
                                        rcity_cube_ray_source *source)
{
    const rcity_cubes_prepared *prepared = traced->prepared;
    rcity_place3 from = traced->from;
    double range_m = reach_m(&prepared->cubes.map, from);
    double longest_m = range_m * (1.0 + job->number[RCITY_CUBES_MAX_REFLECTIONS]); /* reflected to and fro */
    source->edge = -1;
    source->ray.x = source->ray.image_x = (float)from.x;
    source->ray.y = source->ray.image_y = (float)from.y;
    source->ray.source_z = (float)from.z;
    source->ray.metric = source->ray.corner_ratio = 1.0f;
    return (rcity_cube_job){
        .map = prepared->cubes.map,
        .direction_count = (rcity_i32)rcity_cubes_direction_count(DENSER * range_m, job->number[RCITY_CUBES_EDGE]),
        .first_item = 1,
        .reflection_max = (rcity_i32)job->number[RCITY_CUBES_MAX_REFLECTIONS],
        .corner_max = (rcity_i32)job->number[RCITY_CUBES_MAX_VERTICAL],
        .roof_max = (rcity_i32)job->number[RCITY_CUBES_MAX_HORIZONTAL],
        .has_terrain = job->shapes->terrain.column_count > 0,
        .highest_m = prepared->highest_m,
        .range_m = (float)longest_m,
        .end_s = (float)(longest_m + job->number[RCITY_CUBES_MAX_VERTICAL] * job->number[RCITY_CUBES_CORNER_RANGE]),
        .wall_permittivity = WALL_PERMITTIVITY,
        .wall_ratio = WALL_RATIO};
}

void rcity_cubes_next_launch(const rcity_job *job, const rcity_cubes_traced *traced, rcity_cube_job *launch)
{
    double corner_range_m = job->number[RCITY_CUBES_CORNER_RANGE];
    double range_m = fmin(corner_range_m, reach_m(&traced->prepared->cubes.map, traced->from));
    launch->has_bounds = 1;
    launch->range_m = (float)corner_range_m;
    launch->direction_count = (rcity_i32)rcity_cubes_direction_count(range_m, job->number[RCITY_CUBES_EDGE]);
}

/* Keep what was found: the paths of each open receiver, in the order of their classes. */
static rcity_status keep(const trace_work *work, rcity_cubes_traced *made)
{
    rcity_context *context = work->job->context;
    const int32_t *open = work->prepared->receiver_open;
    int64_t placed =
        work->prepared->receiver_first[(int64_t)work->launch.map.column_count * work->launch.map.row_count];
    size_t room = (size_t)work->receiver_count + 1;
    int64_t total = 0;
    RCITY_TRY(rcity_alloc(context, room, sizeof *made->path_first, "paths", &made->path_first));
    for (int64_t i = 0; i < placed; i++) {
        for (int k = 0; k < RCITY_CUBE_CLASS_COUNT; k++) {
            made->path_first[open[i] + 1] += work->receiver_keys[i * RCITY_CUBE_CLASS_COUNT + k] != RCITY_CUBE_KEY_NONE;
        }
    }
    for (int64_t i = 0; i < work->receiver_count; i++) {
        total = made->path_first[i + 1] += made->path_first[i];
    }
    RCITY_TRY(rcity_alloc(context, (size_t)total + 1, sizeof *made->paths, "paths", &made->paths));
    RCITY_TRY(rcity_alloc(context, (size_t)total + 1, sizeof *made->path_class, "paths", &made->path_class));
    for (int64_t i = 0; i < placed; i++) {
        int64_t to = made->path_first[open[i]];
        for (int k = 0; k < RCITY_CUBE_CLASS_COUNT; k++) {
            int64_t slot = i * RCITY_CUBE_CLASS_COUNT + k;
            if (work->receiver_keys[slot] != RCITY_CUBE_KEY_NONE) {
                made->paths[to] = work->paths[slot];
                made->path_class[to++] = (uint8_t)k;
            }
        }
    }
    return RCITY_OK;
}

/* On the host. */
static rcity_status run(trace_work *work, rcity_cubes_traced *made)
{
    RCITY_TRY(open_work(work));
    work->launch = rcity_cubes_first_launch(work->job, made, &work->sources[0]);
    work->source_count = 1;
    for (int generation = 0; work->source_count > 0; generation++) {
        made->source_count += work->source_count;
        made->ray_count += work->source_count * work->launch.direction_count;
        RCITY_TRY(launch(work));
        if (generation == work->launch.corner_max) {
            break;
        }
        RCITY_TRY(promote(work));
        work->bounds = (rcity_cube_bound_job){work->launch.map, (float)made->from.x, (float)made->from.y};
        rcity_parallel(work->job->context, work->launch.map.row_count, 1, bound_columns, work);
        rcity_cubes_next_launch(work->job, made, &work->launch);
    }
    return keep(work, made);
}

static void forget_paths(rcity_context *context, rcity_cubes_traced *made)
{
    rcity_release(context, made->path_class);
    rcity_release(context, made->paths);
    rcity_release(context, made->path_first);
    made->path_class = NULL;
    made->paths = NULL;
    made->path_first = NULL;
    made->source_count = made->ray_count = 0;
}

/* On the device, as far as it has room. */
static rcity_status run_anywhere(const rcity_job *job, rcity_cubes_device *device, rcity_cubes_traced *made)
{
    trace_work work = {.job = job, .prepared = made->prepared};
    rcity_status status;
    if (rcity_cubes_device_traces(device)) {
        status = rcity_cubes_device_trace(device, job, made);
        if (status != RCITY_ERR_MEMORY) {
            return status;
        }
        rcity_log(job->context, RCITY_LOG_INFO, "rays are launched on the host: %s",
                  rcity_context_message(job->context));
        forget_paths(job->context, made);
    }
    atomic_init(&work.status, RCITY_OK);
    status = run(&work, made);
    close_work(&work);
    return status;
}

static rcity_status trace_one(const rcity_job *job, const rcity_cubes_prepared *prepared, rcity_cubes_device *device,
                              const rcity_tx *tx, void **trace)
{
    const rcity_point *at = &tx->position;
    rcity_cubes_traced *made = NULL;
    rcity_status status;
    RCITY_TRY(rcity_alloc(job->context, 1, sizeof *made, "paths", &made));
    made->prepared = prepared;
    made->from = (rcity_place3){at->x_m - job->shapes->origin_x_m, at->y_m - job->shapes->origin_y_m, at->z_m};
    made->place = rcity_place_snap(job->shapes, made->from);
    RCITY_TRY_DONE(run_anywhere(job, device, made));
    *trace = made;
    made = NULL;
done:
    rcity_cubes_release_trace(job->context, made);
    return status;
}

rcity_status rcity_cubes_trace(const rcity_job *job, const void *prepared, void *workspace, int count,
                               const rcity_tx *transmitters, void **traces)
{
    for (int i = 0; i < count; i++) {
        rcity_status status = trace_one(job, prepared, workspace, &transmitters[i], &traces[i]);
        if (status != RCITY_OK) {
            for (int k = 0; k < i; k++) {
                rcity_cubes_release_trace(job->context, traces[k]);
            }
            return status;
        }
    }
    return RCITY_OK;
}

rcity_status rcity_cubes_open_workspace(const rcity_job *job, const void *prepared, void **workspace)
{
    rcity_cubes_device *device = NULL;
    RCITY_TRY(rcity_cubes_device_open(job, prepared, &device));
    *workspace = device;
    return RCITY_OK;
}

void rcity_cubes_close_workspace(rcity_context *context, void *workspace)
{
    rcity_cubes_device *device = workspace;
    (void)context;
    rcity_cubes_device_close(&device);
}

void rcity_cubes_release_trace(rcity_context *context, void *trace)
{
    rcity_cubes_traced *made = trace;
    if (made != NULL) {
        forget_paths(context, made);
        rcity_release(context, made);
    }
}

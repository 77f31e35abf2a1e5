/* Rays from a transmitter, then from the edges they reach, generation by generation. In each all rays are launched twice:
   the first pass finds by a minimum which of them are kept, the second writes these down. */
#include "method/cubes/cubes_trace.h"

#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/parallel.h"
#include "method/cubes/cubes.h"

#define DENSER            2.0 /* rays of the transmitter are so much denser than hitting each cube asks for */
#define PIECE_RAYS        64
#define WALL_RATIO        6.3f  /* of powers, that a plain wall keeps back straight on: 8 dB */
#define WALL_PERMITTIVITY 5.24f /* of concrete, ITU-R P.2040: what edges make of the field hardly depends on it */
#define FEWER_RATIO       10.0f /* of powers: an arrival after more reflections counts up to 10 dB below one with fewer */
#define SOURCE_MAX        1000 /* edges, the strongest, that a generation is launched from */
#define WEAKER_RATIO      10.0f /* of powers: paths so much weaker than the best of a finished generation are not followed */
#define LOST_RATIO        1e6f /* of powers: nor those that lose so much beyond free space: paths over roofs lose less */
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
    rcity_cube_source *arrivals, *sources;
    int64_t source_count;
    rcity_cube_ray start; /* of the transmitter */
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

/* All rays of the sources. */
static rcity_status launch(trace_work *work)
{
    rcity_context *context = work->job->context;
    int64_t item_count = work->source_count * work->launch.direction_count;
    rcity_status status;
    RCITY_CHECK(context, (double)item_count + (double)work->launch.first_item < ITEM_MAX, RCITY_ERR_ARGUMENT,
                "%lld sources with %d rays each are more than can be launched; use a larger `cube-edge-m`, a smaller "
                "`vertical-range-m`, or fewer deflections",
                (long long)work->source_count, work->launch.direction_count);
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

static float cost_of(rcity_u64 key)
{
    return key == RCITY_CUBE_KEY_NONE ? HUGE_VALF : rcity_bits_float((rcity_u32)(key >> 32));
}

/* Is an arrival at an edge launched from? One that is much weaker than one with fewer reflections, which can go on
   farther, is not. */
static bool is_source(const trace_work *work, int64_t slot)
{
    float cost = cost_of(work->edge_keys[slot]);
    for (int64_t i = slot - slot % RCITY_CUBE_STATE_COUNT; i < slot; i++) {
        if (!(cost < FEWER_RATIO * cost_of(work->edge_keys[i]))) {
            return false;
        }
    }
    return cost < HUGE_VALF;
}

static int compare_keys(const void *left, const void *right)
{
    const rcity_u64 *a = left;
    const rcity_u64 *b = right;
    return (*a > *b) - (*a < *b);
}

/* The key of the weakest arrival that is launched from. */
static rcity_status find_last_key(const trace_work *work, rcity_u64 *last)
{
    int64_t slot_count = work->edge_count * RCITY_CUBE_STATE_COUNT;
    rcity_u64 *keys = NULL;
    size_t count = 0;
    RCITY_TRY(rcity_alloc(work->job->context, (size_t)slot_count + 1, sizeof *keys, "edges reached", &keys));
    for (int64_t i = 0; i < slot_count; i++) {
        if (is_source(work, i)) {
            keys[count++] = work->edge_keys[i];
        }
    }
    qsort(keys, count, sizeof *keys, compare_keys);
    *last = count > SOURCE_MAX ? keys[SOURCE_MAX - 1] : RCITY_CUBE_KEY_NONE;
    rcity_release(work->job->context, keys);
    return RCITY_OK;
}

/* The arrivals of a finished generation become the sources of the next, the strongest of them. */
static rcity_status promote(trace_work *work)
{
    int64_t slot_count = work->edge_count * RCITY_CUBE_STATE_COUNT;
    rcity_u64 last;
    RCITY_TRY(find_last_key(work, &last));
    work->source_count = 0;
    for (int64_t i = 0; i < slot_count; i++) {
        work->source_count += is_source(work, i) && work->edge_keys[i] <= last;
    }
    rcity_release(work->job->context, work->sources);
    work->sources = NULL;
    RCITY_TRY(rcity_alloc(work->job->context, (size_t)work->source_count + 1, sizeof *work->sources, "edges reached",
                          &work->sources));
    int64_t made = 0;
    for (int64_t i = 0; i < slot_count; i++) {
        if (is_source(work, i) && work->edge_keys[i] <= last) {
            work->sources[made++] = work->arrivals[i];
        }
    }
    memset(work->edge_keys, 0xff, (size_t)slot_count * sizeof *work->edge_keys);
    return RCITY_OK;
}

/* The cost at which a receiver is reached so far. */
static float best_cost(const trace_work *work, int64_t receiver)
{
    float best = HUGE_VALF;
    for (int k = 0; k < RCITY_CUBE_CLASS_COUNT; k++) {
        best = fminf(best, cost_of(work->receiver_keys[receiver * RCITY_CUBE_CLASS_COUNT + k]));
    }
    return best;
}

/* An rcity_parallel_function over rows: what a path to a column may cost to count, by the worst of its receivers. */
static void bound_columns(void *user, int64_t begin, int64_t end, int thread_index)
{
    trace_work *work = user;
    const rcity_cube_map *map = &work->launch.map;
    const rcity_cube_ray *from = &work->start;
    (void)thread_index;
    for (int64_t i = begin * map->column_count; i < end * map->column_count; i++) {
        float x = map->west_m + ((float)(i % map->column_count) + 0.5f) * map->edge_m - from->x;
        float y = map->south_m + ((float)(i / map->column_count) + 0.5f) * map->edge_m - from->y;
        float most = (x * x + y * y + map->edge_m * map->edge_m) * LOST_RATIO;
        float worst = 0.0f;
        for (int32_t k = work->view.receiver_first[i]; k < work->view.receiver_first[i + 1]; k++) {
            worst = fmaxf(worst, best_cost(work, k) * WEAKER_RATIO);
        }
        work->column_bounds[i] = worst > 0.0f ? fminf(worst, most) : most;
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

/* The transmitter as the first source. */
static void start_at(trace_work *work, rcity_place3 from, double range_m)
{
    const rcity_job *job = work->job;
    double longest_m = range_m * (1.0 + job->number[RCITY_CUBES_MAX_REFLECTIONS]); /* reflected to and fro */
    rcity_cube_source *source = &work->sources[0];
    const rcity_cubes_prepared *prepared = work->prepared;
    source->edge = -1;
    source->ray.x = source->ray.image_x = (float)from.x;
    source->ray.y = source->ray.image_y = (float)from.y;
    source->ray.source_z = (float)from.z;
    source->ray.metric = source->ray.corner_ratio = 1.0f;
    work->source_count = 1;
    work->start = source->ray;
    work->launch = (rcity_cube_job){
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

static rcity_status run(trace_work *work, rcity_cubes_traced *made)
{
    const rcity_job *job = work->job;
    double edge_m = job->number[RCITY_CUBES_EDGE];
    double corner_range_m = job->number[RCITY_CUBES_CORNER_RANGE];
    RCITY_TRY(open_work(work));
    double range_m = reach_m(&work->prepared->cubes.map, made->from);
    start_at(work, made->from, range_m);
    for (int generation = 0; work->source_count > 0; generation++) {
        made->source_count += work->source_count;
        made->ray_count += work->source_count * work->launch.direction_count;
        RCITY_TRY(launch(work));
        if (generation == work->launch.corner_max) {
            break;
        }
        RCITY_TRY(promote(work));
        rcity_parallel(job->context, work->launch.map.row_count, 1, bound_columns, work);
        work->launch.has_bounds = 1;
        work->launch.range_m = (float)corner_range_m;
        work->launch.direction_count = (rcity_i32)rcity_cubes_direction_count(fmin(corner_range_m, range_m), edge_m);
    }
    return keep(work, made);
}

static rcity_status trace_one(const rcity_job *job, const rcity_cubes_prepared *prepared, const rcity_tx *tx,
                              void **trace)
{
    const rcity_point *at = &tx->position;
    trace_work work = {.job = job, .prepared = prepared};
    rcity_cubes_traced *made = NULL;
    rcity_status status;
    atomic_init(&work.status, RCITY_OK);
    RCITY_TRY(rcity_alloc(job->context, 1, sizeof *made, "paths", &made));
    made->prepared = prepared;
    made->from = (rcity_place3){at->x_m - job->shapes->origin_x_m, at->y_m - job->shapes->origin_y_m, at->z_m};
    made->place = rcity_place_snap(job->shapes, made->from);
    RCITY_TRY_DONE(run(&work, made));
    *trace = made;
    made = NULL;
done:
    close_work(&work);
    rcity_cubes_release_trace(job->context, made);
    return status;
}

rcity_status rcity_cubes_trace(const rcity_job *job, const void *prepared, void *workspace, int count,
                               const rcity_tx *transmitters, void **traces)
{
    (void)workspace;
    for (int i = 0; i < count; i++) {
        rcity_status status = trace_one(job, prepared, &transmitters[i], &traces[i]);
        if (status != RCITY_OK) {
            for (int k = 0; k < i; k++) {
                rcity_cubes_release_trace(job->context, traces[k]);
            }
            return status;
        }
    }
    return RCITY_OK;
}

void rcity_cubes_release_trace(rcity_context *context, void *trace)
{
    rcity_cubes_traced *made = trace;
    if (made != NULL) {
        rcity_release(context, made->path_class);
        rcity_release(context, made->paths);
        rcity_release(context, made->path_first);
        rcity_release(context, made);
    }
}

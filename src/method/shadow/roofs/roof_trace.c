/* Over-roof paths: the kernel on a device, the same on the host with hints from one pixel to the next, and the few
   pixels that a device defers. */
#include <assert.h>
#include <stdatomic.h>
#include <stddef.h>
#include <string.h>

#include "base/parallel.h"
#include "embedded/roofs_cl.h"
#include "method/shadow/roofs/roof_trace_data.h"
#include "visibility/sight/sight_data.h"

/* Edges that a pixel passes on to the next. */
#define HINT_MAX 32

/* Pixels that a thread checks at a time. */
#define DECIDE_ITEMS (1 << 14)

/* Points that a thread takes at a time; each is walked. */
#define POINT_ITEMS 64

#define SKY ((int32_t)1200000) /* height units: above everything */

static_assert(sizeof(rcity_shadow_roof) == sizeof(rcity_roof_path), "paths go to the caller as the kernel writes them");
static_assert(offsetof(rcity_shadow_roof, turns.count) == offsetof(rcity_roof_path, count), "the same order");
static_assert(offsetof(rcity_shadow_roof, elevation_rad) == offsetof(rcity_roof_path, elevation_rad), "the same order");
static_assert(offsetof(rcity_shadow_roof, pair_m) == offsetof(rcity_roof_path, pair_m), "the same order");
static_assert(offsetof(rcity_shadow_roof, ground_root_m) == offsetof(rcity_roof_path, ground_root_m), "the same order");

void rcity_roofs_make_views(const rcity_roof_job *job, const rcity_launch_buffer *buffers, rcity_roof_view *view,
                            rcity_roof_plane *plane)
{
    plane->visible = buffers[1].in;
    plane->masks = buffers[2].in;
    plane->xy = buffers[3].in;
    plane->z = buffers[4].in;
    view->map = job->map;
    view->level_shift = job->level_shift;
    view->patch_first = job->patch_first;
    view->levels = buffers[5].in;
    view->first = buffers[6].in;
    view->walls = buffers[7].in;
    view->corners = buffers[8].in;
    view->ground = buffers[9].in;
}

/* The walls that the last path went over. The next pixel's path mostly goes over the same ones: a path that begins with
   them clears nearly all other roofs. Hints change the time, never the path. */
typedef struct roof_hints {
    int32_t wall[HINT_MAX];
    int count;
} roof_hints;

/* Completes an item that has begun. */
static rcity_roof_path run_item(const rcity_roof_view *view, const rcity_roof_job *job, const rcity_roof_item *item,
                                roof_hints *hints, rcity_roof_hull *hull)
{
    if (job->counts) {
        return rcity_roof_item_count(view, job, item);
    }
    rcity_roof_hull_begin(&item->line, hull);
    float ground_root_m = rcity_roof_item_ground(view, job, item, hull);
    rcity_roof_hints_take(view, &item->line, hints->wall, hints->count, hull);
    rcity_roof_item_walk(view, job, item, 0, hull);
    hints->count = rcity_roof_hints_leave(hull, HINT_MAX, hints->wall);
    rcity_roof_path path = rcity_roof_path_sum(hull, item->scale);
    path.ground_root_m = ground_root_m;
    return path;
}

static void run_pixels(const void *job_bytes, const rcity_launch_buffer *buffers, int64_t begin, int64_t end)
{
    rcity_roof_job job;
    rcity_roof_view view;
    rcity_roof_plane plane;
    memcpy(&job, job_bytes, sizeof job);
    rcity_roofs_make_views(&job, buffers, &view, &plane);
    rcity_roof_path *paths = buffers[0].out;
    rcity_roof_hull hull;
    roof_hints hints = {{0}, 0};
    for (int64_t i = begin; i < end; i++) {
        int32_t column = (int32_t)(i % job.column_count);
        int32_t row = (int32_t)(i / job.column_count);
        rcity_roof_item item;
        bool is_done = rcity_roof_item_begin(&view, &job, &plane, column, row, &item);
        paths[i] = is_done ? item.path : run_item(&view, &job, &item, &hints, &hull);
    }
}

const rcity_kernel rcity_roofs_kernel = {
    .name = "rcity_roof_pixels",
    .source = rcity_roofs_cl,
    .job_bytes = sizeof(rcity_roof_job),
    .buffer_count = RCITY_ROOFS_BUFFER_COUNT,
    .buffer = {{RCITY_BUFFER_ITEM_OUT, sizeof(rcity_roof_path)},
               {RCITY_BUFFER_SHARED_IN, sizeof(uint64_t)},
               {RCITY_BUFFER_SHARED_IN, sizeof(uint64_t)},
               {RCITY_BUFFER_SHARED_IN, sizeof(int32_t)},
               {RCITY_BUFFER_SHARED_IN, sizeof(int32_t)},
               {RCITY_BUFFER_SHARED_IN, sizeof(uint16_t)},
               {RCITY_BUFFER_SHARED_IN, sizeof(uint32_t)},
               {RCITY_BUFFER_SHARED_IN, sizeof(rcity_sight_wall)},
               {RCITY_BUFFER_SHARED_IN, sizeof(rcity_roof_corner)},
               {RCITY_BUFFER_SHARED_IN, sizeof(int32_t)}},
    .host_run = run_pixels,
};

/* The plane's pixels as the kernel reads them. */
static rcity_status build_pixels(rcity_context *context, rcity_roofs *roofs)
{
    const rcity_los_plane *plane = roofs->plane;
    size_t words = plane->row_words * (size_t)plane->row_count;
    size_t columns = (size_t)plane->column_count;
    RCITY_TRY(rcity_alloc(context, 2 * words, sizeof *roofs->masks, "paths over roofs", &roofs->masks));
    RCITY_TRY(
        rcity_alloc(context, columns + (size_t)plane->row_count, sizeof *roofs->xy, "paths over roofs", &roofs->xy));
    memcpy(roofs->masks, plane->indoors, words * sizeof *roofs->masks);
    for (size_t i = 0; i < plane->on_wall_count; i++) {
        size_t column = (size_t)plane->on_walls[i] % columns;
        size_t row = (size_t)plane->on_walls[i] / columns;
        roofs->masks[words + row * plane->row_words + column / 64] |= (uint64_t)1 << (column % 64);
    }
    memcpy(roofs->xy, plane->x, columns * sizeof *roofs->xy);
    memcpy(roofs->xy + columns, plane->y, (size_t)plane->row_count * sizeof *roofs->xy);
    return RCITY_OK;
}

static rcity_status send(rcity_roofs *roofs)
{
    const rcity_los_plane *plane = roofs->plane;
    int64_t pixel_count = (int64_t)plane->column_count * plane->row_count;
    const struct {
        const void *data;
        int64_t count;
    } kept[RCITY_ROOFS_RESIDENT_COUNT] = {
        {roofs->masks, 2 * (int64_t)plane->row_words * plane->row_count},
        {roofs->xy, (int64_t)plane->column_count + plane->row_count},
        {plane->z, plane->z != NULL ? pixel_count : 0},
        {roofs->map.levels, roofs->map.level_count},
        {roofs->map.first, roofs->map.cell_count + 1},
        {roofs->map.walls, roofs->map.wall_count},
        {roofs->map.corners, roofs->map.wall_count},
        {plane->sight->ground, plane->sight->ground_count},
    };
    for (int i = 0; i < RCITY_ROOFS_RESIDENT_COUNT; i++) {
        RCITY_TRY(rcity_resident_create(roofs->context, roofs->device, kept[i].data, kept[i].count,
                                        rcity_roofs_kernel.buffer[RCITY_ROOFS_RESIDENT_FIRST + i].element_bytes,
                                        "paths over roofs", &roofs->resident[i]));
    }
    return RCITY_OK;
}

rcity_status rcity_roofs_open(rcity_context *context, rcity_device *device, const rcity_los_plane *plane,
                              rcity_roofs **roofs)
{
    rcity_roofs *made = NULL;
    rcity_status status;
    RCITY_TRY(rcity_alloc(context, 1, sizeof *made, "paths over roofs", &made));
    made->context = context;
    made->device = device;
    made->plane = plane;
    rcity_deferred_pixels_init(context, device, sizeof(rcity_roof_path), &made->deferred);
    RCITY_TRY_DONE(rcity_roof_map_init(context, plane->sight, &made->map));
    RCITY_TRY_DONE(build_pixels(context, made));
    RCITY_TRY_DONE(send(made));
    *roofs = made;
    made = NULL;
done:
    rcity_roofs_close(&made);
    return status;
}

void rcity_roofs_close(rcity_roofs **roofs)
{
    if (roofs == NULL || *roofs == NULL) {
        return;
    }
    for (int i = 0; i < RCITY_ROOFS_RESIDENT_COUNT; i++) {
        rcity_resident_destroy(&(*roofs)->resident[i]);
    }
    rcity_deferred_pixels_deinit(&(*roofs)->deferred);
    rcity_resident_destroy(&(*roofs)->hints_dev);
    rcity_resident_destroy(&(*roofs)->sources_dev);
    rcity_release((*roofs)->context, (*roofs)->sources);
    rcity_release((*roofs)->context, (*roofs)->xy);
    rcity_release((*roofs)->context, (*roofs)->masks);
    rcity_roof_map_deinit((*roofs)->context, &(*roofs)->map);
    rcity_release((*roofs)->context, *roofs);
    *roofs = NULL;
}

/* The part of a job that does not depend on the receivers. */
static rcity_roof_job make_source_job(const rcity_roof_map *map, const rcity_sight *sight, rcity_grid_point3 source,
                                      rcity_roof_mode mode)
{
    rcity_roof_job job;
    memset(&job, 0, sizeof job);
    job.map = map->view.map;
    job.level_shift = map->view.level_shift;
    job.patch_first = map->view.patch_first;
    job.source_x = source.x;
    job.source_y = source.y;
    job.source_z = source.z;
    job.is_on_wall = rcity_los_locate(sight, source) == RCITY_PLACE_ON_WALL;
    job.counts = mode == RCITY_ROOF_COUNT;
    job.unit_m = 1.0f / (float)sight->shapes->units_per_m;
    job.height_unit_m = 1.0f / (float)RCITY_HEIGHT_UNITS_PER_M;
    return job;
}

rcity_roof_job rcity_roofs_make_job(const rcity_roofs *roofs, rcity_grid_point3 source, rcity_roof_mode mode,
                                    bool has_visible)
{
    const rcity_los_plane *plane = roofs->plane;
    rcity_roof_job job = make_source_job(&roofs->map, plane->sight, source, mode);
    job.level = plane->level;
    job.column_count = plane->column_count;
    job.row_count = plane->row_count;
    job.row_words = (int32_t)plane->row_words;
    job.has_heights = plane->z != NULL;
    job.has_visible = has_visible;
    return job;
}

/* The plane as the host's walks read it. */
void rcity_roofs_host_views(const rcity_roofs *roofs, const uint64_t *visible, rcity_roof_view *view,
                            rcity_roof_plane *plane)
{
    *view = roofs->map.view;
    plane->visible = visible != NULL ? visible : roofs->masks;
    plane->masks = roofs->masks;
    plane->xy = roofs->xy;
    plane->z = roofs->plane->z;
}

/* Pixels with more edges than the device has room for. */
typedef struct decide_work {
    const rcity_roofs *roofs;
    const rcity_roof_job *job;
    const uint64_t *visible;
    rcity_roof_path *paths;
    atomic_int_fast64_t close_count;
    atomic_int_fast64_t bad; /* the first pixel with more edges than the host has room for */
} decide_work;

/* Keeps the first item whose path had too many edges. */
static void note_bad(atomic_int_fast64_t *bad, int64_t item, int32_t turn_count)
{
    int_fast64_t first = atomic_load(bad);
    while (turn_count == RCITY_ROOF_PATH_DEFERRED && item < first && !atomic_compare_exchange_weak(bad, &first, item)) {
    }
}

/* An rcity_parallel_function. */
static void decide_pixels(void *user, int64_t begin, int64_t end, int thread_index)
{
    decide_work *work = user;
    rcity_roof_view view;
    rcity_roof_plane plane;
    rcity_roof_hull hull;
    (void)thread_index;
    rcity_roofs_host_views(work->roofs, work->visible, &view, &plane);
    for (int64_t i = begin; i < end; i++) {
        if (work->paths[i].count != RCITY_ROOF_PATH_DEFERRED) {
            continue;
        }
        int32_t columns = work->job->column_count;
        work->paths[i] =
            rcity_roof_item_run(&view, work->job, &plane, (int32_t)(i % columns), (int32_t)(i / columns), &hull);
        atomic_fetch_add(&work->close_count, 1);
        note_bad(&work->bad, i, work->paths[i].count);
    }
}

/* `bad` is the first pixel that the host has no room for; pixel_count: there is none. */
rcity_status rcity_roofs_check_edges(const rcity_roofs *roofs, int64_t bad, int64_t pixel_count)
{
    int32_t column_count = roofs->plane->column_count;
    RCITY_CHECK(
        roofs->context, bad >= pixel_count, RCITY_ERR_UNSUPPORTED,
        "the path over roofs and hills to column %lld, row %lld of the raster has more than %d diffracting edges; "
        "give the terrain a wider cell",
        (long long)(bad % column_count), (long long)(bad / column_count), RCITY_ROOF_EDGE_MAX - 2);
    return RCITY_OK;
}

static rcity_status decide(rcity_roofs *roofs, const rcity_roof_job *job, const uint64_t *visible,
                           rcity_roof_path *paths)
{
    int64_t pixel_count = (int64_t)roofs->plane->column_count * roofs->plane->row_count;
    decide_work work = {.roofs = roofs, .job = job, .visible = visible, .paths = paths};
    atomic_init(&work.close_count, 0);
    atomic_init(&work.bad, pixel_count);
    rcity_parallel(roofs->context, pixel_count, DECIDE_ITEMS, decide_pixels, &work);
    int64_t bad = atomic_load(&work.bad);
    roofs->close_count += atomic_load(&work.close_count);
    return rcity_roofs_check_edges(roofs, bad, pixel_count);
}

/* Is the source inside a building? A building that strictly contains a vertical line blocks it. */
bool rcity_roofs_is_enclosed(const rcity_sight *sight, rcity_grid_point3 source)
{
    rcity_grid_point3 sky = {source.x, source.y, SKY};
    return source.z < sight->view.map.top && !rcity_sight_is_free(sight, source, sky);
}

rcity_status rcity_roofs_trace(rcity_roofs *roofs, rcity_grid_point3 source, rcity_roof_mode mode,
                               const uint64_t *visible, rcity_shadow_roof *paths)
{
    const rcity_los_plane *plane = roofs->plane;
    int64_t pixel_count = (int64_t)plane->column_count * plane->row_count;
    if (rcity_roofs_is_enclosed(plane->sight, source)) {
        memset(paths, 0, (size_t)pixel_count * sizeof *paths);
        return RCITY_OK;
    }
    rcity_roof_job job = rcity_roofs_make_job(roofs, source, mode, visible != NULL);
    const uint64_t *mask = visible != NULL ? visible : roofs->masks;
    rcity_launch launch;
    memset(&launch, 0, sizeof launch);
    launch.kernel = &rcity_roofs_kernel;
    launch.job = &job;
    launch.item_count = pixel_count;
    launch.buffer[0].out = paths;
    launch.buffer[1].in = mask;
    launch.shared_count[1] = (int64_t)plane->row_words * plane->row_count;
    for (int i = 0; i < RCITY_ROOFS_RESIDENT_COUNT; i++) {
        launch.resident[RCITY_ROOFS_RESIDENT_FIRST + i] = roofs->resident[i];
    }
    RCITY_TRY(rcity_device_run(roofs->context, roofs->device, &launch));
    return decide(roofs, &job, visible, (rcity_roof_path *)paths);
}

/* Points in progress. */
typedef struct point_work {
    const rcity_roof_map *map;
    const rcity_roof_job *job;
    const rcity_grid_point3 *places;
    const rcity_roof_receiver *receivers;
    rcity_shadow_roof *paths;
    atomic_int_fast64_t bad; /* the first with more edges than there is room for */
} point_work;

static rcity_roof_path run_point(const point_work *work, int64_t i, roof_hints *hints, rcity_roof_hull *hull)
{
    const rcity_roof_job *job = work->job;
    rcity_grid_point3 at = work->places[i];
    rcity_sight_segment segment = {job->source_x, job->source_y, job->source_z, at.x, at.y, at.z};
    rcity_roof_item item;
    if (work->receivers[i] == RCITY_ROOF_RECEIVER_INDOORS) {
        return rcity_roof_path_none();
    }
    bool is_done = rcity_roof_item_start(&work->map->view, job, rcity_roof_line_make(segment),
                                         work->receivers[i] == RCITY_ROOF_RECEIVER_VISIBLE,
                                         work->receivers[i] == RCITY_ROOF_RECEIVER_ON_WALL, &item);
    return is_done ? item.path : run_item(&work->map->view, job, &item, hints, hull);
}

/* An rcity_parallel_function. */
static void run_points(void *user, int64_t begin, int64_t end, int thread_index)
{
    (void)thread_index;
    point_work *work = user;
    rcity_roof_hull hull;
    roof_hints hints = {{0}, 0};
    for (int64_t i = begin; i < end; i++) {
        rcity_roof_path path = run_point(work, i, &hints, &hull);
        memcpy(&work->paths[i], &path, sizeof path);
        note_bad(&work->bad, i, path.count);
    }
}

rcity_status rcity_roofs_trace_points(rcity_context *context, const rcity_sight *sight, rcity_grid_point3 source,
                                      rcity_roof_mode mode, int64_t count, const rcity_grid_point3 *places,
                                      const rcity_roof_receiver *receivers, rcity_shadow_roof *paths)
{
    if (rcity_roofs_is_enclosed(sight, source)) {
        memset(paths, 0, (size_t)count * sizeof *paths);
        return RCITY_OK;
    }
    rcity_roof_map map;
    RCITY_TRY(rcity_roof_map_init(context, sight, &map));
    rcity_roof_job job = make_source_job(&map, sight, source, mode);
    point_work work = {.map = &map, .job = &job, .places = places, .receivers = receivers, .paths = paths};
    atomic_init(&work.bad, count);
    rcity_parallel(context, count, POINT_ITEMS, run_points, &work);
    rcity_roof_map_deinit(context, &map);
    int64_t bad = atomic_load(&work.bad);
    RCITY_CHECK(
        context, bad == count, RCITY_ERR_UNSUPPORTED,
        "the path over roofs and hills to point %lld has more than %d diffracting edges; give the terrain a wider cell",
        (long long)bad + 1, RCITY_ROOF_EDGE_MAX - 2);
    return RCITY_OK;
}

int64_t rcity_roofs_close_count(const rcity_roofs *roofs)
{
    return roofs->close_count;
}

int rcity_roofs_find_edges(const rcity_roofs *roofs, rcity_grid_point3 source, int32_t column, int32_t row,
                           int capacity, int32_t *place, int32_t *height)
{
    rcity_roof_job job = rcity_roofs_make_job(roofs, source, RCITY_ROOF_EDGES, false);
    rcity_roof_view view;
    rcity_roof_plane plane;
    rcity_roof_hull hull;
    rcity_roofs_host_views(roofs, NULL, &view, &plane);
    rcity_roof_item item;
    if (rcity_roof_item_begin(&view, &job, &plane, column, row, &item)) {
        return 0;
    }
    rcity_roof_hull_begin(&item.line, &hull);
    (void)rcity_roof_item_ground(&view, &job, &item, &hull);
    rcity_roof_item_walk(&view, &job, &item, RCITY_ROOF_AHEAD, &hull);
    if (hull.is_full || hull.count > capacity) {
        return -1;
    }
    memcpy(place, hull.place, (size_t)hull.count * sizeof *place);
    memcpy(height, hull.height, (size_t)hull.count * sizeof *height);
    return hull.count;
}

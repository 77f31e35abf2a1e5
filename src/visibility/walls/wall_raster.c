/* Walls on the straight line: by added shadows where that is possible, else line by line on any device. */
#include "visibility/walls/wall_raster.h"

#include <assert.h>
#include <stdatomic.h>
#include <string.h>

#include "base/parallel.h"
#include "embedded/walls_cl.h"
#include "kernel/visibility/walls/wall_item.h"
#include "visibility/deferred_pixels.h"
#include "visibility/sight/sight_data.h"
#include "visibility/walls/wall_metres.h"

/* Buffers of the kernel: results, visible pixels, and those that stay on the device. */
#define RESIDENT_FIRST 2
#define RESIDENT_COUNT 10
#define BUFFER_COUNT   (RESIDENT_FIRST + RESIDENT_COUNT)

/* Pixels that a thread passes on at a time. */
#define HAND_ITEMS (1 << 14)

struct rcity_walls {
    rcity_context *context; /* Borrowed, as the next two. */
    rcity_device *device;
    const rcity_los_plane *plane;
    bool has_shadows;
    bool has_level_roof; /* a roof is as high as the receivers */
    rcity_wall_shadows shadows;
    rcity_sight *trees;
    int32_t *places; /* as in rcity_wall_plane */
    int64_t place_count;
    rcity_resident *resident[RESIDENT_COUNT];
    rcity_wall_path *paths;
    rcity_walls_effort effort;

    /* For results that stay on a device. */
    rcity_wall_job job; /* of the last trace, except for its sources */
    rcity_wall_source *sources;
    size_t source_capacity;
    rcity_resident *sources_dev;
    rcity_deferred_pixels deferred;
};

static void make_views(const rcity_wall_job *job, const rcity_launch_buffer *buffers, rcity_sight_view *view,
                       rcity_sight_view *trees, rcity_wall_plane *plane)
{
    plane->visible = buffers[1].in;
    plane->places = buffers[2].in;
    view->map = job->map;
    view->raster = buffers[3].in;
    view->lists = buffers[4].in;
    view->walls = buffers[5].in;
    view->details = buffers[6].in;
    view->ground = buffers[7].in;
    trees->map = job->trees;
    trees->raster = buffers[8].in;
    trees->lists = buffers[9].in;
    trees->walls = buffers[10].in;
    trees->details = buffers[11].in;
    trees->ground = view->ground;
}

static void run_pixels(const void *job_bytes, const rcity_launch_buffer *buffers, int64_t begin, int64_t end)
{
    rcity_wall_job job;
    rcity_sight_view view;
    rcity_sight_view trees;
    rcity_wall_plane plane;
    memcpy(&job, job_bytes, sizeof job);
    make_views(&job, buffers, &view, &trees, &plane);
    rcity_wall_path *paths = buffers[0].out;
    for (int64_t i = begin; i < end; i++) {
        paths[i] = rcity_wall_item_run(&view, &trees, &job, &plane, (int32_t)(i % job.column_count),
                                       (int32_t)(i / job.column_count));
    }
}

static const rcity_kernel pixels_kernel = {
    .name = "rcity_wall_pixels",
    .source = rcity_walls_cl,
    .job_bytes = sizeof(rcity_wall_job),
    .buffer_count = BUFFER_COUNT,
    .buffer = {{RCITY_BUFFER_ITEM_OUT, sizeof(rcity_wall_path)},
               {RCITY_BUFFER_SHARED_IN, sizeof(uint64_t)},
               {RCITY_BUFFER_SHARED_IN, sizeof(int32_t)},
               {RCITY_BUFFER_SHARED_IN, sizeof(uint8_t)},
               {RCITY_BUFFER_SHARED_IN, sizeof(uint32_t)},
               {RCITY_BUFFER_SHARED_IN, sizeof(rcity_sight_wall)},
               {RCITY_BUFFER_SHARED_IN, sizeof(int32_t)},
               {RCITY_BUFFER_SHARED_IN, sizeof(int32_t)},
               {RCITY_BUFFER_SHARED_IN, sizeof(uint8_t)},
               {RCITY_BUFFER_SHARED_IN, sizeof(uint32_t)},
               {RCITY_BUFFER_SHARED_IN, sizeof(rcity_sight_wall)},
               {RCITY_BUFFER_SHARED_IN, sizeof(int32_t)}},
    .host_run = run_pixels,
};

static int64_t pixels_of(const rcity_los_plane *plane)
{
    return (int64_t)plane->column_count * plane->row_count;
}

/* The plane's pixels as the kernel reads them. */
static rcity_status build_places(rcity_context *context, rcity_walls *walls)
{
    const rcity_los_plane *plane = walls->plane;
    size_t columns = (size_t)plane->column_count;
    size_t rows = (size_t)plane->row_count;
    size_t heights = plane->z != NULL ? columns * rows : 0;
    walls->place_count = (int64_t)(columns + rows + heights);
    RCITY_TRY(rcity_alloc(context, columns + rows + heights, sizeof *walls->places, "walls", &walls->places));
    memcpy(walls->places, plane->x, columns * sizeof *walls->places);
    memcpy(walls->places + columns, plane->y, rows * sizeof *walls->places);
    if (heights > 0) {
        memcpy(walls->places + columns + rows, plane->z, heights * sizeof *walls->places);
    }
    return RCITY_OK;
}

static rcity_status send(rcity_walls *walls)
{
    const rcity_sight *sight = walls->plane->sight;
    const rcity_sight *trees = walls->trees;
    const struct {
        const void *data;
        int64_t count;
    } kept[RESIDENT_COUNT] = {
        {walls->places, walls->place_count},   {sight->raster, sight->raster_count},
        {sight->lists, sight->list_count},     {sight->walls, sight->wall_count},
        {sight->details, sight->detail_count}, {sight->ground, sight->ground_count},
        {trees->raster, trees->raster_count},  {trees->lists, trees->list_count},
        {trees->walls, trees->wall_count},     {trees->details, trees->detail_count},
    };
    for (int i = 0; i < RESIDENT_COUNT; i++) {
        RCITY_TRY(rcity_resident_create(walls->context, walls->device, kept[i].data, kept[i].count,
                                        pixels_kernel.buffer[RESIDENT_FIRST + i].element_bytes, "walls",
                                        &walls->resident[i]));
    }
    return RCITY_OK;
}

rcity_status rcity_walls_open(rcity_context *context, rcity_device *device, const rcity_los_plane *plane,
                              rcity_walls **walls)
{
    rcity_device_info info;
    rcity_walls *made = NULL;
    rcity_status status;
    RCITY_TRY(rcity_alloc(context, 1, sizeof *made, "walls", &made));
    made->context = context;
    made->device = device;
    made->plane = plane;
    rcity_deferred_pixels_init(context, device, sizeof(rcity_wall_path), &made->deferred);
    rcity_device_describe(device, &info);
    /* over terrain the height above ground is not linear along a line */
    made->has_shadows = strcmp(info.kind, "host") == 0 && plane->z == NULL;
    for (int64_t i = 0; i < plane->shapes->prism_count; i++) {
        made->has_level_roof = made->has_level_roof || plane->shapes->prisms[i].roof == plane->level;
    }
    if (made->has_shadows) {
        RCITY_TRY_DONE(rcity_wall_shadows_init(context, plane, &made->shadows));
    }
    RCITY_TRY_DONE(rcity_sight_create_trees(context, plane->shapes, &made->trees));
    RCITY_TRY_DONE(build_places(context, made));
    RCITY_TRY_DONE(send(made));
    *walls = made;
    made = NULL;
done:
    rcity_walls_close(&made);
    return status;
}

void rcity_walls_close(rcity_walls **walls)
{
    if (walls == NULL || *walls == NULL) {
        return;
    }
    rcity_context *context = (*walls)->context;
    for (int i = 0; i < RESIDENT_COUNT; i++) {
        rcity_resident_destroy(&(*walls)->resident[i]);
    }
    rcity_deferred_pixels_deinit(&(*walls)->deferred);
    rcity_resident_destroy(&(*walls)->sources_dev);
    rcity_release(context, (*walls)->sources);
    rcity_release(context, (*walls)->paths);
    rcity_release(context, (*walls)->places);
    rcity_sight_destroy(context, &(*walls)->trees);
    rcity_wall_shadows_deinit(context, &(*walls)->shadows);
    rcity_release(context, *walls);
    *walls = NULL;
}

static rcity_wall_job make_job(const rcity_walls *walls, rcity_grid_point3 source, bool has_visible, bool has_metres)
{
    const rcity_los_plane *plane = walls->plane;
    rcity_wall_job job;
    memset(&job, 0, sizeof job);
    job.map = plane->sight->view.map;
    job.trees = walls->trees->view.map;
    job.source_x = source.x;
    job.source_y = source.y;
    job.source_z = source.z;
    job.level = plane->level;
    job.column_count = plane->column_count;
    job.row_count = plane->row_count;
    job.row_words = (int32_t)plane->row_words;
    job.has_heights = plane->z != NULL;
    job.has_visible = has_visible;
    job.has_foliage = has_metres;
    job.unit_m = 1.0f / (float)plane->shapes->units_per_m;
    job.height_unit_m = 1.0f / (float)RCITY_HEIGHT_UNITS_PER_M;
    return job;
}

/* The exact measure of one line. */
static rcity_wall_path measure_pixel(const rcity_walls *walls, const rcity_wall_job *job, int64_t pixel)
{
    rcity_wall_plane plane = {NULL, walls->places};
    rcity_sight_segment segment = rcity_wall_item_segment(job, &plane, (int32_t)(pixel % job->column_count),
                                                          (int32_t)(pixel / job->column_count));
    rcity_sight_measure measure = rcity_sight_measure_one(walls->plane->sight, walls->trees, segment);
    return rcity_wall_path_make(job, segment, measure.wall_count, measure.in_buildings, measure.in_foliage);
}

/* Results being passed on to the caller. */
typedef struct hand_work {
    const rcity_walls *walls;
    const rcity_wall_job *job;
    int32_t *count;
    float *building_m, *foliage_m;
    atomic_int_fast64_t close_count;
} hand_work;

static void hand_path(const hand_work *work, int64_t pixel, rcity_wall_path path)
{
    work->count[pixel] = path.count;
    if (work->building_m != NULL) {
        work->building_m[pixel] = path.building_m;
        work->foliage_m[pixel] = path.foliage_m;
    }
}

/* An rcity_parallel_function. */
static void hand_paths(void *user, int64_t begin, int64_t end, int thread_index)
{
    hand_work *work = user;
    int64_t close_count = 0;
    (void)thread_index;
    for (int64_t i = begin; i < end; i++) {
        rcity_wall_path path = work->walls->paths[i];
        if (path.count == RCITY_WALL_PATH_DEFERRED) {
            path = measure_pixel(work->walls, work->job, i);
            close_count++;
        }
        hand_path(work, i, path);
    }
    atomic_fetch_add(&work->close_count, close_count);
}

static rcity_status walk(rcity_walls *walls, const rcity_wall_job *job, const uint64_t *visible)
{
    const rcity_los_plane *plane = walls->plane;
    const uint64_t *mask = visible != NULL ? visible : plane->indoors; /* not read where NULL */
    rcity_launch launch;
    memset(&launch, 0, sizeof launch);
    launch.kernel = &pixels_kernel;
    launch.job = job;
    launch.item_count = pixels_of(plane);
    launch.buffer[0].out = walls->paths;
    launch.buffer[1].in = mask;
    launch.shared_count[1] = (int64_t)plane->row_words * plane->row_count;
    for (int i = 0; i < RESIDENT_COUNT; i++) {
        launch.resident[RESIDENT_FIRST + i] = walls->resident[i];
    }
    return rcity_device_run(walls->context, walls->device, &launch);
}

/* Lines being converted from fractions to metres. */
typedef struct scale_work {
    const rcity_walls *walls;
    const rcity_wall_job *job;
    const uint64_t *visible;
    float *building_m, *foliage_m; /* the first holds fractions of lines */
} scale_work;

static float find_foliage(const rcity_walls *walls, rcity_sight_segment segment)
{
    rcity_sight_line line = rcity_sight_line_make(segment);
    rcity_sight_sweep sweep;
    float in_foliage;
    return rcity_sight_tally_foliage(&walls->plane->sight->view, &walls->trees->view, &line, &sweep, &in_foliage)
               ? in_foliage
               : rcity_sight_measure_closely(walls->plane->sight, walls->trees, segment).in_foliage;
}

/* An rcity_parallel_function. */
static void scale_pixels(void *user, int64_t begin, int64_t end, int thread_index)
{
    const scale_work *work = user;
    rcity_wall_plane plane = {NULL, work->walls->places};
    (void)thread_index;
    for (int64_t i = begin; i < end; i++) {
        int32_t column = (int32_t)(i % work->job->column_count);
        int32_t row = (int32_t)(i / work->job->column_count);
        rcity_sight_segment segment = rcity_wall_item_segment(work->job, &plane, column, row);
        bool is_visible = work->visible != NULL && rcity_los_plane_bit(work->walls->plane, work->visible, column, row);
        float in_foliage = is_visible ? 0.0f : find_foliage(work->walls, segment);
        rcity_wall_path path = rcity_wall_path_make(work->job, segment, 0, work->building_m[i], in_foliage);
        work->building_m[i] = path.building_m;
        work->foliage_m[i] = path.foliage_m;
    }
}

/* On the host, without terrain. */
static void trace_shadows(rcity_walls *walls, rcity_grid_point3 source, const uint64_t *visible, int32_t *count,
                          float *building_m, float *foliage_m)
{
    rcity_wall_shadows_trace(walls->context, &walls->shadows, source, visible, count, &walls->effort.border_count,
                             &walls->effort.asked_count);
    if (building_m != NULL) {
        rcity_wall_job job = make_job(walls, source, visible != NULL, true);
        scale_work work = {walls, &job, visible, building_m, foliage_m};
        rcity_wall_shadows_measure(walls->context, &walls->shadows, source, visible, building_m,
                                   &walls->effort.measured_count);
        rcity_parallel(walls->context, pixels_of(walls->plane), HAND_ITEMS, scale_pixels, &work);
    }
}

static void run_on_device(const void *job_bytes, const rcity_launch_buffer *buffers, int64_t begin, int64_t end)
{
    rcity_wall_job job;
    rcity_sight_view view, trees;
    rcity_wall_plane plane;
    memcpy(&job, job_bytes, sizeof job);
    make_views(&job, buffers, &view, &trees, &plane);
    const uint64_t *visible = plane.visible;
    rcity_wall_path *paths = buffers[0].out;
    uint32_t *deferred = buffers[BUFFER_COUNT].out;
    const rcity_wall_source *sources = buffers[BUFFER_COUNT + 1].in;
    int64_t pixel_count = (int64_t)job.column_count * job.row_count;
    for (int64_t i = begin; i < end; i++) {
        int32_t pixel = (int32_t)(i % pixel_count);
        rcity_wall_job_choose(sources[i / pixel_count], &job);
        plane.visible = visible + i / pixel_count * job.visible_stride;
        paths[i] = rcity_wall_item_run(&view, &trees, &job, &plane, pixel % job.column_count, pixel / job.column_count);
        if (paths[i].count == RCITY_WALL_PATH_DEFERRED) {
            deferred[1 + rcity_global_add(deferred, 1)] = (uint32_t)i;
        }
    }
}

static rcity_status send_sources(rcity_walls *walls, int source_count, const rcity_grid_point3 *sources)
{
    RCITY_TRY(rcity_reserve(walls->context, (size_t)source_count, sizeof *walls->sources, &walls->source_capacity,
                            "walls", &walls->sources));
    RCITY_TRY(rcity_resident_reserve(walls->context, walls->device, source_count, sizeof *walls->sources, "walls",
                                     &walls->sources_dev));
    for (int i = 0; i < source_count; i++) {
        walls->sources[i] = (rcity_wall_source){sources[i].x, sources[i].y, sources[i].z, 0};
    }
    return rcity_resident_write(walls->context, walls->sources_dev, 0, source_count, walls->sources);
}

rcity_status rcity_walls_trace_on_device(rcity_walls *walls, int source_count, const rcity_grid_point3 *sources,
                                         rcity_walls_visible visible, bool has_foliage, rcity_resident *paths)
{
    RCITY_TRY(send_sources(walls, source_count, sources));
    RCITY_TRY(rcity_deferred_pixels_begin(&walls->deferred, source_count * pixels_of(walls->plane)));
    rcity_kernel kernel = pixels_kernel;
    kernel.name = "rcity_wall_pixels_on_device";
    kernel.host_run = run_on_device;
    kernel.buffer_count = BUFFER_COUNT + 2;
    kernel.buffer[0].use = RCITY_BUFFER_ON_DEVICE;
    kernel.buffer[1].element_bytes = sizeof(uint32_t); /* the two halves of its words */
    kernel.buffer[BUFFER_COUNT].use = RCITY_BUFFER_ON_DEVICE;
    kernel.buffer[BUFFER_COUNT].element_bytes = sizeof(uint32_t);
    kernel.buffer[BUFFER_COUNT + 1].use = RCITY_BUFFER_SHARED_IN;
    kernel.buffer[BUFFER_COUNT + 1].element_bytes = sizeof(rcity_wall_source);
    walls->job = make_job(walls, sources[0], visible.words != NULL, has_foliage);
    walls->job.visible_stride =
        visible.words != NULL && !visible.is_shared ? walls->job.row_words * walls->job.row_count : 0;
    rcity_launch launch;
    memset(&launch, 0, sizeof launch);
    launch.kernel = &kernel;
    launch.job = &walls->job;
    launch.item_count = source_count * pixels_of(walls->plane);
    launch.resident[0] = paths;
    launch.resident[1] = visible.words != NULL ? visible.words : walls->deferred.list_dev; /* not read where NULL */
    for (int i = 0; i < RESIDENT_COUNT; i++) {
        launch.resident[RESIDENT_FIRST + i] = walls->resident[i];
    }
    launch.resident[BUFFER_COUNT] = walls->deferred.list_dev;
    launch.resident[BUFFER_COUNT + 1] = walls->sources_dev;
    return rcity_device_run(walls->context, walls->device, &launch);
}

rcity_status rcity_walls_fetch_from_device(rcity_walls *walls)
{
    return rcity_deferred_pixels_fetch(&walls->deferred);
}

/* An rcity_parallel_function. */
static void measure_deferred(void *user, int64_t begin, int64_t end, int thread_index)
{
    const rcity_walls *walls = user;
    rcity_wall_path *found = walls->deferred.found;
    (void)thread_index;
    rcity_wall_job job = walls->job;
    for (int64_t i = begin; i < end; i++) {
        int64_t pixel = walls->deferred.list[1 + i];
        rcity_wall_job_choose(walls->sources[pixel / pixels_of(walls->plane)], &job);
        found[i] = measure_pixel(walls, &job, pixel % pixels_of(walls->plane));
    }
}

rcity_status rcity_walls_decide_on_device(rcity_walls *walls, rcity_resident *paths)
{
    int64_t count = 0;
    RCITY_TRY(rcity_deferred_pixels_count(&walls->deferred, &count));
    if (count == 0) {
        return RCITY_OK;
    }
    rcity_parallel(walls->context, count, 16, measure_deferred, walls);
    walls->effort.close_count += count;
    return rcity_deferred_pixels_put(&walls->deferred, paths);
}

rcity_status rcity_walls_trace(rcity_walls *walls, rcity_grid_point3 source, const uint64_t *visible, int32_t *count,
                               float *building_m, float *foliage_m)
{
    rcity_context *context = walls->context;
    int64_t pixel_count = pixels_of(walls->plane);
    /* a line that rises to a receiver in a roof's plane leaves the building at its end: no copy of that roof is
       there */
    bool ends_in_roof = walls->has_level_roof && source.z < walls->plane->level;
    if (walls->has_shadows && (building_m == NULL || !ends_in_roof)) {
        trace_shadows(walls, source, visible, count, building_m, foliage_m);
        return RCITY_OK;
    }
    if (walls->paths == NULL) {
        RCITY_TRY(rcity_alloc(context, (size_t)pixel_count, sizeof *walls->paths, "walls", &walls->paths));
    }
    rcity_wall_job job = make_job(walls, source, visible != NULL, building_m != NULL);
    RCITY_TRY(walk(walls, &job, visible));
    hand_work work = {.walls = walls, .job = &job, .count = count, .building_m = building_m, .foliage_m = foliage_m};
    atomic_init(&work.close_count, 0);
    rcity_parallel(context, pixel_count, HAND_ITEMS, hand_paths, &work);
    walls->effort.close_count += atomic_load(&work.close_count);
    return RCITY_OK;
}

void rcity_walls_trace_plainly(const rcity_walls *walls, rcity_grid_point3 source, const uint64_t *visible,
                               int32_t *count, float *building_m, float *foliage_m)
{
    const rcity_los_plane *plane = walls->plane;
    rcity_wall_job job = make_job(walls, source, false, true);
    hand_work work = {.walls = walls, .job = &job, .count = count, .building_m = building_m, .foliage_m = foliage_m};
    for (int64_t i = 0; i < pixels_of(plane); i++) {
        int32_t column = (int32_t)(i % plane->column_count);
        int32_t row = (int32_t)(i / plane->column_count);
        bool is_visible = visible != NULL && rcity_los_plane_bit(plane, visible, column, row);
        rcity_wall_path none = {0, 0.0f, 0.0f};
        hand_path(&work, i, is_visible ? none : measure_pixel(walls, &job, i));
    }
}

rcity_walls_effort rcity_walls_get_effort(const rcity_walls *walls)
{
    return walls->effort;
}

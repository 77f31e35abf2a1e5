/* Batches of segments: the walk on the device, then on the host the few segments it defers. */
#include "visibility/sight_batch.h"

#include <assert.h>
#include <stdatomic.h>
#include <string.h>

#include "base/parallel.h"
#include "embedded/sight_cl.h"
#include "scene/place/terrain.h"

/* Buffers of the kernels: segments, answers, and those that stay on the device. The trees are last. */
#define RESIDENT_FIRST     2
#define RESIDENT_BUILDINGS 5
#define RESIDENT_COUNT     9

/* Segments that a thread decides at a time. */
#define DECIDE_ITEMS (1 << 14)

struct rcity_sight_batch {
    rcity_context *context; /* Borrowed, as the next three. */
    rcity_device *device;
    const rcity_sight *sight, *trees;
    rcity_resident *resident[RESIDENT_COUNT];
    atomic_int_fast64_t close_count;
};

static rcity_sight_view make_view(rcity_sight_map map, const rcity_launch_buffer *buffers, const void *ground)
{
    rcity_sight_view view;
    view.map = map;
    view.raster = buffers[0].in;
    view.lists = buffers[1].in;
    view.walls = buffers[2].in;
    view.details = buffers[3].in;
    view.ground = ground;
    return view;
}

static void run_segments(const void *job, const rcity_launch_buffer *buffers, int64_t begin, int64_t end)
{
    rcity_sight_map map;
    memcpy(&map, job, sizeof map);
    rcity_sight_view view = make_view(map, buffers + RESIDENT_FIRST, buffers[6].in);
    const rcity_sight_segment *segments = buffers[0].in;
    uint8_t *answers = buffers[1].out;
    rcity_sight_test_many(&view, segments + begin, end - begin, answers + begin);
}

static void run_measures(const void *job, const rcity_launch_buffer *buffers, int64_t begin, int64_t end)
{
    rcity_sight_measure_job maps;
    memcpy(&maps, job, sizeof maps);
    rcity_sight_view view = make_view(maps.map, buffers + RESIDENT_FIRST, buffers[6].in);
    rcity_sight_view trees = make_view(maps.trees, buffers + RESIDENT_FIRST + RESIDENT_BUILDINGS, buffers[6].in);
    const rcity_sight_segment *segments = buffers[0].in;
    rcity_sight_measure *measures = buffers[1].out;
    for (int64_t i = begin; i < end; i++) {
        measures[i] = rcity_sight_measure_segment(&view, &trees, segments[i]);
    }
}

#define BUILDING_BUFFERS                                                                                               \
    {RCITY_BUFFER_SHARED_IN, sizeof(uint8_t)}, {RCITY_BUFFER_SHARED_IN, sizeof(uint32_t)},                             \
        {RCITY_BUFFER_SHARED_IN, sizeof(rcity_sight_wall)},                                                            \
    {                                                                                                                  \
        RCITY_BUFFER_SHARED_IN, sizeof(int32_t)                                                                        \
    }

static const rcity_kernel segments_kernel = {
    .name = "rcity_sight_segments",
    .source = rcity_sight_cl,
    .job_bytes = sizeof(rcity_sight_map),
    .buffer_count = RESIDENT_FIRST + RESIDENT_BUILDINGS,
    .buffer = {{RCITY_BUFFER_ITEM_IN, sizeof(rcity_sight_segment)},
               {RCITY_BUFFER_ITEM_OUT, sizeof(uint8_t)},
               BUILDING_BUFFERS,
               {RCITY_BUFFER_SHARED_IN, sizeof(int32_t)}},
    .host_run = run_segments,
};

static const rcity_kernel measures_kernel = {
    .name = "rcity_sight_measures",
    .source = rcity_sight_cl,
    .job_bytes = sizeof(rcity_sight_measure_job),
    .buffer_count = RESIDENT_FIRST + RESIDENT_COUNT,
    .buffer = {{RCITY_BUFFER_ITEM_IN, sizeof(rcity_sight_segment)},
               {RCITY_BUFFER_ITEM_OUT, sizeof(rcity_sight_measure)},
               BUILDING_BUFFERS,
               {RCITY_BUFFER_SHARED_IN, sizeof(int32_t)},
               BUILDING_BUFFERS},
    .host_run = run_measures,
};

/* An array of a structure, as it stays on a device. */
typedef struct kept_array {
    const void *data;
    int64_t count;
} kept_array;

static void list_arrays(const rcity_sight *sight, kept_array *kept)
{
    kept[0] = (kept_array){sight->raster, sight->raster_count};
    kept[1] = (kept_array){sight->lists, sight->list_count};
    kept[2] = (kept_array){sight->walls, sight->wall_count};
    kept[3] = (kept_array){sight->details, sight->detail_count};
}

rcity_status rcity_sight_batch_open(rcity_context *context, rcity_device *device, const rcity_sight *sight,
                                    const rcity_sight *trees, rcity_sight_batch **batch)
{
    kept_array kept[RESIDENT_COUNT];
    list_arrays(sight, kept);
    kept[RESIDENT_BUILDINGS - 1] = (kept_array){sight->ground, sight->ground_count};
    if (trees != NULL) {
        list_arrays(trees, kept + RESIDENT_BUILDINGS);
    }
    rcity_sight_batch *made = NULL;
    RCITY_TRY(rcity_alloc(context, 1, sizeof *made, "the sight structure", &made));
    made->context = context;
    made->device = device;
    made->sight = sight;
    made->trees = trees;
    atomic_init(&made->close_count, 0);
    int resident_count = trees != NULL ? RESIDENT_COUNT : RESIDENT_BUILDINGS;
    for (int i = 0; i < resident_count; i++) {
        size_t element_bytes = measures_kernel.buffer[RESIDENT_FIRST + i].element_bytes;
        rcity_status status = rcity_resident_create(context, device, kept[i].data, kept[i].count, element_bytes,
                                                    "the sight structure", &made->resident[i]);
        if (status != RCITY_OK) {
            rcity_sight_batch_close(&made);
            return status;
        }
    }
    *batch = made;
    return RCITY_OK;
}

void rcity_sight_batch_close(rcity_sight_batch **batch)
{
    if (batch == NULL || *batch == NULL) {
        return;
    }
    for (int i = 0; i < RESIDENT_COUNT; i++) {
        rcity_resident_destroy(&(*batch)->resident[i]);
    }
    rcity_release((*batch)->context, *batch);
    *batch = NULL;
}

static rcity_status run(const rcity_sight_batch *batch, const rcity_kernel *kernel, const void *job, int64_t count,
                        const rcity_sight_segment *segments, void *out)
{
    rcity_launch launch;
    memset(&launch, 0, sizeof launch);
    launch.kernel = kernel;
    launch.job = job;
    launch.item_count = count;
    launch.buffer[0].in = segments;
    launch.buffer[1].out = out;
    for (int i = 0; RESIDENT_FIRST + i < kernel->buffer_count; i++) {
        launch.resident[RESIDENT_FIRST + i] = batch->resident[i];
    }
    return rcity_device_run(batch->context, batch->device, &launch);
}

/* Segments that the device deferred. One of the two outputs is given. */
typedef struct decide_work {
    rcity_sight_batch *batch;
    const rcity_sight_segment *segments;
    uint8_t *answers;
    rcity_sight_measure *measures;
} decide_work;

static bool is_free_closely(const rcity_sight *sight, rcity_sight_segment segment)
{
    rcity_grid_point3 from = {segment.ax, segment.ay, segment.az};
    rcity_grid_point3 to = {segment.bx, segment.by, segment.bz};
    return !rcity_sight_buildings_block(sight, from, to) && !rcity_terrain_blocks(&sight->shapes->terrain, from, to);
}

/* An rcity_parallel_function. */
static void decide_answers(void *user, int64_t begin, int64_t end, int thread_index)
{
    decide_work *work = user;
    int64_t close_count = 0;
    (void)thread_index;
    for (int64_t i = begin; i < end; i++) {
        uint8_t answer = work->answers[i];
        work->answers[i] = answer == RCITY_SIGHT_FREE;
        if (answer == RCITY_SIGHT_LOOK_CLOSELY) {
            work->answers[i] = is_free_closely(work->batch->sight, work->segments[i]);
            close_count++;
        }
    }
    atomic_fetch_add(&work->batch->close_count, close_count);
}

/* An rcity_parallel_function. */
static void decide_measures(void *user, int64_t begin, int64_t end, int thread_index)
{
    decide_work *work = user;
    int64_t close_count = 0;
    (void)thread_index;
    for (int64_t i = begin; i < end; i++) {
        if (work->measures[i].is_deferred) {
            work->measures[i] = rcity_sight_measure_closely(work->batch->sight, work->batch->trees, work->segments[i]);
            close_count++;
        }
    }
    atomic_fetch_add(&work->batch->close_count, close_count);
}

rcity_status rcity_sight_batch_test(rcity_sight_batch *batch, int64_t count, const rcity_sight_segment *segments,
                                    uint8_t *is_free)
{
    decide_work work = {batch, segments, is_free, NULL};
    RCITY_TRY(run(batch, &segments_kernel, &batch->sight->view.map, count, segments, is_free));
    rcity_parallel(batch->context, count, DECIDE_ITEMS, decide_answers, &work);
    return RCITY_OK;
}

rcity_status rcity_sight_batch_measure(rcity_sight_batch *batch, int64_t count, const rcity_sight_segment *segments,
                                       rcity_sight_measure *measures)
{
    assert(batch->trees != NULL);
    decide_work work = {batch, segments, NULL, measures};
    rcity_sight_measure_job job = {batch->sight->view.map, batch->trees->view.map};
    RCITY_TRY(run(batch, &measures_kernel, &job, count, segments, measures));
    rcity_parallel(batch->context, count, DECIDE_ITEMS, decide_measures, &work);
    return RCITY_OK;
}

int64_t rcity_sight_batch_close_count(const rcity_sight_batch *batch)
{
    return atomic_load(&batch->close_count);
}

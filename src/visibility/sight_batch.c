/* Batches of segments: the walk on the device, then on the host the few segments it defers. */
#include "visibility/sight_batch.h"

#include <assert.h>
#include <stdatomic.h>
#include <string.h>

#include "base/parallel.h"
#include "embedded/sight_cl.h"
#include "scene/place/terrain.h"
#include "visibility/sight_arrays.h"

/* Buffers of the kernels: segments, answers, and those that stay on the device. The trees are last: on the same
   ground. */
#define RESIDENT_FIRST     2
#define RESIDENT_BUILDINGS RCITY_SIGHT_ARRAY_COUNT
#define TREE_COUNT         RCITY_SIGHT_ARRAY_GROUND
#define RESIDENT_COUNT     (RESIDENT_BUILDINGS + TREE_COUNT)

/* Segments that a thread decides at a time. */
#define DECIDE_ITEMS (1 << 14)

struct rcity_sight_batch {
    rcity_context *context; /* Borrowed, as the next three. */
    rcity_device *device;
    const rcity_sight *sight, *trees;
    rcity_resident *resident[RESIDENT_COUNT];
    atomic_int_fast64_t close_count;
};

static void run_segments(const void *job, const rcity_launch_buffer *buffers, int64_t begin, int64_t end)
{
    rcity_sight_map map;
    memcpy(&map, job, sizeof map);
    rcity_sight_view view = rcity_sight_arrays_view(map, buffers + RESIDENT_FIRST);
    const rcity_sight_segment *segments = buffers[0].in;
    uint8_t *answers = buffers[1].out;
    rcity_sight_test_many(&view, segments + begin, end - begin, answers + begin);
}

static void run_measures(const void *job, const rcity_launch_buffer *buffers, int64_t begin, int64_t end)
{
    rcity_sight_measure_job maps;
    memcpy(&maps, job, sizeof maps);
    rcity_launch_buffer tree_buffers[RCITY_SIGHT_ARRAY_COUNT];
    memcpy(tree_buffers, buffers + RESIDENT_FIRST + RESIDENT_BUILDINGS, TREE_COUNT * sizeof *buffers);
    tree_buffers[RCITY_SIGHT_ARRAY_GROUND] = buffers[RESIDENT_FIRST + RCITY_SIGHT_ARRAY_GROUND];
    rcity_sight_view view = rcity_sight_arrays_view(maps.map, buffers + RESIDENT_FIRST);
    rcity_sight_view trees = rcity_sight_arrays_view(maps.trees, tree_buffers);
    const rcity_sight_segment *segments = buffers[0].in;
    rcity_sight_measure *measures = buffers[1].out;
    for (int64_t i = begin; i < end; i++) {
        measures[i] = rcity_sight_measure_segment(&view, &trees, segments[i]);
    }
}

static const rcity_kernel segments_kernel = {
    .name = "rcity_sight_segments",
    .source = rcity_sight_cl,
    .job_bytes = sizeof(rcity_sight_map),
    .buffer_count = RESIDENT_FIRST + RESIDENT_BUILDINGS,
    .buffer = {{RCITY_BUFFER_ITEM_IN, sizeof(rcity_sight_segment)},
               {RCITY_BUFFER_ITEM_OUT, sizeof(uint8_t)},
               RCITY_SIGHT_BUFFERS},
    .host_run = run_segments,
};

static const rcity_kernel measures_kernel = {
    .name = "rcity_sight_measures",
    .source = rcity_sight_cl,
    .job_bytes = sizeof(rcity_sight_measure_job),
    .buffer_count = RESIDENT_FIRST + RESIDENT_COUNT,
    .buffer = {{RCITY_BUFFER_ITEM_IN, sizeof(rcity_sight_segment)},
               {RCITY_BUFFER_ITEM_OUT, sizeof(rcity_sight_measure)},
               RCITY_SIGHT_BUFFERS,
               RCITY_SIGHT_BUILDING_BUFFERS},
    .host_run = run_measures,
};

rcity_status rcity_sight_batch_open(rcity_context *context, rcity_device *device, const rcity_sight *sight,
                                    const rcity_sight *trees, rcity_sight_batch **batch)
{
    rcity_sight_batch *made = NULL;
    rcity_status status;
    RCITY_TRY_DONE(rcity_alloc(context, 1, sizeof *made, "the sight structure", &made));
    made->context = context;
    made->device = device;
    made->sight = sight;
    made->trees = trees;
    atomic_init(&made->close_count, 0);
    RCITY_TRY_DONE(rcity_sight_arrays_send(context, device, sight, RESIDENT_BUILDINGS, made->resident));
    if (trees != NULL) {
        RCITY_TRY_DONE(
            rcity_sight_arrays_send(context, device, trees, TREE_COUNT, made->resident + RESIDENT_BUILDINGS));
    }
    *batch = made;
    made = NULL;
done:
    rcity_sight_batch_close(&made);
    return status;
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

/* Batches of segments: the walk on the device, then on the host the few segments it leaves open. */
#include "method/sight/sight_batch.h"

#include <stdatomic.h>
#include <string.h>

#include "base/parallel.h"
#include "embedded/sight_cl.h"
#include "scene/place/terrain.h"

/* Buffers of the kernel: segments, answers, and those that stay on the device. */
#define RESIDENT_FIRST 2
#define RESIDENT_COUNT 5

struct rcity_sight_batch {
    rcity_context *context; /* Borrowed, as the next two. */
    rcity_device *device;
    const rcity_sight *sight;
    rcity_resident *resident[RESIDENT_COUNT];
    atomic_int_fast64_t close_count;
};

static void run_segments(const void *job, void *const *buffers, int64_t begin, int64_t end)
{
    rcity_sight_view view;
    memset(&view, 0, sizeof view);
    memcpy(&view.map, job, sizeof view.map);
    const rcity_sight_segment *segments = buffers[0];
    uint8_t *answers = buffers[1];
    view.raster = buffers[2];
    view.lists = buffers[3];
    view.walls = buffers[4];
    view.details = buffers[5];
    view.ground = buffers[6];
    rcity_sight_test_many(&view, segments + begin, end - begin, answers + begin);
}

static const rcity_kernel segments_kernel = {
    .name = "rcity_sight_segments",
    .source = rcity_sight_cl,
    .job_bytes = sizeof(rcity_sight_map),
    .buffer_count = RESIDENT_FIRST + RESIDENT_COUNT,
    .buffer = {{RCITY_BUFFER_ITEM_IN, sizeof(rcity_sight_segment)},
               {RCITY_BUFFER_ITEM_OUT, sizeof(uint8_t)},
               {RCITY_BUFFER_SHARED_IN, sizeof(uint8_t)},
               {RCITY_BUFFER_SHARED_IN, sizeof(uint32_t)},
               {RCITY_BUFFER_SHARED_IN, sizeof(rcity_sight_wall)},
               {RCITY_BUFFER_SHARED_IN, sizeof(int32_t)},
               {RCITY_BUFFER_SHARED_IN, sizeof(int32_t)}},
    .host_run = run_segments,
};

rcity_status rcity_sight_batch_open(rcity_context *context, rcity_device *device, const rcity_sight *sight,
                                    rcity_sight_batch **batch)
{
    const struct {
        const void *data;
        int64_t count;
    } kept[RESIDENT_COUNT] = {{sight->raster, sight->raster_count},
                              {sight->lists, sight->list_count},
                              {sight->walls, sight->wall_count},
                              {sight->details, sight->detail_count},
                              {sight->ground, sight->ground_count}};
    rcity_sight_batch *made = NULL;
    RCITY_TRY(rcity_alloc(context, 1, sizeof *made, "the sight structure", &made));
    made->context = context;
    made->device = device;
    made->sight = sight;
    atomic_init(&made->close_count, 0);
    for (int i = 0; i < RESIDENT_COUNT; i++) {
        rcity_status status = rcity_resident_create(context, device, kept[i].data, kept[i].count,
                                                    segments_kernel.buffer[RESIDENT_FIRST + i].element_bytes,
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

/* Answers on their way from the walk's to the caller's. */
typedef struct answer_work {
    rcity_sight_batch *batch;
    const rcity_sight_segment *segments;
    uint8_t *answers;
} answer_work;

static bool is_free_closely(const rcity_sight *sight, rcity_sight_segment segment)
{
    rcity_grid_point3 from = {segment.ax, segment.ay, segment.az};
    rcity_grid_point3 to = {segment.bx, segment.by, segment.bz};
    return !rcity_sight_buildings_block(sight, from, to) && !rcity_terrain_blocks(&sight->shapes->terrain, from, to);
}

/* An rcity_parallel_function. */
static void settle_answers(void *user, int64_t begin, int64_t end, int thread_index)
{
    answer_work *work = user;
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

rcity_status rcity_sight_batch_test(rcity_sight_batch *batch, int64_t count, const rcity_sight_segment *segments,
                                    uint8_t *is_free)
{
    rcity_launch launch;
    memset(&launch, 0, sizeof launch);
    launch.kernel = &segments_kernel;
    launch.job = &batch->sight->view.map;
    launch.item_count = count;
    memcpy(&launch.buffer[0], &segments, sizeof launch.buffer[0]); /* read only */
    launch.buffer[1] = is_free;
    for (int i = 0; i < RESIDENT_COUNT; i++) {
        launch.resident[RESIDENT_FIRST + i] = batch->resident[i];
    }
    RCITY_TRY(rcity_device_run(batch->context, batch->device, &launch));
    answer_work work = {batch, segments, is_free};
    rcity_parallel(batch->context, count, 1 << 16, settle_answers, &work);
    return RCITY_OK;
}

int64_t rcity_sight_batch_close_count(const rcity_sight_batch *batch)
{
    return atomic_load(&batch->close_count);
}

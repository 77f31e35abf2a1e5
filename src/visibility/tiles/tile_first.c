/* What stays on the device, the launch, and what the host decides. */
#include "visibility/tiles/tile_first.h"

#include <string.h>

#include "base/parallel.h"
#include "embedded/tile_first_cl.h"
#include "visibility/sight_arrays.h"
#include "visibility/tiles/tile_blocks.h"
#include "visibility/tiles/tile_first_host.h"

/* Buffers of the kernel: where transmitters are, answers, and those that stay on the device. */
enum {
    BUFFER_FROM,
    BUFFER_ANSWERS,
    BUFFER_PLACES,
    BUFFER_FRONTS,
    BUFFER_RECEIVERS,
    BUFFER_SIGHT,
    BUFFER_COUNT = BUFFER_SIGHT + RCITY_SIGHT_ARRAY_COUNT
};

#define ANSWERS_BYTES ((uint64_t)32 << 20) /* of transmitters that are asked for at once */
#define DECIDE_WORDS  1024                 /* of a thread at a time */

struct rcity_tile_first {
    rcity_context *context; /* Borrowed, as the next two. */
    rcity_device *device;
    const rcity_sight *sight;
    bool is_on_host;
    rcity_tile_blocks blocks;
    rcity_sight_occluders occluders; /* on the host only */
    rcity_tile_first_job job;
    rcity_tile_first_view view;             /* on the host */
    rcity_resident *resident[BUFFER_COUNT]; /* on a device only; the first two are those of a run */
};

static const rcity_kernel first_kernel = {
    .name = "rcity_tile_first",
    .source = rcity_tile_first_cl,
    .job_bytes = sizeof(rcity_tile_first_job),
    .group_items = RCITY_TILE_BLOCK,
    .buffer_count = BUFFER_COUNT,
    .buffer = {{RCITY_BUFFER_SHARED_IN, sizeof(rcity_tile_place)},
               {RCITY_BUFFER_ON_DEVICE, sizeof(rcity_tile_first_answer)},
               {RCITY_BUFFER_SHARED_IN, sizeof(rcity_tile_place)},
               {RCITY_BUFFER_SHARED_IN, sizeof(rcity_tile_front)},
               {RCITY_BUFFER_SHARED_IN, sizeof(rcity_tile_place)},
               RCITY_SIGHT_BUFFERS},
};

static rcity_status send(rcity_tile_first *first, int buffer, const void *data, int64_t count)
{
    return rcity_resident_create(first->context, first->device, data, count, first_kernel.buffer[buffer].element_bytes,
                                 "places of tiles", &first->resident[buffer]);
}

/* What the kernel reads beside the places of transmitters. */
static rcity_status send_all(rcity_tile_first *first)
{
    RCITY_TRY(send(first, BUFFER_PLACES, first->view.places, first->job.tile_count));
    RCITY_TRY(send(first, BUFFER_FRONTS, first->view.fronts, first->job.tile_count));
    RCITY_TRY(send(first, BUFFER_RECEIVERS, first->view.receivers, first->job.receiver_count));
    return rcity_sight_arrays_send(first->context, first->device, first->sight, RCITY_SIGHT_ARRAY_COUNT,
                                   first->resident + BUFFER_SIGHT);
}

static void set_job(rcity_tile_first *first, int64_t receiver_count, const rcity_tile_place *receivers)
{
    first->view.places = first->blocks.places;
    first->view.fronts = first->blocks.fronts;
    first->view.receivers = receivers;
    first->view.sight = first->sight->view;
    first->job.map = first->sight->view.map;
    first->job.tile_count = first->blocks.tile_count;
    first->job.receiver_count = (int32_t)receiver_count;
    first->job.tile_word_count = first->blocks.tile_block_count;
    first->job.word_count =
        first->job.tile_word_count + (int32_t)((receiver_count + RCITY_TILE_BLOCK - 1) / RCITY_TILE_BLOCK);
}

rcity_status rcity_tile_first_open(rcity_context *context, rcity_device *device, const rcity_sight *sight,
                                   const rcity_tiling *tiling, int64_t receiver_count,
                                   const rcity_tile_place *receivers, rcity_tile_first **first)
{
    rcity_device_info info;
    rcity_tile_first *made = NULL;
    rcity_status status;
    RCITY_TRY_DONE(rcity_alloc(context, 1, sizeof *made, "what transmitters see", &made));
    made->context = context;
    made->device = device;
    made->sight = sight;
    rcity_device_describe(device, &info);
    made->is_on_host = strcmp(info.kind, "host") == 0;
    RCITY_TRY_DONE(rcity_tile_blocks_check(context, tiling, 0.0, receiver_count));
    RCITY_TRY_DONE(rcity_tile_blocks_init(context, tiling, 0.0, 0, NULL, &made->blocks));
    set_job(made, receiver_count, receivers);
    if (made->is_on_host) {
        RCITY_TRY_DONE(rcity_sight_occluders_init(context, sight, &made->occluders));
    } else {
        RCITY_TRY_DONE(send_all(made));
    }
    *first = made;
    made = NULL;
done:
    rcity_tile_first_close(&made);
    return status;
}

void rcity_tile_first_close(rcity_tile_first **first)
{
    rcity_tile_first *ended = *first;
    if (ended == NULL) {
        return;
    }
    for (int i = 0; i < BUFFER_COUNT; i++) {
        rcity_resident_destroy(&ended->resident[i]);
    }
    rcity_sight_occluders_deinit(ended->context, &ended->occluders);
    rcity_tile_blocks_deinit(ended->context, &ended->blocks);
    rcity_release(ended->context, ended);
    *first = NULL;
}

int32_t rcity_tile_first_tile_words(const rcity_tile_first *first)
{
    return first->job.tile_word_count;
}

int32_t rcity_tile_first_words(const rcity_tile_first *first)
{
    return first->job.word_count;
}

int32_t rcity_tile_first_most(const rcity_tile_first *first)
{
    uint64_t bytes = (uint64_t)first->job.word_count * sizeof(rcity_tile_first_answer);
    uint64_t most = rcity_device_buffer_bytes(first->device);
    most = most < ANSWERS_BYTES ? most : ANSWERS_BYTES;
    return bytes == 0 || most / bytes > INT32_MAX ? INT32_MAX : most < bytes ? 1 : (int32_t)(most / bytes);
}

rcity_resident *const *rcity_tile_first_sight(const rcity_tile_first *first)
{
    return first->resident + BUFFER_SIGHT;
}

/* Answers that were deferred. */
typedef struct decide_work {
    const rcity_tile_first *first;
    const rcity_tile_place *from;
    rcity_tile_first_answer *answers;
} decide_work;

/* An rcity_parallel_function over the words of all transmitters. */
static void decide(void *user, int64_t begin, int64_t end, int thread_index)
{
    const decide_work *work = user;
    const rcity_tile_first_job *job = &work->first->job;
    const rcity_tile_first_view *view = &work->first->view;
    (void)thread_index;
    for (int64_t i = begin; i < end; i++) {
        rcity_tile_first_answer *answer = &work->answers[i];
        for (; answer->deferred != 0; answer->deferred &= answer->deferred - 1) {
            int bit = __builtin_ctz(answer->deferred);
            int32_t word = (int32_t)(i % job->word_count);
            int32_t place = word * RCITY_TILE_BLOCK + bit;
            rcity_tile_place from = work->from[i / job->word_count];
            rcity_tile_place to = word < job->tile_word_count
                                      ? view->places[place]
                                      : view->receivers[place - job->tile_word_count * RCITY_TILE_BLOCK];
            rcity_grid_point3 from_point = {from.x, from.y, from.z};
            rcity_grid_point3 to_point = {to.x, to.y, to.z};
            answer->sees |= (uint32_t)rcity_sight_is_free(work->first->sight, from_point, to_point) << bit;
        }
    }
}

static rcity_status run_on_device(rcity_context *context, const rcity_tile_first *first,
                                  rcity_tile_first_buffers *buffers, int32_t count, const rcity_tile_place *from,
                                  rcity_tile_first_answer *answers)
{
    rcity_launch launch;
    memset(&launch, 0, sizeof launch);
    launch.kernel = &first_kernel;
    launch.job = &first->job;
    launch.item_count = (int64_t)count * first->job.word_count;
    launch.local_bytes = sizeof(rcity_tile_first_answer);
    RCITY_TRY(
        rcity_resident_reserve(context, first->device, count, sizeof *from, "what transmitters see", &buffers->from));
    RCITY_TRY(rcity_resident_reserve(context, first->device, launch.item_count, sizeof *answers,
                                     "what transmitters see", &buffers->answers));
    RCITY_TRY(rcity_resident_write(context, buffers->from, 0, count, from));
    for (int i = 0; i < BUFFER_COUNT; i++) {
        launch.resident[i] = first->resident[i];
    }
    launch.resident[BUFFER_FROM] = buffers->from;
    launch.resident[BUFFER_ANSWERS] = buffers->answers;
    RCITY_TRY(rcity_device_run(context, first->device, &launch));
    RCITY_TRY(rcity_resident_read(context, buffers->answers, 0, launch.item_count, answers));
    return rcity_device_finish(context, first->device);
}

void rcity_tile_first_buffers_deinit(rcity_tile_first_buffers *buffers)
{
    rcity_resident_destroy(&buffers->answers);
    rcity_resident_destroy(&buffers->from);
}

rcity_status rcity_tile_first_run(rcity_context *context, const rcity_tile_first *first,
                                  rcity_tile_first_buffers *buffers, int32_t count, const rcity_tile_place *from,
                                  rcity_tile_first_answer *answers)
{
    if (count == 0 || first->job.word_count == 0) {
        return RCITY_OK;
    }
    if (first->is_on_host) {
        rcity_tile_first_host host = {first->job, first->view, first->blocks.blocks, first->occluders, from, answers};
        rcity_tile_first_run_host(context, &host, count);
    } else {
        RCITY_TRY(run_on_device(context, first, buffers, count, from, answers));
    }
    decide_work work = {first, from, answers};
    rcity_parallel(context, (int64_t)count * first->job.word_count, DECIDE_WORDS, decide, &work);
    return RCITY_OK;
}

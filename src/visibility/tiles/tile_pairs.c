#include "visibility/tiles/tile_pairs.h"

#include <string.h>

#include "base/parallel.h"
#include "embedded/tile_pairs_cl.h"
#include "visibility/sight_arrays.h"
#include "visibility/tiles/tile_occluders.h"
#include "visibility/tiles/tile_pairs_host.h"

#define RESIDENT_FIRST RCITY_TILE_PAIRS_RESIDENT_FIRST
#define RESIDENT_COUNT RCITY_TILE_PAIRS_RESIDENT_COUNT

/* After places and fronts; then occluders, and which of them are near. */
#define RESIDENT_SIGHT     RCITY_TILE_PAIRS_RESIDENT_SIGHT
#define RESIDENT_OCCLUDERS (RESIDENT_SIGHT + RCITY_SIGHT_ARRAY_COUNT)

/* Work items that share a pair of blocks, and their local memory: the answer, how long two lists are, what each work item
   found, the lists of lines. */
#define GROUP_ITEMS 64
#define LOCAL_BYTES                                                                                                    \
    (sizeof(rcity_tile_pair_answer) + (2 + GROUP_ITEMS) * sizeof(uint32_t) +                                           \
     2 * (size_t)RCITY_TILE_BLOCK * RCITY_TILE_BLOCK * sizeof(uint16_t))

struct rcity_tile_pairs {
    rcity_context *context; /* Borrowed, as the next three. */
    rcity_device *device;
    const rcity_sight *sight;
    const rcity_tile_blocks *blocks;
    rcity_tile_occluders occluders;
    rcity_tile_pair_job job;
    rcity_resident *resident[RESIDENT_COUNT];
};

static const rcity_kernel pairs_kernel = {
    .name = "rcity_tile_pairs",
    .source = rcity_tile_pairs_cl,
    .job_bytes = sizeof(rcity_tile_pair_job),
    .group_items = GROUP_ITEMS,
    .buffer_count = RESIDENT_FIRST + RESIDENT_COUNT,
    .buffer = {{RCITY_BUFFER_ITEM_IN, sizeof(rcity_tile_pair)},
               {RCITY_BUFFER_ITEM_OUT, sizeof(rcity_tile_pair_answer)},
               {RCITY_BUFFER_SHARED_IN, sizeof(rcity_tile_place)},
               {RCITY_BUFFER_SHARED_IN, sizeof(rcity_tile_front)},
               RCITY_SIGHT_BUFFERS,
               {RCITY_BUFFER_SHARED_IN, sizeof(rcity_sight_occluder)},
               {RCITY_BUFFER_SHARED_IN, sizeof(int32_t)}},
    .host_run = rcity_tile_pairs_run_host,
};

static rcity_status send(rcity_tile_pairs *pairs, int number, const void *data, int64_t count)
{
    return rcity_resident_create(pairs->context, pairs->device, data, count,
                                 pairs_kernel.buffer[RESIDENT_FIRST + number].element_bytes, "places of tiles",
                                 &pairs->resident[number]);
}

/* Send all that the kernel reads beside the pairs. */
static rcity_status send_resident(rcity_tile_pairs *pairs)
{
    const rcity_tile_occluders *occluders = &pairs->occluders;
    const rcity_tile_blocks *blocks = pairs->blocks;
    RCITY_TRY(send(pairs, 0, blocks->places, blocks->place_count));
    RCITY_TRY(send(pairs, 1, blocks->fronts, blocks->place_count));
    RCITY_TRY(rcity_sight_arrays_send(pairs->context, pairs->device, pairs->sight, RCITY_SIGHT_ARRAY_COUNT,
                                      pairs->resident + RESIDENT_SIGHT));
    RCITY_TRY(send(pairs, RESIDENT_OCCLUDERS, occluders->all.items, occluders->all.count));
    return send(pairs, RESIDENT_OCCLUDERS + 1, occluders->near, occluders->near_count);
}

rcity_status rcity_tile_pairs_open(rcity_context *context, rcity_device *device, const rcity_sight *sight,
                                   const rcity_tile_blocks *blocks, rcity_tile_pairs **pairs)
{
    rcity_tile_pairs *made = NULL;
    rcity_status status;
    RCITY_TRY_DONE(rcity_alloc(context, 1, sizeof *made, "tests of tiles", &made));
    made->context = context;
    made->device = device;
    made->sight = sight;
    made->blocks = blocks;
    RCITY_TRY_DONE(
        rcity_tile_occluders_init(context, sight, blocks, rcity_device_buffer_bytes(device), &made->occluders));
    made->job.map = sight->view.map;
    made->job.range = blocks->range;
    made->job.wall_first = made->occluders.all.wall_first;
    made->job.has_near = made->occluders.near_count > 0;
    RCITY_TRY_DONE(send_resident(made));
    *pairs = made;
    made = NULL;
done:
    rcity_tile_pairs_close(&made);
    return status;
}

void rcity_tile_pairs_close(rcity_tile_pairs **pairs)
{
    if (*pairs == NULL) {
        return;
    }
    for (int i = 0; i < RESIDENT_COUNT; i++) {
        rcity_resident_destroy(&(*pairs)->resident[i]);
    }
    rcity_tile_occluders_deinit((*pairs)->context, &(*pairs)->occluders);
    rcity_release((*pairs)->context, *pairs);
    *pairs = NULL;
}

const rcity_sight_occluders *rcity_tile_pairs_occluders(const rcity_tile_pairs *pairs)
{
    return &pairs->occluders.all;
}

/* Answers that the device deferred. */
typedef struct decide_work {
    const rcity_tile_pairs *pairs;
    const rcity_tile_pair *items;
    rcity_tile_pair_answer *answers;
} decide_work;

/* All lines of tile i of block a. */
static uint32_t decide_row(const rcity_tile_pairs *pairs, const rcity_tile_pair *pair, int i)
{
    const rcity_tile_blocks *blocks = pairs->blocks;
    int32_t a = pair->a * RCITY_TILE_BLOCK + i;
    rcity_tile_place at = blocks->places[a];
    uint32_t sees = 0;
    for (int j = 0; j < RCITY_TILE_BLOCK; j++) {
        int32_t b = pair->b * RCITY_TILE_BLOCK + j;
        if ((pair->tiles_b >> j & 1) != 0 &&
            rcity_tile_pair_faces(blocks->range, blocks->fronts[a], at, blocks->fronts[b], blocks->places[b])) {
            rcity_tile_place to = blocks->places[b];
            rcity_grid_point3 from_point = {at.x, at.y, at.z};
            rcity_grid_point3 to_point = {to.x, to.y, to.z};
            sees |= (uint32_t)rcity_sight_is_free(pairs->sight, from_point, to_point) << j;
        }
    }
    return sees;
}

/* An rcity_parallel_function. */
static void decide(void *user, int64_t begin, int64_t end, int thread_index)
{
    decide_work *work = user;
    (void)thread_index;
    for (int64_t item = begin; item < end; item++) {
        rcity_tile_pair_answer *answer = &work->answers[item];
        for (int i = 0; i < RCITY_TILE_BLOCK && answer->deferred != 0; i++) {
            if ((answer->deferred >> i & 1) != 0) {
                answer->sees[i] = decide_row(work->pairs, &work->items[item], i);
            }
        }
        answer->deferred = 0;
    }
}

rcity_status rcity_tile_pairs_test(rcity_tile_pairs *pairs, int64_t count, const rcity_tile_pair *items,
                                   rcity_tile_pair_answer *answers)
{
    if (count == 0) {
        return RCITY_OK;
    }
    rcity_launch launch;
    memset(&launch, 0, sizeof launch);
    launch.kernel = &pairs_kernel;
    launch.job = &pairs->job;
    launch.item_count = count;
    launch.local_bytes = LOCAL_BYTES;
    launch.buffer[0].in = items;
    launch.buffer[1].out = answers;
    for (int i = 0; i < RESIDENT_COUNT; i++) {
        launch.resident[RESIDENT_FIRST + i] = pairs->resident[i];
    }
    RCITY_TRY(rcity_device_run(pairs->context, pairs->device, &launch));
    decide_work work = {pairs, items, answers};
    rcity_parallel(pairs->context, count, 1024, decide, &work);
    return RCITY_OK;
}

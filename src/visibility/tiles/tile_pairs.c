#include "visibility/tiles/tile_pairs.h"

#include <string.h>

#include "base/parallel.h"
#include "embedded/tile_pairs_cl.h"

/* Buffers of the kernel: pairs, answers, and those that stay on the device. */
#define RESIDENT_FIRST 2
#define RESIDENT_COUNT 7

/* Work items that share a pair of blocks, and their local memory: the answer and a list of lines. */
#define GROUP_ITEMS 64
#define LOCAL_BYTES (sizeof(rcity_tile_pair_answer) + (size_t)RCITY_TILE_BLOCK * RCITY_TILE_BLOCK * sizeof(uint16_t))

struct rcity_tile_pairs {
    rcity_context *context; /* Borrowed, as the next three. */
    rcity_device *device;
    const rcity_sight *sight;
    const rcity_tile_blocks *blocks;
    rcity_tile_pair_job job;
    rcity_resident *resident[RESIDENT_COUNT];
};

/* The tiles of a block, array by array. */
typedef struct block_tiles {
    int32_t x[RCITY_TILE_BLOCK], y[RCITY_TILE_BLOCK], z[RCITY_TILE_BLOCK];
    float nx[RCITY_TILE_BLOCK], ny[RCITY_TILE_BLOCK], nz[RCITY_TILE_BLOCK], all_m[RCITY_TILE_BLOCK];
} block_tiles;

static void gather_tiles(const rcity_tile_place *places, const rcity_tile_front *fronts, int32_t block, uint32_t tiles,
                         block_tiles *gathered)
{
    memset(gathered, 0, sizeof *gathered);
    for (int i = 0; i < RCITY_TILE_BLOCK; i++) {
        if ((tiles >> i & 1) != 0) {
            rcity_tile_place place = places[block * RCITY_TILE_BLOCK + i];
            rcity_tile_front front = fronts[block * RCITY_TILE_BLOCK + i];
            gathered->x[i] = place.x;
            gathered->y[i] = place.y;
            gathered->z[i] = place.z;
            gathered->nx[i] = front.nx;
            gathered->ny[i] = front.ny;
            gathered->nz[i] = front.nz;
            gathered->all_m[i] = front.all_m;
        }
    }
}

/* rcity_tile_faces() both ways for one tile and all of a block. */
RCITY_WIDE static void face_tiles(rcity_tile_place at, rcity_tile_front front, const block_tiles *tiles,
                                  int32_t faces[RCITY_TILE_BLOCK])
{
    for (int j = 0; j < RCITY_TILE_BLOCK; j++) {
        float dx = (float)(tiles->x[j] - at.x);
        float dy = (float)(tiles->y[j] - at.y);
        float dz = (float)(tiles->z[j] - at.z);
        float there = dx * front.nx + dy * front.ny + dz * front.nz + front.all_m;
        float back = -dx * tiles->nx[j] + -dy * tiles->ny[j] + -dz * tiles->nz[j] + tiles->all_m[j];
        faces[j] = (there > RCITY_TILE_FRONT_M) & (back > RCITY_TILE_FRONT_M);
    }
}

/* What a run over pairs reads. */
typedef struct pair_run {
    rcity_tile_pair_job job;
    const rcity_tile_place *places;
    const rcity_tile_front *fronts;
    rcity_sight_view view;
} pair_run;

static pair_run make_run(const void *job, const rcity_launch_buffer *resident)
{
    pair_run run;
    memcpy(&run.job, job, sizeof run.job);
    run.places = resident[0].in;
    run.fronts = resident[1].in;
    run.view.map = run.job.map;
    run.view.raster = resident[2].in;
    run.view.lists = resident[3].in;
    run.view.walls = resident[4].in;
    run.view.details = resident[5].in;
    run.view.ground = resident[6].in;
    return run;
}

/* The lines of a pair of blocks that are to be tested, as segments and as i * 32 + j. @return how many. */
static int list_lines(const pair_run *run, const rcity_tile_pair *pair, rcity_sight_segment *segments, uint16_t *lines)
{
    block_tiles tiles_b;
    gather_tiles(run->places, run->fronts, pair->b, pair->tiles_b, &tiles_b);
    int count = 0;
    for (int i = 0; i < RCITY_TILE_BLOCK; i++) {
        if ((pair->tiles_a >> i & 1) == 0) {
            continue;
        }
        int32_t a = pair->a * RCITY_TILE_BLOCK + i;
        rcity_tile_place at = run->places[a];
        int32_t faces[RCITY_TILE_BLOCK];
        face_tiles(at, run->fronts[a], &tiles_b, faces);
        for (int j = 0; j < RCITY_TILE_BLOCK; j++) {
            rcity_tile_place to = {tiles_b.x[j], tiles_b.y[j], tiles_b.z[j]};
            if (faces[j] && (pair->tiles_b >> j & 1) != 0 && rcity_tile_is_near(run->job.range, at, to)) {
                segments[count] = rcity_tile_segment(at, to);
                lines[count++] = (uint16_t)(i * RCITY_TILE_BLOCK + j);
            }
        }
    }
    return count;
}

static void run_pairs(const void *job, const rcity_launch_buffer *buffers, int64_t begin, int64_t end)
{
    pair_run run = make_run(job, buffers + RESIDENT_FIRST);
    const rcity_tile_pair *pairs = buffers[0].in;
    rcity_tile_pair_answer *answers = buffers[1].out;
    rcity_sight_segment segments[RCITY_TILE_BLOCK * RCITY_TILE_BLOCK];
    uint16_t lines[RCITY_TILE_BLOCK * RCITY_TILE_BLOCK];
    uint8_t sights[RCITY_TILE_BLOCK * RCITY_TILE_BLOCK];
    for (int64_t item = begin; item < end; item++) {
        rcity_tile_pair_answer *answer = &answers[item];
        int count = list_lines(&run, &pairs[item], segments, lines);
        rcity_sight_test_many(&run.view, segments, count, sights);
        memset(answer, 0, sizeof *answer);
        answer->ray_count = (uint32_t)count;
        for (int k = 0; k < count; k++) {
            int i = lines[k] / RCITY_TILE_BLOCK;
            answer->sees[i] |= (uint32_t)(sights[k] == RCITY_SIGHT_FREE) << lines[k] % RCITY_TILE_BLOCK;
            answer->deferred |= (uint32_t)(sights[k] == RCITY_SIGHT_LOOK_CLOSELY) << i;
        }
    }
}

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
               {RCITY_BUFFER_SHARED_IN, sizeof(uint8_t)},
               {RCITY_BUFFER_SHARED_IN, sizeof(uint32_t)},
               {RCITY_BUFFER_SHARED_IN, sizeof(rcity_sight_wall)},
               {RCITY_BUFFER_SHARED_IN, sizeof(int32_t)},
               {RCITY_BUFFER_SHARED_IN, sizeof(int32_t)}},
    .host_run = run_pairs,
};

rcity_status rcity_tile_pairs_open(rcity_context *context, rcity_device *device, const rcity_sight *sight,
                                   const rcity_tile_blocks *blocks, rcity_tile_pairs **pairs)
{
    const struct {
        const void *data;
        int64_t count;
    } kept[RESIDENT_COUNT] = {
        {blocks->places, blocks->place_count}, {blocks->fronts, blocks->place_count},
        {sight->raster, sight->raster_count},  {sight->lists, sight->list_count},
        {sight->walls, sight->wall_count},     {sight->details, sight->detail_count},
        {sight->ground, sight->ground_count},
    };
    rcity_tile_pairs *made = NULL;
    rcity_status status;
    RCITY_TRY(rcity_alloc(context, 1, sizeof *made, "tests of tiles", &made));
    made->context = context;
    made->device = device;
    made->sight = sight;
    made->blocks = blocks;
    made->job.map = sight->view.map;
    made->job.range = blocks->range;
    for (int i = 0; i < RESIDENT_COUNT; i++) {
        RCITY_TRY_DONE(rcity_resident_create(context, device, kept[i].data, kept[i].count,
                                             pairs_kernel.buffer[RESIDENT_FIRST + i].element_bytes,
                                             "tiles and the sight structure", &made->resident[i]));
    }
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
    rcity_release((*pairs)->context, *pairs);
    *pairs = NULL;
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

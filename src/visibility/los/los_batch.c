/* Batches of rasters: on the host one thread per source; on a device one work-group per source, or several where the
   raster does not fit into the group's local memory. */
#include "visibility/los/los_batch.h"

#include <math.h>
#include <stdatomic.h>
#include <string.h>

#include "base/parallel.h"
#include "embedded/los_cl.h"
#include "kernel/visibility/los/los_steps.h"
#include "visibility/los/los_batch_data.h"
#include "visibility/sight/sight_data.h"

#define MASKS 1

/* Memory that stands for local memory when threads run the kernel. */
#define HOST_LOCAL_BYTES ((size_t)48 << 10)

/* Ratio of the distances at which the outermost of the kernel's 64 rings begins and the first ends: 8 rings per
   doubling. */
#define RING_RANGE 235.0

/* Largest size of the masks of one launch: enough to hide the cost of a launch. More would go into fresh memory each
   time, whose pages the system must clear first (on an H200 76,000 rasters a second with 24 MiB, 22,000 with 192). */
#define LAUNCH_MAX_BYTES ((size_t)24 << 20)

void rcity_los_run_item(const rcity_los_job *raster, rcity_los_item item, const rcity_launch_buffer *buffers,
                        const uint32_t *notes, const uint8_t *ground, uint32_t *mask, rcity_los_tally *tally)
{
    const rcity_launch_buffer *resident = buffers + RCITY_LOS_RESIDENT_FIRST;
    rcity_sight_view view = rcity_sight_view_make(
        raster->sight, resident[RCITY_LOS_SIGHT_RASTER].in, resident[RCITY_LOS_SIGHT_LISTS].in,
        resident[RCITY_LOS_SIGHT_WALLS].in, resident[RCITY_LOS_SIGHT_DETAILS].in, resident[RCITY_LOS_SIGHT_GROUND].in);
    uint32_t words[HOST_LOCAL_BYTES / sizeof(uint32_t)];
    rcity_los_board board =
        rcity_los_board_make(*raster, item, resident[RCITY_LOS_PLACES].in, resident[RCITY_LOS_INDOORS].in,
                             resident[RCITY_LOS_LINES].in, resident[RCITY_LOS_ROOFS].in, words);
    board.ground = ground;
    if (notes != NULL) {
        rcity_los_view_load(&board, 0, 1, notes);
    } else {
        rcity_los_begin(&board, 0, 1);
        rcity_los_close(&board, 0, 1);
    }
    rcity_los_gather(&board, 0, 1);
    rcity_los_mark_visible(&board, 0, 1);
    if (notes != NULL) {
        rcity_los_view_draw(&board, 0, 1, notes);
    } else {
        rcity_los_draw(&board, 0, 1);
    }
    rcity_los_ask(&board, &view, 0, 1, tally);
    rcity_los_end(&board, 0, 1, mask, tally);
}

static void run_items(const void *job, const rcity_launch_buffer *buffers, int64_t begin, int64_t end)
{
    rcity_los_job raster;
    memcpy(&raster, job, sizeof raster);
    const rcity_los_item *items = buffers[0].in;
    uint32_t *masks = buffers[MASKS].out;
    rcity_los_tally *tallies = buffers[2].out;
    for (int64_t i = begin; i < end; i++) {
        rcity_los_run_item(&raster, items[i], buffers, NULL, NULL, masks + i * raster.strip_rows * raster.row_words,
                           &tallies[i]);
    }
}

static const rcity_kernel rasters_kernel = {
    .name = "rcity_los_rasters",
    .source = rcity_los_cl,
    .job_bytes = sizeof(rcity_los_job),
    .group_items = RCITY_LOS_GROUP_ITEMS,
    .buffer_count = RCITY_LOS_RESIDENT_FIRST + RCITY_LOS_RESIDENT_COUNT,
    .buffer = {{RCITY_BUFFER_ITEM_IN, sizeof(rcity_los_item)},
               {RCITY_BUFFER_ITEM_OUT, 0}, /* bytes of a strip */
               {RCITY_BUFFER_ITEM_OUT, sizeof(rcity_los_tally)},
               {RCITY_BUFFER_SHARED_IN, sizeof(int32_t)},
               {RCITY_BUFFER_SHARED_IN, sizeof(uint32_t)},
               {RCITY_BUFFER_SHARED_IN, sizeof(rcity_los_line)},
               {RCITY_BUFFER_SHARED_IN, sizeof(int32_t)},
               {RCITY_BUFFER_SHARED_IN, sizeof(uint8_t)},
               {RCITY_BUFFER_SHARED_IN, sizeof(uint32_t)},
               {RCITY_BUFFER_SHARED_IN, sizeof(rcity_sight_wall)},
               {RCITY_BUFFER_SHARED_IN, sizeof(int32_t)},
               {RCITY_BUFFER_SHARED_IN, sizeof(int32_t)}},
    .host_run = run_items,
};

static bool is_on_host(const rcity_los_batch *batch)
{
    rcity_device_info info;
    rcity_device_describe(batch->device, &info);
    return strcmp(info.kind, "host") == 0;
}

void rcity_los_batch_limit_local(rcity_los_batch *batch, size_t bytes)
{
    if (is_on_host(batch)) {
        bytes = bytes < HOST_LOCAL_BYTES ? bytes : HOST_LOCAL_BYTES;
    } else if (bytes > rcity_device_local_bytes(batch->device)) {
        bytes = rcity_device_local_bytes(batch->device);
    }
    size_t row_words = 2 * batch->plane->row_words;
    size_t words = bytes / sizeof(uint32_t);
    size_t row_max = words > RCITY_LOS_LOCAL_WORDS ? (words - RCITY_LOS_LOCAL_WORDS) / row_words : 0;
    if (row_max == 0) {
        batch->strip_count = 0; /* not even one row fits */
        return;
    }
    size_t row_count = (size_t)batch->plane->row_count;
    size_t strip_count = (row_count + row_max - 1) / row_max;
    batch->strip_count = (int32_t)strip_count;
    batch->job.strip_rows = (int32_t)((row_count + strip_count - 1) / strip_count);
    batch->kernel.buffer[MASKS].element_bytes = (size_t)batch->job.strip_rows * row_words * sizeof(uint32_t);
}

/* The pitch of places in one direction, and the largest deviation from it, as a fraction of the pitch. */
static void fit_pitch(const int32_t *places, int32_t count, float *pitch, float *blur)
{
    double step = count > 1 ? fabs((double)places[count - 1] - places[0]) / (count - 1) : 1.0;
    double worst = 0.0;
    for (int32_t i = 0; i < count; i++) {
        worst = fmax(worst, fabs(fabs((double)places[i] - places[0]) - step * i));
    }
    *pitch = (float)step;
    *blur = (float)(worst / step + 1e-6);
}

/* A roof, and whether the walls before and after this one are its neighbours around the building. */
static int32_t pack_roof(const rcity_los_plane *plane, int32_t index)
{
    const rcity_los_wall *wall = &plane->walls[index];
    bool follows = index > 0 && wall->a >= 0 && wall[-1].b == wall->a;
    bool is_followed = index + 1 < plane->wall_count && wall->b >= 0 && wall[1].a == wall->b;
    return wall->roof * (1 << RCITY_LOS_ROOF_SHIFT) + (wall->is_doubtful ? RCITY_LOS_ROOF_UNDECIDED : 0) +
           (follows ? 0 : RCITY_LOS_ROOF_LOOSE_A) + (is_followed ? 0 : RCITY_LOS_ROOF_LOOSE_B);
}

static rcity_status copy_plane(rcity_los_batch *batch)
{
    const rcity_los_plane *plane = batch->plane;
    rcity_context *context = batch->context;
    size_t column_count = (size_t)plane->column_count;
    size_t row_count = (size_t)plane->row_count;
    size_t pixel_count = plane->z != NULL ? column_count * row_count : 0;
    size_t count = column_count + row_count + plane->on_wall_count + pixel_count;
    RCITY_TRY(rcity_alloc(context, count, sizeof *batch->places, "a plane of receivers", &batch->places));
    memcpy(batch->places, plane->x, column_count * sizeof *plane->x);
    memcpy(batch->places + column_count, plane->y, row_count * sizeof *plane->y);
    int32_t *next = batch->places + column_count + row_count;
    if (plane->on_wall_count > 0) {
        memcpy(next, plane->on_walls, plane->on_wall_count * sizeof *plane->on_walls);
    }
    if (plane->z != NULL) {
        memcpy(next + plane->on_wall_count, plane->z, pixel_count * sizeof *plane->z);
    }
    size_t wall_room = (size_t)plane->wall_count + 1;
    RCITY_TRY(rcity_alloc(context, wall_room, sizeof *batch->lines, "walls", &batch->lines));
    RCITY_TRY(rcity_alloc(context, wall_room, sizeof *batch->roofs, "walls", &batch->roofs));
    for (int32_t i = 0; i < plane->wall_count; i++) {
        const rcity_los_wall *wall = &plane->walls[i];
        batch->lines[i] = (rcity_los_line){wall->ax, wall->ay, wall->bx, wall->by};
        batch->roofs[i] = pack_roof(plane, i);
    }
    rcity_los_job *job = &batch->job;
    job->sight = plane->sight->view.map;
    job->column_count = plane->column_count;
    job->row_count = plane->row_count;
    job->row_words = (int32_t)(2 * plane->row_words);
    job->wall_count = plane->wall_count;
    job->on_wall_count = (int32_t)plane->on_wall_count;
    job->level = plane->level;
    job->has_heights = plane->z != NULL;
    job->is_bare = plane->shapes->prism_count == 0;
    /* no two pixels are farther apart than this, so no shadow has to fill the outermost ring, which is unbounded */
    double extent = (double)plane->x[column_count - 1] - plane->x[0] + plane->y[0] - plane->y[row_count - 1];
    float ring_start = (float)(extent / RING_RANGE + 1.0);
    job->ring_base = (int32_t)(rcity_float_bits(ring_start) >> RCITY_LOS_RING_SHIFT);
    float row_blur;
    fit_pitch(plane->x, plane->column_count, &job->column_pitch, &job->blur);
    fit_pitch(plane->y, plane->row_count, &job->row_pitch, &row_blur);
    return RCITY_OK;
}

static rcity_status send_plane(rcity_los_batch *batch)
{
    const rcity_los_plane *plane = batch->plane;
    const rcity_sight *sight = plane->sight;
    int64_t pixel_count = plane->z != NULL ? (int64_t)plane->column_count * plane->row_count : 0;
    struct {
        const void *data;
        int64_t count;
    } kept[RCITY_LOS_RESIDENT_COUNT] = {
        {batch->places, plane->column_count + plane->row_count + (int64_t)plane->on_wall_count + pixel_count},
        {plane->indoors, (int64_t)(2 * plane->row_words) * plane->row_count},
        {batch->lines, plane->wall_count},
        {batch->roofs, plane->wall_count},
        {sight->raster, sight->raster_count},
        {sight->lists, sight->list_count},
        {sight->walls, sight->wall_count},
        {sight->details, sight->detail_count},
        {sight->ground, sight->ground_count},
    };
    for (int i = 0; i < RCITY_LOS_RESIDENT_COUNT; i++) {
        size_t element_bytes = batch->kernel.buffer[RCITY_LOS_RESIDENT_FIRST + i].element_bytes;
        RCITY_TRY(rcity_resident_create(batch->context, batch->device, kept[i].data, kept[i].count, element_bytes,
                                        "a plane of receivers", &batch->resident[i]));
    }
    return RCITY_OK;
}

rcity_status rcity_los_batch_open(rcity_context *context, rcity_device *device, const rcity_los_plane *plane,
                                  rcity_los_batch **batch)
{
    rcity_los_batch *made = NULL;
    rcity_status status;
    RCITY_TRY(rcity_alloc(context, 1, sizeof *made, "a plane of receivers", &made));
    made->context = context;
    made->device = device;
    made->plane = plane;
    made->kernel = rasters_kernel;
    int thread_count = rcity_context_thread_count(context);
    RCITY_TRY_DONE(rcity_alloc(context, (size_t)thread_count, sizeof *made->workers, "shadows", &made->workers));
    for (; made->worker_count < thread_count; made->worker_count++) {
        RCITY_TRY_DONE(rcity_los_worker_init(context, plane, &made->workers[made->worker_count]));
    }
    RCITY_TRY_DONE(copy_plane(made));
    RCITY_TRY_DONE(send_plane(made));
    size_t local_bytes = rcity_device_local_bytes(device);
    rcity_los_batch_limit_local(made, local_bytes - local_bytes / 32); /* drivers need some of it themselves */
    *batch = made;
done:
    if (status != RCITY_OK) {
        rcity_los_batch_close(&made);
    }
    return status;
}

void rcity_los_batch_close(rcity_los_batch **batch)
{
    if (batch == NULL || *batch == NULL) {
        return;
    }
    rcity_los_batch *old = *batch;
    for (int i = 0; i < RCITY_LOS_RESIDENT_COUNT; i++) {
        rcity_resident_destroy(&old->resident[i]);
    }
    for (int i = 0; i < old->worker_count; i++) {
        rcity_los_worker_deinit(old->context, &old->workers[i]);
    }
    rcity_release(old->context, old->workers);
    rcity_release(old->context, old->roofs);
    rcity_release(old->context, old->lines);
    rcity_release(old->context, old->places);
    rcity_release(old->context, old);
    *batch = NULL;
}

/* Sources and masks while threads work on them. */
typedef struct host_work {
    rcity_los_batch *batch;
    const rcity_grid_point3 *sources;
    uint64_t *masks;
    size_t mask_words;
    atomic_int status;

    /* of a device */
    int64_t begin; /* the launch's first source */
    rcity_los_item *items;
    const rcity_los_tally *tallies;
    const uint64_t *strips; /* NULL: they are the masks */
    atomic_int_fast64_t retraced_count;
} host_work;

static void trace_one(host_work *work, int64_t index, int thread_index)
{
    rcity_los_batch *batch = work->batch;
    rcity_status status = rcity_los_trace(batch->context, batch->plane, &batch->workers[thread_index],
                                          work->sources[index], work->masks + (size_t)index * work->mask_words);
    if (status != RCITY_OK) {
        atomic_store(&work->status, (int)status);
    }
}

/* An rcity_parallel_function. */
static void trace_sources(void *user, int64_t begin, int64_t end, int thread_index)
{
    host_work *work = user;
    for (int64_t i = begin; i < end && atomic_load(&work->status) == (int)RCITY_OK; i++) {
        trace_one(work, i, thread_index);
    }
}

/* Do products of this source's coordinates and heights fit 64 bits? */
static bool is_narrow(const rcity_los_plane *plane, rcity_grid_point3 source)
{
    const rcity_shapes *shapes = plane->shapes;
    int32_t x_east = plane->x[plane->column_count - 1];
    int32_t y_south = plane->y[plane->row_count - 1];
    double span = fmax(fmax(fabs((double)shapes->x_min - source.x), fabs((double)shapes->x_max - source.x)),
                       fmax(fabs((double)shapes->y_min - source.y), fabs((double)shapes->y_max - source.y)));
    span = fmax(span, fmax(fabs((double)plane->x[0] - source.x), fabs((double)x_east - source.x)));
    span = fmax(span, fmax(fabs((double)plane->y[0] - source.y), fabs((double)y_south - source.y)));
    double height = fmax(1.0, (double)source.z - plane->level);
    return span < 0x1p23 && 8.0 * span * span * height < 0x1p62;
}

rcity_los_item rcity_los_batch_item(const rcity_los_batch *batch, rcity_grid_point3 source)
{
    int32_t mode = rcity_los_choose_mode(batch->plane, source);
    mode = mode == RCITY_LOS_SHADOWS && !is_narrow(batch->plane, source) ? RCITY_LOS_PLAIN : mode;
    return (rcity_los_item){source.x, source.y, source.z, 0, mode};
}

/* An rcity_parallel_function: choose how each source is processed. */
static void make_items(void *user, int64_t begin, int64_t end, int thread_index)
{
    host_work *work = user;
    const rcity_los_batch *batch = work->batch;
    (void)thread_index;
    for (int64_t i = begin; i < end; i++) {
        rcity_los_item item = rcity_los_batch_item(batch, work->sources[work->begin + i]);
        for (int32_t strip = 0; strip < batch->strip_count; strip++) {
            item.first_row = strip * batch->job.strip_rows;
            work->items[i * batch->strip_count + strip] = item;
        }
    }
}

/* An rcity_parallel_function: join the strips, and decide what the device deferred. */
static void decide(void *user, int64_t begin, int64_t end, int thread_index)
{
    host_work *work = user;
    rcity_los_batch *batch = work->batch;
    size_t strip_words = batch->kernel.buffer[MASKS].element_bytes / sizeof(uint64_t);
    for (int64_t i = begin; i < end; i++) {
        int64_t item = i * batch->strip_count;
        int64_t index = work->begin + i;
        uint64_t *mask = work->masks + (size_t)index * work->mask_words;
        if (work->strips != NULL) {
            memcpy(mask, work->strips + (size_t)item * strip_words, work->mask_words * sizeof *mask);
        }
        bool is_lost = false;
        for (int32_t strip = 0; strip < batch->strip_count; strip++) {
            const rcity_los_tally *tally = &work->tallies[item + strip];
            is_lost = is_lost || tally->deferred_count > RCITY_LOS_DEFERRED_MAX;
            for (int32_t k = 0; k < tally->deferred_count && k < RCITY_LOS_DEFERRED_MAX; k++) {
                rcity_los_decide(batch->plane, work->sources[index], tally->deferred[k], mask);
            }
        }
        if (is_lost) {
            trace_one(work, index, thread_index);
            atomic_fetch_add(&work->retraced_count, 1);
        }
    }
}

static rcity_status launch(host_work *work, int64_t count, rcity_los_tally *tallies, uint64_t *strips)
{
    rcity_los_batch *batch = work->batch;
    rcity_parallel(batch->context, count, 64, make_items, work);
    rcity_launch launch;
    memset(&launch, 0, sizeof launch);
    launch.kernel = &batch->kernel;
    launch.job = &batch->job;
    launch.item_count = count * batch->strip_count;
    launch.local_bytes = batch->kernel.buffer[MASKS].element_bytes + RCITY_LOS_LOCAL_WORDS * sizeof(uint32_t);
    launch.buffer[0].in = work->items;
    launch.buffer[MASKS].out = strips != NULL ? strips : work->masks + (size_t)work->begin * work->mask_words;
    launch.buffer[2].out = tallies;
    for (int i = 0; i < RCITY_LOS_RESIDENT_COUNT; i++) {
        launch.resident[RCITY_LOS_RESIDENT_FIRST + i] = batch->resident[i];
    }
    RCITY_TRY(rcity_device_run(batch->context, batch->device, &launch));
    for (int64_t i = 0; i < launch.item_count; i++) {
        batch->effort.wall_count += tallies[i].wall_count;
        batch->effort.span_count += tallies[i].span_count;
        batch->effort.near_count += tallies[i].near_count;
        batch->effort.asked_count += tallies[i].asked_count;
    }
    work->tallies = tallies;
    work->strips = strips;
    rcity_parallel(batch->context, count, 16, decide, work);
    batch->effort.source_count += count;
    return (rcity_status)atomic_load(&work->status);
}

static rcity_status trace_on_device(host_work *work, int64_t count)
{
    rcity_los_batch *batch = work->batch;
    rcity_context *context = batch->context;
    size_t strip_count = (size_t)batch->strip_count;
    size_t source_bytes = strip_count * batch->kernel.buffer[MASKS].element_bytes;
    int64_t most = (int64_t)(LAUNCH_MAX_BYTES / source_bytes);
    most = most < 1 ? 1 : most < count ? most : count;
    rcity_los_tally *tallies = NULL;
    uint64_t *strips = NULL;
    rcity_status status;
    RCITY_TRY_DONE(rcity_alloc(context, (size_t)most * strip_count, sizeof *work->items, "sources", &work->items));
    RCITY_TRY_DONE(rcity_alloc(context, (size_t)most * strip_count, sizeof *tallies, "sources", &tallies));
    if (strip_count > 1) { /* the last strip has rows beyond the mask */
        RCITY_TRY_DONE(rcity_alloc(context, (size_t)most, source_bytes, "rasters of sight", &strips));
    }
    for (; work->begin < count; work->begin += most) {
        int64_t rest = count - work->begin;
        RCITY_TRY_DONE(launch(work, rest < most ? rest : most, tallies, strips));
    }
done:
    batch->effort.retraced_count += atomic_load(&work->retraced_count);
    rcity_release(context, strips);
    rcity_release(context, tallies);
    rcity_release(context, work->items);
    return status;
}

rcity_status rcity_los_batch_trace(rcity_los_batch *batch, int64_t count, const rcity_grid_point3 *sources,
                                   uint64_t *masks)
{
    host_work work;
    memset(&work, 0, sizeof work);
    work.batch = batch;
    work.sources = sources;
    work.masks = masks;
    work.mask_words = batch->plane->row_words * (size_t)batch->plane->row_count;
    atomic_init(&work.status, (int)RCITY_OK);
    atomic_init(&work.retraced_count, 0);
    if (count > 0 && batch->strip_count > 0) {
        return trace_on_device(&work, count);
    }
    rcity_parallel(batch->context, count, 1, trace_sources, &work);
    return (rcity_status)atomic_load(&work.status);
}

rcity_los_effort rcity_los_batch_get_effort(const rcity_los_batch *batch)
{
    rcity_los_effort effort = batch->effort;
    effort.strip_count = batch->strip_count;
    return effort;
}

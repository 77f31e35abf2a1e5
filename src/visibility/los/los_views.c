#include "visibility/los/los_views.h"

#include <string.h>

#include "base/parallel.h"
#include "embedded/los_cl.h"

/* Groups per compute unit to aim for: with fewer views a raster is cut into more strips. A group waits for its longest
   shadow, which is shorter the fewer rows a strip has. */
#define GROUPS_PER_UNIT 8
#define STRIP_MIN_ROWS  4

/* Work items of a strip's group: from a street some 75 walls are drawn, and idle items take room that other groups
   need. */
#define STRIP_ITEMS 128

/* Views that have room from the start. */
#define VIEW_MIN 64

/* Limit of the notes at a time: more views are traced in several launches. */
#define NOTES_MAX_BYTES ((int64_t)256 << 20)

/* The last buffers of the views' kernel. */
#define NOTES (RCITY_LOS_RESIDENT_FIRST + RCITY_LOS_RESIDENT_COUNT)
#define SEEN  (NOTES + 1)

/* Buffers of the plane for the launches over walls, after views and notes. */
#define WALLS_FIRST 2
#define WALLS_COUNT 4

static void run_clear(const void *job, const rcity_launch_buffer *buffers, int64_t begin, int64_t end)
{
    rcity_los_job raster;
    memcpy(&raster, job, sizeof raster);
    uint32_t *notes = buffers[0].out;
    for (int64_t i = begin; i < end; i++) {
        notes[i / RCITY_LOS_NOTE_LIST * rcity_los_note_words(&raster) + i % RCITY_LOS_NOTE_LIST] = 0;
    }
}

static const rcity_kernel clear_kernel = {
    .name = "rcity_los_views_clear",
    .source = rcity_los_cl,
    .job_bytes = sizeof(rcity_los_job),
    .buffer_count = 1,
    .buffer = {{RCITY_BUFFER_ON_DEVICE, sizeof(uint32_t)}},
    .host_run = run_clear,
};

/* One pass over the walls of items: mark the directions that they hide, or pick the walls that are not hidden. */
static void pass_walls(const void *job, const rcity_launch_buffer *buffers, int64_t begin, int64_t end, bool picks)
{
    rcity_los_job raster;
    memcpy(&raster, job, sizeof raster);
    const rcity_los_item *views = buffers[0].in;
    uint32_t words[RCITY_LOS_LOCAL_WORDS];
    int32_t group_count = rcity_los_view_groups(&raster);
    for (int64_t i = begin; i < end; i++) {
        uint32_t *notes = (uint32_t *)buffers[1].out + i / group_count * rcity_los_note_words(&raster);
        int32_t first = (int32_t)(i % group_count) * RCITY_LOS_VIEW_WALLS;
        int32_t last = rcity_los_smaller(first + RCITY_LOS_VIEW_WALLS, raster.wall_count);
        rcity_los_board board = rcity_los_view_board(raster, views[raster.first_view + i / group_count],
                                                     buffers[WALLS_FIRST].in, buffers[WALLS_FIRST + 1].in,
                                                     buffers[WALLS_FIRST + 2].in, buffers[WALLS_FIRST + 3].in, words);
        if (picks) {
            rcity_los_view_load(&board, 0, 1, notes);
            rcity_los_view_pick(&board, first, last, 0, 1, notes);
        } else {
            rcity_los_view_begin(&board, 0, 1);
            rcity_los_view_close(&board, first, last, 0, 1);
            rcity_los_view_close_wide(&board, 0, 1);
            rcity_los_view_note(&board, 0, 1, notes);
        }
    }
}

static void run_close(const void *job, const rcity_launch_buffer *buffers, int64_t begin, int64_t end)
{
    pass_walls(job, buffers, begin, end, false);
}

static void run_pick(const void *job, const rcity_launch_buffer *buffers, int64_t begin, int64_t end)
{
    pass_walls(job, buffers, begin, end, true);
}

static const rcity_kernel close_kernel = {
    .name = "rcity_los_views_close",
    .source = rcity_los_cl,
    .job_bytes = sizeof(rcity_los_job),
    .group_items = RCITY_LOS_VIEW_WALLS,
    .buffer_count = WALLS_FIRST + WALLS_COUNT,
    .buffer = {{RCITY_BUFFER_SHARED_IN, sizeof(rcity_los_item)},
               {RCITY_BUFFER_ON_DEVICE, sizeof(uint32_t)},
               {RCITY_BUFFER_SHARED_IN, sizeof(int32_t)},
               {RCITY_BUFFER_SHARED_IN, sizeof(uint32_t)},
               {RCITY_BUFFER_SHARED_IN, sizeof(rcity_los_line)},
               {RCITY_BUFFER_SHARED_IN, sizeof(int32_t)}},
    .host_run = run_close,
};

static void run_views(const void *job, const rcity_launch_buffer *buffers, int64_t begin, int64_t end)
{
    rcity_los_job raster;
    memcpy(&raster, job, sizeof raster);
    uint32_t *masks = buffers[1].out;
    rcity_los_tally *tallies = buffers[2].out;
    for (int64_t i = begin; i < end; i++) {
        int64_t view = i / rcity_los_strip_count(&raster);
        const uint32_t *notes = (const uint32_t *)buffers[NOTES].in + view * rcity_los_note_words(&raster);
        const uint8_t *seen = (const uint8_t *)buffers[SEEN].in + view * raster.column_count * raster.row_count;
        rcity_los_run_item(&raster, rcity_los_view_item(&raster, buffers[0].in, i), buffers, notes, seen,
                           masks + rcity_los_view_place(&raster, i), &tallies[raster.first_tally + i]);
    }
}

static const rcity_kernel views_kernel = {
    .name = "rcity_los_views",
    .source = rcity_los_cl,
    .job_bytes = sizeof(rcity_los_job),
    .group_items = STRIP_ITEMS,
    .buffer_count = SEEN + 1,
    .buffer = {{RCITY_BUFFER_SHARED_IN, sizeof(rcity_los_item)},
               {RCITY_BUFFER_ON_DEVICE, sizeof(uint32_t)},
               {RCITY_BUFFER_ON_DEVICE, sizeof(rcity_los_tally)},
               {RCITY_BUFFER_SHARED_IN, sizeof(int32_t)},
               {RCITY_BUFFER_SHARED_IN, sizeof(uint32_t)},
               {RCITY_BUFFER_SHARED_IN, sizeof(rcity_los_line)},
               {RCITY_BUFFER_SHARED_IN, sizeof(int32_t)},
               {RCITY_BUFFER_SHARED_IN, sizeof(uint8_t)},
               {RCITY_BUFFER_SHARED_IN, sizeof(uint32_t)},
               {RCITY_BUFFER_SHARED_IN, sizeof(rcity_sight_wall)},
               {RCITY_BUFFER_SHARED_IN, sizeof(int32_t)},
               {RCITY_BUFFER_SHARED_IN, sizeof(int32_t)},
               {RCITY_BUFFER_SHARED_IN, sizeof(uint32_t)},
               {RCITY_BUFFER_SHARED_IN, sizeof(uint8_t)}},
    .host_run = run_views,
};

static void run_patches(const void *job, const rcity_launch_buffer *buffers, int64_t begin, int64_t end)
{
    int64_t mask_words;
    memcpy(&mask_words, job, sizeof mask_words);
    const rcity_los_patch *patches = buffers[0].in;
    uint32_t *masks = buffers[1].out;
    for (int64_t i = begin; i < end; i++) {
        rcity_global_and(masks + patches[i].view * mask_words + patches[i].word, patches[i].keep);
    }
}

static const rcity_kernel patch_kernel = {
    .name = "rcity_los_patch_masks",
    .source = rcity_los_cl,
    .job_bytes = sizeof(int64_t),
    .buffer_count = 2,
    .buffer = {{RCITY_BUFFER_SHARED_IN, sizeof(rcity_los_patch)}, {RCITY_BUFFER_ON_DEVICE, sizeof(uint32_t)}},
    .host_run = run_patches,
};

rcity_status rcity_los_views_init(rcity_context *context, rcity_device *device, const rcity_los_plane *plane,
                                  rcity_los_views *views)
{
    memset(views, 0, sizeof *views);
    views->context = context;
    views->device = device;
    rcity_device_describe(device, &views->info);
    views->mask_words = plane->row_words * (size_t)plane->row_count;
    rcity_status status;
    RCITY_TRY_DONE(rcity_los_batch_open(context, device, plane, &views->batch));
    if (rcity_device_local_bytes(device) == 0) {
        rcity_los_batch_limit_local(views->batch, SIZE_MAX); /* the host's threads have their own */
    }
    if (views->batch->strip_count == 0) {
        status = rcity_fail(context, RCITY_ERR_MEMORY,
                            "a row of %d receivers does not fit the local memory of device %s, %zu bytes",
                            plane->column_count, views->info.id, rcity_device_local_bytes(device));
        goto done;
    }
    status = rcity_los_ground_open(views->batch, &views->ground);
done:
    if (status != RCITY_OK) {
        rcity_los_views_deinit(views);
    }
    return status;
}

void rcity_los_views_deinit(rcity_los_views *views)
{
    rcity_resident_destroy(&views->notes_dev);
    rcity_resident_destroy(&views->patches_dev);
    rcity_resident_destroy(&views->tallies_dev);
    rcity_resident_destroy(&views->masks_dev);
    rcity_resident_destroy(&views->items_dev);
    rcity_los_ground_close(&views->ground);
    rcity_los_batch_close(&views->batch);
    rcity_release(views->context, views->retraced);
    rcity_release(views->context, views->patches);
    rcity_release(views->context, views->tallies);
    rcity_release(views->context, views->items);
    memset(views, 0, sizeof *views);
}

rcity_status rcity_los_views_reserve(rcity_los_views *views, int64_t count, bool *is_lost)
{
    *is_lost = false;
    int64_t words = 2 * (int64_t)views->mask_words;
    RCITY_TRY(rcity_reserve(views->context, (size_t)count, sizeof *views->items, &views->item_capacity, "corners",
                            &views->items));
    RCITY_TRY(rcity_resident_reserve(views->context, views->device, count, sizeof(rcity_los_item), "corners",
                                     &views->items_dev));
    if (rcity_resident_count(views->masks_dev) < count * words) {
        *is_lost = views->masks_dev != NULL;
        RCITY_TRY(rcity_resident_reserve(views->context, views->device, (count > VIEW_MIN ? count : VIEW_MIN) * words,
                                         sizeof(uint32_t), "what corners see", &views->masks_dev));
    }
    return RCITY_OK;
}

void rcity_los_views_place(rcity_los_views *views, int64_t view, rcity_grid_point3 at)
{
    views->items[view] = rcity_los_batch_item(views->batch, at);
}

/* How a raster is cut for this number of views. */
static rcity_los_job cut_strips(const rcity_los_views *views, int64_t view_count)
{
    rcity_los_job job = views->batch->job;
    int64_t wanted = ((int64_t)GROUPS_PER_UNIT * views->info.compute_units + view_count - 1) / view_count;
    int64_t rows = (job.row_count + wanted - 1) / wanted;
    rows = rows > STRIP_MIN_ROWS ? rows : STRIP_MIN_ROWS;
    job.strip_rows = (int32_t)(rows < job.strip_rows ? rows : job.strip_rows);
    return job;
}

/* Queue the notes of views: which directions their walls hide, and which walls are not hidden. */
static rcity_status take_notes(rcity_los_views *views, const rcity_los_job *job, int64_t count)
{
    rcity_launch launch;
    memset(&launch, 0, sizeof launch);
    launch.kernel = &clear_kernel;
    launch.job = job;
    launch.item_count = count * RCITY_LOS_NOTE_LIST;
    launch.resident[0] = views->notes_dev;
    RCITY_TRY(rcity_device_run(views->context, views->device, &launch));
    if (job->has_heights) {
        return RCITY_OK; /* nothing is decided by shadows */
    }
    rcity_kernel pick_kernel = close_kernel;
    pick_kernel.name = "rcity_los_views_pick";
    pick_kernel.host_run = run_pick;
    launch.kernel = &close_kernel;
    launch.item_count = count * rcity_los_view_groups(job);
    launch.local_bytes = RCITY_LOS_LOCAL_WORDS * sizeof(uint32_t);
    launch.resident[0] = views->items_dev;
    launch.resident[1] = views->notes_dev;
    for (int i = 0; i < WALLS_COUNT; i++) {
        launch.resident[WALLS_FIRST + i] = views->batch->resident[i];
    }
    RCITY_TRY(rcity_device_run(views->context, views->device, &launch));
    launch.kernel = &pick_kernel;
    return rcity_device_run(views->context, views->device, &launch);
}

/* Queue some of the views of a launch. */
static rcity_status queue_views(rcity_los_views *views, const rcity_los_job *job, int64_t count)
{
    RCITY_TRY(take_notes(views, job, count));
    RCITY_TRY(rcity_los_ground_look(&views->ground, views->items + job->first_view, count));
    rcity_launch launch;
    memset(&launch, 0, sizeof launch);
    launch.kernel = &views_kernel;
    launch.job = job;
    launch.item_count = count * views->strip_count;
    launch.local_bytes = ((size_t)job->strip_rows * (size_t)job->row_words + RCITY_LOS_LOCAL_WORDS) * sizeof(uint32_t);
    launch.resident[0] = views->items_dev;
    launch.resident[1] = views->masks_dev;
    launch.resident[2] = views->tallies_dev;
    for (int i = 0; i < RCITY_LOS_RESIDENT_COUNT; i++) {
        launch.resident[RCITY_LOS_RESIDENT_FIRST + i] = views->batch->resident[i];
    }
    launch.resident[NOTES] = views->notes_dev;
    launch.resident[SEEN] = views->ground.seen_dev;
    return rcity_device_run(views->context, views->device, &launch);
}

rcity_status rcity_los_views_trace(rcity_los_views *views, int64_t first, int64_t count)
{
    rcity_los_job job = cut_strips(views, count);
    int64_t note_words = rcity_los_note_words(&job);
    int64_t most = NOTES_MAX_BYTES / (note_words * (int64_t)sizeof(uint32_t));
    most = most < views->ground.room ? most : views->ground.room;
    most = most < 1 ? 1 : most < count ? most : count;
    views->first = first;
    views->count = count;
    views->strip_count = rcity_los_strip_count(&job);
    int64_t item_count = count * views->strip_count;
    views->item_count += item_count;
    RCITY_TRY(rcity_reserve(views->context, (size_t)item_count, sizeof *views->tallies, &views->tally_capacity,
                            "corners", &views->tallies));
    RCITY_TRY(rcity_resident_reserve(views->context, views->device, item_count, sizeof *views->tallies, "corners",
                                     &views->tallies_dev));
    RCITY_TRY(rcity_resident_reserve(views->context, views->device, most * note_words, sizeof(uint32_t), "shadows",
                                     &views->notes_dev));
    rcity_los_ground_choose(&views->ground, views->items + first, count);
    RCITY_TRY(rcity_resident_write(views->context, views->items_dev, first, count, views->items + first));
    for (int64_t done = 0; done < count; done += most) {
        job.first_view = (int32_t)(first + done);
        job.first_tally = (int32_t)(done * views->strip_count);
        RCITY_TRY(queue_views(views, &job, count - done < most ? count - done : most));
    }
    return RCITY_OK;
}

rcity_status rcity_los_views_fetch(rcity_los_views *views)
{
    return rcity_resident_read(views->context, views->tallies_dev, 0, views->count * views->strip_count,
                               views->tallies);
}

static rcity_grid_point3 place_of(const rcity_los_views *views, int64_t view)
{
    const rcity_los_item *item = &views->items[view];
    return (rcity_grid_point3){item->x, item->y, item->z};
}

/* Deferred pixels are set as visible so far: those that are hidden become patches, in any order. */
static void make_patches(rcity_los_views *views, int64_t view, const rcity_los_tally *tally)
{
    const rcity_los_plane *plane = views->batch->plane;
    for (int32_t k = 0; k < tally->deferred_count; k++) {
        int32_t column = tally->deferred[k] % plane->column_count;
        int32_t row = tally->deferred[k] / plane->column_count;
        if (!rcity_sight_is_free(plane->sight, place_of(views, view), rcity_los_plane_pixel(plane, column, row))) {
            rcity_los_patch *patch = &views->patches[atomic_fetch_add(&views->patch_count, 1)];
            patch->view = (uint32_t)view;
            patch->word = (uint32_t)row * (uint32_t)(2 * plane->row_words) + (uint32_t)column / 32;
            patch->keep = ~((uint32_t)1 << (column % 32));
            patch->padding = 0;
        }
    }
}

static rcity_status send_patches(rcity_los_views *views, int64_t patch_count)
{
    if (patch_count == 0) {
        return RCITY_OK;
    }
    RCITY_TRY(rcity_resident_reserve(views->context, views->device, patch_count, sizeof *views->patches, "corners",
                                     &views->patches_dev));
    RCITY_TRY(rcity_resident_write(views->context, views->patches_dev, 0, patch_count, views->patches));
    const int64_t mask_words = 2 * (int64_t)views->mask_words;
    rcity_launch launch;
    memset(&launch, 0, sizeof launch);
    launch.kernel = &patch_kernel;
    launch.job = &mask_words;
    launch.item_count = patch_count;
    launch.resident[0] = views->patches_dev;
    launch.resident[1] = views->masks_dev;
    return rcity_device_run(views->context, views->device, &launch);
}

/* Does a strip of this view have more deferred pixels than a tally can list? */
static bool is_lost(const rcity_los_views *views, int64_t i)
{
    bool is_over = false;
    for (int64_t k = i * views->strip_count; k < (i + 1) * views->strip_count; k++) {
        is_over = is_over || views->tallies[k].deferred_count > RCITY_LOS_DEFERRED_MAX;
    }
    return is_over;
}

/* Trace whole views on the host. */
static rcity_status retrace(rcity_los_views *views, size_t lost_count)
{
    RCITY_TRY(rcity_reserve(views->context, lost_count * views->mask_words, sizeof *views->retraced,
                            &views->retraced_capacity, "what corners see", &views->retraced));
    uint64_t *mask = views->retraced;
    for (int64_t i = 0; i < views->count; i++) {
        if (is_lost(views, i)) {
            RCITY_TRY(rcity_los_trace(views->context, views->batch->plane, &views->batch->workers[0],
                                      place_of(views, views->first + i), mask));
            RCITY_TRY(rcity_resident_write(views->context, views->masks_dev,
                                           2 * (views->first + i) * (int64_t)views->mask_words,
                                           2 * (int64_t)views->mask_words, mask));
            mask += views->mask_words;
        }
    }
    views->retraced_count += (int64_t)lost_count;
    return RCITY_OK;
}

/* An rcity_parallel_function: views of the last call of rcity_los_views_trace(). */
static void decide(void *user, int64_t begin, int64_t end, int thread_index)
{
    rcity_los_views *views = user;
    (void)thread_index;
    for (int64_t i = begin; i < end; i++) {
        for (int64_t k = i * views->strip_count; k < (i + 1) * views->strip_count && !is_lost(views, i); k++) {
            make_patches(views, views->first + i, &views->tallies[k]);
        }
    }
}

rcity_status rcity_los_views_decide(rcity_los_views *views)
{
    size_t lost_count = 0;
    size_t deferred_count = 0;
    for (int64_t i = 0; i < views->count; i++) {
        lost_count += is_lost(views, i);
        for (int64_t k = i * views->strip_count; k < (i + 1) * views->strip_count; k++) {
            deferred_count += (size_t)views->tallies[k].deferred_count;
        }
    }
    views->deferred_count += (int64_t)deferred_count;
    if (deferred_count == 0) {
        return RCITY_OK;
    }
    RCITY_TRY(rcity_reserve(views->context, deferred_count, sizeof *views->patches, &views->patch_capacity, "corners",
                            &views->patches));
    atomic_store(&views->patch_count, 0);
    rcity_parallel(views->context, views->count, 64, decide, views);
    RCITY_TRY(send_patches(views, atomic_load(&views->patch_count)));
    return lost_count > 0 ? retrace(views, lost_count) : RCITY_OK;
}

#include "method/shadow/corners/corner_device.h"

#include <string.h>

#include "base/parallel.h"
#include "embedded/corners_cl.h"

/* Buffers of the corners' kernel before those of sight, which are the last of rcity_los_batch. */
#define SIGHT_FIRST 3
#define SIGHT_COUNT (RCITY_LOS_RESIDENT_COUNT - RCITY_LOS_SIGHT_RASTER)

static void run_corners(const void *job_bytes, const rcity_launch_buffer *buffers, int64_t begin, int64_t end)
{
    rcity_corner_job job;
    memcpy(&job, job_bytes, sizeof job);
    rcity_sight_view view = {job.sight,
                             buffers[SIGHT_FIRST].in,
                             buffers[SIGHT_FIRST + 1].in,
                             buffers[SIGHT_FIRST + 2].in,
                             buffers[SIGHT_FIRST + 3].in,
                             buffers[SIGHT_FIRST + 4].in};
    uint32_t words[2 * RCITY_CORNER_BLOCK_WORDS];
    for (int64_t i = begin; i < end; i++) {
        rcity_corner_begin(words, 0, 1);
        rcity_corner_find_visible(&job, &view, buffers[0].in, buffers[1].in, i, 0, 1, words);
        rcity_corner_end(&job, i, 0, 1, words, buffers[2].out);
    }
}

static const rcity_kernel corners_kernel = {
    .name = "rcity_corner_views_trace",
    .source = rcity_corners_cl,
    .job_bytes = sizeof(rcity_corner_job),
    .group_items = RCITY_CORNER_BLOCK,
    .buffer_count = SIGHT_FIRST + SIGHT_COUNT,
    .buffer = {{RCITY_BUFFER_SHARED_IN, sizeof(rcity_corner_view)},
               {RCITY_BUFFER_SHARED_IN, sizeof(rcity_corner_place)},
               {RCITY_BUFFER_ON_DEVICE, sizeof(uint32_t)},
               {RCITY_BUFFER_SHARED_IN, sizeof(uint8_t)},
               {RCITY_BUFFER_SHARED_IN, sizeof(uint32_t)},
               {RCITY_BUFFER_SHARED_IN, sizeof(rcity_sight_wall)},
               {RCITY_BUFFER_SHARED_IN, sizeof(int32_t)},
               {RCITY_BUFFER_SHARED_IN, sizeof(int32_t)}},
    .host_run = run_corners,
};

static void run_fans(const void *job_bytes, const rcity_launch_buffer *buffers, int64_t begin, int64_t end)
{
    rcity_corner_fan_job job;
    memcpy(&job, job_bytes, sizeof job);
    for (int64_t i = begin; i < end; i++) {
        rcity_corner_fan_clip(&job, buffers[0].in, buffers[1].in, i, buffers[2].out);
    }
}

static const rcity_kernel fans_kernel = {
    .name = "rcity_corner_fans_clip",
    .source = rcity_corners_cl,
    .job_bytes = sizeof(rcity_corner_fan_job),
    .buffer_count = 3,
    .buffer = {{RCITY_BUFFER_SHARED_IN, sizeof(rcity_corner_fan)},
               {RCITY_BUFFER_SHARED_IN, sizeof(int32_t)},
               {RCITY_BUFFER_ON_DEVICE, sizeof(uint32_t)}},
    .host_run = run_fans,
};

/* The open corners as the kernel reads them. */
static rcity_status build_places(rcity_corner_device *corner_device)
{
    const rcity_los_plane *plane = corner_device->plane;
    const rcity_corner_table *corners = &corner_device->corners;
    size_t room = (size_t)plane->wall_count + 1;
    RCITY_TRY(
        rcity_alloc(corner_device->context, room, sizeof *corner_device->points, "corners", &corner_device->points));
    RCITY_TRY(
        rcity_alloc(corner_device->context, room, sizeof *corner_device->places, "corners", &corner_device->places));
    for (int32_t i = 0; i < plane->wall_count; i++) {
        const rcity_los_wall *wall = &plane->walls[i];
        if (wall->a >= 0 && corners->is_open[wall->a]) {
            corner_device->points[corner_device->corner_count] = wall->a;
            corner_device->places[corner_device->corner_count++] = rcity_corner_table_place(corners, wall->a);
        }
    }
    corner_device->block_count = (corner_device->corner_count + RCITY_CORNER_BLOCK - 1) / RCITY_CORNER_BLOCK;
    return rcity_resident_create(corner_device->context, corner_device->device, corner_device->places,
                                 corner_device->corner_count, sizeof *corner_device->places, "corners",
                                 &corner_device->places_dev);
}

rcity_status rcity_corner_device_init(rcity_context *context, rcity_device *device, const rcity_los_plane *plane,
                                      rcity_corner_device *corner_device)
{
    memset(corner_device, 0, sizeof *corner_device);
    corner_device->context = context;
    corner_device->device = device;
    corner_device->plane = plane;
    rcity_status status;
    RCITY_TRY(rcity_los_views_init(context, device, plane, &corner_device->views));
    RCITY_TRY_DONE(rcity_corner_table_init(context, plane, &corner_device->corners));
    RCITY_TRY_DONE(rcity_corner_store_init(context, &corner_device->corners, &corner_device->store));
    RCITY_TRY_DONE(build_places(corner_device));
done:
    if (status != RCITY_OK) {
        rcity_corner_device_deinit(corner_device);
    }
    return status;
}

void rcity_corner_device_deinit(rcity_corner_device *corner_device)
{
    for (size_t i = 0; i < corner_device->source_room; i++) {
        rcity_corner_paths_deinit(corner_device->context, &corner_device->sources[i].found);
        rcity_release(corner_device->context, corner_device->sources[i].view_of);
    }
    rcity_resident_destroy(&corner_device->fans_dev);
    rcity_resident_destroy(&corner_device->bits_dev);
    rcity_resident_destroy(&corner_device->looks_dev);
    rcity_resident_destroy(&corner_device->places_dev);
    rcity_release(corner_device->context, corner_device->path_sources);
    rcity_release(corner_device->context, corner_device->chains);
    rcity_release(corner_device->context, corner_device->sources);
    rcity_release(corner_device->context, corner_device->fans);
    rcity_release(corner_device->context, corner_device->bits);
    rcity_release(corner_device->context, corner_device->looks);
    rcity_corner_store_deinit(&corner_device->store);
    rcity_release(corner_device->context, corner_device->places);
    rcity_release(corner_device->context, corner_device->points);
    rcity_corner_table_deinit(corner_device->context, &corner_device->corners);
    rcity_los_views_deinit(&corner_device->views);
    memset(corner_device, 0, sizeof *corner_device);
}

static size_t view_bit_words(const rcity_corner_device *corner_device)
{
    return (size_t)corner_device->block_count * RCITY_CORNER_BLOCK_WORDS;
}

/* Queues the kernel that finds which corners are seen in the new looks. */
static rcity_status look_at_corners(rcity_corner_device *corner_device)
{
    const rcity_corner_store *store = &corner_device->store;
    rcity_context *context = corner_device->context;
    size_t count = store->look_count - corner_device->first_look;
    size_t words = 2 * view_bit_words(corner_device) * count;
    RCITY_TRY(rcity_reserve(context, count, sizeof *corner_device->looks, &corner_device->look_capacity, "corners",
                            &corner_device->looks));
    RCITY_TRY(rcity_reserve(context, words, sizeof *corner_device->bits, &corner_device->bit_capacity, "corners",
                            &corner_device->bits));
    RCITY_TRY(rcity_resident_reserve(context, corner_device->device, (int64_t)count, sizeof *corner_device->looks,
                                     "corners", &corner_device->looks_dev));
    RCITY_TRY(rcity_resident_reserve(context, corner_device->device, (int64_t)words, sizeof *corner_device->bits,
                                     "corners", &corner_device->bits_dev));
    for (size_t i = 0; i < count; i++) {
        const rcity_corner_stored_look *look = &store->looks[corner_device->first_look + i];
        rcity_grid_point3 at = store->places[look->place].at;
        corner_device->looks[i] = (rcity_corner_view){at.x, at.y, at.z, look->step};
    }
    RCITY_TRY(rcity_resident_write(context, corner_device->looks_dev, 0, (int64_t)count, corner_device->looks));
    rcity_corner_job job;
    memset(&job, 0, sizeof job);
    job.sight = corner_device->views.batch->job.sight;
    job.corner_count = corner_device->corner_count;
    job.block_count = corner_device->block_count;
    rcity_launch launch;
    memset(&launch, 0, sizeof launch);
    launch.kernel = &corners_kernel;
    launch.job = &job;
    launch.item_count = (int64_t)count * corner_device->block_count;
    launch.local_bytes = 2 * RCITY_CORNER_BLOCK_WORDS * sizeof(uint32_t);
    launch.resident[0] = corner_device->looks_dev;
    launch.resident[1] = corner_device->places_dev;
    launch.resident[2] = corner_device->bits_dev;
    for (int i = 0; i < SIGHT_COUNT; i++) {
        launch.resident[SIGHT_FIRST + i] = corner_device->views.batch->resident[RCITY_LOS_SIGHT_RASTER + i];
    }
    return rcity_device_run(context, corner_device->device, &launch);
}

/* Decides a corner that the kernel deferred. */
static bool is_seen(rcity_corner_device *corner_device, const rcity_corner_view *from, size_t corner)
{
    const rcity_corner_place *place = &corner_device->places[corner];
    rcity_grid_point3 to = {place->x, place->y, rcity_corner_height(place->ground, place->top, from->step)};
    atomic_fetch_add(&corner_device->close_count, 1);
    return rcity_sight_is_free(corner_device->plane->sight, (rcity_grid_point3){from->x, from->y, from->z}, to);
}

/* From bits to the corners that are seen, in the order of walls. */
static rcity_status take_look(rcity_corner_device *corner_device, size_t index)
{
    size_t words = view_bit_words(corner_device);
    const uint32_t *seen = corner_device->bits + 2 * words * index;
    rcity_corner_stored_look *look = &corner_device->store.looks[corner_device->first_look + index];
    size_t most = 0;
    for (size_t word = 0; word < words; word++) {
        most += (size_t)__builtin_popcount(seen[word] | seen[words + word]);
    }
    RCITY_TRY(rcity_alloc(corner_device->context, most + 1, sizeof *look->corners, "corners", &look->corners));
    for (size_t word = 0; word < words; word++) {
        for (uint32_t bits = seen[word] | seen[words + word]; bits != 0; bits &= bits - 1) {
            size_t corner = 32 * word + (size_t)__builtin_ctz(bits);
            bool is_sure = ((seen[word] >> (corner % 32)) & 1) != 0;
            if (is_sure || is_seen(corner_device, &corner_device->looks[index], corner)) {
                look->corners[look->corner_count++] = corner_device->points[corner];
            }
        }
    }
    return RCITY_OK;
}

/* An rcity_parallel_function. */
static void take_looks(void *user, int64_t begin, int64_t end, int thread_index)
{
    rcity_corner_device *corner_device = user;
    (void)thread_index;
    for (int64_t i = begin; i < end; i++) {
        rcity_status status = take_look(corner_device, (size_t)i);
        if (status != RCITY_OK) {
            atomic_store(&corner_device->status, (int)status);
        }
    }
}

/* Finds the place of every view that is new in this round, and a look where corners are requested. */
static rcity_status find_places(rcity_corner_device *corner_device, int source_count, bool finds_corners)
{
    rcity_corner_store *store = &corner_device->store;
    for (int k = 0; k < source_count; k++) {
        rcity_corner_source *source = &corner_device->sources[k];
        for (size_t i = source->first_view; i < source->chains.view_count; i++) {
            rcity_chain_view *view = &source->chains.views[i];
            view->look = -1;
            RCITY_TRY(rcity_corner_store_find_place(store, view->corner, view->at, &view->place));
            if (finds_corners) {
                RCITY_TRY(rcity_corner_store_find_look(store, view->place, source->chains.step, &view->look));
            }
        }
    }
    return RCITY_OK;
}

typedef struct place_work {
    rcity_corner_device *corner_device;
    size_t first;
} place_work;

/* An rcity_parallel_function: prepares the new views. */
static void place_views(void *user, int64_t begin, int64_t end, int thread_index)
{
    const place_work *work = user;
    (void)thread_index;
    for (int64_t i = begin; i < end; i++) {
        int64_t view = (int64_t)work->first + i;
        rcity_los_views_place(&work->corner_device->views, view, work->corner_device->store.places[view].at);
    }
}

/* Queues the rasters of the views from `first` on; where the masks had to move, of all views. */
static rcity_status look_from(rcity_corner_device *corner_device, size_t first)
{
    bool is_lost = false;
    int64_t count = (int64_t)corner_device->store.place_count;
    RCITY_TRY(rcity_los_views_reserve(&corner_device->views, count, &is_lost));
    place_work work = {corner_device, first};
    rcity_parallel(corner_device->context, count - (int64_t)first, 16, place_views, &work);
    int64_t again = is_lost ? 0 : (int64_t)first;
    return rcity_los_views_trace(&corner_device->views, again, count - again);
}

/* Queues, for the views of the last launch: a corner's mask keeps only the pixels that it diffracts to. After
   rcity_los_views_decide(), which may write masks anew. */
static rcity_status clip_fans(rcity_corner_device *corner_device)
{
    const rcity_los_views *views = &corner_device->views;
    rcity_context *context = corner_device->context;
    int64_t count = 0;
    RCITY_TRY(rcity_reserve(context, (size_t)views->count, sizeof *corner_device->fans, &corner_device->fan_capacity,
                            "corners", &corner_device->fans));
    for (int64_t view = views->first; view < views->first + views->count; view++) {
        int32_t corner = corner_device->store.places[view].corner;
        if (corner >= 0) {
            rcity_corner_fan *fan = &corner_device->fans[count++];
            memset(fan, 0, sizeof *fan);
            fan->corner = rcity_corner_table_place(&corner_device->corners, corner);
            fan->view = (int32_t)view;
        }
    }
    if (count == 0) {
        return RCITY_OK;
    }
    RCITY_TRY(rcity_resident_reserve(context, corner_device->device, count, sizeof *corner_device->fans, "corners",
                                     &corner_device->fans_dev));
    RCITY_TRY(rcity_resident_write(context, corner_device->fans_dev, 0, count, corner_device->fans));
    const rcity_los_plane *plane = corner_device->plane;
    rcity_corner_fan_job job = {plane->column_count, plane->row_count, (int32_t)(2 * plane->row_words), 0};
    rcity_launch launch;
    memset(&launch, 0, sizeof launch);
    launch.kernel = &fans_kernel;
    launch.job = &job;
    launch.item_count = count * 2 * (int64_t)views->mask_words;
    launch.resident[0] = corner_device->fans_dev;
    launch.resident[1] = views->batch->resident[0];
    launch.resident[2] = views->masks_dev;
    return rcity_device_run(context, corner_device->device, &launch);
}

/* One round of all sources: computes what is not known yet. The last round finds no corners. The host waits for the
   results it needs while the device continues with the task. */
static rcity_status look_around(rcity_corner_device *corner_device, int source_count, int turn, int order,
                                rcity_corner_task task)
{
    rcity_corner_store *store = &corner_device->store;
    size_t first_place = store->place_count;
    corner_device->first_look = store->look_count;
    RCITY_TRY(find_places(corner_device, source_count, turn < order && corner_device->corner_count > 0));
    bool has_places = store->place_count > first_place;
    size_t look_count = store->look_count - corner_device->first_look;
    if (has_places) {
        RCITY_TRY(look_from(corner_device, first_place));
    }
    if (look_count > 0) {
        RCITY_TRY(look_at_corners(corner_device));
    }
    if (has_places) {
        RCITY_TRY(rcity_los_views_fetch(&corner_device->views));
    }
    if (look_count > 0) {
        int64_t words = 2 * (int64_t)(view_bit_words(corner_device) * look_count);
        RCITY_TRY(rcity_resident_read(corner_device->context, corner_device->bits_dev, 0, words, corner_device->bits));
    }
    RCITY_TRY(task.run(task.user, turn));
    RCITY_TRY(rcity_device_finish_copies(corner_device->context, corner_device->device));
    if (has_places) {
        RCITY_TRY(rcity_los_views_decide(&corner_device->views));
        RCITY_TRY(clip_fans(corner_device));
    }
    rcity_parallel(corner_device->context, (int64_t)look_count, 4, take_looks, corner_device);
    return (rcity_status)atomic_load(&corner_device->status);
}

/* An rcity_parallel_function: the chains with one more corner, from what was seen in the last round. */
static void extend_sources(void *user, int64_t begin, int64_t end, int thread_index)
{
    rcity_corner_device *corner_device = user;
    (void)thread_index;
    for (int64_t k = begin; k < end; k++) {
        rcity_corner_source *source = &corner_device->sources[k];
        for (size_t i = source->first_view; i < source->chains.view_count; i++) {
            rcity_chain_view *view = &source->chains.views[i];
            if (view->look >= 0) {
                view->corners = corner_device->store.looks[view->look].corners;
                view->corner_count = corner_device->store.looks[view->look].corner_count;
            }
        }
        source->first_view = source->chains.view_count;
        rcity_status status = rcity_corner_chains_extend(&source->chains, &source->found);
        if (status != RCITY_OK) {
            atomic_store(&corner_device->status, (int)status);
        }
    }
}

/* Allocates sources; the memory of earlier ones stays. */
static rcity_status reserve_sources(rcity_corner_device *corner_device, size_t count)
{
    if (count > corner_device->source_room) {
        RCITY_TRY(rcity_resize(corner_device->context, count, sizeof *corner_device->sources, "corners",
                               &corner_device->sources));
        memset(corner_device->sources + corner_device->source_room, 0,
               (count - corner_device->source_room) * sizeof *corner_device->sources);
        corner_device->source_room = count;
    }
    for (size_t i = 0; i < count; i++) {
        if (corner_device->sources[i].view_of == NULL) {
            RCITY_TRY(rcity_corner_corners_alloc_views(corner_device->context, &corner_device->corners,
                                                       &corner_device->sources[i].view_of));
        }
    }
    return RCITY_OK;
}

static rcity_status begin_sources(rcity_corner_device *corner_device, int source_count,
                                  const rcity_grid_point3 *sources)
{
    RCITY_TRY(reserve_sources(corner_device, (size_t)source_count));
    for (int i = 0; i < source_count; i++) {
        rcity_corner_source *source = &corner_device->sources[i];
        source->first_view = 0;
        source->found.node_count = 0;
        RCITY_TRY(rcity_corner_chains_begin(corner_device->context, &corner_device->corners, source->view_of,
                                            sources[i], &source->chains));
    }
    return RCITY_OK;
}

static void end_sources(rcity_corner_device *corner_device)
{
    for (size_t i = 0; i < corner_device->source_room; i++) {
        rcity_corner_chains_end(&corner_device->sources[i].chains);
    }
}

/* What corners see is kept as long as it takes less than this part of the device's memory. */
static bool is_crowded(const rcity_corner_device *corner_device)
{
    uint64_t view_bytes = corner_device->views.mask_words * sizeof(uint64_t);
    return corner_device->store.place_count * view_bytes > corner_device->views.info.memory_bytes / 16;
}

void rcity_corner_device_forget(rcity_corner_device *corner_device)
{
    rcity_corner_store_clear(&corner_device->store);
}

rcity_status rcity_corner_device_trace(rcity_corner_device *corner_device, int source_count,
                                       const rcity_grid_point3 *sources, int order, rcity_corner_task task,
                                       rcity_corner_lists *lists)
{
    rcity_status status;
    if (is_crowded(corner_device)) {
        rcity_corner_device_forget(corner_device);
    }
    atomic_store(&corner_device->status, (int)RCITY_OK);
    RCITY_TRY_DONE(begin_sources(corner_device, source_count, sources));
    RCITY_TRY_DONE(look_around(corner_device, source_count, 0, order, task));
    if (order > 0) {
        RCITY_TRY_DONE(rcity_corner_lists_copy_visible(corner_device, source_count, lists));
    }
    for (int turn = 1; turn <= order; turn++) {
        rcity_parallel(corner_device->context, source_count, 1, extend_sources, corner_device);
        RCITY_TRY_DONE((rcity_status)atomic_load(&corner_device->status));
        RCITY_TRY_DONE(look_around(corner_device, source_count, turn, order, task));
    }
    RCITY_TRY_DONE(rcity_corner_lists_make(corner_device, source_count, lists));
done:
    if (status != RCITY_OK) {
        rcity_corner_device_forget(corner_device); /* it may have places whose views were not computed */
    }
    end_sources(corner_device);
    return status;
}

#include "method/shadow/corners/canyon_device.h"

#include <string.h>

#include "base/parallel.h"
#include "embedded/canyon_cl.h"

/* Buffers of the corners' kernel before those of sight, which are the last of rcity_los_batch. */
#define SIGHT_FIRST 3
#define SIGHT_COUNT (RCITY_LOS_RESIDENT_COUNT - RCITY_LOS_SIGHT_RASTER)

static void run_corners(const void *job_bytes, void *const *buffers, int64_t begin, int64_t end)
{
    rcity_corner_job job;
    memcpy(&job, job_bytes, sizeof job);
    rcity_sight_view view = {job.sight,
                             buffers[SIGHT_FIRST],
                             buffers[SIGHT_FIRST + 1],
                             buffers[SIGHT_FIRST + 2],
                             buffers[SIGHT_FIRST + 3],
                             buffers[SIGHT_FIRST + 4]};
    uint32_t words[2 * RCITY_CORNER_BLOCK_WORDS];
    for (int64_t i = begin; i < end; i++) {
        rcity_corner_begin(words, 0, 1);
        rcity_corner_look(&job, &view, buffers[0], buffers[1], i, 0, 1, words);
        rcity_corner_end(&job, i, 0, 1, words, buffers[2]);
    }
}

static const rcity_kernel corners_kernel = {
    .name = "rcity_canyon_look",
    .source = rcity_canyon_cl,
    .job_bytes = sizeof(rcity_corner_job),
    .group_items = RCITY_CORNER_BLOCK,
    .buffer_count = SIGHT_FIRST + SIGHT_COUNT,
    .buffer = {{RCITY_BUFFER_SHARED_IN, sizeof(rcity_corner_view)},
               {RCITY_BUFFER_SHARED_IN, sizeof(rcity_corner_place)},
               {RCITY_BUFFER_KEPT, sizeof(uint32_t)},
               {RCITY_BUFFER_SHARED_IN, sizeof(uint8_t)},
               {RCITY_BUFFER_SHARED_IN, sizeof(uint32_t)},
               {RCITY_BUFFER_SHARED_IN, sizeof(rcity_sight_wall)},
               {RCITY_BUFFER_SHARED_IN, sizeof(int32_t)},
               {RCITY_BUFFER_SHARED_IN, sizeof(int32_t)}},
    .host_run = run_corners,
};

/* The open corners as the kernel reads them. */
static rcity_status build_places(rcity_canyon_device *canyon)
{
    const rcity_los_plane *plane = canyon->plane;
    const rcity_canyon_corners *corners = &canyon->corners;
    size_t room = (size_t)plane->wall_count + 1;
    RCITY_TRY(rcity_alloc(canyon->context, room, sizeof *canyon->points, "corners", &canyon->points));
    RCITY_TRY(rcity_alloc(canyon->context, room, sizeof *canyon->places, "corners", &canyon->places));
    for (int32_t i = 0; i < plane->wall_count; i++) {
        const rcity_los_wall *wall = &plane->walls[i];
        if (wall->a >= 0 && corners->is_open[wall->a]) {
            const rcity_los_wall *last = &plane->walls[corners->wall_before[wall->a]];
            canyon->points[canyon->corner_count] = wall->a;
            canyon->places[canyon->corner_count++] = (rcity_corner_place){
                last->ax, last->ay, wall->ax, wall->ay, wall->bx, wall->by, wall->roof, corners->foot[wall->a]};
        }
    }
    canyon->block_count = (canyon->corner_count + RCITY_CORNER_BLOCK - 1) / RCITY_CORNER_BLOCK;
    return rcity_resident_create(canyon->context, canyon->device, canyon->places, canyon->corner_count,
                                 sizeof *canyon->places, "corners", &canyon->places_dev);
}

rcity_status rcity_canyon_device_init(rcity_context *context, rcity_device *device, const rcity_los_plane *plane,
                                      rcity_canyon_device *canyon)
{
    memset(canyon, 0, sizeof *canyon);
    canyon->context = context;
    canyon->device = device;
    canyon->plane = plane;
    rcity_status status;
    RCITY_TRY(rcity_los_views_init(context, device, plane, &canyon->views));
    RCITY_TRY_DONE(rcity_canyon_corners_init(context, plane, &canyon->corners));
    RCITY_TRY_DONE(rcity_corner_store_init(context, &canyon->corners, &canyon->store));
    RCITY_TRY_DONE(build_places(canyon));
done:
    if (status != RCITY_OK) {
        rcity_canyon_device_deinit(canyon);
    }
    return status;
}

void rcity_canyon_device_deinit(rcity_canyon_device *canyon)
{
    for (size_t i = 0; i < canyon->source_room; i++) {
        rcity_canyon_deinit(canyon->context, &canyon->sources[i].found);
        rcity_release(canyon->context, canyon->sources[i].view_of);
    }
    rcity_resident_destroy(&canyon->bits_dev);
    rcity_resident_destroy(&canyon->looks_dev);
    rcity_resident_destroy(&canyon->places_dev);
    rcity_release(canyon->context, canyon->way_sources);
    rcity_release(canyon->context, canyon->chains);
    rcity_release(canyon->context, canyon->sources);
    rcity_release(canyon->context, canyon->bits);
    rcity_release(canyon->context, canyon->looks);
    rcity_corner_store_deinit(&canyon->store);
    rcity_release(canyon->context, canyon->places);
    rcity_release(canyon->context, canyon->points);
    rcity_canyon_corners_deinit(canyon->context, &canyon->corners);
    rcity_los_views_deinit(&canyon->views);
    memset(canyon, 0, sizeof *canyon);
}

static size_t view_bit_words(const rcity_canyon_device *canyon)
{
    return (size_t)canyon->block_count * RCITY_CORNER_BLOCK_WORDS;
}

/* Queue: which corners are seen in the looks that are new? */
static rcity_status look_at_corners(rcity_canyon_device *canyon)
{
    const rcity_corner_store *store = &canyon->store;
    rcity_context *context = canyon->context;
    size_t count = store->look_count - canyon->first_look;
    size_t words = 2 * view_bit_words(canyon) * count;
    RCITY_TRY(rcity_reserve(context, count, sizeof *canyon->looks, &canyon->look_capacity, "corners", &canyon->looks));
    RCITY_TRY(rcity_reserve(context, words, sizeof *canyon->bits, &canyon->bit_capacity, "corners", &canyon->bits));
    RCITY_TRY(rcity_resident_reserve(context, canyon->device, (int64_t)count, sizeof *canyon->looks, "corners",
                                     &canyon->looks_dev));
    RCITY_TRY(rcity_resident_reserve(context, canyon->device, (int64_t)words, sizeof *canyon->bits, "corners",
                                     &canyon->bits_dev));
    for (size_t i = 0; i < count; i++) {
        const rcity_corner_stored_look *look = &store->looks[canyon->first_look + i];
        rcity_grid_point3 at = store->places[look->place].at;
        canyon->looks[i] = (rcity_corner_view){at.x, at.y, at.z, look->source_z};
    }
    RCITY_TRY(rcity_resident_write(context, canyon->looks_dev, 0, (int64_t)count, canyon->looks));
    rcity_corner_job job;
    memset(&job, 0, sizeof job);
    job.sight = canyon->views.batch->job.sight;
    job.corner_count = canyon->corner_count;
    job.block_count = canyon->block_count;
    rcity_launch launch;
    memset(&launch, 0, sizeof launch);
    launch.kernel = &corners_kernel;
    launch.job = &job;
    launch.item_count = (int64_t)count * canyon->block_count;
    launch.local_bytes = 2 * RCITY_CORNER_BLOCK_WORDS * sizeof(uint32_t);
    launch.resident[0] = canyon->looks_dev;
    launch.resident[1] = canyon->places_dev;
    launch.resident[2] = canyon->bits_dev;
    for (int i = 0; i < SIGHT_COUNT; i++) {
        launch.resident[SIGHT_FIRST + i] = canyon->views.batch->resident[RCITY_LOS_SIGHT_RASTER + i];
    }
    return rcity_device_run(context, canyon->device, &launch);
}

/* A corner whose line the kernel did not decide. */
static bool is_seen(rcity_canyon_device *canyon, const rcity_corner_view *from, size_t corner)
{
    const rcity_corner_place *place = &canyon->places[corner];
    int32_t height = rcity_corner_height(from->source_z, place->roof, place->foot);
    rcity_grid_point3 to = {place->x, place->y, height < from->z ? height : from->z};
    atomic_fetch_add(&canyon->close_count, 1);
    return rcity_sight_is_free(canyon->plane->sight, (rcity_grid_point3){from->x, from->y, from->z}, to);
}

/* From bits to the corners that are seen, in the order of walls. */
static rcity_status take_look(rcity_canyon_device *canyon, size_t index)
{
    size_t words = view_bit_words(canyon);
    const uint32_t *seen = canyon->bits + 2 * words * index;
    rcity_corner_stored_look *look = &canyon->store.looks[canyon->first_look + index];
    size_t most = 0;
    for (size_t word = 0; word < words; word++) {
        most += (size_t)__builtin_popcount(seen[word] | seen[words + word]);
    }
    RCITY_TRY(rcity_alloc(canyon->context, most + 1, sizeof *look->corners, "corners", &look->corners));
    for (size_t word = 0; word < words; word++) {
        for (uint32_t bits = seen[word] | seen[words + word]; bits != 0; bits &= bits - 1) {
            size_t corner = 32 * word + (size_t)__builtin_ctz(bits);
            bool is_sure = ((seen[word] >> (corner % 32)) & 1) != 0;
            if (is_sure || is_seen(canyon, &canyon->looks[index], corner)) {
                look->corners[look->corner_count++] = canyon->points[corner];
            }
        }
    }
    return RCITY_OK;
}

/* An rcity_parallel_function. */
static void take_looks(void *user, int64_t begin, int64_t end, int thread_index)
{
    rcity_canyon_device *canyon = user;
    (void)thread_index;
    for (int64_t i = begin; i < end; i++) {
        rcity_status status = take_look(canyon, (size_t)i);
        if (status != RCITY_OK) {
            atomic_store(&canyon->status, (int)status);
        }
    }
}

/* A place for every view that is new in this round, and a look where corners are wanted. */
static rcity_status find_places(rcity_canyon_device *canyon, int source_count, bool finds_corners)
{
    rcity_corner_store *store = &canyon->store;
    for (int k = 0; k < source_count; k++) {
        rcity_canyon_source *source = &canyon->sources[k];
        for (size_t i = source->first_view; i < source->chains.view_count; i++) {
            rcity_canyon_view *view = &source->chains.views[i];
            view->look = -1;
            RCITY_TRY(rcity_corner_store_find_place(store, view->corner, view->at, &view->place));
            if (finds_corners) {
                RCITY_TRY(rcity_corner_store_find_look(store, view->place, source->chains.source.z, &view->look));
            }
        }
    }
    return RCITY_OK;
}

typedef struct place_work {
    rcity_canyon_device *canyon;
    size_t first;
} place_work;

/* An rcity_parallel_function: how each new view is to be answered. */
static void place_views(void *user, int64_t begin, int64_t end, int thread_index)
{
    const place_work *work = user;
    (void)thread_index;
    for (int64_t i = begin; i < end; i++) {
        int64_t view = (int64_t)work->first + i;
        rcity_los_views_place(&work->canyon->views, view, work->canyon->store.places[view].at);
    }
}

/* Queue: views from `first` on look around; where the masks had to move, all of them do. */
static rcity_status look_from(rcity_canyon_device *canyon, size_t first)
{
    bool is_lost = false;
    int64_t count = (int64_t)canyon->store.place_count;
    RCITY_TRY(rcity_los_views_reserve(&canyon->views, count, &is_lost));
    place_work work = {canyon, first};
    rcity_parallel(canyon->context, count - (int64_t)first, 16, place_views, &work);
    int64_t again = is_lost ? 0 : (int64_t)first;
    return rcity_los_views_look(&canyon->views, again, count - again);
}

/* One round of all sources: what is not known yet is looked at. The task is for the last round, which finds no corners. */
static rcity_status look_around(rcity_canyon_device *canyon, int source_count, bool is_last, rcity_canyon_task task)
{
    rcity_corner_store *store = &canyon->store;
    size_t first_place = store->place_count;
    canyon->first_look = store->look_count;
    RCITY_TRY(find_places(canyon, source_count, !is_last && canyon->corner_count > 0));
    bool has_places = store->place_count > first_place;
    size_t look_count = store->look_count - canyon->first_look;
    if (has_places) {
        RCITY_TRY(look_from(canyon, first_place));
    }
    if (look_count > 0) {
        RCITY_TRY(look_at_corners(canyon));
    }
    if (is_last && task.run != NULL) {
        RCITY_TRY(task.run(task.user));
    }
    if (has_places) {
        RCITY_TRY(rcity_los_views_fetch(&canyon->views));
    }
    if (look_count > 0) {
        int64_t words = 2 * (int64_t)(view_bit_words(canyon) * look_count);
        RCITY_TRY(rcity_resident_read(canyon->context, canyon->bits_dev, 0, words, canyon->bits));
    }
    if (has_places || look_count > 0) {
        RCITY_TRY(rcity_device_finish(canyon->context, canyon->device));
    }
    if (has_places) {
        RCITY_TRY(rcity_los_views_settle(&canyon->views));
    }
    rcity_parallel(canyon->context, (int64_t)look_count, 4, take_looks, canyon);
    return (rcity_status)atomic_load(&canyon->status);
}

/* An rcity_parallel_function: the chains of one corner more, from what was seen in the last round. */
static void extend_sources(void *user, int64_t begin, int64_t end, int thread_index)
{
    rcity_canyon_device *canyon = user;
    (void)thread_index;
    for (int64_t k = begin; k < end; k++) {
        rcity_canyon_source *source = &canyon->sources[k];
        for (size_t i = source->first_view; i < source->chains.view_count; i++) {
            rcity_canyon_view *view = &source->chains.views[i];
            if (view->look >= 0) {
                view->corners = canyon->store.looks[view->look].corners;
                view->corner_count = canyon->store.looks[view->look].corner_count;
            }
        }
        source->first_view = source->chains.view_count;
        rcity_status status = rcity_canyon_chains_extend(&source->chains, &source->found);
        if (status != RCITY_OK) {
            atomic_store(&canyon->status, (int)status);
        }
    }
}

/* Room for sources; what is there for earlier ones stays. */
static rcity_status reserve_sources(rcity_canyon_device *canyon, size_t count)
{
    if (count > canyon->source_room) {
        RCITY_TRY(rcity_resize(canyon->context, count, sizeof *canyon->sources, "corners", &canyon->sources));
        memset(canyon->sources + canyon->source_room, 0, (count - canyon->source_room) * sizeof *canyon->sources);
        canyon->source_room = count;
    }
    for (size_t i = 0; i < count; i++) {
        if (canyon->sources[i].view_of == NULL) {
            RCITY_TRY(rcity_canyon_corners_alloc_views(canyon->context, &canyon->corners, &canyon->sources[i].view_of));
        }
    }
    return RCITY_OK;
}

static rcity_status begin_sources(rcity_canyon_device *canyon, int source_count, const rcity_grid_point3 *sources)
{
    RCITY_TRY(reserve_sources(canyon, (size_t)source_count));
    for (int i = 0; i < source_count; i++) {
        rcity_canyon_source *source = &canyon->sources[i];
        source->first_view = 0;
        source->found.node_count = 0;
        RCITY_TRY(
            rcity_canyon_chains_begin(canyon->context, &canyon->corners, source->view_of, sources[i], &source->chains));
    }
    return RCITY_OK;
}

static void end_sources(rcity_canyon_device *canyon)
{
    for (size_t i = 0; i < canyon->source_room; i++) {
        rcity_canyon_chains_end(&canyon->sources[i].chains);
    }
}

/* What corners see is kept as long as it takes less than this part of the device. */
static bool is_crowded(const rcity_canyon_device *canyon)
{
    uint64_t view_bytes = canyon->views.mask_words * sizeof(uint64_t);
    return canyon->store.place_count * view_bytes > canyon->views.info.memory_bytes / 16;
}

void rcity_canyon_device_forget(rcity_canyon_device *canyon)
{
    rcity_corner_store_clear(&canyon->store);
}

rcity_status rcity_canyon_device_trace(rcity_canyon_device *canyon, int source_count, const rcity_grid_point3 *sources,
                                       int order, rcity_canyon_task task, rcity_canyon_lists *lists)
{
    rcity_status status;
    if (is_crowded(canyon)) {
        rcity_canyon_device_forget(canyon);
    }
    atomic_store(&canyon->status, (int)RCITY_OK);
    RCITY_TRY_DONE(begin_sources(canyon, source_count, sources));
    RCITY_TRY_DONE(look_around(canyon, source_count, order == 0, task));
    for (int turn = 1; turn <= order; turn++) {
        rcity_parallel(canyon->context, source_count, 1, extend_sources, canyon);
        RCITY_TRY_DONE((rcity_status)atomic_load(&canyon->status));
        RCITY_TRY_DONE(look_around(canyon, source_count, turn == order, task));
    }
    RCITY_TRY_DONE(rcity_canyon_lists_make(canyon, source_count, lists));
done:
    if (status != RCITY_OK) {
        rcity_canyon_device_forget(canyon); /* places that nobody looked from */
    }
    end_sources(canyon);
    return status;
}

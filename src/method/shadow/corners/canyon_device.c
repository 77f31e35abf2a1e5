#include "method/shadow/corners/canyon_device.h"

#include <string.h>

#include "embedded/canyon_cl.h"

/* Buffers of the corners' kernel before those of sight, which are the last of rcity_los_batch. */
#define SIGHT_FIRST 3
#define SIGHT_COUNT (RCITY_LOS_RESIDENT_COUNT - RCITY_LOS_SIGHT_RASTER)

/* Entries that there is room for from the start, for each word of the raster. */
#define ENTRIES_PER_WORD 4

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
    .buffer = {{RCITY_BUFFER_SHARED_IN, sizeof(rcity_los_item)},
               {RCITY_BUFFER_SHARED_IN, sizeof(rcity_corner_place)},
               {RCITY_BUFFER_KEPT, sizeof(uint32_t)},
               {RCITY_BUFFER_SHARED_IN, sizeof(uint8_t)},
               {RCITY_BUFFER_SHARED_IN, sizeof(uint32_t)},
               {RCITY_BUFFER_SHARED_IN, sizeof(rcity_sight_wall)},
               {RCITY_BUFFER_SHARED_IN, sizeof(int32_t)},
               {RCITY_BUFFER_SHARED_IN, sizeof(int32_t)}},
    .host_run = run_corners,
};

static void run_lists(const void *job_bytes, void *const *buffers, int64_t begin, int64_t end)
{
    rcity_way_job job;
    memcpy(&job, job_bytes, sizeof job);
    uint32_t words[RCITY_WAY_LOCAL_WORDS];
    for (int64_t i = begin; i < end; i++) {
        rcity_way_count(&job, buffers[0], buffers[1], i, 0, 1, words, buffers[5]);
        rcity_way_place(&job, buffers[0], i, 0, 1, words, buffers[2], buffers[4], buffers[5]);
        rcity_way_fill(&job, buffers[0], buffers[1], i, 0, 1, words, buffers[3]);
    }
}

static const rcity_kernel lists_kernel = {
    .name = "rcity_canyon_list",
    .source = rcity_canyon_cl,
    .job_bytes = sizeof(rcity_way_job),
    .group_items = RCITY_WAY_SLOTS,
    .buffer_count = 6,
    .buffer = {{RCITY_BUFFER_SHARED_IN, sizeof(uint32_t)},
               {RCITY_BUFFER_SHARED_IN, sizeof(rcity_corner_chain)},
               {RCITY_BUFFER_KEPT, sizeof(rcity_way_list)},
               {RCITY_BUFFER_KEPT, sizeof(rcity_way_entry)},
               {RCITY_BUFFER_KEPT, sizeof(uint32_t)},
               {RCITY_BUFFER_KEPT, sizeof(uint32_t)}},
    .host_run = run_lists,
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
    RCITY_TRY_DONE(build_places(canyon));
done:
    if (status != RCITY_OK) {
        rcity_canyon_device_deinit(canyon);
    }
    return status;
}

void rcity_canyon_device_deinit(rcity_canyon_device *canyon)
{
    rcity_resident_destroy(&canyon->bits_dev);
    rcity_resident_destroy(&canyon->places_dev);
    rcity_release(canyon->context, canyon->chains);
    rcity_release(canyon->context, canyon->bits);
    rcity_release(canyon->context, canyon->places);
    rcity_release(canyon->context, canyon->points);
    rcity_canyon_corners_deinit(canyon->context, &canyon->corners);
    rcity_los_views_deinit(&canyon->views);
    memset(canyon, 0, sizeof *canyon);
}

void rcity_canyon_lists_deinit(rcity_canyon_lists *lists)
{
    rcity_resident_destroy(&lists->totals_dev);
    rcity_resident_destroy(&lists->lit_dev);
    rcity_resident_destroy(&lists->entries_dev);
    rcity_resident_destroy(&lists->lists_dev);
    rcity_resident_destroy(&lists->chains_dev);
}

static size_t view_bit_words(const rcity_canyon_device *canyon)
{
    return (size_t)canyon->block_count * RCITY_CORNER_BLOCK_WORDS;
}

/* Queue: which corners do views [first, first + count) see? */
static rcity_status look_at_corners(rcity_canyon_device *canyon, int32_t source_z, size_t first, size_t count)
{
    size_t words = 2 * view_bit_words(canyon) * count;
    RCITY_TRY(
        rcity_reserve(canyon->context, words, sizeof *canyon->bits, &canyon->bit_capacity, "corners", &canyon->bits));
    RCITY_TRY(rcity_resident_reserve(canyon->context, canyon->device, (int64_t)words, sizeof *canyon->bits, "corners",
                                     &canyon->bits_dev));
    rcity_corner_job job;
    memset(&job, 0, sizeof job);
    job.sight = canyon->views.batch->job.sight;
    job.source_z = source_z;
    job.first_view = (int32_t)first;
    job.corner_count = canyon->corner_count;
    job.block_count = canyon->block_count;
    rcity_launch launch;
    memset(&launch, 0, sizeof launch);
    launch.kernel = &corners_kernel;
    launch.job = &job;
    launch.item_count = (int64_t)count * canyon->block_count;
    launch.local_bytes = 2 * RCITY_CORNER_BLOCK_WORDS * sizeof(uint32_t);
    launch.resident[0] = canyon->views.items_dev;
    launch.resident[1] = canyon->places_dev;
    launch.resident[2] = canyon->bits_dev;
    for (int i = 0; i < SIGHT_COUNT; i++) {
        launch.resident[SIGHT_FIRST + i] = canyon->views.batch->resident[RCITY_LOS_SIGHT_RASTER + i];
    }
    return rcity_device_run(canyon->context, canyon->device, &launch);
}

/* From bits to the corners that a view sees. */
static rcity_status take_corners(rcity_canyon_device *canyon, rcity_canyon_chains *chains, size_t first)
{
    size_t words = view_bit_words(canyon);
    for (size_t view = first; view < chains->view_count; view++) {
        const uint32_t *seen = canyon->bits + 2 * words * (view - first);
        for (size_t word = 0; word < words; word++) {
            for (uint32_t bits = seen[word] | seen[words + word]; bits != 0; bits &= bits - 1) {
                uint32_t bit = bits & (~bits + 1);
                size_t i = 32 * word + (size_t)__builtin_ctz(bits);
                bool is_seen = (seen[word] & bit) != 0;
                if (!is_seen) {
                    const rcity_corner_place *place = &canyon->places[i];
                    rcity_grid_point3 from = chains->views[view].at;
                    int32_t height = rcity_corner_height(chains->source.z, place->roof, place->foot);
                    rcity_grid_point3 to = {place->x, place->y, height < from.z ? height : from.z};
                    is_seen = rcity_sight_is_free(canyon->plane->sight, from, to);
                    canyon->close_count++;
                }
                if (is_seen) {
                    RCITY_TRY(rcity_canyon_chains_see(chains, view, canyon->points[i]));
                }
            }
        }
    }
    return RCITY_OK;
}

/* Views from `first` on look around; where the masks had to move, all of them do. The task is for the last round, which finds no
   corners. */
static rcity_status look_from(rcity_canyon_device *canyon, rcity_canyon_chains *chains, size_t first, bool is_last,
                              rcity_canyon_task task)
{
    bool is_lost = false;
    size_t count = chains->view_count - first;
    bool finds_corners = !is_last && canyon->corner_count > 0;
    bool has_task = is_last && task.run != NULL;
    if (count == 0) {
        return has_task ? task.run(task.user) : RCITY_OK;
    }
    RCITY_TRY(rcity_los_views_reserve(&canyon->views, (int64_t)chains->view_count, &is_lost));
    for (size_t view = first; view < chains->view_count; view++) {
        rcity_los_views_place(&canyon->views, (int64_t)view, chains->views[view].at);
    }
    size_t again = is_lost ? 0 : first;
    RCITY_TRY(rcity_los_views_look(&canyon->views, (int64_t)again, (int64_t)(chains->view_count - again)));
    if (finds_corners) {
        RCITY_TRY(look_at_corners(canyon, chains->source.z, first, count));
    }
    if (has_task) {
        RCITY_TRY(task.run(task.user));
    }
    RCITY_TRY(rcity_los_views_fetch(&canyon->views));
    if (finds_corners) {
        int64_t words = 2 * (int64_t)(view_bit_words(canyon) * count);
        RCITY_TRY(rcity_resident_read(canyon->context, canyon->bits_dev, 0, words, canyon->bits));
    }
    RCITY_TRY(rcity_device_finish(canyon->context, canyon->device));
    RCITY_TRY(rcity_los_views_settle(&canyon->views));
    return finds_corners ? take_corners(canyon, chains, first) : RCITY_OK;
}

static rcity_status make_chains(rcity_canyon_device *canyon, const rcity_canyon *found)
{
    const int32_t *view_of = canyon->corners.view_of;
    RCITY_TRY(rcity_reserve(canyon->context, found->node_count, sizeof *canyon->chains, &canyon->chain_capacity,
                            "chains of corners", &canyon->chains));
    for (size_t i = 0; i < found->node_count; i++) {
        const rcity_canyon_node *node = &found->nodes[i];
        rcity_corner_chain *chain = &canyon->chains[i];
        chain->x = node->at.x;
        chain->y = node->at.y;
        chain->view = view_of[node->corner];
        chain->parent_view = node->parent >= 0 ? view_of[found->nodes[node->parent].corner] : 0;
        chain->leg = rcity_canyon_leg(node);
        chain->turns = node->turns;
        chain->azimuth_dx = node->azimuth_dx;
        chain->azimuth_dy = node->azimuth_dy;
        chain->padding = 0;
    }
    return RCITY_OK;
}

static rcity_status launch_lists(const rcity_canyon_device *canyon, rcity_canyon_lists *lists)
{
    static const uint32_t none[RCITY_WAY_TOTAL_COUNT] = {0};
    rcity_way_job job;
    memset(&job, 0, sizeof job);
    job.chain_count = (int32_t)lists->chain_count;
    job.word_count = (int32_t)(2 * canyon->views.mask_words);
    job.entry_max = (uint32_t)rcity_resident_count(lists->entries_dev);
    rcity_launch launch;
    memset(&launch, 0, sizeof launch);
    launch.kernel = &lists_kernel;
    launch.job = &job;
    launch.item_count = (job.word_count + RCITY_WAY_WORDS - 1) / RCITY_WAY_WORDS;
    launch.local_bytes = RCITY_WAY_LOCAL_WORDS * sizeof(uint32_t);
    launch.resident[0] = canyon->views.masks_dev;
    launch.resident[1] = lists->chains_dev;
    launch.resident[2] = lists->lists_dev;
    launch.resident[3] = lists->entries_dev;
    launch.resident[4] = lists->lit_dev;
    launch.resident[5] = lists->totals_dev;
    RCITY_TRY(rcity_resident_write(canyon->context, lists->totals_dev, 0, RCITY_WAY_TOTAL_COUNT, none));
    return rcity_device_run(canyon->context, canyon->device, &launch);
}

rcity_status rcity_canyon_device_fetch(const rcity_canyon_device *canyon, rcity_canyon_lists *lists)
{
    return rcity_resident_read(canyon->context, lists->totals_dev, 0, RCITY_WAY_TOTAL_COUNT, lists->totals);
}

static rcity_status reserve_lists(const rcity_canyon_device *canyon, rcity_canyon_lists *lists)
{
    rcity_context *context = canyon->context;
    rcity_device *device = canyon->device;
    const char *what = "ways around corners";
    int64_t word_count = 2 * (int64_t)canyon->views.mask_words;
    RCITY_TRY(rcity_resident_reserve(context, device, lists->chain_count, sizeof(rcity_corner_chain), what,
                                     &lists->chains_dev));
    RCITY_TRY(rcity_resident_reserve(context, device, word_count, sizeof(rcity_way_list), what, &lists->lists_dev));
    if (lists->entries_dev == NULL) {
        RCITY_TRY(rcity_resident_reserve(context, device, ENTRIES_PER_WORD * word_count, sizeof(rcity_way_entry), what,
                                         &lists->entries_dev));
    }
    RCITY_TRY(rcity_resident_reserve(context, device, word_count, sizeof(uint32_t), what, &lists->lit_dev));
    return rcity_resident_reserve(context, device, RCITY_WAY_TOTAL_COUNT, sizeof(uint32_t), what, &lists->totals_dev);
}

rcity_status rcity_canyon_device_trace(rcity_canyon_device *canyon, rcity_grid_point3 source, int order,
                                       rcity_canyon_task task, rcity_canyon_lists *lists)
{
    rcity_canyon_chains chains;
    rcity_canyon found;
    memset(&found, 0, sizeof found);
    rcity_status status;
    RCITY_TRY(rcity_canyon_chains_begin(canyon->context, &canyon->corners, source, &chains));
    RCITY_TRY_DONE(look_from(canyon, &chains, 0, order == 0, task));
    for (int turn = 1; turn <= order; turn++) {
        size_t first_view = chains.view_count;
        RCITY_TRY_DONE(rcity_canyon_chains_extend(&chains, &found));
        RCITY_TRY_DONE(look_from(canyon, &chains, first_view, turn == order, task));
    }
    lists->raster_count = (int64_t)chains.view_count;
    lists->chain_count = (int64_t)found.node_count;
    RCITY_TRY_DONE(make_chains(canyon, &found));
    RCITY_TRY_DONE(reserve_lists(canyon, lists));
    RCITY_TRY_DONE(rcity_resident_write(canyon->context, lists->chains_dev, 0, lists->chain_count, canyon->chains));
    RCITY_TRY_DONE(launch_lists(canyon, lists));
done:
    rcity_canyon_deinit(canyon->context, &found);
    rcity_canyon_chains_end(&chains);
    return status;
}

rcity_status rcity_canyon_device_settle(rcity_canyon_device *canyon, rcity_canyon_lists *lists)
{
    int64_t entry_count = lists->totals[RCITY_WAY_TOTAL_ENTRIES];
    if (entry_count <= rcity_resident_count(lists->entries_dev)) {
        return RCITY_OK;
    }
    RCITY_TRY(rcity_resident_reserve(canyon->context, canyon->device, entry_count, sizeof(rcity_way_entry),
                                     "ways around corners", &lists->entries_dev));
    RCITY_TRY(launch_lists(canyon, lists));
    RCITY_TRY(rcity_canyon_device_fetch(canyon, lists));
    return rcity_device_finish(canyon->context, canyon->device);
}

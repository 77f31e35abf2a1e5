/* From the chains of sources to lists on a device: which chains reach each word of the raster. */
#include <string.h>

#include "base/parallel.h"
#include "embedded/corners_cl.h"
#include "method/shadow/corners/corner_device.h"

/* Initial room for entries, for each word of the raster and each source. */
#define ENTRIES_PER_WORD 4

static void run_lists(const void *job_bytes, const rcity_launch_buffer *buffers, int64_t begin, int64_t end)
{
    rcity_corner_list_job job;
    memcpy(&job, job_bytes, sizeof job);
    uint32_t words[RCITY_CORNER_LIST_LOCAL_WORDS];
    for (int64_t i = begin; i < end; i++) {
        rcity_path_part part = rcity_path_part_make(&job, buffers[6].in, i);
        rcity_corner_list_count(&job, &part, buffers[0].in, buffers[1].in, 0, 1, words);
        rcity_corner_list_place(&job, &part, buffers[0].in, 0, 1, words, buffers[2].out, buffers[4].out,
                                buffers[5].out);
        rcity_corner_list_fill(&job, &part, buffers[0].in, buffers[1].in, 0, 1, words, buffers[3].out);
    }
}

static const rcity_kernel lists_kernel = {
    .name = "rcity_corner_chains_list",
    .source = rcity_corners_cl,
    .job_bytes = sizeof(rcity_corner_list_job),
    .group_items = RCITY_CORNER_LIST_SLOTS,
    .buffer_count = 7,
    .buffer = {{RCITY_BUFFER_SHARED_IN, sizeof(uint32_t)},
               {RCITY_BUFFER_SHARED_IN, sizeof(rcity_corner_chain)},
               {RCITY_BUFFER_ON_DEVICE, sizeof(rcity_corner_list)},
               {RCITY_BUFFER_ON_DEVICE, sizeof(rcity_corner_list_entry)},
               {RCITY_BUFFER_ON_DEVICE, sizeof(uint32_t)},
               {RCITY_BUFFER_ON_DEVICE, sizeof(uint32_t)},
               {RCITY_BUFFER_SHARED_IN, sizeof(rcity_path_source)}},
    .host_run = run_lists,
};

static void run_visible(const void *job_bytes, const rcity_launch_buffer *buffers, int64_t begin, int64_t end)
{
    rcity_corner_list_job job;
    memcpy(&job, job_bytes, sizeof job);
    for (int64_t i = begin; i < end; i++) {
        rcity_path_copy_visible(&job, buffers[2].in, buffers[0].in, i, buffers[1].out);
    }
}

static const rcity_kernel visible_kernel = {
    .name = "rcity_corner_visible",
    .source = rcity_corners_cl,
    .job_bytes = sizeof(rcity_corner_list_job),
    .buffer_count = 3,
    .buffer = {{RCITY_BUFFER_SHARED_IN, sizeof(uint32_t)},
               {RCITY_BUFFER_ON_DEVICE, sizeof(uint32_t)},
               {RCITY_BUFFER_SHARED_IN, sizeof(rcity_path_source)}},
    .host_run = run_visible,
};

void rcity_corner_lists_deinit(rcity_corner_lists *lists)
{
    rcity_resident_destroy(&lists->totals_dev);
    rcity_resident_destroy(&lists->visible_dev);
    rcity_resident_destroy(&lists->entries_dev);
    rcity_resident_destroy(&lists->lists_dev);
    rcity_resident_destroy(&lists->chains_dev);
    rcity_resident_destroy(&lists->sources_dev);
    rcity_release(lists->context, lists->totals);
    rcity_release(lists->context, lists->efforts);
}

/* An rcity_parallel_function: chains of sources as devices read them. */
static void make_chains(void *user, int64_t begin, int64_t end, int thread_index)
{
    rcity_corner_device *corner_device = user;
    (void)thread_index;
    for (int64_t k = begin; k < end; k++) {
        const rcity_corner_source *source = &corner_device->sources[k];
        const rcity_chain_view *views = source->chains.views;
        for (size_t i = 0; i < source->found.node_count; i++) {
            const rcity_corner_node *node = &source->found.nodes[i];
            int32_t parent = node->parent >= 0 ? source->view_of[source->found.nodes[node->parent].corner] : 0;
            rcity_corner_chain *chain = &corner_device->chains[source->first_chain + i];
            chain->x = node->at.x;
            chain->y = node->at.y;
            chain->view = views[source->view_of[node->corner]].place;
            chain->parent_view = views[parent].place;
            chain->leg = rcity_corner_node_leg(node);
            chain->turns = node->turns;
            chain->grazing_root_m = node->grazing_root_m;
            chain->azimuth_dx = node->azimuth_dx;
            chain->azimuth_dy = node->azimuth_dy;
        }
    }
}

/* The index of each source's first chain, and the number of chains. */
static rcity_status count_chains(rcity_corner_device *corner_device, size_t source_count, rcity_corner_lists *lists)
{
    rcity_context *context = corner_device->context;
    const char *what = "chains of corners";
    size_t chain_count = 0;
    RCITY_TRY(rcity_reserve(context, source_count, sizeof *corner_device->path_sources,
                            &corner_device->path_source_capacity, what, &corner_device->path_sources));
    RCITY_TRY(
        rcity_reserve(context, source_count, sizeof *lists->efforts, &lists->effort_capacity, what, &lists->efforts));
    RCITY_TRY(rcity_reserve(context, RCITY_PATH_TOTAL_PATHS_FIRST + source_count, sizeof *lists->totals,
                            &lists->total_capacity, what, &lists->totals));
    for (size_t i = 0; i < source_count; i++) {
        rcity_corner_source *source = &corner_device->sources[i];
        source->first_chain = chain_count;
        corner_device->path_sources[i] = (rcity_path_source){source->chains.views[0].place, (int32_t)chain_count,
                                                             (int32_t)source->found.node_count, 0};
        lists->efforts[i] =
            (rcity_corner_effort){(int64_t)source->chains.view_count, (int64_t)source->found.node_count};
        chain_count += source->found.node_count;
    }
    lists->source_count = (int)source_count;
    lists->chain_count = (int64_t)chain_count;
    return rcity_reserve(context, chain_count, sizeof *corner_device->chains, &corner_device->chain_capacity, what,
                         &corner_device->chains);
}

static rcity_status reserve_lists(const rcity_corner_device *corner_device, rcity_corner_lists *lists)
{
    rcity_context *context = corner_device->context;
    rcity_device *device = corner_device->device;
    const char *what = "paths around corners";
    int64_t source_count = lists->source_count;
    int64_t word_count = 2 * (int64_t)corner_device->views.mask_words * source_count;
    RCITY_TRY(
        rcity_resident_reserve(context, device, source_count, sizeof(rcity_path_source), what, &lists->sources_dev));
    RCITY_TRY(rcity_resident_reserve(context, device, lists->chain_count, sizeof(rcity_corner_chain), what,
                                     &lists->chains_dev));
    RCITY_TRY(rcity_resident_reserve(context, device, word_count, sizeof(rcity_corner_list), what, &lists->lists_dev));
    RCITY_TRY(rcity_resident_reserve(context, device, ENTRIES_PER_WORD * word_count, sizeof(rcity_corner_list_entry),
                                     what, &lists->entries_dev));
    RCITY_TRY(rcity_resident_reserve(context, device, word_count, sizeof(uint32_t), what, &lists->visible_dev));
    return rcity_resident_reserve(context, device, RCITY_PATH_TOTAL_PATHS_FIRST + source_count, sizeof(uint32_t), what,
                                  &lists->totals_dev);
}

static rcity_status launch_lists(const rcity_corner_device *corner_device, rcity_corner_lists *lists)
{
    int64_t total_count = RCITY_PATH_TOTAL_PATHS_FIRST + lists->source_count;
    rcity_corner_list_job job;
    memset(&job, 0, sizeof job);
    job.word_count = (int32_t)(2 * corner_device->views.mask_words);
    job.group_count = (job.word_count + RCITY_CORNER_LIST_WORDS - 1) / RCITY_CORNER_LIST_WORDS;
    job.entry_max = (uint32_t)rcity_resident_count(lists->entries_dev);
    rcity_launch launch;
    memset(&launch, 0, sizeof launch);
    launch.kernel = &lists_kernel;
    launch.job = &job;
    launch.item_count = (int64_t)lists->source_count * job.group_count;
    launch.local_bytes = RCITY_CORNER_LIST_LOCAL_WORDS * sizeof(uint32_t);
    launch.resident[0] = corner_device->views.masks_dev;
    launch.resident[1] = lists->chains_dev;
    launch.resident[2] = lists->lists_dev;
    launch.resident[3] = lists->entries_dev;
    launch.resident[4] = lists->visible_dev;
    launch.resident[5] = lists->totals_dev;
    launch.resident[6] = lists->sources_dev;
    memset(lists->totals, 0, (size_t)total_count * sizeof *lists->totals);
    RCITY_TRY(rcity_resident_write(corner_device->context, lists->totals_dev, 0, total_count, lists->totals));
    return rcity_device_run(corner_device->context, corner_device->device, &launch);
}

rcity_status rcity_corner_lists_copy_visible(rcity_corner_device *corner_device, int source_count,
                                             rcity_corner_lists *lists)
{
    rcity_context *context = corner_device->context;
    rcity_corner_list_job job;
    rcity_launch launch;
    lists->context = context;
    RCITY_TRY(count_chains(corner_device, (size_t)source_count, lists));
    RCITY_TRY(reserve_lists(corner_device, lists));
    RCITY_TRY(rcity_resident_write(context, lists->sources_dev, 0, source_count, corner_device->path_sources));
    memset(&job, 0, sizeof job);
    job.word_count = (int32_t)(2 * corner_device->views.mask_words);
    memset(&launch, 0, sizeof launch);
    launch.kernel = &visible_kernel;
    launch.job = &job;
    launch.item_count = (int64_t)source_count * job.word_count;
    launch.resident[0] = corner_device->views.masks_dev;
    launch.resident[1] = lists->visible_dev;
    launch.resident[2] = lists->sources_dev;
    return rcity_device_run(context, corner_device->device, &launch);
}

rcity_status rcity_corner_lists_make(rcity_corner_device *corner_device, int source_count, rcity_corner_lists *lists)
{
    rcity_context *context = corner_device->context;
    lists->context = context;
    RCITY_TRY(count_chains(corner_device, (size_t)source_count, lists));
    rcity_parallel(context, source_count, 1, make_chains, corner_device);
    RCITY_TRY(reserve_lists(corner_device, lists));
    RCITY_TRY(rcity_resident_write(context, lists->sources_dev, 0, source_count, corner_device->path_sources));
    RCITY_TRY(rcity_resident_write(context, lists->chains_dev, 0, lists->chain_count, corner_device->chains));
    return launch_lists(corner_device, lists);
}

rcity_status rcity_corner_device_fetch(const rcity_corner_device *corner_device, rcity_corner_lists *lists)
{
    return rcity_resident_read(corner_device->context, lists->totals_dev, 0,
                               RCITY_PATH_TOTAL_PATHS_FIRST + lists->source_count, lists->totals);
}

rcity_status rcity_corner_device_decide(rcity_corner_device *corner_device, rcity_corner_lists *lists)
{
    int64_t entry_count = lists->totals[RCITY_CORNER_LIST_TOTAL_ENTRIES];
    if (entry_count <= rcity_resident_count(lists->entries_dev)) {
        return RCITY_OK;
    }
    RCITY_TRY(rcity_resident_reserve(corner_device->context, corner_device->device, entry_count,
                                     sizeof(rcity_corner_list_entry), "paths around corners", &lists->entries_dev));
    RCITY_TRY(launch_lists(corner_device, lists));
    RCITY_TRY(rcity_corner_device_fetch(corner_device, lists));
    return rcity_device_finish(corner_device->context, corner_device->device);
}

/* Over-roof paths that stay on a device: the host does only the pixels that the device defers. */
#include <string.h>

#include "base/parallel.h"
#include "method/shadow/roofs/roof_trace_data.h"

/* The buffers of both kernels, behind those of rcity_roofs_kernel. */
enum { DEFERRED_BUFFER = RCITY_ROOFS_BUFFER_COUNT, SOURCES_BUFFER, HINTS_BUFFER, BUFFER_COUNT };

static void run_tiles(const void *job_bytes, const rcity_launch_buffer *buffers, int64_t begin, int64_t end)
{
    rcity_roof_job job;
    rcity_roof_view view;
    rcity_roof_plane plane;
    rcity_roof_hull hull;
    memcpy(&job, job_bytes, sizeof job);
    rcity_roofs_make_views(&job, buffers, &view, &plane);
    const uint64_t *visible = plane.visible;
    const rcity_roof_source *sources = buffers[SOURCES_BUFFER].in;
    int32_t *hints = buffers[HINTS_BUFFER].out;
    for (int64_t i = begin; i < end; i++) {
        rcity_roof_tile_place tile =
            rcity_roof_tile_find(rcity_roof_tile_columns(job.column_count), rcity_roof_tile_rows(job.row_count),
                                 job.source_first, i, sources);
        if (tile.is_used) {
            rcity_roof_job_choose(sources[tile.source], &job);
            plane.visible = visible + tile.source * job.row_words * job.row_count;
            rcity_roof_tile_run(&view, &job, &plane, tile.column, tile.row,
                                hints + tile.source * rcity_roof_tile_words(&job), &hull);
        }
    }
}

static void run_pixels(const void *job_bytes, const rcity_launch_buffer *buffers, int64_t begin, int64_t end)
{
    rcity_roof_job job;
    rcity_roof_view view;
    rcity_roof_plane plane;
    rcity_roof_hull hull;
    memcpy(&job, job_bytes, sizeof job);
    rcity_roofs_make_views(&job, buffers, &view, &plane);
    const uint64_t *visible = plane.visible;
    rcity_roof_path *paths = buffers[0].out;
    uint32_t *deferred = buffers[DEFERRED_BUFFER].out;
    const rcity_roof_source *sources = buffers[SOURCES_BUFFER].in;
    const int32_t *hints = buffers[HINTS_BUFFER].out;
    int is_flat = rcity_roof_job_is_flat(&job);
    for (int64_t i = begin; i < end; i++) {
        rcity_roof_tile_place at = rcity_roof_tile_find(job.column_count, job.row_count, job.source_first, i, sources);
        if (!at.is_used) {
            continue;
        }
        int64_t pixel = (at.source * job.row_count + at.row) * job.column_count + at.column;
        rcity_roof_job_choose(sources[at.source], &job);
        plane.visible = visible + at.source * job.row_words * job.row_count;
        paths[pixel] = rcity_roof_tile_item(&view, &job, &plane, at.column, at.row, is_flat,
                                            hints + at.source * rcity_roof_tile_words(&job), &hull);
        if (paths[pixel].count == RCITY_ROOF_PATH_DEFERRED) {
            deferred[1 + rcity_global_add(deferred, 1)] = (uint32_t)pixel;
        }
    }
}

/* Copies the sources to the device; has_paths is false for those inside buildings. */
static rcity_status send_sources(rcity_roofs *roofs, int source_count, const rcity_grid_point3 *sources,
                                 bool *has_paths)
{
    const rcity_sight *sight = roofs->plane->sight;
    RCITY_TRY(rcity_reserve(roofs->context, (size_t)source_count, sizeof *roofs->sources, &roofs->source_capacity,
                            "paths over roofs", &roofs->sources));
    RCITY_TRY(rcity_resident_reserve(roofs->context, roofs->device, source_count, sizeof *roofs->sources,
                                     "paths over roofs", &roofs->sources_dev));
    for (int i = 0; i < source_count; i++) {
        has_paths[i] = !rcity_roofs_is_enclosed(sight, sources[i]);
        bool is_on_wall = rcity_los_locate(sight, sources[i]) == RCITY_PLACE_ON_WALL;
        roofs->sources[i] = (rcity_roof_source){sources[i].x, sources[i].y, sources[i].z,
                                                !has_paths[i] ? RCITY_ROOF_SOURCE_ENCLOSED
                                                : is_on_wall  ? RCITY_ROOF_SOURCE_ON_WALL
                                                              : RCITY_ROOF_SOURCE_FREE};
    }
    return rcity_resident_write(roofs->context, roofs->sources_dev, 0, source_count, roofs->sources);
}

rcity_status rcity_roofs_begin_on_device(rcity_roofs *roofs, int source_count, const rcity_grid_point3 *sources,
                                         rcity_roof_mode mode, bool *has_paths)
{
    int64_t pixel_count = (int64_t)roofs->plane->column_count * roofs->plane->row_count;
    RCITY_TRY(send_sources(roofs, source_count, sources, has_paths));
    roofs->job = rcity_roofs_make_job(roofs, sources[0], mode, true);
    RCITY_TRY(rcity_resident_reserve(roofs->context, roofs->device, source_count * rcity_roof_tile_words(&roofs->job),
                                     sizeof(int32_t), "paths over roofs", &roofs->hints_dev));
    return rcity_deferred_pixels_begin(&roofs->deferred, source_count * pixel_count);
}

rcity_status rcity_roofs_queue_on_device(rcity_roofs *roofs, int source_first, int source_count,
                                         const rcity_resident *visible, rcity_resident *paths)
{
    rcity_kernel kernel = rcity_roofs_kernel;
    kernel.buffer_count = BUFFER_COUNT;
    kernel.buffer[0].use = RCITY_BUFFER_ON_DEVICE;
    kernel.buffer[1].element_bytes = sizeof(uint32_t); /* as words of 32 bits */
    kernel.buffer[DEFERRED_BUFFER].use = RCITY_BUFFER_ON_DEVICE;
    kernel.buffer[DEFERRED_BUFFER].element_bytes = sizeof(uint32_t);
    kernel.buffer[SOURCES_BUFFER].use = RCITY_BUFFER_SHARED_IN;
    kernel.buffer[SOURCES_BUFFER].element_bytes = sizeof(rcity_roof_source);
    kernel.buffer[HINTS_BUFFER].use = RCITY_BUFFER_ON_DEVICE;
    kernel.buffer[HINTS_BUFFER].element_bytes = sizeof(int32_t);
    rcity_roof_job *job = &roofs->job;
    job->source_first = source_first;
    rcity_launch launch;
    memset(&launch, 0, sizeof launch);
    launch.kernel = &kernel;
    launch.job = job;
    launch.resident[0] = paths;
    launch.resident[1] = visible;
    for (int i = 0; i < RCITY_ROOFS_RESIDENT_COUNT; i++) {
        launch.resident[RCITY_ROOFS_RESIDENT_FIRST + i] = roofs->resident[i];
    }
    launch.resident[DEFERRED_BUFFER] = roofs->deferred.list_dev;
    launch.resident[SOURCES_BUFFER] = roofs->sources_dev;
    launch.resident[HINTS_BUFFER] = roofs->hints_dev;
    if (!job->counts) {
        kernel.name = "rcity_roof_tiles";
        kernel.host_run = run_tiles;
        launch.item_count = source_count * rcity_roof_tile_items(rcity_roof_tile_columns(job->column_count),
                                                                 rcity_roof_tile_rows(job->row_count));
        RCITY_TRY(rcity_device_run(roofs->context, roofs->device, &launch));
    }
    kernel.name = rcity_roof_job_is_flat(job) ? "rcity_roof_pixels_on_device_flat" : "rcity_roof_pixels_on_device";
    kernel.host_run = run_pixels;
    launch.item_count = source_count * rcity_roof_tile_items(job->column_count, job->row_count);
    return rcity_device_run(roofs->context, roofs->device, &launch);
}

rcity_status rcity_roofs_trace_on_device(rcity_roofs *roofs, int source_count, const rcity_grid_point3 *sources,
                                         rcity_roof_mode mode, const rcity_resident *visible, rcity_resident *paths,
                                         bool *has_paths)
{
    RCITY_TRY(rcity_roofs_begin_on_device(roofs, source_count, sources, mode, has_paths));
    return rcity_roofs_queue_on_device(roofs, 0, source_count, visible, paths);
}

rcity_status rcity_roofs_fetch_from_device(rcity_roofs *roofs)
{
    return rcity_deferred_pixels_fetch(&roofs->deferred);
}

/* An rcity_parallel_function: the pixels that a device deferred. */
static void find_paths(void *user, int64_t begin, int64_t end, int thread_index)
{
    rcity_roofs *roofs = user;
    rcity_roof_view view;
    rcity_roof_plane plane;
    rcity_roof_hull hull;
    rcity_roof_job job = roofs->job;
    rcity_roof_path *found = roofs->deferred.found;
    int64_t pixel_count = (int64_t)roofs->plane->column_count * roofs->plane->row_count;
    (void)thread_index;
    rcity_roofs_host_views(roofs, NULL, &view, &plane);
    job.has_visible = 0; /* visible pixels were not deferred */
    for (int64_t i = begin; i < end; i++) {
        int32_t pixel = (int32_t)(roofs->deferred.list[1 + i] % pixel_count);
        rcity_roof_job_choose(roofs->sources[roofs->deferred.list[1 + i] / pixel_count], &job);
        found[i] = rcity_roof_item_run(&view, &job, &plane, pixel % job.column_count, pixel / job.column_count, &hull);
    }
}

rcity_status rcity_roofs_decide_on_device(rcity_roofs *roofs, rcity_resident *paths)
{
    int64_t pixel_count = (int64_t)roofs->plane->column_count * roofs->plane->row_count;
    int64_t bad = pixel_count;
    int64_t count = 0;
    RCITY_TRY(rcity_deferred_pixels_count(&roofs->deferred, &count));
    if (count == 0) {
        return RCITY_OK;
    }
    rcity_parallel(roofs->context, count, 16, find_paths, roofs);
    const rcity_roof_path *found = roofs->deferred.found;
    for (int64_t i = 0; i < count; i++) {
        int64_t pixel = roofs->deferred.list[1 + i] % pixel_count;
        bad = found[i].count == RCITY_ROOF_PATH_DEFERRED && pixel < bad ? pixel : bad;
    }
    roofs->close_count += count;
    RCITY_TRY(rcity_roofs_check_edges(roofs, bad, pixel_count));
    return rcity_deferred_pixels_put(&roofs->deferred, paths);
}

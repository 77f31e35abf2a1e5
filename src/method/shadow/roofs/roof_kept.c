/* Ways over roofs that stay on a device: the host sees the pixels only that it has to do. */
#include <string.h>

#include "base/parallel.h"
#include "method/shadow/roofs/roof_trace_data.h"

static void run_kept(const void *job_bytes, void *const *buffers, int64_t begin, int64_t end)
{
    rcity_roof_job job;
    rcity_roof_view view;
    rcity_roof_plane plane;
    rcity_roof_hull hull;
    memcpy(&job, job_bytes, sizeof job);
    rcity_roofs_make_views(&job, buffers, &view, &plane);
    const uint64_t *lit = plane.lit;
    rcity_roof_way *ways = buffers[0];
    uint32_t *open = buffers[RCITY_ROOFS_BUFFER_COUNT];
    const rcity_roof_source *sources = buffers[RCITY_ROOFS_BUFFER_COUNT + 1];
    int64_t tile_items = rcity_roof_tile_items(&job);
    for (int64_t i = begin; i < end; i++) {
        int64_t index = i / tile_items;
        int32_t column = rcity_roof_tile_column(&job, i % tile_items);
        int32_t row = rcity_roof_tile_row(&job, i % tile_items);
        if (sources[index].kind == RCITY_ROOF_SOURCE_ENCLOSED || column >= job.column_count || row >= job.row_count) {
            continue;
        }
        int64_t pixel = (index * job.row_count + row) * job.column_count + column;
        rcity_roof_job_choose(sources[index], &job);
        plane.lit = lit + index * job.row_words * job.row_count;
        ways[pixel] = rcity_roof_item_run(&view, &job, &plane, column, row, &hull);
        if (ways[pixel].count == RCITY_ROOF_WAY_OPEN) {
            open[1 + rcity_global_add(open, 1)] = (uint32_t)pixel;
        }
    }
}

/* What is said of each source to the kernel. */
static rcity_status send_sources(rcity_roofs *roofs, int source_count, const rcity_grid_point3 *sources, bool *has_ways)
{
    const rcity_sight *sight = roofs->plane->sight;
    RCITY_TRY(rcity_reserve(roofs->context, (size_t)source_count, sizeof *roofs->sources, &roofs->source_capacity,
                            "ways over roofs", &roofs->sources));
    RCITY_TRY(rcity_resident_reserve(roofs->context, roofs->device, source_count, sizeof *roofs->sources,
                                     "ways over roofs", &roofs->sources_dev));
    for (int i = 0; i < source_count; i++) {
        has_ways[i] = !rcity_roofs_is_enclosed(sight, sources[i]);
        bool is_on_wall = rcity_los_locate(sight, sources[i]) == RCITY_PLACE_ON_WALL;
        roofs->sources[i] = (rcity_roof_source){sources[i].x, sources[i].y, sources[i].z,
                                                !has_ways[i] ? RCITY_ROOF_SOURCE_ENCLOSED
                                                : is_on_wall ? RCITY_ROOF_SOURCE_ON_WALL
                                                             : RCITY_ROOF_SOURCE_FREE};
    }
    return rcity_resident_write(roofs->context, roofs->sources_dev, 0, source_count, roofs->sources);
}

rcity_status rcity_roofs_trace_kept(rcity_roofs *roofs, int source_count, const rcity_grid_point3 *sources,
                                    rcity_roof_mode mode, const rcity_resident *lit, rcity_resident *ways,
                                    bool *has_ways)
{
    int64_t pixel_count = (int64_t)roofs->plane->column_count * roofs->plane->row_count;
    RCITY_TRY(send_sources(roofs, source_count, sources, has_ways));
    RCITY_TRY(rcity_open_pixels_begin(&roofs->open, source_count * pixel_count));
    rcity_kernel kernel = rcity_roofs_kernel;
    kernel.name = "rcity_roof_pixels_kept";
    kernel.host_run = run_kept;
    kernel.buffer_count = RCITY_ROOFS_BUFFER_COUNT + 2;
    kernel.buffer[0].use = RCITY_BUFFER_KEPT;
    kernel.buffer[1].element_bytes = sizeof(uint32_t); /* the halves of its words */
    kernel.buffer[RCITY_ROOFS_BUFFER_COUNT].use = RCITY_BUFFER_KEPT;
    kernel.buffer[RCITY_ROOFS_BUFFER_COUNT].element_bytes = sizeof(uint32_t);
    kernel.buffer[RCITY_ROOFS_BUFFER_COUNT + 1].use = RCITY_BUFFER_SHARED_IN;
    kernel.buffer[RCITY_ROOFS_BUFFER_COUNT + 1].element_bytes = sizeof(rcity_roof_source);
    roofs->job = rcity_roofs_make_job(roofs, sources[0], mode, true);
    rcity_launch launch;
    memset(&launch, 0, sizeof launch);
    launch.kernel = &kernel;
    launch.job = &roofs->job;
    launch.item_count = source_count * rcity_roof_tile_items(&roofs->job);
    launch.resident[0] = ways;
    launch.resident[1] = lit;
    for (int i = 0; i < RCITY_ROOFS_RESIDENT_COUNT; i++) {
        launch.resident[RCITY_ROOFS_RESIDENT_FIRST + i] = roofs->resident[i];
    }
    launch.resident[RCITY_ROOFS_BUFFER_COUNT] = roofs->open.list_dev;
    launch.resident[RCITY_ROOFS_BUFFER_COUNT + 1] = roofs->sources_dev;
    return rcity_device_run(roofs->context, roofs->device, &launch);
}

rcity_status rcity_roofs_fetch_kept(rcity_roofs *roofs)
{
    return rcity_open_pixels_fetch(&roofs->open);
}

/* An rcity_parallel_function: the pixels that a device left open. */
static void find_ways(void *user, int64_t begin, int64_t end, int thread_index)
{
    rcity_roofs *roofs = user;
    rcity_roof_view view;
    rcity_roof_plane plane;
    rcity_roof_hull hull;
    rcity_roof_job job = roofs->job;
    rcity_roof_way *found = roofs->open.found;
    int64_t pixel_count = (int64_t)roofs->plane->column_count * roofs->plane->row_count;
    (void)thread_index;
    rcity_roofs_host_views(roofs, NULL, &view, &plane);
    job.has_lit = 0; /* what is lit was not left open */
    for (int64_t i = begin; i < end; i++) {
        int32_t pixel = (int32_t)(roofs->open.list[1 + i] % pixel_count);
        rcity_roof_job_choose(roofs->sources[roofs->open.list[1 + i] / pixel_count], &job);
        found[i] = rcity_roof_item_run(&view, &job, &plane, pixel % job.column_count, pixel / job.column_count, &hull);
    }
}

rcity_status rcity_roofs_settle_kept(rcity_roofs *roofs, rcity_resident *ways)
{
    int64_t pixel_count = (int64_t)roofs->plane->column_count * roofs->plane->row_count;
    int64_t bad = pixel_count;
    int64_t count = 0;
    RCITY_TRY(rcity_open_pixels_count(&roofs->open, &count));
    if (count == 0) {
        return RCITY_OK;
    }
    rcity_parallel(roofs->context, count, 16, find_ways, roofs);
    const rcity_roof_way *found = roofs->open.found;
    for (int64_t i = 0; i < count; i++) {
        int64_t pixel = roofs->open.list[1 + i] % pixel_count;
        bad = found[i].count == RCITY_ROOF_WAY_OPEN && pixel < bad ? pixel : bad;
    }
    roofs->close_count += count;
    RCITY_TRY(rcity_roofs_check_tops(roofs, bad, pixel_count));
    return rcity_open_pixels_put(&roofs->open, ways);
}

/* Ways over roofs that stay on a device: the host sees the pixels only that it has to do. */
#include <string.h>

#include "base/parallel.h"
#include "method/shadow/roofs/roof_trace_data.h"

static void run_kept(const void *job, void *const *buffers, int64_t begin, int64_t end)
{
    rcity_roofs_run_pixels(job, buffers, begin, end);
    const rcity_roof_way *ways = buffers[0];
    uint32_t *open = buffers[RCITY_ROOFS_BUFFER_COUNT];
    for (int64_t i = begin; i < end; i++) {
        if (ways[i].count == RCITY_ROOF_WAY_OPEN) {
            open[1 + rcity_global_add(open, 1)] = (uint32_t)i;
        }
    }
}

rcity_status rcity_roofs_trace_kept(rcity_roofs *roofs, rcity_grid_point3 source, rcity_roof_mode mode,
                                    const rcity_resident *lit, rcity_resident *ways, bool *has_ways)
{
    int64_t pixel_count = (int64_t)roofs->plane->column_count * roofs->plane->row_count;
    *has_ways = !rcity_roofs_is_enclosed(roofs->plane->sight, source);
    if (!*has_ways) {
        return RCITY_OK;
    }
    RCITY_TRY(rcity_open_pixels_begin(&roofs->open, pixel_count));
    rcity_kernel kernel = rcity_roofs_kernel;
    kernel.name = "rcity_roof_pixels_kept";
    kernel.host_run = run_kept;
    kernel.buffer_count = RCITY_ROOFS_BUFFER_COUNT + 1;
    kernel.buffer[0].use = RCITY_BUFFER_KEPT;
    kernel.buffer[1].element_bytes = sizeof(uint32_t); /* the halves of its words */
    kernel.buffer[RCITY_ROOFS_BUFFER_COUNT].use = RCITY_BUFFER_KEPT;
    kernel.buffer[RCITY_ROOFS_BUFFER_COUNT].element_bytes = sizeof(uint32_t);
    roofs->job = rcity_roofs_make_job(roofs, source, mode, true);
    rcity_launch launch;
    memset(&launch, 0, sizeof launch);
    launch.kernel = &kernel;
    launch.job = &roofs->job;
    launch.item_count = pixel_count;
    launch.resident[0] = ways;
    launch.resident[1] = lit;
    for (int i = 0; i < RCITY_ROOFS_RESIDENT_COUNT; i++) {
        launch.resident[RCITY_ROOFS_RESIDENT_FIRST + i] = roofs->resident[i];
    }
    launch.resident[RCITY_ROOFS_BUFFER_COUNT] = roofs->open.list_dev;
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
    (void)thread_index;
    rcity_roofs_host_views(roofs, NULL, &view, &plane);
    job.has_lit = 0; /* what is lit was not left open */
    for (int64_t i = begin; i < end; i++) {
        int32_t pixel = (int32_t)roofs->open.list[1 + i];
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
        int64_t pixel = roofs->open.list[1 + i];
        bad = found[i].count == RCITY_ROOF_WAY_OPEN && pixel < bad ? pixel : bad;
    }
    roofs->close_count += count;
    RCITY_TRY(rcity_roofs_check_tops(roofs, bad, pixel_count));
    return rcity_open_pixels_put(&roofs->open, ways);
}

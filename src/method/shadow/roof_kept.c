/* Ways over roofs that stay on a device: the host sees the pixels only that it has to do. */
#include <string.h>

#include "base/parallel.h"
#include "embedded/roofs_cl.h"
#include "method/shadow/roof_trace_data.h"

/* Open pixels that are fetched with their number. */
#define OPEN_HEAD 255

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

static void run_patch(const void *job, void *const *buffers, int64_t begin, int64_t end)
{
    (void)job;
    const uint32_t *open = buffers[0];
    const rcity_roof_way *found = buffers[1];
    rcity_roof_way *ways = buffers[2];
    for (int64_t i = begin; i < end; i++) {
        ways[open[1 + i]] = found[i];
    }
}

static const rcity_kernel patch_kernel = {
    .name = "rcity_roof_patch",
    .source = rcity_roofs_cl,
    .job_bytes = sizeof(int64_t),
    .buffer_count = 3,
    .buffer = {{RCITY_BUFFER_SHARED_IN, sizeof(uint32_t)},
               {RCITY_BUFFER_SHARED_IN, sizeof(rcity_roof_way)},
               {RCITY_BUFFER_KEPT, sizeof(rcity_roof_way)}},
    .host_run = run_patch,
};

rcity_status rcity_roofs_trace_kept(rcity_roofs *roofs, rcity_grid_point3 source, rcity_roof_mode mode,
                                    const rcity_resident *lit, rcity_resident *ways, bool *has_ways)
{
    static const uint32_t none = 0;
    int64_t pixel_count = (int64_t)roofs->plane->column_count * roofs->plane->row_count;
    *has_ways = !rcity_roofs_is_enclosed(roofs->plane->sight, source);
    RCITY_TRY(rcity_reserve(roofs->context, 1 + OPEN_HEAD, sizeof *roofs->open, &roofs->open_capacity,
                            "ways over roofs", &roofs->open));
    roofs->open[0] = 0;
    if (!*has_ways) {
        return RCITY_OK;
    }
    RCITY_TRY(rcity_resident_reserve(roofs->context, roofs->device, 1 + OPEN_HEAD + pixel_count, sizeof *roofs->open,
                                     "ways over roofs", &roofs->open_dev));
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
    launch.resident[RCITY_ROOFS_BUFFER_COUNT] = roofs->open_dev;
    RCITY_TRY(rcity_resident_write(roofs->context, roofs->open_dev, 0, 1, &none));
    RCITY_TRY(rcity_device_run(roofs->context, roofs->device, &launch));
    return rcity_resident_read(roofs->context, roofs->open_dev, 0, 1 + OPEN_HEAD, roofs->open);
}

/* An rcity_parallel_function: the pixels that a device left open. */
static void find_ways(void *user, int64_t begin, int64_t end, int thread_index)
{
    rcity_roofs *roofs = user;
    rcity_roof_view view;
    rcity_roof_plane plane;
    rcity_roof_hull hull;
    rcity_roof_job job = roofs->job;
    (void)thread_index;
    rcity_roofs_host_views(roofs, NULL, &view, &plane);
    job.has_lit = 0; /* what is lit was not left open */
    for (int64_t i = begin; i < end; i++) {
        int32_t pixel = (int32_t)roofs->open[1 + i];
        roofs->found[i] =
            rcity_roof_item_run(&view, &job, &plane, pixel % job.column_count, pixel / job.column_count, &hull);
    }
}

rcity_status rcity_roofs_settle_kept(rcity_roofs *roofs, rcity_resident *ways)
{
    int64_t count = roofs->open[0];
    int64_t pixel_count = (int64_t)roofs->plane->column_count * roofs->plane->row_count;
    int64_t bad = pixel_count;
    if (count == 0) {
        return RCITY_OK;
    }
    if (count > OPEN_HEAD) {
        RCITY_TRY(rcity_reserve(roofs->context, (size_t)count + 1, sizeof *roofs->open, &roofs->open_capacity,
                                "ways over roofs", &roofs->open));
        RCITY_TRY(rcity_resident_read(roofs->context, roofs->open_dev, 0, count + 1, roofs->open));
        RCITY_TRY(rcity_device_finish(roofs->context, roofs->device));
    }
    RCITY_TRY(rcity_reserve(roofs->context, (size_t)count, sizeof *roofs->found, &roofs->found_capacity,
                            "ways over roofs", &roofs->found));
    rcity_parallel(roofs->context, count, 16, find_ways, roofs);
    for (int64_t i = 0; i < count; i++) {
        bool is_bad = roofs->found[i].count == RCITY_ROOF_WAY_OPEN && (int64_t)roofs->open[1 + i] < bad;
        bad = is_bad ? (int64_t)roofs->open[1 + i] : bad;
    }
    roofs->close_count += count;
    RCITY_TRY(rcity_roofs_check_tops(roofs, bad, pixel_count));
    RCITY_TRY(rcity_resident_reserve(roofs->context, roofs->device, count, sizeof *roofs->found, "ways over roofs",
                                     &roofs->found_dev));
    RCITY_TRY(rcity_resident_write(roofs->context, roofs->found_dev, 0, count, roofs->found));
    const int64_t unused = 0;
    rcity_launch launch;
    memset(&launch, 0, sizeof launch);
    launch.kernel = &patch_kernel;
    launch.job = &unused;
    launch.item_count = count;
    launch.resident[0] = roofs->open_dev;
    launch.resident[1] = roofs->found_dev;
    launch.resident[2] = ways;
    return rcity_device_run(roofs->context, roofs->device, &launch);
}

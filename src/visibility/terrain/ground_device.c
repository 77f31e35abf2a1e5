#include "visibility/terrain/ground_device.h"

#include <string.h>

#include "embedded/ground_sight_cl.h"
#include "kernel/visibility/ground/ground_left.h"

struct rcity_ground_device {
    const rcity_ground_sight *sight; /* Borrowed, as the next. */
    rcity_device *device;
    rcity_resident *nodes, *blocks;                    /* of the terrain */
    rcity_resident *x, *y, *z, *seen, *first, *second; /* of a raster; the last two are lists */
};

static rcity_ground_view view_of(const rcity_launch_buffer *buffers)
{
    rcity_ground_view view = {buffers[0].in, buffers[1].in,  buffers[2].in,
                              buffers[3].in, buffers[4].out, buffers[5].out};
    return view;
}

static void run_clear(const void *job, const rcity_launch_buffer *buffers, int64_t begin, int64_t end)
{
    int32_t answer;
    memcpy(&answer, job, sizeof answer);
    memset((uint8_t *)buffers[0].out + begin, answer, (size_t)(end - begin));
}

static void run_bins(const void *job, const rcity_launch_buffer *buffers, int64_t begin, int64_t end)
{
    const rcity_ground_job *ground = job;
    rcity_ground_view view = view_of(buffers);
    for (int64_t i = begin; i < end; i++) {
        rcity_ground_bin_run(ground, &view, (int)(i / ground->bin_count), (rcity_i32)(i % ground->bin_count));
    }
}

static void run_left(const void *job, const rcity_launch_buffer *buffers, int64_t begin, int64_t end)
{
    rcity_ground_view view = view_of(buffers);
    const uint32_t *left = buffers[6].in;
    for (int64_t i = begin; i < end; i++) {
        rcity_ground_left_run(job, &view, buffers[7].in, (rcity_i32)left[1 + i]);
    }
}

#define GROUND_BUFFERS                                                                                                 \
    {RCITY_BUFFER_SHARED_IN, sizeof(int32_t)}, {RCITY_BUFFER_SHARED_IN, sizeof(int32_t)},                              \
        {RCITY_BUFFER_SHARED_IN, sizeof(int32_t)}, {RCITY_BUFFER_SHARED_IN, sizeof(int32_t)},                          \
        {RCITY_BUFFER_ON_DEVICE, sizeof(uint8_t)},                                                                     \
    {                                                                                                                  \
        RCITY_BUFFER_ON_DEVICE, sizeof(uint32_t)                                                                       \
    }

static const rcity_kernel kernel_clear = {
    .name = "rcity_ground_clear",
    .source = rcity_ground_sight_cl,
    .job_bytes = sizeof(int32_t),
    .buffer_count = 1,
    .buffer = {{RCITY_BUFFER_ON_DEVICE, sizeof(uint8_t)}},
    .host_run = run_clear,
};

static const rcity_kernel kernel_bins = {
    .name = "rcity_ground_bins",
    .source = rcity_ground_sight_cl,
    .job_bytes = sizeof(rcity_ground_job),
    .buffer_count = 6,
    .buffer = {GROUND_BUFFERS},
    .host_run = run_bins,
};

static const rcity_kernel kernel_left = {
    .name = "rcity_ground_left",
    .source = rcity_ground_sight_cl,
    .job_bytes = sizeof(rcity_ground_job),
    .buffer_count = 8,
    .buffer = {GROUND_BUFFERS, {RCITY_BUFFER_SHARED_IN, sizeof(uint32_t)}, {RCITY_BUFFER_SHARED_IN, sizeof(int32_t)}},
    .host_run = run_left,
};

rcity_status rcity_ground_device_open(const rcity_ground_sight *sight, rcity_device *device,
                                      rcity_ground_device **opened)
{
    const rcity_terrain_grid *terrain = sight->terrain;
    rcity_context *context = sight->context;
    rcity_ground_device *made = NULL;
    rcity_status status;
    RCITY_TRY(rcity_alloc(context, 1, sizeof *made, "the terrain on a device", &made));
    made->sight = sight;
    made->device = device;
    RCITY_TRY_DONE(rcity_resident_create(context, device, terrain->height,
                                         (int64_t)terrain->column_count * terrain->row_count, sizeof(int32_t),
                                         "the terrain", &made->nodes));
    RCITY_TRY_DONE(rcity_resident_create(context, device, sight->blocks,
                                         (int64_t)sight->block_columns * sight->block_rows, sizeof(int32_t),
                                         "the terrain", &made->blocks));
    *opened = made;
    return RCITY_OK;
done:
    rcity_ground_device_close(&made);
    return status;
}

void rcity_ground_device_close(rcity_ground_device **opened)
{
    rcity_ground_device *ground = *opened;
    if (ground == NULL) {
        return;
    }
    rcity_resident **residents[] = {&ground->second, &ground->first, &ground->seen,   &ground->z,
                                    &ground->y,      &ground->x,     &ground->blocks, &ground->nodes};
    for (size_t i = 0; i < sizeof residents / sizeof residents[0]; i++) {
        rcity_resident_destroy(residents[i]);
    }
    rcity_release(ground->sight->context, ground);
    *opened = NULL;
}

/* Queue: the raster's coordinates and heights. */
static rcity_status send_targets(rcity_ground_device *ground, const rcity_ground_targets *targets)
{
    rcity_context *context = ground->sight->context;
    int64_t count = (int64_t)targets->column_count * targets->row_count;
    const struct {
        rcity_resident **resident;
        int64_t count;
        const int32_t *data;
    } sent[] = {{&ground->x, targets->column_count, targets->x},
                {&ground->y, targets->row_count, targets->y},
                {&ground->z, targets->z != NULL ? count : 1, targets->z}};
    for (size_t i = 0; i < sizeof sent / sizeof sent[0]; i++) {
        RCITY_TRY(rcity_resident_reserve(context, ground->device, sent[i].count, sizeof(int32_t), "the targets",
                                         sent[i].resident));
        if (sent[i].data != NULL) {
            RCITY_TRY(rcity_resident_write(context, *sent[i].resident, 0, sent[i].count, sent[i].data));
        }
    }
    RCITY_TRY(rcity_resident_reserve(context, ground->device, count, sizeof(uint8_t), "the answers", &ground->seen));
    RCITY_TRY(
        rcity_resident_reserve(context, ground->device, count + 1, sizeof(uint32_t), "the answers", &ground->first));
    return rcity_resident_reserve(context, ground->device, count + 1, sizeof(uint32_t), "the answers", &ground->second);
}

/* Queue a kernel over the targets. */
static rcity_status launch(rcity_ground_device *ground, const rcity_kernel *kernel, const rcity_ground_job *job,
                           int64_t item_count)
{
    rcity_launch run;
    memset(&run, 0, sizeof run);
    bool is_left = kernel == &kernel_left;
    run.kernel = kernel;
    run.job = job;
    run.item_count = item_count;
    const rcity_resident *residents[] = {ground->nodes, ground->x,     ground->y,
                                         ground->z,     ground->seen,  is_left ? ground->second : ground->first,
                                         ground->first, ground->blocks};
    for (int i = 0; i < kernel->buffer_count; i++) {
        run.resident[i] = residents[i];
    }
    return rcity_device_run(ground->sight->context, ground->device, &run);
}

static rcity_status launch_clear(rcity_ground_device *ground, int64_t count)
{
    static const int32_t nowhere = RCITY_GROUND_NOWHERE;
    rcity_launch run;
    memset(&run, 0, sizeof run);
    run.kernel = &kernel_clear;
    run.job = &nowhere;
    run.item_count = count;
    run.resident[0] = ground->seen;
    return rcity_device_run(ground->sight->context, ground->device, &run);
}

rcity_status rcity_ground_device_run(rcity_ground_device *opened, const rcity_ground_job *job,
                                     const rcity_ground_targets *targets, uint8_t *seen, int64_t *walked)
{
    static const uint32_t none = 0;
    rcity_context *context = opened->sight->context;
    int64_t count = (int64_t)targets->column_count * targets->row_count;
    uint32_t left = 0;
    RCITY_TRY(send_targets(opened, targets));
    RCITY_TRY(rcity_resident_write(context, opened->first, 0, 1, &none));
    RCITY_TRY(rcity_resident_write(context, opened->second, 0, 1, &none));
    RCITY_TRY(launch_clear(opened, count));
    RCITY_TRY(launch(opened, &kernel_bins, job, 8 * (int64_t)job->bin_count));
    RCITY_TRY(rcity_resident_read(context, opened->first, 0, 1, &left));
    RCITY_TRY(rcity_device_finish(context, opened->device));
    if (left > 0) {
        RCITY_TRY(launch(opened, &kernel_left, job, left));
    }
    RCITY_TRY(rcity_resident_read(context, opened->seen, 0, count, seen));
    *walked = left;
    return rcity_device_finish(context, opened->device);
}

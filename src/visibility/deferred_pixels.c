#include "visibility/deferred_pixels.h"

#include <string.h>

#include "embedded/deferred_pixels_cl.h"

/* Pixels that are fetched together with their number: usually that is all of them. */
#define HEAD_COUNT 4095

static void run_put(const void *job, const rcity_launch_buffer *buffers, int64_t begin, int64_t end)
{
    int64_t words;
    memcpy(&words, job, sizeof words);
    const uint32_t *list = buffers[0].in;
    const uint32_t *found = buffers[1].in;
    uint32_t *elements = buffers[2].out;
    for (int64_t i = begin; i < end; i++) {
        memcpy(elements + list[1 + i] * words, found + i * words, (size_t)words * sizeof *elements);
    }
}

void rcity_deferred_pixels_init(rcity_context *context, rcity_device *device, size_t element_bytes,
                                rcity_deferred_pixels *deferred)
{
    memset(deferred, 0, sizeof *deferred);
    deferred->context = context;
    deferred->device = device;
    deferred->element_bytes = element_bytes;
}

void rcity_deferred_pixels_deinit(rcity_deferred_pixels *deferred)
{
    rcity_resident_destroy(&deferred->found_dev);
    rcity_resident_destroy(&deferred->list_dev);
    rcity_release(deferred->context, deferred->found);
    rcity_release(deferred->context, deferred->list);
}

rcity_status rcity_deferred_pixels_begin(rcity_deferred_pixels *deferred, int64_t pixel_count)
{
    static const uint32_t none = 0;
    RCITY_TRY(rcity_reserve(deferred->context, 1 + HEAD_COUNT, sizeof *deferred->list, &deferred->list_capacity,
                            "pixels", &deferred->list));
    RCITY_TRY(rcity_resident_reserve(deferred->context, deferred->device, 1 + HEAD_COUNT + pixel_count,
                                     sizeof *deferred->list, "pixels", &deferred->list_dev));
    return rcity_resident_write(deferred->context, deferred->list_dev, 0, 1, &none);
}

rcity_status rcity_deferred_pixels_fetch(rcity_deferred_pixels *deferred)
{
    return rcity_resident_read(deferred->context, deferred->list_dev, 0, 1 + HEAD_COUNT, deferred->list);
}

rcity_status rcity_deferred_pixels_count(rcity_deferred_pixels *deferred, int64_t *count)
{
    *count = deferred->list[0];
    if (*count > HEAD_COUNT) {
        RCITY_TRY(rcity_reserve(deferred->context, (size_t)*count + 1, sizeof *deferred->list, &deferred->list_capacity,
                                "pixels", &deferred->list));
        RCITY_TRY(rcity_resident_read(deferred->context, deferred->list_dev, 0, *count + 1, deferred->list));
        RCITY_TRY(rcity_device_finish(deferred->context, deferred->device));
    }
    return rcity_reserve(deferred->context, (size_t)*count, deferred->element_bytes, &deferred->found_capacity,
                         "pixels", &deferred->found);
}

rcity_status rcity_deferred_pixels_put(rcity_deferred_pixels *deferred, rcity_resident *elements)
{
    const rcity_kernel kernel = {
        .name = "rcity_deferred_pixels_put",
        .source = rcity_deferred_pixels_cl,
        .job_bytes = sizeof(int64_t),
        .buffer_count = 3,
        .buffer = {{RCITY_BUFFER_SHARED_IN, sizeof(uint32_t)},
                   {RCITY_BUFFER_SHARED_IN, deferred->element_bytes},
                   {RCITY_BUFFER_ON_DEVICE, deferred->element_bytes}},
        .host_run = run_put,
    };
    const int64_t words = (int64_t)(deferred->element_bytes / sizeof(uint32_t));
    int64_t count = deferred->list[0];
    RCITY_TRY(rcity_resident_reserve(deferred->context, deferred->device, count, deferred->element_bytes, "pixels",
                                     &deferred->found_dev));
    RCITY_TRY(rcity_resident_write(deferred->context, deferred->found_dev, 0, count, deferred->found));
    rcity_launch launch;
    memset(&launch, 0, sizeof launch);
    launch.kernel = &kernel;
    launch.job = &words;
    launch.item_count = count;
    launch.resident[0] = deferred->list_dev;
    launch.resident[1] = deferred->found_dev;
    launch.resident[2] = elements;
    return rcity_device_run(deferred->context, deferred->device, &launch);
}

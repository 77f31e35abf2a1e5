#include "method/shadow/open_pixels.h"

#include <string.h>

#include "embedded/open_pixels_cl.h"

/* Pixels that are fetched with their number: most of the time there are no more. */
#define HEAD_COUNT 4095

static void run_put(const void *job, void *const *buffers, int64_t begin, int64_t end)
{
    int64_t words;
    memcpy(&words, job, sizeof words);
    const uint32_t *list = buffers[0];
    const uint32_t *found = buffers[1];
    uint32_t *elements = buffers[2];
    for (int64_t i = begin; i < end; i++) {
        memcpy(elements + list[1 + i] * words, found + i * words, (size_t)words * sizeof *elements);
    }
}

void rcity_open_pixels_init(rcity_context *context, rcity_device *device, size_t element_bytes, rcity_open_pixels *open)
{
    memset(open, 0, sizeof *open);
    open->context = context;
    open->device = device;
    open->element_bytes = element_bytes;
}

void rcity_open_pixels_deinit(rcity_open_pixels *open)
{
    rcity_resident_destroy(&open->found_dev);
    rcity_resident_destroy(&open->list_dev);
    rcity_release(open->context, open->found);
    rcity_release(open->context, open->list);
}

rcity_status rcity_open_pixels_begin(rcity_open_pixels *open, int64_t pixel_count)
{
    static const uint32_t none = 0;
    RCITY_TRY(
        rcity_reserve(open->context, 1 + HEAD_COUNT, sizeof *open->list, &open->list_capacity, "pixels", &open->list));
    RCITY_TRY(rcity_resident_reserve(open->context, open->device, 1 + HEAD_COUNT + pixel_count, sizeof *open->list,
                                     "pixels", &open->list_dev));
    return rcity_resident_write(open->context, open->list_dev, 0, 1, &none);
}

rcity_status rcity_open_pixels_fetch(rcity_open_pixels *open)
{
    return rcity_resident_read(open->context, open->list_dev, 0, 1 + HEAD_COUNT, open->list);
}

rcity_status rcity_open_pixels_count(rcity_open_pixels *open, int64_t *count)
{
    *count = open->list[0];
    if (*count > HEAD_COUNT) {
        RCITY_TRY(rcity_reserve(open->context, (size_t)*count + 1, sizeof *open->list, &open->list_capacity, "pixels",
                                &open->list));
        RCITY_TRY(rcity_resident_read(open->context, open->list_dev, 0, *count + 1, open->list));
        RCITY_TRY(rcity_device_finish(open->context, open->device));
    }
    return rcity_reserve(open->context, (size_t)*count, open->element_bytes, &open->found_capacity, "pixels",
                         &open->found);
}

rcity_status rcity_open_pixels_put(rcity_open_pixels *open, rcity_resident *elements)
{
    const rcity_kernel kernel = {
        .name = "rcity_open_pixels_put",
        .source = rcity_open_pixels_cl,
        .job_bytes = sizeof(int64_t),
        .buffer_count = 3,
        .buffer = {{RCITY_BUFFER_SHARED_IN, sizeof(uint32_t)},
                   {RCITY_BUFFER_SHARED_IN, open->element_bytes},
                   {RCITY_BUFFER_KEPT, open->element_bytes}},
        .host_run = run_put,
    };
    const int64_t words = (int64_t)(open->element_bytes / sizeof(uint32_t));
    int64_t count = open->list[0];
    RCITY_TRY(
        rcity_resident_reserve(open->context, open->device, count, open->element_bytes, "pixels", &open->found_dev));
    RCITY_TRY(rcity_resident_write(open->context, open->found_dev, 0, count, open->found));
    rcity_launch launch;
    memset(&launch, 0, sizeof launch);
    launch.kernel = &kernel;
    launch.job = &words;
    launch.item_count = count;
    launch.resident[0] = open->list_dev;
    launch.resident[1] = open->found_dev;
    launch.resident[2] = elements;
    return rcity_device_run(open->context, open->device, &launch);
}

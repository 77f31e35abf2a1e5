/* Pixels that a kernel leaves to the host, when all others stay on the device: a list with their number first, and what the host
   found of them, put in its place. Pixels of several sources are numbered on, source by source. */
#ifndef RCITY_VISIBILITY_DEFERRED_PIXELS_H
#define RCITY_VISIBILITY_DEFERRED_PIXELS_H

#include "device/device.h"

typedef struct rcity_deferred_pixels {
    rcity_context *context; /* Borrowed, as the next. */
    rcity_device *device;
    size_t element_bytes; /* of what is found, a multiple of 4 */
    rcity_resident *list_dev, *found_dev;
    uint32_t *list; /* their number, and the pixels */
    size_t list_capacity;
    void *found; /* for the caller to fill, one element a pixel of the list */
    size_t found_capacity;
} rcity_deferred_pixels;

void rcity_deferred_pixels_init(rcity_context *context, rcity_device *device, size_t element_bytes,
                                rcity_deferred_pixels *deferred);
void rcity_deferred_pixels_deinit(rcity_deferred_pixels *deferred);

/* Queue an empty list, with room for all pixels of all sources, as a kernel's buffer of uint32_t; it appends where it adds 1 to the first. */
rcity_status rcity_deferred_pixels_begin(rcity_deferred_pixels *deferred, int64_t pixel_count);

/* Queue, behind the kernel: fetch the list, or most of it. */
rcity_status rcity_deferred_pixels_fetch(rcity_deferred_pixels *deferred);

/* After rcity_device_finish(): fetch the rest, where there is one, and make room for what will be found. */
rcity_status rcity_deferred_pixels_count(rcity_deferred_pixels *deferred, int64_t *count);

/* Queue: put what was found in its place. */
rcity_status rcity_deferred_pixels_put(rcity_deferred_pixels *deferred, rcity_resident *elements);

#endif

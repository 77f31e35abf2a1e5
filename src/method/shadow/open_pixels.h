/* Pixels that a kernel leaves to the host, when all others stay on the device: a list with their number first, and what the host
   found of them, put in its place. Pixels of several sources are numbered on, source by source. */
#ifndef RCITY_METHOD_SHADOW_OPEN_PIXELS_H
#define RCITY_METHOD_SHADOW_OPEN_PIXELS_H

#include "device/device.h"

typedef struct rcity_open_pixels {
    rcity_context *context; /* Borrowed, as the next. */
    rcity_device *device;
    size_t element_bytes; /* of what is found, a multiple of 4 */
    rcity_resident *list_dev, *found_dev;
    uint32_t *list; /* their number, and the pixels */
    size_t list_capacity;
    void *found; /* for the caller to fill, one element a pixel of the list */
    size_t found_capacity;
} rcity_open_pixels;

void rcity_open_pixels_init(rcity_context *context, rcity_device *device, size_t element_bytes,
                            rcity_open_pixels *open);
void rcity_open_pixels_deinit(rcity_open_pixels *open);

/* Queue an empty list, with room for all pixels of all sources, as a kernel's buffer of uint32_t; it appends where it adds 1 to the first. */
rcity_status rcity_open_pixels_begin(rcity_open_pixels *open, int64_t pixel_count);

/* Queue, behind the kernel: fetch the list, or most of it. */
rcity_status rcity_open_pixels_fetch(rcity_open_pixels *open);

/* After rcity_device_finish(): fetch the rest, where there is one, and make room for what will be found. */
rcity_status rcity_open_pixels_count(rcity_open_pixels *open, int64_t *count);

/* Queue: put what was found in its place. */
rcity_status rcity_open_pixels_put(rcity_open_pixels *open, rcity_resident *elements);

#endif

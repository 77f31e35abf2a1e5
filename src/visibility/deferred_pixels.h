/* Pixels that a kernel defers to the host while all others stay on the device: a list with their number first, and the
   host's results, which are put in their place. Pixels are numbered consecutively over several sources. */
#ifndef RCITY_VISIBILITY_DEFERRED_PIXELS_H
#define RCITY_VISIBILITY_DEFERRED_PIXELS_H

#include "device/device.h"

typedef struct rcity_deferred_pixels {
    rcity_context *context; /* Borrowed, as the next. */
    rcity_device *device;
    size_t element_bytes; /* of a result, a multiple of 4 */
    rcity_resident *list_dev, *found_dev;
    uint32_t *list; /* their number, then the pixels */
    size_t list_capacity;
    void *found; /* results for the caller to fill, one element for each pixel of the list */
    size_t found_capacity;
} rcity_deferred_pixels;

void rcity_deferred_pixels_init(rcity_context *context, rcity_device *device, size_t element_bytes,
                                rcity_deferred_pixels *deferred);
void rcity_deferred_pixels_deinit(rcity_deferred_pixels *deferred);

/* Queue an empty list, with room for all pixels of all sources, as a kernel's buffer of uint32_t. The kernel appends by
   adding 1 to the first element. */
rcity_status rcity_deferred_pixels_begin(rcity_deferred_pixels *deferred, int64_t pixel_count);

/* Queue, after the kernel: fetch the list, or most of it. */
rcity_status rcity_deferred_pixels_fetch(rcity_deferred_pixels *deferred);

/* After rcity_device_finish(): fetch the rest, if there is any, and make room for the results. */
rcity_status rcity_deferred_pixels_count(rcity_deferred_pixels *deferred, int64_t *count);

/* Queue: put the results in their place. */
rcity_status rcity_deferred_pixels_put(rcity_deferred_pixels *deferred, rcity_resident *elements);

#endif

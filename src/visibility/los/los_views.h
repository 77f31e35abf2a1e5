/* Masks of what views see, which stay on a device for later kernels. */
#ifndef RCITY_VISIBILITY_LOS_LOS_VIEWS_H
#define RCITY_VISIBILITY_LOS_LOS_VIEWS_H

#include <stdatomic.h>

#include "visibility/los/los_ground_device.h"

typedef struct rcity_los_views {
    rcity_context *context; /* Borrowed, as the next. */
    rcity_device *device;
    rcity_device_info info;
    rcity_los_batch *batch;
    rcity_los_ground ground;
    size_t mask_words; /* of 64 bits */
    rcity_los_item *items;
    size_t item_capacity;
    rcity_resident *items_dev, *masks_dev, *tallies_dev, *patches_dev, *notes_dev;

    /* The last call of rcity_los_views_trace(). */
    int64_t first, count;
    int32_t strip_count;
    rcity_los_tally *tallies;
    size_t tally_capacity;
    rcity_los_patch *patches; /* the host's decisions about it */
    size_t patch_capacity;
    atomic_int_fast64_t patch_count;
    uint64_t *retraced;
    size_t retraced_capacity;

    /* Over all calls: pixels that the kernel deferred, views that the host did, strips. */
    int64_t deferred_count, retraced_count, item_count;
} rcity_los_views;

/* Prepare a plane on a device; all are borrowed until deinit.
   @return RCITY_ERR_MEMORY when there is no room for it, or a work-group has no room for a row; RCITY_ERR_NO_DEVICE. */
rcity_status rcity_los_views_init(rcity_context *context, rcity_device *device, const rcity_los_plane *plane,
                                  rcity_los_views *views);
void rcity_los_views_deinit(rcity_los_views *views);

/* Make room for the masks of `count` views; `*is_lost` is set where those of earlier calls are gone and must be made
   again. */
rcity_status rcity_los_views_reserve(rcity_los_views *views, int64_t count, bool *is_lost);

/* Set the position of a view, for which there is room. */
void rcity_los_views_place(rcity_los_views *views, int64_t view, rcity_grid_point3 at);

/* Queue: find what views [first, first + count) see. Masks have 2 * mask_words words of 32 bits, one after the
   other. */
rcity_status rcity_los_views_trace(rcity_los_views *views, int64_t first, int64_t count);

/* Queue, after all kernels of the round: fetch what was deferred. Copies come last, because a driver may wait for a
   copy into ordinary memory before it continues. */
rcity_status rcity_los_views_fetch(rcity_los_views *views);

/* After rcity_device_finish(): decide here what the kernel deferred and queue it for the masks, which then equal those
   of rcity_los_trace(). Not again before the next rcity_device_finish(). */
rcity_status rcity_los_views_decide(rcity_los_views *views);

#endif

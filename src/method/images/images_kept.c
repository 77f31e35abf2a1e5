#include "method/images/images_kept.h"

#include <string.h>

rcity_status rcity_images_kept_create(rcity_context *context, int64_t receiver_count, uint64_t limit_bytes,
                                      rcity_images_kept **kept)
{
    rcity_images_kept *made = NULL;
    rcity_status status;
    size_t count = (size_t)receiver_count + 1;
    RCITY_TRY(rcity_alloc(context, 1, sizeof *made, "kept paths", &made));
    made->context = context;
    made->limit_bytes = limit_bytes;
    made->receiver_count = receiver_count;
    RCITY_TRY_DONE(rcity_alloc(context, count, sizeof *made->path_first, "kept paths", &made->path_first));
    RCITY_TRY_DONE(rcity_alloc(context, count, sizeof *made->event_first, "kept paths", &made->event_first));
    *kept = made;
    made = NULL;
done:
    rcity_images_kept_destroy(&made);
    return status;
}

void rcity_images_kept_destroy(rcity_images_kept **kept)
{
    if (kept == NULL || *kept == NULL) {
        return;
    }
    rcity_context *context = (*kept)->context;
    rcity_release(context, (*kept)->all.events);
    rcity_release(context, (*kept)->all.paths);
    rcity_release(context, (*kept)->event_first);
    rcity_release(context, (*kept)->path_first);
    rcity_release(context, *kept);
    *kept = NULL;
}

/* Receivers up to this one start at the current end of the paths. */
static void pass_to(rcity_images_kept *kept, int64_t receiver_index)
{
    for (; kept->done_count <= receiver_index; kept->done_count++) {
        kept->path_first[kept->done_count] = kept->all.path_count;
        kept->event_first[kept->done_count] = kept->all.event_count;
    }
}

rcity_status rcity_images_kept_add(rcity_images_kept *kept, int64_t receiver_index, const rcity_found_paths *found)
{
    rcity_found_paths *all = &kept->all;
    size_t path_count = all->path_count + found->path_count;
    size_t event_count = all->event_count + found->event_count;
    uint64_t bytes = path_count * sizeof *all->paths + event_count * sizeof *all->events;
    RCITY_CHECK(kept->context, bytes <= kept->limit_bytes, RCITY_ERR_MEMORY,
                "the paths of %lld receivers take more than the %llu bytes that they may", (long long)receiver_index,
                (unsigned long long)kept->limit_bytes);
    pass_to(kept, receiver_index);
    if (found->path_count == 0) {
        return RCITY_OK;
    }
    RCITY_TRY(
        rcity_reserve(kept->context, path_count, sizeof *all->paths, &all->path_capacity, "kept paths", &all->paths));
    RCITY_TRY(rcity_reserve(kept->context, event_count, sizeof *all->events, &all->event_capacity, "kept paths",
                            &all->events));
    memcpy(all->paths + all->path_count, found->paths, found->path_count * sizeof *all->paths);
    if (found->event_count > 0) {
        memcpy(all->events + all->event_count, found->events, found->event_count * sizeof *all->events);
    }
    all->path_count = path_count;
    all->event_count = event_count;
    return RCITY_OK;
}

void rcity_images_kept_finish(rcity_images_kept *kept)
{
    pass_to(kept, kept->receiver_count);
}

rcity_kept_paths rcity_images_kept_get(const rcity_images_kept *kept, int64_t receiver_index)
{
    size_t first = kept->path_first[receiver_index];
    size_t event_first = kept->event_first[receiver_index];
    return (rcity_kept_paths){kept->path_first[receiver_index + 1] - first, kept->all.paths + first,
                              kept->all.events + event_first};
}

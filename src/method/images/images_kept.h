/* The paths of all receivers of a job, kept by a trace without antennas: the sectors of one mast are weighed from
   them. */
#ifndef RCITY_METHOD_IMAGES_KEPT_H
#define RCITY_METHOD_IMAGES_KEPT_H

#include "method/images/field/path_antenna.h"
#include "method/images/field/path_groups.h"

/* A path with its field, without antennas. */
typedef struct rcity_found_path {
    int event_count;
    rcity_path_course course;
    double inside_m; /* of its length, inside buildings */
    rcity_channel channel;
    rcity_group_shares groups;
} rcity_found_path;

/* Paths one after the other, and their events, path by path. */
typedef struct rcity_found_paths {
    size_t path_count, path_capacity;
    rcity_found_path *paths;
    size_t event_count, event_capacity;
    rcity_ray_event *events;
} rcity_found_paths;

typedef struct rcity_images_kept {
    rcity_context *context; /* Borrowed. */
    uint64_t limit_bytes;   /* the paths may take no more than this */
    int64_t receiver_count, done_count;
    size_t *path_first, *event_first; /* for each receiver, and one entry more */
    rcity_found_paths all;
} rcity_images_kept;

rcity_status rcity_images_kept_create(rcity_context *context, int64_t receiver_count, uint64_t limit_bytes,
                                      rcity_images_kept **kept);
void rcity_images_kept_destroy(rcity_images_kept **kept);

/* Add the paths of a receiver; receivers come in ascending order, and those left out have none.
   @return RCITY_ERR_MEMORY beyond the limit. */
rcity_status rcity_images_kept_add(rcity_images_kept *kept, int64_t receiver_index, const rcity_found_paths *found);

/* Call when no more paths are added. */
void rcity_images_kept_finish(rcity_images_kept *kept);

/* The paths of a receiver. Borrowed. */
typedef struct rcity_kept_paths {
    size_t count;
    const rcity_found_path *paths;
    const rcity_ray_event *events;
} rcity_kept_paths;

rcity_kept_paths rcity_images_kept_get(const rcity_images_kept *kept, int64_t receiver_index);

#endif

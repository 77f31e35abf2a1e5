/* Paths around corners, plainly: a recursion over all corners and all receivers. */
#ifndef RCITY_TESTS_SUPPORT_CORNERS_PLAIN_H
#define RCITY_TESTS_SUPPORT_CORNERS_PLAIN_H

#include "method/shadow/corners/corner_tracer.h"
#include "rcity_test.h"

typedef struct corners_plain_path {
    int64_t receiver;
    double length_m, angle_sum, square_sum, last_angle;
} corners_plain_path;

typedef struct corners_plain {
    const rcity_sight *sight;
    const rcity_shapes *shapes; /* those of sight */
    int32_t level;              /* of the receivers above ground */
    int32_t low_level;          /* or of the source, if that is lower: set by corners_plain_find() */
    int64_t receiver_count;
    const rcity_grid_point3 *receivers;
    corners_plain_path *paths;
    size_t path_count, path_capacity;
} corners_plain;

/* Find all paths of a source to `order` corners; those before are forgotten. The paths are freed by the caller. */
void corners_plain_find(corners_plain *plain, rcity_grid_point3 source, int order);

/* What was traced is what was found; `numbers` are those of the receivers in the canyon, NULL: the same. */
void corners_plain_compare(corners_plain *plain, const rcity_corner_paths *corner_paths, const int64_t *numbers);

#endif

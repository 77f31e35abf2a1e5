/* Places of corners' views, and which corners they see: found once for all sources of a plane, since what a corner sees
   does not depend on how it was reached. The caller stores the line-of-sight rasters; they have the indices of
   places. */
#ifndef RCITY_METHOD_SHADOW_CORNER_STORE_H
#define RCITY_METHOD_SHADOW_CORNER_STORE_H

#include "method/shadow/corners/corner_table.h"

typedef struct rcity_corner_stored_place {
    rcity_grid_point3 at;
    int32_t corner;     /* -1: none */
    int32_t next;       /* place of the same corner at another height; -1: none */
    int32_t first_look; /* -1: none */
} rcity_corner_stored_place;

/* The corners that a place sees, for sources of one height. */
typedef struct rcity_corner_stored_look {
    int32_t place;
    int32_t step;
    int32_t next; /* look from the same place; -1: none */
    int32_t *corners;
    size_t corner_count;
} rcity_corner_stored_look;

typedef struct rcity_corner_store {
    rcity_context *context; /* Borrowed. */
    int32_t *first_place;   /* of each corner; -1: none */
    size_t point_count;
    rcity_corner_stored_place *places;
    size_t place_count, place_capacity;
    rcity_corner_stored_look *looks;
    size_t look_count, look_capacity;
} rcity_corner_store;

/* Begin without places. */
rcity_status rcity_corner_store_init(rcity_context *context, const rcity_corner_table *corners,
                                     rcity_corner_store *store);
void rcity_corner_store_deinit(rcity_corner_store *store);

/* Forget all places. */
void rcity_corner_store_clear(rcity_corner_store *store);

/* Finds the place of a corner at its height; it is new when `place_count` grows. A place that is not a corner, -1, is
   always new. */
rcity_status rcity_corner_store_find_place(rcity_corner_store *store, int32_t corner, rcity_grid_point3 at,
                                           int32_t *place);

/* Finds what a place sees for sources of a height; a new look, when `look_count` grows, has no corners yet. */
rcity_status rcity_corner_store_find_look(rcity_corner_store *store, int32_t place, int32_t step, int32_t *look);

#endif

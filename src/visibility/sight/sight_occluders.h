/* Occluders of a scene: for each prism one across each direction of lines, then its walls. */
#ifndef RCITY_VISIBILITY_SIGHT_SIGHT_OCCLUDERS_H
#define RCITY_VISIBILITY_SIGHT_SIGHT_OCCLUDERS_H

#include "kernel/visibility/sight/sight_occluder.h"
#include "visibility/sight/sight_data.h"

typedef struct rcity_sight_occluders {
    rcity_sight_occluder *items; /* RCITY_SIGHT_WAY_COUNT for each prism, then one for each wall */
    int32_t count;
    int32_t wall_first;
} rcity_sight_occluders;

/* @return RCITY_ERR_MEMORY. */
rcity_status rcity_sight_occluders_init(rcity_context *context, const rcity_sight *sight,
                                        rcity_sight_occluders *occluders);
void rcity_sight_occluders_deinit(rcity_context *context, rcity_sight_occluders *occluders);

#endif

/* What the method's stages hand on, and finding paths with it. */
#ifndef RCITY_METHOD_IMAGES_FIND_H
#define RCITY_METHOD_IMAGES_FIND_H

#include "method/images/path_search.h"
#include "method/method.h"

/* Of a scene, whatever transmitter and frequency. */
typedef struct rcity_images_prepared {
    rcity_sight *sight;
    rcity_plan_index prism_index;
    rcity_terrain_tree terrain_tree;
} rcity_images_prepared;

/* Of a transmitter: the scene at its frequency, and what it reaches. */
typedef struct rcity_images_traced {
    const rcity_images_prepared *prepared;
    rcity_trace_world world;
    rcity_reach_world reach_world;
    rcity_search search;
} rcity_images_traced;

rcity_status rcity_images_prepare(const rcity_job *job, void **prepared);
void rcity_images_release_prepared(rcity_context *context, void *prepared);
rcity_status rcity_images_trace(const rcity_job *job, const void *prepared, void **traced);
void rcity_images_release_traced(rcity_context *context, void *traced);

#endif

/* Embree on the walls, roofs and terrain of a scene as triangles: the second opinion and the yardstick for segments. */
#ifndef RCITY_BENCH_EMBREE_H
#define RCITY_BENCH_EMBREE_H

#include "scene/sight/sight_data.h"

typedef struct rcity_embree rcity_embree;

/* What it is called in reports, such as "Embree 3.13.5"; NULL in a build without it. */
const char *rcity_embree_name(void);

/* @return RCITY_ERR_UNSUPPORTED in a build without Embree, RCITY_ERR_MEMORY. */
rcity_status rcity_embree_create(rcity_context *context, const rcity_shapes *shapes, rcity_embree **embree);
void rcity_embree_destroy(rcity_context *context, rcity_embree **embree);

/* Is each segment free, by one ray each on the context's threads? Single precision: lines that touch something may come
   out either way. */
void rcity_embree_test(rcity_context *context, const rcity_embree *embree, int64_t count,
                       const rcity_sight_segment *segments, uint8_t *is_free);

int64_t rcity_embree_triangle_count(const rcity_embree *embree);

#endif

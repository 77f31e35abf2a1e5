/* Embree on the walls, roofs and terrain of a scene as triangles: an independent check and the yardstick for
   segments. */
#ifndef RCITY_BENCH_EMBREE_H
#define RCITY_BENCH_EMBREE_H

#include "visibility/sight/sight_data.h"

typedef struct rcity_embree rcity_embree;

/* One kind of query of Embree. The answers differ only for lines that touch something; which kind is the fastest
   depends on the processor. */
typedef struct rcity_embree_query {
    const char *name; /* "16 rays at a time, robust" */
    int ray_count;    /* in one call: 1, 8, 16, or a stream of them */
    bool is_robust;   /* RTC_SCENE_FLAG_ROBUST: no ray passes between two adjacent triangles */
} rcity_embree_query;

#define RCITY_EMBREE_QUERY_MAX 8

/* One query by index; 0 is one ray at a time, robust. @return false when out of range and in a build without Embree. */
bool rcity_embree_get_query(int query_index, rcity_embree_query *query);

/* Its name in reports, such as "Embree 3.13.5"; NULL in a build without it. */
const char *rcity_embree_name(void);

/* @return RCITY_ERR_UNSUPPORTED in a build without Embree, RCITY_ERR_MEMORY. */
rcity_status rcity_embree_create(rcity_context *context, const rcity_shapes *shapes, rcity_embree **embree);
void rcity_embree_destroy(rcity_context *context, rcity_embree **embree);

/* Is each segment free, by one ray each on the context's threads? Single precision: lines that touch something may be
   free or blocked. */
void rcity_embree_test(rcity_context *context, const rcity_embree *embree, const rcity_embree_query *query,
                       int64_t count, const rcity_sight_segment *segments, uint8_t *is_free);

int64_t rcity_embree_triangle_count(const rcity_embree *embree);

#endif

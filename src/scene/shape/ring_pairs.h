/* Pairs of edges that cross, and corners that lie on edges, in a set of rings. */
#ifndef RCITY_SCENE_RING_PAIRS_H
#define RCITY_SCENE_RING_PAIRS_H

#include "scene/shape/outline.h"

/* A corner that lies strictly inside an edge. */
typedef struct rcity_ring_insert {
    int32_t edge;  /* point index where the edge starts */
    int64_t along; /* order along the edge */
    rcity_grid_point at;
} rcity_ring_insert;

/* Result and working memory, kept over many calls. */
typedef struct rcity_ring_pairs {
    bool has_crossing;
    rcity_grid_point crossing_at;
    rcity_ring_insert *inserts; /* sorted by edge, then along it, without repeats */
    size_t insert_count, insert_capacity;
    struct rcity_ring_edge *edges;
    size_t edge_capacity;
} rcity_ring_pairs;

void rcity_ring_pairs_deinit(rcity_context *context, rcity_ring_pairs *pairs);

/* Test all pairs of edges whose boxes meet. */
rcity_status rcity_ring_pairs_find(rcity_context *context, const rcity_outline *rings, rcity_ring_pairs *pairs);

/* Record that `at` belongs into an edge that runs from `from`; for callers that find their own. */
rcity_status rcity_ring_pairs_add_insert(rcity_context *context, rcity_ring_pairs *pairs, int32_t edge,
                                         rcity_grid_point from, rcity_grid_point to, rcity_grid_point at);

/* Sort the inserts and drop repeats. */
void rcity_ring_pairs_sort_inserts(rcity_ring_pairs *pairs);

#endif

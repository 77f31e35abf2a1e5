/* A path as geometry: where it goes, and what it meets. */
#ifndef RCITY_METHOD_IMAGES_PATH_TRACE_PATH_H
#define RCITY_METHOD_IMAGES_PATH_TRACE_PATH_H

#include "method/path_weight.h"
#include "radiocity/rays.h"
#include "scene/facets/facet_table.h"

#define RCITY_TRACE_EDGE_MAX 24 /* diffracting edges of an over-roof path */

#define RCITY_TRACE_ROOF    (-1)
#define RCITY_TRACE_TERRAIN (-2)
#define RCITY_TRACE_FLAT    (-3) /* from here down: an edge of a flat roof, see rcity_trace_flat() */

/* Where the flat roof of an edge lies, seen along the path. */
typedef enum rcity_flat_side {
    RCITY_FLAT_TO_NEXT, /* between this edge and the next one of the path, which has no side of its own */
    RCITY_FLAT_BEFORE,  /* before the edge; the roof's other edge is none of the path's */
    RCITY_FLAT_AFTER,
    RCITY_FLAT_SIDES
} rcity_flat_side;

typedef struct rcity_trace_event {
    rcity_event_kind kind;
    int32_t object; /* index of the mirror or edge; OVER_ROOFS: RCITY_TRACE_ROOF, _TERRAIN or _FLAT */
    rcity_place3 point;
} rcity_trace_event;

/* The object of an edge of a flat roof, and what it says. */
static inline int32_t rcity_trace_flat(int32_t material_index, rcity_flat_side side)
{
    return RCITY_TRACE_FLAT - RCITY_FLAT_SIDES * material_index - (int32_t)side;
}

static inline int32_t rcity_trace_flat_material(int32_t object)
{
    return (RCITY_TRACE_FLAT - object) / RCITY_FLAT_SIDES;
}

static inline rcity_flat_side rcity_trace_flat_side(int32_t object)
{
    return (rcity_flat_side)((RCITY_TRACE_FLAT - object) % RCITY_FLAT_SIDES);
}

typedef struct rcity_trace_path {
    rcity_place3 tx, rx;
    int event_count;
    rcity_trace_event event[RCITY_RAY_EVENT_MAX];
} rcity_trace_path;

/* A point of a path: -1 is the transmitter, event_count the receiver. */
static inline rcity_place3 rcity_trace_path_point(const rcity_trace_path *path, int index)
{
    return index < 0 ? path->tx : index < path->event_count ? path->event[index].point : path->rx;
}

/* Compute the channel of a path through a world. Cannot fail. A path with OVER_ROOFS events is a chain in the vertical
   plane: these events are its diffracting edges, in order from the transmitter. */
rcity_channel rcity_path_channel(const rcity_facet_table *world, const rcity_trace_path *path);

#endif

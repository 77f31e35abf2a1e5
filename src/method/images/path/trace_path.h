/* A path as geometry: where it goes, and what it meets on the way. */
#ifndef RCITY_METHOD_IMAGES_PATH_TRACE_PATH_H
#define RCITY_METHOD_IMAGES_PATH_TRACE_PATH_H

#include "radiocity/rays.h"
#include "scene/facets/facet_table.h"

#define RCITY_TRACE_EDGE_MAX 24 /* roofs and hills that a path over roofs counts */

#define RCITY_TRACE_ROOF    (-1)
#define RCITY_TRACE_TERRAIN (-2)

typedef struct rcity_trace_event {
    rcity_event_kind kind;
    int32_t object; /* REFLECTION: mirror; DIFFRACTION: bend; TRANSMISSION: mirror (a wall or roof that is passed);
                       OVER_ROOFS: RCITY_TRACE_ROOF or RCITY_TRACE_TERRAIN */
    rcity_place3 point;
} rcity_trace_event;

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

/* The channel of a path without antennas: field that arrives over field that leaves, [out][in], 0 theta, 1 phi (as in
   rcity_path), of isotropic antennas: (lambda / 4 pi r) exp(-j k r) on the diagonal in free space. */
typedef struct rcity_channel {
    rcity_phasor transfer[2][2];
} rcity_channel;

/* Work out the channel of a path through a world. Pure arithmetic, cannot fail. A path whose events are OVER_ROOFS is a
   chain in the vertical plane: the events are the tops it bends over, from the transmitter on. */
rcity_channel rcity_path_channel(const rcity_facet_table *world, const rcity_trace_path *path);

#endif

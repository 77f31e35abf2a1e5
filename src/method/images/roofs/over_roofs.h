/* The over-roof path: the shortest path from end to end over roofs and hills in a vertical plane, and the diffracting
   edges that count for the field along it. */
#ifndef RCITY_METHOD_IMAGES_ROOFS_OVER_ROOFS_H
#define RCITY_METHOD_IMAGES_ROOFS_OVER_ROOFS_H

#include "method/images/path/trace_path.h"
#include "visibility/profile.h"

/* The line that a profile belongs to. Where a wall reflects at an end, the line continues to the image of that end
   behind the wall, and the profile covers only the part between the walls. */
typedef struct rcity_roof_span {
    double lead_m;   /* start of the profile, measured from the start of the line in plan */
    double length_m; /* of the whole line in plan */
    double start_z, end_z;
} rcity_roof_span;

/* Find the diffracting edges that count: those that the over-roof path goes over, and those below it that reach into
   its Fresnel zone, weighted as in kernel/wave/roof_chain.h.

   Ground has no sharp edge. It is a long rounded back, in pieces as large as the cells of its grid; the over-roof path
   changes its direction at each of them, and that many knife edges would lose far too much. So consecutive ground
   points on the path count as one edge, where the tangents meet (Bullington, Proc. IRE 35, 1947; ITU-R P.526-15,
   section 4.5). Below the path only the summit nearest to it counts.

   `edges` has room for all points of the profile and two more. @return the number of edges, both ends included. */
int rcity_over_roofs_gather(const rcity_facet_table *world, const rcity_profile *profile, const rcity_roof_span *span,
                            rcity_profile_point *edges);

/* Of more than RCITY_TRACE_EDGE_MAX diffracting edges, keep those that rise highest above the line between their
   neighbours. @return the number of edges, both ends included. */
int rcity_over_roofs_limit(const rcity_facet_table *world, rcity_profile_point *edges, int count);

/* Does the over-roof path touch any diffracting edge? If not, the straight line is free. */
bool rcity_over_roofs_edges(const rcity_profile_point *edges, int count);

/* The weight of a path over edges beside the over-roof path: 0 where that covers all its edges, 1 where it does not
   cover one of them, between where an edge is about to leave its Fresnel zone. 0 for a path without edges.

   This way the same roofs are counted once. In the over-roof path they are open screens, each in the Fresnel zone of
   the next; as edges of their own they would be separate lossy wedges. */
double rcity_over_roofs_share(const rcity_facet_table *world, const rcity_profile_point *edges, int count,
                              const rcity_trace_path *path);

#endif

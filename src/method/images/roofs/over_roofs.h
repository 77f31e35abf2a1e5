/* The way over everything in a vertical plane: a string pulled tight from end to end over roofs and hills, and the tops that
   count for the field along it. */
#ifndef RCITY_METHOD_IMAGES_ROOFS_OVER_ROOFS_H
#define RCITY_METHOD_IMAGES_ROOFS_OVER_ROOFS_H

#include "method/images/path/trace_path.h"
#include "visibility/profile.h"

/* The line that a profile belongs to. Where a wall reflects at an end, the line goes on to the end's image behind that wall,
   and the profile covers only what lies between the walls. */
typedef struct rcity_roof_span {
    double lead_m;   /* where the profile begins, from the start of the line in plan */
    double length_m; /* of the whole line in plan */
    double start_z, end_z;
} rcity_roof_span;

/* The tops that count: those the over-roof path bends over, and those below it that reach into its zone, as
   kernel/wave/roof_chain.h weighs them; with both ends.

   Ground is no edge but a long round back, in pieces as large as its grid's cells; a string over it bends at each of them,
   and as many knife edges would be far too dark. What follows each other on the string counts as one edge, where the
   tangents meet (Bullington, Proc. IRE 35, 1947; ITU-R P.526-15, section 4.5). Below the string the one summit counts that
   comes nearest.

   `edges` has room for all points of the profile and two more. @return how many, the ends included. */
int rcity_over_roofs_gather(const rcity_facet_table *world, const rcity_profile *profile, const rcity_roof_span *span,
                            rcity_profile_point *edges);

/* Of more than RCITY_TRACE_EDGE_MAX tops, keep those that bend the string most. @return how many, the ends included. */
int rcity_over_roofs_limit(const rcity_facet_table *world, rcity_profile_point *edges, int count);

/* Does the string touch any top? Where not, the straight line is free. */
bool rcity_over_roofs_edges(const rcity_profile_point *edges, int count);

/* The share with which a path over edges counts beside the string: 0 where the tops tell all of it, 1 where an edge of it is
   not among them, and between where one leaves the string's zone. 0 for a path without edges.

   The same roofs are told in one way only: over a string they are open screens, side by side in the zone of each other; as
   edges they would be lossy wedges, each alone. */
double rcity_over_roofs_share(const rcity_facet_table *world, const rcity_profile_point *edges, int count,
                              const rcity_trace_path *path);

#endif

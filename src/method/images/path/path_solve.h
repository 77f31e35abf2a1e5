/* From a route, the walls, levels and edges that a path meets in order, to the path itself, the one of least length.
   Mirrors are unfolded, so what remains is a straight line, or a line with one or two edges; its length is convex. */
#ifndef RCITY_METHOD_IMAGES_PATH_PATH_SOLVE_H
#define RCITY_METHOD_IMAGES_PATH_PATH_SOLVE_H

#include "method/images/path/trace_path.h"
#include "method/images/search/beam_tree.h"

#define RCITY_ROUTE_EDGE_MAX 2

/* What lies between two edges, or between an edge and an end: walls in order, and a level mirror (roof or ground) that
   the path bounces off somewhere between, -1 for none. The solution says where. */
typedef struct rcity_stretch {
    int wall_count;
    int32_t wall[RCITY_REFLECTION_MAX];
    int32_t level;
} rcity_stretch;

typedef struct rcity_route {
    int edge_count;
    int32_t facet_edge[RCITY_ROUTE_EDGE_MAX];
    rcity_stretch stretch[RCITY_ROUTE_EDGE_MAX + 1];
} rcity_route;

/* Solve a route between two places. The points lie in the planes and lines of its mirrors and edges; rcity_path_check()
   tests whether they lie on the mirrors and edges themselves, and whether the legs are free. @return false when there
   is no such path. */
bool rcity_path_solve(const rcity_facet_table *world, rcity_place3 tx, rcity_place3 rx, const rcity_route *route,
                      rcity_trace_path *path);

#endif

/* Ways to a place: a beam that holds it, after a way to come to the edge that the beam starts from. Where the tree is
   exact a way is a path, but for the heights of what it passes and meets, which are tested here. No line of sight is
   asked. */
#ifndef RCITY_METHOD_BEAMS_POINTS_BEAMS_WAYS_H
#define RCITY_METHOD_BEAMS_POINTS_BEAMS_WAYS_H

#include "method/beams/tree/beams_forest.h"
#include "method/images/path/path_check.h"
#include "method/images/path/path_solve.h"

/* The last part of a way. */
typedef struct rcity_beams_way_end {
    int32_t tree, node;
    int32_t part; /* of the tree */
} rcity_beams_way_end;

/* What paths are made with. */
typedef struct rcity_beams_ways {
    const rcity_beams_forest *forest;
    const rcity_path_checker *checker;
    rcity_place3 tx;
    bool ground_reflects;
    int32_t *found; /* with transmissions: room for all walls, for one thread; else NULL */
} rcity_beams_ways;

/* Hears each path. */
typedef rcity_status (*rcity_beams_listener)(void *user, const rcity_trace_path *path);

/* All paths to a place that end with a part of a beam which holds it: each arrival at the tree's edge that leaves enough
   reflections, with and without bounces off flat ground. The same order every time. */
rcity_status rcity_beams_ways_list(const rcity_beams_ways *ways, const rcity_beams_way_end *end, rcity_place3 rx,
                                   rcity_beams_listener listener, void *user);

/* Does a path turn into the shadow at each edge that diffracts it: beyond the straight ray past the edge? */
bool rcity_beams_path_turns_into_shadow(const rcity_facet_table *facets, const rcity_trace_path *path);

/* Must a path by a way lose more than beams may, or is it longer than they may be? */
bool rcity_beams_way_is_cut(const rcity_beams_forest *forest, const rcity_beams_node *node,
                            const rcity_beams_arrival *arrival, double x, double y);

/* The route of a way, without bounces off the ground. `arrival` is -1 for the transmitter's own tree. */
void rcity_beams_route_fill(const rcity_beams_forest *forest, int32_t tree, int32_t node, int32_t arrival,
                            rcity_route *route);

#endif

/* The routes that beams propose to a place: each beam that may hold it, after each way to come to the edge that the beam
   starts from. */
#ifndef RCITY_METHOD_BEAMS_POINTS_BEAMS_ROUTES_H
#define RCITY_METHOD_BEAMS_POINTS_BEAMS_ROUTES_H

#include "method/beams/points/beams_index.h"
#include "method/images/search/path_search.h"

/* Where routes come from. */
typedef struct rcity_beams_routes {
    const rcity_beams_forest *forest;
    const rcity_beams_index *index; /* of its beams; NULL, or without a list for a place: all beams are asked */
} rcity_beams_routes;

/* How much wider than they are beams are taken, so that ties are decided where all other paths are checked. */
double rcity_beams_slack_m(const rcity_shapes *shapes);

/* A source of routes for a search: `user` is an rcity_beams_routes. The same routes in the same order with and without
   an index. */
rcity_status rcity_beams_propose(const void *user, rcity_context *context, const rcity_search *search,
                                 rcity_searcher *searcher, rcity_place3 rx, rcity_path_list *list);

/* May a beam hold a place, or one less than so far from it? */
bool rcity_beams_node_holds(const rcity_beams_tree *tree, const rcity_beams_world *world, int32_t node, double x,
                            double y, double slack_m);

#endif

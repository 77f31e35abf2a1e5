/* Paths over two edges: the transmitter's beams behind a first edge, matched with the edges that the receiver meets. */
#ifndef RCITY_METHOD_IMAGES_EDGES_TWO_EDGES_H
#define RCITY_METHOD_IMAGES_EDGES_TWO_EDGES_H

#include "method/images/search/path_search.h"

/* The images of an end at all edges that its tree meets, sorted by edge. */
rcity_status rcity_two_edges_list(rcity_context *context, rcity_place3 end, const rcity_reach *reach,
                                  const rcity_level_table *levels, const rcity_facet_table *world,
                                  rcity_edge_ends *list);

/* Find the paths over two edges to a receiver whose tree and levels are built. */
rcity_status rcity_two_edges_find(rcity_context *context, const rcity_search *search, rcity_searcher *searcher,
                                  rcity_place3 rx, rcity_path_list *list);

#endif

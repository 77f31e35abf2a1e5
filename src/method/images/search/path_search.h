/* All paths between a transmitter and a receiver, up to given orders. The search meets in the middle: a tree of beams
   from the transmitter, built once, one from each receiver, and the edges that both meet. The routes that they propose
   are solved and checked. */
#ifndef RCITY_METHOD_IMAGES_SEARCH_PATH_SEARCH_H
#define RCITY_METHOD_IMAGES_SEARCH_PATH_SEARCH_H

#include "method/images/edges/edge_tree.h"
#include "method/images/path/path_check.h"
#include "method/images/path/path_solve.h"
#include "scene/facets/terrain_tree.h"

typedef struct rcity_search_orders {
    int max_reflections, max_diffractions, max_transmissions;
    bool ground_reflects, roofs_reflect;
} rcity_search_orders;

/* Levels that a beam may bounce off before each edge it meets: those of meeting m start at level[first[m]]. */
typedef struct rcity_level_table {
    size_t *first; /* one more than meetings */
    size_t first_capacity;
    int32_t *level;
    size_t level_count, level_capacity;
} rcity_level_table;

struct rcity_search;
struct rcity_searcher;
struct rcity_path_list;

/* Another search's routes in place of those of the trees here: `propose` passes each route to a place to
   rcity_search_propose(), and is safe in several threads. */
typedef struct rcity_route_source {
    rcity_status (*propose)(const void *user, rcity_context *context, const struct rcity_search *search,
                            struct rcity_searcher *searcher, rcity_place3 rx, struct rcity_path_list *list);
    const void *user;
} rcity_route_source;

/* What all receivers of one transmitter share; read-only while they are searched. */
typedef struct rcity_search {
    const rcity_facet_table *world;
    const rcity_reach_world *reach_world;
    rcity_path_checker checker;
    rcity_search_orders orders;
    rcity_place3 tx;
    rcity_place3 tx_aside;                  /* the place that the search is made for: see path_ends.h */
    const rcity_terrain_tree *terrain_tree; /* set it for terrain of many cells; may be NULL */
    double lowest_roof;                     /* of all prisms: below it no roof reflects */
    rcity_reach tx_reach;
    rcity_level_table tx_levels;
    int8_t *rx_depth;   /* per edge: reflections left for the receiver's side; -1: the transmitter does not meet it */
    int32_t *rx_listed; /* the edges with 0 or more left */
    rcity_plan_tree rx_listed_tree;
    rcity_edge_forest forest;  /* with two diffractions: what lies between two edges */
    rcity_route_source source; /* `propose` NULL: none */
} rcity_search;

/* Build the trees of a transmitter, with reports of progress: on the caller's thread. */
rcity_status rcity_search_init(rcity_context *context, const rcity_reach_world *reach_world,
                               const rcity_path_checker *checker, const rcity_search_orders *orders, rcity_place3 tx,
                               rcity_search *search);

/* A search among the routes of a source, which outlives it. Its own tree has one reflection, for paths over roofs. */
rcity_status rcity_search_init_source(rcity_context *context, const rcity_reach_world *reach_world,
                                      const rcity_path_checker *checker, const rcity_search_orders *orders,
                                      rcity_place3 tx, const rcity_route_source *source, rcity_search *search);

/* The same from another place, in any thread, without reports. */
rcity_status rcity_search_init_from(rcity_context *context, const rcity_search *like, rcity_place3 place,
                                    rcity_search *search);

void rcity_search_deinit(rcity_context *context, rcity_search *search);

/* The paths of one receiver, packed. */
typedef struct rcity_path_list {
    size_t path_count, path_capacity;
    size_t *event_end; /* for each path: the end of its events */
    size_t event_count, event_capacity;
    rcity_trace_event *events;
} rcity_path_list;

void rcity_path_list_deinit(rcity_context *context, rcity_path_list *list);

/* Add a path's events. */
rcity_status rcity_path_list_add(rcity_context *context, rcity_path_list *list, const rcity_trace_path *path);

/* One path of a list, between its ends. */
void rcity_path_list_get(const rcity_path_list *list, size_t index, rcity_place3 tx, rcity_place3 rx,
                         rcity_trace_path *path);

/* Working memory of a thread. */
typedef struct rcity_searcher {
    rcity_place3 rx; /* the current receiver's position */
    int side;        /* the side that the receiver is tested on, 0 unless set: see path_ends.h */
    rcity_reach rx_reach;
    rcity_level_table rx_levels;
    int32_t *levels; /* of one stretch */
    size_t level_capacity;
    rcity_edge_ends rx_ends;           /* with two diffractions: the receiver's images at the edges it meets */
    rcity_status (*pause)(void *user); /* called now and then in long searches; its failure ends them; NULL for none */
    void *pause_user;
} rcity_searcher;

rcity_status rcity_searcher_init(rcity_context *context, const rcity_search *search, rcity_searcher *searcher);
void rcity_searcher_deinit(rcity_context *context, rcity_searcher *searcher);

/* Find all paths to a receiver and add them to a list. Safe in several threads, each with its own searcher and list. */
rcity_status rcity_search_run(rcity_context *context, const rcity_search *search, rcity_searcher *searcher,
                              rcity_place3 rx, rcity_path_list *list);

/* For the parts of the search: solve, check and keep one route. */
rcity_status rcity_search_propose(rcity_context *context, const rcity_search *search, const rcity_searcher *searcher,
                                  rcity_place3 rx, const rcity_route *route, rcity_path_list *list);

/* The walls between the source of a tree and a beam, in that order or reversed. */
void rcity_stretch_fill(const rcity_beam *beams, int32_t beam, bool is_forward, rcity_stretch *stretch);

#endif

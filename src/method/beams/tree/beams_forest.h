/* All beams of a transmitter: its own tree, and a tree for each vertical edge that a beam meets. A vertical edge is a
   point of the plan, so what leaves it is the same for all that arrives there: its beams are found once. An arrival is
   one way to come to an edge; its reflections, its length and its direction in plan are fixed. */
#ifndef RCITY_METHOD_BEAMS_TREE_BEAMS_FOREST_H
#define RCITY_METHOD_BEAMS_TREE_BEAMS_FOREST_H

#include "method/beams/tree/beams_tree.h"

#define RCITY_BEAMS_DIFFRACTION_MAX 2

typedef struct rcity_beams_orders {
    int max_reflections, max_diffractions, max_transmissions;
} rcity_beams_orders;

/* One way to come to a vertical edge. */
typedef struct rcity_beams_arrival {
    int32_t tree;                      /* whose beam comes to the edge: 0, the transmitter's, or that of another edge */
    int32_t meeting;                   /* of that beam with the edge */
    int32_t before;                    /* the arrival at the other edge; -1 from the transmitter */
    int16_t reflections, diffractions; /* so far, this edge included */
    int16_t transmissions;             /* at least */
    double plan_m;                     /* unfolded length in plan from the transmitter */
    double loss_db;                    /* that its walls take at least */
    double least_m, most_m; /* no receiver nearer or farther than this, unfolded, has a ray that comes this way */
} rcity_beams_arrival;

typedef struct rcity_beams_forest {
    rcity_beams_growth growth;
    rcity_beams_orders orders;
    rcity_beams_tree *trees; /* the first is the transmitter's */
    int32_t tree_count;
    int32_t *tree_of; /* for each facet edge: its tree; -1 */
    rcity_beams_arrival *arrivals;
    size_t arrival_count, arrival_capacity;
    int32_t *arrival_first; /* for each tree, and one more: where its arrivals begin in `arrival_order` */
    int32_t *arrival_order;
    rcity_beams_cuts cuts; /* of all trees, and of ways to edges */
} rcity_beams_forest;

/* How much a forest may hold. */
typedef struct rcity_beams_forest_limits {
    size_t arrival_max;
} rcity_beams_forest_limits;

/* Grow the forest of a transmitter, on all threads of the context. `growth` is copied; its world is borrowed. */
rcity_status rcity_beams_forest_grow(rcity_context *context, const rcity_beams_growth *growth,
                                     const rcity_beams_orders *orders, const rcity_beams_forest_limits *limits,
                                     double x, double y, double height_m, rcity_beams_forest *forest);
/* May the beam of a node follow an arrival at the edge it starts from? */
static inline bool rcity_beams_arrival_goes_on(const rcity_beams_orders *orders, const rcity_beams_arrival *arrival,
                                               const rcity_beams_node *node)
{
    return arrival->reflections + node->depth <= orders->max_reflections &&
           arrival->transmissions + node->transmissions <= orders->max_transmissions;
}

void rcity_beams_forest_deinit(rcity_context *context, rcity_beams_forest *forest);

#endif

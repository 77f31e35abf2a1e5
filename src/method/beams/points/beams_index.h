/* Which beams may hold a place: for each square of the plan in which receivers are, the beams that reach into it. Places
   elsewhere have no list. Made once for a transmitter, then read by any number of threads. */
#ifndef RCITY_METHOD_BEAMS_POINTS_BEAMS_INDEX_H
#define RCITY_METHOD_BEAMS_POINTS_BEAMS_INDEX_H

#include "method/beams/tree/beams_forest.h"

/* A beam of a forest. */
typedef struct rcity_beams_index_beam {
    int32_t tree, node;
} rcity_beams_index_beam;

/* A square of the plan. */
typedef struct rcity_beams_square {
    double column, row; /* whole numbers, from west and south */
} rcity_beams_square;

typedef struct rcity_beams_index {
    int64_t square_count;
    rcity_beams_square *squares; /* row by row */
    int64_t *first;              /* for each square, and one more: where its list begins in `beams` */
    rcity_beams_index_beam *beams;
} rcity_beams_index;

/* List the beams of a forest for places in plan, two numbers each, and for all that lies a metre around them. `slack_m`
   is that of rcity_beams_node_holds(): each beam that holds a place by that function is in the place's list. */
rcity_status rcity_beams_index_init(rcity_context *context, const rcity_beams_forest *forest, double slack_m,
                                    int64_t place_count, const double *xy_m, rcity_beams_index *index);
void rcity_beams_index_deinit(rcity_context *context, rcity_beams_index *index);

/* The list of a place, in the order of trees and nodes. @return false where there is none. */
bool rcity_beams_index_find(const rcity_beams_index *index, double x, double y, const rcity_beams_index_beam **beams,
                            int64_t *count);

#endif

/* The walls that a beam's rays meet and pass, unfolded into the frame of its last leg: there every ray is a straight line
   from the image of the source. */
#ifndef RCITY_METHOD_BEAMS_FAST_FAST_CHAIN_H
#define RCITY_METHOD_BEAMS_FAST_FAST_CHAIN_H

#include "method/beams/tree/beams_forest.h"

typedef struct rcity_fast_wall {
    double x, y;    /* normal in plan, of length 1, away from the source */
    double ahead_m; /* of the wall's line, along the normal, from the image of the source */
    double bottom_m, top_m;
    int32_t wall;
    bool is_passed; /* over its top; else it reflects */
} rcity_fast_wall;

typedef struct rcity_fast_chain {
    rcity_fast_wall *walls; /* in order from the source */
    size_t wall_count, wall_capacity;
    int depth;
    double back[2][2]; /* turns a direction of the last leg into that with which the ray left the source */
} rcity_fast_chain;

/* Of a node's beam, up to the walls that its last leg passes. The chain's memory grows as needed and is kept. */
rcity_status rcity_fast_chain_fill(rcity_context *context, const rcity_beams_forest *forest,
                                   const rcity_beams_tree *tree, int32_t node, int32_t passed_first,
                                   int32_t passed_count, rcity_fast_chain *chain);

#endif

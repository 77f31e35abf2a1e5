/* What lies between two edges: a tree of beams from each edge that the transmitter meets. It does not depend on
   receivers, so it is made once. Rays from each image of the transmitter leave an edge only along Keller's cone: behind
   a roof edge the cone is narrow in plan, behind a vertical edge rays keep their slope. */
#ifndef RCITY_METHOD_IMAGES_EDGES_EDGE_TREE_H
#define RCITY_METHOD_IMAGES_EDGES_EDGE_TREE_H

#include "method/images/edges/edge_cone.h"
#include "method/images/edges/solid_core.h"
#include "method/images/search/beam_tree.h"

/* An end of the path as an edge sees it, through the mirrors between them. */
typedef struct rcity_edge_end {
    rcity_place3 image;
    int32_t facet_edge, beam; /* which beam of that end's tree meets which edge */
    int32_t level;            /* the level mirror before the edge, -1 for none */
    int32_t spent;            /* reflections before the edge */
} rcity_edge_end;

/* Ends, sorted by edge. Grows as needed. */
typedef struct rcity_edge_ends {
    rcity_edge_end *ends;
    size_t count, capacity;
} rcity_edge_ends;

/* Beams from one edge. Each image of the transmitter has its own run of beams, one run after the other; each run begins
   with a beam of depth 0. */
typedef struct rcity_edge_tree {
    size_t end_first, end_count; /* the transmitter's images at this edge */
    rcity_beam *beams;
    rcity_place3 *eyes; /* for each beam of a roof edge: the transmitter's image in the beam's own unfolding */
    size_t beam_count, beam_capacity, eye_capacity;
} rcity_edge_tree;

/* All trees of a transmitter, by edge. */
typedef struct rcity_edge_forest {
    rcity_edge_ends tx_ends;
    rcity_solid_core core;
    size_t tree_count;
    rcity_edge_tree *trees;
} rcity_edge_forest;

/* Grow the trees of a forest that holds its sorted ends and nothing else. A path has at most `max_reflections`
   reflections. With `reports` the caller's thread reports progress. On failure the forest is empty. */
rcity_status rcity_edge_forest_grow(rcity_context *context, const rcity_reach_world *reach_world, int max_reflections,
                                    bool reports, rcity_edge_forest *forest);
void rcity_edge_forest_deinit(rcity_context *context, rcity_edge_forest *forest);

/* Do building cores hide a segment from a part of a beam's source, tested piece by piece? Heights are the highest of
   each. */
bool rcity_beam_is_hidden(const rcity_reach_world *reach_world, const rcity_solid_core *core, const rcity_beam *beam,
                          const rcity_plan_segment *source, double z, const rcity_plan_segment *target, double top);

/* The cone of a beam from an edge, with the transmitter's image at that edge. */
rcity_edge_cone rcity_edge_tree_cone(const rcity_edge_tree *tree, size_t beam, const rcity_facet_edge *facet_edge,
                                     const rcity_edge_end *end);

#endif

/* How strong diffracted rays may be that leave a vertical edge in some directions, whatever way they came: a bound from
   above, by which beams of edges are cut and weak paths are passed by. */
#ifndef RCITY_METHOD_BEAMS_TREE_BEAM_STRENGTH_H
#define RCITY_METHOD_BEAMS_TREE_BEAM_STRENGTH_H

#include "method/beams/beams_world.h"

#define RCITY_BEAM_STRENGTH_BINS 256 /* over the directions around an edge */

/* One way to come to the edge. */
typedef struct rcity_beam_strength_way {
    double phi_in_rad; /* of the direction back to where it comes from, from face o on */
    double plan_m;     /* its length in plan */
    double loss_db;    /* that its reflections take at least */
} rcity_beam_strength_way;

typedef struct rcity_beam_strength {
    double exterior_rad;
    double before_m; /* the shortest way */
    double near;     /* the greatest share of its power that any way brings */
    float far[RCITY_BEAM_STRENGTH_BINS];
    /* of each direction, the greatest over all ways: squares of diffracted fields far from the shadow boundaries, in units
       of sqrt(2 k L), times the share of power, over the length of the way, in 1 / m */
} rcity_beam_strength;

/* Of no way so far: nothing leaves the edge. */
void rcity_beam_strength_init(double exterior_rad, rcity_beam_strength *strength);
void rcity_beam_strength_add(const rcity_beam_strength_way *way, rcity_beam_strength *strength);

/* The least loss of rays that leave between two directions, `after_m` or farther from the edge in plan: spreading,
   diffraction and the reflections before. */
double rcity_beam_strength_loss_db(const rcity_beam_strength *strength, const rcity_facet_table *facets,
                                   double from_rad, double to_rad, double after_m);

#endif

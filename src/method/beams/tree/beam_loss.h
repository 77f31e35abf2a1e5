/* The least loss that beams can have, by which they are cut. */
#ifndef RCITY_METHOD_BEAMS_TREE_BEAM_LOSS_H
#define RCITY_METHOD_BEAMS_TREE_BEAM_LOSS_H

#include "scene/facets/facet_table.h"

/* Free-space loss over a length. */
double rcity_beam_spread_db(const rcity_facet_table *facets, double length_m);

/* What a reflection takes at least, of either polarization, from level rays whose directions of travel make these cosines
   with the wall's normal: at its two ends and between. */
double rcity_beam_reflection_db(const rcity_facet_table *facets, int32_t wall, double cos_right, double cos_left);

/* What a wall takes at least of such rays that go through it: of those whose cosines lie between two, by samples. */
double rcity_beam_transmission_db(const rcity_facet_table *facets, int32_t wall, double cos_least, double cos_most);

#endif

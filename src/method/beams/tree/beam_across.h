/* Directions across a beam, from 0 to 1: which are one but for rounding, and what lies between. */
#ifndef RCITY_METHOD_BEAMS_TREE_BEAM_ACROSS_H
#define RCITY_METHOD_BEAMS_TREE_BEAM_ACROSS_H

#include "method/beams/tree/beam_sight.h"

#define RCITY_BEAM_ACROSS_MIN 1e-14 /* a narrower stretch is rounding */

/* Are two directions across a beam one, but for rounding? */
static inline bool rcity_beam_is_same(double a, double b)
{
    return fabs(a - b) <= RCITY_BEAM_ACROSS_MIN;
}

static inline double rcity_beam_middle(double right, double left)
{
    return 0.5 * (right + left);
}

/* How near the wall is that ends a span; 0 where it is open. */
static inline double rcity_beam_span_nearness(const rcity_beam_sight *sight, const rcity_beam_span *span, double across)
{
    return span->sighting < 0 ? 0.0 : rcity_beam_line_at(sight->sightings[span->sighting].line, across);
}

#endif

/* The parts of a beam between what it sees. */
#ifndef RCITY_METHOD_BEAMS_TREE_BEAM_DIVIDE_H
#define RCITY_METHOD_BEAMS_TREE_BEAM_DIVIDE_H

#include "method/beams/tree/beam_sight.h"

/* Add the parts of one span and the walls that they meet: the span is cut where a lower wall begins or ends. Orders and open
   hits have room for all lower walls. */
rcity_status rcity_beam_divide(rcity_context *context, const rcity_beams_world *world, const rcity_beam_limits *limits,
                               const rcity_beam_span *span, rcity_beam_sight *sight);

#endif

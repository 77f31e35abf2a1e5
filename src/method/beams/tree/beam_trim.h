/* Leaving out what a beam sees but no path needs: parts and walls that no ray comes to at a height at which it also comes
   down to a receiver. */
#ifndef RCITY_METHOD_BEAMS_TREE_BEAM_TRIM_H
#define RCITY_METHOD_BEAMS_TREE_BEAM_TRIM_H

#include "method/beams/tree/beam_sight.h"

/* No receiver nearer than this to a beam's source, unfolded, has a ray that passes over all of some walls between two
   directions. */
double rcity_beam_trim_least_m(const rcity_beams_world *world, const rcity_beam_frame *frame,
                               const rcity_beam_limits *limits, const int32_t *passed, int32_t passed_count,
                               double right, double left);

/* Leave out of a sight the parts without receivers, and the hits that neither reflect a ray nor, where `meets_edges`, end
   at an edge. `reflected` is what is known of rays that go on from hits; NULL: none does. */
rcity_status rcity_beam_trim(rcity_context *context, const rcity_beams_world *world, const rcity_beam_frame *frame,
                             const rcity_beam_limits *limits, const rcity_beam_heights *reflected, bool meets_edges,
                             rcity_beam_sight *sight);

#endif

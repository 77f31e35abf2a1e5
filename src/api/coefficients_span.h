/* Predictions against the spans that coefficients were fitted on. */
#ifndef RCITY_API_COEFFICIENTS_SPAN_H
#define RCITY_API_COEFFICIENTS_SPAN_H

#include "base/base.h"
#include "radiocity/radiocity.h"

/* Height of an antenna above the ground where it stands; where no ground is known, as stated. */
double rcity_tx_height_above_ground_m(rcity_context *context, const rcity_scene *scene,
                                      const rcity_transmitter *transmitter);

#endif

/* One half of the plan, swept row by row away from the source. */
#ifndef RCITY_METHOD_SHADOW_LOS_SWEEP_H
#define RCITY_METHOD_SHADOW_LOS_SWEEP_H

#include "method/shadow/los/los_shade.h"

/* Set the half's lit pixels, and note those that the segment test must decide. half->status tells what went wrong. */
void rcity_los_sweep(rcity_los_half *half);

#endif

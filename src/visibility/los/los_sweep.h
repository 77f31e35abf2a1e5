/* One half of the plan, swept row by row away from the source. */
#ifndef RCITY_VISIBILITY_LOS_LOS_SWEEP_H
#define RCITY_VISIBILITY_LOS_LOS_SWEEP_H

#include "visibility/los/los_shade.h"

/* Set the half's visible pixels, and note those that the segment test must decide. A failure is in half->status. */
void rcity_los_sweep(rcity_los_half *half);

#endif

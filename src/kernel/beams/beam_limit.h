/* How strong a diffracted ray may be at most, without following it. A diffracted field is at most a constant near the
   shadow boundaries of the rays that end at its edge; elsewhere it falls with the root of L = s s' / (s + s'). */
#ifndef RCITY_KERNEL_BEAMS_BEAM_LIMIT_H
#define RCITY_KERNEL_BEAMS_BEAM_LIMIT_H

#include "kernel/beams/beam_tables.h"

/* Power in a direction `last_m` behind the edge, times the square of a length in m2: spreading is in it. */
RCITY_KERNEL float rcity_beam_limit_of(RCITY_GLOBAL const rcity_beam_limit *limit, RCITY_GLOBAL const float *shares,
                                       float turn, float last_m)
{
    const float least_m = 1e-3f;
    float after_m = last_m > least_m ? last_m : least_m;
    float whole_m = limit->before_m + after_m;
    float far = shares[limit->first + (rcity_i32)(turn * (float)RCITY_BEAM_QUADRANT_STEPS)] * whole_m;
    float near = limit->near * after_m;
    return (far < near ? far : near) / (whole_m * whole_m * after_m);
}

#endif

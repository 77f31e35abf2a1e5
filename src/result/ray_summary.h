/* The sums and spreads of all paths of one receiver. */
#ifndef RCITY_RESULT_RAY_SUMMARY_H
#define RCITY_RESULT_RAY_SUMMARY_H

#include "radiocity/rays.h"
#include "result/spread.h"

/* Power of a path relative to the power into the transmitting antenna. */
static inline double rcity_path_power(const rcity_path *path)
{
    return path->amplitude.re * path->amplitude.re + path->amplitude.im * path->amplitude.im +
           path->cross_amplitude.re * path->cross_amplitude.re + path->cross_amplitude.im * path->cross_amplitude.im;
}

/* Fill a receiver's sums and spreads from its paths, strongest first, and from its scattered power, which is in the
   sums only. `input_dbm` is the power into the transmitting antenna, or NAN. `scratch` has room for one value per
   path. */
void rcity_ray_summary_fill(const rcity_path *paths, double input_dbm, rcity_weighted *scratch,
                            rcity_receiver_summary *summary);

#endif

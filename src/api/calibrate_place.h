/* Where transmitters truly stand: the place from which the measurements are explained best. */
#ifndef RCITY_API_CALIBRATE_PLACE_H
#define RCITY_API_CALIBRATE_PLACE_H

#include "api/calibrate_world.h"

/* How a transmitter was moved: x, y and height. */
typedef struct rcity_calibrate_shift {
    double reach[3]; /* 0: not moved */
    double value[3];
    double low[3], high[3]; /* 95 % confidence */
} rcity_calibrate_shift;

/* Find all transmitters' places within the options' reach, one after the other, coefficients fitted anew for each try;
   the world ends with its parts there. */
rcity_status rcity_calibrate_place(rcity_calibrate_world *world, const rcity_calibrate_options *options,
                                   rcity_calibrate_shift *shifts);

#endif

/* Coefficients of `cubes` for calibration. */
#ifndef RCITY_METHOD_CUBES_FIT_H
#define RCITY_METHOD_CUBES_FIT_H

#include "method/method_fit.h"

extern const rcity_method_fit rcity_cubes_fit;

#endif

/* The method `tiles` for a calibration. */
#ifndef RCITY_METHOD_TILES_TILES_FIT_H
#define RCITY_METHOD_TILES_TILES_FIT_H

#include "method/method_fit.h"

extern const rcity_method_fit rcity_tiles_fit;

#endif

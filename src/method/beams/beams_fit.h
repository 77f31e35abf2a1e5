/* What a calibration reads of `beams`. */
#ifndef RCITY_METHOD_BEAMS_FIT_H
#define RCITY_METHOD_BEAMS_FIT_H

#include "method/method_fit.h"

extern const rcity_method_fit rcity_beams_fit;

#endif

/* What a calibration needs from the method `shadow`: its coefficients and the losses of traced points with their
   slopes. */
#ifndef RCITY_METHOD_SHADOW_FIT_H
#define RCITY_METHOD_SHADOW_FIT_H

#include "method/method_fit.h"

extern const rcity_method_fit rcity_shadow_fit;

#endif

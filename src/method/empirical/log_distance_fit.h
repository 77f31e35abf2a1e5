/* What a calibration asks of the method `log-distance`: its coefficients and the losses of points with their slopes. */
#ifndef RCITY_METHOD_LOG_DISTANCE_FIT_H
#define RCITY_METHOD_LOG_DISTANCE_FIT_H

#include "method/method_fit.h"

extern const rcity_method_fit rcity_log_distance_fit;

#endif

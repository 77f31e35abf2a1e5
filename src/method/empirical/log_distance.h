/* Log-distance. */
#ifndef RCITY_METHOD_LOG_DISTANCE_H
#define RCITY_METHOD_LOG_DISTANCE_H

#include "method/empirical/empirical_run.h"

extern const rcity_empirical rcity_log_distance_method;

#endif

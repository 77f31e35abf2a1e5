/* Log-distance. */
#ifndef RCITY_METHOD_LOG_DISTANCE_H
#define RCITY_METHOD_LOG_DISTANCE_H

#include "method/empirical/empirical_run.h"

/* Indices of its options. */
enum {
    RCITY_LOG_DISTANCE_OPTION_EXPONENT,
    RCITY_LOG_DISTANCE_OPTION_REFERENCE_DISTANCE,
    RCITY_LOG_DISTANCE_OPTION_REFERENCE_LOSS,
    RCITY_LOG_DISTANCE_OPTION_LAND_COVER,
    RCITY_LOG_DISTANCE_OPTION_COUNT,
};

extern const rcity_empirical rcity_log_distance_method;

#endif

/* The method `shadow`: sight, walls, corners and roofs, traced once and weighed by calibrated laws. */
#ifndef RCITY_METHOD_SHADOW_H
#define RCITY_METHOD_SHADOW_H

#include "method/method.h"

/* Its options, in the order of its list. */
typedef enum rcity_shadow_option {
    RCITY_SHADOW_OPTION_ORDER,
    RCITY_SHADOW_OPTION_ROOFS,
    RCITY_SHADOW_OPTION_WALLS,
    RCITY_SHADOW_OPTION_SUM,
    RCITY_SHADOW_OPTION_INDOOR,
    RCITY_SHADOW_OPTION_DIRECT,
    RCITY_SHADOW_OPTION_STREET_FIRST,
    RCITY_SHADOW_OPTION_STREET_TURN,
    RCITY_SHADOW_OPTION_STREET_DECADE,
    RCITY_SHADOW_OPTION_STREET_LINEAR,
    RCITY_SHADOW_OPTION_STREET_SQUARE,
    RCITY_SHADOW_OPTION_ROOF_FIRST,
    RCITY_SHADOW_OPTION_ROOF_TURN,
    RCITY_SHADOW_OPTION_ROOF_DECADE,
    RCITY_SHADOW_OPTION_ROOF_LINEAR,
    RCITY_SHADOW_OPTION_ROOF_SQUARE,
    RCITY_SHADOW_OPTION_FIRST_WALL,
    RCITY_SHADOW_OPTION_WALL,
    RCITY_SHADOW_OPTION_METRE,
    RCITY_SHADOW_OPTION_FOLIAGE,
    RCITY_SHADOW_OPTION_COUNT
} rcity_shadow_option;

/* What its default coefficients were fitted on: docs/methods/shadow.md. */
#define RCITY_SHADOW_FREQUENCY_MIN_HZ 400e6
#define RCITY_SHADOW_FREQUENCY_MAX_HZ 6e9

extern const rcity_method rcity_shadow_method;

#endif

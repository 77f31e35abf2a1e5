/* The method `images`: every path between a transmitter and its receivers, to chosen orders. */
#ifndef RCITY_METHOD_IMAGES_H
#define RCITY_METHOD_IMAGES_H

#include "method/method.h"

/* Its options, in the order of its list. */
typedef enum rcity_images_option {
    RCITY_IMAGES_MAX_REFLECTIONS,
    RCITY_IMAGES_MAX_DIFFRACTIONS,
    RCITY_IMAGES_MAX_TRANSMISSIONS,
    RCITY_IMAGES_OVER_ROOFS,
    RCITY_IMAGES_ROOF_FORM,
    RCITY_IMAGES_GROUND,
    RCITY_IMAGES_ROOFS,
    RCITY_IMAGES_RX_POLARIZATION,
    RCITY_IMAGES_SUM,
    RCITY_IMAGES_SCATTERING,
    RCITY_IMAGES_SCATTERING_COEFFICIENT,
    RCITY_IMAGES_SCATTERING_OF,
    RCITY_IMAGES_SCATTERING_EXPONENT,
    RCITY_IMAGES_SCATTERING_RANGE_M,
    RCITY_IMAGES_SCATTERING_TILE_M,
    RCITY_IMAGES_SCATTERING_NEAR_M,
    RCITY_IMAGES_SCATTERING_NEAR,
    RCITY_IMAGES_OPTION_COUNT
} rcity_images_option;

extern const rcity_method rcity_images_method;

#endif

/* The method `beams`: beams split at the walls that they see, evaluated over a raster or at places. */
#ifndef RCITY_METHOD_BEAMS_H
#define RCITY_METHOD_BEAMS_H

#include "method/method.h"

/* Its options, in the order of its list. */
typedef enum rcity_beams_option {
    RCITY_BEAMS_MAX_REFLECTIONS,
    RCITY_BEAMS_MAX_DIFFRACTIONS,
    RCITY_BEAMS_GROUND,
    RCITY_BEAMS_DIFFRACTION_REGION,
    RCITY_BEAMS_LOSS_LIMIT_DB,
    RCITY_BEAMS_BEAM_WIDTH_MIN_DEG,
    RCITY_BEAMS_BEAM_MAX,
    RCITY_BEAMS_RX_POLARIZATION,
    RCITY_BEAMS_SUM,
    RCITY_BEAMS_EXCESS_DB,
    RCITY_BEAMS_OVER_ROOFS,
    RCITY_BEAMS_DIRECT_DB, /* these in the order of RCITY_BEAMS_DIRECT and so on */
    RCITY_BEAMS_REFLECTED_DB,
    RCITY_BEAMS_DIFFRACTED_DB,
    RCITY_BEAMS_ROOFS_DB,
    RCITY_BEAMS_SURROUNDINGS,
    RCITY_BEAMS_DIFFUSE,
    RCITY_BEAMS_DIFFUSE_ROOF,
    RCITY_BEAMS_DOUBT,
    RCITY_BEAMS_DIFFUSE_ELEVATION,
    RCITY_BEAMS_DOUBT_DISTANCE,
    RCITY_BEAMS_OPTION_COUNT
} rcity_beams_option;

extern const rcity_method rcity_beams_method;

#endif

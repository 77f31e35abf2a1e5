/* The method `tiles`: the field on tiles of all surfaces, and at receivers, bounced from tile to tile. J. S. Lu et al.,
   "A discrete environment-driven GPU-based ray launching algorithm", IEEE Transactions on Antennas and Propagation 67(2),
   2019. */
#ifndef RCITY_METHOD_TILES_H
#define RCITY_METHOD_TILES_H

#include "method/method.h"

/* Its options, in the order of its list. */
typedef enum rcity_tiles_option {
    RCITY_TILES_MAX_BOUNCES,
    RCITY_TILES_MAX_REFLECTIONS,
    RCITY_TILES_MAX_DIFFRACTIONS,
    RCITY_TILES_LOSS_LIMIT_DB,
    RCITY_TILES_SUM,
    RCITY_TILES_RX_POLARIZATION,
    RCITY_TILES_OVER_ROOFS,
    RCITY_TILES_SCATTERING,
    RCITY_TILES_SCATTERING_COEFFICIENT,
    RCITY_TILES_SCATTERING_OF,
    RCITY_TILES_SCATTERING_EXPONENT,
    RCITY_TILES_TILE_AREA_M2,
    RCITY_TILES_WALL_TILE_AREA_M2,
    RCITY_TILES_ROOF_TILE_AREA_M2,
    RCITY_TILES_GROUND_TILE_AREA_M2,
    RCITY_TILES_TILE_ORIENTATION,
    RCITY_TILES_GROUND_AXIS_DEG,
    RCITY_TILES_GROUND_MARGIN_M,
    RCITY_TILES_WALL_WIDTH_MIN_M,
    RCITY_TILES_WALL_AREA_MIN_M2,
    RCITY_TILES_TILE_RANGE_M,
    RCITY_TILES_DIRECT_DB, /* these in the order of RCITY_TILE_DIRECT and so on */
    RCITY_TILES_REFLECTED_DB,
    RCITY_TILES_DIFFRACTED_DB,
    RCITY_TILES_ROOFS_DB,
    RCITY_TILES_SCATTERED_DB,
    RCITY_TILES_OPTION_COUNT
} rcity_tiles_option;

extern const rcity_method rcity_tiles_method;

#endif

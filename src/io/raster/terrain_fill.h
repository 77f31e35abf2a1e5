/* Filling voids in a grid of heights. */
#ifndef RCITY_IO_RASTER_TERRAIN_FILL_H
#define RCITY_IO_RASTER_TERRAIN_FILL_H

#include "base/base.h"
#include "radiocity/import.h"

/* Number of nodes that interpolation searches in each of the eight directions; a void without a height that near is too
   large. */
#define RCITY_FILL_REACH 100

/* Give every node that is NAN a height, as `fill` says; at least one node has one.
   RCITY_FILL_NEAREST: that of the nearest node that has one. RCITY_FILL_INTERPOLATE: the mean of the first heights in
   the eight directions of the grid, weighted by the inverse square of their distance. RCITY_FILL_VALUE: `value_m`.
   `*filled_count` counts them.
   @return RCITY_ERR_ARGUMENT for a void too large to be interpolated, RCITY_ERR_MEMORY. */
rcity_status rcity_terrain_fill(rcity_context *context, rcity_fill fill, double value_m, int column_count,
                                int row_count, float *height_m, int64_t *filled_count);

#endif

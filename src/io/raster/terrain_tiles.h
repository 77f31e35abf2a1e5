/* Which tiles of one degree a terrain lacks. */
#ifndef RCITY_IO_RASTER_TERRAIN_TILES_H
#define RCITY_IO_RASTER_TERRAIN_TILES_H

#include "io/raster/raster_region.h"

#define RCITY_MISSING_TILES_BYTES 400

/* Name the tiles that some place of the lattice needs and no raster covers: "tiles are missing: N44W071.hgt, ...", by
   some hundred places in each direction. "" when none is missing or the rasters are no such tiles. */
void rcity_terrain_name_missing(const rcity_import *import, const rcity_raster_set *set, const rcity_lattice *lattice,
                                char names[RCITY_MISSING_TILES_BYTES]);

#endif

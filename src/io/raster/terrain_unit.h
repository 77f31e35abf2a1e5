/* The unit of the heights of rasters. */
#ifndef RCITY_IO_RASTER_TERRAIN_UNIT_H
#define RCITY_IO_RASTER_TERRAIN_UNIT_H

#include "io/raster/raster_source.h"

/* Set the unit of every tile: options->terrain_unit, else metres.
   @return RCITY_ERR_ARGUMENT for a word that is no unit, and for a raster that states a unit other than metres if the
   options give none. */
rcity_status rcity_terrain_settle_units(rcity_import *import, rcity_raster_set *set);

#endif

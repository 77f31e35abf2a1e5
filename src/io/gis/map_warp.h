/* A map in another CRS: each new cell takes the value of the old cell that contains its centre. */
#ifndef RCITY_IO_GIS_MAP_WARP_H
#define RCITY_IO_GIS_MAP_WARP_H

#include "io/gis/gdal_call.h"
#include "radiocity/map.h"

/* Is a map not in this CRS already? @return RCITY_ERR_ARGUMENT for a CRS that is unknown or "none", and for a map
   without one. */
rcity_status rcity_map_warp_is_needed(rcity_gdal_call *call, const rcity_map *map, const char *crs, bool *is_needed);

/* Make the warped map with one of its bands or, when `band_index` is below 0, all. Its cells are square in the new CRS
   and, unless `side_max` (0: none) limits the longer side, no larger than an old cell there: 5 m stay 5 m between UTM
   zones, and in degrees a cell is as wide as the narrower side of an old one. Centres are found to a thousandth of a
   cell. Owned by the caller. @return RCITY_ERR_ARGUMENT when the map cannot be transformed to the CRS or is torn apart
   there, RCITY_ERR_CANCELLED, RCITY_ERR_MEMORY. */
rcity_status rcity_map_warp(rcity_gdal_call *call, const rcity_map *map, int band_index, const char *crs,
                            int64_t side_max, rcity_map **warped);

#endif

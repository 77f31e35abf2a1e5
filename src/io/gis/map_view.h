/* A map as a GDAL dataset, without a copy of its values. */
#ifndef RCITY_IO_GIS_MAP_VIEW_H
#define RCITY_IO_GIS_MAP_VIEW_H

#include <gdal.h>

#include "io/gis/gdal_call.h"
#include "radiocity/map.h"

/* All bands with names, units and no-data; position, CRS, notes. Close with GDALClose() before the map is destroyed. */
rcity_status rcity_map_view_open(rcity_gdal_call *call, const rcity_map *map, GDALDatasetH *view);

#endif

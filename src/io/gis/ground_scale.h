/* The area on the ground of a cell of a map. */
#ifndef RCITY_IO_GIS_GROUND_SCALE_H
#define RCITY_IO_GIS_GROUND_SCALE_H

#include "io/gis/gdal_call.h"
#include "radiocity/map.h"

/* Area on the ground of one square unit of a projected CRS at a place of it, in square metres: 0.45 at Munich in Web
   Mercator, 1.00 in UTM. NAN if the place has no longitude and latitude. */
double rcity_ground_area_m2(rcity_gdal_call *call, OGRSpatialReferenceH crs, double x, double y);

/* Note the unit of a map's cells, RCITY_NOTE_CELL_UNIT, if the metres of its CRS are not metres on the ground: if areas
   in the middle differ by more than 1 %. Does nothing if a unit is noted already or there is no CRS. */
rcity_status rcity_map_note_ground_scale(rcity_gdal_call *call, OGRSpatialReferenceH crs, rcity_map *map);

#endif

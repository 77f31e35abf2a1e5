/* Opening what OGR reads: polygons for a scene, points for a list. */
#ifndef RCITY_IO_IMPORT_VECTOR_VECTOR_SOURCE_H
#define RCITY_IO_IMPORT_VECTOR_VECTOR_SOURCE_H

#include <gdal.h>

#include "io/gis/gdal_call.h"

/* Open a vector for reading; close with GDALClose(). `advice` ends the error message: what to give instead.
   @return RCITY_ERR_FILE for a file that does not exist, RCITY_ERR_FORMAT for a raster and for a format that GDAL does
   not know. */
rcity_status rcity_vector_source_open(rcity_gdal_call *call, const char *path, const char *advice,
                                      GDALDatasetH *dataset);

/* Is it a file of OpenStreetMap? */
bool rcity_vector_source_is_osm(GDALDatasetH dataset);

#endif

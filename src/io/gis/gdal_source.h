/* Which files GDAL may open. A file names its driver itself, whatever its ending: without care a ".tif" may be a list of
   addresses that are fetched. Unless the context allows it, only drivers that read the file itself are taken. */
#ifndef RCITY_IO_GIS_GDAL_SOURCE_H
#define RCITY_IO_GIS_GDAL_SOURCE_H

#include <gdal.h>

#include "io/gis/gdal_call.h"

/* GDALOpenEx() with the drivers that are allowed; `kind` is GDAL_OF_RASTER or GDAL_OF_VECTOR. NULL if none opens it. */
GDALDatasetH rcity_gdal_open_source(const rcity_gdal_call *call, const char *path, unsigned kind,
                                    const char *const *options);

/* The driver among them that would open a file; NULL for none. */
GDALDriverH rcity_gdal_identify(const rcity_gdal_call *call, const char *path, unsigned kind);

/* Refuse what only a driver opens that leads elsewhere, and addresses. Call when a file was not opened, or before.
   @return RCITY_ERR_ARGUMENT. */
rcity_status rcity_gdal_check_source(const rcity_gdal_call *call, const char *path, unsigned kind);

#endif

/* Is a projected CRS a plane for a scene: x to the east, y to the north, a metre of it a metre on the ground? */
#ifndef RCITY_IO_GIS_CRS_PLANE_H
#define RCITY_IO_GIS_CRS_PLANE_H

#include "io/gis/gdal_call.h"

#define RCITY_CRS_REASON_BYTES 200

/* What is against a CRS that counts in metres as that of a scene at a longitude and latitude, without naming the place;
   "" where nothing is.
   @return RCITY_ERR_ARGUMENT where no way leads from longitude and latitude to it. */
rcity_status rcity_crs_judge(rcity_gdal_call *call, OGRSpatialReferenceH crs, const double lonlat[2],
                             char reason[RCITY_CRS_REASON_BYTES]);

/* Fail with RCITY_ERR_ARGUMENT where something is; `text` is how the user calls the CRS. */
rcity_status rcity_crs_check_plane(rcity_gdal_call *call, OGRSpatialReferenceH crs, const char *text,
                                   const double lonlat[2]);

/* The same while no place is known: it must do somewhere in the middle of the area it is made for. */
rcity_status rcity_crs_check_somewhere(rcity_gdal_call *call, OGRSpatialReferenceH crs, const char *text);

#endif

/* Is a projected CRS a plane for a scene: x to the east, y to the north, a metre of it a metre on the ground? */
#ifndef RCITY_IO_GIS_CRS_PLANE_H
#define RCITY_IO_GIS_CRS_PLANE_H

#include "io/gis/gdal_call.h"

#define RCITY_CRS_REASON_BYTES 200

/* The reason why a CRS in metres cannot be that of a scene at a longitude and latitude, without naming the place; "" if
   there is none.
   @return RCITY_ERR_ARGUMENT if there is no transformation from longitude and latitude to it. */
rcity_status rcity_crs_judge(rcity_gdal_call *call, OGRSpatialReferenceH crs, const double lonlat[2],
                             char reason[RCITY_CRS_REASON_BYTES]);

/* Fail with RCITY_ERR_ARGUMENT if there is a reason; `text` is the CRS as the user wrote it. */
rcity_status rcity_crs_check_plane(rcity_gdal_call *call, OGRSpatialReferenceH crs, const char *text,
                                   const double lonlat[2]);

/* The same while no place is known: the CRS must be suitable somewhere in the middle of its area of use. */
rcity_status rcity_crs_check_somewhere(rcity_gdal_call *call, OGRSpatialReferenceH crs, const char *text);

#endif

/* CRS of data: their names, transformations, and the choice of the scene's CRS during an import. */
#ifndef RCITY_IO_IMPORT_IMPORT_CRS_H
#define RCITY_IO_IMPORT_IMPORT_CRS_H

#include "io/import/import_data.h"

/* Are the same coordinates the same place in both? */
bool rcity_crs_is_same(OGRSpatialReferenceH left, OGRSpatialReferenceH right);

/* Does a CRS state that there is none? GeoPackages and drawings have such. */
bool rcity_crs_says_none(OGRSpatialReferenceH crs);

/* The shortest text of a CRS: a code such as "EPSG:32632" if it has one, else WKT in one line; a vertical part is left
   out. Release `*text` with rcity_release(). */
rcity_status rcity_crs_name(rcity_gdal_call *call, OGRSpatialReferenceH crs, char **text);

/* The transformation from a CRS to longitude and latitude on WGS 84. Destroy with
   OCTDestroyCoordinateTransformation(). */
rcity_status rcity_crs_open_lonlat(rcity_gdal_call *call, OGRSpatialReferenceH crs,
                                   OGRCoordinateTransformationH *transform);

/* Transform one point without an error message. @return false if it cannot be transformed. */
bool rcity_crs_place(OGRCoordinateTransformationH transform, double x, double y, double placed[2]);

/* Does the area of use of a CRS contain a longitude and latitude, up to a margin? True if the area is not known. */
bool rcity_crs_area_holds(OGRSpatialReferenceH crs, const double lonlat[2], double margin_deg);

/* Decide the scene's CRS: the requested one, else that of the first input that is suitable (crs_plane.h), else the UTM
   zone of the first input. `*text` is released with rcity_release(); `*crs` is destroyed with
   OSRDestroySpatialReference() and stays NULL for "none". */
rcity_status rcity_import_choose_crs(rcity_import *import, char **text, OGRSpatialReferenceH *crs);

#endif

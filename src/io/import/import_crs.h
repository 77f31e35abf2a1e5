/* CRS of data: names for them, places in them; and while importing the choice of the scene's. */
#ifndef RCITY_IO_IMPORT_IMPORT_CRS_H
#define RCITY_IO_IMPORT_IMPORT_CRS_H

#include "io/import/import_data.h"

/* Are coordinates in both the same numbers? */
bool rcity_crs_is_same(OGRSpatialReferenceH left, OGRSpatialReferenceH right);

/* Does a CRS say that there is none? GeoPackages have such, and drawings. */
bool rcity_crs_says_none(OGRSpatialReferenceH crs);

/* The shortest text that means a CRS: "EPSG:32632" where an authority knows it, else WKT in one line; a vertical part
   is left out. Release `*text` with rcity_release(). */
rcity_status rcity_crs_name(rcity_gdal_call *call, OGRSpatialReferenceH crs, char **text);

/* The way from a CRS to longitude and latitude on WGS 84. Destroy with OCTDestroyCoordinateTransformation(). */
rcity_status rcity_crs_open_lonlat(rcity_gdal_call *call, OGRSpatialReferenceH crs,
                                   OGRCoordinateTransformationH *transform);

/* One point through a transformation, without a complaint. @return false where it has no place. */
bool rcity_crs_place(OGRCoordinateTransformationH transform, double x, double y, double placed[2]);

/* Does the area that a CRS is made for hold a longitude and latitude, up to a margin? Yes, where it is not known. */
bool rcity_crs_area_holds(OGRSpatialReferenceH crs, const double lonlat[2], double margin_deg);

/* Decide the scene's CRS: the one asked for, else that of the first input that can be one (crs_plane.h), else
   the UTM zone of the first input. `*text` is released with rcity_release(); `*crs` is destroyed with
   OSRDestroySpatialReference() and stays NULL for "none". */
rcity_status rcity_import_choose_crs(rcity_import *import, char **text, OGRSpatialReferenceH *crs);

#endif

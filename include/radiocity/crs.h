/** @file crs.h  Coordinate reference systems: checks, and transformation of points between them. A build without GDAL
 *  supports none and returns RCITY_ERR_UNSUPPORTED. x always comes before y and longitude before latitude, whatever
 *  axis order an authority defines. */
#ifndef RADIOCITY_CRS_H
#define RADIOCITY_CRS_H

#include "radiocity/scene.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Longitude and latitude on the WGS 84 ellipsoid, in degrees, longitude first. */
#define RCITY_CRS_LONLAT "EPSG:4326"

#define RCITY_CRS_BYTES 32 /**< size of a buffer for a code such as "EPSG:32632" */

/** Check before work starts whether a CRS can be that of a scene: known, projected, with x to the east, y to the north
 *  and metres that are metres on the ground (to 1 % in the middle of its area of use; Web Mercator fails). "none" is
 *  accepted. The check opens no file and uses no network: a CRS is a code, WKT or a PROJ text. A build without GDAL
 *  accepts any text.
 *  @return RCITY_ERR_ARGUMENT with the reason. */
RCITY_API RCITY_MUST_CHECK rcity_status rcity_crs_check(rcity_context *context, const char *crs);

/** Transform points from one CRS to another in place: x and y of each point, interleaved.
 *  @return RCITY_ERR_ARGUMENT for an unknown CRS, for "none", and for a point that cannot be transformed, named by its
 *  number from 1; RCITY_ERR_UNSUPPORTED without GDAL, RCITY_ERR_MEMORY. `xy` is untouched on failure. */
RCITY_API RCITY_MUST_CHECK rcity_status rcity_crs_transform(rcity_context *context, const char *from, const char *to,
                                                            int64_t point_count, double *xy);

/** Meridian convergence at a place of a projected CRS: the angle by which grid north (the y axis) lies east of true
 *  north, in degrees. An azimuth from true north less the convergence is the azimuth from the y axis. 0 for "none".
 *  @return as rcity_crs_transform(). */
RCITY_API RCITY_MUST_CHECK rcity_status rcity_crs_get_convergence(rcity_context *context, const char *crs, double x_m,
                                                                  double y_m, double *convergence_deg);

/** The UTM zone of a place, as "EPSG:326NN" or "EPSG:327NN".
 *  @return RCITY_ERR_ARGUMENT for coordinates that are not valid or lie beyond 80 S or 84 N. */
RCITY_API RCITY_MUST_CHECK rcity_status rcity_crs_choose_utm(rcity_context *context, double lon_deg, double lat_deg,
                                                             char crs[RCITY_CRS_BYTES]);

/** Transform a longitude and latitude to a committed scene's CRS. Swapped coordinates are detected: a latitude beyond
 *  90 degrees, or a place far from the scene that would lie in or near it with the two exchanged.
 *  @return RCITY_ERR_ARGUMENT with what to do; also for a scene without CRS; RCITY_ERR_UNSUPPORTED without GDAL. */
RCITY_API RCITY_MUST_CHECK rcity_status rcity_scene_place_lonlat(rcity_context *context, const rcity_scene *scene,
                                                                 double lon_deg, double lat_deg, double *x_m,
                                                                 double *y_m);

#ifdef __cplusplus
}
#endif

#endif

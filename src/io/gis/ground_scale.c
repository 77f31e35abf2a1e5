/* The area on the ground of a cell of a map. */
#include "io/gis/ground_scale.h"

#include <math.h>

#include "io/import/import_crs.h"
#include "result/map_data.h"

#define AREA_TOLERANCE 0.01  /* national grids and UTM zones stay within it */
#define STEP           100.0 /* units of the CRS: small compared with its curvature, large compared with rounding */

/* Area of the parallelogram of the steps, by the radii of curvature of WGS 84 (EPSG guidance note 7-2). */
double rcity_ground_area_m2(rcity_gdal_call *call, OGRSpatialReferenceH crs, double x, double y)
{
    const double major_m = 6378137.0;
    const double e2 = 0.00669437999014;
    const double rad = acos(-1.0) / 180.0;
    OGRCoordinateTransformationH to_lonlat = NULL;
    double west[2], east[2], south[2], north[2];
    if (rcity_crs_open_lonlat(call, crs, &to_lonlat) != RCITY_OK) {
        rcity_gdal_forget(call);
        return (double)NAN;
    }
    bool is_placed = rcity_crs_place(to_lonlat, x - STEP, y, west) && rcity_crs_place(to_lonlat, x + STEP, y, east) &&
                     rcity_crs_place(to_lonlat, x, y - STEP, south) && rcity_crs_place(to_lonlat, x, y + STEP, north);
    OCTDestroyCoordinateTransformation(to_lonlat);
    if (!is_placed) {
        return (double)NAN;
    }
    double lat = 0.5 * (south[1] + north[1]) * rad;
    double w2 = 1.0 - e2 * sin(lat) * sin(lat);
    double meridian_m = rad * major_m * (1.0 - e2) / (w2 * sqrt(w2)); /* one degree */
    double parallel_m = rad * major_m / sqrt(w2) * cos(lat);
    double cross = remainder(east[0] - west[0], 360.0) * (north[1] - south[1]) -
                   remainder(north[0] - south[0], 360.0) * (east[1] - west[1]);
    return fabs(cross) * meridian_m * parallel_m / (4.0 * STEP * STEP);
}

rcity_status rcity_map_note_ground_scale(rcity_gdal_call *call, OGRSpatialReferenceH crs, rcity_map *map)
{
    if (crs == NULL || !OSRIsProjected(crs) || rcity_map_find_note(map, RCITY_NOTE_CELL_UNIT) != NULL) {
        return RCITY_OK;
    }
    rcity_raster raster = rcity_map_raster(map);
    double x = raster.west_m + 0.5 * (double)raster.column_count * raster.cell_m;
    double y = raster.north_m - 0.5 * (double)raster.row_count * raster.cell_m;
    double area_m2 = rcity_ground_area_m2(call, crs, x, y);
    if (!isfinite(area_m2) || fabs(area_m2 - 1.0) <= AREA_TOLERANCE) {
        return RCITY_OK;
    }
    return rcity_map_note(map, RCITY_NOTE_CELL_UNIT, "%s", "projected metre");
}

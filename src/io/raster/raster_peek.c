/* A first look at a raster: its CRS and its middle. */
#include <string.h>

#include "io/import/import_crs.h"
#include "io/raster/raster_source.h"

static rcity_status find_middle(rcity_import *import, GDALDatasetH dataset, const char *path, OGRSpatialReferenceH crs,
                                double lonlat[2])
{
    double to_place[6];
    RCITY_CHECK(import->context, GDALGetGeoTransform(dataset, to_place) == CE_None, RCITY_ERR_FORMAT,
                "'%s' does not say where it lies; give it a position, for example with gdal_translate -a_ullr", path);
    double column = 0.5 * GDALGetRasterXSize(dataset);
    double row = 0.5 * GDALGetRasterYSize(dataset);
    double x = to_place[0] + to_place[1] * column + to_place[2] * row;
    double y = to_place[3] + to_place[4] * column + to_place[5] * row;
    OGRCoordinateTransformationH to_lonlat = NULL;
    RCITY_TRY(rcity_crs_open_lonlat(import->call, crs, &to_lonlat));
    double place[2];
    bool is_placed = rcity_crs_place(to_lonlat, x, y, place);
    OCTDestroyCoordinateTransformation(to_lonlat);
    RCITY_CHECK(import->context, is_placed, RCITY_ERR_ARGUMENT,
                "the middle (%.10g, %.10g) of '%s' is no place in its CRS; is that right?", x, y, path);
    lonlat[0] = place[0];
    lonlat[1] = place[1];
    return RCITY_OK;
}

rcity_status rcity_import_peek_raster(rcity_import *import, const char *path, char **crs_text, double lonlat[2])
{
    GDALDatasetH dataset = NULL;
    OGRSpatialReferenceH crs = NULL;
    char *text = NULL;
    rcity_status status;
    RCITY_TRY(rcity_raster_open(import, path, &dataset));
    RCITY_TRY_DONE(rcity_raster_read_crs(import, path, dataset, &crs));
    if (crs == NULL) {
        RCITY_TRY_DONE(rcity_copy_text(import->context, "", &text));
    } else {
        RCITY_TRY_DONE(rcity_crs_name(import->call, crs, &text));
        RCITY_TRY_DONE(find_middle(import, dataset, path, crs, lonlat));
    }
    *crs_text = text;
    text = NULL;
done:
    rcity_release(import->context, text);
    if (crs != NULL) {
        OSRDestroySpatialReference(crs);
    }
    GDALClose(dataset);
    return status;
}

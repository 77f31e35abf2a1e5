/* Rasters to sample: files opened and checked, those of one grid joined, places of the scene found in them. */
#ifndef RCITY_IO_RASTER_SOURCE_H
#define RCITY_IO_RASTER_SOURCE_H

#include <gdal.h>

#include "io/import/import_data.h"

/* The purpose of rasters; decides which are refused. */
typedef enum rcity_raster_use { RCITY_RASTER_TERRAIN, RCITY_RASTER_LAND_COVER } rcity_raster_use;

/* One file. */
typedef struct rcity_raster_tile {
    const char *path;
    GDALDatasetH dataset;
    GDALRasterBandH band; /* the first */
    double to_place[6];   /* GDAL's geotransform: from pixels to coordinates */
    int column, row;      /* of its first pixel in the layer */
    int column_count, row_count;
    bool has_nodata, has_mask;
    double nodata;
    double scale, offset; /* value = scale * stored + offset */
    double unit_m;        /* of its values; 1 unless the raster's own unit was requested */
} rcity_raster_tile;

/* Consecutive files of the list that lie on one grid: treated as one raster. Pixel (column, row) covers [column, column
   + 1) x [row, row + 1) in pixel coordinates, rows from the first line of the file. */
typedef struct rcity_raster_layer {
    rcity_raster_tile *tiles;
    int tile_count;
    int column_count, row_count;
    double to_place[6], to_pixel[6];
    OGRSpatialReferenceH crs;                /* NULL: none */
    OGRCoordinateTransformationH from_scene; /* NULL: coordinates are the scene's own */
    OGRCoordinateTransformationH to_scene;
} rcity_raster_layer;

typedef struct rcity_raster_set {
    rcity_raster_tile *tiles; /* of all layers, in the order of the list */
    int tile_count;
    rcity_raster_layer *layers; /* where they overlap, the first is used */
    int layer_count;
} rcity_raster_set;

/* A part of a layer in whole pixels. */
typedef struct rcity_raster_window {
    int column, row, column_count, row_count;
} rcity_raster_window;

/* Open and check files. `set` must be all zero before, and must be closed afterwards, also on failure.
   @return RCITY_ERR_FILE for a file that does not exist, RCITY_ERR_FORMAT for one that is no raster, has no position or
   is a picture, RCITY_ERR_ARGUMENT for a CRS that is missing or has no transformation, RCITY_ERR_MEMORY. */
rcity_status rcity_raster_set_open(rcity_import *import, rcity_raster_use use, const char *const *paths, int path_count,
                                   rcity_raster_set *set);
void rcity_raster_set_close(rcity_context *context, rcity_raster_set *set);

/* Open one file; what rcity_raster_set_open() does first. Close with GDALClose(). */
rcity_status rcity_raster_open(rcity_import *import, const char *path, GDALDatasetH *dataset);

/* The CRS of an open raster, without a vertical part and with x first: as it states, else as the options say; NULL if
   neither does or it is "none". Destroy with OSRDestroySpatialReference(). @return RCITY_ERR_ARGUMENT for a single
   input that states another CRS than the options. */
rcity_status rcity_raster_read_crs(rcity_import *import, const char *path, GDALDatasetH dataset,
                                   OGRSpatialReferenceH *crs);

/* Transform places of the scene to pixel coordinates of a layer, in place; NAN if that is not possible. */
void rcity_raster_locate(const rcity_raster_layer *layer, int count, double *x, double *y);

/* Does the layer's rectangle, without a margin of this many pixels (or with it, if negative), contain a pixel
   coordinate? The tolerance is a millionth of a pixel. False for NAN. */
bool rcity_raster_holds(const rcity_raster_layer *layer, double x, double y, double rim);

/* Read a window, row by row as in the file, scaled; NAN where no tile has a value. */
rcity_status rcity_raster_read(rcity_import *import, const rcity_raster_layer *layer, rcity_raster_window window,
                               float *value);

/* The box of a layer in the scene's CRS: west, south, east, north. @return false if its edge cannot be transformed. */
bool rcity_raster_bound(const rcity_raster_layer *layer, double box[4]);

/* The smaller side in metres of the scene's CRS of a pixel around a place of the scene. @return false for none. */
bool rcity_raster_measure_pixel(const rcity_raster_layer *layer, double x_m, double y_m, double *side_m);

#endif

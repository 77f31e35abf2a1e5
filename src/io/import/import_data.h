/* The data of one import and its steps: buildings and vegetation first, then the rasters. */
#ifndef RCITY_IO_IMPORT_IMPORT_DATA_H
#define RCITY_IO_IMPORT_IMPORT_DATA_H

#include <ogr_srs_api.h>

#include "io/gis/gdal_call.h"
#include "radiocity/import.h"

typedef struct rcity_import {
    rcity_context *context;
    rcity_gdal_call *call;
    const rcity_import_options *options; /* with the terrain's files listed */
    rcity_scene *scene;
    rcity_import_report report;
    OGRSpatialReferenceH crs;                  /* of the scene; NULL: none */
    const char *crs_text;                      /* "none", "EPSG:32611" or WKT */
    double x_min_m, y_min_m, x_max_m, y_max_m; /* bounds of buildings and vegetation in the scene's CRS; x_min > x_max:
                                                  none */
    bool has_area;                             /* options->terrain_area_lonlat is given, and this is its box: */
    double area_m[4];                          /* west, south, east, north in the scene's CRS */
    bool is_feet_warned;                       /* the warning that heights may be feet was given */
} rcity_import;

/* Read options->terrain_paths, transform them to the scene's CRS and set the scene's terrain. */
rcity_status rcity_import_terrain(rcity_import *import);

/* Read options->land_cover_path and its table, and set the scene's land cover. */
rcity_status rcity_import_land_cover(rcity_import *import);

/* Add the materials of the CSV options->materials_path to the scene. */
rcity_status rcity_import_materials(rcity_import *import);

/* The CRS that a raster states, or else options->input_crs, as text, and the longitude and latitude of its centre in
   degrees; for choosing the scene's CRS. `*crs_text` is released with rcity_release(); it is "" when there is neither,
   and `lonlat` is then untouched. */
rcity_status rcity_import_peek_raster(rcity_import *import, const char *path, char **crs_text, double lonlat[2]);

#endif

/** @file import.h  GIS data in: buildings, vegetation, terrain and land cover from whatever GDAL reads. Of
 *  OpenStreetMap buildings and parts of buildings are read, each from the ground up: min_height does not count. */
#ifndef RADIOCITY_IMPORT_H
#define RADIOCITY_IMPORT_H

#include "radiocity/crs.h"
#include "radiocity/scene.h"

#ifdef __cplusplus
extern "C" {
#endif

#define RCITY_FLOOR_HEIGHT_M 3.0 /**< a floor, where the data count floors instead of metres */
#define RCITY_FIELD_BYTES    64  /**< room for the name of a field */

/** What to do about places of the terrain that no file covers: voids and missing tiles. */
typedef enum rcity_fill {
    RCITY_FILL_FAIL,        /**< an error that counts them */
    RCITY_FILL_NEAREST,     /**< the nearest height there is */
    RCITY_FILL_INTERPOLATE, /**< from the heights around (inverse distance), for voids of a few cells */
    RCITY_FILL_VALUE,       /**< one height for all */
} rcity_fill;

/** What to import. Start from rcity_import_options_default(). Paths are whatever GDAL opens. All pointers are borrowed
 *  until the call returns. */
typedef struct rcity_import_options {
    rcity_scene_options scene; /**< gaps and invalid buildings; its `crs` is that of the scene to be made; NULL: the
                                    CRS of the first input that rcity_crs_check() would take where it lies, else the
                                    UTM zone of the centre */
    const char *input_crs;     /**< CRS of inputs that state none; NULL: they are refused. "none": plain metres */

    int building_path_count;
    const char *const *building_paths;
    const char *building_layer; /**< NULL: the only layer, or the only one with polygons */
    const char *height_field;   /**< NULL: found among the usual names, else floors times floor_height_m */
    const char *height_unit;    /**< of heights and grounds without a unit of their own, those of vegetation too: "m" or
                                     "ft"; NULL: metres, and a field whose name says feet is refused */
    const char *floors_field;   /**< NULL: found among the usual names */
    double floor_height_m;      /**< RCITY_FLOOR_HEIGHT_M */
    const char *ground_field;   /**< height of the ground under a building, which needs terrain unless it is 0; NULL:
                                     none, it stands on the terrain */
    const char *id_field;       /**< whole number that users know a building by; NULL: the number of the feature */
    const char *material_field; /**< NULL: found among the usual names */
    double default_height_m;    /**< of buildings without height; NAN: none */
    bool drop_without_height;   /**< leave those out and count them; else they are refused */
    const char *materials_path; /**< CSV of further materials; NULL: none */

    int terrain_path_count; /**< tiles; where they overlap the first counts */
    const char *const *terrain_paths;
    double terrain_cell_m;    /**< distance of nodes; NAN: about that of the raster */
    double terrain_margin_m;  /**< how far terrain is kept around the buildings; NAN: all there is */
    const char *terrain_unit; /**< "m", "ft" or "us-ft"; NULL: metres, and a raster that says otherwise is refused */
    rcity_fill terrain_fill;
    double terrain_fill_m; /**< with RCITY_FILL_VALUE */

    const char *vegetation_path;         /**< polygons; NULL: none */
    const char *vegetation_layer;        /**< as building_layer */
    const char *vegetation_height_field; /**< NULL: found among the usual names */
    double vegetation_height_m;          /**< of those without height; NAN: they are refused */

    const char *land_cover_path;  /**< raster of class codes, 0 to 255; NULL: none */
    const char *land_cover_table; /**< CSV: code,name,height_m,loss_db; needed with land_cover_path */
} rcity_import_options;

RCITY_API rcity_import_options rcity_import_options_default(void);

/** What became of the inputs. */
typedef struct rcity_import_report {
    int64_t feature_count;          /**< building features read, those left out included */
    int64_t part_count;             /**< polygons they had */
    int64_t without_height_count;   /**< features without a usable height */
    int64_t dropped_count;          /**< of these left out */
    int64_t default_height_count;   /**< of these given the default */
    int64_t floors_count;           /**< features whose height came from floors */
    int64_t other_geometry_count;   /**< features that are no polygons, left out */
    int64_t sliver_count;           /**< rings narrower than 2 cm, left out: remains of cutting */
    int64_t unknown_material_count; /**< features with a material nobody knows, given the default */
    int64_t vegetation_count;
    int64_t filled_node_count; /**< terrain nodes filled */
    int64_t terrain_node_count;
    char height_field[RCITY_FIELD_BYTES]; /**< the field heights came from; "" when none */
    char floors_field[RCITY_FIELD_BYTES];
    char unknown_material[RCITY_FIELD_BYTES]; /**< the first of them */
    int64_t vegetation_default_count;         /**< polygons of vegetation given vegetation_height_m */
} rcity_import_report;

/** Read, project, clean and commit. Owned by the caller; release with rcity_scene_destroy(). `report` may be NULL.
 *  @return RCITY_ERR_FILE for what cannot be opened, RCITY_ERR_FORMAT for what is in it, RCITY_ERR_ARGUMENT for an
 *  option, a field, a CRS, or inputs that do not overlap, RCITY_ERR_GEOMETRY for shapes, RCITY_ERR_UNSUPPORTED without
 *  GDAL, RCITY_ERR_MEMORY, RCITY_ERR_CANCELLED. The message names file, feature and value. */
RCITY_API RCITY_MUST_CHECK rcity_status rcity_scene_import(rcity_context *context, const rcity_import_options *options,
                                                           rcity_scene **scene, rcity_import_report *report);

/** Save the buildings of a committed scene as a vector file: .gpkg, .shp or .geojson, fields id, height_m, ground_m,
 *  material. Coordinates are those of the scene, or of `crs` unless that is NULL. Imported with a gap of 0, and with
 *  the terrain the scene had, they give the same scene, hash included: gaps were closed already, and closing them again
 *  may close more. Only a building that commit had to cut into parts comes back as several.
 *  @return RCITY_ERR_ARGUMENT for another ending or an unknown CRS, RCITY_ERR_STATE before commit, RCITY_ERR_FILE,
 *  RCITY_ERR_UNSUPPORTED without GDAL, RCITY_ERR_MEMORY. */
RCITY_API RCITY_MUST_CHECK rcity_status rcity_scene_export(rcity_context *context, const rcity_scene *scene,
                                                           const char *crs, const char *path);

/** Save the terrain of a committed scene as a GeoTIFF in the scene's CRS, whose pixel centres are the nodes.
 *  @return RCITY_ERR_ARGUMENT for a scene without terrain, RCITY_ERR_STATE before commit, RCITY_ERR_FILE,
 *  RCITY_ERR_UNSUPPORTED without GDAL, RCITY_ERR_MEMORY. */
RCITY_API RCITY_MUST_CHECK rcity_status rcity_scene_export_terrain(rcity_context *context, const rcity_scene *scene,
                                                                   const char *path);

#ifdef __cplusplus
}
#endif

#endif

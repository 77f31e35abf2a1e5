/** @file import.h  Import of GIS data: buildings, vegetation, terrain and land cover in any format that GDAL reads.
 *  From OpenStreetMap, buildings and parts of buildings are read. A scene holds prisms on the ground: an outline whose
 *  parts cover it is replaced by them, a raised part reaches down into what it rests on; parts that hang in the air, open
 *  roofs and what lies underground are left out and counted. */
#ifndef RADIOCITY_IMPORT_H
#define RADIOCITY_IMPORT_H

#include "radiocity/crs.h"
#include "radiocity/scene.h"

#ifdef __cplusplus
extern "C" {
#endif

#define RCITY_FLOOR_HEIGHT_M 3.0 /**< height of a floor, for data that give floors instead of metres */
#define RCITY_FIELD_BYTES    64  /**< size of a buffer for the name of a field */

/** How to fill places of the terrain that no file covers: voids and missing tiles. */
typedef enum rcity_fill {
    RCITY_FILL_FAIL,        /**< do not fill: fail with their number */
    RCITY_FILL_NEAREST,     /**< with the nearest known height */
    RCITY_FILL_INTERPOLATE, /**< from the heights around them (inverse distance), for voids of a few cells */
    RCITY_FILL_VALUE,       /**< one height for all */
} rcity_fill;

/** What to import. Start from rcity_import_options_default(). A path is anything that GDAL opens. All pointers are
 *  borrowed until the call returns. */
typedef struct rcity_import_options {
    size_t struct_bytes;       /**< size of this struct, set by rcity_import_options_default() */
    rcity_scene_options scene; /**< options of the new scene. Its `crs` NULL: the CRS of the first input that
                                    rcity_crs_check() accepts at its place, else the UTM zone of the centre */
    const char *input_crs;     /**< CRS of inputs that state none; NULL: such inputs are refused. "none": plain
                                    metres */

    int building_path_count;
    const char *const *building_paths;
    const char *building_layer; /**< NULL: the only layer, or the only one with polygons */
    const char *height_field;   /**< NULL: found among the usual names, else floors times floor_height_m */
    const char *height_unit;    /**< of values without a unit in height_field, ground_field and vegetation_height_field:
                                     "m" or "ft"; NULL: metres, and a field whose name says feet is refused */
    const char *floors_field;   /**< NULL: found among the usual names */
    double floor_height_m;      /**< RCITY_FLOOR_HEIGHT_M */
    const char *ground_field;   /**< height of the ground under a building; other values than 0 need terrain. NULL:
                                     none, buildings stand on the terrain */
    const char *id_field;       /**< integer that identifies a building; NULL: the number of the feature */
    const char *material_field; /**< NULL: found among the usual names */
    double default_height_m;    /**< of buildings without height; NAN: none */
    bool drop_without_height;   /**< leave out and count buildings without height; false: they are refused */
    const char *materials_path; /**< CSV of further materials; NULL: none */

    int terrain_path_count; /**< files, folders of them, patterns such as "srtm/N4*.hgt"; where rasters overlap, the first
                                 is used */
    const char *const *terrain_paths;
    double terrain_cell_m;    /**< distance between nodes; NAN: about the cell size of the raster */
    double terrain_margin_m;  /**< terrain is kept up to this distance around the buildings; NAN: all of it */
    const char *terrain_unit; /**< "m", "ft" or "us-ft"; NULL: metres, and a raster that says otherwise is refused */
    rcity_fill terrain_fill;
    double terrain_fill_m; /**< with RCITY_FILL_VALUE */

    const char *vegetation_path;         /**< polygons; NULL: none */
    const char *vegetation_layer;        /**< as building_layer */
    const char *vegetation_height_field; /**< NULL: found among the usual names */
    double vegetation_height_m;          /**< of those without height; NAN: they are refused */

    const char *land_cover_path;  /**< raster of class codes, 0 to 255; NULL: none */
    const char *land_cover_table; /**< CSV: code,name,height_m,loss_db, or the name of a built-in table; needed with
                                       land_cover_path */

    double
        terrain_area_lonlat[4]; /**< west, south, east, north in degrees: the terrain is the largest upright box of the
                                        scene's CRS inside it, whatever the buildings; rasters elsewhere are left out, and
                                        a missing one is an error. NAN: no area */
    bool terrain_is_surface;    /**< the rasters are a surface model, with treetops and roofs in it: the ground of the
                                        scene is these tops */
} rcity_import_options;

/** rcity_import_options_default() with the size of the struct that the program knows. */
RCITY_API void rcity_import_options_init(rcity_import_options *options, size_t struct_bytes);
RCITY_DEFAULT_OF(rcity_import_options)

/** What was read from the inputs. */
typedef struct rcity_import_report {
    int64_t feature_count;          /**< building features read, those left out included */
    int64_t part_count;             /**< their polygons */
    int64_t without_height_count;   /**< features without a usable height */
    int64_t dropped_count;          /**< features without height that were left out */
    int64_t default_height_count;   /**< features without height that got the default height */
    int64_t floors_count;           /**< features whose height came from floors */
    int64_t other_geometry_count;   /**< features that are not polygons, left out */
    int64_t sliver_count;           /**< rings narrower than 2 cm, left out: artefacts of cut shapes */
    int64_t unknown_material_count; /**< features with an unknown material, which get the default */
    int64_t vegetation_count;
    int64_t filled_node_count; /**< terrain nodes filled */
    int64_t terrain_node_count;
    char height_field[RCITY_FIELD_BYTES]; /**< the field that gave the heights; "" for none */
    char floors_field[RCITY_FIELD_BYTES];
    char unknown_material[RCITY_FIELD_BYTES]; /**< the first unknown material */
    int64_t vegetation_default_count;         /**< vegetation polygons that got vegetation_height_m */
    /* of OpenStreetMap */
    int64_t unread_value_count;           /**< heights and levels that cannot be read and count as unknown */
    char unread_value[RCITY_FIELD_BYTES]; /**< the first of them */
    int64_t underground_count;            /**< features underground, left out */
    int64_t open_roof_count;              /**< roofs on posts, left out */
    int64_t floating_count;               /**< polygons that hang in the air, left out */
    int64_t replaced_count;               /**< outlines replaced by their parts */
} rcity_import_report;

/** Read, project, clean and commit. Owned by the caller; release with rcity_scene_destroy(). `report` may be NULL.
 *  @return RCITY_ERR_FILE for a file that cannot be opened, RCITY_ERR_FORMAT for its content, RCITY_ERR_ARGUMENT for an
 *  option, a field, a CRS, or inputs that do not overlap, RCITY_ERR_GEOMETRY for shapes, RCITY_ERR_UNSUPPORTED without
 *  GDAL, RCITY_ERR_MEMORY, RCITY_ERR_CANCELLED. The message names file, feature and value. */
RCITY_API RCITY_MUST_CHECK rcity_status rcity_scene_import_sized(rcity_context *context,
                                                                 const rcity_import_options *options,
                                                                 rcity_scene **scene, size_t report_bytes,
                                                                 rcity_import_report *report);
RCITY_MUST_CHECK static inline rcity_status rcity_scene_import(rcity_context *context,
                                                               const rcity_import_options *options, rcity_scene **scene,
                                                               rcity_import_report *report)
{
    return rcity_scene_import_sized(context, options, scene, sizeof *report, report);
}

/** Save the buildings of a committed scene as a vector file: .gpkg, .shp or .geojson, fields id, height_m, ground_m,
 *  material. Coordinates are in `crs`, or in the scene's CRS when that is NULL. An import of the file with a gap of 0
 *  and the same terrain gives the same scene and the same hash; with another gap it may close more gaps than before. A
 *  building that commit had to cut into parts becomes several buildings.
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

/** @file io.h  Reading and writing files. Every output file appears whole or not at all. */
#ifndef RADIOCITY_IO_H
#define RADIOCITY_IO_H

#include "radiocity/fit.h"
#include "radiocity/map.h"
#include "radiocity/radio.h"
#include "radiocity/scene.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Read a COST 231 wall list (`x1 y1 x2 y2 height id 1 ground`, one wall a line) and commit it. The ground is flat:
 *  heights count from 0. Owned by the caller; release with rcity_scene_destroy().
 *  @return RCITY_ERR_FILE, RCITY_ERR_FORMAT with the line, RCITY_ERR_GEOMETRY for an open or crossing ring,
 *  RCITY_ERR_MEMORY. */
RCITY_API RCITY_MUST_CHECK rcity_status rcity_res_load(rcity_context *context, const char *path,
                                                       const rcity_scene_options *options, rcity_scene **scene);

/** Save a committed scene as a compiled `.rcity` file. @return RCITY_ERR_FILE, RCITY_ERR_STATE, RCITY_ERR_MEMORY. */
RCITY_API RCITY_MUST_CHECK rcity_status rcity_scene_save(rcity_context *context, const rcity_scene *scene,
                                                         const char *path);

/** Load a compiled scene; it is committed. Owned by the caller; release with rcity_scene_destroy().
 *  @return RCITY_ERR_FILE, RCITY_ERR_FORMAT for a file that is no compiled scene, is damaged or has another version,
 *  RCITY_ERR_MEMORY. */
RCITY_API RCITY_MUST_CHECK rcity_status rcity_scene_load(rcity_context *context, const char *path, rcity_scene **scene);

/** How a GeoTIFF is written. Start from rcity_geotiff_options_default(). */
typedef struct rcity_geotiff_options {
    size_t struct_bytes; /**< size of this struct, set by rcity_geotiff_options_default() */
    const char *crs;     /**< CRS of the file, any that GDAL knows; NULL: the map's own. Each cell takes the value of
                              the map's cell that contains its centre. Cells are square in this CRS and not larger than
                              the map's; they keep their size where both systems agree on it to 1 %, as UTM zones do. */
} rcity_geotiff_options;

/** rcity_geotiff_options_default() with the size of the struct that the program knows. */
RCITY_API void rcity_geotiff_options_init(rcity_geotiff_options *options, size_t struct_bytes);
RCITY_DEFAULT_OF(rcity_geotiff_options)

/** Save a map as a cloud-optimised GeoTIFF. `options` may be NULL.
 *  @return RCITY_ERR_UNSUPPORTED in a build without GDAL, RCITY_ERR_FILE, RCITY_ERR_ARGUMENT for a CRS that GDAL
 *  does not know, RCITY_ERR_CANCELLED, RCITY_ERR_MEMORY. */
RCITY_API RCITY_MUST_CHECK rcity_status rcity_map_save_geotiff(rcity_context *context, const rcity_map *map,
                                                               const rcity_geotiff_options *options, const char *path);

/** Load any raster file that GDAL reads as a map: bands with names and units (rx_height_m is NAN where the file does
 *  not state it), and the notes of a file that radiocity wrote. No-data and values that are not finite become NAN. The
 *  CRS is a code such as "EPSG:32632", or WKT, or "none". A raster whose unit is not the metre keeps its own unit in
 *  rcity_raster, and the note "cell_unit" names it ("degree"); the same applies to metres that are not metres on the
 *  ground (Web Mercator). Owned by the caller; release with rcity_map_destroy().
 *  @return RCITY_ERR_FILE, RCITY_ERR_FORMAT for a file that is no raster, has no position, is rotated or has cells that
 *  are not square, RCITY_ERR_UNSUPPORTED without GDAL, RCITY_ERR_CANCELLED, RCITY_ERR_MEMORY before anything is
 *  read. */
RCITY_API RCITY_MUST_CHECK rcity_status rcity_map_load_geotiff(rcity_context *context, const char *path,
                                                               rcity_map **map);

/** Save a QGIS style (.qml) that colours one band as the pictures do, for a file beside a GeoTIFF of the same name. The
 *  band's kind selects a colour ramp, from 0 to 1 for probabilities and from -10 to 30 dB for SINR, or a palette with
 *  the names of sectors and other classes. `value_min` and `value_max` are the ends of the colour bar; NAN: chosen from
 *  the values. @return RCITY_ERR_FILE, RCITY_ERR_ARGUMENT, RCITY_ERR_MEMORY. */
RCITY_API RCITY_MUST_CHECK rcity_status rcity_map_save_style(rcity_context *context, const rcity_map *map,
                                                             int band_index, double value_min, double value_max,
                                                             const char *path);

/** Save the area where a band reaches each threshold (a loss: stays at or below it) as polygons along the edges of the
 *  cells: GeoJSON, one feature for each threshold with threshold, unit, area_km2 and fraction, the largest area first,
 *  in longitude and latitude (RFC 7946), or in plain metres for a map without CRS. Cells that touch only in a corner
 *  are not connected.
 *  @return RCITY_ERR_UNSUPPORTED for a map with CRS in a build without GDAL, RCITY_ERR_FILE, RCITY_ERR_ARGUMENT for a
 *  threshold that is no number, more than 64 of them, a band that does not exist or an area across the date line,
 *  RCITY_ERR_CANCELLED, RCITY_ERR_MEMORY. */
RCITY_API RCITY_MUST_CHECK rcity_status rcity_map_save_coverage(rcity_context *context, const rcity_map *map,
                                                                int band_index, int threshold_count,
                                                                const double *thresholds, const char *path);

/** Save transmitters as GeoJSON points with all their properties. `crs` is the CRS of their positions; "none" leaves
 *  them in metres. @return as rcity_map_save_coverage(). */
RCITY_API RCITY_MUST_CHECK rcity_status rcity_transmitters_save(rcity_context *context, const char *crs,
                                                                int transmitter_count,
                                                                const rcity_transmitter *transmitters,
                                                                const char *path);

/** Places with columns of numbers and texts, for a file that a GIS opens. Opaque. */
typedef struct rcity_place_table rcity_place_table;

/** Make a table of places; x and y of each are copied, in `crs` ("none": plain metres). Owned by the caller; release with
 *  rcity_place_table_destroy(). @return RCITY_ERR_MEMORY. */
RCITY_API RCITY_MUST_CHECK rcity_status rcity_place_table_create(rcity_context *context, const char *crs, int64_t count,
                                                                 const double *xy, rcity_place_table **table);

/** Add a column: a number of each place, NAN for none. Name and values are copied. @return RCITY_ERR_MEMORY. */
RCITY_API RCITY_MUST_CHECK rcity_status rcity_place_table_add_numbers(rcity_place_table *table, const char *name,
                                                                      const double *numbers);

/** Add a column: a text of each place, NULL or "" for none. @return RCITY_ERR_MEMORY. */
RCITY_API RCITY_MUST_CHECK rcity_status rcity_place_table_add_texts(rcity_place_table *table, const char *name,
                                                                    const char *const *texts);

/** Save the places as points: .gpkg in their CRS, .geojson in longitude and latitude.
 *  @return RCITY_ERR_ARGUMENT for another ending, RCITY_ERR_FILE, RCITY_ERR_UNSUPPORTED without GDAL, RCITY_ERR_MEMORY,
 *  RCITY_ERR_CANCELLED. */
RCITY_API RCITY_MUST_CHECK rcity_status rcity_place_table_save(const rcity_place_table *table, const char *path);

/** Destroy a table and null the pointer; accepts NULL and a pointer to NULL. */
RCITY_API void rcity_place_table_destroy(rcity_place_table **table);

/** Save one band for a globe: KMZ (KML 2.2) with the coloured map as ground overlay of at most 4096 pixels a side, a
 *  legend where the build has Cairo, transmitters (in the map's CRS) and, when there are thresholds, the outlines of
 *  coverage. The map needs a CRS. @return as rcity_map_save_coverage(), and RCITY_ERR_UNSUPPORTED without GDAL. */
RCITY_API RCITY_MUST_CHECK rcity_status rcity_map_save_kmz(rcity_context *context, const rcity_map *map, int band_index,
                                                           int threshold_count, const double *thresholds,
                                                           int transmitter_count, const rcity_transmitter *transmitters,
                                                           const char *path);

#define RCITY_PICTURE_WIDTH_MIN_PX 400  /**< narrowest picture */
#define RCITY_PICTURE_WIDTH_MAX_PX 8000 /**< widest picture */

/** How a picture looks. Start from rcity_picture_options_default(). Pointers are borrowed until the call returns. */
typedef struct rcity_picture_options {
    size_t struct_bytes; /**< size of this struct, set by rcity_picture_options_default() */
    int width_px;        /**< of the whole picture; RCITY_PICTURE_WIDTH_MIN_PX to RCITY_PICTURE_WIDTH_MAX_PX */
    const char *title;   /**< NULL: made from the map's notes or the scene's source */
    int band_index;      /**< band of the map to draw */
    double value_min;    /**< ends of the colour bar; NAN: chosen from the values */
    double value_max;
    int transmitter_count; /**< marks to draw */
    const rcity_transmitter *transmitters;
} rcity_picture_options;

/** rcity_picture_options_default() with the size of the struct that the program knows. */
RCITY_API void rcity_picture_options_init(rcity_picture_options *options, size_t struct_bytes);
RCITY_DEFAULT_OF(rcity_picture_options)

/** Draw a scene, and a map over it unless `map` is NULL, as PNG.
 *  @return RCITY_ERR_UNSUPPORTED in a build without Cairo, RCITY_ERR_STATE before commit, RCITY_ERR_FILE,
 *  RCITY_ERR_ARGUMENT, RCITY_ERR_CANCELLED, RCITY_ERR_MEMORY. */
RCITY_API RCITY_MUST_CHECK rcity_status rcity_picture_save(rcity_context *context, const rcity_scene *scene,
                                                           const rcity_map *map, const rcity_picture_options *options,
                                                           const char *path);

#define RCITY_PLOT_CATEGORY_MAX 8 /**< largest number of categories of points in a plot */
#define RCITY_PLOT_PANEL_MAX    6 /**< largest number of routes in one plot; a note in it counts the others */

/** How a plot looks. Start from rcity_plot_options_default(). Pointers are borrowed until the call returns. */
typedef struct rcity_plot_options {
    size_t struct_bytes;        /**< size of this struct, set by rcity_plot_options_default() */
    int width_px;               /**< RCITY_PICTURE_WIDTH_MIN_PX to RCITY_PICTURE_WIDTH_MAX_PX; 1200 */
    const char *title;          /**< above all panels; NULL: none */
    const char *predicted_name; /**< name of the predicted curve, such as "shadow"; NULL: "predicted" */
    const char *baseline_name;  /**< name of the baseline, such as "free space"; NULL: "baseline" */
    double gap_m;       /**< steps along a route longer than this break its lines; NAN: ten times its usual step */
    int category_count; /**< categories of points, such as mechanisms; at most RCITY_PLOT_CATEGORY_MAX */
    const char *const *category_name; /**< their names, for the legend */
} rcity_plot_options;

/** rcity_plot_options_default() with the size of the struct that the program knows. */
RCITY_API void rcity_plot_options_init(rcity_plot_options *options, size_t struct_bytes);
RCITY_DEFAULT_OF(rcity_plot_options)

/** One route of a plot. Losses and distances that are NAN, infinite or beyond 1e9 are gaps. Arrays have
 *  `count` elements and are borrowed until the call returns. */
typedef struct rcity_plot_route {
    const char *name; /**< NULL: none */
    int64_t count;
    const double *travelled_m;   /**< distance along the route from its start; lines break where it decreases */
    const double *measured_db;   /**< loss */
    const double *predicted_db;  /**< loss */
    const double *baseline_db;   /**< loss by a plain model; NULL: none */
    const bool *is_start;        /**< true for the first point after a gap, where lines break; NULL: nowhere */
    const int *category;         /**< of each point, 0 to category_count - 1, other values: no category; NULL: no point
                                     has one */
    rcity_score_figures figures; /**< written beside the name; left out when its count is 0 */
} rcity_plot_route;

/** Draw routes as PNG, one panel for each. A panel shows from top to bottom: measured, predicted and baseline loss over
 *  the travelled distance, with more loss further up; the categories as a ribbon; the errors, measured minus predicted.
 *  @return as rcity_picture_save(); RCITY_ERR_ARGUMENT for no route. */
RCITY_API RCITY_MUST_CHECK rcity_status rcity_plot_routes_save_sized(rcity_context *context, int route_count,
                                                                     size_t route_bytes, const rcity_plot_route *routes,
                                                                     const rcity_plot_options *options,
                                                                     const char *path);
RCITY_MUST_CHECK static inline rcity_status rcity_plot_routes_save(rcity_context *context, int route_count,
                                                                   const rcity_plot_route *routes,
                                                                   const rcity_plot_options *options, const char *path)
{
    return rcity_plot_routes_save_sized(context, route_count, sizeof *routes, routes, options, path);
}

/** The points of a scatter plot; the fields are those of rcity_plot_route. */
typedef struct rcity_plot_points {
    int64_t count;
    const double *measured_db;
    const double *predicted_db;
    const int *category; /**< NULL: no point has one */
    rcity_score_figures figures;
} rcity_plot_points;

/** Draw measured over predicted loss as PNG, with equal axes, their diagonal and a band of 6 dB on each side of it.
 *  Points are drawn fainter where there are many. @return as rcity_picture_save(). */
RCITY_API RCITY_MUST_CHECK rcity_status rcity_plot_scatter_save_sized(rcity_context *context, size_t points_bytes,
                                                                      const rcity_plot_points *points,
                                                                      const rcity_plot_options *options,
                                                                      const char *path);
RCITY_MUST_CHECK static inline rcity_status rcity_plot_scatter_save(rcity_context *context,
                                                                    const rcity_plot_points *points,
                                                                    const rcity_plot_options *options, const char *path)
{
    return rcity_plot_scatter_save_sized(context, sizeof *points, points, options, path);
}

/** Largest number of bytes that writing a file may need besides the map, so that a program can check the memory of a
 *  prediction and its files before it starts. GDAL and Cairo allocate them outside the context's account; the writers
 *  refuse by the same numbers. This one: a GeoTIFF of so many cells and bands; `is_warped`: in another CRS, which needs
 *  a second copy of the map. */
RCITY_API double rcity_geotiff_bytes(int64_t cell_count, int band_count, bool is_warped);
/** The overlay of a KMZ file, without its areas. */
RCITY_API double rcity_kmz_bytes(int64_t cell_count);
/** Coverage areas as polygons. */
RCITY_API double rcity_coverage_bytes(int64_t cell_count);
/** A picture of this width, and its file. */
RCITY_API double rcity_picture_bytes(int width_px);

/** Check before work starts whether a file can be written: folder, name, permissions. The check leaves no file.
 *  @return RCITY_ERR_FILE with the reason. */
RCITY_API RCITY_MUST_CHECK rcity_status rcity_output_check(rcity_context *context, const char *path);

/** Write a text file, whole or not at all. @return RCITY_ERR_FILE. */
RCITY_API RCITY_MUST_CHECK rcity_status rcity_text_save(rcity_context *context, const char *path, const char *text);

/** What this build can read and write besides compiled scenes. */
typedef struct rcity_build_features {
    bool has_geotiff;  /**< GDAL */
    bool has_pictures; /**< Cairo */
    bool has_hdf5;     /**< HDF5 */
    bool reads_json;   /**< jansson: files of coefficients */
} rcity_build_features;

RCITY_API void rcity_build_features_get_sized(size_t features_bytes, rcity_build_features *features);
static inline rcity_build_features rcity_build_features_get(void)
{
    rcity_build_features features;
    rcity_build_features_get_sized(sizeof features, &features);
    return features;
}

#ifdef __cplusplus
}
#endif

#endif

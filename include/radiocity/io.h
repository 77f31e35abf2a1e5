/** @file io.h  Files in and out. Every output file appears whole or not at all. */
#ifndef RADIOCITY_IO_H
#define RADIOCITY_IO_H

#include "radiocity/fit.h"
#include "radiocity/map.h"
#include "radiocity/radio.h"
#include "radiocity/scene.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Read a COST 231 wall list (`x1 y1 x2 y2 height id 1 ground`, one wall a line) and commit it. The ground is taken as
 *  flat: heights count from 0. Owned by the caller; release with rcity_scene_destroy().
 *  @return RCITY_ERR_FILE, RCITY_ERR_FORMAT with the line, RCITY_ERR_GEOMETRY for an open or crossing ring,
 *  RCITY_ERR_MEMORY. */
RCITY_API RCITY_MUST_CHECK rcity_status rcity_res_load(rcity_context *context, const char *path,
                                                       const rcity_scene_options *options, rcity_scene **scene);

/** Save a committed scene as a compiled `.rcity` file. @return RCITY_ERR_FILE, RCITY_ERR_STATE, RCITY_ERR_MEMORY. */
RCITY_API RCITY_MUST_CHECK rcity_status rcity_scene_save(rcity_context *context, const rcity_scene *scene,
                                                         const char *path);

/** Load a compiled scene; it is committed. Owned by the caller; release with rcity_scene_destroy().
 *  @return RCITY_ERR_FILE, RCITY_ERR_FORMAT for a file that is none, is broken or of another version,
 *  RCITY_ERR_MEMORY. */
RCITY_API RCITY_MUST_CHECK rcity_status rcity_scene_load(rcity_context *context, const char *path, rcity_scene **scene);

/** How a GeoTIFF is written. Start from rcity_geotiff_options_default(). */
typedef struct rcity_geotiff_options {
    const char *crs; /**< to write the map in, any GDAL knows; NULL: the map's own. Each cell takes the value of the
                          map's cell its centre lies in. Cells are square there and no larger than the map's, and keep
                          their size where both systems agree on it to a percent, as UTM zones do. */
} rcity_geotiff_options;

RCITY_API rcity_geotiff_options rcity_geotiff_options_default(void);

/** Save a map as a cloud-optimised GeoTIFF. `options` may be NULL.
 *  @return RCITY_ERR_UNSUPPORTED in a build without GDAL, RCITY_ERR_FILE, RCITY_ERR_ARGUMENT for a CRS that GDAL
 *  does not know, RCITY_ERR_CANCELLED, RCITY_ERR_MEMORY. */
RCITY_API RCITY_MUST_CHECK rcity_status rcity_map_save_geotiff(rcity_context *context, const rcity_map *map,
                                                               const rcity_geotiff_options *options, const char *path);

/** Load a raster file as a map, any that GDAL reads: bands with names and units (rx_height_m NAN where the file
 *  does not say), notes where radiocity wrote them; no-data and what is not finite becomes NAN. The CRS is a code
 *  such as "EPSG:32632", or WKT, or "none". A raster that does not count in metres keeps its own unit in
 *  rcity_raster, which the note "cell_unit" then names ("degree"); so does one whose metres are not those of
 *  the ground (Web Mercator). Owned by the caller; release with rcity_map_destroy().
 *  @return RCITY_ERR_FILE, RCITY_ERR_FORMAT for what is no raster, has no position, is turned or has cells that are
 *  not square, RCITY_ERR_UNSUPPORTED without GDAL, RCITY_ERR_CANCELLED, RCITY_ERR_MEMORY before anything is read. */
RCITY_API RCITY_MUST_CHECK rcity_status rcity_map_load_geotiff(rcity_context *context, const char *path,
                                                               rcity_map **map);

/** Save a QGIS style (.qml) that colours one band as the pictures do, for a file beside a GeoTIFF of the same name:
 *  by its kind a colour ramp, 0 to 1 for probabilities, -10 to 30 dB for SINR, or a palette with the names of sectors and
 *  other classes. `value_min` and `value_max` end the colour bar; NAN: chosen from the values. @return RCITY_ERR_FILE,
 *  RCITY_ERR_ARGUMENT, RCITY_ERR_MEMORY. */
RCITY_API RCITY_MUST_CHECK rcity_status rcity_map_save_style(rcity_context *context, const rcity_map *map,
                                                             int band_index, double value_min, double value_max,
                                                             const char *path);

/** Save where a band reaches each threshold (of a loss: stays at or below) as polygons along the edges of the
 *  cells: GeoJSON, one feature a threshold with threshold, unit, area_km2 and fraction, the largest area first, in
 *  longitude and latitude (RFC 7946); in plain metres for a map without CRS. Cells that touch in a corner only are
 *  apart.
 *  @return RCITY_ERR_UNSUPPORTED for a map with CRS in a build without GDAL, RCITY_ERR_FILE, RCITY_ERR_ARGUMENT for
 *  a threshold that is no number, more than 64 of them, a band that does not exist or an area across the date line,
 *  RCITY_ERR_CANCELLED, RCITY_ERR_MEMORY. */
RCITY_API RCITY_MUST_CHECK rcity_status rcity_map_save_coverage(rcity_context *context, const rcity_map *map,
                                                                int band_index, int threshold_count,
                                                                const double *thresholds, const char *path);

/** Save transmitters as GeoJSON points with everything that is known of them. `crs` is that of their positions; "none"
 *  leaves them in metres. @return as rcity_map_save_coverage(). */
RCITY_API RCITY_MUST_CHECK rcity_status rcity_transmitters_save(rcity_context *context, const char *crs,
                                                                int transmitter_count,
                                                                const rcity_transmitter *transmitters,
                                                                const char *path);

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
    int width_px;      /**< of the whole picture; RCITY_PICTURE_WIDTH_MIN_PX to RCITY_PICTURE_WIDTH_MAX_PX */
    const char *title; /**< NULL: made from the map's notes or the scene's source */
    int band_index;    /**< band of the map to draw */
    double value_min;  /**< ends of the colour bar; NAN: chosen from the values */
    double value_max;
    int transmitter_count; /**< marks to draw */
    const rcity_transmitter *transmitters;
} rcity_picture_options;

RCITY_API rcity_picture_options rcity_picture_options_default(void);

/** Draw a scene, and a map over it unless `map` is NULL, as PNG.
 *  @return RCITY_ERR_UNSUPPORTED in a build without Cairo, RCITY_ERR_STATE before commit, RCITY_ERR_FILE,
 *  RCITY_ERR_ARGUMENT, RCITY_ERR_CANCELLED, RCITY_ERR_MEMORY. */
RCITY_API RCITY_MUST_CHECK rcity_status rcity_picture_save(rcity_context *context, const rcity_scene *scene,
                                                           const rcity_map *map, const rcity_picture_options *options,
                                                           const char *path);

#define RCITY_PLOT_CATEGORY_MAX 8 /**< most categories of points in a plot */
#define RCITY_PLOT_PANEL_MAX    6 /**< most routes in one plot; a note in it counts the others */

/** How a plot looks. Start from rcity_plot_options_default(). Pointers are borrowed until the call returns. */
typedef struct rcity_plot_options {
    int width_px;               /**< RCITY_PICTURE_WIDTH_MIN_PX to RCITY_PICTURE_WIDTH_MAX_PX; 1200 */
    const char *title;          /**< over all; NULL: none */
    const char *predicted_name; /**< who predicts, such as "shadow"; NULL: "predicted" */
    const char *baseline_name;  /**< what the baseline is, such as "free space"; NULL: "baseline" */
    double gap_m;       /**< steps along a route longer than this break its lines; NAN: ten times its usual step */
    int category_count; /**< of points: mechanisms, in sight or not; at most RCITY_PLOT_CATEGORY_MAX */
    const char *const *category_name; /**< their names, for the legend */
} rcity_plot_options;

RCITY_API rcity_plot_options rcity_plot_options_default(void);

/** One route of a plot. Losses and distances that are NAN, infinite or beyond 1e9 are gaps. Arrays have
 *  `count` elements and are borrowed until the call returns. */
typedef struct rcity_plot_route {
    const char *name; /**< NULL: none */
    int64_t count;
    const double *travelled_m;  /**< from the route's start; where it falls, lines break */
    const double *measured_db;  /**< loss */
    const double *predicted_db; /**< loss */
    const double *baseline_db;  /**< loss by a plain model; NULL: none */
    const bool *is_start;       /**< true where a piece starts after a jump, and lines break before it; NULL: nowhere */
    const int *category;        /**< of each point, 0 to category_count - 1; else none; NULL: none has one */
    rcity_score_figures figures; /**< to be written beside the name; none when its count is 0 */
} rcity_plot_route;

/** Draw routes as PNG, a panel each from the top: loss measured, predicted and by a baseline over the travelled way,
 *  more loss further up, then the categories as a ribbon, then the errors, measured less predicted.
 *  @return as rcity_picture_save(); RCITY_ERR_ARGUMENT for no route. */
RCITY_API RCITY_MUST_CHECK rcity_status rcity_plot_routes_save(rcity_context *context, int route_count,
                                                               const rcity_plot_route *routes,
                                                               const rcity_plot_options *options, const char *path);

/** The points of a scatter plot; as of rcity_plot_route. */
typedef struct rcity_plot_points {
    int64_t count;
    const double *measured_db;
    const double *predicted_db;
    const int *category; /**< NULL: none has one */
    rcity_score_figures figures;
} rcity_plot_points;

/** Draw measured over predicted loss as PNG, with equal axes, their diagonal and a band of 6 dB on each side of it. The
 *  fainter a point, the more there are around it. @return as rcity_picture_save(). */
RCITY_API RCITY_MUST_CHECK rcity_status rcity_plot_scatter_save(rcity_context *context, const rcity_plot_points *points,
                                                                const rcity_plot_options *options, const char *path);

/** Bytes that writing may take beside the map, at worst, so that a program can judge a prediction and its files before
 *  it starts; GDAL and Cairo allocate them outside the context's account. The writers refuse by the same numbers.
 *  A GeoTIFF of so many cells and bands; `is_warped`: in another CRS, for which the map is made once more. */
RCITY_API double rcity_geotiff_bytes(int64_t cell_count, int band_count, bool is_warped);
/** The overlay of a file for globes, without its areas. */
RCITY_API double rcity_kmz_bytes(int64_t cell_count);
/** Areas where thresholds are reached, as polygons. */
RCITY_API double rcity_coverage_bytes(int64_t cell_count);
/** A picture of this width and its file. */
RCITY_API double rcity_picture_bytes(int width_px);

/** Ask before work starts whether a file can be written: folder, name, permissions. Nothing is left behind.
 *  @return RCITY_ERR_FILE with the reason. */
RCITY_API RCITY_MUST_CHECK rcity_status rcity_output_check(rcity_context *context, const char *path);

/** Write a whole text file or none. @return RCITY_ERR_FILE. */
RCITY_API RCITY_MUST_CHECK rcity_status rcity_text_save(rcity_context *context, const char *path, const char *text);

/** What this build can read and write besides compiled scenes. */
typedef struct rcity_build_features {
    bool has_geotiff;  /**< GDAL */
    bool has_pictures; /**< Cairo */
    bool has_hdf5;     /**< HDF5 */
    bool reads_json;   /**< jansson: files of coefficients */
} rcity_build_features;

RCITY_API rcity_build_features rcity_build_features_get(void);

#ifdef __cplusplus
}
#endif

#endif

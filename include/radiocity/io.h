/** @file io.h  Files in and out. Every output file appears whole or not at all. */
#ifndef RADIOCITY_IO_H
#define RADIOCITY_IO_H

#include "radiocity/map.h"
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

/** Ask before work starts whether a CRS can be used: known, projected, in metres. A build without GDAL accepts any
 *  text.
 *  @return RCITY_ERR_ARGUMENT with the reason. */
RCITY_API RCITY_MUST_CHECK rcity_status rcity_crs_check(rcity_context *context, const char *crs);

/** Save a map as a cloud-optimised GeoTIFF. @return RCITY_ERR_UNSUPPORTED in a build without GDAL, RCITY_ERR_FILE,
 *  RCITY_ERR_ARGUMENT for a CRS that GDAL does not know, RCITY_ERR_CANCELLED, RCITY_ERR_MEMORY. */
RCITY_API RCITY_MUST_CHECK rcity_status rcity_map_save_geotiff(rcity_context *context, const rcity_map *map,
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

/** Ask before work starts whether a file can be written: folder, name, permissions. Nothing is left behind.
 *  @return RCITY_ERR_FILE with the reason. */
RCITY_API RCITY_MUST_CHECK rcity_status rcity_output_check(rcity_context *context, const char *path);

/** Write a whole text file or none. @return RCITY_ERR_FILE. */
RCITY_API RCITY_MUST_CHECK rcity_status rcity_text_save(rcity_context *context, const char *path, const char *text);

/** What this build can write besides compiled scenes. */
typedef struct rcity_build_features {
    bool has_geotiff;  /**< GDAL */
    bool has_pictures; /**< Cairo */
} rcity_build_features;

RCITY_API rcity_build_features rcity_build_features_get(void);

#ifdef __cplusplus
}
#endif

#endif

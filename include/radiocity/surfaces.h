/** @file surfaces.h  The field on the surfaces of a city: values of tiles, small rectangles of walls, roofs and ground.
 */
#ifndef RADIOCITY_SURFACES_H
#define RADIOCITY_SURFACES_H

#include "radiocity/map.h"
#include "radiocity/material.h"
#include "radiocity/method.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Tiles of surfaces and their values. Opaque; made by rcity_predict_surfaces(). Const surfaces may be shared by
 *  threads. */
typedef struct rcity_surfaces rcity_surfaces;

/** "wall", "roof" or "ground". Static. */
RCITY_API const char *rcity_surface_name(rcity_surface surface);

/** One tile: a rectangle. Directions are x east, y north, z up. */
typedef struct rcity_surface_tile {
    rcity_point centre;   /**< in the CRS of the scene, scene height; values hold here */
    float normal[3];      /**< of length 1, into the air */
    float side[3];        /**< of length 1, along its first side; the second side runs along normal x side */
    float half_side_m[2]; /**< half of its first and second side */
    rcity_surface kind;   /**< what it is cut from */
    int64_t building_id;  /**< -1 for the ground */
} rcity_surface_tile;

/** Predict on all surfaces of the scene from the request's transmitter. `on_surfaces` of the request's receivers must be
 *  set, and the method be one that serves surfaces (RCITY_SERVES_SURFACES). Owned by the caller; release with
 *  rcity_surfaces_destroy().
 *  @return RCITY_ERR_ARGUMENT for a bad request, RCITY_ERR_UNSUPPORTED for a method that does not serve surfaces,
 *  RCITY_ERR_MEMORY when the estimate exceeds the context's limit, RCITY_ERR_STATE before commit, RCITY_ERR_CANCELLED.
 *  `*surfaces` is untouched on failure. */
RCITY_API RCITY_MUST_CHECK rcity_status rcity_predict_surfaces(rcity_context *context, const rcity_scene *scene,
                                                               rcity_device *device, const rcity_request *request,
                                                               rcity_surfaces **surfaces);

/** Destroy surfaces and null the pointer; accepts NULL and a pointer to NULL. */
RCITY_API void rcity_surfaces_destroy(rcity_surfaces **surfaces);

RCITY_API int64_t rcity_surfaces_tile_count(const rcity_surfaces *surfaces);

/** One tile by index. @return RCITY_ERR_ARGUMENT when out of range, without a sentence. */
RCITY_API RCITY_MUST_CHECK rcity_status rcity_surfaces_get_tile_sized(const rcity_surfaces *surfaces,
                                                                      int64_t tile_index, size_t tile_bytes,
                                                                      rcity_surface_tile *tile);
RCITY_MUST_CHECK static inline rcity_status rcity_surfaces_get_tile(const rcity_surfaces *surfaces, int64_t tile_index,
                                                                    rcity_surface_tile *tile)
{
    return rcity_surfaces_get_tile_sized(surfaces, tile_index, sizeof *tile, tile);
}

RCITY_API int rcity_surfaces_band_count(const rcity_surfaces *surfaces);

/** One band by index: a value for each tile, in the order of the tiles; its rx_height_m is NAN.
 *  @return RCITY_ERR_ARGUMENT when out of range, without a sentence. */
RCITY_API RCITY_MUST_CHECK rcity_status rcity_surfaces_get_band_sized(const rcity_surfaces *surfaces, int band_index,
                                                                      size_t band_bytes, rcity_band *band);
RCITY_MUST_CHECK static inline rcity_status rcity_surfaces_get_band(const rcity_surfaces *surfaces, int band_index,
                                                                    rcity_band *band)
{
    return rcity_surfaces_get_band_sized(surfaces, band_index, sizeof *band, band);
}

/** Minimum, median and maximum of a band's values; all NAN when it has none.
 *  @return RCITY_ERR_ARGUMENT when out of range, RCITY_ERR_MEMORY. */
RCITY_API RCITY_MUST_CHECK rcity_status rcity_surfaces_summarize_sized(rcity_context *context,
                                                                       const rcity_surfaces *surfaces, int band_index,
                                                                       size_t summary_bytes,
                                                                       rcity_band_summary *summary);
RCITY_MUST_CHECK static inline rcity_status rcity_surfaces_summarize(rcity_context *context,
                                                                     const rcity_surfaces *surfaces, int band_index,
                                                                     rcity_band_summary *summary)
{
    return rcity_surfaces_summarize_sized(context, surfaces, band_index, sizeof *summary, summary);
}

/** Where the transmitter's antenna stands, in scene height, and its frequency. */
RCITY_API rcity_point rcity_surfaces_transmitter(const rcity_surfaces *surfaces);
RCITY_API double rcity_surfaces_frequency_hz(const rcity_surfaces *surfaces);

/** CRS of the coordinates, as the scene's; "none" without. Borrowed until the surfaces are destroyed. */
RCITY_API const char *rcity_surfaces_crs(const rcity_surfaces *surfaces);

/** Number of notes. */
RCITY_API int rcity_surfaces_note_count(const rcity_surfaces *surfaces);

/** How the surfaces were made: pairs of key and value, as for maps.
 *  @return RCITY_ERR_ARGUMENT when out of range. Texts are borrowed until the surfaces are destroyed. */
RCITY_API RCITY_MUST_CHECK rcity_status rcity_surfaces_get_note(const rcity_surfaces *surfaces, int pair_index,
                                                                const char **key, const char **value);

/** Make a map of the ground: each cell takes all bands from the ground tile that contains its centre, else from the
 *  nearest one whose centre is no farther away than half its diagonal, else it has no value. The map reaches over all
 *  ground tiles, from multiples of `cell_m`. Owned by the caller; release with rcity_map_destroy().
 *  @return RCITY_ERR_ARGUMENT for a bad cell or surfaces without ground tiles, RCITY_ERR_MEMORY. `*map` is untouched on
 *  failure. */
RCITY_API RCITY_MUST_CHECK rcity_status rcity_surfaces_to_map(rcity_context *context, const rcity_surfaces *surfaces,
                                                              double cell_m, rcity_map **map);

/** Take out one column of a facade: the wall tiles above and below each other, from the lowest to the highest, in the
 *  wall that is nearest to a place in plan and at most `distance_max_m` away. The result has all bands, and before them
 *  "height_above_lowest" in metres, from the centre of the lowest tile. Owned by the caller; release with
 *  rcity_surfaces_destroy().
 *  @return RCITY_ERR_ARGUMENT for a place or distance that is no number and where no wall is near enough,
 *  RCITY_ERR_MEMORY. `*profile` is untouched on failure. */
RCITY_API RCITY_MUST_CHECK rcity_status rcity_surfaces_profile(rcity_context *context, const rcity_surfaces *surfaces,
                                                               double x_m, double y_m, double distance_max_m,
                                                               rcity_surfaces **profile);

/** How surfaces are saved. Start from rcity_surfaces_save_options_default(). Pointers are borrowed until the call
 *  returns. */
typedef struct rcity_surfaces_save_options {
    size_t struct_bytes; /**< size of this struct, set by rcity_surfaces_save_options_default() */
    const char *band;    /**< name of the band that gives the colours of .ply and .glb; NULL: the first band of received
                              power that has a value, else the first such of loss, else the first of all */
    double value_min;    /**< ends of the colours; NAN: chosen from the values, as for pictures */
    double value_max;
} rcity_surfaces_save_options;

/** rcity_surfaces_save_options_default() with the size of the struct that the program knows. */
RCITY_API void rcity_surfaces_save_options_init(rcity_surfaces_save_options *options, size_t struct_bytes);
RCITY_DEFAULT_OF(rcity_surfaces_save_options)

/** Save by the name's ending: .h5 (HDF5: a table of tiles, a column for each band), .glb (glTF 2.0: coloured rectangles
 *  for 3-D viewers), .ply (coloured rectangles with the values of all bands), .csv (one line a tile). Whole or not at
 *  all. `options` may be NULL.
 *  @return RCITY_ERR_ARGUMENT for another ending, a band that does not exist and ends of colours that are no range,
 *  RCITY_ERR_UNSUPPORTED for HDF5 in a build without it, RCITY_ERR_FILE, RCITY_ERR_CANCELLED, RCITY_ERR_MEMORY. */
RCITY_API RCITY_MUST_CHECK rcity_status rcity_surfaces_save(rcity_context *context, const rcity_surfaces *surfaces,
                                                            const rcity_surfaces_save_options *options,
                                                            const char *path);

#define RCITY_SURFACES_ELEVATION_MIN_DEG 5.0 /**< lowest place a picture is seen from; 90 is from above */

/** How surfaces are drawn. Start from rcity_surfaces_draw_options_default(). Pointers are borrowed until the call
 *  returns. */
typedef struct rcity_surfaces_draw_options {
    size_t struct_bytes; /**< size of this struct, set by rcity_surfaces_draw_options_default() */
    int width_px;        /**< of the whole picture, RCITY_PICTURE_WIDTH_MIN_PX to RCITY_PICTURE_WIDTH_MAX_PX; 1600 */
    const char *title;   /**< NULL: made from the notes */
    const char *band;    /**< name of the band that gives the colours; NULL: as rcity_surfaces_save() */
    double value_min;    /**< ends of the colour bar; NAN: chosen from the values */
    double value_max;
    double azimuth_deg;   /**< side from which the city is seen, clockwise from the y axis, -360 to 360; 225 */
    double elevation_deg; /**< height above the horizon from which it is seen; RCITY_SURFACES_ELEVATION_MIN_DEG to 90;
                               40 */
} rcity_surfaces_draw_options;

/** rcity_surfaces_draw_options_default() with the size of the struct that the program knows. */
RCITY_API void rcity_surfaces_draw_options_init(rcity_surfaces_draw_options *options, size_t struct_bytes);
RCITY_DEFAULT_OF(rcity_surfaces_draw_options)

/** Draw all tiles as PNG, in parallel projection, coloured by one band, with the transmitter, the colour bar and the
 *  notes. Tiles that face away and what nearer tiles hide is not seen; tiles without a value are grey. Walls are lighter
 *  or darker by the way they face. Needs no scene.
 *  @return RCITY_ERR_UNSUPPORTED in a build without Cairo, RCITY_ERR_ARGUMENT for surfaces without tiles, a band that
 *  does not exist and options outside their ranges, RCITY_ERR_FILE, RCITY_ERR_CANCELLED, RCITY_ERR_MEMORY. */
RCITY_API RCITY_MUST_CHECK rcity_status rcity_surfaces_draw(rcity_context *context, const rcity_surfaces *surfaces,
                                                            const rcity_surfaces_draw_options *options,
                                                            const char *path);

/** Largest number of bytes that rcity_surfaces_save() may need besides the surfaces to write .h5, which HDF5 allocates
 *  outside the context's account; other files are written piece by piece. */
RCITY_API double rcity_surfaces_hdf5_bytes(int64_t tile_count, int band_count);

#ifdef __cplusplus
}
#endif

#endif

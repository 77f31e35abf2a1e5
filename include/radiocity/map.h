/** @file map.h  What a prediction over a raster yields: named bands of values with units. */
#ifndef RADIOCITY_MAP_H
#define RADIOCITY_MAP_H

#include "radiocity/radio.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A map. Opaque; made by rcity_predict(). */
typedef struct rcity_map rcity_map;

/** One band. Texts and values are borrowed until the map is destroyed. */
typedef struct rcity_band {
    const char *name;   /**< such as "path_loss" */
    const char *unit;   /**< such as "dB"; "" for none */
    const char *text;   /**< a sentence for people */
    double rx_height_m; /**< the receiver plane above ground */
    const float *value; /**< row by row from the north; NAN where there is no value */
} rcity_band;

/** Destroy a map and null the pointer; accepts NULL and a pointer to NULL. */
RCITY_API void rcity_map_destroy(rcity_map **map);

/** The raster all bands share. */
RCITY_API rcity_raster rcity_map_raster(const rcity_map *map);

RCITY_API int rcity_map_band_count(const rcity_map *map);

/** One band by index. @return RCITY_ERR_ARGUMENT when out of range. */
RCITY_API RCITY_MUST_CHECK rcity_status rcity_map_get_band(const rcity_map *map, int band_index, rcity_band *band);

/** CRS of the map, as the scene's; "none" without. Borrowed until the map is destroyed. */
RCITY_API const char *rcity_map_crs(const rcity_map *map);

/** How the map was made: pairs of key and value that change its values, and nothing that varies between runs.
 *  @return false when pair_index is past the last pair. Texts are borrowed until the map is destroyed. */
RCITY_API bool rcity_map_get_note(const rcity_map *map, int pair_index, const char **key, const char **value);

/** Figures of one band. */
typedef struct rcity_band_summary {
    int64_t value_count; /**< cells with a value */
    double minimum, median, maximum;
} rcity_band_summary;

/** Minimum, median and maximum of a band's values; all NAN when it has none.
 *  @return RCITY_ERR_ARGUMENT when out of range, RCITY_ERR_MEMORY. */
RCITY_API RCITY_MUST_CHECK rcity_status rcity_map_summarize(const rcity_map *map, int band_index,
                                                            rcity_band_summary *summary);

#ifdef __cplusplus
}
#endif

#endif

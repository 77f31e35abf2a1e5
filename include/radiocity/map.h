/** @file map.h  The result of a prediction over a raster: named bands of values with kinds and units. */
#ifndef RADIOCITY_MAP_H
#define RADIOCITY_MAP_H

#include "radiocity/radio.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A map. Opaque; made by rcity_predict() or rcity_map_create(). A const map may be shared by threads. */
typedef struct rcity_map rcity_map;

/** Every kind of band in one list: code, value, word in files, what larger values mean (1: better, -1: worse, 0:
 *  neither), sentence. How a band is used (colours, coverage, best server ...) depends on its kind, never on its
 *  name. */
#define RCITY_BAND_KIND_LIST(X)                                                                                        \
    X(RCITY_BAND_OTHER, 0, "other", 0, "values of no kind in this list")                                               \
    X(RCITY_BAND_LOSS, 1, "loss", -1, "loss between transmitter and receiver")                                         \
    X(RCITY_BAND_POWER, 2, "power", 1, "received power")                                                               \
    X(RCITY_BAND_SIGHT, 3, "sight", 1, "1 in line of sight of the transmitter, else 0")                                \
    X(RCITY_BAND_CLASS, 4, "class", 0, "numbers of classes, from 0")                                                   \
    X(RCITY_BAND_SERVER, 5, "server", 0, "numbers of transmitters, from 1: classes that are the sites")                \
    X(RCITY_BAND_COUNT, 6, "count", 0, "how many of something there are")                                              \
    X(RCITY_BAND_PROBABILITY, 7, "probability", 1, "probability, 0 to 1")                                              \
    X(RCITY_BAND_DIFFERENCE, 8, "difference", 0, "one value less another, such as a margin")                           \
    X(RCITY_BAND_SINR, 9, "sinr", 1, "signal over interference and noise")                                             \
    X(RCITY_BAND_RATIO, 10, "ratio", 0, "one power over another, such as a K-factor")                                  \
    X(RCITY_BAND_DELAY, 11, "delay", 0, "delay, or spread of delays")                                                  \
    X(RCITY_BAND_ANGLE, 12, "angle", 0, "angle, or spread of angles")

/** What the values of a band are. */
typedef enum rcity_band_kind {
#define RCITY_BAND_KIND_ENUM(code, value, word, sense, text) code = (value),
    RCITY_BAND_KIND_LIST(RCITY_BAND_KIND_ENUM)
#undef RCITY_BAND_KIND_ENUM
} rcity_band_kind;

/** The word for a kind, such as "loss", which GeoTIFFs store in the metadata item KIND of a band; never NULL. */
RCITY_API const char *rcity_band_kind_word(rcity_band_kind kind);

/** One sentence that describes a kind; never NULL. */
RCITY_API const char *rcity_band_kind_text(rcity_band_kind kind);

/** What larger values of a kind mean: 1 better, -1 worse (a loss), 0 neither. A threshold is reached by values at or
 *  below it where this is -1, else by those at or above it. */
RCITY_API int rcity_band_kind_sense(rcity_band_kind kind);

/** One band. Texts and values are borrowed until the map is destroyed. */
typedef struct rcity_band {
    const char *name;   /**< such as "path_loss" */
    const char *unit;   /**< such as "dB"; "" for none */
    const char *text;   /**< a sentence for people */
    double rx_height_m; /**< the receiver plane above ground; NAN for surfaces */
    const float *value; /**< of a map row by row from the north, of surfaces tile by tile; NAN where there is no
                             value */
    rcity_band_kind kind;
    int class_count;                /**< for kinds class and server: number of names, values are below it; 0: no
                                         names */
    const char *const *class_names; /**< class_count names: value i has name i; "" for a value without a name */
} rcity_band;

/** The unit of a difference of two values of a band: dB for levels in dBm, else the band's own unit. */
RCITY_API const char *rcity_band_difference_unit(const rcity_band *band);

/** Create a map without bands, to be filled by rcity_map_add_band(). `crs` is copied; NULL: none. Owned by the caller;
 *  release with rcity_map_destroy(). @return RCITY_ERR_ARGUMENT for a raster without cells, corner or size,
 *  RCITY_ERR_MEMORY. */
RCITY_API RCITY_MUST_CHECK rcity_status rcity_map_create(rcity_context *context, const rcity_raster *raster,
                                                         const char *crs, rcity_map **map);

/** Add a band and hand out its values for filling, row by row from the north: all NAN, borrowed until the map is
 *  destroyed. Texts are copied; `unit` and `text` may be NULL. Its index is the number of bands before.
 *  @return RCITY_ERR_MEMORY; then nothing has changed. */
RCITY_API RCITY_MUST_CHECK rcity_status rcity_map_add_band(rcity_map *map, rcity_band_kind kind, const char *name,
                                                           const char *unit, const char *text, double rx_height_m,
                                                           float **value);

/** Name the classes of a band, at least one: value i is names[i]. Names are copied; NULL or "": the value has no name.
 *  @return RCITY_ERR_ARGUMENT for a band that does not exist, RCITY_ERR_MEMORY; then nothing has changed. */
RCITY_API RCITY_MUST_CHECK rcity_status rcity_map_set_classes(rcity_map *map, int band_index, int class_count,
                                                              const char *const *names);

/** Note one fact about how the map was made; both texts are copied and the order is kept. @return RCITY_ERR_MEMORY. */
RCITY_API RCITY_MUST_CHECK rcity_status rcity_map_add_note(rcity_map *map, const char *key, const char *value);

/** Destroy a map and null the pointer; accepts NULL and a pointer to NULL. */
RCITY_API void rcity_map_destroy(rcity_map **map);

/** The raster all bands share. */
RCITY_API rcity_raster rcity_map_raster(const rcity_map *map);

RCITY_API int rcity_map_band_count(const rcity_map *map);

/** One band by index. @return RCITY_ERR_ARGUMENT when out of range, without a sentence. */
RCITY_API RCITY_MUST_CHECK rcity_status rcity_map_get_band_sized(const rcity_map *map, int band_index,
                                                                 size_t band_bytes, rcity_band *band);
RCITY_MUST_CHECK static inline rcity_status rcity_map_get_band(const rcity_map *map, int band_index, rcity_band *band)
{
    return rcity_map_get_band_sized(map, band_index, sizeof *band, band);
}

/** CRS of the map, as the scene's; "none" without. Borrowed until the map is destroyed. */
RCITY_API const char *rcity_map_crs(const rcity_map *map);

/** How many notes there are. */
RCITY_API int rcity_map_note_count(const rcity_map *map);

/** How the map was made: pairs of key and value that change its values, and nothing that varies between runs.
 *  @return RCITY_ERR_ARGUMENT when out of range. Texts are borrowed until the map is destroyed. */
RCITY_API RCITY_MUST_CHECK rcity_status rcity_map_get_note(const rcity_map *map, int pair_index, const char **key,
                                                           const char **value);

/** Figures of one band. */
typedef struct rcity_band_summary {
    int64_t value_count; /**< cells with a value */
    double minimum, median, maximum;
} rcity_band_summary;

/** Minimum, median and maximum of a band's values; all NAN when it has none.
 *  @return RCITY_ERR_ARGUMENT when out of range, RCITY_ERR_MEMORY. */
RCITY_API RCITY_MUST_CHECK rcity_status rcity_map_summarize_sized(rcity_context *context, const rcity_map *map,
                                                                  int band_index, size_t summary_bytes,
                                                                  rcity_band_summary *summary);
RCITY_MUST_CHECK static inline rcity_status rcity_map_summarize(rcity_context *context, const rcity_map *map,
                                                                int band_index, rcity_band_summary *summary)
{
    return rcity_map_summarize_sized(context, map, band_index, sizeof *summary, summary);
}

#ifdef __cplusplus
}
#endif

#endif

/** @file delays.h  When power arrives: a histogram of delays for each cell of a raster. */
#ifndef RADIOCITY_DELAYS_H
#define RADIOCITY_DELAYS_H

#include "radiocity/method.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Histograms of power over delay, one for each cell of a raster at one receiver height, only of bins in which something
 *  arrives. Opaque; made by rcity_predict_delays() or rcity_delays_load_hdf5(). Const delays may be shared by
 *  threads. */
typedef struct rcity_delays rcity_delays;

/** Widest and narrowest bins, in seconds. */
#define RCITY_DELAY_BIN_MIN_S 1e-12
#define RCITY_DELAY_BIN_MAX_S 1e-3

#define RCITY_DELAY_THRESHOLD_DB     20.0  /**< below the strongest bin, where nothing else is asked for */
#define RCITY_DELAY_THRESHOLD_MAX_DB 300.0 /**< largest one; the smallest is 0 */

/** Predict the delays of one transmitter at one of the request's receiver heights, by its index. The request's receivers
 *  must be a raster, and its method one that serves delays (RCITY_SERVES_DELAYS). Bin b holds what arrives from
 *  first_s + b * bin_s to before first_s + (b + 1) * bin_s, counted from when it departs. Owned by the caller; release
 *  with rcity_delays_destroy(). Where `map` is not NULL, it gets the map of the same request, as from rcity_predict(), with
 *  all heights; the paths of each cell are followed once for both.
 *  @return RCITY_ERR_ARGUMENT for a bad request, height or bin, RCITY_ERR_UNSUPPORTED for a method that does not serve
 *  delays, RCITY_ERR_MEMORY when the estimate exceeds the context's limit, RCITY_ERR_STATE before commit,
 *  RCITY_ERR_CANCELLED. `*map` and `*delays` are untouched on failure. */
RCITY_API RCITY_MUST_CHECK rcity_status rcity_predict_delays(rcity_context *context, const rcity_scene *scene,
                                                             rcity_device *device, const rcity_request *request,
                                                             int height_index, double bin_s, rcity_map **map,
                                                             rcity_delays **delays);

/** Destroy delays and null the pointer; accepts NULL and a pointer to NULL. */
RCITY_API void rcity_delays_destroy(rcity_delays **delays);

/** What delays are of. The text is borrowed until the delays are destroyed. */
typedef struct rcity_delays_info {
    rcity_raster raster;   /**< cells are counted row by row from the north, as in maps */
    double rx_height_m;    /**< of the receivers, above ground */
    double first_s, bin_s; /**< where the first bin starts, and how wide each is */
    int64_t bin_count;     /**< the highest bin with an entry, plus 1; 0 without entries */
    int64_t cell_count;    /**< of the raster */
    int64_t reached_count; /**< cells that have entries */
    int64_t entry_count;   /**< of all cells */
    const char *crs;       /**< of the raster, as the scene's; "none" without */
} rcity_delays_info;

/** Describe delays. @return RCITY_ERR_ARGUMENT for NULL, without a sentence. */
RCITY_API RCITY_MUST_CHECK rcity_status rcity_delays_describe_sized(const rcity_delays *delays, size_t info_bytes,
                                                                    rcity_delays_info *info);
RCITY_MUST_CHECK static inline rcity_status rcity_delays_describe(const rcity_delays *delays, rcity_delays_info *info)
{
    return rcity_delays_describe_sized(delays, sizeof *info, info);
}

/** The cell that contains a place, in the CRS of the scene. A place between two cells belongs to the one in the south or
 *  east; the outer edges belong to the raster. @return RCITY_ERR_ARGUMENT outside of it, with its bounds. */
RCITY_API RCITY_MUST_CHECK rcity_status rcity_delays_find_cell(rcity_context *context, const rcity_delays *delays,
                                                               double x_m, double y_m, int64_t *cell_index);

/** One cell. Its entries are borrowed until the delays are destroyed. */
typedef struct rcity_delay_cell {
    int64_t row, column; /**< from the north, from the west; from 0 */
    double x_m, y_m;     /**< its centre */
    int64_t entry_count; /**< 0: nothing arrives */
    const int32_t *bin;  /**< numbers of bins, ascending */
    const float *gain;   /**< of each: received power over power into the transmitting antenna, linear, 0 or more */
} rcity_delay_cell;

/** One cell by index. @return RCITY_ERR_ARGUMENT when out of range, without a sentence. */
RCITY_API RCITY_MUST_CHECK rcity_status rcity_delays_get_cell_sized(const rcity_delays *delays, int64_t cell_index,
                                                                    size_t cell_bytes, rcity_delay_cell *cell);
RCITY_MUST_CHECK static inline rcity_status rcity_delays_get_cell(const rcity_delays *delays, int64_t cell_index,
                                                                  rcity_delay_cell *cell)
{
    return rcity_delays_get_cell_sized(delays, cell_index, sizeof *cell, cell);
}

/** Figures of one cell, as if all power of a bin arrived in its middle: what the width of bins hides is no part of the
 *  spread. All NAN where nothing arrives. */
typedef struct rcity_delay_summary {
    int64_t entry_count;    /**< bins in which something arrives */
    double gain_db;         /**< of all bins together */
    double strongest_db;    /**< gain of the strongest bin, of equally strong ones the first */
    double strongest_s;     /**< and its delay */
    double mean_delay_s;    /**< weighted by power, counted from departure; ITU-R P.1407-5, annex 1, 2.2.2 */
    double delay_spread_s;  /**< root mean square around the mean, weighted by power; ITU-R P.1407-5, annex 1, 2.2.3 */
    double first_s, last_s; /**< first and last bin that are no weaker than the strongest less the threshold */
    double excess_delay_s;  /**< the last less the first of these: the maximum excess delay, or delay interval of ITU-R
                                 P.1407-5, annex 1, 2.2.5 */
    double threshold_db;    /**< this threshold */
    double k_factor_db;     /**< Rician K: the strongest bin over the sum of all others; NAN with a single bin */
    double coherence_hz;    /**< bandwidth over which the channel's correlation stays above about 0.5: 1 / (5
                                 delay_spread_s), T. S. Rappaport, Wireless Communications, 2nd ed., 2002, section 5.4.2;
                                 HUGE_VAL where the spread is 0 */
} rcity_delay_summary;

/** Figures of one cell by index; `threshold_db` is how far below the strongest bin others still count for the excess
 *  delay, 0 to RCITY_DELAY_THRESHOLD_MAX_DB; NAN: RCITY_DELAY_THRESHOLD_DB.
 *  @return RCITY_ERR_ARGUMENT when either is out of range, with a sentence. */
RCITY_API RCITY_MUST_CHECK rcity_status rcity_delays_summarize_sized(rcity_context *context, const rcity_delays *delays,
                                                                     int64_t cell_index, double threshold_db,
                                                                     size_t summary_bytes,
                                                                     rcity_delay_summary *summary);
RCITY_MUST_CHECK static inline rcity_status rcity_delays_summarize(rcity_context *context, const rcity_delays *delays,
                                                                   int64_t cell_index, double threshold_db,
                                                                   rcity_delay_summary *summary)
{
    return rcity_delays_summarize_sized(context, delays, cell_index, threshold_db, sizeof *summary, summary);
}

/** Number of notes. */
RCITY_API int rcity_delays_note_count(const rcity_delays *delays);

/** How the delays were made: pairs of key and value, as for maps.
 *  @return RCITY_ERR_ARGUMENT when out of range. Texts are borrowed until the delays are destroyed. */
RCITY_API RCITY_MUST_CHECK rcity_status rcity_delays_get_note(const rcity_delays *delays, int pair_index,
                                                              const char **key, const char **value);

/** Save as HDF5, compressed, whole or not at all; other programs can read the file too.
 *  @return RCITY_ERR_UNSUPPORTED in a build without HDF5, RCITY_ERR_FILE, RCITY_ERR_MEMORY. */
RCITY_API RCITY_MUST_CHECK rcity_status rcity_delays_save_hdf5(rcity_context *context, const rcity_delays *delays,
                                                               const char *path);

/** Load what rcity_delays_save_hdf5() saved, as it was, bit by bit. Owned by the caller; release with
 *  rcity_delays_destroy(). Every byte of the file is held against its checksum.
 *  @return RCITY_ERR_UNSUPPORTED in a build without HDF5, RCITY_ERR_FILE where it cannot be read, RCITY_ERR_FORMAT for
 *  other files and damaged ones, RCITY_ERR_MEMORY. `*delays` is untouched on failure. */
RCITY_API RCITY_MUST_CHECK rcity_status rcity_delays_load_hdf5(rcity_context *context, const char *path,
                                                               rcity_delays **delays);

/** Largest number of bytes that rcity_delays_save_hdf5() may need besides the delays, which HDF5 allocates outside the
 *  context's account. */
RCITY_API double rcity_delays_hdf5_bytes(int64_t cell_count, int64_t entry_count);

/** How a histogram is drawn. Start from rcity_delays_draw_options_default(). Pointers are borrowed until the call
 *  returns. */
typedef struct rcity_delays_draw_options {
    size_t struct_bytes; /**< size of this struct, set by rcity_delays_draw_options_default() */
    int width_px;        /**< of the picture, RCITY_PICTURE_WIDTH_MIN_PX to RCITY_PICTURE_WIDTH_MAX_PX; 1200 */
    const char *title;   /**< NULL: made from the place and the notes */
    double threshold_db; /**< as for rcity_delays_summarize() */
} rcity_delays_draw_options;

/** rcity_delays_draw_options_default() with the size of the struct that the program knows. */
RCITY_API void rcity_delays_draw_options_init(rcity_delays_draw_options *options, size_t struct_bytes);
RCITY_DEFAULT_OF(rcity_delays_draw_options)

/** Draw the histogram of one cell as PNG: gain in dB over delay in microseconds, with the mean delay and the spread
 *  around it. `options` may be NULL.
 *  @return RCITY_ERR_UNSUPPORTED in a build without Cairo, RCITY_ERR_ARGUMENT for a cell out of range or without
 *  entries and for options outside their ranges, RCITY_ERR_FILE, RCITY_ERR_MEMORY. */
RCITY_API RCITY_MUST_CHECK rcity_status rcity_delays_draw(rcity_context *context, const rcity_delays *delays,
                                                          int64_t cell_index, const rcity_delays_draw_options *options,
                                                          const char *path);

#ifdef __cplusplus
}
#endif

#endif

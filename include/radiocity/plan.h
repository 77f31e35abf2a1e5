/** @file plan.h  From single predictions to coverage: best server, interference, thresholds, fading, differences. */
#ifndef RADIOCITY_PLAN_H
#define RADIOCITY_PLAN_H

#include "radiocity/method.h"

#ifdef __cplusplus
extern "C" {
#endif

#define RCITY_THRESHOLD_COUNT_MAX 16    /**< largest number of thresholds in one run */
#define RCITY_FADE_SIGMA_MAX_DB   50.0  /**< largest standard deviation of fading */
#define RCITY_BANDWIDTH_MIN_HZ    1.0   /**< narrowest channel */
#define RCITY_BANDWIDTH_MAX_HZ    1e11  /**< widest channel */
#define RCITY_NOISE_FIGURE_MAX_DB 50.0  /**< largest noise figure of a receiver */
#define RCITY_NOISE_TEMPERATURE_K 290.0 /**< the temperature noise figures refer to */

/** Options of a network's prediction. Start from rcity_network_options_default(). */
typedef struct rcity_network_options {
    size_t struct_bytes;         /**< size of this struct, set by rcity_network_options_default() */
    int threshold_count;         /**< 0 to RCITY_THRESHOLD_COUNT_MAX */
    const double *threshold_dbm; /**< Borrowed until the call returns. */
    double fade_sigma_db; /**< standard deviation of log-normal fading; above 0 each threshold gets a band with the
                               probability that it is reached */

    double bandwidth_hz;    /**< width of all channels, RCITY_BANDWIDTH_MIN_HZ to RCITY_BANDWIDTH_MAX_HZ: the map gets a
                              band sinr for each height. 0, the default: no SINR. A sector's power is spread evenly over
                              its channel, which lies around its frequency. */
    double noise_figure_db; /**< of the receivers, 0 to RCITY_NOISE_FIGURE_MAX_DB. 7, the default, is that of a handset
                                 below 6 GHz as the evaluation of mobile systems takes it (Report ITU-R M.2412); above,
                                 and for cheap devices, 9 to 13 are usual. */
    double load;            /**< 0 to 1: the share of the time, or of its channel, in which a sector transmits, for
                                 sectors whose own load is NAN. It scales a sector's interference, not its power as a
                                 server. 1, the default: all sectors always transmit, the worst case. */

    /** Called with each sector's finished map, bands path_loss and received_power, which is borrowed until the call
     *  returns; NULL for none. A status other than RCITY_OK ends the run, which returns it. */
    rcity_status (*on_sector)(void *user, int sector_index, const rcity_map *map);
    void *user;
} rcity_network_options;

/** rcity_network_options_default() with the size of the struct that the program knows. */
RCITY_API void rcity_network_options_init(rcity_network_options *options, size_t struct_bytes);
RCITY_DEFAULT_OF(rcity_network_options)

/** Predict many sectors, one after the other, and keep the strongest at each receiver. The request gives everything
 *  except the transmitters, which must state their power. For each receiver height the map has the bands received_power
 *  (dBm), best_server (1 for the first transmitter; its classes and the notes server_1, server_2, ... name them),
 *  server_margin (dB to the second best; no value where there is none), with a bandwidth sinr, and second_server. With fading there
 *  is a band for each threshold with the probability that the best server reaches it, such as
 *  coverage_probability_-95_dbm. Owned by the caller; release with rcity_map_destroy(). @return as rcity_predict(), and
 *  what on_sector returned.
 *
 *  sinr (dB) is the strongest sector's level over the sum of thermal noise, see rcity_thermal_noise_dbm(), and the
 *  levels of all other sectors, each times its load and times the share of its channel that overlaps the server's: 1 -
 *  |f1 - f2| / bandwidth, and 0 for carriers at least one bandwidth apart. Sectors of the same frequency interfere
 *  fully. Powers are added in double precision, in the order of the transmitters. The predicted means are used: sinr
 *  contains no fading. */
RCITY_API RCITY_MUST_CHECK rcity_status rcity_predict_network(rcity_context *context, const rcity_scene *scene,
                                                              rcity_device *device, const rcity_request *request,
                                                              int transmitter_count,
                                                              const rcity_transmitter *transmitters,
                                                              const rcity_network_options *options, rcity_map **map);

/** Check a network's request and estimate its cost, without running it.
 *  @return as rcity_predict_network(), except that too little memory is not an error here. */
RCITY_API RCITY_MUST_CHECK rcity_status rcity_predict_network_estimate_sized(
    rcity_context *context, const rcity_scene *scene, const rcity_request *request, int transmitter_count,
    const rcity_transmitter *transmitters, const rcity_network_options *options, size_t estimate_bytes,
    rcity_estimate *estimate);
RCITY_MUST_CHECK static inline rcity_status rcity_predict_network_estimate(
    rcity_context *context, const rcity_scene *scene, const rcity_request *request, int transmitter_count,
    const rcity_transmitter *transmitters, const rcity_network_options *options, rcity_estimate *estimate)
{
    return rcity_predict_network_estimate_sized(context, scene, request, transmitter_count, transmitters, options,
                                                sizeof *estimate, estimate);
}

/** Power of thermal noise in a channel, as a receiver with a noise figure sees it: k T B F at
 *  RCITY_NOISE_TEMPERATURE_K, that is -173.975 dBm in 1 Hz for a noise figure of 0. */
RCITY_API double rcity_thermal_noise_dbm(double bandwidth_hz, double noise_figure_db);

/** How much of a map reaches a threshold. */
typedef struct rcity_coverage {
    double threshold;
    int64_t receiver_count;           /**< cells with a value */
    int64_t covered_count;            /**< those at or above the threshold; for a loss, at or below */
    double receiver_km2, covered_km2; /**< NAN for a map whose cells are not in metres of the ground, see
                                            rcity_map_load_geotiff() */
    double covered_fraction;          /**< of the cells with a value; NAN when there are none */
    double fading_fraction;           /**< the mean coverage probability under fading; NAN without fading */
} rcity_coverage;

/** Coverage of one band at a threshold, with fading of a standard deviation unless that is 0. For a band of kind loss,
 *  values at or below the threshold count as covered.
 *  @return RCITY_ERR_ARGUMENT for a band that does not exist, a threshold that is no number or a sigma outside 0 to
 *  RCITY_FADE_SIGMA_MAX_DB. */
RCITY_API RCITY_MUST_CHECK rcity_status rcity_map_get_coverage_sized(rcity_context *context, const rcity_map *map,
                                                                     int band_index, double threshold,
                                                                     double fade_sigma_db, size_t coverage_bytes,
                                                                     rcity_coverage *coverage);
RCITY_MUST_CHECK static inline rcity_status rcity_map_get_coverage(rcity_context *context, const rcity_map *map,
                                                                   int band_index, double threshold,
                                                                   double fade_sigma_db, rcity_coverage *coverage)
{
    return rcity_map_get_coverage_sized(context, map, band_index, threshold, fade_sigma_db, sizeof *coverage, coverage);
}

/** Add a band with the probability that a band reaches a threshold (a loss: stays at or below it) under log-normal
 *  fading. It is named after threshold and unit: coverage_probability_-95_dbm.
 *  @return RCITY_ERR_ARGUMENT for a band that does not exist, a threshold that is not finite or already has a band, a
 *  sigma that is not above 0 and at most RCITY_FADE_SIGMA_MAX_DB; RCITY_ERR_MEMORY. */
RCITY_API RCITY_MUST_CHECK rcity_status rcity_map_add_probability(rcity_map *map, int band_index, double threshold_dbm,
                                                                  double fade_sigma_db);

/** Probability that a mean level `margin_db` above a threshold stays above it under log-normal fading: the standard
 *  normal distribution's integral up to margin / sigma. For sigma 0 it is 0 or 1 (1/2 at margin 0); NAN for a sigma
 *  below 0. */
RCITY_API double rcity_fade_probability(double margin_db, double sigma_db);

/** The margin for a probability: the inverse of rcity_fade_probability(), to 1e-12 of sigma. Infinite at 0 and 1, 0 for
 *  sigma 0, NAN for a value that is no probability and for a sigma below 0. */
RCITY_API double rcity_fade_margin_db(double probability, double sigma_db);

/** Differences between two bands. */
typedef struct rcity_map_difference {
    int64_t both_count;                                /**< cells with a value in both */
    int64_t only_first_count, only_second_count;       /**< cells with a value in one only */
    double mean, standard_deviation, root_mean_square; /**< of second minus first; NAN without common cells. The
                                                            deviation is that of all cells, not of a sample */
    double minimum, maximum;
    double largest_x_m, largest_y_m; /**< centre of the cell that differs most; of equal ones the northernmost, then the
                                          westernmost */
} rcity_map_difference;

/** Compare two bands of two maps on the same raster, and make a map of second minus first (band "difference", notes of
 *  both with the prefixes first_ and second_) unless `made` is NULL. Owned by the caller; release with
 *  rcity_map_destroy(). Corner and cell size may differ by a thousandth of a cell over the whole raster. @return
 *  RCITY_ERR_ARGUMENT for rasters, CRS or units that differ, with the difference; RCITY_ERR_MEMORY. */
RCITY_API RCITY_MUST_CHECK rcity_status rcity_map_compare_sized(rcity_context *context, const rcity_map *first,
                                                                int first_band, const rcity_map *second,
                                                                int second_band, size_t difference_bytes,
                                                                rcity_map_difference *difference, rcity_map **made);
RCITY_MUST_CHECK static inline rcity_status rcity_map_compare(rcity_context *context, const rcity_map *first,
                                                              int first_band, const rcity_map *second, int second_band,
                                                              rcity_map_difference *difference, rcity_map **made)
{
    return rcity_map_compare_sized(context, first, first_band, second, second_band, sizeof *difference, difference,
                                   made);
}

#ifdef __cplusplus
}
#endif

#endif

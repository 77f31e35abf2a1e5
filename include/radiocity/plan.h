/** @file plan.h  From single predictions to coverage: best server, interference, thresholds, fading, differences. */
#ifndef RADIOCITY_PLAN_H
#define RADIOCITY_PLAN_H

#include "radiocity/method.h"

#ifdef __cplusplus
extern "C" {
#endif

#define RCITY_THRESHOLD_COUNT_MAX 16    /**< most thresholds in one run */
#define RCITY_FADE_SIGMA_MAX_DB   50.0  /**< largest standard deviation of fading */
#define RCITY_BANDWIDTH_MIN_HZ    1.0   /**< narrowest channel */
#define RCITY_BANDWIDTH_MAX_HZ    1e11  /**< widest channel */
#define RCITY_NOISE_FIGURE_MAX_DB 50.0  /**< largest noise figure of a receiver */
#define RCITY_NOISE_TEMPERATURE_K 290.0 /**< the temperature noise figures refer to */

/** What a network's prediction should tell. Start from rcity_network_options_default(). */
typedef struct rcity_network_options {
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
    double load;            /**< 0 to 1: which share of the time, or of its channel, a sector sends; what it adds to the
                      interference counts by it, the server's own power does not. For sectors whose own load is NAN. 1,
                      the default: all sectors send always, the worst case. */

    /** Called with each sector's finished map, bands path_loss and received_power, which is borrowed until the call
     *  returns; NULL for none. Another status than RCITY_OK ends the run with it. */
    rcity_status (*on_sector)(void *user, int sector_index, const rcity_map *map);
    void *user;
} rcity_network_options;

RCITY_API rcity_network_options rcity_network_options_default(void);

/** Predict many sectors, one after the other, and keep for each receiver the strongest. The request says all but
 *  the transmitters, which must state their power. For each receiver height the map has the bands received_power
 *  (dBm), best_server (1 for the first transmitter; its classes and the notes server_1, server_2, ... name them),
 *  server_margin (dB to the second best, without value where there is none), sinr where a bandwidth is given and, when fading is given, one for each threshold with
 *  the probability that the best server reaches it, named after it: coverage_probability_-95_dbm. Owned by the
 *  caller; release with rcity_map_destroy(). @return as rcity_predict(), and what on_sector returned.
 *
 *  sinr (dB) is the strongest sector's level over the sum of thermal noise, see rcity_thermal_noise_dbm(), and of the
 *  levels of all other sectors, each times its load and times the share of its channel that lies in the server's:
 *  1 - |f1 - f2| / bandwidth, and nothing from one bandwidth apart on. Sectors of one frequency interfere fully. Powers
 *  are added in double precision, in the order of the transmitters. The means of the prediction are compared: sinr
 *  knows no fading. */
RCITY_API RCITY_MUST_CHECK rcity_status rcity_predict_network(rcity_context *context, const rcity_scene *scene,
                                                              rcity_device *device, const rcity_request *request,
                                                              int transmitter_count,
                                                              const rcity_transmitter *transmitters,
                                                              const rcity_network_options *options, rcity_map **map);

/** Check a network's request and say what it would cost, without doing it.
 *  @return as rcity_predict_network(), except that too little memory is not an error here. */
RCITY_API RCITY_MUST_CHECK rcity_status rcity_predict_network_estimate(
    rcity_context *context, const rcity_scene *scene, const rcity_request *request, int transmitter_count,
    const rcity_transmitter *transmitters, const rcity_network_options *options, rcity_estimate *estimate);

/** Power of thermal noise in a channel, as a receiver with a noise figure sees it: k T B F at
 *  RCITY_NOISE_TEMPERATURE_K, that is -173.975 dBm in 1 Hz without a figure. */
RCITY_API double rcity_thermal_noise_dbm(double bandwidth_hz, double noise_figure_db);

/** How much of a map reaches a threshold. */
typedef struct rcity_coverage {
    double threshold;
    int64_t receiver_count;           /**< cells with a value */
    int64_t covered_count;            /**< of these at or above the threshold; of a loss at or below */
    double receiver_km2, covered_km2; /**< NAN for a map whose cells are not in metres of the ground, see
                                            rcity_map_load_geotiff() */
    double covered_fraction;          /**< of the cells with a value; NAN when there are none */
    double fading_fraction;           /**< the same as a mean of probabilities under fading; NAN without */
} rcity_coverage;

/** Coverage of one band at a threshold, under fading of a standard deviation unless that is 0. Of a loss ("loss" in the
 *  band's name) what is at or below the threshold counts as covered.
 *  @return RCITY_ERR_ARGUMENT for a band that does not exist, a threshold that is no number or a sigma outside 0 to
 *  RCITY_FADE_SIGMA_MAX_DB. */
RCITY_API RCITY_MUST_CHECK rcity_status rcity_map_get_coverage(const rcity_map *map, int band_index, double threshold,
                                                               double fade_sigma_db, rcity_coverage *coverage);

/** Add a band with the probability that a band reaches a threshold (a loss: stays at or below it) under log-normal
 *  fading. It is named after threshold and unit: coverage_probability_-95_dbm.
 *  @return RCITY_ERR_ARGUMENT for a band that does not exist, a threshold that is not finite or has its band
 *  already, a sigma that is not above 0 and at most RCITY_FADE_SIGMA_MAX_DB; RCITY_ERR_MEMORY. */
RCITY_API RCITY_MUST_CHECK rcity_status rcity_map_add_probability(rcity_map *map, int band_index, double threshold_dbm,
                                                                  double fade_sigma_db);

/** Probability that a mean level `margin_db` above a threshold stays above it under log-normal fading: the standard
 *  normal distribution's integral up to margin / sigma. For sigma 0 it is 0 or 1 (1/2 at margin 0); NAN for a sigma
 *  below 0. */
RCITY_API double rcity_fade_probability(double margin_db, double sigma_db);

/** Margin for a probability, its inverse, good to 1e-12 of sigma; infinite at 0 and 1, 0 for sigma 0, NAN for what
 *  is no probability and for a sigma below 0. */
RCITY_API double rcity_fade_margin_db(double probability, double sigma_db);

/** How two bands differ. */
typedef struct rcity_map_difference {
    int64_t both_count;                                /**< cells with a value in both */
    int64_t only_first_count, only_second_count;       /**< cells with a value in one only */
    double mean, standard_deviation, root_mean_square; /**< of second less first; NAN without common cells. The
                                                            deviation is that of all cells, not of a sample */
    double minimum, maximum;
    double largest_x_m, largest_y_m; /**< centre of the cell that differs most, the northernmost, then westernmost, of
                                          equals */
} rcity_map_difference;

/** Compare two bands of two maps on the same raster, and make a map of second less first (band "difference", notes
 *  of both with first_ and second_ before their keys) unless `made` is NULL. Owned by the caller; release with
 *  rcity_map_destroy(). Corners and cells may differ by a thousandth of a cell over the whole raster. @return
 *  RCITY_ERR_ARGUMENT for rasters, CRS or units that differ, saying how; RCITY_ERR_MEMORY. */
RCITY_API RCITY_MUST_CHECK rcity_status rcity_map_compare(rcity_context *context, const rcity_map *first,
                                                          int first_band, const rcity_map *second, int second_band,
                                                          rcity_map_difference *difference, rcity_map **made);

#ifdef __cplusplus
}
#endif

#endif

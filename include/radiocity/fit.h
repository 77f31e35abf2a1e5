/** @file fit.h  Predictions compared with measurements: scores, and coefficients calibrated to them. */
#ifndef RADIOCITY_FIT_H
#define RADIOCITY_FIT_H

#include "radiocity/measure.h"
#include "radiocity/method.h"

#ifdef __cplusplus
extern "C" {
#endif

/** How well a model agrees with measurements. An error is measured minus predicted loss: above 0 the model predicts too
 *  little loss. */
typedef struct rcity_score_figures {
    int64_t count;
    double mean_db;               /**< Rick and Kuhlen, equation 23 */
    double rmse_db;               /**< root mean square error, equation 21 */
    double standard_deviation_db; /**< equation 22, divided by N - 1; NAN for fewer than two values */
    double median_absolute_db;    /**< median of the errors without their signs */
    double correlation;           /**< of measured and predicted; NAN where either is constant */
    uint64_t reserved[4];         /**< 0; for later versions */
} rcity_score_figures;

/** The figures of `count` pairs; pairs with a NAN are skipped. @return RCITY_ERR_MEMORY. */
RCITY_API RCITY_MUST_CHECK rcity_status rcity_score_figures_make(rcity_context *context, int64_t count,
                                                                 const double *measured_db, const double *predicted_db,
                                                                 rcity_score_figures *figures);

/** A model in a score: the method, then the baselines. Texts are borrowed until the score is destroyed. */
typedef struct rcity_score_model {
    const char *name;      /**< "shadow", "free space + offset" */
    const char *fitted_on; /**< "": nothing was fitted; "these points"; or the data that the coefficients were fitted
                                on */
    bool is_extrapolated;  /**< used outside its published range for at least one point */
} rcity_score_model;

/** A group of measurements: all, a route, those in line of sight, ... Texts are borrowed as in rcity_score_model. */
typedef struct rcity_score_group {
    const char *kind; /**< "all", "route", "transmitter", "sight" or "mechanism" */
    const char *name; /**< "METRO201", "line of sight", "roof" */
    int64_t count;    /**< measurements in it, with or without a predicted value */
} rcity_score_group;

typedef struct rcity_coefficients rcity_coefficients;

/** Predictions beside measurements. Opaque. */
typedef struct rcity_score rcity_score;

/** Predict at the places of measurements by the request's method and by the baselines: a constant, free space, free
 *  space and an offset, log-distance (these fitted to the points), Hata or COST 231-Hata, Walfisch-Ikegami. The request
 *  gives method, options, range policy and the receivers' gain; transmitters and places come from the measurements.
 *  `coefficients` may be NULL; otherwise the method's options come from them, and the baselines that were fitted on the
 *  same data are shown too. Received powers are converted to losses with the transmitter's power and its antenna gain
 *  towards each receiver. Without a stated power the mean error has no meaning, and rcity_score_warning() says so. All
 *  figures use only the measurements for which every model has a value, so that the models are compared on the same
 *  points; rcity_score_point says why a measurement is left out. Owned by the caller; release with
 *  rcity_score_destroy().
 *  @return as rcity_predict_points(); RCITY_ERR_ARGUMENT when no measurement can be predicted, with the reason. */
RCITY_API RCITY_MUST_CHECK rcity_status rcity_score_create(rcity_context *context, const rcity_scene *scene,
                                                           rcity_device *device, const rcity_request *request,
                                                           const rcity_coefficients *coefficients,
                                                           const rcity_measurements *measurements, rcity_score **score);

/** Destroy a score and null the pointer; accepts NULL and a pointer to NULL. */
RCITY_API void rcity_score_destroy(rcity_score **score);

RCITY_API int rcity_score_model_count(const rcity_score *score);
/** One model by index. @return RCITY_ERR_ARGUMENT when out of range. */
RCITY_API RCITY_MUST_CHECK rcity_status rcity_score_get_model_sized(const rcity_score *score, int model_index,
                                                                    size_t model_bytes, rcity_score_model *model);
RCITY_MUST_CHECK static inline rcity_status rcity_score_get_model(const rcity_score *score, int model_index,
                                                                  rcity_score_model *model)
{
    return rcity_score_get_model_sized(score, model_index, sizeof *model, model);
}

RCITY_API int rcity_score_group_count(const rcity_score *score);
/** One group by index. @return RCITY_ERR_ARGUMENT when out of range. */
RCITY_API RCITY_MUST_CHECK rcity_status rcity_score_get_group_sized(const rcity_score *score, int group_index,
                                                                    size_t group_bytes, rcity_score_group *group);
RCITY_MUST_CHECK static inline rcity_status rcity_score_get_group(const rcity_score *score, int group_index,
                                                                  rcity_score_group *group)
{
    return rcity_score_get_group_sized(score, group_index, sizeof *group, group);
}

/** The figures of a model over a group. @return RCITY_ERR_ARGUMENT when either index is out of range. */
RCITY_API RCITY_MUST_CHECK rcity_status rcity_score_get_figures(const rcity_score *score, int model_index,
                                                                int group_index, rcity_score_figures *figures);

/** Measured and predicted losses of all measurements, in their order; NAN without a value. Borrowed until destroy. */
RCITY_API const double *rcity_score_measured_db(const rcity_score *score);
RCITY_API const double *rcity_score_predicted_db(const rcity_score *score, int model_index);

/** What is known about a measurement's receiver. */
typedef struct rcity_score_point {
    bool is_in_building, is_in_sight;
    const char *mechanism; /**< of the method's strongest path, such as "direct", "corner" or "roof"; "" when it has
                                none */
    double distance_m;     /**< to the transmitter, in space; NAN off the terrain */
    const char *left_out;  /**< why no figure counts it: "inside a building", "outside the terrain", "no path", "out of
                                range"; "" where it counts */
} rcity_score_point;

/** One measurement by index. @return RCITY_ERR_ARGUMENT when out of range. */
RCITY_API RCITY_MUST_CHECK rcity_status rcity_score_get_point_sized(const rcity_score *score, int64_t measurement_index,
                                                                    size_t point_bytes, rcity_score_point *point);
RCITY_MUST_CHECK static inline rcity_status rcity_score_get_point(const rcity_score *score, int64_t measurement_index,
                                                                  rcity_score_point *point)
{
    return rcity_score_get_point_sized(score, measurement_index, sizeof *point, point);
}

/** Warnings: too few points, no power, errors that look like wrong units. NULL past the last. */
RCITY_API const char *rcity_score_warning(const rcity_score *score, int index);

/** Remarks: what was extrapolated, transmitters outside the scene. NULL past the last. */
RCITY_API const char *rcity_score_remark(const rcity_score *score, int index);

/** How to calibrate. Start from rcity_calibrate_options_default(). Pointers are borrowed until the call returns. */
typedef struct rcity_calibrate_options {
    size_t struct_bytes;   /**< size of this struct, set by rcity_calibrate_options_default() */
    bool fits_offset;      /**< the power of the transmitters is unknown: fit a constant for each */
    double offset_max_db;  /**< limit of that constant; 100 */
    double position_max_m; /**< fit a shift of the transmitter within this, in x and in y; 0: no shift */
    double height_max_m;   /**< the same for its height; 0 */
    bool is_robust;        /**< reduce the weight of outliers (Huber, then Tukey's biweight); true */
    int block_count;       /**< cross-validation: of one transmitter pieces of its route, 10; of several each is left
                                out, whatever the number. 0: no cross-validation */
    int fixed_count;       /**< number of coefficients that keep the request's value */
    const char *const *fixed;
    int requested_count; /**< number of coefficients to fit that are fitted only on request; others may be named too */
    const char *const *requested;
    double level_spread_db; /**< standard deviation of the levels of transmitters around the law, which a level for each
                                 takes up, so that the coefficients hold for other transmitters. NAN: 4 dB, with three
                                 or more transmitters estimated from them. 0: no levels, the coefficients are for these
                                 very transmitters */
} rcity_calibrate_options;

/** rcity_calibrate_options_default() with the size of the struct that the program knows. */
RCITY_API void rcity_calibrate_options_init(rcity_calibrate_options *options, size_t struct_bytes);
RCITY_DEFAULT_OF(rcity_calibrate_options)

/** One fitted number. */
typedef struct rcity_coefficient {
    const char *name; /**< an option of the method, or "level NAME", "offset NAME", "x NAME", "y NAME" or "height NAME"
                           of a transmitter, which no prediction uses */
    const char *unit;
    double value;
    double low, high; /**< 95 % confidence, see rcity_fit_summary.left_out_count; NAN where it was not fitted */
    double bound_low, bound_high;
    bool is_fitted; /**< false: it keeps the request's value */
    bool is_at_bound;
    bool is_known; /**< false: the measurements hardly determine it; value and bounds come mostly from prior
                        knowledge */
} rcity_coefficient;

/** Calibrate the request's method to measurements. The transmitters are those of the measurements. Owned by the caller;
 *  release with rcity_coefficients_destroy().
 *  @return RCITY_ERR_ARGUMENT for measurements that cannot determine coefficients (too few, all equal, far from the
 *  prediction of any model, far from the scene), with the reason; RCITY_ERR_UNSUPPORTED for a method without
 *  coefficients and in a build without NLopt; else as rcity_predict_points(). */
RCITY_API RCITY_MUST_CHECK rcity_status rcity_calibrate(rcity_context *context, const rcity_scene *scene,
                                                        rcity_device *device, const rcity_request *request,
                                                        const rcity_measurements *measurements,
                                                        const rcity_calibrate_options *options,
                                                        rcity_coefficients **coefficients);

/** Destroy coefficients and null the pointer; accepts NULL and a pointer to NULL. */
RCITY_API void rcity_coefficients_destroy(rcity_coefficients **coefficients);

/** The method that was calibrated. All texts are borrowed until the coefficients are destroyed. */
RCITY_API const char *rcity_coefficients_method(const rcity_coefficients *coefficients);
RCITY_API int rcity_coefficients_count(const rcity_coefficients *coefficients);
/** One number by index. @return RCITY_ERR_ARGUMENT when out of range. */
RCITY_API RCITY_MUST_CHECK rcity_status rcity_coefficients_get_sized(const rcity_coefficients *coefficients, int index,
                                                                     size_t coefficient_bytes,
                                                                     rcity_coefficient *coefficient);
RCITY_MUST_CHECK static inline rcity_status rcity_coefficients_get(const rcity_coefficients *coefficients, int index,
                                                                   rcity_coefficient *coefficient)
{
    return rcity_coefficients_get_sized(coefficients, index, sizeof *coefficient, coefficient);
}

/** The data of the fit and its quality. */
typedef struct rcity_fit_summary {
    const char *fitted_on; /**< names of the routes */
    int64_t point_count, outlier_count;
    double frequency_min_hz, frequency_max_hz;
    double distance_min_m, distance_max_m;
    rcity_score_figures before;   /**< with the coefficients of the request */
    rcity_score_figures training; /**< after the fit, with the level or offset of each transmitter */
    rcity_score_figures crossed;  /**< each transmitter, or with one each piece of its route, predicted by a fit to the
                                       others; count 0 without cross-validation */
    int64_t transmitter_count;    /**< 0: not known (a file of before version 2) */
    int64_t left_out_count;       /**< of fits that left transmitters out, one each or with more than 32 several each;
                                       intervals and `crossed` come from them. 0: from pieces of route */
    double elevation_min_deg, elevation_max_deg; /**< of the transmitter above the horizon of a receiver, along the
                                                      straight line; NAN: not known */
    double tx_height_min_m, tx_height_max_m;     /**< of transmitters above ground; NAN: not known */
    double level_spread_db;                      /**< of the levels of transmitters, as it was assumed or estimated; 0:
                                                      no levels were fitted; NAN: not known (read from a file) */
    bool is_level_spread_estimated;              /**< from these transmitters */
} rcity_fit_summary;

RCITY_API void rcity_coefficients_summary_sized(const rcity_coefficients *coefficients, size_t summary_bytes,
                                                rcity_fit_summary *summary);
static inline rcity_fit_summary rcity_coefficients_summary(const rcity_coefficients *coefficients)
{
    rcity_fit_summary summary;
    rcity_coefficients_summary_sized(coefficients, sizeof summary, &summary);
    return summary;
}

/** Warnings: coefficients that are not well determined, bounds that were reached. NULL past the last. */
RCITY_API const char *rcity_coefficients_warning(const rcity_coefficients *coefficients, int index);

/** Save as JSON, and load again. @return RCITY_ERR_FILE, RCITY_ERR_FORMAT with line and reason, RCITY_ERR_UNSUPPORTED
 *  in a build without jansson (loading only), RCITY_ERR_MEMORY. */
RCITY_API RCITY_MUST_CHECK rcity_status rcity_coefficients_save(rcity_context *context,
                                                                const rcity_coefficients *coefficients,
                                                                const char *path);
RCITY_API RCITY_MUST_CHECK rcity_status rcity_coefficients_load(rcity_context *context, const char *path,
                                                                rcity_coefficients **coefficients);

/** Log a warning for each quantity by which a prediction leaves what the coefficients were fitted on: frequency and
 *  transmitter height for any transmitter; distance and elevation angle for more than a fifth of the receivers, each
 *  with its nearest transmitter. The sentence has the quantity, its values and the span. `request` gives the receivers;
 *  of a raster a sample is taken. rcity_score_create() has the same among its warnings.
 *  @return RCITY_ERR_ARGUMENT, RCITY_ERR_MEMORY. */
RCITY_API RCITY_MUST_CHECK rcity_status rcity_coefficients_check_request(
    rcity_context *context, const rcity_coefficients *coefficients, const rcity_scene *scene,
    const rcity_request *request, int transmitter_count, const rcity_transmitter *transmitters);

#define RCITY_COEFFICIENTS_LABEL_BYTES 160 /**< size of the buffer for rcity_coefficients_describe() */

/** One line that identifies coefficients, for rcity_request.coefficients: the start of `fitted_on` and the first digits
 *  of a hash of method and options. It contains no file path. Cut to the buffer's size; returns `text`. */
RCITY_API char *rcity_coefficients_describe(const rcity_coefficients *coefficients, char *text, size_t room);

/** Number of options that rcity_coefficients_get_option() returns: the options that the calibration was run with and
 *  the fitted ones. */
RCITY_API int rcity_coefficients_option_count(const rcity_coefficients *coefficients);

/** Name and value of an option, as rcity_request takes them. Borrowed until the coefficients are destroyed.
 *  @return RCITY_ERR_ARGUMENT when out of range. */
RCITY_API RCITY_MUST_CHECK rcity_status rcity_coefficients_get_option(const rcity_coefficients *coefficients, int index,
                                                                      const char **name, const char **value);

#ifdef __cplusplus
}
#endif

#endif

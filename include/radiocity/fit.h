/** @file fit.h  Predictions held against measurements: scores, and coefficients calibrated to them. */
#ifndef RADIOCITY_FIT_H
#define RADIOCITY_FIT_H

#include "radiocity/measure.h"
#include "radiocity/method.h"

#ifdef __cplusplus
extern "C" {
#endif

/** How well a model meets measurements. Errors are measured less predicted loss: above 0 the model is too bright. */
typedef struct rcity_score_figures {
    int64_t count;
    double mean_db;               /**< Rick and Kuhlen, equation 23 */
    double rmse_db;               /**< the root of the mean of squares, equation 21 */
    double standard_deviation_db; /**< equation 22, N - 1 below; NAN for less than two */
    double median_absolute_db;    /**< median of the errors without their signs */
    double correlation;           /**< of measured and predicted; NAN where either is constant */
} rcity_score_figures;

/** The figures of `count` pairs; those with a NAN do not count. @return RCITY_ERR_MEMORY. */
RCITY_API RCITY_MUST_CHECK rcity_status rcity_score_figures_make(rcity_context *context, int64_t count,
                                                                 const double *measured_db, const double *predicted_db,
                                                                 rcity_score_figures *figures);

/** A model in a score: the method, then the baselines. Texts are borrowed until the score is destroyed. */
typedef struct rcity_score_model {
    const char *name;      /**< "shadow", "free space + offset" */
    const char *fitted_on; /**< "": nothing was fitted; "these points"; what the coefficients were fitted on */
    bool is_extrapolated;  /**< outside the range it was published for, in part at least */
} rcity_score_model;

/** A part of the measurements: all, a route, those in sight, ... Texts as of rcity_score_model. */
typedef struct rcity_score_group {
    const char *kind; /**< "all", "route", "transmitter", "sight" or "mechanism" */
    const char *name; /**< "METRO201", "line of sight", "roof" */
    int64_t count;    /**< measurements in it, with or without a predicted value */
} rcity_score_group;

typedef struct rcity_coefficients rcity_coefficients;

/** Predictions beside measurements. Opaque. */
typedef struct rcity_score rcity_score;

/** Predict at the places of measurements by the request's method and by the baselines: a constant, free space, free space
 *  and an offset, log-distance (these fitted to the points), Hata or COST 231-Hata, Walfisch-Ikegami. The request says
 *  method, options, range policy and the receivers' gain; transmitters and places come from the measurements. `coefficients` may be NULL:
 *  with them the method's options come from there, and the baselines fitted where they were are shown too. Received powers
 *  become losses by the transmitter's power and antenna gain into the direction of each receiver; without a stated power
 *  the mean error means nothing, and rcity_score_warning() says so. All figures are over those measurements for which every
 *  model has a value, so that all are held against the same; rcity_score_point tells why one is left out. Owned by the caller; release with rcity_score_destroy().
 *  @return as rcity_predict_points(); RCITY_ERR_ARGUMENT when no measurement can be predicted, saying why. */
RCITY_API RCITY_MUST_CHECK rcity_status rcity_score_create(rcity_context *context, const rcity_scene *scene,
                                                           rcity_device *device, const rcity_request *request,
                                                           const rcity_coefficients *coefficients,
                                                           const rcity_measurements *measurements, rcity_score **score);

/** Destroy a score and null the pointer; accepts NULL and a pointer to NULL. */
RCITY_API void rcity_score_destroy(rcity_score **score);

RCITY_API int rcity_score_model_count(const rcity_score *score);
RCITY_API rcity_score_model rcity_score_get_model(const rcity_score *score, int model_index);
RCITY_API int rcity_score_group_count(const rcity_score *score);
RCITY_API rcity_score_group rcity_score_get_group(const rcity_score *score, int group_index);
RCITY_API rcity_score_figures rcity_score_get_figures(const rcity_score *score, int model_index, int group_index);

/** Measured and predicted losses of all measurements, in their order; NAN without a value. Borrowed until destroy. */
RCITY_API const double *rcity_score_measured_db(const rcity_score *score);
RCITY_API const double *rcity_score_predicted_db(const rcity_score *score, int model_index);

/** What a measurement's receiver is. */
typedef struct rcity_score_point {
    bool is_in_building, is_in_sight;
    const char *mechanism; /**< of the method's strongest path, such as "direct", "corner" or "roof"; "" where it has
                                none */
    double distance_m;     /**< to the transmitter, in space; NAN off the terrain */
    const char *left_out;  /**< why no figure counts it: "inside a building", "outside the terrain", "no way", "out of
                               range"; "" where it counts */
} rcity_score_point;

RCITY_API rcity_score_point rcity_score_get_point(const rcity_score *score, int64_t measurement_index);

/** Warnings: too few points, no power, errors that look like wrong units. NULL past the last. */
RCITY_API const char *rcity_score_warning(const rcity_score *score, int index);

/** Sentences worth knowing: what was extrapolated, transmitters outside the scene. NULL past the last. */
RCITY_API const char *rcity_score_remark(const rcity_score *score, int index);

/** How to calibrate. Start from rcity_calibrate_options_default(). Pointers are borrowed until the call returns. */
typedef struct rcity_calibrate_options {
    bool fits_offset;      /**< an unknown power of each transmitter: a constant is fitted too */
    double offset_max_db;  /**< within this, 100 */
    double position_max_m; /**< the transmitter's place is corrected within this, in x and in y; 0: it is not */
    double height_max_m;   /**< and its height; 0 */
    bool is_robust;        /**< outliers lose their weight (Huber, then Tukey's biweight); true */
    int block_count;       /**< of the cross-validation, pieces of the route; 10; 0 for none */
    int fixed_count;       /**< coefficients that stay as the request has them */
    const char *const *fixed;
} rcity_calibrate_options;

RCITY_API rcity_calibrate_options rcity_calibrate_options_default(void);

/** One fitted number. */
typedef struct rcity_coefficient {
    const char *name; /**< option of the method; "offset NAME", "x NAME", "y NAME", "height NAME" of a transmitter */
    const char *unit;
    double value;
    double low, high; /**< 95 % confidence; NAN where it was not fitted */
    double bound_low, bound_high;
    bool is_fitted; /**< else it stays as it was */
    bool is_at_bound;
    bool is_known; /**< false: the measurements hardly tell; value and bounds come from what was known before */
} rcity_coefficient;

/** Calibrate the request's method to measurements, whose transmitters count. Owned by the caller; release with
 *  rcity_coefficients_destroy().
 *  @return RCITY_ERR_ARGUMENT for measurements that cannot tell coefficients (too few, all the same, far from what any
 *  model says, nowhere near the scene), with the reason; RCITY_ERR_UNSUPPORTED for a method without coefficients and in a
 *  build without NLopt; else as rcity_predict_points(). */
RCITY_API RCITY_MUST_CHECK rcity_status rcity_calibrate(rcity_context *context, const rcity_scene *scene,
                                                        rcity_device *device, const rcity_request *request,
                                                        const rcity_measurements *measurements,
                                                        const rcity_calibrate_options *options,
                                                        rcity_coefficients **coefficients);

/** Destroy them and null the pointer; accepts NULL and a pointer to NULL. */
RCITY_API void rcity_coefficients_destroy(rcity_coefficients **coefficients);

/** The method they are of. Borrowed until destroy, as are all texts. */
RCITY_API const char *rcity_coefficients_method(const rcity_coefficients *coefficients);
RCITY_API int rcity_coefficients_count(const rcity_coefficients *coefficients);
RCITY_API rcity_coefficient rcity_coefficients_get(const rcity_coefficients *coefficients, int index);

/** What was fitted on, and how well. */
typedef struct rcity_fit_summary {
    const char *fitted_on; /**< names of the routes */
    int64_t point_count, outlier_count;
    double frequency_min_hz, frequency_max_hz;
    double distance_min_m, distance_max_m;
    rcity_score_figures before;   /**< with the coefficients the request had */
    rcity_score_figures training; /**< after */
    rcity_score_figures crossed;  /**< each block predicted from the others; count 0 when not asked for */
} rcity_fit_summary;

RCITY_API rcity_fit_summary rcity_coefficients_summary(const rcity_coefficients *coefficients);

/** Warnings: what was not well determined, bounds that were hit. NULL past the last. */
RCITY_API const char *rcity_coefficients_warning(const rcity_coefficients *coefficients, int index);

/** Save as JSON, and load again. @return RCITY_ERR_FILE, RCITY_ERR_FORMAT with line and reason, RCITY_ERR_UNSUPPORTED in
 *  a build without jansson (loading only), RCITY_ERR_MEMORY. */
RCITY_API RCITY_MUST_CHECK rcity_status rcity_coefficients_save(rcity_context *context,
                                                                const rcity_coefficients *coefficients,
                                                                const char *path);
RCITY_API RCITY_MUST_CHECK rcity_status rcity_coefficients_load(rcity_context *context, const char *path,
                                                                rcity_coefficients **coefficients);

#define RCITY_COEFFICIENTS_LABEL_BYTES 160 /**< room for rcity_coefficients_describe() */

/** One line that tells coefficients from others, for rcity_request.coefficients: the start of what they were fitted on,
 *  and the first digits of a hash of method and options. No path stands in it. Cut where there is no room; returns
 *  `text`. */
RCITY_API char *rcity_coefficients_describe(const rcity_coefficients *coefficients, char *text, size_t room);

/** How many options rcity_coefficients_get_option() knows: the method's, those it was calibrated with and the fitted
 *  ones. */
RCITY_API int rcity_coefficients_option_count(const rcity_coefficients *coefficients);

/** Name and value of one, as rcity_request takes them. Borrowed until destroy. */
RCITY_API void rcity_coefficients_get_option(const rcity_coefficients *coefficients, int index, const char **name,
                                             const char **value);

#ifdef __cplusplus
}
#endif

#endif

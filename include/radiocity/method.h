/** @file method.h  The methods that predict, their options, and the one call that runs them. */
#ifndef RADIOCITY_METHOD_H
#define RADIOCITY_METHOD_H

#include "radiocity/device.h"
#include "radiocity/map.h"
#include "radiocity/radio.h"
#include "radiocity/scene.h"

#ifdef __cplusplus
extern "C" {
#endif

/** One option of a method. All texts are static. */
typedef struct rcity_method_option {
    const char *name;          /**< "line-of-sight"; on the command line with two dashes before it */
    const char *default_value; /**< as text */
    const char *choices;       /**< allowed words separated by '|', or NULL for a number */
    double minimum, maximum;   /**< range of a number; beside words, where it is not empty, either is allowed */
    const char *unit;          /**< of a number; "" for none */
    const char *text;          /**< a sentence */
} rcity_method_option;

/** What a method knows and serves: bits of rcity_method_info. */
#define RCITY_EFFECT_LINE_OF_SIGHT 1u
#define RCITY_EFFECT_REFLECTION    2u
#define RCITY_EFFECT_DIFFRACTION   4u
#define RCITY_EFFECT_TRANSMISSION  8u
#define RCITY_EFFECT_SCATTERING    16u
#define RCITY_EFFECT_TERRAIN       32u
#define RCITY_SERVES_RASTER        1u
#define RCITY_SERVES_POINTS        2u
#define RCITY_SERVES_SURFACES      4u
#define RCITY_SERVES_PATHS         8u /**< finds single paths to points: rcity_rays_find() */

/** A method. All texts are static. */
typedef struct rcity_method_info {
    const char *name; /**< "free-space" */
    const char *text; /**< a sentence */
    unsigned effects; /**< RCITY_EFFECT_* */
    unsigned serves;  /**< RCITY_SERVES_* */
    int option_count;
    const rcity_method_option *options;
} rcity_method_info;

RCITY_API int rcity_method_count(void);

/** What an option of a method does; bits of rcity_method_option_uses(). */
#define RCITY_OPTION_IS_WEIGHT 1u /**< changing it traces nothing again, see predictor.h */
#define RCITY_OPTION_OF_MAPS   2u /**< says how maps are made of paths; has no say in paths */
#define RCITY_OPTION_IS_ORDER  4u /**< the larger the more memory and time */

/** RCITY_OPTION_* of one option of a method; 0 when either index is out of range. */
RCITY_API unsigned rcity_method_option_uses(int method_index, int option_index);

/** One method by index. @return false when out of range. */
RCITY_API bool rcity_method_get(int method_index, rcity_method_info *info);

/** What becomes of receivers outside the range a model was published for. The frequency, the transmitter's height and
 *  the heights of rasters outside it fail unless the whole is extrapolated. */
typedef enum rcity_range_policy {
    RCITY_RANGE_FAIL,        /**< an error with range and value; default */
    RCITY_RANGE_EXTRAPOLATE, /**< the formula is used all the same, and a note of the map says where */
    RCITY_RANGE_SKIP, /**< receivers at distances outside, and points at such heights, get no value; a note counts
                           them */
} rcity_range_policy;

/** What to predict. Start from rcity_request_default(). All pointers are borrowed until the call returns. */
typedef struct rcity_request {
    const char *method; /**< name; "shadow" */
    rcity_transmitter transmitter;
    rcity_receivers receivers;
    rcity_range_policy range_policy;
    int option_count; /**< options of the method that differ from their defaults */
    const char *const *option_name;
    const char *const *option_value;
    const char
        *coefficients; /**< where options were calibrated, for the notes; see rcity_coefficients_describe(). NULL:
                                   nowhere */
} rcity_request;

RCITY_API rcity_request rcity_request_default(void);

/** What a prediction would cost. */
typedef struct rcity_estimate {
    uint64_t memory_bytes; /**< host memory it needs at its peak, the scene not counted */
    double seconds;        /**< a rough guess on this machine */
    int64_t receiver_count;
    rcity_raster raster;     /**< of a raster */
    rcity_point transmitter; /**< where the antenna stands */
} rcity_estimate;

/** Check a request and say what it would cost, without doing it.
 *  @return as rcity_predict(), except that too little memory is not an error here, unless it is beyond counting. */
RCITY_API RCITY_MUST_CHECK rcity_status rcity_predict_estimate(rcity_context *context, const rcity_scene *scene,
                                                               const rcity_request *request, rcity_estimate *estimate);

/** Refuse what rcity_predict() and rcity_predict_points() would refuse before they start, too little memory included.
 *  @return as rcity_predict(). */
RCITY_API RCITY_MUST_CHECK rcity_status rcity_predict_check(rcity_context *context, const rcity_scene *scene,
                                                            const rcity_request *request);

/** Predict over a raster: a band path_loss for each receiver height, bands of the method's own, and a band
 *  received_power (dBm) where the transmitter states its power. The map is owned by the caller; release with
 *  rcity_map_destroy(). The same scene and request give the same bits on the host, whatever the number of threads.
 *  @return RCITY_ERR_ARGUMENT for a bad request, RCITY_ERR_MEMORY when the estimate exceeds the context's limit,
 *  RCITY_ERR_STATE before commit, RCITY_ERR_CANCELLED. `*map` is untouched on failure. */
RCITY_API RCITY_MUST_CHECK rcity_status rcity_predict(rcity_context *context, const rcity_scene *scene,
                                                      rcity_device *device, const rcity_request *request,
                                                      rcity_map **map);

/** Predict at the request's points. `loss_db` has room for point_count values; NAN inside a building and outside the
 *  terrain, where there is one. `received_dbm` has as much room or is NULL; NAN without a stated power.
 *  @return as rcity_predict(). Both are untouched on failure. */
RCITY_API RCITY_MUST_CHECK rcity_status rcity_predict_points(rcity_context *context, const rcity_scene *scene,
                                                             rcity_device *device, const rcity_request *request,
                                                             float *loss_db, float *received_dbm);

#ifdef __cplusplus
}
#endif

#endif

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
    const char *name;          /**< "line-of-sight"; the command line option is --line-of-sight */
    const char *default_value; /**< as text */
    const char *choices;       /**< allowed words separated by '|'; NULL: a number */
    double minimum, maximum;   /**< range of a number; with `choices`, a range that is not empty allows a number too */
    const char *unit;          /**< of a number; "" for none */
    const char *text;          /**< a sentence */
} rcity_method_option;

/** What a method models and supports: bits of rcity_method_info. */
#define RCITY_EFFECT_LINE_OF_SIGHT 1u
#define RCITY_EFFECT_REFLECTION    2u
#define RCITY_EFFECT_DIFFRACTION   4u
#define RCITY_EFFECT_TRANSMISSION  8u
#define RCITY_EFFECT_SCATTERING    16u
#define RCITY_EFFECT_TERRAIN       32u
#define RCITY_SERVES_RASTER        1u
#define RCITY_SERVES_POINTS        2u
#define RCITY_SERVES_SURFACES      4u
#define RCITY_SERVES_PATHS         8u  /**< finds single paths to points: rcity_rays_find() */
#define RCITY_SERVES_DELAYS        16u /**< histograms of delays over rasters: rcity_predict_delays() */

/** A method. All texts are static. */
typedef struct rcity_method_info {
    const char *name; /**< "free-space" */
    const char *text; /**< a sentence */
    unsigned effects; /**< RCITY_EFFECT_* */
    unsigned serves;  /**< RCITY_SERVES_* */
    int option_count; /**< number of options, see rcity_method_get_option() */
} rcity_method_info;

RCITY_API int rcity_method_count(void);

/** The name of the method for a scene where none is asked for, as the program chooses it: one for hills where the scene
 *  has hills and no building, else that of rcity_request_default(). `info` is that of
 *  rcity_scene_describe(); NULL: none is known. Static. */
RCITY_API const char *rcity_method_choose(const rcity_scene_info *info);

/** What an option of a method affects: bits of rcity_method_option_uses(). */
#define RCITY_OPTION_IS_WEIGHT     1u /**< a change of it needs no new trace, see predictor.h */
#define RCITY_OPTION_OF_MAPS       2u /**< affects how maps are made from paths, not the paths */
#define RCITY_OPTION_IS_ORDER      4u /**< a larger value takes more memory and time */
#define RCITY_OPTION_OF_VISIBILITY 8u /**< the visibility matrix depends on it, see tile_visibility.h */

/** RCITY_OPTION_* of one option of a method; 0 when either index is out of range. */
RCITY_API unsigned rcity_method_option_uses(int method_index, int option_index);

/** One method by index. @return RCITY_ERR_ARGUMENT when out of range. */
RCITY_API RCITY_MUST_CHECK rcity_status rcity_method_get_sized(int method_index, size_t info_bytes,
                                                               rcity_method_info *info);
RCITY_MUST_CHECK static inline rcity_status rcity_method_get(int method_index, rcity_method_info *info)
{
    return rcity_method_get_sized(method_index, sizeof *info, info);
}

/** One option of a method. @return RCITY_ERR_ARGUMENT when either index is out of range. */
RCITY_API RCITY_MUST_CHECK rcity_status rcity_method_get_option_sized(int method_index, int option_index,
                                                                      size_t option_bytes, rcity_method_option *option);
RCITY_MUST_CHECK static inline rcity_status rcity_method_get_option(int method_index, int option_index,
                                                                    rcity_method_option *option)
{
    return rcity_method_get_option_sized(method_index, option_index, sizeof *option, option);
}

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
    size_t struct_bytes; /**< size of this struct, set by rcity_request_default() */
    const char *method;  /**< name; "shadow" */
    rcity_transmitter transmitter;
    rcity_receivers receivers;
    rcity_range_policy range_policy;
    int option_count; /**< number of options that differ from their defaults */
    const char *const *option_name;
    const char *const *option_value;
    const char
        *coefficients; /**< where the options were calibrated, for the map's notes; see rcity_coefficients_describe().
                            NULL: not calibrated */
    const char *visibility; /**< the file of a visibility matrix, for methods that use one: made for this scene with the
                                 same options; NULL: it is made in memory */
} rcity_request;

/** rcity_request_default() with the size of the struct that the program knows. */
RCITY_API void rcity_request_init(rcity_request *request, size_t struct_bytes);
RCITY_DEFAULT_OF(rcity_request)

/** What a prediction would cost. */
typedef struct rcity_estimate {
    uint64_t memory_bytes; /**< peak of host memory, without the scene */
    double seconds;        /**< rough estimate for this machine */
    int64_t receiver_count;
    rcity_raster raster;     /**< when the receivers are a raster */
    rcity_point transmitter; /**< position of the antenna */
} rcity_estimate;

/** Check a request and estimate its cost, without running it.
 *  @return as rcity_predict(), except that too little memory is not an error here, unless the amount overflows. */
RCITY_API RCITY_MUST_CHECK rcity_status rcity_predict_estimate_sized(rcity_context *context, const rcity_scene *scene,
                                                                     const rcity_request *request,
                                                                     size_t estimate_bytes, rcity_estimate *estimate);
RCITY_MUST_CHECK static inline rcity_status rcity_predict_estimate(rcity_context *context, const rcity_scene *scene,
                                                                   const rcity_request *request,
                                                                   rcity_estimate *estimate)
{
    return rcity_predict_estimate_sized(context, scene, request, sizeof *estimate, estimate);
}

/** Make the checks that rcity_predict() and rcity_predict_points() make before they start, including that of memory.
 *  @return as rcity_predict(). */
RCITY_API RCITY_MUST_CHECK rcity_status rcity_predict_check(rcity_context *context, const rcity_scene *scene,
                                                            const rcity_request *request);

/** Predict over a raster: a band path_loss for each receiver height, further bands of the method, and a band
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

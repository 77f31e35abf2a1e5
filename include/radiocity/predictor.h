/** @file predictor.h  Predictions that stay open between calls: what was worked out once serves every later question.
 *
 *  A predictor holds a request's method, options and receivers, the geometry prepared for them, its transmitters and
 *  what was traced of each. A question costs only what has changed since the last one:
 *  - another power, antenna, azimuth or tilt, and every option that is a weight (a coefficient): nothing is traced;
 *  - a moved transmitter, another frequency where the method traces for one, an order: that transmitter is traced again;
 *  - other receivers: everything is prepared again.
 *  Results are the same, bit by bit, as those of a fresh predictor.
 *
 *  Several threads may share a predictor, each with a context of its own, which it hands to every call. On the host they
 *  evaluate at the same time; on a device, and while something is traced, one waits for the other. */
#ifndef RADIOCITY_PREDICTOR_H
#define RADIOCITY_PREDICTOR_H

#include "radiocity/method.h"
#include "radiocity/rays.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Open predictions. Opaque. */
typedef struct rcity_predictor rcity_predictor;

/** Open a predictor for a request. Everything of the request is copied; its transmitter is not looked at. `context`,
 *  `scene` and `device` are borrowed until rcity_predictor_close(). With a NULL device it can only check and estimate.
 *  Little is done yet: the first question prepares.
 *  @return RCITY_ERR_ARGUMENT for a bad request, RCITY_ERR_STATE before commit, RCITY_ERR_MEMORY. `*predictor` is untouched
 *  on failure. */
RCITY_API RCITY_MUST_CHECK rcity_status rcity_predictor_open(rcity_context *context, const rcity_scene *scene,
                                                             rcity_device *device, const rcity_request *request,
                                                             rcity_predictor **predictor);

/** Close a predictor and null the pointer; accepts NULL and a pointer to NULL. No other thread may use it any more. */
RCITY_API void rcity_predictor_close(rcity_predictor **predictor);

/** Add a transmitter. Its name is copied, its antenna borrowed until it is removed or set again. Indices stay as they
 *  are until their transmitter is removed; then they may be given again.
 *  @return RCITY_ERR_ARGUMENT for one that cannot stand there or that the method refuses, RCITY_ERR_MEMORY. */
RCITY_API RCITY_MUST_CHECK rcity_status rcity_predictor_add_transmitter(rcity_predictor *predictor,
                                                                        rcity_context *context,
                                                                        const rcity_transmitter *transmitter,
                                                                        int *transmitter_index);

/** Move, turn or change a transmitter. @return as rcity_predictor_add_transmitter(); on failure it stays as it was. */
RCITY_API RCITY_MUST_CHECK rcity_status rcity_predictor_set_transmitter(rcity_predictor *predictor,
                                                                        rcity_context *context, int transmitter_index,
                                                                        const rcity_transmitter *transmitter);

/** Remove a transmitter and what was traced of it. @return RCITY_ERR_ARGUMENT when there is none of that index. */
RCITY_API RCITY_MUST_CHECK rcity_status rcity_predictor_remove_transmitter(rcity_predictor *predictor,
                                                                           rcity_context *context,
                                                                           int transmitter_index);

/** Replace all options of the method: those given, and the defaults of all others. Copied. Traces stay where only
 *  weights have changed. `coefficients` says in the notes of results where they were calibrated, as of rcity_request;
 *  NULL: nowhere. @return RCITY_ERR_ARGUMENT for a bad option; on failure all stays as it was. */
RCITY_API RCITY_MUST_CHECK rcity_status rcity_predictor_set_options(rcity_predictor *predictor, rcity_context *context,
                                                                    int option_count, const char *const *names,
                                                                    const char *const *values,
                                                                    const char *coefficients);

/** Replace the receivers. Copied. @return RCITY_ERR_ARGUMENT for bad ones; on failure all stays as it was. */
RCITY_API RCITY_MUST_CHECK rcity_status rcity_predictor_set_receivers(rcity_predictor *predictor,
                                                                      rcity_context *context,
                                                                      const rcity_receivers *receivers);

/** What a fresh prediction of one transmitter costs. @return RCITY_ERR_ARGUMENT when there is none of that index. */
RCITY_API RCITY_MUST_CHECK rcity_status rcity_predictor_estimate(rcity_predictor *predictor, rcity_context *context,
                                                                 int transmitter_index, rcity_estimate *estimate);

/** Trace all transmitters that are not traced yet, as one batch: a device does many at once far faster than one after the
 *  other. Needs not be called; questions trace what they need.
 *  @return RCITY_ERR_MEMORY, RCITY_ERR_CANCELLED, RCITY_ERR_NO_DEVICE; RCITY_ERR_STATE without a device. */
RCITY_API RCITY_MUST_CHECK rcity_status rcity_predictor_trace(rcity_predictor *predictor, rcity_context *context);

/** The map of one transmitter, as of rcity_predict(). Owned by the caller, made with its context.
 *  @return as rcity_predict(); RCITY_ERR_ARGUMENT when the receivers are points. `*map` is untouched on failure. */
RCITY_API RCITY_MUST_CHECK rcity_status rcity_predictor_evaluate_raster(rcity_predictor *predictor,
                                                                        rcity_context *context, int transmitter_index,
                                                                        rcity_map **map);

/** What arrives at a point, and why not. */
typedef struct rcity_point_result {
    float loss_db;              /**< NAN: no value; `state` says why */
    float received_dbm;         /**< NAN where there is no value or the transmitter states no power */
    int mechanism;              /**< of the strongest path, as of the method's band "mechanism"; -1: the method tells
                                     none */
    rcity_receiver_state state; /**< RCITY_RECEIVER_REACHED where there is a value */
    bool is_visible;            /**< the straight line to the transmitter is free of buildings and terrain */
} rcity_point_result;

/** The results at the receivers' points, in their order. `result_bytes` is sizeof(rcity_point_result) as the caller
 *  knows it. @return as rcity_predict_points(); RCITY_ERR_ARGUMENT when the receivers are a raster. The results are
 *  untouched on failure. */
RCITY_API RCITY_MUST_CHECK rcity_status rcity_predictor_evaluate_points(rcity_predictor *predictor,
                                                                        rcity_context *context, int transmitter_index,
                                                                        size_t result_bytes,
                                                                        rcity_point_result *results);

/** All paths to the receivers' points, as of rcity_rays_find(). Owned by the caller, made with its context.
 *  @return as rcity_rays_find(). `*rays` is untouched on failure. */
RCITY_API RCITY_MUST_CHECK rcity_status rcity_predictor_find_paths(rcity_predictor *predictor, rcity_context *context,
                                                                   int transmitter_index, rcity_rays **rays);

/** What a predictor has done: for tests and for people who wonder what a change costs. */
typedef struct rcity_predictor_effort {
    int64_t prepare_count; /**< times that the receivers were prepared */
    int64_t trace_count;   /**< transmitters traced */
    int64_t kept_count;    /**< traces that are kept now */
} rcity_predictor_effort;

RCITY_API rcity_predictor_effort rcity_predictor_get_effort(rcity_predictor *predictor);

#ifdef __cplusplus
}
#endif

#endif

/** @file predictor.h  Predictions that keep their intermediate results between calls.
 *
 *  A predictor holds a request's method, options and receivers, the geometry prepared for them, its transmitters and
 *  the trace of each. A call computes only what has changed since the last one:
 *  - another power, antenna, azimuth or tilt, and every option that is a weight (a coefficient): no new trace;
 *  - a moved transmitter, another frequency where the method traces for one, an order: that transmitter is traced
 *    again;
 *  - other receivers: everything is prepared again.
 *  Results are bit-identical to those of a new predictor.
 *
 *  Several threads may share a predictor. Each passes its own context to every call. On the host they evaluate at the
 *  same time; on a device, and during a trace, one waits for the other. */
#ifndef RADIOCITY_PREDICTOR_H
#define RADIOCITY_PREDICTOR_H

#include "radiocity/delays.h"
#include "radiocity/method.h"
#include "radiocity/rays.h"
#include "radiocity/surfaces.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A predictor. Opaque. */
typedef struct rcity_predictor rcity_predictor;

/** Open a predictor for a request. The request is copied; its transmitter is ignored. `context`, `scene` and `device`
 *  are borrowed until rcity_predictor_close(). With a NULL device it can only check and estimate. The receivers are
 *  prepared by the first call that needs them.
 *  @return RCITY_ERR_ARGUMENT for a bad request, RCITY_ERR_STATE before commit, RCITY_ERR_MEMORY. `*predictor` is
 *  untouched on failure. */
RCITY_API RCITY_MUST_CHECK rcity_status rcity_predictor_open(rcity_context *context, const rcity_scene *scene,
                                                             rcity_device *device, const rcity_request *request,
                                                             rcity_predictor **predictor);

/** Close a predictor and null the pointer; accepts NULL and a pointer to NULL. No other thread may use it any more. */
RCITY_API void rcity_predictor_close(rcity_predictor **predictor);

/** Add a transmitter. Its name is copied, its antenna borrowed until it is removed or set again. An index stays valid
 *  until its transmitter is removed; then it may be used again.
 *  @return RCITY_ERR_ARGUMENT for a position that is not allowed or a transmitter that the method refuses,
 *  RCITY_ERR_MEMORY. */
RCITY_API RCITY_MUST_CHECK rcity_status rcity_predictor_add_transmitter(rcity_predictor *predictor,
                                                                        rcity_context *context,
                                                                        const rcity_transmitter *transmitter,
                                                                        int *transmitter_index);

/** Move, turn or change a transmitter. @return as rcity_predictor_add_transmitter(); on failure it stays as it was. */
RCITY_API RCITY_MUST_CHECK rcity_status rcity_predictor_set_transmitter(rcity_predictor *predictor,
                                                                        rcity_context *context, int transmitter_index,
                                                                        const rcity_transmitter *transmitter);

/** Remove a transmitter and its trace. @return RCITY_ERR_ARGUMENT when there is none of that index. */
RCITY_API RCITY_MUST_CHECK rcity_status rcity_predictor_remove_transmitter(rcity_predictor *predictor,
                                                                           rcity_context *context,
                                                                           int transmitter_index);

/** Replace all options of the method: those given, and the defaults of all others. Copied. Traces stay where only
 *  weights have changed. `coefficients` is as in rcity_request. @return RCITY_ERR_ARGUMENT for a bad option; on failure
 *  all stays as it was. */
RCITY_API RCITY_MUST_CHECK rcity_status rcity_predictor_set_options(rcity_predictor *predictor, rcity_context *context,
                                                                    int option_count, const char *const *names,
                                                                    const char *const *values,
                                                                    const char *coefficients);

/** Replace the receivers. Copied. @return RCITY_ERR_ARGUMENT for bad ones; on failure all stays as it was. */
RCITY_API RCITY_MUST_CHECK rcity_status rcity_predictor_set_receivers(rcity_predictor *predictor,
                                                                      rcity_context *context,
                                                                      const rcity_receivers *receivers);

/** Estimated cost of predicting one transmitter from the start. @return RCITY_ERR_ARGUMENT when there is none of that
 *  index. */
RCITY_API RCITY_MUST_CHECK rcity_status rcity_predictor_estimate_sized(rcity_predictor *predictor,
                                                                       rcity_context *context, int transmitter_index,
                                                                       size_t estimate_bytes, rcity_estimate *estimate);
RCITY_MUST_CHECK static inline rcity_status rcity_predictor_estimate(rcity_predictor *predictor, rcity_context *context,
                                                                     int transmitter_index, rcity_estimate *estimate)
{
    return rcity_predictor_estimate_sized(predictor, context, transmitter_index, sizeof *estimate, estimate);
}

/** Trace all transmitters that are not traced yet, as one batch: a device is far faster with many at once than one
 *  after the other. Calling it is optional; every result traces what it needs.
 *  @return RCITY_ERR_MEMORY, RCITY_ERR_CANCELLED, RCITY_ERR_NO_DEVICE; RCITY_ERR_STATE without a device. */
RCITY_API RCITY_MUST_CHECK rcity_status rcity_predictor_trace(rcity_predictor *predictor, rcity_context *context);

/** The map of one transmitter, as from rcity_predict(). Owned by the caller; it belongs to `context`.
 *  @return as rcity_predict(); RCITY_ERR_ARGUMENT when the receivers are points. `*map` is untouched on failure. */
RCITY_API RCITY_MUST_CHECK rcity_status rcity_predictor_evaluate_raster(rcity_predictor *predictor,
                                                                        rcity_context *context, int transmitter_index,
                                                                        rcity_map **map);

/** The result at a point. */
typedef struct rcity_point_result {
    float loss_db;              /**< NAN: no value; `state` says why */
    float received_dbm;         /**< NAN where there is no value or the transmitter states no power */
    int mechanism;              /**< of the strongest path, as in the method's band "mechanism"; -1: the method gives
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

/** All paths to the receivers' points, as from rcity_rays_find(). Owned by the caller; they belong to `context`.
 *  @return as rcity_rays_find(). `*rays` is untouched on failure. */
RCITY_API RCITY_MUST_CHECK rcity_status rcity_predictor_find_paths(rcity_predictor *predictor, rcity_context *context,
                                                                   int transmitter_index, rcity_rays **rays);

/** The tiles of all surfaces, as from rcity_predict_surfaces(). Owned by the caller; they belong to `context`.
 *  @return as rcity_predict_surfaces(); RCITY_ERR_ARGUMENT when the receivers are not on surfaces. `*surfaces` is
 *  untouched on failure. */
RCITY_API RCITY_MUST_CHECK rcity_status rcity_predictor_evaluate_surfaces(rcity_predictor *predictor,
                                                                          rcity_context *context, int transmitter_index,
                                                                          rcity_surfaces **surfaces);

/** The delays at one receiver height and, where `map` is not NULL, the map, as from rcity_predict_delays(). Owned by the
 *  caller; they belong to `context`. @return as rcity_predict_delays(). `*map` and `*delays` are untouched on failure. */
RCITY_API RCITY_MUST_CHECK rcity_status rcity_predictor_evaluate_delays(rcity_predictor *predictor,
                                                                        rcity_context *context, int transmitter_index,
                                                                        int height_index, double bin_s, rcity_map **map,
                                                                        rcity_delays **delays);

/** What a predictor has done, for tests and for measuring what a change costs. */
typedef struct rcity_predictor_effort {
    int64_t prepare_count; /**< how often the receivers were prepared */
    int64_t trace_count;   /**< transmitters traced */
    int64_t kept_count;    /**< traces that are stored now */
} rcity_predictor_effort;

RCITY_API void rcity_predictor_get_effort_sized(rcity_predictor *predictor, size_t effort_bytes,
                                                rcity_predictor_effort *effort);
static inline rcity_predictor_effort rcity_predictor_get_effort(rcity_predictor *predictor)
{
    rcity_predictor_effort effort;
    rcity_predictor_get_effort_sized(predictor, sizeof effort, &effort);
    return effort;
}

#ifdef __cplusplus
}
#endif

#endif

/* The predictions of one transmitter. */
#include <string.h>

#include "api/predictor.h"
#include "base/abi.h"

void rcity_request_init(rcity_request *request, size_t struct_bytes)
{
    rcity_request made;
    memset(&made, 0, sizeof made);
    made.method = rcity_method_default_name();
    made.transmitter = rcity_transmitter_default();
    made.receivers = rcity_receivers_default();
    rcity_give_defaults(&made, sizeof made, struct_bytes, request);
}

/* What a request costs and, if there is memory for it, whether the method can serve its receivers. */
static rcity_status estimate_and_check(rcity_predictor *predictor, bool needs_memory, rcity_estimate *estimate)
{
    rcity_predictor_slot *slot = NULL;
    RCITY_TRY(rcity_predictor_find_slot(predictor, predictor->context, RCITY_PREDICTOR_ONLY, &slot));
    RCITY_TRY(rcity_predictor_estimate_slot(predictor, slot, estimate));
    if (needs_memory) {
        RCITY_TRY(rcity_predictor_check_memory(predictor, estimate));
    }
    return rcity_predictor_fits(predictor, estimate) ? rcity_predictor_check_receivers(predictor, slot) : RCITY_OK;
}

static rcity_status judge(rcity_context *context, const rcity_scene *scene, const rcity_request *request,
                          bool needs_memory, rcity_estimate *estimate)
{
    rcity_predictor *predictor = NULL;
    RCITY_TRY(rcity_predictor_open_once(context, scene, NULL, request, &predictor));
    rcity_context_lend(context, predictor->context);
    rcity_status status =
        rcity_context_hand_back(predictor->context, context, estimate_and_check(predictor, needs_memory, estimate));
    rcity_predictor_close(&predictor);
    return status;
}

rcity_status rcity_predict_estimate_sized(rcity_context *context, const rcity_scene *scene,
                                          const rcity_request *request, size_t estimate_bytes, rcity_estimate *estimate)
{
    RCITY_NEED(context, context);
    RCITY_NEED(context, scene);
    RCITY_NEED(context, estimate);
    rcity_request known_request;
    RCITY_TAKE(context, rcity_request, coefficients, request, &known_request);
    RCITY_CHECK_BYTES(context, rcity_estimate, estimate_bytes);
    rcity_estimate made;
    RCITY_TRY(judge(context, scene, &known_request, false, &made));
    rcity_copy_struct(&made, sizeof made, estimate_bytes, estimate);
    return RCITY_OK;
}

rcity_status rcity_predict_check(rcity_context *context, const rcity_scene *scene, const rcity_request *request)
{
    RCITY_NEED(context, context);
    RCITY_NEED(context, scene);
    rcity_request known_request;
    RCITY_TAKE(context, rcity_request, coefficients, request, &known_request);
    request = &known_request;
    rcity_estimate estimate;
    return judge(context, scene, request, true, &estimate);
}

rcity_status rcity_predict(rcity_context *context, const rcity_scene *scene, rcity_device *device,
                           const rcity_request *request, rcity_map **map)
{
    RCITY_NEED(context, context);
    RCITY_NEED(context, scene);
    RCITY_NEED(context, device);
    rcity_request known_request;
    RCITY_TAKE(context, rcity_request, coefficients, request, &known_request);
    request = &known_request;
    RCITY_NEED(context, map);
    RCITY_CHECK(context, request->receivers.point_count == 0, RCITY_ERR_ARGUMENT,
                "the request has points; use rcity_predict_points()");
    RCITY_CHECK(context, !request->receivers.on_surfaces, RCITY_ERR_ARGUMENT,
                "the request is for surfaces; use rcity_predict_surfaces()");
    rcity_predictor *predictor = NULL;
    RCITY_TRY(rcity_predictor_open_once(context, scene, device, request, &predictor));
    rcity_status status = rcity_predictor_evaluate_raster(predictor, context, RCITY_PREDICTOR_ONLY, map);
    rcity_predictor_close(&predictor);
    return status;
}

rcity_status rcity_predict_points(rcity_context *context, const rcity_scene *scene, rcity_device *device,
                                  const rcity_request *request, float *loss_db, float *received_dbm)
{
    RCITY_NEED(context, context);
    RCITY_NEED(context, scene);
    RCITY_NEED(context, device);
    rcity_request known_request;
    RCITY_TAKE(context, rcity_request, coefficients, request, &known_request);
    request = &known_request;
    RCITY_NEED(context, loss_db);
    RCITY_CHECK(context, request->receivers.point_count > 0 && request->receivers.xyh_m != NULL, RCITY_ERR_ARGUMENT,
                "the request has no points");
    rcity_predictor *predictor = NULL;
    RCITY_TRY(rcity_predictor_open_once(context, scene, device, request, &predictor));
    const rcity_point_levels levels = {.loss_db = loss_db, .received_dbm = received_dbm};
    rcity_status status = rcity_predictor_make_points(predictor, context, RCITY_PREDICTOR_ONLY, &levels);
    rcity_predictor_close(&predictor);
    return status;
}

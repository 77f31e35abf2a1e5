/* The predictions of one transmitter. */
#include <assert.h>
#include <string.h>

#include "api/predictor.h"

rcity_request rcity_request_default(void)
{
    rcity_request request;
    memset(&request, 0, sizeof request);
    request.method = "shadow";
    request.transmitter = rcity_transmitter_default();
    request.receivers = rcity_receivers_default();
    return request;
}

/* What a request costs and, where there is memory for a look, what the method thinks of its receivers. */
static rcity_status look(rcity_predictor *predictor, bool needs_memory, rcity_estimate *estimate)
{
    rcity_predictor_slot *slot = NULL;
    RCITY_TRY(rcity_predictor_find_slot(predictor, predictor->context, RCITY_PREDICTOR_ONLY, &slot));
    RCITY_TRY(rcity_predictor_estimate_slot(predictor, slot, estimate));
    if (needs_memory) {
        RCITY_TRY(rcity_predictor_check_memory(predictor, estimate));
    }
    return rcity_predictor_fits(predictor, estimate) ? rcity_predictor_look(predictor, slot) : RCITY_OK;
}

static rcity_status judge(rcity_context *context, const rcity_scene *scene, const rcity_request *request,
                          bool needs_memory, rcity_estimate *estimate)
{
    rcity_predictor *predictor = NULL;
    RCITY_TRY(rcity_predictor_open_once(context, scene, NULL, request, &predictor));
    rcity_context_lend(context, predictor->context);
    rcity_status status = rcity_context_hand_back(predictor->context, context, look(predictor, needs_memory, estimate));
    rcity_predictor_close(&predictor);
    return status;
}

rcity_status rcity_predict_estimate(rcity_context *context, const rcity_scene *scene, const rcity_request *request,
                                    rcity_estimate *estimate)
{
    assert(context != NULL && scene != NULL && request != NULL && estimate != NULL);
    rcity_estimate made;
    RCITY_TRY(judge(context, scene, request, false, &made));
    *estimate = made;
    return RCITY_OK;
}

rcity_status rcity_predict_check(rcity_context *context, const rcity_scene *scene, const rcity_request *request)
{
    assert(context != NULL && scene != NULL && request != NULL);
    rcity_estimate estimate;
    return judge(context, scene, request, true, &estimate);
}

rcity_status rcity_predict(rcity_context *context, const rcity_scene *scene, rcity_device *device,
                           const rcity_request *request, rcity_map **map)
{
    assert(context != NULL && scene != NULL && device != NULL && request != NULL && map != NULL);
    RCITY_CHECK(context, request->receivers.point_count == 0, RCITY_ERR_ARGUMENT,
                "the request has points; use rcity_predict_points()");
    rcity_predictor *predictor = NULL;
    RCITY_TRY(rcity_predictor_open_once(context, scene, device, request, &predictor));
    rcity_status status = rcity_predictor_evaluate_raster(predictor, context, RCITY_PREDICTOR_ONLY, map);
    rcity_predictor_close(&predictor);
    return status;
}

rcity_status rcity_predict_points(rcity_context *context, const rcity_scene *scene, rcity_device *device,
                                  const rcity_request *request, float *loss_db, float *received_dbm)
{
    assert(context != NULL && scene != NULL && device != NULL && request != NULL && loss_db != NULL);
    RCITY_CHECK(context, request->receivers.point_count > 0 && request->receivers.xyh_m != NULL, RCITY_ERR_ARGUMENT,
                "the request has no points");
    rcity_predictor *predictor = NULL;
    RCITY_TRY(rcity_predictor_open_once(context, scene, device, request, &predictor));
    const rcity_point_levels levels = {.loss_db = loss_db, .received_dbm = received_dbm};
    rcity_status status = rcity_predictor_make_points(predictor, context, RCITY_PREDICTOR_ONLY, &levels);
    rcity_predictor_close(&predictor);
    return status;
}

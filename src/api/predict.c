/* The predictions of one transmitter. */
#include <assert.h>
#include <string.h>

#include "api/prediction.h"

rcity_request rcity_request_default(void)
{
    rcity_request request;
    memset(&request, 0, sizeof request);
    request.method = "shadow";
    request.transmitter = rcity_transmitter_default();
    request.receivers = rcity_receivers_default();
    return request;
}

rcity_status rcity_predict_estimate(rcity_context *context, const rcity_scene *scene, const rcity_request *request,
                                    rcity_estimate *estimate)
{
    assert(context != NULL && scene != NULL && request != NULL && estimate != NULL);
    rcity_prediction prediction;
    RCITY_TRY(rcity_prediction_init(context, scene, NULL, request, &request->transmitter, &prediction));
    rcity_estimate made;
    RCITY_TRY(rcity_prediction_estimate(&prediction, &made));
    RCITY_TRY(rcity_prediction_look(&prediction, &made));
    *estimate = made;
    return RCITY_OK;
}

rcity_status rcity_predict_check(rcity_context *context, const rcity_scene *scene, const rcity_request *request)
{
    assert(context != NULL && scene != NULL && request != NULL);
    rcity_prediction prediction;
    rcity_estimate estimate;
    RCITY_TRY(rcity_prediction_init(context, scene, NULL, request, &request->transmitter, &prediction));
    RCITY_TRY(rcity_prediction_estimate(&prediction, &estimate));
    RCITY_TRY(rcity_prediction_check_memory(&prediction, &estimate));
    return rcity_prediction_look(&prediction, &estimate);
}

rcity_status rcity_predict(rcity_context *context, const rcity_scene *scene, rcity_device *device,
                           const rcity_request *request, rcity_map **map)
{
    assert(context != NULL && scene != NULL && device != NULL && request != NULL && map != NULL);
    RCITY_CHECK(context, request->receivers.point_count == 0, RCITY_ERR_ARGUMENT,
                "the request has points; use rcity_predict_points()");
    rcity_prediction prediction;
    RCITY_TRY(rcity_prediction_start(context, scene, device, request, &prediction));
    rcity_status status = rcity_prediction_run(&prediction, NULL, map);
    rcity_prediction_close(&prediction);
    return status;
}

rcity_status rcity_predict_points(rcity_context *context, const rcity_scene *scene, rcity_device *device,
                                  const rcity_request *request, float *loss_db, float *received_dbm)
{
    assert(context != NULL && scene != NULL && device != NULL && request != NULL && loss_db != NULL);
    RCITY_CHECK(context, request->receivers.point_count > 0 && request->receivers.xyh_m != NULL, RCITY_ERR_ARGUMENT,
                "the request has no points");
    rcity_prediction prediction;
    RCITY_TRY(rcity_prediction_start(context, scene, device, request, &prediction));
    const rcity_point_levels levels = {.loss_db = loss_db, .received_dbm = received_dbm};
    rcity_status status = rcity_prediction_run_points(&prediction, &levels);
    rcity_prediction_close(&prediction);
    return status;
}

/* The field on the surfaces of a scene. */
#include "api/predictor.h"
#include "base/abi.h"
#include "result/surfaces_data.h"

/* An rcity_predictor_use; the user is where the surfaces go. */
static rcity_status make_surfaces(void *user, const rcity_predictor *predictor, const rcity_job *job, const void *trace,
                                  const rcity_tx *tx)
{
    rcity_surfaces **surfaces = user;
    RCITY_CHECK(job->context, job->receivers->on_surfaces, RCITY_ERR_ARGUMENT,
                "the request is not for surfaces; its receivers do not have on_surfaces");
    rcity_status status = job->method->evaluate_surfaces(job, predictor->prepared, trace, tx, surfaces);
    RCITY_TRY(rcity_predictor_explain(job, status));
    return rcity_predictor_note_before(predictor, job, tx, rcity_surfaces_notes(*surfaces));
}

rcity_status rcity_predictor_evaluate_surfaces(rcity_predictor *predictor, rcity_context *context,
                                               int transmitter_index, rcity_surfaces **surfaces)
{
    RCITY_NEED(context, predictor);
    RCITY_NEED(context, context);
    RCITY_NEED(context, surfaces);
    rcity_surfaces *made = NULL;
    rcity_status status = rcity_predictor_with(predictor, context, transmitter_index, make_surfaces, &made);
    if (status != RCITY_OK) {
        rcity_surfaces_destroy(&made);
        return status;
    }
    *surfaces = made;
    return RCITY_OK;
}

rcity_status rcity_predict_surfaces(rcity_context *context, const rcity_scene *scene, rcity_device *device,
                                    const rcity_request *request, rcity_surfaces **surfaces)
{
    RCITY_NEED(context, context);
    RCITY_NEED(context, scene);
    RCITY_NEED(context, device);
    rcity_request known_request;
    RCITY_TAKE(context, rcity_request, coefficients, request, &known_request);
    RCITY_NEED(context, surfaces);
    RCITY_CHECK(context, known_request.receivers.on_surfaces, RCITY_ERR_ARGUMENT,
                "the request is not for surfaces; its receivers do not have on_surfaces");
    rcity_predictor *predictor = NULL;
    RCITY_TRY(rcity_predictor_open_once(context, scene, device, &known_request, &predictor));
    rcity_status status = rcity_predictor_evaluate_surfaces(predictor, context, RCITY_PREDICTOR_ONLY, surfaces);
    rcity_predictor_close(&predictor);
    return status;
}

/* The field on the surfaces of a scene. */
#include "api/predictor.h"
#include "base/abi.h"
#include "result/surfaces_data.h"

/* What is said of the request and the transmitter comes before the method's own notes, as in maps. */
static rcity_status put_notes(const rcity_predictor *predictor, const rcity_job *job, const rcity_tx *tx,
                              rcity_surfaces *surfaces)
{
    rcity_notes notes;
    rcity_status status;
    rcity_notes_init(job->context, &notes);
    RCITY_TRY_DONE(rcity_predictor_note_request(predictor, 0, &notes));
    RCITY_TRY_DONE(rcity_predictor_note_transmitter(job, tx, &notes));
    RCITY_TRY_DONE(rcity_surfaces_copy_notes(surfaces, &notes));
    rcity_notes own = *rcity_surfaces_notes(surfaces);
    *rcity_surfaces_notes(surfaces) = notes;
    notes = own;
done:
    rcity_notes_deinit(&notes);
    return status;
}

/* An rcity_predictor_use; the user is where the surfaces go. */
static rcity_status make_surfaces(void *user, const rcity_predictor *predictor, const rcity_job *job, const void *trace,
                                  const rcity_tx *tx)
{
    rcity_surfaces **surfaces = user;
    RCITY_CHECK(job->context, job->receivers->on_surfaces, RCITY_ERR_ARGUMENT,
                "the request is not for surfaces; its receivers do not have on_surfaces");
    rcity_status status = job->method->evaluate_surfaces(job, predictor->prepared, trace, tx, surfaces);
    RCITY_TRY(rcity_predictor_explain(job, status));
    return put_notes(predictor, job, tx, *surfaces);
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

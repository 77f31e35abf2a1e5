/* Histograms of delays over a raster, and its map from the same paths. */
#include "api/predictor.h"
#include "base/abi.h"
#include "result/delays_data.h"

/* What is asked for, and where it goes. */
typedef struct delays_use {
    int height_index;
    double bin_s;
    bool wants_map;
    rcity_map *map;
    rcity_delays *made;
} delays_use;

static rcity_status check_bin(rcity_context *context, double bin_s)
{
    RCITY_CHECK(context, bin_s >= RCITY_DELAY_BIN_MIN_S && bin_s <= RCITY_DELAY_BIN_MAX_S, RCITY_ERR_ARGUMENT,
                "bins of delays are %g s wide, must be %g to %g", bin_s, RCITY_DELAY_BIN_MIN_S, RCITY_DELAY_BIN_MAX_S);
    return RCITY_OK;
}

static rcity_status check_method(rcity_context *context, const rcity_method *method)
{
    char names[256];
    rcity_method_list_delay_servers(names, sizeof names);
    RCITY_CHECK(context, (method->info.serves & RCITY_SERVES_DELAYS) != 0, RCITY_ERR_UNSUPPORTED,
                "method '%s' does not serve delays, %s%s", method->info.name,
                names[0] != '\0' ? "these do: " : "and no other does", names);
    return RCITY_OK;
}

/* Can this job have delays at this height? */
static rcity_status check_job(rcity_context *context, const rcity_job *job, int height_index)
{
    RCITY_TRY(check_method(context, job->method));
    RCITY_CHECK(context, rcity_job_is_raster(job), RCITY_ERR_ARGUMENT,
                "delays are of a raster, and the request is for %s",
                job->receivers->on_surfaces ? "surfaces" : "points");
    RCITY_CHECK(context, height_index >= 0 && height_index < job->receivers->height_count, RCITY_ERR_ARGUMENT,
                "there is no receiver height of index %d; the request has %d, from 0", height_index,
                job->receivers->height_count);
    return RCITY_OK;
}

/* Before anything is prepared and traced. */
static rcity_status check_first(rcity_predictor *predictor, rcity_context *context, int height_index)
{
    rcity_lock_read(predictor->lock);
    rcity_status status = check_job(context, &predictor->job, height_index);
    rcity_lock_release(predictor->lock);
    return status;
}

/* An rcity_predictor_use; the user is a delays_use. */
static rcity_status make_delays(void *user, const rcity_predictor *predictor, const rcity_job *job, const void *trace,
                                const rcity_tx *tx)
{
    delays_use *use = user;
    RCITY_TRY(check_job(job->context, job, use->height_index)); /* another thread may have changed the receivers */
    if (use->wants_map) {
        RCITY_TRY(rcity_predictor_open_map(predictor, job, tx, &use->map));
    }
    rcity_status status = job->method->evaluate_delays(job, predictor->prepared, trace, tx, use->height_index,
                                                       use->bin_s, use->map, &use->made);
    RCITY_TRY(rcity_predictor_explain(job, status));
    if (use->wants_map) {
        RCITY_TRY(rcity_predictor_finish_map(job, tx, use->map));
    }
    return rcity_predictor_note_before(predictor, job, tx, rcity_delays_notes(use->made));
}

rcity_status rcity_predictor_evaluate_delays(rcity_predictor *predictor, rcity_context *context, int transmitter_index,
                                             int height_index, double bin_s, rcity_map **map, rcity_delays **delays)
{
    RCITY_NEED(context, predictor);
    RCITY_NEED(context, context);
    RCITY_NEED(context, delays);
    RCITY_TRY(check_bin(context, bin_s));
    RCITY_TRY(check_first(predictor, context, height_index));
    delays_use use = {.height_index = height_index, .bin_s = bin_s, .wants_map = map != NULL};
    rcity_status status = rcity_predictor_with(predictor, context, transmitter_index, make_delays, &use);
    if (status != RCITY_OK) {
        rcity_delays_destroy(&use.made);
        rcity_map_destroy(&use.map);
        return status;
    }
    if (map != NULL) {
        *map = use.map;
    }
    *delays = use.made;
    return RCITY_OK;
}

rcity_status rcity_predict_delays(rcity_context *context, const rcity_scene *scene, rcity_device *device,
                                  const rcity_request *request, int height_index, double bin_s, rcity_map **map,
                                  rcity_delays **delays)
{
    RCITY_NEED(context, context);
    RCITY_NEED(context, scene);
    RCITY_NEED(context, device);
    rcity_request known_request;
    RCITY_TAKE(context, rcity_request, coefficients, request, &known_request);
    RCITY_NEED(context, delays);
    const rcity_method *method = NULL;
    rcity_predictor *predictor = NULL;
    RCITY_TRY(check_bin(context, bin_s));
    RCITY_CHECK(context, known_request.method != NULL, RCITY_ERR_ARGUMENT, "`method` is NULL");
    RCITY_TRY(rcity_method_find(context, known_request.method, &method));
    RCITY_TRY(check_method(context, method)); /* before the values that another method would have to refuse */
    RCITY_TRY(rcity_predictor_open_once(context, scene, device, &known_request, &predictor));
    rcity_status status =
        rcity_predictor_evaluate_delays(predictor, context, RCITY_PREDICTOR_ONLY, height_index, bin_s, map, delays);
    rcity_predictor_close(&predictor);
    return status;
}

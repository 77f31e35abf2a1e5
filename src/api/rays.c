/* Paths from request to result: the way of a prediction, but the paths are kept. */
#include <assert.h>
#include <math.h>
#include <string.h>

#include "api/prediction.h"
#include "method/images/images.h"
#include "method/images/images_receivers.h"
#include "radiocity/rays.h"
#include "scene/place/scene_distance.h"

static rcity_status check_memory(const rcity_prediction *prediction)
{
    rcity_context *context = prediction->job.context;
    rcity_estimate estimate;
    char need_text[32];
    char limit_text[32];
    RCITY_TRY(rcity_prediction_estimate(prediction, &estimate));
    uint64_t used = rcity_context_memory_used(context);
    RCITY_CHECK(context, rcity_prediction_fits(prediction, &estimate), RCITY_ERR_MEMORY,
                "paths to %lld receivers need at least %s, the limit is %s; ask for fewer receivers or lower orders, "
                "or raise `memory`",
                (long long)estimate.receiver_count,
                rcity_format_bytes((double)(used + estimate.memory_bytes), need_text),
                rcity_format_bytes((double)rcity_context_memory_limit(context), limit_text));
    return RCITY_OK;
}

/* Trace, where the method has that stage, and find. */
static rcity_status find_paths(const rcity_job *job, rcity_rays *rays)
{
    const rcity_method *method = job->method;
    void *traced = NULL;
    rcity_status status;
    if (method->trace != NULL) {
        RCITY_TRY_DONE(method->trace(job, job->prepared, &traced));
    }
    RCITY_TRY_DONE(rcity_images_find(job, method->trace != NULL ? traced : job->prepared, rays));
    status = rcity_rays_finish(rays);
done:
    if (traced != NULL) {
        method->release_traced(job->context, traced);
    }
    return rcity_prediction_explain(job, status);
}

/* Receivers beyond the scene's bounds stand on open land, for all the scene knows. Those off its terrain are told
   apart: they have no height and no paths. */
static rcity_status report_outside(const rcity_job *job, rcity_rays *rays)
{
    rcity_scene_info info;
    RCITY_TRY(rcity_scene_describe(job->scene, &info));
    int64_t count = 0;
    int64_t farthest = 0;
    double farthest_m = 0.0;
    rcity_point place = {0.0, 0.0, 0.0};
    for (int64_t i = 0; i < rcity_rays_receiver_count(rays); i++) {
        rcity_receiver_summary receiver;
        RCITY_TRY(rcity_rays_get_receiver(rays, i, &receiver));
        const double xy_m[2] = {receiver.position.x_m, receiver.position.y_m};
        double outside_m = rcity_scene_distance_m(&info, xy_m);
        if (receiver.state == RCITY_RECEIVER_OUTSIDE || outside_m == 0.0) {
            continue;
        }
        count++;
        if (outside_m > farthest_m) {
            farthest_m = outside_m;
            farthest = i;
            place = receiver.position;
        }
    }
    if (count == 0) {
        return RCITY_OK;
    }
    char share[96];
    rcity_log(job->context, RCITY_LOG_WARNING,
              "%s outside the scene (%snumber %lld at (%.2f, %.2f), by %.0f m); there the land is taken as open",
              rcity_format_share(count, rcity_rays_receiver_count(rays), "receiver", "lies", "lie", share),
              count == 1 ? "" : "the farthest is ", (long long)farthest + 1, place.x_m, place.y_m, farthest_m);
    return rcity_notes_add(rcity_rays_notes(rays), "receivers_outside_scene", "%lld", (long long)count);
}

static rcity_status note_and_find(const rcity_prediction *prediction, rcity_rays **rays)
{
    const rcity_job *job = &prediction->job;
    rcity_rays *made = NULL;
    rcity_status status;
    RCITY_TRY(rcity_images_open_points(job, &made));
    RCITY_TRY_DONE(rcity_prediction_note_request(prediction, RCITY_OPTION_SUM, rcity_rays_notes(made)));
    RCITY_TRY_DONE(rcity_prediction_note_transmitter(prediction, rcity_rays_notes(made)));
    RCITY_TRY_DONE(rcity_images_report_materials(job, rcity_rays_notes(made)));
    RCITY_TRY_DONE(rcity_images_report_receivers(made));
    RCITY_TRY_DONE(report_outside(job, made));
    RCITY_TRY_DONE(find_paths(job, made));
    *rays = made;
    made = NULL;
done:
    rcity_rays_destroy(&made);
    return status;
}

rcity_status rcity_rays_find(rcity_context *context, const rcity_scene *scene, const rcity_request *request,
                             rcity_rays **rays)
{
    assert(context != NULL && scene != NULL && request != NULL && rays != NULL);
    RCITY_CHECK(context, strcmp(request->method, rcity_images_method.info.name) == 0, RCITY_ERR_ARGUMENT,
                "paths are found by the method '%s', not by '%s'; use rcity_predict_points() for losses",
                rcity_images_method.info.name, request->method);
    RCITY_CHECK(context, request->receivers.point_count > 0 && request->receivers.xyh_m != NULL, RCITY_ERR_ARGUMENT,
                "the request has no points; paths lead to points");
    for (int i = 0; i < request->option_count; i++) {
        RCITY_CHECK(context, strcmp(request->option_name[i], RCITY_OPTION_SUM) != 0, RCITY_ERR_ARGUMENT,
                    "the option '%s' is of maps; paths come with both sums", RCITY_OPTION_SUM);
    }
    rcity_prediction prediction;
    rcity_status status;
    RCITY_TRY(rcity_prediction_init(context, scene, NULL, request, &request->transmitter, &prediction));
    RCITY_TRY(check_memory(&prediction));
    RCITY_TRY_DONE(rcity_prediction_open(&prediction));
    RCITY_TRY_DONE(rcity_prediction_prepare(&prediction));
    status = note_and_find(&prediction, rays);
done:
    rcity_prediction_close(&prediction);
    return status;
}

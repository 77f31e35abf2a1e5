/* The paths of one request. */
#include <string.h>

#include "api/predictor.h"
#include "base/abi.h"

/* Options that only say how maps are made of paths. */
static rcity_status check_options(rcity_context *context, const rcity_request *request)
{
    const rcity_method *method = NULL;
    RCITY_TRY(rcity_method_find(context, request->method, &method));
    for (int i = 0; i < request->option_count; i++) {
        for (int k = 0; k < method->info.option_count; k++) {
            const char *name = method->options[k].name;
            bool is_of_maps = (method->map_options & RCITY_OPTION_BIT(k)) != 0;
            RCITY_CHECK(context, !is_of_maps || strcmp(request->option_name[i], name) != 0, RCITY_ERR_ARGUMENT,
                        "the option '%s' is of maps; paths come with both sums", name);
        }
    }
    return RCITY_OK;
}

static rcity_status check_memory(rcity_context *context, rcity_predictor *predictor)
{
    rcity_estimate estimate;
    char need_text[32];
    char limit_text[32];
    RCITY_TRY(rcity_predictor_estimate(predictor, context, RCITY_PREDICTOR_ONLY, &estimate));
    uint64_t used = rcity_context_memory_used(context);
    RCITY_CHECK(context, rcity_predictor_fits(predictor, &estimate), RCITY_ERR_MEMORY,
                "paths to %lld receivers need at least %s, the limit is %s; ask for fewer receivers or lower orders, "
                "or raise `memory`",
                (long long)estimate.receiver_count,
                rcity_format_bytes((double)(used + estimate.memory_bytes), need_text),
                rcity_format_bytes((double)rcity_context_memory_limit(context), limit_text));
    return RCITY_OK;
}

rcity_status rcity_rays_find(rcity_context *context, const rcity_scene *scene, rcity_device *device,
                             const rcity_request *request, rcity_rays **rays)
{
    RCITY_NEED(context, context);
    RCITY_NEED(context, scene);
    rcity_request known_request;
    RCITY_TAKE(context, rcity_request, coefficients, request, &known_request);
    request = &known_request;
    RCITY_NEED(context, rays);
    RCITY_CHECK(context, request->receivers.point_count > 0 && request->receivers.xyh_m != NULL, RCITY_ERR_ARGUMENT,
                "the request has no points; paths lead to points");
    RCITY_TRY(check_options(context, request));
    rcity_predictor *predictor = NULL;
    rcity_device *host = NULL;
    rcity_status status;
    if (device == NULL) {
        RCITY_TRY(rcity_device_open(context, "host", &host));
    }
    RCITY_TRY_DONE(rcity_predictor_open_once(context, scene, device != NULL ? device : host, request, &predictor));
    RCITY_TRY_DONE(check_memory(context, predictor));
    status = rcity_predictor_find_paths(predictor, context, RCITY_PREDICTOR_ONLY, rays);
done:
    rcity_predictor_close(&predictor);
    rcity_device_close(&host);
    return status;
}

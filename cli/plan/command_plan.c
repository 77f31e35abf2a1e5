/* radiocity plan: from demand to sites. */
#include <stdio.h>
#include <string.h>

#include "command.h"
#include "exit_status.h"
#include "method_help.h"
#include "output_set.h"
#include "plan_files.h"
#include "plan_input.h"
#include "scene_files.h"
#include "session.h"
#include "stop_signals.h"

/* What one run holds. */
typedef struct plan_run {
    rcity_context *context;
    rcity_scene *scene;
    rcity_device *device;
    rcity_siting *siting;
    plan_world world;
    output_set files;
} plan_run;

static int search(plan_run *run, plan_input *input)
{
    plan_result result = {.context = run->context, .scene = run->scene, .input = input, .world = &run->world};
    rcity_status status = rcity_device_open(run->context, input->device, &run->device);
    stop_signals_wait();
    if (status == RCITY_OK) {
        status = rcity_siting_run(run->context, run->scene, run->device, &input->request, run->world.demand,
                                  &input->options, &run->siting);
    }
    if (status == RCITY_OK) {
        stop_signals_take();
    }
    if (status == RCITY_OK) {
        status = rcity_scene_describe(run->scene, &result.scene_info);
    }
    if (status != RCITY_OK) {
        return session_fail(run->context, status);
    }
    result.device = run->device;
    result.siting = run->siting;
    rcity_siting_describe(run->siting, &result.info);
    status = plan_files_write(&result, &run->files);
    status = output_set_finish(run->context, &run->files, status);
    if (status != RCITY_OK) {
        return session_fail(run->context, status);
    }
    if (input->wants_json) {
        plan_summary_json(&result, stdout);
    } else {
        plan_summary_print(&result);
    }
    if (!result.info.is_complete) {
        fprintf(stderr, "radiocity: the search was stopped; the best so far is written%s\n",
                input->options.checkpoint_path != NULL ? ", and --resume goes on with it" : "");
    }
    return result.info.is_complete ? EXIT_FINE : EXIT_CANCELLED;
}

static int plan(plan_run *run, plan_input *input)
{
    rcity_status status = scene_file_load(run->context, input->scene_path, &run->scene);
    if (status != RCITY_OK) {
        return session_fail(run->context, status);
    }
    if (input->method == NULL && input->coefficients.path == NULL) {
        input->request.method = method_choose(run->scene);
    }
    int result = plan_world_init(run->context, run->scene, input, &run->world);
    return result != 0 ? result : search(run, input);
}

int command_plan(int count, char **words)
{
    static plan_input input;
    int result = plan_input_read(&input, count, words);
    if (result != 0) {
        return result < 0 ? EXIT_FINE : result;
    }
    plan_run run;
    memset(&run, 0, sizeof run);
    result = session_open(&run.context);
    if (result == 0) {
        result = coefficients_input_load(run.context, "plan", &input.coefficients, input.method, &input.extra,
                                         &input.request);
    }
    if (result == 0) {
        coefficients_input_report(&input.coefficients);
        result = plan_files_check(run.context, &input);
    }
    if (result == 0) {
        result = plan(&run, &input);
    }
    rcity_siting_destroy(&run.siting);
    plan_world_deinit(&run.world);
    rcity_device_close(&run.device);
    rcity_scene_destroy(&run.scene);
    coefficients_input_deinit(&input.coefficients);
    session_close(&run.context);
    return result;
}

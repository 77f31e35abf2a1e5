/* radiocity score: predictions held against measurements. */
#include <stdio.h>
#include <string.h>

#include "command.h"
#include "exit_status.h"
#include "method_help.h"
#include "scene_files.h"
#include "score_files.h"
#include "score_report.h"
#include "session.h"

/* What one run holds. */
typedef struct score_run {
    rcity_context *context;
    const score_input *input;
    rcity_scene *scene;
    rcity_device *device;
    measurement_world world;
    rcity_score *score;
    output_set files;
} score_run;

static rcity_status make_score(score_run *run)
{
    const score_input *input = run->input;
    rcity_status status = rcity_device_open(run->context, input->device, &run->device);
    if (status == RCITY_OK) {
        status = rcity_score_create(run->context, run->scene, run->device, &input->request,
                                    input->coefficients.coefficients, run->world.measurements, &run->score);
    }
    if (status == RCITY_OK) {
        status = score_files_write(run->context, run->scene, run->score, input, &run->world, &run->files);
    }
    status = output_set_finish(run->context, &run->files, status);
    return status;
}

static int score(score_run *run, score_input *input)
{
    rcity_status status = scene_file_load(run->context, input->scene_path, &run->scene);
    if (status != RCITY_OK) {
        return session_fail(run->context, status);
    }
    if (input->method == NULL && input->coefficients.path == NULL) {
        input->request.method = method_choose(run->scene);
    }
    int result = measurement_world_init(run->context, run->scene, "score", &input->measured, &input->tx, &run->world);
    if (result != 0) {
        return result;
    }
    status = make_score(run);
    if (status != RCITY_OK) {
        return session_fail(run->context, status);
    }
    score_report_warnings(run->score);
    if (input->wants_json) {
        score_json_print(run->score, input, &run->world);
    } else {
        score_report(run->score, input, &run->world);
    }
    return EXIT_FINE;
}

int command_score(int count, char **words)
{
    static score_input input;
    int result = score_input_read(&input, count, words);
    if (result != 0) {
        return result < 0 ? EXIT_FINE : result;
    }
    score_run run;
    memset(&run, 0, sizeof run);
    run.input = &input;
    result = session_open(&run.context);
    if (result == 0) {
        result = score_files_check(run.context, &input);
    }
    if (result == 0) {
        result = coefficients_input_load(run.context, "score", &input.coefficients, input.method, &input.extra,
                                         &input.request);
    }
    if (result == 0) {
        coefficients_input_report(&input.coefficients);
        result = score(&run, &input);
    }
    rcity_score_destroy(&run.score);
    rcity_device_close(&run.device);
    measurement_world_deinit(&run.world);
    rcity_scene_destroy(&run.scene);
    coefficients_input_deinit(&input.coefficients);
    session_close(&run.context);
    return result;
}

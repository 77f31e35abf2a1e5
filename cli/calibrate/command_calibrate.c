/* radiocity calibrate: coefficients of a method from measurements. */
#include <string.h>

#include "calibrate_input.h"
#include "calibrate_report.h"
#include "command.h"
#include "exit_status.h"
#include "output_set.h"
#include "outputs.h"
#include "scene_files.h"
#include "session.h"

/* What one run holds. */
typedef struct calibrate_run {
    rcity_context *context;
    const calibrate_input *input;
    rcity_scene *scene;
    rcity_device *device;
    measurement_world world;
    rcity_coefficients *coefficients;
    output_set files;
} calibrate_run;

/* Can the file be written, and is it none that is read? @return 0, or an exit status after a message. */
static int check_files(rcity_context *context, const calibrate_input *input)
{
    const char *const inputs[] = {input->scene_path, input->measured.sites_path, input->coefficients.path,
                                  input->tx.antenna};
    const text_list *measured = &input->measured.paths;
    const char *path = input->output_path;
    int result = output_check_inputs("calibrate", path, sizeof inputs / sizeof inputs[0], inputs);
    return result != 0 ? result : output_check_all(context, "calibrate", path, measured->count, measured->value);
}

static rcity_status find_coefficients(calibrate_run *run)
{
    const calibrate_input *input = run->input;
    rcity_status status = rcity_device_open(run->context, input->device, &run->device);
    if (status == RCITY_OK) {
        status = rcity_calibrate(run->context, run->scene, run->device, &input->request, run->world.measurements,
                                 &input->options, &run->coefficients);
    }
    if (status == RCITY_OK && input->output_path != NULL) {
        status = output_set_add(&run->files, input->output_path)
                     ? rcity_coefficients_save(run->context, run->coefficients, input->output_path)
                     : RCITY_ERR_MEMORY;
    }
    status = output_set_finish(run->context, &run->files, status);
    return status;
}

static int calibrate(calibrate_run *run)
{
    const calibrate_input *input = run->input;
    rcity_status status = scene_file_load(run->context, input->scene_path, &run->scene);
    if (status != RCITY_OK) {
        return session_fail(run->context, status);
    }
    int result =
        measurement_world_init(run->context, run->scene, "calibrate", &input->measured, &input->tx, &run->world);
    if (result != 0) {
        return result;
    }
    status = find_coefficients(run);
    if (status != RCITY_OK) {
        return session_fail(run->context, status);
    }
    calibrate_report_warnings(run->coefficients);
    if (input->wants_json) {
        calibrate_report_json(run->coefficients);
    } else {
        calibrate_report(run->coefficients, input);
    }
    return EXIT_FINE;
}

int command_calibrate(int count, char **words)
{
    static calibrate_input input;
    int result = calibrate_input_read(&input, count, words);
    if (result != 0) {
        return result < 0 ? EXIT_FINE : result;
    }
    calibrate_run run;
    memset(&run, 0, sizeof run);
    run.input = &input;
    result = session_open(&run.context);
    if (result == 0) {
        result = check_files(run.context, &input);
    }
    if (result == 0) {
        result = coefficients_input_load(run.context, "calibrate", &input.coefficients, input.method, &input.extra,
                                         &input.request);
    }
    if (result == 0) {
        result = calibrate(&run);
    }
    rcity_coefficients_destroy(&run.coefficients);
    rcity_device_close(&run.device);
    measurement_world_deinit(&run.world);
    rcity_scene_destroy(&run.scene);
    coefficients_input_deinit(&input.coefficients);
    session_close(&run.context);
    return result;
}

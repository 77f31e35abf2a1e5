/* Calibrated coefficients for a request: loaded, merged with the command line, and compared with the request. */
#include "coefficients_input.h"

#include <stdio.h>
#include <string.h>

#include "fit_items.h"
#include "session.h"

static void add_option(coefficients_input *input, const char *name, const char *value)
{
    if (input->option_count < COEFFICIENTS_OPTION_MAX) {
        input->option_name[input->option_count] = name;
        input->option_value[input->option_count++] = value;
    }
}

int coefficients_input_load(rcity_context *context, const char *command, coefficients_input *input, const char *method,
                            const extra_options *extra, rcity_request *request)
{
    if (input->path == NULL) {
        return 0;
    }
    rcity_status status = rcity_coefficients_load(context, input->path, &input->coefficients);
    if (status != RCITY_OK) {
        return session_fail(context, status);
    }
    const char *own_method = rcity_coefficients_method(input->coefficients);
    if (method != NULL && strcmp(method, own_method) != 0) {
        return usage_error(command, "--method is %s, but '%s' has coefficients of %s; leave --method out", method,
                           input->path, own_method);
    }
    for (int i = 0; i < rcity_coefficients_option_count(input->coefficients); i++) {
        const char *name = NULL;
        const char *value = NULL;
        if (rcity_coefficients_get_option(input->coefficients, i, &name, &value) == RCITY_OK) {
            add_option(input, name, value);
        }
    }
    for (int i = 0; i < extra->count; i++) {
        add_option(input, extra->name[i], extra->value[i]);
    }
    request->method = own_method;
    request->option_count = input->option_count;
    request->option_name = input->option_name;
    request->option_value = input->option_value;
    request->coefficients = rcity_coefficients_describe(input->coefficients, input->label, sizeof input->label);
    return 0;
}

void coefficients_input_deinit(coefficients_input *input)
{
    rcity_coefficients_destroy(&input->coefficients);
}

/* Offsets, positions and heights belong to the transmitters of the fit, not to those to predict. */
static void report_unused(const coefficients_input *input)
{
    int count = 0;
    const char *first = "";
    for (int i = 0; i < rcity_coefficients_count(input->coefficients); i++) {
        rcity_coefficient one = coefficient_at(input->coefficients, i);
        if (strchr(one.name, ' ') != NULL) { /* names of options contain none */
            first = count == 0 ? one.name : first;
            count++;
        }
    }
    if (count > 0) {
        fprintf(
            stderr,
            "radiocity: '%s' also has %d %s of the transmitters it was fitted on ('%s'%s); %s not applied here: state "
            "places and powers with them\n",
            input->path, count, count == 1 ? "correction" : "corrections", first, count > 1 ? ", ..." : "",
            count == 1 ? "it is" : "they are");
    }
}

void coefficients_input_report(const coefficients_input *input)
{
    if (input->path == NULL || session_is_quiet()) {
        return;
    }
    report_unused(input);
    int count = 0;
    while (rcity_coefficients_warning(input->coefficients, count) != NULL) {
        count++;
    }
    if (count > 0) {
        fprintf(stderr, "radiocity: warning: '%s' came with %d %s: %s%s\n", input->path, count,
                count == 1 ? "warning" : "warnings", rcity_coefficients_warning(input->coefficients, 0),
                count > 1 ? "; ..." : "");
    }
}

rcity_status coefficients_input_warn(rcity_context *context, const coefficients_input *input, const rcity_scene *scene,
                                     const rcity_request *request, int transmitter_count,
                                     const rcity_transmitter *transmitters)
{
    return input->path == NULL || session_is_quiet()
               ? RCITY_OK
               : rcity_coefficients_check_request(context, input->coefficients, scene, request, transmitter_count,
                                                  transmitters);
}

/* Calibrated coefficients for a request: loaded, merged with the command line, and compared with the request. */
#include "coefficients_input.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "fit_items.h"
#include "session.h"

#define FREQUENCY_SLACK 1.1 /* a frequency may differ from the fitted ones by 10 % */
#define SAMPLES_ACROSS  64  /* of an area, to estimate how much of it is far away */

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

static void warn_frequency(const rcity_fit_summary *fitted, int transmitter_count,
                           const rcity_transmitter *transmitters)
{
    for (int i = 0; i < transmitter_count; i++) {
        double frequency_hz = transmitters[i].frequency_hz;
        if (frequency_hz * FREQUENCY_SLACK < fitted->frequency_min_hz ||
            frequency_hz > fitted->frequency_max_hz * FREQUENCY_SLACK) {
            fprintf(stderr,
                    "radiocity: warning: the coefficients were fitted at %.10g to %.10g MHz; at %.10g MHz they are a "
                    "guess\n",
                    fitted->frequency_min_hz * 1e-6, fitted->frequency_max_hz * 1e-6, frequency_hz * 1e-6);
            return;
        }
    }
}

/* Is a place farther from all transmitters than any point of the fit? */
static bool is_far(double x_m, double y_m, double distance_m, int transmitter_count,
                   const rcity_transmitter *transmitters)
{
    for (int i = 0; i < transmitter_count; i++) {
        if (hypot(x_m - transmitters[i].x_m, y_m - transmitters[i].y_m) <= distance_m) {
            return false;
        }
    }
    return true;
}

/* The share of points, or of a grid of places over the area, that lies that far away. */
static double far_share(const rcity_scene_info *info, const rcity_receivers *receivers, double distance_m,
                        int transmitter_count, const rcity_transmitter *transmitters)
{
    bool has_points = receivers->point_count > 0;
    bool has_area = receivers->x_max_m > receivers->x_min_m && receivers->y_max_m > receivers->y_min_m;
    double low_m[2] = {has_area ? receivers->x_min_m : info->x_min_m, has_area ? receivers->y_min_m : info->y_min_m};
    double high_m[2] = {has_area ? receivers->x_max_m : info->x_max_m, has_area ? receivers->y_max_m : info->y_max_m};
    int64_t count = has_points ? receivers->point_count : (int64_t)SAMPLES_ACROSS * SAMPLES_ACROSS;
    int64_t far_count = 0;
    for (int64_t i = 0; i < count; i++) {
        double across = ((double)(i % SAMPLES_ACROSS) + 0.5) / SAMPLES_ACROSS;
        double up = ((double)(i / SAMPLES_ACROSS) + 0.5) / SAMPLES_ACROSS;
        double x_m = has_points ? receivers->xyh_m[3 * i] : low_m[0] + across * (high_m[0] - low_m[0]);
        double y_m = has_points ? receivers->xyh_m[3 * i + 1] : low_m[1] + up * (high_m[1] - low_m[1]);
        far_count += is_far(x_m, y_m, distance_m, transmitter_count, transmitters);
    }
    return (double)far_count / (double)count;
}

void coefficients_input_warn(const coefficients_input *input, const rcity_scene *scene, const rcity_request *request,
                             int transmitter_count, const rcity_transmitter *transmitters)
{
    rcity_scene_info info;
    if (input->path == NULL || session_is_quiet() || rcity_scene_describe(scene, &info) != RCITY_OK) {
        return;
    }
    rcity_fit_summary fitted = rcity_coefficients_summary(input->coefficients);
    if (fitted.frequency_max_hz > 0.0) {
        warn_frequency(&fitted, transmitter_count, transmitters);
    }
    if (!(fitted.distance_max_m > 0.0)) {
        return;
    }
    double share = far_share(&info, &request->receivers, fitted.distance_max_m, transmitter_count, transmitters);
    if (share > 0.5) {
        fprintf(stderr,
                "radiocity: warning: %.0f %% of the receivers lie farther away than the %.0f m that the coefficients "
                "were fitted up to\n",
                100.0 * share, fitted.distance_max_m);
    }
}

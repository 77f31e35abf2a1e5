/* What the command line of `calibrate` says. */
#ifndef CLI_CALIBRATE_INPUT_H
#define CLI_CALIBRATE_INPUT_H

#include "arguments.h"
#include "coefficients_input.h"
#include "measurement_input.h"
#include "radiocity/radiocity.h"

/* Everything the command line said. NAN and NULL: not given. */
typedef struct calibrate_input {
    const char *scene_path, *device;

    transmitter_input tx;
    measurement_input measured;

    const char *method;              /* of the command line; the request has the one that counts, and the options */
    coefficients_input coefficients; /* to start from */
    bool extrapolates, is_plain;
    text_list fixed, requested;
    rcity_calibrate_options options; /* its lists of names are these */

    const char *output_path;
    bool wants_json;

    rcity_request request;
    extra_options extra;
} calibrate_input;

/* Read and check the words after the command. @return as arguments_read(). */
int calibrate_input_read(calibrate_input *input, int count, char **words);

#endif

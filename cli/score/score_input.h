/* What the command line of `score` says. */
#ifndef CLI_SCORE_INPUT_H
#define CLI_SCORE_INPUT_H

#include "arguments.h"
#include "coefficients_input.h"
#include "measurement_input.h"
#include "radiocity/radiocity.h"

/* Everything the command line said. NAN and NULL: not given. */
typedef struct score_input {
    const char *scene_path, *device;

    transmitter_input tx;
    measurement_input measured;

    const char *method; /* of the command line; the request has the one that counts, and the options */
    coefficients_input coefficients;
    bool extrapolates, skips_out_of_range;

    const char *points_path, *plot_path, *scatter_path;
    bool wants_json;

    rcity_request request;
    extra_options extra;
} score_input;

/* Read and check the words after the command. @return as arguments_read(). */
int score_input_read(score_input *input, int count, char **words);

#endif

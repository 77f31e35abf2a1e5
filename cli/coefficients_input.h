/* The file of --coefficients, and how a request uses it. */
#ifndef CLI_COEFFICIENTS_INPUT_H
#define CLI_COEFFICIENTS_INPUT_H

#include "arguments.h"
#include "radiocity/radiocity.h"

#define COEFFICIENTS_OPTION_MAX (EXTRA_MAX + 64)

/* Initialise with zeros and the path; release with coefficients_input_deinit() in any case. */
typedef struct coefficients_input {
    const char *path; /* NULL: not given; all functions then do nothing */
    rcity_coefficients *coefficients;
    int option_count; /* of the file, then those of the command line, which have precedence because they come later */
    const char *option_name[COEFFICIENTS_OPTION_MAX];
    const char *option_value[COEFFICIENTS_OPTION_MAX];
    char label[RCITY_COEFFICIENTS_LABEL_BYTES];
} coefficients_input;

/* Load the file and let the request use it: its method, its options, then those of `extra`. `method` is that of the
   command line, which must be the same; NULL: not given. @return 0, or an exit status after a message. */
int coefficients_input_load(rcity_context *context, const char *command, coefficients_input *input, const char *method,
                            const extra_options *extra, rcity_request *request);
void coefficients_input_deinit(coefficients_input *input);

/* Print which parts of the file are not used, and its warnings; nothing with --quiet. */
void coefficients_input_report(const coefficients_input *input);

/* Warn, before the work, where transmitters and receivers leave what was fitted on. */
rcity_status coefficients_input_warn(rcity_context *context, const coefficients_input *input, const rcity_scene *scene,
                                     const rcity_request *request, int transmitter_count,
                                     const rcity_transmitter *transmitters);

#endif

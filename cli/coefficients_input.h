/* The file that --coefficients names, and what it means for a request. */
#ifndef CLI_COEFFICIENTS_INPUT_H
#define CLI_COEFFICIENTS_INPUT_H

#include "arguments.h"
#include "radiocity/radiocity.h"

#define COEFFICIENTS_OPTION_MAX (EXTRA_MAX + 64)

/* Start from zeroed memory with the path; release with coefficients_input_deinit() in any case. */
typedef struct coefficients_input {
    const char *path; /* NULL: not given, and all that follows does nothing */
    rcity_coefficients *coefficients;
    int option_count; /* of the file, then those of the command line, which win because they come later */
    const char *option_name[COEFFICIENTS_OPTION_MAX];
    const char *option_value[COEFFICIENTS_OPTION_MAX];
    char label[RCITY_COEFFICIENTS_LABEL_BYTES];
} coefficients_input;

/* Load the file and let the request use it: its method, its options, then those of `extra`. `method` is that of the
   command line, which must be the same; NULL: not given. @return 0, or an exit status after a message. */
int coefficients_input_load(rcity_context *context, const char *command, coefficients_input *input, const char *method,
                            const extra_options *extra, rcity_request *request);
void coefficients_input_deinit(coefficients_input *input);

/* Say what of the file is not used, and its own warnings; nothing when the user wants quiet. */
void coefficients_input_report(const coefficients_input *input);

/* Warn about transmitters and receivers far from what was fitted on; before the work. */
void coefficients_input_warn(const coefficients_input *input, const rcity_scene *scene, const rcity_request *request,
                             int transmitter_count, const rcity_transmitter *transmitters);

#endif

/* What `predict` does about delays: options, checks, the prediction of map and delays together, their file. */
#ifndef CLI_PREDICT_DELAYS_H
#define CLI_PREDICT_DELAYS_H

#include "output_set.h"
#include "predict_input.h"

/* The options of delays, as rows of a table; `into` is a predict_delays_input. */
#define PREDICT_DELAYS_OPTIONS(into)                                                                                   \
    {"--delays", OPTION_TEXT, &(into)->path, "FILE",                                                                   \
     "when power arrives in each cell (.h5), at the first height; read it with 'radiocity delay'"},                    \
    {                                                                                                                  \
        "--delay-bin-ns", OPTION_NUMBER, &(into)->bin_ns, "NS", "width of its bins, 0.001 to 1000000; 20"              \
    }

void predict_delays_set_defaults(predict_delays_input *input);

/* Do the options of delays go together, and with the others? @return 0, or an exit status after a message. */
int predict_delays_check(const predict_input *input);

/* Does the request's method serve delays? @return 0, or an exit status after a message. */
int predict_delays_check_method(const predict_input *input);

/* The map and the delays of one transmitter, from the same paths. */
rcity_status predict_delays_run(rcity_context *context, const rcity_scene *scene, rcity_device *device,
                                const predict_input *input, rcity_map **map, rcity_delays **delays);

/* Write the file. */
rcity_status predict_delays_write(rcity_context *context, const rcity_delays *delays, const predict_input *input,
                                  output_set *set);

#endif

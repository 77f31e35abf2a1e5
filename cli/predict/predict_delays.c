/* Delays: options, prediction, file. */
#include "predict_delays.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "exit_status.h"
#include "outputs.h"

#define BIN_NS       20.0
#define HEIGHT_INDEX 0

void predict_delays_set_defaults(predict_delays_input *input)
{
    input->bin_ns = (double)NAN;
}

static double bin_s(const predict_input *input)
{
    return 1e-9 * (isnan(input->delays.bin_ns) ? BIN_NS : input->delays.bin_ns);
}

int predict_delays_check(const predict_input *input)
{
    const predict_delays_input *delays = &input->delays;
    if (delays->path == NULL) {
        return isnan(delays->bin_ns) ? 0
                                     : usage_error("predict", "--delay-bin-ns is of --delays; give --delays FILE.h5");
    }
    if (!(bin_s(input) >= RCITY_DELAY_BIN_MIN_S && bin_s(input) <= RCITY_DELAY_BIN_MAX_S)) {
        return usage_error("predict", "--delay-bin-ns is %g, must be %g to %g", delays->bin_ns,
                           1e9 * RCITY_DELAY_BIN_MIN_S, 1e9 * RCITY_DELAY_BIN_MAX_S);
    }
    if (input->sites_path != NULL) {
        return usage_error("predict", "delays are of one transmitter; give --tx or --tx-lonlat instead of --sites");
    }
    if (input->points_path != NULL || predict_input_wants_surfaces(input)) {
        return usage_error("predict", "delays are of the cells of a map; %s has none",
                           input->points_path != NULL ? "--points" : "a prediction on surfaces");
    }
    return rcity_build_features_get().has_hdf5 ? 0 : output_fail_build("HDF5", delays->path);
}

int predict_delays_check_method(const predict_input *input)
{
    char names[256] = "";
    size_t used = 0;
    bool is_served = input->delays.path == NULL;
    bool is_known = false;
    rcity_method_info info;
    for (int i = 0; rcity_method_get(i, &info) == RCITY_OK; i++) {
        is_known = is_known || strcmp(info.name, input->request.method) == 0;
        if ((info.serves & RCITY_SERVES_DELAYS) != 0 && used < sizeof names) {
            used += (size_t)snprintf(names + used, sizeof names - used, "%s%s", used > 0 ? ", " : "", info.name);
            is_served = is_served || strcmp(info.name, input->request.method) == 0;
        }
    }
    if (is_served || !is_known) { /* the library refuses names that no method has */
        return 0;
    }
    fprintf(stderr, "radiocity: method '%s' does not serve delays, %s%s; %s\n", input->request.method,
            names[0] != '\0' ? "these do: " : "and no other does", names,
            names[0] != '\0' ? "choose one with --method" : "leave --delays out");
    return EXIT_UNSUPPORTED;
}

rcity_status predict_delays_run(rcity_context *context, const rcity_scene *scene, rcity_device *device,
                                const predict_input *input, rcity_map **map, rcity_delays **delays)
{
    return rcity_predict_delays(context, scene, device, &input->request, HEIGHT_INDEX, bin_s(input), map, delays);
}

rcity_status predict_delays_write(rcity_context *context, const rcity_delays *delays, const predict_input *input,
                                  output_set *set)
{
    if (delays == NULL) {
        return RCITY_OK;
    }
    return output_set_add(set, input->delays.path) ? rcity_delays_save_hdf5(context, delays, input->delays.path)
                                                   : RCITY_ERR_MEMORY;
}
